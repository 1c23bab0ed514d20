//! Orders that are open, and how they end without a payment.

use domain::payments::orders::{Order, OrderStatus, Purpose};
use domain::{CouponId, OrderId, Paise, Timestamp, UserId};

use super::select;
use crate::operations::runtime::statements::{execute, fetch_all, fetch_one, fetch_optional};
use crate::payments::coupons;
use crate::{Executor, Result, Tx};

/// The newest open order of an account with this content that the provider knows.
pub async fn reusable(
    db: &dyn Executor,
    user: UserId,
    provider: &str,
    purpose: Purpose,
    amount: Paise,
    coupon: Option<CouponId>,
) -> Result<Option<Order>> {
    fetch_optional!(
        db,
        Order,
        select!(
            "WHERE user_id = $1 AND provider = $2 AND purpose = $3 AND amount = $4
             AND COALESCE(coupon_id, '') = $5 AND status = 'open' AND provider_order_id IS NOT NULL
             ORDER BY id DESC LIMIT 1"
        ),
        user,
        provider,
        purpose,
        amount,
        coupon.map(|coupon| coupon.to_string()).unwrap_or_default(),
    )
}

/// How many orders of an account are open. The number stays for as long as the account is locked.
pub async fn count_open(tx: &mut Tx, user: UserId) -> Result<i64> {
    fetch_one!(tx, i64, "SELECT COUNT(*) FROM orders WHERE user_id = $1 AND status = 'open'", user)
}

/// Abandons an order and releases the use of its coupon; false when it is not open.
pub async fn abandon(tx: &mut Tx, id: OrderId, now: Timestamp) -> Result<bool> {
    end(tx, id, OrderStatus::Abandoned, None, now).await
}

/// Ends an order that the provider does not know as it is here, or whose payment bought nothing, and releases the use of its
/// coupon; false when it is paid or has failed. The reason is for operators.
pub async fn fail(tx: &mut Tx, id: OrderId, reason: &str, now: Timestamp) -> Result<bool> {
    end(tx, id, OrderStatus::Failed, Some(reason), now).await
}

async fn end(
    tx: &mut Tx,
    id: OrderId,
    status: OrderStatus,
    reason: Option<&str>,
    now: Timestamp,
) -> Result<bool> {
    let ended = execute!(
        &mut *tx,
        "UPDATE orders SET status = $2, settled_at = $3, failure = $4
         WHERE id = $1 AND (status = 'open' OR (status = 'abandoned' AND CAST($4 AS TEXT) IS NOT NULL))",
        id,
        status,
        now,
        reason,
    )? == 1;
    if ended {
        coupons::release(tx, id).await?;
    }
    Ok(ended)
}

/// The open orders about which the provider is to be asked by `now`; the one whose last look is longest ago comes first.
pub async fn to_check(db: &dyn Executor, now: Timestamp, limit: i64) -> Result<Vec<Order>> {
    fetch_all!(
        db,
        Order,
        select!(
            "WHERE status = 'open' AND check_at <= $1 ORDER BY COALESCE(checked_at, created_at), id LIMIT $2"
        ),
        now,
        limit,
    )
}

/// Records that the provider was asked about an order, and when it is to be asked next.
pub async fn mark_checked(tx: &mut Tx, id: OrderId, now: Timestamp, next: Timestamp) -> Result<()> {
    execute!(tx, "UPDATE orders SET checked_at = $2, check_at = $3 WHERE id = $1", id, now, next)?;
    Ok(())
}

/// The orders that have failed, newest first. Those of the sandbox are among them only where `provider` is it: another can do
/// nothing about them.
pub async fn failed(db: &dyn Executor, provider: &str) -> Result<Vec<Order>> {
    fetch_all!(
        db,
        Order,
        select!(
            "WHERE status = 'failed' AND (provider <> 'sandbox' OR $1 = 'sandbox')
             ORDER BY settled_at DESC, id DESC"
        ),
        provider,
    )
}
