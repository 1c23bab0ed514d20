//! For each route a request that has an effect when its owner sends it. The placeholders are those of `scene.rs`.

use crate::hostile::endpoint::{self, Endpoint, Field, Sends};

/// A request with placeholders.
pub(super) struct Wish {
    pub(super) path: String,
    pub(super) kind: Option<&'static str>,
    sends: Sends,
}

/// What hostile/endpoints.rs has is refused in places, so that it has no effect.
fn effective(endpoint: &Endpoint) -> Option<(&'static str, Option<Sends>)> {
    use Sends::{Form, Json};
    const TOKEN: Sends = Json(&[Field("token", "\"{guest.token}\"")]);
    let own = endpoint.path;
    let found = match (endpoint.method, endpoint.path) {
        ("POST", "/api/auth/register") => (
            own,
            Some(Json(&[
                Field("name", "\"Somebody\""),
                Field("email", "\"{fresh.email}\""),
                Field("password", "\"correct horse\""),
                Field("is_photographer", "true"),
            ])),
        ),
        ("POST", "/api/auth/login") => {
            (own, Some(Json(&[Field("email", "\"{owner.email}\""), Field("password", "\"correct horse\"")])))
        }
        ("POST", "/api/auth/export") => (own, Some(Json(&[Field("password", "\"correct horse\"")]))),
        ("GET", "/api/auth/export/{file}") => ("/api/auth/export/{my.export}.zip", None),
        ("DELETE", "/api/auth/me") => (own, Some(Json(&[Field("password", "\"correct horse\"")]))),
        ("POST", "/api/auth/change-password") => (
            own,
            Some(Json(&[
                Field("current_password", "\"correct horse\""),
                Field("new_password", "\"battery staple\""),
            ])),
        ),
        ("POST", "/api/auth/forgot-password" | "/api/auth/resend-verification") => {
            (own, Some(Json(&[Field("email", "\"{owner.email}\"")])))
        }
        ("POST", "/api/auth/reset-password") => (
            own,
            Some(Json(&[Field("token", "\"{mailed.reset}\""), Field("password", "\"battery staple\"")])),
        ),
        ("GET", "/api/auth/check-verification-status") => {
            ("/api/auth/check-verification-status?token={mailed.verification}", None)
        }
        ("POST", "/api/auth/verify-email" | "/api/auth/revoke-registration") => {
            (own, Some(Json(&[Field("token", "\"{mailed.verification}\"")])))
        }
        ("POST", "/api/auth/second-factor/confirm") => {
            (own, Some(Json(&[Field("code", "\"{owner.begun_code}\"")])))
        }
        ("POST", "/api/auth/second-factor/check") => {
            (own, Some(Json(&[Field("code", "\"{owner.app_code}\"")])))
        }
        ("DELETE", "/api/auth/second-factor") => (
            own,
            Some(Json(&[Field("password", "\"correct horse\""), Field("code", "\"{owner.app_code}\"")])),
        ),
        ("POST", "/api/auth/passkeys") => (own, Some(Json(&[Field("password", "\"correct horse\"")]))),
        ("POST", "/api/auth/passkeys/confirm") => (
            own,
            Some(Json(&[
                Field("name", "\"Phone\""),
                Field("client_data_json", "\"{owner.client_data}\""),
                Field("attestation_object", "\"{owner.attestation}\""),
            ])),
        ),
        ("DELETE", "/api/auth/passkeys/{id}") => {
            ("/api/auth/passkeys/{my.passkey}", Some(Json(&[Field("password", "\"correct horse\"")])))
        }
        ("DELETE", "/api/auth/sessions/{id}") => ("/api/auth/sessions/{my.session}", None),
        ("DELETE", "/api/auth/tokens/{id}") => ("/api/auth/tokens/{my.api_token}", None),
        ("PUT" | "DELETE", "/api/auth/webhooks/{id}") => ("/api/auth/webhooks/{my.webhook}", None),
        ("PUT", "/api/auth/webhooks/{id}/switch") => ("/api/auth/webhooks/{my.webhook}/switch", None),
        ("POST", "/api/auth/webhooks/{id}/secret") => ("/api/auth/webhooks/{my.webhook}/secret", None),
        ("POST", "/api/auth/webhooks/{id}/test") => ("/api/auth/webhooks/{my.webhook}/test", None),
        ("GET", "/api/auth/webhooks/{id}/deliveries") => ("/api/auth/webhooks/{my.webhook}/deliveries", None),
        ("POST", "/api/auth/agree-email-change") => {
            (own, Some(Json(&[Field("token", "\"{mailed.agreement}\"")])))
        }
        ("POST", "/api/auth/revoke-email-change") => {
            (own, Some(Json(&[Field("token", "\"{mailed.revocation}\"")])))
        }
        ("POST", "/api/events/") => (own, Some(NEW_EVENT)),
        // A day of removal is good for a while only.
        ("POST", "/api/events/{event}/restore") => ("/api/events/{my.deleted_event}/restore", None),
        ("POST", "/api/events/{event}/purge") => ("/api/events/{my.deleted_event}/purge", None),
        ("POST", "/api/administration/events/{id}/purge") => {
            ("/api/administration/events/{my.deleted_event}/purge", None)
        }
        ("PATCH", "/api/events/{event}") => {
            ("/api/events/{my.event}", Some(Json(&[Field("name", "\"Ball\"")])))
        }
        ("GET", "/api/studio/logos/{name}") => ("/api/studio/logos/{my.logo}", None),
        ("GET", "/api/site/host-allowed") => ("/api/site/host-allowed?host=localhost", None),
        ("GET", "/api/studio/accent") => ("/api/studio/accent?color=%230b5394", None),
        ("GET", "/api/studio/dark-logos/{name}") => ("/api/studio/dark-logos/{my.dark_logo}", None),
        ("GET", "/api/studio/watermarks/{name}") => ("/api/studio/watermarks/{my.watermark}", None),
        ("GET", "/api/photos/search") => ("/api/photos/search?event_id={my.event}", None),
        ("POST", "/api/photos/upload") => (own, Some(Form("photos", &[("event_id", "{my.event}")]))),
        ("HEAD" | "PATCH" | "POST" | "DELETE", "/api/photos/uploads/{id}") => {
            ("/api/photos/uploads/{my.upload}", None)
        }
        ("GET", "/api/photos/download-by-s3") => ("/api/photos/download-by-s3?key={guest.key}", None),
        ("GET", "/api/files/{photo}/{file}") => ("{guest.file}", None),
        ("GET", "/api/face/download/{file}") => ("/api/face/download/{guest.token}.zip", None),
        ("POST", "/api/face/download") => (
            own,
            Some(Json(&[Field("tokens", "[\"{guest.token}\"]"), Field("photo_ids", "[\"{my.photo}\"]")])),
        ),
        ("POST", "/api/face/results") => (own, Some(TOKEN)),
        ("POST", "/api/face/results/mail") => {
            (own, Some(Json(&[Field("token", "\"{guest.token}\""), Field("email", "\"{fresh.email}\"")])))
        }
        ("POST", "/api/face/search/{slug}/again") => {
            ("/api/face/search/{my.slug}/again", Some(Json(&[Field("token", "\"{guest.search}\"")])))
        }
        ("POST", "/api/face/search/{slug}/missed") => (
            "/api/face/search/{my.slug}/missed",
            Some(Json(&[Field("token", "\"{guest.search}\""), Field("photo_id", "\"{my.photo}\"")])),
        ),
        ("POST", "/api/face/without-strangers/{slug}") => (
            "/api/face/without-strangers/{my.slug}",
            Some(Json(&[
                Field("key", "\"{guest.key}\""),
                Field("searches", "[{\"token\": \"{guest.search}\"}]"),
            ])),
        ),
        ("POST", "/api/face/search/{slug}/keep") => (
            "/api/face/search/{my.slug}/keep",
            Some(Json(&[Field("token", "\"{guest.search}\""), Field("notice_version", "\"2026-11-27\"")])),
        ),
        ("PUT", "/api/events/{event}/publication") => (
            "/api/events/{my.event}/publication",
            Some(Json(&[Field("publication", "\"as_they_arrive\""), Field("publish_through", "1")])),
        ),
        ("DELETE", "/api/events/{event}/kept-searches") => ("/api/events/{my.event}/kept-searches", None),
        ("GET", "/api/events/{event}/indexing") => ("/api/events/{my.slug}/indexing", None),
        ("POST", "/api/face/not-me") => {
            (own, Some(Json(&[Field("token", "\"{guest.token}\""), Field("photo_id", "\"{my.photo}\"")])))
        }
        ("GET", "/api/face/photos/{slug}") => ("/api/face/photos/{my.slug}", None),
        ("POST", "/api/face/photos/{slug}/download") => {
            ("/api/face/photos/{my.slug}/download", Some(Json(&[Field("album_id", "null")])))
        }
        ("HEAD" | "PATCH" | "DELETE", "/api/face/guest-photos/{slug}/uploads/{id}") => {
            ("/api/face/guest-photos/{my.slug}/uploads/{my.guest_upload}", None)
        }
        ("GET", "/api/face/guest-photos/{slug}/{id}/thumbnail") => {
            ("/api/face/guest-photos/{my.slug}/{my.guest_photo}/thumbnail", None)
        }
        ("DELETE", "/api/face/guest-photos/{slug}/{id}") => {
            ("/api/face/guest-photos/{my.slug}/{my.guest_photo}", None)
        }
        ("GET", "/api/events/{event}/guest-photos/{id}/file") => {
            ("/api/events/{my.event}/guest-photos/{my.guest_photo}/file", None)
        }
        ("POST", "/api/events/{event}/guest-photos/let-in") => {
            ("/api/events/{my.event}/guest-photos/let-in", Some(GUEST_PHOTO))
        }
        ("POST", "/api/events/{event}/guest-photos/decline") => {
            ("/api/events/{my.event}/guest-photos/decline", Some(GUEST_PHOTO))
        }
        ("POST", "/api/face/hearts/{slug}") => (
            "/api/face/hearts/{my.slug}",
            Some(Json(&[Field("key", "\"{guest.key}\""), Field("on", "true")])),
        ),
        ("POST", "/api/face/questions/{slug}") => (
            "/api/face/questions/{my.slug}",
            Some(Json(&[
                Field("key", "\"{guest.key}\""),
                Field("email", "\"{fresh.email}\""),
                Field("message", "\"Print please\""),
            ])),
        ),
        ("POST", "/api/face/subscriptions") => (
            own,
            Some(Json(&[
                Field("token", "\"{guest.subscription}\""),
                Field("email", "\"{fresh.email}\""),
                Field("notice_version", "\"2026-11\""),
                Field("language", "\"hi\""),
            ])),
        ),
        ("POST", "/api/face/objections") => (
            own,
            Some(Json(&[
                Field("token", "\"{guest.objection}\""),
                Field("choice", "\"hide\""),
                Field("notice_version", "\"2026-11\""),
            ])),
        ),
        ("GET" | "PUT", "/api/people/{id}") => ("/api/people/{my.person}", None),
        ("POST", "/api/people/{id}/merge") => {
            ("/api/people/{my.person}/merge", Some(Json(&[Field("into", "\"{my.other_person}\"")])))
        }
        ("POST", "/api/people/{id}/split") => {
            ("/api/people/{my.person}/split", Some(Json(&[Field("photo_ids", "[\"{my.photo}\"]")])))
        }
        ("POST", "/api/events/{event}/invitations") => (
            "/api/events/{my.event}/invitations",
            Some(Json(&[Field("email", "\"{fresh.email}\""), Field("role", "\"contributor\"")])),
        ),
        ("DELETE", "/api/events/{event}/invitations/{id}") => {
            ("/api/events/{my.event}/invitations/{my.invitation}", None)
        }
        ("PATCH" | "DELETE", "/api/events/{event}/members/{id}") => {
            ("/api/events/{my.event}/members/{my.member}", None)
        }
        ("POST", "/api/invitations/look" | "/api/invitations/accept" | "/api/invitations/decline") => {
            (own, Some(Json(&[Field("token", "\"{mailed.invitation}\"")])))
        }
        ("POST", "/api/events/{event}/albums") => ("/api/events/{my.event}/albums", None),
        ("GET", "/api/events/{event}/albums") => ("/api/events/{my.event}/albums", None),
        ("PUT", "/api/events/{event}/albums") => {
            ("/api/events/{my.event}/albums", Some(Json(&[Field("album_ids", "[\"{my.album}\"]")])))
        }
        ("GET" | "PUT" | "DELETE", "/api/events/{event}/ftp") => ("/api/events/{my.event}/ftp", None),
        ("PUT", "/api/events/{event}/wall") => {
            ("/api/events/{my.event}/wall", Some(Json(&[Field("album_id", "\"{my.album}\"")])))
        }
        ("GET" | "POST", "/api/events/{event}/selections") => ("/api/events/{my.event}/selections", None),
        ("PUT" | "DELETE", "/api/events/{event}/selections/{selection}") => {
            ("/api/events/{my.event}/selections/{my.selection}", None)
        }
        ("POST", "/api/events/{event}/selections/{selection}/reopen") => {
            ("/api/events/{my.event}/selections/{my.selection}/reopen", None)
        }
        ("POST", "/api/events/{event}/selections/{selection}/seen") => {
            ("/api/events/{my.event}/selections/{my.selection}/seen", None)
        }
        ("GET", "/api/selections/{secret}") => ("/api/selections/{guest.selection}", None),
        ("POST", "/api/selections/{secret}/access") => ("/api/selections/{guest.selection}/access", None),
        ("GET", "/api/selections/{secret}/photos") => ("/api/selections/{guest.selection}/photos", None),
        ("PUT", "/api/selections/{secret}/photos/{photo}") => {
            ("/api/selections/{guest.selection}/photos/{my.photo}", None)
        }
        ("POST", "/api/selections/{secret}/done") => ("/api/selections/{guest.selection}/done", None),
        ("GET", "/api/wall/{secret}") => ("/api/wall/{guest.wall}", None),
        ("GET", "/api/wall/{secret}/photos/{photo}") => ("/api/wall/{guest.wall}/photos/{my.photo}", None),
        ("PATCH" | "DELETE", "/api/albums/{id}") => ("/api/albums/{my.album}", None),
        ("POST", "/api/photos/album") => (
            own,
            Some(Json(&[
                Field("event_id", "\"{my.event}\""),
                Field("photo_ids", "[\"{my.photo}\"]"),
                Field("album_id", "\"{my.album}\""),
            ])),
        ),
        ("POST", "/api/people/{id}/download") => ("/api/people/{my.person}/download", None),
        ("PUT", "/api/objections/{id}/seen") => ("/api/objections/{my.objection}/seen", None),
        ("PUT", "/api/objections/{id}") => {
            ("/api/objections/{my.objection}", Some(Json(&[Field("in_force", "false")])))
        }
        ("POST", "/api/face/subscriptions/confirm") => {
            (own, Some(Json(&[Field("token", "\"{guest.confirmation}\"")])))
        }
        ("POST", "/api/face/unsubscribe/{token}") => ("/api/face/unsubscribe/{guest.unsubscription}", None),
        ("POST", "/api/validate-coupon") => {
            (own, Some(Json(&[Field("couponCode", "\"HALF\""), Field("amount", "999")])))
        }
        ("POST", "/api/payments/create-order") => (own, Some(Json(&[Field("amount", "10000")]))),
        ("POST", "/api/payments/verify-payment") => (
            own,
            Some(Json(&[
                Field("razorpay_payment_id", "\"{my.payment}\""),
                Field("razorpay_order_id", "\"{my.paid_order}\""),
                Field("razorpay_signature", "\"{my.signature}\""),
            ])),
        ),
        ("GET", "/api/payments/receipts/{payment_id}") => {
            ("/api/payments/receipts/{my.verified_payment}", None)
        }
        ("GET", "/api/payments/{payment_id}/invoice.pdf") => {
            ("/api/payments/{my.verified_payment}/invoice.pdf", None)
        }
        ("GET", "/api/payments/{payment_id}/notes/{file}") => {
            ("/api/payments/{my.verified_payment}/notes/{my.note}.pdf", None)
        }
        ("GET", "/api/administration/invoices") => ("/api/administration/invoices?month=2026-11", None),
        ("POST", "/api/administration/accounts/{id}/lock") => {
            ("/api/administration/accounts/{my.account}/lock", None)
        }
        ("POST", "/api/administration/jobs/{id}/retry") => {
            ("/api/administration/jobs/{my.failed_job}/retry", None)
        }
        ("POST", "/api/administration/payments/{payment_id}/refund") => {
            ("/api/administration/payments/{my.verified_payment}/refund", None)
        }
        ("PUT" | "DELETE", "/api/administration/webhooks/{id}") => {
            ("/api/administration/webhooks/{my.webhook}", None)
        }
        ("PUT", "/api/administration/webhooks/{id}/switch") => {
            ("/api/administration/webhooks/{my.webhook}/switch", None)
        }
        ("POST", "/api/administration/webhooks/{id}/secret") => {
            ("/api/administration/webhooks/{my.webhook}/secret", None)
        }
        ("POST", "/api/administration/webhooks/{id}/test") => {
            ("/api/administration/webhooks/{my.webhook}/test", None)
        }
        ("GET", "/api/administration/webhooks/{id}/deliveries") => {
            ("/api/administration/webhooks/{my.webhook}/deliveries", None)
        }
        _ => return None,
    };
    Some(found)
}

/// How the names of placeholders begin for which there is an event.
pub(super) const EVENT_THINGS: [&str; 7] =
    ["my.event", "my.slug", "my.photo", "my.album", "my.objection", "my.person", "guest."];

const GUEST_PHOTO: Sends = Sends::Json(&[Field("ids", "[\"{my.guest_photo}\"]")]);

const NEW_EVENT: Sends = Sends::Json(&[Field("name", "\"Party\""), Field("date", "\"2026-11-14\"")]);

pub(super) fn of(endpoint: Endpoint) -> Wish {
    let (path, sends) = effective(&endpoint).unwrap_or((endpoint.path_of_mine, None));
    let kind = endpoint.body.kind();
    Wish { path: path.replace("{their.", "{my."), kind, sends: sends.unwrap_or(endpoint.body) }
}

pub(super) fn outside(method: &str, path: &str) -> Wish {
    let sends = if method == "POST" { NEW_EVENT } else { Sends::Nothing };
    Wish { path: path.to_owned(), kind: sends.kind(), sends }
}

impl Wish {
    /// All of it in which placeholders can be.
    fn text(&self) -> String {
        let fields: String = match &self.sends {
            Sends::Nothing | Sends::Raw | Sends::Piece => String::new(),
            Sends::Json(fields) => fields.iter().map(|Field(_, value)| *value).collect(),
            Sends::Form(_, fields) => fields.iter().map(|(_, value)| *value).collect(),
        };
        (self.path.clone() + &fields).replace("{their.", "{my.")
    }

    /// Whether a placeholder whose name starts with `prefix` is in the request.
    pub(super) fn needs(&self, prefix: &str) -> bool {
        self.text().contains(&format!("{{{prefix}"))
    }

    pub(super) fn names_a_resource(&self) -> bool {
        self.needs("my.")
    }

    /// Whether it is about the event, or a photo of it, that there is then.
    pub(super) fn is_about_an_event(&self) -> bool {
        EVENT_THINGS.iter().any(|thing| self.needs(thing))
    }

    /// Whether there is something in it that can be too old.
    pub(super) fn can_be_stale(&self) -> bool {
        ["my.", "guest.", "mailed."].iter().any(|prefix| self.needs(prefix))
    }

    pub(super) fn body(&self, fill: impl Fn(&str) -> String) -> Vec<u8> {
        let fill = |text: &str| fill(&text.replace("{their.", "{my."));
        match &self.sends {
            Sends::Json(fields) => {
                endpoint::object(fields.iter().map(|Field(name, value)| (*name, fill(value))))
            }
            Sends::Form(picture, texts) => {
                let texts: Vec<(&str, String)> =
                    texts.iter().map(|(name, value)| (*name, fill(value))).collect();
                let texts: Vec<(&str, &str)> =
                    texts.iter().map(|(name, value)| (*name, value.as_str())).collect();
                endpoint::form(picture, &texts)
            }
            other => other.valid(),
        }
    }
}
