//! The endpoints of studios.

use super::endpoint::{Endpoint, Field, Sends, Who, endpoint};

pub(super) fn endpoints() -> Vec<Endpoint> {
    use Sends::{Form, Json, Nothing};
    use Who::{Anybody, Photographer};
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
        endpoint("PUT", "/api/studio/logo", Photographer, Form("logo", &[])),
        Endpoint {
            path_of_mine: "/api/studio/logos/made-up",
            paths: &[("a photo's id", "/api/studio/logos/{my.photo}")],
            ..endpoint("GET", "/api/studio/logos/{name}", Anybody, Nothing)
        },
        Endpoint {
            path_of_mine: "/api/studio/accent?color=%230b5394",
            query: &[("color", false)],
            ..endpoint("GET", "/api/studio/accent", Photographer, Nothing)
        },
        endpoint("PUT", "/api/studio/dark-logo", Photographer, Form("logo", &[])),
        Endpoint {
            path_of_mine: "/api/studio/dark-logos/made-up",
            paths: &[("a photo's id", "/api/studio/dark-logos/{my.photo}")],
            ..endpoint("GET", "/api/studio/dark-logos/{name}", Anybody, Nothing)
        },
        endpoint("GET", "/api/studio/watermark", Photographer, Nothing),
        endpoint(
            "PUT",
            "/api/studio/watermark",
            Photographer,
            Form("lettering", &[("text", "Meera"), ("position", "bottom_right"), ("opacity", "40")]),
        ),
        Endpoint {
            path_of_mine: "/api/studio/watermarks/made-up",
            paths: &[("a photo's id", "/api/studio/watermarks/{my.photo}")],
            ..endpoint("GET", "/api/studio/watermarks/{name}", Anybody, Nothing)
        },
        endpoint("DELETE", "/api/studio/watermark", Photographer, Nothing),
        endpoint("DELETE", "/api/studio/dark-logo", Photographer, Nothing),
        endpoint("DELETE", "/api/studio/logo", Photographer, Nothing),
        endpoint("GET", "/api/studio/host", Photographer, Nothing),
        endpoint(
            "PUT",
            "/api/studio/host",
            Photographer,
            Json(&[Field("name", "\"photos.red-fort.example\"")]),
        ),
        endpoint("POST", "/api/studio/host/proof", Photographer, Nothing),
        endpoint("DELETE", "/api/studio/host", Photographer, Nothing),
        Endpoint {
            path_of_mine: "/api/site/host-allowed?host=localhost",
            paths: &[("a host that is nobody's", "/api/site/host-allowed?host=photos.red-fort.example")],
            ..endpoint("GET", "/api/site/host-allowed", Anybody, Nothing)
        },
        endpoint("DELETE", "/api/studio", Photographer, Nothing),
    ]
}
