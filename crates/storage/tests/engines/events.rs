//! Events: making, finding, deleting.

use std::collections::HashSet;

use domain::events::Event;
use domain::{JobId, Paise, Timestamp};
use storage::events::{self, Deletion, NewEvent};
use storage::photos::{self, Collection};
use storage::statistics::activity::{self, Summary};

use crate::world::{DAY, NOON, worlds};

#[tokio::test]
async fn an_event_is_found_by_its_id_and_slug() {
    // [EVT072]
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let first = world.event(owner, "2026-11-14").await;
        let new = NewEvent {
            id: world.id(),
            owner,
            name: String::from("शादी"),
            date: domain::events::parse_date("0999-01-31").unwrap(),
            slug: String::from("shaadii-abcdefghjk"),
            description: Some(String::from("In the garden")),
            created_at: world.now(),
            keep_days: None,
            payment_amount: Some(Paise::new(99_900)),
            coupon_code: Some(String::from("Diwali")),
        };
        let mut tx = world.begin().await;
        assert!(events::create(&mut tx, &new).await.unwrap());
        tx.commit().await.unwrap();

        let found = events::by_slug(db, "shaadii-abcdefghjk").await.unwrap().unwrap();
        assert_eq!(events::by_id(db, new.id).await.unwrap().as_ref(), Some(&found));
        assert_eq!((found.id, found.owner, found.date), (new.id, owner, new.date));
        assert_eq!((found.name, found.description), (new.name, new.description));
        assert_eq!((found.created_at, found.photos_uploaded, found.faces_indexed), (new.created_at, 0, 0));
        assert!(found.last_upload_at.is_none() && found.deleted_at.is_none());
        let recorded = crate::parity::rows(
            db,
            "SELECT CAST(payment_amount AS TEXT) || coupon_code FROM events WHERE payment_amount IS NOT NULL",
        )
        .await;
        assert_eq!(recorded, ["99900Diwali"]);

        assert!(events::by_slug(db, "Shaadii-abcdefghjk").await.unwrap().is_none());
        let listed: Vec<_> =
            events::by_owner(db, owner).await.unwrap().into_iter().map(|event| event.id).collect();
        assert_eq!(listed, [new.id, first], "newest first");
        assert!(events::by_owner(db, world.id()).await.unwrap().is_empty());

        let mut tx = world.begin().await;
        let taken = NewEvent { id: world.id(), name: String::from("x"), description: None, ..new };
        assert!(matches!(events::create(&mut tx, &taken).await, Err(storage::Error::Statement(_))));
    }
}

#[tokio::test]
async fn events_come_in_pages() {
    // None is lost or repeated while others are made and deleted.
    for world in worlds().await {
        let (owner, other) = (world.user("a@example.com").await, world.user("b@example.com").await);
        let mut all = Vec::new();
        for number in 0..7 {
            world.event(other, "2026-11-14").await;
            let new = NewEvent {
                id: world.id(),
                owner,
                name: String::from("Sangeet"),
                date: domain::events::parse_date("2026-11-14").unwrap(),
                slug: format!("sangeet-{number}"),
                description: None,
                // Several of one moment are in the order of their ids.
                created_at: Timestamp::from_millis(number / 3),
                keep_days: None,
                payment_amount: None,
                coupon_code: None,
            };
            let mut tx = world.begin().await;
            assert!(events::create(&mut tx, &new).await.unwrap());
            tx.commit().await.unwrap();
            all.push(new.id);
        }
        let deleted = all.remove(3);
        let mut tx = world.begin().await;
        world.begin_deletion(&mut tx, deleted, owner).await;
        tx.commit().await.unwrap();

        let whole = events::by_owner(&world.db, owner).await.unwrap();
        assert_eq!(whole.iter().map(|event| event.id).collect::<HashSet<_>>(), all.iter().copied().collect());
        for limit in [1, 2, 4, 6, 7] {
            let (mut pages, mut after) = (Vec::new(), None);
            loop {
                let page = events::page(&world.db, owner, after.as_ref(), limit).await.unwrap();
                assert!(i64::try_from(page.len()).unwrap() <= limit);
                let Some(last) = page.last() else { break };
                after = Some(last.clone());
                pages.extend(page);
            }
            assert_eq!(pages, whole, "{limit} a page");
            let (mut titles, mut after) = (Vec::new(), None);
            loop {
                let page = events::titles(&world.db, owner, after.as_ref(), limit).await.unwrap();
                let Some(last) = page.last() else { break };
                after = Some(last.clone());
                titles.extend(page);
            }
            let expected: Vec<_> =
                whole.iter().map(|event| (event.id, &event.name, event.created_at)).collect();
            let titles: Vec<_> =
                titles.iter().map(|title| (title.id, &title.name, title.created_at)).collect();
            assert_eq!(titles, expected);
        }
        let asked = [whole[4].id, deleted, whole[1].id, world.id()];
        let found = events::by_ids(&world.db, &asked).await.unwrap();
        assert_eq!(found, [whole[1].clone(), whole[4].clone()]);
        assert_eq!(events::by_ids(&world.db, &[]).await.unwrap(), []);
    }
}

#[tokio::test]
async fn an_empty_event_is_gone_at_once() {
    // [EVT062] [EVT067]
    for world in worlds().await {
        let (owner, other) = (world.user("a@example.com").await, world.user("b@example.com").await);
        let event = world.event(owner, "2026-11-14").await;
        let job: JobId = world.id();
        let mut tx = world.begin().await;
        assert_eq!(
            events::begin_deletion(&mut tx, event, other, job, NOON, NOON.plus(domain::photos::TRASH_PERIOD))
                .await
                .unwrap(),
            Deletion::Missing
        );
        assert_eq!(
            events::begin_deletion(&mut tx, event, owner, job, NOON, NOON.plus(domain::photos::TRASH_PERIOD))
                .await
                .unwrap(),
            Deletion::Done
        );
        assert_eq!(
            events::begin_deletion(&mut tx, event, owner, job, NOON, NOON.plus(domain::photos::TRASH_PERIOD))
                .await
                .unwrap(),
            Deletion::Missing
        );
        tx.commit().await.unwrap();
        assert_eq!(world.seen(event).await.deleted_at, Some(NOON));
        assert!(events::by_owner(&world.db, owner).await.unwrap().is_empty());
    }
}

#[tokio::test]
async fn a_deletion_runs_once_and_ends_when_every_photo_is_gone() {
    // [EVT066] [EVT067] [EVT071]
    for world in worlds().await {
        let db = &world.db;
        let (owner, other) = (world.user("a@example.com").await, world.user("b@example.com").await);
        let event = world.event(owner, "2026-11-14").await;
        for _ in 0..3 {
            let photo = world.photo(owner, Some(event)).await;
            world.index(photo.id, "buffalo", &[world.face(1.0)]).await;
        }
        let elsewhere = world.photo(owner, None).await;
        let (job, again): (JobId, JobId) = (world.id(), world.id());
        let revision = world.seen(event).await.revision;

        let mut tx = world.begin().await;
        assert_eq!(
            events::begin_deletion(&mut tx, event, owner, job, NOON, NOON.plus(domain::photos::TRASH_PERIOD))
                .await
                .unwrap(),
            Deletion::Started
        );
        assert_eq!(
            events::begin_deletion(
                &mut tx,
                event,
                owner,
                again,
                NOON,
                NOON.plus(domain::photos::TRASH_PERIOD)
            )
            .await
            .unwrap(),
            Deletion::Running(job)
        );
        tx.commit().await.unwrap();
        let going = world.seen(event).await;
        assert_eq!(
            (going.deleting_since, going.deletion_job, going.deleted_at),
            (Some(NOON), Some(job), None)
        );
        assert!(!going.is_open() && going.revision > revision);
        assert_eq!(events::by_owner(db, owner).await.unwrap(), std::slice::from_ref(&going), "still listed");
        assert_eq!(events::by_deletion_job(db, job).await.unwrap(), Some(going.clone()));
        assert_eq!(events::by_deletion_job(db, again).await.unwrap(), None);
        assert_eq!(events::being_deleted(db).await.unwrap(), std::slice::from_ref(&going));
        assert_eq!(events::being_deleted_of(db, owner).await.unwrap(), [going]);
        assert_eq!(events::being_deleted_of(db, other).await.unwrap(), []);

        // As a job does it that is interrupted after each step.
        let mut removed = 0;
        loop {
            let batch = photos::batch(db, Collection::Event(event), 2).await.unwrap();
            if batch.is_empty() {
                break;
            }
            let mut tx = world.begin().await;
            assert!(!events::finish_deletion(&mut tx, event, NOON).await.unwrap(), "photos are left");
            assert!(events::lock_deleting(&mut tx, event, NOON).await.unwrap());
            assert!(
                !events::lock_deleting(&mut tx, event, NOON.plus(DAY)).await.unwrap(),
                "another deletion"
            );
            let mut ids: Vec<_> = batch.iter().map(|photo| photo.id).collect();
            ids.push(elsewhere.id);
            removed += photos::delete_many(&mut tx, Collection::Event(event), &ids).await.unwrap().len();
            tx.commit().await.unwrap();
        }
        assert_eq!(removed, 3);
        let mut tx = world.begin().await;
        assert!(events::finish_deletion(&mut tx, event, NOON.plus(DAY)).await.unwrap());
        assert!(!events::finish_deletion(&mut tx, event, NOON.plus(DAY * 2)).await.unwrap());
        assert!(!events::lock_deleting(&mut tx, event, NOON).await.unwrap(), "it is over");
        tx.commit().await.unwrap();
        let gone = world.seen(event).await;
        assert_eq!((gone.deleted_at, gone.photos_uploaded, gone.faces_indexed), (Some(NOON.plus(DAY)), 3, 0));
        assert!(events::being_deleted(db).await.unwrap().is_empty());
        assert!(events::being_deleted_of(db, owner).await.unwrap().is_empty());
        assert_eq!(crate::parity::rows(db, "SELECT CAST(COUNT(*) AS TEXT) FROM faces").await, ["0"]);

        let library = Collection::Library(owner);
        assert_eq!(photos::batch(db, library, 9).await.unwrap().len(), 1, "the library is untouched");
        let mut tx = world.begin().await;
        assert_eq!(photos::delete_many(&mut tx, library, &[elsewhere.id]).await.unwrap(), [elsewhere.id]);
        tx.commit().await.unwrap();
        assert!(photos::batch(db, library, 9).await.unwrap().is_empty());
    }
}

#[tokio::test]
async fn the_dashboard_counts_what_is_there_and_what_is_gone() {
    // [DASH013] [DASH020] [EVT067]
    for world in worlds().await {
        let db = &world.db;
        let (owner, other) = (world.user("a@example.com").await, world.user("b@example.com").await);
        assert_eq!(activity::summary(db, owner).await.unwrap(), Summary::default());
        let (long_gone, just_gone, there) = (
            world.event(owner, "2026-09-01").await,
            world.event(owner, "2026-11-14").await,
            world.event(owner, "2026-11-15").await,
        );
        let photo = world.photo(owner, Some(there)).await;
        world.index(photo.id, "a", &[world.face(1.0), world.face(2.0)]).await;
        let removed = world.photo(owner, Some(there)).await;
        world.photo(owner, None).await;
        let foreign = world.event(other, "2026-11-15").await;
        world.photo(other, Some(foreign)).await;
        let mut tx = world.begin().await;
        assert!(storage::testing::remove_photo(&mut tx, removed.id).await);
        events::begin_deletion(
            &mut tx,
            long_gone,
            owner,
            world.id(),
            NOON.minus(DAY * 31),
            NOON.minus(DAY * 31).plus(domain::photos::TRASH_PERIOD),
        )
        .await
        .unwrap();
        events::begin_deletion(
            &mut tx,
            just_gone,
            owner,
            world.id(),
            NOON.minus(DAY * 30),
            NOON.minus(DAY * 30).plus(domain::photos::TRASH_PERIOD),
        )
        .await
        .unwrap();
        tx.commit().await.unwrap();

        let summary = activity::summary(db, owner).await.unwrap();
        let expected = Summary {
            total_events: 3,
            active_events: 1,
            deleted_events: 2,
            photos_uploaded: 3,
            faces_indexed: 2,
        };
        assert_eq!(summary, expected);
        let ids = |events: Vec<Event>| events.into_iter().map(|event| event.id).collect::<Vec<_>>();
        let recent = events::deleted_since(db, owner, NOON.minus(DAY * 30)).await.unwrap();
        assert_eq!(ids(recent), [just_gone]);
        assert_eq!(ids(events::all_by_owner(db, owner).await.unwrap()), [there, just_gone, long_gone]);
    }
}

#[tokio::test]
async fn the_texts_of_events_that_are_gone_can_be_erased() {
    // [ACC050]
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let (gone, there) = (world.event(owner, "2026-11-14").await, world.event(owner, "2026-11-14").await);
        let slug = world.seen(gone).await.slug;
        let mut tx = world.begin().await;
        world.begin_deletion(&mut tx, gone, owner).await;
        let erased_at = Some(world.now());
        assert_eq!(events::erase_texts(&mut tx, owner).await.unwrap(), 1);
        assert_eq!(events::erase_texts(&mut tx, owner).await.unwrap(), 0);
        tx.commit().await.unwrap();
        assert!(events::by_slug(db, &slug).await.unwrap().is_none());
        let erased = world.seen(gone).await;
        assert_eq!((erased.name.as_str(), erased.description, erased.deleted_at), ("", None, erased_at));
        assert_eq!(world.seen(there).await.name, "Sangeet");
    }
}
