//! The picture of a photo that is not indexed yet, made when somebody looks at it: what is not looked at costs nothing, and
//! indexing makes all renditions of it later.

use std::sync::Arc;

use bytes::Bytes;
use domain::Refusal;
use domain::photos::{Photo, Size};
use media::decoders::Priority;
use media::pictures::Rendition as Picture;
use media::temp_files::Contents;

use crate::operations::metrics::RenditionSource;
use crate::operations::runtime::{decoding, tasks};
use crate::photos::rendition_cache::{Look, Rendition, Sighting};
use crate::{App, Result};

/// The original is decoded with at least the thumbnail's long side.
const LONG_SIDE: u32 = match Size::Thumbnail.long_side() {
    Some(side) => side,
    None => u32::MAX,
};

/// A JPEG of the thumbnail's size, kept in memory.
///
/// # Errors
/// [`Refusal::FileNotFound`] when the original is gone or cannot be read; indexing says why.
pub(crate) async fn jpeg(app: &App, photo: &Photo, sighting: Sighting) -> Result<Bytes> {
    let key = photo.key.sized(Size::Thumbnail);
    let kept = || app.renditions.get(photo.id, Look::Early).filter(|kept| kept.key == key);
    if let Some(kept) = kept() {
        app.metrics.record_rendition(RenditionSource::Memory);
        return Ok(kept.bytes.clone());
    }
    let slot = app.concurrency.early_pictures.acquire().await?;
    // Several who look at once wait for each other.
    if let Some(kept) = kept() {
        app.metrics.record_rendition(RenditionSource::Memory);
        return Ok(kept.bytes.clone());
    }
    let bytes = Contents::load(&app.store, &photo.key, &app.settings.incoming_dir).await?;
    let bytes = bytes.ok_or(Refusal::FileNotFound)?;
    // Guests' searches go first, as they do before indexing.
    let (mut picture, permit) = decoding::open_for(app, bytes, Priority::Background, LONG_SIDE).await?;
    let permits = (slot, permit);
    let drawn = tasks::background(move || -> Result<Option<Picture>> {
        let _permits = permits;
        let Ok(pixels) = picture.decode(LONG_SIDE, None)? else { return Ok(None) };
        Ok(Some(media::pictures::thumbnail(&pixels)?))
    })
    .await??;
    let jpeg = Bytes::from(drawn.ok_or(Refusal::FileNotFound)?.jpeg);
    app.metrics.record_rendition(RenditionSource::Store);
    let rendition = Rendition::new(key, jpeg.clone(), sighting);
    app.renditions.keep(photo.id, Look::Early, Arc::new(rendition), sighting);
    Ok(jpeg)
}
