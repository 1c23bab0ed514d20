//! Orders for credits or the premium plan.

use domain::accounts::User;
use domain::money::{ORDER_MAX, ORDER_MIN, PREMIUM_PRICE};
use domain::orders::{Order, Purpose};
use domain::{CouponId, OrderId, Paise, Refusal};

use crate::{App, Result, coupons};

/// A request for an order.
pub struct OrderRequest {
    /// What it is for.
    pub purpose: Purpose,
    /// The amount that the client expects. For credits it is the amount to pay, for the premium plan it has to be the price.
    pub amount: Option<Paise>,
    /// A coupon code, as entered.
    pub coupon: Option<String>,
}

struct Price {
    amount: Paise,
    discount: Paise,
    coupon: Option<CouponId>,
}

/// Creates an order here and at the provider, whose id it contains.
///
/// # Errors
/// [`Refusal::AmountOutOfBounds`], [`Refusal::CouponNotForCredits`], [`Refusal::AlreadyPremium`],
/// [`Refusal::PriceMismatch`], [`Refusal::CouponLeavesNothing`] or the refusals of the coupon.
pub async fn create(app: &App, user: &User, request: OrderRequest) -> Result<Order> {
    let price = price_of(app, user, &request).await?;
    let new = storage::orders::NewOrder {
        id: app.id::<OrderId>(),
        user: user.id,
        provider: app.payments.provider().to_owned(),
        purpose: request.purpose,
        amount: price.amount,
        discount: price.discount,
        coupon: price.coupon,
        created_at: app.now(),
    };
    let mut tx = app.begin().await?;
    if !storage::orders::create(&mut tx, &new).await? {
        return Err(Refusal::CouponUsedUp.into());
    }
    tx.commit().await?;
    let (receipt, account) = (new.id.to_string(), user.id.to_string());
    let notes = [("purpose", request.purpose.as_str()), ("account", account.as_str())];
    let provider_order = match app.payments.create_order(price.amount, &receipt, &notes).await {
        Ok(provider_order) => provider_order,
        Err(error) => {
            abandon(app, new.id).await?;
            return Err(error.into());
        }
    };
    let mut tx = app.begin().await?;
    storage::orders::set_provider_order_id(&mut tx, new.id, &provider_order.id).await?;
    tx.commit().await?;
    let order = storage::orders::by_id(&app.db, new.id).await?;
    order.ok_or_else(|| Refusal::OrderNotFound.into())
}

/// Abandons an order, which releases its use of a coupon.
pub(crate) async fn abandon(app: &App, order: OrderId) -> Result<()> {
    let mut tx = app.begin().await?;
    storage::orders::abandon(&mut tx, order, app.now()).await?;
    tx.commit().await
}

async fn price_of(app: &App, user: &User, request: &OrderRequest) -> Result<Price> {
    let code = request.coupon.as_deref().map(str::trim).filter(|code| !code.is_empty());
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
            if amount < ORDER_MIN {
                return Err(Refusal::CouponLeavesNothing.into());
            }
            if request.amount.is_some_and(|expected| expected != amount) {
                return Err(Refusal::PriceMismatch.into());
            }
            Ok(Price { amount, discount, coupon })
        }
    }
}
