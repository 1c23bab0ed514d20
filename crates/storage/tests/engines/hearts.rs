//! Hearts on photos.

use storage::guests::hearts;
use storage::photos;

use crate::world::worlds;

#[tokio::test]
async fn a_heart_is_counted_for_a_photo_of_the_event_that_guests_can_see() {
    // [WISH002]
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let (event, other) = (world.event(owner, "2026-11-14").await, world.event(owner, "2026-11-15").await);
        let photo = world.photo(owner, Some(event)).await.id;
        let hearts = async || photos::by_id(db, photo).await.unwrap().unwrap().hearts;
        for (on, counted) in [(false, 0), (true, 1), (true, 2), (false, 1), (false, 0), (false, 0), (true, 1)]
        {
            assert!(hearts::count_heart(db, event, photo, on).await.unwrap());
            assert_eq!(hearts().await, counted);
        }
        assert!(!hearts::count_heart(db, other, photo, true).await.unwrap());
        assert!(!hearts::count_heart(db, event, world.id(), true).await.unwrap());
        let library = world.photo(owner, None).await.id;
        assert!(!hearts::count_heart(db, event, library, true).await.unwrap());

        storage::testing::change(db, "UPDATE photos SET hidden = TRUE").await;
        assert!(!hearts::count_heart(db, event, photo, true).await.unwrap());
        assert_eq!(hearts().await, 1);
    }
}
