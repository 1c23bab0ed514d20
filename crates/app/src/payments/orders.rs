//! Orders for credits or the premium plan.

use domain::accounts::User;
use domain::payments::money::{ORDER_MAX, ORDER_MIN, PREMIUM_PRICE};
use domain::payments::orders::{FIRST_CHECK_AFTER, MAX_OPEN_ORDERS, Order, OrderStatus, Purpose};
use domain::{CouponId, OrderId, Paise, Refusal};
use gateway::PaymentError;

use crate::payments::bookkeeping::Bookkeeping;
use crate::payments::reconciliation::{self, Standing};
use crate::payments::{coupons, free_orders};
use crate::{App, Failure, Result};

/// The provider's note of what an order is for.
pub(crate) const PURPOSE_NOTE: &str = "purpose";
/// The provider's note of the account that has ordered.
pub(crate) const ACCOUNT_NOTE: &str = "account";
/// The provider's note of the coupon that an order uses.
pub(crate) const COUPON_NOTE: &str = "coupon";

/// A request for an order.
pub struct OrderRequest {
    /// What it is for.
    pub purpose: Purpose,
    /// The amount that the client expects. For credits it is the amount to pay, for the premium plan it has to be the price.
    pub amount: Option<Paise>,
    /// A coupon code, as entered.
    pub coupon: Option<String>,
}

impl OrderRequest {
    /// The coupon code, if there is one.
    fn code(&self) -> Option<&str> {
        self.coupon.as_deref().map(str::trim).filter(|code| !code.is_empty())
    }
}

struct Price {
    amount: Paise,
    discount: Paise,
    coupon: Option<CouponId>,
}

/// Creates an order here and at the provider, whose id it contains. An open order of the same content is returned instead.
/// When a coupon leaves nothing to pay, the order is paid and fulfilled, and the provider is not asked; a repeat returns it.
///
/// # Errors
/// [`Refusal::AmountOutOfBounds`], [`Refusal::CouponNotForCredits`], [`Refusal::AlreadyPremium`],
/// [`Refusal::PriceMismatch`], [`Refusal::CouponLeavesNothing`], [`Refusal::TooManyOpenOrders`], the refusals of the
/// coupon, or what the provider says why it makes no such order.
pub async fn create(app: &App, user: &User, request: OrderRequest) -> Result<Order> {
    match create_or_reuse(app, user, &request).await {
        // An earlier or concurrent call of the same content may have spent the coupon and given the plan.
        Err(Failure::Refused(refusal)) if request.purpose == Purpose::PremiumPlan => {
            let Some(code) = request.code() else { return Err(refusal.into()) };
            free_orders::find(app, user, code).await?.ok_or_else(|| refusal.into())
        }
        outcome => outcome,
    }
}

async fn create_or_reuse(app: &App, user: &User, request: &OrderRequest) -> Result<Order> {
    let price = price_of(app, user, request).await?;
    if let (Paise::ZERO, Some(coupon)) = (price.amount, price.coupon) {
        return free_orders::upgrade(app, user, coupon).await;
    }
    if let Some(order) = reuse(app, user, request.purpose, &price).await? {
        return Ok(order);
    }
    let new = storage::payments::orders::NewOrder {
        id: app.id::<OrderId>(),
        user: user.id,
        provider: app.payments.provider().to_owned(),
        purpose: request.purpose,
        amount: price.amount,
        discount: price.discount,
        coupon: price.coupon,
        created_at: app.now(),
        check_at: app.now().plus(FIRST_CHECK_AFTER),
    };
    let mut tx = app.begin().await?;
    if !storage::payments::orders::create(&mut tx, &new).await? {
        return Err(Refusal::CouponUsedUp.into());
    }
    let standing = storage::accounts::users::lock(&mut tx, user.id).await?;
    if standing.is_none_or(|standing| standing.is_closed) {
        return Err(Refusal::SignInRequired.into());
    }
    if storage::payments::orders::count_open(&mut tx, user.id).await? > MAX_OPEN_ORDERS {
        return Err(Refusal::TooManyOpenOrders.into());
    }
    tx.commit().await?;
    let (receipt, account) = (new.id.to_string(), user.id.to_string());
    let coupon = new.coupon.map(|coupon| coupon.to_string());
    // Of these an order is made anew that a back-up lacks.
    let mut notes = vec![(PURPOSE_NOTE, request.purpose.as_str()), (ACCOUNT_NOTE, account.as_str())];
    notes.extend(coupon.as_deref().map(|coupon| (COUPON_NOTE, coupon)));
    let provider_order = match app.payments.create_order(price.amount, &receipt, &notes).await {
        Ok(provider_order) => provider_order,
        Err(error) => {
            reconciliation::abandon(app, new.id).await?;
            return Err(not_made(new.id, error));
        }
    };
    let mut tx = app.begin().await?;
    storage::payments::orders::set_provider_order_id(&mut tx, new.id, &provider_order.id).await?;
    tx.commit().await?;
    let order = storage::payments::orders::by_id(&app.db, new.id).await?;
    order.ok_or_else(|| Refusal::OrderNotFound.into())
}

/// What is answered where the provider has not made an order. Whoever ordered is told why it refused: the same request would be
/// refused again.
fn not_made(order: OrderId, error: PaymentError) -> Failure {
    match error {
        PaymentError::Refused(text) => {
            tracing::warn!(%order, reason = text, "the payment provider refused an order");
            Refusal::Malformed(format!("The payment provider refused the order: {text}")).into()
        }
        PaymentError::Unavailable(_) => error.into(),
    }
}

/// An open order of the same content, unless it turns out to be paid.
async fn reuse(app: &App, user: &User, purpose: Purpose, price: &Price) -> Result<Option<Order>> {
    let provider = app.payments.provider();
    let found =
        storage::payments::orders::reusable(&app.db, user.id, provider, purpose, price.amount, price.coupon)
            .await?;
    let Some(order) = found else { return Ok(None) };
    match reconciliation::ask(&Bookkeeping::of(app), &order).await? {
        // What was paid is credited by now.
        Standing::Paid if purpose == Purpose::PremiumPlan => return Err(Refusal::AlreadyPremium.into()),
        Standing::Paid | Standing::Failed => return Ok(None),
        Standing::Unpaid { .. } => {}
    }
    let mut tx = app.begin().await?;
    let held = storage::payments::orders::lock(&mut tx, order.id).await?;
    let Some(held) = held.filter(|held| held.status == OrderStatus::Open) else { return Ok(None) };
    if held.coupon.is_some()
        && !storage::payments::coupons::reserve_again(&mut tx, held.id, app.now(), app.now()).await?
    {
        return Err(Refusal::CouponUsedUp.into());
    }
    tx.commit().await?;
    Ok(Some(held))
}

/// The checkout of an order was dismissed: releases its coupon, and abandons it when nobody has tried to pay. Idempotent.
///
/// # Errors
/// [`Refusal::OrderNotFound`] for another's order.
pub async fn dismiss(app: &App, user: &User, order_id: &str) -> Result<()> {
    let order =
        storage::payments::orders::by_provider_order_id(&app.db, app.payments.provider(), order_id).await?;
    let order = order.filter(|order| order.user == user.id).ok_or(Refusal::OrderNotFound)?;
    if order.status != OrderStatus::Open {
        return Ok(());
    }
    reconciliation::release_coupon(app, order.id).await?;
    match reconciliation::ask(&Bookkeeping::of(app), &order).await {
        Ok(Standing::Unpaid { attempted: false }) => reconciliation::abandon(app, order.id).await,
        Ok(_) => Ok(()),
        // The coupon is released, which is what matters; the reconciler asks again.
        Err(Failure::Payment(error)) => {
            tracing::warn!(order = %order.id, error = crate::operations::runtime::failure::chain(&error), "the provider cannot be asked");
            Ok(())
        }
        Err(failure) => Err(failure),
    }
}

async fn price_of(app: &App, user: &User, request: &OrderRequest) -> Result<Price> {
    let code = request.code();
    match request.purpose {
        Purpose::Credits => {
            if code.is_some() {
                return Err(Refusal::CouponNotForCredits.into());
            }
            let amount = request.amount.ok_or(Refusal::AmountInvalid)?;
            if !(ORDER_MIN..=ORDER_MAX).contains(&amount) {
                return Err(Refusal::AmountOutOfBounds.into());
            }
            Ok(Price { amount, discount: Paise::ZERO, coupon: None })
        }
        Purpose::PremiumPlan => {
            if user.premium_since.is_some() {
                return Err(Refusal::AlreadyPremium.into());
            }
            let (discount, coupon) = match code {
                Some(code) => {
                    let valid = coupons::find_valid(app, user, code, PREMIUM_PRICE).await?;
                    (valid.discount, Some(valid.coupon.id))
                }
                None => (Paise::ZERO, None),
            };
            let amount = Paise::new(PREMIUM_PRICE.get() - discount.get());
            if amount != Paise::ZERO && amount < ORDER_MIN {
                return Err(Refusal::CouponLeavesNothing.into());
            }
            if request.amount.is_some_and(|expected| expected != amount) {
                return Err(Refusal::PriceMismatch.into());
            }
            Ok(Price { amount, discount, coupon })
        }
    }
}
