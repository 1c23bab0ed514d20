//! The endpoints of photos that guests add.

use super::endpoint::{Endpoint, Field, Sends, Who, endpoint};

const DECIDED: Sends = Sends::Json(&[Field("ids", "[\"{my.photo}\"]")]);

const fn piece(method: &'static str, body: Sends) -> Endpoint {
    Endpoint {
        path_of_mine: "/api/face/guest-photos/{my.slug}/uploads/0190163d-8694-739b-aea5-966c26f8ad91",
        paths: &[("a photo's id", "/api/face/guest-photos/{my.slug}/uploads/{my.photo}")],
        ..endpoint(method, "/api/face/guest-photos/{slug}/uploads/{id}", Who::Anybody, body)
    }
}

const fn decision(path: &'static str, path_of_mine: &'static str) -> Endpoint {
    Endpoint { path_of_mine, ..endpoint("POST", path, Who::Photographer, DECIDED) }
}

pub(super) fn endpoints() -> Vec<Endpoint> {
    use Sends::{Nothing, Piece};
    use Who::{Anybody, Photographer};
    vec![
        Endpoint {
            path_of_mine: "/api/face/guest-photos/{my.slug}",
            paths: &[
                ("no such event", "/api/face/guest-photos/party-2345678923"),
                ("an id", "/api/face/guest-photos/{my.event}"),
            ],
            ..endpoint("GET", "/api/face/guest-photos/{slug}", Anybody, Nothing)
        },
        Endpoint {
            path_of_mine: "/api/face/guest-photos/{my.slug}/{my.photo}/thumbnail",
            paths: &[("no id", "/api/face/guest-photos/{my.slug}/none/thumbnail")],
            ..endpoint("GET", "/api/face/guest-photos/{slug}/{id}/thumbnail", Anybody, Nothing)
        },
        Endpoint {
            path_of_mine: "/api/face/guest-photos/{my.slug}/uploads",
            paths: &[("no such event", "/api/face/guest-photos/party-2345678923/uploads")],
            ..endpoint("POST", "/api/face/guest-photos/{slug}/uploads", Anybody, Nothing)
        },
        piece("HEAD", Nothing),
        piece("PATCH", Piece),
        piece("DELETE", Nothing),
        Endpoint {
            path_of_mine: "/api/face/guest-photos/{my.slug}/{my.photo}",
            paths: &[("no id", "/api/face/guest-photos/{my.slug}/none")],
            ..endpoint("DELETE", "/api/face/guest-photos/{slug}/{id}", Anybody, Nothing)
        },
        Endpoint {
            path_of_mine: "/api/events/{my.event}/guest-photos",
            paths: &[
                ("another's event", "/api/events/{their.event}/guest-photos"),
                ("a slug", "/api/events/{my.slug}/guest-photos"),
            ],
            ..endpoint("GET", "/api/events/{event}/guest-photos", Photographer, Nothing)
        },
        Endpoint {
            path_of_mine: "/api/events/{my.event}/guest-photos/{my.photo}/file",
            paths: &[
                ("another's event", "/api/events/{their.event}/guest-photos/{my.photo}/file"),
                ("no id", "/api/events/{my.event}/guest-photos/none/file"),
            ],
            query: &[("size", false)],
            ..endpoint("GET", "/api/events/{event}/guest-photos/{id}/file", Photographer, Nothing)
        },
        decision("/api/events/{event}/guest-photos/let-in", "/api/events/{my.event}/guest-photos/let-in"),
        decision("/api/events/{event}/guest-photos/decline", "/api/events/{my.event}/guest-photos/decline"),
    ]
}
