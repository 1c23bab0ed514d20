//! What is being removed for good, its receipts, and the backups that may hold it.

use domain::accounts::EmailAddress;
use domain::accounts::deletion_receipts::{DestroyedKey, Removed, Subject};
use domain::{EventId, Timestamp, UserId};
use storage::accounts::deletion_receipts::{self, Deletion};
use storage::events::{self, recently_deleted};
use storage::guests::subscriptions;
use storage::operations::backups::{self, BackupFolder};
use storage::photos::{Collection, trash};

use crate::world::{World, worlds};

const REMOVED: Removed = Removed { photos: 2, faces: 3, bytes: 5_000, subscriptions: 0, requests: 0 };

fn deletion(world: &World, owner: UserId, subject: Subject, subject_id: String) -> Deletion {
    Deletion {
        id: world.id(),
        owner,
        subject,
        subject_id,
        email: (subject == Subject::Account).then(|| EmailAddress::parse("a@example.com").unwrap()),
        begun_at: world.now(),
        completed_at: None,
        removed: Removed::default(),
        keys: vec![DestroyedKey::of("requests", &[1])],
        document: None,
    }
}

async fn begin(world: &World, deletion: &Deletion) {
    let mut tx = world.begin().await;
    deletion_receipts::begin(&mut tx, deletion).await.unwrap();
    tx.commit().await.unwrap();
}

async fn complete(world: &World, owner: UserId) -> Vec<Deletion> {
    let mut tx = world.begin().await;
    let completed = deletion_receipts::complete(&mut tx, owner, world.now()).await.unwrap();
    tx.commit().await.unwrap();
    completed
}

async fn delete_event(world: &World, event: EventId, owner: UserId) -> Timestamp {
    let mut tx = world.begin().await;
    world.begin_deletion(&mut tx, event, owner).await;
    tx.commit().await.unwrap();
    world.seen(event).await.deleting_since.unwrap()
}

#[tokio::test]
async fn a_deletion_is_complete_when_no_photo_of_it_is_left_and_it_cannot_be_restored() {
    // [SAFE356] [SAFE472]
    for world in worlds().await {
        let db = &world.db;
        let (owner, other) = (world.user("a@example.com").await, world.user("b@example.com").await);
        let event = world.event(owner, "2026-11-20").await;
        let photo = world.photo(owner, Some(event)).await.id;
        let begun = deletion(&world, owner, Subject::Event, event.to_string());
        begin(&world, &begun).await;
        begin(&world, &deletion(&world, owner, Subject::Event, event.to_string())).await;
        assert_eq!(
            deletion_receipts::of_owner(db, owner).await.unwrap(),
            std::slice::from_ref(&begun),
            "it began once"
        );
        let subjects = [owner.to_string(), event.to_string()];
        let open = async || deletion_receipts::open_among(db, &subjects).await.unwrap();
        assert_eq!(open().await, subjects[1..]);
        assert_eq!(deletion_receipts::count_left(db, &event.to_string()).await.unwrap(), 1);
        assert_eq!(complete(&world, owner).await, [], "the event is open");

        let since = delete_event(&world, event, owner).await;
        let mut tx = world.begin().await;
        trash::put(&mut tx, Collection::Event(event), &[photo], since).await.unwrap();
        assert!(events::finish_deletion(&mut tx, event, world.now()).await.unwrap());
        assert!(recently_deleted::lock(&mut tx, event).await.unwrap());
        tx.commit().await.unwrap();
        assert_eq!(complete(&world, owner).await, [], "it can be restored");
        let mut tx = world.begin().await;
        assert!(recently_deleted::give_up(&mut tx, event).await.unwrap());
        assert!(!recently_deleted::lock(&mut tx, event).await.unwrap());
        tx.commit().await.unwrap();
        assert_eq!(complete(&world, owner).await, [], "a photo is there");
        let mut tx = world.begin().await;
        trash::remove(&mut tx, &[photo]).await.unwrap();
        deletion_receipts::count(&mut tx, &event.to_string(), &REMOVED).await.unwrap();
        deletion_receipts::count(&mut tx, &owner.to_string(), &REMOVED).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(complete(&world, other).await, []);
        let done = Deletion { completed_at: Some(world.now()), removed: REMOVED, ..begun };
        assert_eq!(complete(&world, owner).await, std::slice::from_ref(&done));
        assert_eq!(complete(&world, owner).await, [], "once");
        assert!(open().await.is_empty());
        assert_eq!(deletion_receipts::count_left(db, &event.to_string()).await.unwrap(), 0);

        let mut tx = world.begin().await;
        deletion_receipts::count(&mut tx, &event.to_string(), &REMOVED).await.unwrap();
        deletion_receipts::sign(&mut tx, done.id, "{}").await.unwrap();
        assert_eq!(deletion_receipts::lock_account(&mut tx, owner).await.unwrap(), None);
        tx.commit().await.unwrap();
        let signed = Deletion { document: Some(String::from("{}")), ..done };
        assert_eq!(deletion_receipts::by_id(db, signed.id).await.unwrap(), Some(signed));

        let account = deletion(&world, owner, Subject::Account, owner.to_string());
        begin(&world, &account).await;
        let library = world.photo(owner, None).await.id;
        assert_eq!(complete(&world, owner).await, [], "its library has a photo");
        let mut tx = world.begin().await;
        assert!(storage::testing::remove_photo(&mut tx, library).await);
        assert_eq!(deletion_receipts::lock_account(&mut tx, owner).await.unwrap(), Some(account.id));
        tx.commit().await.unwrap();
        assert_eq!(complete(&world, owner).await.len(), 1);
        assert_eq!(deletion_receipts::of_owner(db, owner).await.unwrap().len(), 2);
        deletion_receipts::forget(db, owner).await.unwrap();
        assert_eq!(deletion_receipts::of_owner(db, owner).await.unwrap(), []);
    }
}

#[tokio::test]
async fn what_guests_have_left_is_counted_with_the_fingerprints_of_its_keys() {
    for world in worlds().await {
        let owner = world.user("a@example.com").await;
        let event = world.event(owner, "2026-11-20").await;
        let left = async || {
            let mut tx = world.begin().await;
            deletion_receipts::left_by_guests(&mut tx, event).await.unwrap()
        };
        assert_eq!(left().await, (Removed::default(), Vec::new()));
        subscriptions::key_or_insert(&world.db, event, &[7; 32]).await.unwrap();
        storage::guests::objections::key_or_insert(&world.db, event, &[8; 32]).await.unwrap();
        storage::guests::kept_searches::key_or_insert(&world.db, event, &[9; 32]).await.unwrap();
        let keys = [("subscriptions", [7; 32]), ("requests", [8; 32]), ("searches", [9; 32])];
        let keys = keys.map(|(purpose, key)| DestroyedKey::of(purpose, &key));
        assert_eq!(left().await.1, keys);
    }
}

#[tokio::test]
async fn folders_of_backups_are_known_as_of_their_last_backup() {
    for world in worlds().await {
        let db = &world.db;
        assert_eq!(backups::folders(db).await.unwrap(), []);
        let folder = |folder: &str, snapshots: i64| BackupFolder {
            folder: folder.to_owned(),
            keeps: 14,
            snapshots,
            oldest_at: Timestamp::from_millis(1),
            newest_at: Timestamp::from_millis(snapshots),
        };
        for recorded in [folder("/b", 2), folder("/a", 3), folder("/b", 4)] {
            backups::record(db, &recorded).await.unwrap();
        }
        assert_eq!(backups::folders(db).await.unwrap(), [folder("/a", 3), folder("/b", 4)]);
    }
}

#[tokio::test]
async fn the_removal_of_photos_of_an_event_that_stays_is_complete_when_none_is_left() {
    // [SAFE364]
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let event = world.event(owner, "2026-11-20").await;
        let photo = world.photo(owner, Some(event)).await.id;
        let id = format!("{event} 2026-12-20");
        let begun = deletion(&world, owner, Subject::Photos, id.clone());
        begin(&world, &begun).await;
        assert_eq!(deletion_receipts::owners_of_open(db).await.unwrap(), [owner]);
        let keys = [DestroyedKey::of("searches", &[2])];
        let left = Removed { subscriptions: 4, requests: 1, ..Removed::default() };
        let mut tx = world.begin().await;
        deletion_receipts::count(&mut tx, &id, &REMOVED).await.unwrap();
        deletion_receipts::count_left_by_guests(&mut tx, &id, &left, &keys).await.unwrap();
        deletion_receipts::count_left_by_guests(&mut tx, "another", &left, &keys).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(complete(&world, owner).await, [], "a photo is there");
        let mut tx = world.begin().await;
        storage::photos::delete_many(&mut tx, Collection::Event(event), &[photo]).await.unwrap();
        tx.commit().await.unwrap();
        let completed = complete(&world, owner).await.remove(0);
        assert_eq!(completed.removed, REMOVED.plus(left));
        assert_eq!(completed.keys, [begun.keys[0].clone(), keys[0].clone()]);
        assert!(deletion_receipts::owners_of_open(db).await.unwrap().is_empty());
    }
}
