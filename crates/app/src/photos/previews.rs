//! Previews, which guests save as the web size: their bytes are stored beside, and what describes them in the photo's row.

use domain::photos::{Photo, PhotoStatus, Size};
use media::checksums::Checksums;

use crate::{App, Result};

/// What a ZIP has to know of a preview before it is read.
#[derive(Clone, Copy)]
pub(crate) struct Preview {
    /// Its size in bytes.
    pub(crate) bytes: i64,
    pub(crate) crc32: u32,
}

/// The size of a photo's preview; none while there is none. It is asked of the store and stored for a photo that was indexed before it
/// was stored.
pub(crate) async fn size(app: &App, photo: &Photo) -> Result<Option<i64>> {
    if photo.status != PhotoStatus::Ready || photo.preview_bytes.is_some() {
        return Ok(photo.preview_bytes.filter(|_| photo.status == PhotoStatus::Ready));
    }
    let Some(size) = app.store.size(&photo.key.sized(Size::Preview)).await? else { return Ok(None) };
    let size = i64::try_from(size).unwrap_or(i64::MAX);
    storage::photos::set_preview_bytes(&app.db, &photo.key, size).await?;
    Ok(Some(size))
}

/// A photo's preview; none while there is none. One of a version that did not store its checksum is read now, and described for
/// the next time.
pub(crate) async fn described(app: &App, photo: &Photo) -> Result<Option<Preview>> {
    if photo.status != PhotoStatus::Ready {
        return Ok(None);
    }
    if let (Some(bytes), Some(crc32)) = (photo.preview_bytes, photo.preview_crc32) {
        return Ok(Some(Preview { bytes, crc32 }));
    }
    let Some(read) = app.store.read(&photo.key.sized(Size::Preview), None).await? else { return Ok(None) };
    let bytes = i64::try_from(read.total).unwrap_or(i64::MAX);
    let Checksums { crc32, .. } = Checksums::of(read).await?;
    storage::photos::describe_preview(&app.db, &photo.key, bytes, crc32).await?;
    Ok(Some(Preview { bytes, crc32 }))
}
