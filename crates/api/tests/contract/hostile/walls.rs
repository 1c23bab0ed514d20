//! The endpoints of walls.

use super::endpoint::{Endpoint, Field, Sends, Who, endpoint};

/// All of them.
pub(super) fn endpoints() -> Vec<Endpoint> {
    let wanted = Sends::Json(&[Field("album_id", "null")]);
    let mut all: Vec<Endpoint> = [("GET", Sends::Nothing), ("PUT", wanted), ("DELETE", Sends::Nothing)]
        .map(|(method, sends)| Endpoint {
            path_of_mine: "/api/events/{my.event}/wall",
            paths: &[
                ("another's event", "/api/events/{their.event}/wall"),
                ("a slug", "/api/events/{my.slug}/wall"),
                ("no id", "/api/events/none/wall"),
            ],
            ..endpoint(method, "/api/events/{event}/wall", Who::Photographer, sends)
        })
        .into();
    all.push(Endpoint {
        path_of_mine: "/api/wall/aaaaaaaaaaaaaaaaaaaa",
        paths: &[("a slug", "/api/wall/{my.slug}"), ("no secret", "/api/wall/none")],
        ..endpoint("GET", "/api/wall/{secret}", Who::Anybody, Sends::Nothing)
    });
    all.push(Endpoint {
        path_of_mine: "/api/wall/aaaaaaaaaaaaaaaaaaaa/photos/{my.photo}",
        paths: &[
            ("a slug", "/api/wall/{my.slug}/photos/{my.photo}"),
            ("no secret", "/api/wall/none/photos/none"),
        ],
        ..endpoint("GET", "/api/wall/{secret}/photos/{photo}", Who::Anybody, Sends::Nothing)
    });
    all
}
