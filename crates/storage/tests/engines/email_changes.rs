//! What the two addresses say of a change from one to the other.

use std::time::Duration;

use domain::accounts::tokens::hash_token;
use domain::accounts::{EmailAddress, LinkPurpose, User};
use storage::accounts::email_change_notices::{self, Notice};
use storage::accounts::links::{self, NewLink};
use storage::accounts::users;

use crate::world::worlds;

fn address(text: &str) -> EmailAddress {
    EmailAddress::parse(text).unwrap()
}

#[tokio::test]
async fn a_request_for_an_address_begins_without_the_word_of_either_address() {
    // [ACC203] [ACC207]
    for world in worlds().await {
        let user = world.user("old@example.com").await;
        let (old, new) = (address("old@example.com"), address("New@example.com"));
        let said = |user: &User| (user.pending_confirmed, user.pending_needs_agreement);
        let mut tx = world.begin().await;
        assert!(
            users::confirm_pending_email(&mut tx, user, &new).await.unwrap().is_none(),
            "none is pending"
        );
        assert!(users::agree_to_pending_email(&mut tx, user, &new, &old).await.unwrap().is_none());
        users::set_pending_email(&mut tx, user, &new, true).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(said(&world.loaded(user).await), (false, true));

        let mut tx = world.begin().await;
        let other = address("other@example.com");
        assert!(users::confirm_pending_email(&mut tx, user, &other).await.unwrap().is_none());
        assert!(users::agree_to_pending_email(&mut tx, user, &other, &old).await.unwrap().is_none());
        assert!(users::agree_to_pending_email(&mut tx, user, &new, &other).await.unwrap().is_none());
        let confirmed = users::confirm_pending_email(&mut tx, user, &new).await.unwrap().unwrap();
        assert_eq!((said(&confirmed), confirmed.pending_email), ((true, true), Some(new.clone())));
        let current = address("OLD@example.com");
        let agreed = users::agree_to_pending_email(&mut tx, user, &new, &current).await.unwrap().unwrap();
        assert_eq!((said(&agreed), agreed.email), ((true, false), old.clone()));
        tx.commit().await.unwrap();

        let mut tx = world.begin().await;
        users::set_pending_email(&mut tx, user, &new, true).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(said(&world.loaded(user).await), (false, true), "the next request begins anew");

        let mut tx = world.begin().await;
        users::close(&mut tx, user, world.now()).await.unwrap();
        assert!(users::confirm_pending_email(&mut tx, user, &new).await.unwrap().is_none());
        assert!(users::agree_to_pending_email(&mut tx, user, &new, &old).await.unwrap().is_none());
        tx.commit().await.unwrap();
    }
}

#[tokio::test]
async fn notices_to_other_addresses_than_the_one_that_is_restored_end() {
    // [ACC218]
    for world in worlds().await {
        let (user, other) = (world.user("old@example.com").await, world.user("other@example.com").await);
        let (old, new) = (address("old@example.com"), address("new@example.com"));
        let notice = |user, email: &EmailAddress| Notice {
            id: world.id(),
            user,
            email: email.clone(),
            created_at: world.now(),
        };
        let since = world.now();
        let (kept, ended, others) = (notice(user, &old), notice(user, &new), notice(other, &new));
        let before = Notice { created_at: since.minus(Duration::from_millis(1)), ..notice(user, &new) };
        let mut tx = world.begin().await;
        for notice in [&kept, &ended, &others, &before] {
            email_change_notices::create(&mut tx, notice).await.unwrap();
        }
        assert!(email_change_notices::lock(&mut tx, ended.id).await.unwrap());
        assert_eq!(email_change_notices::delete_others(&mut tx, user, &old, since).await.unwrap(), 1);
        assert!(!email_change_notices::lock(&mut tx, ended.id).await.unwrap());
        for notice in [&kept, &others, &before] {
            assert!(email_change_notices::lock(&mut tx, notice.id).await.unwrap());
        }
        tx.commit().await.unwrap();
    }
}

#[tokio::test]
async fn a_change_that_is_taken_back_uses_up_the_links_of_its_address_and_of_later_ones() {
    // [ACC220]
    for world in worlds().await {
        let user = world.user("old@example.com").await;
        let (own, since) = (address("own@example.com"), world.now());
        let link = |name: &str, email: &str, created_at| NewLink {
            hash: hash_token(name),
            purpose: LinkPurpose::RevokeEmailChange,
            user,
            email: address(email),
            new_email: None,
            created_at,
            expires_at: created_at.plus(LinkPurpose::RevokeEmailChange.lifetime()),
        };
        let earlier = since.minus(Duration::from_millis(1));
        let made = [
            link("own", "own@example.com", earlier),
            link("later", "other@example.com", since),
            link("earlier", "other@example.com", earlier),
        ];
        let mut tx = world.begin().await;
        for link in &made {
            links::create(&mut tx, link).await.unwrap();
        }
        links::consume_revocations(&mut tx, user, &own, since, since).await.unwrap();
        tx.commit().await.unwrap();
        let mut used = Vec::new();
        for link in &made {
            used.push(links::find(&world.db, &link.hash).await.unwrap().unwrap().used_at);
        }
        assert_eq!(used, [Some(since), Some(since), None]);
    }
}
