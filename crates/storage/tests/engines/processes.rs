//! Whether somebody has a database open.

use std::time::{Duration, Instant};

use storage::operations::processes;
use storage::testing::engines;
use storage::{ConnectOptions, Db};

#[tokio::test]
async fn an_open_database_is_in_use_and_a_closed_one_is_not() {
    // [SAFE214]
    for test in engines().await {
        assert!(processes::is_in_use(&test.url).await.unwrap(), "{}", test.url);
        assert!(processes::is_in_use(&test.url).await.unwrap(), "to ask changes nothing");
        test.db.ping().await.unwrap();
        test.db.close().await;
        // A server notices a moment later.
        let started = Instant::now();
        while processes::is_in_use(&test.url).await.unwrap() {
            assert!(started.elapsed() < Duration::from_secs(20), "{}", test.url);
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let again = Db::connect(&test.url, ConnectOptions::default()).await.unwrap();
        again.ping().await.unwrap();
        again.close().await;
    }
    let folder = tempfile::tempdir().unwrap();
    let nowhere = folder.path().join("none.db");
    assert!(!processes::is_in_use(&format!("sqlite://{}", nowhere.display())).await.unwrap());
    assert!(!nowhere.exists());
    assert!(processes::is_in_use("nonsense").await.is_err());
}
