//! Thumbnails and previews: how they are sent, and when they stop.

use std::time::Duration;

use app::App;
use axum::body::Body;
use axum::http::Request;
use domain::photos::{MediaKey, Size};
use media::stores::{Source, Store};
use serde_json::Value;
use storage::testing::change;
use tokio::io::AsyncWriteExt as _;
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;

use crate::harness::{Answer, METRICS_TOKEN, RED, World, on_both_engines, photo};

/// An event with so many indexed photos: the photographer's token, the event, and its photos, newest first.
async fn photos(world: &World, count: usize) -> (String, Value, Vec<Value>) {
    let token = world.photographer("meera@example.com").await;
    let event = world.event(&token, "Party").await;
    for number in 0..count {
        let bytes = photo(&[RED], u8::try_from(number).unwrap());
        world.upload(&token, &event, &format!("{number}.jpg"), &bytes).await;
    }
    world.drain().await;
    let found = world.get("/api/photos/search", &token).await.json();
    (token, event, found["photos"].as_array().unwrap().clone())
}

fn link(photo: &Value) -> String {
    photo["thumbnail_url"].as_str().unwrap().to_owned()
}

async fn ask(world: &World, link: &str, name: &str, value: &str) -> Answer {
    world.send(Request::get(link).header(name, value).body(Body::empty()).unwrap()).await
}

#[test]
fn a_photo_is_seen_before_it_is_indexed() {
    // [GAL430] [GAL431]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        let uploaded = world.upload(&token, &event, "first.jpg", &photo(&[RED; 13], 0)).await.json();
        let early = uploaded["early_url"].as_str().unwrap().to_owned();
        assert_eq!((&uploaded["status"], &uploaded["thumbnail_url"]), (&"processing".into(), &Value::Null));
        let shown = world.get(&early, "").await;
        assert_eq!(shown.status, 200);
        assert_eq!(shown.header("content-type"), "image/jpeg");
        assert!(shown.header("cache-control").starts_with("private"), "no cache may share it");
        assert_eq!(image::load_from_memory(&shown.bytes).unwrap().width(), 480);
        assert_eq!(world.get(&early, "").await.bytes, shown.bytes, "from memory");
        assert_eq!(world.stored_files().await.len(), 1, "nothing is stored but the original");
        let forged = early.replace("/early?", "/original?");
        assert_eq!(world.get(&forged, "").await.error(), (404, String::from("File not found")));

        assert_eq!(world.drain().await, 1);
        let ready = &world.get("/api/photos/search", &token).await.json()["photos"][0];
        assert_eq!((&ready["status"], &ready["early_url"]), (&"ready".into(), &Value::Null));
        let thumbnail = world.get(ready["thumbnail_url"].as_str().unwrap(), "").await.bytes;
        assert!(
            world.get(&early, "").await.bytes == thumbnail,
            "a page that was open goes on with the thumbnail"
        );
        let path = format!("/api/photos/{}", ready["id"].as_str().unwrap());
        assert_eq!(world.delete(&path, &token).await.status, 200);
        assert_eq!(world.get(&early, "").await.error(), (404, String::from("File not found")));

        // One that is deleted before it is indexed, and one whose original is gone.
        for gone in ["deleted", "lost"] {
            let uploaded = world.upload(&token, &event, "next.jpg", &photo(&[RED], 7)).await.json();
            let early = uploaded["early_url"].as_str().unwrap();
            if gone == "deleted" {
                assert_eq!(world.get(early, "").await.status, 200);
                let path = format!("/api/photos/{}", uploaded["id"].as_str().unwrap());
                assert_eq!(world.delete(&path, &token).await.status, 200);
            } else {
                for file in world.stored_files().await {
                    world.parts.store.delete(&MediaKey::from_trusted(file)).await.unwrap();
                }
            }
            assert_eq!(world.get(early, "").await.error(), (404, String::from("File not found")), "{gone}");
        }
    });
}

#[test]
fn renditions_that_were_deleted_stop_at_once_and_in_other_processes_within_ten_seconds() {
    // [RUN282] [RUN319]
    on_both_engines(async |world: World| {
        let (token, event, photos) = photos(&world, 3).await;
        let another = world.second_process(&world.parts.db).await;
        for process in [&world, &another] {
            for photo in &photos {
                for _ in 0..2 {
                    assert_eq!(process.get(&link(photo), "").await.status, 200);
                }
            }
        }
        let path = format!("/api/photos/{}", photos[0]["id"].as_str().unwrap());
        assert_eq!(world.delete(&path, &token).await.status, 200);
        let first = link(&photos[0]);
        assert_eq!(world.get(&first, "").await.error(), (404, String::from("File not found")));
        world.clock.advance(Duration::from_millis(9_999));
        assert_eq!(another.get(&first, "").await.status, 200, "it is not asked about yet");
        world.clock.advance(Duration::from_millis(1));
        assert_eq!(another.get(&first, "").await.error(), (404, String::from("File not found")));
        assert_eq!(another.get(&link(&photos[1]), "").await.status, 200);

        let path = format!("/api/events/{}", event["id"].as_str().unwrap());
        assert_eq!(world.delete(&path, &token).await.status, 202);
        world.drain().await;
        for photo in &photos[1..] {
            assert_eq!(world.get(&link(photo), "").await.status, 404);
        }
    });
}

#[test]
fn a_rendition_in_memory_asks_neither_database_nor_store() {
    // /metrics tells how many came from memory, and how many from the store.
    on_both_engines(async |world: World| {
        let (_, _, photos) = photos(&world, 1).await;
        let link = link(&photos[0]);
        let first = world.get(&link, "").await;
        assert_eq!(first.status, 200);
        let Store::Memory(store) = &world.parts.store else { unreachable!("tests have that") };
        store.set_broken(true);
        change(&world.parts.db, "UPDATE photos SET media_key = 'originals/another.jpg'").await;
        let again = world.get(&link, "").await;
        assert_eq!(
            (again.status, &again.bytes, &again.headers),
            (first.status, &first.bytes, &{
                let mut headers = first.headers.clone();
                headers.insert("x-request-id", again.headers["x-request-id"].clone());
                headers
            })
        );
        let metrics = world.get("/metrics", METRICS_TOKEN).await;
        let metrics = String::from_utf8(metrics.bytes).unwrap();
        for source in ["memory", "store"] {
            assert!(
                metrics.contains(&format!("afterglow_renditions_total{{source=\"{source}\"}} 1\n")),
                "{metrics}"
            );
        }
    });
}

#[test]
fn ranges_and_validators_are_honoured_wherever_a_rendition_comes_from() {
    on_both_engines(async |world: World| {
        let (token, _, photos) = photos(&world, 1).await;
        let link = link(&photos[0]);
        let mut parts = world.parts.clone();
        parts.settings.rendition_memory_bytes = 0;
        let streams = App::new(parts).await.unwrap();
        let whole = world.get_from(streams.clone(), &link).await;
        let own = format!("/api/photos/{}/file?size=thumbnail", photos[0]["id"].as_str().unwrap());
        assert_eq!(world.get(&own, &token).await.bytes, whole.bytes);
        // The second time from memory.
        for _ in 0..2 {
            let answer = world.get(&link, "").await;
            assert_eq!(answer.bytes, whole.bytes);
            for name in ["content-length", "content-type", "etag", "cache-control", "accept-ranges"] {
                assert_eq!(answer.header(name), whole.header(name), "{name}");
            }
            let part = ask(&world, &link, "range", "bytes=2-9").await;
            assert_eq!((part.status.as_u16(), part.header("content-length")), (206, "8"));
            assert_eq!(part.bytes, whole.bytes[2..10]);
            let last = ask(&world, &link, "range", "bytes=-5").await;
            assert_eq!(last.bytes, whole.bytes[whole.bytes.len() - 5..]);
            assert_eq!(ask(&world, &link, "range", "bytes=9999999-").await.error().0, 416);
            let known = ask(&world, &link, "if-none-match", answer.header("etag")).await;
            assert_eq!((known.status.as_u16(), known.bytes.len()), (304, 0));
        }
    });
}

#[tokio::test(flavor = "multi_thread")]
async fn the_head_and_the_bytes_of_a_thumbnail_come_together() {
    let database = storage::testing::sqlite().await;
    let world = World::new(database.db.clone()).await;
    let (_, _, photos) = photos(&world, 1).await;
    let key = world.stored(&photos[0]["id"]).await.key.sized(Size::Thumbnail);
    let folder = tempfile::tempdir().unwrap();
    let mut parts = world.parts.clone();
    parts.store = Store::open(&format!("file://{}", folder.path().display()), []).unwrap();
    parts.store.put(&key, Source::Bytes(vec![7; 16_384].into())).await.unwrap();
    let app = App::new(parts).await.unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let stop = CancellationToken::new();
    let router = api::router(app.clone(), api::WebApp::new(|_| None));
    tokio::spawn(async move { api::serve(listener, router, app, stop.cancelled_owned()).await });

    let mut connection = TcpStream::connect(address).await.unwrap();
    let path = link(&photos[0]).replace("http://localhost:8080", "");
    for _ in 0..20 {
        let request = format!("GET {path} HTTP/1.1\r\nhost: localhost\r\n\r\n");
        connection.write_all(request.as_bytes()).await.unwrap();
        let mut buffer = vec![0; 1 << 20];
        let read = loop {
            connection.readable().await.unwrap();
            if let Ok(read) = connection.try_read(&mut buffer) {
                break read;
            }
        };
        let head = buffer.windows(4).position(|four| four == b"\r\n\r\n").unwrap() + 4;
        assert!(buffer.starts_with(b"HTTP/1.1 200"));
        assert_eq!(read - head, 16_384);
    }
}

#[test]
fn a_cache_in_front_gets_names_of_its_own() {
    // [RUN283]
    on_both_engines(async |world: World| {
        let (token, _, photos) = photos(&world, 2).await;
        let mut parts = world.parts.clone();
        parts.settings.files_url = Some(String::from("https://files.example.com"));
        let cached = App::new(parts).await.unwrap();
        let get = async |path: &str| world.get_from(cached.clone(), path).await;
        let links =
            app::photos::files::photo_links(&cached, &world.stored(&photos[0]["id"]).await).await.unwrap();
        for (size, link) in [("preview", &links.url), ("thumbnail", links.thumbnail_url.as_ref().unwrap())] {
            let id = photos[0]["id"].as_str().unwrap();
            let path = link.strip_prefix("https://files.example.com").unwrap();
            assert!(
                path.starts_with(&format!("/renditions/{id}/{size}/")) && path.ends_with(".jpg"),
                "{path}"
            );
            assert!(!path.contains('?'), "caches go by the path");
            let answer = get(path).await;
            assert_eq!(answer.status, 200);
            assert_eq!(answer.header("cache-control"), "public, max-age=21600, s-maxage=60, immutable");
            assert_eq!(answer.header("access-control-allow-origin"), "http://localhost:8080");
            assert_eq!(answer.header("content-type"), "image/jpeg");
            assert!(answer.header("etag").starts_with('"'));
            assert!(
                answer
                    .header("content-security-policy")
                    .contains("img-src 'self' data: blob: https://files.example.com;")
            );
            let own = if size == "preview" {
                photos[0]["url"].as_str().unwrap()
            } else {
                photos[0]["thumbnail_url"].as_str().unwrap()
            };
            assert_eq!(get(own).await.bytes, answer.bytes, "links of this server stay valid");

            let signature = own.split("signature=").nth(1).unwrap();
            let (start, _) = path.rsplit_once('/').unwrap();
            let expires = start.rsplit('/').next().unwrap();
            for changed in [
                path.replace(size, "medium"),
                path.replace(size, "original"),
                path.replace(id, photos[1]["id"].as_str().unwrap()),
                path.replace(expires, "9999999999"),
                path.replace(expires, "later"),
                path.replace(".jpg", ""),
                format!("{start}/{signature}.jpg"),
                format!("{start}/.jpg"),
            ] {
                assert_ne!(&changed, path);
                assert_eq!(get(&changed).await.error(), (404, String::from("File not found")), "{changed}");
                assert_eq!(get(&changed).await.header("cache-control"), "no-store");
            }
            let (_, shared) = path.strip_suffix(".jpg").unwrap().rsplit_once('/').unwrap();
            assert_eq!(get(&own.replace(signature, shared)).await.status, 404);
        }
        let path = links.url.strip_prefix("https://files.example.com").unwrap();
        world.clock.advance(Duration::from_secs(6 * 60 * 60 - 30));
        assert_eq!(get(path).await.header("cache-control"), "public, max-age=30, s-maxage=30, immutable");
        world.clock.advance(Duration::from_secs(30));
        assert_eq!(get(path).await.status, 404);

        let links =
            app::photos::files::photo_links(&cached, &world.stored(&photos[1]["id"]).await).await.unwrap();
        let path = links.url.strip_prefix("https://files.example.com").unwrap();
        assert_eq!(get(path).await.status, 200);
        assert_eq!(
            world.delete(&format!("/api/photos/{}", photos[1]["id"].as_str().unwrap()), &token).await.status,
            200
        );
        world.clock.advance(Duration::from_secs(10));
        assert_eq!(get(path).await.status, 404);
    });
}
