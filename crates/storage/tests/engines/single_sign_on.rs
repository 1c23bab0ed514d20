//! Logins at a provider that open accounts, those under way, and tickets.

use domain::accounts::tokens::hash_token;
use domain::{Timestamp, UserId};
use storage::accounts::single_sign_on::{self, Attempt, Identity, Ticket};
use storage::accounts::users;

use crate::world::{DAY, World, worlds};

const ISSUER: &str = "https://login.example";

async fn link(world: &World, user: UserId, issuer: &str, subject: &str) -> bool {
    let mut tx = world.begin().await;
    let linked = single_sign_on::link(&mut tx, user, issuer, subject, world.now()).await.unwrap();
    tx.commit().await.unwrap();
    linked
}

#[tokio::test]
async fn a_login_at_a_provider_opens_one_account_which_has_no_other() {
    // [AUTH229]
    for world in worlds().await {
        let (user, other) = (world.user("a@example.com").await, world.user("b@example.com").await);
        let now = world.now();
        let of = async |user, issuer| single_sign_on::of_user(&world.db, user, issuer).await.unwrap();
        let opened =
            async |issuer, subject| single_sign_on::user_of(&world.db, issuer, subject).await.unwrap();
        assert!(link(&world, user, ISSUER, "p1").await);
        assert!(!link(&world, other, ISSUER, "p1").await, "it opens an account");
        assert!(!link(&world, user, ISSUER, "p2").await, "the account has one");
        // Another provider has other people of the same name.
        assert!(link(&world, other, "https://other.example", "p1").await);
        assert!(link(&world, other, ISSUER, "P1").await);
        assert_eq!(opened(ISSUER, "p1").await, Some(user));
        assert_eq!(opened(ISSUER, "P1").await, Some(other));
        assert_eq!(opened(ISSUER, "p2").await, None);
        let fresh = Identity { subject: String::from("p1"), linked_at: now, last_used_at: None };
        assert_eq!(of(user, ISSUER).await, Some(fresh.clone()));
        assert_eq!(of(user, "https://other.example").await, None);

        let mut tx = world.begin().await;
        let later = now.plus(DAY);
        assert!(single_sign_on::record_use(&mut tx, user, ISSUER, "p1", later).await.unwrap());
        assert!(!single_sign_on::record_use(&mut tx, other, ISSUER, "p1", later).await.unwrap());
        tx.commit().await.unwrap();
        assert_eq!(of(user, ISSUER).await, Some(Identity { last_used_at: Some(later), ..fresh }));

        let mut tx = world.begin().await;
        assert!(single_sign_on::unlink(&mut tx, user, ISSUER).await.unwrap());
        assert!(!single_sign_on::unlink(&mut tx, user, ISSUER).await.unwrap());
        assert!(!single_sign_on::record_use(&mut tx, user, ISSUER, "p1", later).await.unwrap());
        tx.commit().await.unwrap();
        assert!(link(&world, user, ISSUER, "p2").await);
        assert_eq!(opened("https://other.example", "p1").await, Some(other));

        let mut tx = world.begin().await;
        single_sign_on::unlink_all(&mut tx, other).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!((opened("https://other.example", "p1").await, opened(ISSUER, "P1").await), (None, None));
        assert_eq!(opened(ISSUER, "p2").await, Some(user));
    }
}

fn attempt(user: Option<UserId>) -> Attempt {
    Attempt {
        nonce: String::from("nonce"),
        verifier: String::from("verifier"),
        path: String::from("/admin/events"),
        user,
    }
}

async fn begin(world: &World, state: &str, user: Option<UserId>, now: Timestamp, end: Timestamp) {
    let mut tx = world.begin().await;
    let (state, browser) = (hash_token(state), hash_token("browser"));
    single_sign_on::begin(&mut tx, &state, &browser, &attempt(user), now, end).await.unwrap();
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn a_login_that_waits_is_taken_once_by_its_browser() {
    // [AUTH223]
    for world in worlds().await {
        let user = world.user("a@example.com").await;
        let (now, end) = (world.now(), world.now().plus(DAY));
        begin(&world, "one", None, now, end).await;
        begin(&world, "two", Some(user), now, end).await;
        let mut tx = world.begin().await;
        for (state, browser, at) in
            [("one", "another", now), ("another", "browser", now), ("one", "browser", end)]
        {
            let (state, browser) = (hash_token(state), hash_token(browser));
            assert_eq!(single_sign_on::take(&mut tx, &state, &browser, at).await.unwrap(), None);
        }
        let browser = hash_token("browser");
        for (state, user) in [("one", None), ("two", Some(user))] {
            let state = hash_token(state);
            let waits = single_sign_on::waiting(&tx, &state, &browser, now).await.unwrap();
            assert_eq!(waits, Some(attempt(user)));
            let taken = single_sign_on::take(&mut tx, &state, &browser, now).await.unwrap();
            assert_eq!(taken, Some(attempt(user)));
            assert_eq!(single_sign_on::take(&mut tx, &state, &browser, now).await.unwrap(), None, "once");
        }
        tx.commit().await.unwrap();

        // What has expired goes with the next one, and what was to be linked with the link.
        begin(&world, "three", None, now, end).await;
        begin(&world, "four", Some(user), end, end.plus(DAY)).await;
        let mut tx = world.begin().await;
        let three = single_sign_on::take(&mut tx, &hash_token("three"), &browser, now).await;
        assert_eq!(three.unwrap(), None);
        single_sign_on::unlink(&mut tx, user, ISSUER).await.unwrap();
        assert_eq!(single_sign_on::take(&mut tx, &hash_token("four"), &browser, now).await.unwrap(), None);
        tx.commit().await.unwrap();
    }
}

#[tokio::test]
async fn a_ticket_is_used_once_in_its_browser_or_in_any() {
    // [AUTH227] [AUTH236] [AUTH240]
    for world in worlds().await {
        let user = world.user("a@example.com").await;
        let (now, end) = (world.now(), world.now().plus(DAY));
        let ticket = Ticket { user, is_proved: true, path: String::from("/admin/events") };
        let (own, any, browser) = (hash_token("own"), hash_token("any"), hash_token("browser"));
        let mut tx = world.begin().await;
        single_sign_on::add_ticket(&mut tx, &own, Some(&browser), &ticket, now, end).await.unwrap();
        single_sign_on::add_ticket(&mut tx, &any, None, &ticket, now, end).await.unwrap();
        tx.commit().await.unwrap();
        let found = async |hash, browser: &str, at| {
            single_sign_on::ticket(&world.db, hash, &hash_token(browser), at).await.unwrap().is_some()
        };
        assert_eq!(
            single_sign_on::ticket(&world.db, &own, &browser, now).await.unwrap(),
            Some(ticket.clone())
        );
        assert!(!found(&own, "another", now).await && !found(&own, "", now).await);
        assert!(found(&any, "another", now).await && found(&any, "", now).await);
        assert!(!found(&any, "", end).await);

        let mut tx = world.begin().await;
        assert!(single_sign_on::use_ticket(&mut tx, &own).await.unwrap());
        assert!(!single_sign_on::use_ticket(&mut tx, &own).await.unwrap());
        tx.commit().await.unwrap();
        assert!(!found(&own, "browser", now).await);

        let mut tx = world.begin().await;
        let late = hash_token("late");
        single_sign_on::add_ticket(&mut tx, &late, None, &ticket, end, end.plus(DAY)).await.unwrap();
        tx.commit().await.unwrap();
        assert!(!found(&any, "", now).await, "it had expired when another one was given");

        assert!(found(&late, "", end).await);
        begin(&world, "state", Some(user), now, end).await;
        let mut tx = world.begin().await;
        single_sign_on::end_under_way(&mut tx, user).await.unwrap();
        single_sign_on::add_ticket(&mut tx, &any, None, &ticket, now, end).await.unwrap();
        tx.commit().await.unwrap();
        assert!(!found(&late, "", end).await);
        let state = hash_token("state");
        assert_eq!(single_sign_on::waiting(&world.db, &state, &browser, now).await.unwrap(), None);

        begin(&world, "state", Some(user), now, end).await;
        assert!(link(&world, user, ISSUER, "p1").await);
        let mut tx = world.begin().await;
        users::close(&mut tx, user, now).await.unwrap();
        tx.commit().await.unwrap();
        assert!(!found(&any, "", now).await);
        assert_eq!(single_sign_on::user_of(&world.db, ISSUER, "p1").await.unwrap(), None);
    }
}

#[tokio::test]
async fn whoever_has_unlinked_an_account_has_declined_until_it_is_linked_again() {
    // [AUTH248]
    for world in worlds().await {
        let (user, other) = (world.user("a@example.com").await, world.user("b@example.com").await);
        let is_declined = async |user| single_sign_on::is_declined(&world.db, user).await.unwrap();
        assert!(!is_declined(user).await);
        let mut tx = world.begin().await;
        single_sign_on::decline(&mut tx, user, world.now()).await.unwrap();
        single_sign_on::unlink_all(&mut tx, user).await.unwrap();
        single_sign_on::end_under_way(&mut tx, user).await.unwrap();
        tx.commit().await.unwrap();
        assert!(is_declined(user).await && !is_declined(other).await);
        let mut tx = world.begin().await;
        single_sign_on::forget_decline(&mut tx, user).await.unwrap();
        tx.commit().await.unwrap();
        assert!(!is_declined(user).await);
    }
}
