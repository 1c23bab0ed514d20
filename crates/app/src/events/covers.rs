//! The pictures of events, for their pages and for link previews: generated, so that they show no guest, unless the
//! photographer has chosen a photo.

use bytes::Bytes;
use domain::Refusal;
use domain::events::{covers, slugs};
use domain::photos::Size;
use domain::photos::focus::Focus;
use domain::photos::pixels::Pixels;
use domain::studio::studios::Ground;
use media::decoders::Priority;
use media::temp_files::Contents;

use crate::operations::runtime::{decoding, tasks};
use crate::studio::studios;
use crate::{App, Failure, Result, events};

/// Width and height of a link preview's picture in pixels.
pub const PREVIEW_SIZE: (u32, u32) = media::covers::JPEG_SIZE;

/// The slug of the picture of the whole site.
const SITE: &str = "afterglow";

/// Which picture to draw.
#[derive(Clone, Debug)]
pub struct Cover {
    slug: String,
    /// The photo that stands for the event.
    photo: Option<covers::Cover>,
    /// The name of the studio's logo on a link preview.
    logo: Option<String>,
}

/// The picture of the whole site.
pub fn site() -> Cover {
    Cover { slug: String::from(SITE), photo: None, logo: None }
}

/// The generated picture of any slug, whether or not an event has it: it tells nothing but what the slug does.
///
/// # Errors
/// [`Refusal::PathNotFound`] for what cannot be a slug.
pub fn of_slug(slug: String) -> Result<Cover> {
    if slugs::is_well_formed(&slug) {
        Ok(Cover { slug, photo: None, logo: None })
    } else {
        Err(Refusal::PathNotFound.into())
    }
}

/// The picture of an open event.
///
/// # Errors
/// [`Refusal::EventNotFound`].
pub async fn of_open_event(app: &App, slug: &str) -> Result<Cover> {
    let event = events::by_slug(app, slug).await?;
    let logo = studios::of_event(app, &event).await?.and_then(|studio| studio.logo);
    Ok(Cover { slug: event.slug, photo: event.cover, logo: logo.map(|logo| logo.name) })
}

impl Cover {
    /// Something that changes with the picture.
    pub fn version(&self) -> String {
        let drawn = format!("cover-{}-{}", media::covers::REVISION, self.slug);
        let photo = self.photo.map(|photo| match photo.focus.map(Focus::thousandths) {
            // What of the photo is shown.
            Some((x, y)) => format!("{}-{x}-{y}", photo.version()),
            None => photo.version(),
        });
        let parts = [photo, self.logo.clone()];
        parts.into_iter().flatten().fold(drawn, |version, part| format!("{version}-{part}"))
    }

    /// The generated picture as an SVG document.
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
        let name = self.version();
        if let Some(drawn) = app.covers.jpegs.get(&name) {
            return Ok(drawn);
        }
        let logo = match &self.logo {
            Some(logo) => Some(studios::logo(app, Ground::Light, logo).await?),
            None => None,
        };
        let logo = match logo {
            Some(logo) => Some(logo_pixels(app, logo).await?),
            None => None,
        };
        if let Some(photo) = self.photo {
            return from_photo(app, name, photo, logo).await;
        }
        let (slug, jpegs) = (self.slug.clone(), app.covers.jpegs.clone());
        // One at a time: anyone may request any number of them, and all but the first find it drawn.
        let drawn = app.concurrency.covers.run(move || {
            jpegs.get_or_draw(&name, || Ok(media::covers::Cover::new(&slug).to_jpeg(logo.as_ref())?.into()))
        });
        drawn.await?
    }
}

async fn logo_pixels(app: &App, logo: Bytes) -> Result<Pixels> {
    let mut picture = app.decoders.open(Contents::InMemory(logo), Priority::Foreground);
    let pixels = tasks::blocking(move || picture.decode(media::logos::LONG_SIDE, None)).await??;
    pixels.map_err(|error| Failure::Internal(format!("the logo of a studio: {error}")))
}

/// The part of a photo that a link preview shows.
async fn from_photo(app: &App, name: String, cover: covers::Cover, logo: Option<Pixels>) -> Result<Bytes> {
    let photo = storage::photos::by_id(&app.db, cover.photo).await?.ok_or(Refusal::FileNotFound)?;
    let key = photo.key.sized(Size::Preview);
    let preview = app.store.read(&key, None).await?.ok_or(Refusal::FileNotFound)?.whole().await?;
    let (preview, permit) = decoding::open(app, preview).await?;
    let jpegs = app.covers.jpegs.clone();
    let cut = app.concurrency.covers.run(move || {
        let _permit = permit;
        jpegs.get_or_draw(&name, || match decoding::pixels(preview)? {
            Ok(pixels) => Ok(media::covers::from_photo(&pixels, cover.focus, logo.as_ref())?.into()),
            Err(error) => Err(Failure::Internal(format!("the preview of photo {}: {error}", photo.id))),
        })
    });
    cut.await?
}
