//! The tasks of maintenance: each by itself, each in one process at a time.

use std::time::Duration;

use domain::payments::coupons::{Coupon, Discount};
use domain::{DAY, UserId};
use media::stores::Store;
use serde_json::json;
use storage::operations::maintenance::TaskRow;

use crate::harness::{RED, World, on_both_engines, photo};
use crate::payments::{coupon, insert_coupons, order};

/// How many tasks there are.
const TASKS: usize = 22;
/// Payments are reconciled, guests are told, and faces and photos are put together each minute.
const EACH_MINUTE: usize = 4;
/// Those that remove files, and wait until the process has run for three hours.
const REMOVING: usize = 3;
/// Those that run once a day: the same, the comparison with the payment provider, and the look for the records of hosts.
const DAILY: usize = REMOVING + 2;
/// Those that remove, or announce it, by the time: they wait after a jump of the clock.
const BY_TIME: usize = 8;

fn hours(number: u64) -> Duration {
    Duration::from_secs(number * 60 * 60)
}

async fn run_due(world: &World) -> usize {
    world.run_due().await
}

/// The same without anybody having looked at the clock since the last time.
async fn run_due_after_a_jump(world: &World) -> usize {
    app::operations::maintenance::run_due(&world.app).await.unwrap()
}

/// The tasks whose last run failed.
async fn failed(world: &World) -> Vec<TaskRow> {
    let mut rows = storage::operations::maintenance::all(&world.parts.db).await.unwrap();
    assert!(rows.iter().all(|row| row.leased_until.is_none() && row.finished_at.is_some()), "{rows:?}");
    rows.retain(|row| row.failures > 0);
    rows
}

#[test]
fn a_task_runs_in_one_process_and_again_after_its_interval() {
    // [SAFE044]
    on_both_engines(async |world: World| {
        world.clock.advance(hours(3));
        let (one, other) = tokio::join!(run_due(&world), run_due(&world));
        assert_eq!(one + other, TASKS, "each is held by one");
        assert_eq!(run_due(&world).await, 0);
        world.clock.advance(Duration::from_secs(60));
        assert_eq!(run_due(&world).await, EACH_MINUTE);
        world.clock.advance(hours(1));
        assert_eq!(run_due(&world).await, TASKS - DAILY);
        world.clock.advance(DAY);
        assert_eq!(run_due(&world).await, TASKS);
        assert_eq!(failed(&world).await, []);
    });
}

#[test]
fn a_task_that_fails_stops_no_other_and_is_tried_again() {
    // [SAFE045]
    on_both_engines(async |world: World| {
        let token = world.photographer("meera@example.com").await;
        let event = world.event(&token, "Party").await;
        world.upload(&token, &event, "a.jpg", &photo(&[RED], 0)).await;
        world.drain().await;
        // The warning without which nothing is removed.
        world.clock.advance(DAY * 40);
        run_due(&world).await;
        world.drain().await;
        world.clock.advance(DAY * 9);
        let Store::Memory(files) = world.parts.store.clone() else { panic!("it is the double") };
        files.set_broken(true);
        assert_eq!(run_due(&world).await, TASKS);
        let names: Vec<_> = failed(&world).await.into_iter().map(|row| row.task).collect();
        assert_eq!(names, ["empty_trash", "remove_expired", "remove_unfinished", "sweep_store"]);
        assert_eq!(world.get("/api/auth/me", &token).await.status, 401);
        world.clock.advance(Duration::from_secs(5));
        assert_eq!(run_due(&world).await, 4, "sooner than in an hour");
        assert!(failed(&world).await.iter().all(|row| row.failures == 2));
        files.set_broken(false);
        world.clock.advance(Duration::from_secs(10));
        run_due(&world).await;
        assert_eq!(failed(&world).await, []);
        assert_eq!(world.stored_files().await.len(), 0);
    });
}

#[test]
fn a_task_that_panics_is_a_failure_of_its_own() {
    // [SAFE045]
    on_both_engines(async |world: World| {
        let Store::Memory(files) = world.parts.store.clone() else { panic!("it is the double") };
        world.clock.advance(hours(3));
        files.panic_once("the list is torn");
        assert_eq!(run_due(&world).await, TASKS);
        let failed = failed(&world).await;
        assert_eq!(failed.len(), 1, "whichever comes first to the store: {failed:?}");
        assert_eq!(failed[0].failures, 1);
        let reason = failed[0].last_error.as_deref().unwrap();
        assert!(reason.contains("the list is torn"), "{reason}");
    });
}

#[test]
fn a_task_whose_process_died_is_taken_over() {
    // [SAFE222]
    on_both_engines(async |world: World| {
        let (db, now, minute) = (&world.parts.db, world.clock.now(), Duration::from_secs(60));
        assert!(
            storage::operations::maintenance::claim(
                db,
                "delete_expired_rows",
                "dead",
                minute * 60,
                now,
                now.plus(minute)
            )
            .await
            .unwrap()
        );
        assert_eq!(run_due(&world).await, TASKS - REMOVING - 1);
        world.clock.advance(minute);
        assert_eq!(run_due(&world).await, 1 + EACH_MINUTE, "that one too");
    });
}

#[test]
fn a_clock_that_was_once_ahead_stops_no_maintenance() {
    // [SAFE323]
    on_both_engines(async |world: World| {
        world.clock.advance(hours(3));
        assert_eq!(run_due(&world).await, TASKS);
        world.clock.advance(DAY * 30);
        assert_eq!(run_due(&world).await, TASKS, "by a clock that is ahead");
        let token = world.photographer("meera@example.com").await;
        world.mails.fail_with(Some(gateway::MailError::Transient(String::from("connection refused"))));
        let event = world.event(&token, "Party").await;
        assert_eq!(
            world.post("/api/auth/forgot-password", "", json!({"email": "meera@example.com"})).await.status,
            200
        );
        world.drain().await;
        world.mails.fail_with(None);
        world.clock.set(world.clock.now().minus(DAY * 30));
        assert_eq!(run_due_after_a_jump(&world).await, TASKS, "all of them, now that it is right");
        let mailed = world.mails.sent().len();
        world.drain().await;
        assert!(world.mails.sent().len() > mailed, "and the mail that was put off");
        drop(event);
    });
}

#[test]
fn what_a_clock_ahead_has_dated_waits_no_longer_than_by_the_right_one() {
    // [SAFE484]
    on_both_engines(async |world: World| {
        world.clock.advance(hours(3));
        run_due(&world).await;
        world.photographer("meera@example.com").await;
        let ravi = world.photographer("ravi@example.com").await;
        let half = Coupon { max_uses: Some(1), ..coupon(&world, "HALF", Discount::Percent(50)) };
        insert_coupons(&world, [half]).await;
        let plan = || json!({"purpose": "premium_plan", "coupon_code": "half"});
        let wanted = world.put("/api/auth/weekly-summary", &ravi, json!({"wanted": true})).await;
        assert_eq!(wanted.status, 200);
        let me = world.get("/api/auth/me", &ravi).await.json();
        let user: UserId = me["user"]["id"].as_str().unwrap().parse().unwrap();

        world.clock.advance(DAY * 30);
        run_due(&world).await;
        // Sessions of before have ended by that clock.
        let log_in =
            async |email: &str| world.log_in(email).await.json()["token"].as_str().unwrap().to_owned();
        let meera = log_in("meera@example.com").await;
        assert_eq!(order(&world, &meera, plan()).await.status, 200);
        world.clock.set(world.clock.now().minus(DAY * 30));
        run_due_after_a_jump(&world).await;
        world.clock.advance(hours(1));
        run_due_after_a_jump(&world).await;
        let (db, now) = (&world.parts.db, world.clock.now());
        let due = storage::statistics::weekly::due_at(db, user).await.unwrap().unwrap();
        assert!(due <= now.plus(DAY * 7));
        let checked = storage::payments::orders::to_check(db, now.plus(hours(3)), 9).await.unwrap();
        assert_eq!(checked.len(), 1);
        let ravi = log_in("ravi@example.com").await;
        assert_eq!(order(&world, &ravi, plan()).await.status, 400, "its only use is reserved");
        world.clock.advance(Duration::from_secs(31 * 60));
        run_due_after_a_jump(&world).await;
        assert_eq!(order(&world, &ravi, plan()).await.status, 200);
    });
}

#[test]
fn nothing_is_removed_for_a_day_after_the_clock_went_ahead() {
    // [SAFE324] [SAFE325]
    on_both_engines(async |world: World| {
        world.clock.advance(hours(3));
        assert_eq!(run_due(&world).await, TASKS);
        world.clock.advance(DAY * 30);
        assert_eq!(run_due_after_a_jump(&world).await, TASKS - BY_TIME);
        let told = async || {
            let ready = world.get("/api/ready", "").await.json();
            let warnings = ready["warnings"].as_array().unwrap().clone();
            warnings.into_iter().any(|warning| {
                let warning = warning.as_str().unwrap();
                warning.contains("Nothing is removed until") && warning.contains("afterglow clock confirm")
            })
        };
        assert!(told().await);
        for _ in 0..3 {
            world.clock.advance(hours(6));
            run_due_after_a_jump(&world).await;
            assert!(told().await);
        }
        world.clock.advance(hours(7));
        assert!(run_due_after_a_jump(&world).await >= BY_TIME, "a day has passed");

        world.clock.advance(DAY * 3);
        assert!(run_due_after_a_jump(&world).await < TASKS);
        let context = app::operations::operators::OperatorContext {
            db: world.parts.db.clone(),
            clock: world.clock.clone(),
            randomness: world.parts.randomness.clone(),
            seller: world.parts.settings.seller.clone(),
        };
        app::operations::clock_watch::confirm(&context).await.unwrap();
        assert_eq!(run_due_after_a_jump(&world).await, BY_TIME, "a person has said that it is right");
    });
}
