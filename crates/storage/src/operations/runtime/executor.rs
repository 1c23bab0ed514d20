//! Where a statement runs: on a connection of the database's pools, or in a transaction.

use sqlx::pool::MaybePoolConnection;
use sqlx::{Database, Pool, Postgres, Sqlite};

/// `&Db` or `&mut Tx`: a function that takes either runs by itself, or as part of the caller's transaction.
///
/// As with sqlx's trait of this name, a variable that holds a `&mut Tx` is passed on as `&mut *tx`.
// The methods, not the trait, have the lifetime of the connection: with `Executor<'c>` the compiler cannot prove that the
// futures of the HTTP handlers are `Send`.
pub trait Executor: Send + Sized {
    /// For a statement that changes nothing.
    #[doc(hidden)]
    fn reader<'c>(self) -> Backend<'c>
    where
        Self: 'c;

    /// For any other.
    #[doc(hidden)]
    fn writer<'c>(self) -> Backend<'c>
    where
        Self: 'c;
}

/// A source of connections to one of the engines.
pub enum Backend<'c> {
    Sqlite(Source<'c, Sqlite>),
    Postgres(Source<'c, Postgres>),
}

/// A pool of connections, or the connection of a transaction.
pub enum Source<'c, DB: Database> {
    Pool(&'c Pool<DB>),
    Transaction(&'c mut DB::Connection),
}

impl<'c, DB: Database> Source<'c, DB> {
    pub(crate) async fn acquire(self) -> sqlx::Result<MaybePoolConnection<'c, DB>> {
        match self {
            Self::Pool(pool) => pool.acquire().await.map(MaybePoolConnection::PoolConnection),
            Self::Transaction(connection) => Ok(MaybePoolConnection::Connection(connection)),
        }
    }
}
