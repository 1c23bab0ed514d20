//! Settings of Razorpay.

use std::time::Duration;

use secrecy::SecretString;

/// The address of Razorpay's API, the default of the setting.
pub const RAZORPAY_API_URL: &str = "https://api.razorpay.com";

/// Settings of Razorpay.
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
    /// Timeouts and retries.
    pub retry: RetryPolicy,
}

/// Timeouts and retries of calls to the provider.
#[derive(Clone, Copy, Debug)]
pub struct RetryPolicy {
    /// Timeout of one request.
    pub request_timeout: Duration,
    /// Timeout of one call of `Payments` with all its requests and delays.
    pub call_timeout: Duration,
    /// Attempts of one call, the first included.
    pub attempts: u32,
    /// Delay after the first attempt; it doubles with each further one.
    pub delay: Duration,
}

impl Default for RetryPolicy {
    /// 10 s a request, 25 s a call, 3 attempts, 250 ms and then 500 ms between them.
    fn default() -> Self {
        Self {
            request_timeout: Duration::from_secs(10),
            call_timeout: Duration::from_secs(25),
            attempts: 3,
            delay: Duration::from_millis(250),
        }
    }
}

/// Why the settings of the provider cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// A key is empty.
    #[error("the payment provider's {0} is empty")]
    Empty(&'static str),
    /// Not a URL that may receive the keys.
    #[error("the payment provider's API URL must be https, or http on the loopback")]
    ApiUrl,
    /// TLS or the HTTP client cannot be set up.
    #[error("the HTTP client cannot be set up")]
    Client(#[source] Box<dyn std::error::Error + Send + Sync>),
}
