//! Where a statement runs: on a connection of the database's pools, or in a transaction.

use std::ops::{Deref, DerefMut};

use sqlx::pool::PoolConnection;
use sqlx::{Database, Pool, Postgres, Sqlite, Transaction};
use tokio::sync::{Mutex, MutexGuard};

/// A [`crate::Db`] or a [`crate::Tx`]: a function that takes either runs by itself, or as part of the caller's transaction.
///
/// It is taken as `&dyn Executor`, to which `&Db` and `&mut Tx` coerce. Functions that are generic over it would be compiled
/// again in every crate that calls them.
pub trait Executor: Send + Sync {
    /// For a statement that changes nothing.
    #[doc(hidden)]
    fn reader(&self) -> Source<'_>;

    /// For any other.
    #[doc(hidden)]
    fn writer(&self) -> Source<'_>;
}

/// A source of connections to one of the engines.
#[doc(hidden)]
pub enum Source<'c> {
    Sqlite(Connections<'c, Sqlite>),
    Postgres(Connections<'c, Postgres>),
}

/// A pool of connections, or the connection of a transaction, whose statements take turns.
#[doc(hidden)]
pub enum Connections<'c, DB: Database> {
    Pool(&'c Pool<DB>),
    Transaction(&'c Mutex<Transaction<'static, DB>>),
}

impl<'c, DB: Database> Connections<'c, DB> {
    pub(crate) async fn acquire(self) -> sqlx::Result<Connection<'c, DB>> {
        match self {
            Self::Pool(pool) => pool.acquire().await.map(Connection::Pooled),
            Self::Transaction(transaction) => Ok(Connection::Transaction(transaction.lock().await)),
        }
    }
}

/// A connection that a statement has to itself.
pub(crate) enum Connection<'c, DB: Database> {
    Pooled(PoolConnection<DB>),
    Transaction(MutexGuard<'c, Transaction<'static, DB>>),
}

impl<DB: Database> Deref for Connection<'_, DB> {
    type Target = DB::Connection;

    fn deref(&self) -> &DB::Connection {
        match self {
            Self::Pooled(connection) => connection,
            Self::Transaction(transaction) => transaction,
        }
    }
}

impl<DB: Database> DerefMut for Connection<'_, DB> {
    fn deref_mut(&mut self) -> &mut DB::Connection {
        match self {
            Self::Pooled(connection) => connection,
            Self::Transaction(transaction) => transaction,
        }
    }
}
