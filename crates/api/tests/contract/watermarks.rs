//! /api/studio/watermark, and where guests see it.

use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};

use crate::downloads::{Party, files, party};
use crate::harness::{Answer, BLUE, Field, RED, World, encode, on_both_engines, photo, picture};
use crate::studios::{transparent, upload_dark_logo, upload_logo};

/// Sends the form of a watermark.
async fn send(world: &World, token: &str, fields: &[Field<'_>]) -> Answer {
    let request = Request::put("/api/studio/watermark")
        .header("authorization", format!("Bearer {token}"))
        .header("content-type", "multipart/form-data; boundary=line")
        .body(Body::from(encode(fields)));
    world.send(request.unwrap()).await
}

/// A bar, as the page would send letters.
fn lettering() -> Vec<u8> {
    picture(64, |x| if x < 32 { [0; 3] } else { [255; 3] })
}

/// Saves a watermark, of the logo where the text is empty.
pub(crate) async fn save(
    world: &World,
    token: &str,
    text: &str,
    position: &str,
    on_downloads: &str,
) -> Answer {
    let bar = lettering();
    let fields = [
        Field::text("text", text),
        Field::text("position", position),
        Field::text("opacity", "100"),
        Field::text("on_downloads", on_downloads),
        Field::file("lettering", "text.png", &bar),
    ];
    send(world, token, &fields).await
}

pub(crate) async fn open_studio(world: &World, token: &str) {
    assert_eq!(world.put("/api/studio", token, json!({"name": "Meera"})).await.status, 200);
}

async fn bytes(world: &World, url: &Value) -> Vec<u8> {
    let answer = world.get(url.as_str().unwrap(), "").await;
    assert_eq!((answer.status.as_u16(), answer.header("content-type")), (200, "image/jpeg"));
    answer.bytes.to_vec()
}

/// What a guest finds now.
async fn found(world: &World, party: &Party) -> Vec<Value> {
    let found = world.search(&party.event, &photo(&[RED], 9)).await.json();
    found["matches"].as_array().unwrap().clone()
}

async fn links(world: &World, found: &Value, token: &str) -> Value {
    let key = found["s3_key"].as_str().unwrap();
    world.get(&format!("/api/photos/download-by-s3?key={key}"), token).await.json()
}

#[test]
fn a_photographer_has_a_watermark_with_a_sample() {
    // The path of a sample answers 404 once its watermark is replaced or removed.
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let none = json!({"watermark": null});
        assert_eq!(world.get("/api/studio/watermark", &token).await.json(), none);
        let studio = (409, String::from("Please save the name of your studio first"));
        assert_eq!(save(&world, &token, "Meera", "tiled", "true").await.error(), studio);
        open_studio(&world, &token).await;
        let logo = (409, String::from("Please add a logo to your studio first, or enter a text"));
        assert_eq!(save(&world, &token, " ", "tiled", "true").await.error(), logo);

        let saved = save(&world, &token, " © Meera ", "bottom_left", "true").await.json();
        let url = saved["sample_url"].clone();
        assert_eq!(
            saved,
            json!({"text": "© Meera", "logo": null, "position": "bottom_left", "opacity": 100, "on_downloads": true,
                "sample_url": url})
        );
        assert_eq!(world.get("/api/studio/watermark", &token).await.json(), json!({"watermark": saved}));
        let sample = world.get(url.as_str().unwrap(), "").await;
        assert_eq!((sample.status.as_u16(), sample.header("content-type")), (200, "image/jpeg"));
        let known = Request::get(url.as_str().unwrap()).header("if-none-match", sample.header("etag"));
        assert_eq!(world.send(known.body(Body::empty()).unwrap()).await.status, 304);

        // One that is the logo becomes another one with it, and stays when the logo goes.
        assert_eq!(upload_logo(&world, &token, &photo(&[RED], 1)).await.status, 200);
        let own = save(&world, &token, "", "center", "false").await.json();
        assert_eq!((&own["text"], &own["on_downloads"]), (&Value::Null, &json!(false)));
        assert_eq!(world.get(url.as_str().unwrap(), "").await.status, 404, "replaced");
        let shown = bytes(&world, &own["sample_url"]).await;
        assert!(shown != sample.bytes);
        assert_eq!(upload_logo(&world, &token, &photo(&[BLUE], 2)).await.status, 200);
        let other = world.get("/api/studio/watermark", &token).await.json()["watermark"].clone();
        assert_ne!(other["sample_url"], own["sample_url"]);
        assert!(bytes(&world, &other["sample_url"]).await != shown);
        assert_eq!(world.delete("/api/studio/logo", &token).await.status, 200);
        assert_eq!(world.get("/api/studio/watermark", &token).await.json(), json!({"watermark": other}));

        for _ in 0..2 {
            assert_eq!(world.delete("/api/studio/watermark", &token).await.json(), json!({"success": true}));
        }
        assert_eq!(world.get("/api/studio/watermark", &token).await.json(), none);
    });
}

#[test]
fn a_watermark_can_be_the_logo_for_dark_grounds() {
    // [BRAND043]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let token = &party.token;
        open_studio(&world, token).await;
        let of_logo = async |logo: &'static str| {
            let fields =
                [Field::text("logo", logo), Field::text("position", "center"), Field::text("opacity", "100")];
            send(&world, token, &fields).await
        };
        let missing = "Please add a logo for dark backgrounds to your studio first";
        assert_eq!(of_logo("dark").await.error(), (409, String::from(missing)));
        let invalid = "A watermark needs a position, an opacity from 10 to 100, and a picture of its text if it has one";
        assert_eq!(of_logo("white").await.error(), (400, String::from(invalid)));
        assert_eq!(upload_dark_logo(&world, token, &transparent([255; 4])).await.status, 200);
        let no_light = "Please add a logo to your studio first, or enter a text";
        assert_eq!(of_logo("light").await.error(), (409, String::from(no_light)));
        assert_eq!(upload_logo(&world, token, &photo(&[RED], 1)).await.status, 200);

        let light = of_logo("light").await.json();
        assert_eq!((&light["text"], &light["logo"]), (&Value::Null, &json!("light")));
        let on_plate = bytes(&world, &found(&world, &party).await[0]["url"]).await;
        let dark = of_logo("dark").await.json();
        assert_eq!((&dark["text"], &dark["logo"]), (&Value::Null, &json!("dark")));
        assert_eq!(world.get("/api/studio/watermark", token).await.json(), json!({"watermark": dark}));
        let before = bytes(&world, &found(&world, &party).await[0]["url"]).await;
        assert!(before != on_plate);

        // It follows its own logo alone.
        assert_eq!(upload_logo(&world, token, &photo(&[BLUE], 2)).await.status, 200);
        assert_eq!(world.get("/api/studio/watermark", token).await.json(), json!({"watermark": dark}));
        assert_eq!(upload_dark_logo(&world, token, &transparent([255, 230, 0, 255])).await.status, 200);
        let followed = world.get("/api/studio/watermark", token).await.json()["watermark"].clone();
        assert_ne!(followed["sample_url"], dark["sample_url"]);
        assert!(bytes(&world, &found(&world, &party).await[0]["url"]).await != before);
    });
}

#[test]
fn what_is_no_watermark_is_refused_and_changes_nothing() {
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        open_studio(&world, &token).await;
        let saved = save(&world, &token, "Meera", "tiled", "true").await.json();
        let invalid = "A watermark needs a position, an opacity from 10 to 100, and a picture of its text if it has one";
        let bar = lettering();
        let long = "a".repeat(61);
        for (text, position, opacity, file, message) in [
            (
                long.as_str(),
                "tiled",
                "50",
                &bar[..],
                "The watermark's text must be at most 60 characters long",
            ),
            ("Meera", "top", "50", &bar[..], invalid),
            ("Meera", "", "50", &bar[..], invalid),
            ("Meera", "tiled", "9", &bar[..], invalid),
            ("Meera", "tiled", "101", &bar[..], invalid),
            ("Meera", "tiled", "half", &bar[..], invalid),
            ("Meera", "tiled", "50", &[], invalid),
            (
                "Meera",
                "tiled",
                "50",
                &bar[..bar.len() / 2],
                "The image is incomplete: the end of the file is missing",
            ),
        ] {
            let fields = [
                Field::text("text", text),
                Field::text("position", position),
                Field::text("opacity", opacity),
                Field::file("lettering", "text.png", file),
            ];
            let answer = send(&world, &token, &fields).await;
            assert_eq!(answer.error(), (400, String::from(message)), "{position} {opacity}");
        }
        assert_eq!(world.get("/api/studio/watermark", &token).await.json(), json!({"watermark": saved}));
    });
}

#[test]
fn guests_see_it_on_previews_and_nobody_on_originals_and_thumbnails() {
    // [BRAND022] [BRAND033] [BRAND034]
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let clean = &party.matches[0];
        let mut plain = Vec::new();
        for size in ["url", "medium_url", "thumbnail_url"] {
            plain.push(bytes(&world, &clean[size]).await);
        }
        open_studio(&world, &party.token).await;
        assert_eq!(save(&world, &party.token, "Meera", "center", "false").await.status, 200);

        let first = found(&world, &party).await.remove(0);
        for (size, plain) in ["url", "medium_url"].into_iter().zip(&plain) {
            let marked = bytes(&world, &first[size]).await;
            assert!(marked != *plain, "{size}");
            assert!(marked == bytes(&world, &first[size]).await, "from memory");
            // A link to one is none to the other.
            let link = first[size].as_str().unwrap();
            let (start, rest) = link.split_once("/marked-").unwrap();
            let (size, rest) = rest.split_once('-').unwrap();
            let query = rest.split_once('?').unwrap().1;
            let derived = world.get(&format!("{start}/{size}?{query}"), "").await;
            assert_eq!(derived.status, 404, "{size}");
        }
        assert!(bytes(&world, &first["thumbnail_url"]).await == plain[2]);

        // What opens the results again has it, too; the photographer's own gallery has none.
        let token = party.zip.strip_prefix("/api/face/download/").unwrap();
        let token = json!({"token": token.strip_suffix(".zip").unwrap()});
        let reopened = world.post("/api/face/results", "", token).await.json();
        let searched = found(&world, &party).await;
        for shown in searched.iter().chain(reopened["matches"].as_array().unwrap()) {
            for (size, rendition) in [("url", "/marked-preview-"), ("medium_url", "/marked-medium-")] {
                assert!(shown[size].as_str().unwrap().contains(rendition), "{}", shown[size]);
            }
        }
        let event = party.event["id"].as_str().unwrap();
        let own = world.get(&format!("/api/photos/search?event_id={event}"), &party.token).await.json();
        let own = own["photos"].as_array().unwrap().iter().find(|own| own["id"] == clean["photo_id"]);
        assert!(bytes(&world, &own.unwrap()["url"]).await == plain[0]);

        // Originals are as they were, and so is the web size without the choice.
        let saved = links(&world, &first, "").await;
        let original = world.get(saved["download_url"].as_str().unwrap(), "").await;
        assert!(original.bytes == party.originals[0]);
        assert!(bytes(&world, &saved["web_url"]).await == plain[0]);

        // Another one reaches all photos at once, and so does none.
        let before = bytes(&world, &first["url"]).await;
        assert_eq!(save(&world, &party.token, "Meera", "tiled", "false").await.status, 200);
        let second = found(&world, &party).await.remove(0);
        assert_ne!(second["url"], first["url"], "browsers keep what is behind a link");
        let after = bytes(&world, &second["url"]).await;
        assert!(after != before && after != plain[0]);
        assert_eq!(world.delete("/api/studio/watermark", &party.token).await.status, 200);
        let third = found(&world, &party).await.remove(0);
        assert!(bytes(&world, &third["url"]).await == plain[0]);
    });
}

#[test]
fn the_web_size_has_it_if_that_is_chosen() {
    on_both_engines(async |world: World| {
        let party = party(&world).await;
        let event = format!("/api/events/{}", party.event["id"].as_str().unwrap());
        let web = world.patch(&event, &party.token, json!({"downloads": "web"})).await;
        assert_eq!(web.status, 200);
        let plain = world.get(&party.zip, "").await;
        open_studio(&world, &party.token).await;
        assert_eq!(save(&world, &party.token, "Meera", "center", "true").await.status, 200);

        let matches = found(&world, &party).await;
        let mut previews = Vec::new();
        for found in &matches {
            previews.push(bytes(&world, &found["url"]).await);
        }
        let saved = links(&world, &matches[0], "").await;
        assert_eq!(saved["web_size_bytes"], previews[0].len());
        assert!(bytes(&world, &saved["web_url"]).await == previews[0]);
        let zip = world.get(&party.zip, "").await;
        assert_ne!(zip.header("etag"), plain.header("etag"));
        assert_eq!(zip.header("content-length"), zip.bytes.len().to_string());
        let zipped = files(&zip.bytes);
        assert!(zipped.iter().map(|(_, bytes)| bytes).eq(&previews));
        for from in [1, previews[0].len() + 60, zip.bytes.len() - 1] {
            let request = Request::get(&party.zip)
                .header("range", format!("bytes={from}-"))
                .header("if-range", zip.header("etag"));
            let rest = world.send(request.body(Body::empty()).unwrap()).await;
            assert!(rest.status == 206 && rest.bytes == zip.bytes[from..], "from {from}");
        }
        // Its photographer's is clean.
        let own = links(&world, &matches[0], &party.token).await;
        assert!(bytes(&world, &own["web_url"]).await != previews[0]);

        assert_eq!(save(&world, &party.token, "Meera", "center", "false").await.status, 200);
        assert!(world.get(&party.zip, "").await.bytes == plain.bytes);
    });
}
