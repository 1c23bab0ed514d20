//! The generated pictures of events, for their pages and for link previews. They show no guest: photos are for those
//! who are in them.

use bytes::Bytes;
use domain::events::Event;
use domain::{Refusal, slugs};

use crate::{App, Result, events};

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
    pub fn svg(&self, app: &App) -> Bytes {
        let draw = || Ok(media::covers::Cover::new(&self.slug).to_svg().into());
        app.covers
            .svgs
            .get_or_draw(&self.slug, draw)
            .unwrap_or_else(|never: std::convert::Infallible| match never {})
    }

    /// A JPEG file of [`PREVIEW_SIZE`].
    ///
    /// # Errors
    /// [`Refusal::Busy`] while the service stops.
    pub async fn jpeg(&self, app: &App) -> Result<Bytes> {
        if let Some(drawn) = app.covers.jpegs.get(&self.slug) {
            return Ok(drawn);
        }
        let (slug, jpegs) = (self.slug.clone(), app.covers.jpegs.clone());
        // One at a time: anyone may request any number of them, and all but the first find it drawn.
        let drawn = app
            .concurrency
            .covers
            .run(move || jpegs.get_or_draw(&slug, || Ok(media::covers::Cover::new(&slug).to_jpeg()?.into())));
        drawn.await?
    }
}
