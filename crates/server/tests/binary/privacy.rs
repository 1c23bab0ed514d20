//! What must stay nowhere, a selfie; and what must not be told to anybody, that the program runs.

use std::path::Path;

use crate::harness::{Server, picture, wait_for};

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
    let settings = [("AFTERGLOW_LOG", "trace"), ("TMPDIR", scratch.to_str().unwrap())];
    let mut server = Server::start_with(folder.path(), &["serve"], &settings);
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

/// The files that a process has open, under a name or none, but for the models.
fn open_files(process: u32) -> Vec<(String, Vec<u8>)> {
    let links = std::fs::read_dir(format!("/proc/{process}/fd")).unwrap();
    let mut found = Vec::new();
    for link in links.filter_map(Result::ok) {
        // It may be closed by now.
        let Ok(target) = std::fs::read_link(link.path()) else { continue };
        let target = target.display().to_string();
        // The folders of tests may lie in memory.
        let is_device = target.starts_with("/dev/") && !target.starts_with("/dev/shm/");
        if target.starts_with('/') && !is_device && !target.contains("/models/") {
            found.extend(std::fs::read(link.path()).ok().map(|bytes| (target, bytes)));
        }
    }
    found
}

/// Tells which files are made below a folder while it is watched.
struct Watch {
    events: rustix::fd::OwnedFd,
    folders: std::collections::HashMap<i32, String>,
}

impl Watch {
    fn begin(folder: &Path) -> Self {
        use rustix::fs::inotify::{CreateFlags, WatchFlags, add_watch, init};
        let events = init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC).unwrap();
        let (mut folders, mut left) = (std::collections::HashMap::new(), vec![folder.to_owned()]);
        while let Some(folder) = left.pop() {
            let made = WatchFlags::CREATE | WatchFlags::MOVED_TO;
            folders.insert(add_watch(&events, &folder, made).unwrap(), folder.display().to_string());
            let entries = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
            left.extend(entries.filter(|path| path.is_dir()));
        }
        Self { events, folders }
    }

    fn made(&self) -> Vec<String> {
        let mut buffer = [std::mem::MaybeUninit::uninit(); 4096];
        let mut reader = rustix::fs::inotify::Reader::new(&self.events, &mut buffer);
        let mut made = Vec::new();
        while let Ok(event) = reader.next() {
            let name = event.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            made.push(format!("{}/{name}", self.folders[&event.wd()]));
        }
        made
    }
}

#[test]
fn no_file_has_a_selfie_while_it_is_searched_and_no_core_is_dumped() {
    // [SAFE136] [SAFE135]
    use std::io::{Read as _, Seek as _, Write as _};
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let scratch = folder.path().join("scratch");
    std::fs::create_dir(&scratch).unwrap();
    let settings = [("TMPDIR", scratch.to_str().unwrap())];
    let server = Server::start_with(folder.path(), &["serve"], &settings);
    let process = server.child.id();
    let token = server.photographer();
    let event = serde_json::json!({"name": "Party", "date": "2026-11-14"});
    let event = server.json("/api/events/", &token, &event);
    let (id, slug) = (event["id"].as_str().unwrap(), event["slug"].as_str().unwrap());
    assert_eq!(server.upload(&token, id, &picture("obama2.jpg")).0, 201);
    wait_for("the index", || {
        let event = server.get(&format!("/api/events/{slug}"), "");
        (event["indexing"]["indexed"] == 1).then_some(())
    });

    // Marks are found where they are, also in files without a name.
    let mut nameless = tempfile::tempfile().unwrap();
    nameless.write_all(MARK).unwrap();
    nameless.rewind().unwrap();
    assert!(open_files(std::process::id()).iter().any(|(_, bytes)| holds(bytes, MARK)));
    let watch = Watch::begin(folder.path());
    std::fs::write(scratch.join("made"), b"").unwrap();
    assert_eq!(watch.made(), [scratch.join("made").display().to_string()]);

    // The mark comes first, as a comment, so that it is there when half of the selfie is.
    let face = picture("obama.jpg");
    let comment = [&[0xFF, 0xFE], &(MARK.len() as u16 + 2).to_be_bytes()[..], MARK].concat();
    let selfie = [&face[..2], &comment, &face[2..]].concat();
    let head = b"--line\r\nContent-Disposition: form-data; name=\"image\"; filename=\"a.jpg\"\r\n\r\n";
    let notice = b"\r\n--line\r\nContent-Disposition: form-data; name=\"notice_version\"\r\n\r\n";
    let version = domain::faces::consents::NoticeVersion::CURRENT.as_str().as_bytes();
    let body = [head, selfie.as_slice(), notice, version, b"\r\n--line--\r\n"].concat();
    let look = || {
        for (name, bytes) in files(folder.path()).into_iter().chain(open_files(process)) {
            assert!(!holds(&bytes, MARK) && !holds(&bytes, &face[20_000..20_100]), "{name} has the selfie");
        }
    };
    for _ in 0..3 {
        let mut stream = std::net::TcpStream::connect(&server.address).unwrap();
        let head = format!(
            "POST /api/face/search/{slug} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\
             Content-Type: multipart/form-data; boundary=line\r\nContent-Length: {}\r\n\r\n",
            server.address,
            body.len()
        );
        let half = body.len() * 2 / 3;
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(&body[..half]).unwrap();
        std::thread::sleep(std::time::Duration::from_millis(200));
        look();
        stream.write_all(&body[half..]).unwrap();
        // While it is decoded and compared.
        stream.set_nonblocking(true).unwrap();
        let mut answer = Vec::new();
        while let Err(error) = stream.read_to_end(&mut answer) {
            assert_eq!(error.kind(), std::io::ErrorKind::WouldBlock);
            look();
        }
        assert!(answer.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&answer));
    }
    look();
    let made = watch.made();
    assert!(made.iter().all(|path| path.contains("afterglow.db")), "{made:?}");

    let limits = std::fs::read_to_string(format!("/proc/{process}/limits")).unwrap();
    let core = limits.lines().find(|line| line.starts_with("Max core file size")).unwrap();
    assert_eq!(core.split_whitespace().filter(|word| *word == "0").count(), 2, "{core}");
    // What it has made is its owner's alone.
    let mut left = vec![folder.path().join("data")];
    while let Some(path) = left.pop() {
        let mode = std::fs::metadata(&path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, if path.is_dir() { 0o700 } else { 0o600 }, "{}", path.display());
        if path.is_dir() {
            left.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        }
    }
}

#[test]
fn no_log_line_has_the_name_that_an_event_has_in_links() {
    // [SAFE410]
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &["serve", "--no-worker"]);
    let token = server.photographer();
    let event = serde_json::json!({"name": "Party", "date": "2026-11-14"});
    let event = server.json("/api/events/", &token, &event);
    let (id, slug) = (event["id"].as_str().unwrap(), event["slug"].as_str().unwrap());
    for path in [
        "/event/SLUG",
        "/event/SLUG/manifest.webmanifest",
        "/event/SLUG/nothing",
        "/covers/SLUG.jpg",
        "/api/events/SLUG",
        "/api/face/photos/SLUG",
        "/api/nothing/SLUG",
    ] {
        server.call("GET", &path.replace("SLUG", slug), &token, "text/plain", b"");
    }
    server.search(&format!("/api/face/search/{slug}"), "", &picture("obama.jpg"));
    server.call("DELETE", &format!("/api/photos/{id}"), &token, "text/plain", b"");
    // A line may come after its answer.
    for route in ["/event/{slug}", "/api/events/{", "/api/face/search/{slug}", &format!("/api/photos/{id}")] {
        wait_for(route, || server.log().contains(route).then_some(()));
    }
    let log = server.log();
    assert!(!log.contains(slug), "{log}");
}

#[test]
fn no_log_line_has_what_the_address_of_a_wall_ends_with() {
    // [SAFE430]
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &["serve", "--no-worker"]);
    let token = server.photographer();
    let event = serde_json::json!({"name": "Party", "date": "2026-11-14"});
    let id = server.json("/api/events/", &token, &event)["id"].as_str().unwrap().to_owned();
    let path = format!("/api/events/{id}/wall");
    let (_, made) = server.call("PUT", &path, &token, "application/json", b"{}");
    let (_, secret) = made["wall"]["url"].as_str().unwrap().rsplit_once('/').unwrap();
    for path in [
        "/wall/SECRET",
        "/wall/SECRET/",
        "/wall/SECRET/nothing",
        "/api/wall/SECRET",
        "/api/wall/SECRET/photos/none",
        "/api/wall/SECRET/nothing",
    ] {
        server.call("GET", &path.replace("SECRET", secret), "", "text/plain", b"");
    }
    server.call("DELETE", &path, &token, "text/plain", b"");
    for route in ["/wall/{secret}", "/api/wall/{secret}", "/api/{*rest}", "/api/events/{event}/wall"] {
        wait_for(route, || server.log().contains(route).then_some(()));
    }
    let log = server.log();
    assert!(!log.contains(secret), "{log}");
}

#[test]
fn no_log_line_has_what_the_address_of_a_selection_ends_with() {
    // [SAFE449]
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &["serve", "--no-worker"]);
    let token = server.photographer();
    let event = serde_json::json!({"name": "Party", "date": "2026-11-14"});
    let id = server.json("/api/events/", &token, &event)["id"].as_str().unwrap().to_owned();
    let path = format!("/api/events/{id}/selections");
    let made = server.json(&path, &token, &serde_json::json!({"name": "Asha"}));
    let (_, secret) = made["url"].as_str().unwrap().rsplit_once('/').unwrap();
    for path in [
        "/selection/SECRET",
        "/selection/SECRET/",
        "/api/selections/SECRET",
        "/api/selections/SECRET/photos",
        "/api/selections/SECRET/nothing",
    ] {
        server.call("GET", &path.replace("SECRET", secret), "", "text/plain", b"");
    }
    for route in ["/selection/{secret}", "/api/selections/{secret}", "/api/{*rest}"] {
        wait_for(route, || server.log().contains(route).then_some(()));
    }
    let log = server.log();
    assert!(!log.contains(secret), "{log}");
}

#[test]
fn the_maker_of_the_inference_engine_is_told_nothing() {
    // [SAFE219]
    // It would keep an identifier and what is to be sent in the home folder, and the time of the session in a temporary one,
    // before anything is sent. Where the variable CI is set it does not.
    let folder = tempfile::tempdir().unwrap();
    let (home, scratch) = (folder.path().join("home"), folder.path().join("scratch"));
    for folder in [&home, &scratch] {
        std::fs::create_dir(folder).unwrap();
    }
    let settings = [("HOME", home.to_str().unwrap()), ("TMPDIR", scratch.to_str().unwrap())];
    let server = Server::start_with(folder.path(), &["serve"], &settings);
    assert!(server.log().contains("opened the face models"), "{}", server.log());
    for folder in [&home, &scratch] {
        let made: Vec<String> = files(folder).into_iter().map(|(path, _)| path).collect();
        assert!(made.is_empty(), "{made:?}");
    }
}
