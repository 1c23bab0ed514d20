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

#[tokio::test]
async fn the_log_of_a_killed_process_is_folded_into_its_database() {
    // [SAFE301]
    let test = storage::testing::sqlite().await;
    storage::testing::change(&test.db, "CREATE TABLE logged (number INTEGER)").await;
    storage::testing::change(&test.db, "INSERT INTO logged VALUES (7)").await;
    let path = std::path::PathBuf::from(test.url.strip_prefix("sqlite://").unwrap());
    // As the process would leave them that is killed now.
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("killed.db");
    let log = folder.path().join("killed.db-wal");
    std::fs::copy(&path, &copy).unwrap();
    std::fs::copy(format!("{}-wal", path.display()), &log).unwrap();
    assert!(std::fs::metadata(&log).unwrap().len() > 0);

    assert!(processes::fold_log(&copy).await.unwrap());
    assert!(!log.exists(), "all is in the one file");
    let url = format!("sqlite://{}", copy.display());
    let db = Db::connect(&url, ConnectOptions::default()).await.unwrap();
    storage::testing::change(&db, "UPDATE logged SET number = 8 WHERE number = 7").await;
    db.close().await;
    let nowhere = folder.path().join("none.db");
    assert!(processes::fold_log(&nowhere).await.unwrap() && !nowhere.exists());
    std::fs::write(&nowhere, vec![7; 9_000]).unwrap();
    assert!(processes::fold_log(&nowhere).await.is_err());
}
