//! What the integrity check finds, each damage made behind the crate's back.

use domain::payments::ledger::LedgerKind;
use domain::payments::money::{PHOTO_PRICE, SIGNUP_CREDIT};
use domain::photos::Photo;
use domain::{Job, Paise, UserId};
use storage::accounts::users;
use storage::events;
use storage::operations::integrity::{self, Unbalanced};
use storage::operations::runtime::jobs;
use storage::payments::ledger;

use crate::parity::change;
use crate::world::{NOON, World, insert, worlds};

/// A photo as an upload makes it: stored, paid for, queued.
async fn upload(world: &World, owner: UserId) -> Photo {
    let photo = world.new_photo(owner, None);
    let mut entry = world.entry(owner, LedgerKind::Upload, PHOTO_PRICE);
    entry.reference = Some(photo.id.to_string());
    let mut tx = world.begin().await;
    insert(&mut tx, &photo).await;
    ledger::spend(&mut tx, &entry).await.unwrap();
    jobs::enqueue(&mut tx, world.id(), &Job::IndexPhoto { photo: photo.id }, NOON, NOON).await.unwrap();
    tx.commit().await.unwrap();
    photo
}

#[tokio::test]
async fn a_balance_that_differs_from_its_ledger_is_found() {
    // [SAFE022]
    for world in worlds().await {
        let db = &world.db;
        let (right, wrong) = (world.user("a@example.com").await, world.user("b@example.com").await);
        world.grant(right, LedgerKind::Signup, SIGNUP_CREDIT).await;
        world.grant(wrong, LedgerKind::Signup, SIGNUP_CREDIT).await;
        upload(&world, wrong).await;
        world.user("c@example.com").await;
        assert!(integrity::unbalanced(db).await.unwrap().is_empty());
        change(db, &format!("UPDATE users SET credits = credits + 1 WHERE id = '{wrong}'")).await;
        let found = Unbalanced { user: wrong, balance: Paise::new(9_901), ledger: Paise::new(9_900) };
        assert_eq!(integrity::unbalanced(db).await.unwrap(), [found]);
    }
}

#[tokio::test]
async fn a_photo_that_nobody_paid_for_is_found() {
    // [SAFE015]
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        world.grant(owner, LedgerKind::Signup, SIGNUP_CREDIT).await;
        upload(&world, owner).await;
        assert!(integrity::uncharged_photos(db).await.unwrap().is_empty());
        let free = world.photo(owner, None).await;
        assert_eq!(integrity::uncharged_photos(db).await.unwrap(), [free.id]);
        let premium = world.user("b@example.com").await;
        let mut tx = world.begin().await;
        users::make_premium(&mut tx, premium, world.now()).await.unwrap();
        tx.commit().await.unwrap();
        upload(&world, premium).await;
        assert_eq!(integrity::uncharged_photos(db).await.unwrap(), [free.id]);
    }
}

#[tokio::test]
async fn a_photo_without_a_job_is_found() {
    // [SAFE024]
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        world.grant(owner, LedgerKind::Signup, SIGNUP_CREDIT).await;
        upload(&world, owner).await;
        let done = upload(&world, owner).await;
        world.index(done.id, "a", &[]).await;
        assert!(integrity::unqueued_photos(db).await.unwrap().is_empty());
        let forgotten = upload(&world, owner).await;
        change(db, &format!("DELETE FROM jobs WHERE payload LIKE '%{}%'", forgotten.id)).await;
        assert_eq!(integrity::unqueued_photos(db).await.unwrap(), [forgotten.id]);
    }
}

#[tokio::test]
async fn a_wrong_count_of_faces_is_found_and_repaired() {
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let (two, none) = (world.photo(owner, None).await, world.photo(owner, None).await);
        world.index(two.id, "a", &[world.face(1.0), world.face(2.0)]).await;
        world.index(none.id, "a", &[]).await;
        assert!(integrity::miscounted_photos(db).await.unwrap().is_empty());
        change(db, &format!("UPDATE photos SET faces = 1 WHERE id = '{}'", none.id)).await;
        assert_eq!(integrity::miscounted_photos(db).await.unwrap(), [none.id]);
        let mut tx = world.begin().await;
        integrity::recount_faces(&mut tx, none.id).await.unwrap();
        tx.commit().await.unwrap();
        assert!(integrity::miscounted_photos(db).await.unwrap().is_empty());
    }
}

#[tokio::test]
async fn a_deletion_without_a_job_is_found() {
    // [SAFE020] [SAFE024]
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let (queued, stalled) =
            (world.event(owner, "2026-11-14").await, world.event(owner, "2026-11-14").await);
        for (event, has_job) in [(queued, true), (stalled, false)] {
            let photo = world.photo(owner, Some(event)).await;
            let job = world.id();
            let mut tx = world.begin().await;
            events::close(&mut tx, event, owner, job, NOON).await.unwrap();
            if has_job {
                jobs::enqueue(&mut tx, job, &Job::IndexPhoto { photo: photo.id }, NOON, NOON).await.unwrap();
            }
            tx.commit().await.unwrap();
        }
        assert_eq!(integrity::stalled_deletions(db).await.unwrap(), [stalled]);
    }
}

#[tokio::test]
async fn a_count_of_uploads_below_the_stored_photos_is_found_and_repaired() {
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let event = world.event(owner, "2026-11-14").await;
        let gone = world.photo(owner, Some(event)).await;
        world.photo(owner, Some(event)).await;
        let mut tx = world.begin().await;
        assert!(storage::testing::remove_photo(&mut tx, gone.id).await);
        tx.commit().await.unwrap();
        assert!(integrity::undercounted_events(db).await.unwrap().is_empty(), "a deletion lowers no number");
        change(db, &format!("UPDATE events SET photos_uploaded = 0 WHERE id = '{event}'")).await;
        assert_eq!(integrity::undercounted_events(db).await.unwrap(), [event]);
        let mut tx = world.begin().await;
        integrity::recount_uploads(&mut tx, event).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(world.seen(event).await.photos_uploaded, 1);

        // What is held is told from what guests see by these numbers.
        change(db, &format!("UPDATE photos SET held = 3 WHERE event_id = '{event}'")).await;
        for wrong in ["uploads_held = 0, last_hold = 3", "uploads_held = 1, last_hold = 2"] {
            change(db, &format!("UPDATE events SET {wrong} WHERE id = '{event}'")).await;
            assert_eq!(integrity::undercounted_events(db).await.unwrap(), [event], "{wrong}");
            let mut tx = world.begin().await;
            integrity::recount_uploads(&mut tx, event).await.unwrap();
            tx.commit().await.unwrap();
            assert!(integrity::undercounted_events(db).await.unwrap().is_empty(), "{wrong}");
            let event = world.seen(event).await;
            assert_eq!((event.photos_uploaded, event.held.uploads, event.held.last), (1, 1, 3), "{wrong}");
        }
    }
}

#[tokio::test]
async fn a_wrong_count_of_a_coupons_uses_is_found_and_repaired() {
    for world in worlds().await {
        let db = &world.db;
        let id: domain::CouponId = world.id();
        change(
            db,
            &format!(
                "INSERT INTO coupons (id, code, code_key, discount, value, uses, created_at)
                 VALUES ('{id}', 'A', 'a', 'percent', 10, 0, 0)"
            ),
        )
        .await;
        assert!(integrity::miscounted_coupons(db).await.unwrap().is_empty());
        change(db, "UPDATE coupons SET uses = 2").await;
        assert_eq!(integrity::miscounted_coupons(db).await.unwrap(), [id]);
        let mut tx = world.begin().await;
        integrity::recount_uses(&mut tx, id).await.unwrap();
        tx.commit().await.unwrap();
        assert!(integrity::miscounted_coupons(db).await.unwrap().is_empty());
    }
}
