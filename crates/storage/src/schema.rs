//! The version of a database's schema, beside the one that this program works with.

use std::collections::BTreeSet;

use sqlx::{PgPool, SqlitePool};

use crate::statements::fetch_one;
use crate::{Db, Result, migrations};

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

/// The version of the schema. Changes nothing.
///
/// # Errors
/// When the database cannot be read.
pub async fn version(db: &Db) -> Result<Schema> {
    let applied: BTreeSet<i64> = match db {
        Db::Sqlite { readers, .. } => applied_in_sqlite(readers).await?,
        Db::Postgres(pool) => applied_in_postgres(pool).await?,
    };
    let known: BTreeSet<i64> = migrations::sqlite().iter().map(|migration| migration.version).collect();
    Ok(Schema {
        found: applied.last().copied(),
        known: known.last().copied().unwrap_or_default(),
        pending: known.difference(&applied).count(),
        is_newer: applied.difference(&known).next().is_some(),
    })
}

/// What the engine calls itself, with its version.
pub async fn engine(db: &Db) -> Result<String> {
    match db {
        Db::Sqlite { .. } => fetch_one!(db, String, "SELECT 'SQLite ' || sqlite_version()"),
        Db::Postgres(_) => {
            fetch_one!(db, String, "SELECT 'PostgreSQL ' || current_setting('server_version')")
        }
    }
}

/// The table is the driver's own, and is not there before the first migration.
async fn applied_in_sqlite(pool: &SqlitePool) -> Result<BTreeSet<i64>> {
    let there: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM sqlite_schema WHERE name = '_sqlx_migrations'")
        .fetch_one(pool)
        .await?;
    if there == 0 {
        return Ok(BTreeSet::new());
    }
    let versions: Vec<i64> = sqlx::query_scalar(APPLIED).fetch_all(pool).await?;
    Ok(versions.into_iter().collect())
}

async fn applied_in_postgres(pool: &PgPool) -> Result<BTreeSet<i64>> {
    let there: bool =
        sqlx::query_scalar("SELECT to_regclass('_sqlx_migrations') IS NOT NULL").fetch_one(pool).await?;
    if !there {
        return Ok(BTreeSet::new());
    }
    let versions: Vec<i64> = sqlx::query_scalar(APPLIED).fetch_all(pool).await?;
    Ok(versions.into_iter().collect())
}

const APPLIED: &str = "SELECT version FROM _sqlx_migrations";
