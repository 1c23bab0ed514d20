//! Changes of balances that administrators make, each once.

use domain::{Paise, Timestamp, UserId};

use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::{execute, fetch_optional};
use crate::{Executor, Result, Tx};

/// A change of a balance that somebody asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CreditChange {
    /// Made by who asks, once for each change.
    pub key: String,
    /// Whose balance.
    pub user: UserId,
    /// By how much; negative when credits are taken.
    pub change: Paise,
    /// Why.
    pub reason: Option<String>,
    /// The administrator; none on the machine itself.
    pub by: Option<UserId>,
    /// When.
    pub at: Timestamp,
}

row! {
    pub(crate) struct ChangeRow {
        key: String,
        user_id: String,
        change: i64,
        reason: Option<String>,
        changed_by: Option<String>,
        created_at: i64,
    }
}

impl FromColumns for CreditChange {
    type Columns = ChangeRow;

    fn from_columns(row: ChangeRow) -> Result<Self> {
        Ok(Self {
            key: row.key,
            user: decode::id(&row.user_id, "credit_changes.user_id")?,
            change: Paise::new(row.change),
            reason: row.reason,
            by: decode::optional_id(row.changed_by.as_deref(), "credit_changes.changed_by")?,
            at: Timestamp::from_millis(row.created_at),
        })
    }
}

/// Records a change before it is made; false when there is one with this key. Another transaction that records the same key
/// waits for this one to end.
pub async fn record_credit_change(tx: &mut Tx, change: &CreditChange) -> Result<bool> {
    let inserted = execute!(
        tx,
        "INSERT INTO credit_changes (key, user_id, change, reason, changed_by, created_at)
         VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (key) DO NOTHING",
        change.key,
        change.user,
        change.change,
        change.reason,
        change.by,
        change.at,
    )?;
    Ok(inserted == 1)
}

/// The change with this key.
pub async fn credit_change(db: &dyn Executor, key: &str) -> Result<Option<CreditChange>> {
    fetch_optional!(
        db,
        CreditChange,
        "SELECT key, user_id, change, reason, changed_by, created_at FROM credit_changes WHERE key = $1",
        key,
    )
}
