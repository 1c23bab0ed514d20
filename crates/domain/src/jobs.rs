//! Background work.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::accounts::EmailAddress;
use crate::{EventId, MessageId, PhotoId, Timestamp, UserId};

/// A piece of work that outlives the request that asked for it.
///
/// Every job is idempotent: doing one twice leaves what doing it once leaves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Job {
    /// Make a photo's renditions, find its faces, store their embeddings.
    IndexPhoto {
        /// Which photo.
        photo: PhotoId,
    },
    /// Mail a link that verifies the address which the account has, or has asked for.
    SendVerification {
        /// Whose address.
        user: UserId,
    },
    /// Tell the address in force that the account has asked for another.
    NoticeEmailChange {
        /// Whose address.
        user: UserId,
        /// The address that was in force, which the new one may have replaced by now.
        email: EmailAddress,
    },
    /// Mail a link that sets a new password.
    SendPasswordReset {
        /// Whose password.
        user: UserId,
    },
    /// Mail a message of the contact form to support.
    SendMessage {
        /// Which message.
        message: MessageId,
    },
    /// Tell a photographer that an event's photos will be removed.
    WarnOfRemoval {
        /// Which event.
        event: EventId,
        /// When they will be.
        at: Timestamp,
    },
    /// Remove every photo of an event that is being deleted, then the event.
    DeleteEvent {
        /// Which event.
        event: EventId,
    },
    /// Remove what a closed account leaves behind outside its events.
    ClearAccount {
        /// Which account.
        user: UserId,
    },
}

impl Job {
    /// The kinds of all jobs.
    pub const KINDS: [&'static str; 8] = [
        "index_photo",
        "send_verification",
        "notice_email_change",
        "send_password_reset",
        "send_message",
        "warn_of_removal",
        "delete_event",
        "clear_account",
    ];

    /// The name of its kind, as it is stored, logged and counted.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::IndexPhoto { .. } => "index_photo",
            Self::SendVerification { .. } => "send_verification",
            Self::NoticeEmailChange { .. } => "notice_email_change",
            Self::SendPasswordReset { .. } => "send_password_reset",
            Self::SendMessage { .. } => "send_message",
            Self::WarnOfRemoval { .. } => "warn_of_removal",
            Self::DeleteEvent { .. } => "delete_event",
            Self::ClearAccount { .. } => "clear_account",
        }
    }

    /// How often it is tried before it fails for good.
    pub const fn max_attempts(&self) -> i64 {
        match self {
            Self::IndexPhoto { .. } => 5,
            // With the back-off below this goes on for some hours: as long as somebody may wait for the mail.
            Self::SendVerification { .. }
            | Self::NoticeEmailChange { .. }
            | Self::SendPasswordReset { .. }
            | Self::WarnOfRemoval { .. } => 12,
            // About five days: what a person wrote, and what a person wants gone, is not forgotten.
            Self::SendMessage { .. } | Self::DeleteEvent { .. } | Self::ClearAccount { .. } => 40,
        }
    }

    /// How long a worker may hold it before another may take it over; workers renew a lease they still need.
    pub const fn lease(&self) -> Duration {
        Duration::from_secs(60)
    }
}

/// How long to wait after the `attempts`th failure (from 1): 5 s, doubled each time, at most 4 hours.
pub fn backoff(attempts: i64) -> Duration {
    let doublings = u32::try_from(attempts.clamp(1, 20) - 1).unwrap_or(0);
    Duration::from_secs((5 << doublings).min(4 * 60 * 60))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::Id;

    #[test]
    fn the_stored_form_names_its_kind() {
        let photo = PhotoId::from_parts(Timestamp::from_millis(0), [0; 10]);
        let user = UserId::from_parts(Timestamp::from_millis(0), [0; 10]);
        let event = EventId::from_parts(Timestamp::from_millis(0), [0; 10]);
        let message = MessageId::from_parts(Timestamp::from_millis(0), [0; 10]);
        let email = EmailAddress::parse("meera@example.com").unwrap();
        let all = [
            Job::IndexPhoto { photo },
            Job::SendVerification { user },
            Job::NoticeEmailChange { user, email },
            Job::SendPasswordReset { user },
            Job::SendMessage { message },
            Job::WarnOfRemoval { event, at: Timestamp::from_millis(7) },
            Job::DeleteEvent { event },
            Job::ClearAccount { user },
        ];
        assert_eq!(all.each_ref().map(Job::kind), Job::KINDS);
        for job in all {
            let stored = serde_json::to_value(&job).unwrap();
            assert_eq!(stored["kind"], job.kind());
            assert_eq!(serde_json::from_value::<Job>(stored).unwrap(), job);
        }
    }

    #[test]
    fn waiting_doubles_up_to_four_hours() {
        let waits: Vec<u64> = [1, 2, 3, 12, 13, 99].map(|n| backoff(n).as_secs()).into();
        assert_eq!(waits, [5, 10, 20, 10_240, 14_400, 14_400]);
    }
}
