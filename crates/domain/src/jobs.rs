//! Background work.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::{PhotoId, UserId};

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
}

impl Job {
    /// The name of its kind, as it is stored, logged and counted.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::IndexPhoto { .. } => "index_photo",
            Self::SendVerification { .. } => "send_verification",
        }
    }

    /// How often it is tried before it is given up.
    pub const fn max_attempts(&self) -> i64 {
        match self {
            Self::IndexPhoto { .. } => 5,
            // With the back-off below this goes on for about a day.
            Self::SendVerification { .. } => 12,
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
    use crate::Timestamp;
    use crate::ids::Id;

    #[test]
    fn the_stored_form_names_its_kind() {
        let photo = PhotoId::from_parts(Timestamp::from_millis(0), [0; 10]);
        let user = UserId::from_parts(Timestamp::from_millis(0), [0; 10]);
        for job in [Job::IndexPhoto { photo }, Job::SendVerification { user }] {
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
