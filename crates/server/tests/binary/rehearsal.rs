//! A loss, rehearsed: what was backed up while photos came in is restored after everything is gone, and compared.

use std::path::Path;
use std::process::Output;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use serde_json::{Value, json};
use storage::operations::{moving, snapshots};
use storage::{ConnectOptions, Db};

use crate::harness::{Server, afterglow, picture, text, wait_for};

/// Another picture with each number: a comment before the first segment.
fn numbered(picture: &[u8], number: usize) -> Vec<u8> {
    let comment = format!("photo {number}");
    let length = u16::try_from(comment.len() + 2).unwrap().to_be_bytes();
    [&picture[..2], &[0xFF, 0xFE], &length, comment.as_bytes(), &picture[2..]].concat()
}

fn afterglow_with(folder: &Path, settings: &[(&str, &str)], arguments: &[&str]) -> Output {
    afterglow(folder).envs(settings.iter().copied()).args(arguments).output().unwrap()
}

fn succeeded(output: Output) -> String {
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout)
}

/// Whether a database has the rows of the snapshot that it was restored from.
fn assert_same_rows(runtime: &tokio::runtime::Runtime, url: &str, snapshot: &Path, scratch: &Path) {
    runtime.block_on(async {
        let copy = scratch.join("compared.sqlite");
        std::fs::copy(snapshot.join("database.sqlite"), &copy).unwrap();
        let expected = snapshots::open(&copy).await.unwrap();
        moving::release_leases(&expected).await.unwrap();
        let restored = Db::connect(url, ConnectOptions::default()).await.unwrap();
        let (expected_rows, found) = (
            moving::contents(&expected, &expected).await.unwrap(),
            moving::contents(&restored, &expected).await.unwrap(),
        );
        assert_eq!(found, expected_rows);
        assert!(expected_rows.iter().any(|table| table.table == "photos" && table.rows > 0));
        expected.close().await;
        restored.close().await;
    });
}

/// Fills an installation, backs it up while photos come in, restores it elsewhere, and looks for everything.
fn rehearse(url: &str, elsewhere: &str, home: &Path, other: &Path, is_file: bool) {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let settings = [("AFTERGLOW_DATABASE_URL", url)];
    let server = Server::start_with(home, &["serve"], &settings);
    let token = server.photographer();
    let event = server.json("/api/events/", &token, &json!({"name": "Party", "date": "2026-11-14"}));
    let (id, slug) = (event["id"].as_str().unwrap(), event["slug"].as_str().unwrap());
    let (small, backup) = (picture("obama.jpg"), other.join("backup"));
    let backup = backup.to_str().unwrap();
    for number in 0..3 {
        assert_eq!(server.upload(&token, id, &numbered(&small, number)).0, 201);
    }
    // Photos come in from here to the end of the backup.
    let (is_over, acknowledged) = (AtomicBool::new(false), AtomicUsize::new(3));
    let before = std::thread::scope(|threads| {
        threads.spawn(|| {
            for number in 3.. {
                if is_over.load(Ordering::SeqCst) {
                    break;
                }
                assert_eq!(server.upload(&token, id, &numbered(&small, number)).0, 201);
                acknowledged.fetch_add(1, Ordering::SeqCst);
            }
        });
        let before =
            wait_for("uploads", || Some(acknowledged.load(Ordering::SeqCst)).filter(|so_far| *so_far > 4));
        succeeded(afterglow_with(home, &settings, &["backup", backup]));
        is_over.store(true, Ordering::SeqCst);
        before
    });
    let all = acknowledged.load(Ordering::SeqCst);
    assert!(all > before, "photos came in meanwhile");
    wait_for("the index", || {
        let indexing = server.get(&format!("/api/events/{slug}"), "")["indexing"].clone();
        (indexing["indexed"] == all).then_some(())
    });
    let search = format!("/api/face/search/{slug}");
    let matches = |answer: &Value| answer["matches"].as_array().unwrap().len();
    let found = matches(&server.search(&search, "", &small).1);
    assert_eq!(found, all);
    let again = succeeded(afterglow_with(home, &settings, &["backup", backup]));
    assert!(again.contains("files"), "{again}");
    drop(server);

    // Everything is gone, but for the backup.
    std::fs::remove_dir_all(home.join("data")).unwrap();
    let mut names: Vec<_> = std::fs::read_dir(other.join("backup/snapshots"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    names.sort();
    let [during, after] = &names[..] else { panic!("two snapshots: {names:?}") };
    let rebuilt = other.join("rebuilt");
    std::fs::create_dir(&rebuilt).unwrap();
    let settings = [("AFTERGLOW_DATABASE_URL", elsewhere)];
    let during_name = during.file_name().unwrap().to_str().unwrap();
    let restored = afterglow_with(&rebuilt, &settings, &["restore", backup, "--snapshot", during_name]);
    succeeded(restored);
    assert_same_rows(&runtime, elsewhere, during, other);
    // Every original is read and compared with the hash in its row.
    succeeded(afterglow_with(&rebuilt, &settings, &["check", "--repair"]));
    let server = Server::start_with(&rebuilt, &["serve"], &settings);
    let photos = server.get(&format!("/api/events/{slug}"), "")["indexing"]["total"].as_u64();
    let has = usize::try_from(photos.unwrap()).unwrap();
    assert!(
        (before..=all).contains(&has),
        "{before} photos were acknowledged before, {has} are there, {all} in all"
    );
    wait_for("the index", || {
        (server.get(&format!("/api/events/{slug}"), "")["indexing"]["indexed"] == has).then_some(())
    });
    assert_eq!(matches(&server.search(&search, "", &small).1), has);
    let refused = afterglow_with(&rebuilt, &settings, &["restore", backup, "--replace"]);
    assert!(
        text(&refused.stderr).contains("Another process has the database open."),
        "{}",
        text(&refused.stderr)
    );
    drop(server);
    if !is_file {
        // PostgreSQL notices a moment later that its client is gone.
        wait_for("the refusal", || {
            let refused = afterglow_with(&rebuilt, &settings, &["restore", backup, "--replace"]);
            text(&refused.stderr).contains("without --replace").then_some(())
        });
        return;
    }

    // The later one takes the place of what was restored before, which is moved aside.
    let refused = afterglow_with(&rebuilt, &settings, &["restore", backup]);
    assert!(text(&refused.stderr).contains("The database has accounts."), "{}", text(&refused.stderr));
    let said = succeeded(afterglow_with(&rebuilt, &settings, &["restore", backup, "--replace"]));
    assert!(said.contains(&format!("Moved {}", elsewhere.strip_prefix("sqlite://").unwrap())), "{said}");
    assert!(said.contains("/media.replaced-"), "{said}");
    assert_same_rows(&runtime, elsewhere, after, other);
    let server = Server::start_with(&rebuilt, &["serve"], &settings);
    assert_eq!(matches(&server.search(&search, "", &small).1), all);
}

#[test]
fn a_loss_of_everything_is_rehearsed_on_sqlite() {
    // [SAFE214] [SAFE216] [SAFE218]
    let (home, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let url = |folder: &Path| format!("sqlite://{}", folder.join("data/afterglow.db").display());
    let elsewhere = url(&other.path().join("rebuilt"));
    rehearse(&url(home.path()), &elsewhere, home.path(), other.path(), true);
}

#[test]
fn a_loss_of_everything_is_rehearsed_on_postgresql() {
    // [SAFE214] [SAFE218]
    let (home, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let (first, second) =
        runtime.block_on(async { (storage::testing::postgres().await, storage::testing::postgres().await) });
    // The handles of the test itself count as processes.
    runtime.block_on(async {
        first.db.close().await;
        second.db.close().await;
    });
    rehearse(&first.url, &second.url, home.path(), other.path(), false);
}
