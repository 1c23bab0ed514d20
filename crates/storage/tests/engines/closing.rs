//! Accounts that are closed with a password that was checked before.

use domain::accounts::devices::Device;
use domain::accounts::tokens::hash_token;
use storage::accounts::{sessions, users};

use crate::world::{DAY, worlds};

#[tokio::test]
async fn an_account_is_closed_with_the_password_that_is_in_force() {
    // [AUTH251]
    for world in worlds().await {
        let (user, now) = (world.user("a@example.com").await, world.now());
        let (former, current) = ("$argon2id$…", "$argon2id$next");
        let hash = hash_token("session");
        let mut tx = world.begin().await;
        sessions::create(&mut tx, &hash, user, &Device::default(), now, now.plus(DAY)).await.unwrap();
        assert!(users::set_password(&mut tx, user, current).await.unwrap());
        tx.commit().await.unwrap();

        let mut tx = world.begin().await;
        assert!(!users::close_with_password(&mut tx, user, former, now).await.unwrap());
        drop(tx);
        assert!(users::by_id(&world.db, user).await.unwrap().is_some());
        assert!(sessions::find(&world.db, &hash, now).await.unwrap().is_some());

        let mut tx = world.begin().await;
        assert!(users::close_with_password(&mut tx, user, current, now).await.unwrap());
        assert!(!users::close_with_password(&mut tx, user, current, now).await.unwrap(), "it is closed");
        tx.commit().await.unwrap();
        assert!(users::by_id(&world.db, user).await.unwrap().is_none());
        assert!(sessions::find(&world.db, &hash, now).await.unwrap().is_none());
    }
}
