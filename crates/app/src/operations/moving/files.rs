//! The files of photos: those that the target lacks, and those that it has too much.

use std::collections::HashMap;

use domain::photos::{ContentHash, MediaKey, Photo, Size};
use futures::{StreamExt as _, TryStreamExt as _};
use media::checksums::Checksums;
use media::stores::{Error, Source, Store};

use super::plan::Move;
use super::report::{Step, Summary};
use crate::Result;
use crate::operations::backups::Problem;
use crate::operations::{orphans, stores};
use crate::photos::walks::{self, Walk};

/// Photos that are read in one query.
const PAGE: i64 = 200;
/// Keys that are asked about, and files that are removed, at a time.
const KEYS: usize = 500;
/// Files that are copied at a time; each is held in memory whole.
const PARALLEL: usize = 8;

/// Sizes of files by the hashes of their keys, which take less memory than the keys of millions of files do.
type Sizes = HashMap<u128, u64>;

/// What became of a file.
enum Copied {
    /// It was there already.
    Present,
    /// So many bytes were copied.
    New(u64),
    /// There is nothing to copy: the photo was deleted or replaced meanwhile.
    Gone,
    /// There is nothing to copy: the rendition is to be made.
    Unmade,
    Problem(Problem),
}

/// Copies the files that the target lacks.
pub(super) async fn copy(
    moving: &Move<'_>,
    summary: &mut Summary,
    progress: &mut impl FnMut(Step<'_>),
) -> Result<()> {
    let sizes = sizes(&moving.target.store).await?;
    let of_guests = storage::guests::guest_photos::waiting_altogether(moving.snapshot).await?.photos;
    let of = moving.rows_of("photos")
        + moving.rows_of("trashed_photos")
        + u64::try_from(of_guests).unwrap_or_default();
    let (mut photos, mut walk) = (0, Walk::default());
    loop {
        progress(Step::Files { photos, of, bytes: summary.bytes });
        let page = walk.next(moving.snapshot, PAGE).await?;
        if page.is_empty() {
            return Ok(());
        }
        photos += page.len() as u64;
        let sizes = &sizes;
        let files = page.iter().flat_map(|photo| photo.sizes().into_iter().map(move |size| (photo, size)));
        let mut copies = futures::stream::iter(files)
            .map(|(photo, size)| copy_file(moving, sizes, photo, size))
            .buffered(PARALLEL);
        while let Some(copied) = copies.try_next().await? {
            match copied {
                Copied::Present => summary.files += 1,
                Copied::New(bytes) => {
                    summary.files += 1;
                    summary.copied += 1;
                    summary.bytes += bytes;
                }
                Copied::Gone => summary.deleted_meanwhile += 1,
                Copied::Unmade => {}
                Copied::Problem(problem) => summary.problems.push(problem),
            }
        }
    }
}

async fn copy_file(moving: &Move<'_>, sizes: &Sizes, photo: &Photo, size: Size) -> Result<Copied> {
    let (from, to, key) = (moving.store, &moving.target.store, photo.key.sized(size));
    let Some(here) = from.size(&key).await? else { return absent(moving, photo, size, key).await };
    let is_there = sizes.get(&fingerprint(&key)) == Some(&here);
    if is_there && (!moving.verify || is_same(moving, photo, size, &key).await?) {
        return Ok(Copied::Present);
    }
    let bytes = match Error::unless_unreadable(from.read(&key, None).await)? {
        Some(Some(read)) => Error::unless_unreadable(read.whole().await)?,
        Some(None) => return absent(moving, photo, size, key).await,
        None => None,
    };
    let Some(bytes) = bytes else {
        if size == Size::Original {
            return Ok(Copied::Problem(Problem::OriginalChanged(photo.id, key)));
        }
        tracing::warn!(%key, "a rendition cannot be read, and is left out");
        return Ok(Copied::Unmade);
    };
    let (hash, length) = (*blake3::hash(&bytes).as_bytes(), bytes.len() as u64);
    if size == Size::Original && hash != photo.content_hash {
        return Ok(Copied::Problem(Problem::OriginalChanged(photo.id, key)));
    }
    to.put(&key, Source::Bytes(bytes)).await?;
    // What was written is read again, before the row that promises it.
    let written = self::hash(to, &key).await?;
    Ok(if written == Some(hash) { Copied::New(length) } else { Copied::Problem(Problem::NotAsWritten(key)) })
}

/// Whether a file of the target has the bytes that it should have.
async fn is_same(moving: &Move<'_>, photo: &Photo, size: Size, key: &MediaKey) -> Result<bool> {
    let expected =
        if size == Size::Original { Some(photo.content_hash) } else { hash(moving.store, key).await? };
    Ok(hash(&moving.target.store, key).await? == expected)
}

/// None for a file that is not there, or of which bytes are lost.
async fn hash(store: &Store, key: &MediaKey) -> Result<Option<ContentHash>> {
    let read = Error::unless_unreadable(store.read(key, None).await)?.flatten();
    let Some(read) = read else { return Ok(None) };
    Ok(Error::unless_unreadable(Checksums::of(read).await)?.map(|checksums| checksums.blake3))
}

async fn absent(moving: &Move<'_>, photo: &Photo, size: Size, key: MediaKey) -> Result<Copied> {
    // The job that indexes a photo makes its renditions anew.
    if size != Size::Original {
        return Ok(Copied::Unmade);
    }
    let is_there = walks::has_original(&moving.context.db, photo.id, &key).await?;
    Ok(if is_there { Copied::Problem(Problem::OriginalMissing(photo.id, key)) } else { Copied::Gone })
}

/// Removes the files of photos that are gone, and counts the others.
pub(super) async fn remove_surplus(moving: &Move<'_>, summary: &mut Summary) -> Result<()> {
    let (store, mut surplus) = (&moving.target.store, Vec::new());
    let mut batches = store.list("").try_chunks(KEYS);
    while let Some(batch) = batches.try_next().await.map_err(|error| error.1)? {
        let keys: Vec<MediaKey> =
            batch.into_iter().map(|entry| entry.key).filter(stores::is_photos).collect();
        let files = keys.len() as u64;
        let orphans = orphans::orphans(moving.snapshot, keys).await?;
        summary.found += files - orphans.len() as u64;
        surplus.extend(orphans);
    }
    for keys in surplus.chunks(KEYS) {
        store.delete_many(keys).await?;
    }
    summary.removed = surplus.len() as u64;
    Ok(())
}

async fn sizes(store: &Store) -> Result<Sizes> {
    let entries = store.list("").map_ok(|entry| (fingerprint(&entry.key), entry.size));
    Ok(entries.try_collect().await?)
}

fn fingerprint(key: &MediaKey) -> u128 {
    let hash = blake3::hash(key.as_str().as_bytes());
    hash.as_bytes().iter().take(16).fold(0, |number, byte| (number << 8) | u128::from(*byte))
}
