//! Logins of cameras.

use domain::uploads::ftp::{RECORD_USE_AFTER, hash};
use domain::{DAY, EventId, UserId};
use storage::accounts::users;
use storage::uploads::ftp::{self, FtpLogin};

use crate::parity::change;
use crate::world::{World, worlds};

async fn replace(world: &World, event: EventId, maker: UserId, name: &str) {
    let mut tx = world.begin().await;
    let expires_at = (name == "second").then(|| world.now().plus(DAY));
    let (hash, now) = (hash(name, "password"), world.now());
    ftp::replace(&mut tx, event, maker, name, &hash, now, expires_at).await.unwrap();
    tx.commit().await.unwrap();
}

async fn owner_of(world: &World, name: &str) -> Option<(UserId, EventId)> {
    let found = ftp::find(&world.db, name).await.unwrap()?;
    assert_eq!(found.hash, hash(name, "password"));
    assert_eq!(found.expires_at, (name == "second").then(|| world.now().plus(DAY)));
    Some((found.owner.id, found.event))
}

#[tokio::test]
async fn an_event_has_one_login_which_is_found_by_its_name() {
    // [FTP003]
    for world in worlds().await {
        let owner = world.user("a@example.com").await;
        let (event, other) = (world.event(owner, "2026-11-14").await, world.event(owner, "2026-11-14").await);
        assert_eq!(ftp::of_event(&world.db, event).await.unwrap(), None);
        replace(&world, event, owner, "first").await;
        replace(&world, other, owner, "other").await;
        assert_eq!(owner_of(&world, "first").await, Some((owner, event)));

        let used = world.now();
        for (after, recorded) in
            [(RECORD_USE_AFTER / 2, used), (RECORD_USE_AFTER, used.plus(RECORD_USE_AFTER))]
        {
            let mut tx = world.begin().await;
            ftp::record_use(&mut tx, event, used, used.minus(RECORD_USE_AFTER)).await.unwrap();
            let now = used.plus(after);
            ftp::record_use(&mut tx, event, now, now.minus(RECORD_USE_AFTER)).await.unwrap();
            tx.commit().await.unwrap();
            let login = ftp::of_event(&world.db, event).await.unwrap().unwrap();
            assert_eq!(login.last_used_at, Some(recorded));
        }

        replace(&world, event, owner, "second").await;
        assert_eq!(owner_of(&world, "first").await, None, "it was replaced");
        let login = FtpLogin {
            name: String::from("second"),
            created_at: world.now(),
            expires_at: Some(world.now().plus(DAY)),
            last_used_at: None,
        };
        assert_eq!(ftp::of_event(&world.db, event).await.unwrap().as_ref(), Some(&login));
        let all = ftp::of_owner(&world.db, owner).await.unwrap();
        assert_eq!(all.len(), 2);
        assert!(all.contains(&(event, login)));
        let mut tx = world.begin().await;
        assert!(ftp::delete(&mut tx, event).await.unwrap());
        assert!(!ftp::delete(&mut tx, event).await.unwrap());
        tx.commit().await.unwrap();
        assert_eq!(owner_of(&world, "second").await, None);
        assert_eq!(owner_of(&world, "other").await, Some((owner, other)), "another event's stays");
    }
}

#[tokio::test]
async fn logins_end_with_their_event_and_with_all_tokens_of_the_account() {
    // [FTP022]
    for world in worlds().await {
        let (owner, other) = (world.user("a@example.com").await, world.user("b@example.com").await);
        let mut all = Vec::new();
        for (owner, name) in [(owner, "first"), (owner, "second"), (owner, "third"), (other, "other")] {
            let event = world.event(owner, "2026-11-14").await;
            replace(&world, event, owner, name).await;
            all.push(event);
        }
        let mut tx = world.begin().await;
        world.begin_deletion(&mut tx, all[0], owner).await;
        tx.commit().await.unwrap();
        assert_eq!(owner_of(&world, "first").await, None);
        let mut tx = world.begin().await;
        assert_eq!(ftp::delete_all(&mut tx, owner).await.unwrap(), 2);
        tx.commit().await.unwrap();
        assert_eq!(owner_of(&world, "second").await, None);
        assert_eq!(owner_of(&world, "other").await, Some((other, all[3])));
        let mut tx = world.begin().await;
        assert!(users::close(&mut tx, other, world.now()).await.unwrap());
        tx.commit().await.unwrap();
        assert_eq!(owner_of(&world, "other").await, None);
        assert_eq!(ftp::of_event(&world.db, all[3]).await.unwrap(), None);
    }
}

#[tokio::test]
async fn a_login_ends_with_whoever_made_it() {
    // [FTP034]
    for world in worlds().await {
        let owner = world.user("a@example.com").await;
        let (manager, other) = (world.user("b@example.com").await, world.user("c@example.com").await);
        let (event, another) =
            (world.event(owner, "2026-11-14").await, world.event(owner, "2026-11-14").await);
        let maker = async |name| ftp::find(&world.db, name).await.unwrap().map(|found| found.maker);
        let end = async |maker| {
            let mut tx = world.begin().await;
            let ended = ftp::delete_of_manager(&mut tx, event, maker).await.unwrap();
            tx.commit().await.unwrap();
            ended
        };
        let end_all = async |account| {
            let mut tx = world.begin().await;
            let ended = ftp::delete_all(&mut tx, account).await.unwrap();
            tx.commit().await.unwrap();
            ended
        };
        replace(&world, another, owner, "owner").await;
        replace(&world, event, other, "first").await;
        replace(&world, event, manager, "first").await;
        assert_eq!(maker("first").await, Some(Some(manager)), "of the newest one");
        assert!(!end(other).await, "it is another's");
        assert!(end(manager).await);
        assert_eq!(maker("first").await, None);

        // An earlier version has kept nobody.
        replace(&world, event, manager, "first").await;
        change(&world.db, "UPDATE ftp_logins SET made_by = NULL WHERE name = 'first'").await;
        assert_eq!(maker("first").await, Some(None));
        assert_eq!(end_all(manager).await, 0);
        assert!(end(other).await, "it may be theirs");

        replace(&world, event, manager, "first").await;
        assert_eq!(end_all(manager).await, 1);
        replace(&world, event, manager, "first").await;
        let mut tx = world.begin().await;
        assert!(users::close(&mut tx, manager, world.now()).await.unwrap());
        tx.commit().await.unwrap();
        assert_eq!(maker("first").await, None);
        assert_eq!(maker("owner").await, Some(Some(owner)), "another event's stays");
        replace(&world, event, other, "first").await;
        assert_eq!(end_all(owner).await, 2, "with those that others have made");
    }
}
