//! What is kept of a database before its schema is changed.

use storage::Engine;
use storage::operations::{schema, snapshots, upgrades};
use storage::testing::change;

use crate::world::worlds;

#[tokio::test]
async fn a_database_with_accounts_is_kept_as_it_was() {
    // [SAFE210]
    for world in worlds().await {
        let db = &world.db;
        let known = schema::version(db).await.unwrap().known;
        world.user("meera@example.com").await;
        assert_eq!(upgrades::pending(db).await.unwrap(), None, "nothing is to be done");
        change(db, &format!("DELETE FROM _sqlx_migrations WHERE version = {known}")).await;
        let Some(upgrade) = upgrades::pending(db).await.unwrap() else {
            assert_eq!(
                (db.engine(), upgrades::file(db)),
                (Engine::Postgres, None),
                "a server has its own tools"
            );
            continue;
        };
        assert_eq!((upgrade.to, upgrades::file(db).as_ref()), (known, Some(&upgrade.file)));
        assert!(upgrade.from < known && upgrade.bytes > 100_000, "{upgrade:?}");
        assert!(upgrades::kept(&upgrade.file).await.unwrap().is_empty());
        let newer = upgrades::keep(db, &upgrade, "2026-11-23T09:00:00.000Z").await.unwrap();
        // A process was killed while it wrote one.
        let partial = newer.with_extension("partial");
        std::fs::write(&partial, "half").unwrap();
        assert_eq!(upgrades::unfinished(&upgrade.file).await.unwrap(), [partial]);
        let older = upgrades::keep(db, &upgrade, "2026-11-22T09:00:00.000Z").await.unwrap();
        assert_eq!(upgrades::kept(&upgrade.file).await.unwrap(), [older, newer.clone()], "oldest first");
        assert!(std::fs::metadata(&newer).unwrap().len() <= upgrade.bytes);

        let copy = newer.with_file_name("copy.db");
        std::fs::copy(&newer, &copy).unwrap();
        change(db, "DELETE FROM users").await;
        assert_eq!(upgrades::pending(db).await.unwrap(), None, "there is nothing to be lost");
        let url = format!("sqlite://{}", copy.display());
        let kept = storage::Db::connect(&url, storage::ConnectOptions::default()).await.unwrap();
        assert_eq!(schema::version(&kept).await.unwrap().found, Some(upgrade.from));
        assert!(!snapshots::is_vacant(&kept).await.unwrap());
        kept.close().await;
    }
}
