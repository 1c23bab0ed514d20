//! The picture of a face, cut out of a rendition each time it is asked for: none is stored.

use bytes::Bytes;
use domain::faces::BoundingBox;
use domain::photos::{Photo, Size};
use domain::{FaceId, Refusal};
use media::pictures::FACE_SIDE;

use crate::operations::runtime::{decoding, tasks};
use crate::{App, Failure, Result};

/// A JPEG of a face in its photo.
///
/// # Errors
/// [`Refusal::FileNotFound`] when the face, or the rendition, is gone.
pub(crate) async fn jpeg(app: &App, photo: &Photo, face: FaceId) -> Result<Bytes> {
    let (photo_of_face, bounds) =
        storage::faces::people::face(&app.db, face).await?.ok_or(Refusal::FileNotFound)?;
    if photo_of_face != photo.id {
        return Err(Refusal::FileNotFound.into());
    }
    let slot = app.concurrency.face_pictures.acquire().await?;
    let key = photo.key.sized(rendition(photo, &bounds).ok_or(Refusal::FileNotFound)?);
    let rendition = app.store.read(&key, None).await?.ok_or(Refusal::FileNotFound)?.whole().await?;
    let (rendition, permit) = decoding::open(app, rendition).await?;
    let cut = move || -> Result<_> {
        Ok(decoding::pixels(rendition)?.map(|pixels| media::pictures::face(&pixels, &bounds)))
    };
    let (picture, _) = tasks::blocking_with((slot, permit), cut).await?;
    let unreadable = |error| Failure::Internal(format!("a rendition of photo {}: {error}", photo.id));
    Ok(picture?.map_err(unreadable)??.into())
}

/// The smallest rendition in which the face is as large as it is shown.
fn rendition(photo: &Photo, bounds: &BoundingBox) -> Option<Size> {
    let sizes = photo.sizes();
    let long_side = |size: &Size| size.long_side().filter(|_| sizes.contains(size));
    let is_large = |size: &Size| {
        long_side(size)
            .is_some_and(|side| bounds.width.max(bounds.height) * f64::from(side) >= f64::from(FACE_SIDE))
    };
    let by_size = [Size::Thumbnail, Size::Medium, Size::Preview];
    by_size.into_iter().find(is_large).or_else(|| by_size.into_iter().rfind(|size| long_side(size).is_some()))
}
