//! Searches that guests' devices keep: what they hold is encrypted with a key of the event, and nothing else is stored of them.

use domain::EventId;

use super::event_keys;
use crate::operations::runtime::statements::execute;
use crate::{Db, Executor, Result, Tx};

/// The key of an event's searches; none when none was made.
pub async fn key(db: &dyn Executor, event: EventId) -> Result<Option<Vec<u8>>> {
    event_keys::get(db, event, "search_key").await
}

/// The key of an open event; `fresh` becomes it when there is none. Of concurrent callers the first decides for all.
pub async fn key_or_insert(db: &Db, event: EventId, fresh: &[u8]) -> Result<Option<Vec<u8>>> {
    event_keys::get_or_insert(db, event, "search_key", fresh).await
}

/// Destroys the key: what devices hold is no use any more. False when there was none.
pub async fn delete_key(tx: &mut Tx, event: EventId) -> Result<bool> {
    let statement = "UPDATE events SET search_key = NULL WHERE id = $1 AND search_key IS NOT NULL";
    Ok(execute!(tx, statement, event)? == 1)
}
