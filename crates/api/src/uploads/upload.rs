//! Photos that are uploaded in one form, and what is there already.

use app::App;
use app::operations::runtime::limits::Limit;
use app::photos::{self, Accepted};
use app::uploads::admission;
use axum::extract::State;
use axum::http::StatusCode;
use domain::Refusal;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::operations::runtime::client_ip::ClientIp;
use crate::operations::runtime::error::{ErrorBody, Result};
use crate::operations::runtime::extract::{Json, Uploader};
use crate::operations::runtime::responses::{InvalidBody, PhotographersOnly, RateLimited, Unavailable};
use crate::photos::PhotoBody;
use crate::photos::selections::event_id;
use crate::uploads::forms::{self, Form};

#[derive(ToSchema)]
#[allow(dead_code, reason = "describes the form in the contract")]
pub(crate) struct UploadForm {
    /// One image, at most 100 MB.
    #[schema(value_type = String, format = Binary, content_media_type = "application/octet-stream")]
    photos: Vec<u8>,
    /// The event it belongs to; left out, it belongs to the library.
    event_id: Option<String>,
    /// With `true` it takes the place of the photo there whose file had the same name, whatever picture's ending it has, if there
    /// is one. What is neither `true`
    /// nor `false` is refused.
    replace: Option<bool>,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct UploadedBody {
    #[serde(flatten)]
    photo: PhotoBody,
    /// Whether the same bytes were there already; then nothing was charged.
    duplicate: bool,
    /// Whether it has taken the place of another version, which keeps its id, album, hearts and downloads.
    replaced: bool,
}

/// Uploads one photo for one credit. The same bytes again cost nothing, so any upload may be repeated. With `replace` an edited
/// version takes the place of the photo of the same name, at no cost within 30 days of that photo's upload.
#[utoipa::path(post, path = "/api/photos/upload", tag = "photos", security(("bearer" = [])),
    request_body(content = UploadForm, content_type = "multipart/form-data"),
    responses(
        (status = 201, body = UploadedBody, description = "A new photo; it is stored, and its indexing is queued"),
        (status = 200, body = UploadedBody, description = "It was there already, or has taken the place of another version"),
        InvalidBody,
        PhotographersOnly,
        (status = 400, body = ErrorBody, description = "Not an image, incomplete, damaged, or too large to open"),
        (status = 402, body = ErrorBody, description = "Not enough credit"),
        (status = 404, body = ErrorBody, description = "No such event"),
        (status = 409, body = ErrorBody, description = "The event is being deleted or closed to uploads, or several photos have the name of the one to replace"),
        (status = 413, body = ErrorBody, description = "Larger than 100 MB"),
        (status = 429, body = ErrorBody, description = "Too many uploads at once by this account or address"),
        (status = 507, body = ErrorBody, description = "The disk is almost full"),
        Unavailable,
    ))]
pub(crate) async fn upload(
    State(app): State<App>,
    client: ClientIp,
    Uploader(owner): Uploader,
    mut form: Form,
) -> Result<(StatusCode, Json<UploadedBody>)> {
    let _admission = admission::admit(&app, &owner, client.address()).await?;
    let (mut photo, mut event, mut replaces) = (None, None, false);
    while let Some(field) = form.next(&Refusal::PhotoTooLarge).await? {
        match field.name() {
            Some("photos") => {
                if photo.is_some() {
                    return Err(Refusal::OnePhotoOnly.into());
                }
                let filename = forms::file_name(&field);
                photo = Some((filename, forms::photo(&app, field).await?));
            }
            Some("event_id") => {
                let text = forms::text(field).await?;
                event = (!text.trim().is_empty()).then(|| event_id(text.trim())).transpose()?;
            }
            Some("replace") => replaces = forms::flag(field).await?,
            // Unknown fields are ignored.
            _ => forms::skip(field, &Refusal::PhotoTooLarge).await?,
        }
    }
    let (filename, received) = photo.ok_or(Refusal::PhotoRequired)?;
    let accepted = if replaces {
        photos::replace(&app, &owner, event, &filename, received).await?
    } else {
        photos::accept(&app, &owner, event, &filename, received).await?
    };
    let (status, photo, duplicate, replaced) = match accepted {
        Accepted::New(photo) => (StatusCode::CREATED, PhotoBody::new(&app, photo).await?, false, false),
        Accepted::Replaced(photo) => (StatusCode::OK, PhotoBody::new(&app, photo).await?, false, true),
        Accepted::Duplicate(photo) => (StatusCode::OK, PhotoBody::new(&app, photo).await?, true, false),
        Accepted::OfSomebodyElse(photo) => (StatusCode::OK, PhotoBody::of_somebody_else(*photo), true, false),
    };
    Ok((status, Json(UploadedBody { photo, duplicate, replaced })))
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct KnownQuestion {
    /// The event; left out or null, the library.
    #[serde(default)]
    event_id: Option<String>,
    /// BLAKE3 of the files, each as 64 hexadecimal digits; at most 200.
    #[schema(max_items = 200)]
    hashes: Vec<String>,
    /// Whether the files will be uploaded with `replace`: one that was replaced itself may then come again, and is not among those
    /// that are there.
    #[serde(default)]
    replace: bool,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct KnownBody {
    /// Those of the hashes whose files are there, as 64 lower-case digits, in no order.
    known: Vec<String>,
    /// The ids of the photos that these files are, in the order of the hashes.
    photo_ids: Vec<String>,
}

/// Which of these files are there already, so that they need not be uploaded. Their originals are stored, as after an
/// upload that is answered with `duplicate`, or were replaced by an edited version that is.
#[utoipa::path(post, path = "/api/photos/known", tag = "photos", security(("bearer" = [])), request_body = KnownQuestion,
    responses(
        (status = 200, body = KnownBody),
        InvalidBody,
        PhotographersOnly,
        (status = 404, body = ErrorBody, description = "No such event"),
        (status = 409, body = ErrorBody, description = "The event is being deleted"),
        RateLimited,
        Unavailable,
    ))]
pub(crate) async fn known(
    State(app): State<App>,
    client: ClientIp,
    Uploader(owner): Uploader,
    Json(question): Json<KnownQuestion>,
) -> Result<Json<KnownBody>> {
    client.check_rate_limit(&app, Limit::Lookups).await?;
    let event = question.event_id.as_deref().map(event_id).transpose()?;
    let hashes = domain::photos::parse_hashes(&question.hashes)?;
    let known = photos::known(&app, &owner, event, &hashes, question.replace).await?;
    let (known, photo_ids) =
        known.iter().map(|(hash, photo)| (domain::photos::hash_text(hash), photo.to_string())).unzip();
    Ok(Json(KnownBody { known, photo_ids }))
}
