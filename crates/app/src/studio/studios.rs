//! What guests see of who took their photos.

use bytes::Bytes;
use domain::Refusal;
use domain::accounts::User;
use domain::events::Event;
use domain::studio::studios::{self, Accent, Contact, Ground, Handle, Logo, Studio, Website};
use media::decoders::{Priority, Purpose};
use media::logos::Unfit;
use media::temp_files::Contents;

use crate::operations::runtime::tasks;
use crate::{App, Result, uploads};

/// The largest file that can be a logo, in bytes.
pub const LOGO_BYTES: usize = 5_000_000;
/// How long the name of a logo is: nobody guesses one.
const LOGO_NAME_LENGTH: usize = 32;

/// A studio, as entered. What is empty is left out.
#[derive(Default)]
pub struct Form {
    /// What it is called.
    pub name: String,
    /// The colour of its buttons.
    pub accent: String,
    /// Its website.
    pub website: String,
    /// Its handle at Instagram.
    pub instagram: String,
    /// How it is reached.
    pub contact: String,
}

impl Form {
    fn parse(&self) -> std::result::Result<Studio, Refusal> {
        Ok(Studio {
            name: studios::parse_name(&self.name)?,
            accent: entered(&self.accent, Accent::parse)?,
            website: entered(&self.website, Website::parse)?,
            instagram: entered(&self.instagram, Handle::parse)?,
            contact: entered(&self.contact, Contact::parse)?,
            logo: None,
            dark_logo: None,
        })
    }
}

/// What was entered in a field that may be empty.
fn entered<T>(
    text: &str,
    parse: impl FnOnce(&str) -> std::result::Result<T, Refusal>,
) -> std::result::Result<Option<T>, Refusal> {
    if text.trim().is_empty() { Ok(None) } else { parse(text).map(Some) }
}

/// A photographer's studio; none before there is one.
///
/// # Errors
/// When the database fails.
pub async fn of_photographer(app: &App, user: &User) -> Result<Option<Studio>> {
    Ok(storage::studio::studios::of_user(&app.db, user.id).await?)
}

/// The studio whose event it is.
///
/// # Errors
/// When the database fails.
pub async fn of_event(app: &App, event: &Event) -> Result<Option<Studio>> {
    Ok(storage::studio::studios::of_user(&app.db, event.owner).await?)
}

/// Replaces a photographer's studio. All events show it at once.
///
/// # Errors
/// The refusals of its fields, or [`Refusal::SignInRequired`] when the account was closed meanwhile.
pub async fn save(app: &App, user: &User, form: &Form) -> Result<Studio> {
    let studio = form.parse()?;
    let mut tx = app.begin().await?;
    if !storage::studio::studios::save(&mut tx, user.id, &studio).await? {
        return Err(Refusal::SignInRequired.into());
    }
    tx.commit().await?;
    of_photographer(app, user).await?.ok_or_else(|| Refusal::SignInRequired.into())
}

/// Removes a photographer's studio: all events look as before there was one.
///
/// # Errors
/// When the database fails.
pub async fn remove(app: &App, user: &User) -> Result<()> {
    Ok(storage::studio::studios::delete(&app.db, user.id).await?)
}

/// Gives a photographer's studio a logo for such a ground, which is judged as every upload is and kept without what the file says about itself.
///
/// # Errors
/// [`Refusal::StudioMissing`], [`Refusal::StudioLogoFormat`], [`Refusal::StudioLogoInvisible`],
/// [`Refusal::StudioDarkLogoInvisible`], or that of a file that cannot be read.
pub async fn set_logo(app: &App, user: &User, ground: Ground, file: Bytes) -> Result<Studio> {
    of_photographer(app, user).await?.ok_or(Refusal::StudioMissing)?;
    let made = made(app, ground, file).await?;
    let name = app.randomness.alphanumeric(LOGO_NAME_LENGTH);
    let logo = Logo { name, width: i64::from(made.width), height: i64::from(made.height) };
    let mut tx = app.begin().await?;
    // A watermark of the logo may be saved at the same time.
    storage::accounts::users::lock(&mut tx, user.id).await?;
    if !storage::studio::studios::set_logo(&mut *tx, user.id, ground, &logo, &made.bytes).await? {
        return Err(Refusal::StudioMissing.into());
    }
    let mark = app.randomness.alphanumeric(LOGO_NAME_LENGTH);
    storage::studio::watermarks::follow_logo(&mut *tx, user.id, ground, &mark, &made.bytes).await?;
    tx.commit().await?;
    of_photographer(app, user).await?.ok_or_else(|| Refusal::StudioMissing.into())
}

/// What is kept of a file that is to be a logo, or a picture of a text.
pub(crate) async fn made(app: &App, ground: Ground, file: Bytes) -> Result<media::logos::Logo> {
    let slot = app.concurrency.inspections.acquire().await?;
    let mut picture = app.decoders.open(Contents::InMemory(file), Priority::Foreground);
    let ((mut picture, needed), slot) = tasks::blocking_with(slot, move || {
        let needed = picture.memory(Purpose::Decode { at_least: media::logos::LONG_SIDE });
        (picture, needed)
    })
    .await?;
    let memory = app.decode_memory.acquire(needed?.map_err(uploads::refusal)?).await?;
    let (made, _) =
        tasks::blocking_with((slot, memory), move || media::logos::make(&mut picture, ground)).await?;
    made.map_err(|unfit| match unfit {
        Unfit::Format => Refusal::StudioLogoFormat.into(),
        Unfit::Unreadable(unreadable) => uploads::refusal(unreadable).into(),
        Unfit::Invisible => match ground {
            Ground::Light => Refusal::StudioLogoInvisible.into(),
            Ground::Dark => Refusal::StudioDarkLogoInvisible.into(),
        },
        Unfit::NotEncodable(error) => error.into(),
        Unfit::Decoder(error) => error.into(),
    })
}

/// Takes the logo for such a ground from a photographer's studio.
///
/// # Errors
/// When the database fails.
pub async fn remove_logo(app: &App, user: &User, ground: Ground) -> Result<()> {
    Ok(storage::studio::studios::delete_logo(&app.db, user.id, ground).await?)
}

/// The file of a logo for such a ground.
///
/// # Errors
/// [`Refusal::FileNotFound`].
pub async fn logo(app: &App, ground: Ground, name: &str) -> Result<Bytes> {
    let bytes = storage::studio::studios::logo(&app.db, ground, name).await?;
    Ok(bytes.ok_or(Refusal::FileNotFound)?.into())
}
