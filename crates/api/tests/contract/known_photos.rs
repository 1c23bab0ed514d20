//! /api/photos/known: which photos need not be uploaded.

use domain::PhotoId;
use domain::photos::{Photo, hash_text};
use media::stores::Source;
use serde_json::{Value, json};

use crate::harness::{Answer, BLUE, Field, GREEN, RED, World, on_both_engines, photo};

async fn ask(world: &World, token: &str, event: Option<&Value>, hashes: &[String]) -> Answer {
    let body = json!({"event_id": event.map(|event| event["id"].clone()), "hashes": hashes});
    world.post("/api/photos/known", token, body).await
}

async fn known(world: &World, token: &str, event: Option<&Value>, hashes: &[String]) -> Vec<String> {
    let answer = ask(world, token, event, hashes).await;
    assert_eq!(answer.status, 200);
    let mut known: Vec<String> = serde_json::from_value(answer.json()["known"].clone()).unwrap();
    known.sort();
    known
}

async fn stored(world: &World, uploaded: &Value) -> Photo {
    let id: PhotoId = uploaded["id"].as_str().unwrap().parse().unwrap();
    storage::photos::by_id(&world.parts.db, id).await.unwrap().unwrap()
}

#[test]
fn the_hashes_of_ones_own_photos_of_that_event_are_known() {
    // [UPL102]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let (one, two) = (world.event(&token, "One").await, world.event(&token, "Two").await);
        let mut hashes = Vec::new();
        for color in [RED, GREEN] {
            let uploaded = world.upload(&token, &one, "a.jpg", &photo(&[color], 0)).await.json();
            hashes.push(hash_text(&stored(&world, &uploaded).await.content_hash));
        }
        let blue = photo(&[BLUE], 0);
        let library = [Field::file("photos", "b.jpg", &blue)];
        let uploaded = world.form("/api/photos/upload", &token, &library).await.json();
        hashes.push(hash_text(&stored(&world, &uploaded).await.content_hash));
        hashes.push("0".repeat(64));

        let mut of_one = hashes[..2].to_vec();
        of_one.sort();
        assert_eq!(known(&world, &token, Some(&one), &hashes).await, of_one);
        assert_eq!(known(&world, &token, Some(&two), &hashes).await, [""; 0]);
        assert_eq!(known(&world, &token, None, &hashes).await, hashes[2..3]);
        let upper: Vec<String> = hashes.iter().map(|hash| hash.to_uppercase()).collect();
        assert_eq!(known(&world, &token, Some(&one), &upper).await, of_one);
        assert_eq!(known(&world, &token, Some(&one), &[]).await, [""; 0]);
        let credits = world.get("/api/subscription/credits", &token).await.json()["credits"].clone();
        assert_eq!(credits, 97.0, "the question costs nothing");
    });
}

#[test]
fn nobody_learns_of_anothers_photos() {
    // [UPL193] [SAFE017]
    on_both_engines(async |world: World| {
        let (token, other) =
            (world.photographer("meera@example.com").await, world.photographer("arjun@example.com").await);
        let event = world.event(&token, "Party").await;
        let uploaded = world.upload(&token, &event, "a.jpg", &photo(&[RED], 0)).await.json();
        let hashes = [hash_text(&stored(&world, &uploaded).await.content_hash)];
        let not_found = (404, String::from("Event not found"));
        assert_eq!(ask(&world, &other, Some(&event), &hashes).await.error(), not_found);
        assert_eq!(ask(&world, &other, Some(&json!({"id": "made-up"})), &hashes).await.error(), not_found);
        assert_eq!(known(&world, &other, None, &hashes).await, [""; 0]);
        let own = world.event(&other, "Own").await;
        assert_eq!(known(&world, &other, Some(&own), &hashes).await, [""; 0]);
        assert_eq!(ask(&world, "", Some(&event), &hashes).await.status, 401);
    });
}

#[test]
fn a_question_that_cannot_be_answered_is_refused() {
    // [UPL102]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        let many = vec!["0".repeat(64); 201];
        let refusal = ask(&world, &token, Some(&event), &many).await.error();
        assert_eq!(refusal, (400, String::from("Please ask for at most 200 photos at once")));
        let refusal = ask(&world, &token, Some(&event), &["0".repeat(63)]).await.error();
        assert_eq!(refusal, (400, String::from("A hash must have 64 hexadecimal digits")));
        assert_eq!(ask(&world, &token, Some(&event), &many[..200]).await.status, 200);

        let uploaded = world.upload(&token, &event, "a.jpg", &photo(&[RED], 0)).await.json();
        let hashes = [hash_text(&stored(&world, &uploaded).await.content_hash)];
        let path = format!("/api/events/{}", event["id"].as_str().unwrap());
        assert_eq!(world.delete(&path, &token).await.status, 202);
        let refusal = ask(&world, &token, Some(&event), &hashes).await.error();
        assert_eq!(refusal, (409, String::from("This event is being deleted")));
    });
}

#[test]
fn a_photo_whose_original_is_gone_is_not_known_and_travels_again() {
    // [UPL103] [SAFE043]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        let (red, green) = (photo(&[RED], 0), photo(&[GREEN], 0));
        let mut photos = Vec::new();
        for bytes in [&red, &green] {
            let uploaded = world.upload(&token, &event, "a.jpg", bytes).await.json();
            photos.push(stored(&world, &uploaded).await);
        }
        let hashes: Vec<String> = photos.iter().map(|photo| hash_text(&photo.content_hash)).collect();
        world.parts.store.delete(&photos[0].key).await.unwrap();
        assert_eq!(known(&world, &token, Some(&event), &hashes).await, hashes[1..]);
        assert_eq!(world.upload(&token, &event, "a.jpg", &red).await.json()["duplicate"], true);
        assert_eq!(known(&world, &token, Some(&event), &hashes[..1]).await, hashes[..1], "stored again");
    });
}

#[test]
fn a_photo_whose_original_is_damaged_is_not_known_and_is_stored_again() {
    // [UPL210]
    // A disk that has lost bytes keeps their number. Both kinds of upload put it right.
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        let (red, green) = (photo(&[RED], 0), photo(&[GREEN], 0));
        let mut photos = Vec::new();
        for bytes in [&red, &green] {
            let uploaded = world.upload(&token, &event, "a.jpg", bytes).await.json();
            photos.push(stored(&world, &uploaded).await);
        }
        let mut hashes: Vec<String> = photos.iter().map(|photo| hash_text(&photo.content_hash)).collect();
        let damage = async |photo: &Photo, bytes: &[u8]| {
            let mut bytes = bytes.to_vec();
            *bytes.last_mut().unwrap() ^= 1;
            world.parts.store.put(&photo.key, Source::Bytes(bytes.into())).await.unwrap();
        };
        let original = async |photo: &Photo| {
            let read = world.parts.store.read(&photo.key, None).await.unwrap().unwrap();
            read.whole().await.unwrap()
        };
        damage(&photos[0], &red).await;
        assert_eq!(known(&world, &token, Some(&event), &hashes).await, hashes[1..]);
        assert_eq!(world.upload(&token, &event, "a.jpg", &red).await.json()["duplicate"], true);
        assert_eq!(original(&photos[0]).await, red);
        hashes.sort();
        assert_eq!(known(&world, &token, Some(&event), &hashes).await, hashes);

        // Nobody has asked before.
        damage(&photos[1], &green).await;
        assert_eq!(world.upload(&token, &event, "b.jpg", &green).await.json()["duplicate"], true);
        assert_eq!(original(&photos[1]).await, green);
        let credits = world.get("/api/subscription/credits", &token).await.json()["credits"].clone();
        assert_eq!(credits, 98.0);
    });
}
