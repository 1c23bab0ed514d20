//! Signed links to files, and the files behind them.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::photos::{MediaKey, Photo, PhotoStatus, Size};
use domain::{Refusal, Timestamp};
use hmac::{Hmac, KeyInit, Mac};
use media::stores::Disposition;
use sha2::Sha256;
use subtle::ConstantTimeEq;

use crate::{App, Result};

/// Links made within the same half hour are the same, so that a browser's cache serves a page that is loaded again.
const SAME_LINK_MILLIS: i64 = 30 * 60 * 1000;

/// The origin of the links to files, such as `https://bucket.example.com`, where the object store serves them; none
/// where this server does.
pub fn origin(app: &App) -> Option<&str> {
    app.inner.files_origin.as_deref()
}

/// Reads [`origin`] off a link: the store alone knows how it writes addresses.
pub(crate) async fn find_origin(store: &media::stores::Store) -> Result<Option<String>> {
    let any = MediaKey::from_trusted(String::from("00/origin.jpg"));
    let link = store.presign(&any, Duration::from_secs(1), &Disposition::default()).await?;
    Ok(link.and_then(|link| {
        let host = link.find("://")? + 3;
        let end = link[host..].find('/').map_or(link.len(), |length| host + length);
        Some(link[..end].to_owned())
    }))
}

/// A link to a file that anybody may follow until it expires.
///
/// # Errors
/// When the object store cannot sign.
pub async fn link(app: &App, key: &MediaKey) -> Result<String> {
    let lifetime = app.settings.link_lifetime;
    if let Some(presigned) = app.store.presign(key, lifetime, &Disposition::default()).await? {
        return Ok(presigned);
    }
    let now = app.now().as_millis();
    let issued = Timestamp::from_millis(now - now.rem_euclid(SAME_LINK_MILLIS));
    let expires = issued.plus(lifetime).as_seconds();
    let signature = URL_SAFE_NO_PAD.encode(signature(app, key, expires));
    Ok(format!("{}/api/files/{key}?expires={expires}&signature={signature}", app.settings.public_url))
}

fn signature(app: &App, key: &MediaKey, expires: i64) -> [u8; 32] {
    let mut mac = Hmac::<Sha256>::new_from_slice(&app.inner.link_key)
        .unwrap_or_else(|_| unreachable!("any length is a key"));
    mac.update(format!("{key}\n{expires}").as_bytes());
    mac.finalize().into_bytes().into()
}

/// The links of one photo: its picture to look at and its small one; nothing where there is none yet.
pub struct PhotoLinks {
    /// The preview, or the original while there is no preview.
    pub url: String,
    /// The thumbnail.
    pub thumbnail_url: Option<String>,
}

/// Makes the links of one photo.
///
/// # Errors
/// When the object store cannot sign.
pub async fn photo_links(app: &App, photo: &Photo) -> Result<PhotoLinks> {
    Ok(match photo.status {
        PhotoStatus::Ready => PhotoLinks {
            url: link(app, &photo.key.sized(Size::Preview)).await?,
            thumbnail_url: Some(link(app, &photo.key.sized(Size::Thumbnail)).await?),
        },
        PhotoStatus::Processing | PhotoStatus::Failed => {
            PhotoLinks { url: link(app, &photo.key).await?, thumbnail_url: None }
        }
    })
}

/// The file that a signed link of this server names.
///
/// # Errors
/// [`Refusal::FileNotFound`] when the signature is not ours, the link has expired, or the file is gone.
pub async fn by_link(app: &App, key: String, expires: i64, presented: &str) -> Result<MediaKey> {
    let key = MediaKey::from_trusted(key);
    let presented = URL_SAFE_NO_PAD.decode(presented).unwrap_or_default();
    let ours = bool::from(signature(app, &key, expires).ct_eq(&presented));
    if !ours || expires <= app.now().as_seconds() {
        return Err(Refusal::FileNotFound.into());
    }
    Ok(key)
}
