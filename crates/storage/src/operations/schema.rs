//! The version of a database's schema, beside the one that this program works with.

use crate::operations::runtime::migrations;
use crate::operations::runtime::statements::fetch_one;
use crate::{Db, Result};

pub use crate::operations::runtime::migrations::Schema;

/// The version of the schema. Changes nothing.
///
/// # Errors
/// When the database cannot be read.
pub async fn version(db: &Db) -> Result<Schema> {
    match db {
        Db::Sqlite { readers, .. } => migrations::version_in_sqlite(readers).await,
        Db::Postgres(pool) => migrations::version_in_postgres(pool).await,
    }
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

/// How many bytes the database takes.
pub async fn size(db: &Db) -> Result<i64> {
    match db {
        Db::Sqlite { .. } => {
            fetch_one!(db, i64, "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()")
        }
        Db::Postgres(_) => fetch_one!(db, i64, "SELECT pg_database_size(current_database())"),
    }
}
