//! Photos and faces: taking in, finding, indexing, removing.

use domain::events::Indexing;
use domain::operations::runtime::jobs::JobKind;
use domain::photos::failures::{FailureCause, PhotoFailure};
use domain::photos::{MediaKey, PhotoStatus, Size};
use domain::{EventId, Job, PhotoId};
use storage::faces;
use storage::faces::index::{self, Scope, Version};
use storage::operations::runtime::jobs;
use storage::photos::{self, Inserted, Order, PhotoQuery};

use crate::face_index::{all, version};
use crate::parity::change;
use crate::world::{COLOR, MEDIUM_BYTES, NOON, PREVIEW_BYTES, UPLOAD_COLOR, insert, worlds};

#[tokio::test]
async fn the_same_bytes_are_one_photo_within_an_event() {
    // [UPL057] [UPL071] [UPL074]
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let (one, two) = (world.event(owner, "2026-11-14").await, world.event(owner, "2026-11-14").await);
        let first = world.photo(owner, Some(one)).await;
        let copy = |event: Option<EventId>| {
            let mut copy = world.new_photo(owner, event);
            copy.content_hash = first.content_hash;
            copy
        };
        let mut tx = world.begin().await;
        let again = insert(&mut tx, &copy(Some(one))).await;
        assert_eq!(again, Inserted::Duplicate(first.clone()));
        assert_eq!(insert(&mut tx, &copy(Some(two))).await, Inserted::Added);
        let library = copy(None);
        assert_eq!(insert(&mut tx, &library).await, Inserted::Added);
        assert_eq!(insert(&mut tx, &copy(None)).await, Inserted::Duplicate(library.clone()));
        tx.commit().await.unwrap();

        let event = world.seen(one).await;
        assert_eq!((event.photos_uploaded, event.last_upload_at), (1, Some(first.created_at)));
        assert_eq!(event.indexing, Indexing { total: 1, ..Indexing::default() });
        let hash = &first.content_hash;
        assert_eq!(photos::by_hash(db, owner, Some(one), hash).await.unwrap(), Some(first.clone()));
        assert_eq!(photos::by_hash(db, owner, None, hash).await.unwrap(), Some(library.clone()));
        assert_eq!(photos::by_hash(db, world.id(), Some(one), hash).await.unwrap(), None);
        let other = world.photo(owner, Some(one)).await;
        let hashes = [first.content_hash, [0; 32], other.content_hash];
        let known = async |owner, event| {
            let mut found = photos::by_hashes(db, owner, event, &hashes).await.unwrap();
            found.sort_by_key(|photo| photo.id);
            found
        };
        assert_eq!(known(owner, Some(one)).await, [first.clone(), other]);
        assert_eq!(known(owner, None).await, [library]);
        assert_eq!(known(world.id(), Some(one)).await, [], "another owner's");
        let many = vec![[0; 32]; 700];
        assert_eq!(photos::by_hashes(db, owner, Some(one), &many).await.unwrap(), []);
        assert_eq!(photos::by_hashes(db, owner, Some(one), &[]).await.unwrap(), []);
        assert_eq!(photos::by_id(db, first.id).await.unwrap(), Some(first.clone()));
        assert_eq!(photos::media_key(db, first.id).await.unwrap(), Some(first.key.clone()));
        assert_eq!(photos::media_key(db, world.id()).await.unwrap(), None);
        let unknown = MediaKey::from_trusted(String::from("originals/unknown.jpg"));
        assert_eq!(photos::known_keys(db, &[unknown, first.key.clone()]).await.unwrap(), [first.key]);
    }
}

#[tokio::test]
async fn a_closed_or_foreign_event_takes_no_photo() {
    // [EVT069]
    for world in worlds().await {
        let (owner, other) = (world.user("a@example.com").await, world.user("b@example.com").await);
        let event = world.event(owner, "2026-11-14").await;
        world.photo(owner, Some(event)).await;
        let mut tx = world.begin().await;
        let foreign = world.new_photo(other, Some(event));
        assert_eq!(insert(&mut tx, &foreign).await, Inserted::EventClosed);
        let missing = world.new_photo(owner, Some(world.id()));
        assert_eq!(insert(&mut tx, &missing).await, Inserted::EventClosed);
        world.begin_deletion(&mut tx, event, owner).await;
        let late = world.new_photo(owner, Some(event));
        assert_eq!(insert(&mut tx, &late).await, Inserted::EventClosed);
        tx.commit().await.unwrap();
        let event = world.seen(event).await;
        assert_eq!((event.photos_uploaded, event.indexing.total), (1, 1));
    }
}

#[tokio::test]
async fn pages_give_every_photo_once_also_while_photos_are_added() {
    // [GAL013] [GAL014] [GAL015] [GAL018] [GAL019] [GAL020]
    for world in worlds().await {
        let db = &world.db;
        let (owner, other) = (world.user("a@example.com").await, world.user("b@example.com").await);
        let event = world.event(owner, "2026-11-14").await;
        world.photo(other, None).await;
        let mut all = Vec::new();
        for _ in 0..5 {
            all.insert(0, world.photo(owner, Some(event)).await.id);
        }
        let library = world.photo(owner, None).await.id;

        let mut query = PhotoQuery { event: Some(event), ..PhotoQuery::all(owner, 2) };
        let mut seen: Vec<PhotoId> = Vec::new();
        for added in 0.. {
            let page = photos::search(db, &query).await.unwrap();
            let ids: Vec<_> = page.iter().map(|photo| photo.id).collect();
            assert_eq!(photos::search_ids(db, &query).await.unwrap(), ids);
            assert_eq!(photos::count(db, &query).await.unwrap(), 5 + added);
            let Some(last) = page.last() else { break };
            query.order = Order::Uploaded(Some(last.id));
            seen.extend(page.iter().map(|photo| photo.id));
            world.photo(owner, Some(event)).await;
        }
        assert_eq!(seen, all);

        let everywhere = PhotoQuery::all(owner, 100);
        assert_eq!(photos::count(db, &everywhere).await.unwrap(), 9);
        let ids: Vec<_> =
            photos::search(db, &everywhere).await.unwrap().into_iter().map(|photo| photo.id).collect();
        assert_eq!(photos::search_ids(db, &everywhere).await.unwrap(), ids);
        let others = PhotoQuery { event: Some(event), ..PhotoQuery::all(other, 9) };
        assert_eq!(photos::search_ids(db, &others).await.unwrap(), [], "another owner's");
        assert!(ids.is_sorted_by(|newer, older| newer > older) && ids.len() == 9 && ids.contains(&library));

        let mut named = world.new_photo(owner, Some(event));
        named.original_filename = String::from("Ünïque %_.jpg");
        let mut tx = world.begin().await;
        insert(&mut tx, &named).await;
        tx.commit().await.unwrap();
        for (filename, found) in
            [("Ünïque %_.jpg", 1), ("U\u{308}ni\u{308}que %_.jpg", 1), ("ünïque %_.jpg", 0), ("Ünïque%", 0)]
        {
            let query = PhotoQuery { filename: Some(filename), ..everywhere };
            assert_eq!(photos::search(db, &query).await.unwrap().len(), found, "{filename}");
            assert_eq!(photos::count(db, &query).await.unwrap(), i64::try_from(found).unwrap());
        }
    }
}

#[tokio::test]
async fn photos_without_faces_are_those_that_were_looked_at() {
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let event = world.event(owner, "2026-11-14").await;
        let mut ids = Vec::new();
        for faces in 0..5_usize {
            let photo = world.photo(owner, Some(event)).await.id;
            let found: Vec<_> = (0..faces % 2).map(|_| world.face(1.0)).collect();
            assert!(world.index(photo, "a", &found).await);
            ids.push(photo);
        }
        world.photo(owner, Some(event)).await;
        let empty = [ids[4], ids[2], ids[0]];
        let query = PhotoQuery { event: Some(event), without_faces: true, ..PhotoQuery::all(owner, 2) };
        let page = async |before| {
            let found =
                photos::search(db, &PhotoQuery { order: Order::Uploaded(before), ..query }).await.unwrap();
            found.iter().map(|photo| photo.id).collect::<Vec<_>>()
        };
        assert_eq!(page(None).await, empty[..2]);
        assert_eq!(page(Some(empty[1])).await, empty[2..]);
        assert_eq!(photos::count(db, &query).await.unwrap(), 3);
    }
}

#[tokio::test]
async fn the_places_of_faces_are_those_of_one_photo_from_left_to_right() {
    // [GAL070]
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let photo = world.photo(owner, None).await.id;
        assert_eq!(faces::places(db, photo).await.unwrap(), []);
        let (mut right, mut left) = (world.face(1.0), world.face(2.0));
        (right.bounds.x, left.bounds.x) = (0.75, 0.125);
        world.index(photo, "a", &[right.clone(), left.clone()]).await;
        let other = world.photo(owner, None).await.id;
        world.index(other, "a", &[world.face(3.0)]).await;
        assert_eq!(faces::places(db, photo).await.unwrap(), [left.bounds, right.bounds]);
    }
}

#[tokio::test]
async fn many_photos_are_looked_up_at_once() {
    for world in worlds().await {
        let owner = world.user("a@example.com").await;
        let there = [world.photo(owner, None).await, world.photo(owner, None).await];
        let mut ids: Vec<PhotoId> = (0..1_200).map(|_| world.id()).collect();
        ids.extend(there.iter().map(|photo| photo.id));
        let mut found = photos::by_ids(&world.db, &ids).await.unwrap();
        found.sort_by_key(|photo| photo.id);
        assert_eq!(found, there);
        assert!(photos::by_ids(&world.db, &[]).await.unwrap().is_empty());
    }
}

#[tokio::test]
async fn indexing_replaces_the_faces_and_invalidates_every_cache() {
    // [EVT081] [GAL012]
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let event = world.event(owner, "2026-11-14").await;
        let photo = world.photo(owner, Some(event)).await;
        let library = world.photo(owner, None).await;
        let uploaded = photos::by_id(db, photo.id).await.unwrap().unwrap();
        let (in_event, of_owner) = (Scope::Event(event), Scope::Owner(owner));
        assert_eq!(version(db, in_event).await, Version { revision: 0, removals: 0 });
        assert_eq!(index::version(db, Scope::Event(world.id())).await.unwrap(), None);
        assert_eq!(photos::indexing(db, owner).await.unwrap(), Indexing { total: 2, ..Indexing::default() });
        assert_eq!(photos::unready(db, None, 9).await.unwrap(), [photo.id, library.id]);
        assert_eq!(photos::unready(db, Some(photo.id), 9).await.unwrap(), [library.id]);

        let face = world.face(0.5);
        assert!(world.index(photo.id, "a", &[world.face(2.0), world.face(3.0)]).await);
        assert!(world.index(photo.id, "a", std::slice::from_ref(&face)).await, "a second time replaces");
        assert!(world.index(library.id, "a", &[world.face(4.0)]).await);
        assert!(!world.index(world.id(), "a", &[]).await, "a photo that is gone");

        let stored = faces::of_event(db, event).await.unwrap();
        assert_eq!(stored.len(), 1);
        assert_eq!((stored[0].id, stored[0].photo, stored[0].bounds), (face.id, photo.id, face.bounds));
        assert_eq!(stored[0].embedding, face.embedding);
        let searched = all(db, in_event, "a").await;
        assert_eq!(searched.len(), 1);
        assert_eq!((searched[0].id, searched[0].photo, searched[0].change), (face.id, photo.id, 2));
        assert_eq!(searched[0].embedding, face.embedding);
        assert_eq!(all(db, of_owner, "a").await.len(), 2);
        assert!(all(db, in_event, "b").await.is_empty());
        assert_eq!(version(db, in_event).await, Version { revision: 2, removals: 1 });
        assert_eq!(version(db, of_owner).await, Version { revision: 3, removals: 1 });
        let ready = photos::by_id(db, photo.id).await.unwrap().unwrap();
        assert_eq!((ready.status, ready.faces), (PhotoStatus::Ready, 1));
        assert_eq!((uploaded.average_color, ready.average_color), (Some(UPLOAD_COLOR), Some(COLOR)));
        assert_eq!((uploaded.preview_bytes, ready.preview_bytes), (None, Some(PREVIEW_BYTES)));
        assert_eq!((uploaded.medium_bytes, ready.medium_bytes), (None, Some(MEDIUM_BYTES)));
        assert_eq!((uploaded.preview_crc32, ready.preview_crc32), (None, Some(7)));
        photos::set_preview_bytes(db, &photo.key, 7).await.unwrap();
        let preview = async || {
            let photo = photos::by_id(db, photo.id).await.unwrap().unwrap();
            (photo.preview_bytes, photo.preview_crc32)
        };
        assert_eq!(preview().await, (Some(7), Some(7)));
        // What was indexed meanwhile is newer.
        photos::describe_preview(db, &photo.key, 8, u32::MAX).await.unwrap();
        assert_eq!(preview().await, (Some(7), Some(7)));
        change(db, "UPDATE photos SET preview_crc32 = NULL").await;
        photos::describe_preview(db, &photo.key, 8, u32::MAX).await.unwrap();
        assert_eq!(preview().await, (Some(8), Some(u32::MAX)));
        let seen = world.seen(event).await;
        assert_eq!((seen.indexing, seen.faces_indexed), (Indexing { indexed: 1, failed: 0, total: 1 }, 1));

        // More faces than one statement takes.
        let crowd: Vec<_> = (0..1_100_u16).map(|n| world.face(f32::from(n))).collect();
        assert!(world.index(photo.id, "a", &crowd).await);
        assert_eq!(all(db, in_event, "a").await.len(), 1_100);

        let mut tx = world.begin().await;
        world.begin_deletion(&mut tx, event, owner).await;
        tx.commit().await.unwrap();
        assert_eq!(all(db, of_owner, "a").await.len(), 1, "the event is closed");
        assert_eq!(photos::indexing(db, owner).await.unwrap(), Indexing { indexed: 1, failed: 0, total: 1 });
    }
}

#[tokio::test]
async fn a_photo_that_cannot_be_indexed_is_neither_indexed_nor_waiting() {
    // [UPL151]
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let event = world.event(owner, "2026-11-14").await;
        let (good, bad) =
            (world.photo(owner, Some(event)).await.id, world.photo(owner, Some(event)).await.id);
        world.index(good, "a", &[world.face(1.0)]).await;
        let failure = PhotoFailure { cause: FailureCause::Exhausted, reason: String::from("no answer") };
        let mut tx = world.begin().await;
        assert!(photos::fail_indexing(&mut tx, bad, &failure).await.unwrap());
        assert!(!photos::fail_indexing(&mut tx, good, &failure).await.unwrap(), "what was found stays");
        assert!(!photos::fail_indexing(&mut tx, world.id(), &failure).await.unwrap());
        tx.commit().await.unwrap();
        let failed = photos::by_id(db, bad).await.unwrap().unwrap();
        assert_eq!((failed.status, failed.failure.as_ref()), (PhotoStatus::Failed, Some(&failure)));
        let indexing = world.seen(event).await.indexing;
        assert_eq!(indexing, Indexing { indexed: 1, failed: 1, total: 2 });
        assert_eq!((indexing.waiting(), photos::indexing(db, owner).await.unwrap()), (0, indexing));
        assert!(photos::unready(db, None, 9).await.unwrap().is_empty());
        assert_eq!(photos::failed(db, None, 9).await.unwrap(), [failed]);
        assert!(photos::failed(db, Some(bad), 9).await.unwrap().is_empty());
        let mut tx = world.begin().await;
        assert!(photos::retry_indexing(&mut tx, bad).await.unwrap());
        assert!(!photos::retry_indexing(&mut tx, good).await.unwrap());
        tx.commit().await.unwrap();
        assert_eq!(photos::by_id(db, bad).await.unwrap().unwrap().failure, None);
        assert_eq!(photos::unready(db, None, 9).await.unwrap(), [bad]);
        assert!(world.index(bad, "a", &[]).await, "a later attempt may succeed");
        assert_eq!(photos::by_id(db, bad).await.unwrap().unwrap().status, PhotoStatus::Ready);
    }
}

#[tokio::test]
async fn photos_of_another_pack_wait_to_be_indexed_again() {
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let (older, newer) = (world.event(owner, "2026-01-01").await, world.event(owner, "2026-12-31").await);
        let first = world.photo(owner, Some(newer)).await.id;
        let second = world.photo(owner, Some(older)).await.id;
        for photo in [first, second] {
            world.index(photo, "a", &[world.face(1.0)]).await;
        }
        let mark_outdated = async |pack, limit| {
            let mut tx = world.begin().await;
            let marked = photos::mark_outdated(&mut tx, &[pack], limit).await.unwrap();
            tx.commit().await.unwrap();
            marked
        };
        assert_eq!(mark_outdated("a", 9).await, 0);
        assert_eq!(mark_outdated("b", 1).await, 1);
        assert_eq!(mark_outdated("b", 9).await, 1);
        assert_eq!(mark_outdated("b", 9).await, 0, "they are marked");
        assert_eq!(photos::count_outdated(db).await.unwrap(), 2);
        assert_eq!(world.seen(newer).await.indexing, Indexing { total: 1, ..Indexing::default() });
        assert_eq!(photos::outdated(db, 9).await.unwrap(), [first, second], "the newest event first");
        assert_eq!(photos::outdated(db, 1).await.unwrap(), [first]);

        let mut tx = world.begin().await;
        assert!(
            jobs::enqueue_in_background(&mut tx, world.id(), &Job::IndexPhoto { photo: first }, NOON)
                .await
                .unwrap()
        );
        assert!(
            !jobs::enqueue_in_background(&mut tx, world.id(), &Job::IndexPhoto { photo: first }, NOON)
                .await
                .unwrap(),
            "it is queued"
        );
        tx.commit().await.unwrap();
        assert_eq!(photos::outdated(db, 9).await.unwrap(), [second]);
        assert_eq!(jobs::count_in_background(db, JobKind::IndexPhoto).await.unwrap(), 1);
        assert!(world.index(first, "b", &[world.face(1.0)]).await);
        assert_eq!(world.seen(newer).await.indexing, Indexing { indexed: 1, failed: 0, total: 1 });
        let mut tx = world.begin().await;
        photos::skip_outdated(&mut tx, second, "b").await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(photos::count_outdated(db).await.unwrap(), 0);
        assert_eq!(mark_outdated("b", 9).await, 0, "it was looked at");
        assert_eq!(mark_outdated("a", 9).await, 2);
        let mut tx = world.begin().await;
        assert_eq!(photos::mark_current(&mut tx, &["b"], 1).await.unwrap(), 1, "the change was taken back");
        assert_eq!(photos::mark_current(&mut tx, &["b"], 9).await.unwrap(), 1);
        tx.commit().await.unwrap();
        assert_eq!(photos::count_outdated(db).await.unwrap(), 0);
    }
}

#[tokio::test]
async fn a_removed_photo_takes_its_faces_along_and_stays_counted() {
    // [GAL026] [SAFE029] [SAFE241]
    for world in worlds().await {
        let db = &world.db;
        let (owner, other) = (world.user("a@example.com").await, world.user("b@example.com").await);
        let event = world.event(owner, "2026-11-14").await;
        let (keep, remove) = (world.photo(owner, Some(event)).await, world.photo(owner, Some(event)).await);
        world.index(keep.id, "a", &[world.face(1.0)]).await;
        world.index(remove.id, "a", &[world.face(2.0), world.face(3.0)]).await;
        let (in_event, of_owner) = (Scope::Event(event), Scope::Owner(owner));
        let before = [version(db, in_event).await, version(db, of_owner).await];

        let mut tx = world.begin().await;
        let anothers = photos::Collection::Library(other);
        assert_eq!(photos::delete_many(&mut tx, anothers, &[remove.id]).await.unwrap(), []);
        let of_event = photos::Collection::Event(event);
        assert_eq!(photos::delete_many(&mut tx, of_event, &[remove.id]).await.unwrap(), [remove.id]);
        assert_eq!(photos::delete_many(&mut tx, of_event, &[remove.id]).await.unwrap(), []);
        tx.commit().await.unwrap();

        assert_eq!(crate::parity::rows(db, "SELECT CAST(COUNT(*) AS TEXT) FROM faces").await, ["1"]);
        for (scope, before) in [in_event, of_owner].into_iter().zip(before) {
            let now = version(db, scope).await;
            assert!(now.revision > before.revision && now.removals > before.removals);
        }
        let seen = world.seen(event).await;
        assert_eq!((seen.photos_uploaded, seen.indexing.total, seen.faces_indexed), (2, 1, 1));
        let walked: Vec<_> =
            photos::page(db, None, 9).await.unwrap().into_iter().map(|photo| photo.id).collect();
        assert_eq!(walked, [keep.id]);
        assert!(photos::page(db, Some(keep.id), 9).await.unwrap().is_empty());
    }
}

#[tokio::test]
async fn photos_that_an_earlier_version_indexed_wait_to_be_rendered() {
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let (stays, goes) = (world.event(owner, "2026-11-14").await, world.event(owner, "2026-11-14").await);
        let (old, newer) = (world.photo(owner, Some(stays)).await.id, world.photo(owner, None).await);
        let new = newer.id;
        let (unready, deleted) = (world.photo(owner, None).await.id, world.photo(owner, Some(goes)).await.id);
        for photo in [old, new, deleted] {
            world.index(photo, "a", &[]).await;
        }
        assert!(photos::unrendered(db, 9).await.unwrap().is_empty(), "indexing renders them");
        change(db, "UPDATE photos SET medium_bytes = NULL").await;
        let mut tx = world.begin().await;
        world.begin_deletion(&mut tx, goes, owner).await;
        tx.commit().await.unwrap();
        assert_eq!(photos::unrendered(db, 9).await.unwrap(), [new, old], "the newest first");
        assert_eq!(photos::unrendered(db, 1).await.unwrap(), [new]);
        assert_eq!(photos::unrendered(db, 0).await.unwrap(), []);

        let (render, index) = (Job::RenderPhoto { photo: old }, Job::IndexPhoto { photo: old });
        let mut tx = world.begin().await;
        assert!(jobs::enqueue_in_background(&mut tx, world.id(), &render, NOON).await.unwrap());
        assert!(!jobs::enqueue_in_background(&mut tx, world.id(), &render, NOON).await.unwrap());
        assert!(!jobs::hasten(&mut tx, old, NOON).await.unwrap(), "nothing indexes it");
        assert!(jobs::enqueue_in_background(&mut tx, world.id(), &index, NOON).await.unwrap());
        tx.commit().await.unwrap();
        for kind in [JobKind::RenderPhoto, JobKind::IndexPhoto] {
            assert_eq!(jobs::count_in_background(db, kind).await.unwrap(), 1);
        }
        assert_eq!(photos::unrendered(db, 9).await.unwrap(), [new]);

        let gone = world.new_photo(owner, None).key;
        let mut tx = world.begin().await;
        assert!(photos::finish_rendering(&mut tx, &newer.key, MEDIUM_BYTES).await.unwrap());
        assert!(!photos::finish_rendering(&mut tx, &gone, 7).await.unwrap(), "it is deleted");
        tx.commit().await.unwrap();
        assert!(photos::unrendered(db, 9).await.unwrap().is_empty());
        let sizes = async |photo| photos::by_id(db, photo).await.unwrap().unwrap().sizes();
        assert_eq!(sizes(new).await, Size::ALL);
        assert_eq!(sizes(old).await, [Size::Original, Size::Preview, Size::Thumbnail]);
        assert_eq!(sizes(unready).await, [Size::Original]);
    }
}

#[tokio::test]
async fn files_of_a_deleted_event_and_of_a_closed_account_are_served_no_more() {
    // [EVT216]
    for world in worlds().await {
        let db = &world.db;
        let (owner, other) = (world.user("a@example.com").await, world.user("b@example.com").await);
        let (event, stays) = (world.event(owner, "2026-11-14").await, world.event(other, "2026-11-14").await);
        let (photo, kept) = (world.photo(owner, Some(event)).await, world.photo(other, Some(stays)).await);
        let (mine, library) = (world.photo(owner, None).await, world.photo(other, None).await);
        let served = async || {
            let mut served = Vec::new();
            for photo in [&photo, &kept, &mine, &library] {
                let found = photos::served(db, photo.id).await.unwrap();
                let key = photos::served_key(db, photo.id).await.unwrap();
                assert_eq!(found.as_ref().map(|found| &found.key), key.as_ref());
                assert!(found.is_none_or(|found| found.id == photo.id));
                served.push(key.is_some());
            }
            served
        };
        assert_eq!(served().await, [true; 4]);
        let mut tx = world.begin().await;
        world.begin_deletion(&mut tx, event, owner).await;
        tx.commit().await.unwrap();
        assert_eq!(served().await, [false, true, true, true]);
        let mut tx = world.begin().await;
        storage::accounts::users::close(&mut tx, owner, world.now()).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(served().await, [false, true, false, true]);
        assert_eq!(
            photos::media_key(db, photo.id).await.unwrap(),
            Some(photo.key),
            "its row waits for the job"
        );
    }
}
