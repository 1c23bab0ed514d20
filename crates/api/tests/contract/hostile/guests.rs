//! What guests call with a selfie, and with what a search gave them.

use super::endpoint::{Endpoint, Field, Sends, Who, endpoint};

pub(super) fn endpoints() -> Vec<Endpoint> {
    use Sends::{Form, Json, Nothing};
    use Who::{Anybody, Photographer};
    vec![
        Endpoint {
            path_of_mine: "/api/face/search/{my.slug}",
            paths: &[("no such event", "/api/face/search/party-2345678923")],
            ..endpoint(
                "POST",
                "/api/face/search/{slug}",
                Anybody,
                Form(
                    "image",
                    &[
                        ("face", "0"),
                        ("strictness", "strict"),
                        ("notice_version", "2026-11-20"),
                        ("preview", "true"),
                    ],
                ),
            )
        },
        endpoint(
            "POST",
            "/api/face/search",
            Photographer,
            Form(
                "image",
                &[
                    ("face", "0"),
                    ("strictness", "strict"),
                    ("notice_version", "2026-11-20"),
                    ("preview", "true"),
                ],
            ),
        ),
        Endpoint {
            path_of_mine: "/api/face/download/made-up.zip",
            paths: &[
                ("no ending", "/api/face/download/made-up"),
                ("an event's slug", "/api/face/download/{my.slug}.zip"),
                ("another's photo", "/api/face/download/{their.photo}.zip"),
            ],
            ..endpoint("GET", "/api/face/download/{file}", Anybody, Nothing)
        },
        endpoint(
            "POST",
            "/api/face/download",
            Anybody,
            Json(&[Field("tokens", "[\"made-up\"]"), Field("photo_ids", "[\"{their.photo}\"]")]),
        ),
        endpoint("POST", "/api/face/results", Anybody, Json(&[Field("token", "\"made-up\"")])),
        endpoint(
            "POST",
            "/api/face/results/mail",
            Anybody,
            Json(&[
                Field("token", "\"made-up\""),
                Field("email", "\"nobody@example.com\""),
                Field("language", "\"hi\""),
            ]),
        ),
        Endpoint {
            path_of_mine: "/api/face/search/{my.slug}/again",
            paths: &[("no such event", "/api/face/search/party-2345678923/again")],
            ..endpoint(
                "POST",
                "/api/face/search/{slug}/again",
                Anybody,
                Json(&[
                    Field("token", "\"made-up\""),
                    Field("strictness", "\"loose\""),
                    Field("not_me", "[\"{their.photo}\"]"),
                    Field("found_before", "true"),
                ]),
            )
        },
        Endpoint {
            path_of_mine: "/api/face/search/{my.slug}/missed",
            paths: &[("no such event", "/api/face/search/party-2345678923/missed")],
            ..endpoint(
                "POST",
                "/api/face/search/{slug}/missed",
                Anybody,
                Json(&[
                    Field("token", "\"made-up\""),
                    Field("photo_id", "\"{my.photo}\""),
                    Field("confirmed", "true"),
                ]),
            )
        },
        Endpoint {
            path_of_mine: "/api/face/without-strangers/{my.slug}",
            paths: &[("no such event", "/api/face/without-strangers/party-2345678923")],
            ..endpoint(
                "POST",
                "/api/face/without-strangers/{slug}",
                Anybody,
                Json(&[Field("key", "\"made-up\""), Field("searches", "[{\"token\": \"made-up\"}]")]),
            )
        },
        Endpoint {
            path_of_mine: "/api/face/search/{my.slug}/keep",
            paths: &[("no such event", "/api/face/search/party-2345678923/keep")],
            ..endpoint(
                "POST",
                "/api/face/search/{slug}/keep",
                Anybody,
                Json(&[Field("token", "\"made-up\""), Field("notice_version", "\"2026-11-27\"")]),
            )
        },
        endpoint(
            "POST",
            "/api/face/not-me",
            Anybody,
            Json(&[Field("token", "\"made-up\""), Field("photo_id", "\"{their.photo}\"")]),
        ),
        Endpoint {
            path_of_mine: "/api/face/photos/{my.slug}",
            paths: &[
                ("no such event", "/api/face/photos/party-2345678923"),
                ("another's album", "/api/face/photos/{my.slug}?album_id={their.photo}"),
                ("a photo's id for a cursor", "/api/face/photos/{my.slug}?cursor={my.photo}"),
            ],
            query: &[("album_id", false), ("limit", true), ("cursor", false)],
            ..endpoint("GET", "/api/face/photos/{slug}", Anybody, Nothing)
        },
        Endpoint {
            path_of_mine: "/api/face/photos/{my.slug}/download",
            paths: &[("no such event", "/api/face/photos/party-2345678923/download")],
            ..endpoint(
                "POST",
                "/api/face/photos/{slug}/download",
                Anybody,
                Json(&[Field("album_id", "\"{their.photo}\"")]),
            )
        },
        Endpoint {
            path_of_mine: "/api/face/hearts/{my.slug}",
            paths: &[("no such event", "/api/face/hearts/party-2345678923")],
            ..endpoint(
                "POST",
                "/api/face/hearts/{slug}",
                Anybody,
                Json(&[Field("key", "\"made-up\""), Field("on", "true")]),
            )
        },
        Endpoint {
            path_of_mine: "/api/face/questions/{my.slug}",
            paths: &[("no such event", "/api/face/questions/party-2345678923")],
            ..endpoint(
                "POST",
                "/api/face/questions/{slug}",
                Anybody,
                Json(&[
                    Field("key", "\"made-up\""),
                    Field("email", "\"nobody@example.com\""),
                    Field("message", "\"Print please\""),
                ]),
            )
        },
        endpoint(
            "POST",
            "/api/face/subscriptions",
            Anybody,
            Json(&[
                Field("token", "\"made-up\""),
                Field("email", "\"nobody@example.com\""),
                Field("notice_version", "\"1\""),
                Field("language", "\"hi\""),
            ]),
        ),
        Endpoint {
            path_of_mine: "/api/face/objections/{my.slug}",
            paths: &[("no such event", "/api/face/objections/party-2345678923")],
            ..endpoint(
                "POST",
                "/api/face/objections/{slug}",
                Anybody,
                Form("image", &[("face", "0"), ("notice_version", "2026-11-20"), ("challenge", "made-up")]),
            )
        },
        Endpoint {
            path_of_mine: "/api/face/objections/{my.slug}/challenge",
            paths: &[("no such event", "/api/face/objections/party-2345678923/challenge")],
            ..endpoint("POST", "/api/face/objections/{slug}/challenge", Anybody, Nothing)
        },
        endpoint(
            "POST",
            "/api/face/objections",
            Anybody,
            Json(&[
                Field("token", "\"made-up\""),
                Field("choice", "\"hide\""),
                Field("notice_version", "\"1\""),
            ]),
        ),
    ]
}
