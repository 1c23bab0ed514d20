//! What guests see of who took their photos.

use app::App;
use app::studios::{self, Form};
use axum::extract::State;
use domain::studios::{Accent, Contact, Shade, Studio, Theme};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::error::Result;
use crate::extract::{Json, Photographer};
use crate::responses::{DoneBody, InvalidBody, PhotographersOnly, done};

/// The colours of a button; its label can be read on it, and it can be seen on every surface of its theme.
#[derive(Serialize, ToSchema)]
#[schema(as = Shade)]
pub(crate) struct ShadeBody {
    /// #rrggbb.
    background: String,
    /// #rrggbb.
    label: String,
}

impl From<Shade> for ShadeBody {
    fn from(shade: Shade) -> Self {
        Self { background: shade.background.to_string(), label: shade.label.to_string() }
    }
}

/// The colour of a studio.
#[derive(Serialize, ToSchema)]
#[schema(as = Accent)]
pub(crate) struct AccentBody {
    /// As it was chosen, #rrggbb.
    color: String,
    /// What the light theme makes of it.
    light: ShadeBody,
    /// What the dark theme makes of it.
    dark: ShadeBody,
}

impl From<Accent> for AccentBody {
    fn from(accent: Accent) -> Self {
        Self {
            color: accent.color().to_string(),
            light: accent.shade(Theme::Light).into(),
            dark: accent.shade(Theme::Dark).into(),
        }
    }
}

/// How a studio is reached.
#[derive(Serialize, ToSchema)]
#[schema(as = StudioContact)]
pub(crate) struct ContactBody {
    /// A mail address or a phone number, as it was entered.
    text: String,
    /// The link that begins a mail or a call.
    url: String,
}

impl From<Contact> for ContactBody {
    fn from(contact: Contact) -> Self {
        Self { text: contact.as_str().to_owned(), url: contact.url() }
    }
}

/// Who took the photos.
#[derive(Serialize, ToSchema)]
#[schema(as = Studio)]
pub(crate) struct StudioBody {
    name: String,
    /// Null for the design's own colour.
    accent: Option<AccentBody>,
    /// An https address.
    website: Option<String>,
    /// Without the @.
    instagram: Option<String>,
    contact: Option<ContactBody>,
}

impl From<Studio> for StudioBody {
    fn from(studio: Studio) -> Self {
        Self {
            name: studio.name,
            accent: studio.accent.map(AccentBody::from),
            website: studio.website.map(|website| website.as_str().to_owned()),
            instagram: studio.instagram.map(|handle| handle.as_str().to_owned()),
            contact: studio.contact.map(ContactBody::from),
        }
    }
}

#[derive(Serialize, ToSchema)]
pub(crate) struct OwnStudioBody {
    /// Null before there is one: events look as if there were none.
    studio: Option<StudioBody>,
}

/// The caller's studio.
#[utoipa::path(get, path = "/api/studio", tag = "accounts", security(("bearer" = [])), responses(
    (status = 200, body = OwnStudioBody),
    PhotographersOnly,
))]
pub(crate) async fn studio(
    State(app): State<App>,
    Photographer(user): Photographer,
) -> Result<Json<OwnStudioBody>> {
    let studio = studios::of_photographer(&app, &user).await?;
    Ok(Json(OwnStudioBody { studio: studio.map(StudioBody::from) }))
}

/// A studio; a field that is empty or left out has nothing to show.
#[derive(Deserialize, ToSchema)]
#[schema(as = NewStudio)]
pub(crate) struct NewStudioBody {
    #[serde(default)]
    #[schema(max_length = 80)]
    name: String,
    /// #RRGGBB.
    #[serde(default)]
    accent: Option<String>,
    /// An https address; the scheme may be left out.
    #[serde(default)]
    #[schema(max_length = 200)]
    website: Option<String>,
    /// With or without the @, or the address of the page.
    #[serde(default)]
    instagram: Option<String>,
    /// A mail address or a phone number.
    #[serde(default)]
    contact: Option<String>,
}

/// Replaces the caller's studio, which all events show from now on.
#[utoipa::path(put, path = "/api/studio", tag = "accounts", security(("bearer" = [])), request_body = NewStudioBody,
    responses(
        (status = 200, body = StudioBody),
        InvalidBody,
        PhotographersOnly,
    ))]
pub(crate) async fn save_studio(
    State(app): State<App>,
    Photographer(user): Photographer,
    Json(body): Json<NewStudioBody>,
) -> Result<Json<StudioBody>> {
    let form = Form {
        name: body.name,
        accent: body.accent.unwrap_or_default(),
        website: body.website.unwrap_or_default(),
        instagram: body.instagram.unwrap_or_default(),
        contact: body.contact.unwrap_or_default(),
    };
    Ok(Json(studios::save(&app, &user, &form).await?.into()))
}

/// Removes the caller's studio: all events look as before there was one.
#[utoipa::path(delete, path = "/api/studio", tag = "accounts", security(("bearer" = [])), responses(
    (status = 200, body = DoneBody),
    PhotographersOnly,
))]
pub(crate) async fn remove_studio(
    State(app): State<App>,
    Photographer(user): Photographer,
) -> Result<Json<DoneBody>> {
    studios::remove(&app, &user).await?;
    Ok(done())
}
