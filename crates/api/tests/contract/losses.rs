//! Answers that are lost, files that are gone: a charged photo keeps its original.

use std::time::Duration;

use app::{App, Parts};
use domain::{Clock, PhotoId, Refusal};
use media::stores::Source;
use serde_json::{Value, json};
use storage::testing::LossyProxy;

use crate::harness::{RED, World, on_both_engines, photo};

async fn original(world: &World, token: &str, body: &Value) -> (u16, Vec<u8>) {
    let path = format!("/api/photos/{}/file?size=original", body["id"].as_str().unwrap());
    let answer = world.get(&path, token).await;
    (answer.status.as_u16(), answer.bytes)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_commit_whose_response_is_lost_keeps_the_original() {
    // [SAFE042] SQLite is in the process: its answers are not lost on the way.
    let database = storage::testing::postgres().await;
    let proxy = LossyProxy::before(&database).await;
    let world = World::new(proxy.db.clone()).await;
    let token = world.photographer("meera@example.com").await;
    let event = world.event(&token, "Party").await;
    let bytes = photo(&[RED], 1);
    proxy.lose_next_commit();
    let first = world.upload(&token, &event, "a.jpg", &bytes).await;
    assert!(proxy.has_lost(), "the upload commits");
    assert_eq!(first.status, 503);
    assert_eq!(world.stored_files().await.len(), 1, "the photo may be there, and is charged then");

    let again = world.upload(&token, &event, "a.jpg", &bytes).await;
    assert_eq!((again.status.as_u16(), &again.json()["duplicate"]), (200, &Value::Bool(true)));
    assert_eq!(original(&world, &token, &again.json()).await, (200, bytes));
    let credits = world.get("/api/subscription/credits", &token).await.json()["credits"].clone();
    assert_eq!(credits.as_f64(), Some(99.0), "charged once");
    assert_eq!(world.stored_files().await.len(), 1);
}

#[test]
fn an_upload_that_is_refused_leaves_no_file() {
    // [SAFE221]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        storage::testing::change(&world.parts.db, "UPDATE users SET credits = 0").await;
        let refused = world.upload(&token, &event, "a.jpg", &photo(&[RED], 1)).await;
        assert_eq!(refused.status, 402);
        assert!(world.stored_files().await.is_empty());
    });
}

#[test]
fn a_duplicate_whose_original_is_gone_is_stored_again() {
    // [SAFE043]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        let bytes = photo(&[RED], 1);
        let first = world.upload(&token, &event, "a.jpg", &bytes).await.json();
        let id: PhotoId = first["id"].as_str().unwrap().parse().unwrap();
        let stored = storage::photos::by_id(&world.parts.db, id).await.unwrap().unwrap();
        world.parts.store.delete(&stored.key).await.unwrap();
        assert_eq!(original(&world, &token, &first).await.0, 404);

        // Meanwhile its indexing has failed, and waits.
        world.drain().await;
        let again = world.upload(&token, &event, "a.jpg", &bytes).await;
        assert_eq!((again.status.as_u16(), &again.json()["duplicate"]), (200, &Value::Bool(true)));
        assert_eq!(original(&world, &token, &first).await, (200, bytes));
        assert_eq!(world.stored_files().await, [stored.key.to_string()]);
        assert_eq!(world.drain().await, 1, "it is tried at once");
        let photos = world.get("/api/photos/search", &token).await.json();
        assert_eq!(photos["photos"][0]["status"], "ready");
    });
}

#[test]
fn a_failed_photo_has_a_reason_and_can_be_retried_by_its_photographer() {
    // [UPL195] [UPL196]
    on_both_engines(async |world: World| {
        let (token, other) =
            (world.photographer("meera@example.com").await, world.photographer("arjun@example.com").await);
        let event = world.event(&token, "Party").await;
        let bytes = photo(&[RED], 1);
        let uploaded = world.upload(&token, &event, "a.jpg", &bytes).await.json();
        let id: PhotoId = uploaded["id"].as_str().unwrap().parse().unwrap();
        assert_eq!(uploaded["failure"], Value::Null);
        let stored = storage::photos::by_id(&world.parts.db, id).await.unwrap().unwrap();
        let cut = bytes[..bytes.len() / 2].to_vec();
        world.parts.store.put(&stored.key, Source::Bytes(cut.into())).await.unwrap();
        world.drain().await;
        let shown = async || world.get("/api/photos/search", &token).await.json()["photos"][0].clone();
        let failed = shown().await;
        assert_eq!(
            (&failed["status"], &failed["failure"], &failed["failure_code"]),
            (&json!("failed"), &json!(Refusal::ImageTruncated.text()), &json!("image_truncated"))
        );
        let indexing = async || {
            let path = format!("/api/events/{}", event["slug"].as_str().unwrap());
            world.get(&path, "").await.json()["indexing"].clone()
        };
        assert_eq!(indexing().await, json!({"indexed": 0, "waiting": 0, "failed": 1, "total": 1}));

        let retry = format!("/api/photos/{id}/retry");
        assert_eq!(world.post(&retry, "", json!({})).await.status, 401);
        assert_eq!(world.post(&retry, &other, json!({})).await.status, 404);
        assert_eq!(shown().await["status"], "failed");
        let key = Source::Bytes(bytes.into());
        world.parts.store.put(&stored.key, key).await.unwrap();
        let retried = world.post(&retry, &token, json!({})).await;
        assert_eq!((retried.status.as_u16(), &retried.json()["status"]), (200, &json!("processing")));
        assert_eq!(retried.json()["failure"], Value::Null);
        assert_eq!(indexing().await, json!({"indexed": 0, "waiting": 1, "failed": 0, "total": 1}));
        world.drain().await;
        assert_eq!(indexing().await, json!({"indexed": 1, "waiting": 0, "failed": 0, "total": 1}));
        assert_eq!(world.post(&retry, &token, json!({})).await.json()["status"], "ready");
        assert_eq!(world.drain().await, 0, "a ready photo stays as it is");
    });
}

#[tokio::test(flavor = "multi_thread")]
async fn clock_skew_is_reported() {
    let database = storage::testing::postgres().await;
    let world = World::new(database.db.clone()).await;
    let ready = async |clock: Clock| {
        let app = App::new(Parts { clock, ..world.parts.clone() }).await.unwrap();
        world.get_from(app, "/api/ready").await
    };
    assert_eq!(ready(Clock::System).await.json()["warnings"], json!([]));
    let answer = ready(Clock::fixed(Clock::System.now().plus(Duration::from_secs(60)))).await;
    assert_eq!(answer.status, 200, "it can be used");
    let notice = answer.json()["warnings"][0].as_str().unwrap().to_owned();
    let seconds = notice
        .strip_prefix("The clocks of this machine and of the database differ by ")
        .and_then(|rest| rest.strip_suffix(" seconds."))
        .and_then(|seconds| seconds.parse::<u64>().ok());
    assert!(seconds.is_some_and(|seconds| (55..=65).contains(&seconds)), "{notice}");
}
