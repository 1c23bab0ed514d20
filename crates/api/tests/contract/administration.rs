//! What administrators look after: overview, accounts, events, jobs, payments, settings.

use serde_json::{Value, json};

use crate::harness::{Answer, RED, World, on_both_engines, photo};

/// The first account, which is an administrator's.
async fn administrator(world: &World) -> String {
    world.photographer("admin@example.com").await
}

async fn get(world: &World, token: &str, path: &str) -> Value {
    let answer = world.get(&format!("/api/administration/{path}"), token).await;
    assert_eq!(answer.status, 200, "{path}: {}", String::from_utf8_lossy(&answer.bytes));
    answer.json()
}

async fn refused(world: &World, token: &str, path: &str) -> (u16, String) {
    world.get(&format!("/api/administration/{path}"), token).await.error()
}

fn addresses(page: &Value) -> Vec<&str> {
    page["accounts"].as_array().unwrap().iter().map(|account| account["email"].as_str().unwrap()).collect()
}

#[test]
fn the_overview_says_what_there_is_and_that_the_ledger_agrees() {
    on_both_engines(async |world: World| {
        let token = administrator(&world).await;
        let event = world.event(&token, "Party").await;
        let bytes = photo(&[RED], 0);
        assert_eq!(world.upload(&token, &event, "a.jpg", &bytes).await.status, 201);
        let overview = get(&world, &token, "overview").await;
        assert_eq!(overview["version"], env!("CARGO_PKG_VERSION"));
        let engine = if world.parts.db.engine() == storage::Engine::Sqlite { "sqlite" } else { "postgres" };
        assert_eq!(overview["engine"], engine);
        assert!(overview["schema"].as_i64().unwrap() >= 35);
        assert_eq!(overview["accounts"], json!({"open": 1, "administrators": 1, "verified": 1, "locked": 0}));
        assert_eq!((&overview["events"], &overview["photos"]), (&json!(1), &json!(1)));
        assert_eq!(overview["storage"]["originals_bytes"], bytes.len());
        assert!(overview["storage"]["database_bytes"].as_i64().unwrap() > 100_000);
        assert!(overview["storage"]["free_bytes"].as_u64().unwrap() > 0);
        assert_eq!(
            overview["ledger"],
            json!({"bought": 0.0, "granted": 100.0, "taken": 0.0, "charged": 1.0, "returned": 0.0,
                "balance": 99.0, "balances": 99.0, "agrees": true})
        );
        // PostgreSQL's clock is not the test's, which is warned of.
        if engine == "sqlite" {
            assert_eq!(overview["warnings"], json!([]));
        }

        // Whoever asks again within a minute is told the same.
        world.photographer("ravi@example.com").await;
        assert_eq!(get(&world, &token, "overview").await["accounts"]["open"], 1);
        world.clock.advance(std::time::Duration::from_secs(60));
        let later = get(&world, &token, "overview").await;
        assert_eq!((&later["accounts"]["open"], &later["ledger"]["granted"]), (&json!(2), &json!(200.0)));
        assert!(later["counted_at"].as_str().unwrap() > overview["counted_at"].as_str().unwrap());
    });
}

#[test]
fn accounts_are_listed_and_found_by_parts_of_address_and_name() {
    on_both_engines(async |world: World| {
        let token = administrator(&world).await;
        for (email, name) in [("ravi@example.com", "Ravi Mehta"), ("meera@example.org", "मीरा कपूर")]
        {
            world.clock.advance(std::time::Duration::from_secs(1));
            let body = json!({"name": name, "email": email, "password": crate::harness::PASSWORD});
            assert_eq!(world.post("/api/auth/register", "", body).await.status, 200);
        }
        let all = get(&world, &token, "accounts").await;
        assert_eq!(addresses(&all), ["meera@example.org", "ravi@example.com", "admin@example.com"]);
        assert_eq!(all["next_cursor"], Value::Null);
        let first = get(&world, &token, "accounts?limit=2").await;
        assert_eq!(addresses(&first), ["meera@example.org", "ravi@example.com"]);
        let cursor = first["next_cursor"].as_str().unwrap();
        let second = get(&world, &token, &format!("accounts?limit=2&cursor={cursor}")).await;
        assert_eq!((addresses(&second), &second["next_cursor"]), (vec!["admin@example.com"], &Value::Null));

        for (query, expected) in [
            ("MEHTA", &["ravi@example.com"][..]),
            ("example.com", &["ravi@example.com", "admin@example.com"]),
            ("Ravi@Example.com", &["ravi@example.com"]),
            ("%E0%A4%95%E0%A4%AA%E0%A5%82%E0%A4%B0", &["meera@example.org"]),
            ("nobody", &[]),
        ] {
            let found = get(&world, &token, &format!("accounts?query={query}")).await;
            assert_eq!(addresses(&found), expected, "{query}");
            assert_eq!(found["next_cursor"], Value::Null);
        }
        let page = get(&world, &token, "accounts?query=example&limit=1").await;
        assert_eq!(addresses(&page), ["meera@example.org"]);
        let cursor = page["next_cursor"].as_str().unwrap();
        let rest = get(&world, &token, &format!("accounts?query=example&cursor={cursor}")).await;
        assert_eq!(addresses(&rest), ["ravi@example.com", "admin@example.com"]);

        assert_eq!(
            refused(&world, &token, "accounts?cursor=x").await,
            (400, String::from("The cursor is not valid"))
        );
        let long = format!("accounts?query={}", "x".repeat(201));
        assert_eq!(
            refused(&world, &token, &long).await,
            (400, String::from("Please search with at most 200 characters"))
        );
    });
}

#[test]
fn one_request_looks_at_five_thousand_accounts() {
    on_both_engines(async |world: World| {
        let token = administrator(&world).await;
        let numbers =
            "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 5100)";
        let insert = format!(
            "INSERT INTO users (id, email, email_key, name, password_hash, is_photographer, created_at)
             {numbers} SELECT 'ffffffff-0000-7000-8000-' || CAST(100000000000 + n AS TEXT), 'u' || n || '@example.com',
                 'u' || n || '@example.com', 'Somebody', '', TRUE, 0 FROM numbers"
        );
        storage::testing::change(&world.parts.db, &insert).await;
        let first = get(&world, &token, "accounts?query=admin").await;
        assert!(addresses(&first).is_empty(), "it is older than the 5,000");
        let cursor = first["next_cursor"].as_str().unwrap();
        let second = get(&world, &token, &format!("accounts?query=admin&cursor={cursor}")).await;
        assert_eq!((addresses(&second), &second["next_cursor"]), (vec!["admin@example.com"], &Value::Null));
        let whole = get(&world, &token, "accounts?query=admin@example.com").await;
        assert_eq!(addresses(&whole), ["admin@example.com"], "a whole address is found at once");
    });
}

#[test]
fn an_account_is_shown_with_what_it_has() {
    on_both_engines(async |world: World| {
        let token = administrator(&world).await;
        let ravi = world.photographer("ravi@example.com").await;
        let event = world.event(&ravi, "Party").await;
        let (one, two) = (photo(&[RED], 0), photo(&[RED], 1));
        assert_eq!(world.upload(&ravi, &event, "a.jpg", &one).await.status, 201);
        assert_eq!(world.upload(&ravi, &Value::Null, "b.jpg", &two).await.status, 201);
        let id = world.get("/api/auth/me", &ravi).await.json()["user"]["id"].clone();
        let id = id.as_str().unwrap();
        let now = world.app.now().to_rfc3339();
        let account = get(&world, &token, &format!("accounts/{id}")).await;
        assert_eq!(
            account,
            json!({"id": id, "email": "ravi@example.com", "name": "Meera Kapoor", "verified": true,
                "administrator": false, "premium": false, "locked": null, "credits": 98.0, "events": 1,
                "photos": 2, "bytes": one.len() + two.len(), "created_at": now, "last_login_at": now})
        );
        let unknown = (404, String::from("There is no such account"));
        assert_eq!(refused(&world, &token, "accounts/x").await, unknown);
        assert_eq!(refused(&world, &token, "accounts/0190163d-8694-739b-aea5-966c26f8ad91").await, unknown);
    });
}

#[test]
fn events_are_listed_by_size_with_owner_and_expiry() {
    on_both_engines(async |world: World| {
        let token = administrator(&world).await;
        let ravi = world.photographer("ravi@example.com").await;
        let (small, large) = (world.event(&token, "Small").await, world.event(&ravi, "Large").await);
        for salt in 0..2 {
            assert_eq!(world.upload(&ravi, &large, "a.jpg", &photo(&[RED], salt)).await.status, 201);
        }
        let page = get(&world, &token, "events?limit=1").await;
        let first = &page["events"][0];
        assert_eq!((&first["id"], &first["name"]), (&large["id"], &json!("Large")));
        assert_eq!((&first["photos"], &first["deleting"]), (&json!(2), &json!(false)));
        assert_eq!(first["owner"]["email"], "ravi@example.com");
        assert_eq!((&first["date"], &first["slug"]), (&json!("2026-11-14"), &large["slug"]));
        assert!(first["bytes"].as_i64().unwrap() > 0);
        assert_eq!(first["expires_at"], "2026-12-20T09:00:00.000Z");
        let cursor = page["next_cursor"].as_str().unwrap();
        let rest = get(&world, &token, &format!("events?cursor={cursor}")).await;
        assert_eq!((&rest["events"][0]["id"], &rest["next_cursor"]), (&small["id"], &Value::Null));
        assert_eq!(rest["events"].as_array().unwrap().len(), 1);
        assert_eq!(
            refused(&world, &token, "events?cursor=5").await,
            (400, String::from("The cursor is not valid"))
        );
    });
}

#[test]
fn jobs_are_counted_by_kind_and_failed_ones_listed() {
    on_both_engines(async |world: World| {
        let token = administrator(&world).await;
        world.drain().await;
        assert_eq!(get(&world, &token, "jobs").await, json!({"kinds": []}));
        let event = world.event(&token, "Party").await;
        for salt in 0..2 {
            assert_eq!(world.upload(&token, &event, "a.jpg", &photo(&[RED], salt)).await.status, 201);
        }
        world.clock.advance(std::time::Duration::from_secs(90));
        let kinds = json!({"kinds": [
            {"kind": "index_photo", "waiting": 2, "running": 0, "failed": 0, "oldest_seconds": 90}
        ]});
        assert_eq!(get(&world, &token, "jobs").await, kinds);

        let fail =
            "UPDATE jobs SET state = 'failed', attempts = 5, last_error = 'the disk is full', finished_at = 1
             WHERE state = 'queued'";
        storage::testing::change(&world.parts.db, fail).await;
        let counted = get(&world, &token, "jobs").await;
        assert_eq!(
            counted["kinds"][0],
            json!({"kind": "index_photo", "waiting": 0, "running": 0, "failed": 2, "oldest_seconds": null})
        );
        let page = get(&world, &token, "jobs/failed?limit=1").await;
        let job = &page["jobs"][0];
        assert_eq!((&job["kind"], &job["error"]), (&json!("index_photo"), &json!("the disk is full")));
        assert_eq!((&job["attempts"], &job["failed_at"]), (&json!(5), &json!("1970-01-01T00:00:00.001Z")));
        assert!(job["photo_id"].is_string());
        let cursor = page["next_cursor"].as_str().unwrap();
        let path = format!("jobs/failed?kind=index_photo&cursor={cursor}");
        let rest = get(&world, &token, &path).await;
        assert_eq!((rest["jobs"].as_array().unwrap().len(), &rest["next_cursor"]), (1, &Value::Null));
        assert_ne!(rest["jobs"][0]["id"], job["id"]);
        let others = get(&world, &token, "jobs/failed?kind=delete_event").await;
        assert_eq!(others["jobs"], json!([]));
        assert_eq!(
            refused(&world, &token, "jobs/failed?kind=x").await,
            (400, String::from("There is no such kind of job"))
        );
    });
}

#[test]
fn settings_in_force_are_those_of_the_program() {
    // [ADMIN010]
    on_both_engines(async |world: World| {
        let world = World::with_settings(world.parts.db.clone(), |settings| {
            settings.in_force = vec![app::SettingInForce {
                name: "public_url",
                variable: String::from("AFTERGLOW_PUBLIC_URL"),
                value: String::from("https://photos.example"),
                default: "http://localhost:8080",
                is_changed: true,
                meaning: "Scheme and host in links.",
            }];
        })
        .await;
        let token = administrator(&world).await;
        assert_eq!(
            get(&world, &token, "settings").await,
            json!({"settings": [{"name": "public_url", "variable": "AFTERGLOW_PUBLIC_URL",
                "value": "https://photos.example", "default": "http://localhost:8080", "changed": true,
                "meaning": "Scheme and host in links."}]})
        );
    });
}

#[test]
fn only_administrators_are_let_in() {
    // [ADMIN011] [ADMIN046]
    on_both_engines(async |world: World| {
        let token = administrator(&world).await;
        let ravi = world.photographer("ravi@example.com").await;
        for path in ["overview", "accounts", "events", "jobs", "jobs/failed", "payments", "settings"] {
            assert_eq!(
                refused(&world, &ravi, path).await,
                (403, String::from("Only administrators can do this."))
            );
            assert_eq!(refused(&world, "", path).await, (401, String::from("Please log in to continue.")));
        }
        let nothing: Answer = world.get("/api/administration/payments", &token).await;
        assert_eq!(nothing.json(), json!({"refunds_due": [], "failed_orders": [], "makes_invoices": false}));
    });
}
