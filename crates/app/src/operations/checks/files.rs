//! The files of photos, and files that belong to none.

use std::collections::HashSet;

use domain::photos::{MediaKey, Photo};
use domain::{PhotoId, Timestamp};
use futures::TryStreamExt as _;
use media::checksums::Checksums;
use media::stores::{Error, Store};
use storage::Db;

use super::issue::Issue;
use super::pending_work::PendingWork;
use crate::Result;
use crate::operations::orphans;
use crate::operations::stores::{self, Bond};

/// Photos that are read at a time.
const PAGE: i64 = 200;
/// Keys that are asked about in one query.
const KEYS: usize = 500;

/// A file, and when it was put.
type StoredFile = (MediaKey, Timestamp);

/// The files in the media store.
#[derive(Default)]
pub(super) struct Listed {
    /// How many there are.
    files: usize,
    /// Those that belonged to no photo when they were listed; those of uploads that are under way are among them.
    unclaimed: Vec<StoredFile>,
    /// Those that lie in the trash.
    pub(super) discarded: HashSet<MediaKey>,
}

/// Lists the files.
pub(super) async fn list(db: &Db, store: &Store) -> Result<Listed> {
    let mut listed = Listed::default();
    let mut batches = store.list("").try_chunks(KEYS);
    while let Some(batch) = batches.try_next().await.map_err(|error| error.1)? {
        listed.files += batch.iter().filter(|entry| stores::is_photos(&entry.key)).count();
        let found = batch.into_iter().map(|entry| (entry.key, entry.modified)).collect();
        listed.unclaimed.extend(without_photo(db, found).await?);
    }
    listed.discarded = store.list_discarded().map_ok(|entry| entry.key).try_collect().await?;
    Ok(listed)
}

/// The files that still belong to no photo, by what is to be done with them.
pub(super) async fn without_photos(
    db: &Db,
    listed: Listed,
    bond: &Bond,
    now: Timestamp,
) -> Result<Vec<Issue>> {
    let (files, before) = (listed.files, now.minus(orphans::ORPHAN_GRACE));
    let (old, young): (Vec<StoredFile>, Vec<StoredFile>) =
        without_photo(db, listed.unclaimed).await?.into_iter().partition(|(_, modified)| *modified < before);
    let mut issues = Vec::new();
    let is_too_many = orphans::is_too_many(old.len(), files);
    if !bond.may_be_swept() && (*bond != Bond::Adoptable || !old.is_empty()) {
        issues.push(Issue::Store(bond.clone()));
    } else if is_too_many {
        issues.push(Issue::TooManyOrphans(orphans::held(old.len(), files)));
    }
    let may_be_swept = bond.may_be_swept() && !is_too_many;
    issues.extend(
        old.into_iter()
            .map(|(key, _)| if may_be_swept { Issue::Orphan(key) } else { Issue::HeldOrphan(key) }),
    );
    issues.extend(young.into_iter().map(|(key, _)| Issue::Unclaimed(key)));
    Ok(issues)
}

async fn without_photo(db: &Db, files: Vec<StoredFile>) -> Result<Vec<StoredFile>> {
    let mut left = Vec::new();
    for files in files.chunks(KEYS) {
        let keys = files.iter().map(|(key, _)| key.clone()).collect();
        let orphans: HashSet<MediaKey> = orphans::orphans(db, keys).await?.into_iter().collect();
        left.extend(files.iter().filter(|(key, _)| orphans.contains(key)).cloned());
    }
    Ok(left)
}

/// What is wrong with the files of photos. Each original is read to its end.
pub(super) async fn of_photos(
    db: &Db,
    store: &Store,
    pending: &PendingWork,
    discarded: &HashSet<MediaKey>,
) -> Result<Vec<Issue>> {
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
            let found = of_photo(store, photo, pending.indexing.contains(&photo.id), discarded).await?;
            // It may have been deleted meanwhile, or replaced.
            if !found.is_empty()
                && storage::photos::media_key(db, photo.id).await?.as_ref() == Some(&photo.key)
            {
                issues.extend(found);
            }
        }
    }
}

/// What is wrong with the originals of deleted photos, which may be restored.
pub(super) async fn of_trash(db: &Db, store: &Store, discarded: &HashSet<MediaKey>) -> Result<Vec<Issue>> {
    let (mut issues, mut after) = (Vec::new(), None);
    loop {
        let page = storage::photos::trash::all(db, after, PAGE).await?;
        let Some(last) = page.last() else { return Ok(issues) };
        after = Some(last.id);
        for photo in &page {
            let mut found = of_photo(store, photo, true, discarded).await?;
            // It counts once the photo is restored.
            found.retain(|issue| !matches!(issue, Issue::Checksum(..)));
            if !found.is_empty() && storage::photos::trash::by_id(db, photo.id).await?.is_some() {
                issues.extend(found);
            }
        }
    }
}

/// What is wrong with the files of what guests have added and waits.
pub(super) async fn of_guests(db: &Db, store: &Store, discarded: &HashSet<MediaKey>) -> Result<Vec<Issue>> {
    let (mut issues, mut after) = (Vec::new(), None);
    loop {
        let page = storage::guests::guest_photos::page(db, after, PAGE).await?;
        let Some(last) = page.last() else { return Ok(issues) };
        after = Some(last.photo.id);
        for photo in page.iter().map(|added| &added.photo) {
            let mut found = of_photo(store, photo, true, discarded).await?;
            // It counts once the photo is let in.
            found.retain(|issue| !matches!(issue, Issue::Checksum(..)));
            // It may have been let in, declined or taken back meanwhile.
            if !found.is_empty()
                && !storage::guests::guest_photos::waiting_of(db, &[photo.id]).await?.is_empty()
            {
                issues.extend(found);
            }
        }
    }
}

async fn of_photo(
    store: &Store,
    photo: &Photo,
    will_be_indexed: bool,
    discarded: &HashSet<MediaKey>,
) -> Result<Vec<Issue>> {
    let id: PhotoId = photo.id;
    let checksums = match Error::unless_unreadable(store.read(&photo.key, None).await)? {
        Some(Some(original)) => Error::unless_unreadable(Checksums::of(original).await)?,
        Some(None) => {
            let issue = if discarded.contains(&photo.key) {
                Issue::OriginalDiscarded
            } else {
                Issue::OriginalMissing
            };
            return Ok(vec![issue(id, photo.key.clone())]);
        }
        None => None,
    };
    let Some(Checksums { crc32, .. }) = checksums.filter(|found| found.blake3 == photo.content_hash) else {
        return Ok(vec![Issue::OriginalChanged(id, photo.key.clone())]);
    };
    let mut issues = Vec::new();
    if photo.crc32.is_some_and(|stored| stored != crc32) {
        issues.push(Issue::Checksum(id, photo.key.clone(), crc32));
    }
    if !will_be_indexed {
        let mut missing = Vec::new();
        for key in photo.sizes().into_iter().map(|size| photo.key.sized(size)) {
            if key != photo.key && store.size(&key).await?.is_none() {
                missing.push(key);
            }
        }
        if !missing.is_empty() {
            issues.push(Issue::RenditionsMissing(id, missing));
        }
    }
    Ok(issues)
}
