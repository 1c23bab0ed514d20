//! Attempts at leased jobs.

use std::time::Duration;

use tracing::Instrument as _;

use crate::operations::runtime::queue::{Ended, JobQueue, LeasedJob, Outcome};
use crate::operations::runtime::tasks;
use crate::{App, Result};

/// Does a job's work in a task of its own while its lease is renewed. A panic is a failed attempt, and the work is
/// aborted when the lease is lost: another worker does it then.
pub(crate) async fn perform(
    queue: &JobQueue,
    leased: &LeasedJob,
    work: impl Future<Output = Result<()>> + Send + 'static,
) -> Ended {
    let mut task = tasks::spawn(work);
    let ended = tokio::select! {
        performed = tasks::join(&mut task) => leased.ended(performed),
        () = renew_until_lost(queue, leased) => {
            task.shutdown().await;
            Ended::LeaseLost
        }
    };
    match &ended {
        Ended::Completed => {}
        Ended::Failed { reason, last, .. } => tracing::warn!(reason, last, "a job failed"),
        Ended::LeaseLost => tracing::warn!("the lease was lost"),
    }
    ended
}

async fn renew_until_lost(queue: &JobQueue, leased: &LeasedJob) {
    loop {
        tokio::time::sleep(queue.renewal_interval()).await;
        match queue.renew(leased).await {
            Ok(true) => {}
            Ok(false) => return,
            // The database may come back before the lease expires.
            Err(failure) => tracing::warn!(error = failure.chain(), "a lease could not be renewed"),
        }
    }
}

/// Records and counts how an attempt ended.
pub(crate) async fn settle(app: &App, leased: &LeasedJob, ended: &Ended) -> Result<Outcome> {
    let outcome = app.queue.settle(leased, ended).await?;
    app.metrics.record_attempt(leased.kind(), outcome);
    tracing::debug!(?outcome, ms = leased.elapsed().as_millis(), "attempted a job");
    Ok(outcome)
}

/// Attempts a job in the background and waits at most `timeout` for its outcome, which is none when it takes longer.
/// The attempt goes on then, and also when the caller is dropped: a request that its client aborts.
pub(crate) async fn attempt_now(
    app: &App,
    leased: LeasedJob,
    work: impl Future<Output = Result<()>> + Send + 'static,
    timeout: Duration,
) -> Option<Outcome> {
    let (app, span) = (app.clone(), leased.span());
    let attempt = async move {
        let ended = perform(&app.queue, &leased, work).await;
        settle(&app, &leased, &ended).await
    };
    let attempt = tokio::spawn(attempt.instrument(span));
    match tokio::time::timeout(timeout, attempt).await.ok()?.ok()? {
        Ok(outcome) => Some(outcome),
        Err(failure) => {
            // The lease expires, and a worker does the job again.
            tracing::error!(error = failure.chain(), "a job could not be settled");
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Failure;
    use domain::ids::Id as _;
    use domain::operations::runtime::jobs::Queue;
    use domain::{Clock, Job, Randomness, Timestamp, UserId};
    use storage::testing::TestDb;

    const START: Timestamp = Timestamp::from_millis(1_795_165_200_000);
    const LEASE: Duration = Duration::from_millis(60);

    /// A queue with one mail in it that is due, leased for a very short time.
    async fn leased() -> (TestDb, Clock, JobQueue, LeasedJob) {
        let (database, clock) = (storage::testing::sqlite().await, Clock::fixed(START));
        let mut queue = JobQueue::new(database.db.clone(), clock.clone(), Randomness::seeded(1));
        queue.lease_duration = LEASE;
        let mut tx = queue.begin().await.unwrap();
        tx.enqueue(&Job::SendVerification { user: UserId::from_parts(START, [0; 10]) }).await.unwrap();
        tx.commit().await.unwrap();
        let leased = queue.lease(Queue::Mail).await.unwrap().unwrap();
        (database, clock, queue, leased)
    }

    #[tokio::test]
    async fn a_panic_is_a_failed_attempt_with_its_message() {
        // [SAFE040]
        let (_database, clock, queue, leased) = leased().await;
        let ended = perform(&queue, &leased, async { panic!("out of {}", "paper") }).await;
        let Ended::Failed { reason, last: false, .. } = &ended else { panic!("it is tried again") };
        assert!(reason.contains("out of paper"), "{reason}");
        assert_eq!(queue.settle(&leased, &ended).await.unwrap(), Outcome::Retrying);
        clock.advance(Duration::from_secs(5));
        assert!(queue.lease(Queue::Mail).await.unwrap().is_some());
    }

    #[tokio::test]
    async fn the_lease_is_renewed_while_the_work_goes_on() {
        let (database, clock, queue, leased) = leased().await;
        let work = {
            let (db, clock, queue, id) = (database.db.clone(), clock.clone(), queue.clone(), leased.id());
            async move {
                for _ in 0..4 {
                    clock.advance(LEASE / 2);
                    let renewed = Some(clock.now().plus(LEASE));
                    while storage::operations::runtime::jobs::by_id(&db, id)
                        .await?
                        .and_then(|job| job.leased_until)
                        != renewed
                    {
                        tokio::time::sleep(Duration::from_millis(1)).await;
                    }
                    assert!(queue.lease(Queue::Mail).await?.is_none(), "no other may have it");
                }
                Ok(())
            }
        };
        let ended =
            tokio::time::timeout(Duration::from_secs(10), perform(&queue, &leased, work)).await.unwrap();
        assert_eq!(queue.settle(&leased, &ended).await.unwrap(), Outcome::Completed);
    }

    #[tokio::test]
    async fn the_work_is_aborted_when_the_lease_is_lost() {
        let (_database, clock, queue, leased) = leased().await;
        clock.advance(LEASE);
        let taken_over = queue.lease(Queue::Mail).await.unwrap().unwrap();
        let (dropped, was_dropped) = tokio::sync::oneshot::channel::<()>();
        let work = async move {
            let _dropped = dropped;
            std::future::pending().await
        };
        let ended =
            tokio::time::timeout(Duration::from_secs(10), perform(&queue, &leased, work)).await.unwrap();
        assert!(was_dropped.await.is_err(), "the work goes on");
        assert_eq!(queue.settle(&leased, &ended).await.unwrap(), Outcome::LeaseLost);
        let late = leased.ended(Err(Failure::Internal(String::from("too late"))));
        assert_eq!(queue.settle(&leased, &late).await.unwrap(), Outcome::LeaseLost);
        assert_eq!(queue.settle(&taken_over, &Ended::Completed).await.unwrap(), Outcome::Completed);
    }

    #[tokio::test]
    async fn a_commit_with_a_job_wakes_the_workers_of_its_queue_and_no_other_does() {
        let (_database, _clock, queue, _leased) = leased().await;
        let user = UserId::from_parts(START, [0; 10]);
        let is_woken =
            async |committed| tokio::time::timeout(Duration::from_millis(1), committed).await.is_ok();

        let committed = queue.committed(Queue::Mail);
        queue.begin().await.unwrap().commit().await.unwrap();
        assert!(!is_woken(committed).await, "nothing was enqueued");

        let committed = queue.committed(Queue::Mail);
        let mut tx = queue.begin().await.unwrap();
        tx.enqueue(&Job::SendPasswordReset { user }).await.unwrap();
        drop(tx);
        assert!(!is_woken(committed).await, "nothing was committed");

        let (committed, others) = (
            queue.committed(Queue::Mail),
            [Queue::Cpu, Queue::GuestMail, Queue::Webhook, Queue::OwnWebhook, Queue::Deletion]
                .map(|other| queue.committed(other)),
        );
        let mut tx = queue.begin().await.unwrap();
        tx.enqueue(&Job::SendPasswordReset { user }).await.unwrap();
        tx.commit().await.unwrap();
        assert!(is_woken(committed).await);
        for other in others {
            assert!(!is_woken(other).await, "it is none of its jobs");
        }
    }

    #[tokio::test]
    async fn a_job_is_done_with_the_transaction_that_ends_its_work_or_stays_with_whoever_has_it() {
        let (database, clock, queue, leased) = leased().await;
        let state = async || {
            storage::operations::runtime::jobs::by_id(&database.db, leased.id()).await.unwrap().unwrap().state
        };
        let mut tx = queue.begin().await.unwrap();
        tx.complete(&leased.lease()).await.unwrap();
        drop(tx);
        assert_eq!(state().await, storage::operations::runtime::jobs::JobState::Queued, "it was undone");
        let mut tx = queue.begin().await.unwrap();
        tx.complete(&leased.lease()).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(state().await, storage::operations::runtime::jobs::JobState::Done);
        assert_eq!(queue.settle(&leased, &Ended::Completed).await.unwrap(), Outcome::Completed);

        let mut tx = queue.begin().await.unwrap();
        tx.requeue(leased.id(), leased.job()).await.unwrap();
        tx.commit().await.unwrap();
        let late = queue.lease(Queue::Mail).await.unwrap().unwrap();
        clock.advance(LEASE);
        let holder = queue.lease(Queue::Mail).await.unwrap().unwrap();
        let mut tx = queue.begin().await.unwrap();
        tx.complete(&late.lease()).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(queue.settle(&late, &Ended::Completed).await.unwrap(), Outcome::LeaseLost);
        assert_eq!(queue.settle(&holder, &Ended::Completed).await.unwrap(), Outcome::Completed);
    }
}
