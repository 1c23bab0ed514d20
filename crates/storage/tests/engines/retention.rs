//! When photos have been kept long enough.

use domain::events::Event;
use domain::{EventId, Timestamp};
use storage::photos::{self, Collection};
use storage::{events, retention};

use crate::world::{DAY, NOON, World, worlds};

const PERIOD: u32 = 30;
/// Midnight before [`NOON`], at which the event of that day takes place.
const MIDNIGHT: Timestamp = Timestamp::from_millis(NOON.as_millis() - 12 * 60 * 60 * 1_000);

fn ids(events: &[Event]) -> Vec<EventId> {
    events.iter().map(|event| event.id).collect()
}

async fn due(world: &World, now: Timestamp) -> Vec<EventId> {
    let due = retention::due(&world.db, DAY * PERIOD, now, 9).await.unwrap();
    for event in &due {
        assert!(event.expires_at(PERIOD).unwrap() <= now, "both count alike");
    }
    ids(&due)
}

#[tokio::test]
async fn an_event_expires_after_the_later_of_its_date_and_its_last_upload() {
    // [EVT074] [EVT075] [EVT080]
    for world in worlds().await {
        let owner = world.user("a@example.com").await;
        // Uploads come now; one event takes place today, one lies ahead, one has no photos.
        let today = world.event(owner, "2026-11-20").await;
        let ahead = world.event(owner, "2026-12-24").await;
        world.event(owner, "2026-01-01").await;
        let uploaded = world.photo(owner, Some(today)).await.created_at;
        world.photo(owner, Some(ahead)).await;
        world.photo(owner, None).await;

        let expiry = uploaded.plus(DAY * PERIOD);
        assert_eq!(world.seen(today).await.expires_at(PERIOD), Some(expiry));
        assert!(due(&world, Timestamp::from_millis(expiry.as_millis() - 1)).await.is_empty());
        assert_eq!(due(&world, expiry).await, [today]);
        let christmas = MIDNIGHT.plus(DAY * 34);
        assert_eq!(world.seen(ahead).await.expires_at(PERIOD), Some(christmas.plus(DAY * PERIOD)));
        assert_eq!(due(&world, christmas.plus(DAY * PERIOD)).await, [today, ahead]);

        // Another upload moves the removal of one, deletion takes the other out.
        world.clock.advance(DAY * 40);
        let later = world.photo(owner, Some(today)).await.created_at;
        assert!(due(&world, expiry).await.is_empty());
        let period = DAY * PERIOD;
        let mut tx = world.begin().await;
        assert!(!retention::lock_due(&mut tx, today, period, expiry).await.unwrap());
        assert!(retention::lock_due(&mut tx, today, period, later.plus(period)).await.unwrap());
        let batch = photos::batch(&world.db, Collection::Event(today), 9).await.unwrap();
        let batch: Vec<_> = batch.iter().map(|photo| photo.id).collect();
        assert_eq!(photos::delete_many(&mut tx, Collection::Event(today), &batch).await.unwrap(), 2);
        events::begin_deletion(&mut tx, ahead, owner, world.id(), NOON).await.unwrap();
        assert!(!retention::lock_due(&mut tx, ahead, period, NOON.plus(DAY * 900)).await.unwrap());
        tx.commit().await.unwrap();
        assert!(due(&world, NOON.plus(DAY * 900)).await.is_empty());
        assert!(world.seen(today).await.is_open(), "the event itself stays");
    }
}

#[tokio::test]
async fn an_owner_is_warned_once_of_each_removal() {
    // [EVT076] [EVT077]
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let event = world.event(owner, "2026-11-20").await;
        let period = DAY * PERIOD;
        let expiry = world.photo(owner, Some(event)).await.created_at.plus(period);
        let to_warn = async |now| ids(&retention::to_warn(db, period, DAY * 7, now, 9).await.unwrap());
        let week_before = expiry.minus(DAY * 7);
        assert!(to_warn(Timestamp::from_millis(week_before.as_millis() - 1)).await.is_empty());
        assert_eq!(to_warn(week_before).await, [event]);
        assert!(to_warn(expiry).await.is_empty(), "too late to warn");

        let mut tx = world.begin().await;
        assert!(retention::mark_warned(&mut tx, event, expiry).await.unwrap());
        assert!(!retention::mark_warned(&mut tx, event, expiry).await.unwrap());
        tx.commit().await.unwrap();
        assert!(to_warn(week_before).await.is_empty());

        world.clock.advance(DAY * 25);
        let expiry = world.photo(owner, Some(event)).await.created_at.plus(period);
        assert_eq!(to_warn(expiry.minus(DAY)).await, [event], "the removal has moved");
        let mut tx = world.begin().await;
        assert!(retention::mark_warned(&mut tx, event, expiry).await.unwrap());
        tx.commit().await.unwrap();
        assert!(to_warn(expiry.minus(DAY)).await.is_empty());
    }
}
