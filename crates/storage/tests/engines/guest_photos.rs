//! Photos that guests have added: they wait in a table of their own, are taken once, and go with their event.

use std::slice::from_ref;
use std::time::Duration;

use domain::accounts::tokens::{TokenHash, hash_token};
use domain::guests::guest_photos::{GuestPhoto, NOTICE, Room, WAITS, Waiting};
use domain::photos::{Photo, PhotoStatus};
use domain::{EventId, Job, JobId, PhotoId, UserId};
use storage::accounts::deletion_receipts;
use storage::events::{changes, recently_deleted};
use storage::guests::guest_photos;
use storage::operations::clock_watch;
use storage::operations::runtime::jobs;
use storage::photos::{self, Collection};
use storage::testing::{count, new_photo};

use crate::world::{COLOR, DAY, World, insert, worlds};

const MILLISECOND: Duration = Duration::from_millis(1);
/// What the files of each have.
const STORED: i64 = 5_400_000;

fn device(number: u8) -> TokenHash {
    hash_token(&number.to_string())
}

impl World {
    fn guest_photo(&self, owner: UserId, event: EventId, from: u8) -> GuestPhoto {
        let id: PhotoId = self.id();
        let photo = Photo {
            status: PhotoStatus::Ready,
            average_color: Some(COLOR),
            preview_bytes: Some(300_000),
            medium_bytes: Some(80_000),
            ..new_photo(id, self.now(), &self.randomness, owner, Some(event))
        };
        let name = (from == 1).then(|| String::from("Meera"));
        GuestPhoto { photo, event, device: device(from), name, warned_at: None, became: None }
    }

    async fn added(&self, owner: UserId, event: EventId, from: u8) -> GuestPhoto {
        let added = self.guest_photo(owner, event, from);
        let mut tx = self.begin().await;
        assert!(guest_photos::insert(&mut tx, &added, STORED).await.unwrap());
        tx.commit().await.unwrap();
        added
    }

    /// Lets a photo in, as the product does.
    async fn let_in(&self, added: &GuestPhoto) -> bool {
        let mut tx = self.begin().await;
        if !guest_photos::take(&mut tx, added.photo.id).await.unwrap() {
            return false;
        }
        let photo = Photo { status: PhotoStatus::Processing, ..added.photo.clone() };
        insert(&mut tx, &photo).await;
        tx.commit().await.unwrap();
        true
    }
}

#[tokio::test]
async fn what_waits_is_no_photo_until_it_is_taken_which_it_is_once() {
    // [UPL257]
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let event = world.event(owner, "2026-11-14").await;
        let first = world.added(owner, event, 1).await;
        let second = world.added(owner, event, 2).await;
        assert_eq!(guest_photos::by_id(db, first.photo.id).await.unwrap().as_ref(), Some(&first));
        let hash = first.photo.content_hash;
        let found = guest_photos::by_hash(db, event, &device(1), &hash).await.unwrap();
        assert_eq!(found.as_ref(), Some(&first));
        assert_eq!(guest_photos::by_hash(db, event, &device(2), &hash).await.unwrap(), None);
        assert_eq!(guest_photos::waiting(db, event).await.unwrap(), [first.clone(), second.clone()]);
        assert_eq!(guest_photos::of_device(db, event, &device(1)).await.unwrap(), from_ref(&first));
        assert_eq!((count(db, "photos").await, world.seen(event).await.photos_uploaded), (0, 0));

        // The same bytes of the same device are there already; those of another device are not.
        let mut tx = world.begin().await;
        let again = |from| {
            let mut again = world.guest_photo(owner, event, from);
            again.photo.content_hash = hash;
            again
        };
        assert!(!guest_photos::insert(&mut tx, &again(1), STORED).await.unwrap());
        drop(tx);
        let third = again(3);
        let mut tx = world.begin().await;
        assert!(guest_photos::insert(&mut tx, &third, STORED).await.unwrap());
        tx.commit().await.unwrap();

        assert!(world.let_in(&first).await);
        assert!(!world.let_in(&first).await, "it is taken once");
        let taken = GuestPhoto { became: Some(first.photo.id), ..first.clone() };
        assert_eq!(guest_photos::of_device(db, event, &device(1)).await.unwrap(), [taken]);
        assert_eq!(guest_photos::waiting(db, event).await.unwrap(), [second.clone(), third.clone()]);
        let waiting = guest_photos::WaitingIn { event, photos: 2 };
        assert_eq!(guest_photos::waiting_by_event(db, owner).await.unwrap(), [waiting]);
        let other = world.user("b@example.com").await;
        assert_eq!(guest_photos::waiting_by_event(db, other).await.unwrap(), []);
        let ids = [first.photo.id, second.photo.id, third.photo.id];
        let mut waiting = guest_photos::waiting_of(db, &ids).await.unwrap();
        waiting.sort_by_key(|added| added.photo.id);
        assert_eq!(waiting, [second.clone(), third.clone()]);
        assert_eq!(guest_photos::page(db, None, 1).await.unwrap(), from_ref(&second));
        assert_eq!(guest_photos::page(db, Some(second.photo.id), 9).await.unwrap(), from_ref(&third));
        assert_eq!(
            guest_photos::names(db, &ids).await.unwrap(),
            [(first.photo.id, Some(String::from("Meera")))]
        );

        // What has the bytes of a photo that is there becomes that one, and is nobody's but the first one's.
        let mut tx = world.begin().await;
        assert!(guest_photos::take(&mut tx, third.photo.id).await.unwrap());
        guest_photos::set_became(&mut tx, third.photo.id, first.photo.id).await.unwrap();
        assert!(!guest_photos::delete_waiting(&mut tx, third.photo.id).await.unwrap());
        assert!(guest_photos::delete_waiting(&mut tx, second.photo.id).await.unwrap());
        assert!(!guest_photos::delete_waiting(&mut tx, second.photo.id).await.unwrap());
        tx.commit().await.unwrap();
        assert_eq!(guest_photos::names(db, &ids).await.unwrap().len(), 1);
        assert_eq!(guest_photos::waiting(db, event).await.unwrap(), []);
        assert_eq!(guest_photos::delete_without_photo(db).await.unwrap(), 0);
        let mut tx = world.begin().await;
        photos::delete_many(&mut tx, Collection::Event(event), &[first.photo.id]).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(guest_photos::delete_without_photo(db).await.unwrap(), 2);
    }
}

#[tokio::test]
async fn of_two_who_let_a_photo_in_at_once_one_does() {
    // [PAY212]
    for world in worlds().await {
        let owner = world.user("a@example.com").await;
        let event = world.event(owner, "2026-11-14").await;
        let added = world.added(owner, event, 1).await;
        let (first, second) = tokio::join!(world.let_in(&added), world.let_in(&added));
        assert!(first != second, "{first} {second}");
        assert_eq!(world.seen(event).await.photos_uploaded, 1);
    }
}

#[tokio::test]
async fn what_waits_is_counted_by_device_by_event_and_altogether() {
    // [SAFE436]
    for world in worlds().await {
        let owner = world.user("a@example.com").await;
        let (event, other) = (world.event(owner, "2026-11-14").await, world.event(owner, "2026-11-15").await);
        let let_in = world.added(owner, event, 1).await;
        assert!(world.let_in(&let_in).await);
        for (event, from) in [(event, 1), (event, 2), (other, 1)] {
            world.added(owner, event, from).await;
        }
        let waiting = |photos| Waiting { photos, bytes: photos * STORED };
        assert_eq!(
            guest_photos::room(&world.db, event, &device(1)).await.unwrap(),
            Room { of_device: 2, of_event: waiting(2), of_all: waiting(3) }
        );
        assert_eq!(
            guest_photos::room(&world.db, other, &device(9)).await.unwrap(),
            Room { of_device: 0, of_event: waiting(1), of_all: waiting(3) }
        );
        assert_eq!(guest_photos::waiting_altogether(&world.db).await.unwrap(), waiting(3));
    }
}

#[tokio::test]
async fn what_waits_is_warned_of_once_and_due_when_its_time_is_over() {
    // [UPL264] [UPL269] [SAFE493]
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let event = world.event(owner, "2026-11-14").await;
        let old = world.added(owner, event, 1).await;
        let let_in = world.added(owner, event, 1).await;
        assert!(world.let_in(&let_in).await);
        world.clock.advance(DAY * 3);
        let young = world.added(owner, event, 1).await;
        let until = old.photo.created_at;
        let to_warn = async |until| guest_photos::to_warn(db, until, world.now()).await.unwrap();
        let due = async |until, warned| guest_photos::due(db, until, warned, 9).await.unwrap();
        assert_eq!(to_warn(until).await, [event]);
        assert_eq!(due(until, world.now()).await, [], "nothing goes without a warning");
        assert_eq!(old.goes_at(until), until.plus(WAITS));
        let late = until.plus(WAITS);
        assert_eq!(old.goes_at(late), late.plus(NOTICE));

        // While a mail is on its way no other is written, nor for a day after it could not be sent.
        let job: JobId = world.id();
        let mut tx = world.begin().await;
        jobs::enqueue(&mut tx, job, &Job::WarnOfGuestPhotos { event }, world.now(), world.now())
            .await
            .unwrap();
        tx.commit().await.unwrap();
        assert_eq!(to_warn(until).await, []);
        let failed = world.now();
        let fail = format!(
            "UPDATE jobs SET state = 'failed', finished_at = {} WHERE id = '{job}'",
            failed.as_millis()
        );
        storage::testing::change(db, &fail).await;
        assert_eq!(guest_photos::to_warn(db, until, failed.minus(DAY)).await.unwrap(), []);
        assert_eq!(to_warn(until).await, [event]);

        let now = world.now();
        guest_photos::mark_warned(db, event, until, now).await.unwrap();
        assert_eq!(to_warn(until).await, []);
        assert_eq!(to_warn(young.photo.created_at).await, [event]);
        let old = GuestPhoto { warned_at: Some(now), ..old };
        assert_eq!(due(until, now).await, from_ref(&old));
        assert_eq!(due(until, now.minus(MILLISECOND)).await, []);
        assert_eq!(old.goes_at(late), late.max(now.plus(NOTICE)));

        // Of a closed event nobody is told, and nothing goes before the event does; once it is back what waits is warned of anew.
        let mut tx = world.begin().await;
        photos::delete_many(&mut tx, Collection::Event(event), &[let_in.photo.id]).await.unwrap();
        world.begin_deletion(&mut tx, event, owner).await;
        tx.commit().await.unwrap();
        assert_eq!(to_warn(young.photo.created_at).await, []);
        assert_eq!(due(world.now(), world.now()).await, []);
        let mut tx = world.begin().await;
        assert!(recently_deleted::restore(&mut tx, event, owner, world.now()).await.unwrap().is_some());
        tx.commit().await.unwrap();
        assert_eq!(due(world.now(), world.now()).await, []);
        assert_eq!(to_warn(until).await, [event]);
        let old = GuestPhoto { warned_at: None, ..old };

        // What is in one that cannot be restored goes with it.
        guest_photos::mark_warned(db, event, until, world.now()).await.unwrap();
        let old = GuestPhoto { warned_at: Some(world.now()), ..old };
        assert_eq!(due(until, world.now()).await, [old]);
        let left_behind = async |until| guest_photos::left_behind(db, until).await.unwrap();
        assert_eq!(left_behind(world.now()).await, []);
        let mut tx = world.begin().await;
        let job = world.id();
        storage::events::close(&mut tx, event, owner, job, world.now()).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(due(world.now(), world.now()).await, []);
        assert_eq!(left_behind(until).await, [event]);
        assert_eq!(left_behind(until.minus(MILLISECOND)).await, []);
    }
}

#[tokio::test]
async fn a_deletion_is_complete_when_nothing_that_guests_added_is_left() {
    // [SAFE440] [SAFE491]
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let event = world.event(owner, "2026-11-14").await;
        let added = world.added(owner, event, 1).await;
        assert_eq!(guest_photos::closed_events(db, owner).await.unwrap(), []);
        let mut tx = world.begin().await;
        let job = world.id();
        storage::events::close(&mut tx, event, owner, job, world.now()).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(guest_photos::closed_events(db, owner).await.unwrap(), [event]);
        assert_eq!(deletion_receipts::count_left(db, &event.to_string()).await.unwrap(), 1);
        assert_eq!(guest_photos::batch(db, event, 9).await.unwrap(), from_ref(&added));
        let mut tx = world.begin().await;
        let id = added.photo.id;
        assert_eq!(guest_photos::delete_many(&mut tx, &[id]).await.unwrap(), [id]);
        assert_eq!(guest_photos::delete_many(&mut tx, &[id]).await.unwrap(), []);
        tx.commit().await.unwrap();
        assert_eq!(deletion_receipts::count_left(db, &event.to_string()).await.unwrap(), 0);
        assert_eq!(guest_photos::batch(db, event, 9).await.unwrap(), []);
    }
}

#[tokio::test]
async fn a_warning_that_a_clock_ahead_has_dated_is_given_again() {
    // [SAFE484]
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let event = world.event(owner, "2026-11-14").await;
        world.added(owner, event, 1).await;
        let now = world.now();
        guest_photos::mark_warned(db, event, now, now.plus(DAY * 30)).await.unwrap();
        assert_eq!(guest_photos::due(db, now, now, 9).await.unwrap(), []);
        let mut tx = world.begin().await;
        assert_eq!(clock_watch::set_back(&mut tx, now).await.unwrap(), 1);
        tx.commit().await.unwrap();
        // It named another day.
        assert_eq!(guest_photos::due(db, now, now, 9).await.unwrap(), []);
        let soon = now.plus(DAY);
        assert_eq!(guest_photos::to_warn(db, soon, soon).await.unwrap(), [event]);
    }
}

#[tokio::test]
async fn events_take_photos_of_guests_once_their_photographer_says_so() {
    // [UPL254] [UPL255]
    for world in worlds().await {
        let owner = world.user("a@example.com").await;
        let event = world.event(owner, "2026-11-14").await;
        let mut tx = world.begin().await;
        let mut locked = changes::lock(&mut tx, event).await.unwrap().unwrap();
        assert_eq!((locked.flags.takes_guest_photos, locked.guest_photo_limit), (false, 30));
        (locked.flags.takes_guest_photos, locked.guest_photo_limit) = (true, 7);
        changes::save(&mut tx, &locked).await.unwrap();
        tx.commit().await.unwrap();
        let seen = world.seen(event).await;
        assert_eq!((seen.flags.takes_guest_photos, seen.guest_photo_limit), (true, 7));
    }
}
