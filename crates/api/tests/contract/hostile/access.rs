//! The PINs of events, and what guests see.

use super::endpoint::{Endpoint, Field, Sends, Who, endpoint};

pub(super) fn endpoints() -> Vec<Endpoint> {
    use Sends::{Json, Nothing};
    use Who::{Anybody, Photographer};
    vec![
        Endpoint {
            path_of_mine: "/api/face/access/{my.slug}",
            paths: &[("no such event", "/api/face/access/party-2345678923")],
            ..endpoint("POST", "/api/face/access/{slug}", Anybody, Json(&[Field("pin", "\"1234\"")]))
        },
        Endpoint {
            path_of_mine: "/api/events/{my.event}/pin",
            paths: &[
                ("another's event", "/api/events/{their.event}/pin"),
                ("a slug", "/api/events/{my.slug}/pin"),
            ],
            ..endpoint("GET", "/api/events/{event}/pin", Photographer, Nothing)
        },
        Endpoint {
            path_of_mine: "/api/events/{my.event}/kept-searches",
            paths: &[
                ("another's event", "/api/events/{their.event}/kept-searches"),
                ("a slug", "/api/events/{my.slug}/kept-searches"),
            ],
            ..endpoint("DELETE", "/api/events/{event}/kept-searches", Photographer, Nothing)
        },
        Endpoint {
            path_of_mine: "/api/events/{my.event}/publication",
            paths: &[
                ("another's event", "/api/events/{their.event}/publication"),
                ("a slug", "/api/events/{my.slug}/publication"),
            ],
            ..endpoint(
                "PUT",
                "/api/events/{event}/publication",
                Photographer,
                // The other requests are about the same event.
                Json(&[Field("publication", "\"as_they_arrive\""), Field("publish_through", "1")]),
            )
        },
        Endpoint {
            path_of_mine: "/api/events/{my.slug}/indexing",
            paths: &[
                ("no such event", "/api/events/party-2345678923/indexing"),
                ("an id", "/api/events/{my.event}/indexing"),
            ],
            ..endpoint("GET", "/api/events/{event}/indexing", Anybody, Nothing)
        },
    ]
}
