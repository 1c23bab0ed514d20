//! Invalid input to every operation: the exact status, always an error of the contract, never a 5xx.

use axum::body::Body;
use axum::http::{Method, Request};

use crate::harness::{World, on_both_engines};

/// Every operation that requires a signed-in caller.
const SIGNED_IN: &[(&str, &str)] = &[
    ("GET", "/api/auth/me"),
    ("POST", "/api/auth/logout"),
    ("GET", "/api/auth/sessions"),
    ("DELETE", "/api/auth/sessions"),
    ("DELETE", "/api/auth/sessions/made-up"),
    ("GET", "/api/events/"),
    ("POST", "/api/events/"),
    ("GET", "/api/subscription/credits"),
    ("GET", "/api/photos/search"),
    ("GET", "/api/photos/count"),
    ("POST", "/api/photos/upload"),
    ("GET", "/api/photos/0190163d-8694-739b-aea5-966c26f8ad91/file?size=original"),
    ("POST", "/api/face/search"),
    ("GET", "/api/events/analytics"),
    ("GET", "/api/events/search"),
    ("DELETE", "/api/events/0190163d-8694-739b-aea5-966c26f8ad91"),
    ("GET", "/api/events/task/0190163d-8694-739b-aea5-966c26f8ad91"),
    ("DELETE", "/api/photos/0190163d-8694-739b-aea5-966c26f8ad91"),
    ("PUT", "/api/auth/update-profile"),
    ("POST", "/api/auth/change-password"),
    ("DELETE", "/api/auth/me"),
    ("POST", "/api/validate-coupon"),
    ("POST", "/api/payments/create-order"),
    ("POST", "/api/payments/verify-payment"),
    ("POST", "/api/payments/sandbox"),
];

const JSON_CALLS: &[&str] = &[
    "/api/auth/register",
    "/api/auth/login",
    "/api/auth/verify-email",
    "/api/auth/resend-verification",
    "/api/events/",
    "/api/auth/change-password",
    "/api/auth/forgot-password",
    "/api/auth/reset-password",
    "/api/auth/agree-email-change",
    "/api/auth/revoke-email-change",
    "/api/auth/revoke-registration",
    "/api/contact/submit",
    "/api/validate-coupon",
    "/api/payments/create-order",
];

#[test]
fn operations_for_a_signed_in_caller_answer_401_without_one() {
    // [ERR005] [API015] [API029] [API044] [API049]
    on_both_engines(async |world: World| {
        for (method, path) in SIGNED_IN {
            for header in
                ["", "Bearer ", "Bearer made-up", "Basic bWVlcmE6c2VjcmV0", "made-up", "Bearer \u{e9}"]
            {
                let request = Request::builder().method(*method).uri(*path).header("authorization", header);
                let answer = world.send(request.body(Body::empty()).unwrap()).await;
                assert_eq!(
                    answer.error(),
                    (401, String::from("Please log in to continue.")),
                    "{method} {path} {header:?}"
                );
            }
        }
    });
}

#[test]
fn invalid_json_is_refused_with_an_error_of_the_contract() {
    // [ERR001] [ERR004] [ERR010] [ERR011] [ERR015] [ERR016] [SAFE033]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let long = format!("{{\"email\": \"{}\"}}", "x".repeat(70_000));
        for path in JSON_CALLS {
            for (kind, body, status) in [
                ("application/json", "", 400),
                ("application/json", "{", 400),
                ("application/json", "null", 400),
                ("application/json", "[]", 400),
                ("application/json", "\"text\"", 400),
                ("application/json", "{\"email\": 1, \"name\": 1, \"token\": 1}", 400),
                ("application/json", "{\"email\": {}, \"name\": [], \"token\": {}}", 400),
                ("application/json", "\u{0}\u{1}", 400),
                ("application/json", &long, 413),
                ("text/plain", "{}", 415),
                ("multipart/form-data; boundary=x", "--x--", 415),
                ("", "{}", 415),
            ] {
                let mut request = Request::post(*path).header("authorization", format!("Bearer {token}"));
                if !kind.is_empty() {
                    request = request.header("content-type", kind);
                }
                let answer = world.send(request.body(Body::from(body.to_owned())).unwrap()).await;
                let shown: String = body.chars().take(40).collect();
                assert_eq!(answer.error().0, status, "{path} {kind} {shown:?}: {}", answer.error().1);
            }
        }
    });
}

#[test]
fn invalid_forms_are_refused_with_an_error_of_the_contract() {
    // [ERR011] [ERR016] [SAFE033]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        let search = format!("/api/face/search/{}", event["slug"].as_str().unwrap());
        for path in ["/api/photos/upload", "/api/face/search", &search] {
            for (kind, body, status) in [
                ("application/json", "{}", 415),
                ("", "", 415),
                ("multipart/form-data", "", 415),
                ("multipart/form-data; boundary=line", "", 400),
                ("multipart/form-data; boundary=line", "no form at all", 400),
                (
                    "multipart/form-data; boundary=line",
                    "--line\r\nContent-Disposition: form-data; name=\"photos\"; filename=\"a\"\r\n\r\nhalf",
                    400,
                ),
                (
                    "multipart/form-data; boundary=line",
                    "--line\r\nContent-Disposition: form-data; name=\"image\"; filename=\"a\"\r\n\r\nhalf",
                    400,
                ),
                ("multipart/form-data; boundary=line", "--line--\r\n", 400),
            ] {
                let mut request = Request::post(path).header("authorization", format!("Bearer {token}"));
                if !kind.is_empty() {
                    request = request.header("content-type", kind);
                }
                let answer = world.send(request.body(Body::from(body)).unwrap()).await;
                assert_eq!(answer.error().0, status, "{path} {kind} {body:?}: {}", answer.error().1);
            }
        }
    });
}

#[test]
fn other_methods_answer_405_and_say_which_are_allowed() {
    // [ERR016]
    on_both_engines(async |world: World| {
        let operations = api::operations();
        for (method, path) in &operations {
            let called = path.replace(['{', '}'], "");
            for other in [Method::PATCH, Method::PUT, Method::OPTIONS] {
                if operations.contains(&(other.to_string(), path.clone())) {
                    continue;
                }
                let answer = world
                    .send(Request::builder().method(other.clone()).uri(&called).body(Body::empty()).unwrap())
                    .await;
                assert_eq!(
                    answer.error(),
                    (405, String::from("This method is not allowed here")),
                    "{other} {path}"
                );
                assert!(
                    answer.header("allow").contains(method.as_str()),
                    "{other} {path}: {:?}",
                    answer.header("allow")
                );
            }
        }
    });
}

#[test]
fn unknown_paths_under_api_answer_a_json_404() {
    // [RUN057] [ERR008]
    on_both_engines(async |world: World| {
        for path in
            ["/api", "/api/", "/api/nothing", "/api/events/a/b/c", "/api/photos", "/api/face/search/a/b"]
        {
            for method in [Method::GET, Method::POST, Method::DELETE] {
                let answer = world
                    .send(Request::builder().method(method).uri(path).body(Body::empty()).unwrap())
                    .await;
                assert_eq!(answer.error(), (404, String::from("There is nothing at this address")), "{path}");
            }
        }
    });
}
