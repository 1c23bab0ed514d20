//! Waking the workers of this process for jobs that other processes commit.
//!
//! Without it, and whenever the database tells nothing, they look for jobs every few seconds.

use std::time::Duration;

use domain::operations::runtime::jobs::Queue;
use tokio_util::sync::CancellationToken;

use crate::operations::runtime::queue::JobQueue;
use crate::{App, Result};

/// How long to wait after the database could not be listened to.
const ERROR_INTERVAL: Duration = Duration::from_secs(5);

/// Wakes the workers of each queue in which another process has committed a job, until `stop` is cancelled.
pub(crate) async fn run(app: &App, stop: CancellationToken) {
    while !stop.is_cancelled() {
        tokio::select! {
            () = stop.cancelled() => return,
            heard = listen(&app.db, &app.queue) => match heard {
                Ok(()) => return,
                Err(failure) => tracing::warn!(
                    error = failure.chain(),
                    "other processes cannot be listened to: their jobs are looked for every few seconds"
                ),
            }
        }
        tokio::select! {
            () = stop.cancelled() => {}
            () = tokio::time::sleep(ERROR_INTERVAL) => {}
        }
    }
}

/// Goes on for as long as the database can be listened to; ends at once where it tells nothing.
async fn listen(db: &storage::Db, queue: &JobQueue) -> Result<()> {
    let Some(mut listener) = storage::operations::runtime::wakeups::listen(db).await? else { return Ok(()) };
    loop {
        match listener.next().await? {
            Some(name) => {
                if let Some(named) = Queue::ALL.into_iter().find(|queue| queue.as_str() == name) {
                    queue.wake(named);
                }
            }
            // Something may have been missed while nobody listened.
            None => Queue::ALL.into_iter().for_each(|each| queue.wake(each)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::ids::Id as _;
    use domain::{Clock, Job, Randomness, Timestamp, UserId};

    #[tokio::test]
    async fn a_job_that_another_process_commits_wakes_the_workers_of_its_queue() {
        let database = storage::testing::postgres().await;
        let clock = Clock::fixed(Timestamp::from_millis(1_795_165_200_000));
        let of_process = |seed| JobQueue::new(database.db.clone(), clock.clone(), Randomness::seeded(seed));
        let (one, other) = (of_process(1), of_process(2));
        let (db, listening) = (database.db.clone(), other.clone());
        let task = tokio::spawn(async move { listen(&db, &listening).await.is_ok() });
        let woken = other.committed(Queue::Mail);
        let not_woken = other.committed(Queue::Deletion);
        tokio::pin!(woken);
        let user = UserId::from_parts(clock.now(), [0; 10]);
        // Again and again, since nothing tells when the task has begun to listen.
        for _ in 0..100 {
            let mut tx = one.begin().await.unwrap();
            tx.enqueue(&Job::SendPasswordReset { user }).await.unwrap();
            tx.commit().await.unwrap();
            if tokio::time::timeout(Duration::from_millis(100), &mut woken).await.is_ok() {
                let is_woken = tokio::time::timeout(Duration::from_millis(1), not_woken).await;
                assert!(is_woken.is_err(), "it is none of its jobs");
                task.abort();
                return;
            }
        }
        panic!("nobody was woken");
    }
}
