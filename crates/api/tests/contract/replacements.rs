//! Photos that are replaced by an edited version of the same name.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use domain::DAY;
use serde_json::{Value, json};

use crate::downloads::{Party, party};
use crate::harness::{Answer, BLUE, Field, GREEN, RED, World, on_both_engines, photo};
use crate::resumable_uploads::{append, begin};

async fn replace(world: &World, token: &str, event: &Value, name: &str, bytes: &[u8]) -> Answer {
    let id = event["id"].as_str().unwrap_or_default();
    let fields =
        [Field::text("replace", "true"), Field::file("photos", name, bytes), Field::text("event_id", id)];
    world.form("/api/photos/upload", token, &fields).await
}

async fn credits(world: &World, token: &str) -> Value {
    world.get("/api/subscription/credits", token).await.json()["credits"].clone()
}

async fn listed(world: &World, token: &str) -> Vec<Value> {
    world.get("/api/photos/search", token).await.json()["photos"].as_array().unwrap().clone()
}

fn became(answer: &Answer) -> (u16, Value, Value) {
    let body = answer.json();
    (answer.status.as_u16(), body["replaced"].clone(), body["duplicate"].clone())
}

/// Whom a search in the event finds.
async fn finds(world: &World, event: &Value, color: [u8; 3]) -> usize {
    let found = world.search(event, &photo(&[color], 9)).await;
    assert_eq!(found.status, 200);
    found.json()["matches"].as_array().unwrap().len()
}

#[test]
fn an_edited_version_keeps_the_place_of_the_photo_and_is_indexed_again() {
    // [UPL182]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        for (name, color) in [("a.jpg", RED), ("b.jpg", BLUE)] {
            assert_eq!(became(&world.upload(&token, &event, name, &photo(&[color], 0)).await).0, 201);
            // Lists go by the moment, and those of one moment by chance.
            world.clock.advance(Duration::from_millis(1));
        }
        world.drain().await;
        let id = event["id"].as_str().unwrap();
        let albums = format!("/api/events/{id}/albums");
        let album = world.post(&albums, &token, json!({"name": "Ceremony"})).await.json()["id"].clone();
        let before = listed(&world, &token).await.pop().unwrap();
        let chosen = json!({"event_id": id, "album_id": album, "photo_ids": [before["id"]]});
        assert_eq!(world.post("/api/photos/album", &token, chosen).await.status, 200);
        let own = format!("/api/events/{id}");
        let cover = world.patch(&own, &token, json!({"cover_photo_id": before["id"]})).await.json();
        let cover_of = |event: &Value| event["cover_url"].as_str().unwrap().to_owned();
        let files = world.stored_files().await;
        assert_eq!((files.len(), finds(&world, &event, RED).await), (8, 1));

        // At the last moment at which it costs nothing.
        world.clock.advance(DAY * 30 - Duration::from_millis(2));
        let token = world.log_in("meera@example.com").await.json()["token"].as_str().unwrap().to_owned();
        let edited = photo(&[GREEN], 1);
        let answer = replace(&world, &token, &event, "a.jpg", &edited).await;
        assert_eq!(became(&answer), (200, json!(true), json!(false)));
        let replaced = answer.json();
        for (field, value) in [
            ("id", before["id"].clone()),
            ("created_at", before["created_at"].clone()),
            ("filename", json!("a.jpg")),
            ("albums", json!([album])),
            ("status", json!("processing")),
            ("thumbnail_url", Value::Null),
            ("size_bytes", json!(edited.len())),
        ] {
            assert_eq!(replaced[field], value, "{field}");
        }
        assert_eq!(credits(&world, &token).await, 98.0, "it costs nothing");
        assert_eq!(finds(&world, &event, RED).await, 0, "the version before is not found any more");
        assert_eq!(world.drain().await, 1);
        assert_eq!((finds(&world, &event, RED).await, finds(&world, &event, GREEN).await), (0, 1));

        let now = listed(&world, &token).await;
        assert_eq!(now.len(), 2);
        let after = now.last().unwrap();
        assert_eq!((&after["id"], &after["status"]), (&before["id"], &json!("ready")), "in its place");
        let path = format!("/api/photos/{}/file?size=original", before["id"].as_str().unwrap());
        assert!(world.get(&path, &token).await.bytes == edited);
        // Of the version before no file is left.
        let left = world.stored_files().await;
        assert_eq!((left.len(), left.iter().filter(|file| files.contains(file)).count()), (8, 4));
        // Browsers keep what they have under a link, also what an event is shown with.
        let shown = world.get(&format!("/api/events/{}", event["slug"].as_str().unwrap()), "").await.json();
        let new_cover = cover_of(&shown);
        assert_ne!(cover_of(&cover).split('?').next(), new_cover.split('?').next());
        assert!(
            world.get(&new_cover, "").await.bytes
                == world.get(after["medium_url"].as_str().unwrap(), "").await.bytes
        );
        for link in ["url", "medium_url", "thumbnail_url"] {
            let (old, new) = (before[link].as_str().unwrap(), after[link].as_str().unwrap());
            assert_ne!(old.split('?').next(), new.split('?').next(), "{link}");
            let (shown, etag) = {
                let answer = world.get(new, "").await;
                (answer.bytes.clone(), answer.header("etag").to_owned())
            };
            assert!(etag.ends_with("-1\""), "{etag}");
            assert!(!shown.is_empty());
        }
    });
}

#[test]
fn whoever_is_in_an_edited_version_where_somebody_not_to_be_found_was_is_found() {
    // [FACE553]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        for (name, color, salt) in [("a.jpg", GREEN, 0), ("b.jpg", GREEN, 1), ("c.jpg", RED, 0)] {
            assert_eq!(became(&world.upload(&token, &event, name, &photo(&[color], salt)).await).0, 201);
        }
        world.drain().await;
        assert_eq!(crate::objections::asks(&world, &event, RED, "stop_finding").await, json!(1));
        // The person is known by the face alone in each version of the photo.
        for (salt, color, others) in [(2, GREEN, 3), (3, RED, 2), (4, GREEN, 3)] {
            let answer = replace(&world, &token, &event, "c.jpg", &photo(&[color], salt)).await;
            assert_eq!(became(&answer), (200, json!(true), json!(false)));
            world.drain().await;
            assert_eq!((finds(&world, &event, GREEN).await, finds(&world, &event, RED).await), (others, 0));
        }
    });
}

#[test]
fn a_link_from_before_shows_the_photo_as_it_is_now() {
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        world.upload(&token, &event, "a.jpg", &photo(&[RED], 0)).await;
        world.drain().await;
        let another = world.second_process(&world.parts.db).await;
        let link = listed(&world, &token).await[0]["thumbnail_url"].as_str().unwrap().to_owned();
        let old = world.get(&link, "").await;
        assert!(old.status == 200 && another.get(&link, "").await.bytes == old.bytes);
        replace(&world, &token, &event, "a.jpg", &photo(&[GREEN], 0)).await;
        world.drain().await;
        let now = world.get(&link, "").await;
        assert!(now.status == 200 && now.bytes != old.bytes && now.header("etag") != old.header("etag"));
        // Another process finds out when it asks the database again.
        world.clock.advance(Duration::from_secs(10));
        assert!(another.get(&link, "").await.bytes == now.bytes);
    });
}

#[test]
fn after_30_days_a_replacement_is_charged_as_an_upload_and_refused_without_credit() {
    // [UPL205] [PAY001]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        let original = photo(&[RED], 0);
        world.upload(&token, &event, "a.jpg", &original).await;
        world.clock.advance(DAY * 30 + Duration::from_millis(1));
        let token = world.log_in("meera@example.com").await.json()["token"].as_str().unwrap().to_owned();
        for (salt, left) in [(1, 98.0), (2, 97.0)] {
            let answer = replace(&world, &token, &event, "a.jpg", &photo(&[RED], salt)).await;
            assert_eq!(became(&answer), (200, json!(true), json!(false)));
            assert_eq!(credits(&world, &token).await, left);
        }
        // The same call again costs nothing.
        let again = replace(&world, &token, &event, "a.jpg", &photo(&[RED], 2)).await;
        assert_eq!(became(&again), (200, json!(false), json!(true)));
        assert_eq!(credits(&world, &token).await, 97.0);

        let email = "meera@example.com";
        app::operations::operators::grant(&world.operator(), email, -97.0, Some("a test")).await.unwrap();
        let files = world.stored_files().await;
        let refused = replace(&world, &token, &event, "a.jpg", &photo(&[RED], 3)).await;
        let text = "Insufficient credits. Please add credits to continue uploading.";
        assert_eq!(refused.error(), (402, String::from(text)));
        assert_eq!(world.stored_files().await, files, "the version before stays");
        assert_eq!(listed(&world, &token).await.len(), 1);
        assert!(storage::operations::integrity::unbalanced(&world.parts.db).await.unwrap().is_empty());
        assert!(storage::operations::integrity::uncharged_photos(&world.parts.db).await.unwrap().is_empty());
    });
}

#[test]
fn a_name_decides_what_is_replaced() {
    // [UPL185] [UPL207]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let (event, other) = (world.event(&token, "Party").await, world.event(&token, "Other").await);
        world.upload(&token, &event, "a.jpg", &photo(&[RED], 0)).await;

        // A name that no photo there has is a new photo's.
        for (event, name, salt) in [(&event, "b.jpg", 1), (&other, "a.jpg", 1), (&Value::Null, "a.jpg", 1)] {
            let answer = replace(&world, &token, event, name, &photo(&[RED], salt)).await;
            assert_eq!(became(&answer), (201, json!(false), json!(false)), "{name}");
        }
        let library = replace(&world, &token, &Value::Null, "a.jpg", &photo(&[RED], 2)).await;
        assert_eq!(became(&library), (200, json!(true), json!(false)));

        // Two have the name: nothing is guessed.
        world.upload(&token, &event, "a.jpg", &photo(&[RED], 3)).await;
        let balance = credits(&world, &token).await;
        let refused = replace(&world, &token, &event, "a.jpg", &photo(&[RED], 4)).await;
        let text = "Several photos here have this name. Rename the file, or delete all of them but one.";
        assert_eq!(refused.error(), (409, String::from(text)));
        assert_eq!(credits(&world, &token).await, balance);

        // Bytes that another photo has are that photo's.
        let there = replace(&world, &token, &event, "b.jpg", &photo(&[RED], 3)).await;
        assert_eq!(became(&there), (200, json!(false), json!(true)));
        // Without the field an upload replaces nothing.
        let new = world.upload(&token, &event, "b.jpg", &photo(&[RED], 5)).await;
        assert_eq!(became(&new), (201, json!(false), json!(false)));
    });
}

#[test]
fn what_is_refused_as_an_upload_replaces_nothing() {
    // [UPL183]
    on_both_engines(async |world: World| {
        let (token, other) =
            (world.photographer("meera@example.com").await, world.photographer("arjun@example.com").await);
        let event = world.event(&token, "Party").await;
        let original = photo(&[RED], 0);
        let uploaded = world.upload(&token, &event, "a.jpg", &original).await.json();
        let edited = photo(&[GREEN], 0);
        for (bytes, status) in [(&b"no picture"[..], 400), (&edited[..edited.len() / 2], 400), (&[], 400)] {
            assert_eq!(replace(&world, &token, &event, "a.jpg", bytes).await.status, status);
        }
        assert_eq!(replace(&world, &other, &event, "a.jpg", &edited).await.status, 404);
        let path = format!("/api/events/{}", event["id"].as_str().unwrap());
        assert_eq!(world.patch(&path, &token, json!({"uploads_closed": true})).await.status, 200);
        assert_eq!(replace(&world, &token, &event, "a.jpg", &edited).await.status, 409);
        let path = format!("/api/photos/{}/file?size=original", uploaded["id"].as_str().unwrap());
        assert!(world.get(&path, &token).await.bytes == original);
    });
}

#[test]
fn guests_get_the_edited_version_by_what_they_have() {
    on_both_engines(async |world: World| {
        let party: Party = party(&world).await;
        let name = {
            let photos = listed(&world, &party.token).await;
            let found = photos.iter().find(|photo| photo["id"] == party.matches[0]["photo_id"]).unwrap();
            found["filename"].as_str().unwrap().to_owned()
        };
        let edited = photo(&[RED], 30);
        let answer = replace(&world, &party.token, &party.event, &name, &edited).await;
        assert_eq!(became(&answer), (200, json!(true), json!(false)), "{name}");
        world.drain().await;
        let key = party.matches[0]["s3_key"].as_str().unwrap();
        let links = world.get(&format!("/api/photos/download-by-s3?key={key}"), "").await.json();
        let saved = world.get(links["download_url"].as_str().unwrap(), "").await;
        assert!(saved.status == 200 && saved.bytes == edited);
        let zip = crate::downloads::files(&world.get(&party.zip, "").await.bytes);
        assert!(zip.iter().any(|(_, bytes)| *bytes == edited), "the ZIP has it too");
    });
}

#[test]
fn what_is_neither_yes_nor_no_makes_no_other_photo() {
    // [UPL236]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        world.upload(&token, &event, "a.jpg", &photo(&[RED], 0)).await;
        let edited = photo(&[GREEN], 0);
        let upload = async |replace: &str| {
            let fields = [
                Field::text("event_id", event["id"].as_str().unwrap()),
                Field::file("photos", "a.jpg", &edited),
                Field::text("replace", replace),
            ];
            world.form("/api/photos/upload", &token, &fields).await
        };
        let refused = (400, String::from("The field replace must be true or false."));
        for neither in ["1", "yes", "True", "on", ""] {
            assert_eq!(upload(neither).await.error(), refused, "{neither}");
            let metadata = format!("replace {}", STANDARD.encode(neither));
            let begun = begin(&world, &token, edited.len(), &metadata).await;
            assert_eq!(begun.error(), refused, "{neither}");
        }
        assert_eq!((listed(&world, &token).await.len(), credits(&world, &token).await), (1, json!(99.0)));
        assert_eq!(became(&upload("true").await), (200, json!(true), json!(false)));

        let path = format!("/api/face/search/{}", event["slug"].as_str().unwrap());
        for name in ["preview", "found_before"] {
            let fields = [Field::file("image", "me.jpg", &edited), Field::text(name, "yes")];
            let refused = (400, format!("The field {name} must be true or false."));
            assert_eq!(world.form(&path, "", &fields).await.error(), refused);
        }
    });
}

#[test]
fn a_file_has_the_same_name_whichever_way_it_comes() {
    // [UPL235]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        let (small, large) = (photo(&[RED], 0), photo(&[RED], 1));
        let answer = world.upload(&token, &event, "5%22 x%0D%0Ay.jpg", &small).await;
        assert_eq!(answer.json()["filename"], "5\" xy.jpg");
        let metadata = format!(
            "filename {},event_id {},replace {}",
            STANDARD.encode("5\" x\r\ny.jpg"),
            STANDARD.encode(event["id"].as_str().unwrap()),
            STANDARD.encode("true")
        );
        let begun = begin(&world, &token, large.len(), &metadata).await;
        let last = append(&world, begun.header("location"), &token, 0, &large).await;
        assert_eq!((last.status.as_u16(), last.header("photo-replaced")), (204, "true"));
    });
}

#[test]
fn a_name_that_another_system_writes_otherwise_is_replaced_and_not_charged_twice() {
    // [UPL237]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        world.upload(&token, &event, "M\u{fc}ller.jpg", &photo(&[RED], 0)).await;
        for (salt, name) in [(1, "Mu\u{308}ller.jpg"), (2, "M\u{dc}LLER.JPG"), (3, "M\u{fc}ller.jpg")] {
            let answer = replace(&world, &token, &event, name, &photo(&[RED], salt)).await;
            assert_eq!(became(&answer), (200, json!(true), json!(false)), "{name}");
        }
        assert_eq!((listed(&world, &token).await.len(), credits(&world, &token).await), (1, json!(99.0)));

        // Where two are alike, the one of this very name is meant, and with another spelling neither.
        world.upload(&token, &event, "MU\u{308}LLER.jpg", &photo(&[GREEN], 0)).await;
        let answer = replace(&world, &token, &event, "MU\u{308}LLER.jpg", &photo(&[GREEN], 1)).await;
        assert_eq!(became(&answer), (200, json!(true), json!(false)));
        let answer = replace(&world, &token, &event, "m\u{fc}ller.jpg", &photo(&[GREEN], 2)).await;
        assert_eq!(answer.status, 409);
    });
}
