//! Lists of photos by the names of their files: POST /api/photos/names

use serde_json::{Value, json};

use crate::downloads::files;
use crate::harness::{Answer, BLUE, RED, World, on_both_engines, photo};

async fn names(world: &World, token: &str, wanted: Value) -> Answer {
    world.post("/api/photos/names", token, wanted).await
}

fn text(answer: &Answer) -> String {
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.bytes));
    String::from_utf8(answer.bytes.to_vec()).unwrap()
}

/// An event with photos of these names, and their ids in the same order.
async fn with_photos(world: &World, token: &str, files: &[&str]) -> (Value, Vec<Value>) {
    let event = world.event(token, "Party").await;
    let mut ids = Vec::new();
    for (salt, name) in files.iter().enumerate() {
        let bytes = photo(&[RED], u8::try_from(salt).unwrap());
        ids.push(world.upload(token, &event, name, &bytes).await.json()["id"].clone());
        world.clock.advance(std::time::Duration::from_millis(1));
    }
    (event, ids)
}

#[test]
fn a_photographer_gets_the_names_of_chosen_photos_as_a_text_and_a_table() {
    // [GAL486] [GAL487]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let files = ["DSC_0002.JPG", "=1+1.jpg", "DSC_0001.JPG"];
        let (event, ids) = with_photos(&world, &token, &files).await;
        let id = &event["id"];
        let album = json!({"name": "Haldi; family"});
        let album =
            world.post(&format!("/api/events/{}/albums", id.as_str().unwrap()), &token, album).await.json();
        let put = json!({"event_id": id, "photo_ids": [ids[2]], "album_id": album["id"]});
        assert_eq!(world.post("/api/photos/album", &token, put).await.status, 200);

        let chosen = json!({"event_id": id, "photo_ids": [ids[2], ids[0], "nothing"], "format": "txt"});
        let answer = names(&world, &token, chosen).await;
        assert_eq!(text(&answer), "DSC_0001.JPG\nDSC_0002.JPG\n");
        assert_eq!(answer.header("content-type"), "text/plain; charset=utf-8");
        let saved = format!("attachment; filename=\"{}-photos.txt\"", event["slug"].as_str().unwrap());
        assert_eq!(answer.header("content-disposition"), saved);

        let all = json!({"event_id": id, "all": true, "format": "csv", "without_endings": true});
        let answer = names(&world, &token, all).await;
        assert_eq!(
            text(&answer),
            "\u{feff}file_name,captured_at,hearts,downloads,faces,sharpness,albums\r\n\
             DSC_0002,,0,0,0,,\r\n\
             '=1+1,,0,0,0,,\r\n\
             DSC_0001,,0,0,0,,Haldi; family\r\n"
        );
        assert_eq!(answer.header("content-type"), "text/csv; charset=utf-8");

        // Measured photos say how sharp they are.
        world.drain().await;
        let one = json!({"event_id": id, "photo_ids": [ids[0]], "format": "csv"});
        let table = text(&names(&world, &token, one).await);
        let sharpness: f64 = table.lines().nth(1).unwrap().split(',').nth(5).unwrap().parse().unwrap();
        assert!((0.0..=1.0).contains(&sharpness), "{table}");
    });
}

#[test]
fn sidecars_are_named_as_the_photos_and_say_what_was_chosen() {
    // [GAL488] [GAL490]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let named = ["DSC_0001.JPG", "dsc_0001.png", "..", "मीरा.jpeg"];
        let (event, _) = with_photos(&world, &token, &named).await;
        let wanted =
            json!({"event_id": event["id"], "all": true, "format": "xmp", "rating": 4, "label": "blue"});
        let answer = names(&world, &token, wanted).await;
        assert_eq!((answer.status.as_u16(), answer.header("content-type")), (200, "application/zip"));
        let files = files(&answer.bytes);
        let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["DSC_0001.xmp", "photo.xmp", "मीरा.xmp"]);
        for (_, bytes) in &files {
            let text = std::str::from_utf8(bytes).unwrap();
            assert!(text.contains("xmp:Rating=\"4\" xmp:Label=\"Blue\""), "{text}");
        }
    });
}

#[test]
fn names_are_told_to_whoever_sees_the_photos_and_bad_wishes_are_refused() {
    // [GAL489] [GAL491]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let (event, ids) = with_photos(&world, &token, &["mine.jpg"]).await;
        let library = photo(&[BLUE], 9);
        world
            .form("/api/photos/upload", &token, &[crate::harness::Field::file("photos", "lib.jpg", &library)])
            .await;
        assert_eq!(text(&names(&world, &token, json!({"all": true, "format": "txt"})).await), "lib.jpg\n");

        let ravi = world.photographer("ravi@example.com").await;
        let wanted = json!({"event_id": event["id"], "all": true, "format": "txt"});
        assert_eq!(names(&world, &ravi, wanted).await.error(), (404, "Event not found".to_owned()));
        let of_meera = json!({"photo_ids": ids, "format": "txt"});
        assert_eq!(names(&world, &ravi, of_meera).await.error(), (404, "Photo not found".to_owned()));
        for (change, refused) in [
            (json!({"format": "pdf"}), "Format must be txt, csv or xmp"),
            (json!({"format": "xmp", "rating": 6}), "Rating must be a whole number from 1 to 5"),
            (json!({"format": "xmp", "label": "Blue"}), "Label must be red, yellow, green, blue or purple"),
            (json!({"format": "txt", "all": false}), "Choose photos, or all of them"),
        ] {
            let mut wanted = json!({"event_id": event["id"], "all": true});
            wanted.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
            assert_eq!(names(&world, &token, wanted).await.error(), (400, refused.to_owned()));
        }
    });
}
