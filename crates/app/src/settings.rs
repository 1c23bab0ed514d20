//! What the operator chose, as far as the rules of the product need it.

use std::path::PathBuf;
use std::time::Duration;

use domain::accounts::EmailAddress;

/// What the operator chose, as far as the rules of the product need it.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Scheme and host of every link, without a slash at the end.
    pub public_url: String,
    /// Where contact messages go.
    pub support_email: EmailAddress,
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
}

impl Settings {
    /// The public address of an event.
    pub fn event_url(&self, slug: &str) -> String {
        format!("{}/event/{slug}", self.public_url)
    }
}
