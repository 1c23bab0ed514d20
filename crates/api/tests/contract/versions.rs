//! Edited versions: by which names they are known, and what becomes of the files that they have replaced.

use std::time::Duration;

use domain::DAY;
use domain::photos::hash_text;
use serde_json::{Value, json};

use crate::harness::{Answer, BLUE, Field, GREEN, RED, World, on_both_engines, photo};
use crate::resumable_uploads::{append, begun};

async fn upload(world: &World, token: &str, event: &Value, name: &str, bytes: &[u8], replace: bool) -> Value {
    let replace = replace.to_string();
    let fields = [
        Field::text("replace", &replace),
        Field::file("photos", name, bytes),
        Field::text("event_id", event["id"].as_str().unwrap_or_default()),
    ];
    world.form("/api/photos/upload", token, &fields).await.json()
}

async fn ask(world: &World, token: &str, event: &Value, names: &[&str]) -> Answer {
    let question = json!({"event_id": event["id"], "names": names});
    world.post("/api/photos/versions", token, question).await
}

/// The names that were asked for, and those of the photos that they would replace.
async fn versions(world: &World, token: &str, event: &Value, names: &[&str]) -> Vec<(String, String)> {
    let answer = ask(world, token, event, names).await;
    assert_eq!(answer.status, 200);
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let body = answer.json();
    let versions = body["versions"].as_array().unwrap();
    versions.iter().map(|version| (text(&version["name"]), text(&version["filename"]))).collect()
}

async fn credits(world: &World, token: &str) -> Value {
    world.get("/api/subscription/credits", token).await.json()["credits"].clone()
}

async fn count(world: &World, token: &str) -> Value {
    world.get("/api/photos/count", token).await.json()["total_count"].clone()
}

#[test]
fn a_version_may_have_another_ending_and_none_is_guessed() {
    // [UPL242]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        let first = upload(&world, &token, &event, "IMG_1.HEIC", &photo(&[RED], 0), false).await;
        for (salt, name) in [(1, "IMG_1.jpg"), (2, "img_1.JPEG"), (3, "IMG_1.CR3"), (4, "IMG_1.heic")] {
            let replaced = upload(&world, &token, &event, name, &photo(&[RED], salt), true).await;
            assert_eq!((&replaced["replaced"], &replaced["id"]), (&json!(true), &first["id"]), "{name}");
            assert_eq!(replaced["filename"], "IMG_1.HEIC", "it keeps its name");
        }
        assert_eq!((count(&world, &token).await, credits(&world, &token).await), (json!(1), json!(99.0)));

        // Two differ in their endings: each is known by its own, and neither by a third.
        let second = upload(&world, &token, &event, "IMG_1.jpg", &photo(&[GREEN], 0), false).await;
        for (salt, name, meant) in [(5, "img_1.heic", &first), (6, "IMG_1.JPG", &second)] {
            let replaced = upload(&world, &token, &event, name, &photo(&[BLUE], salt), true).await;
            assert_eq!((&replaced["replaced"], &replaced["id"]), (&json!(true), &meant["id"]), "{name}");
        }
        let other = upload(&world, &token, &event, "IMG_1.png", &photo(&[BLUE], 7), true).await;
        assert_eq!((&other["replaced"], &other["duplicate"]), (&json!(false), &json!(false)));
        // What is no ending of a picture tells two photos apart.
        for (salt, name) in [(8, "scan.001"), (9, "scan.002")] {
            let new = upload(&world, &token, &event, name, &photo(&[BLUE], salt), true).await;
            assert_eq!(new["replaced"], false, "{name}");
        }
        assert_eq!((count(&world, &token).await, credits(&world, &token).await), (json!(5), json!(95.0)));
    });
}

#[test]
fn the_photos_that_files_would_replace_are_told_by_their_names() {
    // [UPL243]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let (event, other) = (world.event(&token, "Party").await, world.event(&token, "Other").await);
        let mut ids = Vec::new();
        for (salt, name) in
            [(0, "IMG_1.HEIC"), (1, "IMG_2.jpg"), (2, "IMG_2.png"), (3, "a.jpg"), (4, "a.jpg")]
        {
            ids.push(upload(&world, &token, &event, name, &photo(&[RED], salt), false).await["id"].clone());
        }
        let names = ["x.jpg", "img_1.jpg", "IMG_2.JPG", "IMG_2.webp", "a.jpg", "a.png", "sub/IMG_1.cr3", ""];
        let pair = |name: &str, there: &str| (name.to_owned(), there.to_owned());
        assert_eq!(
            versions(&world, &token, &event, &names).await,
            [
                pair("img_1.jpg", "IMG_1.HEIC"),
                pair("IMG_2.JPG", "IMG_2.jpg"),
                pair("sub/IMG_1.cr3", "IMG_1.HEIC")
            ]
        );
        assert_eq!(versions(&world, &token, &other, &names).await, []);
        assert_eq!(versions(&world, &token, &Value::Null, &names).await, [], "the library");
        assert_eq!(versions(&world, &token, &event, &[]).await, []);

        // For 30 days that costs nothing.
        let told = async |token: &str| {
            ask(&world, token, &event, &["IMG_1.jpg"]).await.json()["versions"][0].clone()
        };
        let version =
            json!({"name": "IMG_1.jpg", "photo_id": ids[0], "filename": "IMG_1.HEIC", "free": true});
        assert_eq!(told(&token).await, version);
        world.clock.advance(DAY * 30 + Duration::from_secs(1));
        let token = world.log_in("meera@example.com").await.json()["token"].as_str().unwrap().to_owned();
        assert_eq!(told(&token).await["free"], false);
    });
}

#[test]
fn a_question_for_names_is_answered_to_whoever_may_upload_and_is_bounded() {
    // [UPL243] [SAFE017]
    on_both_engines(async |world: World| {
        let (token, other) =
            (world.photographer("meera@example.com").await, world.photographer("arjun@example.com").await);
        let event = world.event(&token, "Party").await;
        upload(&world, &token, &event, "a.jpg", &photo(&[RED], 0), false).await;
        let not_found = (404, String::from("Event not found"));
        assert_eq!(ask(&world, &other, &event, &["a.jpg"]).await.error(), not_found);
        assert_eq!(versions(&world, &other, &Value::Null, &["a.jpg"]).await, []);
        assert_eq!(ask(&world, "", &event, &["a.jpg"]).await.status, 401);

        let long = format!("{}.jpg", "फ".repeat(251));
        let names = vec![long.as_str(); 1_000];
        assert_eq!(ask(&world, &token, &event, &names).await.status, 200);
        let names = vec!["a.jpg"; 1_001];
        let refused = (400, String::from("Please ask for at most 1,000 names at once"));
        assert_eq!(ask(&world, &token, &event, &names).await.error(), refused);

        let path = format!("/api/events/{}", event["id"].as_str().unwrap());
        assert_eq!(world.delete(&path, &token).await.status, 202);
        let refused = (409, String::from("This event is being deleted"));
        assert_eq!(ask(&world, &token, &event, &["a.jpg"]).await.error(), refused);
    });
}

#[test]
fn the_file_that_was_replaced_is_there_already_and_costs_nothing() {
    // [UPL244] [PAY001]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let (event, other) = (world.event(&token, "Party").await, world.event(&token, "Other").await);
        let (before, edited) = (photo(&[RED], 0), photo(&[GREEN], 0));
        let first = upload(&world, &token, &event, "a.jpg", &before, false).await;
        let hash = hash_text(&world.stored(&first["id"]).await.content_hash);
        upload(&world, &token, &event, "a.jpg", &edited, true).await;
        let files = world.stored_files().await;
        let known = async |replace: bool| {
            let question = json!({"event_id": event["id"], "hashes": [hash], "replace": replace});
            let known = world.post("/api/photos/known", &token, question).await.json();
            (known["known"].clone(), known["photo_ids"].clone())
        };
        assert_eq!(known(false).await, (json!([hash]), json!([first["id"]])), "it need not travel");
        assert_eq!(known(true).await, (json!([]), json!([])));

        // In one piece, under whatever name, and in pieces.
        for (name, replace) in [("a.jpg", false), ("b.jpg", false), ("b.jpg", true)] {
            let again = upload(&world, &token, &event, name, &before, replace).await;
            assert_eq!((&again["duplicate"], &again["id"]), (&json!(true), &first["id"]), "{name}");
        }
        let begun = begun(&world, &token, &event, &before).await;
        let last = append(&world, &begun, &token, 0, &before).await;
        assert_eq!((last.status.as_u16(), last.header("photo-duplicate")), (204, "true"));
        assert_eq!(last.header("photo-id"), first["id"].as_str().unwrap());
        assert_eq!((count(&world, &token).await, credits(&world, &token).await), (json!(1), json!(99.0)));
        let path = format!("/api/photos/{}/file?size=original", first["id"].as_str().unwrap());
        assert!(world.get(&path, &token).await.bytes == edited, "the edited version stays");
        assert_eq!(world.stored_files().await, files);

        // Elsewhere it is a photo of its own, and whoever asks for it goes back to it.
        assert_eq!(upload(&world, &token, &other, "a.jpg", &before, false).await["duplicate"], false);
        let back = upload(&world, &token, &event, "a.jpg", &before, true).await;
        assert_eq!((&back["replaced"], &back["id"]), (&json!(true), &first["id"]));
        assert!(world.get(&path, &token).await.bytes == before);
        let again = upload(&world, &token, &event, "a.jpg", &edited, false).await;
        assert_eq!((&again["duplicate"], &again["id"]), (&json!(true), &first["id"]));
    });
}

#[test]
fn the_file_that_was_replaced_is_taken_in_where_the_photo_is_gone_or_damaged() {
    // [UPL244] [SAFE043]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        let (before, edited) = (photo(&[RED], 0), photo(&[GREEN], 0));
        let first = upload(&world, &token, &event, "a.jpg", &before, false).await;
        let hash = hash_text(&world.stored(&first["id"]).await.content_hash);
        upload(&world, &token, &event, "a.jpg", &edited, true).await;
        let edited_key = world.stored(&first["id"]).await.key;
        world.parts.store.delete(&edited_key).await.unwrap();
        let question = json!({"event_id": event["id"], "hashes": [hash]});
        assert_eq!(world.post("/api/photos/known", &token, question).await.json()["known"], json!([]));
        let new = upload(&world, &token, &event, "b.jpg", &before, false).await;
        assert_eq!((&new["duplicate"], new["id"] == first["id"]), (&json!(false), false));

        // With the photo what was replaced is forgotten.
        let other = world.event(&token, "Other").await;
        let second = upload(&world, &token, &other, "a.jpg", &before, false).await;
        upload(&world, &token, &other, "a.jpg", &edited, true).await;
        let path = format!("/api/photos/{}", second["id"].as_str().unwrap());
        assert_eq!(world.delete(&path, &token).await.status, 200);
        let new = upload(&world, &token, &other, "a.jpg", &before, false).await;
        assert_eq!((&new["duplicate"], new["id"] == second["id"]), (&json!(false), false));
    });
}
