//! The binary as an operator meets it: commands, settings, signals, a kill in the middle.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The binary in an empty folder, with the model pack of the repository and no variable of the caller's.
fn afterglow(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_afterglow"));
    command.env_clear().current_dir(folder).env("AFTERGLOW_MODEL_DIR", root().join("models"));
    command.stdin(Stdio::null());
    command
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    afterglow(folder).args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

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
        &["openapi", "--help"],
        &["faces", "--help"],
        &["faces", "index", "--help"],
        &["faces", "search", "--help"],
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
    let output =
        afterglow(folder.path()).env("AFTERGLOW_MODEL_DIR", "nowhere").arg("serve").output().unwrap();
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

/// A running server; killed when dropped.
struct Server {
    child: Child,
    address: String,
    folder: PathBuf,
}

impl Server {
    fn start(folder: &Path, arguments: &[&str]) -> Self {
        let mut child = afterglow(folder)
            .env("AFTERGLOW_LISTEN", "127.0.0.1:0")
            .args(arguments)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap());
        let mut log = String::new();
        let address = loop {
            let mut line = String::new();
            assert!(lines.read_line(&mut line).unwrap() > 0, "the server ended: {log}");
            if let Some(at) = line.find("address=") {
                break line[at + 8..].split_whitespace().next().unwrap().to_owned();
            }
            log.push_str(&line);
        };
        // The pipe is read on, so that the server never waits for it.
        std::thread::spawn(move || std::io::copy(&mut lines, &mut std::io::sink()));
        Self { child, address, folder: folder.to_owned() }
    }

    /// One request on a connection of its own; status and body.
    fn call(
        &self,
        method: &str,
        path: &str,
        token: &str,
        kind: &str,
        body: &[u8],
    ) -> (u16, serde_json::Value) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nAuthorization: Bearer {token}\r\n\
             Content-Type: {kind}\r\nContent-Length: {}\r\n\r\n",
            self.address,
            body.len()
        );
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(body).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let split = answer.windows(4).position(|window| window == b"\r\n\r\n").unwrap();
        let status = text(&answer[9..12]).parse().unwrap();
        (status, serde_json::from_slice(&answer[split + 4..]).unwrap_or_default())
    }

    fn json(&self, path: &str, token: &str, body: &serde_json::Value) -> serde_json::Value {
        let (status, answer) =
            self.call("POST", path, token, "application/json", body.to_string().as_bytes());
        assert!(status < 300, "{path}: {status} {answer}");
        answer
    }

    fn get(&self, path: &str, token: &str) -> serde_json::Value {
        let (status, answer) = self.call("GET", path, token, "text/plain", b"");
        assert!(status < 300, "{path}: {status} {answer}");
        answer
    }

    /// Registers, follows the link in the outbox and logs in.
    fn photographer(&self) -> String {
        let account =
            serde_json::json!({"name": "Meera", "email": "meera@example.com", "password": "correct horse"});
        self.json("/api/auth/register", "", &account);
        let outbox = self.folder.join("data/outbox");
        let mail = wait_for("the mail", || {
            let mut files = std::fs::read_dir(&outbox).ok()?.filter_map(Result::ok);
            files.find(|file| file.path().extension().is_some_and(|ending| ending == "eml"))
        });
        // Quoted-printable: soft line breaks go, =3D is an equals sign.
        let mail = std::fs::read_to_string(mail.path()).unwrap();
        let mail = mail.replace("=\r\n", "").replace("=3D", "=");
        let link = mail.split("verify-email?token=").nth(1).unwrap();
        let token: String =
            link.chars().take_while(|c| c.is_ascii_alphanumeric() || "-_".contains(*c)).collect();
        self.json("/api/auth/verify-email", "", &serde_json::json!({"token": token}));
        self.json("/api/auth/login", "", &account)["token"].as_str().unwrap().to_owned()
    }

    fn upload(&self, token: &str, event: &str, picture: &[u8]) -> (u16, serde_json::Value) {
        let mut body = format!(
            "--line\r\nContent-Disposition: form-data; name=\"event_id\"\r\n\r\n{event}\r\n\
             --line\r\nContent-Disposition: form-data; name=\"photos\"; filename=\"photo.jpg\"\r\n\r\n"
        )
        .into_bytes();
        body.extend_from_slice(picture);
        body.extend_from_slice(b"\r\n--line--\r\n");
        self.call("POST", "/api/photos/upload", token, "multipart/form-data; boundary=line", &body)
    }

    fn signal(&self, name: &str) {
        let sent = Command::new("kill").args([name, &self.child.id().to_string()]).status().unwrap();
        assert!(sent.success());
    }

    fn end(&mut self) -> Option<i32> {
        wait_for("the end of the process", || self.child.try_wait().unwrap()).code()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let started = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(started.elapsed() < Duration::from_secs(120), "{what} did not come");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// The pictures that `make pictures` fetches.
fn picture(name: &str) -> Vec<u8> {
    let path = root().join(".cache/pictures").join(name);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}. Run `make pictures`.", path.display()))
}

#[test]
fn a_term_signal_ends_the_server_with_0() {
    // [RUN003] [RUN024] [RUN049] [RUN051]
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
    // [RUN002] [RUN004] [RUN005] [RUN052] [SAFE012] [SAFE013] [SAFE018]
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

impl Server {
    /// The mail is a job, so a server without worker needs one for a moment.
    fn photographer_with_worker(&self) -> String {
        let mut worker = afterglow(&self.folder).arg("worker").stderr(Stdio::null()).spawn().unwrap();
        let token = self.photographer();
        worker.kill().unwrap();
        worker.wait().unwrap();
        token
    }
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
