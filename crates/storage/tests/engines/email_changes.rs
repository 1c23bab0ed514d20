//! What the two addresses say of a change from one to the other.

use domain::accounts::{EmailAddress, User};
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
