//! Backups by the built binary, while it serves.

use serde_json::json;

use crate::harness::{Server, afterglow, picture, run, text, wait_for};

#[test]
fn a_restored_installation_serves_and_finds_what_the_first_one_did() {
    // [SAFE048] [SAFE049] [RUN077] [RUN078]
    let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let backup = other.path().join("backup");
    let server = Server::start(folder.path(), &["serve"]);
    let token = server.photographer();
    let event = server.json("/api/events/", &token, &json!({"name": "Party", "date": "2026-11-14"}));
    let (id, slug) = (event["id"].as_str().unwrap(), event["slug"].as_str().unwrap());
    for name in ["obama2.jpg", "biden.jpg"] {
        assert_eq!(server.upload(&token, id, &picture(name)).0, 201, "{name}");
    }
    wait_for("the index", || {
        (server.get(&format!("/api/events/{slug}"), "")["indexing"]["indexed"] == 2).then_some(())
    });
    let backup = backup.to_str().unwrap();
    let output = run(folder.path(), &["backup", backup]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains(": 8 files, 8 of them copied ("), "{}", text(&output.stdout));
    let again = run(folder.path(), &["backup", backup]);
    assert!(text(&again.stdout).contains(": 8 files, 0 of them copied ("), "{}", text(&again.stdout));
    let search = format!("/api/face/search/{slug}");
    let found = server.search(&search, "", &picture("obama.jpg"));
    let in_use = run(folder.path(), &["restore", backup]);
    assert_eq!(in_use.status.code(), Some(1));
    assert!(text(&in_use.stderr).contains("Stop `afterglow serve`"), "{}", text(&in_use.stderr));
    drop(server);
    let occupied = run(folder.path(), &["restore", backup]);
    assert_eq!(occupied.status.code(), Some(1));
    assert!(text(&occupied.stderr).contains("The database has accounts."), "{}", text(&occupied.stderr));

    let home = other.path().join("home");
    std::fs::create_dir(&home).unwrap();
    let restored = run(&home, &["restore", backup]);
    assert!(restored.status.success(), "{}", text(&restored.stderr));
    let checked = run(&home, &["check"]);
    assert!(checked.status.success(), "{}", text(&checked.stdout));
    let server = Server::start(&home, &["serve"]);
    assert_eq!(server.get("/api/subscription/credits", &token)["credits"], 98.0, "the session is there too");
    let (status, answer) = server.search(&search, "", &picture("obama.jpg"));
    assert_eq!((status, found.0), (200, 200), "{answer}");
    let names = |answer: &serde_json::Value| -> Vec<String> {
        let matches = answer["matches"].as_array().unwrap();
        matches.iter().map(|found| found["photo_id"].to_string()).collect()
    };
    assert_eq!(names(&answer).len(), 1, "{answer}");
    assert_eq!(names(&answer), names(&found.1));
    let output = afterglow(&home).args(["backup", backup, "--keep", "1", "--verify"]).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    let snapshots = std::fs::read_dir(other.path().join("backup/snapshots")).unwrap().count();
    assert_eq!(snapshots, 1);
}
