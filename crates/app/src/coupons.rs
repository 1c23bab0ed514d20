//! Coupons: judging one before it is used.

use domain::accounts::User;
use domain::coupons::Coupon;
use domain::{Paise, Refusal};

use crate::{App, Failure, Result};

/// What a coupon would take off a price.
pub struct Judged {
    /// The coupon.
    pub coupon: Coupon,
    /// Never more than the price.
    pub discount: Paise,
}

/// Whether an account may use a coupon now, and what it takes off `price`.
///
/// # Errors
/// [`Refusal::CouponRequired`], [`Refusal::CouponUnknown`], [`Refusal::CouponNotYetValid`],
/// [`Refusal::CouponExpired`] or [`Refusal::CouponUsedUp`].
pub async fn judge(app: &App, user: &User, code: &str, price: Paise) -> Result<Judged> {
    if code.trim().is_empty() {
        return Err(Refusal::CouponRequired.into());
    }
    let coupon = storage::coupons::by_code(&app.db, code).await?.ok_or(Refusal::CouponUnknown)?;
    let now = app.now();
    if coupon.valid_from.is_some_and(|from| now < from) {
        return Err(Refusal::CouponNotYetValid.into());
    }
    if coupon.valid_until.is_some_and(|until| now >= until) {
        return Err(Refusal::CouponExpired.into());
    }
    let own = storage::coupons::uses_by(&app.db, coupon.id, user.id).await?;
    let left = coupon.max_uses.is_none_or(|max| coupon.uses < max)
        && coupon.max_uses_per_user.is_none_or(|max| own < max);
    if !left {
        return Err(Refusal::CouponUsedUp.into());
    }
    Ok(Judged { discount: coupon.discount.of(price), coupon })
}

/// What a person is told about a coupon: its discount, or why it cannot be used.
///
/// # Errors
/// [`Refusal::CouponRequired`] for an empty code, or when the database fails; that a coupon cannot be used is no error.
pub async fn validate(
    app: &App,
    user: &User,
    code: &str,
    price: Paise,
) -> Result<std::result::Result<Paise, Refusal>> {
    match judge(app, user, code, price).await {
        Ok(judged) => Ok(Ok(judged.discount)),
        Err(Failure::Refused(
            refusal @ (Refusal::CouponUnknown
            | Refusal::CouponNotYetValid
            | Refusal::CouponExpired
            | Refusal::CouponUsedUp),
        )) => Ok(Err(refusal)),
        Err(failure) => Err(failure),
    }
}
