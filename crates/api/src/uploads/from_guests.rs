//! Photos that guests send in pieces, by the protocol of photographers' uploads.

use app::App;
use app::guests::guest_photos;
use app::uploads::resumable::{self, NewUpload, Sender};
use axum::body::Body;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, LOCATION};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse as _, Response};
use domain::Refusal;
use domain::guests::guest_photos::parse_name;

use crate::events::access::ProofHeader;
use crate::guests::guest_photos::{Device, DeviceHeader};
use crate::operations::runtime::client_ip::ClientIp;
use crate::operations::runtime::conditional::header_value;
use crate::operations::runtime::error::{ErrorBody, Result};
use crate::operations::runtime::extract::Path;
use crate::operations::runtime::responses::{PinRequired, Unavailable};
use crate::uploads::resumable::{
    PieceHeaders, Tus, UPLOAD_EXPIRES, UPLOAD_LENGTH, VersionHeader, metadata, number, piece_of, progress,
    upload_id,
};

/// Begins to send a photo to an event whose photographer takes photos from guests. Once its last byte is here it waits, seen by nobody
/// but the photographer and this device, until it is let in. Counted by address and by event.
#[utoipa::path(post, path = "/api/face/guest-photos/{slug}/uploads", tag = "faces",
    params(
        ("slug" = String, Path, description = "The event's name in links"),
        DeviceHeader, ProofHeader, VersionHeader,
        ("Upload-Length" = u64, Header, description = "How many bytes the file has"),
        ("Upload-Metadata" = Option<String>, Header, description = "`filename`, `name` (what the guest is called) and `blake3`, each followed by a space and its value in Base64, with commas between"),
    ),
    responses(
        (status = 201, description = "`Location` is where its pieces go, `Upload-Expires` until when"),
        (status = 400, body = ErrorBody, description = "A header is missing or bad, and the text says which; or the file is empty"),
        PinRequired,
        (status = 404, body = ErrorBody, description = "No such event"),
        (status = 409, body = ErrorBody, description = "The photographer takes no photos from guests, this device may add no more, or too many wait"),
        (status = 412, body = ErrorBody, description = "Another version of the protocol, or none"),
        (status = 413, body = ErrorBody, description = "Larger than 100 MB"),
        (status = 429, body = ErrorBody, description = "Too many photos of this address or to this event"),
        (status = 507, body = ErrorBody, description = "The disk is almost full"),
        Unavailable,
    ))]
pub(crate) async fn create_guest_upload(
    State(app): State<App>,
    client: ClientIp,
    Device { visitor, secret: device }: Device,
    _tus: Tus,
    Path(slug): Path<String>,
    headers: HeaderMap,
) -> Result<Response> {
    let length = number(&headers, UPLOAD_LENGTH).ok_or(Refusal::UploadLengthRequired)?;
    let sent = metadata(&headers)?;
    let name = parse_name(&sent.find("name").unwrap_or_default())?;
    let guest = guest_photos::guest(&app, &visitor, &slug, &device).await?;
    let new = NewUpload {
        event: Some(guest.event.id),
        filename: sent.find("filename").unwrap_or_default(),
        hash: sent.hash()?,
        metadata: None,
        length,
        replaces: false,
    };
    let sender = Sender::Guest(Box::new(guest), name);
    let upload = resumable::begin(&app, &sender, client.address(), new).await?;
    let mut response = StatusCode::CREATED.into_response();
    let headers = response.headers_mut();
    headers.insert(LOCATION, header_value(&format!("/api/face/guest-photos/{slug}/uploads/{}", upload.id))?);
    headers.insert(UPLOAD_EXPIRES, header_value(&upload.expires_at.to_http_date())?);
    Ok(response)
}

/// How many bytes of a guest's photo are here.
#[utoipa::path(head, path = "/api/face/guest-photos/{slug}/uploads/{id}", tag = "faces",
    params(
        ("slug" = String, Path, description = "The event's name in links"),
        ("id" = String, Path, description = "The upload's id"),
        DeviceHeader, ProofHeader, VersionHeader,
    ),
    responses(
        (status = 200, description = "`Upload-Offset` and `Upload-Length` say it; `Photo-Id` and `Photo-Duplicate` say what it became"),
        (status = 400, description = "The device's secret is missing or bad"),
        (status = 403, description = "The event asks for a PIN"),
        (status = 404, description = "No such upload of this device, or it has expired; or no such event"),
        (status = 412, description = "Another version of the protocol, or none"),
    ))]
pub(crate) async fn guest_upload_state(
    State(app): State<App>,
    Device { visitor, secret: device }: Device,
    _tus: Tus,
    Path((slug, id)): Path<(String, String)>,
) -> Result<Response> {
    let guest = guest_photos::guest(&app, &visitor, &slug, &device).await?;
    let sender = Sender::Guest(Box::new(guest), None);
    let upload = resumable::state(&app, &sender, upload_id(&id)?).await?;
    let mut response = progress(StatusCode::OK, &upload)?;
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(UPLOAD_LENGTH, HeaderValue::from(upload.length));
    Ok(response)
}

/// Sends a piece of a guest's photo. With the last one it is inspected as any upload, and waits for the photographer.
#[utoipa::path(patch, path = "/api/face/guest-photos/{slug}/uploads/{id}", tag = "faces",
    params(
        ("slug" = String, Path, description = "The event's name in links"),
        ("id" = String, Path, description = "The upload's id"),
        DeviceHeader, ProofHeader, VersionHeader, PieceHeaders,
    ),
    request_body(content = String, content_type = "application/offset+octet-stream"),
    responses(
        (status = 204, description = "`Upload-Offset` says how many bytes are here; after the last one `Photo-Id` and `Photo-Duplicate` say what they became"),
        (status = 400, body = ErrorBody, description = "A header is missing or bad, and the text says which; or it is no image, incomplete, damaged, or too large to open"),
        PinRequired,
        (status = 404, body = ErrorBody, description = "No such upload of this device, or it has expired; or no such event"),
        (status = 409, body = ErrorBody, description = "It begins elsewhere; or photos from guests are taken no more"),
        (status = 412, body = ErrorBody, description = "Another version of the protocol, or none"),
        (status = 413, body = ErrorBody, description = "More bytes than the file was to have"),
        (status = 415, body = ErrorBody, description = "Another content type"),
        (status = 429, body = ErrorBody, description = "Too many uploads at once to this event or by this address"),
        (status = 460, body = ErrorBody, description = "The bytes do not have the checksum, and none of them was kept; or the whole file has another hash than was announced, and the upload is gone"),
        (status = 507, body = ErrorBody, description = "The disk is almost full"),
        Unavailable,
    ))]
pub(crate) async fn append_to_guest_upload(
    State(app): State<App>,
    client: ClientIp,
    Device { visitor, secret: device }: Device,
    _tus: Tus,
    Path((slug, id)): Path<(String, String)>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response> {
    let id = upload_id(&id)?;
    let piece = piece_of(&headers)?;
    let guest = guest_photos::guest(&app, &visitor, &slug, &device).await?;
    let sender = Sender::Guest(Box::new(guest), None);
    let body = body.into_data_stream();
    let upload = resumable::append(&app, &sender, client.address(), id, piece, body).await?;
    progress(StatusCode::NO_CONTENT, &upload)
}

/// Ends the upload of a guest's photo, and removes what is here of it. What it became waits.
#[utoipa::path(delete, path = "/api/face/guest-photos/{slug}/uploads/{id}", tag = "faces",
    params(
        ("slug" = String, Path, description = "The event's name in links"),
        ("id" = String, Path, description = "The upload's id"),
        DeviceHeader, ProofHeader, VersionHeader,
    ),
    responses(
        (status = 204, description = "It is gone"),
        (status = 400, body = ErrorBody, description = "The device's secret is missing or bad"),
        PinRequired,
        (status = 404, body = ErrorBody, description = "No such upload of this device, or it has expired; or no such event"),
        (status = 412, body = ErrorBody, description = "Another version of the protocol, or none"),
    ))]
pub(crate) async fn end_guest_upload(
    State(app): State<App>,
    Device { visitor, secret: device }: Device,
    _tus: Tus,
    Path((slug, id)): Path<(String, String)>,
) -> Result<StatusCode> {
    let guest = guest_photos::guest(&app, &visitor, &slug, &device).await?;
    resumable::end(&app, &Sender::Guest(Box::new(guest), None), upload_id(&id)?).await?;
    Ok(StatusCode::NO_CONTENT)
}
