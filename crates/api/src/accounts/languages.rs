//! The language of mails to the caller.

use app::App;
use app::accounts::languages;
use axum::extract::State;
use axum::http::HeaderMap;
use domain::accounts::languages::AccountLanguage;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::operations::runtime::error::Result;
use crate::operations::runtime::extract::{Json, PhotographerWithSession};
use crate::operations::runtime::languages::preferred;
use crate::operations::runtime::responses::{InvalidBody, PhotographersOnly};

/// The language that a request prefers of those in which there are mails.
pub(crate) fn of_request(headers: &HeaderMap) -> AccountLanguage {
    AccountLanguage::preferred(&preferred(headers))
}

/// The language of mails to the caller and of their receipts. Screens are in a language of the device.
#[derive(Serialize, Deserialize, ToSchema)]
pub(crate) struct LanguageBody {
    /// `en` or `hi`. At first the one that the request preferred with which the account was made.
    language: String,
}

impl From<AccountLanguage> for LanguageBody {
    fn from(language: AccountLanguage) -> Self {
        Self { language: language.tag().to_owned() }
    }
}

/// The language of mails to the caller.
#[utoipa::path(get, path = "/api/auth/language", tag = "accounts", security(("bearer" = [])), responses(
    (status = 200, body = LanguageBody),
    PhotographersOnly,
))]
pub(crate) async fn language(
    PhotographerWithSession(user): PhotographerWithSession,
) -> Result<Json<LanguageBody>> {
    Ok(Json(user.language.into()))
}

/// Chooses the language of mails to the caller.
#[utoipa::path(put, path = "/api/auth/language", tag = "accounts", security(("bearer" = [])), request_body = LanguageBody,
    responses(
        (status = 200, body = LanguageBody),
        InvalidBody,
        PhotographersOnly,
    ))]
pub(crate) async fn set_language(
    State(app): State<App>,
    PhotographerWithSession(user): PhotographerWithSession,
    Json(body): Json<LanguageBody>,
) -> Result<Json<LanguageBody>> {
    Ok(Json(languages::set(&app, &user, &body.language).await?.into()))
}
