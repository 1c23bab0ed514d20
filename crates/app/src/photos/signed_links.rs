//! Signed links to files.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::Timestamp;
use domain::accounts::tokens::Token;
use domain::events::pins::Pin;
use domain::ids::Id;
use domain::photos::MediaKey;
use hmac::{Hmac, KeyInit, Mac};
use media::stores::{Disposition, Store};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use sha2::Sha256;
use subtle::ConstantTimeEq;

use crate::Result;

/// Links made within the same half hour are the same, so that a browser's cache serves a page that is loaded again.
const SAME_LINK_MILLIS: i64 = 30 * 60 * 1000;

/// Where links begin to files that caches may share.
const SHARED_PATH: &str = "/renditions/";

/// Signs links to files that this server serves itself.
pub(crate) struct LinkSigner {
    key: [u8; 32],
}

impl LinkSigner {
    pub(crate) const fn new(key: [u8; 32]) -> Self {
        Self { key }
    }

    /// The path and query of a link to `file`, which is saved under `filename` if there is one, and shown otherwise.
    pub(crate) fn sign(
        &self,
        file: &str,
        filename: Option<&str>,
        lifetime: Duration,
        now: Timestamp,
    ) -> String {
        let expires = expiry(lifetime, now);
        let signature = URL_SAFE_NO_PAD.encode(self.signature(file, filename, expires));
        let filename = filename.map_or_else(String::new, |filename| {
            format!("&filename={}", utf8_percent_encode(filename, NON_ALPHANUMERIC))
        });
        format!("/api/files/{file}?expires={expires}{filename}&signature={signature}")
    }

    /// The path of a link to `file` that caches may share: all of it is in the path, which caches go by.
    pub(crate) fn sign_shared(&self, file: &str, lifetime: Duration, now: Timestamp) -> String {
        let expires = expiry(lifetime, now);
        let signature = URL_SAFE_NO_PAD.encode(self.authenticate(&shared_text(file, expires)));
        format!("{SHARED_PATH}{file}/{expires}/{signature}.jpg")
    }

    /// Whether this signature was made for a link to the file that caches may share, and has not expired; compared in constant
    /// time.
    pub(crate) fn verify_shared(&self, file: &str, expires: i64, signature: &str, now: Timestamp) -> bool {
        let signature = URL_SAFE_NO_PAD.decode(signature).unwrap_or_default();
        let valid = bool::from(self.authenticate(&shared_text(file, expires)).ct_eq(&signature));
        valid && expires > now.as_seconds()
    }

    /// Whether this signature was made for the file under this name and has not expired; compared in constant time.
    pub(crate) fn verify(
        &self,
        file: &str,
        filename: Option<&str>,
        expires: i64,
        signature: &str,
        now: Timestamp,
    ) -> bool {
        let signature = URL_SAFE_NO_PAD.decode(signature).unwrap_or_default();
        let valid = bool::from(self.signature(file, filename, expires).ct_eq(&signature));
        valid && expires > now.as_seconds()
    }

    /// Signs a handle (`handles.rs`).
    pub(crate) fn sign_handle(&self, filename: &str, expires: i64) -> String {
        URL_SAFE_NO_PAD.encode(self.authenticate(&format!("handle\0{filename}\n{expires}")))
    }

    /// Whether this signature was made for a handle; compared in constant time.
    pub(crate) fn verify_handle(&self, filename: &str, expires: i64, signature: &str) -> bool {
        self.sign_handle(filename, expires).as_bytes().ct_eq(signature.as_bytes()).into()
    }

    /// The proof that somebody knows the PIN of an event, or of a client's selection. Another PIN has another, and so has every id.
    pub(crate) fn sign_access(&self, id: impl Id, pin: &Pin) -> String {
        URL_SAFE_NO_PAD.encode(self.authenticate(&format!("access\0{id}\n{}", pin.reveal())))
    }

    /// The token of the ZIP of all photos that guests may look at, of which `text` says which they are: the same for all who ask.
    pub(crate) fn token_of_all(&self, text: &str) -> Token {
        Token::from_bytes(self.authenticate(&format!("all\0{text}")))
    }

    /// The token of what a repeated search finds, of which `text` says what that is, and who was searched for.
    pub(crate) fn token_of_repeated(&self, text: &str) -> Token {
        Token::from_bytes(self.authenticate(&format!("repeated\0{text}")))
    }

    /// The token of a choice from results, of which `text` says what is chosen, and from which.
    pub(crate) fn token_of_choice(&self, text: &str) -> Token {
        Token::from_bytes(self.authenticate(&format!("choice\0{text}")))
    }

    /// A key for another purpose, from which this one's cannot be computed.
    pub(crate) fn derived_key(&self, purpose: &str) -> [u8; 32] {
        self.authenticate(&format!("key\0{purpose}"))
    }

    // No path has a NUL: no signed text reads like one of another kind.
    fn signature(&self, file: &str, filename: Option<&str>, expires: i64) -> [u8; 32] {
        let purpose = filename.map_or_else(String::new, |filename| format!("attachment\0{filename}\0"));
        self.authenticate(&format!("{purpose}{file}\n{expires}"))
    }

    fn authenticate(&self, text: &str) -> [u8; 32] {
        let mut mac =
            Hmac::<Sha256>::new_from_slice(&self.key).unwrap_or_else(|_| unreachable!("any length is a key"));
        mac.update(text.as_bytes());
        mac.finalize().into_bytes().into()
    }
}

/// When a link runs out, in Unix seconds.
fn expiry(lifetime: Duration, now: Timestamp) -> i64 {
    let now = now.as_millis();
    Timestamp::from_millis(now - now.rem_euclid(SAME_LINK_MILLIS)).plus(lifetime).as_seconds()
}

fn shared_text(file: &str, expires: i64) -> String {
    format!("shared\0{file}\n{expires}")
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
