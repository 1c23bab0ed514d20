//! Coupons: validation before use.

use domain::accounts::User;
use domain::operations::runtime::texts::trimmed;
use domain::payments::coupons::Coupon;
use domain::{Paise, Refusal};

use crate::{App, Failure, Result};

/// A coupon that can be used, and what it takes off a price.
pub struct ValidCoupon {
    /// The coupon.
    pub coupon: Coupon,
    /// Never more than the price.
    pub discount: Paise,
}

/// Finds a coupon by its code and checks that the account can use it now for something that costs `price`.
///
/// # Errors
/// [`Refusal::CouponRequired`], [`Refusal::CouponUnknown`], [`Refusal::CouponNotYetValid`],
/// [`Refusal::CouponExpired`] or [`Refusal::CouponUsedUp`].
pub async fn find_valid(app: &App, user: &User, code: &str, price: Paise) -> Result<ValidCoupon> {
    if trimmed(code).is_empty() {
        return Err(Refusal::CouponRequired.into());
    }
    let coupon = storage::payments::coupons::by_code(&app.db, code).await?.ok_or(Refusal::CouponUnknown)?;
    let now = app.now();
    if coupon.valid_from.is_some_and(|from| now < from) {
        return Err(Refusal::CouponNotYetValid.into());
    }
    if coupon.valid_until.is_some_and(|until| now >= until) {
        return Err(Refusal::CouponExpired.into());
    }
    let uses_by_user = storage::payments::coupons::uses_by(&app.db, coupon.id, user.id).await?;
    // What the account's own open orders have reserved is theirs to use.
    let own = storage::payments::coupons::reserved_by(&app.db, coupon.id, user.id).await?;
    let has_uses_left = coupon.max_uses.is_none_or(|max| coupon.uses - own < max)
        && coupon.max_uses_per_user.is_none_or(|max| uses_by_user - own < max);
    if !has_uses_left {
        return Err(Refusal::CouponUsedUp.into());
    }
    Ok(ValidCoupon { discount: coupon.discount.of(price), coupon })
}

/// The discount of a coupon, or why it cannot be used.
///
/// # Errors
/// [`Refusal::CouponRequired`] for an empty code, or when the database fails; that a coupon cannot be used is no error.
pub async fn validate(
    app: &App,
    user: &User,
    code: &str,
    price: Paise,
) -> Result<std::result::Result<Paise, Refusal>> {
    match find_valid(app, user, code, price).await {
        Ok(valid) => Ok(Ok(valid.discount)),
        Err(Failure::Refused(
            refusal @ (Refusal::CouponUnknown
            | Refusal::CouponNotYetValid
            | Refusal::CouponExpired
            | Refusal::CouponUsedUp),
        )) => Ok(Err(refusal)),
        Err(failure) => Err(failure),
    }
}
