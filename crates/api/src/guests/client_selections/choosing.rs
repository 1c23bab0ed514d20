//! What a client does at the address of a selection.

use app::App;
use app::guests::client_selections::choosing::{self, Change, Opened};
use app::guests::results::FoundPhoto;
use app::operations::runtime::limits::Limit;
use axum::extract::State;
use domain::guests::client_selections::Mark;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::events::access::{AccessBody, PinEnteredBody, ProofHeader, Visitor};
use crate::operations::runtime::client_ip::ClientIp;
use crate::operations::runtime::error::{ErrorBody, Result};
use crate::operations::runtime::extract::{Json, Path, Query};
use crate::operations::runtime::responses::{DoneBody, InvalidBody, RateLimited, Unavailable, done};
use crate::photos::focus::FocusBody;
use crate::photos::stacks::StackBody;
use crate::studio::studios::StudioBody;

/// A selection, for a call that counts for the client's address.
async fn counted(app: &App, client: ClientIp, secret: &str) -> Result<Opened> {
    let opened = choosing::open(app, secret).await?;
    client.check_guest(app, Limit::Results, opened.event.id).await?;
    Ok(opened)
}

/// A selection as its client sees it.
#[derive(Serialize, ToSchema)]
#[schema(as = OpenedSelection)]
pub(crate) struct OpenedBody {
    /// The event's.
    event_name: String,
    /// Whose event it is; null where its photographer has said nothing about that.
    studio: Option<StudioBody>,
    /// What else there is to know; null until the PIN was entered that is asked for.
    selection: Option<ChoosingBody>,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct ChoosingBody {
    /// What the client is called.
    name: String,
    /// How many photos may be chosen; null for any number.
    photo_limit: Option<u32>,
    /// The last day for choosing, YYYY-MM-DD; null for no end.
    #[schema(format = Date)]
    due_on: Option<String>,
    /// Whether that day is over: nothing can be changed any more.
    is_over: bool,
    /// Whether the client has finished: nothing can be changed until the photographer reopens it.
    is_done: bool,
    /// How many photos there are to choose from.
    total: i64,
    /// How many of them are chosen.
    chosen: i64,
}

/// What a client was asked to choose.
#[utoipa::path(get, path = "/api/selections/{secret}", tag = "photos",
    params(("secret" = String, Path, description = "What the address of the client's page ends with"), ProofHeader),
    responses(
        (status = 200, body = OpenedBody),
        RateLimited,
        (status = 404, body = ErrorBody, description = "There is no such selection any more"),
        Unavailable,
    ))]
pub(crate) async fn client_selection(
    State(app): State<App>,
    client: ClientIp,
    Visitor(visitor): Visitor,
    Path(secret): Path<String>,
) -> Result<Json<OpenedBody>> {
    let opened = counted(&app, client, &secret).await?;
    let overview = choosing::overview(&app, &visitor, &opened).await?;
    let Opened { event, selection } = opened;
    Ok(Json(OpenedBody {
        event_name: event.name,
        studio: overview.studio.map(StudioBody::from),
        selection: overview.counts.map(|counts| ChoosingBody {
            name: selection.name,
            photo_limit: selection.limit,
            due_on: selection.due_on.map(|day| day.to_string()),
            is_over: counts.is_over,
            is_done: selection.done_at.is_some(),
            total: counts.total,
            chosen: counts.chosen,
        }),
    }))
}

/// Enters the PIN of a selection. Wrong ones are counted, by address and by event.
#[utoipa::path(post, path = "/api/selections/{secret}/access", tag = "photos", request_body = PinEnteredBody,
    params(("secret" = String, Path, description = "What the address of the client's page ends with")),
    responses(
        (status = 200, body = AccessBody),
        InvalidBody,
        RateLimited,
        (status = 403, body = ErrorBody, description = "It is another PIN"),
        (status = 404, body = ErrorBody, description = "There is no such selection any more"),
        Unavailable,
    ))]
pub(crate) async fn enter_client_pin(
    State(app): State<App>,
    client: ClientIp,
    Path(secret): Path<String>,
    Json(PinEnteredBody { pin }): Json<PinEnteredBody>,
) -> Result<Json<AccessBody>> {
    let opened = choosing::open(&app, &secret).await?;
    let access_token = choosing::enter(&app, &opened, &pin, client.address()).await?;
    Ok(Json(AccessBody { access_token }))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ClientQuery {
    /// With true, only photos that are chosen.
    chosen: Option<bool>,
    /// Photos a page, 60 when left out, at most 200.
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u32>,
    /// `next_cursor` of the page before.
    cursor: Option<String>,
}

/// A photo to choose.
#[derive(Serialize, ToSchema)]
pub(crate) struct ClientPhotoBody {
    photo_id: String,
    /// A signed link to the preview.
    url: String,
    /// A signed link to the rendition whose long side is 1024; null while that is not made.
    medium_url: Option<String>,
    /// A signed link to the thumbnail.
    thumbnail_url: String,
    /// Pixels, upright.
    width: i64,
    /// Pixels, upright.
    height: i64,
    /// The name the photographer's file had.
    filename: String,
    /// The average color of the picture, `#rrggbb`; null where it is not known.
    color: Option<String>,
    /// Where its faces are, everybody's alike; left out where no face is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    focus: Option<FocusBody>,
    /// The stack of photos that are alike which it is of; left out where it is of none.
    #[serde(skip_serializing_if = "Option::is_none")]
    stack: Option<StackBody>,
    /// Whether it is chosen.
    chosen: bool,
    /// What the client says of it; empty for nothing.
    comment: String,
}

impl From<(FoundPhoto, Mark)> for ClientPhotoBody {
    fn from((found, mark): (FoundPhoto, Mark)) -> Self {
        let FoundPhoto { photo, url, medium_url, thumbnail_url, .. } = found;
        Self {
            photo_id: photo.id.to_string(),
            url,
            medium_url,
            thumbnail_url,
            width: photo.width,
            height: photo.height,
            filename: photo.original_filename,
            color: photo.average_color.map(|color| color.to_string()),
            focus: photo.focus.map(FocusBody::from),
            stack: photo.stack.map(StackBody::from),
            chosen: mark.chosen,
            comment: mark.comment,
        }
    }
}

#[derive(Serialize, ToSchema)]
pub(crate) struct ClientPhotosBody {
    /// By the moment of capture, earliest first, those without one last.
    photos: Vec<ClientPhotoBody>,
    /// Null on the last page.
    next_cursor: Option<String>,
}

/// The photos to choose from, page by page, as guests see them: hidden photos and those that are held are left out.
#[utoipa::path(get, path = "/api/selections/{secret}/photos", tag = "photos",
    params(("secret" = String, Path, description = "What the address of the client's page ends with"), ProofHeader, ClientQuery),
    responses(
        (status = 200, body = ClientPhotosBody),
        RateLimited,
        (status = 400, body = ErrorBody, description = "A parameter is bad, and the text says what"),
        (status = 403, body = ErrorBody, description = "A PIN is asked for, and the proof is missing or of an earlier one"),
        (status = 404, body = ErrorBody, description = "There is no such selection any more"),
        Unavailable,
    ))]
pub(crate) async fn client_photos(
    State(app): State<App>,
    client: ClientIp,
    Visitor(visitor): Visitor,
    Path(secret): Path<String>,
    Query(query): Query<ClientQuery>,
) -> Result<Json<ClientPhotosBody>> {
    let opened = counted(&app, client, &secret).await?;
    let query =
        choosing::Query { chosen: query.chosen.unwrap_or(false), limit: query.limit, cursor: query.cursor };
    let page = choosing::page(&app, &visitor, &opened, query).await?;
    let photos = page.photos.into_iter().map(ClientPhotoBody::from).collect();
    Ok(Json(ClientPhotosBody { photos, next_cursor: page.next_cursor }))
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct MarkedBody {
    /// Whether it is chosen; left out, that stays as it is.
    #[serde(default)]
    chosen: Option<bool>,
    /// What the client says of it, at most 500 characters, empty for nothing; left out, that stays as it is.
    #[serde(default)]
    comment: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct MarkBody {
    /// Whether the photo is chosen now.
    chosen: bool,
    /// What is said of it now.
    comment: String,
    /// How many photos are chosen now.
    chosen_count: i64,
}

/// Chooses a photo, takes it back, or says something of it.
#[utoipa::path(put, path = "/api/selections/{secret}/photos/{photo}", tag = "photos", request_body = MarkedBody,
    params(
        ("secret" = String, Path, description = "What the address of the client's page ends with"),
        ("photo" = String, Path, description = "The photo's id"),
        ProofHeader,
    ),
    responses(
        (status = 200, body = MarkBody),
        InvalidBody,
        RateLimited,
        (status = 403, body = ErrorBody, description = "A PIN is asked for, and the proof is missing or of an earlier one"),
        (status = 404, body = ErrorBody, description = "There is no such selection any more, or the photo is not to be seen in it"),
        (status = 409, body = ErrorBody, description = "As many photos are chosen as may be, the client has finished, or the last day is over"),
        Unavailable,
    ))]
pub(crate) async fn mark_client_photo(
    State(app): State<App>,
    client: ClientIp,
    Visitor(visitor): Visitor,
    Path((secret, photo)): Path<(String, String)>,
    Json(MarkedBody { chosen, comment }): Json<MarkedBody>,
) -> Result<Json<MarkBody>> {
    let opened = counted(&app, client, &secret).await?;
    let changed = choosing::mark(&app, &visitor, &opened, &photo, Change { chosen, comment }).await?;
    Ok(Json(MarkBody {
        chosen: changed.mark.chosen,
        comment: changed.mark.comment,
        chosen_count: changed.chosen,
    }))
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct FinishedBody {
    /// What the photographer is told with it, at most 1,000 characters; left out or empty for nothing.
    #[serde(default)]
    message: String,
}

/// Finishes a selection: its photographer is told, and nothing can be changed until they reopen it. May be repeated, with the same
/// message or none.
#[utoipa::path(post, path = "/api/selections/{secret}/done", tag = "photos", request_body = FinishedBody,
    params(("secret" = String, Path, description = "What the address of the client's page ends with"), ProofHeader),
    responses(
        (status = 200, body = DoneBody),
        InvalidBody,
        RateLimited,
        (status = 403, body = ErrorBody, description = "A PIN is asked for, and the proof is missing or of an earlier one"),
        (status = 404, body = ErrorBody, description = "There is no such selection any more"),
        (status = 409, body = ErrorBody, description = "No photo or too many are chosen, the last day is over, or the client has finished with another message"),
        Unavailable,
    ))]
pub(crate) async fn finish_client_selection(
    State(app): State<App>,
    client: ClientIp,
    Visitor(visitor): Visitor,
    Path(secret): Path<String>,
    Json(FinishedBody { message }): Json<FinishedBody>,
) -> Result<Json<DoneBody>> {
    let opened = counted(&app, client, &secret).await?;
    choosing::finish(&app, &visitor, &opened, &message).await?;
    Ok(done())
}
