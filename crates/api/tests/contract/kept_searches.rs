//! Searches that guests' devices hold: POST /api/face/search/{slug}/again and /keep, DELETE /api/events/{id}/kept-searches.

use std::time::Duration;

use domain::DAY;
use serde_json::{Value, json};

use crate::downloads::{Party, party};
use crate::harness::{Answer, GREEN, RED, World, on_both_engines, photo};

const EXPIRED: &str = "Your photos are not kept here any more. Please take a selfie again.";
const HOUR: Duration = Duration::from_secs(60 * 60);
const SECOND: Duration = Duration::from_secs(1);
const VERSION: &str = "2026-11-27";

fn path(event: &Value, verb: &str) -> String {
    format!("/api/face/search/{}/{verb}", event["slug"].as_str().unwrap())
}

async fn again(world: &World, event: &Value, token: &Value) -> Answer {
    world.post(&path(event, "again"), "", json!({"token": token})).await
}

async fn keep(world: &World, event: &Value, token: &Value) -> Value {
    let answer =
        world.post(&path(event, "keep"), "", json!({"token": token, "notice_version": VERSION})).await;
    assert_eq!(answer.status, 200);
    answer.json()["key"].clone()
}

async fn search(world: &World, party: &Party) -> Value {
    world.search(&party.event, &photo(&[RED], 9)).await.json()
}

fn names(found: &Value) -> Vec<&str> {
    let mut names: Vec<_> = found["matches"]
        .as_array()
        .unwrap()
        .iter()
        .map(|found| found["filename"].as_str().unwrap())
        .collect();
    names.sort_unstable();
    names
}

fn is_expired(answer: &Answer) -> bool {
    answer.error() == (404, String::from(EXPIRED))
}

#[test]
fn a_search_is_repeated_without_its_selfie_and_finds_what_came_since() {
    // [FACE520]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let found = search(&world, &party).await;
        let repeated = again(&world, &party.event, &found["search_token"]).await.json();
        assert_eq!(names(&repeated), names(&found));
        assert_eq!((&repeated["faces"], &repeated["preview"]), (&json!([]), &Value::Null));
        assert!(repeated["download_token"].is_string() && repeated["subscription_token"].is_string());
        world.upload(&party.token, &party.event, "late.jpg", &photo(&[RED], 7)).await;
        world.upload(&party.token, &party.event, "stranger.jpg", &photo(&[GREEN], 7)).await;
        world.drain().await;
        let later = again(&world, &party.event, &repeated["search_token"]).await.json();
        assert_eq!(names(&later), ["late.jpg", "one.jpg", "three.png", "two.jpg"]);

        let rejected = later["matches"][0]["face_id"].clone();
        let body = json!({"token": found["search_token"], "not_me": [rejected], "strictness": "strict"});
        let without = world.post(&path(&party.event, "again"), "", body).await.json();
        assert!(without["matches"].as_array().unwrap().iter().all(|found| found["face_id"] != rejected));
        let body = json!({"token": found["search_token"], "strictness": "sometimes"});
        assert_eq!(world.post(&path(&party.event, "again"), "", body).await.status, 400);

        world.clock.advance(6 * HOUR);
        assert!(is_expired(&again(&world, &party.event, &found["search_token"]).await));
    });
}

#[test]
fn what_a_repeated_search_finds_is_stored_once_an_hour_for_each_guest() {
    // [SAFE480]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        assert_eq!(world.upload(&token, &event, "one.jpg", &photo(&[RED], 0)).await.status, 201);
        world.drain().await;
        let searched = async |person: [u8; 3]| world.search(&event, &photo(&[person], 9)).await.json();
        let (guest, other) = (searched(RED).await, searched([230, 30, 20]).await);
        let stored = async || storage::testing::count(&world.parts.db, "downloads").await;
        let before = stored().await;
        let first = again(&world, &event, &guest["search_token"]).await.json();
        // Each answer has another token to repeat the search by.
        let mut last = first.clone();
        for _ in 0..4 {
            last = again(&world, &event, &last["search_token"]).await.json();
            assert_eq!(last["download_token"], first["download_token"]);
        }
        assert_eq!(stored().await, before + 1);

        // Another guest, of whom the same is found, reports for themselves what shows somebody else.
        let of_other = again(&world, &event, &other["search_token"]).await.json();
        let photo_of = |found: &Value| {
            let matches = found["matches"].as_array().unwrap();
            assert_eq!(matches.len(), 1);
            (matches[0]["photo_id"].clone(), matches[0]["face_id"].clone())
        };
        assert_eq!(photo_of(&of_other), photo_of(&first));
        assert_ne!(of_other["download_token"], first["download_token"]);
        assert_eq!(stored().await, before + 2);
        let report = json!({"token": first["download_token"], "photo_id": photo_of(&first).0});
        assert_eq!(world.post("/api/face/not-me", "", report).await.status, 204);
        let reopened = async |found: &Value| {
            let body = json!({"token": found["download_token"]});
            world.post("/api/face/results", "", body).await.json()["matches"].as_array().unwrap().len()
        };
        assert_eq!((reopened(&first).await, reopened(&of_other).await), (0, 1));

        // The token is good for as long after the last answer as after the first.
        world.clock.advance(HOUR - SECOND);
        let late = again(&world, &event, &guest["search_token"]).await.json();
        assert_eq!(late["download_token"], first["download_token"]);
        world.clock.advance(SECOND);
        let next = again(&world, &event, &guest["search_token"]).await.json();
        assert_ne!(next["download_token"], first["download_token"]);
        assert_eq!(stored().await, before + 3);
        let zip = format!("/api/face/download/{}.zip", first["download_token"].as_str().unwrap());
        world.clock.advance(6 * HOUR - 2 * SECOND);
        assert_eq!(world.get(&zip, "").await.status, 200);
        world.clock.advance(SECOND);
        assert_eq!(world.get(&zip, "").await.status, 404);
    });
}

#[test]
fn a_device_keeps_a_search_for_as_long_as_the_event_lives_and_by_a_consent_of_its_own() {
    // [FACE521] [FACE522]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let found = search(&world, &party).await;
        for version in ["", "2026-11-20"] {
            let body = json!({"token": found["search_token"], "notice_version": version});
            assert_eq!(
                world.post(&path(&party.event, "keep"), "", body).await.json()["code"],
                "consent_required"
            );
        }
        let key = keep(&world, &party.event, &found["search_token"]).await;
        world.clock.advance(20 * DAY);
        let back = again(&world, &party.event, &key).await.json();
        assert_eq!(names(&back), names(&found));
        assert_eq!(
            keep(&world, &party.event, &key).await.as_str().unwrap().split_once('.').unwrap().0,
            party.event["id"]
        );

        // It is the event's alone, and good for nothing else.
        let elsewhere = world.event(&party.token, "Elsewhere").await;
        let renamed = key
            .as_str()
            .unwrap()
            .replace(party.event["id"].as_str().unwrap(), elsewhere["id"].as_str().unwrap());
        assert!(is_expired(&again(&world, &elsewhere, &key).await));
        world.upload(&party.token, &elsewhere, "far.jpg", &photo(&[RED], 3)).await;
        world.drain().await;
        assert!(world.search(&elsewhere, &photo(&[RED], 9)).await.json()["search_token"].is_string());
        for token in [&key, &json!(renamed), &json!(""), &json!("made-up"), &json!(format!("{}.AAAA", key))] {
            assert!(is_expired(&again(&world, &elsewhere, token).await), "{token}");
        }
        let body = json!({"token": key, "email": "guest@example.com", "notice_version": "2026-11"});
        assert_eq!(world.post("/api/face/subscriptions", "", body).await.status, 404);
        let of_subscription = &found["subscription_token"];
        assert!(is_expired(&again(&world, &party.event, of_subscription).await));

        let removed =
            world.delete(&format!("/api/events/{}", party.event["id"].as_str().unwrap()), &party.token).await;
        assert!(removed.status.is_success());
        assert_eq!(again(&world, &party.event, &key).await.json()["code"], "event_not_found");
    });
}

#[test]
fn a_photographer_revokes_what_all_devices_hold() {
    // [FACE523]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let found = search(&world, &party).await;
        let key = keep(&world, &party.event, &found["search_token"]).await;
        let revoke = format!("/api/events/{}/kept-searches", party.event["id"].as_str().unwrap());
        let stranger = world.photographer("stranger@example.com").await;
        assert_eq!(world.delete(&revoke, &stranger).await.status, 404);
        assert_eq!(again(&world, &party.event, &key).await.status, 200);
        for _ in 0..2 {
            assert_eq!(world.delete(&revoke, &party.token).await.status, 200);
        }
        for token in [&key, &found["search_token"]] {
            assert!(is_expired(&again(&world, &party.event, token).await));
        }
        let anew = search(&world, &party).await;
        assert_eq!(again(&world, &party.event, &anew["search_token"]).await.status, 200);
        assert!(is_expired(&again(&world, &party.event, &key).await), "and stays so");
    });
}

#[test]
fn who_asked_not_to_be_found_is_not_brought_back() {
    // [FACE524]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let found = search(&world, &party).await;
        let key = keep(&world, &party.event, &found["search_token"]).await;
        let preview = crate::objections::preview(&world, &party.event, RED).await;
        let answer = crate::objections::object(&world, &preview["token"], "stop_finding").await;
        assert_eq!(answer.status, 201);
        world.drain().await;
        for token in [&key, &found["search_token"]] {
            assert_eq!(again(&world, &party.event, token).await.json()["matches"], json!([]));
        }
    });
}

#[test]
fn only_the_first_success_of_a_guest_counts_as_a_search() {
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        let none = world.search(&event, &photo(&[RED], 9)).await.json();
        assert_eq!(none["matches"], json!([]));
        world.upload(&token, &event, "late.jpg", &photo(&[RED], 7)).await;
        world.drain().await;
        let found_before = async |found_before: bool| {
            let body = json!({"token": none["search_token"], "found_before": found_before});
            assert_eq!(names(&world.post(&path(&event, "again"), "", body).await.json()), ["late.jpg"]);
        };
        found_before(false).await;
        found_before(true).await;
        let statistics = format!("/api/events/{}/statistics", event["id"].as_str().unwrap());
        let total = world.get(&statistics, &token).await.json()["totals"].clone();
        assert_eq!((&total["searches"], &total["guests_helped"]), (&json!(2), &json!(1)), "{total}");
    });
}
