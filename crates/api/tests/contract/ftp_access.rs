//! The login by which cameras send the photos of an event.

use serde_json::{Value, json};

use crate::harness::{World, on_both_engines};

#[test]
fn an_event_gets_a_login_whose_password_is_told_once() {
    // [FTP021] [FTP003]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Sangeet").await;
        let path = format!("/api/events/{}/ftp", event["id"].as_str().unwrap());
        let service = json!({"host": "localhost", "port": 2121, "encryption": "required"});
        assert_eq!(world.get(&path, &token).await.json(), json!({"service": service, "login": null}));

        let made = world.put(&path, &token, json!({})).await.json();
        assert_eq!(made["service"], service);
        assert_eq!(made["login"]["last_used_at"], Value::Null);
        let password = made["password"].as_str().unwrap().to_owned();
        assert_eq!(password.len(), 12);
        let shown = world.get(&path, &token).await;
        assert_eq!(shown.json()["login"], made["login"]);
        assert!(!String::from_utf8_lossy(&shown.bytes).contains(&password));

        let another = world.put(&path, &token, json!({})).await.json();
        assert_ne!(another["login"]["user_name"], made["login"]["user_name"]);
        assert_ne!(another["password"], made["password"]);
        let gone = (404, String::from("Event not found"));
        let ravi = world.photographer("ravi@example.com").await;
        assert_eq!(world.get(&path, &ravi).await.error(), gone);
        assert_eq!(world.put(&path, &ravi, json!({})).await.error(), gone);
        assert_eq!(world.delete(&path, &ravi).await.error(), gone);
        assert_eq!(world.get(&path, &token).await.json()["login"], another["login"]);
        for _ in 0..2 {
            assert_eq!(world.delete(&path, &token).await.json(), json!({"success": true}));
            assert_eq!(world.get(&path, &token).await.json()["login"], Value::Null);
        }
    });
}

#[test]
fn without_ftp_there_are_no_logins() {
    // [FTP015] [FTP026]
    on_both_engines(async |world: World| {
        let world = World::with_settings(world.parts.db.clone(), |settings| settings.ftp = None).await;
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Sangeet").await;
        let path = format!("/api/events/{}/ftp", event["id"].as_str().unwrap());
        assert_eq!(world.get(&path, &token).await.json(), json!({"service": null, "login": null}));
        let text = "This service takes no photos over FTP. Its operator can switch that on in the settings.";
        assert_eq!(world.put(&path, &token, json!({})).await.error(), (409, text.to_owned()));
        assert_eq!(world.delete(&path, &token).await.status, 200);
    });
}

#[test]
fn a_login_that_is_refused_is_not_made() {
    // [FTP026]
    on_both_engines(async |world: World| {
        let world = World::with_settings(world.parts.db.clone(), |settings| settings.ftp = None).await;
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Sangeet").await;
        let path = format!("/api/events/{}/ftp", event["id"].as_str().unwrap());
        assert_eq!(world.put(&path, &token, json!({})).await.status, 409);
        assert_eq!(world.get(&path, &token).await.json(), json!({"service": null, "login": null}));
    });
}
