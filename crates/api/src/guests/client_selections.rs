//! What clients choose of an event's photos, as its photographer sees it.

pub(crate) mod choosing;

use app::App;
use app::guests::client_selections::{self, Counted, Wanted};
use app::studio::hosts;
use axum::extract::State;
use domain::guests::client_selections::Scope;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::operations::runtime::error::{ErrorBody, Result};
use crate::operations::runtime::extract::{Json, Path, Photographer};
use crate::operations::runtime::responses::{DoneBody, InvalidBody, PhotographersOnly, Unavailable, done};
use crate::photos::selections::event_id;

/// Where the client's page is.
pub(crate) const PAGE: &str = "/selection/{secret}";

/// What a client was asked to choose, and has chosen.
#[derive(Serialize, ToSchema)]
#[schema(as = ClientSelection)]
pub(crate) struct SelectionBody {
    id: String,
    /// What the client is called.
    name: String,
    /// The address of the client's page. Whoever has it sees the photos, and chooses.
    url: String,
    /// How many photos may be chosen; null for any number.
    photo_limit: Option<u32>,
    /// The last day for choosing, YYYY-MM-DD, in the time zone of the event; null for no end.
    #[schema(format = Date)]
    due_on: Option<String>,
    /// What the client enters first; null where nothing is asked for.
    pin: Option<String>,
    /// The album whose photos alone are shown; null for all of the event, and where the album is deleted.
    album_id: Option<String>,
    /// Whether the album is deleted: the client sees the photos alone that were marked before.
    album_deleted: bool,
    /// How many photos are chosen, hidden ones too.
    chosen: i64,
    /// How many photos have a comment, chosen or not.
    comments: i64,
    /// RFC 3339.
    created_at: String,
    /// When the client had finished, RFC 3339; null while choosing.
    done_at: Option<String>,
    /// What the client wrote then; null for nothing.
    message: Option<String>,
    /// Whether nobody has looked at it since the client had finished.
    is_new: bool,
}

impl SelectionBody {
    fn new(site: &str, counted: Counted) -> Self {
        let Counted { selection, chosen, comments } = counted;
        let page = PAGE.replace("{secret}", selection.secret.reveal());
        let is_new = selection.is_new();
        Self {
            id: selection.id.to_string(),
            name: selection.name,
            url: format!("{site}{page}"),
            photo_limit: selection.limit,
            due_on: selection.due_on.map(|day| day.to_string()),
            pin: selection.pin.map(|pin| pin.reveal().to_owned()),
            album_id: match selection.scope {
                Scope::Album(album) => Some(album.to_string()),
                Scope::Event | Scope::DeletedAlbum => None,
            },
            album_deleted: selection.scope == Scope::DeletedAlbum,
            chosen,
            comments,
            created_at: selection.created_at.to_rfc3339(),
            done_at: selection.done_at.map(domain::Timestamp::to_rfc3339),
            message: selection.message,
            is_new,
        }
    }
}

#[derive(Serialize, ToSchema)]
pub(crate) struct ClientSelectionsBody {
    /// The newest last.
    selections: Vec<SelectionBody>,
}

/// What clients were asked to choose of an event of the caller.
#[utoipa::path(get, path = "/api/events/{event}/selections", tag = "events", security(("bearer" = [])),
    params(("event" = String, Path, description = "The event's **id**")),
    responses(
        (status = 200, body = ClientSelectionsBody),
        PhotographersOnly,
        (status = 404, body = ErrorBody, description = "No such event of the caller"),
    ))]
pub(crate) async fn list_client_selections(
    State(app): State<App>,
    Photographer(caller): Photographer,
    Path(event): Path<String>,
) -> Result<Json<ClientSelectionsBody>> {
    let event = event_id(&event)?;
    let selections = client_selections::list(&app, &caller, event).await?;
    let site = hosts::url_of_event(&app, event).await?;
    let selections = selections.into_iter().map(|counted| SelectionBody::new(&site, counted)).collect();
    Ok(Json(ClientSelectionsBody { selections }))
}

#[derive(Deserialize, ToSchema)]
#[schema(as = WantedClientSelection)]
pub(crate) struct WantedBody {
    /// What the client is called, at most 60 characters.
    name: String,
    /// How many photos may be chosen, from 1 to 10,000; left out or null for any number.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 10_000)]
    photo_limit: Option<i64>,
    /// The last day for choosing, YYYY-MM-DD; left out, null or empty for no end.
    #[serde(default)]
    due_on: Option<String>,
    /// 6 to 8 digits; left out, null or empty for none.
    #[serde(default)]
    pin: Option<String>,
    /// The album whose photos alone are to be shown; left out or null, all of the event.
    #[serde(default)]
    album_id: Option<String>,
}

impl From<WantedBody> for Wanted {
    fn from(body: WantedBody) -> Self {
        let WantedBody { name, photo_limit, due_on, pin, album_id } = body;
        Self { name, limit: photo_limit, due_on, pin, album: album_id }
    }
}

/// Asks a client to choose photos of an event of the caller, by an address of its own.
#[utoipa::path(post, path = "/api/events/{event}/selections", tag = "events", security(("bearer" = [])),
    params(("event" = String, Path, description = "The event's **id**")),
    request_body = WantedBody,
    responses(
        (status = 200, body = SelectionBody),
        InvalidBody,
        PhotographersOnly,
        (status = 404, body = ErrorBody, description = "No such event of the caller, or no such album of the event"),
        (status = 409, body = ErrorBody, description = "There are 50 of them already, or the event is being deleted"),
        Unavailable,
    ))]
pub(crate) async fn create_client_selection(
    State(app): State<App>,
    Photographer(caller): Photographer,
    Path(event): Path<String>,
    Json(wanted): Json<WantedBody>,
) -> Result<Json<SelectionBody>> {
    let counted = client_selections::create(&app, &caller, event_id(&event)?, wanted.into()).await?;
    let site = hosts::url_of_event(&app, counted.selection.event).await?;
    Ok(Json(SelectionBody::new(&site, counted)))
}

/// Changes what was said of a selection, as a whole. Its address and what the client has marked stay.
#[utoipa::path(put, path = "/api/events/{event}/selections/{selection}", tag = "events", security(("bearer" = [])),
    params(
        ("event" = String, Path, description = "The event's **id**"),
        ("selection" = String, Path, description = "The selection's id"),
    ),
    request_body = WantedBody,
    responses(
        (status = 200, body = SelectionBody),
        InvalidBody,
        PhotographersOnly,
        (status = 404, body = ErrorBody, description = "No such event of the caller, or no such selection or album of the event"),
        (status = 409, body = ErrorBody, description = "The event is being deleted"),
        Unavailable,
    ))]
pub(crate) async fn change_client_selection(
    State(app): State<App>,
    Photographer(caller): Photographer,
    Path((event, selection)): Path<(String, String)>,
    Json(wanted): Json<WantedBody>,
) -> Result<Json<SelectionBody>> {
    let event = event_id(&event)?;
    let counted = client_selections::change(&app, &caller, event, &selection, wanted.into()).await?;
    let site = hosts::url_of_event(&app, counted.selection.event).await?;
    Ok(Json(SelectionBody::new(&site, counted)))
}

/// Deletes a selection with all that its client has marked.
#[utoipa::path(delete, path = "/api/events/{event}/selections/{selection}", tag = "events", security(("bearer" = [])),
    params(
        ("event" = String, Path, description = "The event's **id**"),
        ("selection" = String, Path, description = "The selection's id"),
    ),
    responses(
        (status = 200, body = DoneBody),
        PhotographersOnly,
        (status = 404, body = ErrorBody, description = "No such event of the caller, or no such selection of the event"),
        Unavailable,
    ))]
pub(crate) async fn delete_client_selection(
    State(app): State<App>,
    Photographer(caller): Photographer,
    Path((event, selection)): Path<(String, String)>,
) -> Result<Json<DoneBody>> {
    client_selections::delete(&app, &caller, event_id(&event)?, &selection).await?;
    Ok(done())
}

/// Lets the client change a selection that was finished.
#[utoipa::path(post, path = "/api/events/{event}/selections/{selection}/reopen", tag = "events", security(("bearer" = [])),
    params(
        ("event" = String, Path, description = "The event's **id**"),
        ("selection" = String, Path, description = "The selection's id"),
    ),
    responses(
        (status = 200, body = SelectionBody),
        PhotographersOnly,
        (status = 404, body = ErrorBody, description = "No such event of the caller, or no such selection of the event"),
        (status = 409, body = ErrorBody, description = "The event is being deleted"),
        Unavailable,
    ))]
pub(crate) async fn reopen_client_selection(
    State(app): State<App>,
    Photographer(caller): Photographer,
    Path((event, selection)): Path<(String, String)>,
) -> Result<Json<SelectionBody>> {
    let counted = client_selections::reopen(&app, &caller, event_id(&event)?, &selection).await?;
    let site = hosts::url_of_event(&app, counted.selection.event).await?;
    Ok(Json(SelectionBody::new(&site, counted)))
}

/// Records that the caller has looked at what a client had finished.
#[utoipa::path(post, path = "/api/events/{event}/selections/{selection}/seen", tag = "events", security(("bearer" = [])),
    params(
        ("event" = String, Path, description = "The event's **id**"),
        ("selection" = String, Path, description = "The selection's id"),
    ),
    responses(
        (status = 200, body = DoneBody),
        PhotographersOnly,
        (status = 404, body = ErrorBody, description = "No such event of the caller, or what is no id of a selection"),
        Unavailable,
    ))]
pub(crate) async fn see_client_selection(
    State(app): State<App>,
    Photographer(caller): Photographer,
    Path((event, selection)): Path<(String, String)>,
) -> Result<Json<DoneBody>> {
    client_selections::see(&app, &caller, event_id(&event)?, &selection).await?;
    Ok(done())
}
