//! What the operator chose, as far as the rules of the product need it.

use std::path::PathBuf;
use std::time::Duration;

use domain::accounts::EmailAddress;
use secrecy::{ExposeSecret as _, SecretString};
use subtle::ConstantTimeEq as _;

use crate::proxies::TrustedProxies;
use crate::rate_limiter::LimitSettings;

/// What the operator chose, as far as the rules of the product need it.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Scheme and host of every link, without a slash at the end.
    pub public_url: String,
    /// Where contact messages go.
    pub support_email: EmailAddress,
    /// The operator's pages elsewhere.
    pub social: Social,
    /// Days for which photos are kept; 0 keeps them for ever.
    pub retention_days: u32,
    /// A folder for uploads that are still coming in; its files are worthless after a restart.
    pub incoming_dir: PathBuf,
    /// How long signed links are good.
    pub link_lifetime: Duration,
    /// How many photos are indexed at one moment.
    pub index_workers: usize,
    /// How many uploads are judged at one moment.
    pub inspections: usize,
    /// How many selfies are looked at at one moment.
    pub searches: usize,
    /// How many bytes of embeddings are kept in memory for searches.
    pub gallery_cache_bytes: usize,
    /// How often one address may do what is limited.
    pub limits: LimitSettings,
    /// Opens `/metrics` to other machines; without one only this machine can read it.
    pub metrics_token: Option<SecretString>,
    /// Whose word about a client's address is taken.
    pub trusted_proxies: TrustedProxies,
}

/// The operator's pages elsewhere, as web addresses.
#[derive(Clone, Debug)]
pub struct Social {
    /// On Facebook.
    pub facebook: String,
    /// On Instagram.
    pub instagram: String,
    /// On X.
    pub x: String,
    /// On LinkedIn.
    pub linkedin: String,
}

impl Default for Social {
    fn default() -> Self {
        Self {
            facebook: String::from("https://www.facebook.com/"),
            instagram: String::from("https://www.instagram.com/"),
            x: String::from("https://x.com/"),
            linkedin: String::from("https://www.linkedin.com/"),
        }
    }
}

impl Settings {
    /// Whether this is the token that opens `/metrics`; compared in constant time.
    pub fn is_metrics_token(&self, presented: &str) -> bool {
        let token = self.metrics_token.as_ref();
        token.is_some_and(|token| token.expose_secret().as_bytes().ct_eq(presented.as_bytes()).into())
    }

    /// The public address of an event.
    pub fn event_url(&self, slug: &str) -> String {
        format!("{}/event/{slug}", self.public_url)
    }
}
