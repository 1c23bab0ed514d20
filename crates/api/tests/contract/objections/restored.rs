//! What a guest has asked for holds in photos that come back.

use serde_json::{Value, json};

use super::{DAY, asks, decide, found, requests};
use crate::harness::{GREEN, RED, World, on_both_engines, photo};

#[test]
fn whom_nobody_shall_find_is_not_found_in_photos_that_come_back() {
    // [FACE505]
    on_both_engines(async |world: World| {
        for is_trashed in [false, true] {
            let token = world.photographer(&format!("meera{is_trashed}@example.com")).await;
            let event = world.event(&token, "Party").await;
            let path = format!("/api/events/{}", event["id"].as_str().unwrap());
            let first = world.upload(&token, &event, "a.jpg", &photo(&[RED], 0)).await.json()["id"].clone();
            world.drain().await;
            if is_trashed {
                // Known to another request, which the photographer has undone.
                asks(&world, &event, RED, "hide").await;
                let request = requests(&world, &token, &event).await.remove(0);
                let undone = decide(&world, &token, &request, json!({"in_force": false})).await;
                assert_eq!(undone.status, 200);
                let photo = format!("/api/photos/{}", first.as_str().unwrap());
                assert_eq!(world.delete(&photo, &token).await.status, 200);
                asks(&world, &event, RED, "stop_finding").await;
                let all = json!({"event_id": event["id"], "all": true});
                assert_eq!(world.post("/api/photos/trash/restore", &token, all).await.status, 200);
            } else {
                asks(&world, &event, RED, "stop_finding").await;
                // It is indexed when the event is deleted already.
                let late = world.upload(&token, &event, "late.jpg", &photo(&[RED], 17)).await;
                assert_eq!(late.status, 201);
                assert_eq!(world.delete(&path, &token).await.status, 202);
                world.drain().await;
                assert_eq!(world.post(&format!("{path}/restore"), &token, json!({})).await.status, 200);
            }
            world.drain().await;
            assert!(found(&world, &event, RED).await.is_empty(), "the photo was deleted: {is_trashed}");
        }
    });
}

#[test]
fn whom_the_photographer_lets_be_found_is_found_in_photos_that_come_back() {
    // [FACE554]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        let mut ids = Vec::new();
        for (name, salt) in [("a.jpg", 0), ("b.jpg", 17)] {
            let answer = world.upload(&token, &event, name, &photo(&[RED], salt)).await;
            ids.push(answer.json()["id"].clone());
        }
        world.drain().await;
        let delete = async |id: &Value| {
            let path = format!("/api/photos/{}", id.as_str().unwrap());
            assert_eq!(world.delete(&path, &token).await.status, 200);
        };
        // One is in the trash when the person asks, and one goes there after that.
        delete(&ids[0]).await;
        assert_eq!(asks(&world, &event, RED, "stop_finding").await, json!(1));
        delete(&ids[1]).await;
        let request = requests(&world, &token, &event).await.remove(0);
        assert_eq!(decide(&world, &token, &request, json!({"in_force": false})).await.status, 200);
        let all = json!({"event_id": event["id"], "all": true});
        let restored = world.post("/api/photos/trash/restore", &token, all).await.json();
        assert_eq!(restored["restored"], 2, "{restored}");
        world.drain().await;
        assert_eq!(found(&world, &event, RED).await, ["a.jpg", "b.jpg"]);
        let issues = app::operations::checks::inspect(&world.operator(), &world.parts.store).await.unwrap();
        assert!(issues.is_empty(), "{issues:?}");
    });
}

#[test]
fn what_is_decided_about_all_photos_holds_for_those_in_the_trash_once_they_come_back() {
    // [FACE564]
    on_both_engines(async |world: World| {
        for in_force in [true, false] {
            let token = world.photographer(&format!("meera{in_force}@example.com")).await;
            let event = world.event(&token, "Party").await;
            let mut ids = Vec::new();
            for (name, salt) in [("a.jpg", 0), ("b.jpg", 17)] {
                let answer = world.upload(&token, &event, name, &photo(&[RED], salt)).await;
                ids.push(answer.json()["id"].as_str().unwrap().to_owned());
            }
            world.drain().await;
            asks(&world, &event, RED, "hide").await;
            let request = requests(&world, &token, &event).await.remove(0);
            let decided = async |body: Value| {
                assert_eq!(decide(&world, &token, &request, body).await.status, 200);
            };
            if in_force {
                decided(json!({"in_force": false})).await;
            }
            assert_eq!(world.delete(&format!("/api/photos/{}", ids[1]), &token).await.status, 200);
            decided(json!({"in_force": in_force})).await;
            let all = json!({"event_id": event["id"], "all": true});
            let restored = world.post("/api/photos/trash/restore", &token, all).await.json();
            assert_eq!(restored["restored"], 1, "{restored}");
            world.drain().await;
            let expected: &[&str] = if in_force { &[] } else { &["a.jpg", "b.jpg"] };
            assert_eq!(found(&world, &event, RED).await, expected, "in force: {in_force}");
            let issues =
                app::operations::checks::inspect(&world.operator(), &world.parts.store).await.unwrap();
            assert!(issues.is_empty(), "{issues:?}");
        }
    });
}

#[test]
fn what_is_decided_about_some_photos_leaves_those_in_the_trash_as_they_were() {
    // [FACE564]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        let mut ids = Vec::new();
        for (name, salt) in [("a.jpg", 0), ("b.jpg", 17)] {
            let answer = world.upload(&token, &event, name, &photo(&[RED], salt)).await;
            ids.push(answer.json()["id"].as_str().unwrap().to_owned());
        }
        world.drain().await;
        asks(&world, &event, RED, "hide").await;
        let request = requests(&world, &token, &event).await.remove(0);
        assert_eq!(world.delete(&format!("/api/photos/{}", ids[1]), &token).await.status, 200);
        let shown = json!({"in_force": false, "photo_ids": [ids[0]]});
        assert_eq!(decide(&world, &token, &request, shown).await.status, 200);
        let all = json!({"event_id": event["id"], "all": true});
        assert_eq!(world.post("/api/photos/trash/restore", &token, all).await.status, 200);
        world.drain().await;
        assert_eq!(found(&world, &event, RED).await, ["a.jpg"]);
    });
}

#[test]
fn a_hidden_photo_is_hidden_after_the_others_have_expired() {
    // [FACE506]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        let first = world.upload(&token, &event, "a.jpg", &photo(&[RED], 0)).await.json()["id"].clone();
        assert_eq!(world.upload(&token, &event, "b.jpg", &photo(&[RED], 17)).await.status, 201);
        world.drain().await;
        let log_in =
            async || world.log_in("meera@example.com").await.json()["token"].as_str().unwrap().to_owned();
        world.clock.advance(DAY * 23);
        app::operations::maintenance::all(&world.app).await.unwrap();
        world.drain().await;
        world.clock.advance(DAY * 6);
        let token = log_in().await;
        asks(&world, &event, RED, "hide").await;
        let photo_path = format!("/api/photos/{}", first.as_str().unwrap());
        assert_eq!(world.delete(&photo_path, &token).await.status, 200);
        world.clock.advance(DAY * 2);
        app::events::retention::remove_due(&world.app).await.unwrap();
        assert_eq!(world.upload(&token, &event, "c.jpg", &photo(&[GREEN], 3)).await.status, 201);
        world.drain().await;
        let all = json!({"event_id": event["id"], "all": true});
        let restored = world.post("/api/photos/trash/restore", &token, all).await.json();
        assert_eq!(restored["restored"], 1, "{restored}");
        world.drain().await;
        assert!(found(&world, &event, RED).await.is_empty());
    });
}
