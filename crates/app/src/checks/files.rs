//! The files of photos, and files that belong to none.

use std::time::Duration;

use domain::photos::{MediaKey, Photo, PhotoStatus, Size};
use domain::{PhotoId, Timestamp};
use futures::StreamExt as _;
use media::checksums::Checksums;
use media::stores::Store;
use storage::Db;

use super::issue::Issue;
use super::pending_work::PendingWork;
use crate::{Result, maintenance};

/// Photos that are read at a time.
const PAGE: i64 = 200;
/// Keys that are asked about in one query.
const KEYS: usize = 500;
/// An upload's row comes this soon after its file.
const CLAIMED_WITHIN: Duration = Duration::from_secs(5);

/// A file, and when it was put.
type StoredFile = (MediaKey, Timestamp);

/// The files that belong to no photo now; those of uploads that are under way are among them.
pub(super) async fn unclaimed(db: &Db, store: &Store) -> Result<Vec<StoredFile>> {
    let (mut unclaimed, mut asked) = (Vec::new(), Vec::new());
    let mut entries = store.list("");
    loop {
        let entry = entries.next().await.transpose()?;
        let over = entry.is_none();
        asked.extend(entry.map(|entry| (entry.key, entry.modified)));
        if asked.len() == KEYS || over {
            unclaimed.extend(without_photo(db, std::mem::take(&mut asked)).await?);
        }
        if over {
            return Ok(unclaimed);
        }
    }
}

/// Those of the files that still belong to no photo, once every upload had time to claim its own.
pub(super) async fn orphans(db: &Db, unclaimed: Vec<StoredFile>, now: Timestamp) -> Result<Vec<StoredFile>> {
    let newest = unclaimed.iter().map(|(_, modified)| *modified).max();
    if let Some(wait) = newest.and_then(|newest| CLAIMED_WITHIN.checked_sub(now.since(newest))) {
        tokio::time::sleep(wait).await;
    }
    without_photo(db, unclaimed).await
}

async fn without_photo(db: &Db, files: Vec<StoredFile>) -> Result<Vec<StoredFile>> {
    let mut left = Vec::new();
    for files in files.chunks(KEYS) {
        let keys = files.iter().map(|(key, _)| key.clone()).collect();
        let orphans = maintenance::orphans(db, keys).await?;
        left.extend(files.iter().filter(|(key, _)| orphans.contains(key)).cloned());
    }
    Ok(left)
}

/// What is wrong with the files of photos. Each original is read to its end.
pub(super) async fn of_photos(db: &Db, store: &Store, pending: &PendingWork) -> Result<Vec<Issue>> {
    let (mut issues, mut after) = (Vec::new(), None);
    loop {
        let page = storage::photos::page(db, after, PAGE).await?;
        let Some(last) = page.last() else { return Ok(issues) };
        after = Some(last.id);
        for photo in &page {
            let is_being_deleted = match photo.event {
                Some(event) => pending.deleting.contains(&event),
                None => pending.closing.contains(&photo.owner),
            };
            if is_being_deleted {
                continue;
            }
            let found = of_photo(store, photo, pending.indexing.contains(&photo.id)).await?;
            // It may have been deleted meanwhile.
            if !found.is_empty() && storage::photos::by_id(db, photo.id).await?.is_some() {
                issues.extend(found);
            }
        }
    }
}

async fn of_photo(store: &Store, photo: &Photo, will_be_indexed: bool) -> Result<Vec<Issue>> {
    let id: PhotoId = photo.id;
    let Some(original) = store.read(&photo.key, None).await? else {
        return Ok(vec![Issue::OriginalMissing(id, photo.key.clone())]);
    };
    let Checksums { blake3, crc32 } = Checksums::of(original).await?;
    if blake3 != photo.content_hash {
        return Ok(vec![Issue::OriginalChanged(id, photo.key.clone())]);
    }
    let mut issues = Vec::new();
    if photo.crc32.is_some_and(|stored| stored != crc32) {
        issues.push(Issue::Checksum(id, crc32));
    }
    if photo.status == PhotoStatus::Ready && !will_be_indexed {
        let mut missing = Vec::new();
        for size in [Size::Preview, Size::Thumbnail] {
            let key = photo.key.sized(size);
            if store.size(&key).await?.is_none() {
                missing.push(key);
            }
        }
        if !missing.is_empty() {
            issues.push(Issue::RenditionsMissing(id, missing));
        }
    }
    Ok(issues)
}
