//! What is remembered of the clock.

use std::time::Duration;

use domain::accounts::tokens::hash_token;
use domain::guests::objections::{MAIL_INTERVAL, Objection};
use domain::operations::clock_watch::{ClockWatch, HOLD};
use domain::payments::orders::Purpose;
use storage::accounts::password_attempts::{self, PasswordFailures};
use storage::guests::objections;
use storage::operations::clock_watch;
use storage::payments::{coupons, orders};
use storage::photos::library_retention;
use storage::statistics::weekly;

use crate::orders::{coupon, order};
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

#[tokio::test]
async fn what_a_clock_ahead_has_dated_is_set_back() {
    // [SAFE484]
    for world in worlds().await {
        let db = &world.db;
        let (owner, other) = (world.user("a@example.com").await, world.user("b@example.com").await);
        let event = world.event(owner, "2026-11-20").await;
        let half = coupon(&world, "HALF", Some(1), None).await;
        weekly::set(db, other, Some(NOON.plus(DAY * 3))).await.unwrap();

        world.clock.advance(DAY * 30);
        let ahead = world.now();
        let ordered = order(&world, owner, Purpose::PremiumPlan, Some(half)).await.unwrap();
        weekly::set(db, owner, Some(ahead.plus(DAY * 3))).await.unwrap();
        let request = Objection { told_at: Some(ahead), waits: true, ..world.request_to_hide(event) };
        let subject = hash_token("somebody");
        let failures =
            PasswordFailures { failures: 9, last_at: ahead, retry_at: ahead.plus(Duration::from_secs(480)) };
        let mut tx = world.begin().await;
        objections::create(&mut tx, &request, &[]).await.unwrap();
        assert!(password_attempts::replace(&mut tx, &subject, None, failures).await.unwrap());
        assert!(library_retention::mark_warned(&mut tx, owner, ahead, ahead).await.unwrap());
        assert_eq!(clock_watch::set_back(&mut tx, ahead).await.unwrap(), 0, "by its own time it can be");
        tx.commit().await.unwrap();

        world.clock.set(NOON.plus(DAY));
        let now = world.now();
        assert_eq!(coupons::reserved_before(db, now, 9).await.unwrap(), []);
        let mut tx = world.begin().await;
        assert_eq!(clock_watch::set_back(&mut tx, now).await.unwrap(), 7);
        assert_eq!(clock_watch::set_back(&mut tx, now).await.unwrap(), 0);
        tx.commit().await.unwrap();
        assert_eq!(coupons::reserved_before(db, now, 9).await.unwrap(), [ordered]);
        assert_eq!(orders::to_check(db, now, 9).await.unwrap()[0].id, ordered);
        let monday = weekly::due_at(db, owner).await.unwrap().unwrap();
        assert!(now < monday && monday <= now.plus(DAY * 7));
        assert_eq!(weekly::due_at(db, other).await.unwrap(), Some(NOON.plus(DAY * 3)));
        assert_eq!(objections::to_remind(db, now.minus(DAY), now).await.unwrap(), [event]);
        let found = password_attempts::find(db, &subject).await.unwrap();
        assert_eq!(found, Some(PasswordFailures { last_at: now, retry_at: now, ..failures }));
        let mut tx = world.begin().await;
        let mail = objections::mail_due(&mut tx, event, now).await.unwrap();
        assert_eq!(mail, Some(now.plus(MAIL_INTERVAL)));
        assert!(library_retention::mark_warned(&mut tx, owner, now.plus(DAY), now).await.unwrap());
    }
}
