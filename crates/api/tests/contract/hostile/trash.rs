//! The endpoints of deleted photos.

use super::endpoint::{Endpoint, Field, Sends, Who, endpoint};

/// What choices of photos take.
const CHOICE: Sends = Sends::Json(&[
    Field("event_id", "\"{their.event}\""),
    Field("photo_ids", "[\"{their.photo}\"]"),
    Field("all", "false"),
]);

const REMOVED: Sends = Sends::Json(&[
    Field("event_id", "\"{their.event}\""),
    Field("photo_ids", "[\"{their.photo}\"]"),
    Field("all", "false"),
    Field("deleted_through", "null"),
]);

const DOWNLOADED: Sends = Sends::Json(&[
    Field("event_id", "\"{their.event}\""),
    Field("photo_ids", "[\"{their.photo}\"]"),
    Field("all", "false"),
    Field("album_id", "null"),
]);

/// All of them.
pub(super) fn endpoints() -> Vec<Endpoint> {
    use Sends::Nothing;
    use Who::Photographer;
    vec![
        Endpoint {
            paths: &[("another's event", "/api/photos/trash?event_id={their.event}")],
            query: &[("event_id", false), ("limit", true), ("cursor", false)],
            ..endpoint("GET", "/api/photos/trash", Photographer, Nothing)
        },
        endpoint("POST", "/api/photos/trash", Photographer, CHOICE),
        endpoint("POST", "/api/photos/download", Photographer, DOWNLOADED),
        endpoint("POST", "/api/photos/trash/restore", Photographer, CHOICE),
        endpoint("POST", "/api/photos/trash/remove", Photographer, REMOVED),
        Endpoint {
            path_of_mine: "/api/photos/trash/{my.deleted_photo}/thumbnail",
            paths: &[
                ("another's photo", "/api/photos/trash/{their.photo}/thumbnail"),
                ("an event's id", "/api/photos/trash/{my.event}/thumbnail"),
            ],
            ..endpoint("GET", "/api/photos/trash/{id}/thumbnail", Photographer, Nothing)
        },
    ]
}
