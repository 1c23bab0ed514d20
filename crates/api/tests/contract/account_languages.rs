//! The language of mails to photographers: /api/auth/language, and Accept-Language of a registration.

use axum::body::Body;
use axum::http::Request;
use domain::operations::mails::Mail;
use serde_json::json;

use crate::harness::{PASSWORD, World, on_both_engines};
use crate::{profiles, teams};

async fn register(world: &World, email: &str, languages: &str) -> Mail {
    let body = json!({"name": "Meera", "email": email, "password": PASSWORD, "is_photographer": true});
    let request = Request::post("/api/auth/register")
        .header("content-type", "application/json")
        .header("accept-language", languages);
    let answer = world.send(request.body(Body::from(body.to_string())).unwrap()).await;
    assert_eq!(answer.status, 200);
    last_mail(world).await
}

async fn last_mail(world: &World) -> Mail {
    world.drain().await;
    world.mails.take().pop().unwrap().mail
}

async fn speak(world: &World, token: &str, language: &str) {
    let answer = world.put("/api/auth/language", token, json!({"language": language})).await;
    assert_eq!((answer.status.as_u16(), answer.json()), (200, json!({"language": language})));
}

#[test]
fn a_new_account_gets_its_mails_in_the_language_of_its_registration() {
    // [ACC213]
    on_both_engines(async |world: World| {
        for (email, languages, subject, hello) in [
            ("a@example.com", "hi", "Afterglow के लिए अपने ईमेल पते की पुष्टि करें", "नमस्ते Meera,"),
            ("b@example.com", "ta,hi;q=0.5", "Afterglow के लिए अपने ईमेल पते की पुष्टि करें", "नमस्ते Meera,"),
            ("c@example.com", "en-IN,hi;q=0.5", "Verify your email for Afterglow", "Hello Meera,"),
            ("d@example.com", "ta", "Verify your email for Afterglow", "Hello Meera,"),
        ] {
            let mail = register(&world, email, languages).await;
            assert_eq!(mail.subject, subject, "{languages}");
            assert!(mail.text.starts_with(hello), "{}", mail.text);
        }
        let mail = register(&world, "meera@example.com", "hi-IN").await;
        assert!(mail.html.contains("<html lang=\"hi\">"), "{}", mail.html);
        let (_, token) = mail.links[0].split_once("token=").unwrap();
        assert_eq!(world.post("/api/auth/verify-email", "", json!({"token": token})).await.status, 200);
        let token = world.log_in("meera@example.com").await.json()["token"].as_str().unwrap().to_owned();
        assert_eq!(world.get("/api/auth/language", &token).await.json(), json!({"language": "hi"}));
    });
}

#[test]
fn a_photographer_chooses_the_language_of_their_mails() {
    // [ACC214]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        assert_eq!(world.get("/api/auth/language", &token).await.json(), json!({"language": "en"}));
        speak(&world, &token, "hi").await;
        assert_eq!(world.get("/api/auth/language", &token).await.json(), json!({"language": "hi"}));
        for unknown in ["ta", "hi-IN", "", "HI"] {
            let answer = world.put("/api/auth/language", &token, json!({"language": unknown})).await;
            assert_eq!(answer.error(), (400, String::from("Language must be en or hi")), "{unknown}");
        }
        let forgotten = json!({"email": "meera@example.com"});
        assert_eq!(world.post("/api/auth/forgot-password", "", forgotten.clone()).await.status, 200);
        let mail = last_mail(&world).await;
        assert_eq!(mail.subject, "Afterglow के लिए नया पासवर्ड सेट करें");
        speak(&world, &token, "en").await;
        assert_eq!(world.post("/api/auth/forgot-password", "", forgotten).await.status, 200);
        assert_eq!(last_mail(&world).await.subject, "Set a new password for Afterglow");
    });
}

#[test]
fn an_invitation_is_in_the_language_of_whoever_invites() {
    // [ACC216]
    on_both_engines(async |world: World| {
        let owner = world.photographer("meera@example.com").await;
        let second = world.photographer("ravi@example.com").await;
        let event = world.event(&owner, "Party").await;
        speak(&world, &second, "hi").await;
        for (language, subject) in [
            ("en", "You are invited to an event on Afterglow"),
            ("hi", "आपको Afterglow पर एक इवेंट में बुलाया गया है"),
        ] {
            speak(&world, &owner, language).await;
            for email in ["ravi@example.com", "nobody@example.com"] {
                let sent = teams::invite(&world, &owner, &event, email, "manager").await;
                assert!(sent.status.is_success());
                assert_eq!(last_mail(&world).await.subject, subject, "{email}");
            }
        }
    });
}

#[test]
fn the_receipt_of_a_closed_account_is_in_its_language_which_is_forgotten_then() {
    // [ACC215]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let id = world.get("/api/auth/me", &token).await.json()["user"]["id"].as_str().map(str::to_owned);
        speak(&world, &token, "hi").await;
        let closed = profiles::close(&world, &token, json!({"password": PASSWORD})).await;
        assert_eq!(closed.status, 200);
        let mail = last_mail(&world).await;
        assert_eq!(mail.subject, "आपका Afterglow अकाउंट और उसमें रखी हर चीज़ हटा दी गई है");
        assert!(mail.attachment.is_some());
        let Some(id) = id else { return };
        let language = storage::accounts::users::language(&world.parts.db, id.parse().unwrap()).await;
        assert_eq!(language.unwrap().tag(), "en");
    });
}
