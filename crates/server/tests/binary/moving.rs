//! The installation of a try moves to PostgreSQL and a bucket, while it is served.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Output, Stdio};

use serde_json::json;
use storage::operations::{moving, snapshots};
use storage::testing::TestDb;
use storage::{ConnectOptions, Db};

use crate::bucket::Bucket;
use crate::harness::{Server, afterglow, fetch, picture, run, text, wait_for};

const MEDIA: &str = "s3://media/party";

/// Where to.
struct Destination {
    database: TestDb,
    bucket: Bucket,
    objects: tempfile::TempDir,
    runtime: tokio::runtime::Runtime,
}

impl Destination {
    fn new() -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        let objects = tempfile::tempdir().unwrap();
        let (database, bucket) = runtime
            .block_on(async { (storage::testing::postgres().await, Bucket::start(objects.path()).await) });
        Self { database, bucket, objects, runtime }
    }

    /// What moves an installation there.
    fn move_from(&self, home: &Path, more: &[&str]) -> std::process::Command {
        let mut command = afterglow(home);
        command.envs(self.bucket.settings());
        command.args(["migrate-to", "--database", &self.database.url, "--media", MEDIA]).args(more);
        command
    }

    fn moved(&self, home: &Path, more: &[&str]) -> String {
        let output = self.move_from(home, more).output().unwrap();
        assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
        text(&output.stdout)
    }

    fn settings(&self) -> Vec<(&'static str, String)> {
        let mut settings = self.bucket.settings();
        settings.push(("AFTERGLOW_DATABASE_URL", self.database.url.clone()));
        settings.push(("AFTERGLOW_MEDIA_URL", String::from(MEDIA)));
        settings
    }

    fn check(&self, home: &Path) -> Output {
        afterglow(home).envs(self.settings()).arg("check").output().unwrap()
    }

    /// Whether both databases have the same rows, which `moves` of the crate's own tests compares in another way too.
    fn assert_same_rows(&self, home: &Path, scratch: &Path) {
        self.runtime.block_on(async {
            let url = format!("sqlite://{}", home.join("data/afterglow.db").display());
            let here = Db::connect(&url, ConnectOptions::default()).await.unwrap();
            let path = scratch.join("compared.sqlite");
            snapshots::write(&here, &path).await.unwrap();
            let snapshot = snapshots::open(&path).await.unwrap();
            moving::release_leases(&snapshot).await.unwrap();
            let expected = moving::contents(&snapshot, &snapshot).await.unwrap();
            assert_eq!(moving::contents(&self.database.db, &snapshot).await.unwrap(), expected);
            let filled: Vec<&str> =
                expected.iter().filter(|table| table.rows > 0).map(|table| table.table.as_str()).collect();
            for table in [
                "users",
                "sessions",
                "events",
                "photos",
                "faces",
                "ledger",
                "jobs",
                "maintenance",
                "secrets",
                "downloads",
                "exports",
                "objections",
                "objection_faces",
                "consents",
                "coupons",
                "messages",
                "redactions",
            ] {
                assert!(filled.contains(&table), "{table} has no row to compare: {filled:?}");
            }
            snapshot.close().await;
            here.close().await;
        });
    }
}

/// The files below a folder that are photos', by name.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let (mut found, mut left) = (BTreeMap::new(), vec![folder.to_owned()]);
    while let Some(folder) = left.pop() {
        for entry in std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap()) {
            let (path, name) = (entry.path(), entry.file_name().into_string().unwrap());
            if path.is_dir() {
                left.push(path);
            } else if name.ends_with(".jpg") {
                let size = path.components().rev().find_map(|part| {
                    let part = part.as_os_str().to_str()?;
                    ["originals", "previews", "mediums", "thumbnails"].contains(&part).then_some(part)
                });
                found.insert(format!("{}/{name}", size.unwrap()), std::fs::read(&path).unwrap());
            }
        }
    }
    found
}

/// A party with what photographers and guests leave in the tables.
struct Party {
    token: String,
    event: String,
    slug: String,
}

impl Party {
    fn new(server: &Server) -> Self {
        let token = server.photographer();
        let event = server.json("/api/events/", &token, &json!({"name": "Party", "date": "2026-11-14"}));
        let [event, slug] = ["id", "slug"].map(|field| event[field].as_str().unwrap().to_owned());
        let party = Self { token, event, slug };
        for name in ["obama2.jpg", "biden.jpg", "obama3.jpg"] {
            party.upload(server, name);
        }
        party.wait_until_indexed(server, 3);
        party
    }

    fn upload(&self, server: &Server, name: &str) -> String {
        let (status, answer) = server.upload(&self.token, &self.event, &picture(name));
        assert_eq!(status, 201, "{name}: {answer}");
        answer.to_string()
    }

    fn wait_until_indexed(&self, server: &Server, photos: u64) {
        wait_for("the index", || {
            let event = server.get(&format!("/api/events/{}", self.slug), "");
            (event["indexing"]["indexed"] == photos).then_some(())
        });
    }

    /// What guests and the photographer do besides; the token of a guest's ZIP, and that of the photographer's.
    fn go_on(&self, server: &Server) -> (String, String) {
        let found = server.search(&format!("/api/face/search/{}", self.slug), "", &picture("obama.jpg")).1;
        let zip = found["download_token"].as_str().unwrap_or_else(|| panic!("{found}")).to_owned();
        let objection = format!("/api/face/objections/{}", self.slug);
        let (status, shown) = server.search(&objection, "", &picture("biden.jpg"));
        assert_eq!(status, 200, "{shown}");
        let notice = domain::faces::consents::NoticeVersion::CURRENT.as_str();
        let body = json!({"token": shown["token"], "choice": "stop_finding", "notice_version": notice});
        server.json("/api/face/objections", "", &body);
        let message =
            json!({"name": "A", "email": "a@example.com", "subject": "Hello", "message": "Hello there"});
        server.json("/api/contact/submit", "", &message);
        let password = json!({"password": "correct horse"});
        let export = server.json("/api/auth/export", &self.token, &password);
        (zip, export["download_token"].as_str().unwrap_or_else(|| panic!("{export}")).to_owned())
    }

    /// The ids of the photos that a guest finds.
    fn found(&self, server: &Server) -> Vec<String> {
        let path = format!("/api/face/search/{}", self.slug);
        let (status, answer) = server.search(&path, "", &picture("obama.jpg"));
        assert_eq!(status, 200, "{answer}");
        let matches = answer["matches"].as_array().unwrap();
        matches.iter().map(|found| found["photo_id"].as_str().unwrap().to_owned()).collect()
    }
}

#[test]
fn an_installation_moves_while_it_is_served_and_goes_on_where_it_moved_to() {
    // [SAFE201] [SAFE202] [SAFE203] [SAFE204] [SAFE205] [SAFE206] [SAFE303]
    let (home, scratch, there) =
        (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), Destination::new());
    let mut server = Server::start(home.path(), &["serve"]);
    let party = Party::new(&server);
    assert!(run(home.path(), &["coupon", "create", "NEW", "--percent", "50"]).status.success());

    // A kill in the middle of the files, then another run.
    there.bucket.take_only(6);
    let mut killed = there.move_from(home.path(), &[]).stdout(Stdio::null()).spawn().unwrap();
    wait_for("the middle of the move", || there.bucket.is_stuck().then_some(()));
    killed.kill().unwrap();
    killed.wait().unwrap();
    there.bucket.take_only(i64::MAX);
    assert!(home.path().join("data/moving/snapshot.sqlite").exists(), "it was killed");
    let told = there.moved(home.path(), &[]);
    assert!(told.contains(" and 12 files: "), "{told}");
    assert!(!told.contains(" and 12 files: 12 files were copied"), "it goes on where it was: {told}");
    assert!(told.contains("Table ledger: ") && told.contains("Files of 3 of 3 photos, "), "{told}");
    assert!(!home.path().join("data/moving").exists(), "the snapshot has embeddings");
    assert!(there.check(home.path()).status.success());

    // What comes and goes since.
    let (zip, export) = party.go_on(&server);
    party.upload(&server, "obama.jpg");
    party.wait_until_indexed(&server, 4);
    let before = party.found(&server);
    assert!(before.len() >= 2, "{before:?}");
    server.delete(&format!("/api/photos/{}", before[1]), &party.token);
    let for_good = json!({"event_id": party.event, "photo_ids": [before[1]]});
    assert_eq!(server.json("/api/photos/trash/remove", &party.token, &for_good)["removed"], 1);
    wait_for("the deletion", || (files(&home.path().join("data/media")).len() == 12).then_some(()));
    let left: Vec<String> =
        before.into_iter().enumerate().filter(|(n, _)| *n != 1).map(|(_, id)| id).collect();
    let served = there.move_from(home.path(), &["--last"]).output().unwrap();
    assert_eq!(served.status.code(), Some(1));
    assert!(text(&served.stderr).contains("Stop `afterglow serve`"), "{}", text(&served.stderr));
    server.signal("-TERM");
    assert_eq!(server.end(), Some(0));
    let told = there.moved(home.path(), &["--verify", "--last"]);
    assert!(told.ends_with("Start the service on the target, and here no more.\n"), "{told}");
    assert!(told.contains(" and 12 files: 4 files were copied"), "{told}");
    assert!(told.contains(" MB), 4 removed."), "{told}");
    there.assert_same_rows(home.path(), scratch.path());
    let (here, moved) = (files(&home.path().join("data/media")), files(there.objects.path()));
    assert_eq!(moved.keys().collect::<Vec<_>>(), here.keys().collect::<Vec<_>>());
    assert!(moved == here, "every object has the bytes of its file");

    // It is served where it moved to: sessions, links and searches go on.
    let new_home = scratch.path().join("home");
    std::fs::create_dir(&new_home).unwrap();
    let checked = there.check(&new_home);
    assert!(checked.status.success(), "{}", text(&checked.stdout));
    let own = there.settings();
    let settings: Vec<_> = own.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let server = Server::start_with(&new_home, &["serve"], &settings);
    assert_eq!(party.found(&server), left);
    assert_eq!(server.get("/api/subscription/credits", &party.token)["credits"], 96.0, "the session goes on");
    for path in [format!("/api/face/download/{zip}.zip"), format!("/api/auth/export/{export}.zip")] {
        let (status, bytes) = fetch(&server.address, &path);
        assert!(status == 200 && bytes.starts_with(b"PK"), "{path}: {status}");
    }
    party.upload(&server, "obama_partial_face.jpg");

    // Nothing is moved over it from now on, and the old one does not take its bucket.
    let refused = there.move_from(home.path(), &[]).output().unwrap();
    assert_eq!(refused.status.code(), Some(1));
    assert!(text(&refused.stderr).contains("it has been served"), "{}", text(&refused.stderr));
    let mut old = afterglow(home.path());
    old.envs(there.bucket.settings()).env("AFTERGLOW_MEDIA_URL", MEDIA).args(["store", "show"]);
    let shown = text(&old.output().unwrap().stdout);
    assert!(shown.contains("The media store belongs to another database."), "{shown}");
}

#[test]
fn a_move_says_what_it_cannot_do() {
    // [SAFE204]
    let home = tempfile::tempdir().unwrap();
    let refused =
        run(home.path(), &["migrate-to", "--database", "sqlite://other.db", "--media", "file://other"]);
    assert_eq!(refused.status.code(), Some(1));
    let said = text(&refused.stderr);
    assert!(
        said.contains("An installation moves to PostgreSQL: --database is postgres://USER@HOST/NAME."),
        "{said}"
    );
    assert!(run(home.path(), &["migrate"]).status.success());
    let nowhere = "postgres:///none?host=/nowhere";
    let refused = run(home.path(), &["migrate-to", "--database", nowhere, "--media", "file://other"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(
        text(&refused.stderr).contains("The target: The database cannot be opened"),
        "{}",
        text(&refused.stderr)
    );
}
