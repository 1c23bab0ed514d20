//! Requests that are counted against limits.

use std::time::Duration;

use domain::Timestamp;
use domain::accounts::tokens::{TokenHash, hash_token};
use futures::future::join_all;
use storage::operations::runtime::counted_requests::{self, Count};
use storage::operations::snapshots;
use storage::{Db, Engine};

use crate::world::{NOON, worlds};

const WINDOW: Duration = Duration::from_secs(60);

fn by(key: &str, times: usize, maximum: usize) -> Count {
    Count { key: hash_token(key), times, maximum }
}

fn at(seconds: u64) -> Timestamp {
    NOON.plus(Duration::from_secs(seconds))
}

async fn counted(db: &Db, counts: &[Count], now: Timestamp) -> bool {
    counted_requests::count(db, counts, now, WINDOW).await.unwrap()
}

async fn moments(db: &Db, key: &str) -> Vec<Timestamp> {
    counted_requests::moments(db, &hash_token(key)).await.unwrap()
}

#[tokio::test]
async fn no_window_has_more_than_the_maximum() {
    // [SAFE208]
    for world in worlds().await {
        let db = &world.db;
        assert_eq!(moments(db, "a").await, []);
        for second in [0, 10, 10] {
            assert!(counted(db, &[by("a", 1, 3)], at(second)).await);
        }
        assert!(!counted(db, &[by("a", 1, 3)], at(59)).await);
        assert!(counted(db, &[by("b", 1, 3)], at(59)).await, "another key has a count of its own");
        assert_eq!(moments(db, "a").await, [at(0), at(10), at(10)]);
        // Each gives way when the window is over, and what was refused was not counted.
        assert!(counted(db, &[by("a", 1, 3)], at(60)).await);
        assert!(!counted(db, &[by("a", 1, 3)], at(60)).await);
        assert_eq!(moments(db, "a").await, [at(10), at(10), at(60)]);
        assert!(!counted(db, &[by("a", 3, 3)], at(70)).await, "one of three is still there");
        assert!(counted(db, &[by("a", 2, 3)], at(70)).await);
        // With a lower maximum only the newest count.
        assert!(!counted(db, &[by("a", 1, 1)], at(129)).await);
        assert!(counted(db, &[by("a", 1, 1)], at(130)).await);
        assert_eq!(moments(db, "a").await, [at(130)]);
        // With a higher one there is room.
        assert!(counted(db, &[by("a", 2, 3)], at(131)).await);
        assert!(!counted(db, &[by("a", 1, 3)], at(131)).await);
        // What is no limit at all is counted with, too.
        assert!(counted(db, &[by("a", 1, usize::MAX)], at(131)).await);
    }
}

#[tokio::test]
async fn a_sequence_of_requests_is_counted_as_in_memory() {
    // [SAFE208]
    for world in worlds().await {
        let (mut now, mut admitted) = (NOON, Vec::<Timestamp>::new());
        for _ in 0..400 {
            let [pause, times] = world.randomness.bytes::<2>();
            now = now.plus(Duration::from_millis(u64::from(pause) * 35));
            let times = 1 + usize::from(times % 2);
            admitted.retain(|moment| now.since(*moment) < WINDOW);
            let expected = admitted.len() + times <= 10;
            assert_eq!(counted(&world.db, &[by("a", times, 10)], now).await, expected);
            if expected {
                admitted.extend(std::iter::repeat_n(now, times));
            }
        }
    }
}

#[tokio::test]
async fn a_request_counts_by_all_its_keys_or_by_none() {
    // [SAFE247] [SAFE208]
    for world in worlds().await {
        let db = &world.db;
        assert!(counted(db, &[by("b", 2, 2), by("a", 1, 2)], at(0)).await);
        assert!(!counted(db, &[by("a", 1, 2), by("b", 1, 2), by("c", 1, 1)], at(1)).await);
        assert_eq!((moments(db, "a").await, moments(db, "c").await), (vec![at(0)], Vec::new()));
        assert!(counted(db, &[by("a", 1, 2), by("c", 1, 1)], at(2)).await);
    }
}

#[tokio::test]
async fn what_is_taken_back_does_not_count() {
    // [EVT132]
    for world in worlds().await {
        let db = &world.db;
        let both = [by("b", 2, 3), by("a", 1, 2)];
        assert!(counted(db, &[by("b", 1, 3)], at(0)).await && counted(db, &both, at(1)).await);
        counted_requests::take_back(db, &both).await.unwrap();
        assert_eq!((moments(db, "a").await, moments(db, "b").await), (Vec::new(), vec![at(0)]));
        assert!(counted(db, &both, at(2)).await);
        assert!(!counted(db, &both, at(2)).await);
        // What has been deleted meanwhile is not there to be taken back.
        assert_eq!(counted_requests::delete_expired(db, at(62)).await.unwrap(), 2);
        counted_requests::take_back(db, &both).await.unwrap();
        assert_eq!(moments(db, "b").await, []);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn requests_at_one_moment_are_counted_one_after_the_other_and_wait_in_no_circle() {
    // [SAFE208]
    for world in worlds().await {
        let requests = (0..60).map(|number| {
            let db = world.db.clone();
            tokio::spawn(async move {
                // Keys of a network and of wider ones, in either order.
                let mut counts = vec![by("network", 1, 30), by(&format!("of {}", number % 2), 1, 30)];
                if number % 3 == 0 {
                    counts.reverse();
                }
                let now = at(number % 7);
                let admitted = counted(&db, &counts, now).await;
                counted_requests::delete_expired(&db, now).await.unwrap();
                admitted
            })
        });
        let admitted = join_all(requests).await.into_iter().filter(|one| *one.as_ref().unwrap()).count();
        assert_eq!(admitted, 30);

        let requests = (0..60).map(|_| {
            let db = world.db.clone();
            tokio::spawn(async move { counted(&db, &[by("address", 1, 20)], NOON).await })
        });
        let admitted = join_all(requests).await.into_iter().filter(|one| *one.as_ref().unwrap()).count();
        assert_eq!(admitted, 20);
    }
}

#[tokio::test]
async fn what_does_not_count_any_more_is_deleted() {
    // [SAFE237]
    for world in worlds().await {
        let db = &world.db;
        assert!(counted(db, &[by("a", 1, 3)], at(0)).await && counted(db, &[by("b", 1, 3)], at(0)).await);
        assert!(counted(db, &[by("b", 1, 3)], at(30)).await);
        assert_eq!(counted_requests::delete_expired(db, at(59)).await.unwrap(), 0);
        assert_eq!(counted_requests::delete_expired(db, at(60)).await.unwrap(), 1);
        assert_eq!((moments(db, "a").await, moments(db, "b").await), (Vec::new(), vec![at(0), at(30)]));
        assert!(counted(db, &[by("a", 3, 3)], at(60)).await);
    }
}

#[tokio::test]
async fn what_is_counted_is_in_no_back_up() {
    // [SAFE238]
    let folder = tempfile::tempdir().unwrap();
    // On SQLite the service counts in memory.
    for world in worlds().await.into_iter().filter(|world| world.db.engine() == Engine::Postgres) {
        assert!(counted(&world.db, &[by("a", 1, 3)], NOON).await);
        let path = folder.path().join("snapshot.sqlite");
        snapshots::write(&world.db, &path).await.unwrap();
        let snapshot = snapshots::open(&path).await.unwrap();
        assert_eq!(moments(&snapshot, "a").await, []);
        snapshot.close().await;
    }
}

#[tokio::test]
async fn a_stored_moment_that_this_program_never_wrote_is_an_error() {
    for world in worlds().await {
        assert!(counted(&world.db, &[by("a", 1, 3)], NOON).await);
        storage::testing::change(&world.db, "UPDATE counted_requests SET moments = moments || '17'").await;
        let key: TokenHash = hash_token("a");
        assert!(counted_requests::moments(&world.db, &key).await.is_err());
    }
}
