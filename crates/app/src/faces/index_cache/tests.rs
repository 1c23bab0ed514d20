use std::collections::HashMap;

use domain::faces::{BoundingBox, Embedding};
use domain::guests::objections::{Choice, ObjectedFace, Objection};
use domain::{EventId, FaceId, PhotoId, Timestamp, UserId};
use storage::faces::index::Position;
use storage::testing::TestDb;

use super::*;
use crate::App;
use crate::operations::metrics::Format;
use crate::testing::{parts, rows};

/// Two processes on one database; `other` has indexes of its own.
struct World {
    app: App,
    other: App,
    owner: UserId,
    event: EventId,
    _database: TestDb,
    _incoming: tempfile::TempDir,
}

async fn worlds() -> Vec<World> {
    let mut worlds = Vec::new();
    for database in storage::testing::engines().await {
        let incoming = tempfile::tempdir().unwrap();
        let parts = parts(database.db.clone(), incoming.path());
        let app = App::new(parts.clone()).await.unwrap();
        let other = App::new(parts).await.unwrap();
        let owner = rows::photographer(&app).await.unwrap();
        let event = rows::event(&app, owner).await.unwrap();
        worlds.push(World { app, other, owner, event, _database: database, _incoming: incoming });
    }
    worlds
}

fn face(direction: f32) -> Embedding {
    Embedding::normalised(vec![direction, 1.0, 0.5]).unwrap()
}

impl World {
    fn scopes(&self) -> [Scope; 2] {
        [Scope::Event(self.event), Scope::Owner(self.owner)]
    }

    async fn indexed(&self, event: Option<EventId>, faces: u8) -> (PhotoId, Vec<FaceId>) {
        let photo = rows::photo(&self.app, self.owner, event).await.unwrap();
        (photo, self.index(photo, faces).await)
    }

    async fn index(&self, photo: PhotoId, faces: u8) -> Vec<FaceId> {
        let faces = (0..faces).map(|number| face(f32::from(number))).collect();
        rows::index(&self.app, photo, self.app.engine.pack_id(), faces).await.unwrap()
    }

    async fn delete(&self, photo: PhotoId) {
        let mut tx = self.app.begin().await.unwrap();
        assert!(storage::testing::remove_photo(&mut tx, photo).await);
        tx.commit().await.unwrap();
    }

    /// Hides a photo, for one face; answers the objection, which can be overruled.
    async fn hide(&self, photo: PhotoId) -> Objection {
        let event = self.event;
        storage::guests::objections::key_or_insert(&self.app.db, event, &[7; 32]).await.unwrap();
        let objection = Objection {
            id: self.app.id(),
            event,
            choice: Choice::Hide,
            notice_version: String::from("2026-11"),
            template: None,
            created_at: self.app.now(),
            told_at: None,
            seen_at: None,
            waits: false,
            provisional_for: None,
            without_capture: false,
        };
        let bounds = BoundingBox { x: 0.25, y: 0.25, width: 0.125, height: 0.25 };
        let face = self.app.id();
        let about = [ObjectedFace { objection: objection.id, face, photo, bounds, overruled: false }];
        let mut tx = self.app.begin().await.unwrap();
        assert!(storage::guests::objections::lock(&mut tx, event).await.unwrap());
        storage::guests::objections::create(&mut tx, &objection, &about).await.unwrap();
        tx.commit().await.unwrap();
        objection
    }

    async fn overrule(&self, objection: &Objection, photo: PhotoId) {
        let mut tx = self.app.begin().await.unwrap();
        storage::guests::objections::decide(&mut tx, objection, &[photo], true).await.unwrap();
        tx.commit().await.unwrap();
    }

    /// The faces that a search in this process compares, after a look at the database: both are the same, in one order.
    async fn faces(&self, app: &App, scope: Scope) -> Vec<FaceId> {
        let face_index =
            app.face_indexes.get(&app.db, &app.engine, scope, Generation::Current).await.unwrap();
        let rows: Vec<_> =
            (0..face_index.face_index.len()).map(|row| face_index.face(row).unwrap()).collect();
        assert_eq!(face_index.face(rows.len()), None);
        let stored =
            storage::faces::index::page(&app.db, scope, app.engine.pack_id(), Position::START, 20_000);
        let stored = stored.await.unwrap();
        assert_eq!(rows, stored.iter().map(|face| (face.id, face.photo)).collect::<Vec<_>>(), "{scope:?}");
        let anew = app.engine.face_index(stored.iter().map(|face| &face.embedding)).unwrap();
        let query = [face(0.5)];
        let strictness = domain::faces::Strictness::Loose;
        assert_eq!(
            face_index.face_index.search(&query, strictness).unwrap(),
            anew.search(&query, strictness).unwrap(),
            "an index that has grown is as one that is read"
        );
        rows.into_iter().map(|(face, _)| face).collect()
    }
}

/// How searches of a process came by embeddings since the last call.
fn lookups(app: &App, before: &mut HashMap<String, u64>) -> Vec<String> {
    let text = app.metrics.encode(&[], Timestamp::from_millis(0), Format::OpenMetrics).unwrap();
    let prefix = "afterglow_gallery_lookups_total{outcome=\"";
    let counts = text.lines().filter_map(|line| line.strip_prefix(prefix)?.split_once("\"} "));
    let mut since = Vec::new();
    for (outcome, count) in counts {
        let count: u64 = count.parse().unwrap();
        let known = before.insert(outcome.to_owned(), count).unwrap_or_default();
        since.extend((known..count).map(|_| outcome.to_owned()));
    }
    since
}

fn memory(app: &App) -> u64 {
    let text = app.metrics.encode(&[], Timestamp::from_millis(0), Format::OpenMetrics).unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix("afterglow_gallery_memory_bytes "));
    line.unwrap().parse().unwrap()
}

#[tokio::test]
async fn new_faces_are_appended_and_removed_ones_have_all_read_again() {
    // [FACE335]
    for world in worlds().await {
        let (here, there, event) = (&world.app, &world.other, Some(world.event));
        let (mut seen_here, mut seen_there) = (HashMap::new(), HashMap::new());
        let mut expect = async |scope: Scope, outcome: &str, what: &str| {
            let mut faces = Vec::new();
            for (app, seen) in [(here, &mut seen_here), (there, &mut seen_there)] {
                faces = world.faces(app, scope).await;
                assert_eq!(lookups(app, seen), [outcome], "{what}");
                assert_eq!(world.faces(app, scope).await, faces);
                assert_eq!(lookups(app, seen), ["current"], "{what}");
            }
            faces
        };
        let (first, _) = world.indexed(event, 3).await;
        for scope in world.scopes() {
            expect(scope, "read", "the first search").await;
        }
        let (second, added) = world.indexed(event, 2).await;
        for scope in world.scopes() {
            assert!(expect(scope, "extended", "a new photo").await.ends_with(&added));
        }
        let bare = world.indexed(event, 0).await.0;
        for scope in world.scopes() {
            expect(scope, "extended", "one without faces").await;
        }
        world.index(bare, 1).await;
        for scope in world.scopes() {
            expect(scope, "extended", "one that had none").await;
        }
        world.indexed(None, 1).await;
        expect(world.scopes()[0], "current", "the library is not in the event").await;
        expect(world.scopes()[1], "extended", "it is in the library").await;

        world.delete(second).await;
        for scope in world.scopes() {
            let faces = expect(scope, "read", "a deleted photo").await;
            assert!(added.iter().all(|face| !faces.contains(face)));
        }
        let (third, of_third) = world.indexed(event, 2).await;
        let objection = world.hide(third).await;
        let faces = expect(world.scopes()[0], "read", "a hidden photo").await;
        assert!(of_third.iter().all(|face| !faces.contains(face)));
        assert!(expect(world.scopes()[1], "read", "a hidden photo").await.ends_with(&of_third));
        world.indexed(event, 1).await;
        expect(world.scopes()[0], "extended", "a new photo beside it").await;
        world.overrule(&objection, third).await;
        let faces = expect(world.scopes()[0], "read", "it is shown again").await;
        assert!(of_third.iter().all(|face| faces.contains(face)));

        // Another model pack: its faces are not compared, and those of this one are gone.
        rows::index(here, first, "another", vec![face(0.5)]).await.unwrap();
        let count = expect(world.scopes()[0], "read", "a photo of another pack").await.len();
        world.index(first, 3).await;
        assert_eq!(expect(world.scopes()[0], "read", "of this one again").await.len(), count + 3);
    }
}

/// All that can happen to photos, in the order that a seed draws, between searches in two processes.
#[tokio::test]
async fn whatever_happens_a_search_compares_what_is_there() {
    // [FACE335] [FACE442]
    for world in worlds().await {
        let mut photos = Vec::new();
        let mut hidden: Vec<(Objection, PhotoId)> = Vec::new();
        for step in 0..120 {
            let [draw, which] = world.app.randomness.bytes::<2>();
            let any = |many: usize| usize::from(which) % many;
            match draw % 10 {
                4 if !photos.is_empty() => world.delete(photos.swap_remove(any(photos.len()))).await,
                5 if !photos.is_empty() => {
                    world.index(photos[any(photos.len())], which % 4).await;
                }
                6 if !photos.is_empty() => {
                    let photo = photos[any(photos.len())];
                    hidden.push((world.hide(photo).await, photo));
                }
                7 if !hidden.is_empty() => {
                    let (objection, photo) = hidden.swap_remove(any(hidden.len()));
                    world.overrule(&objection, photo).await;
                }
                8 => {
                    let stored = storage::faces::of_event(&world.app.db, world.event).await.unwrap();
                    let Some(face) = stored.get(any(stored.len().max(1))) else { continue };
                    let mut tx = world.app.begin().await.unwrap();
                    storage::faces::delete(&mut tx, world.event, &[(face.id, face.photo)]).await.unwrap();
                    tx.commit().await.unwrap();
                }
                9 => {
                    world.indexed(None, which % 4).await;
                }
                _ => photos.push(world.indexed(Some(world.event), which % 4).await.0),
            }
            for scope in world.scopes() {
                world.faces(&world.app, scope).await;
                if step % 3 == 0 {
                    world.faces(&world.other, scope).await;
                }
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn searches_share_one_read() {
    for world in worlds().await {
        let mut seen = HashMap::new();
        for (faces, outcome) in [(200, "read"), (2, "extended")] {
            world.indexed(Some(world.event), faces).await;
            let searches = (0..16).map(|_| {
                let (app, scope) = (world.app.clone(), world.scopes()[0]);
                tokio::spawn(async move {
                    app.face_indexes
                        .get(&app.db, &app.engine, scope, Generation::Current)
                        .await
                        .unwrap()
                        .face_index
                        .len()
                })
            });
            let mut lengths = Vec::new();
            for search in searches.collect::<Vec<_>>() {
                lengths.push(search.await.unwrap());
            }
            assert!(lengths.iter().all(|length| *length == lengths[0]));
            let outcomes = lookups(&world.app, &mut seen);
            assert_eq!(outcomes.len(), 16);
            assert_eq!(outcomes.iter().filter(|each| *each == outcome).count(), 1, "{outcomes:?}");
            let rest = |each: &&String| matches!(each.as_str(), "shared" | "current");
            assert_eq!(outcomes.iter().filter(rest).count(), 15, "{outcomes:?}");
        }
    }
}

#[tokio::test]
async fn what_is_forgotten_or_evicted_is_freed_at_once() {
    // [SAFE134]
    let world = worlds().await.remove(0);
    let (app, scope) = (&world.app, world.scopes()[0]);
    world.indexed(Some(world.event), 3).await;
    let read = async || app.face_indexes.get(&app.db, &app.engine, scope, Generation::Current).await.unwrap();
    let weak = Arc::downgrade(&read().await);
    assert!(weak.upgrade().is_some() && app.face_indexes.count() == 1 && memory(app) > 0);
    app.face_indexes.forget(scope);
    assert!(weak.upgrade().is_none() && app.face_indexes.count() == 0);
    assert_eq!(memory(app), 0);

    // One that is being read while its scope is forgotten does not come back.
    let slot = app.face_indexes.slots.entry((scope, Generation::Current)).or_default().into_value();
    let face_index = read().await;
    app.face_indexes.forget(scope);
    slot.put(&face_index);
    app.face_indexes.weigh((scope, Generation::Current), &slot, face_index.bytes());
    assert!(slot.face_index().is_none() && app.face_indexes.count() == 0);
    assert_eq!(world.faces(app, scope).await.len(), 3);
    assert_eq!(app.face_indexes.count(), 1);

    // Elsewhere it goes when maintenance looks, and stays when nothing was removed.
    let (first, _) = world.indexed(Some(world.event), 1).await;
    app.face_indexes.drop_stale(&app.db).await.unwrap();
    assert_eq!(app.face_indexes.count(), 1, "it only has to grow");
    world.delete(first).await;
    app.face_indexes.drop_stale(&app.db).await.unwrap();
    assert_eq!(app.face_indexes.count(), 0);
}

#[tokio::test]
async fn the_least_recently_used_goes_first() {
    let world = worlds().await.remove(0);
    let (app, cache) = (&world.app, IndexCache::new(100 << 10, Arc::new(Metrics::new())));
    let mut scopes = Vec::new();
    for _ in 0..4 {
        scopes.push(Scope::Event(rows::event(app, world.owner).await.unwrap()));
    }
    let search = async |place: usize, kib: usize| {
        cache.get(&app.db, &app.engine, scopes[place], Generation::Current).await.unwrap();
        let slot = cache.slots.get(&(scopes[place], Generation::Current)).unwrap();
        cache.weigh((scopes[place], Generation::Current), &slot, kib << 10);
    };
    let cached = || -> Vec<usize> {
        (0..scopes.len())
            .filter(|place| {
                cache
                    .slots
                    .get(&(scopes[*place], Generation::Current))
                    .is_some_and(|slot| slot.face_index().is_some())
            })
            .collect()
    };
    for place in 0..3 {
        search(place, 40).await;
    }
    assert_eq!(cached(), [1, 2]);
    search(1, 40).await;
    search(3, 40).await;
    assert_eq!(cached(), [1, 3]);
    search(3, 1_000).await;
    assert_eq!(cached(), [3], "one that is too large alone is kept while it is used");
    search(0, 40).await;
    assert_eq!(cached(), [0]);
}

#[tokio::test]
async fn face_indexes_that_are_being_read_take_the_memory_of_all_once() {
    for world in worlds().await {
        // More than a page each, so that room is made before they are read; two do not fit together.
        let mut events = Vec::new();
        for _ in 0..2 {
            let event = rows::event(&world.app, world.owner).await.unwrap();
            let photo = rows::photo(&world.app, world.owner, Some(event)).await.unwrap();
            let faces = (0..5_000_u16).map(|number| face(f32::from(number) / 100.0)).collect();
            rows::index(&world.app, photo, world.app.engine.pack_id(), faces).await.unwrap();
            events.push(Scope::Event(event));
        }
        let metrics = Arc::new(Metrics::new());
        let cache = Arc::new(IndexCache::new(700 << 10, metrics));
        let whole =
            cache.get(&world.app.db, &world.app.engine, events[0], Generation::Current).await.unwrap();
        assert!((350 << 10..700 << 10).contains(&whole.bytes()), "{} bytes", whole.bytes());
        assert_eq!(whole.face_index.len(), 5_000, "pages follow one another");
        drop(whole);
        cache.forget(events[0]);

        // While another is read that takes all of it, one that needs more than a page waits.
        let reading = cache.reading.acquire_many(cache.capacity).await.unwrap();
        let searches = events.iter().map(|scope| {
            let (cache, app, scope) = (cache.clone(), world.app.clone(), *scope);
            tokio::spawn(async move {
                cache.get(&app.db, &app.engine, scope, Generation::Current).await.unwrap().face_index.len()
            })
        });
        let searches: Vec<_> = searches.collect();
        world.indexed(Some(world.event), 3).await;
        let small = cache
            .get(&world.app.db, &world.app.engine, world.scopes()[0], Generation::Current)
            .await
            .unwrap();
        assert_eq!(small.face_index.len(), 3, "small ones are not held up");
        tokio::time::sleep(std::time::Duration::from_millis(200)).await;
        assert!(searches.iter().all(|search| !search.is_finished()));
        drop(reading);
        for search in searches {
            assert_eq!(search.await.unwrap(), 5_000);
        }
        assert!(cache.slots.weighted_size() <= u64::from(cache.capacity));
        assert_eq!(cache.slots.iter().filter(|(place, _)| events.contains(&place.0)).count(), 1);
    }
}
