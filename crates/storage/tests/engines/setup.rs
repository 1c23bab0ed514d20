//! The link that makes an administrator, and administrators.

use domain::UserId;
use domain::accounts::tokens::hash_token;
use futures::future::join_all;
use storage::accounts::{setup, users};

use crate::parity::change;
use crate::world::{World, worlds};

async fn renew(world: &World, token: &str) -> bool {
    let mut tx = world.begin().await;
    let renewed = setup::renew_link(&mut tx, &hash_token(token)).await.unwrap();
    tx.commit().await.unwrap();
    renewed
}

async fn use_link(world: &World, token: &str) -> bool {
    let mut tx = world.begin().await;
    let used = setup::use_link(&mut tx, &hash_token(token)).await.unwrap();
    tx.commit().await.unwrap();
    used
}

async fn set_admin(world: &World, user: UserId, is_admin: bool) {
    let mut tx = world.begin().await;
    assert!(users::set_admin(&mut tx, user, is_admin).await.unwrap());
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn a_link_takes_the_place_of_the_one_before_and_works_once() {
    // [SETUP002] [SETUP004]
    for world in worlds().await {
        let is_link = async |token: &str| setup::is_link(&world.db, &hash_token(token)).await.unwrap();
        assert!(renew(&world, "first").await && renew(&world, "second").await);
        assert!(!is_link("first").await && is_link("second").await);
        assert!(!use_link(&world, "first").await);
        assert!(use_link(&world, "second").await);
        assert!(!use_link(&world, "second").await && !is_link("second").await);
    }
}

#[tokio::test]
async fn there_is_no_link_while_somebody_is_an_administrator() {
    // [SETUP003] [SETUP009]
    for world in worlds().await {
        let user = world.user("meera@example.com").await;
        let is_wanted = async || setup::is_wanted(&world.db).await.unwrap();
        assert!(renew(&world, "printed").await && is_wanted().await, "an account alone is none");
        // As an earlier version ended its set-up.
        change(&world.db, "UPDATE setup SET ended_at = 1, token_hash = NULL").await;
        assert!(renew(&world, "printed").await);
        set_admin(&world, user, true).await;
        assert!(!is_wanted().await && !use_link(&world, "printed").await && !renew(&world, "again").await);
        set_admin(&world, user, false).await;
        assert!(is_wanted().await && use_link(&world, "printed").await);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_several_at_one_moment_one_uses_the_link() {
    // [SETUP005]
    for _ in 0..4 {
        for world in worlds().await {
            assert!(renew(&world, "printed").await);
            let hash = hash_token("printed");
            let tries = (0..8).map(|number| {
                let (db, user) = (world.db.clone(), world.new_user(&format!("{number}@example.com")));
                tokio::spawn(async move {
                    let mut tx = db.begin().await.unwrap();
                    let is_first = setup::use_link(&mut tx, &hash).await.unwrap();
                    if is_first {
                        assert!(users::create(&mut tx, &user).await.unwrap());
                        assert!(users::set_admin(&mut tx, user.id, true).await.unwrap());
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
