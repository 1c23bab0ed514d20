//! The endpoints of studios.

use super::endpoint::{Endpoint, Field, Sends, Who, endpoint};

pub(super) fn endpoints() -> Vec<Endpoint> {
    use Sends::{Json, Nothing};
    use Who::Photographer;
    vec![
        endpoint("GET", "/api/studio", Photographer, Nothing),
        endpoint(
            "PUT",
            "/api/studio",
            Photographer,
            Json(&[
                Field("name", "\"Studio Meera\""),
                Field("accent", "\"#0b5394\""),
                Field("website", "\"https://meera.example\""),
                Field("instagram", "\"@meera.studio\""),
                Field("contact", "\"+91 98450 12345\""),
            ]),
        ),
        endpoint("DELETE", "/api/studio", Photographer, Nothing),
    ]
}
