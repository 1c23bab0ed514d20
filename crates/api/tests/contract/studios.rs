//! /api/studio, and where guests see it.

use serde_json::{Value, json};

use crate::harness::{World, on_both_engines};
use crate::profiles::close;
use crate::subscriptions::{subscribed, told, upload};

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
    // [BRAND001] [BRAND007] [BRAND008] [BRAND010]
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
                "dark": {"background": "#3774a8", "label": "#ffffff"},
            },
            "website": "https://meera.example/weddings",
            "instagram": "meera.studio",
            "contact": {"text": "hello@meera.example", "url": "mailto:hello@meera.example"},
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
            json!({"name": "Meera", "accent": null, "website": null, "instagram": null, "contact": null})
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
    // [BRAND002] [BRAND003] [BRAND004] [BRAND005] [BRAND006]
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
        assert_eq!(storage::studios::of_user(&world.parts.db, user).await.unwrap(), None);
    });
}

#[test]
fn mails_to_guests_name_the_studio_and_its_contact_once_the_address_is_confirmed() {
    // [BRAND009]
    on_both_engines(async |world: World| {
        let (party, _) = subscribed(&world).await;
        let mut studio = entered();
        studio["name"] = json!("meera.example");
        assert_eq!(world.put("/api/studio", &party.token, studio).await.status, 200);
        upload(&world, &party, "new.jpg", crate::harness::RED, 6).await;
        let mail = told(&world).await.remove(0);
        let footer = "meera\u{2024}example · hello@meera.example\nAfterglow";
        assert!(mail.text.trim_end().ends_with(footer), "{}", mail.text);
        assert!(mail.html.contains("<bdi>meera\u{2024}example</bdi> · <bdi>hello@meera.example</bdi><br>"));
    });
}
