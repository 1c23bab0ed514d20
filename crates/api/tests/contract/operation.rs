//! Health, headers, the web app, the contract itself.

use std::net::SocketAddr;
use std::time::Duration;

use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{Method, Request};
use serde_json::Value;

use crate::browsing::let_guests_browse;
use crate::harness::{Answer, BLACK, BLUE, METRICS_TOKEN, RED, World, on_both_engines, photo};

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
fn the_public_pages_get_the_operators_settings() {
    // [PUB020] [RUN041]
    on_both_engines(async |world: World| {
        let site = world.get("/api/site", "").await.json();
        assert_eq!(site["public_url"], "http://localhost:8080");
        assert_eq!(site["support_email"], "support@example.com");
        assert_eq!(site["retention_days"], 30);
        assert_eq!(site["retention_options"], serde_json::json!([30, 90, 180, 365]));
        assert_eq!(site["social"].as_object().unwrap().len(), 4);
    });
}

/// What `/api/ready` answers once its last answer does not hold any more.
async fn ready(world: &World) -> Answer {
    world.clock.advance(Duration::from_secs(5));
    world.get("/api/ready", "").await
}

#[test]
fn ready_names_what_cannot_be_used() {
    // [RUN044] [RUN045] [ERR014]
    on_both_engines(async |world: World| {
        assert_eq!(ready(&world).await.status, 200);
        world.parts.db.close().await;
        let answer = ready(&world).await;
        assert_eq!(answer.error(), (503, String::from("The database cannot be used.")));
        assert_eq!(answer.json()["missing"], serde_json::json!(["database"]));
        // A call that needs the database is a 503, not a 500.
        assert_eq!(world.get("/api/events/some-event", "").await.error().0, 503);
    });
}

#[test]
fn ready_names_each_thing_that_cannot_be_used() {
    // [RUN046] [RUN047]
    on_both_engines(async |world: World| {
        let media::stores::Store::Memory(files) = world.parts.store.clone() else {
            panic!("it is the double")
        };
        let vision::Engine::Fake(eyes) = world.parts.engine.clone() else { panic!("it is the double") };
        files.set_broken(true);
        let answer = ready(&world).await;
        assert_eq!(answer.error(), (503, String::from("The media store cannot be used.")));
        assert_eq!(answer.json()["missing"], serde_json::json!(["media"]));
        eyes.set_broken(true);
        let answer = ready(&world).await;
        let both = "The media store cannot be used. The face models cannot be used.";
        assert_eq!(answer.error(), (503, String::from(both)));
        assert_eq!(answer.json()["missing"], serde_json::json!(["media", "models"]));
        files.set_broken(false);
        assert_eq!(ready(&world).await.json()["missing"], serde_json::json!(["models"]));
        eyes.set_broken(false);
        assert_eq!(ready(&world).await.status, 200);
    });
}

#[test]
fn an_answer_of_ready_holds_for_5_seconds() {
    on_both_engines(async |world: World| {
        let media::stores::Store::Memory(files) = world.parts.store.clone() else {
            panic!("it is the double")
        };
        assert_eq!(ready(&world).await.status, 200);
        files.set_broken(true);
        world.clock.advance(Duration::from_millis(4_999));
        assert_eq!(world.get("/api/ready", "").await.status, 200, "nothing is written meanwhile");
        world.clock.advance(Duration::from_millis(1));
        assert_eq!(world.get("/api/ready", "").await.status, 503);
        files.set_broken(false);
        assert_eq!(world.get("/api/ready", "").await.status, 503, "that it is not ready holds as well");
        world.clock.advance(Duration::from_secs(5));
        assert_eq!(world.get("/api/ready", "").await.status, 200);
    });
}

/// The policy of a page on which somebody can pay.
const POLICY_WITH_CHECKOUT: &str = "default-src 'self'; script-src 'self' https://checkout.razorpay.com; \
    style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; media-src 'self' blob:; font-src 'self'; \
    connect-src 'self' https://api.razorpay.com https://lumberjack.razorpay.com; \
    frame-src 'self' https://api.razorpay.com https://checkout.razorpay.com; worker-src 'self' blob:; \
    manifest-src 'self'; \
    object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

#[test]
fn the_providers_script_is_allowed_only_where_somebody_can_pay() {
    // [RUN060] [RUN059]
    on_both_engines(async |world: World| {
        let policy = async |world: &World, path: &str| {
            world.get(path, "").await.header("content-security-policy").to_owned()
        };
        for path in ["/", "/admin/overview", "/event/some-slug"] {
            assert!(!policy(&world, path).await.contains("razorpay"), "the sandbox needs no script");
        }
        let provider = gateway::testing::FakeRazorpay::start().await.unwrap();
        let payments = gateway::Payments::razorpay(provider.settings()).unwrap();
        let world = World::with(world.parts.db.clone(), Some(payments)).await;
        for path in ["/", "/login", "/admin/overview", "/no/such/page"] {
            let policy = policy(&world, path).await;
            assert_eq!(policy, POLICY_WITH_CHECKOUT, "{path}");
        }
        for path in ["/event/some-slug", "/event/", "/api/health"] {
            assert!(!policy(&world, path).await.contains("razorpay"), "{path}");
        }
    });
}

#[test]
fn metrics_count_events_without_personal_data() {
    // [RUN048]
    // Also what the stages of a search took, what the detector computes with, and how often embeddings were in
    // memory.
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        let picture = photo(&[RED], 0);
        assert_eq!(world.upload(&token, &event, "a.jpg", &picture).await.status, 201);
        let waiting = world.get("/metrics", METRICS_TOKEN).await;
        assert_eq!(waiting.status, 200);
        assert!(waiting.header("content-type").starts_with("application/openmetrics-text"));
        let waiting = String::from_utf8(waiting.bytes).unwrap();
        assert!(
            waiting.contains("afterglow_queued_jobs{kind=\"index_photo\",state=\"queued\"} 1\n"),
            "{waiting}"
        );
        let mut older = Request::get("/metrics").header("authorization", format!("Bearer {METRICS_TOKEN}"));
        older = older.header("accept", "text/plain");
        let older = world.send(older.body(Body::empty()).unwrap()).await;
        assert_eq!(older.header("content-type"), "text/plain; version=0.0.4; charset=utf-8");
        let older = String::from_utf8(older.bytes).unwrap();
        assert!(
            older.contains("# TYPE afterglow_requests_total counter\n") && !older.contains("# EOF"),
            "{older}"
        );
        world.clock.advance(std::time::Duration::from_secs(7));
        let later = String::from_utf8(world.get("/metrics", METRICS_TOKEN).await.bytes).unwrap();
        assert!(later.contains("afterglow_oldest_job_age_seconds{kind=\"index_photo\"} 7.0\n"), "{later}");
        world.drain().await;
        assert_eq!(world.search(&event, &picture).await.status, 200);
        assert_eq!(world.search(&event, &photo(&[BLUE], 0)).await.status, 200);
        assert_eq!(world.search(&event, &photo(&[BLACK], 0)).await.status, 422);
        let slug = event["slug"].as_str().unwrap();
        world.get(&format!("/api/events/{slug}"), "").await;
        world.get("/no/such/page", "").await;
        world.send(Request::builder().method("BREW").uri("/api/health").body(Body::empty()).unwrap()).await;

        let text = String::from_utf8(world.get("/metrics", METRICS_TOKEN).await.bytes).unwrap();
        for line in [
            "afterglow_requests_total{route=\"/api/photos/upload\",method=\"POST\",status=\"201\"} 1",
            "afterglow_requests_total{route=\"/api/face/search/{slug}\",method=\"POST\",status=\"200\"} 2",
            "afterglow_requests_total{route=\"/api/face/search/{slug}\",method=\"POST\",status=\"422\"} 1",
            "afterglow_requests_total{route=\"/api/health\",method=\"other\",status=\"405\"} 1",
            "afterglow_requests_total{route=\"web\",method=\"GET\",status=\"200\"} 1",
            "afterglow_request_seconds_count{route=\"/api/photos/upload\",method=\"POST\"} 1",
            &format!("afterglow_upload_bytes_total {}", picture.len()),
            "afterglow_index_stage_seconds_count{stage=\"load\"} 1",
            "afterglow_index_stage_seconds_count{stage=\"decode\"} 1",
            "afterglow_index_stage_seconds_count{stage=\"renditions\"} 1",
            "afterglow_index_stage_seconds_count{stage=\"faces\"} 1",
            "afterglow_index_stage_seconds_count{stage=\"store\"} 1",
            "afterglow_searches_total{outcome=\"found\"} 1",
            "afterglow_searches_total{outcome=\"nothing\"} 1",
            "afterglow_searches_total{outcome=\"no_face\"} 1",
            "afterglow_search_seconds_count 3",
            "afterglow_search_stage_seconds_count{stage=\"wait\"} 3",
            "afterglow_search_stage_seconds_count{stage=\"decode\"} 3",
            "afterglow_search_stage_seconds_count{stage=\"detect\"} 3",
            "afterglow_search_stage_seconds_count{stage=\"describe\"} 3",
            "afterglow_search_stage_seconds_count{stage=\"compare\"} 2",
            "afterglow_gallery_lookups_total{outcome=\"read\"} 1",
            "afterglow_gallery_lookups_total{outcome=\"current\"} 1",
            "afterglow_face_detector{arithmetic=\"float32\"} 1",
            "afterglow_ledger_entries_total{kind=\"signup\"} 1",
            "afterglow_ledger_entries_total{kind=\"upload\"} 1",
            "afterglow_mails_total{outcome=\"sent\"} 1",
            "afterglow_jobs_total{kind=\"index_photo\",outcome=\"done\"} 1",
            "afterglow_queued_jobs{kind=\"index_photo\",state=\"queued\"} 0",
        ] {
            assert!(text.lines().any(|found| found == line), "{line} is not in\n{text}");
        }
        let memory = text.lines().find_map(|line| line.strip_prefix("afterglow_gallery_memory_bytes "));
        assert!(memory.unwrap().parse::<u64>().unwrap() > 0);
        let (id, secret) = (event["id"].as_str().unwrap(), token.as_str());
        for person in [slug, id, secret, "meera", "Party", "a.jpg"] {
            assert!(!text.contains(person), "{person} is in\n{text}");
        }
    });
}

#[test]
fn metrics_require_loopback_or_the_token() {
    // U98 [SAFE115]
    on_both_engines(async |world: World| {
        let ask = async |from: &str, token: &str, forwarded: bool| {
            let mut request = Request::get("/metrics").header("authorization", format!("Bearer {token}"));
            if forwarded {
                request = request.header("x-forwarded-for", "127.0.0.1");
            }
            let peer = ConnectInfo(SocketAddr::new(from.parse().unwrap(), 4_000));
            world.send(request.extension(peer).body(Body::empty()).unwrap()).await.status.as_u16()
        };
        assert_eq!(ask("127.0.0.1", "", false).await, 200);
        assert_eq!(ask("::1", "wrong", false).await, 200);
        assert_eq!(ask("127.0.0.1", "", true).await, 403, "a proxy on this machine passes it on");
        assert_eq!(ask("192.0.2.1", "", false).await, 403);
        assert_eq!(ask("192.0.2.1", "wrong", false).await, 403);
        assert_eq!(ask("192.0.2.1", METRICS_TOKEN, false).await, 200);
        assert_eq!(ask("127.0.0.1", METRICS_TOKEN, true).await, 200);

        // Under a public URL there is a proxy, which need not say so.
        let public = World::at(world.parts.db.clone(), "https://photos.example").await;
        let ask = async |token: &str| {
            let request = Request::get("/metrics").header("authorization", format!("Bearer {token}"));
            let peer = ConnectInfo(SocketAddr::new([127, 0, 0, 1].into(), 4_000));
            public.send(request.extension(peer).body(Body::empty()).unwrap()).await.status.as_u16()
        };
        assert_eq!((ask("").await, ask(METRICS_TOKEN).await), (403, 200));
    });
}

#[test]
fn an_id_that_a_caller_sends_is_replaced() {
    // [SAFE110]
    on_both_engines(async |world: World| {
        let request = Request::get("/api/health").header("x-request-id", "forged").body(Body::empty());
        let answer = world.send(request.unwrap()).await;
        assert_eq!(answer.header("x-request-id").len(), 16);
        assert_ne!(answer.header("x-request-id"), "forged");
    });
}

#[test]
fn a_list_refuses_more_entries_than_a_page_has_at_most() {
    // [API064]
    // Whoever asked for them would take a part for all.
    on_both_engines(async |world: World| {
        // The first account is an administrator's.
        let admin = world.photographer("meera@example.com").await;
        let event = world.event(&admin, "Party").await;
        let_guests_browse(&world, &admin, &event).await;
        let contract: Value = serde_json::from_str(&api::openapi()).unwrap();
        let mut asked = 0;
        for (path, item) in contract["paths"].as_object().unwrap() {
            let parameters = item["get"]["parameters"].as_array().into_iter().flatten();
            let Some(limit) = parameters.into_iter().find(|parameter| parameter["name"] == "limit") else {
                continue;
            };
            let most = limit["schema"]["maximum"].as_u64().unwrap_or_else(|| panic!("{path} has no maximum"));
            let path = path.replace("{id}", event["id"].as_str().unwrap());
            let path = path.replace("{slug}", event["slug"].as_str().unwrap());
            if path.contains('{') {
                continue;
            }
            for (number, expected) in [(0, 400), (most + 1, 400), (1, 200)] {
                let answer = world.get(&format!("{path}?limit={number}"), &admin).await;
                // Of webhooks, whose id this is not, nothing is listed.
                if answer.status != 404 {
                    assert_eq!(answer.status, expected, "{path}, {number}: {:?}", answer.json());
                    asked += 1;
                }
            }
        }
        assert!(asked >= 3 * 8, "{asked}");
    });
}

#[test]
fn what_only_scanners_ask_for_is_not_there() {
    // [RUN352]
    on_both_engines(async |world: World| {
        for path in
            ["/.env", "/wp-login.php", "/a/.git/config", "/index.PHP", "/cgi-bin/x.cgi", "/backup.sql"]
        {
            let answer = world.get(path, "").await;
            assert_eq!(answer.error(), (404, String::from("There is nothing at this address")), "{path}");
        }
        for path in ["/", "/pricing", "/event/x.y", "/no/such/page"] {
            assert!(world.get(path, "").await.header("content-type").starts_with("text/html"), "{path}");
        }
    });
}

#[test]
fn security_txt_names_whom_to_tell_of_a_weakness() {
    // [RUN353]
    on_both_engines(async |world: World| {
        let answer = world.get("/.well-known/security.txt", "").await;
        assert_eq!(answer.header("content-type"), "text/plain; charset=utf-8");
        let text = String::from_utf8(answer.bytes).unwrap();
        let settings = world.app.settings();
        assert!(text.contains(&format!("Contact: mailto:{}\n", settings.support_email)), "{text}");
        assert!(
            text.contains(&format!("Canonical: {}/.well-known/security.txt\n", settings.public_url)),
            "{text}"
        );
        let expires = text.lines().find_map(|line| line.strip_prefix("Expires: ")).unwrap();
        let year = world.app.now().plus(std::time::Duration::from_secs(365 * 24 * 60 * 60));
        assert!(*world.app.now().to_rfc3339() < *expires && *expires < *year.to_rfc3339(), "{expires}");
    });
}

#[test]
fn every_response_has_the_security_headers() {
    // [RUN059] [RUN062] [RUN063] [RUN064] [RUN247]
    on_both_engines(async |world: World| {
        for path in ["/assets/gone-1.js", "/covers/x.svg", "/metrics", "/robots.txt"] {
            let answer = world.get(path, "").await;
            let policy = answer.header("content-security-policy");
            assert!(
                policy.contains("base-uri 'none'") && policy.contains("frame-ancestors 'none'"),
                "{path}"
            );
            assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
        }
        for path in ["/", "/event/x", "/api/health", "/api/nothing", "/api/auth/me"] {
            let answer = world.get(path, "").await;
            let policy = answer.header("content-security-policy");
            let scripts = policy.split(';').find(|part| part.trim().starts_with("script-src")).unwrap();
            assert_eq!(scripts.trim(), "script-src 'self'");
            assert!(policy.contains("frame-ancestors 'none'") && policy.contains("object-src 'none'"));
            assert!(policy.contains("base-uri 'none'"), "{path}");
            assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
            assert_eq!(answer.header("referrer-policy"), "strict-origin-when-cross-origin");
            assert!(answer.header("permissions-policy").contains("camera=(self)"));
            assert_eq!(answer.header("x-request-id").len(), 16, "{path}");
        }
    });
}

#[test]
fn only_a_worker_may_compile_web_assembly() {
    // [RUN092]
    on_both_engines(async |world: World| {
        let policy =
            async |path: &str| world.get(path, "").await.header("content-security-policy").to_owned();
        assert_eq!(
            policy("/assets/hashing.worker-1.js").await,
            "default-src 'none'; script-src 'wasm-unsafe-eval'; base-uri 'none'; frame-ancestors 'none'"
        );
        for path in ["/", "/event/x", "/admin/upload", "/assets/page.html", "/assets", "/x.js", "/api/health"]
        {
            assert!(!policy(path).await.contains("wasm"), "{path}");
        }
    });
}

#[test]
fn hsts_is_sent_where_the_public_url_is_https() {
    // [RUN061]
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        for (public_url, expected) in [
            ("https://photos.example", "max-age=31536000"),
            ("http://photos.example", ""),
            ("http://localhost:8080", ""),
        ] {
            let database = storage::testing::sqlite().await;
            let world = World::at(database.db.clone(), public_url).await;
            for path in ["/", "/event/x", "/api/health", "/api/nothing", "/api/auth/me"] {
                let answer = world.get(path, "").await;
                assert_eq!(answer.header("strict-transport-security"), expected, "{public_url}{path}");
            }
        }
    });
}

#[test]
fn every_other_path_answers_the_web_app() {
    // [RUN058]
    on_both_engines(async |world: World| {
        for path in ["/", "/login", "/no/such/page", "/index.html"] {
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
    if std::env::var_os("CONTRACT").is_some_and(|what| what == "write") {
        std::fs::write(path, api::openapi()).unwrap();
    }
    let committed = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        committed == api::openapi(),
        "openapi.json is out of date: run `cargo run -- openapi > openapi.json`, or this test with CONTRACT=write"
    );
    assert!(committed.contains("\"openapi\": \"3.1."));
}

/// A response, or the component that it refers to.
fn resolved<'a>(contract: &'a serde_json::Value, response: &'a serde_json::Value) -> &'a serde_json::Value {
    let reference = response["$ref"].as_str().and_then(|reference| reference.strip_prefix('#'));
    reference.map_or(response, |pointer| contract.pointer(pointer).unwrap())
}

#[test]
fn every_answer_in_the_contract_is_described() {
    // OpenAPI 3.1 requires it, and 'Done' does not describe a refusal.
    let contract: serde_json::Value = serde_json::from_str(&api::openapi()).unwrap();
    let mut silent = Vec::new();
    for (path, operations) in contract["paths"].as_object().unwrap() {
        for (method, operation) in operations.as_object().unwrap() {
            for (status, answer) in operation["responses"].as_object().unwrap() {
                let answer = resolved(&contract, answer);
                let description = answer["description"].as_str().unwrap_or_default();
                if description.is_empty() || (description == "Done" && status.as_str() >= "300") {
                    silent.push(format!("{method} {path}: {status}"));
                }
            }
        }
    }
    assert_eq!(silent, Vec::<String>::new());
}

#[test]
fn only_these_operations_return_files() {
    // [GAL025]
    let contract: serde_json::Value = serde_json::from_str(&api::openapi()).unwrap();
    let mut files = Vec::new();
    for (path, operations) in contract["paths"].as_object().unwrap() {
        for operation in operations.as_object().unwrap().values() {
            let answers = operation["responses"].as_object().unwrap().values();
            let types = answers
                .filter_map(|answer| resolved(&contract, answer)["content"].as_object())
                .flat_map(|types| types.keys());
            if types.into_iter().any(|media| !media.starts_with("text/") && media != "application/json") {
                files.push(path.as_str());
            }
        }
    }
    files.sort_unstable();
    assert_eq!(
        files,
        [
            "/api/auth/export/{file}",
            "/api/events/{event}/guest-photos/{id}/file",
            "/api/face/download/{file}",
            "/api/face/guest-photos/{slug}/{id}/thumbnail",
            "/api/face/without-strangers/{slug}",
            "/api/files/{photo}/{file}",
            "/api/payments/{payment_id}/invoice.pdf",
            "/api/payments/{payment_id}/notes/{file}",
            "/api/photos/names",
            "/api/photos/trash/{id}/thumbnail",
            "/api/photos/{id}/file",
            "/api/studio/dark-logos/{name}",
            "/api/studio/logos/{name}",
            "/api/studio/watermarks/{name}"
        ]
    );
}

#[test]
fn health_answers_while_nothing_else_can_be_used() {
    // [RUN042]
    on_both_engines(async |world: World| {
        world.parts.db.close().await;
        assert_eq!(ready(&world).await.status, 503);
        assert_eq!(world.get("/api/health", "").await.status, 200);
    });
}
