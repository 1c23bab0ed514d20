//! How long a search takes at rest, and while photos become searchable.
//!
//! `cargo bench --workspace --bench search_while_indexing`; a search without its selfie, from the database's answer to
//! which photos match, one after the other, on SQLite and on PostgreSQL. What stands in for indexing stores faces alone.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use app::App;
use app::testing::{parts, rows};
use domain::faces::Embedding;
use domain::{EventId, UserId};
use storage::faces::index::Scope;

const DIMENSION: usize = 192;
const FACES: usize = 100_000;
/// Faces of each person.
const EACH: usize = 40;
const ROUNDS: usize = 5;
/// Faces of a photo that comes in.
const NEW: usize = 5;

/// What happens during searches.
#[derive(Clone, Copy)]
struct Part {
    name: &'static str,
    /// Searches in a row; the parts take turns, so that a busy machine troubles all of them.
    searches: usize,
    /// Time from one photo to the next; what two cores index is 4 a second.
    pace: Option<Duration>,
    /// Whether each photo has all faces read again, as it was before indexes grew.
    rereads: bool,
}

const TWENTY: Option<Duration> = Some(Duration::from_millis(50));
const PARTS: [Part; 4] = [
    Part { name: "at rest", searches: 200, pace: None, rereads: false },
    Part { name: "20 photos/s", searches: 200, pace: TWENTY, rereads: false },
    Part { name: "as many as the database takes", searches: 200, pace: Some(Duration::ZERO), rereads: false },
    Part { name: "20 photos/s, read again for each", searches: 20, pace: TWENTY, rereads: true },
];

/// Numbers without pattern, the same in every run.
struct Noise(u64);

impl Noise {
    fn numbers(&mut self) -> Vec<f32> {
        let mut number = || {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 40) as f32 / (1u64 << 23) as f32 - 1.0
        };
        (0..DIMENSION).map(|_| number()).collect()
    }
}

fn face(person: usize, picture: usize) -> Embedding {
    let mean = Noise(person as u64 + 1).numbers();
    let own = Noise((person as u64 + 1) * 100_003 + picture as u64).numbers();
    Embedding::normalised(mean.iter().zip(own).map(|(mean, own)| mean + 0.7 * own).collect())
        .expect("it has a direction")
}

async fn index(app: &App, owner: UserId, event: EventId, faces: Vec<Embedding>) {
    let photo = rows::photo(app, owner, Some(event)).await.expect("the database takes a photo");
    rows::index(app, photo, "fake", faces).await.expect("the database takes faces");
}

async fn search(app: &App, event: EventId, searches: usize, times: &mut Vec<Duration>) {
    for number in 0..searches {
        let queries = vec![face(number % (FACES / EACH), 1_000_000)];
        let started = Instant::now();
        let found =
            app::testing::search(app, Scope::Event(event), queries).await.expect("the search answers");
        times.push(started.elapsed());
        assert!(!found.is_empty(), "the person is found");
        // A guest's next search; without a pause a small machine has no time to index.
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}

fn figures(part: Part, mut times: Vec<Duration>, photos: usize) -> String {
    times.sort_unstable();
    let at = |share: usize| times[(times.len() - 1) * share / 100].as_secs_f64() * 1_000.0;
    let (name, searches) = (part.name, times.len());
    format!(
        "  {name}: p50 {:.1} ms, p95 {:.1} ms, p99 {:.1} ms of {searches} searches; {photos} photos came\n",
        at(50),
        at(95),
        at(99)
    )
}

/// The figures of one engine.
async fn measure(engine: &str, database: storage::Db) -> String {
    let incoming = tempfile::tempdir().expect("a folder for uploads");
    let mut parts = parts(database, incoming.path());
    parts.settings.index_cache_bytes = 512 << 20;
    assert_eq!(parts.engine.pack_id(), "fake");
    let app = App::new(parts).await.expect("the app starts");
    let owner = rows::photographer(&app).await.expect("the database takes an account");
    let event = rows::event(&app, owner).await.expect("the database takes an event");
    let people = FACES / EACH;
    for first in (0..FACES).step_by(500) {
        let faces = (first..first + 500).map(|at| face(at % people, at / people)).collect();
        index(&app, owner, event, faces).await;
    }
    search(&app, event, 20, &mut Vec::new()).await;

    let (mut times, mut photos) = ([(); PARTS.len()].map(|()| Vec::new()), [0; PARTS.len()]);
    for _ in 0..ROUNDS {
        for ((part, times), photos) in PARTS.into_iter().zip(&mut times).zip(&mut photos) {
            let (is_over, stored) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
            let indexing = tokio::spawn({
                let (app, is_over, stored) = (app.clone(), is_over.clone(), stored.clone());
                let strangers: Vec<Embedding> = (0..NEW).map(|at| face(people + at, 0)).collect();
                async move {
                    let Some(pace) = part.pace else { return };
                    while !is_over.load(Ordering::Relaxed) {
                        index(&app, owner, event, strangers.clone()).await;
                        if part.rereads {
                            app::testing::forget(&app, Scope::Event(event));
                        }
                        stored.fetch_add(1, Ordering::Relaxed);
                        tokio::time::sleep(pace).await;
                    }
                }
            });
            search(&app, event, part.searches, times).await;
            is_over.store(true, Ordering::Relaxed);
            indexing.await.expect("indexing goes on until it is ended");
            *photos += stored.load(Ordering::Relaxed);
        }
    }
    let parts = PARTS.into_iter().zip(times).zip(photos);
    let parts: String = parts.map(|((part, times), photos)| figures(part, times, photos)).collect();
    format!("{engine}, {FACES} faces of {DIMENSION} dimensions\n{parts}")
}

fn main() -> std::io::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let [sqlite, postgres] = storage::testing::engines().await;
        let mut out = std::io::stdout();
        out.write_all(measure("SQLite", sqlite.db.clone()).await.as_bytes())?;
        out.write_all(measure("PostgreSQL", postgres.db.clone()).await.as_bytes())
    })
}
