//! Opening, migrating, transactions, and a database that is not there.

use std::time::{Duration, Instant};

use storage::accounts::users;
use storage::operations::runtime::secrets;
use storage::{ConnectOptions, Db, Engine, Error};

use crate::world::worlds;

#[tokio::test]
async fn a_database_opens_again_with_what_was_committed() {
    for world in worlds().await {
        let user = world.user("a@example.com").await;
        world.db.ping().await.unwrap();
        assert_eq!(world.begin().await.engine(), world.db.engine());
        assert_eq!(world.db.verify().await.unwrap(), Vec::<String>::new());

        let again = Db::connect(&world.test.url, ConnectOptions::default()).await.unwrap();
        again.migrate().await.unwrap();
        assert!(users::by_id(&again, user).await.unwrap().is_some());
        again.close().await;
        assert!(again.ping().await.unwrap_err().is_transient());
    }
}

#[tokio::test]
async fn what_is_not_committed_did_not_happen() {
    for world in worlds().await {
        let (dropped, undone) = (world.new_user("a@example.com"), world.new_user("b@example.com"));
        let mut tx = world.begin().await;
        assert!(users::create(&mut tx, &dropped).await.unwrap());
        drop(tx);
        let mut tx = world.begin().await;
        assert!(users::create(&mut tx, &undone).await.unwrap());
        tx.rollback().await.unwrap();
        assert!(users::list(&world.db).await.unwrap().is_empty());
    }
}

#[tokio::test]
async fn a_new_sqlite_file_gets_its_folder_and_syncs_every_commit() {
    // [SAFE012]
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}/new/deep/a.db", folder.path().display());
    let db = Db::connect(&url, ConnectOptions::default()).await.unwrap();
    assert_eq!(db.engine(), Engine::Sqlite);
    db.migrate().await.unwrap();
    secrets::get_or_insert(&db, "a", &[1]).await.unwrap();
    let Db::Sqlite { writer, readers, unsynced } = &db else { panic!("a SQLite database") };
    let pragma = async |pool, pragma: &'static str| {
        sqlx::query_scalar::<_, i64>(pragma).fetch_one(pool).await.unwrap()
    };
    assert_eq!(pragma(writer, "PRAGMA synchronous").await, 2, "FULL");
    assert_eq!(pragma(unsynced, "PRAGMA synchronous").await, 1, "NORMAL, for leases alone");
    assert_eq!(pragma(writer, "PRAGMA foreign_keys").await, 1);
    assert_eq!(pragma(readers, "PRAGMA query_only").await, 1);
    let mode: String = sqlx::query_scalar("PRAGMA journal_mode").fetch_one(readers).await.unwrap();
    assert_eq!(mode, "wal");
}

#[tokio::test]
async fn a_full_disk_refuses_writes_only_for_as_long_as_it_is_full() {
    // [SAFE046]
    let worlds = worlds().await;
    let world = worlds.iter().find(|world| world.db.engine() == Engine::Sqlite).unwrap();
    let limit_pages = async |pages: u32| {
        storage::testing::change(&world.db, &format!("PRAGMA max_page_count = {pages}")).await;
    };
    let mut large = world.new_user("large@example.com");
    large.name = "x".repeat(1 << 20);
    for _ in 0..3 {
        // SQLite raises it to the size that the file has.
        limit_pages(1).await;
        let mut tx = world.begin().await;
        let error = users::create(&mut tx, &large).await.unwrap_err();
        assert!(error.is_transient(), "{error:?}");
        // SQLite has ended the transaction by itself, so that there is nothing left to roll back.
    }
    limit_pages(1 << 20).await;
    let mut tx = world.begin().await;
    assert!(users::create(&mut tx, &large).await.unwrap());
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn a_database_that_is_not_there_is_an_error_soon() {
    let options = ConnectOptions { max_connections: 1, acquire_timeout: Duration::from_secs(1) };
    let started = Instant::now();
    // A port without a listener: it was free a moment ago.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let refused = Db::connect(&format!("postgres://a:secret@127.0.0.1:{port}/a"), options).await.unwrap_err();
    assert!(refused.is_transient() && started.elapsed() < Duration::from_secs(5), "{refused}");
    // A server that takes connections and never answers.
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = silent.local_addr().unwrap().port();
    let silence = Db::connect(&format!("postgres://a:secret@127.0.0.1:{port}/a"), options).await.unwrap_err();
    assert!(silence.is_transient() && started.elapsed() < Duration::from_secs(10), "{silence}");
    for error in [refused, silence] {
        assert!(!format!("{error:?}").contains("secret"));
    }
}

#[tokio::test]
async fn writers_beyond_the_pool_wait_and_then_time_out() {
    for world in worlds().await {
        let options = ConnectOptions { max_connections: 1, acquire_timeout: Duration::from_millis(200) };
        let db = Db::connect(&world.test.url, options).await.unwrap();
        let held = db.begin().await.unwrap();
        let started = Instant::now();
        assert!(db.begin().await.unwrap_err().is_transient());
        assert!(started.elapsed() < Duration::from_secs(5));
        held.rollback().await.unwrap();
        db.begin().await.unwrap();
    }
}

#[tokio::test]
async fn an_address_that_is_none_is_refused() {
    for url in ["", "mysql://a", "sqlite://", "sqlite:///", "/data/a.db", "postgres://[", "sqlite:a.db"] {
        let refused = Db::connect(url, ConnectOptions::default()).await;
        assert!(matches!(refused, Err(Error::Address(_))), "{url}: {refused:?}");
    }
    let file = tempfile::NamedTempFile::new().unwrap();
    let below_a_file = format!("sqlite://{}/a.db", file.path().display());
    assert!(matches!(Db::connect(&below_a_file, ConnectOptions::default()).await, Err(Error::Folder(_))));
}
