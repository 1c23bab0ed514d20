//! Settings of the provider.

use std::time::Duration;

use secrecy::SecretString;

/// Where the provider's API is, unless a setting says otherwise.
pub const RAZORPAY_API_URL: &str = "https://api.razorpay.com";

/// What the real provider needs.
#[derive(Clone, Debug)]
pub struct RazorpaySettings {
    /// The public half of the keys, `rzp_live_…` or `rzp_test_…`.
    pub key_id: String,
    /// The secret half.
    pub key_secret: SecretString,
    /// The secret of the webhook; without it every webhook is refused.
    pub webhook_secret: Option<SecretString>,
    /// [`RAZORPAY_API_URL`], or another one for tests: https, or http on the loopback.
    pub api_url: String,
    /// How long to wait and how often to ask.
    pub patience: Patience,
}

/// How long to wait for the provider and how often to ask it.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// How long one request may take.
    pub request: Duration,
    /// How long one call of `Payments` may take, with all its requests and pauses.
    pub call: Duration,
    /// How often a call is tried.
    pub attempts: u32,
    /// The pause after the first attempt; each later one is twice as long.
    pub pause: Duration,
}

impl Default for Patience {
    /// 10 s a request, 25 s a call, 3 attempts, 250 ms and then 500 ms between them.
    fn default() -> Self {
        Self {
            request: Duration::from_secs(10),
            call: Duration::from_secs(25),
            attempts: 3,
            pause: Duration::from_millis(250),
        }
    }
}

/// Why the settings of the provider cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// A key is empty.
    #[error("the payment provider's {0} is empty")]
    Empty(&'static str),
    /// Not a URL that the keys may be sent to.
    #[error("the payment provider's API URL must be https, or http on the loopback")]
    ApiUrl,
    /// TLS or the HTTP client cannot be set up.
    #[error("the HTTP client cannot be set up")]
    Client(#[source] Box<dyn std::error::Error + Send + Sync>),
}
