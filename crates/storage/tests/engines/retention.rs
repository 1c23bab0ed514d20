//! When photos have been kept long enough.

use domain::events::Event;
use domain::events::keeping::Keeping;
use domain::{EventId, Timestamp};
use storage::events::retention::{self, Warning};
use storage::guests::{kept_searches, objections, subscriptions};
use storage::photos::library_retention::{self, Expiring};
use storage::photos::{self, Collection};

use crate::world::{DAY, NOON, World, worlds};

const PERIOD: u32 = 30;

fn keeping() -> Keeping {
    Keeping::fixed(PERIOD)
}
/// Midnight before [`NOON`], at which the event of that day takes place.
const MIDNIGHT: Timestamp = Timestamp::from_millis(NOON.as_millis() - 12 * 60 * 60 * 1_000);

fn ids(events: &[Event]) -> Vec<EventId> {
    events.iter().map(|event| event.id).collect()
}

/// Tells the owners of these events of a removal.
async fn tell(world: &World, events: &[EventId], at: Timestamp) {
    for event in events {
        let mut tx = world.begin().await;
        retention::mark_warned(&mut tx, *event, at).await.unwrap();
        tx.commit().await.unwrap();
        assert!(retention::confirm_warning(&world.db, *event, at, at).await.unwrap());
    }
}

async fn due(world: &World, now: Timestamp) -> Vec<EventId> {
    let due = retention::due(&world.db, keeping(), now, 9).await.unwrap();
    for event in &due {
        assert!(event.computed_expiry(keeping()).unwrap() <= now, "both count alike");
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
        assert_eq!(world.seen(today).await.expires_at(keeping()), Some(expiry));
        assert!(due(&world, expiry).await.is_empty(), "the owner was not warned");
        tell(&world, &[today], expiry).await;
        assert!(due(&world, Timestamp::from_millis(expiry.as_millis() - 1)).await.is_empty());
        assert_eq!(due(&world, expiry).await, [today]);
        let christmas = MIDNIGHT.plus(DAY * 34);
        assert_eq!(world.seen(ahead).await.expires_at(keeping()), Some(christmas.plus(DAY * PERIOD)));
        tell(&world, &[ahead], christmas.plus(DAY * PERIOD)).await;
        assert_eq!(due(&world, christmas.plus(DAY * PERIOD)).await, [today, ahead]);

        // Another upload moves the removal of one, deletion takes the other out.
        world.clock.advance(DAY * 40);
        let later = world.photo(owner, Some(today)).await.created_at;
        let period = DAY * PERIOD;
        assert!(due(&world, later.plus(period)).await == [ahead], "it was not told of the new date");
        tell(&world, &[today], later.plus(period)).await;
        let mut tx = world.begin().await;
        assert!(!retention::lock_due(&mut tx, today, keeping(), expiry).await.unwrap());
        assert!(retention::lock_due(&mut tx, today, keeping(), later.plus(period)).await.unwrap());
        let batch = photos::batch(&world.db, Collection::Event(today), 9).await.unwrap();
        let batch: Vec<_> = batch.iter().map(|photo| photo.id).collect();
        assert_eq!(photos::delete_many(&mut tx, Collection::Event(today), &batch).await.unwrap().len(), 2);
        world.begin_deletion(&mut tx, ahead, owner).await;
        assert!(!retention::lock_due(&mut tx, ahead, keeping(), NOON.plus(DAY * 900)).await.unwrap());
        tx.commit().await.unwrap();
        assert!(due(&world, NOON.plus(DAY * 900)).await.is_empty());
        assert!(world.seen(today).await.is_open(), "the event itself stays");
    }
}

#[tokio::test]
async fn a_date_far_ahead_prolongs_retention_to_a_year_after_the_upload() {
    // [EVT082]
    for world in worlds().await {
        let owner = world.user("a@example.com").await;
        let event = world.event(owner, "2099-01-01").await;
        let uploaded = world.photo(owner, Some(event)).await.created_at;
        let expiry = uploaded.plus(DAY * 365);
        assert_eq!(world.seen(event).await.expires_at(keeping()), Some(expiry));
        tell(&world, &[event], expiry).await;
        assert!(due(&world, Timestamp::from_millis(expiry.as_millis() - 1)).await.is_empty());
        assert_eq!(due(&world, expiry).await, [event]);
    }
}

#[tokio::test]
async fn an_event_expires_after_the_period_that_its_owner_has_chosen() {
    // [EVT167] [EVT169] [EVT172]
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let event = world.event(owner, "2026-11-20").await;
        let other = world.event(owner, "2026-11-20").await;
        let uploaded = world.photo(owner, Some(event)).await.created_at;
        world.photo(owner, Some(other)).await;
        for (default, longest, chosen, days) in [
            (30, 365, None, Some(30)),
            (30, 365, Some(90), Some(90)),
            (30, 365, Some(365), Some(365)),
            (30, 365, Some(7), Some(7)),
            // An operator who allows less by now shortens what was chosen.
            (30, 60, Some(90), Some(60)),
            (30, 0, Some(400), Some(400)),
            (30, 0, Some(0), None),
            (0, 0, Some(14), Some(14)),
            (0, 0, None, None),
        ] {
            let keeping = Keeping::of(default, longest);
            let mut tx = world.begin().await;
            let locked = storage::events::changes::lock(&mut tx, event).await.unwrap().unwrap();
            let changed = Event { keep_days: chosen, ..locked };
            storage::events::changes::save(&mut tx, &changed).await.unwrap();
            tx.commit().await.unwrap();
            let seen = world.seen(event).await;
            assert_eq!(seen.keep_days, chosen);
            let expiry = days.map(|days| uploaded.plus(DAY * days));
            assert_eq!(seen.computed_expiry(keeping), expiry, "{default} {longest} {chosen:?}");
            // Both count alike: it is told of from its expiry on, and not a moment earlier.
            let warning =
                Warning { keeping, notice: DAY * 7, lead: std::time::Duration::ZERO, patience: DAY };
            let told = async |now| {
                let told = retention::to_warn(db, warning, now, None, 9).await.unwrap();
                told.iter().any(|told| told.id == event)
            };
            let at = expiry.unwrap_or(uploaded.plus(DAY * 40_000));
            assert!(
                !told(Timestamp::from_millis(at.as_millis() - 1)).await,
                "{default} {longest} {chosen:?}"
            );
            assert_eq!(told(at).await, expiry.is_some(), "{default} {longest} {chosen:?}");
            // What longer periods take counts from the end of the installation's own.
            let kept = async |now| {
                let totals = storage::operations::administration::totals(db, keeping, now);
                totals.await.unwrap().kept_longer.photos
            };
            let longer = chosen.is_some() && default != 0 && days.is_none_or(|days| days > default);
            let own = uploaded.plus(DAY * default);
            assert_eq!(kept(own).await, i64::from(longer), "{default} {longest} {chosen:?}");
            assert_eq!(kept(Timestamp::from_millis(own.as_millis() - 1)).await, 0);
        }
    }
}

#[tokio::test]
async fn an_owner_is_warned_of_each_removal_until_the_warning_arrives() {
    // [EVT076] [EVT077] [EVT083] [EVT124]
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let event = world.event(owner, "2026-11-20").await;
        let (period, week) = (DAY * PERIOD, DAY * 7);
        let expiry = world.photo(owner, Some(event)).await.created_at.plus(period);
        let warning = Warning { keeping: keeping(), notice: week, lead: week, patience: DAY };
        let to_warn = async |now| ids(&retention::to_warn(db, warning, now, None, 9).await.unwrap());
        let mark = async |at| {
            let mut tx = world.begin().await;
            let marked = retention::mark_warned(&mut tx, event, at).await.unwrap();
            tx.commit().await.unwrap();
            marked
        };
        let week_before = expiry.minus(week);
        assert_eq!(retention::warned_for(db, event).await.unwrap(), None);
        assert!(to_warn(Timestamp::from_millis(week_before.as_millis() - 1)).await.is_empty());
        assert_eq!(to_warn(week_before).await, [event]);
        assert_eq!(to_warn(expiry.plus(DAY * 99)).await, [event], "one that was missed is made up for");

        assert!(mark(expiry).await);
        assert!(!mark(expiry).await);
        assert_eq!(retention::warned_for(db, event).await.unwrap(), Some(expiry));
        assert!(to_warn(week_before).await.is_empty());
        assert_eq!(to_warn(week_before.plus(DAY)).await, [event], "the mail did not arrive in a day");
        let moved = expiry.plus(DAY);
        assert!(!retention::confirm_warning(db, event, moved, moved).await.unwrap());
        assert!(mark(moved).await);
        assert!(retention::confirm_warning(db, event, moved, moved).await.unwrap());
        assert!(to_warn(week_before.plus(DAY * 2)).await.is_empty());
        assert_eq!(world.seen(event).await.expires_at(keeping()), Some(moved), "the removal has moved");
        assert!(due(&world, expiry).await.is_empty());
        assert_eq!(due(&world, moved).await, [event]);

        world.clock.advance(DAY * 25);
        let expiry = world.photo(owner, Some(event)).await.created_at.plus(period);
        assert_eq!(to_warn(expiry.minus(week)).await, [event], "an upload has moved the removal");
        tell(&world, &[event], expiry).await;
        assert!(to_warn(expiry.minus(DAY)).await.is_empty());
        // With a shorter period the warning may be for an earlier date.
        let shorter = Warning { keeping: Keeping::fixed(10), ..warning };
        let now = expiry.minus(DAY * 19);
        assert_eq!(ids(&retention::to_warn(db, shorter, now, None, 9).await.unwrap()), [event]);
        assert!(ids(&retention::due(db, Keeping::fixed(10), now, 9).await.unwrap()).is_empty());
    }
}

#[tokio::test]
async fn another_period_is_warned_of_anew() {
    // [EVT170]
    for world in worlds().await {
        let owner = world.user("a@example.com").await;
        let event = world.event(owner, "2026-11-20").await;
        let expiry = world.photo(owner, Some(event)).await.created_at.plus(DAY * PERIOD);
        tell(&world, &[event], expiry).await;
        assert_eq!(due(&world, expiry.plus(DAY)).await, [event]);
        let mut tx = world.begin().await;
        retention::forget_warning(&mut tx, event).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(due(&world, expiry.plus(DAY)).await, []);
        assert_eq!(retention::warned_for(&world.db, event).await.unwrap(), None);
        assert_eq!(world.seen(event).await.removal_at, None);
    }
}

#[tokio::test]
async fn an_event_without_photos_is_over_for_guests_when_it_expires_and_a_year_later_where_none_came() {
    // [TELL047]
    for world in worlds().await {
        let db = &world.db;
        let owner = world.user("a@example.com").await;
        let mut emptied = Vec::new();
        for _ in 0..5 {
            let event = world.event(owner, "2026-11-20").await;
            let photo = world.photo(owner, Some(event)).await.id;
            let mut tx = world.begin().await;
            assert!(storage::testing::remove_photo(&mut tx, photo).await);
            tx.commit().await.unwrap();
            emptied.push(event);
        }
        let (early, key) = (world.event(owner, "2026-11-20").await, [7; 32]);
        objections::key_or_insert(db, emptied[0], &key).await.unwrap();
        subscriptions::key_or_insert(db, emptied[1], &key).await.unwrap();
        for event in [emptied[2], emptied[4], early] {
            kept_searches::key_or_insert(db, event, &key).await.unwrap();
        }
        world.photo(owner, Some(emptied[4])).await;
        let over = async |at| {
            let mut over = retention::with_guests_alone(db, keeping(), at, 9).await.unwrap();
            over.sort_unstable();
            over
        };
        let (now, month, year) = (world.now(), world.now().plus(DAY * PERIOD), world.now().plus(DAY * 365));
        assert_eq!(over(now).await, []);
        assert_eq!(over(month).await, emptied[..3]);
        assert_eq!(over(year).await, [emptied[0], emptied[1], emptied[2], early]);
        for (event, at, is_over) in [(emptied[1], month, true), (early, month, false), (early, year, true)] {
            let mut tx = world.begin().await;
            assert_eq!(retention::lock_expired(&mut tx, event, keeping(), at).await.unwrap(), is_over);
        }
    }
}

#[tokio::test]
async fn photos_of_the_library_expire_after_their_upload_and_a_warning() {
    // [EVT084] [SAFE476]
    for world in worlds().await {
        let db = &world.db;
        let (owner, other) = (world.user("a@example.com").await, world.user("b@example.com").await);
        let period = DAY * PERIOD;
        let first = world.photo(owner, None).await;
        world.photo(other, Some(world.event(other, "2026-11-20").await)).await;
        world.clock.advance(DAY);
        let second = world.photo(owner, None).await;
        let owners = async |uploaded_by, asked_before| {
            library_retention::owners_to_warn(db, period, uploaded_by, asked_before, 9).await.unwrap()
        };
        let mark = async |now: Timestamp| {
            let mut tx = world.begin().await;
            let before = now.minus(DAY);
            let marked = library_retention::mark_warned(&mut tx, owner, now, before).await.unwrap();
            tx.commit().await.unwrap();
            marked
        };
        let now = world.now();
        assert!(owners(first.created_at.minus(DAY), now).await.is_empty());
        assert_eq!(owners(first.created_at, now).await, [owner]);
        assert!(mark(now).await && !mark(now).await);
        assert!(owners(first.created_at, now.minus(DAY)).await.is_empty(), "one was enqueued");
        assert_eq!(owners(first.created_at, now).await, [owner]);

        let told = first.created_at.plus(period);
        let both = library_retention::to_warn(db, owner, period, now).await.unwrap();
        assert_eq!(both, Expiring { photos: 2, last_upload: Some(second.created_at) });
        let early = first.created_at;
        assert_eq!(library_retention::to_warn(db, owner, period, early).await.unwrap().photos, 1);
        let due = async |now| {
            let due = library_retention::due(db, period, now, 9).await.unwrap();
            due.into_iter().map(|photo| photo.id).collect::<Vec<_>>()
        };
        assert!(due(told.plus(DAY * 99)).await.is_empty(), "the owner was not warned");
        let confirmed = library_retention::confirm_warning(db, owner, period, early, told).await.unwrap();
        assert_eq!(confirmed, 1);
        assert!(owners(early, now).await.is_empty());
        assert!(due(Timestamp::from_millis(told.as_millis() - 1)).await.is_empty());
        assert_eq!(due(told.plus(DAY * 99)).await, [first.id]);
        // After the period has grown, the former warning counts for nothing.
        let longer = period + DAY;
        assert!(library_retention::due(db, longer, told.plus(DAY * 99), 9).await.unwrap().is_empty());
        assert_eq!(library_retention::to_warn(db, owner, longer, now).await.unwrap().photos, 2);

        // Those of an account that is closed go with it, and its receipt counts them.
        let mut tx = world.begin().await;
        storage::accounts::users::close(&mut tx, owner, now).await.unwrap();
        tx.commit().await.unwrap();
        assert!(due(told.plus(DAY * 99)).await.is_empty());
    }
}
