//! Where a photo's faces are, for whoever shows a part of it.

use serde_json::{Value, json};

use crate::browsing::let_guests_browse;
use crate::harness::{BLACK, GREEN, RED, World, on_both_engines, photo};

#[test]
fn a_photo_says_where_its_faces_are() {
    // [GAL447]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        world.upload(&token, &event, "pair.jpg", &photo(&[RED, GREEN, BLACK, BLACK], 0)).await;
        world.upload(&token, &event, "hall.jpg", &photo(&[BLACK, BLACK], 0)).await;
        let id = event["id"].as_str().unwrap();
        let gallery = async || {
            let mut photos = world
                .get(&format!("/api/photos/search?event_id={id}&sort=name"), &token)
                .await
                .json()["photos"]
                .clone();
            photos.as_array_mut().unwrap().drain(..).collect::<Vec<Value>>()
        };
        assert!(gallery().await.iter().all(|photo| photo.get("focus").is_none()), "nobody knows yet");
        world.drain().await;
        let [hall, pair] = &gallery().await[..] else { panic!("two photos") };
        assert_eq!(hall.get("focus"), None);
        let focus = &pair["focus"];
        assert_eq!((focus["x"].as_f64().unwrap() * 100.0).round(), 25.0);
        assert_eq!(focus["y"], json!(0.5));

        // As guests see it, found or not, and of the cover, whose thumbnail there is too.
        let found = world.search(&event, &photo(&[RED], 9)).await.json();
        assert_eq!(&found["matches"][0]["focus"], focus);
        let_guests_browse(&world, &token, &event).await;
        let slug = event["slug"].as_str().unwrap();
        let all = world.get(&format!("/api/face/photos/{slug}"), "").await.json();
        let told: Vec<Option<&Value>> =
            all["photos"].as_array().unwrap().iter().map(|photo| photo.get("focus")).collect();
        assert!(told.contains(&Some(focus)) && told.contains(&None), "{all}");
        let path = format!("/api/events/{id}");
        for (cover, there) in [(pair, Some(focus)), (hall, None)] {
            let laid = there.map(|_| "<style>:root { --cover: 12.");
            let shown = world.patch(&path, &token, json!({"cover_photo_id": cover["id"]})).await.json();
            assert_eq!(shown.get("cover_focus"), there);
            let thumbnail = shown["cover_thumbnail_url"].as_str().unwrap();
            assert!(thumbnail.contains("/thumbnail?"), "{thumbnail}");
            assert_eq!(world.get(thumbnail, "").await.header("content-type"), "image/jpeg");
            assert_eq!(world.get(&format!("/api/events/{slug}"), "").await.json().get("cover_focus"), there);
            let page = world.get(&format!("/event/{slug}"), "").await;
            let page = String::from_utf8_lossy(&page.bytes).into_owned();
            assert!(laid.map_or(!page.contains("--cover"), |laid| page.contains(laid)), "{page}");
        }
        let shown = world.patch(&path, &token, json!({"cover_photo_id": null})).await.json();
        assert_eq!((shown.get("cover_focus"), shown.get("cover_thumbnail_url")), (None, None));
    });
}
