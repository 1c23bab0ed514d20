//! What must stay nowhere: a selfie.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod harness;

use std::path::Path;

use harness::{Server, afterglow, picture, wait_for};

/// Random enough to be found nowhere by chance, and no picture's bytes.
const MARK: &[u8] = b"selfie-mark-8f1c5e0a77d24b9d";

/// Every file below `folder`, with its bytes.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            let bytes = std::fs::read(&path).unwrap();
            found.push((path.display().to_string(), bytes));
        }
    }
    found
}

fn holds(bytes: &[u8], mark: &[u8]) -> bool {
    bytes.windows(mark.len()).any(|window| window == mark)
}

#[test]
fn a_selfie_is_in_no_file_no_table_and_no_log_line_after_the_answer() {
    // [SAFE001] [SAFE002]
    let folder = tempfile::tempdir().unwrap();
    let scratch = folder.path().join("scratch");
    std::fs::create_dir(&scratch).unwrap();
    let mut command = afterglow(folder.path());
    command.env("AFTERGLOW_LOG", "trace").env("TMPDIR", &scratch).arg("serve");
    let mut server = Server::of(folder.path(), command);
    let token = server.photographer();
    let event = serde_json::json!({"name": "Party", "date": "2026-11-14"});
    let event = server.json("/api/events/", &token, &event);
    let (id, slug) = (event["id"].as_str().unwrap(), event["slug"].as_str().unwrap());
    // The photo has a mark of its own, which shows that marks are found where they are.
    let photo = [picture("obama2.jpg"), b"photo-mark".to_vec()].concat();
    assert_eq!(server.upload(&token, id, &photo).0, 201);
    wait_for("the index", || {
        let event = server.get(&format!("/api/events/{slug}"), "");
        (event["indexing"]["indexed"] == 1).then_some(())
    });
    // What follows the end of a JPEG is not looked at, and travels with it wherever it goes.
    let selfie = [picture("obama.jpg"), MARK.to_vec()].concat();
    for path in [format!("/api/face/search/{slug}"), String::from("/api/face/search")] {
        let (status, found) = server.search(&path, &token, &selfie);
        assert_eq!((status, found["matches"].as_array().map(Vec::len)), (200, Some(1)), "{found}");
    }
    let torn = [&picture("obama.jpg")[..5_000], MARK].concat();
    assert_eq!(server.search(&format!("/api/face/search/{slug}"), "", &torn).0, 400);

    // Looked at while the server runs, and again when it has written everything down.
    for running in [true, false] {
        let files = files(folder.path());
        assert!(files.iter().any(|(path, bytes)| path.contains("originals") && holds(bytes, b"photo-mark")));
        assert!(files.iter().any(|(path, _)| path.ends_with("afterglow.db")));
        // The beginning of the picture itself would do as well as the mark behind it.
        for mark in [MARK, &picture("obama.jpg")[20_000..20_100]] {
            let held: Vec<&String> =
                files.iter().filter(|(_, bytes)| holds(bytes, mark)).map(|(path, _)| path).collect();
            assert!(held.is_empty(), "{held:?}");
        }
        if running {
            server.signal("-TERM");
            assert_eq!(server.end(), Some(0));
        }
    }
    let log = server.log();
    assert!(log.contains("/api/face/search"), "the log was read");
    let mark = std::str::from_utf8(MARK).unwrap();
    let numbers = format!("{:?}", &MARK[..8]);
    for form in [mark, "c2VsZmllLW1hcms", "73656c6669652d6d61726b", numbers.trim_matches(['[', ']'])] {
        assert!(!log.contains(form), "{form} is in the log");
    }
}
