//! `afterglow check` on a service that was really damaged.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::harness::{Server, afterglow, picture, run, text, wait_for};

const NAMES: [&str; 3] = ["obama.jpg", "obama2.jpg", "biden.jpg"];

/// Serves until an event with three photos is indexed, and stops.
fn create_installation(folder: &Path) {
    let mut server = Server::start(folder, &["serve"]);
    let token = server.photographer();
    let event = serde_json::json!({"name": "Party", "date": "2026-11-14"});
    let event = server.json("/api/events/", &token, &event);
    let (id, slug) = (event["id"].as_str().unwrap(), event["slug"].as_str().unwrap());
    for name in NAMES {
        assert_eq!(server.upload(&token, id, &picture(name)).0, 201);
    }
    wait_for("the index", || {
        let event = server.get(&format!("/api/events/{slug}"), "");
        (event["indexing"]["indexed"] == 3).then_some(())
    });
    server.signal("-TERM");
    assert_eq!(server.end(), Some(0));
}

/// Every file of one size, sorted: the same place in two folders is the same photo.
fn files(folder: &Path, size: &str) -> Vec<PathBuf> {
    files_in(&folder.join("data/media").join(size))
}

fn files_in(folder: &Path) -> Vec<PathBuf> {
    let inside = |path: PathBuf| std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path());
    let mut all: Vec<PathBuf> = inside(folder.to_owned()).flat_map(inside).collect();
    all.sort();
    all
}

fn change(folder: &Path, statements: &[&str]) {
    let url = format!("sqlite://{}", folder.join("data/afterglow.db").display());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let db = storage::Db::connect(&url, storage::ConnectOptions::default()).await.unwrap();
        for statement in statements {
            storage::testing::change(&db, statement).await;
        }
        db.close().await;
    });
}

fn check(folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let output = run(folder, &[&["check"], arguments].concat());
    (output.status.code(), text(&output.stdout))
}

#[test]
fn check_finds_issues_and_repairs_what_can_be_repaired() {
    // [RUN010] [SAFE021] [SAFE022] [SAFE023] [SAFE024] [SAFE025] [SAFE026] [SAFE027]
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    create_installation(folder);
    let clean = (Some(0), String::from("Everything is as it must be.\n"));
    assert_eq!(check(folder, &[]), clean);

    let (originals, thumbnails) = (files(folder, "originals"), files(folder, "thumbnails"));
    let orphan = folder.join("data/media/originals/zz");
    std::fs::create_dir_all(&orphan).unwrap();
    let orphan = orphan.join("zzzz.jpg");
    std::fs::write(&orphan, b"of no photo").unwrap();
    let long_ago = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
    std::fs::File::options().write(true).open(&orphan).unwrap().set_modified(long_ago).unwrap();
    std::fs::remove_file(&thumbnails[0]).unwrap();
    change(
        folder,
        &[
            "UPDATE photos SET faces = faces + 7 WHERE id = (SELECT MIN(id) FROM photos)",
            "UPDATE photos SET status = 'processing' WHERE id = (SELECT MAX(id) FROM photos)",
            "UPDATE photos SET crc32 = 1 WHERE id = (SELECT MAX(id) FROM photos)",
            "UPDATE events SET photos_uploaded = 0, bytes_stored = bytes_stored + 1",
            "UPDATE users SET library_photos = 1, uploads_charged = uploads_charged + 1",
            "UPDATE jobs SET state = 'failed', last_error = 'no patience'
             WHERE id = (SELECT MIN(id) FROM jobs WHERE kind = 'send_verification')",
            "UPDATE jobs SET state = 'queued', lease = 'dead', leased_until = 1, finished_at = NULL
             WHERE id = (SELECT MIN(id) FROM jobs WHERE kind = 'index_photo')",
        ],
    );
    let (code, found) = check(folder, &[]);
    assert_eq!(code, Some(1), "{found}");
    for line in [
        "its number of faces is not the number of faces stored for it",
        "it waits for its indexing, and no job is about it",
        "its CRC-32 is not that of its bytes",
        "it has more photos than it counts uploads",
        "its counters are not what its photos count",
        "its library's counters are not what its photos count",
        "its number of charged uploads, or their price, is not what its ledger has",
        "(send_verification): it failed: no patience",
        "(index_photo): its worker has vanished, and no other has taken it over",
        "file originals/zzzz.jpg: it belongs to no photo",
    ] {
        assert_eq!(found.lines().filter(|found| found.ends_with(line)).count(), 1, "{line} in\n{found}");
    }
    let thumbnail = thumbnails[0].file_name().unwrap().to_str().unwrap();
    // Whose photo it is decides whether its index comes anyway.
    let is_reported = found.contains(&format!("thumbnails/{thumbnail} is not in the media store"));
    let (code, repaired) = check(folder, &["--repair"]);
    assert_eq!(code, Some(0), "{repaired}");
    assert_eq!(repaired.matches("[repaired]").count(), 10 + usize::from(is_reported), "{repaired}");
    assert_eq!(check(folder, &[]), clean);
    assert!(!orphan.exists());

    // A worker does what was queued again.
    change(
        folder,
        &["UPDATE jobs SET state = 'queued', attempts = 0, run_at = 0 WHERE kind = 'index_photo'"],
    );
    let mut worker = afterglow(folder).arg("worker").stderr(std::process::Stdio::null()).spawn().unwrap();
    wait_for("the thumbnail", || thumbnails[0].exists().then_some(()));
    worker.kill().unwrap();
    worker.wait().unwrap();
    assert_eq!(files(folder, "originals"), originals);
}

#[test]
fn missing_files_and_money_are_reported_and_not_repaired() {
    // [SAFE022] [SAFE023] [SAFE026]
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    create_installation(folder);
    let originals = files(folder, "originals");
    std::fs::remove_file(&originals[0]).unwrap();
    let mut bytes = std::fs::read(&originals[1]).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    std::fs::write(&originals[1], &bytes).unwrap();
    change(folder, &["UPDATE users SET credits = credits + 100"]);
    for arguments in [&[][..], &["--repair"], &[]] {
        let (code, found) = check(folder, arguments);
        assert_eq!(code, Some(1), "{found}");
        let verdict = if arguments.is_empty() { "" } else { " [left alone]" };
        for line in [
            "is not in the media store",
            "does not have the bytes that were uploaded",
            "the balance is 98.00, the ledger's sum is 97.00",
        ] {
            let line = format!("{line}{verdict}");
            assert_eq!(found.lines().filter(|found| found.ends_with(&line)).count(), 1, "{line} in\n{found}");
        }
        assert_eq!(found.lines().count(), 4, "{found}");
    }
    assert_eq!(std::fs::read(&originals[1]).unwrap(), bytes);
}

#[test]
fn a_recent_file_without_a_photo_is_no_issue() {
    // [SAFE021] [SAFE025] [SAFE063]
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    assert!(run(folder, &["migrate"]).status.success());
    assert!(run(folder, &["store", "adopt"]).status.success());
    let young = folder.join("data/media/originals/ab/abcd.jpg");
    std::fs::create_dir_all(young.parent().unwrap()).unwrap();
    std::fs::write(&young, b"perhaps on its way").unwrap();
    for arguments in [&["--repair"][..], &[]] {
        let (code, found) = check(folder, arguments);
        assert_eq!(code, Some(0), "{found}");
        assert!(
            found.contains("file originals/abcd.jpg: it belongs to no photo, and may be that of an upload")
        );
        assert!(found.contains("since it is younger than a day [no issue]\n"), "{found}");
    }
    assert!(young.exists());
}

#[test]
fn an_empty_database_does_not_write_to_a_store_with_files_until_it_is_adopted() {
    // [SAFE230]
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let long_ago = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
    for name in ["ab/abcd.jpg", "cd/cdef.jpg", "ef/efgh.jpg", "gh/ghjk.jpg", "jk/jklm.jpg"] {
        let file = folder.join("data/media/originals").join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, b"a photo").unwrap();
        std::fs::File::options().write(true).open(&file).unwrap().set_modified(long_ago).unwrap();
    }
    let reason = "The media store has files, and the database has no photos.";
    let refused = run(folder, &["--listen", "127.0.0.1:0", "serve"]);
    assert_eq!(refused.status.code(), Some(1));
    let said = text(&refused.stderr);
    assert!(said.contains(reason) && said.contains("nobody has registered with this one"), "{said}");
    let (code, found) = check(folder, &["--repair"]);
    assert_eq!(code, Some(1));
    assert!(found.contains(reason) && found.contains("belongs to no photo of this database [left alone]"));
    assert!(!run(folder, &["store", "sweep"]).status.success());
    assert_eq!(files(folder, "originals").len(), 5);

    assert!(text(&run(folder, &["store", "show"]).stdout).contains(reason));
    assert!(run(folder, &["store", "adopt"]).status.success());
    let (code, found) = check(folder, &["--repair"]);
    assert_eq!(code, Some(1), "{found}");
    assert!(found.contains("5 of 5 files in the media store belong to no photo"), "{found}");
    assert_eq!(files(folder, "originals").len(), 5);
    let swept = text(&run(folder, &["store", "sweep"]).stdout);
    assert_eq!(swept, "5 files were moved to the trash, where they stay for 14 days.\n");
    assert_eq!(check(folder, &[]), (Some(0), String::from("Everything is as it must be.\n")));
    assert_eq!(files(folder, "originals").len(), 0);
    assert_eq!(files_in(&folder.join("data/media/trash/originals")).len(), 5);
}

#[test]
fn a_receipt_of_a_deletion_is_verified_and_a_restored_backup_contradicts_it() {
    // [SAFE359]
    let folder = tempfile::tempdir().unwrap();
    let (folder, backup) = (folder.path(), folder.path().join("backup"));
    let mut server = Server::start(folder, &["serve"]);
    let token = server.photographer();
    let event = serde_json::json!({"name": "Party", "date": "2026-11-14"});
    let id = server.json("/api/events/", &token, &event)["id"].as_str().unwrap().to_owned();
    assert_eq!(server.upload(&token, &id, &picture(NAMES[0])).0, 201);
    let backup = backup.to_str().unwrap();
    assert!(run(folder, &["backup", backup]).status.success());
    server.delete(&format!("/api/events/{id}"), &token);
    let purge = format!("/api/events/{id}/purge");
    wait_for("the trash", || {
        let answer = server.call("POST", &purge, &token, "application/json", b"{}");
        (answer.0 < 300).then_some(())
    });
    let document = wait_for("the receipt", || {
        let listed = server.get("/api/auth/deletion-receipts", &token);
        Some(listed["receipts"][0]["document"].as_str()?.to_owned())
    });
    let (file, changed) = (folder.join("receipt.json"), folder.join("changed.json"));
    std::fs::write(&file, &document).unwrap();
    std::fs::write(&changed, document.replacen("\"photos\": 1", "\"photos\": 2", 1)).unwrap();
    let verify = |file: &Path| check(folder, &["--receipt", file.to_str().unwrap()]);
    let (code, told) = verify(&file);
    assert_eq!(code, Some(0), "{told}");
    for part in ["Removed: the event", " 1 photos", "A backup of 1 snapshots", "Nothing of it is here."] {
        assert!(told.contains(part), "{told}");
    }
    let (code, told) = verify(&changed);
    assert_eq!((code, told.contains("was changed since")), (Some(1), true), "{told}");
    assert_eq!(verify(&folder.join("missing.json")).0, Some(1));

    server.signal("-TERM");
    assert_eq!(server.end(), Some(0));
    assert!(run(folder, &["restore", backup, "--replace"]).status.success());
    let (code, told) = verify(&file);
    assert_eq!((code, told.contains("here again")), (Some(1), true), "{told}");
}
