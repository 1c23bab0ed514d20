//! The database: one of two engines behind one name.

use sqlx::pool::PoolConnection;
use sqlx::{PgPool, Postgres, Sqlite, SqlitePool, Transaction};
use tokio::sync::Mutex;

use crate::operations::runtime::executor::{Connections, Executor, Source};
use crate::operations::runtime::options::{ConnectOptions, Engine};
use crate::operations::runtime::statements::{run, statement};
use crate::operations::runtime::{dialect, migrations};
use crate::{Error, Result};

/// The database. Cloning one is cheap, and both are the same.
#[derive(Clone, Debug)]
pub enum Db {
    /// SQLite: one connection writes, so that writers queue in order and none meets a lock; the others read.
    Sqlite {
        /// The connection that writes.
        writer: SqlitePool,
        /// The connections that read.
        readers: SqlitePool,
        /// Writes in the writer's place what a power cut may undo: its commits are not synced.
        unsynced: SqlitePool,
    },
    /// PostgreSQL.
    Postgres(PgPool),
}

/// What [`Db::unsynced_writer`] answers, and the writer's turn that it takes.
pub(crate) struct UnsyncedWriter<'a> {
    pub(crate) source: Source<'a>,
    _turn: Option<PoolConnection<Sqlite>>,
}

/// A transaction. Dropped without [`Tx::commit`], it is rolled back.
#[derive(Debug)]
pub enum Tx {
    /// SQLite's, which has the file's one write lock from its beginning.
    Sqlite(Mutex<Transaction<'static, Sqlite>>),
    /// PostgreSQL's, at READ COMMITTED.
    Postgres(Mutex<Transaction<'static, Postgres>>),
}

impl Db {
    /// Opens `sqlite://relative/path.db`, `sqlite:///absolute/path.db` (made with its folder where it is missing)
    /// or `postgres://…`. The schema is left as it is; see [`Db::migrate`].
    ///
    /// # Errors
    /// [`Error::Address`], [`Error::Folder`], or [`Error::Unavailable`] within `options.acquire_timeout`.
    pub async fn connect(url: &str, options: ConnectOptions) -> Result<Self> {
        if let Some(path) = url.strip_prefix("sqlite://") {
            let (writer, readers, unsynced) = dialect::open_sqlite(path, options).await?;
            Ok(Self::Sqlite { writer, readers, unsynced })
        } else if url.starts_with("postgres://") || url.starts_with("postgresql://") {
            Ok(Self::Postgres(dialect::open_postgres(url, options).await?))
        } else {
            Err(Error::Address(None))
        }
    }

    /// Brings the schema up to date; does nothing where it is. Several machines may do so at once: the others wait for the first,
    /// however long its changes take.
    ///
    /// # Errors
    /// [`Error::Migration`], and [`Error::NewerSchema`], which leaves everything as it is.
    pub async fn migrate(&self) -> Result<()> {
        let schema = match self {
            Self::Sqlite { readers, .. } => migrations::version_in_sqlite(readers).await?,
            Self::Postgres(pool) => migrations::version_in_postgres(pool).await?,
        };
        if let Some(found) = schema.found.filter(|_| schema.is_newer) {
            return Err(Error::NewerSchema { found, known: schema.known });
        }
        match self {
            Self::Sqlite { writer, readers, .. } => {
                migrations::run_on_sqlite(writer, readers, schema.pending).await
            }
            Self::Postgres(pool) => {
                migrations::run_on_postgres(pool, migrations::postgres()).await.map_err(Error::Migration)
            }
        }
    }

    /// Begins a transaction.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when there is no connection in time.
    pub async fn begin(&self) -> Result<Tx> {
        match self {
            Self::Sqlite { writer, .. } => {
                let transaction = writer.begin_with(dialect::BEGIN_WRITING);
                let begun = run(Engine::Sqlite, dialect::BEGIN_WRITING, transaction).await?;
                Ok(Tx::Sqlite(Mutex::new(begun)))
            }
            Self::Postgres(pool) => {
                let begun = run(Engine::Postgres, "BEGIN", pool.begin()).await?;
                Ok(Tx::Postgres(Mutex::new(begun)))
            }
        }
    }

    /// For one statement that a power cut may undo, such as a lease: on SQLite its commit waits for no disk.
    pub(crate) async fn unsynced_writer(&self) -> Result<UnsyncedWriter<'_>> {
        Ok(match self {
            Self::Sqlite { writer, unsynced, .. } => UnsyncedWriter {
                // Nobody else writes as long as this connection is held.
                _turn: Some(writer.acquire().await?),
                source: Source::Sqlite(Connections::Pool(unsynced)),
            },
            Self::Postgres(pool) => {
                UnsyncedWriter { _turn: None, source: Source::Postgres(Connections::Pool(pool)) }
            }
        })
    }

    /// Checks that the database answers, and that a SQLite file can be written. Whether the disk of a server can is not asked.
    ///
    /// # Errors
    /// When it does not, or cannot.
    pub async fn ping(&self) -> Result<()> {
        statement!("SELECT 1").execute(self.reader()).await?;
        match self {
            Self::Sqlite { writer, .. } => {
                run(Engine::Sqlite, dialect::WRITE_NOTHING, dialect::write_nothing(writer)).await
            }
            Self::Postgres(_) => Ok(()),
        }
    }

    /// Reads through the whole database for damage, where the engine can; one line for each that was found.
    ///
    /// # Errors
    /// When the database cannot be read at all.
    pub async fn verify(&self) -> Result<Vec<String>> {
        match self {
            Self::Sqlite { readers, .. } => dialect::verify_sqlite(readers).await,
            // The server checks its pages by itself and reports damage as an error of the statement that meets it.
            Self::Postgres(_) => Ok(Vec::new()),
        }
    }

    /// Leaves nothing of what was deleted in the log of changes, where the engine's is a file of ours; false when a reader is in
    /// the way.
    ///
    /// # Errors
    /// When the database cannot be used.
    pub async fn truncate_log(&self) -> Result<bool> {
        match self {
            Self::Sqlite { writer, .. } => dialect::truncate_log(writer).await,
            // The server recycles its log by itself.
            Self::Postgres(_) => Ok(true),
        }
    }

    /// Ends every connection; statements that run are finished.
    pub async fn close(&self) {
        match self {
            Self::Sqlite { writer, readers, unsynced } => {
                readers.close().await;
                unsynced.close().await;
                writer.close().await;
            }
            Self::Postgres(pool) => pool.close().await,
        }
    }

    /// Which engine this is.
    pub const fn engine(&self) -> Engine {
        match self {
            Self::Sqlite { .. } => Engine::Sqlite,
            Self::Postgres(_) => Engine::Postgres,
        }
    }
}

impl Tx {
    /// Commits. When this answers, the data is on stable storage.
    ///
    /// # Errors
    /// When the database did not confirm it; it may or may not be committed.
    pub async fn commit(self) -> Result<()> {
        match self {
            Self::Sqlite(tx) => run(Engine::Sqlite, "COMMIT", tx.into_inner().commit()).await,
            Self::Postgres(tx) => run(Engine::Postgres, "COMMIT", tx.into_inner().commit()).await,
        }
    }

    /// Undoes it. Dropping does the same, a little later.
    ///
    /// # Errors
    /// When the database did not confirm it; nothing is committed all the same.
    pub async fn rollback(self) -> Result<()> {
        match self {
            Self::Sqlite(tx) => run(Engine::Sqlite, "ROLLBACK", tx.into_inner().rollback()).await,
            Self::Postgres(tx) => run(Engine::Postgres, "ROLLBACK", tx.into_inner().rollback()).await,
        }
    }

    /// Which engine this is.
    pub const fn engine(&self) -> Engine {
        match self {
            Self::Sqlite(_) => Engine::Sqlite,
            Self::Postgres(_) => Engine::Postgres,
        }
    }
}

impl Executor for Db {
    fn reader(&self) -> Source<'_> {
        match self {
            Self::Sqlite { readers, .. } => Source::Sqlite(Connections::Pool(readers)),
            Self::Postgres(pool) => Source::Postgres(Connections::Pool(pool)),
        }
    }

    fn writer(&self) -> Source<'_> {
        match self {
            Self::Sqlite { writer, .. } => Source::Sqlite(Connections::Pool(writer)),
            Self::Postgres(pool) => Source::Postgres(Connections::Pool(pool)),
        }
    }
}

impl Executor for Tx {
    fn reader(&self) -> Source<'_> {
        self.writer()
    }

    fn writer(&self) -> Source<'_> {
        match self {
            Self::Sqlite(transaction) => Source::Sqlite(Connections::Transaction(transaction)),
            Self::Postgres(transaction) => Source::Postgres(Connections::Transaction(transaction)),
        }
    }
}
