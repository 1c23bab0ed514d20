//! Refunds of payments. Whoever changes one locks the order of its payment.

use domain::payments::{Refund, RefundStatus};
use domain::{Paise, RefundId, Timestamp, UserId};

use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::{execute, fetch_all, fetch_optional};
use crate::{Executor, Result, Tx};

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT refunds.id, refunds.provider, refunds.payment_id, refund_id, refunds.amount, status, failure,
                 credits_taken, credits_missing, refunds.created_at, refunds.settled_at FROM refunds ",
            $rest
        )
    };
}

row! {
    pub(crate) struct RefundRow {
        id: String,
        provider: String,
        payment_id: String,
        refund_id: Option<String>,
        amount: i64,
        status: String,
        failure: Option<String>,
        credits_taken: i64,
        credits_missing: i64,
        created_at: i64,
        settled_at: Option<i64>,
    }
}

impl FromColumns for Refund {
    type Columns = RefundRow;

    fn from_columns(row: RefundRow) -> Result<Self> {
        Ok(Self {
            id: decode::id(&row.id, "refunds.id")?,
            provider: row.provider,
            payment_id: row.payment_id,
            refund_id: row.refund_id,
            amount: Paise::new(row.amount),
            status: decode::known(RefundStatus::from_stored(&row.status), "refunds.status")?,
            failure: row.failure,
            credits_taken: Paise::new(row.credits_taken),
            credits_missing: Paise::new(row.credits_missing),
            created_at: Timestamp::from_millis(row.created_at),
            settled_at: decode::time(row.settled_at),
        })
    }
}

/// Records a refund.
///
/// # Errors
/// When the database fails, or the provider's id of it is another refund's.
pub async fn create(tx: &mut Tx, refund: &Refund) -> Result<()> {
    execute!(
        tx,
        "INSERT INTO refunds (id, provider, payment_id, refund_id, amount, status, failure, credits_taken,
             credits_missing, created_at, settled_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
        refund.id,
        refund.provider,
        refund.payment_id,
        refund.refund_id,
        refund.amount,
        refund.status,
        refund.failure,
        refund.credits_taken,
        refund.credits_missing,
        refund.created_at,
        refund.settled_at,
    )?;
    Ok(())
}

/// Writes what has changed of a refund: the provider's id, its state, and what it took from the balance.
pub async fn update(tx: &mut Tx, refund: &Refund) -> Result<()> {
    execute!(
        tx,
        "UPDATE refunds SET refund_id = $2, status = $3, failure = $4, credits_taken = $5, credits_missing = $6,
             settled_at = $7 WHERE id = $1",
        refund.id,
        refund.refund_id,
        refund.status,
        refund.failure,
        refund.credits_taken,
        refund.credits_missing,
        refund.settled_at,
    )?;
    Ok(())
}

/// A refund.
pub async fn by_id(db: &dyn Executor, id: RefundId) -> Result<Option<Refund>> {
    fetch_optional!(db, Refund, select!("WHERE refunds.id = $1"), id)
}

/// The refunds of a payment, oldest first.
pub async fn of_payment(db: &dyn Executor, provider: &str, payment_id: &str) -> Result<Vec<Refund>> {
    fetch_all!(
        db,
        Refund,
        select!("WHERE refunds.provider = $1 AND refunds.payment_id = $2 ORDER BY refunds.id"),
        provider,
        payment_id,
    )
}

/// The refunds of an account's payments, oldest first.
pub async fn by_user(db: &dyn Executor, user: UserId) -> Result<Vec<Refund>> {
    fetch_all!(
        db,
        Refund,
        select!(
            "JOIN payments ON payments.provider = refunds.provider AND payments.payment_id = refunds.payment_id
             WHERE payments.user_id = $1 ORDER BY refunds.id"
        ),
        user,
    )
}
