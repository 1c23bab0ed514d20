//! The language of mails to photographers.

use domain::accounts::User;
use domain::accounts::languages::AccountLanguage;

use crate::{App, Result};

/// Mails to an account are in this language from now on, those too that wait.
///
/// # Errors
/// [`domain::Refusal::LanguageUnknown`]
pub async fn set(app: &App, user: &User, tag: &str) -> Result<AccountLanguage> {
    let language = AccountLanguage::parse(tag)?;
    storage::accounts::users::set_language(&app.db, user.id, language).await?;
    Ok(language)
}
