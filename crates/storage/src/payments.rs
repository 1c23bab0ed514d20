//! Captured payments, each recorded once.

pub mod billing;
pub(crate) mod charges;
pub mod coupons;
pub mod early_refunds;
pub mod history;
pub mod invoices;
pub mod ledger;
pub mod notifications;
pub mod orders;
pub mod refunds;

use domain::payments::{Payment, PaymentOutcome};
use domain::{OrderId, Paise, Timestamp, UserId};

use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::{execute, fetch_all, fetch_one, fetch_optional};
use crate::{Executor, Result, Tx};

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT provider, payment_id, order_id, user_id, amount, bought, credits, captured_at FROM payments ",
            $rest
        )
    };
}

row! {
    pub(crate) struct PaymentRow {
        provider: String,
        payment_id: String,
        order_id: String,
        user_id: String,
        amount: i64,
        bought: String,
        credits: i64,
        captured_at: i64,
    }
}

impl FromColumns for Payment {
    type Columns = PaymentRow;

    fn from_columns(row: PaymentRow) -> Result<Self> {
        Ok(Self {
            provider: row.provider,
            payment_id: row.payment_id,
            order: decode::id(&row.order_id, "payments.order_id")?,
            user: decode::id(&row.user_id, "payments.user_id")?,
            amount: Paise::new(row.amount),
            outcome: decode::known(PaymentOutcome::from_stored(&row.bought), "payments.bought")?,
            credits: Paise::new(row.credits),
            captured_at: Timestamp::from_millis(row.captured_at),
        })
    }
}

/// Records a payment; false when it was recorded before.
pub async fn record(tx: &mut Tx, payment: &Payment) -> Result<bool> {
    let inserted = execute!(
        tx,
        "INSERT INTO payments (provider, payment_id, order_id, user_id, amount, bought, credits, captured_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (provider, payment_id) DO NOTHING",
        payment.provider,
        payment.payment_id,
        payment.order,
        payment.user,
        payment.amount,
        payment.outcome,
        payment.credits,
        payment.captured_at,
    )?;
    Ok(inserted == 1)
}

/// The payment with this id of a provider.
pub async fn by_id(db: &dyn Executor, provider: &str, payment_id: &str) -> Result<Option<Payment>> {
    fetch_optional!(db, Payment, select!("WHERE provider = $1 AND payment_id = $2"), provider, payment_id,)
}

/// An account's payments, oldest first.
pub async fn by_user(db: &dyn Executor, user: UserId) -> Result<Vec<Payment>> {
    fetch_all!(db, Payment, select!("WHERE user_id = $1 ORDER BY captured_at, payment_id"), user)
}

/// The payments that bought nothing and for which no refund in full is under way or done, oldest first. Those of the sandbox are
/// among them only where `provider` is it: no other can return them, and no money was moved.
pub async fn refunds_due(db: &dyn Executor, provider: &str) -> Result<Vec<Payment>> {
    fetch_all!(
        db,
        Payment,
        select!(
            "WHERE bought NOT IN ('credits', 'premium_plan') AND (provider <> 'sandbox' OR $1 = 'sandbox') AND amount > (
                 SELECT COALESCE(SUM(refunds.amount), 0) FROM refunds
                 WHERE refunds.provider = payments.provider AND refunds.payment_id = payments.payment_id
                     AND refunds.status IN ('pending', 'processed'))
             ORDER BY captured_at, payment_id"
        ),
        provider,
    )
}

/// The payments of an order, in the order in which they were recorded.
pub async fn of_order(db: &dyn Executor, order: OrderId) -> Result<Vec<Payment>> {
    fetch_all!(db, Payment, select!("WHERE order_id = $1 ORDER BY captured_at, payment_id"), order)
}

/// The payments of an account that bought nothing, since the account had the premium plan, and of which no refund is under
/// way or done, by their ids.
pub async fn spare_premium(db: &dyn Executor, user: UserId) -> Result<Vec<Payment>> {
    fetch_all!(
        db,
        Payment,
        select!(
            "WHERE user_id = $1 AND bought = 'had_premium'
                 AND NOT EXISTS (SELECT 1 FROM refunds WHERE refunds.provider = payments.provider
                     AND refunds.payment_id = payments.payment_id AND refunds.status <> 'failed')
             ORDER BY payment_id"
        ),
        user,
    )
}

/// Whether something other than this payment holds an account's premium plan: a payment that is not refunded in full, or a coupon
/// that left nothing to pay.
pub async fn has_other_premium(db: &dyn Executor, user: UserId, payment_id: &str) -> Result<bool> {
    let others: i64 = fetch_one!(
        db,
        i64,
        "SELECT (SELECT COUNT(*) FROM payments WHERE user_id = $1 AND bought = 'premium_plan' AND payment_id <> $2
                 AND amount > (SELECT COALESCE(SUM(refunds.amount), 0) FROM refunds
                     WHERE refunds.provider = payments.provider AND refunds.payment_id = payments.payment_id
                         AND refunds.status IN ('pending', 'processed')))
             + (SELECT COUNT(*) FROM orders
                 WHERE user_id = $1 AND purpose = 'premium_plan' AND status = 'paid' AND amount = 0)",
        user,
        payment_id,
    )?;
    Ok(others > 0)
}

/// Changes what a payment has bought. The caller has locked its order.
pub async fn set_bought(
    tx: &mut Tx,
    payment: &Payment,
    outcome: PaymentOutcome,
    credits: Paise,
) -> Result<()> {
    execute!(
        tx,
        "UPDATE payments SET bought = $3, credits = $4 WHERE provider = $1 AND payment_id = $2",
        payment.provider,
        payment.payment_id,
        outcome,
        credits,
    )?;
    Ok(())
}
