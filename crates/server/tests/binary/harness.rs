//! Runs the binary and talks to it.

use std::io::{BufRead as _, BufReader, Read, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The binary in an empty folder, with the model pack of the repository and no variable of the caller's.
pub(crate) fn afterglow(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_afterglow"));
    command.env_clear().current_dir(folder).env("AFTERGLOW_MODEL_DIR", root().join("models"));
    command.stdin(Stdio::null());
    command
}

pub(crate) fn run(folder: &Path, arguments: &[&str]) -> Output {
    afterglow(folder).args(arguments).output().unwrap()
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Where `cargo xtask test` collects the logs of all servers, to look for what no log may have; `log` is its beginning.
fn collected_log(child: &Child, log: &str) -> Option<std::fs::File> {
    let folder = std::env::var_os("SERVER_LOGS")?;
    let path = Path::new(&folder).join(format!("binary-{}-{}.log", std::process::id(), child.id()));
    let mut file = std::fs::File::create(path).unwrap();
    file.write_all(log.as_bytes()).unwrap();
    Some(file)
}

/// What comes out of a pipe, as far as it has come.
fn kept(pipe: impl Read + Send + 'static) -> Arc<Mutex<Vec<u8>>> {
    let kept = Arc::new(Mutex::new(Vec::new()));
    let (buffer, mut lines) = (kept.clone(), BufReader::new(pipe));
    std::thread::spawn(move || {
        let mut line = Vec::new();
        while lines.read_until(b'\n', &mut line).unwrap_or(0) > 0 {
            buffer.lock().unwrap().append(&mut line);
        }
    });
    kept
}

/// A running server; killed when dropped.
pub(crate) struct Server {
    pub(crate) child: Child,
    pub(crate) address: String,
    pub(crate) folder: PathBuf,
    log: Arc<Mutex<Vec<u8>>>,
    printed: Arc<Mutex<Vec<u8>>>,
}

impl Server {
    pub(crate) fn start(folder: &Path, arguments: &[&str]) -> Self {
        Self::start_with(folder, arguments, &[])
    }

    pub(crate) fn start_with(folder: &Path, arguments: &[&str], settings: &[(&str, &str)]) -> Self {
        let mut child = afterglow(folder)
            .env("AFTERGLOW_LISTEN", "127.0.0.1:0")
            .envs(settings.iter().copied())
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let printed = kept(child.stdout.take().unwrap());
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
        let mut collected = collected_log(&child, &log);
        let kept = Arc::new(Mutex::new(log.into_bytes()));
        let log = kept.clone();
        std::thread::spawn(move || {
            let mut line = Vec::new();
            while lines.read_until(b'\n', &mut line).unwrap_or(0) > 0 {
                if let Some(file) = &mut collected {
                    file.write_all(&line).unwrap();
                }
                kept.lock().unwrap().append(&mut line);
            }
        });
        Self { child, address, folder: folder.to_owned(), log, printed }
    }

    /// What it has logged so far.
    pub(crate) fn log(&self) -> String {
        text(&self.log.lock().unwrap())
    }

    /// What it has printed so far.
    pub(crate) fn printed(&self) -> String {
        text(&self.printed.lock().unwrap())
    }

    /// One request on a connection of its own; status and body.
    pub(crate) fn call(
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

    pub(crate) fn json(&self, path: &str, token: &str, body: &serde_json::Value) -> serde_json::Value {
        let (status, answer) =
            self.call("POST", path, token, "application/json", body.to_string().as_bytes());
        assert!(status < 300, "{path}: {status} {answer}");
        answer
    }

    pub(crate) fn get(&self, path: &str, token: &str) -> serde_json::Value {
        let (status, answer) = self.call("GET", path, token, "text/plain", b"");
        assert!(status < 300, "{path}: {status} {answer}");
        answer
    }

    /// Registers, follows the link in the outbox and logs in.
    pub(crate) fn photographer(&self) -> String {
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

    pub(crate) fn upload(&self, token: &str, event: &str, picture: &[u8]) -> (u16, serde_json::Value) {
        let mut body = format!(
            "--line\r\nContent-Disposition: form-data; name=\"event_id\"\r\n\r\n{event}\r\n\
             --line\r\nContent-Disposition: form-data; name=\"photos\"; filename=\"photo.jpg\"\r\n\r\n"
        )
        .into_bytes();
        body.extend_from_slice(picture);
        body.extend_from_slice(b"\r\n--line--\r\n");
        self.call("POST", "/api/photos/upload", token, "multipart/form-data; boundary=line", &body)
    }

    pub(crate) fn delete(&self, path: &str, token: &str) {
        let (status, answer) = self.call("DELETE", path, token, "text/plain", b"");
        assert!(status < 300, "{path}: {status} {answer}");
    }

    pub(crate) fn search(&self, path: &str, token: &str, selfie: &[u8]) -> (u16, serde_json::Value) {
        let head =
            b"--line\r\nContent-Disposition: form-data; name=\"image\"; filename=\"selfie.jpg\"\r\n\r\n";
        let notice = b"\r\n--line\r\nContent-Disposition: form-data; name=\"notice_version\"\r\n\r\n";
        let version = domain::faces::consents::NoticeVersion::CURRENT.as_str().as_bytes();
        let body = [head, selfie, notice, version, b"\r\n--line--\r\n"].concat();
        self.call("POST", path, token, "multipart/form-data; boundary=line", &body)
    }

    /// Bytes of memory that are the process's own, or those of its decoders (proc(5), RssAnon, and what is resident of files
    /// made by memfd_create(2): pictures on their way). RssShmem has those of temporary files too where they lie in a tmpfs.
    pub(crate) fn anonymous_memory(&self) -> u64 {
        let own = resident(self.child.id()).unwrap();
        // One of them may end meanwhile.
        own + self.decoders().into_iter().filter_map(resident).sum::<u64>()
    }

    /// The processes in which it has pictures read.
    pub(crate) fn decoders(&self) -> Vec<u32> {
        let parent = format!("PPid:\t{}", self.child.id());
        let all = std::fs::read_dir("/proc")
            .unwrap()
            .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
        let is_own = |process: &u32| {
            let read =
                |file: &str| std::fs::read_to_string(format!("/proc/{process}/{file}")).unwrap_or_default();
            let status = read("status");
            // Before it runs its program, a process is a copy of its parent, whose memory it has and does not take.
            let is_decoder = read("cmdline").split('\0').nth(1) == Some("decoder");
            is_decoder && status.lines().any(|line| line == parent) && !status.contains("State:\tZ")
        };
        all.filter(is_own).collect()
    }

    pub(crate) fn signal(&self, name: &str) {
        let sent = Command::new("kill").args([name, &self.child.id().to_string()]).status().unwrap();
        assert!(sent.success());
    }

    pub(crate) fn end(&mut self) -> Option<i32> {
        wait_for("the end of the process", || self.child.try_wait().unwrap()).code()
    }
}

impl Server {
    /// The mail is a job, so a server without worker needs one for a moment.
    pub(crate) fn photographer_with_worker(&self) -> String {
        let mut worker = afterglow(&self.folder).arg("worker").stderr(Stdio::null()).spawn().unwrap();
        let token = self.photographer();
        worker.kill().unwrap();
        worker.wait().unwrap();
        token
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Bytes of memory that no file has; none when there is no such process any more.
fn resident(process: u32) -> Option<u64> {
    let read = |file: &str| std::fs::read_to_string(format!("/proc/{process}/{file}")).ok();
    let kilobytes = |text: &str| text.trim().strip_suffix(" kB")?.parse::<u64>().ok();
    let anonymous = read("status")?.lines().find_map(|line| kilobytes(line.strip_prefix("RssAnon:")?))?;
    let mut in_memory = false;
    let mut shared = 0;
    for line in read("smaps")?.lines() {
        match line.strip_prefix("Rss:") {
            Some(resident) if in_memory => shared += kilobytes(resident)?,
            Some(_) => {}
            // The first line of a mapping has no colon behind its first word.
            None if !line.split(' ').next()?.ends_with(':') => in_memory = line.contains(" /memfd:"),
            None => {}
        }
    }
    Some((anonymous + shared) * 1024)
}

/// Status and bytes of what a server answers to somebody without a token.
pub(crate) fn fetch(address: &str, path: &str) -> (u16, Vec<u8>) {
    let mut stream = TcpStream::connect(address).unwrap();
    let head = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(head.as_bytes()).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    let split = answer.windows(4).position(|window| window == b"\r\n\r\n").unwrap();
    (text(&answer[9..12]).parse().unwrap(), answer.split_off(split + 4))
}

pub(crate) fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
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
pub(crate) fn picture(name: &str) -> Vec<u8> {
    let path = root().join(".cache/pictures").join(name);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}. Run `make pictures`.", path.display()))
}
