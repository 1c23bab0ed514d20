//! Orders for which a coupon leaves nothing to pay: fulfilled at once, once, without the provider.

use domain::accounts::User;
use domain::payments::PaymentOutcome;
use domain::payments::ledger::LedgerKind;
use domain::payments::money::PREMIUM_PRICE;
use domain::payments::orders::{Order, Purpose};
use domain::{CouponId, OrderId, Paise, Refusal};

use crate::payments::bookkeeping::Bookkeeping;
use crate::payments::settlement;
use crate::{App, Result};

/// The order that this coupon has already fulfilled for the account, if it has.
pub(crate) async fn find(app: &App, user: &User, code: &str) -> Result<Option<Order>> {
    match storage::payments::coupons::by_code(&app.db, code).await? {
        Some(coupon) => Ok(storage::payments::orders::free_by_coupon(&app.db, user.id, coupon.id).await?),
        None => Ok(None),
    }
}

/// Gives the premium plan for the coupon in one transaction: the coupon's use is spent, the order is paid, and the account
/// has the plan.
///
/// # Errors
/// [`Refusal::CouponUsedUp`], [`Refusal::AlreadyPremium`] or [`Refusal::SignInRequired`].
pub(crate) async fn upgrade(app: &App, user: &User, coupon: CouponId) -> Result<Order> {
    let now = app.now();
    let new = storage::payments::orders::NewOrder {
        id: app.id::<OrderId>(),
        user: user.id,
        provider: app.payments.provider().to_owned(),
        purpose: Purpose::PremiumPlan,
        amount: Paise::ZERO,
        discount: PREMIUM_PRICE,
        coupon: Some(coupon),
        created_at: now,
        check_at: now,
    };
    let mut tx = app.begin().await?;
    if !storage::payments::orders::create(&mut tx, &new).await? {
        return Err(Refusal::CouponUsedUp.into());
    }
    let is_paid = storage::payments::orders::mark_free(&mut tx, new.id, now).await?;
    let order = storage::payments::orders::by_id(&mut *tx, new.id).await?.filter(|_| is_paid);
    let order = order.ok_or(Refusal::OrderNotFound)?;
    match settlement::fulfil(&Bookkeeping::of(app), &mut tx, &order, false).await? {
        (PaymentOutcome::PremiumPlan, _) => {}
        (PaymentOutcome::AlreadyPremium, _) => return Err(Refusal::AlreadyPremium.into()),
        _ => return Err(Refusal::SignInRequired.into()),
    }
    tx.commit().await?;
    app.metrics.record_ledger_entry(LedgerKind::Premium);
    tracing::info!(order = %order.id, %coupon, "a coupon paid for the premium plan");
    Ok(order)
}
