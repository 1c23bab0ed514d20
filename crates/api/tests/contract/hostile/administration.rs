//! The endpoints of administrators.

use super::endpoint::{Endpoint, Field, Sends, Who, endpoint};

/// What is entered of a webhook.
const WEBHOOK: Sends = Sends::Json(&[
    Field("url", "\"https://example.com/hook\""),
    Field("description", "\"Chat\""),
    // Nothing of it happens here, or messages would be sent.
    Field("event_types", "[\"payment.refunded\"]"),
]);

/// All of them, none of which changes the caller's account.
pub(super) fn endpoints() -> Vec<Endpoint> {
    use Sends::{Json, Nothing};
    use Who::Administrator;
    vec![
        endpoint("GET", "/api/administration/overview", Administrator, Nothing),
        Endpoint {
            query: &[("query", false), ("limit", true), ("cursor", false)],
            ..endpoint("GET", "/api/administration/accounts", Administrator, Nothing)
        },
        Endpoint {
            path_of_mine: "/api/administration/accounts/{my.account}",
            paths: &[
                ("another's account", "/api/administration/accounts/{their.account}"),
                ("an event's id", "/api/administration/accounts/{my.event}"),
            ],
            ..endpoint("GET", "/api/administration/accounts/{id}", Administrator, Nothing)
        },
        Endpoint {
            path_of_mine: "/api/administration/accounts/{their.account}/verify",
            ..endpoint("POST", "/api/administration/accounts/{id}/verify", Administrator, Nothing)
        },
        Endpoint {
            path_of_mine: "/api/administration/accounts/{my.account}/lock",
            ..endpoint(
                "POST",
                "/api/administration/accounts/{id}/lock",
                Administrator,
                Json(&[Field("reason", "\"Chargeback\"")]),
            )
        },
        Endpoint {
            path_of_mine: "/api/administration/accounts/{their.account}/unlock",
            ..endpoint("POST", "/api/administration/accounts/{id}/unlock", Administrator, Nothing)
        },
        Endpoint {
            path_of_mine: "/api/administration/accounts/{their.account}/credits",
            ..endpoint(
                "POST",
                "/api/administration/accounts/{id}/credits",
                Administrator,
                Json(&[
                    Field("key", "\"3f0c1e0a-77d5-4f7b-9d0c-8f6d6d3c5b11\""),
                    Field("rupees", "1"),
                    Field("reason", "\"A present\""),
                ]),
            )
        },
        Endpoint {
            query: &[("limit", true), ("cursor", false)],
            ..endpoint("GET", "/api/administration/events", Administrator, Nothing)
        },
        endpoint("GET", "/api/administration/jobs", Administrator, Nothing),
        Endpoint {
            query: &[("kind", false), ("limit", true), ("cursor", false)],
            ..endpoint("GET", "/api/administration/jobs/failed", Administrator, Nothing)
        },
        Endpoint {
            path_of_mine: "/api/administration/events/{my.event}/purge",
            ..endpoint("POST", "/api/administration/events/{id}/purge", Administrator, Nothing)
        },
        Endpoint {
            path_of_mine: "/api/administration/jobs/{my.task}/retry",
            ..endpoint("POST", "/api/administration/jobs/{id}/retry", Administrator, Nothing)
        },
        endpoint(
            "POST",
            "/api/administration/jobs/retry",
            Administrator,
            Json(&[Field("kind", "\"delete_event\"")]),
        ),
        endpoint("GET", "/api/administration/payments", Administrator, Nothing),
        Endpoint {
            path_of_mine: "/api/administration/payments/pay_none/refund",
            ..endpoint("POST", "/api/administration/payments/{payment_id}/refund", Administrator, Nothing)
        },
        endpoint("GET", "/api/administration/settings", Administrator, Nothing),
        endpoint("GET", "/api/administration/webhooks", Administrator, Nothing),
        endpoint("POST", "/api/administration/webhooks", Administrator, WEBHOOK),
        Endpoint {
            path_of_mine: "/api/administration/webhooks/made-up",
            paths: &[("an event's id", "/api/administration/webhooks/{my.event}")],
            ..endpoint("PUT", "/api/administration/webhooks/{id}", Administrator, WEBHOOK)
        },
        Endpoint {
            path_of_mine: "/api/administration/webhooks/made-up/switch",
            ..endpoint(
                "PUT",
                "/api/administration/webhooks/{id}/switch",
                Administrator,
                Json(&[Field("on", "true")]),
            )
        },
        Endpoint {
            path_of_mine: "/api/administration/webhooks/made-up/secret",
            ..endpoint("POST", "/api/administration/webhooks/{id}/secret", Administrator, Nothing)
        },
        Endpoint {
            path_of_mine: "/api/administration/webhooks/made-up/test",
            ..endpoint("POST", "/api/administration/webhooks/{id}/test", Administrator, Nothing)
        },
        Endpoint {
            path_of_mine: "/api/administration/webhooks/made-up/deliveries",
            query: &[("limit", true), ("cursor", false)],
            ..endpoint("GET", "/api/administration/webhooks/{id}/deliveries", Administrator, Nothing)
        },
        Endpoint {
            path_of_mine: "/api/administration/webhooks/made-up",
            ..endpoint("DELETE", "/api/administration/webhooks/{id}", Administrator, Nothing)
        },
    ]
}
