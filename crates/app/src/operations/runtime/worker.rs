//! The workers: lease jobs, perform them outside any transaction, settle them.

use std::time::Duration;

use domain::Job;
use domain::operations::runtime::jobs::{Isolation, Queue};
use domain::photos::failures::PhotoFailure;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tracing::Instrument as _;

use crate::accounts::{self, deletion_receipts, email_changes, mail_requests, notices, passwords};
use crate::events::{recently_deleted, retention};
use crate::faces::{describing, indexing, reindexing};
use crate::guests::{client_selections, guest_photos, objections, questions, subscriptions};
use crate::operations::runtime::decode_memory::DecodePermit;
use crate::operations::runtime::queue::{Ended, Lease, LeasedJob};
use crate::operations::runtime::{job_attempts, tasks, wakeups};
use crate::operations::{contact, maintenance};
use crate::photos::{library_retention, removal, rendering};
use crate::{App, Result, statistics, team, webhooks};

/// How long an idle worker waits before it polls for jobs that other machines have enqueued.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// How long a worker waits after the queue could not be read or written.
const ERROR_INTERVAL: Duration = Duration::from_secs(5);

/// Performs jobs and runs maintenance until `stop` is cancelled; then each worker finishes the job it has in hand.
pub async fn run(app: &App, stop: CancellationToken) {
    let mut workers = JoinSet::new();
    for queue in Queue::ALL {
        for _ in 0..concurrency(app, queue) {
            workers.spawn(work(app.clone(), queue, stop.clone()));
        }
    }
    workers.spawn({
        let (app, stop) = (app.clone(), stop.clone());
        async move { maintenance::run(&app, stop).await }
    });
    workers.spawn({
        let (app, stop) = (app.clone(), stop.clone());
        async move { wakeups::run(&app, stop).await }
    });
    let app = app.clone();
    workers.spawn(async move { reindexing::run(&app, stop).await });
    while let Some(ended) = workers.join_next().await {
        if let Err(error) = ended {
            tracing::error!(%error, "a worker ended early");
        }
    }
}

/// How many jobs of a queue one process performs at once.
fn concurrency(app: &App, queue: Queue) -> usize {
    match queue {
        Queue::Cpu => app.settings.index_workers.max(1),
        Queue::Mail | Queue::GuestMail => 1,
        // They mostly wait: one endpoint that does not answer holds up one of them.
        Queue::Webhook | Queue::OwnWebhook => 4,
        // A large event does not hold up a small one.
        Queue::Deletion => 2,
    }
}

async fn work(app: App, queue: Queue, stop: CancellationToken) {
    while !stop.is_cancelled() {
        // Listened for before the queue is read, so that no job is missed that is committed in between.
        let committed = app.queue.committed(queue);
        // In a task of its own, so that no panic ends the worker.
        match tasks::isolated(run_next(app.clone(), queue)).await {
            Ok(true) => {}
            Ok(false) => {
                tokio::select! {
                    () = stop.cancelled() => {}
                    () = committed => {}
                    () = tokio::time::sleep(POLL_INTERVAL) => {}
                }
            }
            Err(failure) => {
                tracing::error!(error = failure.chain(), "the job queue cannot be worked on");
                tokio::select! {
                    () = stop.cancelled() => {}
                    () = tokio::time::sleep(ERROR_INTERVAL) => {}
                }
            }
        }
    }
}

/// Performs every job that is due, one after the other, and answers how many those were; for tests.
///
/// # Errors
/// When the queue itself cannot be read or written; a job that fails is settled, not an error.
pub async fn drain(app: &App) -> Result<usize> {
    let mut attempted = 0;
    'attempts: loop {
        for queue in Queue::ALL {
            if run_next(app.clone(), queue).await? {
                attempted += 1;
                continue 'attempts;
            }
        }
        return Ok(attempted);
    }
}

/// Leases the next job of a queue and attempts it; false when none is due.
async fn run_next(app: App, queue: Queue) -> Result<bool> {
    let Some(leased) = app.queue.lease(queue).await? else { return Ok(false) };
    attempt(&app, &leased).instrument(leased.span()).await?;
    Ok(true)
}

async fn attempt(app: &App, leased: &LeasedJob) -> Result<()> {
    let (app_of_job, job) = (app.clone(), leased.job().clone());
    let ended = match leased.isolation() {
        Isolation::Shared => {
            let work = perform(app_of_job, job, None, leased.lease());
            job_attempts::perform(&app.queue, leased, work).await
        }
        Isolation::Exclusive => {
            let work = perform_exclusively(app_of_job, job, leased.lease());
            job_attempts::perform(&app.queue, leased, work).await
        }
        Isolation::Never => LeasedJob::crashed(),
    };
    if let Ended::Failed { reason, last: true, cause } = &ended {
        let failure = PhotoFailure { cause: *cause, reason: reason.clone() };
        on_last_failure(app, leased.job(), &failure).await?;
    }
    job_attempts::settle(app, leased, &ended).await?;
    Ok(())
}

/// Performs a job that has crashed the process twice: with no other job that decodes, and recorded as such in case the
/// process crashes again.
async fn perform_exclusively(app: App, job: Job, lease: Lease) -> Result<()> {
    let memory = app.decode_memory.acquire_all().await?;
    app.queue.begin_exclusive(&lease).await?;
    tracing::warn!("the process crashed twice during this job: it is retried exclusively");
    perform(app, job, Some(memory), lease).await
}

/// What each job does: the one place that knows. Without `memory`, a job that decodes takes its share.
async fn perform(app: App, job: Job, memory: Option<DecodePermit>, lease: Lease) -> Result<()> {
    match job {
        Job::IndexPhoto { photo } => indexing::index(&app, photo, memory, &lease).await,
        Job::DescribePhoto { photo } => describing::describe(&app, photo, memory, &lease).await,
        Job::RenderPhoto { photo } => rendering::render(&app, photo, memory, &lease).await,
        Job::SendVerification { user } => accounts::send_verification(&app, user).await,
        Job::SendEmailChangeNotice { notice } => email_changes::send_notice(&app, notice).await,
        Job::SendEmailChangeCompletion { notice } => email_changes::send_completion(&app, notice).await,
        Job::SendPasswordChangeNotice { notice } => passwords::send_change_notice(&app, notice).await,
        Job::TellOfAccount { notice, news } => notices::send(&app, notice, news).await,
        Job::SendPasswordReset { user } => passwords::send_reset(&app, user).await,
        Job::AnswerMailRequest { request } => mail_requests::answers::answer(&app, request).await,
        Job::SendMessage { message } => contact::forward(&app, message).await,
        Job::SendQuestion { question } => questions::forward(&app, question).await,
        Job::SendInvitation { invitation } => team::invitations::send(&app, invitation).await,
        Job::TellOfMember { event, user } => team::tell_owner(&app, event, user).await,
        Job::TellOfSelection { selection } => client_selections::tell(&app, selection).await,
        Job::SendSubscriptionConfirmation { subscription } => {
            subscriptions::requests::send_confirmation(&app, subscription).await
        }
        Job::TellGuest { subscription } => subscriptions::telling::tell(&app, subscription).await,
        Job::WarnOfRemoval { event, at } => retention::warn(&app, event, at).await,
        Job::WarnOfLibraryRemoval { user, uploaded_by } => {
            library_retention::warn(&app, user, uploaded_by).await
        }
        Job::TellOfObjections { event } => objections::mails::tell(&app, event).await,
        Job::WarnOfGuestPhotos { event } => guest_photos::warn(&app, event).await,
        Job::SendWeeklySummary { user, due } => statistics::weekly::send(&app, user, due).await,
        Job::DeliverWebhook { delivery } | Job::DeliverOwnWebhook { delivery } => {
            webhooks::deliveries::deliver(&app, delivery, &lease).await
        }
        Job::ReportCounts { event_type, collection } => {
            webhooks::counts::report(&app, event_type, &collection, &lease).await
        }
        Job::DeleteEvent { event } => crate::events::delete::finish(&app, event).await,
        Job::RestoreEvent { event } => recently_deleted::finish_restoring(&app, event).await,
        Job::PurgeEvent { event } => recently_deleted::finish_purge(&app, event).await,
        Job::ClearAccount { user } => removal::clear_account(&app, user).await,
        Job::SendDeletionReceipt { user } => deletion_receipts::send(&app, user).await,
    }
}

/// What else changes when a job has failed and is not tried again.
async fn on_last_failure(app: &App, job: &Job, failure: &PhotoFailure) -> Result<()> {
    match job {
        Job::IndexPhoto { photo } => indexing::mark_failed(app, *photo, failure).await,
        // The photo is found as the pack before has described it, and shown in its other sizes; the check tells of the job, and
        // repairs it.
        Job::DescribePhoto { .. } | Job::RenderPhoto { .. } => Ok(()),
        // The person asks for another mail.
        Job::SendVerification { .. }
        | Job::SendPasswordReset { .. }
        | Job::SendInvitation { .. }
        | Job::SendSubscriptionConfirmation { .. } => Ok(()),
        // So does this one, whose address may be anybody's, or that of an account which is closed meanwhile.
        Job::AnswerMailRequest { request } => mail_requests::answers::forget(app, *request).await,
        // Another mail tells of the same photos.
        Job::TellGuest { subscription } => subscriptions::telling::try_anew(app, *subscription).await,
        // Nothing else depends on these mails; the message stays in the database, and the log says so.
        Job::SendEmailChangeNotice { .. }
        | Job::SendEmailChangeCompletion { .. }
        | Job::SendPasswordChangeNotice { .. }
        | Job::TellOfAccount { .. }
        | Job::SendMessage { .. }
        | Job::TellOfMember { .. } => Ok(()),
        // It stands in the list under Guests all the same.
        Job::TellOfSelection { .. } => Ok(()),
        // It was told to nobody but the photographer, and is not kept for longer than it can be mailed.
        Job::SendQuestion { question } => questions::forget(app, *question).await,
        // Nothing is removed without the warning: maintenance enqueues another one.
        Job::WarnOfRemoval { .. } | Job::WarnOfLibraryRemoval { .. } | Job::WarnOfGuestPhotos { .. } => {
            Ok(())
        }
        // The list in the gallery has them all the same, and the next one causes another mail.
        Job::TellOfObjections { .. } | Job::SendWeeklySummary { .. } => Ok(()),
        // A message waits, and goes out when an operator has the job tried again; what was counted is forgotten after a day.
        Job::DeliverWebhook { .. } | Job::DeliverOwnWebhook { .. } | Job::ReportCounts { .. } => Ok(()),
        // The address of a closed account is kept no longer than it can be mailed to.
        Job::SendDeletionReceipt { user } => deletion_receipts::forget(app, *user).await,
        // The task's status says that it failed. Maintenance queues deletions, restorations and clearings again, and removes by itself
        // what a purge has left.
        Job::DeleteEvent { .. }
        | Job::RestoreEvent { .. }
        | Job::PurgeEvent { .. }
        | Job::ClearAccount { .. } => Ok(()),
    }
}
