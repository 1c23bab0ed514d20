//! Orders: created, paid once, abandoned or failed.

mod open;

use domain::payments::orders::{Order, OrderStatus, Purpose};
use domain::{CouponId, OrderId, Paise, Timestamp, UserId};

use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::dialect::for_update;
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::{execute, fetch_all, fetch_optional};
use crate::payments::coupons;
use crate::{Executor, Result, Tx};

pub use open::{abandon, count_open, fail, failed, mark_checked, reusable, to_check};

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, user_id, provider, purpose, amount, discount, coupon_id, status, provider_order_id, payment_id,
                 credits_received, was_first_recharge, created_at, checked_at, settled_at, failure FROM orders ",
            $rest
        )
    };
}
use select;

/// An order to be made.
#[derive(Clone, Debug)]
pub struct NewOrder {
    /// Its id.
    pub id: OrderId,
    /// Whose it is.
    pub user: UserId,
    /// The payment provider.
    pub provider: String,
    /// What it is for.
    pub purpose: Purpose,
    /// What is to be paid, after the discount.
    pub amount: Paise,
    /// The coupon's discount.
    pub discount: Paise,
    /// The coupon that the order uses.
    pub coupon: Option<CouponId>,
    /// When it is made.
    pub created_at: Timestamp,
    /// When the provider is to be asked about it first.
    pub check_at: Timestamp,
}

/// What became of a payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Payment {
    /// The order is paid by it; the caller gives what it is for, in the same transaction.
    Accepted {
        /// The order as it is now.
        order: Order,
        /// Whether it is the account's first recharge. Of two at the same moment, one is.
        first_recharge: bool,
    },
    /// The order was paid before; nothing has changed.
    Repeated(Order),
    /// Another order was paid by this payment. The transaction is to be dropped.
    OfAnotherOrder,
    /// The coupon of the order has no use left, or has ended; nothing has changed.
    NoUseLeft(Order),
    /// There is no such order.
    Missing,
}

row! {
    pub(crate) struct OrderRow {
        id: String,
        user_id: String,
        provider: String,
        purpose: String,
        amount: i64,
        discount: i64,
        coupon_id: Option<String>,
        status: String,
        provider_order_id: Option<String>,
        payment_id: Option<String>,
        credits_received: i64,
        was_first_recharge: bool,
        created_at: i64,
        checked_at: Option<i64>,
        settled_at: Option<i64>,
        failure: Option<String>,
    }
}

impl FromColumns for Order {
    type Columns = OrderRow;

    fn from_columns(row: OrderRow) -> Result<Self> {
        Ok(Self {
            id: decode::id(&row.id, "orders.id")?,
            user: decode::id(&row.user_id, "orders.user_id")?,
            provider: row.provider,
            purpose: decode::known(Purpose::parse(&row.purpose), "orders.purpose")?,
            amount: Paise::new(row.amount),
            discount: Paise::new(row.discount),
            coupon: decode::optional_id(row.coupon_id.as_deref(), "orders.coupon_id")?,
            status: decode::known(OrderStatus::from_stored(&row.status), "orders.status")?,
            provider_order_id: row.provider_order_id,
            payment_id: row.payment_id,
            credits_received: Paise::new(row.credits_received),
            was_first_recharge: row.was_first_recharge,
            created_at: Timestamp::from_millis(row.created_at),
            checked_at: decode::time(row.checked_at),
            settled_at: decode::time(row.settled_at),
            failure: row.failure,
        })
    }
}

/// Inserts an order and reserves a use of its coupon; false, and nothing has changed, when that has none left for
/// this account. Whether the coupon is valid at this time is for the caller to check.
pub async fn create(tx: &mut Tx, order: &NewOrder) -> Result<bool> {
    if let Some(coupon) = order.coupon
        && !coupons::has_use_left(tx, coupon, order.user).await?
    {
        return Ok(false);
    }
    execute!(
        tx,
        "INSERT INTO orders (id, user_id, provider, purpose, amount, discount, coupon_id, status, created_at,
             check_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
        order.id,
        order.user,
        order.provider,
        order.purpose,
        order.amount,
        order.discount,
        order.coupon,
        OrderStatus::Open,
        order.created_at,
        order.check_at,
    )?;
    if let Some(coupon) = order.coupon {
        coupons::reserve(tx, coupon, order.user, order.id, order.created_at).await?;
    }
    Ok(true)
}

/// Records the provider's id of an order; false when it has one.
///
/// # Errors
/// When the database fails, or another order has that id.
pub async fn set_provider_order_id(tx: &mut Tx, id: OrderId, provider_order_id: &str) -> Result<bool> {
    let updated = execute!(
        tx,
        "UPDATE orders SET provider_order_id = $2 WHERE id = $1 AND provider_order_id IS NULL",
        id,
        provider_order_id,
    )?;
    Ok(updated == 1)
}

/// An order.
pub async fn by_id(db: &dyn Executor, id: OrderId) -> Result<Option<Order>> {
    fetch_optional!(db, Order, select!("WHERE id = $1"), id)
}

/// An account's orders, oldest first.
pub async fn by_user(db: &dyn Executor, user: UserId) -> Result<Vec<Order>> {
    fetch_all!(db, Order, select!("WHERE user_id = $1 ORDER BY id"), user)
}

/// The order with this id at the provider.
pub async fn by_provider_order_id(
    db: &dyn Executor,
    provider: &str,
    provider_order_id: &str,
) -> Result<Option<Order>> {
    fetch_optional!(
        db,
        Order,
        select!("WHERE provider = $1 AND provider_order_id = $2"),
        provider,
        provider_order_id,
    )
}

/// Locks an order until the transaction ends, and answers it as it is then.
pub async fn lock(tx: &mut Tx, id: OrderId) -> Result<Option<Order>> {
    let statement = for_update!(tx.engine(), select!("WHERE id = $1"));
    fetch_optional!(tx, Order, statement, id)
}

/// Marks an order as paid, once, however often and from wherever the payment is confirmed. One that was abandoned or has
/// failed counts too: the money was taken at `paid_at`. The use of its coupon that was released is taken again; without one
/// the order is not paid. Locks the order.
pub async fn mark_paid(
    tx: &mut Tx,
    id: OrderId,
    payment_id: &str,
    paid_at: Timestamp,
    now: Timestamp,
) -> Result<Payment> {
    let Some(order) = lock(&mut *tx, id).await? else {
        return Ok(Payment::Missing);
    };
    if order.status == OrderStatus::Paid {
        return Ok(Payment::Repeated(order));
    }
    if order.coupon.is_some() && !coupons::spend(tx, id, paid_at, now).await? {
        return Ok(Payment::NoUseLeft(order));
    }
    let updated = execute!(
        &mut *tx,
        "UPDATE orders SET status = 'paid', payment_id = $2, settled_at = $3, failure = NULL
         WHERE id = $1 AND status <> 'paid'",
        id,
        payment_id,
        now,
    );
    match updated {
        Ok(_) => {}
        Err(error) if error.is_unique_violation() => return Ok(Payment::OfAnotherOrder),
        Err(error) => return Err(error),
    }
    let Some(mut order) = by_id(&mut *tx, id).await? else {
        return Ok(Payment::Missing);
    };
    if order.purpose == Purpose::Credits {
        order.was_first_recharge = begin_recharging(tx, &order, now).await?;
    }
    Ok(Payment::Accepted { first_recharge: order.was_first_recharge, order })
}

/// Marks an open order as paid whose coupon leaves nothing to pay, and spends the use of the coupon; false for any other
/// order. The transaction is to be dropped then.
pub async fn mark_free(tx: &mut Tx, id: OrderId, now: Timestamp) -> Result<bool> {
    let updated = execute!(
        tx,
        "UPDATE orders SET status = 'paid', settled_at = $2 WHERE id = $1 AND status = 'open' AND amount = 0",
        id,
        now,
    )?;
    Ok(updated == 1 && coupons::spend(tx, id, now, now).await?)
}

/// The newest order of an account for which this coupon left nothing to pay.
pub async fn free_by_coupon(db: &dyn Executor, user: UserId, coupon: CouponId) -> Result<Option<Order>> {
    fetch_optional!(
        db,
        Order,
        select!(
            "WHERE user_id = $1 AND coupon_id = $2 AND status = 'paid' AND amount = 0 ORDER BY id DESC LIMIT 1"
        ),
        user,
        coupon,
    )
}

/// Whether this order is its account's first recharge; the first to update the account's row decides.
async fn begin_recharging(tx: &mut Tx, order: &Order, now: Timestamp) -> Result<bool> {
    let first = execute!(
        tx,
        "UPDATE users SET first_recharge_at = $2
         WHERE id = $1 AND first_recharge_at IS NULL AND closed_at IS NULL",
        order.user,
        now,
    )? == 1;
    if first {
        execute!(tx, "UPDATE orders SET was_first_recharge = TRUE WHERE id = $1", order.id)?;
    }
    Ok(first)
}

/// Makes an order anew that the provider has and the database has not, as one that was abandoned: a payment of it counts.
/// The use of its coupon is not reserved.
///
/// # Errors
/// When the database fails, or there is an order with one of its ids.
pub async fn restore(tx: &mut Tx, order: &NewOrder, provider_order_id: &str, now: Timestamp) -> Result<()> {
    execute!(
        &mut *tx,
        "INSERT INTO orders (id, user_id, provider, purpose, amount, discount, coupon_id, status, provider_order_id,
             created_at, check_at, settled_at)
         VALUES ($1, $2, $3, $4, $5, $6, (SELECT id FROM coupons WHERE id = $7), $8, $9, $10, $11, $12)",
        order.id,
        order.user,
        order.provider,
        order.purpose,
        order.amount,
        order.discount,
        order.coupon,
        OrderStatus::Abandoned,
        provider_order_id,
        order.created_at,
        order.check_at,
        now,
    )?;
    if let Some(coupon) = order.coupon {
        coupons::insert_released(tx, coupon, order.user, order.id, order.created_at).await?;
    }
    Ok(())
}

/// Records that another payment pays for a paid order.
pub async fn set_payment(tx: &mut Tx, id: OrderId, payment_id: &str) -> Result<()> {
    execute!(tx, "UPDATE orders SET payment_id = $2 WHERE id = $1 AND status = 'paid'", id, payment_id)?;
    Ok(())
}

/// Records what a payment added to the balance, so that a repeated webhook gets the same answer.
pub async fn record_credits(tx: &mut Tx, id: OrderId, credits: Paise) -> Result<()> {
    execute!(tx, "UPDATE orders SET credits_received = $2 WHERE id = $1", id, credits)?;
    Ok(())
}
