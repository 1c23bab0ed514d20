//! `afterglow upload`.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::json;

use crate::harness::{Server, afterglow, picture, run, text, wait_for};

/// The picture with zeros behind it, by which its bytes are others.
fn padded(zeros: usize) -> Vec<u8> {
    let mut bytes = picture("obama.jpg");
    bytes.resize(bytes.len() + zeros, 0);
    bytes
}

struct Studio {
    server: Server,
    session: String,
    slug: String,
    token: String,
}

impl Studio {
    fn open(folder: &Path) -> Self {
        let server = Server::start(folder, &["serve", "--no-worker"]);
        let session = server.photographer();
        let event = server.json("/api/events/", &session, &json!({"name": "Party", "date": "2026-11-14"}));
        let made = json!({"name": "Tether", "scope": "upload", "password": "correct horse"});
        let token = server.json("/api/auth/tokens", &session, &made)["token"].as_str().unwrap().to_owned();
        Self { slug: event["slug"].as_str().unwrap().to_owned(), server, session, token }
    }

    fn command(&self, photos: &Path) -> Command {
        self.command_to(photos, &format!("http://{}", self.server.address))
    }

    fn command_to(&self, photos: &Path, server: &str) -> Command {
        let mut command = afterglow(&self.server.folder);
        command.arg("upload").arg(photos).args(["--event", &self.slug, "--server", server]);
        command.env("AFTERGLOW_TOKEN", &self.token);
        command
    }

    /// The command's exit code and what it has printed.
    fn upload(&self, photos: &Path) -> (i32, String) {
        self.said(&self.command(photos).output().unwrap())
    }

    fn said(&self, output: &Output) -> (i32, String) {
        let said = text(&output.stdout) + &text(&output.stderr);
        assert!(!said.contains(&self.token), "{said}");
        (output.status.code().unwrap(), said)
    }

    fn names(&self) -> Vec<String> {
        let photos = self.server.get("/api/photos/search", &self.session);
        let photos = photos["photos"].as_array().unwrap().iter();
        let mut names: Vec<String> =
            photos.map(|photo| photo["filename"].as_str().unwrap().to_owned()).collect();
        names.sort();
        names
    }
}

#[test]
fn a_folder_is_uploaded_once_and_what_is_refused_is_named() {
    // [UPL174]
    let (data, photos) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (studio, photos) = (Studio::open(data.path()), photos.path());
    std::fs::create_dir(photos.join("day 2")).unwrap();
    for (name, zeros) in [("a.jpg", 0), ("b.jpg", 1), ("day 2/c.JPG", 2), ("big.jpg", 6_000_000)] {
        std::fs::write(photos.join(name), padded(zeros)).unwrap();
    }
    std::fs::write(photos.join("notes.txt"), "no picture").unwrap();
    let (code, said) = studio.upload(photos);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("Uploading") && said.contains("to Party."), "{said}");
    assert!(said.contains("4/4 uploaded: "), "{said}");
    assert!(said.ends_with("4 uploaded, 0 already there, 0 failed.\n"), "{said}");
    assert_eq!(studio.names(), ["a.jpg", "b.jpg", "big.jpg", "c.JPG"]);

    // Again, with one more, one that is none, and one that is half.
    std::fs::write(photos.join("d.jpg"), padded(3)).unwrap();
    std::fs::write(photos.join("e.jpg"), "no picture").unwrap();
    let whole = picture("obama.jpg");
    std::fs::write(photos.join("f.jpg"), &whole[..whole.len() / 2]).unwrap();
    let (code, said) = studio.upload(photos);
    assert_eq!(code, 1, "{said}");
    let why = |name: &str, text: &str| format!("{}: {text}", photos.join(name).display());
    let (e, f) =
        (why("e.jpg", "The file is not an image we can read"), why("f.jpg", "The image is incomplete"));
    assert!(said.contains(&format!("failed: {e}")) && said.contains(&format!("failed: {f}")), "{said}");
    let sum = said.split_once("1 uploaded, 4 already there, 2 failed.\n").map(|(_, sum)| sum);
    assert!(sum.is_some_and(|sum| sum.contains(&e) && sum.contains(&f)), "{said}");
    assert_eq!(studio.names().len(), 5);
    let credits = studio.server.get("/api/subscription/credits", &studio.session);
    assert_eq!(credits["credits"], json!(95.0), "each costs one, once");
}

#[test]
fn what_stops_everything_has_an_exit_code_and_a_text() {
    // [UPL172]
    let (data, photos) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (studio, photos) = (Studio::open(data.path()), photos.path());
    std::fs::write(photos.join("a.jpg"), padded(0)).unwrap();
    let with = |change: &dyn Fn(&mut Command)| {
        let mut command = studio.command(photos);
        change(&mut command);
        studio.said(&command.output().unwrap())
    };
    let (code, said) = with(&|command| {
        command.env("AFTERGLOW_TOKEN", "afterglow_wrong");
    });
    assert_eq!(code, 3, "{said}");
    assert!(said.contains("This API token is not valid."), "{said}");
    let (code, said) = with(&|command| {
        command.env_remove("AFTERGLOW_TOKEN");
    });
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("There is no API token."), "{said}");
    let (code, said) = with(&|command| {
        command.args(["--event", "none"]);
    });
    assert_eq!(code, 2, "an option twice: {said}");

    let file = data.path().join("token");
    std::fs::write(&file, &studio.token).unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).unwrap();
    let from_file = |slug: &str| {
        let mut command = afterglow(data.path());
        command.arg("upload").arg(photos).args(["--event", slug]).arg("--token-file").arg(&file);
        command.env("AFTERGLOW_SERVER", format!("http://{}", studio.server.address));
        studio.said(&command.output().unwrap())
    };
    let (code, said) = from_file(&studio.slug);
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("can be read by others"), "{said}");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).unwrap();
    let (code, said) = from_file("none");
    assert_eq!(code, 5, "{said}");
    assert!(said.contains("Event not found"), "{said}");

    let taken = run(data.path(), &["credits", "grant", "meera@example.com", "-100", "--reason", "x"]);
    assert!(taken.status.success(), "{}", text(&taken.stderr));
    let (code, said) = from_file(&studio.slug);
    assert_eq!(code, 4, "{said}");
    assert!(said.contains("Insufficient credits."), "{said}");

    // In the environment of the service the token and the address are no settings.
    let mut config = afterglow(data.path());
    config.arg("config").env("AFTERGLOW_TOKEN", "x").env("AFTERGLOW_SERVER", "http://localhost:1");
    assert!(config.output().unwrap().status.success());
}

#[test]
fn a_closed_event_takes_nothing() {
    let (data, photos) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (studio, photos) = (Studio::open(data.path()), photos.path());
    std::fs::write(photos.join("a.jpg"), padded(0)).unwrap();
    assert_eq!(studio.upload(photos).0, 0);
    let event = studio.server.get(&format!("/api/events/{}", studio.slug), &studio.session);
    let path = format!("/api/events/{}", event["id"].as_str().unwrap());
    let closed = br#"{"uploads_closed":true}"#;
    let (status, answer) = studio.server.call("PATCH", &path, &studio.session, "application/json", closed);
    assert_eq!(status, 200, "{answer}");
    let (code, said) = studio.upload(photos);
    assert_eq!(code, 0, "it is there already: {said}");
    std::fs::write(photos.join("b.jpg"), padded(1)).unwrap();
    let (code, said) = studio.upload(photos);
    assert_eq!(code, 5, "{said}");
    assert!(said.contains("This event is closed to uploads."), "{said}");
    assert_eq!(studio.names(), ["a.jpg"]);
}

#[test]
fn a_line_that_is_cut_is_taken_up_within_the_photo() {
    let (data, photos) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (studio, photos) = (Studio::open(data.path()), photos.path());
    std::fs::write(photos.join("big.jpg"), padded(6_000_000)).unwrap();
    let (address, sent) = cut_once(&studio.server.address, 3_000_000);
    let mut command = studio.command_to(photos, &format!("http://{address}"));
    let (code, said) = studio.said(&command.output().unwrap());
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("Another attempt follows in 1 s."), "{said}");
    assert_eq!(studio.names(), ["big.jpg"]);
    let sent = sent.load(Ordering::Relaxed);
    assert!((6_000_000..8_500_000).contains(&sent), "what had come is not sent again: {sent} bytes");
}

/// A line to the service that is cut once, after so many bytes of one connection; and how many have passed.
fn cut_once(service: &str, after: usize) -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let (service, passed, is_cut) = (service.to_owned(), Arc::default(), Arc::new(AtomicBool::new(false)));
    let sum: Arc<AtomicUsize> = Arc::clone(&passed);
    std::thread::spawn(move || {
        for client in listener.incoming() {
            let (mut client, mut server) = (client.unwrap(), TcpStream::connect(&service).unwrap());
            let (mut answers, mut back) = (server.try_clone().unwrap(), client.try_clone().unwrap());
            std::thread::spawn(move || std::io::copy(&mut answers, &mut back));
            let (sum, is_cut) = (sum.clone(), is_cut.clone());
            std::thread::spawn(move || {
                let (mut chunk, mut of_this) = (vec![0; 16_384], 0);
                while let Ok(length @ 1..) = client.read(&mut chunk) {
                    if server.write_all(&chunk[..length]).is_err() {
                        break;
                    }
                    of_this += length;
                    sum.fetch_add(length, Ordering::Relaxed);
                    if of_this > after && !is_cut.swap(true, Ordering::Relaxed) {
                        break;
                    }
                }
                let _ = (client.shutdown(Shutdown::Both), server.shutdown(Shutdown::Both));
            });
        }
    });
    (address, passed)
}

#[test]
fn a_token_follows_no_redirect() {
    // [UPL180]
    let (data, photos) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (moved, elsewhere) =
        (TcpListener::bind("127.0.0.1:0").unwrap(), TcpListener::bind("127.0.0.1:0").unwrap());
    let (from, to) = (moved.local_addr().unwrap(), elsewhere.local_addr().unwrap());
    let answering = std::thread::spawn(move || {
        let (mut client, _) = moved.accept().unwrap();
        let _ = client.read(&mut [0; 4_096]).unwrap();
        let answer = format!(
            "HTTP/1.1 308 Moved\r\nLocation: http://{to}/\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        );
        client.write_all(answer.as_bytes()).unwrap();
    });
    let mut command = afterglow(data.path());
    command.arg("upload").arg(photos.path()).args([
        "--event",
        "party",
        "--server",
        &format!("http://{from}"),
    ]);
    let output = command.env("AFTERGLOW_TOKEN", "afterglow_x").output().unwrap();
    answering.join().unwrap();
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("status 308"), "{said}");
    elsewhere.set_nonblocking(true).unwrap();
    assert!(elsewhere.accept().is_err(), "nobody has asked there");
}

#[test]
fn a_watched_folder_gives_what_is_whole_and_ends_with_ctrl_c() {
    let (data, photos) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (studio, photos) = (Studio::open(data.path()), photos.path());
    std::fs::write(photos.join("a.jpg"), padded(0)).unwrap();
    let output = data.path().join("output");
    let mut watching = studio
        .command(photos)
        .args(["--watch", "--settle", "1"])
        .stdout(std::fs::File::create(&output).unwrap())
        .stderr(Stdio::inherit())
        .spawn()
        .unwrap();
    let said = || std::fs::read_to_string(&output).unwrap();
    let there = |names: &[&str]| (studio.names() == names).then_some(());
    wait_for("what is there already", || there(&["a.jpg"]));
    let whole = padded(1);
    std::fs::write(photos.join("b.jpg"), &whole[..whole.len() / 2]).unwrap();
    std::fs::write(photos.join("c.jpg"), padded(2)).unwrap();
    wait_for("the whole one", || there(&["a.jpg", "c.jpg"]));
    std::thread::sleep(Duration::from_secs(2));
    assert!(there(&["a.jpg", "c.jpg"]).is_some(), "half a picture is not shown to the service");
    std::fs::write(photos.join("b.jpg"), &whole).unwrap();
    wait_for("the rest of the other", || there(&["a.jpg", "b.jpg", "c.jpg"]));
    // The command knows of it when its answer has come.
    wait_for("its answer", || said().contains("3/3 uploaded: ").then_some(()));
    let interrupt = Command::new("kill").args(["-INT", &watching.id().to_string()]).status().unwrap();
    assert!(interrupt.success());
    let (status, said) = (watching.wait().unwrap(), said());
    assert_eq!(status.code(), Some(0), "{said}");
    assert!(said.ends_with("3 uploaded, 0 already there, 0 failed.\n"), "{said}");
}

#[test]
fn a_watch_that_is_interrupted_says_how_many_photos_wait() {
    // [UPL280]
    let (data, photos) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (studio, photos) = (Studio::open(data.path()), photos.path());
    std::fs::write(photos.join("a.jpg"), padded(0)).unwrap();
    let whole = padded(1);
    std::fs::write(photos.join("b.jpg"), &whole[..whole.len() / 2]).unwrap();
    let output = data.path().join("output");
    let mut watching = studio
        .command(photos)
        .args(["--watch", "--settle", "1"])
        .stdout(std::fs::File::create(&output).unwrap())
        .stderr(Stdio::inherit())
        .spawn()
        .unwrap();
    let said = || std::fs::read_to_string(&output).unwrap();
    wait_for("the whole one", || said().contains("1/1 uploaded: ").then_some(()));
    let interrupt = Command::new("kill").args(["-INT", &watching.id().to_string()]).status().unwrap();
    assert!(interrupt.success());
    let (status, said) = (watching.wait().unwrap(), said());
    assert_eq!(status.code(), Some(130), "{said}");
    let end = "1 uploaded, 0 already there, 0 failed.\nInterrupted with 1 photo left. The same command goes on where it stopped.\n";
    assert!(said.ends_with(end), "{said}");
}

#[test]
fn what_cannot_be_read_fails_and_is_named() {
    // [UPL279]
    let (data, photos) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (studio, photos) = (Studio::open(data.path()), photos.path());
    std::fs::write(photos.join("a.jpg"), padded(0)).unwrap();
    let path = photos.join("loop.jpg");
    std::os::unix::fs::symlink("loop.jpg", &path).unwrap();
    let (code, said) = studio.upload(photos);
    assert_eq!(code, 1, "{said}");
    let sum = said.split_once("1 uploaded, 0 already there, 1 failed.\n").map(|(_, sum)| sum);
    let named = format!("  {}: it cannot be read: ", path.display());
    assert!(sum.is_some_and(|sum| sum.starts_with(&named)), "{said}");
    assert_eq!(studio.names(), ["a.jpg"]);
}

#[test]
fn files_of_two_cards_with_one_name_take_the_place_of_no_photo() {
    // [UPL271]
    let (data, photos) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (studio, photos) = (Studio::open(data.path()), photos.path());
    for (card, zeros) in [("card 1", 0), ("card 2", 1)] {
        std::fs::create_dir(photos.join(card)).unwrap();
        std::fs::write(photos.join(card).join("IMG_1.jpg"), padded(zeros)).unwrap();
    }
    let replacing = || studio.said(&studio.command(photos).arg("--replace").output().unwrap());
    let (code, said) = replacing();
    assert_eq!((code, said.ends_with("2 uploaded, 0 already there, 0 failed.\n")), (0, true), "{said}");
    let (code, said) = replacing();
    assert_eq!((code, said.ends_with("0 uploaded, 2 already there, 0 failed.\n")), (0, true), "{said}");
    assert_eq!(studio.names(), ["IMG_1.jpg", "IMG_1.jpg"]);
}

#[test]
fn edited_versions_take_the_place_of_photos_of_the_same_name() {
    let (data, photos) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (studio, photos) = (Studio::open(data.path()), photos.path());
    for (name, zeros) in [("a.jpg", 0), ("b.jpg", 1), ("big.jpg", 6_000_000)] {
        std::fs::write(photos.join(name), padded(zeros)).unwrap();
    }
    assert_eq!(studio.upload(photos).0, 0);
    for (name, zeros) in [("a.jpg", 2), ("big.jpg", 6_000_001), ("c.jpg", 3)] {
        std::fs::write(photos.join(name), padded(zeros)).unwrap();
    }
    let replacing = || studio.said(&studio.command(photos).arg("--replace").output().unwrap());
    let (code, said) = replacing();
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("replaced: ") && said.contains("/a.jpg"), "{said}");
    assert!(said.ends_with("1 uploaded, 2 replaced, 1 already there, 0 failed.\n"), "{said}");
    assert_eq!(studio.names(), ["a.jpg", "b.jpg", "big.jpg", "c.jpg"]);
    let credits = studio.server.get("/api/subscription/credits", &studio.session);
    assert_eq!(credits["credits"], json!(96.0), "the versions cost nothing");
    let (code, said) = replacing();
    assert_eq!((code, said.ends_with("0 uploaded, 4 already there, 0 failed.\n")), (0, true), "{said}");

    // Without the option an edited version is another photo; then two have the name, and that one alone fails.
    std::fs::write(photos.join("a.jpg"), padded(5)).unwrap();
    assert_eq!(studio.upload(photos).0, 0);
    for (name, zeros) in [("a.jpg", 6), ("b.jpg", 7)] {
        std::fs::write(photos.join(name), padded(zeros)).unwrap();
    }
    let (code, said) = replacing();
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("a.jpg: Several photos here have this name."), "{said}");
    assert!(said.contains("0 uploaded, 1 replaced, 2 already there, 1 failed."), "{said}");
}
