//! `afterglow demo`.

use std::path::Path;

use serde_json::json;

use crate::harness::{Server, picture, run, text, wait_for};

/// A small evening in the place of the one that tools/demo draws, which takes downloads of its own.
fn evening(folder: &Path) {
    std::fs::create_dir_all(folder.join("photos")).unwrap();
    for name in ["obama2.jpg", "obama3.jpg", "biden.jpg"] {
        std::fs::write(folder.join("photos").join(name), picture(name)).unwrap();
    }
    let description = json!({"inputs": "", "date": "2026-11-21", "people": ["Barack"]});
    std::fs::write(folder.join("event.json"), description.to_string()).unwrap();
}

/// The installations in the folder of temporary files, where the inference library leaves a file of its own.
fn installations(folder: &Path) -> usize {
    let names = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    names.filter(|name| name.to_string_lossy().starts_with("afterglow-demo-")).count()
}

/// What stands behind a word of what was printed.
fn after(printed: &str, word: &str) -> Option<String> {
    printed.split(word).nth(1)?.split_whitespace().next().map(str::to_owned)
}

#[test]
fn the_demo_serves_a_filled_event_and_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let (pictures, temporary) = (folder.path().join("pictures"), folder.path().join("tmp"));
    evening(&pictures);
    std::fs::create_dir(&temporary).unwrap();
    // Settings of an installation that it must not touch.
    std::fs::write(folder.path().join("afterglow.toml"), "database_url = \"sqlite:///nowhere/real.db\"\n")
        .unwrap();
    let settings = [("TMPDIR", temporary.to_str().unwrap()), ("AFTERGLOW_LOG", "info,sqlx=warn")];
    let mut server = Server::start_with(folder.path(), &["demo", pictures.to_str().unwrap()], &settings);
    let link = wait_for("the guests' link", || after(&server.printed(), "The guests' page"));
    let slug = link.rsplit('/').next().unwrap().to_owned();
    let printed = wait_for("the end of the text", || {
        let printed = server.printed();
        printed.contains("Ctrl-C").then_some(printed)
    });
    assert!(printed.contains('█') && printed.contains("3 photos") && printed.contains("Barack"), "{printed}");
    assert!(!printed.contains("/setup#"), "the account is there");
    assert_eq!(installations(&temporary), 1);

    let password = after(&printed, "mira@example.com, password").unwrap();
    let login = json!({"email": "mira@example.com", "password": password});
    assert!(server.json("/api/auth/login", "", &login)["token"].is_string());
    let (status, found) = server.search(&format!("/api/face/search/{slug}"), "", &picture("obama.jpg"));
    assert_eq!(status, 200, "{found}");
    assert_eq!(found["matches"].as_array().unwrap().len(), 2, "{found}");

    server.signal("-INT");
    assert_eq!(server.end(), Some(0));
    assert_eq!(installations(&temporary), 0, "it is removed");
}

#[test]
fn without_pictures_the_demo_says_how_to_get_some() {
    let folder = tempfile::tempdir().unwrap();
    let refused = run(folder.path(), &["demo"]);
    assert_eq!(refused.status.code(), Some(1));
    let said = text(&refused.stderr);
    assert!(
        said.contains(".cache/demo-pictures/event.json") && said.contains("make demo-pictures"),
        "{said}"
    );
    evening(&folder.path().join("pictures"));
    std::fs::remove_dir_all(folder.path().join("pictures/photos")).unwrap();
    assert!(text(&run(folder.path(), &["demo", "pictures"]).stderr).contains("pictures has no photos"));
}
