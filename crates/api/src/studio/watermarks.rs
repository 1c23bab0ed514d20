//! What photographers put on what guests see of their photos.

use app::App;
use app::studio::studios::LOGO_BYTES;
use app::studio::watermarks::{self, Form};
use axum::body::Body;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{IntoResponse, Response};
use domain::Refusal;
use domain::studio::studios::Ground;
use domain::studio::watermarks::{Position, Watermark};
use serde::Serialize;
use utoipa::ToSchema;

use crate::operations::runtime::conditional::{header_value, matches_etag, not_modified};
use crate::operations::runtime::error::{ErrorBody, Result};
use crate::operations::runtime::extract::{Json, Path, Photographer};
use crate::operations::runtime::responses::{DoneBody, InvalidBody, PhotographersOnly, done};
use crate::uploads::forms::{self, Form as MultipartForm};

/// Where a watermark is on a picture.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = WatermarkPosition)]
pub(crate) enum PositionBody {
    BottomRight,
    BottomLeft,
    Center,
    /// All over the picture.
    Tiled,
}

impl From<Position> for PositionBody {
    fn from(position: Position) -> Self {
        match position {
            Position::BottomRight => Self::BottomRight,
            Position::BottomLeft => Self::BottomLeft,
            Position::Center => Self::Center,
            Position::Tiled => Self::Tiled,
        }
    }
}

/// Which of a studio's logos.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = WatermarkLogo)]
pub(crate) enum GroundBody {
    /// The logo, on white.
    Light,
    /// The logo for dark grounds, with a shadow.
    Dark,
}

impl From<Ground> for GroundBody {
    fn from(ground: Ground) -> Self {
        match ground {
            Ground::Light => Self::Light,
            Ground::Dark => Self::Dark,
        }
    }
}

/// What is on the photos that guests see.
#[derive(Serialize, ToSchema)]
#[schema(as = Watermark)]
pub(crate) struct WatermarkBody {
    /// What it says; null where it is a logo of the studio's.
    text: Option<String>,
    /// Which of them; null where it is a text.
    logo: Option<GroundBody>,
    position: PositionBody,
    /// In hundredths, 10 to 100.
    opacity: u8,
    /// Whether it is on what guests save in web size, too.
    on_downloads: bool,
    /// The path of a picture with it, which shows nobody. Another watermark has another one.
    sample_url: String,
}

impl From<Watermark> for WatermarkBody {
    fn from(watermark: Watermark) -> Self {
        Self {
            sample_url: format!("/api/studio/watermarks/{}", watermark.name),
            text: watermark.sign.text().map(str::to_owned),
            logo: watermark.sign.logo().map(GroundBody::from),
            position: watermark.position.into(),
            opacity: watermark.opacity.hundredths(),
            on_downloads: watermark.on_downloads,
        }
    }
}

#[derive(Serialize, ToSchema)]
pub(crate) struct OwnWatermarkBody {
    /// Null while there is none.
    watermark: Option<WatermarkBody>,
}

/// The caller's watermark.
#[utoipa::path(get, path = "/api/studio/watermark", tag = "accounts", security(("bearer" = [])), responses(
    (status = 200, body = OwnWatermarkBody),
    PhotographersOnly,
))]
pub(crate) async fn watermark(
    State(app): State<App>,
    Photographer(user): Photographer,
) -> Result<Json<OwnWatermarkBody>> {
    let watermark = watermarks::of_photographer(&app, &user).await?;
    Ok(Json(OwnWatermarkBody { watermark: watermark.map(WatermarkBody::from) }))
}

/// The form of a watermark.
#[derive(ToSchema)]
#[allow(dead_code, reason = "it describes the form, which is read as a stream")]
pub(crate) struct WatermarkForm {
    /// What it says; left out or empty for a logo of the studio's.
    #[schema(max_length = 60)]
    text: Option<String>,
    /// Which of them; left out, it is the one on white.
    logo: Option<GroundBody>,
    /// A PNG or JPEG file with the text in black on white, at most 5 MB; it goes with a text alone.
    #[schema(value_type = Option<String>, format = Binary, content_media_type = "application/octet-stream")]
    lettering: Option<Vec<u8>>,
    position: PositionBody,
    /// In hundredths.
    #[schema(minimum = 10, maximum = 100)]
    opacity: u8,
    /// Whether it is on what guests save in web size, too; left out, it is not.
    on_downloads: Option<bool>,
}

/// Replaces the caller's watermark, which is on the previews that guests see from now on, of all photos there are. Originals
/// and thumbnails have none.
#[utoipa::path(put, path = "/api/studio/watermark", tag = "accounts", security(("bearer" = [])),
    request_body(content = WatermarkForm, content_type = "multipart/form-data"),
    responses(
        (status = 200, body = WatermarkBody),
        InvalidBody,
        PhotographersOnly,
        (status = 400, body = ErrorBody, description = "A field is missing or bad, or the picture cannot be read"),
        (status = 409, body = ErrorBody, description = "The caller has no studio, or it has no logo"),
        (status = 413, body = ErrorBody, description = "Larger than 5 MB"),
    ))]
pub(crate) async fn save_watermark(
    State(app): State<App>,
    Photographer(user): Photographer,
    mut form: MultipartForm,
) -> Result<Json<WatermarkBody>> {
    let too_large = Refusal::StudioLogoTooLarge;
    let mut entered = Form::default();
    while let Some(field) = form.next(&too_large).await? {
        match field.name() {
            Some("text") => entered.text = forms::text(field).await?,
            Some("logo") => entered.logo = forms::text(field).await?,
            Some("position") => entered.position = forms::text(field).await?,
            Some("opacity") => entered.opacity = forms::text(field).await?,
            Some("on_downloads") => entered.on_downloads = forms::flag(field).await?,
            Some("lettering") => {
                entered.lettering = Some(forms::bytes(field, LOGO_BYTES, &too_large, &mut None).await?);
            }
            // Unknown fields are ignored.
            _ => forms::skip(field, &too_large).await?,
        }
    }
    Ok(Json(watermarks::save(&app, &user, entered).await?.into()))
}

/// Takes the watermark from the caller's photos.
#[utoipa::path(delete, path = "/api/studio/watermark", tag = "accounts", security(("bearer" = [])), responses(
    (status = 200, body = DoneBody),
    PhotographersOnly,
))]
pub(crate) async fn remove_watermark(
    State(app): State<App>,
    Photographer(user): Photographer,
) -> Result<Json<DoneBody>> {
    watermarks::remove(&app, &user).await?;
    Ok(done())
}

/// A watermark on a picture that shows nobody.
#[utoipa::path(get, path = "/api/studio/watermarks/{name}", tag = "accounts",
    params(("name" = String, Path, description = "The watermark's name")),
    responses(
        (status = 200, description = "The bytes", content_type = "image/jpeg"),
        (status = 304, description = "The caller has it already"),
        (status = 404, body = ErrorBody, description = "No such watermark, or no longer"),
    ))]
pub(crate) async fn sample(
    State(app): State<App>,
    Path(name): Path<String>,
    request_headers: HeaderMap,
) -> Result<Response> {
    let etag = format!("\"{name}\"");
    let mut headers = HeaderMap::new();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, max-age=31536000, immutable"));
    if matches_etag(&request_headers, &etag) {
        return not_modified(headers, &etag);
    }
    let file = watermarks::sample(&app, &name).await?;
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("image/jpeg"));
    headers.insert(ETAG, header_value(&etag)?);
    Ok((headers, Body::from(file)).into_response())
}
