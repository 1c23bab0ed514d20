//! What systemd is told by a service of `Type=notify`.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::os::unix::net::UnixDatagram;
use std::process::Stdio;
use std::time::Duration;

use crate::harness::{Server, afterglow, text};

/// A socket in the place of systemd's, and its path.
fn socket(folder: &std::path::Path) -> (UnixDatagram, String) {
    let path = folder.join("notify");
    let socket = UnixDatagram::bind(&path).unwrap();
    socket.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    (socket, path.display().to_string())
}

fn message(socket: &UnixDatagram) -> String {
    let mut bytes = [0; 4096];
    let count = socket.recv(&mut bytes).unwrap();
    text(&bytes[..count])
}

/// Skips what asks for more time, which there is at least once.
fn ready(socket: &UnixDatagram) -> String {
    let mut said = message(socket);
    assert!(said.starts_with("EXTEND_TIMEOUT_USEC=60000000\nSTATUS="), "{said}");
    while said.starts_with("EXTEND_TIMEOUT_USEC=") {
        said = message(socket);
    }
    said
}

#[test]
fn a_server_says_when_it_starts_serves_and_stops() {
    let folder = tempfile::tempdir().unwrap();
    let (socket, path) = socket(folder.path());
    let mut server = Server::start_with(folder.path(), &["serve"], &[("NOTIFY_SOCKET", &path)]);
    let said = ready(&socket);
    assert!(said.starts_with("READY=1\nSTATUS=Serving http://localhost:"), "{said}");
    assert_eq!(server.get("/api/health", "")["status"], "ok", "it serves when it says so");
    server.signal("-TERM");
    let said = message(&socket);
    assert!(said.starts_with("STOPPING=1\n"), "{said}");
    assert_eq!(server.end(), Some(0));
}

#[test]
fn a_worker_does_so_too_and_a_failed_start_says_nothing_of_being_ready() {
    let folder = tempfile::tempdir().unwrap();
    let (socket, path) = socket(folder.path());
    let mut worker = afterglow(folder.path())
        .env("NOTIFY_SOCKET", &path)
        .arg("worker")
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let said = ready(&socket);
    assert!(said.starts_with("READY=1\nSTATUS=Working"), "{said}");
    worker.kill().unwrap();
    worker.wait().unwrap();

    let refused = afterglow(folder.path())
        .env("NOTIFY_SOCKET", &path)
        .args(["serve", "--model-dir", "/nowhere", "--listen", "127.0.0.1:0"])
        .output()
        .unwrap();
    assert!(!refused.status.success());
    socket.set_nonblocking(true).unwrap();
    let mut bytes = [0; 4096];
    while let Ok(count) = socket.recv(&mut bytes) {
        assert!(!text(&bytes[..count]).contains("READY"));
    }
}

#[test]
fn a_workers_metrics_are_answered_at_an_address_of_their_own() {
    // Nothing else is answered there.
    let folder = tempfile::tempdir().unwrap();
    let mut worker = afterglow(folder.path())
        .env("AFTERGLOW_WORKER_METRICS_LISTEN", "127.0.0.1:0")
        .arg("worker")
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(worker.stderr.take().unwrap()).lines().map(Result::unwrap);
    let address = lines.find_map(|line| Some(line.split_once("address=")?.1.trim().to_owned())).unwrap();
    let ask = |path: &str| {
        let mut stream = TcpStream::connect(&address).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    };
    let metrics = ask("/metrics");
    assert!(metrics.starts_with("HTTP/1.1 200") && metrics.contains("afterglow_queued_jobs"), "{metrics}");
    for other in ["/", "/api/health", "/api/site"] {
        assert!(ask(other).starts_with("HTTP/1.1 404"), "{other}");
    }
    worker.kill().unwrap();
    worker.wait().unwrap();
}
