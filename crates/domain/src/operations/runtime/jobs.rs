//! Background jobs: what they do, and which workers perform them.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::accounts::AccountNews;
use crate::webhooks::EventType;
use crate::{
    ClientSelectionId, EventId, InvitationId, MailRequestId, MessageId, NoticeId, PhotoId, QuestionId,
    SubscriptionId, Timestamp, UserId, WebhookDeliveryId,
};

/// Background work, performed after the request that enqueued it has been answered.
///
/// Every job is idempotent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Job {
    /// Make a photo's renditions, find its faces, store their embeddings.
    IndexPhoto {
        /// Which photo.
        photo: PhotoId,
    },
    /// Describe the faces of a photo anew that the model pack before has described.
    DescribePhoto {
        /// Which photo.
        photo: PhotoId,
    },
    /// Make the rendition of a photo that an earlier version did not make.
    RenderPhoto {
        /// Which photo.
        photo: PhotoId,
    },
    /// Mail a link that verifies the address which the account has, or has asked for.
    SendVerification {
        /// Whose address.
        user: UserId,
    },
    /// Mail a notice to the current address that another one was requested.
    #[serde(rename = "notice_email_change")]
    SendEmailChangeNotice {
        /// The notice, which has the address that was the current one then.
        notice: NoticeId,
    },
    /// Mail a notice to the former address that another one has replaced it.
    SendEmailChangeCompletion {
        /// The notice, which has the former address.
        notice: NoticeId,
    },
    /// Mail a notice that the password of an account was changed.
    SendPasswordChangeNotice {
        /// The notice, which has the address of the account then.
        notice: NoticeId,
    },
    /// Mail the owner of an account what was done with it.
    TellOfAccount {
        /// The notice, which has the address of the account then.
        notice: NoticeId,
        /// What was done.
        news: AccountNews,
    },
    /// Mail a link that sets a new password.
    SendPasswordReset {
        /// Whose password.
        user: UserId,
    },
    /// Make the mail that was asked for by an address, if it has an account.
    AnswerMailRequest {
        /// The request, which has the address.
        request: MailRequestId,
    },
    /// Mail a message of the contact form to support.
    SendMessage {
        /// Which message.
        message: MessageId,
    },
    /// Mail a guest's question to the photographer.
    SendQuestion {
        /// Which question.
        question: QuestionId,
    },
    /// Mail a link by which an invitation to work on an event is answered.
    SendInvitation {
        /// Which invitation.
        invitation: InvitationId,
    },
    /// Mail an event's owner that an invitation was accepted.
    TellOfMember {
        /// Which event.
        event: EventId,
        /// Who is a member now.
        user: UserId,
    },
    /// Mail an event's owner that a client has finished choosing photos.
    TellOfSelection {
        /// Which selection.
        selection: ClientSelectionId,
    },
    /// Mail a link that confirms the address of a subscription.
    SendSubscriptionConfirmation {
        /// Which subscription.
        subscription: SubscriptionId,
    },
    /// Mail a guest that there are new photos of them.
    TellGuest {
        /// Which subscription.
        subscription: SubscriptionId,
    },
    /// Tell a photographer that an event's photos will be removed.
    WarnOfRemoval {
        /// Which event.
        event: EventId,
        /// When they will be.
        at: Timestamp,
    },
    /// Tell a photographer that photos of the library will be removed.
    WarnOfLibraryRemoval {
        /// Whose library.
        user: UserId,
        /// The photos that were uploaded by then.
        uploaded_by: Timestamp,
    },
    /// Tell a photographer that guests of an event want photos hidden, or not to be found.
    TellOfObjections {
        /// Which event.
        event: EventId,
    },
    /// Tell a photographer that photos which guests have added will go unless they are let in.
    WarnOfGuestPhotos {
        /// To which event.
        event: EventId,
    },
    /// Mail a photographer what is to be done about their events.
    SendWeeklySummary {
        /// Who.
        user: UserId,
        /// The day that ends the week.
        due: Timestamp,
    },
    /// Send a message to an endpoint of webhooks, once. A failed attempt enqueues the next one itself.
    DeliverWebhook {
        /// Which message.
        delivery: WebhookDeliveryId,
    },
    /// The same to an endpoint of a photographer.
    DeliverOwnWebhook {
        /// Which message.
        delivery: WebhookDeliveryId,
    },
    /// Tell endpoints of webhooks what was counted.
    ReportCounts {
        /// What was counted.
        event_type: EventType,
        /// Where: an event, or the library of an owner.
        collection: String,
    },
    /// Move every photo of an event that is being deleted to the trash, or remove it where the event cannot be restored, then delete
    /// the event.
    DeleteEvent {
        /// Which event.
        event: EventId,
    },
    /// Bring back the photos of a deleted event that is restored.
    RestoreEvent {
        /// Which event.
        event: EventId,
    },
    /// Remove for good what is left of a deleted event that cannot be restored any more.
    PurgeEvent {
        /// Which event.
        event: EventId,
    },
    /// Remove what a closed account leaves behind outside its events.
    ClearAccount {
        /// Which account.
        user: UserId,
    },
    /// Mail the receipt of the deletion of a closed account to the address that it had.
    SendDeletionReceipt {
        /// Which account.
        user: UserId,
    },
}

/// Declares the kinds, so that none can be missing from `ALL`: workers would never claim it.
macro_rules! job_kinds {
    ($($name:ident => $text:literal;)+) => {
        /// The kind of a job.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum JobKind {
            $(#[doc = concat!("[`Job::", stringify!($name), "`].")] $name,)+
        }

        impl JobKind {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$name),+];

            /// Its name, as it is stored, logged and counted.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)+
                }
            }
        }

        impl Job {
            /// Its kind.
            pub const fn kind(&self) -> JobKind {
                match self {
                    $(Self::$name { .. } => JobKind::$name,)+
                }
            }
        }
    };
}

job_kinds! {
    IndexPhoto => "index_photo";
    DescribePhoto => "describe_photo";
    RenderPhoto => "render_photo";
    SendVerification => "send_verification";
    SendEmailChangeNotice => "notice_email_change";
    SendEmailChangeCompletion => "send_email_change_completion";
    SendPasswordChangeNotice => "send_password_change_notice";
    TellOfAccount => "tell_of_account";
    SendPasswordReset => "send_password_reset";
    AnswerMailRequest => "answer_mail_request";
    SendMessage => "send_message";
    SendQuestion => "send_question";
    SendInvitation => "send_invitation";
    TellOfMember => "tell_of_member";
    TellOfSelection => "tell_of_selection";
    SendSubscriptionConfirmation => "send_subscription_confirmation";
    TellGuest => "tell_guest";
    WarnOfRemoval => "warn_of_removal";
    WarnOfLibraryRemoval => "warn_of_library_removal";
    TellOfObjections => "tell_of_objections";
    WarnOfGuestPhotos => "warn_of_guest_photos";
    SendWeeklySummary => "send_weekly_summary";
    DeliverWebhook => "deliver_webhook";
    DeliverOwnWebhook => "deliver_own_webhook";
    ReportCounts => "report_counts";
    DeleteEvent => "delete_event";
    RestoreEvent => "restore_event";
    PurgeEvent => "purge_event";
    ClearAccount => "clear_account";
    SendDeletionReceipt => "send_deletion_receipt";
}

impl Job {
    /// The photo that it is about.
    pub const fn photo(&self) -> Option<PhotoId> {
        match self {
            Self::IndexPhoto { photo } | Self::DescribePhoto { photo } | Self::RenderPhoto { photo } => {
                Some(*photo)
            }
            Self::SendVerification { .. }
            | Self::SendEmailChangeNotice { .. }
            | Self::SendEmailChangeCompletion { .. }
            | Self::SendPasswordChangeNotice { .. }
            | Self::TellOfAccount { .. }
            | Self::SendPasswordReset { .. }
            | Self::AnswerMailRequest { .. }
            | Self::SendMessage { .. }
            | Self::SendQuestion { .. }
            | Self::SendInvitation { .. }
            | Self::TellOfMember { .. }
            | Self::TellOfSelection { .. }
            | Self::SendSubscriptionConfirmation { .. }
            | Self::TellGuest { .. }
            | Self::WarnOfRemoval { .. }
            | Self::WarnOfLibraryRemoval { .. }
            | Self::TellOfObjections { .. }
            | Self::WarnOfGuestPhotos { .. }
            | Self::SendWeeklySummary { .. }
            | Self::DeliverWebhook { .. }
            | Self::DeliverOwnWebhook { .. }
            | Self::ReportCounts { .. }
            | Self::DeleteEvent { .. }
            | Self::RestoreEvent { .. }
            | Self::PurgeEvent { .. }
            | Self::ClearAccount { .. }
            | Self::SendDeletionReceipt { .. } => None,
        }
    }
}

/// A queue of jobs. Each has its own workers, so that a mail never waits behind a thousand photos.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Queue {
    /// Jobs that compute: as many run at once as the machine has processors for.
    Cpu,
    /// Mails, for which somebody may be waiting.
    Mail,
    /// Mails that become due for many people at once, and for which nobody waits: those to the guests of an event, and those that
    /// maintenance enqueues for photographers. Somebody who wants a new password does not wait behind every weekly summary.
    GuestMail,
    /// Messages to operators' endpoints of webhooks, each of which may keep its worker waiting.
    Webhook,
    /// Messages to those of photographers: one of theirs that does not answer keeps no message of an operator waiting.
    OwnWebhook,
    /// Deletions and their undoing, which run long and mostly wait for the media store.
    Deletion,
}

impl Queue {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Cpu, Self::Mail, Self::GuestMail, Self::Webhook, Self::OwnWebhook, Self::Deletion];

    /// Its name between processes.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Cpu => "cpu",
            Self::Mail => "mail",
            Self::GuestMail => "guest_mail",
            Self::Webhook => "webhook",
            Self::OwnWebhook => "own_webhook",
            Self::Deletion => "deletion",
        }
    }

    /// The kinds of jobs in it.
    pub fn kinds(self) -> Vec<JobKind> {
        JobKind::ALL.iter().copied().filter(|kind| kind.queue() == self).collect()
    }
}

impl JobKind {
    /// The queue whose workers perform it.
    pub const fn queue(self) -> Queue {
        match self {
            Self::IndexPhoto | Self::DescribePhoto | Self::RenderPhoto => Queue::Cpu,
            Self::SendVerification
            | Self::SendEmailChangeNotice
            | Self::SendEmailChangeCompletion
            | Self::SendPasswordChangeNotice
            | Self::TellOfAccount
            | Self::SendPasswordReset
            | Self::AnswerMailRequest
            | Self::SendMessage
            | Self::SendQuestion
            | Self::SendInvitation
            | Self::TellOfMember
            | Self::TellOfSelection
            | Self::SendSubscriptionConfirmation
            | Self::TellOfObjections
            | Self::SendDeletionReceipt => Queue::Mail,
            Self::TellGuest
            | Self::WarnOfRemoval
            | Self::WarnOfLibraryRemoval
            | Self::WarnOfGuestPhotos
            | Self::SendWeeklySummary => Queue::GuestMail,
            Self::DeliverWebhook | Self::ReportCounts => Queue::Webhook,
            Self::DeliverOwnWebhook => Queue::OwnWebhook,
            Self::DeleteEvent | Self::RestoreEvent | Self::PurgeEvent | Self::ClearAccount => Queue::Deletion,
        }
    }

    /// How often it is tried before it fails.
    pub const fn max_attempts(self) -> i64 {
        match self {
            // With the back-off below these are retried for some hours: as long as somebody may wait for the mail.
            Self::SendVerification
            | Self::SendEmailChangeNotice
            | Self::SendEmailChangeCompletion
            | Self::SendPasswordChangeNotice
            | Self::TellOfAccount
            | Self::SendPasswordReset
            | Self::AnswerMailRequest
            | Self::SendQuestion
            | Self::SendInvitation
            | Self::TellOfMember
            | Self::TellOfSelection
            | Self::SendSubscriptionConfirmation
            | Self::WarnOfRemoval
            | Self::WarnOfLibraryRemoval
            | Self::SendWeeklySummary => 12,
            // About five days: a photo is not left unsearchable, a message not lost, nor data kept that its owner wants
            // deleted, because a server was away for some of them. How often a webhook is sent is not said here: a job of its
            // own is enqueued for each attempt, and only trouble of this service fails it.
            Self::IndexPhoto
            | Self::DescribePhoto
            | Self::RenderPhoto
            | Self::SendMessage
            | Self::TellGuest
            | Self::TellOfObjections
            | Self::WarnOfGuestPhotos
            | Self::DeliverWebhook
            | Self::DeliverOwnWebhook
            | Self::ReportCounts
            | Self::DeleteEvent
            | Self::RestoreEvent
            | Self::PurgeEvent
            | Self::ClearAccount
            | Self::SendDeletionReceipt => 40,
        }
    }
}

/// After how many crashes in a row a job runs exclusively. A crash is a claim whose worker died before it settled the job.
pub const CRASHES_BEFORE_EXCLUSIVE: i64 = 2;
/// The number of crashes that is stored while a job runs exclusively: one that is found with it is not tried again.
pub const CRASHED_EXCLUSIVE: i64 = CRASHES_BEFORE_EXCLUSIVE + 1;

/// Whether a claimed job may run concurrently with others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Isolation {
    /// Concurrently with others.
    Shared,
    /// With no other job in its process: the process crashed twice while it ran.
    Exclusive,
    /// Not at all: the process crashed while it ran exclusively.
    Never,
}

impl JobKind {
    /// The isolation of a job after so many crashes in a row. Only jobs that decode pictures are suspected of crashing
    /// their process.
    pub const fn isolation(self, crashes: i64) -> Isolation {
        match self.queue() {
            Queue::Cpu if crashes >= CRASHED_EXCLUSIVE => Isolation::Never,
            Queue::Cpu if crashes >= CRASHES_BEFORE_EXCLUSIVE => Isolation::Exclusive,
            Queue::Cpu
            | Queue::Mail
            | Queue::GuestMail
            | Queue::Webhook
            | Queue::OwnWebhook
            | Queue::Deletion => Isolation::Shared,
        }
    }
}

/// The longest that a job waits for its time: deliveries of webhooks are put off for a day and a tenth.
pub const LONGEST_WAIT: Duration = crate::DAY.saturating_mul(2);

/// The exponential back-off after the `attempts`th failure (from 1): 5 s, doubled each time, at most 4 hours.
pub fn backoff(attempts: i64) -> Duration {
    let doublings = u32::try_from(attempts.clamp(1, 20) - 1).unwrap_or(0);
    Duration::from_secs((5 << doublings).min(4 * 60 * 60))
}

#[cfg(test)]
mod tests;
