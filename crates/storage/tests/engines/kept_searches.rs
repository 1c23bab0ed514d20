//! Searches that guests' devices keep.

use storage::events;
use storage::guests::kept_searches;
use storage::operations::integrity;

use crate::parity::change;
use crate::world::worlds;

#[tokio::test]
async fn the_key_of_an_event_s_searches_is_made_once_and_destroyed_with_it() {
    // [FACE522]
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let event = world.event(owner, "2026-11-14").await;
        assert_eq!(kept_searches::key(db, event).await.unwrap(), None);
        for fresh in [[7; 32], [8; 32]] {
            let key = kept_searches::key_or_insert(db, event, &fresh).await.unwrap();
            assert_eq!(key.as_deref(), Some(&[7; 32][..]));
        }
        assert_eq!(kept_searches::key_or_insert(db, world.id(), &[7; 32]).await.unwrap(), None);

        for was_there in [true, false] {
            let mut tx = world.begin().await;
            assert_eq!(kept_searches::delete_key(&mut tx, event).await.unwrap(), was_there);
            tx.commit().await.unwrap();
        }
        assert_eq!(kept_searches::key(db, event).await.unwrap(), None);

        kept_searches::key_or_insert(db, event, &[9; 32]).await.unwrap();
        let mut tx = world.begin().await;
        events::close(&mut tx, event, owner, world.id(), world.now()).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(kept_searches::key(db, event).await.unwrap(), None);
        assert_eq!(kept_searches::key_or_insert(db, event, &[9; 32]).await.unwrap(), None, "it is closed");
        assert!(integrity::leftover_search_keys(db).await.unwrap().is_empty());
        change(db, "UPDATE events SET search_key = '123'").await;
        assert_eq!(integrity::leftover_search_keys(db).await.unwrap(), [event]);
    }
}
