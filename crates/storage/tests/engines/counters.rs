//! What events and libraries count is what is there, whatever happened to their photos.

use domain::photos::failures::{FailureCause, PhotoFailure};
use domain::{EventId, PhotoId, UserId};
use futures::future::join_all;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use storage::operations::integrity;
use storage::photos::{self, Collection, Indexed, Inserted};
use storage::{Tx, events, faces};

use crate::parity::{change, rows};
use crate::world::{COLOR, MEDIUM_BYTES, NOON, PREVIEW_BYTES, World, insert, worlds};

const PACKS: [&str; 2] = ["a", "b"];

/// Something that happens to photos. Numbers choose among what is there.
#[derive(Clone, Debug)]
enum Step {
    Upload(usize),
    /// The bytes of one that is there.
    Again(usize),
    Index {
        photo: usize,
        faces: u16,
        pack: usize,
    },
    /// All faces but the first, or all.
    Describe {
        photo: usize,
        all: bool,
        pack: usize,
    },
    Fail(usize),
    Retry(usize),
    Replace(usize),
    Skip {
        photo: usize,
        pack: usize,
    },
    MarkOutdated(usize),
    MarkCurrent(usize),
    DeleteFaces(usize),
    Delete(usize),
    DeleteMany {
        collection: usize,
        photos: usize,
    },
    Close(usize),
}

fn step() -> impl Strategy<Value = Step> {
    let photo = 0..40_usize;
    prop_oneof![
        6 => (0..4_usize).prop_map(Step::Upload),
        1 => photo.clone().prop_map(Step::Again),
        6 => (photo.clone(), 0..4_u16, 0..2_usize)
            .prop_map(|(photo, faces, pack)| Step::Index { photo, faces, pack }),
        2 => (photo.clone(), any::<bool>(), 0..2_usize)
            .prop_map(|(photo, all, pack)| Step::Describe { photo, all, pack }),
        2 => photo.clone().prop_map(Step::Fail),
        2 => photo.clone().prop_map(Step::Retry),
        2 => photo.clone().prop_map(Step::Replace),
        1 => (photo.clone(), 0..2_usize).prop_map(|(photo, pack)| Step::Skip { photo, pack }),
        1 => (0..2_usize).prop_map(Step::MarkOutdated),
        1 => (0..2_usize).prop_map(Step::MarkCurrent),
        1 => photo.clone().prop_map(Step::DeleteFaces),
        1 => photo.clone().prop_map(Step::Delete),
        1 => (0..4_usize, 0..4_usize)
            .prop_map(|(collection, photos)| Step::DeleteMany { collection, photos }),
        1 => (0..3_usize).prop_map(Step::Close),
    ]
}

/// An account with three events and a library.
struct Scene {
    owner: UserId,
    collections: [Option<EventId>; 4],
    photos: Vec<domain::photos::Photo>,
}

impl Scene {
    async fn new(world: &World) -> Self {
        let owner = world.user(&format!("{}@example.com", world.id::<UserId>())).await;
        let mut collections = [None; 4];
        for event in &mut collections[..3] {
            *event = Some(world.event(owner, "2026-11-14").await);
        }
        Self { owner, collections, photos: Vec::new() }
    }

    fn photo(&self, number: usize) -> PhotoId {
        self.photos[number % self.photos.len()].id
    }

    async fn perform(&mut self, world: &World, tx: &mut Tx, step: &Step) {
        let needs_photo = !matches!(
            step,
            Step::Upload(_)
                | Step::MarkOutdated(_)
                | Step::MarkCurrent(_)
                | Step::DeleteMany { .. }
                | Step::Close(_)
        );
        if needs_photo && self.photos.is_empty() {
            return;
        }
        let failure = PhotoFailure { cause: FailureCause::Refused, reason: String::from("no picture") };
        match step {
            Step::Upload(collection) => {
                let mut photo = world.new_photo(self.owner, self.collections[*collection]);
                photo.size_bytes = 1_000 + i64::try_from(self.photos.len()).unwrap();
                if insert(tx, &photo).await == Inserted::Added {
                    self.photos.push(photo);
                }
            }
            Step::Again(number) => {
                let there = &self.photos[number % self.photos.len()];
                let copy = domain::photos::Photo { id: world.id(), ..there.clone() };
                let copy = domain::photos::Photo { key: world.new_photo(self.owner, None).key, ..copy };
                if insert(tx, &copy).await == Inserted::Added {
                    self.photos.push(copy);
                }
            }
            Step::Index { photo, faces, pack } => {
                index(world, tx, self.photo(*photo), PACKS[*pack], *faces).await;
            }
            Step::Describe { photo, all, pack } => {
                let (photo, pack) = (self.photo(*photo), PACKS[*pack]);
                let stored = faces::of_photo(&mut *tx, photo).await.unwrap();
                let kept = stored.into_iter().skip(usize::from(!all));
                let kept: Vec<_> = kept.map(|face| (face.id, face.embedding)).collect();
                let previous = photos::pack(&mut *tx, photo).await.unwrap().unwrap_or_default();
                photos::finish_describing(tx, photo, &previous, pack, &kept).await.unwrap();
            }
            Step::Fail(photo) => {
                photos::fail_indexing(tx, self.photo(*photo), &failure).await.unwrap();
            }
            Step::Retry(photo) => {
                photos::retry_indexing(tx, self.photo(*photo)).await.unwrap();
            }
            Step::Replace(photo) => {
                let number = photo % self.photos.len();
                let new = world.new_photo(self.owner, None);
                let before = self.photos[number].clone();
                let after = domain::photos::Photo {
                    key: new.key,
                    content_hash: new.content_hash,
                    size_bytes: before.size_bytes + 7,
                    ..before.clone()
                };
                if photos::replace(tx, &before.key, &after, NOON).await.unwrap() == photos::Replaced::Done {
                    self.photos[number] = after;
                }
            }
            Step::Skip { photo, pack } => {
                photos::skip_outdated(tx, self.photo(*photo), PACKS[*pack]).await.unwrap();
            }
            Step::MarkOutdated(pack) => {
                photos::mark_outdated(tx, &[PACKS[*pack]], 3).await.unwrap();
            }
            Step::MarkCurrent(pack) => {
                photos::mark_current(tx, &[PACKS[*pack]], 3).await.unwrap();
            }
            Step::DeleteFaces(photo) => {
                let photo = &self.photos[photo % self.photos.len()];
                let Some(event) = photo.event else { return };
                let stored = faces::of_photo(&mut *tx, photo.id).await.unwrap();
                let of_photo: Vec<_> = stored.iter().map(|face| (face.id, face.photo)).collect();
                faces::delete(tx, event, &of_photo).await.unwrap();
            }
            Step::Delete(photo) => {
                storage::testing::remove_photo(tx, self.photo(*photo)).await;
            }
            Step::DeleteMany { collection, photos } => {
                let event = self.collections[*collection];
                let collection = event.map_or(Collection::Library(self.owner), Collection::Event);
                // The first are of any collection: those of others stay.
                let ids: Vec<_> = self.photos.iter().take(*photos * 3).map(|photo| photo.id).collect();
                photos::delete_many(tx, collection, &ids).await.unwrap();
            }
            Step::Close(event) => {
                let event = self.collections[*event].unwrap();
                events::begin_deletion(
                    tx,
                    event,
                    self.owner,
                    world.id(),
                    NOON,
                    NOON.plus(domain::photos::TRASH_PERIOD),
                )
                .await
                .unwrap();
            }
        }
    }
}

async fn index(world: &World, tx: &mut Tx, photo: PhotoId, pack: &str, faces: u16) -> bool {
    let faces: Vec<_> = (0..faces).map(|number| world.face(f32::from(number))).collect();
    let indexed = Indexed {
        pack,
        average_color: COLOR,
        preview_bytes: PREVIEW_BYTES,
        preview_crc32: 7,
        medium_bytes: MEDIUM_BYTES,
        appearance: None,
        faces: &faces,
    };
    photos::finish_indexing(tx, photo, &indexed).await.unwrap().is_some()
}

async fn assert_counted(world: &World) {
    let events = integrity::miscounted_events(&world.db).await.unwrap();
    let libraries = integrity::miscounted_libraries(&world.db).await.unwrap();
    assert!(events.is_empty() && libraries.is_empty(), "{:?}: {events:?} {libraries:?}", world.db.engine());
    assert!(integrity::miscounted_photos(&world.db).await.unwrap().is_empty());
}

#[test]
fn whatever_happens_to_photos_their_collections_count_what_is_there() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let worlds = runtime.block_on(worlds());
    let config = Config { cases: 16, failure_persistence: None, ..Config::default() };
    let steps = prop::collection::vec((step(), prop::bool::weighted(0.2)), 1..60);
    let outcome = TestRunner::new(config).run(&steps, |steps| {
        runtime.block_on(async {
            for world in &worlds {
                let mut scene = Scene::new(world).await;
                for (step, is_undone) in &steps {
                    let known = scene.photos.len();
                    let mut tx = world.begin().await;
                    scene.perform(world, &mut tx, step).await;
                    if *is_undone {
                        scene.photos.truncate(known);
                        tx.rollback().await.unwrap();
                    } else {
                        tx.commit().await.unwrap();
                    }
                    assert_counted(world).await;
                }
            }
        });
        Ok(())
    });
    if let Err(failure) = outcome {
        panic!("{failure}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_happens_at_the_same_time_is_counted_once() {
    // Also: nobody waits in a circle, which a server of PostgreSQL would end with an error.
    for world in worlds().await {
        let owner = world.user("a@example.com").await;
        let event = world.event(owner, "2026-11-14").await;
        let mut ids = Vec::new();
        for number in 0..12 {
            ids.push(world.photo(owner, (number % 3 > 0).then_some(event)).await.id);
        }
        let failure = PhotoFailure { cause: FailureCause::Exhausted, reason: String::from("no answer") };
        let (world, failure) = (&world, &failure);
        let work = (0..8_usize).map(|worker| {
            let ids = ids.clone();
            async move {
                for (number, photo) in ids.into_iter().enumerate() {
                    let mut tx = world.begin().await;
                    match (worker + number) % 6 {
                        0 | 1 => {
                            index(world, &mut tx, photo, PACKS[number % 2], 2).await;
                        }
                        2 => {
                            photos::fail_indexing(&mut tx, photo, failure).await.unwrap();
                        }
                        3 => {
                            photos::retry_indexing(&mut tx, photo).await.unwrap();
                        }
                        4 if worker > 4 => {
                            assert!(storage::testing::remove_photo(&mut tx, photo).await);
                        }
                        4 => {
                            photos::mark_outdated(&mut tx, &["a"], 5).await.unwrap();
                        }
                        _ => {
                            let new = world.new_photo(owner, (number % 2 > 0).then_some(event));
                            insert(&mut tx, &new).await;
                        }
                    }
                    tx.commit().await.unwrap();
                }
            }
        });
        join_all(work).await;
        assert_counted(world).await;
    }
}

#[tokio::test]
async fn wrong_counters_are_found_and_repaired() {
    // [RUN256]
    for world in worlds().await {
        let db = &world.db;
        let (owner, other) = (world.user("a@example.com").await, world.user("b@example.com").await);
        let (event, untouched) =
            (world.event(owner, "2026-11-14").await, world.event(other, "2026-11-14").await);
        for (owner, event) in [(owner, Some(event)), (owner, None), (other, Some(untouched)), (other, None)] {
            let photo = world.photo(owner, event).await;
            world.index(photo.id, "a", &[world.face(1.0), world.face(2.0)]).await;
        }
        let counts =
            "SELECT photos_stored || ' ' || photos_indexed || ' ' || photos_failed || ' ' || faces_stored
            || ' ' || bytes_stored FROM events ORDER BY id";
        assert_eq!(rows(db, counts).await, ["1 1 0 2 5000000", "1 1 0 2 5000000"]);
        for column in [
            "photos_stored",
            "photos_indexed",
            "photos_failed",
            "faces_stored",
            "bytes_stored",
            "photos_held",
            "held_indexed",
            "held_failed",
            "held_faces",
        ] {
            assert_counted(&world).await;
            change(db, &format!("UPDATE events SET {column} = {column} + 1 WHERE id = '{event}'")).await;
            assert_eq!(integrity::miscounted_events(db).await.unwrap(), [event], "{column}");
            let mut tx = world.begin().await;
            integrity::recount_event(&mut tx, event).await.unwrap();
            tx.commit().await.unwrap();
        }
        for column in ["photos", "indexed", "failed", "faces", "bytes"] {
            assert_counted(&world).await;
            let statement = format!("UPDATE users SET library_{column} = 7 WHERE id = '{owner}'");
            change(db, &statement).await;
            assert_eq!(integrity::miscounted_libraries(db).await.unwrap(), [owner], "{column}");
            let mut tx = world.begin().await;
            integrity::recount_library(&mut tx, owner).await.unwrap();
            tx.commit().await.unwrap();
        }
        for column in ["uploads_charged", "credits_spent"] {
            assert!(integrity::miscounted_charges(db).await.unwrap().is_empty());
            change(db, &format!("UPDATE users SET {column} = 7 WHERE id = '{owner}'")).await;
            assert_eq!(integrity::miscounted_charges(db).await.unwrap(), [owner], "{column}");
            let mut tx = world.begin().await;
            integrity::recount_charges(&mut tx, owner).await.unwrap();
            tx.commit().await.unwrap();
        }
        assert!(integrity::miscounted_charges(db).await.unwrap().is_empty());
        assert_counted(&world).await;
    }
}
