//! The sessions of an account.

use std::time::Duration;

use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};

use crate::harness::{PASSWORD, World, on_both_engines};

const EMAIL: &str = "meera@example.com";
const FIREFOX: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0";
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

async fn log_in(world: &World, user_agent: &str) -> String {
    let request = Request::post("/api/auth/login")
        .header("content-type", "application/json")
        .header("user-agent", user_agent);
    let body = json!({"email": EMAIL, "password": PASSWORD}).to_string();
    let answer = world.send(request.body(Body::from(body)).unwrap()).await;
    answer.json()["token"].as_str().unwrap().to_owned()
}

async fn sessions(world: &World, token: &str) -> Vec<Value> {
    world.get("/api/auth/sessions", token).await.json()["sessions"].as_array().unwrap().clone()
}

#[test]
fn sessions_are_listed_and_ended_one_by_one_or_all_others() {
    // [AUTH114] [AUTH115] [AUTH130] [AUTH131]
    on_both_engines(async |world: World| {
        let here = world.photographer(EMAIL).await;
        let stranger = world.photographer("ravi@example.com").await;
        world.clock.advance(Duration::from_secs(60));
        let there = log_in(&world, FIREFOX).await;
        let listed = sessions(&world, &here).await;
        assert_eq!(listed.len(), 2);
        let at = |minutes: u32| format!("2026-11-20T09:{minutes:02}:00");
        assert_eq!((&listed[0]["browser"], &listed[0]["system"]), (&json!("Firefox"), &json!("Linux")));
        assert_eq!((&listed[0]["current"], &listed[1]["current"]), (&json!(false), &json!(true)));
        assert_eq!((&listed[1]["browser"], &listed[1]["system"]), (&Value::Null, &Value::Null));
        assert!(listed[0]["last_used_at"].as_str().unwrap().starts_with(&at(1)), "{listed:?}");
        assert!(listed[0]["created_at"].as_str().unwrap().starts_with(&at(1)), "{listed:?}");
        let text = listed.iter().map(Value::to_string).collect::<String>();
        assert!(!text.contains(&here) && !text.contains(&there), "no token is told");

        // A use is recorded, to ten minutes.
        world.clock.advance(Duration::from_secs(60 * 10));
        let listed = sessions(&world, &here).await;
        assert_eq!(listed[0]["current"], true);
        assert!(listed[0]["last_used_at"].as_str().unwrap().starts_with(&at(11)), "{listed:?}");

        let path = format!("/api/auth/sessions/{}", listed[1]["id"].as_str().unwrap());
        let unknown = (404, String::from("This session has ended already"));
        assert_eq!(world.delete(&path, &stranger).await.error(), unknown);
        assert_eq!(world.get("/api/auth/me", &there).await.status, 200);
        assert_eq!(world.delete(&path, &here).await.json(), json!({"success": true}));
        assert_eq!(world.get("/api/auth/me", &there).await.status, 401);
        assert_eq!(world.delete(&path, &here).await.error(), unknown);

        let others = [log_in(&world, FIREFOX).await, log_in(&world, "").await];
        assert_eq!(world.delete("/api/auth/sessions", &here).await.json(), json!({"success": true}));
        for other in others {
            assert_eq!(world.get("/api/auth/me", &other).await.status, 401);
        }
        assert_eq!(sessions(&world, &here).await.len(), 1);
        assert_eq!(world.get("/api/auth/me", &stranger).await.status, 200);
    });
}

#[test]
fn a_setting_shortens_the_life_of_sessions_that_there_are() {
    // [AUTH116]
    on_both_engines(async |world: World| {
        let (one, two) = (world.photographer(EMAIL).await, log_in(&world, FIREFOX).await);
        let mut shortened = world.second_process(&world.parts.db).await;
        shortened.parts.settings.session_lifetime = DAY;
        let shortened = shortened.restarted().await;
        world.clock.advance(DAY.checked_sub(Duration::from_secs(1)).unwrap());
        assert_eq!(shortened.get("/api/auth/me", &one).await.status, 200, "and it is extended");
        world.clock.advance(Duration::from_secs(1));
        assert_eq!(shortened.get("/api/auth/me", &one).await.status, 200);
        assert_eq!(shortened.get("/api/auth/me", &two).await.status, 401);
        assert_eq!(sessions(&shortened, &one).await.len(), 1);
        assert_eq!(world.get("/api/auth/me", &two).await.status, 200, "where it is not shortened");
    });
}

#[test]
fn a_session_ends_90_days_after_its_login_however_often_it_is_used() {
    // [AUTH200]
    on_both_engines(async |world: World| {
        let token = world.photographer(EMAIL).await;
        for day in 1..90 {
            world.clock.advance(DAY);
            assert_eq!(world.get("/api/auth/me", &token).await.status, 200, "day {day}");
        }
        world.clock.advance(DAY.checked_sub(Duration::from_millis(1)).unwrap());
        assert_eq!(world.get("/api/auth/me", &token).await.status, 200);
        assert_eq!(sessions(&world, &token).await.len(), 1);
        world.clock.advance(Duration::from_millis(1));
        let ended = (401, String::from("Please log in to continue."));
        assert_eq!(world.get("/api/auth/me", &token).await.error(), ended);
    });
}

#[test]
fn a_session_of_the_version_before_is_good_for_as_long_as_it_was_promised() {
    // [AUTH200]
    on_both_engines(async |world: World| {
        let token = world.photographer(EMAIL).await;
        let user = app::accounts::authenticate(&world.app, &token).await.unwrap().unwrap();
        world.clock.advance(DAY * 200);
        let (hash, now) = (domain::accounts::tokens::hash_token("old"), world.app.now());
        let mut tx = world.parts.db.begin().await.unwrap();
        let (login, used) = (now.minus(DAY * 200), now.minus(DAY * 5));
        let device = domain::accounts::devices::Device::default();
        storage::accounts::sessions::create(&mut tx, &hash, user.id, &device, login, now).await.unwrap();
        storage::accounts::sessions::renew(&mut tx, &hash, used, used.plus(DAY * 30)).await.unwrap();
        tx.commit().await.unwrap();
        for _ in 0..25 {
            assert_eq!(world.get("/api/auth/me", "old").await.status, 200);
            world.clock.advance(DAY);
        }
        assert_eq!(world.get("/api/auth/me", "old").await.status, 401);
    });
}

#[test]
fn the_most_common_passwords_are_refused() {
    // [AUTH117]
    on_both_engines(async |world: World| {
        let refusal =
            (400, String::from("This password is one of the most common ones. Please choose another."));
        let body = json!({"name": "M", "email": EMAIL, "password": "Password1"});
        assert_eq!(world.post("/api/auth/register", "", body).await.error(), refusal);
        let token = world.photographer(EMAIL).await;
        let change = json!({"current_password": PASSWORD, "new_password": "qwerty"});
        assert_eq!(world.post("/api/auth/change-password", &token, change).await.error(), refusal);
        world.post("/api/auth/forgot-password", "", json!({"email": EMAIL})).await;
        let reset = world.token_mailed_to(EMAIL, "reset-password").await;
        let body = json!({"token": reset, "password": "123456"});
        assert_eq!(world.post("/api/auth/reset-password", "", body).await.error(), refusal);
    });
}
