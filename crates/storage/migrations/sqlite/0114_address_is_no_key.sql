-- Of PostgreSQL alone: SQLite's checks of foreign keys lock nothing.
SELECT 1;
