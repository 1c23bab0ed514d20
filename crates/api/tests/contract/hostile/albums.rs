//! The endpoints of albums.

use super::endpoint::{Endpoint, Field, Sends, Who, endpoint};

const NAME: Sends = Sends::Json(&[Field("name", "\"Ceremony\"")]);

/// All of them.
pub(super) fn endpoints() -> Vec<Endpoint> {
    use Sends::{Json, Nothing};
    use Who::Photographer;
    let of_event = |method, sends| Endpoint {
        path_of_mine: "/api/events/{their.event}/albums",
        paths: &[
            ("another's event", "/api/events/{their.event}/albums"),
            ("a slug", "/api/events/{my.slug}/albums"),
            ("no id", "/api/events/none/albums"),
        ],
        ..endpoint(method, "/api/events/{event}/albums", Photographer, sends)
    };
    let one = |method, sends| Endpoint {
        path_of_mine: "/api/albums/{their.photo}",
        paths: &[("a photo's id", "/api/albums/{my.photo}"), ("no id", "/api/albums/none")],
        ..endpoint(method, "/api/albums/{id}", Photographer, sends)
    };
    vec![
        of_event("GET", Nothing),
        of_event("POST", NAME),
        of_event("PUT", Json(&[Field("album_ids", "[\"{their.photo}\"]")])),
        one("PATCH", NAME),
        one("DELETE", Nothing),
        endpoint(
            "POST",
            "/api/photos/album",
            Photographer,
            Json(&[
                Field("event_id", "\"{their.event}\""),
                Field("photo_ids", "[\"{their.photo}\"]"),
                Field("all", "false"),
                Field("album_id", "\"{their.photo}\""),
                Field("take_out", "false"),
            ]),
        ),
    ]
}
