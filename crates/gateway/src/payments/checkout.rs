//! The provider's checkout, as far as a page's Content-Security-Policy has to allow it.

/// The origins that the checkout needs, by the directive of a `Content-Security-Policy` that has to list them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckoutSources {
    /// Where its script is loaded from.
    pub script_src: &'static [&'static str],
    /// The frames that it opens.
    pub frame_src: &'static [&'static str],
    /// The origins that it calls from the page.
    pub connect_src: &'static [&'static str],
}

impl CheckoutSources {
    /// Of a provider without scripts of its own.
    pub const NONE: Self = Self { script_src: &[], frame_src: &[], connect_src: &[] };
}

/// The origins of Razorpay's Standard Checkout.
pub(super) const RAZORPAY: CheckoutSources = CheckoutSources {
    script_src: &["https://checkout.razorpay.com"],
    frame_src: &["https://api.razorpay.com", "https://checkout.razorpay.com"],
    connect_src: &["https://api.razorpay.com", "https://lumberjack.razorpay.com"],
};
