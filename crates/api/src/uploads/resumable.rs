//! Uploads that go on where their line was cut: the tus protocol 1.0.0 (<https://tus.io/protocols/resumable-upload>), its
//! core and the extensions creation, expiration, checksum and termination.

use app::App;
use app::uploads::resumable::{self, Checksum, NewUpload, Piece, Sender, Upload};
use axum::body::Body;
use axum::extract::{FromRequestParts, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE, LOCATION};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse as _, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use domain::accounts::User;
use domain::photos::{ContentHash, MAX_BYTES, parse_hashes};
use domain::{EventId, Refusal, UploadId};
use utoipa::IntoParams;

use crate::operations::runtime::client_ip::ClientIp;
use crate::operations::runtime::conditional::header_value;
use crate::operations::runtime::error::{Error, ErrorBody, Result};
use crate::operations::runtime::extract::{Path, Uploader};
use crate::operations::runtime::responses::{PhotographersOnly, Unavailable};
use crate::operations::runtime::state::AppState;
use crate::uploads::forms;

/// The version of the protocol.
const VERSION: &str = "1.0.0";
const PATH: &str = "/api/photos/uploads";
const EXTENSIONS: &str = "creation,expiration,checksum,termination";
/// The content type of pieces.
const PIECE_TYPE: &str = "application/offset+octet-stream";
/// Longest metadata, in characters.
const METADATA_LENGTH: usize = 4_096;

const TUS_RESUMABLE: &str = "tus-resumable";
const TUS_VERSION: &str = "tus-version";
const TUS_EXTENSION: &str = "tus-extension";
const TUS_MAX_SIZE: &str = "tus-max-size";
const TUS_CHECKSUM_ALGORITHM: &str = "tus-checksum-algorithm";
pub(crate) const UPLOAD_LENGTH: &str = "upload-length";
const UPLOAD_OFFSET: &str = "upload-offset";
const UPLOAD_METADATA: &str = "upload-metadata";
pub(crate) const UPLOAD_EXPIRES: &str = "upload-expires";
const UPLOAD_CHECKSUM: &str = "upload-checksum";
const METHOD_OVERRIDE: &str = "x-http-method-override";
// Those that are not the protocol's.
const PHOTO_ID: &str = "photo-id";
const PHOTO_DUPLICATE: &str = "photo-duplicate";
const PHOTO_REPLACED: &str = "photo-replaced";

/// A client that speaks this version of the protocol; no other is listened to.
pub(crate) struct Tus;

impl FromRequestParts<AppState> for Tus {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &AppState) -> Result<Self> {
        if parts.headers.get(TUS_RESUMABLE).is_some_and(|version| version == VERSION) {
            Ok(Self)
        } else {
            Err(Refusal::UploadVersionUnsupported.into())
        }
    }
}

/// What every answer says, a refusal too.
pub(crate) async fn with_version(mut response: Response) -> Response {
    let is_other_version = response.status() == StatusCode::PRECONDITION_FAILED;
    let headers = response.headers_mut();
    headers.insert(TUS_RESUMABLE, HeaderValue::from_static(VERSION));
    if is_other_version {
        headers.insert(TUS_VERSION, HeaderValue::from_static(VERSION));
    }
    response
}

#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
#[allow(dead_code, reason = "describes headers in the contract")]
pub(crate) struct VersionHeader {
    /// `1.0.0`.
    #[param(rename = "Tus-Resumable")]
    version: String,
}

#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
#[allow(dead_code, reason = "describes headers in the contract")]
pub(crate) struct CreationHeaders {
    /// How many bytes the file has.
    #[param(rename = "Upload-Length")]
    length: u64,
    /// `filename` and `event_id`, each followed by a space and its value in Base64, with commas between. Without `event_id`
    /// the photo belongs to the library. With `replace`, whose value is `true`, it takes the place of the photo of the same name;
    /// what is neither `true` nor `false` is refused.
    /// `blake3` is the hash of the whole file in hexadecimal: when its last byte is here, bytes with another one are refused.
    #[param(rename = "Upload-Metadata")]
    metadata: Option<String>,
}

#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
#[allow(dead_code, reason = "describes headers in the contract")]
pub(crate) struct PieceHeaders {
    /// Where the piece begins: the number of bytes that are here already.
    #[param(rename = "Upload-Offset")]
    offset: u64,
    /// `sha1` or `sha256`, a space, and the checksum of the piece in Base64.
    #[param(rename = "Upload-Checksum")]
    checksum: Option<String>,
}

/// What this server can do of the tus protocol, by which photos are uploaded in pieces.
#[utoipa::path(options, path = "/api/photos/uploads", tag = "photos", responses(
    (status = 204, description = "`Tus-Version`, `Tus-Extension`, `Tus-Max-Size` and `Tus-Checksum-Algorithm` say it"),
))]
pub(crate) async fn upload_capabilities() -> Result<Response> {
    let mut response = StatusCode::NO_CONTENT.into_response();
    let headers = response.headers_mut();
    headers.insert(TUS_VERSION, HeaderValue::from_static(VERSION));
    headers.insert(TUS_EXTENSION, HeaderValue::from_static(EXTENSIONS));
    headers.insert(TUS_MAX_SIZE, HeaderValue::from(MAX_BYTES));
    headers.insert(TUS_CHECKSUM_ALGORITHM, header_value(&Checksum::algorithms())?);
    Ok(response)
}

/// The same for one upload.
#[utoipa::path(options, path = "/api/photos/uploads/{id}", tag = "photos",
    params(("id" = String, Path, description = "Anything")),
    responses(
        (status = 204, description = "As for all uploads"),
    ))]
pub(crate) async fn upload_capabilities_of_one() -> Result<Response> {
    upload_capabilities().await
}

/// Begins an upload in pieces. It is charged like any other, and only when its last byte is here.
#[utoipa::path(post, path = "/api/photos/uploads", tag = "photos", security(("bearer" = [])),
    params(VersionHeader, CreationHeaders),
    responses(
        (status = 201, description = "`Location` is where its pieces go, `Upload-Expires` until when"),
        PhotographersOnly,
        (status = 400, body = ErrorBody, description = "A header is missing or bad, and the text says which; or the file is empty"),
        (status = 404, body = ErrorBody, description = "No such event"),
        (status = 409, body = ErrorBody, description = "The event is being deleted"),
        (status = 412, body = ErrorBody, description = "Another version of the protocol, or none"),
        (status = 413, body = ErrorBody, description = "Larger than 100 MB"),
        (status = 429, body = ErrorBody, description = "Too many uploads of this address are not complete"),
        (status = 507, body = ErrorBody, description = "The disk is almost full"),
        Unavailable,
    ))]
pub(crate) async fn create_upload(
    State(app): State<App>,
    client: ClientIp,
    Uploader(owner): Uploader,
    _tus: Tus,
    headers: HeaderMap,
) -> Result<Response> {
    let length = number(&headers, UPLOAD_LENGTH).ok_or(Refusal::UploadLengthRequired)?;
    let new = new_upload(&headers, length)?;
    let upload = resumable::begin(&app, &account(owner), client.address(), new).await?;
    let mut response = StatusCode::CREATED.into_response();
    let headers = response.headers_mut();
    headers.insert(LOCATION, header_value(&format!("{PATH}/{}", upload.id))?);
    headers.insert(UPLOAD_EXPIRES, header_value(&upload.expires_at.to_http_date())?);
    Ok(response)
}

/// How many bytes of an upload are here. While a photo is not taken in, one is missing.
#[utoipa::path(head, path = "/api/photos/uploads/{id}", tag = "photos", security(("bearer" = [])),
    params(("id" = String, Path, description = "The upload's id"), VersionHeader),
    responses(
        (status = 200, description = "`Upload-Offset` and `Upload-Length` say it; `Photo-Id`, `Photo-Duplicate` and `Photo-Replaced` say what it became"),
        (status = 401, description = "No session, or one that has ended"),
        (status = 403, description = "Not a photographer"),
        (status = 404, description = "No such upload, or it has expired"),
        (status = 412, description = "Another version of the protocol, or none"),
    ))]
pub(crate) async fn upload_state(
    State(app): State<App>,
    Uploader(owner): Uploader,
    _tus: Tus,
    Path(id): Path<String>,
) -> Result<Response> {
    let upload = resumable::state(&app, &account(owner), upload_id(&id)?).await?;
    let mut response = progress(StatusCode::OK, &upload)?;
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(UPLOAD_LENGTH, HeaderValue::from(upload.length));
    if let Some(metadata) = &upload.metadata {
        headers.insert(UPLOAD_METADATA, header_value(metadata)?);
    }
    Ok(response)
}

/// Sends a piece. With the last one the photo is taken in: inspected, charged and queued as by the other call, and refused
/// as there. What came of a piece that was cut stays.
#[utoipa::path(patch, path = "/api/photos/uploads/{id}", tag = "photos", security(("bearer" = [])),
    params(("id" = String, Path, description = "The upload's id"), VersionHeader, PieceHeaders),
    request_body(content = String, content_type = "application/offset+octet-stream"),
    responses(
        (status = 204, description = "`Upload-Offset` says how many bytes are here; after the last one `Photo-Id`, `Photo-Duplicate` and `Photo-Replaced` say what they became"),
        PhotographersOnly,
        (status = 400, body = ErrorBody, description = "A header is missing or bad, and the text says which; or it is no image, incomplete, damaged, or too large to open"),
        (status = 402, body = ErrorBody, description = "Not enough credit: the last byte may be sent again later"),
        (status = 404, body = ErrorBody, description = "No such upload, or it has expired; or its event is gone"),
        (status = 409, body = ErrorBody, description = "It begins elsewhere; or the event is being deleted"),
        (status = 412, body = ErrorBody, description = "Another version of the protocol, or none"),
        (status = 413, body = ErrorBody, description = "More bytes than the file was to have"),
        (status = 415, body = ErrorBody, description = "Another content type"),
        (status = 429, body = ErrorBody, description = "Too many uploads at once by this account or address"),
        (status = 460, body = ErrorBody, description = "The bytes do not have the checksum, and none of them was kept; or the whole file has another hash than was announced, and the upload is gone"),
        (status = 507, body = ErrorBody, description = "The disk is almost full"),
        Unavailable,
    ))]
pub(crate) async fn append_to_upload(
    State(app): State<App>,
    client: ClientIp,
    Uploader(owner): Uploader,
    _tus: Tus,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response> {
    let id = upload_id(&id)?;
    let piece = piece_of(&headers)?;
    let body = body.into_data_stream();
    let upload = resumable::append(&app, &account(owner), client.address(), id, piece, body).await?;
    progress(StatusCode::NO_CONTENT, &upload)
}

/// Ends an upload, and removes what is here of it. A photo that it became stays.
#[utoipa::path(delete, path = "/api/photos/uploads/{id}", tag = "photos", security(("bearer" = [])),
    params(("id" = String, Path, description = "The upload's id"), VersionHeader),
    responses(
        (status = 204, description = "It is gone"),
        PhotographersOnly,
        (status = 404, body = ErrorBody, description = "No such upload, or it has expired"),
        (status = 412, body = ErrorBody, description = "Another version of the protocol, or none"),
    ))]
pub(crate) async fn end_upload(
    State(app): State<App>,
    Uploader(owner): Uploader,
    _tus: Tus,
    Path(id): Path<String>,
) -> Result<StatusCode> {
    resumable::end(&app, &account(owner), upload_id(&id)?).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// For clients that cannot send PATCH, DELETE or HEAD: the method is in a header.
#[utoipa::path(post, path = "/api/photos/uploads/{id}", tag = "photos", security(("bearer" = [])),
    params(("id" = String, Path, description = "The upload's id"), VersionHeader,
        ("X-HTTP-Method-Override" = String, Header, description = "`PATCH`, `DELETE` or `HEAD`")),
    request_body(content = String, content_type = "application/offset+octet-stream"),
    responses(
        (status = 200, description = "As for HEAD"),
        (status = 204, description = "As for PATCH or DELETE"),
        PhotographersOnly,
        (status = 404, body = ErrorBody, description = "No such upload, or it has expired"),
        (status = 405, body = ErrorBody, description = "Another method, or none"),
        (status = 412, body = ErrorBody, description = "Another version of the protocol, or none"),
    ))]
pub(crate) async fn upload_by_override(
    state: State<App>,
    client: ClientIp,
    owner: Uploader,
    tus: Tus,
    id: Path<String>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response> {
    match headers.get(METHOD_OVERRIDE).map(HeaderValue::as_bytes) {
        Some(b"PATCH") => append_to_upload(state, client, owner, tus, id, headers, body).await,
        Some(b"DELETE") => Ok(end_upload(state, owner, tus, id).await?.into_response()),
        Some(b"HEAD") => upload_state(state, owner, tus, id).await,
        _ => Err(Refusal::MethodNotAllowed.into()),
    }
}

fn account(owner: User) -> Sender {
    Sender::Account(Box::new(owner))
}

/// What the headers of a piece say.
pub(crate) fn piece_of(headers: &HeaderMap) -> Result<Piece> {
    if !is_piece(headers) {
        return Err(Refusal::UploadTypeWrong.into());
    }
    let offset = number(headers, UPLOAD_OFFSET).ok_or(Refusal::UploadOffsetRequired)?;
    let checksum = match headers.get(UPLOAD_CHECKSUM) {
        Some(value) => Some(Checksum::parse(value.to_str().unwrap_or_default())?),
        None => None,
    };
    Ok(Piece { offset, length: number(headers, CONTENT_LENGTH.as_str()), checksum })
}

/// An answer that says how an upload stands.
pub(crate) fn progress(status: StatusCode, upload: &Upload) -> Result<Response> {
    let mut response = status.into_response();
    let headers = response.headers_mut();
    headers.insert(UPLOAD_OFFSET, HeaderValue::from(upload.offset));
    match upload.taken {
        None => {
            headers.insert(UPLOAD_EXPIRES, header_value(&upload.expires_at.to_http_date())?);
        }
        Some(taken) => {
            headers.insert(PHOTO_ID, header_value(&taken.photo.to_string())?);
            let yes_or_no = |is: bool| HeaderValue::from_static(if is { "true" } else { "false" });
            headers.insert(PHOTO_DUPLICATE, yes_or_no(taken.duplicate));
            headers.insert(PHOTO_REPLACED, yes_or_no(taken.replaced));
        }
    }
    Ok(response)
}

pub(crate) fn upload_id(text: &str) -> Result<UploadId> {
    text.parse().map_err(|_| Refusal::UploadNotFound.into())
}

fn is_piece(headers: &HeaderMap) -> bool {
    let content_type = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    content_type.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case(PIECE_TYPE)
}

/// A non-negative integer; none for everything else.
pub(crate) fn number(headers: &HeaderMap, name: &str) -> Option<u64> {
    let text = headers.get(name)?.to_str().ok()?;
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

/// What is said of an upload by its keys.
pub(crate) struct Metadata {
    text: Option<String>,
    pairs: Vec<(String, String)>,
}

impl Metadata {
    pub(crate) fn find(&self, wanted: &str) -> Option<String> {
        self.pairs.iter().find(|(key, _)| key == wanted).map(|(_, value)| value.clone())
    }

    /// The hash that the whole file is to have.
    pub(crate) fn hash(&self) -> Result<Option<ContentHash>> {
        let hash = self.find("blake3").map(|text| parse_hashes(&[text.trim().to_owned()]));
        Ok(hash.transpose()?.and_then(|hashes| hashes.into_iter().next()))
    }
}

/// Reads the metadata of an upload; there may be none.
pub(crate) fn metadata(headers: &HeaderMap) -> Result<Metadata> {
    let Some(value) = headers.get(UPLOAD_METADATA) else {
        return Ok(Metadata { text: None, pairs: Vec::new() });
    };
    let text = value.to_str().map_err(|_| Refusal::UploadMetadataInvalid)?;
    let pairs = pairs(text).ok_or(Refusal::UploadMetadataInvalid)?;
    let pairs = pairs.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
    Ok(Metadata { text: Some(text.to_owned()), pairs })
}

/// What the metadata say of a photographer's upload.
fn new_upload(headers: &HeaderMap, length: u64) -> Result<NewUpload> {
    let said = metadata(headers)?;
    let event = said.find("event_id").filter(|text| !text.trim().is_empty());
    let event = event.map(|text| text.trim().parse::<EventId>()).transpose();
    Ok(NewUpload {
        event: event.map_err(|_| Refusal::EventNotFound)?,
        filename: said.find("filename").unwrap_or_default(),
        replaces: said
            .find("replace")
            .map(|text| forms::parse_flag("replace", &text))
            .transpose()?
            .unwrap_or_default(),
        hash: said.hash()?,
        metadata: said.text,
        length,
    })
}

/// The keys and texts of metadata; none when they are not of the protocol's form, or not UTF-8.
fn pairs(metadata: &str) -> Option<Vec<(&str, String)>> {
    if metadata.len() > METADATA_LENGTH {
        return None;
    }
    let mut pairs: Vec<(&str, String)> = Vec::new();
    for pair in metadata.split(',') {
        let (key, value) = pair.trim().split_once(' ').unwrap_or((pair.trim(), ""));
        let is_new = !key.is_empty() && pairs.iter().all(|(known, _)| *known != key);
        let text = String::from_utf8(STANDARD.decode(value.trim()).ok()?).ok()?;
        is_new.then(|| pairs.push((key, text)))?;
    }
    Some(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metadata_are_pairs_of_keys_and_base64_texts() {
        let read = |text| pairs(text).map(|pairs| format!("{pairs:?}"));
        assert_eq!(
            read("filename YS5qcGc=,is_confidential").unwrap(),
            r#"[("filename", "a.jpg"), ("is_confidential", "")]"#
        );
        assert_eq!(read("a , b YQ==").unwrap(), r#"[("a", ""), ("b", "a")]"#);
        for bad in ["", "a YQ==,a Yg==", ",", "a ???", "a /w==", "a YQ== YQ==", &"x".repeat(4_097)] {
            assert_eq!(read(bad), None, "{bad}");
        }
    }
}
