//! Lists of photos by the names of their files.

use app::App;
use app::photos::name_lists::{self, Format, List};
use axum::extract::State;
use axum::http::HeaderMap;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::guests::archives;
use crate::operations::runtime::conditional::header_value;
use crate::operations::runtime::error::{ErrorBody, Result};
use crate::operations::runtime::extract::{Json, Photographer};
use crate::operations::runtime::responses::{InvalidBody, PhotographersOnly, Unavailable};
use crate::photos::selections::PhotoChoice;

#[derive(Deserialize, ToSchema)]
pub(crate) struct NameListChoice {
    #[serde(flatten)]
    photos: PhotoChoice,
    /// `txt`: a text, one name a line. `csv`: a table (RFC 4180) with a header line and a byte order mark. `xmp`: a ZIP of XMP
    /// sidecars, each named as the photo with the ending `xmp`.
    format: String,
    /// With true, names are written without their endings, as those of raw files end otherwise; sidecars have none anyway.
    #[serde(default)]
    without_endings: bool,
    /// What sidecars say: 1 to 5 stars; left out or null, nothing.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 5)]
    rating: Option<i64>,
    /// What sidecars say: `red`, `yellow`, `green`, `blue` or `purple`; left out or null, nothing.
    #[serde(default)]
    label: Option<String>,
}

/// Lists photos of an event of the caller, or of the library, by the names of their files, in the order of `photo_ids`; those
/// that are not there are left out.
#[utoipa::path(post, path = "/api/photos/names", tag = "photos", security(("bearer" = [])),
    request_body = NameListChoice,
    responses(
        (status = 200, description = "The list", content(
            (String = "text/plain"), (String = "text/csv"), (Vec<u8> = "application/zip"))),
        InvalidBody,
        PhotographersOnly,
        (status = 400, body = ErrorBody, description = "Neither photos nor all are chosen, or too many, or a field is bad, and the text says which"),
        (status = 404, body = ErrorBody, description = "No such event, or none of the photos is there"),
        Unavailable,
    ))]
pub(crate) async fn list_names(
    State(app): State<App>,
    Photographer(owner): Photographer,
    Json(choice): Json<NameListChoice>,
) -> Result<Response> {
    let NameListChoice { photos, format, without_endings, rating, label } = choice;
    let (event, chosen) = photos.parse()?;
    let format = Format::parse(&format, rating, label.as_deref())?;
    let (list, name) = name_lists::list(&app, &owner, event, chosen, format, !without_endings).await?;
    let saved = |media_type: &str, ending: &str| -> Result<_> {
        let disposition = format!("attachment; filename=\"{name}.{ending}\"");
        Ok([(CONTENT_TYPE, header_value(media_type)?), (CONTENT_DISPOSITION, header_value(&disposition)?)])
    };
    Ok(match list {
        List::Text(text) => (saved("text/plain; charset=utf-8", "txt")?, text).into_response(),
        List::Table(table) => (saved("text/csv; charset=utf-8", "csv")?, table).into_response(),
        List::Sidecars(archive) => archives::send(&archive, &HeaderMap::new(), None)?,
    })
}
