//! Deleted photos, and what becomes of them.

use std::time::Duration;

use domain::events::Indexing;
use domain::events::keeping::Keeping;
use domain::guests::objections::ObjectedFace;
use domain::photos::{MediaKey, PhotoStatus};
use domain::{DAY, EventId, PhotoId, UserId};
use storage::faces;
use storage::guests::objections;
use storage::photos::{self, Collection, library_retention, trash};
use storage::testing::change;

use crate::face_index::all as searched;
use crate::world::{World, worlds};

struct Shoot {
    owner: UserId,
    event: EventId,
    /// Of the event; the last one is not indexed.
    photos: Vec<PhotoId>,
}

async fn shoot(world: &World) -> Shoot {
    let owner = world.user("a@example.com").await;
    let event = world.event(owner, "2026-11-14").await;
    let mut photos = Vec::new();
    for n in 0..3 {
        let photo = world.photo(owner, Some(event)).await.id;
        if n < 2 {
            assert!(world.index(photo, "a", &[world.face(1.0), world.face(2.0)]).await);
        }
        photos.push(photo);
    }
    Shoot { owner, event, photos }
}

async fn put(world: &World, collection: Collection, ids: &[PhotoId]) -> u64 {
    let mut tx = world.begin().await;
    let moved = trash::put(&mut tx, collection, ids, world.now()).await.unwrap();
    tx.commit().await.unwrap();
    moved
}

async fn restore(world: &World, shoot: &Shoot, pack: &str, ids: &[PhotoId]) -> trash::Restored {
    let mut tx = world.begin().await;
    let collection = Collection::Event(shoot.event);
    let restored = trash::restore(&mut tx, collection, shoot.owner, &[pack], ids).await.unwrap();
    tx.commit().await.unwrap();
    restored
}

#[tokio::test]
async fn photos_that_are_deleted_are_named_but_those_that_were_before() {
    // [GAL514]
    for world in worlds().await {
        let Shoot { event, photos, .. } = shoot(&world).await;
        let collection = Collection::Event(event);
        assert_eq!(put(&world, collection, &photos[..1]).await, 1);
        let mut tx = world.begin().await;
        let mut moved = trash::put_each(&mut tx, collection, &photos, world.now()).await.unwrap();
        tx.commit().await.unwrap();
        moved.sort();
        let mut left = photos[1..].to_vec();
        left.sort();
        assert_eq!(moved, left);
    }
}

#[tokio::test]
async fn a_deleted_photo_is_nowhere_but_in_the_trash_and_comes_back_as_it_was() {
    // [GAL151] [GAL174] [GAL152] [SAFE242]
    for world in worlds().await {
        let db = &world.db;
        let shoot = shoot(&world).await;
        change(db, "UPDATE photos SET camera = 'X', artist = 'Asha Rao', copyright = '© Asha'").await;
        let Shoot { owner, event, ref photos } = shoot;
        let library = world.photo(owner, None).await;
        let collection = Collection::Event(event);
        assert_eq!(photos::ids(db, collection, None).await.unwrap(), *photos);
        assert_eq!(photos::ids(db, Collection::Library(owner), None).await.unwrap(), [library.id]);
        let before = photos::by_id(db, photos[0]).await.unwrap().unwrap();
        let places = faces::places(db, photos[0]).await.unwrap();
        let counted = world.seen(event).await.indexing;

        world.clock.advance(Duration::from_secs(1));
        let moved = put(&world, collection, &[photos[0], photos[2], library.id, world.id()]).await;
        assert_eq!(moved, 2, "not the library's");
        assert_eq!(photos::by_id(db, photos[0]).await.unwrap(), None);
        assert_eq!(photos::media_key(db, photos[0]).await.unwrap(), None);
        assert_eq!(photos::by_hash(db, owner, Some(event), &before.content_hash).await.unwrap(), None);
        assert!(faces::of_event(db, event).await.unwrap().iter().all(|face| face.photo == photos[1]));
        let scope = storage::faces::index::Scope::Event(event);
        assert_eq!(searched(db, scope, "a").await.len(), 2);
        let now = world.seen(event).await;
        assert_eq!(now.indexing, Indexing { indexed: 1, failed: 0, total: 1 });
        assert_eq!(now.photos_uploaded, 3);

        // What the trash knows.
        let listed = trash::page(db, collection, None, None, 9).await.unwrap();
        let ids: Vec<_> = listed.iter().map(|trashed| trashed.photo.id).collect();
        assert_eq!(ids, [photos[2], photos[0]]);
        assert_eq!((&listed[1].photo, listed[1].at), (&before, world.now()));
        let after = Some((listed[0].at, listed[0].photo.id));
        assert_eq!(trash::page(db, collection, None, after, 9).await.unwrap(), listed[1..]);
        assert_eq!(trash::count(db, collection, None).await.unwrap(), 2);
        assert_eq!(trash::count(db, Collection::Library(owner), None).await.unwrap(), 0);
        assert_eq!(trash::by_id(db, photos[0]).await.unwrap().as_ref(), Some(&listed[1]));
        assert_eq!(trash::by_id(db, photos[1]).await.unwrap(), None);
        assert_eq!(trash::by_ids(db, photos).await.unwrap().len(), 2);
        let found = trash::by_hash(db, collection, &before.content_hash).await.unwrap();
        assert_eq!(found, Some(photos[0]));
        assert_eq!(trash::by_hash(db, Collection::Library(owner), &before.content_hash).await.unwrap(), None);
        assert_eq!(trash::all(db, None, 1).await.unwrap(), std::slice::from_ref(&before));
        assert_eq!(trash::all(db, Some(photos[0]), 9).await.unwrap()[0].id, photos[2]);
        let unknown = MediaKey::from_trusted(String::from("originals/unknown.jpg"));
        assert_eq!(
            photos::known_keys(db, &[unknown, before.key.clone()]).await.unwrap(),
            std::slice::from_ref(&before.key)
        );
        let kept = trash::faces(db, event).await.unwrap();
        assert!(kept.len() == 2 && kept.iter().all(|face| face.photo == photos[0] && face.pack == "a"));

        // Another account's, or another collection's, restores nothing.
        let mut tx = world.begin().await;
        let other = trash::restore(&mut tx, collection, world.id(), &["a"], photos).await.unwrap();
        let elsewhere = Collection::Library(owner);
        let library = trash::restore(&mut tx, elsewhere, owner, &["a"], photos).await.unwrap();
        assert!(other.photos.is_empty() && library.photos.is_empty());
        tx.commit().await.unwrap();

        let version = crate::face_index::version(db, scope).await;
        let restored = restore(&world, &shoot, "a", photos).await;
        assert_eq!((restored.photos.len(), restored.to_index), (2, vec![photos[2]]));
        assert_eq!(photos::by_id(db, photos[0]).await.unwrap(), Some(before));
        assert_eq!(faces::places(db, photos[0]).await.unwrap(), places);
        assert_eq!(world.seen(event).await.indexing, counted);
        assert_eq!(searched(db, scope, "a").await.len(), 4);
        let read_again = crate::face_index::version(db, scope).await;
        assert!(read_again.removals > version.removals, "no cache goes on with what it has");
        assert_eq!(trash::count(db, collection, None).await.unwrap(), 0);
        assert_eq!(trash::faces(db, event).await.unwrap().len(), 0);
        assert_eq!(storage::operations::integrity::miscounted_events(db).await.unwrap(), []);
    }
}

#[tokio::test]
async fn what_is_not_restored_is_removed_with_its_faces() {
    // [GAL175] [SAFE241] [SAFE475]
    for world in worlds().await {
        let db = &world.db;
        let shoot = shoot(&world).await;
        change(db, "UPDATE photos SET camera = 'X', artist = 'Asha Rao', copyright = '© Asha'").await;
        let Shoot { owner, event, ref photos } = shoot;
        let library = world.photo(owner, None).await.id;
        put(&world, Collection::Event(event), &photos[..1]).await;
        let deleted_at = world.now();
        world.clock.advance(DAY);
        put(&world, Collection::Library(owner), &[library]).await;
        assert_eq!(trash::due(db, deleted_at, 9).await.unwrap(), photos[..1]);
        assert_eq!(trash::due(db, world.now(), 9).await.unwrap(), [photos[0], library]);
        // The event's photos are not kept beyond its period, nor the library's beyond theirs and the day that was told.
        let told = world.photo(owner, None).await.id;
        let (period, day) = (DAY * 30, world.now().plus(DAY * 41));
        library_retention::confirm_warning(db, owner, period, world.now(), day).await.unwrap();
        put(&world, Collection::Library(owner), &[told]).await;
        let trashed = async |days: u32| {
            storage::events::retention::trashed(db, Keeping::fixed(days), world.now(), 9).await.unwrap()
        };
        assert_eq!(trashed(30).await, []);
        world.clock.advance(DAY * 40);
        assert_eq!(trashed(30).await, [photos[0], library]);
        world.clock.advance(DAY);
        assert_eq!(trashed(30).await, [photos[0], library, told]);

        let mut tx = world.begin().await;
        let removed = trash::remove(&mut tx, &[photos[0], photos[1]]).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(removed.len(), 1, "the other is not deleted");
        assert_eq!(trash::faces(db, event).await.unwrap().len(), 0);
        assert_eq!(restore(&world, &shoot, "a", photos).await.photos, []);

        // Of two photos with the same bytes one is there.
        let again = photos::by_id(db, photos[1]).await.unwrap().unwrap();
        put(&world, Collection::Event(event), &photos[1..2]).await;
        let mut copy = world.new_photo(owner, Some(event));
        copy.content_hash = again.content_hash;
        let mut tx = world.begin().await;
        crate::world::insert(&mut tx, &copy).await;
        tx.commit().await.unwrap();
        assert_eq!(restore(&world, &shoot, "a", &photos[1..2]).await.photos, []);
        assert_eq!(trash::count(db, Collection::Event(event), None).await.unwrap(), 1);

        // A closed event restores nothing, and has its trash emptied before it is gone.
        let mut tx = world.begin().await;
        let ids = [photos[2], copy.id];
        photos::delete_many(&mut tx, Collection::Event(event), &ids).await.unwrap();
        let deletion = storage::events::close(&mut tx, event, owner, world.id(), world.now()).await.unwrap();
        assert_eq!(deletion, storage::events::Deletion::Started);
        let restored =
            trash::restore(&mut tx, Collection::Event(event), owner, &["a"], photos).await.unwrap();
        assert!(restored.photos.is_empty());
        trash::remove(&mut tx, photos).await.unwrap();
        assert!(storage::events::finish_deletion(&mut tx, event, world.now()).await.unwrap());
        tx.commit().await.unwrap();
    }
}

#[tokio::test]
async fn a_restored_photo_is_hidden_as_before_and_indexed_again_by_another_pack() {
    // [GAL177]
    for world in worlds().await {
        let db = &world.db;
        let shoot = shoot(&world).await;
        let Shoot { event, ref photos, .. } = shoot;
        objections::key_or_insert(db, event, &[7; 32]).await.unwrap();
        let mut tx = world.begin().await;
        let objection = world.request_to_hide(event);
        let bounds = world.face(1.0).bounds;
        let about = ObjectedFace {
            objection: objection.id,
            face: world.id(),
            photo: photos[0],
            bounds,
            overruled: false,
        };
        objections::create(&mut tx, &objection, &[about]).await.unwrap();
        tx.commit().await.unwrap();
        put(&world, Collection::Event(event), &photos[..2]).await;
        let restored = restore(&world, &shoot, "b", &photos[..2]).await;
        assert_eq!(restored.to_index, photos[..2]);
        for (photo, hidden) in [(photos[0], true), (photos[1], false)] {
            let photo = photos::by_id(db, photo).await.unwrap().unwrap();
            assert_eq!((photo.hidden, photo.status), (hidden, PhotoStatus::Ready));
        }
        assert_eq!(objections::faces_of_event(db, event).await.unwrap().len(), 1);
        assert_eq!(world.seen(event).await.indexing.indexed, 0, "it is to be indexed again");
        assert_eq!(storage::operations::integrity::mishidden_photos(db).await.unwrap(), []);
    }
}

#[tokio::test]
async fn a_deleted_photo_from_which_a_request_has_taken_a_face_is_indexed_again_once_restored() {
    // [FACE554]
    for world in worlds().await {
        let shoot = shoot(&world).await;
        let Shoot { event, ref photos, .. } = shoot;
        let objection = world.request_to_hide(event);
        let about = ObjectedFace {
            objection: objection.id,
            face: world.id(),
            photo: photos[0],
            bounds: world.face(1.0).bounds,
            overruled: false,
        };
        let mut tx = world.begin().await;
        objections::create(&mut tx, &objection, &[about]).await.unwrap();
        tx.commit().await.unwrap();
        put(&world, Collection::Event(event), &photos[..2]).await;
        let mut tx = world.begin().await;
        trash::reindex(&mut tx, world.id()).await.unwrap();
        trash::reindex(&mut tx, objection.id).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(restore(&world, &shoot, "a", &photos[..2]).await.to_index, photos[..1]);
        assert!(world.index(photos[0], "a", &[world.face(1.0)]).await);
        assert_eq!(storage::operations::integrity::miscounted_events(&world.db).await.unwrap(), []);
    }
}

#[tokio::test]
async fn what_guests_ask_of_deleted_photos_holds_when_they_are_restored() {
    // [GAL153]
    for world in worlds().await {
        let db = &world.db;
        let shoot = shoot(&world).await;
        let Shoot { event, ref photos, .. } = shoot;
        put(&world, Collection::Event(event), &photos[..2]).await;
        let faces = trash::faces(db, event).await.unwrap();
        let of = |photo: PhotoId| faces.iter().find(|face| face.photo == photo).unwrap().clone();
        let (hidden, forgotten) = (of(photos[0]), of(photos[1]));
        let objection = world.request_to_hide(event);
        let about = ObjectedFace {
            objection: objection.id,
            face: hidden.id,
            photo: hidden.photo,
            bounds: hidden.bounds,
            overruled: false,
        };
        let mut tx = world.begin().await;
        objections::create(&mut tx, &objection, &[]).await.unwrap();
        for _ in 0..2 {
            trash::object(&mut tx, std::slice::from_ref(&about)).await.unwrap();
            trash::delete_faces(&mut tx, &[forgotten.id]).await.unwrap();
        }
        tx.commit().await.unwrap();
        assert_eq!(trash::objected(db, event).await.unwrap(), [about]);
        for overruled in [true, false] {
            let mut tx = world.begin().await;
            trash::decide(&mut tx, objection.id, overruled).await.unwrap();
            trash::decide(&mut tx, world.id(), !overruled).await.unwrap();
            tx.commit().await.unwrap();
            assert_eq!(trash::objected(db, event).await.unwrap(), [ObjectedFace { overruled, ..about }]);
        }
        assert!(trash::faces(db, event).await.unwrap().iter().all(|face| face.id != forgotten.id));
        restore(&world, &shoot, "a", photos).await;
        assert!(photos::by_id(db, photos[0]).await.unwrap().unwrap().hidden);
        let other = photos::by_id(db, photos[1]).await.unwrap().unwrap();
        assert_eq!((other.hidden, other.faces), (false, 1));
        assert!(storage::operations::integrity::miscounted_photos(db).await.unwrap().is_empty());
        assert!(trash::objected(db, event).await.unwrap().is_empty());
    }
}
