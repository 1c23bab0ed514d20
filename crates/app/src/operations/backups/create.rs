//! Writing a backup.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use domain::photos::{ContentHash, MediaKey, Photo, Size};
use domain::{PhotoId, Refusal, Timestamp};
use futures::{StreamExt as _, TryStreamExt as _};
use media::stores::{Error, Store};
use storage::Db;
use storage::operations::backups::BackupFolder;

use super::folder::{DatabaseContents, Entry, Folder};
use super::{Problem, Summary};
use crate::accounts::deletion_receipts;
use crate::operations::operators::OperatorContext;
use crate::photos::walks::{self, Walk};
use crate::{Failure, Result};

/// Photos that are read in one query.
const PAGE: i64 = 500;
/// Files that are copied at a time; each is held in memory whole.
const PARALLEL: usize = 4;

/// What a backup does besides copying what is new.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// How many snapshots are retained; the oldest others are deleted, with the files that only they refer to.
    pub keep: usize,
    /// Whether copies from earlier backups are read again and replaced when they are damaged.
    pub verify: bool,
}

/// A photo's file that belongs into the backup.
struct Wanted {
    photo: Photo,
    key: MediaKey,
    size: Size,
}

/// What became of it.
enum Copied {
    /// Its bytes were there already.
    Present(Entry),
    /// They were copied.
    New(Entry),
    /// There is nothing to copy: the photo was deleted or replaced meanwhile, or its rendition is to be made.
    Absent,
    /// An original is not in the store as it was uploaded. Where an earlier backup has its bytes, they belong to this one too.
    Problem(Problem, Option<Entry>),
}

struct Backup<'a> {
    context: &'a OperatorContext,
    store: &'a Store,
    folder: &'a Folder,
    /// Sizes of the files in the media store.
    sizes: HashMap<MediaKey, u64>,
    /// Files that earlier backups copied.
    known: HashMap<MediaKey, Entry>,
    verify: bool,
}

/// Writes a backup to a folder, which may have earlier ones. The service may run meanwhile: what is uploaded after the
/// snapshot is for the next backup.
///
/// # Errors
/// A refusal when another backup is being written to this folder, or the database has no accounts, and the folder has snapshots
/// of one that had.
pub async fn create(
    context: &OperatorContext,
    store: &Store,
    path: &Path,
    options: Options,
) -> Result<Summary> {
    let folder = Folder::create(path)?;
    check_accounts(context, &folder, path).await?;
    deletion_receipts::make_key(context).await?;
    let created_at = context.clock.now().to_rfc3339();
    let mut summary = Summary { snapshot: created_at.replace(':', "-"), ..Summary::default() };
    // Before the rows are frozen: what is deleted from here on is in this snapshot, and its receipt says so.
    record(context, &folder, path, options.keep.max(1), Some(&summary.snapshot)).await?;
    let database = folder.begin_snapshot()?;
    storage::operations::snapshots::write(&context.db, &database).await?;
    // After the snapshot, so that the files of all its photos are among them.
    let sizes = store.list("").map_ok(|entry| (entry.key, entry.size)).try_collect().await?;
    let backup =
        Backup { context, store, folder: &folder, sizes, known: folder.index()?, verify: options.verify };
    let snapshot = storage::operations::snapshots::open(&database).await?;
    let damage = snapshot.verify().await?;
    if let Some(damage) = damage.first() {
        return Err(Failure::Internal(format!("the snapshot of the database is damaged: {damage}")));
    }
    let entries = backup.copy_files(&snapshot, &mut summary).await?;
    let tables = storage::operations::moving::contents(&snapshot, &snapshot).await?;
    let contents = DatabaseContents {
        schema: storage::operations::schema::version(&snapshot).await?.found,
        rows: tables.into_iter().map(|table| (table.table, table.rows)).collect(),
    };
    snapshot.close().await;
    folder.finish_snapshot(&summary.snapshot, &created_at, contents, &entries)?;
    let pruned = prune(&folder, &summary.snapshot, options.keep.max(1)).await?;
    summary.problems.extend(pruned);
    record(context, &folder, path, options.keep.max(1), None).await?;
    Ok(summary)
}

/// Refuses to let snapshots of an empty database take the places of those that have everything: it began anew where the disk of
/// the first one is not mounted, or `data_dir` names another folder.
async fn check_accounts(context: &OperatorContext, folder: &Folder, path: &Path) -> Result<()> {
    if !storage::operations::snapshots::is_vacant(&context.db).await? || !folder.may_have_accounts()? {
        return Ok(());
    }
    let path = path.display();
    Err(Refusal::Malformed(format!(
        "The database has no accounts, and {path} has backups of one that had. See that the disk of `data_dir` is mounted; \
         `afterglow restore` brings a backup back; a new installation is backed up to another folder."
    ))
    .into())
}

/// Tells the database what the folder holds now, for receipts of deletions: with `begun` the snapshot too that is about to be
/// written. Should that fail, they count one more than there is until the next backup.
async fn record(
    context: &OperatorContext,
    folder: &Folder,
    path: &Path,
    keep: usize,
    begun: Option<&str>,
) -> Result<()> {
    let mut names = folder.snapshots()?;
    names.extend(begun.map(str::to_owned));
    let times: Vec<Timestamp> = names.iter().filter_map(|name| snapshot_time(name)).collect();
    let (Some(oldest_at), Some(newest_at)) = (times.iter().min(), times.iter().max()) else { return Ok(()) };
    let count = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
    let folder = BackupFolder {
        folder: std::path::absolute(path)?.to_string_lossy().into_owned(),
        keeps: count(keep),
        snapshots: count(names.len()),
        oldest_at: *oldest_at,
        newest_at: *newest_at,
    };
    Ok(storage::operations::backups::record(&context.db, &folder).await?)
}

/// When a snapshot was made, by its name.
fn snapshot_time(name: &str) -> Option<Timestamp> {
    let mut parts = name.split(['-', 'T', '.', 'Z']);
    let year = parts.next()?.parse().ok()?;
    let mut rest = [0; 5];
    for part in &mut rest {
        *part = parts.next()?.parse().ok()?;
    }
    Timestamp::from_utc(year, rest)
}

impl Backup<'_> {
    async fn copy_files(&self, snapshot: &Db, summary: &mut Summary) -> Result<Vec<Entry>> {
        let (mut entries, mut walk) = (Vec::new(), Walk::default());
        let mut index = self.folder.appender()?;
        loop {
            let page = walk.next(snapshot, PAGE).await?;
            if page.is_empty() {
                break;
            }
            let wanted = page.into_iter().flat_map(files);
            let mut copies = futures::stream::iter(wanted).map(|wanted| self.copy(wanted)).buffered(PARALLEL);
            while let Some(copied) = copies.try_next().await? {
                match copied {
                    Copied::Present(entry) => entries.push(entry),
                    Copied::New(entry) => {
                        index.append(&entry)?;
                        summary.copied += 1;
                        summary.bytes += entry.size;
                        entries.push(entry);
                    }
                    Copied::Absent => {}
                    Copied::Problem(problem, copy) => {
                        summary.problems.push(problem);
                        entries.extend(copy);
                    }
                }
            }
        }
        summary.files = entries.len();
        Ok(entries)
    }

    async fn copy(&self, wanted: Wanted) -> Result<Copied> {
        if let Some(entry) = self.present(&wanted).await? {
            return Ok(Copied::Present(entry));
        }
        let bytes = match Error::unless_unreadable(self.store.read(&wanted.key, None).await)? {
            Some(Some(read)) => Error::unless_unreadable(read.whole().await)?,
            Some(None) => return self.absent(wanted).await,
            None => None,
        };
        let Some(bytes) = bytes else { return self.unreadable(wanted).await };
        let size = bytes.len() as u64;
        let hash = *blake3::hash(&bytes).as_bytes();
        if wanted.size == Size::Original && hash != wanted.photo.content_hash {
            return self.lost(wanted, Problem::OriginalChanged).await;
        }
        let hash = self.folder.add(bytes).await?;
        Ok(Copied::New(Entry { key: wanted.key, hash, size }))
    }

    /// The entry of a file whose bytes are in the folder.
    async fn present(&self, wanted: &Wanted) -> Result<Option<Entry>> {
        let Some(&size) = self.sizes.get(&wanted.key) else { return Ok(None) };
        let hash = match (wanted.size, self.known.get(&wanted.key)) {
            (Size::Original, _) => wanted.photo.content_hash,
            // A rendition that was made anew may have other bytes.
            (_, Some(known)) if known.size == size => known.hash,
            _ => return Ok(None),
        };
        Ok(self.has(&hash, size).await?.then(|| Entry { key: wanted.key.clone(), hash, size }))
    }

    /// Whether the folder has these bytes.
    async fn has(&self, hash: &ContentHash, size: u64) -> Result<bool> {
        if self.verify {
            Ok(self.folder.read(hash).await?.is_some_and(|bytes| bytes.len() as u64 == size))
        } else {
            self.folder.contains(hash, size).await
        }
    }

    async fn absent(&self, wanted: Wanted) -> Result<Copied> {
        // The job that indexes a photo makes its renditions anew.
        if wanted.size != Size::Original {
            return Ok(Copied::Absent);
        }
        if walks::has_original(&self.context.db, wanted.photo.id, &wanted.key).await? {
            self.lost(wanted, Problem::OriginalMissing).await
        } else {
            Ok(Copied::Absent)
        }
    }

    /// The disk of the media store has lost bytes of the file.
    async fn unreadable(&self, wanted: Wanted) -> Result<Copied> {
        if wanted.size == Size::Original {
            return self.lost(wanted, Problem::OriginalChanged).await;
        }
        tracing::warn!(key = %wanted.key, "a rendition cannot be read, and is left out");
        Ok(Copied::Absent)
    }

    /// The store does not have an original as it was uploaded.
    async fn lost(&self, wanted: Wanted, problem: fn(PhotoId, MediaKey) -> Problem) -> Result<Copied> {
        let Wanted { photo, key, .. } = wanted;
        let (hash, size) = (photo.content_hash, u64::try_from(photo.size_bytes).unwrap_or_default());
        let copy = self.has(&hash, size).await?.then(|| Entry { key: key.clone(), hash, size });
        Ok(Copied::Problem(problem(photo.id, key), copy))
    }
}

fn files(photo: Photo) -> impl Iterator<Item = Wanted> {
    photo.sizes().into_iter().map(move |size| Wanted {
        key: photo.key.sized(size),
        photo: photo.clone(),
        size,
    })
}

/// Deletes all but the newest snapshots, and the bytes that none of those refers to. All that stays is read before anything is
/// deleted: one that cannot be read takes no place of one that can. Such stay, and so do all bytes then, since nobody knows
/// which of them they refer to. `written`, which was made just now, is the newest whatever its clock says. Answers what is wrong
/// with those that stay.
async fn prune(folder: &Folder, written: &str, keep: usize) -> Result<Vec<Problem>> {
    let mut names = folder.snapshots()?;
    names.sort_by(|one, other| (one == written).cmp(&(other == written)).then_with(|| one.cmp(other)));
    let of_future = |names: &[String]| -> Vec<Problem> {
        let names = names.iter().filter(|name| name.as_str() > written);
        names.cloned().map(Problem::SnapshotOfFuture).collect()
    };
    if names.len() <= keep {
        return Ok(of_future(&names));
    }
    let (mut whole, mut unreadable, mut old, mut hashes) = (0, Vec::new(), Vec::new(), HashSet::new());
    for name in names.into_iter().rev() {
        if whole == keep {
            old.push(name);
            continue;
        }
        match folder.read_snapshot(&name) {
            Ok((entries, _)) => {
                whole += 1;
                hashes.extend(entries.into_iter().map(|entry| entry.hash));
            }
            Err(failure) => {
                tracing::warn!(name, error = failure.chain(), "a snapshot cannot be read");
                unreadable.push(name);
            }
        }
    }
    for name in &old {
        folder.delete_snapshot(name)?;
    }
    if !old.is_empty() && unreadable.is_empty() {
        let files = folder.retain(&hashes).await?;
        tracing::info!(snapshots = old.len(), files, "deleted what only old snapshots referred to");
    }
    let mut problems = of_future(&folder.snapshots()?);
    problems.extend(unreadable.into_iter().map(Problem::SnapshotDamaged));
    Ok(problems)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_snapshot_says_when_it_was_made() {
        let at = Timestamp::from_utc(2026, [11, 22, 1, 45, 7]);
        assert!(at.is_some());
        assert_eq!(snapshot_time("2026-11-22T01-45-07.123Z"), at);
        assert_eq!(snapshot_time("2026-11-22"), None);
        assert_eq!(snapshot_time("notes"), None);
    }
}
