//! Hearts that guests put on photos: POST /api/face/hearts/{slug}

use serde_json::{Value, json};

use crate::downloads::{Party, party};
use crate::harness::{Answer, BLUE, RED, World, on_both_engines, photo};

async fn put(world: &World, event: &Value, key: &Value, on: bool) -> Answer {
    let path = format!("/api/face/hearts/{}", event["slug"].as_str().unwrap());
    world.post(&path, "", json!({"key": key, "on": on})).await
}

/// The hearts of the photos in a photographer's list, by their ids.
async fn count(world: &World, token: &str, photo: &Value) -> Value {
    let listed = world.get("/api/photos/search", token).await.json();
    let mut photos = listed["photos"].as_array().unwrap().iter();
    photos.find(|listed| listed["id"] == *photo).unwrap()["hearts"].clone()
}

fn missing() -> (u16, String) {
    (404, String::from("Photo not found"))
}

#[test]
fn hearts_are_counted_for_the_photographer_and_are_never_fewer_than_none() {
    // [WISH003] [WISH019]
    on_both_engines(async |world: World| {
        let Party { token, event, matches, .. } = party(&world).await;
        let (key, id) = (&matches[0]["s3_key"], &matches[0]["photo_id"]);
        assert_eq!(count(&world, &token, id).await, 0);
        for (on, counted) in [(true, 1), (true, 2), (false, 1), (false, 0), (false, 0), (true, 1)] {
            let answer = put(&world, &event, key, on).await;
            assert_eq!((answer.status.as_u16(), answer.bytes.len()), (204, 0));
            assert_eq!(count(&world, &token, id).await, counted, "{on}");
        }
        assert_eq!(count(&world, &token, &matches[1]["photo_id"]).await, 0, "another photo");

        // What guests get says nothing of it.
        let found = world.search(&event, &photo(&[RED], 9)).await.json();
        assert!(found["matches"].as_array().unwrap().iter().all(|found| found.get("hearts").is_none()));

        // A photo has its hearts when it comes back from the trash.
        let id_text = id.as_str().unwrap();
        assert_eq!(world.delete(&format!("/api/photos/{id_text}"), &token).await.status, 200);
        assert_eq!(put(&world, &event, key, true).await.error(), missing());
        let all = json!({"event_id": event["id"], "all": true});
        let restored = world.post("/api/photos/trash/restore", &token, all).await;
        assert_eq!(restored.json(), json!({"restored": 1}));
        assert_eq!(count(&world, &token, id).await, 1);
    });
}

#[test]
fn only_photos_that_guests_of_the_event_can_see_get_hearts() {
    // [WISH002] [WISH020]
    on_both_engines(async |world: World| {
        let Party { token, event, matches, .. } = party(&world).await;
        let key = &matches[0]["s3_key"];
        for other in [json!("made-up"), json!(""), matches[0]["photo_id"].clone()] {
            assert_eq!(put(&world, &event, &other, true).await.error(), missing(), "{other}");
        }
        let elsewhere = world.event(&token, "Elsewhere").await;
        world.upload(&token, &elsewhere, "far.jpg", &photo(&[BLUE], 0)).await;
        assert_eq!(put(&world, &elsewhere, key, true).await.error(), missing(), "it is of another event");
        let unknown = json!({"slug": "party-2345678923"});
        assert_eq!(put(&world, &unknown, key, true).await.error(), (404, String::from("Event not found")));

        let path = format!("/api/events/{}", event["id"].as_str().unwrap());
        assert_eq!(world.patch(&path, &token, json!({"pin": "123412"})).await.status, 200);
        let locked = put(&world, &event, key, true).await;
        assert_eq!(locked.json()["code"], "event_pin_required");
        assert_eq!(count(&world, &token, &matches[0]["photo_id"]).await, 0);
    });
}
