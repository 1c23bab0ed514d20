//! The endpoint of cameras' logins.

use super::endpoint::{Endpoint, Field, Sends, Who, endpoint};

/// All of its methods.
pub(super) fn endpoints() -> Vec<Endpoint> {
    let wanted = Sends::Json(&[Field("lifetime_days", "30"), Field("password", "\"correct horse\"")]);
    [("GET", Sends::Nothing), ("PUT", wanted), ("DELETE", Sends::Nothing)]
        .map(|(method, sends)| Endpoint {
            path_of_mine: "/api/events/{their.event}/ftp",
            paths: &[
                ("another's event", "/api/events/{their.event}/ftp"),
                ("a slug", "/api/events/{my.slug}/ftp"),
                ("no id", "/api/events/none/ftp"),
            ],
            ..endpoint(method, "/api/events/{event}/ftp", Who::Photographer, sends)
        })
        .into()
}
