//! Restoring a backup.

use std::collections::HashMap;
use std::path::Path;

use domain::Refusal;
use domain::photos::MediaKey;
use futures::{StreamExt as _, TryStreamExt as _};
use media::stores::{Source, Store};
use storage::Db;
use storage::operations::moving;

use super::folder::{Entry, Folder};
use super::{Problem, Summary};
use crate::Result;
use crate::operations::operators::OperatorContext;
use crate::operations::stores;

/// Files that are copied at a time; each is held in memory whole.
const PARALLEL: usize = 4;

/// Restores a snapshot, the newest one unless `name` says another, into a database without accounts and its media store.
/// The files come first and the rows last, in one transaction: interrupted, it is run again. `scratch` is a folder for a
/// copy of the snapshot's database.
///
/// # Errors
/// A refusal when the database has accounts already, or there is no such snapshot, or it is damaged.
pub async fn restore(
    context: &OperatorContext,
    store: &Store,
    path: &Path,
    name: Option<&str>,
    scratch: &Path,
) -> Result<Summary> {
    let refuse = |text: &str| Refusal::Malformed(text.to_owned());
    let occupied = || refuse("The database has accounts. A backup is restored into an empty one.");
    let folder = Folder::open(path)?;
    let name = newest(&folder, name)?;
    let (entries, database) = folder.read_snapshot(&name)?;
    if !storage::operations::snapshots::is_vacant(&context.db).await? {
        return Err(occupied().into());
    }
    let mut summary = Summary { snapshot: name, files: entries.len(), ..Summary::default() };
    tokio::fs::create_dir_all(scratch).await?;
    // A snapshot of an earlier version is brought to the current schema; the backup itself is not touched.
    let copy = scratch.join("restore.sqlite");
    // What a restoration that was killed has left: its log would be applied to this snapshot.
    for end in ["", "-wal", "-shm"] {
        remove_if_there(&scratch.join(format!("restore.sqlite{end}"))).await?;
    }
    tokio::fs::copy(&database, &copy).await?;
    let snapshot = storage::operations::snapshots::open(&copy).await?;
    // The processes that held them are gone, or work with what is there no more.
    moving::release_leases(&snapshot).await?;
    if !stores::may_be_restored_into(&context.db, &snapshot, store).await? {
        return Err(refuse(
            "The media store belongs to another database than this one and that of the backup.",
        )
        .into());
    }
    copy_files(store, &folder, entries, &mut summary).await?;
    stores::mark_ahead(&snapshot, store).await?;
    let restored = put_rows(context, &snapshot, &mut summary).await;
    snapshot.close().await;
    tokio::fs::remove_file(&copy).await?;
    if !restored? {
        return Err(occupied().into());
    }
    stores::mark_restored(context, store).await?;
    Ok(summary)
}

async fn remove_if_there(path: &Path) -> std::io::Result<()> {
    match tokio::fs::remove_file(path).await {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Puts the rows, and reads all of them again; false when the database has accounts.
async fn put_rows(context: &OperatorContext, snapshot: &Db, summary: &mut Summary) -> Result<bool> {
    if !storage::operations::snapshots::restore(&context.db, snapshot).await? {
        return Ok(false);
    }
    let expected = moving::contents(snapshot, snapshot).await?;
    let found = moving::contents(&context.db, snapshot).await?;
    for (expected, found) in expected.iter().zip(&found).filter(|(expected, found)| expected != found) {
        summary.problems.push(Problem::RowsDiffer(expected.table.clone(), expected.rows, found.rows));
    }
    Ok(true)
}

/// Whether there is a snapshot that can be restored, the newest one unless `name` says another; answers its name.
///
/// # Errors
/// A refusal when there is none, or it is damaged.
pub fn find(path: &Path, name: Option<&str>) -> Result<String> {
    let folder = Folder::open(path)?;
    let name = newest(&folder, name)?;
    folder.read_snapshot(&name)?;
    Ok(name)
}

fn newest(folder: &Folder, name: Option<&str>) -> Result<String> {
    let newest = folder.snapshots()?.pop();
    let none = || Refusal::Malformed(String::from("There is no whole snapshot."));
    Ok(name.map(str::to_owned).or(newest).ok_or_else(none)?)
}

async fn copy_files(
    store: &Store,
    folder: &Folder,
    entries: Vec<Entry>,
    summary: &mut Summary,
) -> Result<()> {
    // Those that an interrupted restoration has put. A file is put whole or not at all.
    let there: HashMap<MediaKey, u64> =
        store.list("").map_ok(|entry| (entry.key, entry.size)).try_collect().await?;
    let missing = entries.into_iter().filter(|entry| there.get(&entry.key) != Some(&entry.size));
    let mut copies = futures::stream::iter(missing)
        .map(|entry| async move {
            let bytes = folder.read(&entry.hash).await?;
            let found = bytes.is_some();
            if let Some(bytes) = bytes {
                store.put(&entry.key, Source::Bytes(bytes)).await?;
            }
            Ok::<_, crate::Failure>((entry, found))
        })
        .buffer_unordered(PARALLEL);
    while let Some((entry, found)) = copies.try_next().await? {
        if found {
            summary.copied += 1;
            summary.bytes += entry.size;
        } else {
            summary.problems.push(Problem::CopyDamaged(entry.key));
        }
    }
    Ok(())
}
