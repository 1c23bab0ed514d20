//! Telling the processes that share a database of something that was committed.
//!
//! PostgreSQL passes it on to every connection that listens. A SQLite file has one process that works on it, which needs no
//! telling.

use sqlx::postgres::PgListener;

use crate::operations::runtime::statements::execute;
use crate::{Db, Result, Tx};

/// The one channel.
const CHANNEL: &str = "afterglow_jobs";

/// Tells every listener of this database `what`, once the transaction is committed.
pub async fn announce(tx: &mut Tx, what: &str) -> Result<()> {
    match tx {
        Tx::Sqlite(_) => {}
        Tx::Postgres(_) => {
            execute!(tx, "SELECT pg_notify($1, $2)", CHANNEL, what)?;
        }
    }
    Ok(())
}

/// A connection that listens.
#[derive(Debug)]
pub struct Listener(PgListener);

/// Listens from now on; none where nothing is told. It keeps a connection of the pool.
///
/// # Errors
/// When there is no connection in time.
pub async fn listen(db: &Db) -> Result<Option<Listener>> {
    let Db::Postgres(pool) = db else { return Ok(None) };
    let mut listener = PgListener::connect_with(pool).await?;
    listener.listen(CHANNEL).await?;
    Ok(Some(Listener(listener)))
}

impl Listener {
    /// What is told next; none after the connection was lost, when something may have been missed. The next call connects
    /// again.
    ///
    /// # Errors
    /// When it cannot be connected again.
    pub async fn next(&mut self) -> Result<Option<String>> {
        Ok(self.0.try_recv().await?.map(|notification| notification.payload().to_owned()))
    }
}
