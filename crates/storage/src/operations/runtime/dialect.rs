//! All that differs between the two engines. Small, and meant to stay so.

use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{AssertSqlSafe, Connection as _, PgPool, SqliteConnection, SqlitePool};

use crate::operations::runtime::options::{ConnectOptions, Engine, STATEMENT_TIMEOUT};
use crate::{Error, Result};

/// A transaction that takes the write lock at once: one that reads first and writes later can be
/// refused half-way, when another has written meanwhile.
pub(crate) const BEGIN_WRITING: &str = "BEGIN IMMEDIATE";

/// How the connections of all processes are called in PostgreSQL.
pub(crate) const APPLICATION_NAME: &str = "afterglow";

/// Waits for other processes that write to the same SQLite file.
const SQLITE_BUSY_TIMEOUT: Duration = Duration::from_secs(10);

/// A `SELECT` that locks its rows until the transaction ends. SQLite's transactions lock the whole file anyway.
macro_rules! for_update {
    ($engine:expr, $select:expr) => {
        match $engine {
            $crate::Engine::Sqlite => $select,
            $crate::Engine::Postgres => concat!($select, " FOR NO KEY UPDATE"),
        }
    };
}
pub(crate) use for_update;

/// Ends a `SELECT` that picks work for one of several workers, so that none waits for another.
pub(crate) const fn skip_locked(engine: Engine) -> &'static str {
    match engine {
        Engine::Sqlite => "",
        Engine::Postgres => " FOR UPDATE SKIP LOCKED",
    }
}

/// Opens the file at `path`; answers the pool that writes, the pool that reads, and the pool that writes without syncs.
pub(crate) async fn open_sqlite(
    path: &str,
    options: ConnectOptions,
) -> Result<(SqlitePool, SqlitePool, SqlitePool)> {
    let path = Path::new(path);
    if path.file_name().is_none() {
        return Err(Error::Address(None));
    }
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        let mut folders = tokio::fs::DirBuilder::new();
        folders.recursive(true).mode(0o700).create(folder).await.map_err(Error::Folder)?;
    }
    make_private(path).await.map_err(Error::Folder)?;
    let connection = SqliteConnectOptions::new()
        .filename(path)
        .foreign_keys(true)
        .busy_timeout(SQLITE_BUSY_TIMEOUT)
        // What is deleted is overwritten with zeros.
        .pragma("secure_delete", "ON")
        // What was answered must survive a power cut: in WAL mode only FULL syncs every commit.
        .synchronous(SqliteSynchronous::Full);
    let pool = || {
        SqlitePoolOptions::new()
            .acquire_timeout(options.acquire_timeout)
            // A file does not hang up.
            .test_before_acquire(false)
            .idle_timeout(None)
            .max_lifetime(None)
            // An error such as a full disk makes SQLite end a transaction by itself. The driver, which then has nothing
            // to roll back, believes that it goes on and begins no other on this connection.
            .before_acquire(|connection, _| {
                let is_usable = !connection.is_in_transaction();
                Box::pin(async move { Ok(is_usable) })
            })
    };
    let writing_pool = || {
        pool()
            .max_connections(1)
            .after_connect(|connection, _| Box::pin(async move { refuse_read_only(connection).await }))
    };
    // The writer comes first: it makes the file and sets its journal mode, which lasts.
    let writer = writing_pool()
        .connect_with(connection.clone().create_if_missing(true).journal_mode(SqliteJournalMode::Wal))
        .await?;
    let readers = pool()
        .max_connections(options.max_connections)
        // A write that goes astray fails in the first test instead of meeting a lock in production.
        .connect_with(connection.clone().pragma("query_only", "ON"))
        .await?;
    // In WAL mode a commit with NORMAL is synced together with the next one of the writer.
    let unsynced = writing_pool().connect_lazy_with(connection.synchronous(SqliteSynchronous::Normal));
    Ok((writer, readers, unsynced))
}

/// Fails on a connection that cannot write, for the pool to open another. Where the file system is read-only, SQLite opens the file so
/// without a word, and the connection would stay so when the disk is mended. `BEGIN IMMEDIATE` alone does not tell: on a file that was
/// opened for reading it begins a transaction that reads.
async fn refuse_read_only(connection: &mut SqliteConnection) -> sqlx::Result<()> {
    let change = AssertSqlSafe(format!("BEGIN IMMEDIATE; {WRITE_NOTHING}; ROLLBACK"));
    sqlx::raw_sql(change).execute(connection).await.map(drop)
}

/// Makes the file where it is missing, for its owner alone. SQLite gives the files beside it the same permissions.
async fn make_private(path: &Path) -> std::io::Result<()> {
    let mut options = tokio::fs::OpenOptions::new();
    match options.write(true).create_new(true).mode(0o600).open(path).await {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}

/// A change of a SQLite file that leaves all as it is, and is written nevertheless. Nobody uses this number.
pub(crate) const WRITE_NOTHING: &str = "PRAGMA user_version = 0";

/// Writes to the file and syncs it.
pub(crate) async fn write_nothing(writer: &SqlitePool) -> sqlx::Result<()> {
    sqlx::query(WRITE_NOTHING).execute(writer).await.map(drop)
}

/// Moves the write-ahead log into the file and cuts it to nothing; false when a reader is in the way.
pub(crate) async fn truncate_log(writer: &SqlitePool) -> Result<bool> {
    let mut connection = writer.acquire().await?;
    // Writers wait for it, so that it must not wait for readers.
    sqlx::query("PRAGMA busy_timeout = 100").execute(&mut *connection).await?;
    let outcome = sqlx::query_scalar("PRAGMA wal_checkpoint(TRUNCATE)").fetch_one(&mut *connection).await;
    let milliseconds = SQLITE_BUSY_TIMEOUT.as_millis();
    let restore = format!("PRAGMA busy_timeout = {milliseconds}");
    sqlx::query(AssertSqlSafe(restore)).execute(&mut *connection).await?;
    let is_busy: i64 = outcome?;
    Ok(is_busy == 0)
}

/// Opens a pool of connections to a server.
pub(crate) async fn open_postgres(url: &str, options: ConnectOptions) -> Result<PgPool> {
    let statement_timeout = STATEMENT_TIMEOUT.as_millis().to_string();
    let connection = PgConnectOptions::from_str(url)
        .map_err(|error| Error::Address(Some(error)))?
        .application_name(APPLICATION_NAME)
        .options([
            ("statement_timeout", statement_timeout.as_str()),
            ("idle_in_transaction_session_timeout", statement_timeout.as_str()),
            ("lock_timeout", "10000"),
        ]);
    Ok(PgPoolOptions::new()
        .max_connections(options.max_connections)
        .acquire_timeout(options.acquire_timeout)
        .connect_with(connection)
        .await?)
}

/// Has SQLite check its pages, indexes and references.
pub(crate) async fn verify_sqlite(readers: &SqlitePool) -> Result<Vec<String>> {
    let mut damage: Vec<String> =
        sqlx::query_scalar("PRAGMA integrity_check(100)").fetch_all(readers).await?;
    damage.retain(|line| line != "ok");
    let strays: Vec<(String, Option<i64>, String)> =
        sqlx::query_as("SELECT \"table\", rowid, parent FROM pragma_foreign_key_check")
            .fetch_all(readers)
            .await?;
    damage.extend(strays.into_iter().map(|(table, row, parent)| {
        let row = row.map_or_else(String::new, |row| row.to_string());
        format!("row {row} of {table} refers to a row of {parent} that is not there")
    }));
    Ok(damage)
}

#[cfg(test)]
mod tests {
    use sqlx::ConnectOptions as _;
    use sqlx::sqlite::SqliteConnectOptions;

    use super::refuse_read_only;

    /// What SQLite does of itself where the file system is read-only at the moment.
    #[tokio::test]
    async fn a_file_that_was_opened_for_reading_alone_gives_no_writer() {
        let folder = tempfile::tempdir().unwrap();
        let file = SqliteConnectOptions::new().filename(folder.path().join("test.db"));
        let mut writer = file.clone().create_if_missing(true).connect().await.unwrap();
        refuse_read_only(&mut writer).await.unwrap();

        let mut reader = file.read_only(true).connect().await.unwrap();
        let error = refuse_read_only(&mut reader).await.unwrap_err();
        assert_eq!(error.as_database_error().unwrap().code().unwrap(), "8", "SQLITE_READONLY");
    }
}
