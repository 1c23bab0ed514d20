//! The passkeys of accounts, and their challenges.

use std::time::Duration;

use domain::accounts::devices::Device;
use domain::accounts::passkeys::Purpose;
use domain::accounts::tokens::hash_token;
use domain::{PasskeyId, Timestamp, UserId};
use storage::accounts::passkeys::{self, Passkey};
use storage::accounts::{second_factors, sessions, users};

use crate::world::{DAY, World, worlds};

fn passkey(world: &World, credential: u8, at: Timestamp) -> Passkey {
    Passkey {
        id: world.randomness.id::<PasskeyId>(&world.clock),
        credential_id: vec![credential; 20],
        public_key: vec![7; 77],
        name: format!("Key {credential}"),
        sign_count: 0,
        created_at: at,
        last_used_at: None,
    }
}

async fn add(world: &World, user: UserId, passkey: &Passkey) -> bool {
    let mut tx = world.begin().await;
    let added = passkeys::create(&mut tx, user, passkey).await.unwrap();
    tx.commit().await.unwrap();
    added
}

#[tokio::test]
async fn a_passkey_is_on_one_account_and_counts_on() {
    // [AUTH212] [AUTH215]
    for world in worlds().await {
        let (user, other) = (world.user("a@example.com").await, world.user("b@example.com").await);
        let now = world.now();
        let (first, second) = (passkey(&world, 1, now), passkey(&world, 2, now.plus(DAY)));
        assert!(add(&world, user, &first).await);
        assert!(add(&world, user, &second).await);
        for taken in [user, other] {
            let again = Passkey { id: passkey(&world, 1, now).id, ..first.clone() };
            assert!(!add(&world, taken, &again).await, "it is on an account already");
        }
        let list = async |user| passkeys::list(&world.db, user).await.unwrap();
        assert_eq!(list(user).await, [second.clone(), first.clone()]);
        assert_eq!(list(other).await, []);
        assert_eq!(passkeys::count(&world.db, user).await.unwrap(), 2);
        assert_eq!(passkeys::count(&world.db, other).await.unwrap(), 0);

        let mut tx = world.begin().await;
        // Those that are kept on several devices say 0 each time; of any other one that does not count on there are two.
        for (count, is_good) in
            [(0, true), (0, true), (3, true), (3, false), (2, false), (0, false), (4, true)]
        {
            let used = passkeys::record_use(&mut tx, user, first.id, count, now.plus(DAY)).await.unwrap();
            assert_eq!(used, is_good, "{count}");
        }
        assert!(!passkeys::record_use(&mut tx, other, first.id, 9, now).await.unwrap(), "another account's");
        tx.commit().await.unwrap();
        let used = Passkey { sign_count: 4, last_used_at: Some(now.plus(DAY)), ..first.clone() };
        assert_eq!(list(user).await, [second.clone(), used]);

        let mut tx = world.begin().await;
        assert!(!passkeys::delete(&mut tx, other, first.id).await.unwrap(), "another account's");
        assert!(passkeys::delete(&mut tx, user, first.id).await.unwrap());
        assert!(!passkeys::delete(&mut tx, user, first.id).await.unwrap());
        assert!(!passkeys::record_use(&mut tx, user, first.id, 9, now).await.unwrap(), "it is gone");
        tx.commit().await.unwrap();
        assert_eq!(list(user).await, [second]);
        let mut tx = world.begin().await;
        assert_eq!(passkeys::delete_all(&mut tx, other).await.unwrap(), 0);
        assert_eq!(passkeys::delete_all(&mut tx, user).await.unwrap(), 1);
        tx.commit().await.unwrap();
        assert_eq!(list(user).await, []);
    }
}

#[tokio::test]
async fn recovery_codes_and_proofs_go_with_the_last_second_factor() {
    // [AUTH217] [ACC052]
    for world in worlds().await {
        let (user, other) = (world.user("a@example.com").await, world.user("b@example.com").await);
        let (hash, now) = (hash_token("session"), world.now());
        let (first, second) = (passkey(&world, 1, now), passkey(&world, 2, now));
        let mut tx = world.begin().await;
        sessions::create(&mut tx, &hash, user, &Device::default(), now, now.plus(DAY)).await.unwrap();
        sessions::prove(&mut tx, &hash, now).await.unwrap();
        for passkey in [&first, &second] {
            assert!(passkeys::create(&mut tx, user, passkey).await.unwrap());
        }
        second_factors::add_recovery_codes(&mut tx, user, &[hash_token("1")]).await.unwrap();
        second_factors::begin(&mut tx, user, &[3; 48], now).await.unwrap();
        second_factors::confirm(&mut tx, user, &[3; 48], 7, now).await.unwrap();
        tx.commit().await.unwrap();
        let left = async || {
            let session = sessions::find(&world.db, &hash, now).await.unwrap().unwrap();
            (second_factors::recovery_codes(&world.db, user).await.unwrap(), session.proved_at.is_some())
        };
        let mut tx = world.begin().await;
        assert!(second_factors::remove(&mut tx, user).await.unwrap());
        assert!(passkeys::delete(&mut tx, user, first.id).await.unwrap());
        tx.commit().await.unwrap();
        assert_eq!(left().await, (1, true), "a passkey is left");
        let mut tx = world.begin().await;
        second_factors::begin(&mut tx, user, &[4; 48], now).await.unwrap();
        assert!(passkeys::delete(&mut tx, user, second.id).await.unwrap());
        tx.commit().await.unwrap();
        assert_eq!(left().await, (0, false), "an app that was not confirmed is none");

        let third = passkey(&world, 3, now);
        let mut tx = world.begin().await;
        assert!(passkeys::create(&mut tx, other, &third).await.unwrap());
        let challenge = hash_token("challenge");
        passkeys::begin(&mut tx, other, Purpose::Login, &challenge, "{}", now, now.plus(DAY)).await.unwrap();
        assert!(users::close(&mut tx, other, now).await.unwrap());
        let taken = passkeys::take(&mut tx, other, Purpose::Login, &challenge, now).await.unwrap();
        assert_eq!(taken, None);
        tx.commit().await.unwrap();
        assert_eq!(passkeys::list(&world.db, other).await.unwrap(), []);
    }
}

#[tokio::test]
async fn a_challenge_is_good_once_for_its_account_and_purpose() {
    // [AUTH214]
    for world in worlds().await {
        let (user, other) = (world.user("a@example.com").await, world.user("b@example.com").await);
        let (now, end) = (world.now(), world.now().plus(DAY));
        let mut tx = world.begin().await;
        for purpose in [Purpose::Registration, Purpose::Login, Purpose::Administration] {
            let (hash, state) = (hash_token(purpose.as_str()), format!("state of {}", purpose.as_str()));
            passkeys::begin(&mut tx, user, purpose, &hash, &state, now, end).await.unwrap();
        }
        let login = hash_token(Purpose::Login.as_str());
        for (account, purpose, hash, at) in [
            (other, Purpose::Login, login, now),
            (user, Purpose::Administration, login, now),
            (user, Purpose::Registration, login, now),
            (user, Purpose::Login, login, end),
            (user, Purpose::Login, hash_token("x"), now),
        ] {
            let taken = passkeys::take(&mut tx, account, purpose, &hash, at).await.unwrap();
            assert_eq!(taken, None, "{purpose:?}");
        }
        let taken = passkeys::take(&mut tx, user, Purpose::Login, &login, now).await.unwrap();
        assert_eq!(taken.as_deref(), Some("state of login"));
        assert_eq!(passkeys::take(&mut tx, user, Purpose::Login, &login, now).await.unwrap(), None, "once");
        // One that was asked before there were states.
        passkeys::begin(&mut tx, user, Purpose::Login, &login, "", now, end).await.unwrap();
        assert_eq!(
            passkeys::take(&mut tx, user, Purpose::Login, &login, now).await.unwrap(),
            None,
            "asked before"
        );
        tx.commit().await.unwrap();

        // Ten wait, and those that have expired go.
        let mut tx = world.begin().await;
        let hash = |n: u32| hash_token(&format!("challenge {n}"));
        for n in 0..12 {
            let expires_at = end.plus(Duration::from_secs(n.into()));
            passkeys::begin(&mut tx, user, Purpose::Login, &hash(n), "{}", now, expires_at).await.unwrap();
        }
        let mut kept = Vec::new();
        for n in 0..12 {
            if passkeys::take(&mut tx, user, Purpose::Login, &hash(n), now).await.unwrap().is_some() {
                kept.push(n);
            }
        }
        assert_eq!(kept, (2..12).collect::<Vec<_>>());
        passkeys::begin(&mut tx, other, Purpose::Login, &hash(20), "{}", end, end.plus(DAY)).await.unwrap();
        let administration = hash_token(Purpose::Administration.as_str());
        let taken = passkeys::take(&mut tx, user, Purpose::Administration, &administration, now).await;
        assert_eq!(taken.unwrap(), None, "it had expired when another one was drawn");
        tx.commit().await.unwrap();
    }
}

#[tokio::test]
async fn the_challenges_of_an_account_end_together() {
    // [AUTH249]
    for world in worlds().await {
        let (user, other) = (world.user("a@example.com").await, world.user("b@example.com").await);
        let (now, end) = (world.now(), world.now().plus(DAY));
        let (own, others) = (hash_token("own"), hash_token("others"));
        let mut tx = world.begin().await;
        for (user, hash) in [(user, &own), (other, &others)] {
            passkeys::begin(&mut tx, user, Purpose::Registration, hash, "{}", now, end).await.unwrap();
        }
        passkeys::end_under_way(&mut tx, user, now).await.unwrap();
        let taken = passkeys::take(&mut tx, user, Purpose::Registration, &own, now).await.unwrap();
        assert_eq!(taken, None);
        let taken = passkeys::take(&mut tx, other, Purpose::Registration, &others, now).await.unwrap();
        assert!(taken.is_some(), "another account's");
        tx.commit().await.unwrap();
    }
}
