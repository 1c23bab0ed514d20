//! Photos that the pack before has described, until the one in use has.

use domain::events::Indexing;
use domain::faces::Embedding;
use domain::guests::subscriptions::{Language, RecentMails, Subscription};
use domain::operations::runtime::jobs::JobKind;
use domain::{EventId, FaceId, Job, PersonId, PhotoId, UserId};
use storage::faces::index::{self, Scope};
use storage::faces::{self, NewFace, people};
use storage::guests::subscriptions;
use storage::operations::runtime::jobs;
use storage::photos::{self, Collection, trash};

use crate::face_index::all;
use crate::world::{NOON, World, worlds};

const PACKS: [&str; 2] = ["new", "old"];

struct Scene {
    owner: UserId,
    event: EventId,
    photo: PhotoId,
    faces: Vec<NewFace>,
    person: PersonId,
}

/// A photo of two faces that 'old' has described, the first of which is somebody's.
async fn scene(world: &World) -> Scene {
    let owner = world.user("a@example.com").await;
    let event = world.event(owner, "2026-11-14").await;
    let photo = world.photo(owner, Some(event)).await.id;
    let faces = vec![world.face(1.0), world.face(2.0)];
    assert!(world.index(photo, "old", &faces).await);
    let person = world.id();
    let mut tx = world.begin().await;
    assert!(people::begin_change(&mut tx, event, None).await.unwrap());
    people::create(&mut tx, event, &[person], true, world.now()).await.unwrap();
    people::assign(&mut tx, event, &[(faces[0].id, person)]).await.unwrap();
    tx.commit().await.unwrap();
    Scene { owner, event, photo, faces, person }
}

fn other_numbers(faces: &[NewFace]) -> Vec<(FaceId, Embedding)> {
    let numbers = |_: &NewFace| Embedding::normalised(vec![0.5, 0.25]).unwrap();
    faces.iter().map(|face| (face.id, numbers(face))).collect()
}

/// Describes a photo of 'old'.
async fn describe(world: &World, photo: PhotoId, faces: &[(FaceId, Embedding)]) -> bool {
    describe_after(world, photo, "old", faces).await
}

async fn describe_after(
    world: &World,
    photo: PhotoId,
    previous: &str,
    faces: &[(FaceId, Embedding)],
) -> bool {
    let mut tx = world.begin().await;
    let there = photos::finish_describing(&mut tx, photo, previous, "new", faces).await.unwrap();
    tx.commit().await.unwrap();
    there
}

#[tokio::test]
async fn faces_that_are_described_anew_stay_where_and_whose_they_are() {
    // [FACE535] [GAL457]
    for world in worlds().await {
        let db = &world.db;
        let Scene { owner, event, photo, faces, person } = scene(&world).await;
        let before = (photos::by_id(db, photo).await.unwrap(), faces::places(db, photo).await.unwrap());
        let versions = async || {
            let scopes = [Scope::Event(event), Scope::Owner(owner)];
            let [event, owner] = scopes.map(async |scope| index::version(db, scope).await.unwrap().unwrap());
            [event.await, owner.await]
        };
        let old = versions().await;
        assert!(describe(&world, photo, &other_numbers(&faces)).await);
        assert_eq!(
            (photos::by_id(db, photo).await.unwrap(), faces::places(db, photo).await.unwrap()),
            before
        );
        for (before, after) in old.into_iter().zip(versions().await) {
            assert!(
                after.revision > before.revision && after.removals > before.removals,
                "old numbers leave"
            );
        }
        assert_eq!(photos::pack(db, photo).await.unwrap().as_deref(), Some("new"));
        let stored = faces::of_photo(db, photo).await.unwrap();
        assert_eq!(stored.len(), 2);
        for (face, (id, embedding)) in stored.iter().zip(other_numbers(&faces)) {
            assert_eq!((face.id, &face.embedding, face.pack.as_str()), (id, &embedding, "new"));
        }
        for scope in [Scope::Event(event), Scope::Owner(owner)] {
            assert_eq!((all(db, scope, "new").await.len(), all(db, scope, "old").await.len()), (2, 0));
            assert_eq!(
                (index::has(db, scope, "new").await.unwrap(), index::has(db, scope, "old").await.unwrap()),
                (true, false)
            );
        }
        assert_eq!(people::photos(db, person).await.unwrap(), [photo]);

        // One that is not to be found any more goes, and with it a person who has no other.
        let rest = &other_numbers(&faces)[1..];
        assert!(describe_after(&world, photo, "new", rest).await);
        assert_eq!(faces::of_photo(db, photo).await.unwrap().len(), 1);
        assert_eq!(photos::by_id(db, photo).await.unwrap().unwrap().faces, 1);
        assert_eq!(people::by_id(db, person).await.unwrap(), None);
        assert!(!describe(&world, world.id(), &[]).await, "it is deleted");
        let waiting = world.photo(owner, Some(event)).await.id;
        assert!(!describe(&world, waiting, &[]).await, "it has a new file");
    }
}

#[tokio::test]
async fn a_face_that_is_found_again_stays_the_same_persons() {
    // [GAL457]
    for world in worlds().await {
        let db = &world.db;
        let Scene { event, photo, faces, person, .. } = scene(&world).await;
        let moved = NewFace { id: faces[0].id, ..world.face(5.0) };
        assert!(world.index(photo, "new", &[world.face(4.0), moved]).await);
        assert_eq!(people::photos(db, person).await.unwrap(), [photo]);
        assert_eq!(people::faces_without(db, event, &["new"]).await.unwrap(), 1, "the other is a new one");
        assert!(world.index(photo, "new", &[world.face(4.0)]).await);
        assert_eq!(people::by_id(db, person).await.unwrap(), None, "none of theirs is there");
    }
}

#[tokio::test]
async fn photos_of_the_pack_before_are_found_and_wait_to_be_described_anew() {
    // [FACE536]
    for world in worlds().await {
        let db = &world.db;
        let Scene { owner, event, photo, faces, .. } = scene(&world).await;
        let newer = world.event(owner, "2026-12-31").await;
        let (second, current) =
            (world.photo(owner, Some(newer)).await.id, world.photo(owner, Some(newer)).await.id);
        world.index(second, "old", &[]).await;
        world.index(current, "new", &[]).await;
        let marked = async |packs: &[&str]| {
            let mut tx = world.begin().await;
            let marked = photos::mark_outdated(&mut tx, packs, 9).await.unwrap();
            tx.commit().await.unwrap();
            marked
        };
        assert_eq!((marked(&PACKS).await, marked(&["old", "new"]).await), (0, 0));
        assert_eq!(photos::count_described(db, "old").await.unwrap(), 2);
        assert_eq!(photos::count_described_of(db, owner, "old").await.unwrap(), 2);
        assert_eq!(photos::count_described_of(db, world.id(), "old").await.unwrap(), 0);
        assert_eq!(world.seen(event).await.indexing, Indexing { indexed: 1, failed: 0, total: 1 });
        let mut described = photos::described(db, "old", 9).await.unwrap();
        described.sort_unstable();
        assert_eq!(described, [photo, second]);
        assert_eq!(photos::described(db, "old", 1).await.unwrap().len(), 1);

        let job = Job::DescribePhoto { photo };
        let mut tx = world.begin().await;
        assert!(jobs::enqueue_in_background(&mut tx, world.id(), &job, NOON).await.unwrap());
        assert!(!jobs::enqueue_in_background(&mut tx, world.id(), &job, NOON).await.unwrap(), "it is queued");
        tx.commit().await.unwrap();
        assert_eq!(jobs::count_in_background(db, JobKind::DescribePhoto).await.unwrap(), 1);
        assert_eq!(photos::described(db, "old", 9).await.unwrap(), [second]);
        assert!(describe(&world, photo, &other_numbers(&faces)).await && describe(&world, second, &[]).await);
        assert_eq!(photos::count_described(db, "old").await.unwrap(), 0);
        assert_eq!(photos::described(db, "old", 9).await.unwrap(), []);

        // Of a pack that nobody has a recogniser of they are not found.
        world.index(photo, "middle", &faces).await;
        assert_eq!(marked(&PACKS).await, 1);
        assert_eq!(photos::count_described(db, "middle").await.unwrap(), 0);
        let mut tx = world.begin().await;
        assert_eq!(photos::mark_current(&mut tx, &["new", "middle"], 9).await.unwrap(), 1);
        tx.commit().await.unwrap();
    }
}

#[tokio::test]
async fn people_are_grouped_once_no_photo_of_their_event_waits_to_be_described_anew() {
    // [GAL458]
    for world in worlds().await {
        let db = &world.db;
        let Scene { owner, event, photo, .. } = scene(&world).await;
        let late = world.photo(owner, Some(event)).await.id;
        world.index(late, "new", &[world.face(3.0)]).await;
        let due = async || people::due(db, "new", Some("old"), world.now()).await.unwrap();
        assert_eq!(due().await, []);
        assert_eq!(people::faces_without(db, event, &PACKS).await.unwrap(), 2);
        // One that cannot be described does not hold up the others for ever.
        let mut tx = world.begin().await;
        let (id, until) = (world.id(), world.now().plus(crate::world::DAY));
        let job = Job::DescribePhoto { photo };
        jobs::enqueue_leased(&mut tx, id, &job, "lease", world.now(), until).await.unwrap();
        assert!(jobs::fail(&mut tx, id, "lease", "no memory", world.now()).await.unwrap());
        tx.commit().await.unwrap();
        assert_eq!(due().await, [event]);
        let since = world.now().minus(crate::world::DAY);
        assert_eq!(jobs::count_done(db, JobKind::DescribePhoto, since).await.unwrap(), 0, "it has failed");
        let mut tx = world.begin().await;
        jobs::forget_failed(&mut tx, photo).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(due().await, []);
        let mut tx = world.begin().await;
        jobs::enqueue_leased(&mut tx, world.id(), &job, "lease", world.now(), until).await.unwrap();
        tx.commit().await.unwrap();
        assert!(describe(&world, photo, &other_numbers(&[])).await);
        assert_eq!(due().await, [event]);
        let queued = jobs::in_state(db, jobs::JobState::Queued, None, 9).await.unwrap();
        let mut tx = world.begin().await;
        assert!(jobs::complete(&mut tx, queued[0].id, "lease", world.now()).await.unwrap());
        tx.commit().await.unwrap();
        assert_eq!(jobs::count_done(db, JobKind::DescribePhoto, since).await.unwrap(), 1);
        assert_eq!(jobs::count_done(db, JobKind::IndexPhoto, since).await.unwrap(), 0);
        assert_eq!(jobs::count_done(db, JobKind::DescribePhoto, world.now()).await.unwrap(), 0);
    }
}

#[tokio::test]
async fn a_photo_that_was_given_up_holds_up_no_grouping_and_is_found_as_before() {
    // [GAL458] [FACE537]
    for world in worlds().await {
        let db = &world.db;
        let Scene { owner, event, photo, .. } = scene(&world).await;
        let late = world.photo(owner, Some(event)).await.id;
        world.index(late, "new", &[world.face(3.0)]).await;
        let due = async || people::due(db, "new", Some("old"), world.now()).await.unwrap();
        assert_eq!(due().await, []);
        let mut tx = world.begin().await;
        photos::skip_outdated(&mut tx, photo, "new").await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(due().await, [event]);
        let scope = Scope::Event(event);
        assert!(index::has(db, scope, "old").await.unwrap(), "searches of the event need both recognisers");
        assert_eq!(all(db, scope, "old").await.len(), 2);
    }
}

#[tokio::test]
async fn what_an_indexing_has_stored_meanwhile_is_not_replaced_by_a_late_description() {
    // [FACE561]
    for world in worlds().await {
        let db = &world.db;
        let Scene { photo, faces, person, .. } = scene(&world).await;
        let read_before = other_numbers(&faces);
        let mut found = faces;
        found.push(world.face(3.0));
        assert!(world.index(photo, "new", &found).await);
        assert!(!describe(&world, photo, &read_before).await, "'old' is not what has described it");
        let stored = faces::of_photo(db, photo).await.unwrap();
        assert_eq!(stored.len(), 3, "the new face is there");
        assert!(stored.iter().all(|face| found.iter().any(|of| of.embedding == face.embedding)));
        assert_eq!(photos::by_id(db, photo).await.unwrap().unwrap().faces, 3);
        assert_eq!(people::photos(db, person).await.unwrap(), [photo]);
    }
}

#[tokio::test]
async fn a_restored_photo_of_the_pack_before_is_found() {
    for world in worlds().await {
        let db = &world.db;
        let Scene { owner, event, photo, .. } = scene(&world).await;
        let mut tx = world.begin().await;
        trash::put(&mut tx, Collection::Event(event), &[photo], world.now()).await.unwrap();
        tx.commit().await.unwrap();
        assert!(trash::has_faces(db, event, "old").await.unwrap());
        assert!(!trash::has_faces(db, event, "new").await.unwrap());
        assert!(trash::faces(db, event).await.unwrap().iter().all(|face| face.pack == "old"));
        let mut tx = world.begin().await;
        let restored =
            trash::restore(&mut tx, Collection::Event(event), owner, &PACKS, &[photo]).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!((restored.photos.len(), restored.to_index), (1, vec![]));
        assert_eq!(photos::described(db, "old", 9).await.unwrap(), [photo]);
        assert!(!trash::has_faces(db, event, "old").await.unwrap());
    }
}

#[tokio::test]
async fn the_templates_of_an_event_are_read_and_replaced() {
    for world in worlds().await {
        let db = &world.db;
        let Scene { event, photo, .. } = scene(&world).await;
        subscriptions::key_or_insert(db, event, &[7; 32]).await.unwrap();
        let made = Subscription {
            id: world.id(),
            event,
            email: domain::accounts::EmailAddress::parse("guest@example.com").unwrap(),
            language: Language::parse("hi"),
            notice_version: String::from("2026-11"),
            template: vec![1, 2],
            created_at: world.now(),
            confirmed_at: None,
            checked_revision: -1,
            new_since: None,
            recent_mails: RecentMails::default(),
            last_download: None,
        };
        let mut tx = world.begin().await;
        assert!(subscriptions::create(&mut tx, &made, &[photo], &[]).await.unwrap());
        subscriptions::set_template(&mut tx, made.id, &[3]).await.unwrap();
        let there = subscriptions::of_event(&mut tx, event).await.unwrap();
        assert_eq!(there, [Subscription { template: vec![3], ..made.clone() }]);
        let knows = subscriptions::knows(&mut tx, made.id, photo).await.unwrap().unwrap();
        assert_eq!((knows.photo, knows.hidden), (photo, false));
        assert_eq!(subscriptions::knows(&mut tx, made.id, world.id()).await.unwrap(), None);
        tx.commit().await.unwrap();
        assert_eq!(subscriptions::of_event(db, world.id()).await.unwrap(), []);
    }
}
