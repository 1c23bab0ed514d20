//! Photos in which a person was found: with links, and opened again later.

use domain::Refusal;
use domain::events::Event;
use domain::photos::{Photo, PhotoStatus, Size};

use crate::{App, Result, downloads, files};

/// A photo in which the person was found.
pub struct FoundPhoto {
    /// The photo.
    pub photo: Photo,
    /// The URL of the preview.
    pub url: String,
    /// The URL of the rendition of medium size; none while that is not made.
    pub medium_url: Option<String>,
    /// The URL of the thumbnail.
    pub thumbnail_url: String,
}

impl FoundPhoto {
    /// Makes the links of a photo that is ready.
    pub(crate) async fn new(app: &App, photo: Photo) -> Result<Self> {
        let url = files::link(app, &photo.key.sized(Size::Preview)).await?;
        let medium_url = match photo.medium_bytes {
            Some(_) => Some(files::link(app, &photo.key.sized(Size::Medium)).await?),
            None => None,
        };
        let thumbnail_url = files::link(app, &photo.key.sized(Size::Thumbnail)).await?;
        Ok(Self { photo, url, medium_url, thumbnail_url })
    }
}

/// Results that are opened again.
pub struct Reopened {
    /// The event they were found in.
    pub event: Event,
    /// Those of the photos that are still there, in their order.
    pub photos: Vec<FoundPhoto>,
}

/// The photos that a download token stands for, with fresh links. The token is all that is needed, so that another browser
/// can show them; of the search nothing but the photos was stored.
///
/// # Errors
/// [`Refusal::ResultsExpired`] when the token is unknown or expired, or the event is deleted.
pub async fn reopen(app: &App, token: &str) -> Result<Reopened> {
    let download = downloads::find(app, token).await?.ok_or(Refusal::ResultsExpired)?;
    let event = downloads::open_event(app, download.event).await?.ok_or(Refusal::ResultsExpired)?;
    let mut photos = Vec::with_capacity(download.photos.len());
    for (_, photo) in downloads::photos(app, &download).await? {
        if photo.status == PhotoStatus::Ready {
            photos.push(FoundPhoto::new(app, photo).await?);
        }
    }
    Ok(Reopened { event, photos })
}
