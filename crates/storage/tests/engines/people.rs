//! People: faces that were put together.

use std::time::Duration;

use domain::faces::BoundingBox;
use domain::faces::people::{Person, PersonSummary};
use domain::{EventId, FaceId, PersonId, PhotoId, UserId};
use storage::faces;
use storage::faces::people::{self, Counts, Kept, List, OfEvent};
use storage::operations::integrity;
use storage::photos::{self, PhotoQuery};

use crate::parity::change;
use crate::world::{World, worlds};

struct Scene {
    owner: UserId,
    event: EventId,
    photos: Vec<PhotoId>,
    /// Two in the first photo, one in each other.
    faces: Vec<FaceId>,
}

async fn scene(world: &World) -> Scene {
    let owner = world.user("a@example.com").await;
    let event = world.event(owner, "2026-11-14").await;
    let (mut photos, mut faces) = (Vec::new(), Vec::new());
    for number in 0..3 {
        let photo = world.photo(owner, Some(event)).await.id;
        let found: Vec<_> = (0..if number == 0 { 2 } else { 1 }).map(|_| world.face(1.0)).collect();
        world.index(photo, "a", &found).await;
        photos.push(photo);
        faces.extend(found.into_iter().map(|face| face.id));
    }
    Scene { owner, event, photos, faces }
}

#[tokio::test]
async fn a_face_is_missed_once_and_gone_with_its_photo() {
    // [FACE544]
    for world in worlds().await {
        let Scene { faces, .. } = scene(&world).await;
        let add = async |face| {
            let mut tx = world.begin().await;
            let added = faces::missed_faces::add(&mut tx, face).await.unwrap();
            tx.commit().await.unwrap();
            added
        };
        let results = [add(faces[0]).await, add(faces[0]).await, add(faces[1]).await, add(world.id()).await];
        assert_eq!(results, [true, false, true, false]);
    }
}

/// A person with these faces.
async fn person(world: &World, event: EventId, faces: &[FaceId]) -> PersonId {
    let id = world.id();
    let mut tx = world.begin().await;
    assert!(people::begin_change(&mut tx, event, None).await.unwrap());
    people::create(&mut tx, event, &[id], false, world.now()).await.unwrap();
    people::assign(&mut tx, event, &all_to(id, faces)).await.unwrap();
    tx.commit().await.unwrap();
    id
}

fn all_to(person: PersonId, faces: &[FaceId]) -> Vec<(FaceId, PersonId)> {
    faces.iter().map(|face| (*face, person)).collect()
}

async fn listed(world: &World, event: EventId, hidden: bool) -> Vec<PersonSummary> {
    let found = people::list(&world.db, &List { event, hidden, offset: 0, limit: 9 }).await.unwrap();
    let counts = people::counts(&world.db, event).await.unwrap();
    assert_eq!(i64::try_from(found.len()).unwrap(), if hidden { counts.hidden } else { counts.shown });
    found
}

#[tokio::test]
async fn an_event_is_due_once_its_indexing_is_idle() {
    // [GAL082]
    for world in worlds().await {
        let db = &world.db;
        let Scene { owner, event, faces, .. } = scene(&world).await;
        let since = world.now().minus(Duration::from_secs(3_600));
        let due = async || people::due(db, "a", None, since).await.unwrap();
        assert_eq!(due().await, [event]);
        assert_eq!(people::due(db, "b", None, since).await.unwrap(), []);
        let new: Vec<_> =
            people::new_faces(db, event, "a", 3).await.unwrap().into_iter().map(|face| face.id).collect();
        assert_eq!(new, faces[..3]);
        assert_eq!(people::new_faces(db, event, "b", 3).await.unwrap().len(), 0);
        let waiting = world.photo(owner, Some(event)).await.id;
        assert_eq!(due().await, [], "a photo waits");
        assert_eq!(people::due(db, "a", None, world.now()).await.unwrap(), [event], "it waits for too long");
        world.index(waiting, "a", &[]).await;
        assert_eq!(people::faces_without(db, event, &["a"]).await.unwrap(), 4);
        person(&world, event, &faces).await;
        assert_eq!(due().await, []);
        assert_eq!(people::faces_without(db, event, &["a"]).await.unwrap(), 0);

        let mut tx = world.begin().await;
        people::set_grouping(&mut tx, event, false).await.unwrap();
        tx.commit().await.unwrap();
        assert!(!people::is_grouping(db, event).await.unwrap());
        assert_eq!((due().await, people::version(db, event).await.unwrap()), (vec![], None));
        assert_eq!(
            (people::kept(db, event).await.unwrap(), faces::of_event(db, event).await.unwrap().len()),
            (vec![], 4)
        );
        let mut tx = world.begin().await;
        people::set_grouping(&mut tx, event, true).await.unwrap();
        tx.commit().await.unwrap();
        assert!(people::is_grouping(db, event).await.unwrap());
        assert_eq!(due().await, [event]);
    }
}

#[tokio::test]
async fn a_change_is_made_from_the_newest_state_alone() {
    for world in worlds().await {
        let Scene { owner, event, .. } = scene(&world).await;
        let version = people::version(&world.db, event).await.unwrap();
        let mut tx = world.begin().await;
        assert!(people::begin_change(&mut tx, event, version).await.unwrap());
        assert!(!people::begin_change(&mut tx, event, version).await.unwrap(), "it has changed");
        assert!(people::begin_change(&mut tx, event, None).await.unwrap());
        assert!(!people::begin_change(&mut tx, world.id(), None).await.unwrap());
        world.begin_deletion(&mut tx, event, owner).await;
        assert!(!people::begin_change(&mut tx, event, None).await.unwrap(), "it is closed");
        tx.commit().await.unwrap();
    }
}

#[tokio::test]
async fn people_are_listed_by_their_photos_with_their_largest_face() {
    // [GAL077]
    for world in worlds().await {
        let db = &world.db;
        let Scene { owner, event, photos, faces } = scene(&world).await;
        let one = person(&world, event, &faces[..1]).await;
        let many = person(&world, event, &faces[1..]).await;
        change(db, &format!("UPDATE faces SET width = 0.9 WHERE id = '{}'", faces[2])).await;
        let summary = |id, photos, faces, face, photo| PersonSummary {
            id,
            is_hidden: false,
            photos,
            faces,
            face,
            photo,
        };
        assert_eq!(
            listed(&world, event, false).await,
            [summary(many, 3, 3, faces[2], photos[1]), summary(one, 1, 1, faces[0], photos[0])]
        );
        let second = people::list(db, &List { event, hidden: false, offset: 1, limit: 1 }).await.unwrap();
        assert_eq!(second[0].id, one);
        assert_eq!(people::by_id(db, one).await.unwrap(), Some(Person { id: one, event, is_hidden: false }));
        assert_eq!(people::by_id(db, world.id()).await.unwrap(), None);
        let person = people::by_id(db, many).await.unwrap().unwrap();
        let shown = people::summary(db, &person).await.unwrap();
        assert_eq!(shown, Some(summary(many, 3, 3, faces[2], photos[1])));
        assert_eq!(people::photos(db, many).await.unwrap(), [photos[2], photos[1], photos[0]]);
        let query = PhotoQuery { event: Some(event), person: Some(many), ..PhotoQuery::all(owner, 9) };
        assert_eq!(photos::count(db, &query).await.unwrap(), 3);
        assert!(!query.is_whole() && PhotoQuery { person: None, ..query }.is_whole());
        assert_eq!(photos::search(db, &query).await.unwrap()[0].id, photos[2]);
        let (photo, bounds) = people::face(db, faces[2]).await.unwrap().unwrap();
        let expected = BoundingBox { width: 0.9, ..world.face(1.0).bounds };
        assert_eq!((photo, bounds), (photos[1], expected));
        assert_eq!(people::face(db, world.id()).await.unwrap(), None);

        change(db, &format!("UPDATE photos SET hidden = TRUE WHERE id <> '{}'", photos[2])).await;
        assert_eq!(listed(&world, event, false).await, [summary(many, 1, 1, faces[3], photos[2])]);
        let person = people::by_id(db, one).await.unwrap().unwrap();
        assert_eq!(people::summary(db, &person).await.unwrap(), None);
        assert_eq!(
            (people::photos(db, many).await.unwrap(), photos::count(db, &query).await.unwrap()),
            (vec![photos[2]], 1)
        );
    }
}

#[tokio::test]
async fn people_are_merged_split_and_put_aside() {
    for world in worlds().await {
        let db = &world.db;
        let Scene { owner, event, photos, faces } = scene(&world).await;
        let (one, other) =
            (person(&world, event, &faces[..2]).await, person(&world, event, &faces[2..]).await);
        let page = people::faces(db, event, "a", None, 3).await.unwrap();
        assert_eq!(page.iter().map(|face| face.person).collect::<Vec<_>>(), [one, one, other]);
        assert_eq!(page[0].embedding, world.face(1.0).embedding);
        assert_eq!(people::faces(db, event, "a", Some(page[2].place), 3).await.unwrap().len(), 1);
        assert_eq!(people::faces(db, event, "b", None, 3).await.unwrap().len(), 0);

        let mut tx = world.begin().await;
        people::assign(&mut tx, event, &all_to(one, &faces)).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(people::photos(db, one).await.unwrap(), [photos[0]], "they are somebody's");
        let third = world.id();
        let mut tx = world.begin().await;
        people::merge(&mut tx, one, other).await.unwrap();
        people::create(&mut tx, event, &[third], true, world.now()).await.unwrap();
        people::split(&mut tx, other, third, &photos[1..2]).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(people::photos(db, other).await.unwrap(), [photos[2], photos[0]]);
        assert_eq!(people::photos(db, third).await.unwrap(), [photos[1]]);
        let kept = |id, is_decided| Kept { id, is_decided };
        assert_eq!(people::kept(db, event).await.unwrap(), [kept(other, false), kept(third, true)]);

        let mut tx = world.begin().await;
        people::mark_decided(&mut tx, other).await.unwrap();
        assert!(people::set_hidden(&mut tx, third, true).await.unwrap());
        assert!(!people::set_hidden(&mut tx, one, true).await.unwrap());
        tx.commit().await.unwrap();
        assert_eq!(people::kept(db, event).await.unwrap(), [kept(other, true), kept(third, true)]);
        let ids = |people: Vec<PersonSummary>| people.iter().map(|person| person.id).collect::<Vec<_>>();
        assert_eq!(ids(listed(&world, event, false).await), [other]);
        assert_eq!(ids(listed(&world, event, true).await), [third]);
        let expected = OfEvent { event, is_on: true, counts: Counts { shown: 1, hidden: 1 } };
        assert_eq!(people::of_owner(db, owner).await.unwrap(), [expected]);
        assert_eq!(people::of_owner(db, world.id()).await.unwrap(), []);
    }
}

#[tokio::test]
async fn a_person_goes_with_its_last_face() {
    // [GAL081]
    for world in worlds().await {
        let db = &world.db;
        let Scene { event, photos, faces, .. } = scene(&world).await;
        for face in &faces {
            person(&world, event, &[*face]).await;
        }
        let left = async || people::kept(db, event).await.unwrap().len();
        let mut tx = world.begin().await;
        faces::delete(&mut tx, event, &[(faces[0], photos[0])]).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(left().await, 3);
        world.index(photos[0], "a", &[world.face(1.0)]).await;
        assert_eq!(left().await, 2, "its faces are others now");
        let mut tx = world.begin().await;
        assert!(storage::testing::remove_photo(&mut tx, photos[1]).await);
        tx.commit().await.unwrap();
        assert_eq!(left().await, 1);
        let mut tx = world.begin().await;
        photos::delete_many(&mut tx, photos::Collection::Event(event), &photos[2..]).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(left().await, 0);
    }
}

#[tokio::test]
async fn people_that_should_not_be_there_are_found_and_deleted() {
    for world in worlds().await {
        let db = &world.db;
        let Scene { owner, event, faces, .. } = scene(&world).await;
        person(&world, event, &faces).await;
        let other = world.event(owner, "2026-11-15").await;
        let wrong = async || integrity::events_with_wrong_people(db).await.unwrap();
        let repair = async |event| {
            let mut tx = world.begin().await;
            integrity::delete_wrong_people(&mut tx, event).await.unwrap();
            tx.commit().await.unwrap();
            assert_eq!(wrong().await, []);
        };
        assert_eq!(wrong().await, []);
        let empty: PersonId = world.id();
        let insert =
            |id| format!("INSERT INTO people (id, event_id, created_at) VALUES ('{id}', '{other}', 0)");
        change(db, &insert(empty)).await;
        assert_eq!(wrong().await, [other]);
        let mut tx = world.begin().await;
        people::delete_empty(&mut tx, &[empty]).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(wrong().await, []);
        change(db, &insert(empty)).await;
        change(db, &format!("UPDATE faces SET person_id = '{empty}' WHERE id = '{}'", faces[0])).await;
        assert_eq!(wrong().await, [other]);
        repair(other).await;
        assert_eq!(people::kept(db, event).await.unwrap().len(), 1, "the others stay");
        change(db, &format!("UPDATE events SET groups_faces = FALSE WHERE id = '{event}'")).await;
        assert_eq!(wrong().await, [event]);
        repair(event).await;
    }
}
