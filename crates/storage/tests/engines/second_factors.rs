//! Second factors of accounts.

use domain::accounts::devices::Device;
use domain::accounts::tokens::hash_token;
use storage::accounts::{second_factors, sessions, users};

use crate::world::{DAY, worlds};

#[tokio::test]
async fn a_second_factor_is_confirmed_once_and_its_codes_are_taken_once() {
    // [AUTH206] [AUTH207]
    for world in worlds().await {
        let (user, other) = (world.user("a@example.com").await, world.user("b@example.com").await);
        let (old, secret, codes) = (vec![1; 48], vec![2; 48], [hash_token("1"), hash_token("2")]);
        let now = world.now();
        let found = async |user| second_factors::find(&world.db, user).await.unwrap();
        assert_eq!(found(user).await, None);
        let mut tx = world.begin().await;
        assert!(second_factors::begin(&mut tx, user, &old, now).await.unwrap());
        assert!(second_factors::begin(&mut tx, user, &secret, now).await.unwrap(), "it was not confirmed");
        assert!(!second_factors::take_step(&mut tx, user, 7, now).await.unwrap(), "nor is it now");
        assert!(!second_factors::confirm(&mut tx, user, &old, 7, now).await.unwrap());
        tx.commit().await.unwrap();
        let begun = found(user).await.unwrap();
        assert_eq!((begun.confirmed_at, begun.last_used_at), (None, None));
        let left = async |user| second_factors::recovery_codes(&world.db, user).await.unwrap();
        assert_eq!(left(user).await, 0);
        assert_eq!(begun.secret, secret);

        let mut tx = world.begin().await;
        assert!(second_factors::confirm(&mut tx, user, &secret, 7, now).await.unwrap());
        assert!(!second_factors::confirm(&mut tx, user, &secret, 8, now).await.unwrap());
        second_factors::add_recovery_codes(&mut tx, user, &codes).await.unwrap();
        assert!(!second_factors::begin(&mut tx, user, &old, now).await.unwrap());
        tx.commit().await.unwrap();
        let on = found(user).await.unwrap();
        assert_eq!((on.confirmed_at, on.last_used_at), (Some(now), Some(now)));
        assert_eq!((left(user).await, left(other).await), (2, 0));

        let later = now.plus(DAY);
        let mut tx = world.begin().await;
        for (step, is_taken) in [(7, false), (6, false), (9, true), (9, false), (8, false), (10, true)] {
            assert_eq!(
                second_factors::take_step(&mut tx, user, step, later).await.unwrap(),
                is_taken,
                "{step}"
            );
        }
        assert!(!second_factors::take_recovery_code(&mut tx, other, &codes[0], later).await.unwrap());
        assert!(second_factors::take_recovery_code(&mut tx, user, &codes[0], later).await.unwrap());
        assert!(!second_factors::take_recovery_code(&mut tx, user, &codes[0], later).await.unwrap());
        tx.commit().await.unwrap();
        let used = found(user).await.unwrap();
        assert_eq!((used.last_used_at, left(user).await), (Some(later), 1));
        assert_eq!(found(other).await, None);
    }
}

#[tokio::test]
async fn a_second_factor_goes_with_what_it_proved_and_with_its_account() {
    // [AUTH209] [ACC052]
    for world in worlds().await {
        let (user, other) = (world.user("a@example.com").await, world.user("b@example.com").await);
        let (hash, now) = (hash_token("session"), world.now());
        let mut tx = world.begin().await;
        sessions::create(&mut tx, &hash, user, &Device::default(), now, now.plus(DAY)).await.unwrap();
        for user in [user, other] {
            let (secret, code) = (vec![3; 48], hash_token(&user.to_string()));
            second_factors::begin(&mut tx, user, &secret, now).await.unwrap();
            second_factors::confirm(&mut tx, user, &secret, 7, now).await.unwrap();
            second_factors::add_recovery_codes(&mut tx, user, &[code]).await.unwrap();
        }
        sessions::prove(&mut tx, &hash, now).await.unwrap();
        tx.commit().await.unwrap();
        let proved_at = async || sessions::find(&world.db, &hash, now).await.unwrap().unwrap().proved_at;
        assert_eq!(proved_at().await, Some(now));
        let listed = sessions::list(&world.db, user, now, now.minus(DAY)).await.unwrap();
        assert_eq!(listed[0].proved_at, Some(now));

        let mut tx = world.begin().await;
        assert!(second_factors::remove(&mut tx, user).await.unwrap());
        assert!(!second_factors::remove(&mut tx, user).await.unwrap());
        assert!(users::close(&mut tx, other, now).await.unwrap());
        tx.commit().await.unwrap();
        assert_eq!(proved_at().await, None);
        for user in [user, other] {
            assert_eq!(second_factors::find(&world.db, user).await.unwrap(), None);
            assert_eq!(second_factors::recovery_codes(&world.db, user).await.unwrap(), 0);
        }
        let mut tx = world.begin().await;
        assert!(second_factors::begin(&mut tx, user, &[4; 48], now).await.unwrap());
        assert!(!second_factors::remove(&mut tx, user).await.unwrap(), "one that was not confirmed is none");
        tx.commit().await.unwrap();
    }
}

#[tokio::test]
async fn a_secret_that_waits_can_be_deleted_and_one_that_is_confirmed_stays() {
    // [AUTH247]
    for world in worlds().await {
        let (user, other) = (world.user("a@example.com").await, world.user("b@example.com").await);
        let (now, later) = (world.now(), world.now().plus(DAY));
        let begun_at = async |user| {
            let factor = second_factors::find(&world.db, user).await.unwrap();
            factor.map(|factor| factor.begun_at)
        };
        let mut tx = world.begin().await;
        for user in [user, other] {
            assert!(second_factors::begin(&mut tx, user, &[1; 48], now).await.unwrap());
        }
        tx.commit().await.unwrap();
        assert_eq!(begun_at(user).await, Some(now));
        let mut tx = world.begin().await;
        assert!(second_factors::begin(&mut tx, user, &[2; 48], later).await.unwrap());
        tx.commit().await.unwrap();
        assert_eq!(begun_at(user).await, Some(later), "it was begun anew");
        let mut tx = world.begin().await;
        second_factors::delete_unconfirmed(&mut tx, user).await.unwrap();
        assert!(second_factors::confirm(&mut tx, other, &[1; 48], 7, later).await.unwrap());
        second_factors::delete_unconfirmed(&mut tx, other).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!((begun_at(user).await, begun_at(other).await), (None, Some(now)));
    }
}
