//! What processes tell each other through the database.

use std::time::Duration;

use storage::Engine;
use storage::operations::runtime::wakeups;

use crate::world::worlds;

#[tokio::test]
async fn listeners_are_told_what_is_committed_and_nothing_else() {
    for world in worlds().await {
        let listener = wakeups::listen(&world.db).await.unwrap();
        let mut tx = world.begin().await;
        wakeups::announce(&mut tx, "undone").await.unwrap();
        tx.rollback().await.unwrap();
        let mut tx = world.begin().await;
        wakeups::announce(&mut tx, "mail").await.unwrap();
        tx.commit().await.unwrap();
        let Some(mut listener) = listener else {
            assert_eq!(world.db.engine(), Engine::Sqlite);
            continue;
        };
        let told = tokio::time::timeout(Duration::from_secs(10), listener.next()).await.unwrap().unwrap();
        assert_eq!(told.as_deref(), Some("mail"));
    }
}
