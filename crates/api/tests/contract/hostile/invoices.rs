//! Requests about invoices and billing details.

use super::endpoint::Sends::{Json, Nothing};
use super::endpoint::Who::{Administrator, Photographer};
use super::endpoint::{Endpoint, Field, endpoint};

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint {
            path_of_mine: "/api/payments/pay_none/invoice.pdf",
            ..endpoint("GET", "/api/payments/{payment_id}/invoice.pdf", Photographer, Nothing)
        },
        Endpoint {
            path_of_mine: "/api/payments/pay_none/notes/C-2026-27-000001.pdf",
            paths: &[("no ending", "/api/payments/pay_none/notes/C-2026-27-000001")],
            ..endpoint("GET", "/api/payments/{payment_id}/notes/{file}", Photographer, Nothing)
        },
        endpoint("GET", "/api/payments/billing", Photographer, Nothing),
        endpoint(
            "PUT",
            "/api/payments/billing",
            Photographer,
            Json(&[
                Field("name", "\"Meera Studios\""),
                Field("address", "\"1 Lake Road, Pune\""),
                Field("state", "\"27\""),
                Field("gstin", "\"27AAPFU0939F1ZV\""),
            ]),
        ),
        Endpoint {
            path_of_mine: "/api/administration/invoices?month=2026-11",
            query: &[("month", false)],
            ..endpoint("GET", "/api/administration/invoices", Administrator, Nothing)
        },
    ]
}
