//! Whether another process has the database open.

use std::path::Path;
use std::str::FromStr as _;
use std::time::Duration;

use sqlx::postgres::PgConnectOptions;
use sqlx::sqlite::{SqliteConnectOptions, SqliteLockingMode};
use sqlx::{ConnectOptions as _, Connection as _, PgConnection, SqliteConnection};

use crate::operations::runtime::dialect::APPLICATION_NAME;
use crate::{Error, Result};

/// Whether another process, or another [`crate::Db`] of this one, has the database open. A SQLite file that is not there is
/// not made, and used by nobody.
///
/// # Errors
/// [`Error::Address`], or when the database cannot be opened.
pub async fn is_in_use(url: &str) -> Result<bool> {
    match url.strip_prefix("sqlite://") {
        Some(path) => is_file_in_use(Path::new(path)).await,
        None => is_server_in_use(url).await,
    }
}

/// Whoever has a file in WAL mode open shares a lock on it.
async fn is_file_in_use(path: &Path) -> Result<bool> {
    if !tokio::fs::try_exists(path).await.map_err(Error::Folder)? {
        return Ok(false);
    }
    let options = SqliteConnectOptions::new()
        .filename(path)
        .locking_mode(SqliteLockingMode::Exclusive)
        .busy_timeout(Duration::ZERO);
    let looked = async {
        let mut connection: SqliteConnection = options.connect().await?;
        sqlx::query("SELECT COUNT(*) FROM sqlite_schema").execute(&mut connection).await?;
        connection.close().await
    };
    match looked.await {
        Ok(()) => Ok(false),
        // SQLITE_BUSY, and those that it is the low byte of.
        Err(sqlx::Error::Database(error))
            if error.code().and_then(|code| code.parse().ok()).is_some_and(|code: u32| code & 0xff == 5) =>
        {
            Ok(true)
        }
        Err(error) => Err(error.into()),
    }
}

/// Writes what a SQLite file has in its log into the file itself, which has all rows then; false when somebody else has it
/// open. Of a file that is not there nothing is made.
///
/// # Errors
/// When the file cannot be opened, or is damaged.
pub async fn fold_log(path: &Path) -> Result<bool> {
    if !tokio::fs::try_exists(path).await.map_err(Error::Folder)? {
        return Ok(true);
    }
    let options = SqliteConnectOptions::new().filename(path).busy_timeout(Duration::ZERO);
    let mut connection: SqliteConnection = options.connect().await?;
    let (is_busy, _, _): (i64, i64, i64) =
        sqlx::query_as("PRAGMA wal_checkpoint(TRUNCATE)").fetch_one(&mut connection).await?;
    // The last connection takes the log and its index away.
    connection.close().await?;
    Ok(is_busy == 0)
}

async fn is_server_in_use(url: &str) -> Result<bool> {
    let options = PgConnectOptions::from_str(url).map_err(|error| Error::Address(Some(error)))?;
    let mut connection: PgConnection = options.connect().await?;
    let in_use: bool = sqlx::query_scalar(
        "SELECT EXISTS (SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1
             AND pid <> pg_backend_pid())",
    )
    .bind(APPLICATION_NAME)
    .fetch_one(&mut connection)
    .await?;
    connection.close().await?;
    Ok(in_use)
}
