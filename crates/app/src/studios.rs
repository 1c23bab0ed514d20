//! What guests see of who took their photos.

use domain::Refusal;
use domain::accounts::User;
use domain::events::Event;
use domain::studios::{self, Accent, Contact, Handle, Studio, Website};

use crate::{App, Result};

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
    Ok(storage::studios::of_user(&app.db, user.id).await?)
}

/// The studio whose event it is.
///
/// # Errors
/// When the database fails.
pub async fn of_event(app: &App, event: &Event) -> Result<Option<Studio>> {
    Ok(storage::studios::of_user(&app.db, event.owner).await?)
}

/// Replaces a photographer's studio. All events show it at once.
///
/// # Errors
/// The refusals of its fields, or [`Refusal::SignInRequired`] when the account was closed meanwhile.
pub async fn save(app: &App, user: &User, form: &Form) -> Result<Studio> {
    let studio = form.parse()?;
    let mut tx = app.begin().await?;
    if !storage::studios::save(&mut tx, user.id, &studio).await? {
        return Err(Refusal::SignInRequired.into());
    }
    tx.commit().await?;
    Ok(studio)
}

/// Removes a photographer's studio: all events look as before there was one.
///
/// # Errors
/// When the database fails.
pub async fn remove(app: &App, user: &User) -> Result<()> {
    Ok(storage::studios::delete(&app.db, user.id).await?)
}
