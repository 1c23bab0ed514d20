//! The database: one of two engines behind one name.

use std::future::Future;

use sqlx::{PgConnection, PgPool, Postgres, Sqlite, SqliteConnection, SqlitePool, Transaction};

use crate::options::{ConnectOptions, Engine, STATEMENT_TIMEOUT};
use crate::{Error, Result, dialect, migrations};

/// Runs one body on whichever engine is there: `each!(db.read(), conn => sqlx::query(…).execute(conn).await)`.
///
/// The body stands in both arms, so the compiler checks it for both engines.
macro_rules! each {
    ($target:expr, $conn:ident => $body:expr) => {
        match $target {
            $crate::db::Backend::Sqlite($conn) => $crate::db::bounded(async { $body }).await,
            $crate::db::Backend::Postgres($conn) => $crate::db::bounded(async { $body }).await,
        }
    };
}
pub(crate) use each;

/// The database. Cloning one is cheap, and both are the same.
#[derive(Clone, Debug)]
pub enum Db {
    /// SQLite: one connection writes, so that writers queue in order and none meets a lock; the others read.
    Sqlite {
        /// The connection that writes.
        writer: SqlitePool,
        /// The connections that read.
        readers: SqlitePool,
    },
    /// PostgreSQL.
    Postgres(PgPool),
}

/// What happens as a whole or not at all. Dropped without [`Tx::commit`], it did not happen.
#[derive(Debug)]
pub enum Tx {
    /// SQLite's, which holds the file's one write lock from its beginning.
    Sqlite(Transaction<'static, Sqlite>),
    /// PostgreSQL's, at READ COMMITTED.
    Postgres(Transaction<'static, Postgres>),
}

/// Something of either engine.
pub(crate) enum Backend<S, P> {
    Sqlite(S),
    Postgres(P),
}

impl Db {
    /// Opens `sqlite://relative/path.db`, `sqlite:///absolute/path.db` (made with its folder where it is missing)
    /// or `postgres://…`. The schema is left as it is; see [`Db::migrate`].
    ///
    /// # Errors
    /// [`Error::Address`], [`Error::Folder`], or [`Error::Unavailable`] within `options.acquire_timeout`.
    pub async fn connect(url: &str, options: ConnectOptions) -> Result<Self> {
        if let Some(path) = url.strip_prefix("sqlite://") {
            let (writer, readers) = dialect::open_sqlite(path, options).await?;
            Ok(Self::Sqlite { writer, readers })
        } else if url.starts_with("postgres://") || url.starts_with("postgresql://") {
            Ok(Self::Postgres(dialect::open_postgres(url, options).await?))
        } else {
            Err(Error::Address(None))
        }
    }

    /// Brings the schema up to date; does nothing where it is. Several machines may do so at once.
    ///
    /// # Errors
    /// [`Error::Migration`].
    pub async fn migrate(&self) -> Result<()> {
        match self {
            Self::Sqlite { writer, .. } => migrations::sqlite().run(writer).await,
            Self::Postgres(pool) => migrations::postgres().run(pool).await,
        }
        .map_err(Error::Migration)
    }

    /// Begins a transaction.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when there is no connection in time.
    pub async fn begin(&self) -> Result<Tx> {
        match self {
            Self::Sqlite { writer, .. } => {
                bounded(writer.begin_with(dialect::BEGIN_WRITING)).await.map(Tx::Sqlite)
            }
            Self::Postgres(pool) => bounded(pool.begin()).await.map(Tx::Postgres),
        }
    }

    /// Checks that the database answers.
    ///
    /// # Errors
    /// When it does not.
    pub async fn ping(&self) -> Result<()> {
        each!(self.read(), conn => sqlx::query("SELECT 1").execute(conn).await.map(|_| ()))
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

    /// Ends every connection; statements that run are finished.
    pub async fn close(&self) {
        match self {
            Self::Sqlite { writer, readers } => {
                readers.close().await;
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

    /// Where single reads go.
    pub(crate) const fn read(&self) -> Backend<&SqlitePool, &PgPool> {
        match self {
            Self::Sqlite { readers, .. } => Backend::Sqlite(readers),
            Self::Postgres(pool) => Backend::Postgres(pool),
        }
    }

    /// Where single writes go that need no transaction around them.
    pub(crate) const fn write(&self) -> Backend<&SqlitePool, &PgPool> {
        match self {
            Self::Sqlite { writer, .. } => Backend::Sqlite(writer),
            Self::Postgres(pool) => Backend::Postgres(pool),
        }
    }
}

impl Tx {
    /// Makes it all happen. When this answers, the data is on stable storage.
    ///
    /// # Errors
    /// When the database did not confirm it; it may or may not have happened.
    pub async fn commit(self) -> Result<()> {
        match self {
            Self::Sqlite(tx) => bounded(tx.commit()).await,
            Self::Postgres(tx) => bounded(tx.commit()).await,
        }
    }

    /// Makes sure that nothing of it happened, before going on. Dropping does the same, a little later.
    ///
    /// # Errors
    /// When the database did not confirm it; it has not happened all the same.
    pub async fn rollback(self) -> Result<()> {
        match self {
            Self::Sqlite(tx) => bounded(tx.rollback()).await,
            Self::Postgres(tx) => bounded(tx.rollback()).await,
        }
    }

    /// Which engine this is.
    pub const fn engine(&self) -> Engine {
        match self {
            Self::Sqlite(_) => Engine::Sqlite,
            Self::Postgres(_) => Engine::Postgres,
        }
    }

    /// The connection that holds the transaction.
    pub(crate) fn conn(&mut self) -> Backend<&mut SqliteConnection, &mut PgConnection> {
        match self {
            Self::Sqlite(tx) => Backend::Sqlite(tx),
            Self::Postgres(tx) => Backend::Postgres(tx),
        }
    }
}

/// Cancels a statement that does not end: a machine that vanished never closes its connections.
pub(crate) async fn bounded<T>(work: impl Future<Output = sqlx::Result<T>>) -> Result<T> {
    match tokio::time::timeout(STATEMENT_TIMEOUT, work).await {
        Ok(done) => Ok(done?),
        Err(_) => Err(Error::TimedOut),
    }
}
