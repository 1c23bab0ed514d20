//! Links that were mailed.

use std::time::Duration;

use domain::accounts::tokens::hash_token;
use domain::accounts::{EmailAddress, LinkPurpose};
use storage::accounts::links::{self, NewLink};

use crate::world::{DAY, worlds};

fn address(text: &str) -> EmailAddress {
    EmailAddress::parse(text).unwrap()
}

#[tokio::test]
async fn a_link_is_used_once_and_stays_known() {
    // [AUTH061] [AUTH077]
    for world in worlds().await {
        let db = &world.db;
        let user = world.user("a@example.com").await;
        let now = world.now();
        let link = |token: &str, purpose| NewLink {
            hash: hash_token(token),
            purpose,
            user,
            email: address("a@example.com"),
            new_email: None,
            created_at: now,
            expires_at: now.plus(DAY),
        };
        let mut tx = world.begin().await;
        links::create(&mut tx, &link("verify", LinkPurpose::VerifyEmail)).await.unwrap();
        links::create(&mut tx, &link("reset", LinkPurpose::ResetPassword)).await.unwrap();
        links::create(&mut tx, &link("reset again", LinkPurpose::ResetPassword)).await.unwrap();
        tx.commit().await.unwrap();

        let fresh = links::find(db, &hash_token("verify")).await.unwrap().unwrap();
        assert_eq!((fresh.purpose, fresh.user, fresh.used_at), (LinkPurpose::VerifyEmail, user, None));
        assert_eq!(
            (fresh.email, fresh.created_at, fresh.expires_at),
            (address("a@example.com"), now, now.plus(DAY))
        );
        assert!(links::find(db, &hash_token("made up")).await.unwrap().is_none());

        let mut tx = world.begin().await;
        links::lock_all(&mut tx, user, LinkPurpose::ResetPassword).await.unwrap();
        assert!(links::consume(&mut tx, &hash_token("reset"), now).await.unwrap());
        assert!(!links::consume(&mut tx, &hash_token("reset"), now.plus(DAY)).await.unwrap());
        links::consume_all(&mut tx, user, LinkPurpose::ResetPassword, now.plus(DAY)).await.unwrap();
        tx.commit().await.unwrap();
        let used_at = async |token: &str| links::find(db, &hash_token(token)).await.unwrap().unwrap().used_at;
        assert_eq!(used_at("reset").await, Some(now));
        assert_eq!(used_at("reset again").await, Some(now.plus(DAY)));
        assert_eq!(used_at("verify").await, None);

        let mut tx = world.begin().await;
        assert_eq!(links::delete_expired(&mut tx, now).await.unwrap(), 0);
        assert_eq!(links::delete_expired(&mut tx, now.plus(DAY)).await.unwrap(), 3);
        tx.commit().await.unwrap();
    }
}

#[tokio::test]
async fn of_two_links_that_are_followed_at_one_moment_the_second_waits_and_is_used() {
    // [AUTH077]
    for world in worlds().await {
        let user = world.user("a@example.com").await;
        let now = world.now();
        let mut tx = world.begin().await;
        for token in ["first", "second"] {
            let link = NewLink {
                hash: hash_token(token),
                purpose: LinkPurpose::ResetPassword,
                user,
                email: address("a@example.com"),
                new_email: None,
                created_at: now,
                expires_at: now.plus(DAY),
            };
            links::create(&mut tx, &link).await.unwrap();
        }
        tx.commit().await.unwrap();

        let mut first = world.begin().await;
        links::lock_all(&mut first, user, LinkPurpose::ResetPassword).await.unwrap();
        let second = async {
            let mut second = world.begin().await;
            links::lock_all(&mut second, user, LinkPurpose::ResetPassword).await.unwrap();
            links::consume(&mut second, &hash_token("second"), now).await.unwrap()
        };
        let first = async {
            // Long enough for the other to come to its own link, if nothing held it.
            tokio::time::sleep(Duration::from_millis(100)).await;
            assert!(links::consume(&mut first, &hash_token("first"), now).await.unwrap());
            links::consume_all(&mut first, user, LinkPurpose::ResetPassword, now).await.unwrap();
            first.commit().await.unwrap();
        };
        let (is_used_again, ()) = tokio::join!(second, first);
        assert!(!is_used_again, "the first took the other with it");
    }
}

#[tokio::test]
async fn the_links_of_a_cancelled_change_of_address_are_deleted() {
    // [ACC086] [ACC208]
    for world in worlds().await {
        let db = &world.db;
        let user = world.user("a@example.com").await;
        let other = world.user("b@example.com").await;
        let now = world.now();
        let link = |token: &str, user, purpose, email: &str| NewLink {
            hash: hash_token(token),
            purpose,
            user,
            email: address(email),
            new_email: None,
            created_at: now,
            expires_at: now.plus(DAY),
        };
        let (verify, reset) = (LinkPurpose::VerifyEmail, LinkPurpose::ResetPassword);
        let mut tx = world.begin().await;
        for new in [
            link("current", user, verify, "a@example.com"),
            link("pending", user, verify, "new@example.com"),
            link("used", user, verify, "former@example.com"),
            link("reset", user, reset, "former@example.com"),
            link("revoke", user, LinkPurpose::RevokeEmailChange, "former@example.com"),
            link("other", other, verify, "new@example.com"),
        ] {
            links::create(&mut tx, &new).await.unwrap();
        }
        let new_email = Some(address("new@example.com"));
        for (token, user) in [("agree", user), ("agreed", user), ("other agrees", other)] {
            let agreement = link(token, user, LinkPurpose::AgreeToEmailChange, "a@example.com");
            links::create(&mut tx, &NewLink { new_email: new_email.clone(), ..agreement }).await.unwrap();
        }
        for used in ["used", "agreed"] {
            assert!(links::consume(&mut tx, &hash_token(used), now).await.unwrap());
        }
        let agreement = links::find(&mut tx, &hash_token("agree")).await.unwrap().unwrap();
        assert_eq!((agreement.purpose, agreement.new_email), (LinkPurpose::AgreeToEmailChange, new_email));
        links::delete_unused_of_change(&mut tx, user, &address("a@example.com")).await.unwrap();
        tx.commit().await.unwrap();
        for (token, there) in [
            ("current", true),
            ("pending", false),
            ("used", true),
            ("reset", true),
            ("revoke", true),
            ("other", true),
            ("agree", false),
            ("agreed", true),
            ("other agrees", true),
        ] {
            assert_eq!(links::find(db, &hash_token(token)).await.unwrap().is_some(), there, "{token}");
        }
    }
}
