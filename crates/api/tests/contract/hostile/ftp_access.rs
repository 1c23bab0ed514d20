//! The endpoint of cameras' logins.

use super::endpoint::{Endpoint, Sends, Who, endpoint};

/// All of its methods.
pub(super) fn endpoints() -> Vec<Endpoint> {
    ["GET", "PUT", "DELETE"]
        .map(|method| Endpoint {
            path_of_mine: "/api/events/{their.event}/ftp",
            paths: &[
                ("another's event", "/api/events/{their.event}/ftp"),
                ("a slug", "/api/events/{my.slug}/ftp"),
                ("no id", "/api/events/none/ftp"),
            ],
            ..endpoint(method, "/api/events/{event}/ftp", Who::Photographer, Sends::Nothing)
        })
        .into()
}
