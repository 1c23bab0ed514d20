//! The tasks of maintenance: each by itself, each in one process at a time.

use std::time::Duration;

use domain::DAY;
use media::stores::Store;
use storage::operations::maintenance::TaskRow;

use crate::harness::{RED, World, on_both_engines, photo};

/// How many tasks there are.
const TASKS: usize = 18;
/// Payments are reconciled, guests are told, and faces are put together each minute.
const EACH_MINUTE: usize = 3;
/// Those that remove files, and wait until the process has run for three hours.
const REMOVING: usize = 3;

fn hours(number: u64) -> Duration {
    Duration::from_secs(number * 60 * 60)
}

async fn run_due(world: &World) -> usize {
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
        assert_eq!(run_due(&world).await, TASKS - REMOVING);
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
            storage::operations::maintenance::claim(db, "delete_expired_rows", "dead", now, now.plus(minute))
                .await
                .unwrap()
        );
        assert_eq!(run_due(&world).await, TASKS - REMOVING - 1);
        world.clock.advance(minute);
        assert_eq!(run_due(&world).await, 1 + EACH_MINUTE, "that one too");
    });
}
