//! Photos that were indexed with another model pack than the one in use.
//!
//! Those of the pack before, whose recogniser the one in use carries, are found all the same, and wait to be described anew.
//! All others are marked as outdated: no search finds them until they are indexed again.
//!
//! Only ready ones are marked. That their status is named all the same leads SQLite to the partial index.

use domain::faces::Embedding;
use domain::photos::PhotoStatus;
use domain::{FaceId, PhotoId, UserId};

use crate::faces::{self, Owned, index};
use crate::operations::runtime::decode;
use crate::operations::runtime::statements::{Statement, execute, fetch_all, fetch_one, fetch_optional};
use crate::photos::counters::{self, Counted, CountedRow, Counts, columns};
use crate::photos::focus;
use crate::{Engine, Executor, Result, Tx};

/// Photos that are marked at once: in one statement, after which the rows that count them are locked.
const MOST: i64 = 500;

/// Marks ready photos whose faces none of `packs` has described, at most so many, and says how many they were.
pub async fn mark_outdated(tx: &mut Tx, packs: &[&str], limit: i64) -> Result<u64> {
    // The ranges between them of the index on the pack, which `<>` would not use.
    let mut packs = packs.to_vec();
    packs.sort_unstable();
    let mut statement = Statement::built("");
    for place in 0..=packs.len() {
        let ready = "SELECT id FROM photos WHERE status = 'ready' AND NOT outdated";
        statement.push(if place == 0 { "" } else { " UNION ALL " }).push(ready);
        if let Some(above) = place.checked_sub(1).and_then(|before| packs.get(before)) {
            statement.push(" AND pack > ").push_bind(*above);
        }
        if let Some(below) = packs.get(place) {
            statement.push(" AND pack < ").push_bind(*below);
        }
    }
    statement.push(" LIMIT ").push_bind(limit.min(MOST));
    let photos: Vec<PhotoId> = statement.fetch_all(tx.writer()).await?;
    mark(tx, &photos, true).await
}

/// Unmarks photos that one of `packs` has described after all, such as after a change back, at most so many; says how many they
/// were.
pub async fn mark_current(tx: &mut Tx, packs: &[&str], limit: i64) -> Result<u64> {
    let mut statement =
        Statement::built("SELECT id FROM photos WHERE outdated AND status = 'ready' AND pack IN ");
    statement.push_list(packs);
    statement.push(" LIMIT ").push_bind(limit.min(MOST));
    let photos: Vec<PhotoId> = statement.fetch_all(tx.writer()).await?;
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

/// The pack that has described a ready photo.
pub async fn pack(db: &dyn Executor, id: PhotoId) -> Result<Option<String>> {
    fetch_optional!(
        db,
        String,
        "SELECT pack FROM photos WHERE id = $1 AND status = 'ready' AND pack IS NOT NULL",
        id
    )
}

/// How many photos that searches find `pack` has described, of all photographers.
pub async fn count_described(db: &dyn Executor, pack: &str) -> Result<i64> {
    fetch_one!(
        db,
        i64,
        "SELECT COUNT(*) FROM photos WHERE status = 'ready' AND NOT outdated AND pack = $1",
        pack,
    )
}

/// The same of one photographer's photos, in all events and in the library.
pub async fn count_described_of(db: &dyn Executor, owner: UserId, pack: &str) -> Result<i64> {
    fetch_one!(
        db,
        i64,
        "SELECT COUNT(*) FROM photos WHERE owner_id = $1 AND status = 'ready' AND NOT outdated AND pack = $2",
        owner,
        pack,
    )
}

/// Photos that `pack` has described and that searches find, while no job describes them anew or has failed to, those of the
/// newest events first.
pub async fn described(db: &dyn Executor, pack: &str, limit: i64) -> Result<Vec<PhotoId>> {
    fetch_all!(
        db,
        PhotoId,
        "SELECT photos.id FROM photos LEFT JOIN events ON events.id = photos.event_id
         WHERE NOT outdated AND photos.status = 'ready' AND pack = $1 AND deleting_since IS NULL
             AND (SELECT 1 FROM jobs
                 WHERE photo_id = photos.id AND kind = 'describe_photo' AND state <> 'done' LIMIT 1) IS NULL
         ORDER BY COALESCE(retained_from, photos.created_at) DESC, photos.id DESC LIMIT $2",
        pack,
        limit,
    )
}

/// Stores what `pack` says of the faces of a photo that `previous` has described and a detector has found before: these stay
/// where and whose they are; those that are not in `faces` are deleted. False when the photo is deleted, not ready any more, or
/// not as `previous` has described it; then the transaction is to be dropped.
pub async fn finish_describing(
    tx: &mut Tx,
    id: PhotoId,
    previous: &str,
    pack: &str,
    faces: &[(FaceId, Embedding)],
) -> Result<bool> {
    let Some(before) = counters::lock(tx, id).await? else { return Ok(false) };
    // Whoever was faster may have found others than those that `faces` was made of.
    if self::pack(&mut *tx, id).await?.as_deref() != Some(previous) {
        return Ok(false);
    }
    let Counted { event, owner, .. } = before;
    let event_change = match event {
        Some(event) => index::extend_event(tx, event, Counts::default()).await?,
        None => 0,
    };
    let left = faces::describe(tx, &Owned { photo: id, event, owner, event_change }, pack, faces).await?;
    execute!(
        &mut *tx,
        "UPDATE photos SET pack = $2, outdated = FALSE, faces = $3 WHERE id = $1",
        id,
        pack,
        left
    )?;
    let after = Counted { outdated: false, faces: left, ..before };
    counters::add(tx, before.collection(), after.counts() - before.counts()).await?;
    if left != before.faces {
        focus::update(tx, &[id]).await?;
    }
    Ok(true)
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
