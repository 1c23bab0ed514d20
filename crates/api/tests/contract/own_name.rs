//! What the operator calls the service: pages, mails, and the page of a studio's event.

use serde_json::json;

use crate::harness::{RED, World, photo};
use crate::studios::upload_dark_logo;

/// A service of another name, whose document says the usual one.
async fn named(db: storage::Db, names_itself: bool) -> World {
    World::with_settings(db, |settings| {
        settings.site_name = String::from("Shaadi & Co");
        settings.names_itself = names_itself;
    })
    .await
}

fn web_app() -> api::WebApp {
    api::WebApp::new(|path| {
        let (media_type, text) = match path {
            "index.html" | "event.html" => {
                ("text/html; charset=utf-8", "<title>Afterglow</title><!-- head --><!-- /head -->Afterglow")
            }
            "manifest.webmanifest" => ("application/manifest+json", r#"{"name":"Afterglow"}"#),
            "assets/a-1.js" => ("text/javascript", "'Afterglow'"),
            _ => return None,
        };
        Some(api::Asset::new(text.as_bytes().to_vec(), String::from(media_type)))
    })
}

#[tokio::test]
async fn pages_and_mails_say_what_the_operator_calls_the_service() {
    // [BRAND048]
    for database in storage::testing::engines().await {
        let world = named(database.db.clone(), true).await;
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Afterglow party").await;
        let page =
            async |path: &str| String::from_utf8(world.get_with(web_app(), path, &[]).await.bytes).unwrap();
        assert!(page("/login").await.starts_with("<title>Shaadi &amp; Co</title>"));
        assert!(
            page("/").await.contains("<title>Shaadi &#38; Co: event photos that find their guests</title>")
        );
        let shown = page(&format!("/event/{}", event["slug"].as_str().unwrap())).await;
        assert!(shown.contains("Afterglow party · Shaadi &#38; Co</title>"), "{shown}");
        assert_eq!(page("/manifest.webmanifest").await, r#"{"name":"Shaadi & Co"}"#);
        assert_eq!(page("/assets/a-1.js").await, "'Afterglow'", "a file whose name has its hash");

        world.post("/api/auth/forgot-password", "", json!({"email": "meera@example.com"})).await;
        world.drain().await;
        let sent = world.mails.sent();
        assert!(sent.len() >= 2);
        for mail in sent.into_iter().map(|sent| sent.mail) {
            assert!(
                mail.subject.contains("Shaadi & Co") && mail.text.trim_end().ends_with("Shaadi & Co"),
                "{mail:?}"
            );
            assert!(
                mail.html.contains(&format!("<title>{}</title>", mail.subject.replace('&', "&#38;"))),
                "{mail:?}"
            );
            assert!(!mail.text.contains("Afterglow") && !mail.html.contains("Afterglow"), "{mail:?}");
        }
    }
}

#[tokio::test]
async fn the_page_of_an_event_says_what_the_service_is_called_unless_the_operator_leaves_that_out() {
    // [BRAND049]
    for names_itself in [true, false] {
        for database in storage::testing::engines().await {
            let world = named(database.db.clone(), names_itself).await;
            let token = world.photographer("meera@example.com").await;
            let event = world.event(&token, "Party").await;
            let path = format!("/api/events/{}", event["slug"].as_str().unwrap());
            assert!(world.get(&path, "").await.json().get("made_with").is_none(), "it has no studio");
            world.put("/api/studio", &token, json!({"name": "Studio Meera"})).await;
            assert!(world.get(&path, "").await.json().get("made_with").is_none(), "it has no logo");
            assert_eq!(upload_dark_logo(&world, &token, &photo(&[RED], 0)).await.status, 200);
            let expected = if names_itself { "Shaadi & Co" } else { "" };
            assert_eq!(world.get(&path, "").await.json()["made_with"], expected);
        }
    }
}
