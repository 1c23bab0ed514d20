//! Deleted events that can be restored.

use domain::photos::TRASH_PERIOD;
use domain::team::MemberRole;
use domain::{EventId, JobId, UserId};
use storage::Engine;
use storage::events::{self, Deletion, recently_deleted};
use storage::operations::integrity;
use storage::photos::{self, Collection, trash};
use storage::team;
use storage::testing::rival_before;

use crate::replacement::{replace, version};
use crate::world::{NOON, World, worlds};

async fn begin(world: &World, event: EventId, owner: UserId) -> Deletion {
    let mut tx = world.begin().await;
    let deletion = world.begin_deletion(&mut tx, event, owner).await;
    tx.commit().await.unwrap();
    deletion
}

async fn restore(world: &World, event: EventId, owner: UserId) -> bool {
    let mut tx = world.begin().await;
    let since = recently_deleted::restore(&mut tx, event, owner, world.now()).await.unwrap();
    tx.commit().await.unwrap();
    since.is_some()
}

#[tokio::test]
async fn a_deleted_event_comes_back_as_it_was_until_its_time_is_over() {
    // [EVT150]
    for world in worlds().await {
        let db = &world.db;
        let (owner, other) = (world.user("a@example.com").await, world.user("b@example.com").await);
        let event = world.event(owner, "2026-11-20").await;
        let first = world.photo(owner, Some(event)).await;
        assert_eq!(replace(&world, &first, &version(&world, &first)).await, photos::Replaced::Done);
        let (photo, former) = (first.id, first.content_hash);
        let mut tx = world.begin().await;
        assert!(team::add(&mut tx, event, other, MemberRole::Manager, NOON).await.unwrap());
        tx.commit().await.unwrap();
        let before = world.seen(event).await;
        assert!(!restore(&world, event, owner).await, "it is not deleted");

        assert_eq!(begin(&world, event, owner).await, Deletion::Started);
        assert!(!restore(&world, event, owner).await, "its photos are still to be moved");
        let since = world.seen(event).await.deleting_since.unwrap();
        let mut tx = world.begin().await;
        assert!(!events::finish_deletion(&mut tx, event, world.now()).await.unwrap());
        assert_eq!(trash::put(&mut tx, Collection::Event(event), &[photo], since).await.unwrap(), 1);
        assert!(events::finish_deletion(&mut tx, event, world.now()).await.unwrap(), "the trash is no photo");
        tx.commit().await.unwrap();
        assert_eq!(team::memberships(db, other).await.unwrap().len(), 0, "nobody sees it");
        assert_eq!(recently_deleted::restorable_ids(db, owner).await.unwrap(), [event]);
        assert!(integrity::leftover_teams(db).await.unwrap().is_empty());

        let week_over = since.plus(TRASH_PERIOD);
        assert_eq!(trash::due(db, week_over, 9).await.unwrap(), [], "it goes with its event");
        assert_eq!(trash::left_in_trash(db, &[photo]).await.unwrap(), [photo]);
        assert!(!restore(&world, event, other).await);
        let elsewhere = world.event(owner, "2026-11-20").await;
        let returns =
            async |event, hash: &[u8; 32]| photos::is_former_of_returning(db, event, hash).await.unwrap();
        assert!(!returns(event, &former).await, "it stays in the trash");
        assert!(restore(&world, event, owner).await);
        assert_eq!(trash::due(db, week_over, 9).await.unwrap(), [], "it is on its way back");
        assert_eq!(trash::left_in_trash(db, &[photo]).await.unwrap(), []);
        assert!(!restore(&world, event, owner).await);
        assert_eq!(recently_deleted::restoring_since(db, event).await.unwrap(), Some(since));
        assert!(returns(event, &former).await && !returns(event, &[8; 32]).await);
        assert!(!returns(elsewhere, &former).await);
        assert_eq!(recently_deleted::stalled(db).await.unwrap(), [event]);
        let job = domain::Job::RestoreEvent { event };
        let mut tx = world.begin().await;
        let id: JobId = world.id();
        storage::operations::runtime::jobs::enqueue(&mut tx, id, &job, NOON, NOON).await.unwrap();
        tx.commit().await.unwrap();
        assert!(recently_deleted::stalled(db).await.unwrap().is_empty());
        let collection = Collection::Event(event);
        let there = trash::deleted_at(db, collection, since, None, 9).await.unwrap();
        assert_eq!(there, [photo]);
        assert!(trash::deleted_at(db, collection, since, Some(photo), 9).await.unwrap().is_empty());
        assert!(
            trash::deleted_at(db, collection, world.now().plus(TRASH_PERIOD), None, 9)
                .await
                .unwrap()
                .is_empty()
        );
        let mut tx = world.begin().await;
        trash::restore(&mut tx, collection, owner, &["a"], &there).await.unwrap();
        assert!(!recently_deleted::finish_restoring(&mut tx, event, since.plus(TRASH_PERIOD)).await.unwrap());
        assert!(recently_deleted::finish_restoring(&mut tx, event, since).await.unwrap());
        tx.commit().await.unwrap();
        assert_eq!(recently_deleted::restoring_since(db, event).await.unwrap(), None);
        let after = world.seen(event).await;
        assert!(after.revision > before.revision);
        assert_eq!(domain::events::Event { revision: before.revision, ..after }, before);
        assert_eq!(photos::ids(db, collection, None).await.unwrap(), [photo]);
        assert_eq!(team::memberships(db, other).await.unwrap().len(), 1);

        begin(&world, event, owner).await;
        world.clock.advance(TRASH_PERIOD);
        assert!(!restore(&world, event, owner).await, "its time is over");
    }
}

#[tokio::test]
async fn what_is_given_up_leaves_nothing_of_guests_and_team() {
    // [EVT153]
    for world in worlds().await {
        let db = &world.db;
        let (owner, other) = (world.user("a@example.com").await, world.user("b@example.com").await);
        let event = world.event(owner, "2026-11-20").await;
        let mut tx = world.begin().await;
        assert!(team::add(&mut tx, event, other, MemberRole::Manager, NOON).await.unwrap());
        assert!(!recently_deleted::give_up(&mut tx, event).await.unwrap(), "it is not deleted");
        tx.commit().await.unwrap();
        assert_eq!(begin(&world, event, owner).await, Deletion::Done);
        let due = async || recently_deleted::due(db, world.now(), 9).await.unwrap().len();
        assert_eq!(due().await, 0);
        world.clock.advance(TRASH_PERIOD);
        assert_eq!(due().await, 1);
        let mut tx = world.begin().await;
        assert!(recently_deleted::give_up(&mut tx, event).await.unwrap());
        assert!(!recently_deleted::give_up(&mut tx, event).await.unwrap());
        tx.commit().await.unwrap();
        assert_eq!(due().await, 0);
        assert_eq!(team::members(db, event).await.unwrap().len(), 0);
        assert!(!restore(&world, event, owner).await);
        assert_eq!(world.seen(event).await.restorable_until, None);
    }
}

#[tokio::test]
async fn an_event_is_deleted_again_while_its_photos_come_back() {
    // [SAFE351]
    let world = worlds().await.into_iter().find(|world| world.db.engine() == Engine::Postgres).unwrap();
    let owner = world.user("a@example.com").await;
    for place in 0.. {
        let event = world.event(owner, "2026-11-20").await;
        let photo = world.photo(owner, Some(event)).await.id;
        let collection = Collection::Event(event);
        assert_eq!(begin(&world, event, owner).await, Deletion::Started);
        let since = world.seen(event).await.deleting_since.unwrap();
        let mut tx = world.begin().await;
        assert_eq!(trash::put(&mut tx, collection, &[photo], since).await.unwrap(), 1);
        assert!(events::finish_deletion(&mut tx, event, world.now()).await.unwrap());
        tx.commit().await.unwrap();
        assert!(restore(&world, event, owner).await);

        let bring_back = async {
            let mut tx = world.begin().await;
            let restored = trash::restore(&mut tx, collection, owner, &["a"], &[photo]).await.unwrap();
            tx.commit().await.unwrap();
            restored.photos.len()
        };
        let outcome = rival_before(place, bring_back, begin(&world, event, owner)).await;
        let came_back = photos::by_id(&world.db, photo).await.unwrap().is_some();
        assert_eq!(outcome.first, usize::from(came_back), "place {place}");
        assert_ne!(trash::by_id(&world.db, photo).await.unwrap().is_some(), came_back, "place {place}");
        let expected = if came_back { Deletion::Started } else { Deletion::Done };
        assert_eq!(outcome.rival, expected, "place {place}");
        if !outcome.is_between {
            assert!(place > 3);
            return;
        }
    }
}
