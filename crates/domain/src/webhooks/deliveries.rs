//! Messages on their way, and how often they are tried.

use std::time::Duration;

use super::events::EventType;
use crate::{DAY, Timestamp, WebhookDeliveryId, WebhookEndpointId};

const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(60 * 60);

/// How long after each failure a delivery is tried again: the specification's example, which spans three days.
const DELAYS: [Duration; 9] = [
    Duration::from_secs(5),
    MINUTE.saturating_mul(5),
    MINUTE.saturating_mul(30),
    HOUR.saturating_mul(2),
    HOUR.saturating_mul(5),
    HOUR.saturating_mul(10),
    HOUR.saturating_mul(14),
    HOUR.saturating_mul(20),
    HOUR.saturating_mul(24),
];
/// The longest delay that an endpoint can ask for.
const LONGEST_DELAY: Duration = DAY;

/// How a delivery stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeliveryState {
    /// It is to be tried, for the first time or again.
    Waiting,
    /// The endpoint has it.
    Delivered,
    /// It was tried as often as it is tried.
    Failed,
    /// Its endpoint was switched off while it waited.
    Dropped,
}

impl DeliveryState {
    /// Its name in the contract and in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Delivered => "delivered",
            Self::Failed => "failed",
            Self::Dropped => "dropped",
        }
    }

    /// The state of a name.
    pub fn from_stored(name: &str) -> Option<Self> {
        [Self::Waiting, Self::Delivered, Self::Failed, Self::Dropped]
            .into_iter()
            .find(|each| each.as_str() == name)
    }
}

/// An attempt at a delivery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// When it began.
    pub at: Timestamp,
    /// How long it took, in milliseconds.
    pub took_ms: i64,
    /// The status of the answer; none without one.
    pub status: Option<i64>,
    /// The beginning of what was answered, or why there was no answer.
    pub answer: String,
}

/// A message on its way to one endpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// Its id, the same in all attempts.
    pub id: WebhookDeliveryId,
    /// Where it goes.
    pub endpoint: WebhookEndpointId,
    /// What it tells of.
    pub event_type: EventType,
    /// The body, byte for byte as it is signed.
    pub payload: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// How it stands.
    pub state: DeliveryState,
    /// How often it was tried.
    pub attempts: i64,
    /// When it is tried next; none when it is not.
    pub next_attempt_at: Option<Timestamp>,
    /// The last attempt.
    pub last: Option<Attempt>,
}

impl Delivery {
    /// The header `webhook-id`, by which receivers recognise a message that comes again.
    pub fn message_id(&self) -> String {
        format!("msg_{}", self.id)
    }
}

/// What an answer means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The endpoint has the message.
    Accepted,
    /// The endpoint wants no more messages.
    Gone,
    /// It may be tried again.
    Failed,
}

/// What a status means; none is no answer. A redirect is a failure: an address that moved is to be changed.
pub const fn judge(status: Option<u16>) -> Verdict {
    match status {
        Some(200..=299) => Verdict::Accepted,
        Some(410) => Verdict::Gone,
        _ => Verdict::Failed,
    }
}

/// How long after the `attempts`th failure (from 1) a delivery is tried again; none when it is not. Up to a tenth is added,
/// as `random` says, so that what failed together does not come together. The endpoint can ask for more time.
pub fn retry_after(attempts: i64, random: u8, asked_for: Option<Duration>) -> Option<Duration> {
    let index = usize::try_from(attempts - 1).ok()?;
    let delay = *DELAYS.get(index)?;
    let jitter = delay.saturating_mul(u32::from(random)) / (10 * u32::from(u8::MAX));
    Some((delay + jitter).max(asked_for.unwrap_or_default().min(LONGEST_DELAY)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_delivery_is_tried_ten_times_in_three_days() {
        let delays: Vec<u64> =
            (1..20).map_while(|n| retry_after(n, 0, None)).map(|delay| delay.as_secs()).collect();
        assert_eq!(delays, [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]);
        assert_eq!(delays.iter().sum::<u64>(), 75 * 3_600 + 35 * 60 + 5);
        assert_eq!(retry_after(10, 0, Some(HOUR)), None);
        assert_eq!(retry_after(0, 0, None), None);
        // A tenth more at most.
        assert_eq!(retry_after(9, u8::MAX, None), Some(HOUR * 24 + Duration::from_secs(8_640)));
    }

    #[test]
    fn an_endpoint_can_ask_for_more_time_but_not_for_less() {
        assert_eq!(retry_after(1, 0, Some(HOUR)), Some(HOUR));
        assert_eq!(retry_after(3, 0, Some(MINUTE)), Some(MINUTE * 30));
        assert_eq!(retry_after(1, 0, Some(DAY * 400)), Some(DAY));
    }

    #[test]
    fn only_a_success_is_one() {
        for (status, verdict) in [
            (Some(200), Verdict::Accepted),
            (Some(204), Verdict::Accepted),
            (Some(301), Verdict::Failed),
            (Some(404), Verdict::Failed),
            (Some(410), Verdict::Gone),
            (Some(500), Verdict::Failed),
            (None, Verdict::Failed),
        ] {
            assert_eq!(judge(status), verdict, "{status:?}");
        }
    }
}
