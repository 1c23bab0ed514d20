//! Photos whose file is replaced by another version.

use domain::events::Indexing;
use domain::faces::BoundingBox;
use domain::guests::objections::{Choice, ObjectedFace, Objection};
use domain::photos::captures::Capture;
use domain::photos::redactions::Redaction;
use domain::photos::versions::Namesakes;
use domain::photos::{ImageFormat, Photo, PhotoStatus};
use domain::{EventId, Timestamp, UserId};
use storage::Engine;
use storage::faces;
use storage::faces::index::Scope;
use storage::guests::objections;
use storage::operations::integrity;
use storage::photos::{self, Collection, Former, Inserted, Replaced, redactions, trash};
use storage::testing::{change, rival_before};

use crate::face_index::all as searched;
use crate::world::{DAY, World, insert, worlds};

/// Another version of a photo.
pub(crate) fn version(world: &World, of: &Photo) -> Photo {
    let Photo { content_hash, .. } = world.new_photo(of.owner, of.event);
    Photo {
        key: of.key.replaced(&world.randomness, of.id, ImageFormat::Png),
        content_hash,
        crc32: Some(3),
        format: ImageFormat::Png,
        size_bytes: 70,
        width: 30,
        height: 20,
        average_color: None,
        capture: Capture { camera: Some(String::from("Editor")), ..Capture::default() },
        ..of.clone()
    }
}

pub(crate) async fn replace(world: &World, before: &Photo, after: &Photo) -> Replaced {
    let mut tx = world.begin().await;
    let replaced = photos::replace(&mut tx, &before.key, after, world.now()).await.unwrap();
    tx.commit().await.unwrap();
    replaced
}

async fn indexed(world: &World, owner: UserId, event: Option<EventId>) -> Photo {
    let mut photo = world.new_photo(owner, event);
    photo.capture = Capture {
        at: Some(Timestamp::from_millis(5)),
        camera: Some(String::from("Canon EOS R5")),
        lens: Some(String::from("RF50mm")),
        artist: Some(String::from("Asha Rao")),
        copyright: Some(String::from("© Asha Rao")),
    };
    let mut tx = world.begin().await;
    assert_eq!(insert(&mut tx, &photo).await, Inserted::Added);
    tx.commit().await.unwrap();
    assert!(world.index(photo.id, "a", &[world.face(1.0), world.face(2.0)]).await);
    photos::by_id(&world.db, photo.id).await.unwrap().unwrap()
}

#[tokio::test]
async fn a_replaced_photo_is_the_same_with_another_file() {
    // It keeps its id, place, album, hearts and downloads.
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let event = world.event(owner, "2026-11-14").await;
        world.photo(owner, Some(event)).await;
        indexed(&world, owner, Some(event)).await;
        change(db, "UPDATE photos SET hearts = 3, downloads = 5, not_me_reports = 2").await;
        let before = photos::page(db, None, 9).await.unwrap().pop().unwrap();
        let place = photos::place(db, owner, before.id).await.unwrap();
        assert_eq!(world.seen(event).await.indexing, Indexing { indexed: 1, failed: 0, total: 2 });

        world.clock.advance(DAY * 3);
        let after = version(&world, &before);
        assert_eq!(replace(&world, &before, &after).await, Replaced::Done);
        let capture = Capture { camera: after.capture.camera.clone(), ..before.capture.clone() };
        let expected = Photo {
            status: PhotoStatus::Processing,
            faces: 0,
            focus: None,
            preview_bytes: None,
            preview_crc32: None,
            medium_bytes: None,
            capture,
            ..after.clone()
        };
        assert_eq!(photos::by_id(db, before.id).await.unwrap(), Some(expected));
        assert_eq!(photos::place(db, owner, before.id).await.unwrap(), place, "in no order it moves");
        assert!(faces::places(db, before.id).await.unwrap().is_empty());
        assert!(searched(db, Scope::Event(event), "a").await.is_empty());
        let seen = world.seen(event).await;
        assert_eq!(seen.indexing, Indexing { indexed: 0, failed: 0, total: 2 });
        assert_eq!((seen.photos_uploaded, seen.faces_indexed), (2, 0));
        assert_eq!(seen.last_upload_at, Some(world.now()), "its photos are kept from now on");

        assert!(world.index(before.id, "a", &[world.face(3.0)]).await);
        assert_eq!(searched(db, Scope::Event(event), "a").await.len(), 1);
        assert_eq!(world.seen(event).await.indexing, Indexing { indexed: 1, failed: 0, total: 2 });
        assert_eq!(integrity::miscounted_events(db).await.unwrap(), []);
        assert_eq!(integrity::miscounted_photos(db).await.unwrap(), []);
    }
}

#[tokio::test]
async fn bytes_that_are_there_replace_nothing_and_nor_does_what_comes_too_late() {
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let event = world.event(owner, "2026-11-14").await;
        let (one, two) = (indexed(&world, owner, Some(event)).await, world.photo(owner, Some(event)).await);
        let same = Photo { content_hash: two.content_hash, ..version(&world, &one) };
        assert_eq!(replace(&world, &one, &same).await, Replaced::Duplicate(two.clone()));
        let same = Photo { content_hash: one.content_hash, ..version(&world, &one) };
        assert_eq!(replace(&world, &one, &same).await, Replaced::Duplicate(one.clone()));

        let (first, second) = (version(&world, &one), version(&world, &one));
        assert_eq!(replace(&world, &one, &first).await, Replaced::Done);
        assert_eq!(replace(&world, &one, &second).await, Replaced::Changed, "another was faster");
        assert_eq!(photos::media_key(db, one.id).await.unwrap(), Some(first.key.clone()));

        let gone = world.new_photo(owner, Some(event));
        assert_eq!(replace(&world, &gone, &version(&world, &gone)).await, Replaced::Changed, "deleted");
        let mut tx = world.begin().await;
        world.begin_deletion(&mut tx, event, owner).await;
        tx.commit().await.unwrap();
        assert_eq!(replace(&world, &first, &version(&world, &first)).await, Replaced::Changed, "closed");
    }
}

#[tokio::test]
async fn what_was_learned_of_the_former_file_does_not_reach_the_new_one() {
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let before = indexed(&world, owner, None).await;
        let after = version(&world, &before);
        assert_eq!(replace(&world, &before, &after).await, Replaced::Done);
        change(db, "UPDATE photos SET described = FALSE").await;
        let now = photos::by_id(db, before.id).await.unwrap();
        let redaction = Redaction { patches: Vec::new(), crc32: 7 };
        assert!(!redactions::put(db, &before.key, &redaction).await.unwrap());
        photos::set_crc32(db, &before.key, 9).await.unwrap();
        photos::set_preview_bytes(db, &before.key, 9).await.unwrap();
        photos::describe_preview(db, &before.key, 9, 9).await.unwrap();
        let capture = Capture { lens: Some(String::from("of before")), ..Capture::default() };
        photos::describe(db, &before, &capture).await.unwrap();
        let mut tx = world.begin().await;
        assert!(!photos::finish_rendering(&mut tx, &before.key, 9).await.unwrap());
        tx.commit().await.unwrap();
        assert_eq!(photos::by_id(db, before.id).await.unwrap(), now);
        assert!(redactions::put(db, &after.key, &redaction).await.unwrap());
    }
}

#[tokio::test]
async fn where_somebody_was_who_is_not_to_be_found_is_not_kept_of_another_file() {
    // [FACE553]
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let event = world.event(owner, "2026-11-14").await;
        let (before, other) =
            (indexed(&world, owner, Some(event)).await, indexed(&world, owner, Some(event)).await);
        let bounds = world.face(1.0).bounds;
        let mut made = Vec::new();
        for (choice, overruled) in
            [(Choice::StopFinding, false), (Choice::StopFinding, true), (Choice::Hide, false)]
        {
            let template = (choice == Choice::StopFinding).then(|| vec![1]);
            let objection = Objection { choice, template, ..world.request_to_hide(event) };
            let about = [before.id, other.id].map(|photo| ObjectedFace {
                objection: objection.id,
                face: world.id(),
                photo,
                bounds,
                overruled,
            });
            let mut tx = world.begin().await;
            objections::create(&mut tx, &objection, &about).await.unwrap();
            tx.commit().await.unwrap();
            made.push(objection.id);
        }
        assert_eq!(replace(&world, &before, &version(&world, &before)).await, Replaced::Done);
        let nowhere = BoundingBox { x: 0.0, y: 0.0, width: 0.0, height: 0.0 };
        for face in objections::faces_of_event(db, event).await.unwrap() {
            let is_lost = face.photo == before.id && face.objection == made[0];
            assert_eq!(face.bounds, if is_lost { nowhere } else { bounds });
        }
        assert_eq!(objections::suppressed_in(db, before.id).await.unwrap().len(), 1);
        let out = objections::out_of_results(db, &[(before.id, None)]).await.unwrap();
        assert_eq!(out, [before.id].into(), "results of before do not show it all the same");
    }
}

#[tokio::test]
async fn photos_are_found_by_the_names_of_their_files_in_one_place() {
    // [UPL185] [UPL242]
    for world in worlds().await {
        let db = &world.db;
        let (owner, other) = (world.user("a@example.com").await, world.user("b@example.com").await);
        let event = world.event(owner, "2026-11-14").await;
        let first = world.photo(owner, Some(event)).await;
        world.photo(owner, Some(event)).await;
        let library = world.photo(owner, None).await;
        world.photo(other, None).await;
        let namesakes = |photo: &Photo, photos| Namesakes {
            name: String::from("DSC_0001.JPG"),
            photos,
            first: photo.id,
            uploaded_at: photo.created_at,
        };
        let found = async |event, names: &[&str]| {
            let names: Vec<String> = names.iter().map(|name| String::from(*name)).collect();
            photos::namesakes(db, owner, event, None, &names).await.unwrap()
        };
        for name in ["DSC_0001.JPG", "dsc_0001.jpg", "dsc_0001.CR3", "DSC_0001"] {
            assert_eq!(found(Some(event), &[name]).await, [namesakes(&first, 2)], "{name}");
            assert_eq!(found(None, &["x", name, name]).await, [namesakes(&library, 1)], "{name}");
        }
        for other in ["DSC_001.JPG", "DSC_0001.001", ""] {
            assert_eq!(found(Some(event), &[other]).await, [], "{other}");
        }
        assert_eq!(found(None, &[]).await, []);
    }
}

#[tokio::test]
async fn the_bytes_that_were_replaced_are_remembered_with_the_photo_in_the_trash_too() {
    // [UPL244]
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let (event, other) = (world.event(owner, "2026-11-14").await, world.event(owner, "2026-11-15").await);
        let before = indexed(&world, owner, Some(event)).await;
        let (edited, again) = (version(&world, &before), version(&world, &before));
        let former = async |event, photo: &Photo| {
            let hash = photo.content_hash;
            let found = photos::by_former_hash(db, owner, event, &hash).await.unwrap().map(|photo| photo.id);
            let hashes = [[9; 32], hash];
            let all = photos::by_former_hashes(db, owner, event, &hashes).await.unwrap();
            assert_eq!(all, found.map(|photo| Former { hash, photo }).into_iter().collect::<Vec<_>>());
            found
        };
        assert_eq!(former(Some(event), &before).await, None);
        assert_eq!(replace(&world, &before, &edited).await, Replaced::Done);
        assert_eq!(replace(&world, &edited, &again).await, Replaced::Done);
        // Back to the first, and away from it once more.
        let key = again.key.replaced(&world.randomness, before.id, ImageFormat::Png);
        let back = Photo { key, content_hash: before.content_hash, ..again.clone() };
        assert_eq!(replace(&world, &again, &back).await, Replaced::Done);
        let last = Photo {
            key: back.key.replaced(&world.randomness, before.id, ImageFormat::Png),
            ..version(&world, &back)
        };
        assert_eq!(replace(&world, &back, &last).await, Replaced::Done);
        for photo in [&before, &edited, &again] {
            assert_eq!(former(Some(event), photo).await, Some(before.id));
            assert_eq!(former(Some(other), photo).await, None, "another event");
            assert_eq!(former(None, photo).await, None, "the library");
        }
        assert_eq!(former(Some(event), &last).await, None, "it is the photo's own");

        let collection = Collection::Event(event);
        let mut tx = world.begin().await;
        assert_eq!(trash::put(&mut tx, collection, &[before.id], world.now()).await.unwrap(), 1);
        tx.commit().await.unwrap();
        assert_eq!(former(Some(event), &before).await, None, "it is deleted");
        let mut tx = world.begin().await;
        trash::restore(&mut tx, collection, owner, &["a"], &[before.id]).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(former(Some(event), &before).await, Some(before.id));
        assert_eq!(former(Some(event), &again).await, Some(before.id));

        // With the photo it goes for good.
        let mut tx = world.begin().await;
        trash::put(&mut tx, collection, &[before.id], world.now()).await.unwrap();
        assert_eq!(trash::remove(&mut tx, &[before.id]).await.unwrap().len(), 1);
        tx.commit().await.unwrap();
        for table in ["replaced_files", "trashed_replaced_files"] {
            let left = storage::testing::count(db, table).await;
            assert_eq!(left, 0, "{table}");
        }
    }
}

#[tokio::test]
async fn bytes_that_come_into_a_library_while_they_replace_a_photo_there_are_in_one_photo() {
    // [UPL272]
    let world = worlds().await.into_iter().find(|world| world.db.engine() == Engine::Postgres).unwrap();
    let owner = world.user("a@example.com").await;
    for place in 0.. {
        let before = world.photo(owner, None).await;
        let edited = version(&world, &before);
        let same = Photo { content_hash: edited.content_hash, ..world.new_photo(owner, None) };
        let replaces = async {
            let mut tx = world.begin().await;
            let replaced = photos::replace(&mut tx, &before.key, &edited, world.now()).await.unwrap();
            if replaced == Replaced::Done {
                tx.commit().await.unwrap();
            }
            replaced
        };
        let comes = async {
            let mut tx = world.begin().await;
            let inserted = insert(&mut tx, &same).await;
            tx.commit().await.unwrap();
            inserted
        };
        let outcome = rival_before(place, replaces, comes).await;
        let is_done = outcome.first == Replaced::Done;
        assert_eq!(outcome.rival == Inserted::Added, !is_done, "place {place}: {outcome:?}");
        if !outcome.is_between {
            assert!(place > 3);
            return;
        }
    }
}

#[tokio::test]
async fn a_photo_gets_another_name_in_its_event_alone() {
    // [FTP030]
    // Its place in an order by names goes with it.
    for world in worlds().await {
        let (db, owner) = (&world.db, world.user("a@example.com").await);
        let (event, other) = (world.event(owner, "2026-11-14").await, world.event(owner, "2026-11-15").await);
        let photo = world.photo(owner, Some(event)).await.id;
        let rename = async |event: EventId, name: &str| {
            let mut tx = world.begin().await;
            let renamed = photos::rename(&mut tx, event, photo, name).await.unwrap();
            tx.commit().await.unwrap();
            renamed
        };
        assert!(!rename(other, "b.jpg").await);
        assert!(rename(event, "IMG_10.JPG").await);
        assert_eq!(photos::by_id(db, photo).await.unwrap().unwrap().original_filename, "IMG_10.JPG");
        let place = photos::place(db, owner, photo).await.unwrap().unwrap();
        assert_eq!(place.name_key, domain::photos::captures::name_key("IMG_10.JPG"));
        let mut tx = world.begin().await;
        assert!(storage::testing::remove_photo(&mut tx, photo).await);
        tx.commit().await.unwrap();
        assert!(!rename(event, "c.jpg").await);
    }
}
