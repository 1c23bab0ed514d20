//! Deleting and downloading selected photos of the gallery by one call.

use std::time::Duration;

use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};

use crate::downloads::{GONE, files};
use crate::harness::{Answer, BLUE, Field, GREEN, RED, World, on_both_engines, photo};

/// Whose photos they are, their event, and the photos, each with its bytes.
struct Shoot {
    token: String,
    event: Value,
    photos: Vec<(String, Vec<u8>)>,
}

impl Shoot {
    fn id(&self) -> &str {
        self.event["id"].as_str().unwrap()
    }

    fn ids(&self) -> Vec<&str> {
        self.photos.iter().map(|(id, _)| id.as_str()).collect()
    }
}

/// An event with three photos, two of which have the same name.
async fn shoot(world: &World) -> Shoot {
    let token = world.photographer("meera@example.com").await;
    let event = world.event(&token, "Party").await;
    let mut photos = Vec::new();
    for (name, person) in [("a.jpg", RED), ("b:c.jpg", BLUE), ("A.JPG", GREEN)] {
        let bytes = photo(&[person], 1);
        // Ids of one millisecond have no order.
        world.clock.advance(Duration::from_secs(1));
        let uploaded = world.upload(&token, &event, name, &bytes).await.json();
        photos.push((uploaded["id"].as_str().unwrap().to_owned(), bytes));
    }
    world.drain().await;
    Shoot { token, event, photos }
}

async fn post(world: &World, shoot: &Shoot, path: &str, mut body: Value) -> Answer {
    body["event_id"] = shoot.event["id"].clone();
    world.post(path, &shoot.token, body).await
}

async fn delete(world: &World, shoot: &Shoot, body: Value) -> Value {
    let answer = post(world, shoot, "/api/photos/trash", body).await;
    assert_eq!(answer.status, 200);
    answer.json()["deleted"].clone()
}

async fn left(world: &World, shoot: &Shoot) -> Value {
    let path = format!("/api/photos/search?event_id={}", shoot.id());
    world.get(&path, &shoot.token).await.json()["total_count"].clone()
}

#[test]
fn a_selection_is_deleted_and_restored_by_one_call_each() {
    // [GAL141] [GAL171]
    on_both_engines(async |world: World| {
        let shoot = shoot(&world).await;
        let ids = shoot.ids();
        let blue = photo(&[BLUE], 7);
        let library = [Field::file("photos", "l.jpg", &blue)];
        let library = world.form("/api/photos/upload", &shoot.token, &library).await.json();
        let library = library["id"].as_str().unwrap().to_owned();
        let other_node = world.second_process(&world.parts.db).await;
        let selfie = photo(&[RED], 9);
        assert_eq!(
            other_node.search(&shoot.event, &selfie).await.json()["matches"].as_array().unwrap().len(),
            1
        );

        let chosen = json!({"photo_ids": [ids[0], ids[1], ids[1], library, "no id"]});
        assert_eq!(delete(&world, &shoot, chosen.clone()).await, 2, "not the library's, and each once");
        assert_eq!(delete(&world, &shoot, chosen.clone()).await, 0);
        assert_eq!(left(&world, &shoot).await, 1);
        world.clock.advance(Duration::from_secs(10));
        for node in [&world, &other_node] {
            let found = node.search(&shoot.event, &selfie).await.json();
            assert_eq!(found["matches"], json!([]));
        }
        let restored = post(&world, &shoot, "/api/photos/trash/restore", chosen).await;
        assert_eq!(restored.json(), json!({"restored": 2}));

        assert_eq!(delete(&world, &shoot, json!({"all": true})).await, 3);
        assert_eq!(left(&world, &shoot).await, 0);
        assert_eq!(
            app::operations::checks::inspect(&world.operator(), &world.parts.store).await.unwrap(),
            []
        );
        let from_library = world.post("/api/photos/trash", &shoot.token, json!({"all": true})).await;
        assert_eq!(from_library.json(), json!({"deleted": 1, "photo_ids": [library]}));

        // Another's are not there.
        let ravi = world.photographer("ravi@example.com").await;
        let named = json!({"event_id": shoot.id(), "photo_ids": ids});
        let answer = world.post("/api/photos/trash", &ravi, named).await;
        assert_eq!(answer.error(), (404, String::from("Event not found")));
        let answer = world.post("/api/photos/trash", &ravi, json!({"photo_ids": ids})).await;
        assert_eq!(answer.json(), json!({"deleted": 0, "photo_ids": []}));
        for path in ["/api/photos/trash", "/api/photos/download"] {
            let many = post(&world, &shoot, path, json!({"photo_ids": vec!["x"; 10_001]})).await;
            assert_eq!(many.error(), (400, String::from("At most 10,000 photos can be chosen in one call")));
            let id = "0190163d-8694-739b-aea5-966c26f8ad91";
            let most = post(&world, &shoot, path, json!({"photo_ids": vec![id; 10_000]})).await;
            assert!(matches!(most.status.as_u16(), 200 | 404), "{}", most.status);
            let neither = post(&world, &shoot, path, json!({})).await;
            assert_eq!(neither.error(), (400, String::from("Choose photos, or all of them")));
        }
    });
}

#[test]
fn a_deletion_names_the_photos_that_were_there_until_then() {
    // [GAL514]
    on_both_engines(async |world: World| {
        let shoot = shoot(&world).await;
        let ids = shoot.ids();
        // Somebody else has deleted one of them meanwhile, and would not have it restored with the others.
        assert_eq!(world.delete(&format!("/api/photos/{}", ids[0]), &shoot.token).await.status, 200);
        let chosen = json!({"photo_ids": [ids[0], ids[1]]});
        for moved in [&ids[1..2], &[]] {
            let answer = post(&world, &shoot, "/api/photos/trash", chosen.clone()).await;
            assert_eq!(answer.json(), json!({"deleted": moved.len(), "photo_ids": moved}));
        }
        let all = post(&world, &shoot, "/api/photos/trash", json!({"all": true})).await;
        assert_eq!(all.json()["photo_ids"], json!([ids[2]]));
    });
}

async fn download(world: &World, shoot: &Shoot, body: Value) -> (Value, String) {
    let answer = post(world, shoot, "/api/photos/download", body).await;
    assert_eq!(answer.status, 201);
    let token = answer.json()["download_token"].as_str().unwrap().to_owned();
    (answer.json()["photos"].clone(), token)
}

#[test]
fn selected_originals_are_in_one_zip_under_their_names() {
    // [GAL410]
    // Hidden ones too, by a link that is good for 6 hours; it is no guest's download and is not counted.
    on_both_engines(async |world: World| {
        let shoot = shoot(&world).await;
        let ids = shoot.ids();
        // Guests do not see one that is hidden; its photographer has it all the same.
        let path = format!("/api/face/objections/{}", shoot.event["slug"].as_str().unwrap());
        let selfie = photo(&[GREEN], 8);
        let fields = [Field::file("image", "selfie.jpg", &selfie), Field::notice()];
        let asked = world.form(&path, "", &fields).await.json();
        let body = json!({"token": asked["token"], "choice": "hide", "notice_version": "2026-11"});
        assert_eq!(world.post("/api/face/objections", "", body).await.status, 201);

        let (count, token) = download(&world, &shoot, json!({"all": true})).await;
        assert_eq!(count, 3);
        let path = format!("/api/face/download/{token}.zip");
        let zip = world.get(&path, "").await;
        assert_eq!((zip.status.as_u16(), zip.header("content-type")), (200, "application/zip"));
        assert_eq!(zip.header("content-length"), zip.bytes.len().to_string());
        let bytes = |place: usize| shoot.photos[place].1.clone();
        let expected = [("a.jpg", bytes(0)), ("b_c.jpg", bytes(1)), ("A (2).JPG", bytes(2))];
        assert_eq!(files(&zip.bytes), expected.map(|(name, bytes)| (name.to_owned(), bytes)));
        let rest = Request::get(&path).header("range", "bytes=100-").body(Body::empty()).unwrap();
        let rest = world.send(rest).await;
        assert_eq!((rest.status.as_u16(), &rest.bytes[..]), (206, &zip.bytes[100..]));

        let chosen = json!({"photo_ids": [ids[2], "no id", ids[0], ids[0]]});
        let (count, some) = download(&world, &shoot, chosen).await;
        assert_eq!(count, 2);
        let zip = world.get(&format!("/api/face/download/{some}.zip"), "").await;
        let names: Vec<String> = files(&zip.bytes).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["A.JPG", "a (2).jpg"]);

        // All of an album, whose size is told before it is sent.
        crate::albums::put_into_new(&world, &shoot.token, &shoot.event, "Vows", &json!({"id": ids[1]})).await;
        let albums = format!("/api/events/{}/albums", shoot.id());
        let album = world.get(&albums, &shoot.token).await.json()["albums"][0]["id"].clone();
        let (count, vows) = download(&world, &shoot, json!({"all": true, "album_id": album})).await;
        assert_eq!(count, 1);
        let vows = format!("/api/face/download/{vows}.zip");
        let zip = world.get(&vows, "").await;
        let head = world.send(Request::head(&vows).body(Body::empty()).unwrap()).await;
        assert_eq!(head.header("content-length"), zip.bytes.len().to_string());
        assert_eq!(files(&zip.bytes), [(String::from("b_c.jpg"), bytes(1))]);
        for (album, text) in [("made-up", "This album is no longer there"), (shoot.id(), "Photo not found")] {
            let answer =
                post(&world, &shoot, "/api/photos/download", json!({"all": true, "album_id": album})).await;
            assert_eq!(answer.error(), (404, String::from(text)));
        }

        // It is no guest's: it is not counted, not opened as results, and nothing is chosen from it.
        let statistics = format!("/api/events/{}/statistics", shoot.id());
        let statistics = world.get(&statistics, &shoot.token).await.json();
        assert_eq!(statistics["totals"]["downloads"], 0);
        assert_eq!(world.post("/api/face/results", "", json!({"token": token})).await.status, 404);
        let from = json!({"tokens": [token], "photo_ids": [ids[0]]});
        assert_eq!(world.post("/api/face/download", "", from).await.error(), (404, GONE.to_owned()));

        assert_eq!(delete(&world, &shoot, json!({"all": true})).await, 3);
        assert_eq!(world.get(&path, "").await.status, 404);
        let nothing = post(&world, &shoot, "/api/photos/download", json!({"all": true})).await;
        assert_eq!(nothing.error(), (404, String::from("Photo not found")));
        let library = world.post("/api/photos/download", &shoot.token, json!({"all": true})).await;
        assert_eq!(library.error(), (404, String::from("Event not found")));
        world.clock.advance(Duration::from_secs(6 * 60 * 60));
        assert_eq!(world.get(&path, "").await.error(), (404, GONE.to_owned()));
    });
}
