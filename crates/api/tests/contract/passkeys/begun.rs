//! Second factors that were begun before another one was added, by a session that has not given that one.

use app::Failure;
use app::accounts::webauthn::Attestation;
use domain::Refusal;
use domain::accounts::passkeys::Purpose;
use domain::accounts::tokens::hash_token;
use serde_json::{Value, json};
use storage::accounts::sessions::{self, Session};
use storage::accounts::{passkeys, second_factors};

use super::{Authenticator, EMAIL, PATH, SECOND_FACTOR, add, log_in, not_given, token};
use crate::harness::{Answer, PASSWORD, World, on_both_engines};
use crate::second_factors::turn_on;

async fn found(world: &World, session: &str) -> Session {
    sessions::find(&world.parts.db, &hash_token(session), world.app.now()).await.unwrap().unwrap()
}

async fn confirm_app(world: &World, session: &str, secret: &str) -> Answer {
    let code = app::accounts::second_factors::code_at(secret, world.app.now()).unwrap();
    world.post(&format!("{SECOND_FACTOR}/confirm"), session, json!({"code": code})).await
}

#[test]
fn an_authenticator_app_that_was_begun_before_a_passkey_is_not_confirmed_without_it() {
    // [AUTH245] [AUTH247]
    on_both_engines(async |world: World| {
        let session = world.photographer(EMAIL).await;
        let stolen = token(&log_in(&world, json!({})).await);
        let begun = world.post(SECOND_FACTOR, &stolen, json!({"password": PASSWORD})).await.json();
        let secret = begun["secret"].as_str().unwrap();
        let user = found(&world, &stolen).await.user.id;
        let sealed = second_factors::find(&world.parts.db, user).await.unwrap().unwrap().secret;
        add(&world, &session, &Authenticator::new(), "Phone").await;
        let not_on = (409, String::from("Two-step login is not on"));
        assert_eq!(confirm_app(&world, &stolen, secret).await.error(), not_on, "it ended with the passkey");

        // As where both were begun and added at one moment.
        let mut tx = world.parts.db.begin().await.unwrap();
        assert!(second_factors::begin(&mut tx, user, &sealed, world.app.now()).await.unwrap());
        tx.commit().await.unwrap();
        assert_eq!(confirm_app(&world, &stolen, secret).await.error(), not_given());
        assert_eq!(found(&world, &stolen).await.proved_at, None);
        assert_eq!(confirm_app(&world, &session, secret).await.status, 200, "this one has given it");
    });
}

#[test]
fn a_passkey_that_was_begun_before_another_second_factor_is_not_added_without_it() {
    // [AUTH245]
    on_both_engines(async |world: World| {
        for (email, passkeys) in [(EMAIL, 0), ("ravi@example.com", 1)] {
            let session = world.photographer(email).await;
            let stolen = token(&log_in(&world, json!({"email": email})).await);
            let begun = world.post(PATH, &stolen, json!({"password": PASSWORD})).await.json();
            if passkeys == 0 {
                turn_on(&world, &session).await;
            } else {
                add(&world, &session, &Authenticator::new(), "Phone").await;
            }
            let mut body = Authenticator::new().create(&begun);
            body["name"] = json!("Key");
            let refused = world.post(&format!("{PATH}/confirm"), &stolen, body).await;
            assert_eq!(refused.error(), not_given(), "{email}");
            assert_eq!(found(&world, &stolen).await.proved_at, None, "{email}");
            assert_eq!(world.get(SECOND_FACTOR, &session).await.json()["passkeys"], passkeys, "{email}");
        }
    });
}

fn not_added() -> (u16, String) {
    (400, String::from("This passkey could not be added. Please try again, or use another device."))
}

async fn begin(world: &World, session: &str, password: &str) -> Value {
    let begun = world.post(PATH, session, json!({"password": password})).await;
    assert_eq!(begun.status, 200, "{}", String::from_utf8_lossy(&begun.bytes));
    begun.json()
}

#[test]
fn a_passkey_that_is_under_way_ends_with_the_password() {
    // [AUTH249]
    on_both_engines(async |world: World| {
        let confirm = async |session: &str, begun: &Value| {
            let mut body = Authenticator::new().create(begun);
            body["name"] = json!("Key");
            world.post(&format!("{PATH}/confirm"), session, body).await.error()
        };
        let session = world.photographer(EMAIL).await;
        let begun = begin(&world, &session, PASSWORD).await;
        let body = json!({"current_password": PASSWORD, "new_password": "another horse"});
        assert_eq!(world.post("/api/auth/change-password", &session, body).await.status, 200);
        assert_eq!(confirm(&session, &begun).await, not_added(), "it was changed");

        let begun = begin(&world, &session, "another horse").await;
        world.post("/api/auth/forgot-password", "", json!({"email": EMAIL})).await;
        let link = world.token_mailed_to(EMAIL, "reset-password").await;
        let body = json!({"token": link, "password": PASSWORD});
        assert_eq!(world.post("/api/auth/reset-password", "", body).await.status, 200);
        let session = token(&log_in(&world, json!({})).await);
        assert_eq!(confirm(&session, &begun).await, not_added(), "a mail has set it");

        let begun = begin(&world, &session, PASSWORD).await;
        let user = found(&world, &session).await.user.id;
        let body = json!({"email": "intruder@example.com", "current_password": PASSWORD});
        assert_eq!(world.put("/api/auth/update-profile", &session, body).await.status, 200);
        let link = world.token_mailed_to(EMAIL, "revoke-email-change").await;
        assert_eq!(world.post("/api/auth/revoke-email-change", "", json!({"token": link})).await.status, 200);
        // Nobody is logged in then.
        let challenge = hash_token(begun["challenge"].as_str().unwrap());
        let mut tx = world.parts.db.begin().await.unwrap();
        let now = world.app.now();
        let taken = passkeys::take(&mut tx, user, Purpose::Registration, &challenge, now).await.unwrap();
        assert_eq!(taken, None, "a change of address was taken back");
    });
}

#[test]
fn a_passkey_is_not_added_by_a_session_that_has_ended_since_its_request_was_let_in() {
    // [AUTH249]
    on_both_engines(async |world: World| {
        let session = world.photographer(EMAIL).await;
        let stolen = token(&log_in(&world, json!({})).await);
        let user = found(&world, &stolen).await.user;
        let body = Authenticator::new().create(&begin(&world, &stolen, PASSWORD).await);
        let part = |name: &str| body[name].as_str().unwrap().to_owned();
        let attestation = Attestation {
            client_data_json: part("client_data_json"),
            attestation_object: part("attestation_object"),
        };
        // As a new password does that comes in between.
        let mut tx = world.parts.db.begin().await.unwrap();
        sessions::end_others(&mut tx, user.id, &hash_token(&session), world.app.now()).await.unwrap();
        tx.commit().await.unwrap();
        let added = app::accounts::passkeys::confirm(&world.app, &user, &stolen, "Key", &attestation).await;
        assert!(matches!(added, Err(Failure::Refused(Refusal::SignInRequired))));
        assert_eq!(world.get(SECOND_FACTOR, &session).await.json()["passkeys"], 0);
    });
}
