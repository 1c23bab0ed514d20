//! Questions of guests to the photographer: POST /api/face/questions/{slug}

use std::time::Duration;

use app::operations::runtime::limits::LimitSettings;
use gateway::MailError;
use serde_json::{Value, json};

use crate::downloads::{Party, party};
use crate::harness::{Answer, RED, World, on_both_engines, photo};
use crate::limits::From;

const QUESTION: &str = "Can you <b>brighten</b> this one?\nBcc: x@example.com";

fn body(key: &Value) -> Value {
    json!({"key": key, "email": "guest@example.org", "message": QUESTION})
}

async fn ask(world: &World, event: &Value, body: Value) -> Answer {
    let path = format!("/api/face/questions/{}", event["slug"].as_str().unwrap());
    world.post(&path, "", body).await
}

/// Fails where a question is stored.
async fn assert_none_is_stored(world: &World) {
    storage::testing::change(&world.parts.db, "UPDATE questions SET message = NULL").await;
}

#[test]
fn a_question_is_mailed_to_the_photographer_and_forgotten() {
    // [WISH011] [WISH012]
    // With the photo's name and a link to it; a reply goes to the guest.
    on_both_engines(async |world: World| {
        let Party { event, matches, .. } = party(&world).await;
        let before = world.mails.sent().len();
        world.mails.fail_with(Some(MailError::Transient(String::from("450 later"))));
        let answer = ask(&world, &event, body(&matches[0]["s3_key"])).await;
        assert_eq!((answer.status.as_u16(), answer.bytes.len()), (202, 0));
        world.drain().await;
        assert_eq!(world.mails.sent().len(), before);
        world.mails.fail_with(None);
        world.clock.advance(Duration::from_secs(60));
        world.drain().await;
        let mails = world.mails.sent();
        assert_eq!(mails.len(), before + 1);
        let sent = &mails[before].mail;
        assert_eq!(sent.reply_to.as_ref().map(|to| to.as_str()), Some("guest@example.org"));
        assert_eq!(sent.subject, "A guest asks about a photo of Party");
        assert!(sent.text.contains(QUESTION), "{}", sent.text);
        assert!(sent.html.contains("brighten") && !sent.html.contains("<b>"), "{}", sent.html);
        let asked = matches[0]["photo_id"].as_str().unwrap();
        let link = format!("/admin/gallery?event={}&photo={asked}", event["id"].as_str().unwrap());
        assert!(sent.links[0].ends_with(&link), "{:?}", sent.links);
        assert!(sent.text.contains(&link));
        assert_none_is_stored(&world).await;
    });
}

#[test]
fn a_question_that_cannot_be_mailed_is_forgotten_too() {
    // [WISH017]
    on_both_engines(async |world: World| {
        let Party { token, event, matches, .. } = party(&world).await;
        world.mails.fail_with(Some(MailError::Permanent(String::from("550 no such mailbox"))));
        assert_eq!(ask(&world, &event, body(&matches[0]["s3_key"])).await.status, 202);
        world.drain().await;
        assert_none_is_stored(&world).await;

        // Nor is one of a photo that is deleted before.
        assert_eq!(ask(&world, &event, body(&matches[1]["s3_key"])).await.status, 202);
        let photo = matches[1]["photo_id"].as_str().unwrap();
        assert_eq!(world.delete(&format!("/api/photos/{photo}"), &token).await.status, 200);
        assert_none_is_stored(&world).await;
    });
}

#[test]
fn an_address_an_event_and_a_photographer_get_so_many_questions_a_day() {
    on_both_engines(async |world: World| {
        let limits = LimitSettings { questions: 1, ..LimitSettings::OFF };
        let world = World::limited(world.parts.db.clone(), limits, "").await;
        let Party { token, event, matches, .. } = party(&world).await;
        let key = &matches[0]["s3_key"];
        let path = format!("/api/face/questions/{}", event["slug"].as_str().unwrap());
        let from = async |address: &str, path: &str, body: Value| {
            From(address, "").json(&world, path, "", body).await.status.as_u16()
        };
        // What is refused for another reason does not count.
        assert_eq!(from("192.0.2.1", &path, json!({"key": key, "email": "", "message": "Hi"})).await, 400);
        assert_eq!(from("192.0.2.1", &path, body(key)).await, 202);
        assert_eq!(from("192.0.2.1", &path, body(key)).await, 429);
        for address in 2..=10 {
            assert_eq!(from(&format!("192.0.2.{address}"), &path, body(key)).await, 202);
        }
        assert_eq!(from("192.0.2.11", &path, body(key)).await, 429, "the event has had ten");
        let mut last = (String::new(), Value::Null);
        for (event, addresses, told) in [("Ball", 11..=20, 202), ("Gala", 21..=21, 429)] {
            let event = world.event(&token, event).await;
            world.upload(&token, &event, "a.jpg", &photo(&[RED], 1)).await;
            world.drain().await;
            let found = world.search(&event, &photo(&[RED], 9)).await.json();
            let path = format!("/api/face/questions/{}", event["slug"].as_str().unwrap());
            last = (path, found["matches"][0]["s3_key"].clone());
            for address in addresses {
                let answer = from(&format!("192.0.2.{address}"), &last.0, body(&last.1)).await;
                assert_eq!(answer, told, "the photographer has had twenty after the ball");
            }
        }
        world.clock.advance(Duration::from_secs(24 * 60 * 60));
        assert_eq!(from("192.0.2.1", &last.0, body(&last.1)).await, 202);
    });
}

#[test]
fn a_question_is_refused_with_what_is_wrong_with_it() {
    // [WISH009]
    on_both_engines(async |world: World| {
        let Party { token, event, matches, .. } = party(&world).await;
        let key = &matches[0]["s3_key"];
        let with = |field: &str, value: Value| {
            let mut body = body(key);
            body[field] = value;
            body
        };
        for (body, status, text) in [
            (with("message", json!(" ")), 400, "Message is required"),
            (with("message", json!("a".repeat(1_001))), 400, "Message must be at most 1,000 characters long"),
            (with("email", json!(" ")), 400, "Email is required"),
            (with("email", json!("a@b\r\nBcc: c@d.e")), 400, "Please enter a valid email address"),
            (with("key", json!("made-up")), 404, "Photo not found"),
        ] {
            assert_eq!(ask(&world, &event, body).await.error(), (status, text.to_owned()));
        }
        let path = format!("/api/events/{}", event["id"].as_str().unwrap());
        assert_eq!(event["takes_questions"], true);
        assert_eq!(world.patch(&path, &token, json!({"pin": "123412"})).await.status, 200);
        assert_eq!(ask(&world, &event, body(key)).await.json()["code"], "event_pin_required");
        let off = json!({"pin": null, "takes_questions": false});
        assert_eq!(world.patch(&path, &token, off).await.json()["takes_questions"], false);
        let refused = (409, String::from("The photographer of this event takes no questions here"));
        assert_eq!(ask(&world, &event, body(key)).await.error(), refused);
    });
}

#[test]
fn nobody_asks_about_a_hidden_photo() {
    // [WISH009]
    on_both_engines(async |world: World| {
        let Party { event, matches, .. } = party(&world).await;
        let key = &matches[0]["s3_key"];
        assert_eq!(ask(&world, &event, body(key)).await.status, 202);
        crate::objections::hide(&world, &event, RED).await;
        assert_eq!(ask(&world, &event, body(key)).await.error(), (404, String::from("Photo not found")));
    });
}
