//! Files that belong to no photo: found, moved to the trash, removed from there after a while, and put back when they
//! turn out to belong to one.

use std::collections::HashSet;
use std::time::Duration;

use domain::photos::{MediaKey, Size};
use domain::{Clock, DAY, PhotoId, Timestamp};
use futures::TryStreamExt as _;
use media::stores::{Entry, Marker, Store};
use storage::Db;
use storage::operations::stores::Held;

use crate::operations::operators::OperatorContext;
use crate::operations::stores::{self, Bond};
use crate::{App, Failure, Result};

/// A file without a photo is left alone for so long: its photo may still be on its way into the database.
pub(crate) const ORPHAN_GRACE: Duration = DAY;
/// A process that has just started may have the wrong settings, which somebody corrects soon.
const SWEEP_AFTER_START: Duration = Duration::from_secs(3 * 60 * 60);
/// So many orphans are swept however few files there are: those of one photo.
const ALWAYS_SWEPT: usize = Size::ALL.len();
/// Beyond this share of all files, one in so many, orphans are not what crashes leave.
const SHARE: usize = 20;
/// Keys that are asked about, and files that are moved or removed, at a time.
const BATCH: usize = 500;

/// What became of a sweep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sweep {
    /// So many files of photos that do not exist lie in the trash now.
    Swept(usize),
    /// The store is not this database's, or the database is an older copy: nothing was touched.
    NotOwn(Bond),
    /// More files belong to no photo than crashes leave: nothing was touched.
    TooMany(Held),
    /// Another sweep has begun meanwhile.
    Overtaken,
}

/// Whether more files belong to no photo than crashes leave. Then the database is probably not the one that knows them.
pub(crate) fn is_too_many(orphans: usize, files: usize) -> bool {
    orphans > ALWAYS_SWEPT.max(files / SHARE)
}

/// So many orphans among so many files, as the database stores them.
pub(crate) fn held(orphans: usize, files: usize) -> Held {
    let count = |number| i64::try_from(number).unwrap_or(i64::MAX);
    Held { orphans: count(orphans), files: count(files) }
}

/// What an operator is told of a sweep that found too much.
pub fn explain(held: &Held) -> String {
    let Held { orphans, files } = held;
    format!(
        "{orphans} of {files} files in the media store belong to no photo of this database. They are left alone until \
         `afterglow store sweep` moves them to the trash."
    )
}

/// For how long this process must still run before it sweeps.
pub(crate) fn allowed_in(app: &App) -> Duration {
    SWEEP_AFTER_START.saturating_sub(app.now().since(app.started_at))
}

/// Moves old files that belong to no photo to the trash, unless they are too many.
///
/// # Errors
/// When the database or the media store fails.
pub async fn sweep(app: &App) -> Result<Sweep> {
    let bond = stores::bind(app).await?;
    let sweep = if bond.may_be_swept() {
        sweep_own(&app.db, &app.store, &app.clock, is_too_many).await?
    } else {
        Sweep::NotOwn(bond)
    };
    match &sweep {
        Sweep::Swept(orphans) => tracing::info!(orphans, "swept the media store"),
        Sweep::NotOwn(bond) => tracing::error!("the media store is not swept: {bond}"),
        Sweep::TooMany(held) => tracing::error!("the media store is not swept: {}", explain(held)),
        Sweep::Overtaken => tracing::warn!("another sweep of the media store has begun meanwhile"),
    }
    Ok(sweep)
}

/// `afterglow store sweep`: the same, however many they are.
///
/// # Errors
/// When the database or the media store fails.
pub async fn sweep_all(context: &OperatorContext, store: &Store) -> Result<Sweep> {
    let bond = stores::examine(&context.db, store).await?;
    if bond.may_be_swept() {
        sweep_own(&context.db, store, &context.clock, |_, _| false).await
    } else {
        Ok(Sweep::NotOwn(bond))
    }
}

async fn sweep_own(
    db: &Db,
    store: &Store,
    clock: &Clock,
    is_too_many: impl Fn(usize, usize) -> bool,
) -> Result<Sweep> {
    let (orphans, files) = survey(db, store, clock.now().minus(ORPHAN_GRACE)).await?;
    // Each one, also one that has nothing to move: a backup of before it is told by the count.
    if !count_sweep(db, store).await? {
        return Ok(Sweep::Overtaken);
    }
    if is_too_many(orphans.len(), files) {
        let held = held(orphans.len(), files);
        storage::operations::stores::set_held(db, Some(held)).await?;
        return Ok(Sweep::TooMany(held));
    }
    let mut swept = 0;
    for keys in orphans.chunks(BATCH) {
        // The survey may have taken hours.
        let orphans = self::orphans(db, keys.to_vec()).await?;
        store.discard(&orphans, clock.now()).await?;
        swept += orphans.len();
    }
    storage::operations::stores::set_held(db, None).await?;
    Ok(Sweep::Swept(swept))
}

/// Counts the sweep, first in the database, then in the marker: an older copy of this database finds that the store is
/// ahead of it, and one that is swept beside this one finds the same.
async fn count_sweep(db: &Db, store: &Store) -> Result<bool> {
    let row = storage::operations::stores::get(db).await?;
    let row =
        row.ok_or_else(|| Failure::Internal(String::from("the media store's id is not in the database")))?;
    if !storage::operations::stores::begin_sweep(db, &row.id, row.sweeps).await? {
        return Ok(false);
    }
    store.replace_marker(&Marker { id: row.id, sweeps: row.sweeps + 1 }).await?;
    Ok(true)
}

/// The files that were put before `before` and belong to no photo, and how many files there are.
async fn survey(db: &Db, store: &Store, before: Timestamp) -> Result<(Vec<MediaKey>, usize)> {
    let (mut found, mut files) = (Vec::new(), 0);
    let mut batches = store.list("").try_chunks(BATCH);
    while let Some(batch) = batches.try_next().await.map_err(|error| error.1)? {
        files += batch.iter().filter(|entry| stores::is_photos(&entry.key)).count();
        let old = batch.into_iter().filter(|entry| entry.modified < before).map(|entry| entry.key);
        found.extend(orphans(db, old.collect()).await?);
    }
    Ok((found, files))
}

/// Those of the files that belong to no photo.
pub(crate) async fn orphans(db: &Db, keys: Vec<MediaKey>) -> Result<Vec<MediaKey>> {
    let (named, unnamed): (Vec<&MediaKey>, Vec<&MediaKey>) =
        keys.iter().partition(|key| key.photo().is_some());
    let photos: Vec<PhotoId> = named.into_iter().filter_map(MediaKey::photo).collect();
    let mut there = storage::photos::by_ids(db, &photos).await?;
    there.extend(storage::photos::trash::by_ids(db, &photos).await?);
    let waiting = storage::guests::guest_photos::waiting_of(db, &photos).await?;
    there.extend(waiting.into_iter().map(|added| added.photo));
    let files: HashSet<MediaKey> =
        there.into_iter().flat_map(|photo| Size::ALL.map(|size| photo.key.sized(size))).collect();
    // Names of the version before tell the original's.
    let candidates: Vec<MediaKey> = unnamed.into_iter().flat_map(MediaKey::originals).collect();
    let known: HashSet<MediaKey> = storage::photos::known_keys(db, &candidates).await?.into_iter().collect();
    let belongs = |key: &MediaKey| match key.photo() {
        Some(_) => files.contains(key),
        None => key.originals().iter().any(|original| known.contains(original)),
    };
    Ok(keys.iter().filter(|key| stores::is_photos(key) && !belongs(key)).cloned().collect())
}

/// Puts back what lies in the trash and belongs to a photo after all, and removes for good what has lain there for as
/// long as the settings say.
///
/// # Errors
/// When the database or the media store fails.
pub async fn empty_trash(app: &App) -> Result<()> {
    let held = storage::operations::stores::get(&app.db).await?.and_then(|row| row.held);
    if !stores::bind(app).await?.may_be_swept() || held.is_some() {
        // Which files belong to photos is in doubt; the sweep says why.
        return Ok(());
    }
    let before = app.now().minus(DAY.saturating_mul(app.settings.trash_days));
    let mut batches = app.store.list_discarded().try_chunks(BATCH);
    while let Some(batch) = batches.try_next().await.map_err(|error| error.1)? {
        let keys = batch.iter().map(|entry| entry.key.clone()).collect();
        let orphans: HashSet<MediaKey> = orphans(&app.db, keys).await?.into_iter().collect();
        let (stray, of_photos): (Vec<Entry>, Vec<Entry>) =
            batch.into_iter().partition(|entry| orphans.contains(&entry.key));
        for entry in of_photos {
            if app.store.size(&entry.key).await?.is_none() && app.store.restore(&entry.key).await? {
                tracing::warn!(key = %entry.key, "a photo's file is put back from the trash");
            }
        }
        let old: Vec<MediaKey> =
            stray.into_iter().filter(|entry| entry.modified < before).map(|entry| entry.key).collect();
        app.store.purge(&old).await?;
        if !old.is_empty() {
            tracing::info!(files = old.len(), "the trash of the media store is emptied");
        }
    }
    Ok(())
}

/// Removes what crashes left of files that were being put.
pub(crate) async fn remove_unfinished(app: &App) -> Result<()> {
    if !stores::bind(app).await?.is_own() {
        // The sweep says why.
        return Ok(());
    }
    let unfinished = app.store.remove_unfinished(app.now().minus(ORPHAN_GRACE)).await?;
    if unfinished > 0 {
        tracing::info!(unfinished, "removed unfinished files from the media store");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_of_one_photo_are_swept_and_one_file_in_twenty() {
        // [SAFE055]
        for (orphans, files, expected) in [
            (0, 0, false),
            (4, 4, false),
            (5, 5, true),
            (15, 15, true),
            (50, 1_000, false),
            (51, 1_000, true),
        ] {
            assert_eq!(is_too_many(orphans, files), expected, "{orphans} of {files}");
        }
    }
}
