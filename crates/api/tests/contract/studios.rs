//! /api/studio, and where guests see it.

use std::time::Duration;

use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};

use crate::harness::{Answer, BLUE, Field, RED, World, on_both_engines, photo, picture};
use crate::profiles::close;
use crate::subscriptions::{ask, mails, subscribed, told, upload};

/// A studio as it is entered.
fn entered() -> Value {
    json!({"name": " Studio Meera ", "accent": "#0B5394", "website": "meera.example/weddings",
        "instagram": "@meera.studio", "contact": "hello@meera.example"})
}

async fn public(world: &World, event: &Value) -> Value {
    world.get(&format!("/api/events/{}", event["slug"].as_str().unwrap()), "").await.json()
}

async fn page(world: &World, event: &Value) -> String {
    let answer = world.get(&format!("/event/{}", event["slug"].as_str().unwrap()), "").await;
    String::from_utf8(answer.bytes.to_vec()).unwrap()
}

#[test]
fn guests_see_the_studio_of_the_photographer_and_of_nobody_else() {
    // In previews of links too; without a studio an event looks as if there were none.
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let other = world.photographer("ravi@example.com").await;
        let (event, others) = (world.event(&token, "Party").await, world.event(&other, "Other").await);
        assert_eq!(world.get("/api/studio", &token).await.json(), json!({"studio": null}));
        let before = public(&world, &event).await;
        assert_eq!(before["studio"], Value::Null);
        let page_before = page(&world, &event).await;
        assert!(page_before.contains("og:site_name\" content=\"Afterglow\""));

        let saved = world.put("/api/studio", &token, entered()).await;
        assert_eq!(saved.status, 200);
        let studio = json!({
            "name": "Studio Meera",
            "accent": {
                "color": "#0b5394",
                "light": {"background": "#0b5394", "label": "#ffffff"},
                "dark": {"background": "#2c6db0", "label": "#ffffff"},
            },
            "website": "https://meera.example/weddings",
            "instagram": "meera.studio",
            "contact": {"text": "hello@meera.example", "url": "mailto:hello@meera.example"},
            "logo": null,
            "dark_logo": null,
        });
        assert_eq!(saved.json(), studio);
        assert_eq!(world.get("/api/studio", &token).await.json(), json!({"studio": studio}));
        let mut after = public(&world, &event).await;
        assert_eq!(after["studio"], studio);
        let shown = page(&world, &event).await;
        for part in ["og:site_name\" content=\"Studio Meera\"", "\"Photos by Studio Meera. Take a", "#0b5394"]
        {
            assert!(shown.contains(part), "{part}");
        }
        after["studio"] = Value::Null;
        assert_eq!(after, before, "nothing else differs");
        assert_eq!(public(&world, &others).await["studio"], Value::Null);
        assert_eq!(world.get("/api/studio", &other).await.json(), json!({"studio": null}));

        // What is left out is gone.
        let bare = world.put("/api/studio", &token, json!({"name": "Meera", "accent": " "})).await.json();
        assert_eq!(
            bare,
            json!({"name": "Meera", "accent": null, "website": null, "instagram": null, "contact": null,
                "logo": null, "dark_logo": null})
        );
        assert_eq!(public(&world, &event).await["studio"], bare);

        for _ in 0..2 {
            assert_eq!(world.delete("/api/studio", &token).await.json(), json!({"success": true}));
        }
        assert_eq!(public(&world, &event).await, before);
        assert_eq!(page(&world, &event).await, page_before);
    });
}

#[test]
fn what_is_no_studio_is_refused_and_changes_nothing() {
    // [BRAND004] [BRAND006]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let saved = world.put("/api/studio", &token, entered()).await.json();
        for (field, value, text) in [
            ("name", " ", "Please enter the name of your studio"),
            ("name", &"a".repeat(81), "Studio name must be at most 80 characters long"),
            ("accent", "orange", "Accent colour must have the form #RRGGBB"),
            (
                "website",
                "http://meera.example",
                "Website must be an https address such as https://studio.example, at most 200 characters long",
            ),
            (
                "instagram",
                "me and you",
                "Instagram handle must have at most 30 letters, digits, dots and underscores",
            ),
            ("contact", "call me", "Contact must be an email address or a phone number of 6 to 15 digits"),
        ] {
            let mut body = entered();
            body[field] = json!(value);
            let answer = world.put("/api/studio", &token, body).await;
            assert_eq!(answer.error(), (400, String::from(text)), "{field}");
        }
        assert_eq!(world.get("/api/studio", &token).await.json(), json!({"studio": saved}));
    });
}

#[test]
fn the_studio_goes_with_the_account() {
    // [BRAND011]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        assert_eq!(world.put("/api/studio", &token, entered()).await.status, 200);
        let user =
            world.get("/api/auth/me", &token).await.json()["user"]["id"].as_str().unwrap().parse().unwrap();
        let closed = close(&world, &token, json!({"password": crate::harness::PASSWORD})).await;
        assert_eq!(closed.status, 200);
        assert_eq!(storage::studio::studios::of_user(&world.parts.db, user).await.unwrap(), None);
    });
}

#[test]
fn mails_to_guests_name_the_studio_and_its_contact_once_the_address_is_confirmed() {
    // [BRAND009] [BRAND028] [BRAND029]
    on_both_engines(async |world: World| {
        let (party, found) = subscribed(&world).await;
        let mut studio = entered();
        studio["name"] = json!("meera.example");
        assert_eq!(world.put("/api/studio", &party.token, studio).await.status, 200);
        let another = ask(&world, &found["subscription_token"], "another@example.com").await;
        assert_eq!(another.status, 202);
        let confirmation = mails(&world).await.remove(0);
        assert!(confirmation.text.trim_end().ends_with("\n\nmeera\u{2024}example\nAfterglow"));
        assert!(!confirmation.html.contains("hello@meera.example"));
        world.clock.advance(Duration::from_secs(60));
        upload(&world, &party, "new.jpg", RED, 6).await;
        let mail = told(&world).await.remove(0);
        let footer = "meera\u{2024}example · hello@meera.example\nAfterglow";
        assert!(mail.text.trim_end().ends_with(footer), "{}", mail.text);
        assert!(mail.html.contains("<bdi>meera\u{2024}example</bdi> · <bdi>hello@meera.example</bdi><br>"));
    });
}

pub(crate) async fn upload_logo(world: &World, token: &str, file: &[u8]) -> Answer {
    upload_to(world, token, "/api/studio/logo", file).await
}

pub(crate) async fn upload_dark_logo(world: &World, token: &str, file: &[u8]) -> Answer {
    upload_to(world, token, "/api/studio/dark-logo", file).await
}

async fn upload_to(world: &World, token: &str, path: &str, file: &[u8]) -> Answer {
    let fields = [Field::file("logo", "logo.png", file)];
    let body = crate::harness::encode(&fields);
    let request = Request::put(path)
        .header("authorization", format!("Bearer {token}"))
        .header("content-type", "multipart/form-data; boundary=line")
        .body(Body::from(body));
    world.send(request.unwrap()).await
}

#[test]
fn a_logo_is_made_anew_shown_to_guests_and_replaced() {
    // [BRAND014] [BRAND017] [BRAND031]
    // Each logo has a path of its own, which never changes and answers 404 once it is replaced; link previews have it
    // in a corner.
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        let slug = event["slug"].as_str().unwrap();
        let file = photo(&[RED, BLUE], 1);
        assert_eq!(
            upload_logo(&world, &token, &file).await.error(),
            (409, String::from("Please save the name of your studio first"))
        );
        assert_eq!(world.put("/api/studio", &token, entered()).await.status, 200);
        let plain = world.get(&format!("/covers/{slug}.jpg"), "").await;

        let answer = upload_logo(&world, &token, &file).await;
        assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.bytes));
        let logo = answer.json()["logo"].clone();
        assert_eq!(public(&world, &event).await["studio"]["logo"], logo);
        let path = logo["url"].as_str().unwrap().to_owned();
        let sent = world.get(&path, "").await;
        assert_eq!((sent.status.as_u16(), sent.header("content-type")), (200, "image/jpeg"));
        assert_eq!(sent.header("cache-control"), "public, max-age=31536000, immutable");
        assert!(sent.bytes != file, "it is made anew");
        let inspected = media::pictures::inspect(&sent.bytes).unwrap();
        assert_eq!(
            (json!(inspected.width), json!(inspected.height)),
            (logo["width"].clone(), logo["height"].clone())
        );
        let known = Request::get(&path).header("if-none-match", sent.header("etag")).body(Body::empty());
        assert_eq!(world.send(known.unwrap()).await.status, 304);
        let branded = world.get(&format!("/covers/{slug}.jpg"), "").await;
        assert!(branded.bytes != plain.bytes && branded.header("etag") != plain.header("etag"));
        let name = path.rsplit('/').next().unwrap();
        assert!(page(&world, &event).await.contains(&format!("{slug}.jpg?logo={name}")));

        // A change of the texts leaves it; another logo has another address.
        let changed = world.put("/api/studio", &token, json!({"name": "Meera"})).await.json();
        assert_eq!(changed["logo"], logo);
        let other = upload_logo(&world, &token, &photo(&[BLUE], 2)).await.json()["logo"].clone();
        assert_ne!(other["url"], logo["url"]);
        assert_eq!(world.get(&path, "").await.status, 404);
        for _ in 0..2 {
            assert_eq!(world.delete("/api/studio/logo", &token).await.json(), json!({"success": true}));
        }
        assert_eq!(public(&world, &event).await["studio"]["logo"], Value::Null);
        assert_eq!(world.get(other["url"].as_str().unwrap(), "").await.status, 404);
        assert!(world.get(&format!("/covers/{slug}.jpg"), "").await.bytes == plain.bytes);
    });
}

#[test]
fn what_is_no_logo_is_refused() {
    // [BRAND030]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        assert_eq!(world.put("/api/studio", &token, entered()).await.status, 200);
        let whole = photo(&[RED], 1);
        let white = picture(64, |_| [255, 255, 255]);
        let svg = b"<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>";
        let format =
            "The logo must be a PNG or JPEG file. An SVG file can contain programs: please save it as PNG.";
        let large = vec![0; app::studio::studios::LOGO_BYTES + 1];
        for (file, status, text) in [
            (&[] as &[u8], 400, "Please choose a logo"),
            (svg, 400, format),
            (b"hello", 400, format),
            (&whole[..whole.len() / 2], 400, "The image is incomplete: the end of the file is missing"),
            (&white, 400, "The logo cannot be seen on white. Please use a dark or coloured version of it."),
            (&large, 413, "The logo is larger than 5 MB"),
        ] {
            assert_eq!(upload_logo(&world, &token, file).await.error(), (status, String::from(text)));
        }
        assert_eq!(world.get("/api/studio", &token).await.json()["studio"]["logo"], Value::Null);
    });
}

/// A white bar on nothing: 40 by 20.
pub(crate) fn transparent(color: [u8; 4]) -> Vec<u8> {
    let picture = image::RgbaImage::from_fn(40, 20, |x, _| image::Rgba(if x < 20 { color } else { [0; 4] }));
    let mut bytes = std::io::Cursor::new(Vec::new());
    picture.write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    bytes.into_inner()
}

#[test]
fn a_logo_for_dark_grounds_keeps_its_transparency_and_is_beside_the_other() {
    // [BRAND040] [BRAND042]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        let white = transparent([255; 4]);
        let missing = (409, String::from("Please save the name of your studio first"));
        assert_eq!(upload_dark_logo(&world, &token, &white).await.error(), missing);
        assert_eq!(world.put("/api/studio", &token, entered()).await.status, 200);
        let light = upload_logo(&world, &token, &photo(&[RED], 1)).await.json()["logo"].clone();

        let saved = upload_dark_logo(&world, &token, &white).await;
        assert_eq!(saved.status, 200, "{}", String::from_utf8_lossy(&saved.bytes));
        let saved = saved.json();
        assert_eq!(saved["logo"], light);
        let dark = saved["dark_logo"].clone();
        assert_eq!((&dark["width"], &dark["height"]), (&json!(40), &json!(20)));
        assert_eq!(public(&world, &event).await["studio"], saved);
        let path = dark["url"].as_str().unwrap();
        let sent = world.get(path, "").await;
        assert_eq!((sent.status.as_u16(), sent.header("content-type")), (200, "image/png"));
        assert_eq!(sent.header("cache-control"), "public, max-age=31536000, immutable");
        let pixels = image::load_from_memory(&sent.bytes).unwrap().to_rgba8();
        assert_eq!((pixels.get_pixel(2, 9).0, pixels.get_pixel(37, 9).0[3]), ([255; 4], 0));
        let known = Request::get(path).header("if-none-match", sent.header("etag")).body(Body::empty());
        assert_eq!(world.send(known.unwrap()).await.status, 304);
        // A path of one is none of the other.
        let light_path = light["url"].as_str().unwrap();
        assert_eq!(world.get(&path.replace("dark-logos", "logos"), "").await.status, 404);
        assert_eq!(world.get(&light_path.replace("logos", "dark-logos"), "").await.status, 404);

        // A change of the texts leaves both; each is replaced and removed by itself.
        let changed = world.put("/api/studio", &token, json!({"name": "Meera"})).await.json();
        assert_eq!((&changed["logo"], &changed["dark_logo"]), (&light, &dark));
        let other = upload_dark_logo(&world, &token, &transparent([250, 240, 9, 255])).await.json();
        assert_ne!(other["dark_logo"]["url"], dark["url"]);
        assert_eq!(world.get(path, "").await.status, 404);
        for _ in 0..2 {
            assert_eq!(world.delete("/api/studio/dark-logo", &token).await.json(), json!({"success": true}));
        }
        assert_eq!(world.get(other["dark_logo"]["url"].as_str().unwrap(), "").await.status, 404);
        let left = public(&world, &event).await["studio"].clone();
        assert_eq!((&left["logo"], &left["dark_logo"]), (&light, &Value::Null));
    });
}

#[test]
fn what_is_no_logo_for_dark_grounds_is_refused() {
    // [BRAND041]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        assert_eq!(world.put("/api/studio", &token, entered()).await.status, 200);
        let black = transparent([0, 0, 0, 255]);
        let white = transparent([255; 4]);
        let format =
            "The logo must be a PNG or JPEG file. An SVG file can contain programs: please save it as PNG.";
        let unseen =
            "The logo cannot be seen on a dark background. Please use a white or light version of it.";
        for (file, text) in [
            (&[] as &[u8], "Please choose a logo"),
            (b"hello", format),
            (&white[..white.len() / 2], "The image is incomplete: the end of the file is missing"),
            (&black, unseen),
        ] {
            let answer = upload_dark_logo(&world, &token, file).await;
            assert_eq!(answer.error(), (400, String::from(text)));
        }
        let large = vec![0; app::studio::studios::LOGO_BYTES + 1];
        let refused = upload_dark_logo(&world, &token, &large).await.error();
        assert_eq!(refused, (413, String::from("The logo is larger than 5 MB")));
        assert_eq!(world.get("/api/studio", &token).await.json()["studio"]["dark_logo"], Value::Null);
        // White is what it is for.
        assert_eq!(upload_dark_logo(&world, &token, &white).await.status, 200);
    });
}

#[test]
fn a_colour_is_shown_as_guests_would_see_it_before_it_is_saved() {
    // [BRAND046]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        for color in ["%230B5394", "%23f4c2c2"] {
            let shown = world.get(&format!("/api/studio/accent?color={color}"), &token).await;
            assert_eq!(shown.status, 200);
            let entered = json!({"name": "Meera", "accent": color.replace("%23", "#")});
            let saved = world.put("/api/studio", &token, entered).await.json();
            assert_eq!(shown.json(), saved["accent"]);
        }
        let stored = world.get("/api/studio", &token).await.json();
        for color in ["", "?color=", "?color=orange"] {
            let answer = world.get(&format!("/api/studio/accent{color}"), &token).await;
            assert_eq!(answer.error(), (400, String::from("Accent colour must have the form #RRGGBB")));
        }
        assert_eq!(world.get("/api/studio", &token).await.json(), stored);
    });
}
