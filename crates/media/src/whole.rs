//! Places of a picture as numbers of pixels.

/// A number of pixels that is whole, and between none and the side of a picture.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "callers clamp it to the sides of a picture; no conversion of std takes f64"
)]
pub(crate) const fn whole(number: f64) -> u32 {
    number as u32
}
