//! What indexes in memory are read from: faces in the order of their changes, and what has them read again.

use std::time::Duration;

use domain::faces::BoundingBox;
use domain::guests::objections::ObjectedFace;
use domain::{EventId, FaceId, PhotoId, UserId};
use storage::Db;
use storage::accounts::users;
use storage::faces::index::{self, IndexedFace, Position, Scope, Version};
use storage::faces::{self, NewFace};
use storage::guests::objections;
use storage::operations::integrity;
use storage::photos::{self, Collection, Indexed};

use crate::parity::change;
use crate::world::{COLOR, World, worlds};

const PACK: &str = "a";

/// All faces of a scope, as a search compares them.
pub(crate) async fn all(db: &Db, scope: Scope, pack: &str) -> Vec<IndexedFace> {
    index::page(db, scope, pack, Position::START, 10_000).await.unwrap()
}

pub(crate) async fn version(db: &Db, scope: Scope) -> Version {
    index::version(db, scope).await.unwrap().unwrap()
}

fn ids(faces: &[IndexedFace]) -> Vec<FaceId> {
    faces.iter().map(|face| face.id).collect()
}

/// A photo with faces; answers the photo and the faces.
async fn indexed(
    world: &World,
    owner: UserId,
    event: Option<EventId>,
    faces: usize,
) -> (PhotoId, Vec<FaceId>) {
    let photo = world.photo(owner, event).await.id;
    let faces: Vec<NewFace> = (0..faces).map(|_| world.face(0.5)).collect();
    assert!(world.index(photo, PACK, &faces).await);
    (photo, faces.iter().map(|face| face.id).collect())
}

#[tokio::test]
async fn faces_come_in_the_order_of_their_changes_and_in_pages() {
    // [FACE442]
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let event = world.event(owner, "2026-11-14").await;
        let (in_event, of_owner) = (Scope::Event(event), Scope::Owner(owner));
        let older = world.photo(owner, Some(event)).await.id;
        let (_, first) = indexed(&world, owner, Some(event), 2).await;
        let (_, library) = indexed(&world, owner, None, 1).await;
        let known = [version(db, in_event).await, version(db, of_owner).await];
        assert_eq!(known.map(|version| (version.revision, version.removals)), [(1, 0), (2, 0)]);

        // One that was uploaded first is indexed last.
        let faces = [world.face(0.5), world.face(1.0), world.face(1.5)];
        assert!(world.index(older, PACK, &faces).await);
        let last: Vec<FaceId> = faces.iter().map(|face| face.id).collect();
        assert_eq!(ids(&all(db, in_event, PACK).await), [first.clone(), last.clone()].concat());
        assert_eq!(
            ids(&all(db, of_owner, PACK).await),
            [first.clone(), library.clone(), last.clone()].concat()
        );
        for (scope, known) in [in_event, of_owner].into_iter().zip(known) {
            let added = index::page(db, scope, PACK, known.position(), 9).await.unwrap();
            assert_eq!(ids(&added), last);
            assert_eq!(added[0].embedding, faces[0].embedding);
            let now = version(db, scope).await;
            assert_eq!((added[0].change, now.revision, now.removals), (now.revision, known.revision + 1, 0));
            assert!(index::page(db, scope, PACK, now.position(), 9).await.unwrap().is_empty());
            assert_eq!(index::page(db, scope, "b", known.position(), 9).await.unwrap().len(), 0);
        }
        assert_eq!(index::count(db, in_event, PACK).await.unwrap(), 5);
        assert_eq!(index::count(db, of_owner, PACK).await.unwrap(), 6);
        assert_eq!(index::count(db, of_owner, "b").await.unwrap(), 0);
        assert_eq!(index::of_owner(db, owner).await.unwrap(), 6);
        assert_eq!(index::of_owner(db, world.id()).await.unwrap(), 0);
        let wanted = [library[0], last[1], world.id()];
        assert_eq!(storage::faces::embeddings(db, owner, PACK, &wanted).await.unwrap().len(), 2);
        let of_pack = storage::faces::embeddings(db, owner, PACK, &last[1..2]).await.unwrap();
        assert_eq!(of_pack, [faces[1].embedding.clone()]);
        for (owner, pack) in [(owner, "b"), (world.id(), PACK)] {
            assert_eq!(storage::faces::embeddings(db, owner, pack, &wanted).await.unwrap(), []);
        }

        let (mut after, mut paged) = (Position::START, Vec::new());
        loop {
            let page = index::page(db, of_owner, PACK, after, 2).await.unwrap();
            let Some(last) = page.last() else { break };
            after = last.position();
            paged.extend(ids(&page));
        }
        assert_eq!(paged, ids(&all(db, of_owner, PACK).await), "pages end within a change");
    }
}

/// What happens in an event and has indexes read from the beginning: of which scopes.
struct Removal<'a> {
    of: &'a str,
    event: bool,
    owner: bool,
}

#[tokio::test]
async fn what_takes_faces_away_has_face_indexes_read_from_the_beginning() {
    // [FACE335] [FACE191] [FACE193]
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let event = world.event(owner, "2026-11-14").await;
        let (in_event, of_owner) = (Scope::Event(event), Scope::Owner(owner));
        objections::key_or_insert(db, event, &[7; 32]).await.unwrap();
        let mut photos = Vec::new();
        for _ in 0..6 {
            photos.push(indexed(&world, owner, Some(event), 2).await);
        }
        let library = [indexed(&world, owner, None, 1).await.0, indexed(&world, owner, None, 1).await.0];
        let mut before = [version(db, in_event).await, version(db, of_owner).await];
        assert_eq!(before.map(|version| version.removals), [0, 0], "new faces alone");
        let mut check = async |removal: Removal<'_>| {
            let now = [version(db, in_event).await, version(db, of_owner).await];
            for ((before, now), removes) in before.iter().zip(now).zip([removal.event, removal.owner]) {
                assert_eq!(now.removals > before.removals, removes, "{}", removal.of);
                assert!(now.revision > before.revision || !removes, "{}", removal.of);
            }
            before = now;
        };

        assert!(world.index(photos[0].0, PACK, &[world.face(0.5)]).await);
        check(Removal { of: "a photo that is indexed again", event: true, owner: true }).await;
        let bare = world.photo(owner, Some(event)).await.id;
        assert!(world.index(bare, PACK, &[]).await && world.index(bare, PACK, &[world.face(0.5)]).await);
        check(Removal { of: "one that had no face", event: false, owner: false }).await;
        assert!(world.index(library[0], "b", &[world.face(0.5)]).await);
        check(Removal { of: "another model pack", event: false, owner: true }).await;

        let mut tx = world.begin().await;
        assert!(storage::testing::remove_photo(&mut tx, photos[0].0).await);
        tx.commit().await.unwrap();
        check(Removal { of: "a deleted photo", event: true, owner: true }).await;
        let mut tx = world.begin().await;
        photos::delete_many(&mut tx, Collection::Event(event), &[photos[1].0]).await.unwrap();
        tx.commit().await.unwrap();
        check(Removal { of: "deleted photos", event: true, owner: true }).await;
        let mut tx = world.begin().await;
        photos::delete_many(&mut tx, Collection::Library(owner), &[library[1]]).await.unwrap();
        tx.commit().await.unwrap();
        check(Removal { of: "deleted photos of the library", event: false, owner: true }).await;

        let (hidden, faces_of_hidden) = &photos[2];
        let bounds = BoundingBox { x: 0.25, y: -0.125, width: 0.5, height: 1.5 };
        let objection = world.request_to_hide(event);
        let (photo, face) = (*hidden, faces_of_hidden[0]);
        let about = [ObjectedFace { objection: objection.id, face, photo, bounds, overruled: false }];
        let mut tx = world.begin().await;
        assert!(objections::lock(&mut tx, event).await.unwrap());
        objections::create(&mut tx, &objection, &about).await.unwrap();
        tx.commit().await.unwrap();
        check(Removal { of: "a hidden photo", event: true, owner: true }).await;
        assert!(all(db, in_event, PACK).await.iter().all(|face| face.photo != *hidden));
        let faceless = world.photo(owner, Some(event)).await.id;
        change(db, &format!("UPDATE photos SET hidden = TRUE WHERE id = '{faceless}'")).await;
        assert!(world.index(faceless, PACK, &[world.face(0.5)]).await);
        check(Removal { of: "a hidden photo that gets its first faces", event: false, owner: false }).await;
        assert!(all(db, in_event, PACK).await.iter().all(|face| face.photo != faceless), "nor those");
        assert!(all(db, of_owner, PACK).await.iter().any(|face| face.photo == faceless), "but the owner's");
        let mut tx = world.begin().await;
        integrity::rehide(&mut tx, faceless).await.unwrap();
        tx.commit().await.unwrap();
        check(Removal { of: "a photo that a repair shows", event: true, owner: false }).await;
        let mut tx = world.begin().await;
        objections::decide(&mut tx, &objection, &[*hidden], true).await.unwrap();
        tx.commit().await.unwrap();
        check(Removal { of: "a photo that is shown again", event: true, owner: false }).await;
        assert!(all(db, in_event, PACK).await.iter().any(|face| face.photo == *hidden));

        let mut tx = world.begin().await;
        faces::delete(&mut tx, event, &[]).await.unwrap();
        tx.commit().await.unwrap();
        check(Removal { of: "no face", event: false, owner: false }).await;
        let mut tx = world.begin().await;
        faces::delete(&mut tx, event, &[(photos[3].1[0], photos[3].0)]).await.unwrap();
        tx.commit().await.unwrap();
        check(Removal { of: "a face", event: true, owner: true }).await;

        let mut tx = world.begin().await;
        world.begin_deletion(&mut tx, event, owner).await;
        tx.commit().await.unwrap();
        check(Removal { of: "a closed event", event: true, owner: true }).await;
        let mut tx = world.begin().await;
        assert!(users::close(&mut tx, owner, world.now()).await.unwrap());
        tx.commit().await.unwrap();
        check(Removal { of: "a closed account", event: false, owner: true }).await;
    }
}

/// Numbers would be useless if a transaction could take one and commit after another that took a higher one.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_higher_number_is_committed_later() {
    // [FACE442]
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let (one, other) = (world.event(owner, "2026-11-14").await, world.event(owner, "2026-11-14").await);
        for second_event in [Some(one), Some(other), None] {
            let scope = if second_event == Some(one) { Scope::Event(one) } else { Scope::Owner(owner) };
            let first = world.photo(owner, Some(one)).await.id;
            let second = world.photo(owner, second_event).await.id;
            let known = version(db, scope).await;
            let faces = [[world.face(0.5)], [world.face(1.0)]];
            let [first_face, second_face] = [faces[0][0].id, faces[1][0].id];
            let indexed = |faces| Indexed {
                pack: PACK,
                average_color: COLOR,
                preview_bytes: 1,
                preview_crc32: 7,
                medium_bytes: 1,
                appearance: None,
                faces,
            };
            let mut tx = world.begin().await;
            assert!(photos::finish_indexing(&mut tx, first, &indexed(&faces[0])).await.unwrap().is_some());
            let of_second = faces[1].clone();
            let later = tokio::spawn({
                let db = db.clone();
                async move {
                    let mut tx = db.begin().await.unwrap();
                    let indexed = Indexed {
                        pack: PACK,
                        average_color: COLOR,
                        preview_bytes: 1,
                        preview_crc32: 7,
                        medium_bytes: 1,
                        appearance: None,
                        faces: &of_second,
                    };
                    assert!(photos::finish_indexing(&mut tx, second, &indexed).await.unwrap().is_some());
                    tx.commit().await.unwrap();
                }
            });
            tokio::time::sleep(Duration::from_millis(300)).await;
            assert!(!later.is_finished(), "it waits for its number");
            assert_eq!(version(db, scope).await, known, "nothing is committed");
            assert!(index::page(db, scope, PACK, known.position(), 9).await.unwrap().is_empty());
            tx.commit().await.unwrap();
            later.await.unwrap();
            let added = index::page(db, scope, PACK, known.position(), 9).await.unwrap();
            assert_eq!(ids(&added), [first_face, second_face]);
            assert_eq!([added[0].change, added[1].change], [known.revision + 1, known.revision + 2]);
        }
    }
}

/// Readers follow the numbers while photos are indexed as fast as can be, and at the end have every face once.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn readers_that_follow_the_numbers_miss_nothing() {
    // [FACE442]
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let (one, other) = (world.event(owner, "2026-11-14").await, world.event(owner, "2026-11-14").await);
        let mut writers = Vec::new();
        for writer in 0..4 {
            let mut photos = Vec::new();
            for number in 0..20 {
                let event = [Some(one), Some(other), None][(writer + number) % 3];
                let photo = world.photo(owner, event).await.id;
                photos.push((photo, vec![world.face(0.5), world.face(1.0)]));
            }
            let db = db.clone();
            writers.push(tokio::spawn(async move {
                for (photo, faces) in photos {
                    let mut tx = db.begin().await.unwrap();
                    let indexed = Indexed {
                        pack: PACK,
                        average_color: COLOR,
                        preview_bytes: 1,
                        preview_crc32: 7,
                        medium_bytes: 1,
                        appearance: None,
                        faces: &faces,
                    };
                    assert!(photos::finish_indexing(&mut tx, photo, &indexed).await.unwrap().is_some());
                    tx.commit().await.unwrap();
                }
            }));
        }
        let scopes = [Scope::Event(one), Scope::Event(other), Scope::Owner(owner)];
        let mut read: [Vec<FaceId>; 3] = Default::default();
        let mut known = [Version { revision: 0, removals: 0 }; 3];
        let mut is_over = false;
        while !is_over {
            is_over = writers.iter().all(tokio::task::JoinHandle::is_finished);
            for ((scope, read), known) in scopes.into_iter().zip(&mut read).zip(&mut known) {
                let now = version(db, scope).await;
                assert!(now.removals == 0 && now.revision >= known.revision);
                let added = index::page(db, scope, PACK, known.position(), 10_000).await.unwrap();
                let change = added.last().map_or(0, |face| face.change);
                *known = Version { revision: now.revision.max(change), removals: 0 };
                read.extend(ids(&added));
            }
        }
        for writer in writers {
            writer.await.unwrap();
        }
        for (scope, read) in scopes.into_iter().zip(read) {
            assert_eq!(read, ids(&all(db, scope, PACK).await), "{scope:?}");
        }
        assert_eq!(index::count(db, scopes[2], PACK).await.unwrap(), 160);
    }
}

#[tokio::test]
async fn faces_of_an_older_installation_come_before_those_that_follow() {
    // [FACE442]
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let event = world.event(owner, "2026-11-14").await;
        let scopes = [Scope::Event(event), Scope::Owner(owner)];
        let (_, first) = indexed(&world, owner, Some(event), 2).await;
        let (removed, _) = indexed(&world, owner, Some(event), 1).await;
        for statement in [
            "DROP INDEX faces_by_event",
            "DROP INDEX faces_by_owner",
            "ALTER TABLE faces DROP COLUMN event_change",
            "ALTER TABLE faces DROP COLUMN owner_change",
            "ALTER TABLE events DROP COLUMN removals",
            "ALTER TABLE users DROP COLUMN removals",
            "CREATE INDEX faces_by_event ON faces (event_id, pack)",
            "CREATE INDEX faces_by_owner ON faces (owner_id, pack)",
            "DELETE FROM _sqlx_migrations WHERE version = 21",
        ] {
            change(db, statement).await;
        }
        db.migrate().await.unwrap();
        for scope in scopes {
            assert_eq!(version(db, scope).await, Version { revision: 2, removals: 0 });
            let faces = all(db, scope, PACK).await;
            assert_eq!((faces.len(), faces.iter().map(|face| face.change).max()), (3, Some(0)));
        }
        let known = version(db, scopes[0]).await;
        let (_, last) = indexed(&world, owner, Some(event), 1).await;
        for scope in scopes {
            let added = index::page(db, scope, PACK, known.position(), 9).await.unwrap();
            assert_eq!(ids(&added), last);
        }
        let mut tx = world.begin().await;
        assert!(storage::testing::remove_photo(&mut tx, removed).await);
        tx.commit().await.unwrap();
        for scope in scopes {
            assert_eq!(ids(&all(db, scope, PACK).await), [first.clone(), last.clone()].concat());
            assert_eq!(version(db, scope).await, Version { revision: 4, removals: 1 });
        }
    }
}
