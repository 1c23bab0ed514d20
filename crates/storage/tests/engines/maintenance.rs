//! Leases of the tasks of maintenance.

use std::time::Duration;

use domain::Timestamp;
use storage::operations::maintenance::{self, TaskRow};

use crate::world::{NOON, worlds};

const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(60 * 60);

#[tokio::test]
async fn a_task_is_leased_by_one_process_and_runs_again_when_it_is_due() {
    // [SAFE044]
    for world in worlds().await {
        let db = &world.db;
        let row = async || maintenance::all(db).await.unwrap().pop().unwrap();
        assert!(maintenance::all(db).await.unwrap().is_empty());
        let until = NOON.plus(MINUTE);
        assert!(
            maintenance::claim(db, "forget", "one", HOUR, NOON, until).await.unwrap(),
            "it was never begun"
        );
        assert!(!maintenance::claim(db, "forget", "two", HOUR, NOON, until).await.unwrap(), "it is held");
        assert!(maintenance::claim(db, "sweep", "two", HOUR, NOON, until).await.unwrap(), "another is not");
        assert!(maintenance::succeed(db, "sweep", "two", NOON, NOON.plus(MINUTE * 9)).await.unwrap());
        assert!(maintenance::renew(db, "forget", "one", until.plus(MINUTE)).await.unwrap());
        assert!(!maintenance::renew(db, "forget", "two", until.plus(MINUTE)).await.unwrap());
        assert!(
            !maintenance::claim(db, "forget", "two", HOUR, until, until.plus(MINUTE)).await.unwrap(),
            "renewed"
        );

        // Its process never settles it.
        let until = until.plus(MINUTE);
        assert!(maintenance::claim(db, "forget", "two", HOUR, until, until.plus(MINUTE)).await.unwrap());
        assert!(!maintenance::succeed(db, "forget", "one", until, until).await.unwrap());
        assert!(!maintenance::fail(db, "forget", "one", "late", until, until).await.unwrap());
        let next = until.plus(MINUTE * 3);
        assert!(maintenance::fail(db, "forget", "two", "no answer", until, next).await.unwrap());
        let failed = maintenance::all(db).await.unwrap().remove(0);
        let expected = TaskRow {
            task: String::from("forget"),
            run_at: next,
            leased_until: None,
            failures: 1,
            last_error: Some(String::from("no answer")),
            finished_at: Some(until),
        };
        assert_eq!(failed, expected);
        assert_eq!(row().await.task, "sweep");
        assert!(
            !maintenance::claim(db, "forget", "three", HOUR, until, next).await.unwrap(),
            "it is not due"
        );
        assert!(maintenance::claim(db, "forget", "three", HOUR, next, next.plus(MINUTE)).await.unwrap());
        assert!(maintenance::succeed(db, "forget", "three", next, next.plus(MINUTE)).await.unwrap());
        let done = maintenance::all(db).await.unwrap().remove(0);
        assert_eq!((done.failures, done.last_error, done.run_at), (0, None, next.plus(MINUTE)));
    }
}

#[tokio::test]
async fn a_lease_stays_with_its_holder_who_read_the_time_a_moment_after_another() {
    // [SAFE492]
    for world in worlds().await {
        let db = &world.db;
        let claim = async |now: Timestamp, lease| {
            maintenance::claim(db, "forget", lease, HOUR, now, now.plus(MINUTE)).await.unwrap()
        };
        let before = NOON.minus(HOUR);
        assert!(claim(before, "before").await);
        assert!(maintenance::succeed(db, "forget", "before", before, NOON.minus(MINUTE)).await.unwrap());
        let later = NOON.plus(Duration::from_millis(5));
        assert!(claim(later, "one").await);
        assert!(!claim(NOON, "two").await, "the lease is held");
        let row = async || maintenance::all(db).await.unwrap().remove(0);
        assert_eq!(row().await.due_in(HOUR, MINUTE, NOON), MINUTE + Duration::from_millis(5));
        assert!(maintenance::renew(db, "forget", "one", later.plus(HOUR * 3)).await.unwrap());
        assert_eq!(row().await.due_in(HOUR, MINUTE, NOON), Duration::ZERO);
        assert!(claim(NOON, "two").await, "no clock is read so much too late");
        assert!(maintenance::succeed(db, "forget", "two", later, later.plus(HOUR)).await.unwrap());
        assert!(!claim(NOON, "three").await, "it has run meanwhile");
        assert_eq!(row().await.due_in(HOUR, MINUTE, NOON), HOUR + Duration::from_millis(5));
    }
}

#[tokio::test]
async fn what_a_clock_ahead_of_time_has_put_off_is_due() {
    // [SAFE323]
    for world in worlds().await {
        let db = &world.db;
        let ahead = NOON.plus(HOUR * 24 * 30);
        let claim = async |now, lease| {
            maintenance::claim(db, "forget", lease, HOUR, now, now.plus(MINUTE)).await.unwrap()
        };
        assert!(claim(ahead, "one").await);
        let row = async || maintenance::all(db).await.unwrap().remove(0);
        assert_eq!(row().await.due_in(HOUR, MINUTE, NOON), Duration::ZERO);
        assert!(claim(NOON, "two").await, "no lease lasts for so long");
        assert_eq!(row().await.due_in(HOUR, MINUTE, NOON), MINUTE);
        assert!(!claim(NOON, "three").await, "this one does not");
        assert!(maintenance::succeed(db, "forget", "two", ahead, ahead.plus(HOUR)).await.unwrap());
        assert_eq!(row().await.due_in(HOUR, MINUTE, ahead), HOUR);
        assert_eq!(row().await.due_in(HOUR, MINUTE, NOON), Duration::ZERO);
        assert!(claim(NOON, "four").await, "nothing waits for longer than its interval");
        assert!(maintenance::succeed(db, "forget", "four", NOON, NOON.plus(HOUR)).await.unwrap());
        assert!(!claim(NOON, "five").await, "as long is right");
    }
}
