//! Snapshots: all rows of a database as of one moment, in a SQLite file.
//!
//! The two engines have the same tables and columns, so a snapshot of either restores into either.

use std::path::Path;

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _, PgPool, SqlitePool};

use crate::operations::runtime::statements::{Statement, fetch_one};
use crate::operations::runtime::tables::{self, Source, tables};
use crate::{ConnectOptions, Db, Error, Executor, Result, Tx};

/// Writes a snapshot of the database to a new file at `path`. Takes as long as reading all rows, and blocks nobody.
///
/// # Errors
/// Also when the file cannot be written.
pub async fn write(db: &Db, path: &Path) -> Result<()> {
    match db {
        Db::Sqlite { readers, .. } => vacuum_into(readers, path).await,
        Db::Postgres(pool) => export(pool, path).await,
    }
}

/// Opens a snapshot as a database. It is brought to the current schema if an earlier version wrote it, so the file has
/// to be a private copy.
///
/// # Errors
/// [`Error::NewerSchema`] when a later version wrote it; also when the file is not a snapshot.
pub async fn open(path: &Path) -> Result<Db> {
    let options = ConnectOptions { max_connections: 2, ..ConnectOptions::default() };
    let snapshot = Db::connect(&format!("sqlite://{}", utf8(path)?), options).await?;
    snapshot.migrate().await?;
    Ok(snapshot)
}

/// Whether nobody has registered with this database: only then it may be replaced by a snapshot.
pub async fn is_vacant(db: &dyn Executor) -> Result<bool> {
    let accounts: i64 = fetch_one!(db, i64, "SELECT COUNT(*) FROM (SELECT 1 FROM users LIMIT 1) AS first")?;
    Ok(accounts == 0)
}

/// Replaces all rows of a vacant database by those of a snapshot, in one transaction; false, and nothing changes, when
/// it is not vacant.
pub async fn restore(db: &Db, snapshot: &Db) -> Result<bool> {
    let Db::Sqlite { readers, .. } = snapshot else {
        return Err(Error::Address(None));
    };
    let mut source = readers.acquire().await?;
    let tables = tables(&mut source).await?;
    let mut tx = db.begin().await?;
    if !is_vacant(&mut tx).await? {
        return Ok(false);
    }
    // A server that ran on the empty database has left secrets and schedules.
    for table in tables.iter().rev() {
        let delete = format!("DELETE FROM {}", table.name);
        Statement::built(delete).execute(tx.writer()).await?;
    }
    for table in &tables {
        let rows = table.rows(Source::Sqlite(&mut source));
        table.insert(&mut tx, rows).await?;
    }
    tx.commit().await?;
    Ok(true)
}

/// SQLite copies itself, within one read transaction.
async fn vacuum_into(readers: &SqlitePool, path: &Path) -> Result<()> {
    // A connection of its own: the readers' may not write, not even to another file.
    let options = SqliteConnectOptions::clone(&readers.connect_options()).pragma("query_only", "OFF");
    let mut connection = options.connect().await?;
    sqlx::query("VACUUM INTO $1").bind(utf8(path)?).execute(&mut connection).await?;
    connection.close().await?;
    Ok(())
}

/// Copies the rows that one transaction of PostgreSQL sees into a new SQLite file.
async fn export(pool: &PgPool, path: &Path) -> Result<()> {
    let snapshot = open(path).await?;
    let mut source = tables::begin_reading(pool).await?;
    let mut tx = snapshot.begin().await?;
    let Tx::Sqlite(connection) = &mut tx else { return Err(Error::Address(None)) };
    for table in tables(connection.get_mut()).await? {
        let rows = table.rows(Source::Postgres(&mut source));
        table.insert(&mut tx, rows).await?;
    }
    tx.commit().await?;
    snapshot.close().await;
    Ok(())
}

fn utf8(path: &Path) -> Result<&str> {
    path.to_str().ok_or(Error::Address(None))
}
