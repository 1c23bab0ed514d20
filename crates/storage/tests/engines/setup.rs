//! The link that makes the first account, administrators, and who is the first.

use domain::accounts::tokens::hash_token;
use futures::future::join_all;
use std::time::Duration;
use storage::accounts::{setup, users};

use crate::parity::change;
use crate::world::{DAY, World, worlds};

async fn renew(world: &World, token: &str, lifetime: Duration) -> bool {
    let mut tx = world.begin().await;
    let expires_at = world.now().plus(lifetime);
    let renewed = setup::renew_link(&mut tx, &hash_token(token), expires_at).await.unwrap();
    tx.commit().await.unwrap();
    renewed
}

async fn use_link(world: &World, token: &str) -> bool {
    let mut tx = world.begin().await;
    let used = setup::use_link(&mut tx, &hash_token(token), world.now()).await.unwrap();
    tx.commit().await.unwrap();
    used
}

async fn end(world: &World) -> bool {
    let mut tx = world.begin().await;
    let first = setup::end(&mut tx, world.now()).await.unwrap();
    tx.commit().await.unwrap();
    first
}

#[tokio::test]
async fn a_link_takes_the_place_of_the_one_before_and_works_once() {
    // [SETUP002] [SETUP003] [SETUP004]
    for world in worlds().await {
        let expiry = async |token: &str| setup::link_expiry(&world.db, &hash_token(token)).await.unwrap();
        assert!(renew(&world, "first", DAY).await);
        assert!(renew(&world, "second", DAY).await);
        assert_eq!(expiry("first").await, None);
        assert_eq!(expiry("second").await, Some(world.now().plus(DAY)));
        assert!(!use_link(&world, "first").await);
        world.clock.advance(DAY);
        assert!(!use_link(&world, "second").await, "it has expired");
        assert!(renew(&world, "third", DAY).await);
        assert!(use_link(&world, "third").await);
        assert!(!use_link(&world, "third").await);
        assert_eq!(expiry("third").await, None);
        assert!(!renew(&world, "fourth", DAY).await, "somebody has begun to make an account");
        assert!(!end(&world).await);
    }
}

#[tokio::test]
async fn there_is_no_link_once_somebody_has_an_account() {
    // [SETUP003] [SETUP009]
    for world in worlds().await {
        assert!(renew(&world, "printed", DAY).await);
        // As if an older version, or a restored backup, had made it.
        let user = world.user("meera@example.com").await;
        assert!(!use_link(&world, "printed").await);
        assert!(!renew(&world, "again", DAY).await);
        assert!(!end(&world).await, "it is not the first one");
        let mut tx = world.begin().await;
        assert!(users::close(&mut tx, user, world.now()).await.unwrap());
        tx.commit().await.unwrap();
        assert!(!renew(&world, "again", DAY).await, "there was an account");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_several_at_one_moment_one_is_the_first() {
    // [SETUP005] [SETUP009]
    for round in 0..4 {
        for world in worlds().await {
            if round % 2 == 0 {
                assert!(renew(&world, "printed", DAY).await);
            }
            let (now, hash) = (world.now(), hash_token("printed"));
            let tries = (0..8).map(|number| {
                let (db, user) = (world.db.clone(), world.new_user(&format!("{number}@example.com")));
                tokio::spawn(async move {
                    let mut tx = db.begin().await.unwrap();
                    let by_link = number % 2 == 0;
                    let is_first = if by_link {
                        setup::use_link(&mut tx, &hash, now).await.unwrap()
                    } else {
                        setup::end(&mut tx, now).await.unwrap()
                    };
                    // Who registers makes an account in any case; who has the link, only as the first one.
                    if is_first || !by_link {
                        assert!(users::create(&mut tx, &user).await.unwrap());
                        assert!(users::set_admin(&mut tx, user.id, is_first).await.unwrap());
                    }
                    tx.commit().await.unwrap();
                    is_first
                })
            });
            let firsts = join_all(tries).await.into_iter().filter(|first| *first.as_ref().unwrap()).count();
            assert_eq!(firsts, 1, "{:?}", world.db.engine());
            let admins = users::list(&world.db).await.unwrap().iter().filter(|user| user.is_admin).count();
            assert_eq!(admins, 1);
        }
    }
}

#[tokio::test]
async fn an_administrator_is_one_until_the_account_is_closed() {
    // [SETUP010]
    for world in worlds().await {
        let user = world.user("meera@example.com").await;
        assert!(!world.loaded(user).await.is_admin);
        for is_admin in [true, false, true] {
            let mut tx = world.begin().await;
            assert!(users::set_admin(&mut tx, user, is_admin).await.unwrap());
            tx.commit().await.unwrap();
            assert_eq!(world.loaded(user).await.is_admin, is_admin);
        }
        let mut tx = world.begin().await;
        assert!(users::close(&mut tx, user, world.now()).await.unwrap());
        assert!(!users::set_admin(&mut tx, user, true).await.unwrap());
        tx.commit().await.unwrap();
        let left = crate::parity::rows(&world.db, "SELECT id FROM users WHERE is_admin").await;
        assert!(left.is_empty());
    }
}

#[tokio::test]
async fn the_oldest_verified_account_of_an_earlier_version_becomes_an_administrator() {
    // [SETUP011]
    for world in worlds().await {
        let (closed, _unverified) = (world.user("a@example.com").await, world.user("b@example.com").await);
        let (oldest, later) = (world.user("c@example.com").await, world.user("d@example.com").await);
        let mut tx = world.begin().await;
        for user in [closed, oldest, later] {
            let email = users::by_id(&mut tx, user).await.unwrap().unwrap().email;
            assert!(users::verify_email(&mut tx, user, &email, world.now()).await.unwrap());
        }
        assert!(users::close(&mut tx, closed, world.now()).await.unwrap());
        tx.commit().await.unwrap();
        for statement in [
            "DROP TABLE setup",
            "DROP INDEX users_administrators",
            "ALTER TABLE users DROP COLUMN is_admin",
            "DELETE FROM _sqlx_migrations WHERE version = 33",
        ] {
            change(&world.db, statement).await;
        }
        world.db.migrate().await.unwrap();
        let admins: Vec<_> =
            users::list(&world.db).await.unwrap().into_iter().filter(|user| user.is_admin).collect();
        assert_eq!(admins.iter().map(|user| user.id).collect::<Vec<_>>(), [oldest]);
    }
}
