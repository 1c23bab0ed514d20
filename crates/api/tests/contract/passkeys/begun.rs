//! Second factors that were begun before another one was added, by a session that has not given that one.

use domain::accounts::tokens::hash_token;
use serde_json::json;
use storage::accounts::second_factors;
use storage::accounts::sessions::{self, Session};

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
