//! Keys of an event, with which what guests leave or hold is encrypted: a column of its row for each kind.

use domain::EventId;

use crate::operations::runtime::statements::Statement;
use crate::{Db, Executor, Result};

/// The key in a column; none when none was made, or it was destroyed.
pub(super) async fn get(db: &dyn Executor, event: EventId, column: &'static str) -> Result<Option<Vec<u8>>> {
    let mut statement = Statement::built(format!("SELECT {column} FROM events WHERE id = "));
    statement.push_bind(event).push(format_args!(" AND {column} IS NOT NULL"));
    statement.fetch_optional(db.reader()).await
}

/// The key of an open event; `fresh` becomes it when there is none. Of concurrent callers the first decides for all.
pub(super) async fn get_or_insert(
    db: &Db,
    event: EventId,
    column: &'static str,
    fresh: &[u8],
) -> Result<Option<Vec<u8>>> {
    if let Some(key) = get(db, event, column).await? {
        return Ok(Some(key));
    }
    let mut statement = Statement::built(format!("UPDATE events SET {column} = "));
    statement.push_bind(fresh).push(" WHERE id = ").push_bind(event);
    statement.push(format_args!(" AND {column} IS NULL AND deleting_since IS NULL AND deleted_at IS NULL"));
    statement.execute(db.writer()).await?;
    get(db, event, column).await
}
