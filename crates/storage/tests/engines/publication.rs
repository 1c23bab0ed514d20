//! Photos that are held until they are published.

use domain::events::publication::Publication;
use domain::events::{Event, Held, Indexing};
use domain::guests::objections::ObjectedFace;
use domain::guests::subscriptions::{Language, RecentMails, Subscription};
use domain::{EventId, PhotoId, SubscriptionId, UserId};
use storage::Engine;
use storage::events::{changes, publication};
use storage::faces::index::Scope;
use storage::faces::people::{self, List};
use storage::guests::{browsing, objections, subscriptions};
use storage::operations::integrity;
use storage::photos::{self, Collection, Inserted, PhotoQuery, trash};

use crate::face_index::all;
use crate::world::{World, worlds};

async fn set(world: &World, event: EventId, to: Publication) {
    let mut tx = world.begin().await;
    assert!(changes::lock(&mut tx, event).await.unwrap().is_some());
    publication::set(&mut tx, event, to, world.now()).await.unwrap();
    tx.commit().await.unwrap();
}

async fn publish(world: &World, event: EventId, through: i64) -> i64 {
    let mut tx = world.begin().await;
    assert!(changes::lock(&mut tx, event).await.unwrap().is_some());
    let published = publication::publish(&mut tx, event, through).await.unwrap();
    tx.commit().await.unwrap();
    published
}

/// A photo of the event with a face.
async fn photo(world: &World, owner: UserId, event: EventId) -> PhotoId {
    let photo = world.photo(owner, Some(event)).await.id;
    assert!(world.index(photo, "a", &[world.face(1.0)]).await);
    photo
}

/// Whether a photo is held, and whether guests are kept from it.
async fn state(world: &World, photo: PhotoId) -> (bool, bool) {
    let photo = photos::by_id(&world.db, photo).await.unwrap().unwrap();
    (photo.held, photo.hidden)
}

async fn shown(world: &World, event: EventId) -> Vec<PhotoId> {
    let shown = browsing::all_shown(&world.db, event, None).await.unwrap();
    let count = browsing::count_shown(&world.db, event, None).await.unwrap();
    assert_eq!(usize::try_from(count), Ok(shown.len()));
    let mut found: Vec<PhotoId> =
        all(&world.db, Scope::Event(event), "a").await.iter().map(|face| face.photo).collect();
    found.sort_unstable();
    let mut shown_by_id: Vec<PhotoId> = shown.iter().map(|photo| photo.id).collect();
    shown_by_id.sort_unstable();
    assert_eq!(found, shown_by_id, "searches find what is shown");
    shown_by_id
}

async fn assert_sound(world: &World) {
    assert_eq!(integrity::miscounted_events(&world.db).await.unwrap(), []);
    assert_eq!(integrity::mishidden_photos(&world.db).await.unwrap(), []);
}

fn held(indexed: i64, total: i64, uploads: i64, last: i64) -> Held {
    Held { indexing: Indexing { indexed, failed: 0, total }, faces: indexed, uploads, last }
}

#[tokio::test]
async fn photos_that_arrive_while_an_event_holds_them_are_kept_from_guests_until_they_are_published() {
    // [EVT174] [EVT176] [SAFE424]
    for world in worlds().await {
        let owner = world.user("a@example.com").await;
        let event = world.event(owner, "2026-11-20").await;
        let before = photo(&world, owner, event).await;
        assert_eq!(world.seen(event).await.publication, Publication::AsTheyArrive);
        set(&world, event, Publication::Held).await;
        let (one, two) = (photo(&world, owner, event).await, photo(&world, owner, event).await);
        let waiting = world.photo(owner, Some(event)).await.id;
        assert_eq!(shown(&world, event).await, [before]);
        assert_eq!((state(&world, before).await, state(&world, one).await), ((false, false), (true, true)));
        let seen = world.seen(event).await;
        assert_eq!(seen.held, held(2, 3, 3, 3));
        assert_eq!(seen.indexing, Indexing { indexed: 3, failed: 0, total: 4 });
        let guests = seen.clone().without_held();
        assert_eq!((guests.photos_uploaded, guests.indexing.total, guests.faces_indexed), (1, 1, 1));
        assert_eq!(all(&world.db, Scope::Owner(owner), "a").await.len(), 3, "the photographer finds them");
        let query = PhotoQuery { event: Some(event), held: true, ..PhotoQuery::all(owner, 9) };
        assert_eq!(photos::search_ids(&world.db, &query).await.unwrap(), [waiting, two, one]);
        assert_eq!(photos::count(&world.db, &query).await.unwrap(), 3);
        assert_sound(&world).await;

        // What arrives after the photographer has looked stays held, and so does what comes back from the trash.
        let through = seen.held.last;
        let late = photo(&world, owner, event).await;
        let collection = Collection::Event(event);
        let mut tx = world.begin().await;
        trash::put(&mut tx, collection, &[two], world.now()).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(world.seen(event).await.held, held(2, 3, 4, 4));
        let mut tx = world.begin().await;
        let restored = trash::restore(&mut tx, collection, owner, &["a"], &[two]).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(restored.photos.len(), 1);
        assert_eq!(
            (state(&world, two).await, world.seen(event).await.held),
            ((true, true), held(3, 4, 4, 5))
        );
        assert_sound(&world).await;
        assert_eq!(publish(&world, event, through).await, 2);
        assert_eq!(shown(&world, event).await, [before, one]);
        assert_eq!((state(&world, late).await, state(&world, two).await), ((true, true), (true, true)));
        assert_eq!(state(&world, waiting).await, (false, false), "it is seen once it is indexed");
        assert_eq!(world.seen(event).await.held, held(2, 2, 2, 5));
        assert_eq!(publish(&world, event, through).await, 0, "twice is once");
        assert_sound(&world).await;

        // What arrives is seen again once the event says so; what is held stays so.
        set(&world, event, Publication::AsTheyArrive).await;
        let open = photo(&world, owner, event).await;
        let mut expected = vec![before, one, open];
        expected.sort_unstable();
        assert_eq!(shown(&world, event).await, expected);
        assert_eq!(publish(&world, event, i64::MAX).await, 2);
        assert_eq!(world.seen(event).await.held, held(0, 0, 0, 5));
        assert_eq!(shown(&world, event).await.len(), 5);
        assert_eq!(
            world.seen(event).await.without_held(),
            Event { held: Held::default(), ..world.seen(event).await }
        );
        assert_sound(&world).await;
    }
}

#[tokio::test]
async fn a_held_photo_that_comes_back_to_a_complete_event_is_published() {
    // [EVT186] [SAFE426]
    for world in worlds().await {
        let owner = world.user("a@example.com").await;
        let event = world.event(owner, "2026-11-20").await;
        set(&world, event, Publication::Held).await;
        let (one, two) = (photo(&world, owner, event).await, photo(&world, owner, event).await);
        objections::key_or_insert(&world.db, event, &[7; 32]).await.unwrap();
        let objection = world.request_to_hide(event);
        let bounds = world.face(1.0).bounds;
        let about =
            ObjectedFace { objection: objection.id, face: world.id(), photo: two, bounds, overruled: false };
        let mut tx = world.begin().await;
        objections::create(&mut tx, &objection, &[about]).await.unwrap();
        trash::put(&mut tx, Collection::Event(event), &[one, two], world.now()).await.unwrap();
        tx.commit().await.unwrap();
        publish(&world, event, i64::MAX).await;
        set(&world, event, Publication::Complete).await;
        let mut tx = world.begin().await;
        let restored =
            trash::restore(&mut tx, Collection::Event(event), owner, &["a"], &[one, two]).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(restored.photos.len(), 2);
        assert_eq!((state(&world, one).await, state(&world, two).await), ((false, false), (false, true)));
        assert_eq!(world.seen(event).await.held, held(0, 0, 0, 2));
        assert_eq!(shown(&world, event).await, [one]);
        assert_sound(&world).await;
    }
}

#[tokio::test]
async fn published_photos_stay_hidden_where_a_guest_has_asked_for_it() {
    // [SAFE426]
    for world in worlds().await {
        let owner = world.user("a@example.com").await;
        let event = world.event(owner, "2026-11-20").await;
        objections::key_or_insert(&world.db, event, &[7; 32]).await.unwrap();
        set(&world, event, Publication::Held).await;
        let (one, two) = (photo(&world, owner, event).await, photo(&world, owner, event).await);
        let faces = storage::faces::of_event(&world.db, event).await.unwrap();
        assert!(faces.iter().all(|face| face.hidden), "for objections, which compare as guests' searches do");
        assert_eq!(storage::faces::index::of_guests(&world.db, event).await.unwrap(), 0);
        let mut tx = world.begin().await;
        let person = world.id();
        assert!(people::begin_change(&mut tx, event, None).await.unwrap());
        people::create(&mut tx, event, &[person], false, world.now()).await.unwrap();
        let assigned: Vec<_> = faces.iter().map(|face| (face.id, person)).collect();
        people::assign(&mut tx, event, &assigned).await.unwrap();
        tx.commit().await.unwrap();
        let people = async || {
            let list = List { event, hidden: false, offset: 0, limit: 9 };
            let found = people::list(&world.db, &list).await.unwrap();
            let photos = people::photos(&world.db, person).await.unwrap();
            assert_eq!(people::counts(&world.db, event).await.unwrap().shown, 1);
            (found[0].photos, photos)
        };
        assert_eq!(people().await, (2, vec![two, one]), "the team sees who is in photos that are held");

        let objection = world.request_to_hide(event);
        let bounds = world.face(1.0).bounds;
        let about =
            ObjectedFace { objection: objection.id, face: world.id(), photo: one, bounds, overruled: false };
        let mut tx = world.begin().await;
        objections::create(&mut tx, &objection, &[about]).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(people().await, (1, vec![two]), "but not who has asked that a photo be hidden");
        assert_eq!(state(&world, one).await, (true, true));
        let decide = async |overruled| {
            let mut tx = world.begin().await;
            objections::decide(&mut tx, &objection, &[one], overruled).await.unwrap();
            tx.commit().await.unwrap();
        };
        decide(true).await;
        assert_eq!(state(&world, one).await, (true, true), "it is held still");
        decide(false).await;
        assert_eq!(publish(&world, event, i64::MAX).await, 2);
        assert_eq!((state(&world, one).await, state(&world, two).await), ((false, true), (false, false)));
        assert_eq!(shown(&world, event).await, [two]);
        assert_sound(&world).await;

        // What is wrong is found and mended.
        storage::testing::change(&world.db, &format!("UPDATE photos SET held = 9 WHERE id = '{two}'")).await;
        assert_eq!(integrity::mishidden_photos(&world.db).await.unwrap(), [two]);
        assert_eq!(integrity::miscounted_events(&world.db).await.unwrap(), [event]);
        let mut tx = world.begin().await;
        integrity::rehide(&mut tx, two).await.unwrap();
        integrity::recount_event(&mut tx, event).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(state(&world, two).await, (true, true));
        assert_sound(&world).await;
    }
}

#[tokio::test]
async fn faces_that_are_deleted_from_a_held_photo_are_not_held_any_more() {
    // [FACE559]
    for world in worlds().await {
        let owner = world.user("a@example.com").await;
        let event = world.event(owner, "2026-11-20").await;
        let open = photo(&world, owner, event).await;
        set(&world, event, Publication::Held).await;
        let (one, two) = (photo(&world, owner, event).await, photo(&world, owner, event).await);
        let faces = storage::faces::of_event(&world.db, event).await.unwrap();
        let theirs: Vec<_> =
            faces.iter().filter(|face| face.photo != two).map(|face| (face.id, face.photo)).collect();
        assert_eq!(theirs.len(), 2, "in the photo that guests see, and in one that is held");
        let mut tx = world.begin().await;
        storage::faces::delete(&mut tx, event, &theirs).await.unwrap();
        tx.commit().await.unwrap();
        let seen = world.seen(event).await;
        assert_eq!((seen.faces_indexed, seen.held), (1, Held { faces: 1, ..held(2, 2, 2, 2) }));
        assert_eq!(seen.without_held().faces_indexed, 0);
        assert_sound(&world).await;
        assert_eq!(publish(&world, event, i64::MAX).await, 2);
        assert_eq!(world.seen(event).await.without_held().faces_indexed, 1);
        for (photo, faces) in [(open, 0), (one, 0), (two, 1)] {
            assert_eq!(photos::by_id(&world.db, photo).await.unwrap().unwrap().faces, faces);
        }
        assert_sound(&world).await;
    }
}

#[tokio::test]
async fn an_upload_that_is_being_written_is_held_as_the_event_is_when_it_is_counted() {
    // [EVT175]
    for world in worlds().await.into_iter().filter(|world| world.db.engine() == Engine::Postgres) {
        let owner = world.user("a@example.com").await;
        let event = world.event(owner, "2026-11-20").await;
        for (to, expected) in [(Publication::Held, (true, true)), (Publication::AsTheyArrive, (false, false))]
        {
            let photo = world.new_photo(owner, Some(event));
            let mut upload = world.begin().await;
            assert_eq!(photos::insert(&mut upload, &photo).await.unwrap(), Inserted::Added);
            set(&world, event, to).await;
            publish(&world, event, i64::MAX).await;
            assert!(photos::count_insertion(&mut upload, &photo).await.unwrap());
            upload.commit().await.unwrap();
            assert_eq!(state(&world, photo.id).await, expected);
        }
    }
}

#[tokio::test]
async fn a_guest_waits_for_the_completion_once() {
    // [TELL043]
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let event = world.event(owner, "2026-11-20").await;
        subscriptions::key_or_insert(db, event, &[7; 32]).await.unwrap();
        let subscribe = async |email: &str| {
            let id = world.id::<SubscriptionId>();
            let made = Subscription {
                id,
                event,
                email: domain::accounts::EmailAddress::parse(email).unwrap(),
                language: Language::default(),
                notice_version: String::from("2026-11"),
                template: vec![1],
                created_at: world.now(),
                confirmed_at: None,
                checked_revision: -1,
                new_since: None,
                recent_mails: RecentMails::default(),
                last_download: None,
            };
            let mut tx = world.begin().await;
            assert!(subscriptions::create(&mut tx, &made, &[], &[]).await.unwrap());
            tx.commit().await.unwrap();
            id
        };
        let confirm = async |id| {
            let mut tx = world.begin().await;
            assert!(subscriptions::confirm(&mut tx, id, world.now()).await.unwrap());
            tx.commit().await.unwrap();
        };
        let waits = async |id| subscriptions::awaits_completion(db, id).await.unwrap();
        let (first, unconfirmed) = (subscribe("a@example.com").await, subscribe("b@example.com").await);
        confirm(first).await;
        assert!(!waits(first).await, "it is not complete");
        let revision = world.seen(event).await.revision;
        subscriptions::mark_checked(db, first, revision).await.unwrap();
        assert!(subscriptions::due(db, None, 9).await.unwrap().is_empty());
        world.id::<EventId>();
        set(&world, event, Publication::Complete).await;
        assert_eq!(subscriptions::due(db, None, 9).await.unwrap().len(), 1, "it is looked at once more");
        assert!(waits(first).await && !waits(unconfirmed).await);
        world.id::<EventId>();
        let late = subscribe("c@example.com").await;
        confirm(unconfirmed).await;
        confirm(late).await;
        assert!(waits(unconfirmed).await && !waits(late).await, "who comes later reads it on the page");
        set(&world, event, Publication::AsTheyArrive).await;
        assert!(!waits(first).await);
        set(&world, event, Publication::Complete).await;
        assert!(waits(first).await && waits(unconfirmed).await);
        subscriptions::end_wait_for_completion(db, first, world.now()).await.unwrap();
        assert!(!waits(first).await);
        set(&world, event, Publication::Held).await;
        world.id::<EventId>();
        set(&world, event, Publication::Complete).await;
        assert!(!waits(first).await && waits(unconfirmed).await, "nobody waits twice");
    }
}
