//! Backups by the built binary, while it serves.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

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

#[test]
fn where_a_disk_is_not_mounted_no_command_begins_anew_and_no_backup_makes_way() {
    // [SAFE494] [SAFE495]
    let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (data, away) = (folder.path().join("data"), other.path().join("away"));
    let (backup, own) = (other.path().join("backup"), other.path().join("own"));
    let (backup, own) = (backup.to_str().unwrap(), own.to_str().unwrap());
    let made = run(folder.path(), &["user", "create", "meera@example.com", "--generate"]);
    assert!(made.status.success(), "{}", text(&made.stderr));
    let keeps_one = |folder: &Path, backup: &str| run(folder, &["backup", backup, "--keep", "1"]);
    let first = keeps_one(folder.path(), backup);
    assert!(first.status.success(), "{}", text(&first.stderr));
    let snapshots = || {
        let entries = std::fs::read_dir(other.path().join("backup/snapshots")).unwrap();
        entries.map(|entry| entry.unwrap().file_name()).collect::<Vec<_>>()
    };
    let kept = snapshots();
    assert_eq!(kept.len(), 1);

    std::fs::rename(&data, &away).unwrap();
    for command in [
        &["backup", backup, "--keep", "1"][..],
        &["check"],
        &["status"],
        &["user", "list"],
        &["user", "password", "meera@example.com", "--generate"],
        &["coupon", "create", "X", "--percent", "10"],
        &["credits", "grant", "meera@example.com", "1"],
        &["payment", "refunds"],
        &["store", "adopt"],
        &["clock", "show"],
        &["event", "list"],
        &["job", "list"],
        &["consents"],
        &["migrate-to", "--database", "postgres:///none?host=/nowhere", "--media", "file://other"],
    ] {
        let refused = run(folder.path(), command);
        let said = text(&refused.stderr);
        assert_eq!(refused.status.code(), Some(1), "{command:?}: {said}");
        for words in ["There is no database ./data/", "`data_dir`", "`afterglow serve`"] {
            assert!(said.contains(words), "{command:?}: {said}");
        }
        assert!(!data.exists(), "{command:?} has made something");
    }
    // Those that may come first heed the setting for it.
    for command in [&["migrate"][..], &["user", "create", "ravi@example.com", "--generate"]] {
        let strict = afterglow(folder.path()).env("AFTERGLOW_BEGIN_EMPTY", "off").args(command).output();
        let strict = strict.unwrap();
        assert_eq!(strict.status.code(), Some(1), "{command:?}");
        assert!(text(&strict.stderr).contains("was never used"), "{}", text(&strict.stderr));
        assert!(!data.exists(), "{command:?} has made something");
    }

    // A service has begun anew there.
    assert!(run(folder.path(), &["migrate"]).status.success());
    let refused = keeps_one(folder.path(), backup);
    let said = text(&refused.stderr);
    assert_eq!(refused.status.code(), Some(1), "{said}");
    assert!(said.contains("The database has no accounts, and ") && said.contains(backup), "{said}");
    assert_eq!(snapshots(), kept);
    for _ in 0..2 {
        let backed_up = keeps_one(folder.path(), own);
        assert!(backed_up.status.success(), "{}", text(&backed_up.stderr));
    }
    std::fs::remove_dir_all(&data).unwrap();
    std::fs::rename(&away, &data).unwrap();
    let next = keeps_one(folder.path(), backup);
    assert!(next.status.success(), "{}", text(&next.stderr));
    assert_ne!(snapshots(), kept);
}

/// Copies a folder with all that is below it.
fn copy(from: &Path, to: &Path) {
    std::fs::create_dir(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().map(|entry| entry.unwrap()) {
        let (path, to) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            copy(&path, &to);
        } else {
            std::fs::copy(&path, &to).unwrap();
        }
    }
}

#[test]
fn a_restoration_that_is_killed_anywhere_is_noticed_and_gone_on_with() {
    // [SAFE302] [SAFE216] [SAFE301]
    let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let backup = other.path().join("backup");
    let backup = backup.to_str().unwrap();
    let server = Server::start(folder.path(), &["serve"]);
    let token = server.photographer();
    let event = server.json("/api/events/", &token, &json!({"name": "Party", "date": "2026-11-14"}));
    let id = event["id"].as_str().unwrap();
    assert_eq!(server.upload(&token, id, &picture("obama2.jpg")).0, 201);
    assert!(run(folder.path(), &["backup", backup]).status.success());
    // It is in the data that is replaced, and in the log of a database whose process was killed.
    assert_eq!(server.upload(&token, id, &picture("biden.jpg")).0, 201);
    drop(server);
    let data = |home: &Path| home.join("data");
    assert!(data(folder.path()).join("afterglow.db-wal").exists());
    let homes = tempfile::tempdir().unwrap();
    let count = |home: &Path| {
        let status = run(home, &["status"]);
        assert!(status.status.success(), "{}", text(&status.stderr));
        let status = text(&status.stdout);
        let line = status.lines().find_map(|line| line.strip_prefix("photos: ")).unwrap();
        line.split(' ').next().unwrap().parse::<u64>().unwrap()
    };
    let take_away = |home: &Path| {
        std::fs::remove_dir_all(data(home).join("media")).unwrap();
        for end in ["", "-wal", "-shm"] {
            let file = data(home).join(format!("afterglow.db{end}"));
            if file.exists() {
                std::fs::remove_file(file).unwrap();
            }
        }
    };
    let restored = |home: &Path| {
        let output = run(home, &["restore", backup, "--replace"]);
        assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
        assert_eq!(count(home), 1);
        assert!(run(home, &["check"]).status.success());
        text(&output.stdout)
    };
    let replaced = |home: &Path, name: &str| -> Vec<std::path::PathBuf> {
        let entries = std::fs::read_dir(data(home)).unwrap().map(|entry| entry.unwrap());
        let of = format!("{name}.replaced-");
        let named = |name: &str| name.starts_with(&of) && !name.ends_with("-wal") && !name.ends_with("-shm");
        entries.filter(|entry| named(entry.file_name().to_str().unwrap())).map(|entry| entry.path()).collect()
    };

    // Before each of the moves, and behind the last.
    for steps in 0..=2 {
        let home = homes.path().join(format!("killed-{steps}"));
        copy(folder.path(), &home);
        assert_eq!(count(&home), 2);
        let moves = ["media", "afterglow.db"]
            .map(|name| (data(&home).join(name), data(&home).join(format!("{name}.replaced-then"))));
        let journal = data(&home).join("restoring.json");
        std::fs::write(&journal, json!({"moves": moves}).to_string()).unwrap();
        // A restoration folds the database's log into it first; here the log goes along.
        let relocate = |from: &Path, to: &Path| {
            let log = |path: &Path| std::path::PathBuf::from(format!("{}-wal", path.display()));
            if log(from).exists() {
                std::fs::rename(log(from), log(to)).unwrap();
            }
            std::fs::rename(from, to).unwrap();
        };
        for (from, to) in moves.iter().take(steps) {
            relocate(from, to);
        }
        for command in [&["serve"][..], &["worker"], &["check"], &["restore", backup]] {
            let refused =
                afterglow(&home).env("AFTERGLOW_LISTEN", "127.0.0.1:0").args(command).output().unwrap();
            assert_eq!(refused.status.code(), Some(1), "{command:?}");
            let told = text(&refused.stderr);
            assert!(told.contains("Run `afterglow restore FOLDER --replace` again"), "{command:?}: {told}");
        }
        let examined = run(&home, &["doctor"]);
        assert_eq!(examined.status.code(), Some(1));
        let told = text(&examined.stdout);
        assert!(told.contains("A restoration was interrupted."), "{told}");
        assert_eq!(data(&home).join("afterglow.db").exists(), steps < 2, "nothing is made in its place");
        assert_eq!(restored(&home).matches("Moved ").count(), 2 - steps);
        assert!(!journal.exists());
        assert_eq!(replaced(&home, "media").len(), 1);
        assert_eq!(replaced(&home, "afterglow.db"), [data(&home).join("afterglow.db.replaced-then")]);

        // What was there can be put back.
        take_away(&home);
        for (from, to) in &moves {
            relocate(to, from);
        }
        assert_eq!(count(&home), 2);
    }

    // Whenever the process is killed.
    let home = homes.path().join("killed");
    copy(folder.path(), &home);
    for number in 0..8 {
        let mut killed = afterglow(&home)
            .args(["restore", backup, "--replace"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(number * 40));
        killed.kill().unwrap();
        killed.wait().unwrap();
    }
    restored(&home);
    // The oldest of the databases that were moved is that of before.
    let mut old = replaced(&home, "afterglow.db");
    old.sort();
    let first = &old[0];
    take_away(&home);
    std::fs::rename(first, data(&home).join("afterglow.db")).unwrap();
    assert_eq!(count(&home), 2);
}
