//! People of an event: faces that were put together, for their photographer alone.

use app::App;
use app::faces::people::decisions;
use app::faces::people::lists::{self, Page, Shown};
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::operations::runtime::error::{ErrorBody, Result};
use crate::operations::runtime::extract::{Json, Path, Photographer, Query};
use crate::operations::runtime::responses::{InvalidBody, PhotographersOnly, Unavailable};
use crate::photos::selections::event_id;

/// A person of an event. Nothing but their faces is known of them.
#[derive(Serialize, ToSchema)]
pub(crate) struct PersonBody {
    id: String,
    /// How many photos they are in, hidden ones aside; `person_id` of the photo search lists them.
    photos: i64,
    /// How many faces they have in them.
    faces: i64,
    /// Whether they were put aside.
    hidden: bool,
    /// A signed link to a picture of their face.
    picture_url: String,
}

impl From<Shown> for PersonBody {
    fn from(Shown { person, picture_url }: Shown) -> Self {
        Self {
            id: person.id.to_string(),
            photos: person.photos,
            faces: person.faces,
            hidden: person.is_hidden,
            picture_url,
        }
    }
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct PeopleQuery {
    /// With true, those that were put aside instead of the others.
    hidden: Option<bool>,
    /// People a page, 100 when left out, at most 500.
    #[param(minimum = 1, maximum = 500)]
    limit: Option<u32>,
    /// `next_cursor` of the page before.
    cursor: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct PeopleBody {
    /// Whether the faces of the event are put together.
    enabled: bool,
    /// Those in most photos first.
    people: Vec<PersonBody>,
    /// On all pages.
    total_count: i64,
    /// How many the other list has: those that were put aside, or those that were not.
    other_count: i64,
    /// How many faces were not put to anybody yet.
    waiting_faces: i64,
    /// Null on the last page.
    next_cursor: Option<String>,
}

/// The people of one of the caller's events.
#[utoipa::path(get, path = "/api/events/{event}/people", tag = "events", security(("bearer" = [])),
    params(("event" = String, Path, description = "The event's **id**"), PeopleQuery),
    responses(
        (status = 200, body = PeopleBody),
        PhotographersOnly,
        (status = 400, body = ErrorBody, description = "A parameter is bad, and the text says what"),
        (status = 404, body = ErrorBody, description = "No such event, or another photographer's"),
        Unavailable,
    ))]
pub(crate) async fn list_people(
    State(app): State<App>,
    Photographer(owner): Photographer,
    Path(id): Path<String>,
    Query(query): Query<PeopleQuery>,
) -> Result<Json<PeopleBody>> {
    let event = event_id(&id)?;
    let query =
        lists::Query { hidden: query.hidden.unwrap_or(false), limit: query.limit, cursor: query.cursor };
    let Page { is_on, people, total, others, waiting, next_cursor } =
        lists::of_event(&app, &owner, event, query).await?;
    Ok(Json(PeopleBody {
        enabled: is_on,
        people: people.into_iter().map(PersonBody::from).collect(),
        total_count: total,
        other_count: others,
        waiting_faces: waiting,
        next_cursor,
    }))
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct PeopleSwitch {
    /// False deletes the event's people, and puts no faces together any more.
    enabled: bool,
}

/// Lets the faces of one of the caller's events be put together, or not.
#[utoipa::path(put, path = "/api/events/{event}/people", tag = "events", security(("bearer" = [])),
    request_body = PeopleSwitch,
    params(("event" = String, Path, description = "The event's **id**")),
    responses(
        (status = 204, description = "It is so now"),
        InvalidBody,
        PhotographersOnly,
        (status = 404, body = ErrorBody, description = "No such event, or another photographer's"),
        (status = 409, body = ErrorBody, description = "The event is being deleted"),
        Unavailable,
    ))]
pub(crate) async fn switch_people(
    State(app): State<App>,
    Photographer(owner): Photographer,
    Path(id): Path<String>,
    Json(PeopleSwitch { enabled }): Json<PeopleSwitch>,
) -> Result<StatusCode> {
    decisions::switch(&app, &owner, event_id(&id)?, enabled).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// A person of one of the caller's events.
#[utoipa::path(get, path = "/api/people/{id}", tag = "events", security(("bearer" = [])),
    params(("id" = String, Path, description = "The person's id")),
    responses(
        (status = 200, body = PersonBody),
        PhotographersOnly,
        (status = 404, body = ErrorBody, description = "No such person, or another photographer's"),
        Unavailable,
    ))]
pub(crate) async fn person(
    State(app): State<App>,
    Photographer(owner): Photographer,
    Path(id): Path<String>,
) -> Result<Json<PersonBody>> {
    Ok(Json(lists::one(&app, &owner, &id).await?.into()))
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct PersonChange {
    /// Whether they are put aside.
    hidden: bool,
}

/// Puts a person aside, or takes them back.
#[utoipa::path(put, path = "/api/people/{id}", tag = "events", security(("bearer" = [])), request_body = PersonChange,
    params(("id" = String, Path, description = "The person's id")),
    responses(
        (status = 204, description = "It is so now"),
        InvalidBody,
        PhotographersOnly,
        (status = 404, body = ErrorBody, description = "No such person, or another photographer's"),
        Unavailable,
    ))]
pub(crate) async fn change_person(
    State(app): State<App>,
    Photographer(owner): Photographer,
    Path(id): Path<String>,
    Json(PersonChange { hidden }): Json<PersonChange>,
) -> Result<StatusCode> {
    decisions::set_hidden(&app, &owner, &id, hidden).await?;
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct PersonMerge {
    /// The person of the same event that they become a part of.
    into: String,
}

/// Makes two people one: the first becomes a part of the second, and is gone.
#[utoipa::path(post, path = "/api/people/{id}/merge", tag = "events", security(("bearer" = [])), request_body = PersonMerge,
    params(("id" = String, Path, description = "The person's id")),
    responses(
        (status = 204, description = "They are one"),
        InvalidBody,
        PhotographersOnly,
        (status = 400, body = ErrorBody, description = "One and the same, or of two events"),
        (status = 404, body = ErrorBody, description = "No such person, or another photographer's"),
        Unavailable,
    ))]
pub(crate) async fn merge_people(
    State(app): State<App>,
    Photographer(owner): Photographer,
    Path(id): Path<String>,
    Json(PersonMerge { into }): Json<PersonMerge>,
) -> Result<StatusCode> {
    decisions::merge(&app, &owner, &id, &into).await?;
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct PersonSplit {
    /// Some of the person's photos, at most 1000.
    #[schema(max_items = 1000)]
    photo_ids: Vec<String>,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct SplitBody {
    /// The person whose faces are in these photos.
    person_id: String,
}

/// Takes photos out of a person: the faces in them become another one.
#[utoipa::path(post, path = "/api/people/{id}/split", tag = "events", security(("bearer" = [])), request_body = PersonSplit,
    params(("id" = String, Path, description = "The person's id")),
    responses(
        (status = 201, body = SplitBody),
        InvalidBody,
        PhotographersOnly,
        (status = 400, body = ErrorBody, description = "None of the person's photos, all of them, or too many"),
        (status = 404, body = ErrorBody, description = "No such person, or another photographer's"),
        Unavailable,
    ))]
pub(crate) async fn split_person(
    State(app): State<App>,
    Photographer(owner): Photographer,
    Path(id): Path<String>,
    Json(PersonSplit { photo_ids }): Json<PersonSplit>,
) -> Result<(StatusCode, Json<SplitBody>)> {
    let person = decisions::split(&app, &owner, &id, &photo_ids).await?;
    Ok((StatusCode::CREATED, Json(SplitBody { person_id: person.to_string() })))
}

#[derive(Serialize, ToSchema)]
pub(crate) struct PersonDownloadBody {
    /// For 6 hours, `/api/face/download/{download_token}.zip` has the originals of the photos that the person is in.
    download_token: String,
}

/// A ZIP of the photos that a person is in.
#[utoipa::path(post, path = "/api/people/{id}/download", tag = "events", security(("bearer" = [])),
    params(("id" = String, Path, description = "The person's id")),
    responses(
        (status = 201, body = PersonDownloadBody),
        PhotographersOnly,
        (status = 404, body = ErrorBody, description = "No such person, or another photographer's"),
        Unavailable,
    ))]
pub(crate) async fn download_person(
    State(app): State<App>,
    Photographer(owner): Photographer,
    Path(id): Path<String>,
) -> Result<(StatusCode, Json<PersonDownloadBody>)> {
    let download_token = decisions::download(&app, &owner, &id).await?;
    Ok((StatusCode::CREATED, Json(PersonDownloadBody { download_token })))
}
