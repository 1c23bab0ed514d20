//! Passkeys whose rows the version before has written, which verified their answers itself.

use domain::accounts::tokens::hash_token;
use serde_json::{Value, json};
use storage::accounts::passkeys::{self, Passkey};

use super::{Authenticator, EMAIL, PATH, add, delete, log_in, question, token, wrong};
use crate::harness::{PASSWORD, World, on_both_engines};

/// As the version before did: with the key as the authenticator has sent it, and nothing of its flags.
async fn store(world: &World, session: &str, key: &Authenticator, public_key: Vec<u8>) {
    let now = world.app.now();
    let session = storage::accounts::sessions::find(&world.parts.db, &hash_token(session), now).await;
    let passkey = Passkey {
        id: world.app.id(),
        credential_id: key.id.to_vec(),
        public_key,
        name: String::from("From before"),
        sign_count: key.count.into(),
        created_at: now,
        last_used_at: None,
    };
    let mut tx = world.parts.db.begin().await.unwrap();
    assert!(passkeys::create(&mut tx, session.unwrap().unwrap().user.id, &passkey).await.unwrap());
    tx.commit().await.unwrap();
}

fn ids(question: &Value) -> Vec<&str> {
    question["credentials"].as_array().unwrap().iter().map(|id| id.as_str().unwrap()).collect()
}

#[test]
fn passkeys_of_the_version_before_go_on_working() {
    // [AUTH212] [AUTH213] [AUTH215]
    on_both_engines(async |world: World| {
        let session = world.photographer(EMAIL).await;
        let mut security_key = Authenticator { count: 41, ..Authenticator::new() };
        let mut phone = Authenticator {
            counts: false,
            count: 0,
            is_synced: true,
            knows_its_owner: true,
            ..Authenticator::new()
        };
        for key in [&security_key, &phone] {
            store(&world, &session, key, key.public_key()).await;
        }
        for key in [&mut security_key, &mut phone] {
            for _ in 0..2 {
                let asked = question(&world).await;
                assert!(ids(&asked).contains(&key.id().as_str()));
                token(&log_in(&world, json!({"passkey": key.get(&asked)})).await);
            }
        }
        security_key.count -= 1;
        let answer = security_key.get(&question(&world).await);
        assert_eq!(log_in(&world, json!({"passkey": answer})).await.error(), wrong(), "a copy");
        let mut other = Authenticator { id: phone.id, ..Authenticator::new() };
        let answer = other.get(&question(&world).await);
        assert_eq!(log_in(&world, json!({"passkey": answer})).await.error(), wrong(), "another key");
        // None of them is made a second time.
        let session = token(&log_in(&world, json!({"passkey": phone.get(&question(&world).await)})).await);
        let begun = world.post(PATH, &session, json!({"password": PASSWORD})).await.json();
        assert_eq!(begun["excluded"].as_array().unwrap().len(), 2);
    });
}

#[test]
fn a_passkey_whose_algorithm_is_taken_no_more_is_not_asked_for_and_can_be_removed() {
    // [AUTH212] [AUTH213]
    on_both_engines(async |world: World| {
        let session = world.photographer(EMAIL).await;
        let key = Authenticator::new();
        let added = add(&world, &session, &key, "Key").await;
        // {1: 1, 3: -8, -1: 6, -2: x}: Ed25519.
        let mut ed25519 = vec![0xa4, 0x01, 0x01, 0x03, 0x27, 0x20, 0x06, 0x21, 0x58, 0x20];
        ed25519.extend([7; 32]);
        let mut old = Authenticator::new();
        store(&world, &session, &old, ed25519).await;
        let asked = question(&world).await;
        assert_eq!(ids(&asked), [key.id()]);
        assert_eq!(log_in(&world, json!({"passkey": old.get(&asked)})).await.error(), wrong());

        let id = added["passkey"]["id"].as_str().unwrap();
        assert_eq!(delete(&world, &session, id, json!({"password": PASSWORD})).await.status, 200);
        assert_eq!(question(&world).await, Value::Null, "there is none to ask");
        let code = &added["recovery_codes"][0];
        let session = token(&log_in(&world, json!({"code": code})).await);
        let listed = world.get(PATH, &session).await.json();
        let id = listed["passkeys"][0]["id"].as_str().unwrap();
        assert_eq!(delete(&world, &session, id, json!({"password": PASSWORD})).await.status, 200);
        assert_eq!(log_in(&world, json!({})).await.status, 200);
    });
}
