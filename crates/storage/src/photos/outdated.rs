//! Photos that were indexed with another model pack than the one in use: no search finds them.
//!
//! Only ready ones are marked. That their status is named all the same leads SQLite to the partial index.

use domain::PhotoId;
use domain::photos::PhotoStatus;

use crate::operations::runtime::decode;
use crate::operations::runtime::statements::{Statement, execute, fetch_all, fetch_one};
use crate::photos::counters::{self, Counted, CountedRow, columns};
use crate::{Engine, Executor, Result, Tx};

/// Photos that are marked at once: in one statement, after which the rows that count them are locked.
const MOST: i64 = 500;

/// Marks ready photos whose faces another pack than `pack` has described, at most so many, and says how many they were.
pub async fn mark_outdated(tx: &mut Tx, pack: &str, limit: i64) -> Result<u64> {
    // Two ranges of the index on the pack, which `<>` would not use.
    let photos = fetch_all!(
        &mut *tx,
        PhotoId,
        "SELECT id FROM photos WHERE status = 'ready' AND NOT outdated AND pack < $1
         UNION ALL SELECT id FROM photos WHERE status = 'ready' AND NOT outdated AND pack > $1 LIMIT $2",
        pack,
        limit.min(MOST),
    )?;
    mark(tx, &photos, true).await
}

/// Unmarks photos that `pack` has described after all, such as after a change back, at most so many; says how many they were.
pub async fn mark_current(tx: &mut Tx, pack: &str, limit: i64) -> Result<u64> {
    let photos = fetch_all!(
        &mut *tx,
        PhotoId,
        "SELECT id FROM photos WHERE outdated AND status = 'ready' AND pack = $1 LIMIT $2",
        pack,
        limit.min(MOST),
    )?;
    mark(tx, &photos, false).await
}

/// Marks photos, or unmarks them, and says how many are not so any more as they were found.
async fn mark(tx: &mut Tx, photos: &[PhotoId], outdated: bool) -> Result<u64> {
    if photos.is_empty() {
        return Ok(0);
    }
    if tx.engine() == Engine::Postgres {
        // All events before all photos, and in one order, as everywhere.
        let mut statement =
            Statement::built("SELECT id FROM events WHERE id IN (SELECT event_id FROM photos WHERE id IN ");
        statement.push_list(photos);
        statement.push(") ORDER BY id FOR NO KEY UPDATE");
        statement.execute(tx.writer()).await?;
    }
    let mut statement = Statement::built("UPDATE photos SET outdated = ");
    statement.push_bind(outdated).push(" WHERE status = 'ready' AND outdated <> ").push_bind(outdated);
    statement.push(" AND id IN ");
    statement.push_list(photos);
    statement.push(concat!(" RETURNING ", columns!()));
    let rows: Vec<CountedRow> = statement.fetch_rows(tx.writer()).await?;
    let marked = rows.len() as u64;
    let after = decode::all::<Counted>(rows)?;
    let change = |after: &Counted| after.counts() - Counted { outdated: !outdated, ..*after }.counts();
    counters::add_all(tx, after.iter().map(|after| (after.collection(), change(after)))).await?;
    Ok(marked)
}

/// How many photos wait to be indexed again, of all photographers.
pub async fn count_outdated(db: &dyn Executor) -> Result<i64> {
    fetch_one!(db, i64, "SELECT COUNT(*) FROM photos WHERE outdated AND status = 'ready'")
}

/// Photos that wait to be indexed again while no job does so or has failed to, those of the newest events first.
pub async fn outdated(db: &dyn Executor, limit: i64) -> Result<Vec<PhotoId>> {
    // Not `NOT EXISTS`, which PostgreSQL turns into a join that reads the whole table of jobs.
    fetch_all!(
        db,
        PhotoId,
        "SELECT photos.id FROM photos LEFT JOIN events ON events.id = photos.event_id
         WHERE outdated AND photos.status = 'ready' AND deleting_since IS NULL
             AND (SELECT 1 FROM jobs
                 WHERE photo_id = photos.id AND kind = 'index_photo' AND state <> 'done' LIMIT 1) IS NULL
         ORDER BY COALESCE(retained_from, photos.created_at) DESC, photos.id DESC LIMIT $1",
        limit,
    )
}

/// Leaves a ready photo as it is, since `pack` cannot describe it: the decoder refuses its bytes by now.
pub async fn skip_outdated(tx: &mut Tx, id: PhotoId, pack: &str) -> Result<()> {
    let Some(before) = counters::lock(tx, id).await? else { return Ok(()) };
    if before.status != PhotoStatus::Ready {
        return Ok(());
    }
    execute!(&mut *tx, "UPDATE photos SET outdated = FALSE, pack = $2 WHERE id = $1", id, pack)?;
    let after = Counted { outdated: false, ..before };
    counters::add(tx, before.collection(), after.counts() - before.counts()).await
}
