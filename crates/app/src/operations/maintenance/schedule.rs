//! The tasks of maintenance, and how often each runs.

use std::time::Duration;

use domain::DAY;
use domain::operations::runtime::jobs::backoff;

const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(60 * 60);

/// Declares the tasks, so that none can be missing from `ALL`: no process would ever run it.
macro_rules! tasks {
    ($($(#[doc = $doc:literal])+ $name:ident => $text:literal every $interval:expr;)+) => {
        /// Work that recurs, each by one process at a time.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub(super) enum Task {
            $($(#[doc = $doc])+ $name,)+
        }

        impl Task {
            /// All of them.
            pub(super) const ALL: &'static [Self] = &[$(Self::$name),+];

            /// Its name, as it is stored and logged.
            pub(super) const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)+
                }
            }

            /// How long after a run that succeeded it runs again.
            pub(super) const fn interval(self) -> Duration {
                match self {
                    $(Self::$name => $interval,)+
                }
            }
        }
    };
}

tasks! {
    /// Queues deletions and restorations of events again whose job failed or is lost.
    ResumeDeletions => "resume_deletions" every HOUR;
    /// Queues failed clearings of closed accounts again.
    ResumeClearings => "resume_clearings" every HOUR;
    /// Enqueues warnings of photos' removal.
    WarnOfRemovals => "warn_of_removals" every HOUR;
    /// Removes photos whose retention period is over.
    RemoveExpired => "remove_expired" every HOUR;
    /// Removes deleted photos and events for good that were not restored.
    EmptyPhotoTrash => "empty_photo_trash" every HOUR;
    /// Deletes rows whose retention period is over.
    DeleteExpiredRows => "delete_expired_rows" every HOUR;
    /// Deletes what does not count against limits any more: it is of addresses, accounts and recipients.
    ForgetRequests => "forget_requests" every MINUTE.saturating_mul(10);
    /// Asks the payment provider about open orders: a photographer waits for their credits.
    ReconcilePayments => "reconcile_payments" every MINUTE;
    /// Compares payments and refunds of the last 30 days with the provider: a webhook may be lost.
    ComparePayments => "compare_payments" every DAY;
    /// Leaves nothing of deleted rows in the database's log.
    TruncateLog => "truncate_log" every MINUTE.saturating_mul(10);
    /// Enqueues mails to guests who asked to be told of new photos.
    TellGuests => "tell_guests" every MINUTE;
    /// Enqueues the weekly summaries that are due.
    SendSummaries => "send_summaries" every MINUTE.saturating_mul(10);
    /// Reminds photographers of guests' requests that wait for them.
    RemindOfRequests => "remind_of_requests" every HOUR;
    /// Removes photos of guests that nobody has let in, after a warning.
    RemoveGuestPhotos => "remove_guest_photos" every HOUR;
    /// Puts the faces of events together whose indexing is idle.
    GroupFaces => "group_faces" every MINUTE;
    /// Puts the photos of events together that are alike, once indexing is idle.
    StackPhotos => "stack_photos" every MINUTE;
    /// Computes what is overwritten in originals for guests, where it is missing.
    RedactOriginals => "redact_originals" every HOUR;
    /// Computes and reads what photos of versions before lack: names as they are compared, where faces are, what files tell, how
    /// sharp they are.
    DescribePhotos => "describe_photos" every HOUR;
    /// Looks again for the records by which studios have proved their hosts.
    LookForHosts => "look_for_hosts" every DAY;
    /// Moves files that belong to no photo to the trash.
    SweepStore => "sweep_store" every DAY;
    /// Removes files from the trash for good.
    EmptyTrash => "empty_trash" every DAY;
    /// Removes files that were never finished.
    RemoveUnfinished => "remove_unfinished" every DAY;
}

impl Task {
    /// Whether it removes, for good or nearly so, what its time has come for, or announces that.
    pub(super) const fn removes(self) -> bool {
        match self {
            Self::WarnOfRemovals
            | Self::RemoveExpired
            | Self::EmptyPhotoTrash
            | Self::DeleteExpiredRows
            | Self::RemoveGuestPhotos
            | Self::SweepStore
            | Self::EmptyTrash
            | Self::RemoveUnfinished => true,
            Self::ResumeDeletions
            | Self::ResumeClearings
            | Self::ForgetRequests
            | Self::ReconcilePayments
            | Self::ComparePayments
            | Self::TruncateLog
            | Self::TellGuests
            | Self::SendSummaries
            | Self::RemindOfRequests
            | Self::GroupFaces
            | Self::LookForHosts
            | Self::StackPhotos
            | Self::RedactOriginals
            | Self::DescribePhotos => false,
        }
    }

    /// How long after the `failures`th failure in succession (from 1) it runs again.
    pub(super) fn retry_after(self, failures: i64) -> Duration {
        backoff(failures).min(self.interval())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_that_fails_is_tried_again_sooner_than_it_recurs() {
        let waits = [1, 2, 99].map(|failures| Task::ReconcilePayments.retry_after(failures).as_secs());
        assert_eq!(waits, [5, 10, 60]);
        assert_eq!(Task::SweepStore.retry_after(99), HOUR * 4);
        let names: std::collections::HashSet<_> = Task::ALL.iter().map(|task| task.as_str()).collect();
        assert_eq!(names.len(), Task::ALL.len());
    }
}
