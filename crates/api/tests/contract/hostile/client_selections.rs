//! The endpoints of what clients choose.

use super::endpoint::{Endpoint, Field, Sends, Who, endpoint};

const WANTED: Sends = Sends::Json(&[
    Field("name", "\"Asha\""),
    Field("photo_limit", "60"),
    Field("due_on", "null"),
    Field("pin", "null"),
    Field("album_id", "null"),
]);

/// All of them.
pub(super) fn endpoints() -> Vec<Endpoint> {
    let mut all: Vec<Endpoint> = [("GET", Sends::Nothing), ("POST", WANTED)]
        .map(|(method, sends)| Endpoint {
            path_of_mine: "/api/events/{my.event}/selections",
            paths: &[
                ("another's event", "/api/events/{their.event}/selections"),
                ("a slug", "/api/events/{my.slug}/selections"),
                ("no id", "/api/events/none/selections"),
            ],
            ..endpoint(method, "/api/events/{event}/selections", Who::Photographer, sends)
        })
        .into();
    for (method, route, path, sends) in [
        (
            "PUT",
            "/api/events/{event}/selections/{selection}",
            "/api/events/{my.event}/selections/{my.photo}",
            WANTED,
        ),
        (
            "POST",
            "/api/events/{event}/selections/{selection}/reopen",
            "/api/events/{my.event}/selections/{my.photo}/reopen",
            Sends::Nothing,
        ),
        (
            "POST",
            "/api/events/{event}/selections/{selection}/seen",
            "/api/events/{my.event}/selections/{my.photo}/seen",
            Sends::Nothing,
        ),
        (
            "DELETE",
            "/api/events/{event}/selections/{selection}",
            "/api/events/{my.event}/selections/{my.photo}",
            Sends::Nothing,
        ),
    ] {
        all.push(Endpoint {
            path_of_mine: path,
            paths: match route.rsplit_once('/').map(|(_, last)| last) {
                Some("reopen") => &[("no id", "/api/events/{my.event}/selections/none/reopen")],
                Some("seen") => &[("no id", "/api/events/{my.event}/selections/none/seen")],
                _ => &[
                    ("another's event", "/api/events/{their.event}/selections/{my.photo}"),
                    ("no id", "/api/events/{my.event}/selections/none"),
                ],
            },
            ..endpoint(method, route, Who::Photographer, sends)
        });
    }
    for (method, route, path, sends) in [
        ("GET", "/api/selections/{secret}", "/api/selections/aaaaaaaaaaaaaaaaaaaa", Sends::Nothing),
        (
            "POST",
            "/api/selections/{secret}/access",
            "/api/selections/aaaaaaaaaaaaaaaaaaaa/access",
            Sends::Json(&[Field("pin", "\"471147\"")]),
        ),
        (
            "GET",
            "/api/selections/{secret}/photos",
            "/api/selections/aaaaaaaaaaaaaaaaaaaa/photos",
            Sends::Nothing,
        ),
        (
            "PUT",
            "/api/selections/{secret}/photos/{photo}",
            "/api/selections/aaaaaaaaaaaaaaaaaaaa/photos/{my.photo}",
            Sends::Json(&[Field("chosen", "true"), Field("comment", "\"Crop it\"")]),
        ),
        (
            "POST",
            "/api/selections/{secret}/done",
            "/api/selections/aaaaaaaaaaaaaaaaaaaa/done",
            Sends::Json(&[Field("message", "\"Thanks\"")]),
        ),
    ] {
        all.push(Endpoint { path_of_mine: path, ..endpoint(method, route, Who::Anybody, sends) });
    }
    all
}
