//! What an upgrade that was killed has left beside the database.

use std::path::PathBuf;

use app::operations::upgrades;
use storage::operations::{schema, upgrades as snapshots};

use crate::world::World;

#[tokio::test]
async fn a_snapshot_that_a_killed_start_has_not_finished_goes_with_the_next_one() {
    // [SAFE488]
    let world = World::new().await;
    world.register().await;
    let db = &world.parts.db;
    let file = snapshots::file(db).unwrap();
    let left = PathBuf::from(format!("{}.before-2026-11-23T09-00-00.partial", file.display()));
    std::fs::write(&left, "half").unwrap();
    upgrades::migrate(db, &world.clock, true).await.unwrap();
    assert!(!left.exists(), "also where nothing is to be upgraded");

    // Another process may be writing it.
    std::fs::write(&left, "half").unwrap();
    let lock = std::fs::File::create(file.with_extension("upgrade-lock")).unwrap();
    lock.lock().unwrap();
    upgrades::migrate(db, &world.clock, true).await.unwrap();
    assert!(left.exists());
    drop(lock);

    let known = schema::version(db).await.unwrap().known;
    let forget = format!("DELETE FROM _sqlx_migrations WHERE version = {known}");
    storage::testing::change(db, &forget).await;
    assert!(snapshots::pending(db).await.unwrap().is_some());
    // The last step was taken before, so that it may fail now.
    let _ = upgrades::migrate(db, &world.clock, true).await;
    assert!(!left.exists(), "before its room is needed");
}
