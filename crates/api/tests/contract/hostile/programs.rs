//! What secrets outlive a session, or go beside a password, and what programs are for that upload without a browser.

use super::endpoint::{Endpoint, Field, Sends, Who, endpoint};

/// What is entered of a photographer's webhook.
const WEBHOOK: Sends = Sends::Json(&[
    Field("url", "\"https://example.com/hook\""),
    Field("description", "\"Chat\""),
    // Nothing of it happens here, or messages would be sent.
    Field("event_types", "[\"selection.done\"]"),
]);

pub(super) fn endpoints() -> Vec<Endpoint> {
    use Sends::{Json, Nothing};
    use Who::{Anybody, Photographer, SignedIn};
    vec![
        endpoint("GET", "/api/auth/tokens", SignedIn, Nothing),
        endpoint(
            "POST",
            "/api/auth/tokens",
            SignedIn,
            Json(&[
                Field("name", "\"Lightroom\""),
                Field("scope", "\"upload\""),
                Field("lifetime_days", "30"),
                Field("password", "\"correct horse\""),
            ]),
        ),
        Endpoint {
            path_of_mine: "/api/auth/tokens/made-up",
            ..endpoint("DELETE", "/api/auth/tokens/{id}", SignedIn, Nothing)
        },
        endpoint("GET", "/api/auth/webhooks", Photographer, Nothing),
        endpoint("POST", "/api/auth/webhooks", Photographer, WEBHOOK),
        Endpoint {
            path_of_mine: "/api/auth/webhooks/made-up",
            paths: &[("an event's id", "/api/auth/webhooks/{my.event}")],
            ..endpoint("PUT", "/api/auth/webhooks/{id}", Photographer, WEBHOOK)
        },
        Endpoint {
            path_of_mine: "/api/auth/webhooks/made-up/switch",
            ..endpoint("PUT", "/api/auth/webhooks/{id}/switch", Photographer, Json(&[Field("on", "true")]))
        },
        Endpoint {
            path_of_mine: "/api/auth/webhooks/made-up/secret",
            ..endpoint("POST", "/api/auth/webhooks/{id}/secret", Photographer, Nothing)
        },
        Endpoint {
            path_of_mine: "/api/auth/webhooks/made-up/test",
            ..endpoint("POST", "/api/auth/webhooks/{id}/test", Photographer, Nothing)
        },
        Endpoint {
            path_of_mine: "/api/auth/webhooks/made-up/deliveries",
            query: &[("limit", true), ("cursor", false)],
            ..endpoint("GET", "/api/auth/webhooks/{id}/deliveries", Photographer, Nothing)
        },
        Endpoint {
            path_of_mine: "/api/auth/webhooks/made-up",
            ..endpoint("DELETE", "/api/auth/webhooks/{id}", Photographer, Nothing)
        },
        endpoint("GET", "/api/auth/second-factor", SignedIn, Nothing),
        endpoint(
            "POST",
            "/api/auth/second-factor",
            SignedIn,
            Json(&[Field("password", "\"correct horse\"")]),
        ),
        endpoint("POST", "/api/auth/second-factor/confirm", SignedIn, Json(&[Field("code", "\"123456\"")])),
        endpoint("POST", "/api/auth/second-factor/check", SignedIn, Json(&[Field("code", "\"123456\"")])),
        endpoint(
            "DELETE",
            "/api/auth/second-factor",
            SignedIn,
            Json(&[Field("password", "\"correct horse\""), Field("code", "\"123456\"")]),
        ),
        endpoint("POST", "/api/auth/second-factor/passkey", SignedIn, Nothing),
        endpoint("GET", "/api/auth/passkeys", SignedIn, Nothing),
        endpoint("POST", "/api/auth/passkeys", SignedIn, Json(&[Field("password", "\"correct horse\"")])),
        endpoint(
            "POST",
            "/api/auth/passkeys/confirm",
            SignedIn,
            Json(&[
                Field("name", "\"Phone\""),
                Field("client_data_json", "\"e30\""),
                Field("attestation_object", "\"oA\""),
            ]),
        ),
        Endpoint {
            path_of_mine: "/api/auth/passkeys/made-up",
            ..endpoint(
                "DELETE",
                "/api/auth/passkeys/{id}",
                SignedIn,
                Json(&[Field("password", "\"correct horse\"")]),
            )
        },
        endpoint("GET", "/api/auth/oidc/start", Anybody, Nothing),
        endpoint("GET", "/api/auth/oidc/callback", Anybody, Nothing),
        endpoint("POST", "/api/auth/oidc/login", Anybody, Json(&[Field("ticket", "\"made-up\"")])),
        endpoint("GET", "/api/auth/oidc/link", SignedIn, Nothing),
        endpoint("POST", "/api/auth/oidc/link", SignedIn, Json(&[Field("password", "\"correct horse\"")])),
        endpoint("DELETE", "/api/auth/oidc/link", SignedIn, Json(&[Field("password", "\"correct horse\"")])),
        Endpoint {
            path_of_mine: "/api/photos/{my.photo}/status",
            paths: &[
                ("another's photo", "/api/photos/{their.photo}/status"),
                ("an event's id", "/api/photos/{my.event}/status"),
            ],
            ..endpoint("GET", "/api/photos/{id}/status", Photographer, Nothing)
        },
    ]
}
