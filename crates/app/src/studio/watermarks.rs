//! What photographers put on what guests see of their photos.

use bytes::Bytes;
use domain::Refusal;
use domain::accounts::User;
use domain::studio::studios::Ground;
use domain::studio::watermarks::{Opacity, Position, Sign, Watermark};

use crate::events::covers;
use crate::studio::{studios, watermarked};
use crate::{App, Result};

/// How long the name of a watermark is: nobody guesses one.
const NAME_LENGTH: usize = 24;

/// A watermark, as entered.
#[derive(Default)]
pub struct Form {
    /// What it says; empty where it is a logo of the studio's.
    pub text: String,
    /// Which of them: `light` or `dark`, as what it lies on; empty for the former.
    pub logo: String,
    /// A picture of the text, in black on white.
    pub lettering: Option<Bytes>,
    /// Where it is.
    pub position: String,
    /// In hundredths.
    pub opacity: String,
    /// Whether it is on what guests save in web size, too.
    pub on_downloads: bool,
}

/// A photographer's watermark; none before there is one.
///
/// # Errors
/// When the database fails.
pub async fn of_photographer(app: &App, user: &User) -> Result<Option<Watermark>> {
    watermarked::of_owner(app, user.id).await
}

/// Replaces a photographer's watermark. All photos have it at once for whoever opens or searches an event from now on.
///
/// # Errors
/// [`Refusal::WatermarkTextTooLong`], [`Refusal::WatermarkInvalid`], [`Refusal::StudioMissing`],
/// [`Refusal::WatermarkLogoMissing`], [`Refusal::WatermarkDarkLogoMissing`], or that of a picture that cannot be read.
pub async fn save(app: &App, user: &User, form: Form) -> Result<Watermark> {
    let watermark = Watermark {
        name: app.randomness.alphanumeric(NAME_LENGTH),
        sign: Sign::parse(&form.text, &form.logo)?,
        position: Position::parse(&form.position)?,
        opacity: Opacity::new(form.opacity.trim().parse().map_err(|_| Refusal::WatermarkInvalid)?)?,
        on_downloads: form.on_downloads,
    };
    studios::of_photographer(app, user).await?.ok_or(Refusal::StudioMissing)?;
    let lettering = match &watermark.sign {
        Sign::Text(_) => {
            let file = form.lettering.filter(|file| !file.is_empty()).ok_or(Refusal::WatermarkInvalid)?;
            Some(studios::made(app, Ground::Light, file).await?.bytes)
        }
        Sign::Logo(_) => None,
    };
    let mut tx = app.begin().await?;
    // The logo may be replaced at the same time.
    storage::accounts::users::lock(&mut tx, user.id).await?;
    let studio = storage::studio::studios::of_user(&mut *tx, user.id).await?.ok_or(Refusal::StudioMissing)?;
    let picture = match lettering {
        Some(lettering) => lettering,
        None => {
            let ground = watermark.sign.logo().unwrap_or_default();
            let missing = match ground {
                Ground::Light => Refusal::WatermarkLogoMissing,
                Ground::Dark => Refusal::WatermarkDarkLogoMissing,
            };
            let Some(logo) = studio.logo_for(ground) else { return Err(missing.into()) };
            let bytes = storage::studio::studios::logo(&mut *tx, ground, &logo.name).await?;
            bytes.ok_or(missing)?
        }
    };
    if !storage::studio::watermarks::save(&mut *tx, user.id, &watermark, &picture).await? {
        return Err(Refusal::StudioMissing.into());
    }
    tx.commit().await?;
    Ok(watermark)
}

/// Takes the watermark from a photographer's photos.
///
/// # Errors
/// When the database fails.
pub async fn remove(app: &App, user: &User) -> Result<()> {
    Ok(storage::studio::watermarks::delete(&app.db, user.id).await?)
}

/// The watermark of this name on a picture that shows nobody, as JPEG.
///
/// # Errors
/// [`Refusal::FileNotFound`].
pub async fn sample(app: &App, name: &str) -> Result<Bytes> {
    let watermark =
        storage::studio::watermarks::by_name(&app.db, name).await?.ok_or(Refusal::FileNotFound)?;
    let (mark, picture) = (watermarked::mark(app, &watermark).await?, covers::site().jpeg(app).await?);
    let slot = app.concurrency.marks.acquire().await?;
    watermarked::draw(app, slot, picture, mark).await
}
