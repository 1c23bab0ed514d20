//! /api/face/download

use std::time::Duration;

use axum::body::Body;
use axum::http::Request;
use http_body_util::BodyExt as _;
use serde_json::{Value, json};

use crate::harness::{Answer, BLUE, Field, GREEN, RED, World, on_both_engines, photo};

pub(crate) const GONE: &str = "This download is no longer available. Please search again.";

pub(crate) struct Party {
    pub(crate) token: String,
    pub(crate) event: Value,
    /// Bytes of the red one's photos, in the order of the matches.
    pub(crate) originals: Vec<Vec<u8>>,
    pub(crate) matches: Vec<Value>,
    pub(crate) zip: String,
}

fn png(colour: [u8; 3]) -> Vec<u8> {
    let picture = image::RgbImage::from_pixel(200, 100, image::Rgb(colour));
    let mut bytes = std::io::Cursor::new(Vec::new());
    picture.write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    bytes.into_inner()
}

/// An event with two JPEG files and a PNG of the red one, and one of somebody else.
pub(crate) async fn party(world: &World) -> Party {
    let token = world.photographer("meera@example.com").await;
    let event = world.event(&token, "Party").await;
    let files = [
        ("one.jpg", photo(&[RED], 0)),
        ("two.jpg", photo(&[RED], 5)),
        ("three.png", png(RED)),
        ("other.jpg", photo(&[GREEN], 0)),
    ];
    for (name, bytes) in &files {
        assert_eq!(world.upload(&token, &event, name, bytes).await.status, 201);
    }
    world.drain().await;
    let found = world.search(&event, &photo(&[RED], 9)).await.json();
    let matches = found["matches"].as_array().unwrap().clone();
    let original = |found: &Value| {
        let name = found["filename"].as_str().unwrap();
        files.iter().find(|(file, _)| *file == name).unwrap().1.clone()
    };
    let originals = matches.iter().map(original).collect();
    let zip = format!("/api/face/download/{}.zip", found["download_token"].as_str().unwrap());
    Party { token, event, originals, matches, zip }
}

/// Names and bytes of a ZIP's files; `bytes` are the whole of it.
pub(crate) fn files(bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(bytes)).unwrap();
    (0..archive.len())
        .map(|number| {
            let mut file = archive.by_index(number).unwrap();
            let mut content = Vec::new();
            std::io::copy(&mut file, &mut content).unwrap();
            (file.name().unwrap().into_owned(), content)
        })
        .collect()
}

async fn ask(world: &World, path: &str, headers: &[(&str, &str)]) -> Answer {
    let request =
        headers.iter().fold(Request::get(path), |request, (name, value)| request.header(*name, *value));
    world.send(request.body(Body::empty()).unwrap()).await
}

#[test]
fn all_matches_are_in_one_zip() {
    // [DOWN030] [DOWN033] [DOWN034] [DOWN035]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        // A browser accepts encodings; a ZIP is sent without any.
        let answer = ask(&world, &party.zip, &[("accept-encoding", "gzip, br")]).await;
        assert_eq!(answer.status, 200);
        assert_eq!(answer.header("content-type"), "application/zip");
        assert_eq!(answer.header("content-encoding"), "");
        assert_eq!(answer.header("content-length"), answer.bytes.len().to_string());
        assert_eq!(answer.header("accept-ranges"), "bytes");
        assert_eq!(answer.header("cache-control"), "private, no-cache");
        let slug = party.event["slug"].as_str().unwrap();
        assert_eq!(answer.header("content-disposition"), format!("attachment; filename=\"{slug}.zip\""));
        let files = files(&answer.bytes);
        assert_eq!(files.len(), 3);
        for (place, (name, bytes)) in files.iter().enumerate() {
            let ending = if party.matches[place]["filename"] == "three.png" { "png" } else { "jpg" };
            assert_eq!(*name, format!("photo-{}.{ending}", place + 1));
            assert!(*bytes == party.originals[place], "{name} is not the original");
        }
        let head = Request::head(&party.zip).body(Body::empty()).unwrap();
        let head = world.send(head).await;
        assert_eq!((head.status.as_u16(), head.bytes.len()), (200, 0));
        assert_eq!(head.header("content-length"), answer.header("content-length"));

        // No link without matches, and none for a library.
        assert_eq!(
            world.search(&party.event, &photo(&[BLUE], 9)).await.json()["download_token"],
            Value::Null
        );
        let selfie = photo(&[RED], 9);
        let library = [Field::file("image", "selfie.jpg", &selfie)];
        let library = world.form("/api/face/search", &party.token, &library).await.json();
        assert_eq!(
            (library["matches"].as_array().unwrap().len(), &library["download_token"]),
            (3, &Value::Null)
        );
    });
}

#[test]
fn an_interrupted_download_is_resumed() {
    // [DOWN034] [DOWN037]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let whole = ask(&world, &party.zip, &[]).await;
        let etag = whole.header("etag").to_owned();
        let total = whole.bytes.len();
        for from in [1, 29, 40, 500, party.originals[0].len() + 60, total - 100, total - 1] {
            let range = format!("bytes={from}-");
            let rest = ask(&world, &party.zip, &[("range", &range), ("if-range", &etag)]).await;
            assert_eq!(rest.status, 206);
            assert_eq!(rest.header("content-range"), format!("bytes {from}-{}/{total}", total - 1));
            assert_eq!(rest.header("content-length"), (total - from).to_string());
            assert!(rest.bytes == whole.bytes[from..], "from {from}");
        }
        let middle = ask(&world, &party.zip, &[("range", "bytes=100-199")]).await;
        assert_eq!(middle.bytes, whole.bytes[100..200]);
        let beyond = ask(&world, &party.zip, &[("range", "bytes=99999999-")]).await;
        assert_eq!(beyond.error().0, 416);
        assert_eq!(beyond.header("content-range"), format!("bytes */{total}"));
        assert_eq!(ask(&world, &party.zip, &[("if-none-match", &etag)]).await.status, 304);

        // The same photos give the same bytes, with another token too.
        let found = world.search(&party.event, &photo(&[RED], 9)).await.json();
        let again = format!("/api/face/download/{}.zip", found["download_token"].as_str().unwrap());
        assert_ne!(again, party.zip);
        let again = ask(&world, &again, &[("range", "bytes=0-9"), ("if-range", &etag)]).await;
        assert_eq!(again.status, 206);

        // A photo that was deleted meanwhile changes the bytes: the response is the whole new ZIP.
        let gone = party.matches[0]["photo_id"].as_str().unwrap();
        assert_eq!(world.delete(&format!("/api/photos/{gone}"), &party.token).await.status, 200);
        let changed = ask(&world, &party.zip, &[("range", "bytes=500-"), ("if-range", &etag)]).await;
        assert_eq!(changed.status, 200);
        assert_ne!(changed.header("etag"), etag);
        let names: Vec<String> = files(&changed.bytes).into_iter().map(|(name, _)| name).collect();
        assert!(
            names.len() == 2 && names[0].starts_with("photo-2."),
            "the others keep their names: {names:?}"
        );
    });
}

#[test]
fn an_unknown_changed_or_expired_token_is_a_404() {
    // [DOWN036]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let changed = party.zip.replace(".zip", "A.zip");
        for path in [changed.as_str(), party.zip.strip_suffix(".zip").unwrap(), "/api/face/download/.zip"] {
            assert_eq!(world.get(path, "").await.error(), (404, String::from(GONE)), "{path}");
        }
        world.clock.advance(Duration::from_secs(6 * 60 * 60 - 1));
        assert_eq!(world.get(&party.zip, "").await.status, 200);
        world.clock.advance(Duration::from_secs(1));
        assert_eq!(world.get(&party.zip, "").await.error(), (404, String::from(GONE)));
    });
}

#[test]
fn a_zip_is_not_found_after_its_photos_or_event_are_deleted() {
    // [DOWN039]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        for found in &party.matches {
            let id = found["photo_id"].as_str().unwrap();
            assert_eq!(world.delete(&format!("/api/photos/{id}"), &party.token).await.status, 200);
        }
        assert_eq!(world.get(&party.zip, "").await.error(), (404, String::from(GONE)));
        let found = world.search(&party.event, &photo(&[GREEN], 9)).await.json();
        let zip = format!("/api/face/download/{}.zip", found["download_token"].as_str().unwrap());
        assert_eq!(world.get(&zip, "").await.status, 200);
        let path = format!("/api/events/{}", party.event["id"].as_str().unwrap());
        assert_eq!(world.delete(&path, &party.token).await.status, 202);
        assert_eq!(world.get(&zip, "").await.error(), (404, String::from(GONE)));
    });
}

#[test]
fn a_file_that_fails_aborts_the_zip() {
    // [DOWN038]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let last = world.stored(&party.matches[2]["photo_id"]).await.key;
        world.parts.store.delete(&last).await.unwrap();
        let request = Request::get(&party.zip).body(Body::empty()).unwrap();
        let answer = world.begin(request).await;
        assert_eq!(answer.status(), 200);
        let promised: usize = answer.headers()["content-length"].to_str().unwrap().parse().unwrap();
        let (mut body, mut received, mut failed) = (answer.into_body(), 0, false);
        while let Some(frame) = body.frame().await {
            match frame {
                Ok(frame) => received += frame.into_data().unwrap().len(),
                Err(_) => failed = true,
            }
        }
        assert!(failed, "the body ended as if it were whole");
        assert!(received > party.originals[0].len() && received < promised, "{received} of {promised}");
    });
}

#[test]
fn a_missing_checksum_is_computed_on_demand() {
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let before = ask(&world, &party.zip, &[]).await;
        let id = party.matches[1]["photo_id"].as_str().unwrap().parse().unwrap();
        let kept = async || storage::photos::by_id(&world.parts.db, id).await.unwrap().unwrap().crc32;
        let right = kept().await.unwrap();
        world.clear_checksums().await;
        let event = party.event["id"].as_str().unwrap();
        let kept_whole = json!({"keeps_metadata": true});
        let setting = format!("/api/events/{event}");
        assert_eq!(world.patch(&setting, &party.token, kept_whole).await.status, 200);
        assert_eq!(kept().await, None);
        let after = ask(&world, &party.zip, &[]).await;
        assert!(after.bytes == before.bytes);
        assert_eq!(kept().await, Some(right));
    });
}
