//! The endpoints of an event's statistics.

use super::endpoint::{Endpoint, Field, Sends, Who, endpoint};

/// All of them, none of which changes the caller's account but for the mail that it gets.
pub(super) fn endpoints() -> Vec<Endpoint> {
    use Sends::{Json, Nothing};
    use Who::Photographer;
    vec![
        Endpoint {
            path_of_mine: "/api/events/{my.event}/statistics",
            paths: &[
                ("another's event", "/api/events/{their.event}/statistics"),
                ("a slug", "/api/events/{my.slug}/statistics"),
            ],
            ..endpoint("GET", "/api/events/{event}/statistics", Photographer, Nothing)
        },
        Endpoint {
            path_of_mine: "/api/events/{my.event}/statistics.csv",
            paths: &[("another's event", "/api/events/{their.event}/statistics.csv")],
            ..endpoint("GET", "/api/events/{event}/statistics.csv", Photographer, Nothing)
        },
        endpoint("GET", "/api/auth/language", Photographer, Nothing),
        endpoint("PUT", "/api/auth/language", Photographer, Json(&[Field("language", "\"en\"")])),
        endpoint("GET", "/api/auth/weekly-summary", Photographer, Nothing),
        endpoint("PUT", "/api/auth/weekly-summary", Photographer, Json(&[Field("wanted", "true")])),
    ]
}
