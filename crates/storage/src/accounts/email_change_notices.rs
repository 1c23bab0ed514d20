//! Addresses that are to be told that another one was requested, kept until they are.

use domain::accounts::EmailAddress;
use domain::{NoticeId, Timestamp, UserId};

use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::dialect::for_update;
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::{execute, fetch_optional};
use crate::{Executor, Result, Tx};

/// An address that is to be told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// Its id.
    pub id: NoticeId,
    /// Whose address.
    pub user: UserId,
    /// The address that was the current one; the new one may have replaced it by now.
    pub email: EmailAddress,
    /// When the other one was requested.
    pub created_at: Timestamp,
}

row! {
    pub(crate) struct NoticeRow {
        id: String,
        user_id: String,
        email: String,
        created_at: i64,
    }
}

impl FromColumns for Notice {
    type Columns = NoticeRow;

    fn from_columns(row: NoticeRow) -> Result<Self> {
        Ok(Self {
            id: decode::id(&row.id, "email_notices.id")?,
            user: decode::id(&row.user_id, "email_notices.user_id")?,
            email: EmailAddress::from_trusted(row.email),
            created_at: Timestamp::from_millis(row.created_at),
        })
    }
}

/// Inserts a notice.
pub async fn create(tx: &mut Tx, notice: &Notice) -> Result<()> {
    execute!(
        tx,
        "INSERT INTO email_notices (id, user_id, email, created_at) VALUES ($1, $2, $3, $4)",
        notice.id,
        notice.user,
        notice.email,
        notice.created_at,
    )?;
    Ok(())
}

/// A notice; none once it is sent, or its account is closed.
pub async fn by_id(db: &dyn Executor, id: NoticeId) -> Result<Option<Notice>> {
    fetch_optional!(db, Notice, "SELECT id, user_id, email, created_at FROM email_notices WHERE id = $1", id)
}

/// Locks a notice until the transaction ends; false when it is sent, or ended.
pub async fn lock(tx: &mut Tx, id: NoticeId) -> Result<bool> {
    let statement = for_update!(tx.engine(), "SELECT id FROM email_notices WHERE id = $1");
    Ok(fetch_optional!(tx, String, statement, id)?.is_some())
}

/// Deletes the notices about an account since this moment that were to go to any address but `keep`, and answers their number.
pub async fn delete_others(tx: &mut Tx, user: UserId, keep: &EmailAddress, since: Timestamp) -> Result<u64> {
    execute!(
        tx,
        "DELETE FROM email_notices WHERE user_id = $1 AND email <> $2 AND created_at >= $3",
        user,
        keep,
        since,
    )
}

/// Deletes a notice that is sent.
pub async fn delete(db: &dyn Executor, id: NoticeId) -> Result<()> {
    execute!(db, "DELETE FROM email_notices WHERE id = $1", id)?;
    Ok(())
}
