//! Links to files, and the files behind them.

use std::ops::Range;

use domain::Refusal;
use domain::photos::{MediaKey, Photo, PhotoStatus, Size};
use media::stores::{Disposition, Read};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

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
    link_as(app, key, None).await
}

async fn link_as(app: &App, key: &MediaKey, filename: Option<&str>) -> Result<String> {
    let lifetime = app.settings.link_lifetime;
    let attachment = filename.map(content_disposition);
    let disposition = Disposition { content_disposition: attachment.as_deref(), ..Disposition::default() };
    if let Some(presigned) = app.store.presign(key, lifetime, &disposition).await? {
        return Ok(presigned);
    }
    Ok(format!("{}{}", app.settings.public_url, app.link_signer.sign(key, filename, lifetime, app.now())))
}

/// The value of `Content-Disposition` (RFC 6266) by which a browser saves a file as `filename`: for a name beyond ASCII in
/// UTF-8 too, which every browser of today prefers.
pub fn content_disposition(filename: &str) -> String {
    let plain =
        |c: char| if c.is_ascii_graphic() && !matches!(c, '"' | '\\' | '%') || c == ' ' { c } else { '_' };
    let fallback: String = filename.chars().map(plain).collect();
    if fallback == filename {
        format!("attachment; filename=\"{fallback}\"")
    } else {
        let encoded = utf8_percent_encode(filename, NON_ALPHANUMERIC);
        format!("attachment; filename=\"{fallback}\"; filename*=UTF-8''{encoded}")
    }
}

/// The links under which a browser saves a photo.
pub struct DownloadLinks {
    /// The original.
    pub original: String,
    /// A JPEG for screens and messages, and its size in bytes; none while it is not made.
    pub web: Option<(String, i64)>,
}

/// Makes the links under which a browser saves a photo: the original under its own name, and the preview as the web size,
/// which is a JPEG whatever the original is.
///
/// # Errors
/// When the object store cannot sign, or cannot be reached.
pub async fn download_links(app: &App, photo: &Photo) -> Result<DownloadLinks> {
    let original = link_as(app, &photo.key, Some(photo.key.filename())).await?;
    let web = match preview_bytes(app, photo).await? {
        Some(size) => {
            let preview = photo.key.sized(Size::Preview);
            Some((link_as(app, &preview, Some(&photo.key.web_filename())).await?, size))
        }
        None => None,
    };
    Ok(DownloadLinks { original, web })
}

/// The size of a photo's preview; asked of the store and stored for a photo that was indexed before it was stored.
async fn preview_bytes(app: &App, photo: &Photo) -> Result<Option<i64>> {
    if photo.status != PhotoStatus::Ready || photo.preview_bytes.is_some() {
        return Ok(photo.preview_bytes.filter(|_| photo.status == PhotoStatus::Ready));
    }
    let Some(size) = app.store.size(&photo.key.sized(Size::Preview)).await? else { return Ok(None) };
    let size = i64::try_from(size).unwrap_or(i64::MAX);
    storage::photos::set_preview_bytes(&app.db, photo.id, size).await?;
    Ok(Some(size))
}

/// The links to a photo's renditions.
pub struct PhotoLinks {
    /// The preview, or the original while there is no preview.
    pub url: String,
    /// The rendition of medium size.
    pub medium_url: Option<String>,
    /// The thumbnail.
    pub thumbnail_url: Option<String>,
}

/// Makes the links of one photo.
///
/// # Errors
/// When the object store cannot sign.
pub async fn photo_links(app: &App, photo: &Photo) -> Result<PhotoLinks> {
    let sizes = photo.sizes();
    let of = async |size: Size| match sizes.contains(&size) {
        true => link(app, &photo.key.sized(size)).await.map(Some),
        false => Ok(None),
    };
    let url = match of(Size::Preview).await? {
        Some(preview) => preview,
        None => link(app, &photo.key).await?,
    };
    Ok(PhotoLinks { url, medium_url: of(Size::Medium).await?, thumbnail_url: of(Size::Thumbnail).await? })
}

/// The file that a signed link of this server names.
///
/// # Errors
/// [`Refusal::FileNotFound`] when the signature is not ours, or the link has expired.
pub async fn by_link(
    app: &App,
    key: String,
    filename: Option<&str>,
    expires: i64,
    signature: &str,
) -> Result<MediaKey> {
    let key = MediaKey::from_trusted(key);
    if app.link_signer.verify(&key, filename, expires, signature, app.now()) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_beyond_ascii_is_sent_in_utf_8_beside_a_plain_one() {
        // [DOWN070]
        for (filename, value) in [
            ("a-b_1.jpg", "attachment; filename=\"a-b_1.jpg\""),
            ("söhne.jpg", "attachment; filename=\"s_hne.jpg\"; filename*=UTF-8''s%C3%B6hne%2Ejpg"),
            ("a\"\r\nb.jpg", "attachment; filename=\"a___b.jpg\"; filename*=UTF-8''a%22%0D%0Ab%2Ejpg"),
        ] {
            assert_eq!(content_disposition(filename), value);
        }
    }
}
