//! The database's clock.

use std::time::Duration;

use domain::Clock;
use storage::Engine;
use storage::operations::runtime::clock;

use crate::world::worlds;

#[tokio::test]
async fn postgres_has_a_clock_of_its_own() {
    for world in worlds().await {
        let read = clock::of_postgres(&world.db).await;
        match world.db.engine() {
            Engine::Sqlite => assert!(read.is_err(), "it has none"),
            Engine::Postgres => {
                let (database, machine) = (read.unwrap(), Clock::System.now());
                let apart = database.since(machine).max(machine.since(database));
                assert!(apart < Duration::from_secs(60), "both run on this machine: {apart:?}");
                let mut tx = world.begin().await;
                let first = clock::of_postgres(&mut tx).await.unwrap();
                tokio::time::sleep(Duration::from_millis(5)).await;
                assert!(
                    clock::of_postgres(&mut tx).await.unwrap() > first,
                    "it advances during a transaction"
                );
            }
        }
    }
}
