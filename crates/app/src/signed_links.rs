//! Signed links to files.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::Timestamp;
use domain::photos::MediaKey;
use hmac::{Hmac, KeyInit, Mac};
use media::stores::{Disposition, Store};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use sha2::Sha256;
use subtle::ConstantTimeEq;

use crate::Result;

/// Links made within the same half hour are the same, so that a browser's cache serves a page that is loaded again.
const SAME_LINK_MILLIS: i64 = 30 * 60 * 1000;

/// Signs links to files that this server serves itself.
pub(crate) struct LinkSigner {
    key: [u8; 32],
}

impl LinkSigner {
    pub(crate) const fn new(key: [u8; 32]) -> Self {
        Self { key }
    }

    /// The path and query of a link to a file, which is saved under `filename` if there is one, and shown otherwise.
    pub(crate) fn sign(
        &self,
        key: &MediaKey,
        filename: Option<&str>,
        lifetime: Duration,
        now: Timestamp,
    ) -> String {
        let now = now.as_millis();
        let issued = Timestamp::from_millis(now - now.rem_euclid(SAME_LINK_MILLIS));
        let expires = issued.plus(lifetime).as_seconds();
        let signature = URL_SAFE_NO_PAD.encode(self.signature(key, filename, expires));
        let filename = filename.map_or_else(String::new, |filename| {
            format!("&filename={}", utf8_percent_encode(filename, NON_ALPHANUMERIC))
        });
        format!("/api/files/{key}?expires={expires}{filename}&signature={signature}")
    }

    /// Whether this signature was made for the file under this name and has not expired; compared in constant time.
    pub(crate) fn verify(
        &self,
        key: &MediaKey,
        filename: Option<&str>,
        expires: i64,
        signature: &str,
        now: Timestamp,
    ) -> bool {
        let signature = URL_SAFE_NO_PAD.decode(signature).unwrap_or_default();
        let valid = bool::from(self.signature(key, filename, expires).ct_eq(&signature));
        valid && expires > now.as_seconds()
    }

    fn signature(&self, key: &MediaKey, filename: Option<&str>, expires: i64) -> [u8; 32] {
        let mut mac =
            Hmac::<Sha256>::new_from_slice(&self.key).unwrap_or_else(|_| unreachable!("any length is a key"));
        // No path has a NUL: no key reads like one that follows a name.
        if let Some(filename) = filename {
            mac.update(format!("attachment\0{filename}\0").as_bytes());
        }
        mac.update(format!("{key}\n{expires}").as_bytes());
        mac.finalize().into_bytes().into()
    }
}

/// The origin of the links that the object store signs, such as `https://bucket.example.com`; none when it signs none.
/// It is read off such a link, since the store alone knows how it writes addresses.
pub(crate) async fn store_origin(store: &Store) -> Result<Option<String>> {
    let any = MediaKey::from_trusted(String::from("00/origin.jpg"));
    let link = store.presign(&any, Duration::from_secs(1), &Disposition::default()).await?;
    Ok(link.and_then(|link| {
        let host = link.find("://")? + 3;
        let end = link[host..].find('/').map_or(link.len(), |length| host + length);
        Some(link[..end].to_owned())
    }))
}
