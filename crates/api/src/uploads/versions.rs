//! Which photos files of some names are other versions of.

use app::operations::runtime::limits::Limit;
use app::{App, photos};
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::operations::runtime::client_ip::ClientIp;
use crate::operations::runtime::error::{ErrorBody, Result};
use crate::operations::runtime::extract::{Json, Uploader};
use crate::operations::runtime::responses::{InvalidBody, PhotographersOnly, RateLimited, Unavailable};
use crate::photos::selections::event_id;

/// The largest question: 1,000 names of 255 characters.
pub(crate) const BYTES: usize = 1_100 * 1024;

#[derive(Deserialize, ToSchema)]
pub(crate) struct VersionsQuestion {
    /// The event; left out or null, the library.
    #[serde(default)]
    event_id: Option<String>,
    /// Names of files; at most 1,000.
    #[schema(max_items = 1000)]
    names: Vec<String>,
}

/// The photo that a file would take the place of.
#[derive(Serialize, ToSchema)]
pub(crate) struct VersionBody {
    /// The name that was asked for.
    name: String,
    /// The id of the photo.
    photo_id: String,
    /// The name of the photo's file.
    filename: String,
    /// Whether that costs nothing.
    free: bool,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct VersionsBody {
    /// Those of the names by which a photo would be replaced, in their order.
    versions: Vec<VersionBody>,
}

/// Which photos files of these names would take the place of, were they uploaded with `replace`. Names are compared without case,
/// ways to write accents and endings of pictures; one that no photo has, or several, is not among the answers.
#[utoipa::path(post, path = "/api/photos/versions", tag = "photos", security(("bearer" = [])), request_body = VersionsQuestion,
    responses(
        (status = 200, body = VersionsBody),
        InvalidBody,
        PhotographersOnly,
        (status = 404, body = ErrorBody, description = "No such event"),
        (status = 409, body = ErrorBody, description = "The event is being deleted"),
        RateLimited,
        Unavailable,
    ))]
pub(crate) async fn versions(
    State(app): State<App>,
    client: ClientIp,
    Uploader(owner): Uploader,
    Json(question): Json<VersionsQuestion>,
) -> Result<Json<VersionsBody>> {
    client.check_rate_limit(&app, Limit::Lookups).await?;
    let event = question.event_id.as_deref().map(event_id).transpose()?;
    domain::photos::versions::check_names(&question.names)?;
    let found = photos::versions(&app, &owner, event, &question.names).await?;
    let versions = found.into_iter().map(|version| VersionBody {
        name: version.name,
        photo_id: version.photo.to_string(),
        filename: version.filename,
        free: version.is_free,
    });
    Ok(Json(VersionsBody { versions: versions.collect() }))
}
