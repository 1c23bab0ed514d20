//! What a signal to stop lets finish.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::harness::{Server, picture, text, wait_for};

/// The head and the first part of an upload; the rest is to follow.
fn begin_upload(server: &Server, token: &str, event: &str) -> (TcpStream, Vec<u8>) {
    let mut body = format!(
        "--line\r\nContent-Disposition: form-data; name=\"event_id\"\r\n\r\n{event}\r\n\
         --line\r\nContent-Disposition: form-data; name=\"photos\"; filename=\"late.jpg\"\r\n\r\n"
    )
    .into_bytes();
    body.extend_from_slice(&picture("biden.jpg"));
    body.extend_from_slice(b"\r\n--line--\r\n");
    let mut stream = TcpStream::connect(&server.address).unwrap();
    let head = format!(
        "POST /api/photos/upload HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {token}\r\n\
         Content-Type: multipart/form-data; boundary=line\r\nContent-Length: {}\r\nExpect: 100-continue\r\n\r\n",
        server.address,
        body.len()
    );
    stream.write_all(head.as_bytes()).unwrap();
    // It asks for the body once it works on the request, which on a busy machine can be after a signal that is sent at once.
    let mut interim = [0; 25];
    stream.read_exact(&mut interim).unwrap();
    assert_eq!(text(&interim), "HTTP/1.1 100 Continue\r\n\r\n");
    let rest = body.split_off(body.len() / 2);
    stream.write_all(&body).unwrap();
    (stream, rest)
}

#[test]
fn a_term_signal_lets_a_running_request_and_a_running_job_finish() {
    // [RUN049] [RUN050] [RUN051] [SAFE018]
    let folder = tempfile::tempdir().unwrap();
    let mut server = Server::start(folder.path(), &["serve"]);
    let token = server.photographer();
    let event = server.json("/api/events/", &token, &json!({"name": "Party", "date": "2026-11-14"}));
    let id = event["id"].as_str().unwrap().to_owned();
    let (mut upload, rest) = begin_upload(&server, &token, &id);
    assert_eq!(server.upload(&token, &id, &picture("obama.jpg")).0, 201);
    // The first photo is being indexed now, or is indexed already.
    server.signal("-TERM");
    wait_for("the end of listening", || TcpStream::connect(&server.address).is_err().then_some(()));
    std::thread::sleep(Duration::from_millis(300));
    assert!(server.child.try_wait().unwrap().is_none(), "it waits for the upload");
    upload.write_all(&rest).unwrap();
    let mut answer = Vec::new();
    upload.read_to_end(&mut answer).unwrap();
    assert!(text(&answer).starts_with("HTTP/1.1 201"), "{}", text(&answer));
    assert_eq!(server.end(), Some(0));

    // What was acknowledged is there, and no job was left with a lease that has to run out.
    let server = Server::start(folder.path(), &["serve"]);
    let photos = server.get("/api/photos/search", &token);
    assert_eq!(photos["total_count"], 2);
    let started = Instant::now();
    wait_for("the index", || {
        let slug = event["slug"].as_str().unwrap();
        (server.get(&format!("/api/events/{slug}"), "")["indexing"]["indexed"] == 2).then_some(())
    });
    assert!(started.elapsed() < Duration::from_secs(50), "a lease was left behind");
}

#[test]
fn a_request_that_never_ends_is_cut_off_after_thirty_seconds() {
    // [RUN050] [RUN051]
    let folder = tempfile::tempdir().unwrap();
    let mut server = Server::start(folder.path(), &["serve"]);
    let token = server.photographer();
    let (_upload, _rest) = begin_upload(&server, &token, "");
    let started = Instant::now();
    server.signal("-TERM");
    assert_eq!(server.end(), Some(0));
    let took = started.elapsed();
    assert!((28..40).contains(&took.as_secs()), "it took {took:?}");
    assert!(server.log().contains("did not finish in time"), "{}", server.log());
}
