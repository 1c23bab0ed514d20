//! Many rows, written directly: what a large installation has, for measurements and for the plans of statements.

use domain::{EventId, UserId};

use super::change;
use crate::{Db, Engine};

/// An account with events.
#[derive(Clone, Debug)]
pub struct Filled {
    /// Whose.
    pub owner: UserId,
    /// In the order of their sizes.
    pub events: Vec<EventId>,
}

/// The numbers from `from` to `to`, as `n`.
fn numbers(from: i64, to: i64) -> String {
    format!(
        "WITH RECURSIVE numbers (n) AS (SELECT CAST({from} AS BIGINT) UNION ALL SELECT n + 1 FROM numbers WHERE n < {to})"
    )
}

/// An id as text: of a kind of rows, and the number `n`.
fn id(kind: i64, n: &str) -> String {
    format!("'0000000{kind}-0000-7000-8000-' || CAST(100000000000 + {n} AS TEXT)")
}

/// 32 bytes for the number `n`.
fn hash(engine: Engine) -> &'static str {
    match engine {
        Engine::Sqlite => "CAST('00000000000000000000' || CAST(100000000000 + n AS TEXT) AS BLOB)",
        Engine::Postgres => "convert_to('00000000000000000000' || CAST(100000000000 + n AS TEXT), 'UTF8')",
    }
}

/// Fills an empty database: one account, events with so many photos each, five faces in every tenth of them, and what uploads
/// and their indexing leave in the other tables. Then the engine gathers its statistics, if it does so by itself.
///
/// # Panics
/// When the database refuses a statement.
pub async fn fill(db: &Db, sizes: &[i64]) -> Filled {
    let owner = "00000001-0000-7000-8000-100000000000";
    let (engine, mut first) = (db.engine(), 1);
    let run = async |statement: String| change(db, &statement).await;
    run(format!(
        "INSERT INTO users (id, email, email_key, name, password_hash, is_photographer, created_at, credits)
         VALUES ('{owner}', 'a@example.com', 'a@example.com', 'Meera', '', TRUE, 0, 0)"
    ))
    .await;
    let mut events = Vec::new();
    for (number, size) in (0_i64..).zip(sizes) {
        let event = format!("00000002-0000-7000-8000-{}", 100_000_000_000 + number);
        run(format!(
            "INSERT INTO events (id, owner_id, name, date, slug, created_at, retained_from)
             VALUES ('{event}', '{owner}', 'Sangeet', '2026-11-20', 'sangeet-{number}', {number}, 0)"
        ))
        .await;
        let (photo, face, entry, job) = (id(3, "n"), id(4, "n"), id(5, "n"), id(6, "n"));
        let (numbers, hash) = (numbers(first, first + size - 1), hash(engine));
        for statement in [
            format!(
                "INSERT INTO photos (id, owner_id, event_id, collection, media_key, content_hash, original_filename, format,
                     size_bytes, width, height, status, faces, focus_x, focus_y, cover_rank, pack, crc32, average_color, preview_bytes, medium_bytes,
                     captured_at, name_key, name_fold, name_stem, described, created_at)
                 {numbers} SELECT {photo}, '{owner}', '{event}', '{event}', 'originals/' || n || '.jpg', {hash},
                     'DSC_' || n || '.JPG', 'image/jpeg', 5000000, 6000, 4000, 'ready',
                     CASE WHEN n % 10 = 0 THEN 5 ELSE 0 END, 500, 300, CASE WHEN n % 10 = 0 THEN 800 ELSE 0 END, 'pack', 1, 1, 1, 1, n, 'dsc_' || n, 'dsc_' || n || '.jpg', 'dsc_' || n, TRUE, n FROM numbers"
            ),
            format!(
                "INSERT INTO faces (id, photo_id, event_id, owner_id, pack, event_change, owner_change, x, y, width, height,
                     score, embedding)
                 {numbers} SELECT {face}, '00000003-0000-7000-8000-' || CAST(100000000000 + n - n % 10 AS TEXT), '{event}',
                     '{owner}', 'pack', n, n, 0, 0, 1, 1, 1, {hash} FROM numbers
                 WHERE n % 10 < 5 AND n - n % 10 >= {first}"
            ),
            format!(
                "INSERT INTO redactions (photo_id, rules, crc32, patches) {numbers} SELECT {photo}, 1, 1, {hash} FROM numbers"
            ),
            format!(
                "INSERT INTO ledger (id, user_id, kind, change, balance_after, reference, event_id, created_at)
                 {numbers} SELECT {entry}, '{owner}', 'upload', -100, 0, {photo}, '{event}', n * 1000 FROM numbers"
            ),
            format!(
                "INSERT INTO jobs (id, kind, payload, state, run_at, attempts, created_at, finished_at, photo_id, lane, turn)
                 {numbers} SELECT {job}, 'index_photo', '', 'done', n, 1, n, n, {photo}, '{event}', n FROM numbers"
            ),
        ] {
            run(statement).await;
        }
        first += size;
        events.push(event.parse().expect("it is an id"));
    }
    run(String::from(
        "UPDATE events SET photos_stored = (SELECT COUNT(*) FROM photos WHERE event_id = events.id),
             photos_indexed = (SELECT COUNT(*) FROM photos WHERE event_id = events.id),
             photos_uploaded = (SELECT COUNT(*) FROM photos WHERE event_id = events.id),
             faces_stored = (SELECT SUM(faces) FROM photos WHERE event_id = events.id),
             bytes_stored = (SELECT SUM(size_bytes) FROM photos WHERE event_id = events.id);
         UPDATE users SET uploads_charged = (SELECT COUNT(*) FROM ledger),
             credits_spent = (SELECT -SUM(change) FROM ledger);
         INSERT INTO charges (user_id, collection, day, event_id, first_at, first_id, photos, price)
         SELECT user_id, event_id, created_at / 86400000, event_id, MIN(created_at), MIN(id), COUNT(*),
             CAST(-SUM(change) AS BIGINT)
         FROM ledger GROUP BY user_id, event_id, created_at / 86400000",
    ))
    .await;
    gather_statistics(db).await;
    Filled { owner: owner.parse().expect("it is an id"), events }
}

/// Has PostgreSQL look at its tables, as it does by itself after a while; SQLite is never asked to.
///
/// # Panics
/// When the database refuses it.
pub async fn gather_statistics(db: &Db) {
    if db.engine() == Engine::Postgres {
        change(db, "VACUUM ANALYZE").await;
    }
}
