//! Changing events.

use std::time::Duration;

use domain::events::download_policy::Downloads;
use domain::events::flags::Flags;
use domain::events::invitations::Invitation;
use domain::events::keeping::Keeping;
use domain::events::pins::Pin;
use domain::events::zones::Zone;
use domain::events::{Event, NOTICE, parse_date};
use domain::{EventId, PhotoId, Timestamp};
use storage::events::changes;
use storage::events::retention::{self, Warning};

use crate::world::{DAY, World, worlds};

const PERIOD: u32 = 30;

async fn save(world: &World, event: &Event) {
    let mut tx = world.begin().await;
    changes::save(&mut tx, event).await.unwrap();
    tx.commit().await.unwrap();
}

async fn set_cover(world: &World, event: EventId, photo: Option<PhotoId>) {
    let mut tx = world.begin().await;
    changes::set_cover(&mut tx, event, photo).await.unwrap();
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn an_open_event_is_changed_and_no_other() {
    // [EVT102]
    for world in worlds().await {
        let owner = world.user("a@example.com").await;
        let (event, other) = (world.event(owner, "2026-11-20").await, world.event(owner, "2026-11-20").await);
        let unchanged = world.seen(other).await;
        let before = world.seen(event).await;
        assert_eq!((&before.time_zone, before.expires_on, before.cover), (&Zone::utc(), None, None));
        assert!(
            before.flags == Flags::default()
                && before.pin.is_none()
                && before.downloads == Downloads::Original
        );
        let changed = Event {
            name: String::from("शादी"),
            date: parse_date("2026-12-24").unwrap(),
            description: Some(String::from("In the garden")),
            time_zone: Zone::parse("Asia/Kolkata").unwrap(),
            expires_on: Some(parse_date("2027-01-02").unwrap()),
            flags: !before.flags,
            pin: Pin::parse("0042").ok(),
            downloads: Downloads::Web,
            invitation: Invitation::parse("hi", "आइए\n\nतस्वीरें").unwrap(),
            ..before.clone()
        };
        let mut tx = world.begin().await;
        assert_eq!(changes::lock(&mut tx, event).await.unwrap(), Some(before.clone()));
        changes::save(&mut tx, &changed).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(world.seen(event).await, changed);
        assert_eq!(world.seen(other).await, unchanged);
        save(&world, &before).await;
        assert_eq!(world.seen(event).await, before);

        let mut tx = world.begin().await;
        world.begin_deletion(&mut tx, event, owner).await;
        assert_eq!(changes::lock(&mut tx, event).await.unwrap(), None);
        assert_eq!(changes::lock(&mut tx, world.id()).await.unwrap(), None);
    }
}

async fn cover_of(world: &World, event: EventId) -> Option<PhotoId> {
    world.seen(event).await.cover.map(|cover| cover.photo)
}

#[tokio::test]
async fn a_cover_is_a_searchable_photo_of_the_event_that_is_not_hidden() {
    // [EVT095]
    for world in worlds().await {
        let owner = world.user("a@example.com").await;
        let (event, other) = (world.event(owner, "2026-11-20").await, world.event(owner, "2026-11-20").await);
        let photo = world.photo(owner, Some(event)).await.id;
        set_cover(&world, event, Some(photo)).await;
        assert_eq!(cover_of(&world, event).await, None, "it is not searchable yet");
        world.index(photo, "buffalo", &[world.face(1.0)]).await;
        assert_eq!(cover_of(&world, event).await, Some(photo));
        set_cover(&world, other, Some(photo)).await;
        assert_eq!(cover_of(&world, other).await, None, "it is another event's");
        for (hidden, cover) in [("TRUE", None), ("FALSE", Some(photo))] {
            storage::testing::change(&world.db, &format!("UPDATE photos SET hidden = {hidden}")).await;
            assert_eq!(cover_of(&world, event).await, cover);
            save(&world, &world.seen(event).await).await;
        }
        set_cover(&world, event, None).await;
        assert_eq!(cover_of(&world, event).await, None);
        set_cover(&world, event, Some(photo)).await;
        let mut tx = world.begin().await;
        assert!(storage::testing::remove_photo(&mut tx, photo).await);
        tx.commit().await.unwrap();
        assert_eq!(cover_of(&world, event).await, None);
    }
}

#[tokio::test]
async fn an_event_expires_on_the_chosen_day_in_its_time_zone() {
    // [EVT094]
    for world in worlds().await {
        let owner = world.user("a@example.com").await;
        let event = world.event(owner, "2026-11-20").await;
        let uploaded = world.photo(owner, Some(event)).await.created_at;
        let period = DAY * PERIOD;
        let choose = async |day: Option<&str>, zone: &str| {
            let expires_on = day.map(|day| parse_date(day).unwrap());
            let time_zone = Zone::parse(zone).unwrap();
            save(&world, &Event { expires_on, time_zone, ..world.seen(event).await }).await;
            let seen = world.seen(event).await;
            let expiry = seen.computed_expiry(Keeping::fixed(PERIOD)).unwrap();
            // Both count alike: it is told of from its expiry on, and not a moment earlier.
            let warning = Warning {
                keeping: Keeping::fixed(PERIOD),
                notice: NOTICE,
                lead: Duration::ZERO,
                patience: DAY,
            };
            let told = async |now| retention::to_warn(&world.db, warning, now, None, 9).await.unwrap().len();
            let before = Timestamp::from_millis(expiry.as_millis() - 1);
            assert_eq!((told(before).await, told(expiry).await), (0, 1), "{day:?}");
            expiry
        };
        let midnight = |text: &str| Timestamp::start_of_day(parse_date(text).unwrap());
        assert_eq!(choose(None, "UTC").await, uploaded.plus(period));
        assert_eq!(choose(Some("2026-12-01"), "UTC").await, midnight("2026-12-01"));
        let kolkata = midnight("2026-12-01").minus(DAY / 24 * 11 / 2);
        assert_eq!(choose(Some("2026-12-01"), "Asia/Kolkata").await, kolkata);
        assert_eq!(
            choose(Some("2027-12-01"), "UTC").await,
            uploaded.plus(period),
            "not later than the period"
        );
        assert_eq!(choose(Some("2026-11-22"), "UTC").await, uploaded.plus(NOTICE), "not before a warning");
        // The date counts from its beginning in the zone.
        let christmas = Event { date: parse_date("2026-12-24").unwrap(), ..world.seen(event).await };
        save(&world, &christmas).await;
        let expiry = choose(None, "Asia/Kolkata").await;
        assert_eq!(expiry, midnight("2026-12-24").minus(DAY / 24 * 11 / 2).plus(period));
    }
}

#[tokio::test]
async fn moments_of_days_follow_the_rules_of_time_zones() {
    // [RUN378]
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let mut events = Vec::new();
        for _ in 0..3 {
            let event = world.event(owner, "2026-11-20").await;
            world.photo(owner, Some(event)).await;
            let ahead = Event {
                date: parse_date("2026-12-24").unwrap(),
                time_zone: Zone::parse("Europe/Berlin").unwrap(),
                expires_on: parse_date("2027-01-02").ok(),
                ..world.seen(event).await
            };
            save(&world, &ahead).await;
            events.push(event);
        }
        assert_eq!(retention::renew_moments(db).await.unwrap(), 0, "it is as it was saved");
        let before = world.seen(events[0]).await;
        let warning =
            Warning { keeping: Keeping::fixed(PERIOD), notice: NOTICE, lead: Duration::ZERO, patience: DAY };
        let told = async |now, after| {
            let told = retention::to_warn(db, warning, now, after, 9).await.unwrap();
            told.into_iter().map(|event| event.id).collect::<Vec<_>>()
        };
        let midnight = Zone::parse("Europe/Berlin").unwrap().start_of_day(parse_date("2027-01-02").unwrap());
        let stored = [
            "chosen_expiry = chosen_expiry + 3600000",
            "chosen_expiry = chosen_expiry - 3600000",
            "retained_from = 0",
        ];
        for (event, stored) in events.iter().zip(stored) {
            let statement = format!("UPDATE events SET {stored} WHERE id = '{event}'");
            storage::testing::change(db, &statement).await;
        }
        assert_eq!(told(midnight, None).await, events[1..]);
        assert_eq!(retention::renew_moments(db).await.unwrap(), 3);
        assert_eq!(retention::renew_moments(db).await.unwrap(), 0);
        assert_eq!(world.seen(events[0]).await, before);
        assert_eq!(told(Timestamp::from_millis(midnight.as_millis() - 1), None).await, []);
        assert_eq!(told(midnight, None).await, events);
        assert_eq!(told(midnight, Some(events[0])).await, events[1..]);
    }
}
