//! Renditions with their photographer's watermark: drawn when a guest asks for one, and never stored.

use std::sync::Arc;

use bytes::Bytes;
use domain::photos::{MediaKey, Photo, Size};
use domain::studio::studios::Ground;
use domain::studio::watermarks::{Sign, Watermark};
use domain::{Refusal, UserId};
use media::checksums::crc32;
use media::decoders::Priority;
use media::logos;
use media::temp_files::Contents;
use media::watermarks::{Art, Mark, REVISION};
use storage::studio::watermarks::MarkedPreview;

use crate::operations::runtime::{decoding, tasks};
use crate::photos::previews;
use crate::{App, Failure, Result};

/// The watermark on what guests see of a photographer's photos.
pub(crate) async fn of_owner(app: &App, owner: UserId) -> Result<Option<Watermark>> {
    Ok(storage::studio::watermarks::of_user(&app.db, owner).await?)
}

/// The watermark on what guests save of them in web size.
pub(crate) async fn on_downloads(app: &App, owner: UserId) -> Result<Option<Watermark>> {
    Ok(of_owner(app, owner).await?.filter(|watermark| watermark.on_downloads))
}

/// What is drawn for a watermark.
///
/// # Errors
/// [`Refusal::Busy`] when it was changed since it was looked up: whoever asks again gets the new one.
pub(crate) async fn mark(app: &App, watermark: &Watermark) -> Result<Arc<Mark>> {
    let picture =
        storage::studio::watermarks::picture(&app.db, &watermark.name).await?.ok_or(Refusal::Busy)?;
    let mut picture = app.decoders.open(Contents::InMemory(picture.into()), Priority::Foreground);
    let sign = watermark.sign.clone();
    let art = tasks::blocking(move || -> Result<_> {
        Ok(match sign {
            Sign::Text(_) => picture.decode(logos::LONG_SIDE, None)?.map(Art::Lettering),
            Sign::Logo(Ground::Light) => picture.decode(logos::LONG_SIDE, None)?.map(Art::Plate),
            Sign::Logo(Ground::Dark) => {
                logos::Transparent::read(&mut picture, logos::LONG_SIDE)?.map(Art::Transparent)
            }
        })
    });
    let unreadable = |error| Failure::Internal(format!("the picture of a watermark: {error}"));
    Ok(Arc::new(Mark::new(watermark, art.await??.map_err(unreadable)?)))
}

/// A stored rendition with a mark.
///
/// # Errors
/// [`Refusal::FileNotFound`] when the rendition is gone.
pub(crate) async fn jpeg(app: &App, key: &MediaKey, mark: Arc<Mark>) -> Result<Bytes> {
    let slot = app.concurrency.marks.acquire().await?;
    let rendition = app.store.read(key, None).await?.ok_or(Refusal::FileNotFound)?.whole().await?;
    draw(app, slot, rendition, mark).await
}

/// A picture with a mark. `slot` is held until it is drawn.
pub(crate) async fn draw<P: Send + 'static>(
    app: &App,
    slot: P,
    picture: Bytes,
    mark: Arc<Mark>,
) -> Result<Bytes> {
    let (picture, memory) = decoding::open(app, picture).await?;
    let draw = move || -> Result<_> {
        Ok(decoding::pixels(picture)?.map(|pixels| media::watermarks::marked(pixels, &mark)))
    };
    let (drawn, _) = tasks::blocking_with((slot, memory), draw).await?;
    let unreadable = |error| Failure::Internal(format!("a rendition: {error}"));
    Ok(drawn?.map_err(unreadable)??.into())
}

/// What a ZIP and a link have to know of a photo's preview with a watermark; none while there is no preview. It is drawn when
/// that is not known yet.
pub(crate) async fn described(
    app: &App,
    photo: &Photo,
    watermark: &Watermark,
) -> Result<Option<MarkedPreview>> {
    let Some(preview) = previews::described(app, photo).await? else { return Ok(None) };
    // All that the bytes follow from.
    let source = format!("{} {REVISION} {:08x} {}", watermark.name, preview.crc32, preview.bytes);
    if let Some(known) = storage::studio::watermarks::marked_preview(&app.db, photo.id, &source).await? {
        return Ok(Some(known));
    }
    let key = photo.key.sized(Size::Preview);
    let bytes = jpeg(app, &key, mark(app, watermark).await?).await?;
    let size = i64::try_from(bytes.len()).unwrap_or(i64::MAX);
    let drawn = MarkedPreview { bytes: size, crc32: crc32(&bytes) };
    storage::studio::watermarks::describe_marked_preview(&app.db, photo.id, &source, drawn).await?;
    Ok(Some(drawn))
}
