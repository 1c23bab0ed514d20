//! What is remembered of the clock.

use domain::operations::clock_watch::{ClockWatch, HOLD};
use storage::operations::clock_watch;

use crate::world::{DAY, NOON, worlds};

#[tokio::test]
async fn what_was_seen_of_the_clock_is_remembered() {
    for world in worlds().await {
        let db = &world.db;
        assert_eq!(clock_watch::get(db).await.unwrap(), None);
        let mut tx = world.begin().await;
        assert_eq!(clock_watch::lock(&mut tx, NOON).await.unwrap(), ClockWatch::new(NOON));
        tx.commit().await.unwrap();
        let ahead = NOON.plus(DAY * 30);
        let mut tx = world.begin().await;
        let before = clock_watch::lock(&mut tx, ahead).await.unwrap();
        assert_eq!(before, ClockWatch::new(NOON), "the first look stays");
        clock_watch::save(&mut tx, &before.observed(ahead)).await.unwrap();
        tx.commit().await.unwrap();
        let watch = clock_watch::get(db).await.unwrap().unwrap();
        assert_eq!((watch.seen_at, watch.held_until), (ahead, Some(ahead.plus(HOLD))));
        assert_eq!(watch.jump.unwrap().from, NOON);
        let mut tx = world.begin().await;
        clock_watch::save(&mut tx, &watch.confirmed()).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(clock_watch::get(db).await.unwrap(), Some(ClockWatch::new(ahead)));
    }
}
