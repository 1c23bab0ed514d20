//! What guests see of who took their photos.

use app::App;
use app::studio::studios::{self, Form, LOGO_BYTES};
use axum::body::Body;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use domain::Refusal;
use domain::studio::studios::{Accent, Contact, Ground, Logo, Shade, Studio, Theme};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::operations::runtime::conditional::{header_value, matches_etag, not_modified};
use crate::operations::runtime::error::{ErrorBody, Result};
use crate::operations::runtime::extract::{Json, Path, Photographer, Query};
use crate::operations::runtime::responses::{DoneBody, InvalidBody, PhotographersOnly, done};
use crate::uploads::forms::{self, Form as MultipartForm};

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

/// A studio's logo: a JPEG file on white, or for dark grounds a PNG file with its transparency.
#[derive(Serialize, ToSchema)]
#[schema(as = StudioLogo)]
pub(crate) struct LogoBody {
    /// The path of the file, which never changes: another logo has another one.
    url: String,
    /// In pixels, at most 800.
    width: i64,
    /// In pixels, at most 800.
    height: i64,
}

impl LogoBody {
    fn new(ground: Ground, logo: &Logo) -> Self {
        let folder = match ground {
            Ground::Light => "logos",
            Ground::Dark => "dark-logos",
        };
        Self { url: format!("/api/studio/{folder}/{}", logo.name), width: logo.width, height: logo.height }
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
    logo: Option<LogoBody>,
    /// The logo for dark themes, covers and photos.
    dark_logo: Option<LogoBody>,
}

impl From<Studio> for StudioBody {
    fn from(studio: Studio) -> Self {
        let logo = |ground| studio.logo_for(ground).map(|logo| LogoBody::new(ground, logo));
        Self {
            logo: logo(Ground::Light),
            dark_logo: logo(Ground::Dark),
            name: studio.name,
            accent: studio.accent.map(AccentBody::from),
            website: studio.website.map(|website| website.as_str().to_owned()),
            instagram: studio.instagram.map(|handle| handle.as_str().to_owned()),
            contact: studio.contact.map(ContactBody::from),
        }
    }
}

/// What the page of an event of a studio with a logo, or at a host of its own, says that the service is called; empty where the operator leaves that out.
pub(crate) fn made_with(app: &App, studio: &Studio) -> Option<String> {
    let settings = app.settings();
    let has_logo = studio.logo.is_some() || studio.dark_logo.is_some();
    let name = if settings.names_itself { settings.site_name.clone() } else { String::new() };
    (has_logo || app.operator_url().is_some()).then_some(name)
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

/// A colour that may become a studio's.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct AccentQuery {
    /// #RRGGBB.
    #[serde(default)]
    color: String,
}

/// What the themes would make of a colour: itself where a button of it is seen, else the nearest that is.
#[utoipa::path(get, path = "/api/studio/accent", tag = "accounts", security(("bearer" = [])), params(AccentQuery),
    responses(
        (status = 200, body = AccentBody),
        InvalidBody,
        PhotographersOnly,
    ))]
pub(crate) async fn accent(
    Photographer(_user): Photographer,
    Query(query): Query<AccentQuery>,
) -> Result<Json<AccentBody>> {
    Ok(Json(Accent::parse(&query.color)?.into()))
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

/// The form of a logo.
#[derive(ToSchema)]
#[allow(dead_code, reason = "it describes the form, which is read as a stream")]
pub(crate) struct LogoForm {
    /// A PNG or JPEG file, at most 5 MB.
    #[schema(value_type = String, format = Binary, content_media_type = "application/octet-stream")]
    logo: Vec<u8>,
}

/// Gives the caller's studio a logo. What is kept is made anew of its pixels: at most 800 of them a side, on white.
#[utoipa::path(put, path = "/api/studio/logo", tag = "accounts", security(("bearer" = [])),
    request_body(content = LogoForm, content_type = "multipart/form-data"),
    responses(
        (status = 200, body = StudioBody),
        InvalidBody,
        PhotographersOnly,
        (status = 400, body = ErrorBody, description = "Neither PNG nor JPEG, incomplete, damaged, or not to be seen on white"),
        (status = 409, body = ErrorBody, description = "The caller has no studio"),
        (status = 413, body = ErrorBody, description = "Larger than 5 MB"),
    ))]
pub(crate) async fn upload_logo(
    State(app): State<App>,
    Photographer(user): Photographer,
    form: MultipartForm,
) -> Result<Json<StudioBody>> {
    let file = logo_of(form).await?;
    Ok(Json(studios::set_logo(&app, &user, Ground::Light, file).await?.into()))
}

/// Gives the caller's studio a logo for dark themes, covers and photos. What is kept is made anew of its pixels: at most 800
/// of them a side, with their transparency.
#[utoipa::path(put, path = "/api/studio/dark-logo", tag = "accounts", security(("bearer" = [])),
    request_body(content = LogoForm, content_type = "multipart/form-data"),
    responses(
        (status = 200, body = StudioBody),
        InvalidBody,
        PhotographersOnly,
        (status = 400, body = ErrorBody, description = "Neither PNG nor JPEG, incomplete, damaged, or not to be seen on a dark background"),
        (status = 409, body = ErrorBody, description = "The caller has no studio"),
        (status = 413, body = ErrorBody, description = "Larger than 5 MB"),
    ))]
pub(crate) async fn upload_dark_logo(
    State(app): State<App>,
    Photographer(user): Photographer,
    form: MultipartForm,
) -> Result<Json<StudioBody>> {
    let file = logo_of(form).await?;
    Ok(Json(studios::set_logo(&app, &user, Ground::Dark, file).await?.into()))
}

async fn logo_of(mut form: MultipartForm) -> Result<Bytes> {
    let too_large = Refusal::StudioLogoTooLarge;
    let mut file = None;
    while let Some(field) = form.next(&too_large).await? {
        if field.name() == Some("logo") {
            file = Some(forms::bytes(field, LOGO_BYTES, &too_large, &mut None).await?);
        } else {
            forms::skip(field, &too_large).await?;
        }
    }
    Ok(file.filter(|file| !file.is_empty()).ok_or(Refusal::StudioLogoRequired)?)
}

/// Takes the logo from the caller's studio.
#[utoipa::path(delete, path = "/api/studio/logo", tag = "accounts", security(("bearer" = [])), responses(
    (status = 200, body = DoneBody),
    PhotographersOnly,
))]
pub(crate) async fn remove_logo(
    State(app): State<App>,
    Photographer(user): Photographer,
) -> Result<Json<DoneBody>> {
    studios::remove_logo(&app, &user, Ground::Light).await?;
    Ok(done())
}

/// Takes the logo for dark themes, covers and photos from the caller's studio.
#[utoipa::path(delete, path = "/api/studio/dark-logo", tag = "accounts", security(("bearer" = [])), responses(
    (status = 200, body = DoneBody),
    PhotographersOnly,
))]
pub(crate) async fn remove_dark_logo(
    State(app): State<App>,
    Photographer(user): Photographer,
) -> Result<Json<DoneBody>> {
    studios::remove_logo(&app, &user, Ground::Dark).await?;
    Ok(done())
}

/// The file of a logo, for everybody: whoever has an event's link sees it there.
#[utoipa::path(get, path = "/api/studio/logos/{name}", tag = "accounts",
    params(("name" = String, Path, description = "The logo's name")),
    responses(
        (status = 200, description = "The bytes", content_type = "image/jpeg"),
        (status = 304, description = "The caller has it already"),
        (status = 404, body = ErrorBody, description = "No such logo, or no longer"),
    ))]
pub(crate) async fn logo(
    State(app): State<App>,
    Path(name): Path<String>,
    request_headers: HeaderMap,
) -> Result<Response> {
    send(&app, Ground::Light, &name, &request_headers).await
}

/// The file of a logo for dark grounds, likewise.
#[utoipa::path(get, path = "/api/studio/dark-logos/{name}", tag = "accounts",
    params(("name" = String, Path, description = "The logo's name")),
    responses(
        (status = 200, description = "The bytes", content_type = "image/png"),
        (status = 304, description = "The caller has it already"),
        (status = 404, body = ErrorBody, description = "No such logo, or no longer"),
    ))]
pub(crate) async fn dark_logo(
    State(app): State<App>,
    Path(name): Path<String>,
    request_headers: HeaderMap,
) -> Result<Response> {
    send(&app, Ground::Dark, &name, &request_headers).await
}

async fn send(app: &App, ground: Ground, name: &str, request_headers: &HeaderMap) -> Result<Response> {
    let file = studios::logo(app, ground, name).await?;
    let etag = format!("\"{name}\"");
    let media_type = match ground {
        Ground::Light => "image/jpeg",
        Ground::Dark => "image/png",
    };
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("public, max-age=31536000, immutable"));
    headers.insert(ETAG, header_value(&etag)?);
    if matches_etag(request_headers, &etag) {
        return not_modified(headers, &etag);
    }
    Ok((headers, Body::from(file)).into_response())
}
