//! The endpoints of teams and invitations.

use super::endpoint::{Endpoint, Field, Sends, Who, endpoint};

const TOKEN: Sends = Sends::Json(&[Field("token", "\"made-up\"")]);

/// All of them.
pub(super) fn endpoints() -> Vec<Endpoint> {
    use Sends::{Json, Nothing};
    use Who::{Anybody, Photographer};
    vec![
        Endpoint {
            path_of_mine: "/api/events/{my.event}/team",
            paths: &[
                ("another's event", "/api/events/{their.event}/team"),
                ("a slug", "/api/events/{my.slug}/team"),
            ],
            ..endpoint("GET", "/api/events/{event}/team", Photographer, Nothing)
        },
        Endpoint {
            path_of_mine: "/api/events/{their.event}/invitations",
            paths: &[("no id", "/api/events/none/invitations")],
            ..endpoint(
                "POST",
                "/api/events/{event}/invitations",
                Photographer,
                Json(&[Field("email", "\"second@example.com\""), Field("role", "\"contributor\"")]),
            )
        },
        Endpoint {
            path_of_mine: "/api/events/{my.event}/invitations/{my.photo}",
            paths: &[
                ("another's event", "/api/events/{their.event}/invitations/{my.photo}"),
                ("no id", "/api/events/{my.event}/invitations/none"),
            ],
            ..endpoint("DELETE", "/api/events/{event}/invitations/{id}", Photographer, Nothing)
        },
        Endpoint {
            path_of_mine: "/api/events/{my.event}/members/{their.account}",
            paths: &[
                ("another's event", "/api/events/{their.event}/members/{my.account}"),
                ("no id", "/api/events/{my.event}/members/none"),
            ],
            ..endpoint(
                "PATCH",
                "/api/events/{event}/members/{id}",
                Photographer,
                Json(&[Field("role", "\"manager\"")]),
            )
        },
        Endpoint {
            path_of_mine: "/api/events/{my.event}/members/{their.account}",
            paths: &[
                ("another's event", "/api/events/{their.event}/members/{their.account}"),
                ("no id", "/api/events/{my.event}/members/none"),
            ],
            ..endpoint("DELETE", "/api/events/{event}/members/{id}", Photographer, Nothing)
        },
        Endpoint {
            path_of_mine: "/api/events/{my.event}/membership",
            paths: &[("another's event", "/api/events/{their.event}/membership")],
            ..endpoint("DELETE", "/api/events/{event}/membership", Photographer, Nothing)
        },
        endpoint("POST", "/api/invitations/look", Anybody, TOKEN),
        endpoint("POST", "/api/invitations/accept", Photographer, TOKEN),
        endpoint("POST", "/api/invitations/decline", Anybody, TOKEN),
    ]
}
