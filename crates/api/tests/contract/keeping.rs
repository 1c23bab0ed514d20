//! For how long the photos of an event are kept.

use std::time::Duration;

use domain::events::keeping::Keeping;
use domain::events::parse_date;
use domain::events::zones::Zone;
use domain::{DAY, Timestamp};
use serde_json::{Value, json};

use crate::harness::{Answer, GREEN, RED, World, on_both_engines, photo};

const SUBJECT: &str = "Photos of your event will be removed soon";

async fn create(world: &World, token: &str, keep_days: Value) -> Answer {
    let body = json!({"name": "Party", "date": "2026-11-14", "keep_days": keep_days});
    world.post("/api/events/", token, body).await
}

async fn maintain(world: &World) {
    app::operations::maintenance::all(&world.app).await.unwrap();
    world.drain().await;
}

/// The same with sessions that outlast the periods.
async fn patient(world: World) -> World {
    World::with_settings(world.parts.db.clone(), |settings| settings.session_lifetime = DAY * 400).await
}

fn warnings(world: &World) -> Vec<String> {
    let sent = world.mails.sent().into_iter().map(|sent| sent.mail);
    sent.filter(|mail| mail.subject == SUBJECT).map(|mail| mail.text).collect()
}

#[test]
fn an_event_is_made_with_a_period_and_30_days_without_one() {
    // [EVT167] [EVT168]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        for (chosen, days, expires_at) in [
            (Value::Null, 30, "2026-12-14T00:00:00.000Z"),
            (json!(90), 90, "2027-02-12T00:00:00.000Z"),
            (json!(180), 180, "2027-05-13T00:00:00.000Z"),
            (json!(365), 365, "2027-11-14T00:00:00.000Z"),
            (json!(7), 7, "2026-11-21T00:00:00.000Z"),
        ] {
            let made = create(&world, &token, chosen).await;
            assert_eq!(made.status, 201);
            let made = made.json();
            assert_eq!((&made["keep_days"], &made["expires_at"]), (&json!(days), &json!(expires_at)));
            let shown = world.get(&format!("/api/events/{}", made["slug"].as_str().unwrap()), "").await;
            assert_eq!(shown.json()["keep_days"], days);
        }
        let short = "Please keep photos for at least 7 days: a mail warns you a week before they are removed";
        let long = "Photos are not kept here for that long. Please choose a shorter time.";
        for (days, text) in [(6, short), (1, short), (0, long), (366, long)] {
            let refused = create(&world, &token, json!(days)).await;
            assert_eq!(refused.error(), (400, text.to_owned()), "{days}");
        }
        for no_number in [json!("90"), json!(-1), json!(30.5)] {
            assert_eq!(create(&world, &token, no_number).await.error().0, 400);
        }
    });
}

#[test]
fn a_longer_period_keeps_photos_and_its_end_is_warned_of() {
    // [EVT167] [EVT170]
    on_both_engines(async |world: World| {
        let world = patient(world).await;
        let token = world.photographer("meera@example.com").await;
        let long = create(&world, &token, json!(90)).await.json();
        let own = create(&world, &token, Value::Null).await.json();
        world.upload(&token, &long, "a.jpg", &photo(&[RED], 0)).await;
        world.upload(&token, &own, "b.jpg", &photo(&[GREEN], 0)).await;
        world.drain().await;
        // It is 20 November, 9:00.
        for days in [23, 7] {
            world.clock.advance(DAY * days);
            maintain(&world).await;
        }
        assert_eq!(world.stored_files().await.len(), 4, "those of the other event are removed");
        let [warning] = warnings(&world).try_into().unwrap();
        let longer = "In its settings you can keep the photos for longer.";
        assert!(warning.contains("removed on 20 December 2026") && warning.contains(longer), "{warning}");

        world.clock.advance(DAY * 53);
        maintain(&world).await;
        assert!(warnings(&world)[1].contains("removed on 18 February 2027"));
        // Whoever was warned can keep them for longer, until the last moment.
        let path = format!("/api/events/{}", long["id"].as_str().unwrap());
        let changed = world.patch(&path, &token, json!({"keep_days": 365})).await.json();
        assert_eq!(changed["expires_at"], "2027-11-20T09:00:00.000Z");
        world.clock.advance(DAY * 30);
        maintain(&world).await;
        assert_eq!((world.stored_files().await.len(), warnings(&world).len()), (4, 2));
        // A shorter period does not remove them before a warning, which comes at once.
        let changed = world.patch(&path, &token, json!({"keep_days": null})).await.json();
        assert_eq!(changed["keep_days"], 30);
        maintain(&world).await;
        assert_eq!((world.stored_files().await.len(), warnings(&world).len()), (4, 3));
        world.clock.advance(DAY * 6);
        maintain(&world).await;
        assert_eq!(world.stored_files().await.len(), 4);
        world.clock.advance(DAY);
        maintain(&world).await;
        assert_eq!((world.stored_files().await.len(), warnings(&world).len()), (0, 3));
    });
}

#[test]
fn a_period_that_is_changed_later_follows_the_same_rule() {
    // [EVT168] [EVT169]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = create(&world, &token, Value::Null).await.json();
        let path = format!("/api/events/{}", event["id"].as_str().unwrap());
        let change = async |days: Value| world.patch(&path, &token, json!({"keep_days": days})).await;
        assert_eq!(change(json!(180)).await.json()["latest_expires_on"], "2027-05-13");
        let long = "Photos are not kept here for that long. Please choose a shorter time.";
        assert_eq!(change(json!(366)).await.error(), (400, long.to_owned()));
        let renamed = world.patch(&path, &token, json!({"name": "Ball"})).await.json();
        assert_eq!(renamed["keep_days"], 180, "another change leaves it");

        // An operator who allows less by now shortens it; who keeps photos for ever offers that.
        let keeping = |keeping| {
            World::with_settings(world.parts.db.clone(), move |settings| settings.keeping = keeping)
        };
        let slug = format!("/api/events/{}", event["slug"].as_str().unwrap());
        let seen = async |world: &World| world.get(&slug, "").await.json();
        let less = keeping(Keeping::of(30, 90)).await;
        assert_eq!(seen(&less).await["keep_days"], 90);
        let renamed = less.patch(&path, &token, json!({"name": "Gala", "keep_days": 180})).await;
        assert_eq!(renamed.status, 200, "what was chosen before is no new choice");
        let ever = keeping(Keeping::fixed(0)).await;
        let options = ever.get("/api/site", "").await.json()["retention_options"].clone();
        assert_eq!(options, json!([30, 90, 180, 365, 0]));
        assert_eq!(seen(&ever).await["keep_days"], 180);
        assert_eq!(ever.patch(&path, &token, json!({"keep_days": 0})).await.status, 200);
        let shown = seen(&ever).await;
        assert_eq!((&shown["keep_days"], &shown["expires_at"]), (&json!(0), &Value::Null));
    });
}

#[test]
fn administrators_are_told_what_longer_periods_take() {
    // [EVT172]
    on_both_engines(async |world: World| {
        let world = patient(world).await;
        let token = world.photographer("admin@example.com").await;
        let long = create(&world, &token, json!(365)).await.json();
        let bytes = photo(&[RED], 0);
        world.upload(&token, &long, "a.jpg", &bytes).await;
        world.drain().await;
        let kept = async || {
            let overview = world.get("/api/administration/overview", &token).await.json();
            overview["storage"]["kept_longer"].clone()
        };
        assert_eq!(kept().await, Value::Null);
        world.clock.advance(DAY * 30);
        assert_eq!(kept().await, json!({"days": 30, "photos": 1, "bytes": bytes.len()}));
    });
}

#[test]
fn rules_of_a_time_zone_that_have_changed_cause_one_warning() {
    // [RUN378]
    on_both_engines(async |world: World| {
        let world = patient(world).await;
        let db = &world.parts.db;
        let token = world.photographer("meera@example.com").await;
        // Where the stored moment is later, and where it is earlier than what the rules of now say.
        for (mails, day, shift) in [(1, "2026-12-10", 3_600_000), (2, "2027-01-10", -3_600_000)] {
            let event = create(&world, &token, json!(180)).await.json();
            assert_eq!(world.upload(&token, &event, "a.jpg", &photo(&[RED], 0)).await.status, 201);
            world.drain().await;
            let id = event["id"].as_str().unwrap();
            let chosen = json!({"expires_on": day, "time_zone": "Europe/Berlin"});
            assert_eq!(world.patch(&format!("/api/events/{id}"), &token, chosen).await.status, 200);
            let midnight = Zone::parse("Europe/Berlin").unwrap().start_of_day(parse_date(day).unwrap());
            let stored = Timestamp::from_millis(midnight.as_millis() + shift);
            let moved = format!("UPDATE events SET chosen_expiry = {} WHERE id = '{id}'", stored.as_millis());
            storage::testing::change(db, &moved).await;

            world.clock.set(stored.minus(DAY * 7 + Duration::from_secs(5 * 60 * 60 + 30 * 60)));
            for _ in 0..2 {
                let maintained = tokio::time::timeout(Duration::from_secs(60), maintain(&world)).await;
                assert!(maintained.is_ok(), "it goes on for ever");
                assert_eq!(warnings(&world).len(), mails, "{day}");
                world.clock.advance(Duration::from_secs(60 * 60));
            }
            app::operations::upgrades::migrate(db, &world.clock, false).await.unwrap();
            assert_eq!(
                storage::events::retention::renew_moments(db).await.unwrap(),
                0,
                "a start has done so"
            );
        }
    });
}
