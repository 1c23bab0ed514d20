//! What guests get of originals, and what links and names give away.

#[path = "../../../media/tests/fixtures/metadata.rs"]
pub(crate) mod fixtures;

use std::time::Duration;

use axum::body::Body;
use axum::http::Request;
use domain::DAY;
use domain::photos::redactions::Redaction;
use domain::photos::{MediaKey, Size};
use futures::TryStreamExt as _;
use media::stores::Source;
use serde_json::{Value, json};

use crate::downloads::files;
use crate::harness::{Answer, Field, GREEN, RED, World, on_both_engines, photo};
use fixtures::{Order, SECRET, camera_jpeg};

/// An event with one photo that has positions, places, names, keywords and serial numbers in it.
struct Shoot {
    token: String,
    event: Value,
    original: Vec<u8>,
    found: Value,
}

async fn shoot(world: &World) -> Shoot {
    let token = world.photographer("meera@example.com").await;
    let event = world.event(&token, "Party").await;
    let original = camera_jpeg(&photo(&[RED], 0), Order { is_little_endian: true });
    assert_eq!(world.upload(&token, &event, "a.jpg", &original).await.status, 201);
    world.drain().await;
    let found = world.search(&event, &photo(&[RED], 9)).await.json();
    Shoot { token, event, original, found }
}

impl Shoot {
    fn key(&self) -> &str {
        self.found["matches"][0]["s3_key"].as_str().unwrap()
    }

    fn zip_token(&self) -> &str {
        self.found["download_token"].as_str().unwrap()
    }

    fn zip(&self) -> String {
        format!("/api/face/download/{}.zip", self.zip_token())
    }

    async fn download(&self, world: &World, token: &str) -> Answer {
        let path = format!("/api/photos/download-by-s3?key={}", self.key());
        let links = world.get(&path, token).await.json();
        assert_eq!(links["size_bytes"], self.original.len());
        world.get(links["download_url"].as_str().unwrap(), "").await
    }

    async fn keep_metadata(&self, world: &World, kept: bool) -> Value {
        let path = format!("/api/events/{}", self.event["id"].as_str().unwrap());
        let answer = world.patch(&path, &self.token, json!({"keeps_metadata": kept})).await;
        assert_eq!(answer.status, 200);
        answer.json()
    }
}

fn has(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}

fn assert_redacted(bytes: &[u8], original: &[u8]) {
    assert!(has(original, SECRET) && !has(bytes, SECRET));
    assert_eq!(bytes.len(), original.len());
    let pixels = |bytes| image::load_from_memory(bytes).unwrap();
    assert!(pixels(bytes) == pixels(original));
}

async fn range(world: &World, path: &str, from: usize, to: usize) -> Answer {
    let path = path.strip_prefix(crate::harness::PUBLIC_URL).unwrap_or(path);
    let request = Request::get(path).header("range", format!("bytes={from}-{}", to - 1));
    world.send(request.body(Body::empty()).unwrap()).await
}

#[test]
fn guests_get_originals_without_positions_and_serial_numbers_and_photographers_their_own_bytes() {
    // [GAL128] [GAL167] [GAL129] [DOWN024] [GAL401]
    on_both_engines(async |world: World| {
        let shoot = shoot(&world).await;
        let single = shoot.download(&world, "").await;
        assert_redacted(&single.bytes, &shoot.original);
        let whole = world.get(&shoot.zip(), "").await;
        assert_eq!(whole.header("content-length"), whole.bytes.len().to_string());
        // Reading it checks the CRC-32.
        assert!(files(&whole.bytes)[0].1 == single.bytes);

        // Ranges, across what is overwritten and beside it.
        let path = format!("/api/photos/download-by-s3?key={}", shoot.key());
        let link = world.get(&path, "").await.json()["download_url"].as_str().unwrap().to_owned();
        for (path, bytes) in [(link.as_str(), &single.bytes), (&shoot.zip(), &whole.bytes)] {
            for (from, to) in [(0, 1), (3, 200), (17, 18), (100, 1_500), (1_000, bytes.len())] {
                let part = range(&world, path, from, to).await;
                assert_eq!(part.status, 206);
                assert!(part.bytes == bytes[from..to], "{from}-{to}");
            }
        }

        // Its photographer, by the same calls; another one is a guest.
        assert!(shoot.download(&world, &shoot.token).await.bytes == shoot.original);
        let own = format!(
            "/api/photos/{}/file?size=original",
            shoot.found["matches"][0]["photo_id"].as_str().unwrap()
        );
        assert!(world.get(&own, &shoot.token).await.bytes == shoot.original);
        let search = format!("/api/face/search/{}", shoot.event["slug"].as_str().unwrap());
        let selfie = photo(&[RED], 9);
        let ravi = world.photographer("ravi@example.com").await;
        for (token, is_owner) in [(&shoot.token, true), (&ravi, false)] {
            let found = world.form(&search, token, &[Field::file("image", "a.jpg", &selfie)]).await.json();
            let chosen = world
                .post(
                    "/api/face/download",
                    "",
                    json!({"tokens": [found["download_token"]], "photo_ids": [found["matches"][0]["photo_id"]]}),
                )
                .await
                .json();
            for download in [&found["download_token"], &chosen["download_token"]] {
                let zip = format!("/api/face/download/{}.zip", download.as_str().unwrap());
                let zip = world.get(&zip, "").await;
                assert_eq!(files(&zip.bytes)[0].1 == shoot.original, is_owner);
            }
        }

        // Renditions are made of the picture alone.
        for field in ["url", "medium_url", "thumbnail_url"] {
            let rendition = world.get(shoot.found["matches"][0][field].as_str().unwrap(), "").await;
            assert_eq!(rendition.status, 200);
            for mark in [SECRET, "Exif", "adobe", "Photoshop"] {
                assert!(!has(&rendition.bytes, mark), "{field}");
            }
        }
    });
}

#[test]
fn an_event_can_keep_originals_byte_for_byte_for_guests() {
    // [GAL130] [GAL168]
    on_both_engines(async |world: World| {
        let shoot = shoot(&world).await;
        assert_eq!(shoot.event["keeps_metadata"], false);
        let zipped = async || files(&world.get(&shoot.zip(), "").await.bytes)[0].1.clone();
        assert_eq!(shoot.keep_metadata(&world, true).await["keeps_metadata"], true);
        assert!(shoot.download(&world, "").await.bytes == shoot.original);
        assert!(zipped().await == shoot.original);
        // A link that was made before follows the setting too.
        let path = format!("/api/photos/download-by-s3?key={}", shoot.key());
        assert_eq!(shoot.keep_metadata(&world, false).await["keeps_metadata"], false);
        let link = world.get(&path, "").await.json()["download_url"].as_str().unwrap().to_owned();
        assert_redacted(&world.get(&link, "").await.bytes, &shoot.original);
        assert_redacted(&zipped().await, &shoot.original);
        shoot.keep_metadata(&world, true).await;
        assert!(world.get(&link, "").await.bytes == shoot.original);

        let ravi = world.photographer("ravi@example.com").await;
        let path = format!("/api/events/{}", shoot.event["id"].as_str().unwrap());
        let refused = world.patch(&path, &ravi, json!({"keeps_metadata": true})).await;
        assert_eq!(refused.error(), (404, String::from("Event not found")));
        assert_eq!(world.patch(&path, "", json!({"keeps_metadata": true})).await.status, 401);
    });
}

#[test]
fn a_zip_whose_original_is_redacted_otherwise_meanwhile_breaks_off() {
    // [UPL276]
    on_both_engines(async |world: World| {
        let shoot = shoot(&world).await;
        let archive = app::guests::archives::archive(&world.app, shoot.zip_token()).await.unwrap();
        let send =
            async || archive.read(0..archive.size()).try_for_each(|_| std::future::ready(Ok(()))).await;
        send().await.unwrap();
        let change = async |statement| storage::testing::change(&world.parts.db, statement).await;
        change("UPDATE redactions SET crc32 = 4294967295 - crc32").await;
        let failure = send().await.unwrap_err().to_string();
        assert!(failure.ends_with("became another file while a ZIP with it was sent"), "{failure}");

        // One that is moved to the trash loses it, and keeps its file.
        let stored = world.stored(&shoot.found["matches"][0]["photo_id"]).await;
        let collection = storage::photos::Collection::Event(stored.event.unwrap());
        let mut tx = world.parts.db.begin().await.unwrap();
        storage::photos::trash::put(&mut tx, collection, &[stored.id], world.clock.now()).await.unwrap();
        tx.commit().await.unwrap();
        send().await.unwrap();
    });
}

#[test]
fn photos_of_the_version_before_are_served_and_redacted() {
    // [GAL131] [GAL181]
    on_both_engines(async |world: World| {
        let shoot = shoot(&world).await;
        let stored = world.stored(&shoot.found["matches"][0]["photo_id"]).await;
        let legacy = MediaKey::from_trusted(String::from("originals/abcdefghjkmnpqrstuvwxyz234567890.jpg"));
        for size in Size::ALL {
            let bytes = world.parts.store.read(&stored.key.sized(size), None).await.unwrap().unwrap();
            let bytes = bytes.whole().await.unwrap();
            world.parts.store.put(&legacy.sized(size), Source::Bytes(bytes)).await.unwrap();
            world.parts.store.delete(&stored.key.sized(size)).await.unwrap();
        }
        for statement in [
            "DELETE FROM redactions",
            "UPDATE photos SET media_key = 'originals/abcdefghjkmnpqrstuvwxyz234567890.jpg'",
        ] {
            storage::testing::change(&world.parts.db, statement).await;
        }
        // On the first download, by itself or in the ZIP, and in the background.
        let count = async || {
            storage::photos::redactions::checksums(&world.parts.db, &[stored.id]).await.unwrap().len()
        };
        assert_redacted(&shoot.download(&world, "").await.bytes, &shoot.original);
        assert_eq!(count().await, 1);
        storage::testing::change(&world.parts.db, "DELETE FROM redactions").await;
        assert_redacted(&files(&world.get(&shoot.zip(), "").await.bytes)[0].1, &shoot.original);
        storage::testing::change(&world.parts.db, "DELETE FROM redactions").await;
        world.clock.advance(DAY * 2);
        app::operations::maintenance::all(&world.app).await.unwrap();
        assert_eq!(count().await, 1);

        // Its files still belong to it, and its links are like all others.
        let found = world.search(&shoot.event, &photo(&[RED], 9)).await.json();
        for field in ["url", "medium_url", "thumbnail_url"] {
            let link = found["matches"][0][field].as_str().unwrap();
            assert_eq!(world.get(link, "").await.status, 200);
            assert!(!link.contains("abcdefgh"), "{link}");
        }
        assert!(shoot.download(&world, &shoot.token).await.bytes == shoot.original);
        assert_eq!(world.stored_files().await.len(), 4);
    });
}

#[test]
fn photos_that_were_read_by_older_rules_are_read_again_before_guests_get_them() {
    // [GAL401]
    on_both_engines(async |world: World| {
        let shoot = shoot(&world).await;
        // The rules of the version before knew nothing of what is in this file.
        let key = world.stored(&shoot.found["matches"][0]["photo_id"]).await.key;
        let read_by_older_rules = async || {
            let nothing = Redaction { patches: Vec::new(), crc32: 0 };
            storage::photos::redactions::put(&world.parts.db, &key, &nothing).await.unwrap();
            storage::testing::change(&world.parts.db, "UPDATE redactions SET rules = rules - 1").await;
        };
        read_by_older_rules().await;
        assert_redacted(&files(&world.get(&shoot.zip(), "").await.bytes)[0].1, &shoot.original);
        read_by_older_rules().await;
        let path = format!("/api/photos/download-by-s3?key={}", shoot.key());
        let link = world.get(&path, "").await.json()["download_url"].as_str().unwrap().to_owned();
        read_by_older_rules().await;
        assert_redacted(&world.get(&link, "").await.bytes, &shoot.original);
    });
}

#[test]
fn whoever_finds_an_expired_link_or_a_file_cannot_renew_it() {
    // [GAL132] [GAL169] [GAL170] [GAL126] [GAL166] [GAL033]
    on_both_engines(async |world: World| {
        let shoot = shoot(&world).await;
        world.upload(&shoot.token, &shoot.event, "b.jpg", &photo(&[GREEN], 3)).await;
        world.drain().await;
        let key = shoot.key();
        let links = world.get(&format!("/api/photos/download-by-s3?key={key}"), "").await.json();
        let listed = world.get("/api/photos/search", &shoot.token).await.json();
        let mut texts = world.stored_files().await;
        for body in [&shoot.found["matches"][0], &links, &listed["photos"][1]] {
            let fields = body.as_object().unwrap().iter();
            let fields = fields.filter(|(name, _)| *name != "s3_key");
            texts.extend(fields.filter_map(|(_, value)| value.as_str().map(str::to_owned)));
        }
        assert!(texts.iter().filter(|text| text.starts_with("http")).count() >= 8, "{texts:?}");
        // The handle stands in none of them, nor does the name under which a file is stored stand in a link.
        let (secret, _) = key.split_once('/').unwrap();
        let signature = secret.split_once('.').unwrap().1;
        assert!(texts.iter().all(|text| !text.contains(signature)));
        let stored = world.stored(&shoot.found["matches"][0]["photo_id"]).await;
        for size in Size::ALL {
            let file = stored.key.sized(size);
            let name = file.filename().split_once('-').unwrap().0.to_owned();
            let named = texts.iter().filter(|text| text.contains(&name)).count();
            assert_eq!(named, 1, "{name} is the name of one file alone: {texts:?}");
        }
        // Whatever of them is presented as a key gives nothing, in time and later.
        let mut keys = texts.clone();
        for text in &texts {
            let parts = text.split(['?', '&', '=', '/']).map(str::to_owned);
            keys.extend(parts.flat_map(|part| [format!("originals/{part}"), format!("{part}/{part}"), part]));
        }
        for passed in [Duration::ZERO, Duration::from_secs(6 * 60 * 60)] {
            world.clock.advance(passed);
            for key in &keys {
                let encoded: String = key.bytes().map(|byte| format!("%{byte:02X}")).collect();
                let answer = world.get(&format!("/api/photos/download-by-s3?key={encoded}"), "").await;
                assert_eq!(answer.error(), (404, String::from("Photo not found")), "{key}");
            }
        }
        // The handle itself gives fresh links for a week at least, and then no more.
        let ask = async || world.get(&format!("/api/photos/download-by-s3?key={key}"), "").await.status;
        world.clock.advance(DAY * 7 - Duration::from_secs(6 * 60 * 60));
        assert_eq!(ask().await, 200);
        world.clock.advance(DAY);
        assert_eq!(ask().await, 404);
    });
}
