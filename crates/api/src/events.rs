//! Events.

pub(crate) mod access;
pub(crate) mod changes;
pub(crate) mod choices;
pub(crate) mod covers;
pub(crate) mod delete;
pub(crate) mod invitations;
pub(crate) mod manifests;
mod opening;
pub(crate) mod pages;
pub(crate) mod publication;
pub(crate) mod recently_deleted;

use app::App;
use app::events::{self, Listed};
use app::photos::files;
use app::studio::studios;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, ETAG};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse as _, Response};
use domain::Paise;
use domain::events::publication::Publication;
use domain::events::{Event, Indexing};
use domain::photos::Size;
use domain::studio::studios::Studio;
use domain::team::{MemberRole, Role};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::events::access::{ProofHeader, Visitor};
use crate::events::choices::{DownloadsBody, PublicationBody, TellsGuestsBody};
use crate::events::invitations::InvitationBody;
use crate::operations::runtime::conditional;
use crate::operations::runtime::error::{ErrorBody, Result};
use crate::operations::runtime::extract::{EventLister, Json, Path, Photographer, Query, Uploader};
use crate::operations::runtime::responses::{InvalidBody, PhotographersOnly, Unauthenticated};
use crate::photos::focus::FocusBody;
use crate::studio::studios::{StudioBody, made_with};

/// The progress of indexing.
#[derive(Serialize, ToSchema)]
pub(crate) struct IndexingBody {
    /// Photos that a search can find.
    indexed: i64,
    /// Photos that are still to be indexed, or to be indexed again.
    waiting: i64,
    /// Photos that cannot be indexed.
    failed: i64,
    /// All photos.
    total: i64,
}

impl From<Indexing> for IndexingBody {
    fn from(indexing: Indexing) -> Self {
        Self {
            indexed: indexing.indexed,
            waiting: indexing.waiting(),
            failed: indexing.failed,
            total: indexing.total,
        }
    }
}

/// An event; it says nothing about its owner, so that guests may see all of it.
#[derive(Serialize, ToSchema)]
pub(crate) struct EventBody {
    id: String,
    name: String,
    /// YYYY-MM-DD.
    #[schema(format = Date)]
    date: String,
    /// Its name in links.
    slug: String,
    description: Option<String>,
    /// RFC 3339.
    created_at: String,
    /// RFC 3339; null while it is active.
    deleted_at: Option<String>,
    /// Until when its owner can restore it, RFC 3339; null while it is active, and once it is gone for good.
    restorable_until: Option<String>,
    /// Every upload there ever was.
    total_photos_uploaded: i64,
    /// Whole days from its creation to its deletion, or until now.
    lifetime_days: i64,
    photos_indexed: i64,
    faces_indexed: i64,
    /// RFC 3339; null when photos are kept for ever.
    expires_at: Option<String>,
    /// The day on which its photographer wants its photos to be removed, YYYY-MM-DD; null when none is chosen.
    #[schema(format = Date)]
    expires_on: Option<String>,
    /// The last day that can be chosen, YYYY-MM-DD; null when photos are kept for ever.
    #[schema(format = Date)]
    latest_expires_on: Option<String>,
    /// Days that its photos are kept after its date or their last upload; 0 keeps them for ever.
    keep_days: u32,
    /// The IANA name of the time zone whose days its days are.
    time_zone: String,
    /// The photo that is its cover, in the medium size, as a link that expires; null for the drawn sky.
    cover_url: Option<String>,
    /// The same in the thumbnail's size; left out where the other is null.
    #[serde(skip_serializing_if = "Option::is_none")]
    cover_thumbnail_url: Option<String>,
    /// Where the faces of that photo are; left out where no face is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    cover_focus: Option<FocusBody>,
    indexing: IndexingBody,
    /// Whether guests can ask to be told of new photos.
    tells_guests: TellsGuestsBody,
    /// Whether guests get originals byte for byte, with the positions, places, names, keywords and serial numbers in them.
    keeps_metadata: bool,
    /// Whether it takes no more photos.
    uploads_closed: bool,
    /// Whether its guests can write to the photographer about photos.
    takes_questions: bool,
    /// Whether its guests may look at all of its photos.
    browsable: bool,
    /// Whether what its guests save carries the names of the photographer's files.
    keeps_names: bool,
    /// Whether its guests may add photos, which wait until they are let in.
    takes_guest_photos: bool,
    /// Whether photos that are alike are put together, and the best stands for them.
    stacks_photos: bool,
    /// How many photos one guest's device may add.
    guest_photo_limit: u32,
    /// Whether its guests enter a PIN before they can search.
    asks_pin: bool,
    /// What its guests can save.
    downloads: DownloadsBody,
    /// Whether it is being deleted.
    deleting: bool,
    /// The deletion's task, while it is being deleted.
    task_id: Option<String>,
}

impl EventBody {
    pub(crate) fn new(app: &App, event: Event) -> Self {
        let expires_at = event.expires_at(app.settings().keeping);
        let tells_guests = match (app.settings().tells_guests, event.flags.tells_guests) {
            (false, _) => TellsGuestsBody::Unavailable,
            (true, false) => TellsGuestsBody::Off,
            (true, true) => TellsGuestsBody::On,
        };
        let link = |size| event.cover.as_ref().map(|cover| files::cover_link(app, cover, size));
        let latest = event.latest_expiry(app.settings().keeping);
        Self {
            expires_on: event.expires_on.map(|day| day.to_string()),
            latest_expires_on: latest.map(|latest| event.time_zone.date(latest).to_string()),
            keep_days: app.settings().keeping.days(event.keep_days),
            time_zone: event.time_zone.name().to_owned(),
            cover_url: link(Size::Medium),
            cover_thumbnail_url: link(Size::Thumbnail),
            cover_focus: event.cover.and_then(|cover| cover.focus).map(FocusBody::from),
            lifetime_days: event.lifetime_days(app.now()),
            id: event.id.to_string(),
            name: event.name,
            date: event.date.to_string(),
            slug: event.slug,
            description: event.description,
            created_at: event.created_at.to_rfc3339(),
            deleted_at: event.deleted_at.map(domain::Timestamp::to_rfc3339),
            restorable_until: event.restorable_until.map(domain::Timestamp::to_rfc3339),
            total_photos_uploaded: event.photos_uploaded,
            photos_indexed: event.indexing.indexed,
            faces_indexed: event.faces_indexed,
            expires_at: expires_at.map(domain::Timestamp::to_rfc3339),
            indexing: event.indexing.into(),
            tells_guests,
            keeps_metadata: event.flags.keeps_metadata,
            uploads_closed: event.flags.uploads_closed,
            takes_questions: event.flags.takes_questions,
            browsable: event.flags.browsable,
            keeps_names: event.flags.keeps_names,
            takes_guest_photos: event.flags.takes_guest_photos,
            stacks_photos: event.flags.stacks_photos,
            guest_photo_limit: event.guest_photo_limit,
            asks_pin: event.pin.is_some(),
            downloads: event.downloads.into(),
            deleting: event.deleting_since.is_some() && event.deleted_at.is_none(),
            task_id: event.deletion_job.map(|job| job.to_string()),
        }
    }
}

/// An event as its guests see it.
#[derive(Serialize, ToSchema)]
pub(crate) struct GuestEventBody {
    #[serde(flatten)]
    event: EventBody,
    /// Whose event it is; null where its photographer has said nothing about that.
    studio: Option<StudioBody>,
    /// Whether no more photos are expected; left out otherwise.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    complete: bool,
    /// Until which day of its time zone more photos are coming, YYYY-MM-DD, as its photographer says; left out where that is past or
    /// nothing is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = Date)]
    coming_until: Option<String>,
    /// Of an event whose studio has a logo, so that its page has nothing for other photographers: what the service is called, or
    /// nothing where the operator leaves that out. Left out for other events.
    #[serde(skip_serializing_if = "Option::is_none")]
    made_with: Option<String>,
}

impl GuestEventBody {
    pub(crate) fn new(app: &App, event: Event, studio: Option<Studio>) -> Self {
        let complete = event.publication == Publication::Complete;
        let coming_until = event.coming_until(app.now()).map(|day| day.to_string());
        let event = EventBody::new(app, event.without_held());
        let made_with = studio.as_ref().and_then(|studio| made_with(app, studio));
        Self { event, studio: studio.map(StudioBody::from), complete, coming_until, made_with }
    }
}

/// What a photographer is to an event.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = TeamRole)]
pub(crate) enum RoleBody {
    /// Whose event it is, and whose credits pay for its photos.
    Owner,
    /// Who manages it for the owner.
    Manager,
    /// Who uploads photos, and sees their own.
    Contributor,
}

impl From<Role> for RoleBody {
    fn from(role: Role) -> Self {
        match role {
            Role::Owner => Self::Owner,
            Role::Member(MemberRole::Manager) => Self::Manager,
            Role::Member(MemberRole::Contributor) => Self::Contributor,
        }
    }
}

/// An event as its owner and the members of its team see it.
#[derive(Serialize, ToSchema)]
pub(crate) struct TeamEventBody {
    #[serde(flatten)]
    event: EventBody,
    /// What the caller is to it.
    role: RoleBody,
    /// Whose event it is; null for the caller's own.
    owner_name: Option<String>,
    /// Scheme and host of its links where its studio has a host of its own; left out where those are the service's.
    #[serde(skip_serializing_if = "Option::is_none")]
    guest_url: Option<String>,
    /// Whether nobody has chosen its cover: guests see it only where whoever has the link may look at all photos. Left out otherwise.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    cover_is_automatic: bool,
    /// What its photographer sends to guests, in the place of the usual words; left out where those are sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    invitation: Option<InvitationBody>,
    /// What becomes of photos that arrive, as guests see it; left out while it is `as_they_arrive`.
    #[serde(skip_serializing_if = "Option::is_none")]
    publication: Option<PublicationBody>,
    /// Until which day more photos are coming, YYYY-MM-DD; left out where the photographer says nothing of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = Date)]
    more_until: Option<String>,
    /// How many photos are held: the team alone sees them. Left out while there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    held_photos: Option<i64>,
    /// Which of them is the last one, for `publish_through` of `PUT /api/events/{event}/publication`; left out while there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    held_through: Option<i64>,
}

impl TeamEventBody {
    pub(crate) fn new(app: &App, listed: Listed) -> Self {
        let Listed { event, role, owner_name } = listed;
        let publication =
            Some(event.publication).filter(|publication| *publication != Publication::AsTheyArrive);
        let held = Some(event.held).filter(|held| held.indexing.total > 0);
        Self {
            role: role.into(),
            owner_name,
            guest_url: app.own_guest_url(event.owner),
            cover_is_automatic: event.cover.is_some_and(|cover| cover.is_automatic),
            publication: publication.map(PublicationBody::from),
            more_until: event.more_until.map(|day| day.to_string()),
            held_photos: held.map(|held| held.indexing.total),
            held_through: held.map(|held| held.last),
            invitation: event.invitation.clone().map(InvitationBody::from),
            event: EventBody::new(app, event),
        }
    }
}

/// The caller's events and those that are shared with them, newest first; none for a caller who is not a photographer.
#[utoipa::path(get, path = "/api/events/", tag = "events", security(("bearer" = [])), responses(
    (status = 200, body = Vec<TeamEventBody>),
    Unauthenticated,
))]
pub(crate) async fn list(
    State(app): State<App>,
    EventLister(caller): EventLister,
) -> Result<Json<Vec<TeamEventBody>>> {
    if !caller.is_photographer {
        return Ok(Json(Vec::new()));
    }
    let events = events::list(&app, &caller).await?;
    Ok(Json(events.into_iter().map(|listed| TeamEventBody::new(&app, listed)).collect()))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct EventSearchQuery {
    /// Only events whose name has this part, whatever the case of its letters.
    name: Option<String>,
    /// Only the events with these ids, separated by commas, shared ones too; one that is none of the caller's is left out.
    ids: Option<String>,
    /// `true`: only events of others that are shared with the caller, which are left out otherwise, unless `ids` names them.
    shared: Option<bool>,
    /// `true`: only events that are being deleted.
    deleting: Option<bool>,
    /// Events a page, 50 when left out, at most 200.
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u32>,
    /// `next_cursor` of the page before, or the id of any event: the page has the events created before it.
    cursor: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub(crate) struct EventsBody {
    events: Vec<TeamEventBody>,
    /// Null on the last page.
    next_cursor: Option<String>,
}

/// The caller's events page by page, newest first.
#[utoipa::path(get, path = "/api/events/search", tag = "events", security(("bearer" = [])), params(EventSearchQuery),
    responses(
        (status = 200, body = EventsBody),
        PhotographersOnly,
        (status = 400, body = ErrorBody, description = "A parameter is bad, and the text says what"),
    ))]
pub(crate) async fn search_events(
    State(app): State<App>,
    Uploader(owner): Uploader,
    Query(query): Query<EventSearchQuery>,
) -> Result<Json<EventsBody>> {
    let query = events::Query {
        name: query.name.unwrap_or_default(),
        ids: query.ids.map(|ids| ids.split(',').filter_map(|id| id.parse().ok()).collect()),
        deleting: query.deleting.unwrap_or_default(),
        shared: query.shared.unwrap_or_default(),
        limit: query.limit,
        cursor: query.cursor,
    };
    let page = events::search(&app, &owner, query).await?;
    let events = page.events.into_iter().map(|listed| TeamEventBody::new(&app, listed)).collect();
    Ok(Json(EventsBody { events, next_cursor: page.next_cursor }))
}

#[derive(Deserialize, ToSchema)]
pub(crate) struct NewEventBody {
    #[serde(default)]
    #[schema(max_length = 200)]
    name: String,
    /// YYYY-MM-DD.
    #[serde(default)]
    #[schema(format = Date)]
    date: String,
    #[serde(default)]
    #[schema(max_length = 2000)]
    description: Option<String>,
    /// Days that its photos are to be kept, at least 7 and at most the longest of `retention_options` of `GET /api/site`; 0 for ever,
    /// where that is offered. Left out or null, the installation's `retention_days` count.
    #[serde(default)]
    keep_days: Option<u32>,
    /// Rupees that the client says were paid; recorded, never taken as a payment.
    #[serde(default)]
    payment_amount: Option<f64>,
    /// A coupon that the client says was used; recorded only.
    #[serde(default)]
    coupon_code: Option<String>,
}

/// Creates an event.
#[utoipa::path(post, path = "/api/events/", tag = "events", security(("bearer" = [])), request_body = NewEventBody,
    responses(
        (status = 201, body = TeamEventBody),
        InvalidBody,
        PhotographersOnly,
    ))]
pub(crate) async fn create(
    State(app): State<App>,
    Photographer(owner): Photographer,
    Json(body): Json<NewEventBody>,
) -> Result<(StatusCode, Json<TeamEventBody>)> {
    let new = events::NewEvent {
        name: body.name,
        date: body.date,
        description: body.description.unwrap_or_default(),
        keep_days: body.keep_days,
        payment_amount: body.payment_amount.map(Paise::from_rupees_rounded).transpose()?,
        coupon_code: body.coupon_code.map(|code| code.chars().take(100).collect()),
    };
    let event = events::create(&app, &owner, new).await?;
    Ok((StatusCode::CREATED, Json(TeamEventBody::new(&app, Listed::own(event)))))
}

/// How far an event's photos are indexed: for pages that wait for more, cheaply, with `If-None-Match` all the more.
#[utoipa::path(get, path = "/api/events/{event}/indexing", tag = "events",
    params(("event" = String, Path, description = "The event's name in links")),
    responses(
        (status = 200, body = IndexingBody),
        (status = 304, description = "As when the answer with this `ETag` was made"),
        (status = 404, body = ErrorBody, description = "No such event"),
    ))]
pub(crate) async fn indexing(
    State(app): State<App>,
    Path(slug): Path<String>,
    request: HeaderMap,
) -> Result<Response> {
    let indexing = events::by_slug(&app, &slug).await?.indexing;
    let Indexing { indexed, failed, total } = indexing;
    let etag = format!("\"{indexed}-{failed}-{total}\"");
    // A browser keeps the answer, and asks each time whether it is still right.
    let mut headers = HeaderMap::new();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    if conditional::matches_etag(&request, &etag) {
        return conditional::not_modified(headers, &etag);
    }
    headers.insert(ETAG, conditional::header_value(&etag)?);
    Ok((headers, Json(IndexingBody::from(indexing))).into_response())
}

/// The event behind a link that a photographer shares.
#[utoipa::path(get, path = "/api/events/{event}", tag = "events",
    params(("event" = String, Path, description = "The event's name in links"), ProofHeader),
    responses((status = 200, body = GuestEventBody), (status = 404, body = ErrorBody, description = "No such event")))]
pub(crate) async fn by_slug(
    State(app): State<App>,
    Path(slug): Path<String>,
    Visitor(visitor): Visitor,
) -> Result<Json<GuestEventBody>> {
    let event = events::access::shown_to(&app, &visitor, &slug).await?;
    let studio = studios::of_event(&app, &event).await?;
    Ok(Json(GuestEventBody::new(&app, event, studio)))
}
