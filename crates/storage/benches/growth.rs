//! What requests cost at an event of 1,000, 10,000 and 100,000 photos, written directly.
//!
//! `cargo bench --workspace --bench growth`; the statements of requests, one after the other, on SQLite and on PostgreSQL.
//! Those called `counted` are what stood in their place before the rows had counters, and take turns with them.

use std::io::Write;
use std::time::{Duration, Instant};

use domain::{EventId, UserId};
use sqlx::Row as _;
use storage::payments::{history, ledger};
use storage::photos::{self, PhotoQuery};
use storage::statistics::activity;
use storage::testing::{Filled, change, fill};
use storage::{Db, events};

const SIZES: [i64; 3] = [1_000, 10_000, 100_000];
const ROUNDS: usize = 21;

/// The indexes that were there to count from.
const INDEXES: &str = "CREATE INDEX photos_by_progress ON photos (event_id, status, outdated, faces);
     CREATE INDEX photos_by_owner_progress ON photos (owner_id, event_id, status, outdated, faces)";

const EVENT: &str = "SELECT events.id, events.owner_id, name, slug, revision, COUNT(photos.event_id),
         COUNT(CASE WHEN photos.status = 'ready' AND NOT photos.outdated THEN 1 END),
         COUNT(CASE WHEN photos.status = 'failed' THEN 1 END), CAST(COALESCE(SUM(photos.faces), 0) AS BIGINT)
     FROM events LEFT JOIN photos ON photos.event_id = events.id WHERE events.slug = $1 GROUP BY events.id";
const LIST: &str = "SELECT events.id, events.owner_id, name, slug, revision, COUNT(photos.event_id),
         COUNT(CASE WHEN photos.status = 'ready' AND NOT photos.outdated THEN 1 END),
         COUNT(CASE WHEN photos.status = 'failed' THEN 1 END), CAST(COALESCE(SUM(photos.faces), 0) AS BIGINT)
     FROM events LEFT JOIN photos ON photos.event_id = events.id
     WHERE events.owner_id = $1 AND deleted_at IS NULL GROUP BY events.id
     ORDER BY events.created_at DESC, events.id DESC";
const COUNT: &str = "SELECT COUNT(*) FROM photos WHERE event_id = $1";
const INDEXING: &str = "SELECT COUNT(CASE WHEN status = 'ready' AND NOT outdated THEN 1 END),
         COUNT(CASE WHEN status = 'failed' THEN 1 END), COUNT(*)
     FROM photos LEFT JOIN events ON events.id = photos.event_id
     WHERE photos.owner_id = $1 AND deleting_since IS NULL AND deleted_at IS NULL";
const SUMMARY: &str = "SELECT CAST(COALESCE(SUM(faces), 0) AS BIGINT) FROM photos WHERE owner_id = $1";
const TOTALS: &str = "SELECT CAST(COALESCE(SUM(change), 0) AS BIGINT),
         CAST(COALESCE(SUM(CASE WHEN kind <> 'upload' THEN change END), 0) AS BIGINT),
         COUNT(CASE WHEN kind = 'upload' THEN 1 END), COUNT(CASE WHEN kind = 'recharge' THEN 1 END)
     FROM ledger WHERE user_id = $1";

const CHARGES: &str = "SELECT first_at, first_id, price, charged, events.name FROM (
         SELECT event_id, MIN(created_at) AS first_at, MIN(id) AS first_id,
             CAST(SUM(-change) AS BIGINT) AS price, COUNT(*) AS charged
         FROM ledger WHERE user_id = $1 AND kind = 'upload' GROUP BY event_id, created_at / 86400000
     ) AS charges LEFT JOIN events ON events.id = charges.event_id
     ORDER BY first_at DESC, first_id DESC LIMIT 50";

/// Runs a statement that is not the crate's, and reads its rows.
async fn ask(db: &Db, statement: &'static str, value: &str) -> usize {
    match db {
        Db::Sqlite { readers, .. } => {
            let rows = sqlx::query(statement).bind(value).fetch_all(readers).await.expect("it answers");
            rows.iter().map(sqlx::sqlite::SqliteRow::len).sum()
        }
        Db::Postgres(pool) => {
            let rows = sqlx::query(statement).bind(value).fetch_all(pool).await.expect("it answers");
            rows.iter().map(sqlx::postgres::PgRow::len).sum()
        }
    }
}

fn median(mut times: Vec<Duration>) -> f64 {
    times.sort_unstable();
    times[times.len() / 2].as_secs_f64() * 1_000.0
}

async fn request(db: &Db, name: &str, owner: UserId, event: EventId) {
    let (owner_text, event_text) = (owner.to_string(), event.to_string());
    let page = PhotoQuery { event: Some(event), ..PhotoQuery::all(owner, 200) };
    let all = PhotoQuery { event: None, ..page };
    let counted = match name {
        "event by slug, counted" => Some((EVENT, "sangeet-0")),
        "list of events, counted" => Some((LIST, owner_text.as_str())),
        "number of photos, counted" => Some((COUNT, event_text.as_str())),
        "progress of the library, counted" => Some((INDEXING, owner_text.as_str())),
        "dashboard's faces, counted" => Some((SUMMARY, owner_text.as_str())),
        "credits, counted" => Some((TOTALS, owner_text.as_str())),
        "history of money, counted" => Some((CHARGES, owner_text.as_str())),
        _ => None,
    };
    if let Some((statement, id)) = counted {
        ask(db, statement, id).await;
        return;
    }
    match name {
        "event by slug" => events::by_slug(db, "sangeet-0")
            .await
            .map(|event| event.expect("it is there").indexing.total)
            .map(drop),
        "list of events" => events::by_owner(db, owner).await.map(drop),
        "number of photos" => photos::count(db, &page).await.map(drop),
        "page of the gallery" => photos::search(db, &page).await.map(drop),
        "page of all photos" => photos::search(db, &all).await.map(drop),
        "progress of the library" => photos::indexing(db, owner).await.map(drop),
        "dashboard" => activity::summary(db, owner).await.map(drop),
        "credits" => ledger::totals(db, owner).await.map(drop),
        "history of money" => history::page(db, owner, None, 50).await.map(drop),
        _ => return,
    }
    .expect("the database answers");
}

const REQUESTS: [&str; 16] = [
    "event by slug",
    "event by slug, counted",
    "list of events",
    "list of events, counted",
    "number of photos",
    "number of photos, counted",
    "page of the gallery",
    "page of all photos",
    "progress of the library",
    "progress of the library, counted",
    "dashboard",
    "dashboard's faces, counted",
    "credits",
    "credits, counted",
    "history of money",
    "history of money, counted",
];

#[tokio::main]
async fn main() {
    let mut out = std::io::stdout();
    for engine in ["SQLite", "PostgreSQL"] {
        for size in SIZES {
            let test = match engine {
                "SQLite" => storage::testing::sqlite().await,
                _ => storage::testing::postgres().await,
            };
            let Filled { owner, events } = fill(&test.db, &[size]).await;
            change(&test.db, INDEXES).await;
            storage::testing::gather_statistics(&test.db).await;
            let mut times = vec![Vec::new(); REQUESTS.len()];
            for _ in 0..ROUNDS {
                for (name, times) in REQUESTS.iter().zip(&mut times) {
                    let started = Instant::now();
                    request(&test.db, name, owner, events[0]).await;
                    times.push(started.elapsed());
                }
            }
            for (name, times) in REQUESTS.iter().zip(times) {
                writeln!(out, "{engine} {size:>7} {name:<34} {:>9.3} ms", median(times))
                    .expect("it is shown");
            }
        }
    }
}
