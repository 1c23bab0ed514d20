//! Rate limits of one address.

use std::net::SocketAddr;
use std::time::Duration;

use app::operations::runtime::limits::LimitSettings;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::Request;
use serde_json::{Value, json};

use crate::harness::{Answer, Field, PASSWORD, RED, World, encode, on_both_engines, photo};

const MINUTE: Duration = Duration::from_secs(60);

/// Runs a test on both engines with a service that has rate limits.
fn with_limits<F: Future<Output = ()>>(proxies: &str, test: impl Fn(World) -> F) {
    on_both_engines(async |world: World| {
        test(World::limited(world.parts.db.clone(), LimitSettings::default(), proxies).await).await;
    });
}

/// A caller: the peer of the connection, and its `X-Forwarded-For`.
#[derive(Clone, Copy)]
pub(crate) struct From<'a>(pub(crate) &'a str, pub(crate) &'a str);

pub(crate) const HOME: From<'static> = From("192.0.2.1", "");
pub(crate) const ELSEWHERE: From<'static> = From("192.0.2.2", "");

impl From<'_> {
    pub(crate) async fn send(
        self,
        world: &World,
        path: &str,
        token: &str,
        kind: &str,
        body: Vec<u8>,
    ) -> Answer {
        let method = match path {
            path if path.ends_with("update-profile") => "PUT",
            path if path.starts_with("/api/face/photos/") && !path.ends_with("/download") => "GET",
            _ => "POST",
        };
        let mut request = Request::builder().method(method).uri(path).header("content-type", kind);
        if !token.is_empty() {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        if !self.1.is_empty() {
            request = request.header("x-forwarded-for", self.1);
        }
        let peer = ConnectInfo(SocketAddr::new(self.0.parse().unwrap(), 4_000));
        world.send(request.extension(peer).body(Body::from(body)).unwrap()).await
    }

    pub(crate) async fn json(self, world: &World, path: &str, token: &str, body: Value) -> Answer {
        self.send(world, path, token, "application/json", body.to_string().into_bytes()).await
    }

    pub(crate) async fn log_in(self, world: &World, password: &str) -> Answer {
        let body = json!({"email": "meera@example.com", "password": password});
        self.json(world, "/api/auth/login", "", body).await
    }

    pub(crate) async fn contact(self, world: &World) -> Answer {
        let body = json!({"name": "Ravi", "email": "r@example.com", "subject": "Hello", "message": "Hello"});
        self.json(world, "/api/contact/submit", "", body).await
    }
}

pub(crate) fn assert_refused(answer: &Answer, seconds: u64, wait: &str) {
    assert_eq!(answer.error(), (429, format!("Too many requests. Please try again in {wait}.")));
    assert_eq!(answer.json()["code"], "too_many_requests");
    assert_eq!(answer.header("retry-after"), seconds.to_string());
}

#[test]
fn the_guests_of_an_event_behind_one_address_search_300_times_a_minute() {
    // [SAFE005] [SAFE361] [ERR013]
    with_limits("", async |world| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        let path = format!("/api/face/search/{}", event["slug"].as_str().unwrap());
        let selfie = encode(&[Field::file("image", "selfie.jpg", &photo(&[RED], 0)), Field::notice()]);
        let empty = encode(&[Field::notice()]);
        let kind = "multipart/form-data; boundary=line";
        for number in 0..300 {
            // What is sent does not matter.
            let answer = HOME.send(&world, &path, "", kind, empty.clone()).await;
            assert_eq!(answer.status, 400, "{number}");
            world.clock.advance(Duration::from_millis(100));
        }
        let refused = HOME.send(&world, &path, "", kind, selfie.clone()).await;
        assert_refused(&refused, 30, "30 seconds");
        assert_eq!(ELSEWHERE.send(&world, &path, "", kind, selfie.clone()).await.status, 200);
        let other = world.event(&token, "Other").await;
        let other = format!("/api/face/search/{}", other["slug"].as_str().unwrap());
        for path in [other.as_str(), "/api/face/search"] {
            let answer = HOME.send(&world, path, &token, kind, selfie.clone()).await;
            assert_eq!(answer.status, 200, "{path} has its own");
        }
        world.clock.advance(Duration::from_secs(30));
        assert_eq!(HOME.send(&world, &path, "", kind, selfie).await.status, 200);
    });
}

#[test]
fn an_address_searches_so_often_a_day_in_whatever_events() {
    // [SAFE362]
    let limits = LimitSettings { daily_searches: 3, ..LimitSettings::default() };
    on_both_engines(async |world: World| {
        let world = World::limited(world.parts.db.clone(), limits, "").await;
        let token = world.photographer("meera@example.com").await;
        let kind = "multipart/form-data; boundary=line";
        let search = async |from: From<'_>, number: usize| {
            let event = world.event(&token, &format!("Party {number}")).await;
            let path = format!("/api/face/search/{}", event["slug"].as_str().unwrap());
            from.send(&world, &path, "", kind, encode(&[Field::notice()])).await
        };
        for number in 0..3 {
            assert_eq!(search(HOME, number).await.status, 400);
            world.clock.advance(MINUTE);
        }
        let day = domain::DAY.as_secs() - 3 * MINUTE.as_secs();
        assert_eq!(search(HOME, 3).await.header("retry-after"), day.to_string());
        assert_eq!(search(ELSEWHERE, 4).await.status, 400);
    });
}

#[test]
fn searches_without_a_selfie_have_a_limit_of_their_own() {
    // [SAFE363]
    let limits = LimitSettings { repeated_searches: 2, ..LimitSettings::default() };
    on_both_engines(async |world: World| {
        let world = World::limited(world.parts.db.clone(), limits, "").await;
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        let path = format!("/api/face/search/{}/again", event["slug"].as_str().unwrap());
        let again = async |from: From<'_>| from.json(&world, &path, "", json!({"token": "made-up"})).await;
        for _ in 0..2 {
            assert_eq!(again(HOME).await.status, 404);
        }
        assert_refused(&again(HOME).await, 60, "60 seconds");
        assert_eq!(again(ELSEWHERE).await.status, 404);
    });
}

#[test]
fn the_121st_use_of_results_within_a_minute_waits() {
    // [SAFE071]
    with_limits("", async |world| {
        let uses = [
            ("/api/face/download", json!({"tokens": ["made-up"], "photo_ids": ["made-up"]})),
            ("/api/face/results", json!({"token": "made-up"})),
            ("/api/face/not-me", json!({"token": "made-up", "photo_id": "made-up"})),
            ("/api/face/photos/party-2345678923", json!({})),
            ("/api/face/photos/party-2345678923/download", json!({})),
        ];
        let send = async |number: usize| {
            let (path, body) = &uses[number % uses.len()];
            HOME.json(&world, path, "", body.clone()).await
        };
        for number in 0..120 {
            assert_eq!(send(number).await.status, 404, "{number}");
        }
        for number in 0..uses.len() {
            assert_refused(&send(number).await, 60, "60 seconds");
        }
        world.clock.advance(MINUTE);
        assert_eq!(send(0).await.status, 404);
    });
}

#[test]
fn the_21st_wrong_pin_within_an_hour_waits_and_the_201st_of_an_event() {
    // [EVT105] [EVT131] [EVT158] [EVT132]
    with_limits("", async |world| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        let (id, slug) = (event["id"].as_str().unwrap(), event["slug"].as_str().unwrap());
        let path = format!("/api/events/{id}");
        assert_eq!(world.patch(&path, &token, json!({"pin": "471147"})).await.status, 200);
        let path = format!("/api/face/access/{slug}");
        let enter = async |from: From<'_>, pin: &str| from.json(&world, &path, "", json!({"pin": pin})).await;
        for _ in 0..50 {
            assert_eq!(enter(HOME, "471147").await.status, 200, "the right one does not count");
        }
        for _ in 0..20 {
            assert_eq!(enter(HOME, "471247").await.status, 403);
        }
        // Nor is the right one told from a wrong one then.
        for pin in ["471247", "471147"] {
            assert_refused(&enter(HOME, pin).await, 3_600, "60 minutes");
        }
        assert_eq!(enter(ELSEWHERE, "471147").await.status, 200);
        for address in 2..11 {
            let address = format!("192.0.2.{address}");
            for _ in 0..20 {
                assert_eq!(enter(From(&address, ""), "471247").await.status, 403);
            }
        }
        assert_refused(&enter(From("192.0.2.1", ""), "471147").await, 3_600, "60 minutes");
        // Whoever has tried little is not kept out by others.
        let guest = From("198.51.100.1", "");
        for _ in 0..5 {
            assert_eq!(enter(guest, "471147").await.status, 200);
        }
        for _ in 0..3 {
            assert_eq!(enter(guest, "471247").await.status, 403);
        }
        for pin in ["471247", "471147"] {
            assert_refused(&enter(guest, pin).await, 3_600, "60 minutes");
        }
        world.clock.advance(MINUTE * 60);
        assert_eq!(enter(HOME, "471147").await.status, 200);
    });
}

#[test]
fn the_11th_login_within_an_hour_waits_even_with_the_right_password() {
    // [SAFE006]
    with_limits("", async |world| {
        world.photographer("meera@example.com").await;
        for number in 0..10 {
            let (password, status) = if number % 2 == 0 { (PASSWORD, 200) } else { ("wrong", 401) };
            assert_eq!(HOME.log_in(&world, password).await.status, status);
            world.clock.advance(MINUTE * 5);
        }
        assert_refused(&HOME.log_in(&world, PASSWORD).await, 600, "10 minutes");
        assert_eq!(ELSEWHERE.log_in(&world, PASSWORD).await.status, 200);
        world.clock.advance(MINUTE * 10);
        assert_eq!(HOME.log_in(&world, PASSWORD).await.status, 200);
        assert_eq!(HOME.log_in(&world, PASSWORD).await.status, 429);
    });
}

#[test]
fn the_6th_registration_within_an_hour_waits() {
    // [SAFE007]
    with_limits("", async |world| {
        for number in 0..6 {
            let body = json!({"name": "M", "email": format!("m{number}@example.com"), "password": PASSWORD});
            let answer = HOME.json(&world, "/api/auth/register", "", body).await;
            if number < 5 {
                assert_eq!(answer.status, 200);
            } else {
                assert_refused(&answer, 3_600, "60 minutes");
            }
        }
        assert_eq!(world.log_in("m5@example.com").await.status, 401, "no account was made");
    });
}

#[test]
fn a_mistyped_registration_does_not_count() {
    // [SAFE107]
    with_limits("", async |world| {
        let register = async |email: &str, password: &str| {
            let body = json!({"name": "M", "email": email, "password": password});
            HOME.json(&world, "/api/auth/register", "", body).await
        };
        for number in 0..8 {
            let (email, password) =
                if number % 2 == 0 { ("m@example.com", "short") } else { ("m", PASSWORD) };
            assert_eq!(register(email, password).await.status, 400, "{number}");
        }
        assert_eq!(register("m@example.com", PASSWORD).await.status, 200);
        // A taken address does: it is how one finds out who is registered.
        for _ in 0..4 {
            assert_eq!(register("m@example.com", PASSWORD).await.status, 409);
        }
        assert_eq!(register("n@example.com", PASSWORD).await.status, 429);
    });
}

#[test]
fn the_6th_mail_to_one_address_waits_whoever_asks() {
    // [SAFE105] [SAFE246]
    with_limits("", async |world| {
        world.photographer("meera@example.com").await;
        for email in ["meera@example.com", "nobody@example.com"] {
            let paths = ["/api/auth/forgot-password", "/api/auth/resend-verification"];
            let ask = async |number: usize| {
                let address = format!("198.51.100.{number}");
                let body = json!({"email": if number.is_multiple_of(2) { email.to_uppercase() } else { email.to_owned() }});
                From(&address, "").json(&world, paths[number % 2], "", body).await
            };
            for number in 0..5 {
                assert_eq!(ask(number).await.status, 200, "{number}");
            }
            assert_refused(&ask(5).await, 3_600, "60 minutes");
        }
        let body = json!({"email": "other@example.com"});
        let answer = ELSEWHERE.json(&world, "/api/auth/forgot-password", "", body).await;
        assert_eq!(answer.status, 200);
    });
}

#[test]
fn the_31st_order_and_coupon_of_an_account_within_an_hour_wait() {
    // [SAFE108]
    with_limits("", async |world| {
        let token = world.photographer("meera@example.com").await;
        let other = world.photographer("ravi@example.com").await;
        for (path, body) in [
            ("/api/payments/create-order", json!({"amount": 10_000})),
            ("/api/validate-coupon", json!({"couponCode": "NONE", "amount": 999})),
        ] {
            for number in 0..30 {
                let address = format!("198.51.100.{number}");
                let answer = From(&address, "").json(&world, path, &token, body.clone()).await;
                assert_eq!(answer.status, 200, "{path} {number}");
            }
            assert_refused(&HOME.json(&world, path, &token, body.clone()).await, 3_600, "60 minutes");
            assert_eq!(HOME.json(&world, path, &other, body).await.status, 200);
        }
    });
}

#[test]
fn the_6th_mail_within_an_hour_waits_whatever_caused_it() {
    // [SAFE008]
    with_limits("", async |world| {
        let token = world.photographer("meera@example.com").await;
        let email = json!({"email": "meera@example.com"});
        let unknown = json!({"email": "nobody@example.com"});
        let other = json!({"email": "other@example.com", "current_password": PASSWORD});
        assert_eq!(HOME.contact(&world).await.status, 200);
        assert_eq!(HOME.json(&world, "/api/auth/forgot-password", "", email.clone()).await.status, 200);
        // An unregistered address counts too: otherwise the limit would disclose who is registered.
        assert_eq!(HOME.json(&world, "/api/auth/resend-verification", "", unknown).await.status, 200);
        // Changing the address sends two mails.
        assert_eq!(HOME.json(&world, "/api/auth/update-profile", &token, other.clone()).await.status, 200);
        assert_eq!(HOME.contact(&world).await.status, 429);
        for (path, token, body) in [
            ("/api/auth/forgot-password", "", &email),
            ("/api/auth/resend-verification", "", &email),
            ("/api/auth/update-profile", token.as_str(), &other),
        ] {
            let refused = HOME.json(&world, path, token, body.clone()).await;
            assert_refused(&refused, 3_600, "60 minutes");
        }
        let registration = json!({"name": "N", "email": "new@example.com", "password": PASSWORD});
        assert_eq!(HOME.json(&world, "/api/auth/register", "", registration).await.status, 429);
        // Changing the name sends none.
        assert_eq!(
            HOME.json(&world, "/api/auth/update-profile", &token, json!({"name": "Meera"})).await.status,
            200
        );
        assert_eq!(ELSEWHERE.contact(&world).await.status, 200);
    });
}

#[test]
fn the_241st_question_for_known_photos_within_a_minute_waits() {
    // [SAFE070]
    with_limits("", async |world| {
        let token = world.photographer("meera@example.com").await;
        let question = json!({"hashes": []});
        for number in 0..240 {
            let answer = HOME.json(&world, "/api/photos/known", &token, question.clone()).await;
            assert_eq!(answer.status, 200, "{number}");
        }
        assert_refused(
            &HOME.json(&world, "/api/photos/known", &token, question.clone()).await,
            60,
            "60 seconds",
        );
        assert_eq!(ELSEWHERE.json(&world, "/api/photos/known", &token, question).await.status, 200);
    });
}

#[test]
fn without_trusted_proxies_a_header_changes_nothing() {
    // [SAFE010]
    with_limits("", async |world| {
        for number in 0..6 {
            let claimed = format!("203.0.113.{number}");
            let answer = From("192.0.2.1", &claimed).contact(&world).await;
            assert_eq!(answer.status, if number < 5 { 200 } else { 429 });
        }
    });
}

#[test]
fn a_trusted_proxy_names_its_clients() {
    // [SAFE011]
    with_limits("192.0.2.0/24", async |world| {
        for number in 0..12 {
            // The client's own claim is at the left of the header, and ignored.
            let claimed = format!("6.6.6.{number}, 203.0.113.{}, 192.0.2.9", number % 2);
            let answer = From("192.0.2.1", &claimed).contact(&world).await;
            assert_eq!(answer.status, if number < 10 { 200 } else { 429 }, "{number}");
        }
        for number in 0..6 {
            // One household has a whole /64.
            let claimed = format!("2001:db8:0:1::{number:x}");
            let answer = From("192.0.2.1", &claimed).contact(&world).await;
            assert_eq!(answer.status, if number < 5 { 200 } else { 429 }, "{number}");
        }
    });
}
