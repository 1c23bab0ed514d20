//! The schema's history, inside the binary.

use std::borrow::Cow;
use std::collections::BTreeSet;

use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::{PgPool, SqlStr, SqlitePool};

use crate::Result;

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

fn migrator(migrations: &[(i64, &'static str, &'static str)]) -> Migrator {
    let migration = |&(version, description, text): &(i64, &'static str, &'static str)| {
        let description = Cow::Borrowed(description);
        Migration::new(version, description, MigrationType::Simple, SqlStr::from_static(text), false)
    };
    Migrator::with_migrations(migrations.iter().map(migration).collect())
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

    use super::*;

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
