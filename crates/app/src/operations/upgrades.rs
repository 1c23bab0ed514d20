//! Bringing the database to this version's schema, with a snapshot of what it was.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;
use std::time::{Duration, SystemTime};

use domain::{Clock, DAY, Refusal, Timestamp};
use storage::Db;
use storage::operations::upgrades::{self, Upgrade};

use crate::Result;
use crate::operations::runtime::tasks;

/// How many snapshots stay.
const KEPT: usize = 3;
/// For how many days one stays: it has faces that were deleted since.
const DAYS: u32 = 30;
/// What stays free on the disk, in bytes: the migrations themselves write too.
const RESERVE: u64 = 64 << 20;

/// Brings the database to the current schema. A SQLite database in which somebody has registered is copied to a file beside
/// it first, unless `keeps` is false.
///
/// # Errors
/// A refusal when there is no room for the snapshot; also when a later version has changed the schema, or a step fails.
pub async fn migrate(db: &Db, clock: &Clock, keeps: bool) -> Result<()> {
    if let Some(upgrade) = upgrades::pending(db).await? {
        let alone = alone(&upgrade.file).await?;
        // Its room may be needed.
        remove_unfinished(&upgrade.file).await?;
        // Another process may have made it meanwhile.
        if let Some(upgrade) = upgrades::pending(db).await?.filter(|_| keeps) {
            keep(db, &upgrade, clock.now()).await?;
        }
        db.migrate().await?;
        drop(alone);
    } else {
        db.migrate().await?;
    }
    let renewed = storage::operations::keys::renew(db).await?;
    if renewed > 0 {
        tracing::info!(renewed, "addresses and codes of a version before are compared as this one does");
    }
    let renewed = storage::events::retention::renew_moments(db).await?;
    if renewed > 0 {
        tracing::info!(
            renewed,
            "days of events begin at other moments by the rules that time zones have by now"
        );
    }
    match upgrades::file(db) {
        Some(file) => {
            if !upgrades::unfinished(&file).await?.is_empty() {
                remove_unfinished_alone(&file).await?;
            }
            forget(&file, clock.now()).await
        }
        None => Ok(()),
    }
}

/// Removes what a start that was killed has left of a snapshot. Only who is [`alone`] knows that nobody is writing it.
async fn remove_unfinished(file: &Path) -> Result<()> {
    for unfinished in upgrades::unfinished(file).await? {
        tokio::fs::remove_file(&unfinished).await?;
        tracing::info!(file = %unfinished.display(), "removed an unfinished snapshot of the database");
    }
    Ok(())
}

/// The same, unless another process is upgrading, which removes it itself.
async fn remove_unfinished_alone(file: &Path) -> Result<()> {
    let lock = open_lock(file)?;
    match lock.try_lock() {
        Ok(()) => remove_unfinished(file).await,
        Err(TryLockError::WouldBlock) => Ok(()),
        Err(TryLockError::Error(error)) => Err(error.into()),
    }
}

/// Removes the snapshots of earlier upgrades that are too many or too old.
async fn forget(file: &Path, now: Timestamp) -> Result<()> {
    let mut snapshots = upgrades::kept(file).await?;
    let newest = snapshots.split_off(snapshots.len().saturating_sub(KEPT));
    let too_old = now.minus(DAY * DAYS);
    for snapshot in newest {
        if made_at(&snapshot).await? < too_old {
            snapshots.push(snapshot);
        }
    }
    for snapshot in snapshots {
        tokio::fs::remove_file(&snapshot).await?;
        tracing::info!(file = %snapshot.display(), "removed an old snapshot of the database");
    }
    Ok(())
}

async fn keep(db: &Db, upgrade: &Upgrade, now: Timestamp) -> Result<()> {
    let Upgrade { file, from, to, .. } = upgrade;
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if let Some(free) = media::disk_space::free(folder).await? {
        make_sure_of_room(upgrade, folder, free)?;
    }
    let snapshot = upgrades::keep(db, upgrade, &now.to_rfc3339()).await?;
    tracing::info!(from, to, file = %snapshot.display(), "wrote a snapshot of the database before its upgrade");
    Ok(())
}

fn make_sure_of_room(upgrade: &Upgrade, folder: &Path, free: u64) -> std::result::Result<(), Refusal> {
    let Upgrade { from, to, bytes, .. } = upgrade;
    let needed = bytes.saturating_add(RESERVE);
    if free >= needed {
        return Ok(());
    }
    let megabytes = |bytes: u64| bytes.div_ceil(1_000_000);
    Err(Refusal::Malformed(format!(
        "The database is to be brought from schema {from} to {to}, and a snapshot of it as it is needs {} MB in {}, where {} MB \
         are free. Free some space; or make a backup with the version before, and set `upgrade_snapshots` to off.",
        megabytes(needed),
        folder.display(),
        megabytes(free),
    )))
}

/// Waits until no other process upgrades this file; none does for as long as the answer lives.
async fn alone(file: &Path) -> Result<File> {
    let file = file.to_owned();
    tasks::blocking(move || {
        let lock = open_lock(&file)?;
        lock.lock()?;
        Ok::<_, std::io::Error>(lock)
    })
    .await?
    .map_err(Into::into)
}

fn open_lock(file: &Path) -> std::io::Result<File> {
    let lock = file.with_extension("upgrade-lock");
    OpenOptions::new().create(true).truncate(false).write(true).open(lock)
}

async fn made_at(file: &Path) -> Result<Timestamp> {
    let modified = tokio::fs::metadata(file).await?.modified()?;
    let since = modified.duration_since(SystemTime::UNIX_EPOCH).unwrap_or(Duration::ZERO);
    Ok(Timestamp::from_millis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_room_for_a_snapshot_nothing_is_upgraded() {
        // [SAFE240]
        let upgrade = Upgrade { file: "/srv/a.db".into(), from: 31, to: 34, bytes: 2_000_000_000 };
        let outcome = |free| make_sure_of_room(&upgrade, Path::new("/srv"), free);
        assert_eq!(outcome(2_100_000_000), Ok(()));
        assert_eq!(
            outcome(1_500_000_000).unwrap_err().to_string(),
            "The database is to be brought from schema 31 to 34, and a snapshot of it as it is needs 2068 MB in /srv, where 1500 \
             MB are free. Free some space; or make a backup with the version before, and set `upgrade_snapshots` to off.",
        );
    }

    #[tokio::test]
    async fn snapshots_go_when_they_are_too_many_or_too_old() {
        // [SAFE239]
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.db");
        let now = Clock::System.now();
        let make = |day: u32, age: u32| {
            let path = folder.path().join(format!("a.db.before-2026-11-{day:02}-schema-1-to-2"));
            let made = std::fs::File::create(&path).unwrap();
            let at = now.minus(DAY * age).as_millis();
            made.set_modified(SystemTime::UNIX_EPOCH + Duration::from_millis(u64::try_from(at).unwrap()))
                .unwrap();
            path
        };
        let all = [make(1, 4), make(2, 3), make(3, 2), make(4, 1)];
        std::fs::write(folder.path().join("a.db"), "").unwrap();
        forget(&file, now).await.unwrap();
        assert_eq!(upgrades::kept(&file).await.unwrap(), all[1..]);
        forget(&file, now.plus(DAY * 28)).await.unwrap();
        assert_eq!(
            upgrades::kept(&file).await.unwrap(),
            all[2..],
            "faces that were deleted since are in them"
        );
        assert!(file.exists());
    }
}
