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

/// Two events for which the folder says more, with selfies.
fn evenings(folder: &Path) {
    let wedding = folder.join("wedding");
    evening(&wedding);
    let description = json!({
        "name": "Anna & Jonas",
        "date": "2026-11-01",
        "description": "In the garden.",
        "people": ["Barack", "Joe"],
        "albums": [{"name": "Dinner", "photos": ["obama2.jpg", "biden.jpg"]}, {"name": "Dance", "photos": ["obama3.jpg"]}],
        "cover": "obama3.jpg",
        "question": "May we print this one?",
        "wants_to_be_removed": "Joe",
    });
    std::fs::write(wedding.join("event.json"), description.to_string()).unwrap();
    let run = folder.join("run");
    std::fs::create_dir_all(run.join("photos")).unwrap();
    std::fs::write(run.join("photos/obama.jpg"), picture("obama.jpg")).unwrap();
    let description = json!({"name": "City run", "date": "2026-11-02", "people": ["Barack"]});
    std::fs::write(run.join("event.json"), description.to_string()).unwrap();
    std::fs::create_dir_all(folder.join("selfies")).unwrap();
    for (person, file) in [("Barack", "obama.jpg"), ("Joe", "biden.jpg")] {
        std::fs::write(folder.join(format!("selfies/{person}.jpg")), picture(file)).unwrap();
    }
    std::fs::write(folder.join("event.json"), json!({"events": ["wedding", "run"]}).to_string()).unwrap();
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
fn each_part_of_the_events_of_a_demo_has_something_to_look_at() {
    let folder = tempfile::tempdir().unwrap();
    let (pictures, temporary) = (folder.path().join("pictures"), folder.path().join("tmp"));
    evenings(&pictures);
    std::fs::create_dir(&temporary).unwrap();
    let settings = [("TMPDIR", temporary.to_str().unwrap()), ("AFTERGLOW_LOG", "info,sqlx=warn")];
    let server = Server::start_with(folder.path(), &["demo", pictures.to_str().unwrap()], &settings);
    let printed = wait_for("the end of the text", || {
        let printed = server.printed();
        printed.contains("Ctrl-C").then_some(printed)
    });
    assert_eq!(printed.matches("The guests' page").count(), 2, "{printed}");
    assert!(
        printed.contains("Anna & Jonas: 3 photos") && printed.contains("City run: 1 photos"),
        "{printed}"
    );
    assert!(!printed.contains("Joe"), "his selfie finds nothing any more: {printed}");

    let password = after(&printed, "mira@example.com, password").unwrap();
    let login = json!({"email": "mira@example.com", "password": password});
    let token = server.json("/api/auth/login", "", &login)["token"].as_str().unwrap().to_owned();
    let slug = after(&printed, "The guests' page").unwrap().rsplit('/').next().unwrap().to_owned();
    let wedding = server.get(&format!("/api/events/{slug}"), "");
    assert_eq!(wedding["name"], "Anna & Jonas", "{wedding}");
    let id = wedding["id"].as_str().unwrap();

    let albums = server.get(&format!("/api/events/{id}/albums"), &token);
    let names: Vec<_> =
        albums["albums"].as_array().unwrap().iter().map(|album| album["name"].clone()).collect();
    assert_eq!(names, ["Dinner", "Dance"]);
    let browsed = server.get(&format!("/api/face/photos/{slug}"), "");
    assert_eq!(browsed["total"], 3, "{browsed}");

    // Guests came on the ten days from the event's on, and today.
    let statistics = server.get(&format!("/api/events/{id}/statistics"), &token);
    let days = statistics["days"].as_array().unwrap();
    assert_eq!(days.iter().filter(|day| day["visits"].as_i64().unwrap() > 5).count(), 10, "{statistics}");
    assert_eq!(days[0]["date"], "2026-11-01");
    let today = days.last().unwrap();
    assert_eq!((today["visits"].as_i64(), today["searches"].as_i64()), (Some(2), Some(2)), "{today}");
    assert_eq!(today["downloads"], 3, "{today}");
    assert!(today["hearts"].as_i64().unwrap() > 0, "{today}");

    let objections = server.get("/api/objections", &token);
    let objections = objections["objections"].as_array().unwrap();
    assert_eq!(objections.len(), 1, "{objections:?}");
    assert_eq!(objections[0]["choice"], "stop_finding", "{objections:?}");
    let installation = std::fs::read_dir(&temporary).unwrap().map(|entry| entry.unwrap().path());
    let installation =
        installation.into_iter().find(|path| path.to_string_lossy().contains("afterglow-demo-")).unwrap();
    wait_for("the guest's question", || {
        let mails = std::fs::read_dir(installation.join("outbox")).ok()?.filter_map(Result::ok);
        let mails = mails.filter_map(|mail| std::fs::read_to_string(mail.path()).ok());
        mails.into_iter().find(|mail| mail.contains("May we print this one?"))
    });
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
