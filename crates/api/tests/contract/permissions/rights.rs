//! What a call about an event needs of a member of its team (decision 0057).

use domain::team::Right;

pub(super) fn of(method: &str, route: &str) -> Right {
    match (method, route) {
        ("DELETE", "/api/events/{event}")
        | ("PATCH", "/api/events/{event}/members/{id}")
        | ("POST", "/api/photos/trash/remove") => Right::Own,
        (
            "POST",
            "/api/photos/upload"
            | "/api/photos/known"
            | "/api/photos/versions"
            | "/api/photos/trash"
            | "/api/photos/trash/restore",
        )
        | ("GET", "/api/photos/search")
        | ("DELETE", "/api/events/{event}/membership") => Right::Upload,
        _ => Right::Manage,
    }
}
