//! The orders of a photographer's lists, and what is looked for in them.

use serde_json::Value;

use crate::harness::{RED, World, on_both_engines, photo};
use crate::metadata::fixtures::{DATE, Order, camera_jpeg};

/// A photo that was taken at this second of the event.
fn taken(second: u8) -> Vec<u8> {
    taken_of(&[RED], second)
}

/// The same of these people.
pub(crate) fn taken_of(people: &[[u8; 3]], second: u8) -> Vec<u8> {
    let mut bytes = camera_jpeg(&photo(people, second), Order { is_little_endian: true });
    let at = bytes.windows(DATE.len()).position(|window| window == DATE.as_bytes()).unwrap();
    bytes[at + DATE.len() - 2..at + DATE.len()].copy_from_slice(format!("{second:02}").as_bytes());
    bytes
}

fn names(page: &Value) -> Vec<String> {
    let photos = page["photos"].as_array().unwrap().iter();
    photos.map(|photo| photo["filename"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn an_events_photos_are_sorted_and_looked_for() {
    // [FACE528]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        let files = [
            ("Late-10.jpg", taken(20)),
            ("late-9.jpg", taken(30)),
            ("no time.jpg", photo(&[RED], 0)),
            ("early.jpg", taken(7)),
        ];
        for (name, bytes) in &files {
            assert_eq!(world.upload(&token, &event, name, bytes).await.status, 201);
            world.clock.advance(std::time::Duration::from_millis(1));
        }
        let id = event["id"].as_str().unwrap();
        let page = async |query: &str| {
            let answer = world.get(&format!("/api/photos/search?event_id={id}&{query}"), &token).await;
            assert_eq!(answer.status, 200, "{query}");
            answer.json()
        };
        let by_capture = ["early.jpg", "Late-10.jpg", "late-9.jpg", "no time.jpg"];
        let by_name = ["early.jpg", "late-9.jpg", "Late-10.jpg", "no time.jpg"];
        let by_upload = ["early.jpg", "no time.jpg", "late-9.jpg", "Late-10.jpg"];
        for (sort, expected) in [("captured", by_capture), ("name", by_name), ("uploaded", by_upload)] {
            let whole = page(&format!("sort={sort}")).await;
            assert_eq!(
                (names(&whole), whole["total_count"].as_i64()),
                (expected.map(String::from).to_vec(), Some(4))
            );
            let (mut seen, mut cursor) = (Vec::new(), String::new());
            loop {
                let part = page(&format!("sort={sort}&limit=1{cursor}")).await;
                seen.extend(names(&part));
                let Some(next) = part["next_cursor"].as_str() else { break };
                cursor = format!("&cursor={next}");
            }
            assert_eq!(seen, expected, "{sort}");
            // The id of any photo is a cursor too.
            let second = whole["photos"][1]["id"].as_str().unwrap();
            assert_eq!(names(&page(&format!("sort={sort}&cursor={second}")).await), expected[2..]);
        }
        let first = &page("sort=captured&limit=1").await["photos"][0];
        assert_eq!(first["captured_at"], "2026-11-14T18:30:07.000");
        assert_eq!(
            (&first["camera"], &first["lens"]),
            (&Value::from("Lumina X100"), &Value::from("Lumina 35mm"))
        );
        let last = &page("sort=captured").await["photos"][3];
        assert_eq!((&last["captured_at"], &last["camera"]), (&Value::Null, &Value::Null));

        let found = page("name=%20LATE-&sort=name&limit=1").await;
        assert_eq!(
            (names(&found), found["total_count"].as_i64()),
            (vec![String::from("late-9.jpg")], Some(2))
        );
        assert_eq!(page("name=").await["total_count"], 4);
        assert_eq!(page("status=processing").await["total_count"], 4);
        world.drain().await;
        assert_eq!(page("status=processing").await["total_count"], 0);
        assert_eq!(names(&page("status=ready&sort=name&name=time").await), ["no time.jpg"]);
        let matches = world.search(&event, &photo(&[RED], 0)).await.json()["matches"].clone();
        let of_match = |name: &str| {
            let mut matches = matches.as_array().unwrap().iter();
            matches.find(|found| found["filename"] == name).unwrap().get("captured_at").cloned()
        };
        assert_eq!(of_match("early.jpg"), Some(Value::from("2026-11-14T18:30:07.000")));
        assert_eq!(of_match("no time.jpg"), None);

        // A page follows, though the photo before it is deleted meanwhile.
        let begin = page("sort=name&limit=2").await;
        let gone = begin["photos"][1]["id"].as_str().unwrap();
        world.delete(&format!("/api/photos/{gone}"), &token).await;
        let next = begin["next_cursor"].as_str().unwrap();
        assert_eq!(names(&page(&format!("sort=name&cursor={next}")).await), by_name[2..]);

        let ravi = world.photographer("ravi@example.com").await;
        let theirs = world.event(&ravi, "Other").await;
        let of_meera = begin["photos"][0]["id"].as_str().unwrap();
        let theirs = theirs["id"].as_str().unwrap();
        for (query, token, expected) in [
            (
                format!("event_id={id}&sort=size"),
                &token,
                "Sort must be uploaded, captured, name, hearts or sharpness",
            ),
            (format!("event_id={id}&status=new"), &token, "Status must be processing, ready or failed"),
            (
                String::from("sort=name"),
                &token,
                "Only the photos of one event can be sorted in another order than that of their upload",
            ),
            (format!("event_id={theirs}&sort=name&cursor={of_meera}"), &ravi, "The cursor is not valid"),
            (format!("event_id={id}&sort=name&cursor={of_meera}.!"), &token, "The cursor is not valid"),
            (format!("event_id={id}&sort=captured&cursor={of_meera}.x"), &token, "The cursor is not valid"),
            (format!("event_id={id}&cursor={of_meera}.5"), &token, "The cursor is not valid"),
            (format!("event_id={id}&sort=hearts&cursor={of_meera}.x"), &token, "The cursor is not valid"),
            (format!("event_id={id}&sort=sharpness&cursor={of_meera}.x"), &token, "The cursor is not valid"),
        ] {
            let answer = world.get(&format!("/api/photos/search?{query}"), token).await;
            assert_eq!(answer.error(), (400, String::from(expected)), "{query}");
        }
    });
}

#[test]
fn photos_of_versions_before_are_read_for_their_capture() {
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        world.upload(&token, &event, "IMG_7.jpg", &taken(7)).await;
        let before = "UPDATE photos SET described = FALSE, captured_at = 9223372036854775807, camera = NULL, lens = NULL,
             name_key = 'img_7.jpg'";
        storage::testing::change(&world.parts.db, before).await;
        let shown = async || world.get("/api/photos/search", &token).await.json()["photos"][0].clone();
        assert_eq!(shown().await["captured_at"], Value::Null);
        app::operations::maintenance::all(&world.app).await.unwrap();
        let photo = shown().await;
        assert_eq!(
            (&photo["captured_at"], &photo["camera"]),
            (&Value::from("2026-11-14T18:30:07.000"), &Value::from("Lumina X100"))
        );
        let undescribed = storage::photos::undescribed(&world.parts.db, None, 1).await.unwrap();
        assert!(undescribed.is_empty());
    });
}

#[test]
fn photos_are_sorted_and_looked_for_by_hearts_and_sharpness() {
    // [GAL480] [GAL482] [GAL483]
    on_both_engines(async |world: World| {
        let crate::downloads::Party { token, event, matches, .. } = crate::downloads::party(&world).await;
        let id = event["id"].as_str().unwrap();
        let page = async |query: &str| {
            world.get(&format!("/api/photos/search?event_id={id}&{query}"), &token).await.json()
        };
        let total = page("").await["total_count"].as_i64().unwrap();
        let slug = event["slug"].as_str().unwrap();
        let loved = &matches[0];
        let heart = serde_json::json!({"key": loved["s3_key"], "on": true});
        assert_eq!(world.post(&format!("/api/face/hearts/{slug}"), "", heart).await.status, 204);
        assert_eq!(page("sort=hearts").await["photos"][0]["id"], loved["photo_id"]);
        let hearted = page("hearted=true").await;
        assert_eq!(
            (&hearted["total_count"], &hearted["photos"][0]["id"]),
            (&Value::from(1), &loved["photo_id"])
        );

        // Indexing has measured all of them; one that is blurred is found by that alone.
        let measured = page("sort=sharpness").await;
        let figures: Vec<f64> = measured["photos"]
            .as_array()
            .unwrap()
            .iter()
            .map(|photo| photo["sharpness"].as_f64().unwrap())
            .collect();
        assert!(figures.is_sorted() && i64::try_from(figures.len()).unwrap() == total, "{figures:?}");
        storage::testing::change(&world.parts.db, "UPDATE photos SET sharpness = 900").await;
        assert_eq!(page("blurred=true").await["total_count"], 0);
        let photo = loved["photo_id"].as_str().unwrap();
        let blur = format!("UPDATE photos SET sharpness = 399 WHERE id = '{photo}'");
        storage::testing::change(&world.parts.db, Box::leak(blur.into_boxed_str())).await;
        let blurred = page("blurred=true&sort=sharpness").await;
        assert_eq!(
            (&blurred["total_count"], &blurred["photos"][0]["id"]),
            (&Value::from(1), &loved["photo_id"])
        );
        // Guests see it all the same.
        let found = world.search(&event, &photo_of_red()).await.json();
        assert!(
            found["matches"].as_array().unwrap().iter().any(|found| found["photo_id"] == loved["photo_id"])
        );
    });
}

fn photo_of_red() -> Vec<u8> {
    photo(&[RED], 0)
}

#[test]
fn photos_of_versions_before_are_measured_and_restored_ones_too() {
    // [GAL485]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        let id = world.upload(&token, &event, "a.jpg", &photo(&[RED], 1)).await.json()["id"].clone();
        let shown = async || world.get("/api/photos/search", &token).await.json()["photos"][0].clone();
        assert!(shown().await.get("sharpness").is_none(), "it is not indexed yet");
        world.drain().await;
        let measured = shown().await["sharpness"].clone();
        assert!(measured.is_f64());
        storage::testing::change(&world.parts.db, "UPDATE photos SET sharpness = NULL").await;
        storage::testing::change(&world.parts.db, "DELETE FROM photo_looks").await;
        app::operations::maintenance::all(&world.app).await.unwrap();
        let again = shown().await["sharpness"].as_f64().unwrap();
        assert!(
            (again - measured.as_f64().unwrap()).abs() < 0.1,
            "{again} by its preview, {measured} by its pixels"
        );

        world.delete(&format!("/api/photos/{}", id.as_str().unwrap()), &token).await;
        let all = serde_json::json!({"event_id": event["id"], "all": true});
        assert_eq!(world.post("/api/photos/trash/restore", &token, all).await.status, 200);
        assert!(shown().await.get("sharpness").is_none());
        app::operations::maintenance::all(&world.app).await.unwrap();
        assert_eq!(shown().await["sharpness"].as_f64(), Some(again));
    });
}
