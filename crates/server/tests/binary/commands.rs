//! Commands, settings, signals, a kill in the middle.

use std::net::TcpStream;
use std::process::Stdio;

use crate::harness::{Server, afterglow, picture, root, run, text, wait_for};

#[test]
fn every_verb_answers_help() {
    // [RUN019]
    let folder = tempfile::tempdir().unwrap();
    for verb in [
        &["--help"][..],
        &["serve", "--help"],
        &["worker", "--help"],
        &["migrate", "--help"],
        &["config", "--help"],
        &["completions", "--help"],
        &["demo", "--help"],
        &["manual", "--help"],
        &["openapi", "--help"],
        &["check", "--help"],
        &["doctor", "--help"],
        &["healthcheck", "--help"],
        &["faces", "--help"],
        &["faces", "index", "--help"],
        &["faces", "search", "--help"],
        &["faces", "evaluate", "--help"],
        &["coupon", "create", "--help"],
        &["coupon", "list", "--help"],
        &["consents", "--help"],
        &["credits", "grant", "--help"],
        &["user", "list", "--help"],
        &["user", "verify", "--help"],
        &["user", "logout", "--help"],
        &["user", "create", "--help"],
        &["user", "password", "--help"],
        &["user", "admin", "--help"],
        &["mail", "test", "--help"],
        &["payment", "refunds", "--help"],
        &["payment", "compare", "--help"],
        &["backup", "--help"],
        &["restore", "--help"],
    ] {
        let output = run(folder.path(), verb);
        assert!(output.status.success(), "{verb:?}");
        assert!(text(&output.stdout).contains("Usage:"), "{verb:?}");
    }
    assert!(!run(folder.path(), &["nonsense"]).status.success());
}

#[test]
fn config_prints_every_setting_with_its_default() {
    // [RUN008]
    let folder = tempfile::tempdir().unwrap();
    let output =
        afterglow(folder.path()).env("AFTERGLOW_RETENTION_DAYS", "7").arg("config").output().unwrap();
    let printed = text(&output.stdout);
    for line in [
        "AFTERGLOW_LISTEN",
        "Address to listen on; port 0 picks one and the log says which.",
        "default: 127.0.0.1:8080",
        "AFTERGLOW_DATABASE_URL",
        "AFTERGLOW_RETENTION_DAYS",
        "now: 7",
    ] {
        assert!(printed.contains(line), "{line} is not in\n{printed}");
    }
}

#[test]
fn an_unknown_setting_refuses_to_start_and_is_named() {
    // [RUN021] [RUN022]
    let folder = tempfile::tempdir().unwrap();
    let output = afterglow(folder.path()).env("AFTERGLOW_COLOUR", "red").arg("serve").output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("AFTERGLOW_COLOUR"), "{}", text(&output.stderr));
    std::fs::write(folder.path().join("afterglow.toml"), "colour = \"red\"").unwrap();
    let output = run(folder.path(), &["serve"]);
    assert!(text(&output.stderr).contains("`colour`"), "{}", text(&output.stderr));
}

#[test]
fn a_missing_model_pack_is_one_sentence_that_says_the_command() {
    let folder = tempfile::tempdir().unwrap();
    let output = afterglow(folder.path())
        .env("AFTERGLOW_MODEL_DIR", "nowhere")
        .args(["--listen", "127.0.0.1:0", "serve"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stderr);
    let last = said.trim_end().lines().last().unwrap_or_default();
    assert!(last.starts_with("afterglow: ") && last.contains("make models"), "{said}");
}

#[test]
fn migrating_twice_does_nothing_the_second_time() {
    // [RUN007] [RUN027]
    let folder = tempfile::tempdir().unwrap();
    for _ in 0..2 {
        let output = run(folder.path(), &["migrate"]);
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
    assert!(folder.path().join("data/afterglow.db").exists());
}

#[test]
fn the_contract_is_printed() {
    // [RUN009] [RUN054]
    let folder = tempfile::tempdir().unwrap();
    let printed = run(folder.path(), &["openapi"]).stdout;
    assert!(printed == std::fs::read(root().join("openapi.json")).unwrap(), "openapi.json is out of date");
}

#[test]
fn a_term_signal_ends_the_server_with_0() {
    // [RUN024] [RUN049] [RUN051]
    let folder = tempfile::tempdir().unwrap();
    let mut server = Server::start(folder.path(), &["serve"]);
    assert_eq!(server.get("/api/health", "")["status"], "ok");
    assert_eq!(server.get("/api/ready", "")["status"], "ready");
    server.signal("-TERM");
    assert_eq!(server.end(), Some(0));
    assert!(TcpStream::connect(&server.address).is_err());
}

#[test]
fn a_killed_process_loses_nothing_it_has_acknowledged() {
    // [RUN004] [RUN005] [RUN052] [SAFE012] [SAFE013] [SAFE018]
    let folder = tempfile::tempdir().unwrap();
    let mut server = Server::start(folder.path(), &["serve", "--no-worker"]);
    let token = server.photographer_with_worker();
    let event =
        server.json("/api/events/", &token, &serde_json::json!({"name": "Party", "date": "2026-11-14"}));
    let (id, slug) = (event["id"].as_str().unwrap(), event["slug"].as_str().unwrap());
    for (number, name) in ["obama.jpg", "obama2.jpg", "biden.jpg"].into_iter().enumerate() {
        let (status, answer) = server.upload(&token, id, &picture(name));
        assert_eq!(status, 201, "{number}: {answer}");
    }
    server.signal("-KILL");
    assert_eq!(server.end(), None, "killed by the signal");

    let server = Server::start(folder.path(), &["serve", "--no-worker"]);
    let photos = server.get("/api/photos/search", &token);
    assert_eq!(photos["total_count"], 3);
    assert!(photos["photos"].as_array().unwrap().iter().all(|photo| photo["status"] == "processing"));
    assert_eq!(server.get("/api/subscription/credits", &token)["credits"], 97.0);

    // A worker that is killed in the middle of it all is followed by another.
    let mut worker = afterglow(folder.path()).arg("worker").stderr(Stdio::null()).spawn().unwrap();
    wait_for("the first index", || {
        let indexed = server.get(&format!("/api/events/{slug}"), "")["indexing"]["indexed"].as_i64()?;
        (indexed > 0).then_some(())
    });
    worker.kill().unwrap();
    worker.wait().unwrap();
    let mut worker = afterglow(folder.path()).arg("worker").stderr(Stdio::null()).spawn().unwrap();
    wait_for("all of the index", || {
        let indexing = server.get(&format!("/api/events/{slug}"), "")["indexing"].clone();
        (indexing["indexed"] == 3).then_some(())
    });
    worker.kill().unwrap();
    worker.wait().unwrap();
    let photos = server.get("/api/photos/search", &token);
    assert!(photos["photos"].as_array().unwrap().iter().all(|photo| photo["status"] == "ready"), "{photos}");
}

#[test]
fn a_folder_of_photos_can_be_searched_in_one_line() {
    // [RUN016] [RUN017]
    let folder = tempfile::tempdir().unwrap();
    let photos = folder.path().join("photos");
    std::fs::create_dir(&photos).unwrap();
    for name in ["obama2.jpg", "biden.jpg"] {
        std::fs::write(photos.join(name), picture(name)).unwrap();
    }
    std::fs::write(photos.join("notes.txt"), "no photo").unwrap();
    std::fs::write(folder.path().join("selfie.jpg"), picture("obama.jpg")).unwrap();

    let indexed = run(folder.path(), &["faces", "index", "photos"]);
    assert_eq!(
        text(&indexed.stdout),
        "2 photos, 2 faces, 1 files that are no readable photo\n",
        "{}",
        text(&indexed.stderr)
    );
    let found = text(&run(folder.path(), &["faces", "search", "photos", "selfie.jpg"]).stdout);
    let lines: Vec<&str> = found.lines().collect();
    assert_eq!(lines.len(), 1, "{found}");
    let (score, path) = lines[0].split_once("  ").unwrap();
    assert!(path.ends_with("obama2.jpg"));
    assert!((0.0..=1.0).contains(&score.parse::<f32>().unwrap()));
    std::fs::write(folder.path().join("nobody.jpg"), picture("biden.jpg").get(..2_000).unwrap()).unwrap();
    let torn = run(folder.path(), &["faces", "search", "photos", "nobody.jpg"]);
    assert_eq!(torn.status.code(), Some(1));
    assert!(text(&torn.stderr).contains("The image is incomplete"), "{}", text(&torn.stderr));
}

#[test]
fn accuracy_is_evaluated_on_labelled_pictures() {
    // [RUN018]
    // It says what the detector computes with, and why not with integers; the report has a table and a picture.
    let folder = tempfile::tempdir().unwrap();
    for name in ["photos", "selfies", "strangers"] {
        std::fs::create_dir_all(folder.path().join("event").join(name)).unwrap();
    }
    for (file, pictured) in [
        ("photos/one.jpg", "obama2.jpg"),
        ("photos/two.jpg", "obama3.jpg"),
        ("selfies/Obama.jpg", "obama.jpg"),
        ("strangers/Biden.jpg", "biden.jpg"),
    ] {
        std::fs::write(folder.path().join("event").join(file), picture(pictured)).unwrap();
    }
    let truth = r#"{"photos": {}, "people": {"Obama": ["one.jpg", "two.jpg"]}, "strangers": ["Biden"],
        "faces": {"one.jpg": {"Obama": 200}, "two.jpg": {"Obama": 160}}}"#;
    std::fs::write(folder.path().join("event/truth.json"), truth).unwrap();
    let output = run(folder.path(), &["faces", "evaluate", "event", "--report", "new/report"]);
    let printed = text(&output.stdout);
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(lines.len(), 6, "{printed}{}", text(&output.stderr));
    assert!(
        ["detector: 8-bit integers (", "detector: 32-bit floats ("]
            .iter()
            .any(|start| lines[0].starts_with(start))
    );
    assert_eq!(lines[1], "2 photos, 2 faces, 2 searches, 0 selfies refused");
    for (line, strictness) in lines[3..].iter().zip(["strict", "normal", "loose"]) {
        let words: Vec<&str> = line.split_whitespace().collect();
        assert_eq!(words, [strictness, "1.0000", "1.0000", "0", "0", "0", "of", "1"], "{printed}");
    }
    let report = |name: &str| std::fs::read_to_string(folder.path().join("new/report").join(name)).unwrap();
    let table = report("evaluation.csv");
    let normal: Vec<&str> = table.lines().filter(|line| line.starts_with("all,all,normal,")).collect();
    assert_eq!(normal.len(), 1, "{table}");
    assert!(normal[0].ends_with(",1.0000,1.0000,2,0,0,1,0"), "{table}");
    let of_width = |line: &&str| line.starts_with("face width,") && line.contains(",normal,");
    let wide: Vec<&str> = table.lines().filter(of_width).collect();
    assert_eq!(wide.len(), 1, "{table}");
    assert!(wide[0].starts_with("face width,160 px and more,normal,"), "{table}");
    assert!(report("evaluation.svg").contains("160 px and more"));
    std::fs::write(folder.path().join("event/truth.json"), "{}").unwrap();
    let broken = run(folder.path(), &["faces", "evaluate", "event"]);
    assert_eq!(broken.status.code(), Some(1));
    assert!(text(&broken.stderr).contains("truth.json"), "{}", text(&broken.stderr));
}

#[test]
fn coupons_are_made_and_listed_from_the_command_line() {
    // [PAY084] [RUN011] [RUN012] [X30]
    let folder = tempfile::tempdir().unwrap();
    assert!(run(folder.path(), &["migrate"]).status.success());
    let made = run(folder.path(), &["coupon", "create", "Diwali", "--percent", "25", "--uses", "3"]);
    assert_eq!(text(&made.stdout), "Diwali  25 %  used 0 of 3\n", "{}", text(&made.stderr));
    let taken = run(folder.path(), &["coupon", "create", "DIWALI", "--percent", "10"]);
    assert_eq!(taken.status.code(), Some(1));
    assert!(text(&taken.stderr).contains("There is a coupon with this code."), "{}", text(&taken.stderr));
    // It upgrades at once.
    let all = run(folder.path(), &["coupon", "create", "ALL", "--percent", "100"]);
    assert!(all.status.success() && text(&all.stderr).is_empty(), "{}", text(&all.stderr));
    // It can be made, and the operator learns that nobody can pay with it.
    let nearly = run(folder.path(), &["coupon", "create", "NEARLY", "--rupees", "998.50"]);
    assert!(nearly.status.success(), "{}", text(&nearly.stderr));
    assert!(text(&nearly.stderr).contains("cannot be paid"), "{}", text(&nearly.stderr));
    assert_eq!(text(&run(folder.path(), &["coupon", "list"]).stdout).lines().count(), 3);
    let refunds = run(folder.path(), &["payment", "refunds"]);
    assert_eq!(text(&refunds.stdout), "No refund is due.\n", "{}", text(&refunds.stderr));
}

#[test]
fn an_operator_ends_sessions() {
    // [RUN246] [RUN322]
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &["serve"]);
    let token = server.photographer();
    let account = serde_json::json!({"email": "meera@example.com", "password": "correct horse"});
    let log_in = || server.json("/api/auth/login", "", &account)["token"].as_str().unwrap().to_owned();
    let opens = |token: &str| server.call("GET", "/api/auth/me", token, "text/plain", b"").0 == 200;
    let tokens = [token, log_in()];
    assert!(tokens.iter().all(|token| opens(token)));
    let output = run(folder.path(), &["user", "logout", "nobody@example.com"]);
    assert!(!output.status.success());
    assert!(tokens.iter().all(|token| opens(token)));
    let output = run(folder.path(), &["user", "logout", "Meera@example.com"]);
    assert_eq!(text(&output.stdout), "Ended 2 sessions.\n", "{}", text(&output.stderr));
    assert!(!tokens.iter().any(|token| opens(token)));
    let token = log_in();
    assert!(!run(folder.path(), &["user", "logout"]).status.success(), "whose is to be said");
    assert!(opens(&token));
    assert_eq!(text(&run(folder.path(), &["user", "logout", "--all"]).stdout), "Ended 1 session.\n");
    assert!(!opens(&token));
}

#[test]
fn the_service_and_its_commands_work_on_postgresql() {
    // [RUN003] [RUN007] [RUN028]
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let database = runtime.block_on(storage::testing::postgres());
    let folder = tempfile::tempdir().unwrap();
    let settings = [("AFTERGLOW_DATABASE_URL", database.url.as_str())];
    for _ in 0..2 {
        let output = afterglow(folder.path()).envs(settings).arg("migrate").output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
    let server = Server::start_with(folder.path(), &["serve"], &settings);
    let token = server.photographer();
    let event =
        server.json("/api/events/", &token, &serde_json::json!({"name": "Party", "date": "2026-11-14"}));
    assert_eq!(server.upload(&token, event["id"].as_str().unwrap(), &picture("obama.jpg")).0, 201);
    wait_for("the index", || {
        let slug = event["slug"].as_str().unwrap();
        (server.get(&format!("/api/events/{slug}"), "")["indexing"]["indexed"] == 1).then_some(())
    });
    let users = afterglow(folder.path()).envs(settings).args(["user", "list"]).output().unwrap();
    assert!(
        text(&users.stdout).starts_with("meera@example.com  Meera  verified  99.00 credits"),
        "{}",
        text(&users.stdout)
    );
    assert!(!folder.path().join("data/afterglow.db").exists());
}
