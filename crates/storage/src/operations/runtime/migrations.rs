//! The schema's history, inside the binary.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::time::Duration;

use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};
use sqlx::{Connection as _, PgConnection, PgPool, SqlStr, SqlitePool};

use crate::{Error, Result};

/// What was applied to a database.
const APPLIED: &str = "SELECT version FROM _sqlx_migrations";

/// How far a database is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schema {
    /// The newest migration that was applied; none in a new database.
    pub found: Option<i64>,
    /// The newest that this program has.
    pub known: i64,
    /// How many migrations of this program were not applied.
    pub pending: usize,
    /// Whether a migration was applied that this program does not have.
    pub is_newer: bool,
}

// `SQLITE` and `POSTGRES`: version, description and text of each migration, listed by `build.rs` from the two folders.
include!(concat!(env!("OUT_DIR"), "/migrations.rs"));

pub(crate) fn sqlite() -> Migrator {
    migrator(SQLITE)
}

pub(crate) fn postgres() -> Migrator {
    migrator(POSTGRES)
}

/// Of these versions alone, as an earlier version of the program has applied them.
#[cfg(feature = "testing")]
pub(crate) fn sqlite_of(versions: &[i64]) -> Migrator {
    some_of(SQLITE, versions)
}

/// The same for PostgreSQL.
#[cfg(feature = "testing")]
pub(crate) fn postgres_of(versions: &[i64]) -> Migrator {
    some_of(POSTGRES, versions)
}

#[cfg(feature = "testing")]
fn some_of(migrations: &[(i64, &'static str, &'static str)], versions: &[i64]) -> Migrator {
    let some: Vec<_> =
        migrations.iter().filter(|migration| versions.contains(&migration.0)).copied().collect();
    migrator(&some)
}

fn migrator(migrations: &[(i64, &'static str, &'static str)]) -> Migrator {
    let migration = |&(version, description, text): &(i64, &'static str, &'static str)| {
        let description = Cow::Borrowed(description);
        Migration::new(version, description, MigrationType::Simple, SqlStr::from_static(text), false)
    };
    Migrator::with_migrations(migrations.iter().map(migration).collect())
}

/// For how long another process has the file to itself, before ours looks again.
const PAUSE: Duration = Duration::from_millis(200);

/// Applies those migrations that are `pending`. The driver has no lock for them in SQLite: where another process has applied one a moment
/// before, ours fails, as that one is there, and the next attempt goes on behind it.
pub(crate) async fn run_on_sqlite(writer: &SqlitePool, readers: &SqlitePool, pending: usize) -> Result<()> {
    let mut pending = pending;
    loop {
        let Err(error) = sqlite().run(writer).await else { return Ok(()) };
        let left = version_in_sqlite(readers).await?.pending;
        if is_busy(&error) {
            tokio::time::sleep(PAUSE).await;
        } else if left >= pending {
            return Err(Error::Migration(error));
        }
        pending = left;
    }
}

/// Whether another process writes to the file.
fn is_busy(error: &MigrateError) -> bool {
    let (MigrateError::Execute(sqlx::Error::Database(error))
    | MigrateError::ExecuteMigration(sqlx::Error::Database(error), _)) = error
    else {
        return false;
    };
    // BUSY and LOCKED: the low byte, since extended codes add to the left.
    error.code().and_then(|code| code.parse::<u32>().ok()).is_some_and(|code| matches!(code & 0xff, 5 | 6))
}

/// Applies migrations on a connection of their own. The limits of the pool's connections are for statements of requests: a change of
/// a large table takes longer than any of these, and so does waiting for another process that makes it.
pub(crate) async fn run_on_postgres(
    pool: &PgPool,
    migrator: Migrator,
) -> std::result::Result<(), MigrateError> {
    let options = pool.connect_options().as_ref().clone().options([
        ("statement_timeout", "0"),
        ("lock_timeout", "0"),
        ("idle_in_transaction_session_timeout", "0"),
    ]);
    let mut connection = PgConnection::connect_with(&options).await?;
    migrator.run(&mut connection).await?;
    // The changes are committed; a connection that cannot say goodbye is no failure of theirs.
    drop(connection.close().await);
    Ok(())
}

/// The version of a SQLite database. The table is the driver's own, and is not there before the first migration.
pub(crate) async fn version_in_sqlite(pool: &SqlitePool) -> Result<Schema> {
    let there: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM sqlite_schema WHERE name = '_sqlx_migrations'")
        .fetch_one(pool)
        .await?;
    if there == 0 {
        return Ok(compare(&[]));
    }
    let versions: Vec<i64> = sqlx::query_scalar(APPLIED).fetch_all(pool).await?;
    Ok(compare(&versions))
}

/// The version of a PostgreSQL database.
pub(crate) async fn version_in_postgres(pool: &PgPool) -> Result<Schema> {
    let there: bool =
        sqlx::query_scalar("SELECT to_regclass('_sqlx_migrations') IS NOT NULL").fetch_one(pool).await?;
    if !there {
        return Ok(compare(&[]));
    }
    let versions: Vec<i64> = sqlx::query_scalar(APPLIED).fetch_all(pool).await?;
    Ok(compare(&versions))
}

/// What was applied, beside what there is.
fn compare(applied: &[i64]) -> Schema {
    let applied: BTreeSet<i64> = applied.iter().copied().collect();
    let known: BTreeSet<i64> = sqlite().iter().map(|migration| migration.version).collect();
    Schema {
        found: applied.last().copied(),
        known: known.last().copied().unwrap_or_default(),
        pending: known.difference(&applied).count(),
        is_newer: applied.difference(&known).next().is_some(),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use sqlx::postgres::PgPoolOptions;

    use super::*;

    #[tokio::test]
    async fn neither_a_long_migration_nor_waiting_for_one_meets_the_limits_of_statements() {
        // [SAFE320]
        const SLOW: &str = "SELECT pg_sleep(0.5); CREATE TABLE slow (id TEXT)";
        let test = crate::testing::postgres().await;
        let limited = async || {
            let options: sqlx::postgres::PgConnectOptions = test.url.parse().unwrap();
            let options = options.options([("statement_timeout", "100"), ("lock_timeout", "100")]);
            PgPoolOptions::new().max_connections(1).connect_with(options).await.unwrap()
        };
        let (one, another) = (limited().await, limited().await);
        let refused = sqlx::query("SELECT pg_sleep(0.5)").execute(&one).await;
        assert!(refused.is_err(), "the limits hold for statements");
        let slow = || {
            let mut listed = POSTGRES.to_vec();
            listed.push((9_999, "slow", SLOW));
            migrator(&listed)
        };
        let ends = tokio::join!(run_on_postgres(&one, slow()), run_on_postgres(&another, slow()));
        ends.0.unwrap();
        ends.1.unwrap();
        let applied: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM _sqlx_migrations WHERE version = 9999")
            .fetch_one(&one)
            .await
            .unwrap();
        assert_eq!(applied, 1);
    }

    #[tokio::test]
    async fn every_file_of_both_folders_is_embedded() {
        for (folder, embedded) in [("migrations/sqlite", sqlite()), ("migrations/postgres", postgres())] {
            let files = Migrator::new(Path::new(folder)).await.unwrap();
            let listed = |migrator: &Migrator| -> Vec<_> {
                migrator
                    .iter()
                    .map(|migration| {
                        let Migration { version, description, checksum, migration_type, no_tx, .. } =
                            migration.clone();
                        (version, description, checksum, migration_type, no_tx)
                    })
                    .collect()
            };
            assert_eq!(listed(&embedded), listed(&files), "{folder}");
        }
    }
}
