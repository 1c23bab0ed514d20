//! The clients of a bucket, by how long a request may take.

use std::sync::Arc;
use std::time::Duration;

use object_store::aws::{AmazonS3, AmazonS3Builder, AmazonS3ConfigKey};
use object_store::{ClientConfigKey, ClientOptions, RetryConfig};

use crate::stores::error::Error;

/// How long a read may wait for the next bytes. A reader that is slow itself may take as long as it likes: its connection is
/// looked at when it asks for more.
const READ_PAUSE: Duration = Duration::from_secs(60);
/// A read that was cut off is gone on with where it was for so long after its beginning.
const READ_RETRIES: Duration = Duration::from_secs(15 * 60);
/// How long a request with a part of a file may take. Sixteen parts at once, as a move sends them, need 4 Mbit/s then.
const WRITE: Duration = Duration::from_secs(5 * 60);
/// For so long a part is sent again. Its signature holds for 15 minutes.
const WRITE_RETRIES: Duration = Duration::from_secs(8 * 60);

/// The clients of one bucket.
#[derive(Clone, Debug)]
pub(super) struct Clients {
    /// For requests whose bodies are small, in both directions.
    pub(super) questions: Arc<AmazonS3>,
    /// For files that are read. As long as bytes flow a read may take any time.
    pub(super) reads: Arc<AmazonS3>,
    /// For files that are put.
    pub(super) writes: Arc<AmazonS3>,
}

impl Clients {
    /// Those of a bucket. `options` come after the defaults of this program, and win.
    pub(super) fn open(
        bucket: &str,
        options: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Self, Error> {
        let options: Vec<(AmazonS3ConfigKey, String)> = options
            .into_iter()
            .filter_map(|(name, value)| Some((name.to_ascii_lowercase().parse().ok()?, value)))
            .collect();
        let build = |builder: AmazonS3Builder, of: fn(AmazonS3ConfigKey) -> AmazonS3ConfigKey| {
            let configured = |builder: AmazonS3Builder, (key, value): &(AmazonS3ConfigKey, String)| {
                builder.with_config(of(*key), value)
            };
            let client = options.iter().fold(builder, configured).with_bucket_name(bucket).build()?;
            Ok::<_, Error>(Arc::new(client))
        };
        let retries = |retry_timeout| RetryConfig { retry_timeout, ..RetryConfig::default() };
        let reads = ClientOptions::new().with_timeout_disabled().with_read_timeout(READ_PAUSE);
        let reads = AmazonS3Builder::new().with_client_options(reads).with_retry(retries(READ_RETRIES));
        let writes = ClientOptions::new().with_timeout(WRITE);
        let writes = AmazonS3Builder::new().with_client_options(writes).with_retry(retries(WRITE_RETRIES));
        Ok(Self {
            questions: build(AmazonS3Builder::new(), |key| key)?,
            reads: build(reads, of_reads)?,
            writes: build(writes, |key| key)?,
        })
    }
}

/// An option as it counts for reads: what bounds a request as a whole bounds the pauses of a read.
fn of_reads(key: AmazonS3ConfigKey) -> AmazonS3ConfigKey {
    match key {
        AmazonS3ConfigKey::Client(ClientConfigKey::Timeout) => {
            AmazonS3ConfigKey::Client(ClientConfigKey::ReadTimeout)
        }
        other => other,
    }
}
