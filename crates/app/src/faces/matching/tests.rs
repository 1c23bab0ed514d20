use std::collections::{HashMap, HashSet};
use std::time::Duration;

use domain::faces::{Embedding, Strictness};
use domain::{EventId, FaceId, PhotoId, Refusal, UserId};
use storage::faces::index::{Position, Scope};
use storage::testing::TestDb;
use vision::Generation;

use crate::faces::descriptions::Descriptions;
use crate::testing::{parts, rows};
use crate::{App, Failure, Settings};

/// Each has five faces in every photo.
const PEOPLE: usize = 20;
const DIMENSION: usize = 16;

/// A photographer with photos in four events and in the library.
struct World {
    app: App,
    owner: UserId,
    events: Vec<EventId>,
    people: Vec<Embedding>,
    _database: TestDb,
    _incoming: tempfile::TempDir,
}

fn numbers(app: &App) -> Vec<f32> {
    app.randomness.bytes::<DIMENSION>().into_iter().map(|byte| f32::from(byte) - 127.5).collect()
}

/// The faces of everybody in one photo, some like themselves and others not.
fn faces(app: &App, people: &[Embedding]) -> Vec<Embedding> {
    let spread = |person: &Embedding| {
        let [share] = app.randomness.bytes::<1>();
        let noise = numbers(app);
        let values = person.values().iter().zip(noise);
        let values = values.map(|(value, noise)| value + noise * f32::from(share) / 40_000.0).collect();
        Embedding::normalised(values).unwrap()
    };
    people.iter().map(spread).collect()
}

async fn worlds(photos: usize, change: fn(&mut Settings)) -> Vec<World> {
    let mut worlds = Vec::new();
    for database in storage::testing::engines().await {
        let incoming = tempfile::tempdir().unwrap();
        let mut parts = parts(database.db.clone(), incoming.path());
        change(&mut parts.settings);
        let app = App::new(parts).await.unwrap();
        let owner = rows::photographer(&app).await.unwrap();
        let people: Vec<Embedding> =
            (0..PEOPLE).map(|_| Embedding::normalised(numbers(&app)).unwrap()).collect();
        let mut events = Vec::new();
        for _ in 0..4 {
            events.push(rows::event(&app, owner).await.unwrap());
        }
        // Another photographer's, which are nobody else's.
        let other = rows::photographer(&app).await.unwrap();
        for number in 0..photos {
            let event = events.get(number % 5).copied();
            let photographer = if number % 50 == 49 { other } else { owner };
            let event = event.filter(|_| photographer == owner);
            let photo = rows::photo(&app, photographer, event).await.unwrap();
            let faces = (0..5).flat_map(|_| faces(&app, &people)).collect();
            rows::index(&app, photo, app.engine.pack_id(), faces).await.unwrap();
        }
        worlds.push(World { app, owner, events, people, _database: database, _incoming: incoming });
    }
    worlds
}

fn described(person: &Embedding) -> Descriptions {
    Descriptions { current: vec![person.clone()], previous: Vec::new() }
}

impl World {
    async fn search(
        &self,
        person: usize,
        rejected: &[FaceId],
        strictness: Strictness,
    ) -> crate::Result<Vec<(PhotoId, FaceId, f32)>> {
        let rejected: HashSet<FaceId> = rejected.iter().copied().collect();
        let (scope, query) = (Scope::Owner(self.owner), described(&self.people[person]));
        let found = super::photos(&self.app, scope, &query, rejected, strictness).await?;
        Ok(found.into_iter().map(|found| (found.photo, found.face, found.similarity)).collect())
    }

    /// The same of all faces at once.
    async fn plain(
        &self,
        person: usize,
        rejected: &[FaceId],
        strictness: Strictness,
    ) -> Vec<(PhotoId, FaceId, f32)> {
        let (scope, pack) = (Scope::Owner(self.owner), self.app.engine.pack_id());
        let faces = storage::faces::index::page(&self.app.db, scope, pack, Position::START, 1_000_000);
        let faces = faces.await.unwrap();
        let face_index = self.app.engine.face_index(faces.iter().map(|face| &face.embedding)).unwrap();
        let rows: HashMap<FaceId, usize> =
            faces.iter().enumerate().map(|(row, face)| (face.id, row)).collect();
        let rejected: Vec<usize> = rejected.iter().filter_map(|face| rows.get(face)).copied().collect();
        let hits = face_index.search_without(&[self.people[person].clone()], &rejected, strictness).unwrap();
        let mut seen = HashSet::new();
        let found = hits.into_iter().map(|hit| (faces[hit.row].photo, faces[hit.row].id, hit.similarity));
        found.filter(|(photo, ..)| seen.insert(*photo)).collect()
    }

    async fn keep(&self, event: EventId) {
        let face_index = self
            .app
            .face_indexes
            .get(&self.app.db, &self.app.engine, Scope::Event(event), Generation::Current)
            .await;
        assert!(face_index.unwrap().face_index.len() > 100);
    }
}

#[tokio::test]
async fn a_large_library_is_searched_page_by_page_and_evicts_nothing() {
    for world in worlds(60, |settings| settings.index_cache_bytes = 400 << 10).await {
        let stored = storage::faces::index::of_owner(&world.app.db, world.owner).await.unwrap();
        assert_eq!(stored, 59 * 100);
        assert!(
            !world.app.face_indexes.has_room_for_library(stored, DIMENSION),
            "it takes more than an eighth"
        );
        for event in &world.events[..2] {
            world.keep(*event).await;
        }
        let before = world.app.face_indexes.memory();
        let unknown: FaceId = world.app.id();
        for strictness in Strictness::ALL {
            for person in 0..3 {
                let expected = world.plain(person, &[], strictness).await;
                assert!(!expected.is_empty(), "{strictness:?}");
                assert_eq!(world.search(person, &[], strictness).await.unwrap(), expected);
                // Two that are not them; of another person; and one that is not there.
                let others = world.plain(person + 4, &[], strictness).await;
                let rejected = [expected[0].1, expected[expected.len() / 2].1, others[0].1, unknown];
                let expected = world.plain(person, &rejected, strictness).await;
                assert_eq!(world.search(person, &rejected, strictness).await.unwrap(), expected);
            }
        }
        assert_eq!(world.app.face_indexes.memory(), before, "what guests need stays");
        assert_eq!(world.app.face_indexes.count(), 2);
        // Nobody like that.
        let nobody: Vec<f32> = world.people[0].values().iter().map(|value| -value).collect();
        let world = World { people: vec![Embedding::normalised(nobody).unwrap()], ..world };
        assert_eq!(
            world.search(0, &[], Strictness::Strict).await.unwrap(),
            world.plain(0, &[], Strictness::Strict).await
        );
    }
}

#[tokio::test]
async fn a_small_library_is_kept_in_memory() {
    for world in worlds(6, |_| ()).await {
        let expected = world.plain(0, &[], Strictness::Normal).await;
        assert_eq!(world.search(0, &[], Strictness::Normal).await.unwrap(), expected);
        assert_eq!(world.app.face_indexes.count(), 1);
    }
}

#[tokio::test]
async fn a_library_that_cannot_be_searched_in_time_is_refused() {
    let shorten = |settings: &mut Settings| {
        settings.index_cache_bytes = 64 << 10;
        settings.search_capacity.deadline = Duration::ZERO;
    };
    for world in worlds(6, shorten).await {
        let refused = world.search(0, &[], Strictness::Normal).await.unwrap_err();
        assert!(matches!(refused, Failure::Refused(Refusal::LibraryTooLarge)), "{refused:?}");
        let event = Scope::Event(world.events[0]);
        let query = described(&world.people[0]);
        super::photos(&world.app, event, &query, HashSet::new(), Strictness::Normal).await.unwrap();
    }
}
