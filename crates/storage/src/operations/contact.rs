//! Messages of the contact form, retained until they are sent.

use domain::accounts::EmailAddress;
use domain::{MessageId, Timestamp};

use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::{execute, fetch_optional};
use crate::{Executor, Result, Tx};

/// A message, whose sender may have no account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Its id.
    pub id: MessageId,
    /// Who wrote it.
    pub name: String,
    /// Where an answer goes.
    pub email: EmailAddress,
    /// What it is about.
    pub subject: String,
    /// Its text.
    pub message: String,
    /// When it was written.
    pub created_at: Timestamp,
    /// When it was sent on.
    pub sent_at: Option<Timestamp>,
}

row! {
    pub(crate) struct MessageRow {
        id: String,
        name: String,
        email: String,
        subject: String,
        message: String,
        created_at: i64,
        sent_at: Option<i64>,
    }
}

impl FromColumns for Message {
    type Columns = MessageRow;

    fn from_columns(row: MessageRow) -> Result<Self> {
        Ok(Self {
            id: decode::id(&row.id, "messages.id")?,
            name: row.name,
            email: EmailAddress::from_trusted(row.email),
            subject: row.subject,
            message: row.message,
            created_at: Timestamp::from_millis(row.created_at),
            sent_at: decode::time(row.sent_at),
        })
    }
}

/// Inserts an unsent message, whatever `message.sent_at` is.
pub async fn create(tx: &mut Tx, message: &Message) -> Result<()> {
    execute!(
        tx,
        "INSERT INTO messages (id, name, email, subject, message, created_at) VALUES ($1, $2, $3, $4, $5, $6)",
        message.id,
        message.name,
        message.email,
        message.subject,
        message.message,
        message.created_at,
    )?;
    Ok(())
}

/// A message.
pub async fn by_id(db: &dyn Executor, id: MessageId) -> Result<Option<Message>> {
    fetch_optional!(
        db,
        Message,
        "SELECT id, name, email, subject, message, created_at, sent_at FROM messages WHERE id = $1",
        id,
    )
}

/// Marks a message as sent; false when it was marked before.
pub async fn mark_sent(tx: &mut Tx, id: MessageId, now: Timestamp) -> Result<bool> {
    Ok(execute!(tx, "UPDATE messages SET sent_at = $2 WHERE id = $1 AND sent_at IS NULL", id, now)? == 1)
}

/// Deletes the messages that were sent before `before`, and answers their number.
pub async fn delete_sent(tx: &mut Tx, before: Timestamp) -> Result<u64> {
    execute!(tx, "DELETE FROM messages WHERE sent_at IS NOT NULL AND sent_at < $1", before)
}
