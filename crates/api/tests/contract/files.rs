//! Bytes: /api/files, /api/photos/{id}/file, /api/photos/download-by-s3

use std::time::Duration;

use axum::body::Body;
use axum::http::Request;
use serde_json::Value;

use crate::harness::{Field, RED, World, bucket, on_both_engines, photo};

/// An event with one indexed photo, and that photo as a list gives it.
async fn one_photo(world: &World, bytes: &[u8]) -> (String, Value, Value) {
    let token = world.photographer("meera@example.com").await;
    let event = world.event(&token, "Party").await;
    world.upload(&token, &event, "a.jpg", bytes).await;
    world.drain().await;
    let photo = world.get("/api/photos/search", &token).await.json()["photos"][0].clone();
    (token, event, photo)
}

#[test]
fn signed_links_are_valid_for_six_hours() {
    // [GAL028] [GAL029] [GAL031] [GAL034] [GAL035] [GAL036] [GAL037] [API056]
    on_both_engines(async |world: World| {
        let bytes = photo(&[RED], 0);
        let (_, _, photo) = one_photo(&world, &bytes).await;
        let url = photo["thumbnail_url"].as_str().unwrap().to_owned();
        let answer = world.get(&url, "").await;
        assert_eq!(answer.status, 200);
        assert_eq!(answer.header("content-type"), "image/jpeg");
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
        assert_eq!(answer.header("cache-control"), "private, max-age=21600, immutable");
        assert!(answer.header("etag").starts_with('"'));
        assert_eq!(&answer.bytes[..2], b"\xff\xd8");

        for changed in [
            url.replace("/thumbnail?", "/original?"),
            url.replace("expires=1", "expires=2"),
            format!("{url}A"),
            url.split("&signature").next().unwrap().to_owned(),
            url.split('?').next().unwrap().to_owned(),
            String::from(
                "http://localhost:8080/api/files/../../etc/passwd?expires=9999999999&signature=AAAA",
            ),
        ] {
            let answer = world.get(&changed, "").await;
            assert_eq!(answer.error().0, 404, "{changed}");
        }
        world.clock.advance(Duration::from_secs(6 * 60 * 60 - 1));
        assert_eq!(world.get(&url, "").await.status, 200);
        world.clock.advance(Duration::from_secs(1));
        assert_eq!(world.get(&url, "").await.error(), (404, String::from("File not found")));
    });
}

#[test]
fn ranges_and_validators_are_honoured() {
    // [GAL036] [GAL038]
    on_both_engines(async |world: World| {
        let bytes = photo(&[RED], 0);
        let (token, _, photo) = one_photo(&world, &bytes).await;
        let path = format!("/api/photos/{}/file?size=original", photo["id"].as_str().unwrap());
        let ask = async |name: &str, value: &str| {
            let request =
                Request::get(&path).header("authorization", format!("Bearer {token}")).header(name, value);
            world.send(request.body(Body::empty()).unwrap()).await
        };
        let part = ask("range", "bytes=2-9").await;
        assert_eq!(part.status, 206);
        assert_eq!(part.header("content-range"), format!("bytes 2-9/{}", bytes.len()));
        assert_eq!(part.bytes, bytes[2..10]);
        let beyond = ask("range", "bytes=99999999-").await;
        assert_eq!(beyond.error().0, 416);
        assert_eq!(beyond.header("content-range"), format!("bytes */{}", bytes.len()));
        let etag = part.header("etag").to_owned();
        let known = ask("if-none-match", &etag).await;
        assert_eq!((known.status.as_u16(), known.bytes.len()), (304, 0));
        assert_eq!(ask("if-none-match", "\"other\"").await.status, 200);
    });
}

#[test]
fn an_owner_can_fetch_each_size_of_a_photo() {
    // [GAL021] [GAL022] [GAL023] [GAL024] [GAL060] [GAL163] [UPL082] [SAFE029]
    on_both_engines(async |world: World| {
        let bytes = photo(&[RED; 13], 0);
        let (token, _, photo) = one_photo(&world, &bytes).await;
        let id = photo["id"].as_str().unwrap();
        let file = async |size: &str, token: &str| {
            world.get(&format!("/api/photos/{id}/file?size={size}"), token).await
        };
        assert_eq!(file("original", &token).await.bytes, bytes, "byte for byte");
        for (size, width) in [("preview", 2048), ("medium", 1024), ("thumbnail", 480)] {
            let answer = file(size, &token).await;
            assert_eq!(answer.header("content-type"), "image/jpeg");
            let picture = image::load_from_memory(&answer.bytes).unwrap();
            assert_eq!(picture.width(), width, "{size}");
        }
        for bad in ["", "huge"] {
            let text = String::from("Size must be original, preview, medium or thumbnail");
            assert_eq!(file(bad, &token).await.error(), (400, text));
        }
        assert_eq!(file("original", "").await.status, 401);
        let ravi = world.photographer("ravi@example.com").await;
        assert_eq!(file("original", &ravi).await.error(), (404, String::from("Photo not found")));
        assert_eq!(world.get("/api/photos/nonsense/file?size=original", &token).await.error().0, 404);
    });
}

#[test]
fn a_browser_saves_what_a_download_link_leads_to_and_shows_the_others() {
    // [DOWN070] [DOWN092] [DOWN071] [DOWN093] [DOWN072]
    on_both_engines(async |world: World| {
        let bytes = photo(&[RED; 13], 0);
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        let uploaded = world.upload(&token, &event, "a.jpg", &bytes).await.json();
        let stored = world.stored(&uploaded["id"]).await;
        let key = app::testing::handle(&world.app, &stored);
        let name = format!("{}.jpg", stored.id);
        assert!(key.ends_with(&format!("/{name}")), "{key}");
        let ask = async || world.get(&format!("/api/photos/download-by-s3?key={key}"), "").await.json();
        let unready = ask().await;
        assert_eq!(unready["size_bytes"], bytes.len());
        assert_eq!([&unready["web_url"], &unready["web_size_bytes"]], [&Value::Null; 2]);

        world.drain().await;
        let links = ask().await;
        let link = links["download_url"].as_str().unwrap();
        let answer = world.get(link, "").await;
        assert_eq!(answer.header("content-disposition"), format!("attachment; filename=\"{name}\""));
        assert_eq!(answer.header("content-type"), "image/jpeg");
        assert_eq!(answer.bytes, bytes);
        // The name is signed with the rest of the link: it can be neither changed nor left out nor added.
        let encoded = link.split("&filename=").nth(1).unwrap().split('&').next().unwrap();
        for changed in [
            link.replace(encoded, "evil%2Eexe"),
            link.replace(&format!("&filename={encoded}"), ""),
            link.replace(&format!("&filename={encoded}"), "&filename="),
        ] {
            assert_ne!(changed, link);
            assert_eq!(world.get(&changed, "").await.error().0, 404, "{changed}");
        }

        let web = world.get(links["web_url"].as_str().unwrap(), "").await;
        let stem = name.strip_suffix(".jpg").unwrap();
        assert_eq!(web.header("content-disposition"), format!("attachment; filename=\"{stem}-web.jpg\""));
        assert_eq!(web.header("content-type"), "image/jpeg");
        assert_eq!(links["web_size_bytes"], web.bytes.len());
        // It is found out for a photo that was indexed by a version that did not store it.
        storage::testing::change(&world.parts.db, "UPDATE photos SET preview_bytes = NULL").await;
        assert_eq!(ask().await, links);
        assert_eq!(image::load_from_memory(&web.bytes).unwrap().width(), 2048);

        let shown = world.get("/api/photos/search", &token).await.json()["photos"][0].clone();
        for field in ["url", "medium_url", "thumbnail_url"] {
            let link = shown[field].as_str().unwrap();
            assert_eq!(world.get(link, "").await.header("content-disposition"), "", "{field}");
            let named = format!("{link}&filename=a%2Ejpg");
            assert_eq!(world.get(&named, "").await.error().0, 404);
        }
    });
}

#[test]
fn a_key_of_an_active_event_gives_a_link_to_the_original() {
    // [API054] [API055] [DOWN021] [DOWN022] [DOWN024] [SAFE032]
    on_both_engines(async |world: World| {
        let bytes = photo(&[RED], 0);
        let (token, event, _) = one_photo(&world, &bytes).await;
        let found = world.search(&event, &photo(&[RED], 9)).await.json();
        let key = found["matches"][0]["s3_key"].as_str().unwrap().to_owned();
        let ask = async |key: &str, token: &str| {
            world.get(&format!("/api/photos/download-by-s3?key={key}"), token).await
        };
        let link = ask(&key, "").await.json()["download_url"].as_str().unwrap().to_owned();
        assert_eq!(world.get(&link, "").await.bytes, bytes);
        // A guest with an old token in the browser is still a guest.
        assert_eq!(ask(&key, "stale").await.status, 200);
        let (secret, filename) = key.split_once('/').unwrap();
        let another = format!("{secret}/{}", filename.replace('0', "1"));
        let later = format!("9{}/{filename}", &secret[1..]);
        for unknown in ["", "originals/none.jpg", "../afterglow.db", filename, secret, &another, &later] {
            assert_eq!(ask(unknown, "").await.error(), (404, String::from("Photo not found")), "{unknown}");
        }

        // A photo of a library is for its owner alone.
        world.form("/api/photos/upload", &token, &[Field::file("photos", "b.jpg", &photo(&[RED], 4))]).await;
        world.drain().await;
        let selfie = photo(&[RED], 9);
        let found =
            world.form("/api/face/search", &token, &[Field::file("image", "a.jpg", &selfie)]).await.json();
        let matches = found["matches"].as_array().unwrap();
        let key =
            matches.iter().find(|found| found["filename"] == "b.jpg").unwrap()["s3_key"].as_str().unwrap();
        assert_eq!(ask(key, "").await.status, 404);
        let another = world.photographer("another@example.com").await;
        assert_eq!(ask(key, &another).await.error(), (404, String::from("Photo not found")));
        assert_eq!(ask(key, &token).await.status, 200);
        let ravi = world.photographer("ravi@example.com").await;
        assert_eq!(ask(key, &ravi).await.error(), (404, String::from("Photo not found")));
    });
}

#[test]
fn links_of_one_half_hour_are_the_same_so_that_caches_work() {
    on_both_engines(async |world: World| {
        let (token, _, photo) = one_photo(&world, &photo(&[RED], 0)).await;
        let again = async || world.get("/api/photos/search", &token).await.json()["photos"][0]["url"].clone();
        world.clock.advance(Duration::from_secs(29 * 60));
        assert_eq!(again().await, photo["url"]);
        world.clock.advance(Duration::from_secs(60));
        assert_ne!(again().await, photo["url"]);
    });
}

#[test]
fn links_to_a_bucket_are_presigned() {
    // [GAL030] [DOWN070] [DOWN092] [DOWN071] [DOWN093]
    on_both_engines(async |world: World| {
        let (_, event, _) = one_photo(&world, &photo(&[RED], 0)).await;
        let found = world.search(&event, &photo(&[RED], 9)).await.json();
        let key = found["matches"][0]["s3_key"].as_str().unwrap().to_owned();
        let stored = world.stored(&found["matches"][0]["photo_id"]).await;
        let mut parts = world.parts.clone();
        parts.store = bucket();
        let elsewhere = app::App::new(parts).await.unwrap();
        let answer = world.get_from(elsewhere, &format!("/api/photos/download-by-s3?key={key}")).await.json();
        let link = answer["download_url"].as_str().unwrap();
        assert!(link.starts_with(&format!("https://objects.example/media/party/{}?", stored.key)), "{link}");
        assert!(link.contains("X-Amz-Signature=") && link.contains("X-Amz-Expires=21600"), "{link}");
        let name = stored.id.to_string();
        let saved_as =
            |name: &str| format!("response-content-disposition=attachment%3B%20filename%3D%22{name}.jpg%22");
        assert!(link.contains(&saved_as(&name)), "{link}");
        let web = answer["web_url"].as_str().unwrap();
        assert!(web.contains("/previews/") && web.contains(&saved_as(&format!("{name}-web"))), "{web}");
        assert!(!link.contains("/api/files/"));
    });
}

#[test]
fn the_keys_of_a_photo_name_nobody() {
    // [GAL032]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Sangeet").await;
        let uploaded = world.upload(&token, &event, "Arjun Kapoor.jpg", &photo(&[RED], 0)).await;
        assert_eq!(uploaded.status, 201);
        world.drain().await;
        let found = world.search(&event, &photo(&[RED], 9)).await.json();
        let mut keys = world.stored_files().await;
        keys.push(found["matches"][0]["s3_key"].as_str().unwrap().to_owned());
        assert_eq!(keys.len(), 5);
        for key in keys {
            let key = key.to_lowercase();
            for name in ["arjun", "kapoor", "meera", "example", "sangeet"] {
                assert!(!key.contains(name), "{key}");
            }
        }
    });
}
