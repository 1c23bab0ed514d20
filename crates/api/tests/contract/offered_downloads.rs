//! What the guests of an event can save, by its photographer's choice.

use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};
use storage::testing::change;

use crate::downloads::{Party, files, party};
use crate::harness::{Answer, Field, RED, World, on_both_engines, photo};

const WEB_ONLY: &str = "The photographer of this event offers photos in web size only.";
const NONE: &str = "The photographer of this event does not offer downloads.";

async fn offer(world: &World, party: &Party, downloads: &str) -> Answer {
    let path = format!("/api/events/{}", party.event["id"].as_str().unwrap());
    world.patch(&path, &party.token, json!({"downloads": downloads})).await
}

async fn offered(world: &World, party: &Party, downloads: &str) {
    let answer = offer(world, party, downloads).await;
    assert_eq!((answer.status.as_u16(), &answer.json()["downloads"]), (200, &json!(downloads)));
}

/// What `download-by-s3` answers for the match at this place.
async fn links(world: &World, party: &Party, place: usize, token: &str) -> Answer {
    let key = party.matches[place]["s3_key"].as_str().unwrap();
    world.get(&format!("/api/photos/download-by-s3?key={key}"), token).await
}

async fn fetch(world: &World, links: &Value, link: &str) -> Answer {
    world.get(links[link].as_str().unwrap(), "").await
}

/// The previews as a guest sees them.
async fn previews(world: &World, party: &Party) -> Vec<Vec<u8>> {
    let mut previews = Vec::new();
    for found in &party.matches {
        previews.push(world.get(found["url"].as_str().unwrap(), "").await.bytes.to_vec());
    }
    previews
}

/// The owner's own link and ZIP of a photo have its original.
async fn assert_the_owner_has_originals(world: &World, party: &Party) {
    let own = links(world, party, 0, &party.token).await.json();
    assert_eq!(own["size_bytes"], party.originals[0].len());
    assert!(fetch(world, &own, "download_url").await.bytes == party.originals[0]);
    assert_eq!(fetch(world, &own, "web_url").await.status, 200);
    let path = format!("/api/face/search/{}", party.event["slug"].as_str().unwrap());
    let selfie = photo(&[RED], 9);
    let fields = [Field::file("image", "me.jpg", &selfie), Field::notice()];
    let found = world.form(&path, &party.token, &fields).await.json();
    let zip = format!("/api/face/download/{}.zip", found["download_token"].as_str().unwrap());
    let zip = files(&world.get(&zip, "").await.bytes);
    assert!(zip.iter().map(|(_, bytes)| bytes).eq(&party.originals));
    let chosen = choose(world, &found["download_token"], &party.matches[1]).await;
    assert_eq!(chosen.status, 201);
}

async fn choose(world: &World, token: &Value, found: &Value) -> Answer {
    let body = json!({"tokens": [token], "photo_ids": [found["photo_id"]]});
    world.post("/api/face/download", "", body).await
}

fn token(party: &Party) -> Value {
    let file = party.zip.strip_prefix("/api/face/download/").unwrap();
    json!(file.strip_suffix(".zip").unwrap())
}

#[test]
fn a_photographer_chooses_what_guests_can_save() {
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        assert_eq!(party.event["downloads"], "original");
        for downloads in ["web", "none", "original", "web"] {
            offered(&world, &party, downloads).await;
        }
        let answer = offer(&world, &party, "all").await;
        assert_eq!(answer.error(), (400, String::from("Downloads must be original, web or none")));
        let path = format!("/api/events/{}", party.event["slug"].as_str().unwrap());
        assert_eq!(world.get(&path, "").await.json()["downloads"], "web");
        let other = json!({"name": "Ball"});
        let path = format!("/api/events/{}", party.event["id"].as_str().unwrap());
        assert_eq!(world.patch(&path, &party.token, other).await.json()["downloads"], "web");
    });
}

#[test]
fn guests_get_the_web_size_alone() {
    // [EVT111] [EVT135] [EVT113]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        // Links that were made before follow the choice too, whatever is overwritten in originals.
        let path = format!("/api/events/{}", party.event["id"].as_str().unwrap());
        let mut before = vec![links(&world, &party, 0, "").await.json()];
        assert_eq!(world.patch(&path, &party.token, json!({"keeps_metadata": true})).await.status, 200);
        before.push(links(&world, &party, 0, "").await.json());
        let original_zip = world.get(&party.zip, "").await;
        for links in &before {
            assert!(fetch(&world, links, "download_url").await.bytes == party.originals[0]);
        }
        offered(&world, &party, "web").await;
        let previews = previews(&world, &party).await;
        for links in &before {
            assert_eq!(fetch(&world, links, "download_url").await.error(), (403, String::from(WEB_ONLY)));
            assert!(fetch(&world, links, "web_url").await.bytes == previews[0]);
        }
        for (place, preview) in previews.iter().enumerate() {
            let links = links(&world, &party, place, "").await.json();
            assert_eq!(links["download_url"], links["web_url"]);
            assert_eq!(
                (&links["size_bytes"], &links["web_size_bytes"]),
                (&json!(preview.len()), &json!(preview.len()))
            );
            let saved = fetch(&world, &links, "download_url").await;
            assert!(saved.bytes == *preview);
            assert!(saved.header("content-disposition").ends_with("-web.jpg\""));
        }

        // The ZIP, whose length and ranges are known before a byte is read.
        let whole = world.get(&party.zip, "").await;
        assert_eq!(whole.header("content-length"), whole.bytes.len().to_string());
        assert_ne!(whole.header("etag"), original_zip.header("etag"));
        let zipped = files(&whole.bytes);
        let expected = previews
            .iter()
            .enumerate()
            .map(|(place, bytes)| (format!("photo-{}.jpg", place + 1), bytes.clone()));
        assert!(zipped == expected.collect::<Vec<_>>());
        for from in [1, 40, previews[0].len() + 60, whole.bytes.len() - 1] {
            let request = Request::get(&party.zip)
                .header("range", format!("bytes={from}-"))
                .header("if-range", whole.header("etag"));
            let rest = world.send(request.body(Body::empty()).unwrap()).await;
            assert_eq!(rest.status, 206);
            assert!(rest.bytes == whole.bytes[from..], "from {from}");
        }
        let chosen = choose(&world, &token(&party), &party.matches[2]).await.json();
        let chosen = format!("/api/face/download/{}.zip", chosen["download_token"].as_str().unwrap());
        let chosen = files(&world.get(&chosen, "").await.bytes);
        assert!(chosen == [(String::from("photo-1.jpg"), previews[2].clone())]);
        assert_the_owner_has_originals(&world, &party).await;
    });
}

#[test]
fn files_keep_their_names_where_the_photographer_wishes_it() {
    // [DOWN100]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let path = format!("/api/events/{}", party.event["id"].as_str().unwrap());
        let renamed = "UPDATE photos SET original_filename = 'Meera: DSC_1.JPG'";
        storage::testing::change(&world.parts.db, renamed).await;
        let names = async || {
            let zip = files(&world.get(&party.zip, "").await.bytes);
            zip.into_iter().map(|(name, _)| name).collect::<Vec<_>>()
        };
        let saved_as = async |link: &str| {
            let links = links(&world, &party, 0, "").await.json();
            fetch(&world, &links, link).await.header("content-disposition").to_owned()
        };
        assert_eq!(names().await[0], "photo-1.jpg");
        let keeps = world.patch(&path, &party.token, json!({"keeps_names": true})).await;
        assert_eq!(keeps.json()["keeps_names"], true);
        let own = names().await;
        assert_eq!(own[..2], ["Meera_ DSC_1.JPG", "Meera_ DSC_1 (2).JPG"], "safe and unique");
        assert!(saved_as("download_url").await.contains("filename=\"Meera_ DSC_1.JPG\""));
        assert!(saved_as("web_url").await.contains("filename=\"Meera_ DSC_1.jpg\""));
        offered(&world, &party, "web").await;
        assert_eq!(names().await[..2], ["Meera_ DSC_1.jpg", "Meera_ DSC_1 (2).jpg"]);
        assert_eq!(world.patch(&path, &party.token, json!({"keeps_names": false})).await.status, 200);
        assert_eq!(names().await[0], "photo-1.jpg");
        assert!(saved_as("web_url").await.ends_with("-web.jpg\""));
    });
}

#[test]
fn the_zip_of_the_web_size_reads_previews_that_are_not_described() {
    // [EVT111]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        offered(&world, &party, "web").await;
        let before = world.get(&party.zip, "").await;
        let described = async || {
            let photo = world.stored(&party.matches[1]["photo_id"]).await;
            (photo.preview_bytes, photo.preview_crc32)
        };
        let right = described().await;
        assert!(right.0.is_some() && right.1.is_some());
        change(&world.parts.db, "UPDATE photos SET preview_crc32 = NULL").await;
        assert!(world.get(&party.zip, "").await.bytes == before.bytes);
        assert_eq!(described().await, right);
        // As they were before their size was stored.
        change(&world.parts.db, "UPDATE photos SET preview_bytes = NULL, preview_crc32 = NULL").await;
        assert!(world.get(&party.zip, "").await.bytes == before.bytes);
        assert_eq!(described().await, right);
        // One that has no preview is left out; the others keep their names.
        let id = party.matches[0]["photo_id"].as_str().unwrap();
        change(&world.parts.db, &format!("UPDATE photos SET status = 'processing' WHERE id = '{id}'")).await;
        let names: Vec<_> =
            files(&world.get(&party.zip, "").await.bytes).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["photo-2.jpg", "photo-3.jpg"]);
        assert_eq!(links(&world, &party, 0, "").await.error().0, 404);
    });
}

#[test]
fn guests_look_at_photos_and_save_none() {
    // [EVT112] [EVT136] [EVT113]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let before = links(&world, &party, 0, "").await.json();
        offered(&world, &party, "none").await;
        let refused = (403, String::from(NONE));
        assert_eq!(links(&world, &party, 0, "").await.error(), refused);
        assert_eq!(world.get(&party.zip, "").await.error(), refused);
        assert_eq!(choose(&world, &token(&party), &party.matches[0]).await.error(), refused);
        for link in ["download_url", "web_url"] {
            assert_eq!(fetch(&world, &before, link).await.error(), refused);
        }
        // What was found is seen, here and in another browser.
        let reopened = world.post("/api/face/results", "", json!({"token": token(&party)})).await;
        assert_eq!(reopened.json()["matches"].as_array().unwrap().len(), 3);
        for field in ["url", "medium_url", "thumbnail_url"] {
            assert_eq!(world.get(party.matches[0][field].as_str().unwrap(), "").await.status, 200);
        }
        assert_the_owner_has_originals(&world, &party).await;

        offered(&world, &party, "original").await;
        for link in ["download_url", "web_url"] {
            assert_eq!(fetch(&world, &before, link).await.status, 200);
        }
        assert_eq!(files(&world.get(&party.zip, "").await.bytes).len(), 3);
    });
}

#[test]
fn a_hidden_photo_is_not_saved_by_a_link_from_before() {
    // [EVT111] [EVT135]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let before = links(&world, &party, 0, "").await.json();
        change(&world.parts.db, "UPDATE photos SET hidden = TRUE").await;
        for link in ["download_url", "web_url"] {
            assert_eq!(fetch(&world, &before, link).await.error().0, 404);
        }
    });
}

#[test]
fn what_is_saved_in_web_size_is_counted() {
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        offered(&world, &party, "web").await;
        let links = links(&world, &party, 0, "").await.json();
        assert_eq!(fetch(&world, &links, "download_url").await.status, 200);
        assert_eq!(world.get(&party.zip, "").await.status, 200);
        let path = format!("/api/events/{}/statistics", party.event["id"].as_str().unwrap());
        assert_eq!(world.get(&path, &party.token).await.json()["totals"]["downloads"], 4);
    });
}
