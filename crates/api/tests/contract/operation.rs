//! Health, headers, the web app, the contract itself.

use axum::body::Body;
use axum::http::{Method, Request};

use crate::harness::{World, on_both_engines};

#[test]
fn health_answers_get_and_head() {
    // [RUN042] [RUN043] [API006]
    on_both_engines(async |world: World| {
        assert_eq!(world.get("/api/health", "").await.status, 200);
        let head = Request::builder().method(Method::HEAD).uri("/api/health").body(Body::empty()).unwrap();
        let answer = world.send(head).await;
        assert_eq!((answer.status.as_u16(), answer.bytes.len()), (200, 0));
    });
}

#[test]
fn the_public_pages_learn_the_operators_choices() {
    // [PUB020] [RUN041]
    on_both_engines(async |world: World| {
        let site = world.get("/api/site", "").await.json();
        assert_eq!(site["public_url"], "http://localhost:8080");
        assert_eq!(site["support_email"], "support@example.com");
        assert_eq!(site["retention_days"], 30);
        assert_eq!(site["social"].as_object().unwrap().len(), 4);
    });
}

#[test]
fn ready_names_what_cannot_be_used() {
    // [RUN044] [RUN045]
    on_both_engines(async |world: World| {
        assert_eq!(world.get("/api/ready", "").await.status, 200);
        world.app.db.close().await;
        let answer = world.get("/api/ready", "").await;
        assert_eq!(answer.error(), (503, String::from("The database cannot be used.")));
        assert_eq!(answer.json()["missing"], serde_json::json!(["database"]));
        // What needs the database says to try later, not that there is a bug. [ERR014]
        assert_eq!(world.get("/api/events/some-event", "").await.error().0, 503);
    });
}

#[test]
fn every_answer_carries_the_headers_that_protect_it() {
    // [RUN059] [RUN062] [RUN063] [RUN064]
    on_both_engines(async |world: World| {
        for path in ["/", "/event/x", "/api/health", "/api/nothing", "/api/auth/me"] {
            let answer = world.get(path, "").await;
            let policy = answer.header("content-security-policy");
            let scripts = policy.split(';').find(|part| part.trim().starts_with("script-src")).unwrap();
            assert_eq!(scripts.trim(), "script-src 'self'");
            assert!(policy.contains("frame-ancestors 'none'"));
            assert_eq!(answer.header("referrer-policy"), "strict-origin-when-cross-origin");
            assert!(answer.header("permissions-policy").contains("camera=(self)"));
            assert_eq!(
                answer.header("strict-transport-security"),
                "",
                "the public address is not https [RUN061]"
            );
            assert_eq!(answer.header("x-request-id").len(), 16, "{path}");
        }
    });
}

#[test]
fn every_other_path_answers_the_web_app() {
    // [RUN058]
    on_both_engines(async |world: World| {
        for path in ["/", "/login", "/event/some-slug", "/no/such/page", "/index.html"] {
            let answer = world.get(path, "").await;
            assert_eq!(answer.status, 200, "{path}");
            assert_eq!(answer.header("content-type"), "text/html; charset=utf-8");
            assert_eq!(answer.header("cache-control"), "no-cache");
        }
        assert_eq!(world.get("/assets/gone-12345.js", "").await.error().0, 404);
        assert_eq!(world.post("/login", "", serde_json::json!({})).await.error().0, 405);
    });
}

#[test]
fn the_committed_contract_is_the_one_that_is_served() {
    // [RUN053] [RUN054] [RUN056]
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../openapi.json");
    let committed = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        committed == api::openapi(),
        "openapi.json is out of date: run `cargo run -- openapi > openapi.json`"
    );
    assert!(committed.contains("\"openapi\": \"3.1."));
}

#[test]
fn three_calls_alone_give_files() {
    // [GAL025]
    let contract: serde_json::Value = serde_json::from_str(&api::openapi()).unwrap();
    let mut files = Vec::new();
    for (path, operations) in contract["paths"].as_object().unwrap() {
        for operation in operations.as_object().unwrap().values() {
            let answers = operation["responses"].as_object().unwrap().values();
            let types =
                answers.filter_map(|answer| answer["content"].as_object()).flat_map(|types| types.keys());
            if types.into_iter().any(|media| !media.starts_with("text/") && media != "application/json") {
                files.push(path.as_str());
            }
        }
    }
    files.sort_unstable();
    assert_eq!(files, ["/api/face/download/{file}", "/api/files/{folder}/{name}", "/api/photos/{id}/file"]);
}
