//! Photos without strangers.

use app::App;
use app::faces::search;
use app::guests::without_strangers::{self, KeptPerson, SEARCHES};
use app::operations::runtime::limits::Limit;
use axum::body::Body;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::response::{IntoResponse as _, Response};
use domain::faces::REJECTED_FACES;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::events::access::{ProofHeader, Visitor};
use crate::operations::runtime::client_ip::ClientIp;
use crate::operations::runtime::error::{ErrorBody, Result};
use crate::operations::runtime::extract::{Json, Path};
use crate::operations::runtime::responses::{InvalidBody, RateLimited, Unavailable};

/// How many faces are softened.
const SOFTENED_FACES: HeaderName = HeaderName::from_static("softened-faces");

#[derive(Deserialize, ToSchema)]
pub(crate) struct WithoutStrangersBody {
    /// The `s3_key` of the photo.
    key: String,
    /// The searches of those whose faces are kept: the guest's, and those of friends. At most 8 count.
    searches: Vec<KeptPersonBody>,
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct KeptPersonBody {
    /// The `search_token` of a search in this event, or the `key` that the device keeps.
    token: String,
    /// As in the search by selfie: these faces are softened.
    #[serde(default)]
    not_me: Vec<String>,
}

/// A photo in which every face is softened beyond recognition but those of the people who were searched for: what guests may save of it
/// in web size, without metadata. It is drawn for this answer and stored nowhere. A face that is not detected stays as it is.
#[utoipa::path(post, path = "/api/face/without-strangers/{slug}", tag = "faces", request_body = WithoutStrangersBody,
    params(("slug" = String, Path, description = "The event's name in links"), ProofHeader),
    responses(
        (status = 200, description = "The picture", content_type = "image/jpeg",
            headers(("Softened-Faces" = u32, description = "How many faces are softened in it"))),
        InvalidBody,
        RateLimited,
        (status = 403, body = ErrorBody, description = "The event asks for a PIN, and the proof is missing or of an earlier one; \
            or its photographer offers no downloads"),
        (status = 404, body = ErrorBody, description = "No such event or photo; or a token is unknown, expired or revoked"),
        (status = 422, body = ErrorBody, description = "None of these people is found in the photo"),
        Unavailable,
    ))]
pub(crate) async fn without_strangers(
    State(app): State<App>,
    client: ClientIp,
    Visitor(visitor): Visitor,
    Path(slug): Path<String>,
    Json(WithoutStrangersBody { key, searches }): Json<WithoutStrangersBody>,
) -> Result<Response> {
    let event = app::events::access::by_slug(&app, &visitor, &slug).await?;
    client.check_guest(&app, Limit::RepeatedSearches, event.id).await?;
    let people = searches.into_iter().take(SEARCHES).map(|search| {
        // A page must not fail because a face is not there any more.
        let rejected = search.not_me.iter().filter_map(|id| id.trim().parse().ok());
        KeptPerson { token: search.token, rejected: rejected.take(REJECTED_FACES).collect() }
    });
    let people: Vec<KeptPerson> = people.collect();
    let drawn = search::within_deadline::<_, app::Failure>(&app, async {
        let admission = search::admit(&app, client.address()).await?;
        without_strangers::draw(&app, &event, &key, &people, admission).await
    })
    .await?;
    let mut headers = HeaderMap::new();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("image/jpeg"));
    headers.insert(SOFTENED_FACES, HeaderValue::from(drawn.softened));
    Ok((headers, Body::from(drawn.jpeg)).into_response())
}
