//! Answers that are lost, files that are gone: a charged photo keeps its original.

use domain::PhotoId;
use serde_json::Value;
use storage::testing::LossyProxy;

use crate::harness::{RED, World, on_both_engines, photo};

async fn original(world: &World, token: &str, body: &Value) -> (u16, Vec<u8>) {
    let path = format!("/api/photos/{}/file?size=original", body["id"].as_str().unwrap());
    let answer = world.get(&path, token).await;
    (answer.status.as_u16(), answer.bytes)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_commit_whose_answer_is_lost_keeps_the_original() {
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
    assert_eq!(world.kept_files().await.len(), 1, "the photo may be there, and is charged then");

    let again = world.upload(&token, &event, "a.jpg", &bytes).await;
    assert_eq!((again.status.as_u16(), &again.json()["duplicate"]), (200, &Value::Bool(true)));
    assert_eq!(original(&world, &token, &again.json()).await, (200, bytes));
    let credits = world.get("/api/subscription/credits", &token).await.json()["credits"].clone();
    assert_eq!(credits.as_f64(), Some(99.0), "charged once");
    assert_eq!(world.kept_files().await.len(), 1);
}

#[test]
fn an_upload_that_is_refused_leaves_no_file() {
    // [SAFE042]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        storage::testing::change(&world.parts.db, "UPDATE users SET credits = 0").await;
        let refused = world.upload(&token, &event, "a.jpg", &photo(&[RED], 1)).await;
        assert_eq!(refused.status, 402);
        assert!(world.kept_files().await.is_empty());
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

        let again = world.upload(&token, &event, "a.jpg", &bytes).await;
        assert_eq!((again.status.as_u16(), &again.json()["duplicate"]), (200, &Value::Bool(true)));
        assert_eq!(original(&world, &token, &first).await, (200, bytes));
        assert_eq!(world.kept_files().await, [stored.key.to_string()]);
    });
}
