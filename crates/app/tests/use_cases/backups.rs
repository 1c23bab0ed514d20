//! Backups and their restoration: rows and files, between engines, after damage and interruptions.

use std::path::Path;
use std::time::Duration;

use app::Failure;
use app::operations::backups::{self, Options, Problem, Summary};
use app::operations::checks::{self, Issue};
use app::operations::orphans::{self, Sweep};
use app::operations::stores::{self, Bond};
use domain::photos::{MediaKey, Size};
use domain::{DAY, Paise};
use media::stores::Marker;

use crate::installation::Installation;

const KEEP_ALL: Options = Options { keep: 99, verify: false };

impl Installation {
    async fn backup(&self, folder: &Path, options: Options) -> Summary {
        // Snapshots are named after the time at which they are taken.
        self.context.clock.advance(Duration::from_secs(1));
        backups::create(&self.context, &self.store, folder, options).await.unwrap()
    }

    async fn restore(&self, folder: &Path, name: Option<&str>) -> app::Result<Summary> {
        let scratch = tempfile::tempdir().unwrap();
        backups::restore(&self.context, &self.store, folder, name, scratch.path()).await
    }
}

fn refusal(outcome: app::Result<Summary>) -> String {
    match outcome {
        Err(Failure::Refused(refusal)) => refusal.to_string(),
        other => panic!("it was not refused: {other:?}"),
    }
}

/// The files of the folder that have these bytes.
fn copies(folder: &Path, bytes: &[u8]) -> Vec<std::path::PathBuf> {
    let name = blake3::hash(bytes).to_hex().to_string();
    let path = folder.join("media").join(&name[..2]).join(&name);
    path.exists().then_some(path).into_iter().collect()
}

#[tokio::test]
async fn a_restored_database_has_its_store_and_takes_no_other() {
    // [SAFE053]
    let source = Installation::new(storage::testing::sqlite().await);
    let folder = tempfile::tempdir().unwrap();
    let owner = source.photographer().await;
    source.photo(owner, b"first").await;
    stores::adopt(&source.context, &source.store).await.unwrap();
    source.backup(folder.path(), KEEP_ALL).await;
    let id = stores::status(&source.context, &source.store).await.unwrap().id;

    // A server has run on the empty database, so that the store has that one's id.
    let target = Installation::new(storage::testing::sqlite().await);
    stores::adopt(&target.context, &target.store).await.unwrap();
    target.restore(folder.path(), None).await.unwrap();
    let status = stores::status(&target.context, &target.store).await.unwrap();
    assert_eq!(
        (status.bond, status.id.clone(), status.marker),
        (Bond::Own { is_older: false }, id, status.id)
    );

    let other = Installation::new(storage::testing::sqlite().await);
    other.store.replace_marker(&Marker { id: String::from("another"), sweeps: 0 }).await.unwrap();
    let refused = refusal(other.restore(folder.path(), None).await);
    assert_eq!(refused, "The media store belongs to another database than this one and that of the backup.");
    assert!(other.contents().await.is_empty());
}

#[tokio::test]
async fn a_backup_of_either_engine_restores_into_either() {
    // [SAFE048] [SAFE224] [SAFE049] [SAFE225] [SAFE217]
    for source in Installation::each().await {
        let folder = tempfile::tempdir().unwrap();
        let owner = source.photographer().await;
        source.photo(owner, b"first").await;
        let first = source.backup(folder.path(), KEEP_ALL).await;
        assert_eq!((first.files, first.copied, first.problems.len()), (4, 4, 0));
        source.photo(owner, b"second").await;
        let second = source.backup(folder.path(), KEEP_ALL).await;
        assert_eq!((second.files, second.copied, second.bytes), (8, 4, 24), "only what is new");

        for target in Installation::each().await {
            let restored = target.restore(folder.path(), None).await.unwrap();
            assert_eq!((restored.snapshot, restored.files), (second.snapshot.clone(), 8));
            assert!(restored.problems.is_empty());
            assert_eq!(target.contents().await, source.contents().await);
            assert_eq!(backups::find(folder.path(), None).unwrap(), second.snapshot);
            assert_eq!(checks::inspect(&target.context, &target.store).await.unwrap(), []);
            let users = storage::accounts::users::list(&target.context.db).await.unwrap();
            assert_eq!(users[0].credits, Paise::new(9_800));
            let occupied = refusal(target.restore(folder.path(), None).await);
            assert_eq!(occupied, "The database has accounts. A backup is restored into an empty one.");
        }
        let manifest = folder.path().join("snapshots").join(&second.snapshot).join("manifest.json");
        let manifest: serde_json::Value = serde_json::from_slice(&std::fs::read(manifest).unwrap()).unwrap();
        assert_eq!((&manifest["files"], &manifest["bytes"]), (&8.into(), &44.into()));
        assert_eq!((&manifest["rows"]["photos"], &manifest["rows"]["users"]), (&2.into(), &1.into()));
        assert_eq!(manifest["program"], env!("CARGO_PKG_VERSION"));
        assert!(manifest["schema"].as_i64().is_some_and(|schema| schema > 30), "{manifest}");
        let older = Installation::new(storage::testing::sqlite().await);
        let restored = older.restore(folder.path(), Some(&first.snapshot)).await.unwrap();
        assert_eq!((restored.files, older.contents().await.len()), (4, 4));
    }
}

#[tokio::test]
async fn what_guests_have_added_and_waits_is_in_a_backup() {
    // [SAFE048] [SAFE050]
    for source in Installation::each().await {
        let folder = tempfile::tempdir().unwrap();
        let owner = source.photographer().await;
        let added = source.photo_of_guest(owner, b"dinner").await;
        let summary = source.backup(folder.path(), KEEP_ALL).await;
        assert_eq!((summary.files, summary.problems.len()), (4, 0));
        let target = Installation::new(storage::testing::sqlite().await);
        target.restore(folder.path(), None).await.unwrap();
        assert_eq!(target.contents().await, source.contents().await);
        let waiting = storage::guests::guest_photos::page(&target.context.db, None, 99).await.unwrap();
        assert_eq!(waiting, std::slice::from_ref(&added));
        assert_eq!(checks::inspect(&target.context, &target.store).await.unwrap(), []);

        let key = added.photo.key;
        source.store.delete(&key).await.unwrap();
        let summary = source.backup(folder.path(), KEEP_ALL).await;
        assert_eq!(summary.problems, [Problem::OriginalMissing(added.photo.id, key)]);
    }
}

/// Puts renditions that have other bytes than their originals, which a backup would take from there.
async fn put_renditions(source: &Installation, originals: [&MediaKey; 2]) {
    for key in originals {
        for size in Size::RENDITIONS {
            source.put(&key.sized(size), b"rendition").await;
        }
    }
}

#[tokio::test]
async fn files_that_are_not_as_the_database_says_are_named() {
    // [SAFE050]
    let source = Installation::new(storage::testing::sqlite().await);
    let folder = tempfile::tempdir().unwrap();
    let owner = source.photographer().await;
    let (lost, changed) = (source.photo(owner, b"lost").await, source.photo(owner, b"good").await);
    put_renditions(&source, [&lost.key, &changed.key]).await;
    source.store.delete(&lost.key).await.unwrap();
    source.put(&changed.key, b"evil").await;
    let summary = source.backup(folder.path(), KEEP_ALL).await;
    assert_eq!(
        summary.problems,
        [
            Problem::OriginalMissing(lost.id, lost.key.clone()),
            Problem::OriginalChanged(changed.id, changed.key.clone())
        ]
    );
    // The renditions are there, and the rows.
    assert_eq!(summary.files, 6);
}

#[tokio::test]
async fn files_of_which_the_disk_has_lost_bytes_end_no_backup_and_no_check() {
    // [SAFE485] [SAFE050] [SAFE023]
    let source = Installation::new(storage::testing::sqlite().await);
    let folder = tempfile::tempdir().unwrap();
    let owner = source.photographer().await;
    let (lost, kept) = (source.photo(owner, b"lost").await, source.photo(owner, b"kept").await);
    put_renditions(&source, [&lost.key, &kept.key]).await;
    source.files.lose(&lost.key);
    source.files.lose(&kept.key.sized(Size::Preview));
    let summary = source.backup(folder.path(), KEEP_ALL).await;
    assert_eq!(summary.problems, [Problem::OriginalChanged(lost.id, lost.key.clone())]);
    assert_eq!(summary.files, 6);
    let issues = checks::inspect(&source.context, &source.store).await.unwrap();
    assert_eq!(issues, [Issue::OriginalChanged(lost.id, lost.key.clone())]);

    let target = Installation::new(storage::testing::sqlite().await);
    assert_eq!(target.restore(folder.path(), None).await.unwrap().problems, []);
    assert_eq!(target.contents().await.len(), 6);
    assert_eq!(storage::photos::page(&target.context.db, None, 99).await.unwrap().len(), 2);
}

#[tokio::test]
async fn what_an_earlier_backup_has_of_a_lost_original_stays() {
    // [SAFE487]
    let source = Installation::new(storage::testing::sqlite().await);
    let folder = tempfile::tempdir().unwrap();
    let owner = source.photographer().await;
    let (lost, cut) = (source.photo(owner, b"lost").await, source.photo(owner, b"whole").await);
    put_renditions(&source, [&lost.key, &cut.key]).await;
    assert_eq!(source.backup(folder.path(), KEEP_ALL).await.problems, []);
    source.store.delete(&lost.key).await.unwrap();
    source.put(&cut.key, b"who").await;
    // Also where no snapshot of before is kept, and where the copies are read.
    for verify in [false, true] {
        let summary = source.backup(folder.path(), Options { keep: 1, verify }).await;
        assert_eq!(
            summary.problems,
            [
                Problem::OriginalMissing(lost.id, lost.key.clone()),
                Problem::OriginalChanged(cut.id, cut.key.clone())
            ]
        );
        assert_eq!(summary.files, 8);
        assert_eq!([copies(folder.path(), b"lost").len(), copies(folder.path(), b"whole").len()], [1, 1]);
    }
    let target = Installation::new(storage::testing::sqlite().await);
    assert_eq!(target.restore(folder.path(), None).await.unwrap().problems, []);
    let contents = target.contents().await;
    assert_eq!([&contents[&lost.key][..], &contents[&cut.key][..]], [&b"lost"[..], b"whole"]);
}

#[tokio::test]
async fn a_backup_that_is_restored_beside_the_store_in_use_sweeps_nothing_of_what_it_does_not_know() {
    // [SAFE486]
    for source in Installation::each().await {
        let folder = tempfile::tempdir().unwrap();
        let owner = source.photographer().await;
        source.photo(owner, b"first").await;
        stores::adopt(&source.context, &source.store).await.unwrap();
        source.backup(folder.path(), KEEP_ALL).await;
        let late = source.photo(owner, b"late").await;

        // The database is lost on the day of its backup, and its store is not.
        let mut target = Installation::new(storage::testing::sqlite().await);
        (target.store, target.files) = (source.store.clone(), source.files.clone());
        assert_eq!(target.restore(folder.path(), None).await.unwrap().problems, []);
        let older = Bond::Own { is_older: true };
        assert_eq!(stores::status(&target.context, &target.store).await.unwrap().bond, older);
        target.context.clock.advance(DAY * 2);
        let sweep = async || orphans::sweep_all(&target.context, &target.store).await.unwrap();
        assert_eq!(sweep().await, Sweep::NotOwn(older));
        assert_eq!(target.contents().await.len(), 8);

        stores::adopt(&target.context, &target.store).await.unwrap();
        assert_eq!(sweep().await, Sweep::Swept(4), "an operator has decided");
        assert!(!target.contents().await.contains_key(&late.key));
    }
}

#[tokio::test]
async fn a_damaged_copy_is_named_when_it_is_restored_and_replaced_when_it_is_verified() {
    // [SAFE226]
    let source = Installation::new(storage::testing::sqlite().await);
    let folder = tempfile::tempdir().unwrap();
    let photo = source.photo(source.photographer().await, b"bytes").await;
    source.backup(folder.path(), KEEP_ALL).await;
    let [copy] = &copies(folder.path(), b"bytes")[..] else { panic!("one copy") };
    std::fs::write(copy, b"bitss").unwrap();

    let target = Installation::new(storage::testing::sqlite().await);
    let damaged = target.restore(folder.path(), None).await.unwrap();
    assert_eq!(damaged.problems.len(), 4);
    assert!(damaged.problems.contains(&Problem::CopyDamaged(photo.key.clone())));
    assert!(target.contents().await.is_empty(), "what is damaged is not restored");

    let trusting = source.backup(folder.path(), KEEP_ALL).await;
    assert_eq!(trusting.copied, 0, "its size has not changed");
    let verified = source.backup(folder.path(), Options { verify: true, ..KEEP_ALL }).await;
    assert!(verified.copied > 0 && verified.problems.is_empty(), "{verified:?}");
    assert_eq!(std::fs::read(copy).unwrap(), b"bytes");

    let snapshot = folder.path().join("snapshots").join(&verified.snapshot);
    std::fs::write(snapshot.join("files.jsonl"), b"").unwrap();
    let target = Installation::new(storage::testing::sqlite().await);
    let text = refusal(target.restore(folder.path(), None).await);
    assert_eq!(text, format!("The snapshot {} is damaged; restore another one.", verified.snapshot));
}

#[tokio::test]
async fn an_interrupted_backup_or_restoration_is_run_again() {
    // [SAFE051]
    let source = Installation::new(storage::testing::sqlite().await);
    let folder = tempfile::tempdir().unwrap();
    let owner = source.photographer().await;
    for bytes in [&b"one"[..], b"two", b"three"] {
        source.photo(owner, bytes).await;
    }
    let whole = source.backup(folder.path(), KEEP_ALL).await;
    source.photo(owner, b"four").await;
    source.files.set_broken(true);
    assert!(backups::create(&source.context, &source.store, folder.path(), KEEP_ALL).await.is_err());
    source.files.set_broken(false);
    // The process died in the middle of a line.
    let index = folder.path().join("index.jsonl");
    let mut lines = std::fs::read(&index).unwrap();
    lines.truncate(lines.len() - 10);
    std::fs::write(&index, lines).unwrap();
    let target = Installation::new(storage::testing::sqlite().await);
    assert_eq!(target.restore(folder.path(), None).await.unwrap().snapshot, whole.snapshot);

    let next = source.backup(folder.path(), KEEP_ALL).await;
    assert_eq!((next.files, next.problems.len()), (16, 0));
    assert!(next.copied <= 5, "{} copied", next.copied);

    let target = Installation::new(storage::testing::sqlite().await);
    target.files.set_broken(true);
    assert!(target.restore(folder.path(), None).await.is_err());
    target.files.set_broken(false);
    assert!(storage::operations::snapshots::is_vacant(&target.context.db).await.unwrap(), "rows come last");
    target.restore(folder.path(), None).await.unwrap();
    assert_eq!(target.contents().await, source.contents().await);
}

#[tokio::test]
async fn old_snapshots_are_deleted_with_what_only_they_refer_to() {
    // [SAFE052]
    let source = Installation::new(storage::testing::sqlite().await);
    let folder = tempfile::tempdir().unwrap();
    let owner = source.photographer().await;
    let deleted = source.photo(owner, b"deleted").await;
    source.photo(owner, b"kept").await;
    let first = source.backup(folder.path(), KEEP_ALL).await;
    let mut tx = source.context.db.begin().await.unwrap();
    assert!(storage::testing::remove_photo(&mut tx, deleted.id).await);
    tx.commit().await.unwrap();
    source.backup(folder.path(), Options { keep: 2, verify: false }).await;
    assert_eq!(copies(folder.path(), b"deleted").len(), 1, "the first snapshot has it");
    source.backup(folder.path(), Options { keep: 2, verify: false }).await;
    assert_eq!(copies(folder.path(), b"deleted").len(), 0);
    assert_eq!(copies(folder.path(), b"kept").len(), 1);
    let target = Installation::new(storage::testing::sqlite().await);
    let text = refusal(target.restore(folder.path(), Some(&first.snapshot)).await);
    assert_eq!(text, format!("There is no snapshot {}.", first.snapshot));
}

#[tokio::test]
async fn no_whole_snapshot_makes_way_for_a_damaged_one() {
    // [SAFE300]
    let source = Installation::new(storage::testing::sqlite().await);
    let folder = tempfile::tempdir().unwrap();
    let owner = source.photographer().await;
    let deleted = source.photo(owner, b"deleted").await;
    let oldest = source.backup(folder.path(), KEEP_ALL).await.snapshot;
    let mut tx = source.context.db.begin().await.unwrap();
    assert!(storage::testing::remove_photo(&mut tx, deleted.id).await);
    tx.commit().await.unwrap();
    source.photo(owner, b"kept").await;
    let whole = source.backup(folder.path(), KEEP_ALL).await;
    let damaged = source.backup(folder.path(), KEEP_ALL).await.snapshot;
    let snapshots = folder.path().join("snapshots");
    std::fs::write(snapshots.join(&damaged).join("files.jsonl"), b"").unwrap();

    // The old one goes, but no bytes: the damaged one may refer to them.
    let keep = Options { keep: 2, verify: false };
    let next = source.backup(folder.path(), keep).await;
    assert_eq!(next.problems, [Problem::SnapshotDamaged(damaged.clone())]);
    assert!(next.problems[0].to_string().contains(&damaged));
    assert!(!snapshots.join(&oldest).exists());
    assert_eq!(copies(folder.path(), b"deleted").len(), 1);
    let target = Installation::new(storage::testing::sqlite().await);
    let restored = target.restore(folder.path(), Some(&whole.snapshot)).await.unwrap();
    assert_eq!((restored.files, restored.problems.len()), (whole.files, 0));

    // With two newer ones that are whole it is an old one itself.
    assert_eq!(source.backup(folder.path(), keep).await.problems, []);
    assert_eq!(copies(folder.path(), b"deleted").len(), 0);
    assert_eq!(copies(folder.path(), b"kept").len(), 1);
    assert_eq!(std::fs::read_dir(&snapshots).unwrap().count(), 2, "of a deletion nothing is left");
}

#[tokio::test]
async fn a_backup_makes_no_way_for_one_that_a_wrong_clock_has_named() {
    // [RUN377]
    let source = Installation::new(storage::testing::sqlite().await);
    let folder = tempfile::tempdir().unwrap();
    let owner = source.photographer().await;
    let keep = Options { keep: 1, verify: false };
    let day = Duration::from_secs(24 * 60 * 60);
    source.context.clock.advance(day);
    let future = source.backup(folder.path(), keep).await.snapshot;
    source.context.clock.set(source.context.clock.now().minus(day));
    source.photo(owner, b"new").await;
    let written = source.backup(folder.path(), keep).await;
    assert_eq!(written.problems, []);
    let names: Vec<_> = std::fs::read_dir(folder.path().join("snapshots")).unwrap().flatten().collect();
    assert_eq!(names.len(), 1, "the one of the future was the older one");
    assert_eq!(names[0].file_name().to_string_lossy(), written.snapshot);

    // Where it stays, whoever makes backups is told.
    source.context.clock.advance(day);
    let again = source.backup(folder.path(), KEEP_ALL).await.snapshot;
    assert!(again > written.snapshot && again > future);
    source.context.clock.set(source.context.clock.now().minus(day));
    let told = source.backup(folder.path(), KEEP_ALL).await.problems;
    assert_eq!(told, [Problem::SnapshotOfFuture(again.clone())]);
    assert!(told[0].to_string().contains(&again));
}

#[tokio::test]
async fn concurrent_backups_do_not_write_to_one_folder() {
    // [SAFE227]
    let source = Installation::new(storage::testing::sqlite().await);
    let folder = tempfile::tempdir().unwrap();
    source.backup(folder.path(), KEEP_ALL).await;
    let lock = std::fs::File::open(folder.path().join("lock")).unwrap();
    lock.lock().unwrap();
    let text = refusal(backups::create(&source.context, &source.store, folder.path(), KEEP_ALL).await);
    assert_eq!(text, format!("Another backup is being written to {}.", folder.path().display()));
    let nowhere = folder.path().join("nowhere");
    let text = refusal(source.restore(&nowhere, None).await);
    assert_eq!(text, format!("There is no backup in {}.", nowhere.display()));
}

#[tokio::test]
async fn the_log_of_a_restoration_that_was_killed_is_not_applied_to_another_snapshot() {
    // [SAFE343]
    let source = Installation::new(storage::testing::sqlite().await);
    let (folder, scratch) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let owner = source.photographer().await;
    source.photo(owner, b"first").await;
    let snapshot = source.backup(folder.path(), KEEP_ALL).await.snapshot;

    // What the killed one has left: the copy of a snapshot whose changes are in its log alone.
    let mut files = std::fs::read_dir(folder.path().join("snapshots").join(&snapshot)).unwrap();
    let database = files.find_map(|entry| {
        let path = entry.unwrap().path();
        std::fs::read(&path).unwrap().starts_with(b"SQLite format 3").then_some(path)
    });
    let killed = tempfile::tempdir().unwrap();
    let copy = killed.path().join("restore.sqlite");
    std::fs::copy(database.unwrap(), &copy).unwrap();
    let db = storage::operations::snapshots::open(&copy).await.unwrap();
    storage::testing::change(&db, "UPDATE users SET name = 'Overwritten'").await;
    for end in ["", "-wal", "-shm"] {
        let name = format!("restore.sqlite{end}");
        std::fs::copy(killed.path().join(&name), scratch.path().join(&name)).unwrap();
    }
    db.close().await;
    assert!(std::fs::metadata(scratch.path().join("restore.sqlite-wal")).unwrap().len() > 0);

    let target = Installation::new(storage::testing::sqlite().await);
    backups::restore(&target.context, &target.store, folder.path(), None, scratch.path()).await.unwrap();
    let names = async |installation: &Installation| -> Vec<String> {
        let users = storage::accounts::users::list(&installation.context.db).await.unwrap();
        users.into_iter().map(|user| user.name).collect()
    };
    assert_eq!(names(&target).await, names(&source).await);
}

#[tokio::test]
async fn a_restoration_that_ends_among_its_files_leaves_the_database_empty() {
    // [SAFE051]
    let source = Installation::new(storage::testing::sqlite().await);
    let folder = tempfile::tempdir().unwrap();
    let owner = source.photographer().await;
    source.photo(owner, b"one").await;
    source.backup(folder.path(), KEEP_ALL).await;
    let copy = copies(folder.path(), b"one").remove(0);
    // It leads to itself, so that it is there and cannot be read.
    std::fs::remove_file(&copy).unwrap();
    std::os::unix::fs::symlink(&copy, &copy).unwrap();
    let target = Installation::new(storage::testing::sqlite().await);
    assert!(target.restore(folder.path(), None).await.is_err());
    assert!(storage::operations::snapshots::is_vacant(&target.context.db).await.unwrap(), "rows come last");
    std::fs::remove_file(&copy).unwrap();
    std::fs::write(&copy, b"one").unwrap();
    target.restore(folder.path(), None).await.unwrap();
    assert_eq!(target.contents().await, source.contents().await);
}
