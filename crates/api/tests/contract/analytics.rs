//! /api/events/analytics

use std::time::Duration;

use serde_json::json;

use crate::harness::{GREEN, RED, World, on_both_engines, photo};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

#[test]
fn the_dashboard_counts_what_was_deleted_too() {
    // [API036] [DASH020] [EVT067] [UPL083]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let empty = world.get("/api/events/analytics", &token).await.json();
        assert_eq!(
            empty,
            json!({
                "summary": {"total_events": 0, "active_events": 0, "deleted_events": 0, "avg_photos_per_event": 0.0,
                    "total_photos_uploaded": 0, "total_faces_indexed": 0},
                "recent_deleted_events": [], "all_events": [], "days": [], "renewal": null,
            })
        );
        let (kept, gone, none) = (
            world.event(&token, "Kept").await,
            world.event(&token, "Gone").await,
            world.event(&token, "None").await,
        );
        for salt in 0..3 {
            world.upload(&token, &kept, "a.jpg", &photo(&[RED, GREEN], salt)).await;
        }
        world.upload(&token, &gone, "b.jpg", &photo(&[RED], 9)).await;
        world.drain().await;
        assert_eq!(world.search(&kept, &photo(&[RED], 5)).await.status, 200);
        world.clock.advance(DAY * 2);
        for event in [&gone, &none] {
            world.delete(&format!("/api/events/{}", event["id"].as_str().unwrap()), &token).await;
        }
        world.drain().await;
        let numbers = world.get("/api/events/analytics", &token).await.json();
        assert_eq!(
            numbers["summary"],
            json!({"total_events": 3, "active_events": 1, "deleted_events": 2, "avg_photos_per_event": 1.33,
                "total_photos_uploaded": 4, "total_faces_indexed": 6})
        );
        assert_eq!(numbers["days"], json!([{"date": "2026-11-20", "uploads": 4, "searches": 1}]));
        assert_eq!(numbers["all_events"].as_array().unwrap().len(), 3);
        let deleted = &numbers["recent_deleted_events"];
        assert_eq!(deleted.as_array().unwrap().len(), 2);
        let event = deleted.as_array().unwrap().iter().find(|event| event["name"] == "Gone").unwrap();
        assert_eq!(event["total_photos_uploaded"], 1);
        assert_eq!(event["lifetime_days"], 2);
        assert_eq!(event["deleted_at"], "2026-11-22T09:00:00.000Z");
    });
}

#[test]
fn a_deletion_is_recent_for_30_days() {
    // [DASH013] [CONST020]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        world.delete(&format!("/api/events/{}", event["id"].as_str().unwrap()), &token).await;
        let recent = async || {
            world.get("/api/events/analytics", &token).await.json()["recent_deleted_events"]
                .as_array()
                .unwrap()
                .len()
        };
        world.clock.advance(DAY * 15);
        assert_eq!(recent().await, 1);
        world.clock.advance(DAY * 14);
        assert_eq!(recent().await, 1);
        world.clock.advance(DAY * 2);
        assert_eq!(recent().await, 0);
    });
}

#[test]
fn another_photographers_numbers_are_their_own() {
    on_both_engines(async |world: World| {
        let (meera, ravi) =
            (world.photographer("meera@example.com").await, world.photographer("ravi@example.com").await);
        let event = world.event(&meera, "Party").await;
        world.upload(&meera, &event, "a.jpg", &photo(&[RED], 0)).await;
        let numbers = world.get("/api/events/analytics", &ravi).await.json();
        assert_eq!(numbers["summary"]["total_events"], 0);
        assert_eq!(numbers["summary"]["total_photos_uploaded"], 0);
    });
}
