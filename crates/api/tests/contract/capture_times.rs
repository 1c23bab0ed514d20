//! When and by whom a photo was taken, in what guests and photographers save of it.

use domain::Timestamp;
use domain::photos::captures::Capture;
use serde_json::{Value, json};

use crate::exports;
use crate::harness::{RED, World, on_both_engines, photo};
use crate::metadata::fixtures::{MODEL, Order, SECRET, camera_jpeg};
use crate::watermarks;

/// By the clock of the event's camera, on the 14th of November, half past six in the evening.
fn taken() -> Timestamp {
    Timestamp::from_utc(2026, [11, 14, 18, 30, 0]).unwrap()
}

/// An event in Kolkata with a photo that tells when it was taken, and another that does not.
struct Shoot {
    token: String,
    event: Value,
    zip: String,
    matches: Vec<Value>,
}

impl Shoot {
    async fn new(world: &World) -> Self {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        let path = format!("/api/events/{}", event["id"].as_str().unwrap());
        let zone = world.patch(&path, &token, json!({"time_zone": "Asia/Kolkata"})).await;
        assert_eq!(zone.status, 200);
        let timed = camera_jpeg(&photo(&[RED], 0), Order { is_little_endian: true });
        assert_eq!(world.upload(&token, &event, "timed.jpg", &timed).await.status, 201);
        assert_eq!(world.upload(&token, &event, "plain.jpg", &photo(&[RED], 5)).await.status, 201);
        world.drain().await;
        let found = world.search(&event, &photo(&[RED], 9)).await.json();
        let zip = format!("/api/face/download/{}.zip", found["download_token"].as_str().unwrap());
        let matches = found["matches"].as_array().unwrap().clone();
        Self { token, event, zip, matches }
    }

    /// The place among the matches of the photo that tells when it was taken.
    fn timed(&self) -> usize {
        self.matches.iter().position(|found| found["filename"] == "timed.jpg").unwrap()
    }

    async fn change(&self, world: &World, change: Value) {
        let path = format!("/api/events/{}", self.event["id"].as_str().unwrap());
        assert_eq!(world.patch(&path, &self.token, change).await.status, 200);
    }

    /// What is saved as the web size, of the photo that tells when it was taken and of the other.
    async fn web(&self, world: &World, token: &str) -> [Vec<u8>; 2] {
        let timed = self.timed();
        let mut files = Vec::new();
        for place in [timed, 1 - timed] {
            let key = self.matches[place]["s3_key"].as_str().unwrap();
            let links = world.get(&format!("/api/photos/download-by-s3?key={key}"), token).await.json();
            let file = world.get(links["web_url"].as_str().unwrap(), "").await;
            assert_eq!(links["web_size_bytes"], file.bytes.len());
            files.push(file.bytes.to_vec());
        }
        files.try_into().unwrap()
    }
}

/// What the entries of a ZIP say: the name, the date and the hour of its clock, and the moment in seconds.
fn times(zip: &[u8]) -> Vec<(String, String, i64)> {
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(zip)).unwrap();
    (0..archive.len())
        .map(|number| {
            let file = archive.by_index(number).unwrap();
            let clock = file.last_modified().unwrap();
            let moment = file.extra_data_fields().find_map(|field| match field {
                zip::ExtraField::ExtendedTimestamp(field) => field.mod_time(),
                _ => None,
            });
            let clock =
                format!("{:02}-{:02} {:02}:{:02}", clock.month(), clock.day(), clock.hour(), clock.minute());
            (file.name().unwrap().into_owned(), clock, i64::from(moment.unwrap()))
        })
        .collect()
}

#[test]
fn files_in_zips_have_the_time_of_their_capture_where_the_event_is() {
    on_both_engines(async |world: World| {
        let shoot = Shoot::new(&world).await;
        // Uploaded at 9:00 in UTC.
        let uploaded = world.clock.now();
        assert_eq!(uploaded.to_rfc3339(), "2026-11-20T09:00:00.000Z");
        let captured = taken().as_seconds() - 19_800;
        let expected = [("11-14 18:30", captured), ("11-20 14:30", uploaded.as_seconds())];
        let zip = world.get(&shoot.zip, "").await;
        let found = times(&zip.bytes);
        for (place, (clock, moment)) in [shoot.timed(), 1 - shoot.timed()].into_iter().zip(expected) {
            assert_eq!((found[place].1.as_str(), found[place].2), (clock, moment));
        }
        // The web size, and what photographers take along.
        shoot.change(&world, json!({"downloads": "web"})).await;
        assert_eq!(times(&world.get(&shoot.zip, "").await.bytes), found);
        let path = exports::export(&world, &shoot.token).await;
        let export = times(&world.get(&path, "").await.bytes);
        assert_eq!((export[0].0.as_str(), export[0].1.as_str()), ("data.json", "11-20 09:00"));
        for (name, (clock, moment)) in ["timed.jpg", "plain.jpg"].into_iter().zip(expected) {
            let entry = export.iter().find(|entry| entry.0.ends_with(name)).unwrap();
            assert_eq!((entry.1.as_str(), entry.2), (clock, moment), "{name}");
        }
        // Another zone is another ZIP.
        let before = world.get(&shoot.zip, "").await.header("etag").to_owned();
        shoot.change(&world, json!({"time_zone": "Europe/Berlin"})).await;
        let zip = world.get(&shoot.zip, "").await;
        assert_ne!(zip.header("etag"), before);
        let entry = &times(&zip.bytes)[shoot.timed()];
        assert_eq!((entry.1.as_str(), entry.2), ("11-14 18:30", taken().as_seconds() - 3_600));
    });
}

fn assert_dated(file: &[u8], at: Option<Timestamp>) {
    let by = at.map(|_| ("kept author", "Sundar Studios")).unzip();
    assert_eq!(media::captures::read(file), Capture { at, ..Capture::default() }.with_rights(by.0, by.1));
    let has = |text: &str| file.windows(text.len()).any(|window| window == text.as_bytes());
    assert!(!has(SECRET) && !has(MODEL));
    // One segment with EXIF, and nothing else of applications but what says that it is a JPEG.
    let segments = file.windows(6).filter(|window| *window == b"Exif\0\0").count();
    assert_eq!(segments, usize::from(at.is_some()));
    assert!(!has("http://ns.adobe.com") && !has("Photoshop"));
}

#[test]
fn the_web_size_tells_when_and_by_whom_it_was_taken_and_nothing_else() {
    // [UPL215] [UPL081] [UPL246]
    on_both_engines(async |world: World| {
        let shoot = Shoot::new(&world).await;
        for token in ["", &shoot.token] {
            let [timed, plain] = shoot.web(&world, token).await;
            assert_dated(&timed, Some(taken()));
            assert_dated(&plain, None);
        }
        let [clean, _] = shoot.web(&world, "").await;
        // What is looked at has no EXIF, and neither has the preview that is stored.
        let shown = world.get(shoot.matches[shoot.timed()]["url"].as_str().unwrap(), "").await;
        assert_dated(&shown.bytes, None);
        let told = media::captures::read(&clean);
        assert!(media::captures::tagged(shown.bytes.to_vec(), &told) == clean);
        // With a watermark, alone and in the ZIP.
        watermarks::open_studio(&world, &shoot.token).await;
        assert_eq!(watermarks::save(&world, &shoot.token, "Meera", "center", "true").await.status, 200);
        let [timed, plain] = shoot.web(&world, "").await;
        assert!(timed != clean);
        assert_dated(&timed, Some(taken()));
        assert_dated(&plain, None);
        shoot.change(&world, json!({"downloads": "web"})).await;
        let zip = crate::downloads::files(&world.get(&shoot.zip, "").await.bytes);
        assert!(zip[shoot.timed()].1 == timed && zip[1 - shoot.timed()].1 == plain);
    });
}
