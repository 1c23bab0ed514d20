//! Changing events.

use app::App;
use axum::extract::State;
use domain::events::changes::{Changes, NewInvitation};
use domain::events::flags::FlagChanges;
use domain::{EventId, Refusal};
use serde::{Deserialize, Deserializer};
use utoipa::ToSchema;

use crate::events::TeamEventBody;
use crate::events::choices::DownloadsBody;
use crate::events::invitations::InvitationBody;
use crate::operations::runtime::error::{ErrorBody, Result};
use crate::operations::runtime::extract::{Json, Path, Photographer};
use crate::operations::runtime::responses::{InvalidBody, PhotographersOnly};

/// What is left out stays as it is.
#[derive(Deserialize, ToSchema)]
pub(crate) struct EventChangesBody {
    #[serde(default)]
    #[schema(max_length = 200)]
    name: Option<String>,
    /// YYYY-MM-DD.
    #[serde(default)]
    #[schema(format = Date)]
    date: Option<String>,
    /// Null removes it.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<String>, max_length = 2000)]
    description: Option<Option<String>>,
    /// The IANA name of the time zone whose days its days are, such as Asia/Kolkata.
    #[serde(default)]
    time_zone: Option<String>,
    /// The day on which its photos are to be removed, YYYY-MM-DD, at least 8 days ahead and within the retention period; null
    /// for the end of that period.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<String>, format = Date)]
    expires_on: Option<Option<String>>,
    /// Days that its photos are to be kept after its date or their last upload, as for a new event; null for those of the
    /// installation.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<u32>)]
    keep_days: Option<Option<u32>>,
    /// The id of the photo that is its cover; null for the drawn sky.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<String>)]
    cover_photo_id: Option<Option<String>>,
    /// Whether guests can ask to be told of new photos. While not, those who have asked are told nothing.
    #[serde(default)]
    tells_guests: Option<bool>,
    /// Whether guests get originals byte for byte. While not, positions, places, names of people, keywords and serial
    /// numbers are overwritten in them.
    #[serde(default)]
    keeps_metadata: Option<bool>,
    /// Whether it takes no more photos. What was taken in before stays, and guests see it as before.
    #[serde(default)]
    uploads_closed: Option<bool>,
    /// Whether guests can write to the photographer about photos.
    #[serde(default)]
    takes_questions: Option<bool>,
    /// Whether guests may look at all photos. While not, they see those that a search by selfie finds.
    #[serde(default)]
    browsable: Option<bool>,
    /// Whether what guests save carries the names of the photographer's files, made safe and unique.
    #[serde(default)]
    keeps_names: Option<bool>,
    /// Whether guests may add photos. They wait, seen by nobody else, until they are let in.
    #[serde(default)]
    takes_guest_photos: Option<bool>,
    /// Whether photos that are alike are put together, and the best stands for them. Off in a new event.
    #[serde(default)]
    stacks_photos: Option<bool>,
    /// How many photos one guest's device may add, from 1 to 200.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 200)]
    guest_photo_limit: Option<u32>,
    /// What guests enter before they can search, 6 to 8 digits; null for none. Whoever entered another one enters this one.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<String>)]
    pin: Option<Option<String>>,
    /// What guests can save: `original`, `web` (the web size alone) or `none`. It holds for links and ZIPs that they have already.
    #[serde(default)]
    #[schema(value_type = Option<DownloadsBody>)]
    downloads: Option<String>,
    /// What its photographer sends to guests; null or an empty text for the usual words.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<InvitationBody>)]
    invitation: Option<Option<InvitationBody>>,
    /// Until which day more photos are coming, YYYY-MM-DD, today or later, which guests are told until it is past; null for none.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<String>, format = Date)]
    more_until: Option<Option<String>>,
}

/// Tells null from what is left out.
fn given<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    value: D,
) -> std::result::Result<Option<Option<T>>, D::Error> {
    Option::deserialize(value).map(Some)
}

/// Changes an event. Its slug stays, so that its link goes on working.
#[utoipa::path(patch, path = "/api/events/{event}", tag = "events", security(("bearer" = [])),
    params(("event" = String, Path, description = "The event's **id**")),
    request_body = EventChangesBody,
    responses(
        (status = 200, body = TeamEventBody),
        InvalidBody,
        PhotographersOnly,
        (status = 404, body = ErrorBody, description = "No such event of the caller"),
        (status = 409, body = ErrorBody, description = "It is being deleted"),
        (status = 422, body = ErrorBody, description = "The photo cannot be its cover, or is held"),
    ))]
pub(crate) async fn change_event(
    State(app): State<App>,
    Photographer(owner): Photographer,
    Path(id): Path<String>,
    Json(body): Json<EventChangesBody>,
) -> Result<Json<TeamEventBody>> {
    let id: EventId = id.parse().map_err(|_| Refusal::EventNotFound)?;
    let changes = Changes {
        name: body.name,
        date: body.date,
        description: body.description,
        time_zone: body.time_zone,
        expires_on: body.expires_on,
        keep_days: body.keep_days,
        cover: body.cover_photo_id,
        flags: FlagChanges {
            tells_guests: body.tells_guests,
            keeps_metadata: body.keeps_metadata,
            uploads_closed: body.uploads_closed,
            takes_questions: body.takes_questions,
            browsable: body.browsable,
            keeps_names: body.keeps_names,
            takes_guest_photos: body.takes_guest_photos,
            stacks_photos: body.stacks_photos,
        },
        pin: body.pin,
        downloads: body.downloads,
        invitation: body
            .invitation
            .map(|given| given.map(|InvitationBody { language, text }| NewInvitation { language, text })),
        more_until: body.more_until,
        guest_photo_limit: body.guest_photo_limit,
    };
    let event = app::events::changes::change(&app, &owner, id, changes).await?;
    Ok(Json(TeamEventBody::new(&app, event)))
}
