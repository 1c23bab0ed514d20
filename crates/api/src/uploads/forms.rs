//! Multipart forms (RFC 7578), read as a stream.

use app::App;
use app::faces::search::Admission;
use app::photos::{TempFile, Upload};
use axum::extract::multipart::{Field, Multipart, MultipartError, MultipartRejection};
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use bytes::{Bytes, BytesMut};
use domain::Refusal;

use crate::operations::runtime::error::{Error, Result};
use crate::operations::runtime::extract::nul_character;
use crate::operations::runtime::state::AppState;

/// What a form adds to the files in it, in bytes.
pub(crate) const FORM_BYTES: usize = 64 * 1024;
/// The largest form with a photo. The photo itself is measured as it comes in.
#[allow(clippy::cast_possible_truncation, reason = "100 MB fit every machine's usize")]
pub const UPLOAD_BYTES: usize = domain::photos::MAX_BYTES as usize + FORM_BYTES;
/// Longest text field in bytes; all of them are ids, numbers and keywords.
const TEXT_BYTES: usize = 1_000;

/// A multipart body.
pub(crate) struct Form(Multipart);

impl FromRequest<AppState> for Form {
    type Rejection = Error;

    async fn from_request(request: Request, _: &AppState) -> Result<Self> {
        Self::open(request).await
    }
}

impl Form {
    /// The form in the body of a request.
    pub(crate) async fn open(request: Request) -> Result<Self> {
        match Multipart::from_request(request, &()).await {
            Ok(multipart) => Ok(Self(multipart)),
            Err(MultipartRejection::InvalidBoundary(_)) => Err(Refusal::FormUnreadable.into()),
            Err(rejection) => Err(Refusal::Malformed(rejection.body_text()).into()),
        }
    }

    /// The next field; none at the end of the body.
    pub(crate) async fn next(&mut self, too_large: &Refusal) -> Result<Option<Field<'_>>> {
        self.0.next_field().await.map_err(|error| body_error(&error, too_large))
    }
}

/// Reads a text field.
pub(crate) async fn text(mut field: Field<'_>) -> Result<String> {
    let mut bytes = BytesMut::new();
    while let Some(chunk) = chunk(&mut field, &Refusal::BodyTooLarge).await? {
        bytes.extend_from_slice(&chunk);
        if bytes.len() > TEXT_BYTES {
            return Err(Refusal::Malformed(String::from("A text field of the form is too long.")).into());
        }
    }
    if bytes.contains(&0) {
        return Err(nul_character());
    }
    String::from_utf8(bytes.to_vec())
        .map_err(|_| Refusal::Malformed(String::from("A text field of the form is not UTF-8.")).into())
}

/// Reads a file into memory, at most `limit` bytes, each of which is reserved with `admission` as it comes in.
pub(crate) async fn bytes(
    mut field: Field<'_>,
    limit: usize,
    too_large: &Refusal,
    admission: &mut Option<Admission>,
) -> Result<Bytes> {
    let mut bytes = BytesMut::new();
    while let Some(chunk) = chunk(&mut field, too_large).await? {
        if bytes.len() + chunk.len() > limit {
            return Err(too_large.clone().into());
        }
        if let Some(admission) = admission {
            admission.reserve(chunk.len())?;
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes.freeze())
}

/// Streams a photo to disk.
pub(crate) async fn photo(app: &App, mut field: Field<'_>) -> Result<TempFile> {
    let mut upload = Upload::begin(app).await?;
    while let Some(chunk) = chunk(&mut field, &Refusal::PhotoTooLarge).await? {
        upload.write(&chunk).await?;
    }
    Ok(upload.finish().await?)
}

async fn chunk(field: &mut Field<'_>, too_large: &Refusal) -> Result<Option<Bytes>> {
    field.chunk().await.map_err(|error| body_error(&error, too_large))
}

fn body_error(error: &MultipartError, too_large: &Refusal) -> Error {
    if error.status() == StatusCode::PAYLOAD_TOO_LARGE {
        return too_large.clone().into();
    }
    // Every other error means an incomplete form; the framework's text says no more.
    Refusal::Malformed(String::from("The upload was interrupted before it was complete.")).into()
}
