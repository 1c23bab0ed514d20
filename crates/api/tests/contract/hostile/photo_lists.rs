//! The endpoints that list photos and what they are listed by.

use super::endpoint::{Endpoint, Field, Sends, Who, endpoint};

/// The parameters of a list of photos.
const LISTED: &[(&str, bool)] = &[
    ("event_id", false),
    ("filename", false),
    ("name", false),
    ("status", false),
    ("sort", false),
    ("without_faces", false),
    ("held", false),
    ("hearted", false),
    ("blurred", false),
    ("person_id", false),
    ("album_id", false),
    ("selection_id", false),
    ("commented", false),
    ("uploader_id", false),
    ("limit", true),
    ("cursor", false),
];

pub(super) fn endpoints() -> Vec<Endpoint> {
    use Sends::{Json, Nothing};
    use Who::Photographer;
    vec![
        Endpoint {
            paths: &[
                ("another's event", "/api/photos/search?event_id={their.event}"),
                ("a photo of another as cursor", "/api/photos/search?cursor={their.photo}"),
            ],
            query: LISTED,
            ..endpoint("GET", "/api/photos/search", Photographer, Nothing)
        },
        Endpoint {
            paths: &[
                ("another's event", "/api/photos/search/ids?event_id={their.event}"),
                ("a photo of another as cursor", "/api/photos/search/ids?cursor={their.photo}"),
            ],
            query: LISTED,
            ..endpoint("GET", "/api/photos/search/ids", Photographer, Nothing)
        },
        endpoint(
            "POST",
            "/api/photos/names",
            Photographer,
            Json(&[
                Field("event_id", "\"{their.event}\""),
                Field("photo_ids", "[\"{their.photo}\"]"),
                Field("all", "false"),
                Field("format", "\"xmp\""),
                Field("without_endings", "true"),
                Field("rating", "5"),
                Field("label", "\"red\""),
            ]),
        ),
        Endpoint {
            path_of_mine: "/api/photos/{my.photo}/top-of-stack",
            paths: &[
                ("another's photo", "/api/photos/{their.photo}/top-of-stack"),
                ("an event's id", "/api/photos/{my.event}/top-of-stack"),
            ],
            ..endpoint("PUT", "/api/photos/{id}/top-of-stack", Photographer, Nothing)
        },
    ]
}
