//! Uploads in pieces, by the tus protocol: each header and status, and what holds for every upload.

mod bounds;
mod checks;

use axum::body::{Body, Bytes};
use axum::http::Request;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use crate::harness::{Answer, GREEN, RED, World, on_both_engines, photo};

const PATH: &str = "/api/photos/uploads";

fn request(method: &str, path: &str, token: &str) -> axum::http::request::Builder {
    Request::builder()
        .method(method)
        .uri(path)
        .header("tus-resumable", "1.0.0")
        .header("authorization", format!("Bearer {token}"))
}

fn metadata(event: &Value, name: &str) -> String {
    let event = event["id"].as_str().unwrap_or_default();
    format!("filename {},event_id {}", STANDARD.encode(name), STANDARD.encode(event))
}

/// Begins an upload of so many bytes, with these metadata if there are any.
pub(crate) async fn begin(world: &World, token: &str, length: usize, metadata: &str) -> Answer {
    let mut request = request("POST", PATH, token).header("upload-length", length);
    if !metadata.is_empty() {
        request = request.header("upload-metadata", metadata);
    }
    world.send(request.body(Body::empty()).unwrap()).await
}

/// Begins an upload to an event; answers its path.
pub(crate) async fn begun(world: &World, token: &str, event: &Value, bytes: &[u8]) -> String {
    let answer = begin(world, token, bytes.len(), &metadata(event, "DSC_1.jpg")).await;
    assert_eq!(answer.status, 201, "{}", String::from_utf8_lossy(&answer.bytes));
    answer.header("location").to_owned()
}

fn piece(path: &str, token: &str, offset: usize) -> axum::http::request::Builder {
    request("PATCH", path, token)
        .header("content-type", "application/offset+octet-stream")
        .header("upload-offset", offset)
}

pub(crate) async fn append(world: &World, path: &str, token: &str, offset: usize, bytes: &[u8]) -> Answer {
    let request = piece(path, token, offset).header("content-length", bytes.len());
    world.send(request.body(Body::from(bytes.to_vec())).unwrap()).await
}

/// A piece whose line is cut after these bytes.
async fn append_torn(world: &World, path: &str, token: &str, offset: usize, bytes: &[u8]) -> Answer {
    let chunks = vec![Ok(Bytes::from(bytes.to_vec())), Err(std::io::Error::other("cut"))];
    let body = Body::from_stream(futures::stream::iter(chunks));
    world.send(piece(path, token, offset).body(body).unwrap()).await
}

async fn head(world: &World, path: &str, token: &str) -> Answer {
    world.send(request("HEAD", path, token).body(Body::empty()).unwrap()).await
}

/// What HEAD says is here.
async fn offset(world: &World, path: &str, token: &str) -> usize {
    let answer = head(world, path, token).await;
    assert_eq!(answer.status, 200);
    answer.header("upload-offset").parse().unwrap()
}

async fn credits(world: &World, token: &str) -> f64 {
    world.get("/api/subscription/credits", token).await.json()["credits"].as_f64().unwrap()
}

async fn photos(world: &World, token: &str) -> Value {
    world.get("/api/photos/search", token).await.json()
}

/// The files of uploads in pieces on the local disk.
pub(crate) fn parts(world: &World) -> Vec<String> {
    let folder = world.parts.settings.incoming_dir.join("partial");
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn options_say_what_the_server_can_do() {
    on_both_engines(async |world: World| {
        for path in [PATH, &format!("{PATH}/any")] {
            let answer = world.send(Request::options(path).body(Body::empty()).unwrap()).await;
            assert_eq!((answer.status.as_u16(), answer.bytes.len()), (204, 0));
            for (name, value) in [
                ("tus-resumable", "1.0.0"),
                ("tus-version", "1.0.0"),
                ("tus-extension", "creation,expiration,checksum,termination"),
                ("tus-max-size", "104857600"),
                ("tus-checksum-algorithm", "sha1,sha256"),
            ] {
                assert_eq!(answer.header(name), value);
            }
        }
    });
}

#[test]
fn another_version_of_the_protocol_is_refused_before_anything_happens() {
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        let path = begun(&world, &token, &event, b"0123456789").await;
        for version in ["", "0.2.2", "1.0.0, 0.2.2"] {
            for (method, path) in
                [("POST", PATH), ("PATCH", path.as_str()), ("DELETE", path.as_str()), ("HEAD", path.as_str())]
            {
                let mut request = Request::builder().method(method).uri(path);
                request = request.header("authorization", format!("Bearer {token}"));
                request = request.header("upload-length", "1").header("upload-offset", "0");
                request = request.header("content-type", "application/offset+octet-stream");
                if !version.is_empty() {
                    request = request.header("tus-resumable", version);
                }
                let answer = world.send(request.body(Body::from("0")).unwrap()).await;
                assert_eq!(answer.status, 412, "{method} {version}");
                assert_eq!(
                    (answer.header("tus-version"), answer.header("tus-resumable")),
                    ("1.0.0", "1.0.0")
                );
                if method != "HEAD" {
                    let text = "Uploads in pieces speak tus 1.0.0 here (Tus-Resumable)";
                    assert_eq!(answer.error(), (412, String::from(text)));
                }
            }
        }
        assert_eq!(offset(&world, &path, &token).await, 0);
    });
}

#[test]
fn a_photo_in_pieces_is_taken_in_with_the_last_one_as_any_other() {
    // [UPL200]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        let (bytes, before) = (photo(&[RED], 0), credits(&world, &token).await);
        let said = metadata(&event, "DSC_1.jpg");
        let answer = begin(&world, &token, bytes.len(), &said).await;
        assert_eq!((answer.status.as_u16(), answer.bytes.len()), (201, 0));
        assert_eq!(answer.header("tus-resumable"), "1.0.0");
        assert!(answer.header("upload-expires").ends_with(" GMT"), "{}", answer.header("upload-expires"));
        let path = answer.header("location").to_owned();

        let (answer, length) = (head(&world, &path, &token).await, bytes.len().to_string());
        for (name, value) in [
            ("upload-offset", "0"),
            ("upload-length", length.as_str()),
            ("upload-metadata", said.as_str()),
            ("cache-control", "no-store"),
            ("tus-resumable", "1.0.0"),
        ] {
            assert_eq!(answer.header(name), value, "{name}");
        }
        assert!(answer.headers.contains_key("upload-expires"));

        let answer = append(&world, &path, &token, 0, &bytes[..100]).await;
        assert_eq!((answer.status.as_u16(), answer.header("upload-offset")), (204, "100"));
        assert!(answer.headers.contains_key("upload-expires") && !answer.headers.contains_key("photo-id"));
        assert_eq!(photos(&world, &token).await["total_count"], 0);
        let answer = append(&world, &path, &token, 100, b"").await;
        assert_eq!((answer.status.as_u16(), answer.header("upload-offset")), (204, "100"));

        let answer = append(&world, &path, &token, 100, &bytes[100..]).await;
        assert_eq!(
            (answer.status.as_u16(), answer.header("upload-offset")),
            (204, &*bytes.len().to_string())
        );
        assert_eq!(answer.header("photo-duplicate"), "false");
        let found = photos(&world, &token).await;
        assert_eq!(found["photos"][0]["id"], answer.header("photo-id"));
        assert_eq!(found["photos"][0]["filename"], "DSC_1.jpg");
        assert_eq!(found["photos"][0]["event_id"], event["id"]);
        assert!((before - credits(&world, &token).await - 1.0).abs() < f64::EPSILON);
        let stored = world.stored(&found["photos"][0]["id"]).await;
        assert_eq!(stored.size_bytes, i64::try_from(bytes.len()).unwrap());
        world.drain().await;
        assert_eq!(
            world.search(&event, &photo(&[RED], 9)).await.json()["matches"].as_array().unwrap().len(),
            1
        );
    });
}

#[test]
fn a_lost_last_answer_costs_nothing_and_tells_the_same() {
    // [UPL160]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        let (bytes, before) = (photo(&[RED], 0), credits(&world, &token).await);
        let path = begun(&world, &token, &event, &bytes).await;
        let first = append(&world, &path, &token, 0, &bytes).await;
        assert_eq!(first.status, 204);
        let again = append(&world, &path, &token, 0, &bytes).await;
        assert_eq!(again.error().0, 409, "it begins elsewhere now");
        let stands = head(&world, &path, &token).await;
        let nothing = append(&world, &path, &token, bytes.len(), b"").await;
        for answer in [&stands, &nothing] {
            assert_eq!(answer.header("upload-offset"), bytes.len().to_string());
            assert_eq!(answer.header("photo-id"), first.header("photo-id"));
            assert_eq!(answer.header("photo-duplicate"), "false");
        }
        // Whoever begins anew, or calls the other call, finds it there.
        let path = begun(&world, &token, &event, &bytes).await;
        let anew = append(&world, &path, &token, 0, &bytes).await;
        assert_eq!((anew.status.as_u16(), anew.header("photo-duplicate")), (204, "true"));
        assert_eq!(anew.header("photo-id"), first.header("photo-id"));
        assert_eq!(world.upload(&token, &event, "b.jpg", &bytes).await.json()["duplicate"], true);
        assert!((before - credits(&world, &token).await - 1.0).abs() < f64::EPSILON);
        assert_eq!(photos(&world, &token).await["total_count"], 1);
        assert!(parts(&world).iter().all(|name| name.ends_with(".done")), "{:?}", parts(&world));
    });
}

#[test]
fn a_torn_piece_is_continued_where_head_says_also_after_a_restart() {
    // [UPL158] [UPL163]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        let bytes = photo(&[RED, GREEN], 0);
        let path = begun(&world, &token, &event, &bytes).await;
        let torn = append_torn(&world, &path, &token, 0, &bytes[..300]).await;
        assert_eq!((torn.error().0, torn.header("retry-after")), (503, "2"));
        assert_eq!(offset(&world, &path, &token).await, 300);
        let world = world.restarted().await;
        assert_eq!(offset(&world, &path, &token).await, 300);
        assert_eq!(append_torn(&world, &path, &token, 300, &bytes[300..400]).await.error().0, 503);
        assert_eq!(offset(&world, &path, &token).await, 400);
        let last = append(&world, &path, &token, 400, &bytes[400..]).await;
        assert_eq!((last.status.as_u16(), last.header("photo-duplicate")), (204, "false"));
        assert!(original(&world, &token, &last).await == bytes);
    });
}

/// The original of the photo that an answer names.
async fn original(world: &World, token: &str, answer: &Answer) -> Vec<u8> {
    let path = format!("/api/photos/{}/file?size=original", answer.header("photo-id"));
    world.get(&path, token).await.bytes
}

#[test]
fn a_process_that_was_killed_before_the_photo_was_taken_in_asks_for_the_last_byte() {
    // [UPL202]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        let bytes = photo(&[RED], 0);
        let path = begun(&world, &token, &event, &bytes).await;
        assert_eq!(append(&world, &path, &token, 0, &bytes[..10]).await.status, 204);
        let file = parts(&world).into_iter().find(|name| name.ends_with(".part")).unwrap();
        std::fs::write(world.parts.settings.incoming_dir.join("partial").join(file), &bytes).unwrap();
        let world = world.restarted().await;
        assert_eq!(offset(&world, &path, &token).await, bytes.len() - 1);
        let last = append(&world, &path, &token, bytes.len() - 1, &bytes[bytes.len() - 1..]).await;
        assert_eq!((last.status.as_u16(), last.header("photo-duplicate")), (204, "false"));
        assert!(original(&world, &token, &last).await == bytes);
    });
}

#[test]
fn a_new_request_interrupts_one_whose_line_is_dead() {
    // [UPL159]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        let bytes = photo(&[RED], 0);
        let path = begun(&world, &token, &event, &bytes).await;
        let (sender, receiver) = tokio::sync::mpsc::channel::<Result<Bytes, std::io::Error>>(1);
        let body = futures::stream::unfold(receiver, async |mut receiver| {
            receiver.recv().await.map(|chunk| (chunk, receiver))
        });
        let body = Body::from_stream(body);
        let dead = world.send(piece(&path, &token, 0).body(body).unwrap());
        let next = async {
            sender.send(Ok(Bytes::from(bytes[..50].to_vec()))).await.unwrap();
            sender.reserve().await.unwrap();
            // The first chunk is read once the channel has room; whether it is written, HEAD says.
            let here = offset(&world, &path, &token).await;
            append(&world, &path, &token, here, &bytes[here..]).await
        };
        let (dead, last) = tokio::join!(dead, next);
        assert_eq!(dead.error().0, 503);
        assert_eq!((last.status.as_u16(), last.header("photo-duplicate")), (204, "false"));
        assert!(original(&world, &token, &last).await == bytes);
    });
}

#[test]
fn an_upload_is_ended_by_its_owner_alone() {
    // [UPL201]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let theirs = world.photographer("ravi@example.com").await;
        let event = world.event(&token, "Party").await;
        let path = begun(&world, &token, &event, b"0123456789").await;
        assert_eq!(append(&world, &path, &token, 0, b"0123").await.status, 204);
        let gone = (404, String::from("This upload is no longer there. Please upload the photo again."));
        let delete = async |token: &str| {
            world.send(request("DELETE", &path, token).body(Body::empty()).unwrap()).await
        };
        assert_eq!(head(&world, &path, &theirs).await.status, 404);
        assert_eq!(append(&world, &path, &theirs, 4, b"4").await.error(), gone);
        assert_eq!(delete(&theirs).await.error(), gone);
        assert_eq!(offset(&world, &path, &token).await, 4);
        let ended = delete(&token).await;
        assert_eq!((ended.status.as_u16(), ended.header("tus-resumable")), (204, "1.0.0"));
        assert_eq!(head(&world, &path, &token).await.status, 404);
        assert_eq!(append(&world, &path, &token, 4, b"4").await.error(), gone);
        assert_eq!(delete(&token).await.error(), gone);
        assert_eq!(parts(&world), [] as [String; 0]);
    });
}

#[test]
fn a_method_that_a_client_cannot_send_comes_in_a_header() {
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        let path = begun(&world, &token, &event, b"0123456789").await;
        let post = async |method: &str| {
            let request = request("POST", &path, &token)
                .header("x-http-method-override", method)
                .header("content-type", "application/offset+octet-stream")
                .header("upload-offset", "0");
            world.send(request.body(Body::from("0123")).unwrap()).await
        };
        let appended = post("PATCH").await;
        assert_eq!((appended.status.as_u16(), appended.header("upload-offset")), (204, "4"));
        assert_eq!(post("HEAD").await.header("upload-offset"), "4");
        assert_eq!(post("GET").await.error().0, 405);
        assert_eq!(post("DELETE").await.status, 204);
        assert_eq!(head(&world, &path, &token).await.status, 404);
    });
}

#[test]
fn another_machine_does_not_have_the_upload_and_loses_nothing() {
    // [UPL204]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        let bytes = photo(&[RED], 0);
        let path = begun(&world, &token, &event, &bytes).await;
        let other = world.second_process(&world.parts.db).await;
        assert_eq!(head(&other, &path, &token).await.status, 404);
        assert_eq!(append(&other, &path, &token, 0, &bytes).await.error().0, 404);
        assert_eq!(append(&world, &path, &token, 0, &bytes).await.status, 204);
    });
}

#[test]
fn a_photo_in_pieces_takes_the_place_of_another_version() {
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        let mut first = String::new();
        for (salt, replaced) in [(0, "false"), (1, "true")] {
            let bytes = photo(&[RED], salt);
            let metadata = metadata(&event, "a.jpg") + &format!(",replace {}", STANDARD.encode("true"));
            let begun = begin(&world, &token, bytes.len(), &metadata).await;
            let path = begun.header("location").to_owned();
            let answer = append(&world, &path, &token, 0, &bytes).await;
            assert_eq!((answer.status.as_u16(), answer.header("photo-replaced")), (204, replaced));
            assert_eq!(answer.header("photo-duplicate"), "false");
            if salt == 0 {
                answer.header("photo-id").clone_into(&mut first);
            }
            assert_eq!(answer.header("photo-id"), first);
            assert_eq!(head(&world, &path, &token).await.header("photo-replaced"), replaced);
        }
        assert_eq!(photos(&world, &token).await["total_count"], 1);
        assert!((credits(&world, &token).await - 99.0).abs() < f64::EPSILON);
    });
}
