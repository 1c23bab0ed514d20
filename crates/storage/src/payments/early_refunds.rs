//! Refunds that the provider has reported before their payment was known here. They are kept and applied with the payment.

use domain::payments::RefundStatus;
use domain::{Paise, Timestamp};

use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::{execute, fetch_all};
use crate::{Executor, Result, Tx};

/// A refund of a payment that is not known here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EarlyRefund {
    /// The payment provider.
    pub provider: String,
    /// The provider's id of the refund.
    pub refund_id: String,
    /// The provider's id of the payment.
    pub payment_id: String,
    /// What it returns.
    pub amount: Paise,
    /// The id of the refund here, where it was asked for here.
    pub receipt: Option<String>,
    /// Its state, which the provider has: not requested.
    pub status: RefundStatus,
    /// When the last report of it came.
    pub received_at: Timestamp,
}

row! {
    pub(crate) struct EarlyRefundRow {
        provider: String,
        refund_id: String,
        payment_id: String,
        amount: i64,
        receipt: Option<String>,
        status: String,
        received_at: i64,
    }
}

impl FromColumns for EarlyRefund {
    type Columns = EarlyRefundRow;

    fn from_columns(row: EarlyRefundRow) -> Result<Self> {
        Ok(Self {
            provider: row.provider,
            refund_id: row.refund_id,
            payment_id: row.payment_id,
            amount: Paise::new(row.amount),
            receipt: row.receipt,
            status: decode::known(RefundStatus::from_stored(&row.status), "early_refunds.status")?,
            received_at: Timestamp::from_millis(row.received_at),
        })
    }
}

/// A payment of which refunds are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refunded {
    /// The payment provider.
    pub provider: String,
    /// The provider's id of the payment.
    pub payment_id: String,
}

row! {
    pub(crate) struct RefundedRow {
        provider: String,
        payment_id: String,
    }
}

impl FromColumns for Refunded {
    type Columns = RefundedRow;

    fn from_columns(row: RefundedRow) -> Result<Self> {
        Ok(Self { provider: row.provider, payment_id: row.payment_id })
    }
}

/// Keeps a refund, or what has become of one that is kept: reports come in any order, and it never returns to an earlier
/// state.
pub async fn keep(tx: &mut Tx, refund: &EarlyRefund) -> Result<()> {
    execute!(
        tx,
        "INSERT INTO early_refunds (provider, refund_id, payment_id, amount, receipt, status, received_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)
         ON CONFLICT (provider, refund_id) DO UPDATE SET received_at = excluded.received_at,
             status = CASE WHEN early_refunds.status = 'failed' OR excluded.status = 'pending'
                 THEN early_refunds.status ELSE excluded.status END",
        refund.provider,
        refund.refund_id,
        refund.payment_id,
        refund.amount,
        refund.receipt,
        refund.status,
        refund.received_at,
    )?;
    Ok(())
}

/// Removes what is kept of a payment's refunds, oldest first, for the transaction to apply.
pub async fn take(tx: &mut Tx, provider: &str, payment_id: &str) -> Result<Vec<EarlyRefund>> {
    let mut taken = fetch_all!(
        tx,
        EarlyRefund,
        "DELETE FROM early_refunds WHERE provider = $1 AND payment_id = $2
         RETURNING provider, refund_id, payment_id, amount, receipt, status, received_at",
        provider,
        payment_id,
    )?;
    taken.sort_by(|one: &EarlyRefund, other| {
        (one.received_at, &one.refund_id).cmp(&(other.received_at, &other.refund_id))
    });
    Ok(taken)
}

/// The payments that are recorded though refunds of them are kept: both came at the same moment.
pub async fn applicable(db: &dyn Executor) -> Result<Vec<Refunded>> {
    fetch_all!(
        db,
        Refunded,
        // Not `JOIN`, which SQLite may begin with the payments.
        "SELECT DISTINCT provider, payment_id FROM early_refunds
         WHERE (SELECT 1 FROM payments WHERE payments.provider = early_refunds.provider
             AND payments.payment_id = early_refunds.payment_id) IS NOT NULL
         ORDER BY provider, payment_id",
    )
}

/// Deletes what was last reported before `before`, and answers how many those were: the payments are of something else that
/// is sold with the same keys.
pub async fn delete_before(tx: &mut Tx, before: Timestamp) -> Result<u64> {
    execute!(tx, "DELETE FROM early_refunds WHERE received_at < $1", before)
}
