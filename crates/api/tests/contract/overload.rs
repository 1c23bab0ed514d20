//! What the service does when it is asked for more than it can do.

use std::net::SocketAddr;
use std::time::Duration;

use app::{SearchCapacity, Settings};
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::Request;
use futures::StreamExt as _;
use futures::future::join_all;
use serde_json::json;

use crate::harness::{Answer, Field, RED, World, encode, on_both_engines, photo};

/// The face engine of these tests.
fn engine(world: &World) -> vision::FakeEngine {
    let vision::Engine::Fake(engine) = world.parts.engine.clone() else { panic!("it is the double") };
    engine
}

#[test]
fn searches_whose_guests_have_gone_occupy_their_slots_until_they_have_ended() {
    on_both_engines(async |world: World| {
        let (engine, slots) = (engine(&world), world.parts.settings.searches);
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        let selfie = photo(&[RED], 0);
        let paused = engine.pause_selfies();
        let hanging_up = async || {
            let begun = tokio::time::timeout(Duration::from_millis(300), world.search(&event, &selfie)).await;
            assert!(begun.is_err(), "it was answered");
        };
        join_all((0..slots).map(|_| hanging_up())).await;
        assert_eq!(engine.selfie_calls().running, slots);
        join_all((0..3 * slots).map(|_| hanging_up())).await;
        assert_eq!(engine.selfie_calls().begun, slots);
        drop(paused);
        assert_eq!(world.search(&event, &selfie).await.status, 200);
        assert_eq!(engine.selfie_calls().most, slots);
    });
}

/// An event, and the path of a search in it.
async fn party(world: &World) -> String {
    let token = world.photographer("meera@example.com").await;
    let event = world.event(&token, "Party").await;
    format!("/api/face/search/{}", event["slug"].as_str().unwrap())
}

/// A search by somebody at this address; what comes of it, once it is awaited.
async fn search(world: &World, path: &str, address: &str, selfie: &[u8]) -> Answer {
    let body = encode(&[Field::file("image", "selfie.jpg", selfie), Field::notice()]);
    let request = Request::post(path).header("content-type", "multipart/form-data; boundary=line");
    let peer = ConnectInfo(SocketAddr::new(address.parse().unwrap(), 4_000));
    world.send(request.extension(peer).body(Body::from(body)).unwrap()).await
}

/// Runs a test on both engines with a service of these settings.
fn with_settings<F: Future<Output = ()>>(change: impl Fn(&mut Settings), test: impl Fn(World) -> F) {
    on_both_engines(async |world: World| {
        test(World::with_settings(world.parts.db.clone(), &change).await).await;
    });
}

const HOME: &str = "192.0.2.1";
const ELSEWHERE: &str = "192.0.2.2";
/// In which a search of these tests reaches what it waits for.
const SOON: Duration = Duration::from_millis(300);

#[test]
fn a_search_beyond_the_queue_is_refused_before_its_body_is_read() {
    let change = |settings: &mut Settings| {
        settings.searches = 1;
        settings.search_capacity.queue = 1;
    };
    with_settings(change, async |world| {
        let (engine, path, selfie) = (engine(&world), party(&world).await, photo(&[RED], 0));
        let paused = engine.pause_selfies();
        let first = search(&world, &path, HOME, &selfie);
        let second = search(&world, &path, HOME, &selfie);
        let third = async {
            tokio::time::sleep(SOON).await;
            let chunks = futures::stream::once(async { panic!("it was read") });
            let chunks = chunks.map(|(): ()| Ok::<_, std::io::Error>(Vec::<u8>::new()));
            let request = Request::post(&path).header("content-type", "multipart/form-data; boundary=line");
            let refused = world.send(request.body(Body::from_stream(chunks)).unwrap()).await;
            assert_eq!(refused.error().0, 503);
            assert_eq!((refused.header("retry-after"), &refused.json()["code"]), ("2", &json!("busy")));
            assert_eq!(engine.selfie_calls().running, 1);
            drop(paused);
        };
        let (first, second, ()) = tokio::join!(first, second, third);
        assert_eq!((first.status.as_u16(), second.status.as_u16()), (200, 200));
        assert_eq!(search(&world, &path, HOME, &selfie).await.status, 200, "the queue is empty again");
    });
}

#[test]
fn an_address_has_two_searches_at_once_and_a_part_of_the_queue() {
    let change = |settings: &mut Settings| {
        settings.searches = 8;
        settings.search_capacity = SearchCapacity { queue: 4, ..SearchCapacity::default() };
    };
    with_settings(change, async |world| {
        let (engine, path, selfie) = (engine(&world), party(&world).await, photo(&[RED], 0));
        let paused = engine.pause_selfies();
        let running = join_all((0..3).map(|_| search(&world, &path, HOME, &selfie)));
        let others = async {
            tokio::time::sleep(SOON).await;
            assert_eq!(engine.selfie_calls().running, 2, "the third waits");
            let refused = search(&world, &path, HOME, &selfie).await;
            assert_eq!((refused.status.as_u16(), refused.header("retry-after")), (429, "2"));
            let elsewhere = search(&world, &path, ELSEWHERE, &selfie);
            let release = async {
                tokio::time::sleep(SOON).await;
                assert_eq!(engine.selfie_calls().running, 3, "another address is not concerned");
                drop(paused);
            };
            tokio::join!(elsewhere, release).0
        };
        let (running, elsewhere) = tokio::join!(running, others);
        assert!(running.iter().all(|answer| answer.status == 200));
        assert_eq!(elsewhere.status, 200);
    });
}

#[test]
fn a_search_that_takes_too_long_is_answered() {
    let change = |settings: &mut Settings| settings.search_capacity.deadline = SOON;
    with_settings(change, async |world| {
        let (engine, path, selfie) = (engine(&world), party(&world).await, photo(&[RED], 0));
        let paused = engine.pause_selfies();
        let late = search(&world, &path, HOME, &selfie).await;
        assert_eq!((late.error().0, late.header("retry-after")), (503, "2"));
        drop(paused);
        // A busy machine may take longer than that, too.
        let found = async { while search(&world, &path, HOME, &selfie).await.status != 200 {} };
        tokio::time::timeout(Duration::from_secs(30), found).await.expect("it is answered in time again");
    });
}

#[test]
fn selfies_in_memory_share_a_budget() {
    // [SAFE076]
    let change = |settings: &mut Settings| settings.search_capacity.memory_bytes = 64 << 10;
    with_settings(change, async |world| {
        let (path, selfie) = (party(&world).await, photo(&[RED], 0));
        assert!(selfie.len() < 64 << 10);
        let larger = [&selfie[..], &vec![0; 64 << 10]].concat();
        let refused = search(&world, &path, HOME, &larger).await;
        assert_eq!((refused.error().0, refused.header("retry-after")), (503, "2"));
        for _ in 0..10 {
            assert_eq!(search(&world, &path, HOME, &selfie).await.status, 200, "what was reserved is free");
        }
    });
}

#[test]
fn a_selfie_with_more_items_than_any_picture_is_refused() {
    // [SAFE477]
    on_both_engines(async |world: World| {
        let path = party(&world).await;
        let boxed = |kind: &[u8; 4], content: &[u8]| {
            let length = u32::try_from(8 + content.len()).unwrap().to_be_bytes();
            [&length[..], kind, content].concat()
        };
        let items = boxed(b"infe", b"\x03\0\0\0\0\0\0\x01\0\0hvc1").repeat(40_000);
        let infos = boxed(b"iinf", &[&b"\x01\0\0\0\0\0\x9c\x40"[..], &items].concat());
        let meta = boxed(b"meta", &[&[0_u8; 4][..], &infos].concat());
        let file = [boxed(b"ftyp", b"heic\0\0\0\0heic"), meta].concat();
        let refused = search(&world, &path, HOME, &file).await;
        assert_eq!(refused.error().0, 400);
        assert_eq!(refused.json()["code"], json!("image_too_complex"));
    });
}

#[test]
fn a_selfie_has_at_most_50_megapixels() {
    // [SAFE077]
    on_both_engines(async |world: World| {
        let path = party(&world).await;
        let picture = image::RgbImage::new(8, 8);
        let mut bitmap = std::io::Cursor::new(Vec::new());
        picture.write_to(&mut bitmap, image::ImageFormat::Bmp).unwrap();
        let mut bitmap = bitmap.into_inner();
        // Its header claims 8,000 by 6,251 pixels.
        bitmap[18..22].copy_from_slice(&8_000_u32.to_le_bytes());
        bitmap[22..26].copy_from_slice(&6_251_u32.to_le_bytes());
        let refused = search(&world, &path, HOME, &bitmap).await;
        assert_eq!(
            refused.error(),
            (
                400,
                String::from(
                    "The photo has too many pixels. Please choose a smaller one, or a screenshot of it."
                )
            )
        );
    });
}

#[test]
fn an_address_is_sent_so_many_zips_at_once() {
    // [SAFE482]
    on_both_engines(async |world: World| {
        let zip = crate::downloads::party(&world).await.zip;
        let ask = |method: &str, path: &str, address: &str| {
            let peer = ConnectInfo(SocketAddr::new(address.parse().unwrap(), 4_000));
            let request = Request::builder().method(method).uri(path).extension(peer);
            request.body(Body::empty()).unwrap()
        };
        // Of a ZIP that was begun none of the bytes is taken.
        let mut begun = Vec::new();
        for _ in 0..48 {
            let response = world.begin(ask("GET", &zip, HOME)).await;
            assert_eq!(response.status(), 200);
            begun.push(response);
        }
        for path in [zip.as_str(), "/api/auth/export/made-up.zip"] {
            let refused = world.send(ask("GET", path, HOME)).await;
            assert_eq!((refused.error().0, refused.header("retry-after")), (429, "10"), "{path}");
        }
        assert_eq!(world.send(ask("GET", &zip, ELSEWHERE)).await.status, 200);
        // One that is given up makes room for any number of looks at the size.
        begun.pop();
        for _ in 0..3 {
            assert_eq!(world.send(ask("HEAD", &zip, HOME)).await.status, 200);
            assert_eq!(world.send(ask("GET", &zip, HOME)).await.status, 200);
        }
    });
}

#[test]
fn an_account_and_an_address_have_so_many_uploads_at_once() {
    let change = |settings: &mut Settings| {
        settings.upload_capacity.per_user = 1;
        settings.upload_capacity.per_address = 2;
    };
    with_settings(change, async |world| {
        let (meera, ravi) =
            (world.photographer("meera@example.com").await, world.photographer("ravi@example.com").await);
        let third = world.photographer("asha@example.com").await;
        let event = json!({"id": ""});
        let begun = async |token: &str| {
            let never = futures::stream::pending::<std::io::Result<Vec<u8>>>();
            let request = Request::post("/api/photos/upload")
                .header("authorization", format!("Bearer {token}"))
                .header("content-type", "multipart/form-data; boundary=line");
            world.send(request.body(Body::from_stream(never)).unwrap()).await
        };
        let others = async {
            tokio::time::sleep(SOON).await;
            let again = world.upload(&meera, &event, "a.jpg", &photo(&[RED], 0)).await;
            assert_eq!((again.error().0, again.header("retry-after")), (429, "2"));
            let elsewhere = begun(&ravi);
            let beyond = async {
                tokio::time::sleep(SOON).await;
                world.upload(&third, &event, "a.jpg", &photo(&[RED], 0)).await
            };
            tokio::select! {
                _ = elsewhere => panic!("it was answered"),
                beyond = beyond => assert_eq!(beyond.error().0, 429),
            }
        };
        tokio::select! {
            _ = begun(&meera) => panic!("it was answered"),
            () = others => {}
        }
        assert_eq!(world.upload(&meera, &event, "a.jpg", &photo(&[RED], 0)).await.status, 201);
    });
}

#[test]
fn a_disk_that_is_almost_full_takes_no_uploads() {
    // [SAFE079] [SAFE249]
    let change = |settings: &mut Settings| settings.upload_capacity.free_disk_bytes = u64::MAX;
    with_settings(change, async |world| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        let refused = world.upload(&token, &event, "a.jpg", &photo(&[RED], 0)).await;
        let text = "There is no room for more photos at the moment. Nothing was kept or charged. Please try again later.";
        assert_eq!(refused.error(), (507, String::from(text)));
        assert_eq!(world.stored_files().await, Vec::<String>::new());
        assert_eq!(world.get("/api/subscription/credits", &token).await.json()["credits"], 100.0);
        let ready = world.get("/api/ready", "").await;
        assert_eq!(ready.status, 200);
        let warnings = ready.json()["warnings"].as_array().unwrap().clone();
        assert!(warnings.contains(&json!("The disk is almost full: uploads are refused.")), "{warnings:?}");
    });
}

#[test]
fn bytes_that_nothing_pays_for_are_not_inspected() {
    // [UPL156] [UPL199]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        let there = photo(&[RED], 0);
        assert_eq!(world.upload(&token, &event, "a.jpg", &there).await.status, 201);
        storage::testing::change(&world.parts.db, "UPDATE users SET credits = 99").await;
        // As an image it would be refused otherwise.
        assert_eq!(world.upload(&token, &event, "b.jpg", b"no image").await.error().0, 402);
        assert_eq!(world.upload(&token, &event, "a.jpg", &there).await.status, 200, "a duplicate is free");
        storage::testing::change(&world.parts.db, "UPDATE users SET premium_since = 1").await;
        assert_eq!(world.upload(&token, &event, "b.jpg", b"no image").await.error().0, 400);
    });
}

#[test]
fn photos_without_strangers_share_the_bounds_of_searches() {
    // [SAFE462]
    let change = |settings: &mut Settings| {
        settings.searches = 1;
        settings.search_capacity.queue = 0;
    };
    with_settings(change, async |world| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        world.upload(&token, &event, "one.jpg", &photo(&[RED], 0)).await;
        world.drain().await;
        let found = world.search(&event, &photo(&[RED], 9)).await.json();
        let path = format!("/api/face/without-strangers/{}", event["slug"].as_str().unwrap());
        let body =
            json!({"key": found["matches"][0]["s3_key"], "searches": [{"token": found["search_token"]}]});
        let engine = engine(&world);
        let paused = engine.pause_selfies();
        let first = world.post(&path, "", body.clone());
        let second = async {
            tokio::time::sleep(SOON).await;
            let refused = world.post(&path, "", body.clone()).await;
            assert_eq!((refused.status.as_u16(), &refused.json()["code"]), (503, &json!("busy")));
            assert_eq!(engine.selfie_calls().running, 1);
            drop(paused);
        };
        let (first, ()) = tokio::join!(first, second);
        assert_eq!((first.status.as_u16(), first.header("softened-faces")), (200, "0"));
        assert_eq!(world.post(&path, "", body).await.status, 200);
    });
}
