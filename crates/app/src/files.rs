//! Links to files, and the files behind them.

use std::ops::Range;

use domain::Refusal;
use domain::photos::{MediaKey, Photo, PhotoStatus, Size};
use media::stores::{Disposition, Read};

use crate::{App, Result};

/// The origin of the links to files, such as `https://bucket.example.com`, where the object store serves them; none
/// where this server does.
pub fn origin(app: &App) -> Option<&str> {
    app.files_origin.as_deref()
}

/// A link that gives anyone access to a file until it expires.
///
/// # Errors
/// When the object store cannot sign.
pub async fn link(app: &App, key: &MediaKey) -> Result<String> {
    let lifetime = app.settings.link_lifetime;
    if let Some(presigned) = app.store.presign(key, lifetime, &Disposition::default()).await? {
        return Ok(presigned);
    }
    Ok(format!("{}{}", app.settings.public_url, app.link_signer.sign(key, lifetime, app.now())))
}

/// The links to a photo's preview and thumbnail.
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
/// [`Refusal::FileNotFound`] when the signature is not ours, or the link has expired.
pub async fn by_link(app: &App, key: String, expires: i64, signature: &str) -> Result<MediaKey> {
    let key = MediaKey::from_trusted(key);
    if app.link_signer.verify(&key, expires, signature, app.now()) {
        Ok(key)
    } else {
        Err(Refusal::FileNotFound.into())
    }
}

/// The size of a file in bytes.
///
/// # Errors
/// [`Refusal::FileNotFound`].
pub async fn size(app: &App, key: &MediaKey) -> Result<u64> {
    Ok(app.store.size(key).await?.ok_or(Refusal::FileNotFound)?)
}

/// The bytes of a file, or of a range of them.
///
/// # Errors
/// [`Refusal::FileNotFound`].
pub async fn read(app: &App, key: &MediaKey, range: Option<Range<u64>>) -> Result<Read> {
    Ok(app.store.read(key, range).await?.ok_or(Refusal::FileNotFound)?)
}
