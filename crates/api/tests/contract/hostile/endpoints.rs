//! Every endpoint of the contract: who may call it, and a valid request.

use super::endpoint::{Endpoint, Field, Sends, Who, endpoint};
use super::{
    access, administration, albums, client_selections, ftp_access, guest_photos, guests, invoices,
    photo_lists, programs, statistics, studios, teams, trash, walls,
};

const fn piece(method: &'static str, body: Sends) -> Endpoint {
    Endpoint {
        path_of_mine: "/api/photos/uploads/0190163d-8694-739b-aea5-966c26f8ad91",
        paths: &[("a photo's id", "/api/photos/uploads/{my.photo}")],
        ..endpoint(method, "/api/photos/uploads/{id}", Who::Photographer, body)
    }
}

const PASSWORD: &str = "\"not the password\"";
const EMAIL: &str = "\"nobody@example.com\"";

/// All of them, in an order in which none deletes what a later one needs.
pub(crate) fn all() -> Vec<Endpoint> {
    use Sends::{Form, Json, Nothing, Piece, Raw};
    use Who::{Administrator, Anybody, Photographer, SignedIn};
    let mut all = administration::endpoints();
    all.extend(programs::endpoints());
    all.extend(statistics::endpoints());
    all.extend(studios::endpoints());
    all.extend(invoices::endpoints());
    all.extend(access::endpoints());
    all.extend(trash::endpoints());
    all.extend(albums::endpoints());
    all.extend(teams::endpoints());
    all.extend(ftp_access::endpoints());
    all.extend(guest_photos::endpoints());
    all.extend(photo_lists::endpoints());
    all.extend(walls::endpoints());
    all.extend(client_selections::endpoints());
    all.extend([
        endpoint("GET", "/api/health", Anybody, Nothing),
        endpoint("HEAD", "/api/health", Anybody, Nothing),
        endpoint("GET", "/api/ready", Anybody, Nothing),
        endpoint("GET", "/api/site", Anybody, Nothing),
        endpoint(
            "POST",
            "/api/setup",
            Anybody,
            Json(&[
                Field("token", "\"made-up\""),
                Field("name", "\"Nobody\""),
                Field("email", EMAIL),
                Field("password", PASSWORD),
            ]),
        ),
        endpoint("POST", "/api/setup/link", Anybody, Json(&[Field("token", "\"made-up\"")])),
        endpoint("GET", "/api/setup/settings", Administrator, Nothing),
        endpoint("POST", "/api/setup/mail", Administrator, Nothing),
        endpoint(
            "POST",
            "/api/auth/register",
            Anybody,
            Json(&[
                Field("name", "\"Nobody\""),
                Field("email", "\"ravi@example.com\""),
                Field("password", PASSWORD),
                Field("is_photographer", "true"),
            ]),
        ),
        endpoint(
            "POST",
            "/api/auth/login",
            Anybody,
            Json(&[Field("email", EMAIL), Field("password", PASSWORD)]),
        ),
        endpoint("POST", "/api/auth/logout", SignedIn, Nothing),
        endpoint("GET", "/api/auth/me", SignedIn, Nothing),
        endpoint("DELETE", "/api/auth/me", SignedIn, Json(&[Field("password", PASSWORD)])),
        endpoint("GET", "/api/auth/deletion-receipts", SignedIn, Nothing),
        endpoint("GET", "/api/auth/sessions", SignedIn, Nothing),
        endpoint("DELETE", "/api/auth/sessions", SignedIn, Nothing),
        Endpoint {
            path_of_mine: "/api/auth/sessions/made-up",
            ..endpoint("DELETE", "/api/auth/sessions/{id}", SignedIn, Nothing)
        },
        endpoint("POST", "/api/auth/export", SignedIn, Json(&[Field("password", PASSWORD)])),
        Endpoint {
            path_of_mine: "/api/auth/export/made-up.zip",
            paths: &[
                ("no ending", "/api/auth/export/made-up"),
                ("another's photo", "/api/auth/export/{their.photo}.zip"),
            ],
            ..endpoint("GET", "/api/auth/export/{file}", Anybody, Nothing)
        },
        endpoint("PUT", "/api/auth/update-profile", SignedIn, Json(&[Field("name", "\"Meera Kapoor\"")])),
        endpoint(
            "POST",
            "/api/auth/change-password",
            SignedIn,
            Json(&[Field("current_password", PASSWORD), Field("new_password", "\"another one\"")]),
        ),
        endpoint("POST", "/api/auth/forgot-password", Anybody, Json(&[Field("email", EMAIL)])),
        endpoint(
            "POST",
            "/api/auth/reset-password",
            Anybody,
            Json(&[Field("token", "\"made-up\""), Field("password", PASSWORD)]),
        ),
        endpoint("POST", "/api/auth/agree-email-change", Anybody, Json(&[Field("token", "\"made-up\"")])),
        endpoint("POST", "/api/auth/revoke-email-change", Anybody, Json(&[Field("token", "\"made-up\"")])),
        endpoint("POST", "/api/auth/revoke-registration", Anybody, Json(&[Field("token", "\"made-up\"")])),
        Endpoint {
            query: &[("token", false)],
            ..endpoint("GET", "/api/auth/check-verification-status", Anybody, Nothing)
        },
        endpoint("POST", "/api/auth/verify-email", Anybody, Json(&[Field("token", "\"made-up\"")])),
        endpoint("POST", "/api/auth/resend-verification", Anybody, Json(&[Field("email", EMAIL)])),
        endpoint(
            "POST",
            "/api/contact/submit",
            Anybody,
            Json(&[
                Field("name", "\"Nobody\""),
                Field("email", EMAIL),
                Field("subject", "\"Hello\""),
                Field("message", "\"Hello\""),
            ]),
        ),
        endpoint("GET", "/api/events/", SignedIn, Nothing),
        endpoint(
            "POST",
            "/api/events/",
            Photographer,
            Json(&[
                Field("name", "\"Party\""),
                Field("date", "\"2026-11-14\""),
                Field("description", "\"Fun\""),
                Field("keep_days", "90"),
                Field("payment_amount", "999"),
                Field("coupon_code", "\"NEW\""),
            ]),
        ),
        endpoint("GET", "/api/events/analytics", Photographer, Nothing),
        Endpoint {
            paths: &[
                ("another's event as cursor", "/api/events/search?cursor={their.event}"),
                ("another's event among the ids", "/api/events/search?ids={my.event},{their.event}"),
            ],
            query: &[
                ("name", false),
                ("ids", false),
                ("deleting", false),
                ("shared", false),
                ("limit", true),
                ("cursor", false),
            ],
            ..endpoint("GET", "/api/events/search", Photographer, Nothing)
        },
        Endpoint {
            path_of_mine: "/api/events/{my.slug}",
            paths: &[
                ("an event's id", "/api/events/{my.event}"),
                ("another's event", "/api/events/{their.slug}"),
            ],
            ..endpoint("GET", "/api/events/{event}", Anybody, Nothing)
        },
        Endpoint {
            path_of_mine: "/api/events/{my.event}",
            paths: &[("another's event", "/api/events/{their.event}"), ("a slug", "/api/events/{my.slug}")],
            ..endpoint(
                "PATCH",
                "/api/events/{event}",
                Photographer,
                Json(&[
                    Field("name", "\"Party\""),
                    Field("date", "\"2026-11-14\""),
                    Field("description", "\"Fun\""),
                    Field("time_zone", "\"Asia/Kolkata\""),
                    Field("expires_on", "\"2026-12-10\""),
                    Field("keep_days", "30"),
                    Field("tells_guests", "false"),
                    Field("keeps_metadata", "true"),
                    Field("uploads_closed", "false"),
                    Field("takes_questions", "true"),
                    // The pages of all photos are asked for, too.
                    Field("browsable", "true"),
                    Field("keeps_names", "false"),
                    Field("takes_guest_photos", "true"),
                    Field("stacks_photos", "true"),
                    Field("guest_photo_limit", "30"),
                    // The other requests are about the same event.
                    Field("pin", "null"),
                    Field("downloads", "\"original\""),
                    Field("invitation", "{\"language\": \"en\", \"text\": \"Come\"}"),
                    Field("more_until", "\"2027-01-10\""),
                ]),
            )
        },
        Endpoint {
            path_of_mine: "/api/events/{their.event}",
            paths: &[
                ("another's event", "/api/events/{their.event}"),
                ("a slug", "/api/events/{my.slug}"),
                ("a photo's id", "/api/events/{my.photo}"),
            ],
            ..endpoint("DELETE", "/api/events/{event}", Photographer, Nothing)
        },
        Endpoint {
            path_of_mine: "/api/events/{my.event}/restore",
            paths: &[
                ("another's event", "/api/events/{their.event}/restore"),
                ("a slug", "/api/events/{my.slug}/restore"),
            ],
            ..endpoint("POST", "/api/events/{event}/restore", Photographer, Nothing)
        },
        Endpoint {
            path_of_mine: "/api/events/{my.event}/purge",
            paths: &[
                ("another's event", "/api/events/{their.event}/purge"),
                ("a slug", "/api/events/{my.slug}/purge"),
            ],
            ..endpoint("POST", "/api/events/{event}/purge", Photographer, Nothing)
        },
        Endpoint {
            path_of_mine: "/api/events/task/{my.task}",
            paths: &[
                ("another's task", "/api/events/task/{their.task}"),
                ("an event's id", "/api/events/task/{my.event}"),
            ],
            ..endpoint("GET", "/api/events/task/{task_id}", Photographer, Nothing)
        },
        endpoint("GET", "/api/subscription/credits", Photographer, Nothing),
        endpoint("GET", "/api/photos/count", Photographer, Nothing),
        endpoint(
            "POST",
            "/api/photos/upload",
            Photographer,
            Form("photos", &[("event_id", "{their.event}")]),
        ),
        endpoint("OPTIONS", "/api/photos/uploads", Anybody, Nothing),
        endpoint("POST", "/api/photos/uploads", Photographer, Nothing),
        Endpoint { who: Anybody, ..piece("OPTIONS", Nothing) },
        piece("HEAD", Nothing),
        piece("PATCH", Piece),
        piece("POST", Piece),
        piece("DELETE", Nothing),
        endpoint(
            "POST",
            "/api/photos/known",
            Photographer,
            Json(&[
                Field("event_id", "\"{their.event}\""),
                Field("hashes", "[\"0000000000000000000000000000000000000000000000000000000000000000\"]"),
                Field("replace", "true"),
            ]),
        ),
        endpoint(
            "POST",
            "/api/photos/versions",
            Photographer,
            Json(&[Field("event_id", "\"{their.event}\""), Field("names", "[\"a.jpg\"]")]),
        ),
        Endpoint {
            path_of_mine: "/api/photos/{my.photo}/file?size=original",
            paths: &[
                ("another's photo", "/api/photos/{their.photo}/file?size=original"),
                ("an event's id", "/api/photos/{my.event}/file?size=original"),
                ("an unknown size", "/api/photos/{my.photo}/file?size=huge"),
            ],
            query: &[("size", false)],
            ..endpoint("GET", "/api/photos/{id}/file", Photographer, Nothing)
        },
        Endpoint {
            path_of_mine: "/api/photos/{my.photo}/faces",
            paths: &[
                ("another's photo", "/api/photos/{their.photo}/faces"),
                ("an event's id", "/api/photos/{my.event}/faces"),
            ],
            ..endpoint("GET", "/api/photos/{id}/faces", Photographer, Nothing)
        },
        Endpoint {
            path_of_mine: "/api/photos/{my.photo}/retry",
            paths: &[
                ("another's photo", "/api/photos/{their.photo}/retry"),
                ("an event's id", "/api/photos/{my.event}/retry"),
            ],
            ..endpoint("POST", "/api/photos/{id}/retry", Photographer, Nothing)
        },
        Endpoint {
            path_of_mine: "/api/photos/{their.photo}",
            paths: &[
                ("another's photo", "/api/photos/{their.photo}"),
                ("an event's id", "/api/photos/{my.event}"),
            ],
            ..endpoint("DELETE", "/api/photos/{id}", Photographer, Nothing)
        },
        Endpoint {
            query: &[("key", false)],
            ..endpoint("GET", "/api/photos/download-by-s3", Anybody, Nothing)
        },
        Endpoint {
            path_of_mine: "/api/files/{my.photo}/original",
            query: &[("expires", true), ("filename", false), ("signature", false)],
            ..endpoint("GET", "/api/files/{photo}/{file}", Anybody, Nothing)
        },
    ]);
    all.extend(guests::endpoints());
    all.extend([
        Endpoint {
            path_of_mine: "/api/events/{my.event}/people",
            paths: &[
                ("another's event", "/api/events/{their.event}/people"),
                ("a slug", "/api/events/{my.slug}/people"),
            ],
            query: &[("hidden", false), ("limit", true), ("cursor", true)],
            ..endpoint("GET", "/api/events/{event}/people", Photographer, Nothing)
        },
        Endpoint {
            path_of_mine: "/api/events/{my.event}/people",
            paths: &[
                ("another's event", "/api/events/{their.event}/people"),
                ("a slug", "/api/events/{my.slug}/people"),
            ],
            ..endpoint("PUT", "/api/events/{event}/people", Photographer, Json(&[Field("enabled", "true")]))
        },
        Endpoint {
            path_of_mine: "/api/people/{their.photo}",
            paths: &[("a photo's id", "/api/people/{my.photo}"), ("no id", "/api/people/none")],
            ..endpoint("GET", "/api/people/{id}", Photographer, Nothing)
        },
        Endpoint {
            path_of_mine: "/api/people/{their.photo}",
            paths: &[("a photo's id", "/api/people/{my.photo}"), ("no id", "/api/people/none")],
            ..endpoint("PUT", "/api/people/{id}", Photographer, Json(&[Field("hidden", "true")]))
        },
        Endpoint {
            path_of_mine: "/api/people/{their.photo}/merge",
            paths: &[("a photo's id", "/api/people/{my.photo}/merge"), ("no id", "/api/people/none/merge")],
            ..endpoint(
                "POST",
                "/api/people/{id}/merge",
                Photographer,
                Json(&[Field("into", "\"{their.photo}\"")]),
            )
        },
        Endpoint {
            path_of_mine: "/api/people/{their.photo}/split",
            paths: &[("a photo's id", "/api/people/{my.photo}/split"), ("no id", "/api/people/none/split")],
            ..endpoint(
                "POST",
                "/api/people/{id}/split",
                Photographer,
                Json(&[Field("photo_ids", "[\"{their.photo}\"]")]),
            )
        },
        Endpoint {
            path_of_mine: "/api/people/{their.photo}/download",
            paths: &[
                ("a photo's id", "/api/people/{my.photo}/download"),
                ("no id", "/api/people/none/download"),
            ],
            ..endpoint("POST", "/api/people/{id}/download", Photographer, Nothing)
        },
        endpoint("GET", "/api/objections", Photographer, Nothing),
        Endpoint {
            path_of_mine: "/api/events/{my.event}/objections",
            paths: &[
                ("another's event", "/api/events/{their.event}/objections"),
                ("a slug", "/api/events/{my.slug}/objections"),
            ],
            ..endpoint("GET", "/api/events/{event}/objections", Photographer, Nothing)
        },
        Endpoint {
            path_of_mine: "/api/events/{my.event}/subscriptions",
            paths: &[
                ("another's event", "/api/events/{their.event}/subscriptions"),
                ("a slug", "/api/events/{my.slug}/subscriptions"),
            ],
            ..endpoint("GET", "/api/events/{event}/subscriptions", Photographer, Nothing)
        },
        Endpoint {
            path_of_mine: "/api/objections/{their.photo}",
            paths: &[("a photo's id", "/api/objections/{my.photo}"), ("no id", "/api/objections/none")],
            ..endpoint(
                "PUT",
                "/api/objections/{id}",
                Photographer,
                Json(&[Field("in_force", "false"), Field("photo_ids", "[\"{their.photo}\"]")]),
            )
        },
        Endpoint {
            path_of_mine: "/api/objections/{their.photo}/seen",
            paths: &[
                ("a photo's id", "/api/objections/{my.photo}/seen"),
                ("no id", "/api/objections/none/seen"),
            ],
            ..endpoint("PUT", "/api/objections/{id}/seen", Photographer, Nothing)
        },
        endpoint("POST", "/api/face/subscriptions/confirm", Anybody, Json(&[Field("token", "\"made-up\"")])),
        Endpoint {
            path_of_mine: "/api/face/unsubscribe/made-up",
            paths: &[("another's photo", "/api/face/unsubscribe/{their.photo}")],
            ..endpoint("POST", "/api/face/unsubscribe/{token}", Anybody, Nothing)
        },
        endpoint(
            "POST",
            "/api/validate-coupon",
            Photographer,
            Json(&[Field("couponCode", "\"NONE\""), Field("amount", "999")]),
        ),
        endpoint(
            "POST",
            "/api/payments/create-order",
            Photographer,
            Json(&[
                Field("amount", "10000"),
                Field("purpose", "\"credits\""),
                Field("coupon_code", "\"NONE\""),
            ]),
        ),
        endpoint(
            "POST",
            "/api/payments/verify-payment",
            Photographer,
            Json(&[
                Field("razorpay_payment_id", "\"pay_none\""),
                Field("razorpay_order_id", "\"{their.order}\""),
                Field("razorpay_signature", "\"none\""),
            ]),
        ),
        endpoint(
            "POST",
            "/api/payments/sandbox",
            Photographer,
            Json(&[Field("order_id", "\"{their.order}\"")]),
        ),
        endpoint(
            "POST",
            "/api/payments/dismiss-order",
            Photographer,
            Json(&[Field("order_id", "\"{their.order}\"")]),
        ),
        Endpoint {
            query: &[("limit", true), ("cursor", false)],
            ..endpoint("GET", "/api/payments/history", Photographer, Nothing)
        },
        endpoint("GET", "/api/payments/history.csv", Photographer, Nothing),
        Endpoint {
            path_of_mine: "/api/payments/receipts/pay_none",
            paths: &[("unknown", "/api/payments/receipts/pay_none")],
            ..endpoint("GET", "/api/payments/receipts/{payment_id}", Photographer, Nothing)
        },
        endpoint("POST", "/api/payments/webhook", Anybody, Raw),
    ]);
    all
}
