//! The generated pictures of events, for their pages and for link previews. They show no guest: photos are for those
//! who are in them.

use domain::events::Event;
use domain::{Refusal, slugs};

use crate::{App, Result, events, tasks};

/// Width and height of a link preview's picture in pixels.
pub const PREVIEW_SIZE: (u32, u32) = media::covers::JPEG_SIZE;

/// The slug of the picture of the whole site.
const SITE: &str = "afterglow";

/// Which picture to draw.
#[derive(Clone, Debug)]
pub struct Cover {
    slug: String,
}

/// The picture of the whole site.
pub fn site() -> Cover {
    Cover { slug: String::from(SITE) }
}

/// The picture of any slug, whether or not an event has it: it tells nothing but what the slug does.
///
/// # Errors
/// [`Refusal::PathNotFound`] for what cannot be a slug.
pub fn of_slug(slug: String) -> Result<Cover> {
    if slugs::is_well_formed(&slug) { Ok(Cover { slug }) } else { Err(Refusal::PathNotFound.into()) }
}

/// The picture of an open event.
///
/// # Errors
/// [`Refusal::EventNotFound`].
pub async fn of_open_event(app: &App, slug: &str) -> Result<Cover> {
    let Event { slug, .. } = events::by_slug(app, slug).await?;
    Ok(Cover { slug })
}

impl Cover {
    /// Something that changes with the picture.
    pub fn version(&self) -> String {
        format!("cover-{}-{}", media::covers::REVISION, self.slug)
    }

    /// An SVG document.
    pub fn svg(&self) -> String {
        media::covers::Cover::new(&self.slug).to_svg()
    }

    /// A JPEG file of [`PREVIEW_SIZE`].
    ///
    /// # Errors
    /// [`Refusal::Busy`] while the service stops.
    pub async fn jpeg(&self, app: &App) -> Result<Vec<u8>> {
        let slug = self.slug.clone();
        // One at a time: anyone may request any number of them.
        let _permit = app.concurrency.covers.acquire().await.map_err(|_| Refusal::Busy)?;
        tasks::blocking(move || Ok(media::covers::Cover::new(&slug).to_jpeg()?)).await?
    }
}
