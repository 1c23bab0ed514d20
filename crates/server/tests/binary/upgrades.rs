//! A start with another version's database, and with folders that are not there.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::harness::{Server, afterglow, picture, run, text, wait_for};

/// Serves until a photo is indexed, and stops.
fn create_installation(folder: &Path) -> String {
    let mut server = Server::start(folder, &["serve"]);
    let token = server.photographer();
    let event = serde_json::json!({"name": "Party", "date": "2026-11-14"});
    let event = server.json("/api/events/", &token, &event);
    let (id, slug) = (event["id"].as_str().unwrap(), event["slug"].as_str().unwrap());
    assert_eq!(server.upload(&token, id, &picture("obama.jpg")).0, 201);
    wait_for("the index", || {
        (server.get(&format!("/api/events/{slug}"), "")["indexing"]["indexed"] == 1).then_some(())
    });
    server.signal("-TERM");
    assert_eq!(server.end(), Some(0));
    token
}

fn change(folder: &Path, statement: &str) {
    let url = format!("sqlite://{}", folder.join("data/afterglow.db").display());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let db = storage::Db::connect(&url, storage::ConnectOptions::default()).await.unwrap();
        storage::testing::change(&db, statement).await;
        db.close().await;
    });
}

/// Makes the schema that of an earlier version: without one of its steps.
fn downgrade(folder: &Path) {
    change(folder, "DROP TABLE probes; DELETE FROM _sqlx_migrations WHERE version = 34");
}

/// What a start that is refused says last.
fn refused(folder: &Path, settings: &[(&str, &str)]) -> String {
    let output = afterglow(folder)
        .env("AFTERGLOW_LISTEN", "127.0.0.1:0")
        .envs(settings.iter().copied())
        .arg("serve")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    text(&output.stderr).lines().last().unwrap_or_default().to_owned()
}

fn snapshots(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder.join("data")).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<_> = entries.filter(|path| path.display().to_string().contains(".before-")).collect();
    found.sort();
    found
}

/// Moves a database with what SQLite has beside it.
fn move_database(from: &Path, to: &Path) {
    std::fs::rename(from, to).unwrap();
    for end in ["-wal", "-shm"] {
        let beside = |path: &Path| PathBuf::from(format!("{}{end}", path.display()));
        if beside(from).exists() {
            std::fs::rename(beside(from), beside(to)).unwrap();
        }
    }
}

#[test]
fn an_upgrade_keeps_a_snapshot_and_a_later_version_is_refused() {
    // [SAFE210] [SAFE211]
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    assert!(run(folder, &["migrate"]).status.success());
    downgrade(folder);
    assert!(run(folder, &["migrate"]).status.success());
    assert_eq!(snapshots(folder).len(), 0, "nobody has registered");

    let token = create_installation(folder);
    assert_eq!(snapshots(folder).len(), 0, "there was nothing to upgrade");
    downgrade(folder);
    assert!(run(folder, &["migrate"]).status.success());
    let [snapshot] = &snapshots(folder)[..] else { panic!("one snapshot") };
    let name = snapshot.file_name().unwrap().to_str().unwrap();
    assert!(name.starts_with("afterglow.db.before-20"), "{name}");
    assert!(name.contains("-schema-") && name.contains("-to-"), "{name}");
    let mode = std::os::unix::fs::PermissionsExt::mode(&std::fs::metadata(snapshot).unwrap().permissions());
    assert_eq!(mode & 0o777, 0o600, "it is as private as the database");

    // Put back, it is the database as it was, and is upgraded again.
    for end in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(folder.join(format!("data/afterglow.db{end}")));
    }
    std::fs::copy(snapshot, folder.join("data/afterglow.db")).unwrap();
    let server = Server::start(folder, &["serve"]);
    assert_eq!(server.get("/api/photos/search", &token)["photos"].as_array().unwrap().len(), 1);
    drop(server);
    for _ in 0..3 {
        downgrade(folder);
        assert!(run(folder, &["migrate"]).status.success());
    }
    assert_eq!(snapshots(folder).len(), 3, "the newest three stay");

    downgrade(folder);
    let without = [("AFTERGLOW_UPGRADE_SNAPSHOTS", "off")];
    let newest = snapshots(folder);
    assert!(afterglow(folder).envs(without).arg("migrate").output().unwrap().status.success());
    assert_eq!(snapshots(folder), newest, "the operator has a backup");

    change(folder, "UPDATE _sqlx_migrations SET version = 4711 WHERE version = 34");
    let said = refused(folder, &[]);
    for words in ["schema 4711", "this one knows schema", "later version", "backup"] {
        assert!(said.contains(words), "{words} is not in {said}");
    }
}

#[test]
fn a_start_does_not_begin_empty_where_data_was() {
    // [SAFE212] [SAFE213]
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let strict = [("AFTERGLOW_BEGIN_EMPTY", "off")];
    let said = refused(folder, &strict);
    assert!(said.contains("./data was never used") && said.contains("`begin_empty`"), "{said}");
    assert!(!folder.join("data").exists(), "nothing is made");

    let token = create_installation(folder);
    assert!(folder.join("data/afterglow-data.txt").exists());
    let server = Server::start_with(folder, &["serve"], &strict);
    assert_eq!(server.get("/api/ready", "")["status"], "ready");
    drop(server);

    // The database is there, and the disk of the photos is not mounted.
    let (media, away) = (folder.join("data/media"), folder.join("away"));
    std::fs::rename(&media, &away).unwrap();
    std::fs::create_dir(&media).unwrap();
    let said = refused(folder, &[]);
    for words in ["none of the originals", "media_url", "`afterglow store adopt`"] {
        assert!(said.contains(words), "{words} is not in {said}");
    }
    assert_eq!(std::fs::read_dir(&media).unwrap().count(), 0, "nothing is put there");
    std::fs::remove_dir(&media).unwrap();
    std::fs::rename(&away, &media).unwrap();

    // The photos are there, and the database is another one.
    // With its log, as whoever moves it has to.
    let (database, kept) = (folder.join("data/afterglow.db"), folder.join("kept.db"));
    move_database(&database, &kept);
    let said = refused(folder, &[]);
    for words in
        ["another database", "nobody has registered", "`afterglow restore`", "`afterglow store adopt`"]
    {
        assert!(said.contains(words), "{words} is not in {said}");
    }
    move_database(&database, &folder.join("empty.db"));
    move_database(&kept, &database);
    let server = Server::start(folder, &["serve"]);
    assert_eq!(server.get("/api/photos/search", &token)["photos"].as_array().unwrap().len(), 1);
}

/// How often a migration is killed.
const KILLS: u32 = 4;

#[test]
fn a_migration_that_is_killed_anywhere_is_gone_on_with_by_two_at_once() {
    // [SAFE345]
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let frozen = storage::testing::frozen().pop().unwrap();
    let rows = |db: &storage::Db| {
        let counts = frozen.tables.iter().map(|table| storage::testing::count(db, table));
        runtime.block_on(async { futures::future::join_all(counts).await })
    };
    let migrate = |folder: &Path, url: &str| {
        let mut command = afterglow(folder);
        command
            .env("AFTERGLOW_DATABASE_URL", url)
            .arg("migrate")
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        command.spawn().unwrap()
    };
    let mut longest = [Duration::ZERO; 2];
    let mut killed = 0;
    for attempt in 0..=KILLS {
        for (engine, test) in runtime.block_on(storage::testing::empty()).into_iter().enumerate() {
            let what = format!("attempt {attempt}, {:?}", test.db.engine());
            let folder = tempfile::tempdir().unwrap();
            runtime.block_on(frozen.thaw(&test.db));
            let before = rows(&test.db);
            let started = Instant::now();
            let mut first = migrate(folder.path(), &test.url);
            if attempt == 0 {
                let first = first.wait_with_output().unwrap();
                assert!(first.status.success(), "{what}: {}", text(&first.stderr));
                longest[engine] = started.elapsed();
            } else {
                std::thread::sleep(longest[engine] * attempt / (KILLS + 1));
                first.kill().unwrap();
                killed += usize::from(!first.wait().unwrap().success());
            }
            let both = [migrate(folder.path(), &test.url), migrate(folder.path(), &test.url)];
            for migration in both {
                let output = migration.wait_with_output().unwrap();
                assert!(output.status.success(), "{what}: {}", text(&output.stderr));
            }
            let schema = runtime.block_on(storage::operations::schema::version(&test.db)).unwrap();
            assert_eq!((schema.found, schema.pending), (Some(schema.known), 0), "{what}");
            assert_eq!(rows(&test.db), before, "{what}: {:?}", frozen.tables);
            assert_eq!(runtime.block_on(test.db.verify()).unwrap(), Vec::<String>::new(), "{what}");
            runtime.block_on(test.db.close());
        }
    }
    assert!(killed > 0, "no migration was killed before its end");
}
