//! A byte of a stored original changes while the service runs.

use std::path::{Path, PathBuf};

use serde_json::json;

use crate::harness::{Server, fetch, picture, run, text, wait_for};

/// The only original of an installation.
fn original(folder: &Path) -> PathBuf {
    let shards = std::fs::read_dir(folder.join("data/media/originals")).unwrap();
    let mut files = shards.flat_map(|shard| std::fs::read_dir(shard.unwrap().path()).unwrap());
    files.next().unwrap().unwrap().path()
}

/// CRC-32 as ZIP files have it (ITU-T V.42).
fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32, _| if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 };
    !bytes.iter().fold(u32::MAX, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), step))
}

/// Whether the one file of a ZIP has the checksum that its directory says (APPNOTE 4.3.12).
fn is_whole(zip: &[u8]) -> bool {
    let number = |at: usize, bytes: usize| {
        zip[at..at + bytes].iter().rev().fold(0, |number, byte| number << 8 | usize::from(*byte))
    };
    let directory = zip.windows(4).rposition(|window| window == b"PK\x01\x02").unwrap();
    let (crc, size, local) =
        (number(directory + 16, 4), number(directory + 20, 4), number(directory + 42, 4));
    let start = local + 30 + number(local + 26, 2) + number(local + 28, 2);
    usize::try_from(crc32(&zip[start..start + size])).unwrap() == crc
}

#[test]
fn a_byte_that_changes_in_a_stored_original_is_found_and_put_right_by_its_upload() {
    // [UPL210] [SAFE022]
    assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let server = Server::start(folder, &["serve"]);
    let token = server.photographer();
    let event = server.json("/api/events/", &token, &json!({"name": "Party", "date": "2026-11-14"}));
    let (id, slug) = (event["id"].as_str().unwrap(), event["slug"].as_str().unwrap());
    let photo = picture("obama.jpg");
    assert_eq!(server.upload(&token, id, &photo).0, 201);
    wait_for("the index", || {
        (server.get(&format!("/api/events/{slug}"), "")["indexing"]["indexed"] == 1).then_some(())
    });
    let found = || {
        let (status, found) = server.search(&format!("/api/face/search/{slug}"), "", &photo);
        assert_eq!((status, found["matches"].as_array().unwrap().len()), (200, 1), "{found}");
        found["download_token"].as_str().unwrap().to_owned()
    };
    let zip = |token: &str| {
        let (status, zip) = fetch(&server.address, &format!("/api/face/download/{token}.zip"));
        assert_eq!(status, 200);
        zip
    };
    assert!(is_whole(&zip(&found())));

    let path = original(folder);
    let mut damaged = std::fs::read(&path).unwrap();
    assert_eq!(damaged, photo);
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    std::fs::write(&path, &damaged).unwrap();
    // The photo is found as before, and whoever unpacks it is told.
    assert!(!is_whole(&zip(&found())));
    let checked = run(folder, &["check"]);
    assert_eq!(checked.status.code(), Some(1));
    let said = text(&checked.stdout);
    assert!(said.contains("does not have the bytes that were uploaded"), "{said}");

    // Nobody who still has the file is told that it is there.
    let known = |hash: &str| {
        server.json("/api/photos/known", &token, &json!({"event_id": id, "hashes": [hash]}))["known"].clone()
    };
    let hash = blake3::hash(&photo).to_hex().to_string();
    assert_eq!(known(&hash), json!([]));
    let (status, again) = server.upload(&token, id, &photo);
    assert_eq!((status, &again["duplicate"]), (200, &json!(true)), "{again}");
    assert_eq!(std::fs::read(&path).unwrap(), photo);
    assert_eq!(known(&hash), json!([hash]));
    assert!(is_whole(&zip(&found())));
    assert!(run(folder, &["check"]).status.success());
}
