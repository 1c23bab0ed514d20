//! Results of a search that are opened again.

use app::App;
use app::guests::results;
use app::operations::runtime::limits::Limit;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::events::IndexingBody;
use crate::events::access::{ProofHeader, Visitor};
use crate::faces::{FaceBody, FoundPhotoBody};
use crate::operations::runtime::client_ip::ClientIp;
use crate::operations::runtime::error::{ErrorBody, Result};
use crate::operations::runtime::extract::Json;
use crate::operations::runtime::responses::{
    DoneBody, InvalidBody, PinRequired, RateLimited, Unavailable, done,
};
use crate::photos::albums::AlbumBody;

#[derive(Deserialize, ToSchema)]
pub(crate) struct ReopenBody {
    /// The `download_token` of a search. In the body, since addresses are logged.
    token: String,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct ReopenedBody {
    /// The event's name in links.
    slug: String,
    /// The photos that are still there and were not reported by this token, best first. How similar they are, and by which face, is not stored.
    matches: Vec<FoundPhotoBody>,
    /// The albums of the event that these photos are in; left out when they are in none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    albums: Vec<AlbumBody>,
    /// Always empty: nothing of the selfie is stored.
    faces: Vec<FaceBody>,
    indexing: IndexingBody,
    /// The token that was sent.
    download_token: String,
}

/// Opens the results of a search again, such as in another browser, for as long as their download token is valid.
#[utoipa::path(post, path = "/api/face/results", tag = "faces", request_body = ReopenBody, params(ProofHeader),
    responses(
        (status = 200, body = ReopenedBody),
        InvalidBody,
        RateLimited,
        PinRequired,
        (status = 404, body = ErrorBody, description = "The token is unknown or expired, or the event is gone"),
        Unavailable,
    ))]
pub(crate) async fn reopen(
    State(app): State<App>,
    client: ClientIp,
    Visitor(visitor): Visitor,
    Json(ReopenBody { token }): Json<ReopenBody>,
) -> Result<Json<ReopenedBody>> {
    client.check_rate_limit(&app, Limit::Results).await?;
    let results::Reopened { event, photos, albums } = results::reopen(&app, &visitor, &token).await?;
    Ok(Json(ReopenedBody {
        slug: event.slug,
        matches: photos.into_iter().map(FoundPhotoBody::from).collect(),
        albums: albums.into_iter().map(AlbumBody::from).collect(),
        faces: Vec::new(),
        indexing: event.indexing.into(),
        download_token: token,
    }))
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct MailedResultsBody {
    /// The `download_token` of a search.
    token: String,
    /// Where the link goes. It is not stored.
    #[serde(default)]
    #[schema(max_length = 254)]
    email: String,
    /// The language of the mail (BCP 47); English when it is left out, or there are no texts in it.
    #[serde(default)]
    language: String,
}

/// Mails the link to results, which opens them for 30 days. The answer comes when the mail server has taken the mail, and the address
/// is stored nowhere.
#[utoipa::path(post, path = "/api/face/results/mail", tag = "faces", request_body = MailedResultsBody, params(ProofHeader),
    responses(
        (status = 200, body = DoneBody, description = "The mail is sent"),
        InvalidBody,
        RateLimited,
        PinRequired,
        (status = 404, body = ErrorBody, description = "The token is unknown or expired, or the event is gone"),
        (status = 409, body = ErrorBody, description = "This installation sends no mails to guests"),
        Unavailable,
    ))]
pub(crate) async fn mail_results(
    State(app): State<App>,
    client: ClientIp,
    Visitor(visitor): Visitor,
    Json(MailedResultsBody { token, email, language }): Json<MailedResultsBody>,
) -> Result<Json<DoneBody>> {
    client.check_mail(&app, &email).await?;
    results::mail_link(&app, &visitor, &token, &email, &language).await?;
    Ok(done())
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct NotMeBody {
    /// The `download_token` of the search that found the photo.
    token: String,
    /// Its `photo_id`.
    photo_id: String,
}

/// Reports that a guest is not in a photo of their results. It counts for the photographer, once for each token and photo;
/// tokens that were chosen from each other are one. Nothing of the person is stored.
#[utoipa::path(post, path = "/api/face/not-me", tag = "faces", request_body = NotMeBody, params(ProofHeader),
    responses(
        (status = 204, description = "It is reported, now or before"),
        InvalidBody,
        RateLimited,
        PinRequired,
        (status = 404, body = ErrorBody, description = "The token is unknown or expired, or the photo is not among its photos"),
        Unavailable,
    ))]
pub(crate) async fn not_me(
    State(app): State<App>,
    client: ClientIp,
    Visitor(visitor): Visitor,
    Json(NotMeBody { token, photo_id }): Json<NotMeBody>,
) -> Result<StatusCode> {
    client.check_rate_limit(&app, Limit::Results).await?;
    results::report_not_me(&app, &visitor, &token, &photo_id).await?;
    Ok(StatusCode::NO_CONTENT)
}
