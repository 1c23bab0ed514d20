//! Webhooks: endpoints of operators that are told what happens, and how often a delivery is tried.
//!
//! Form, signature and retries are those of the Standard Webhooks specification (decision 0050).

mod networks;
mod secrets;

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::{DAY, Refusal, Timestamp, WebhookDeliveryId, WebhookEndpointId, texts};

pub use networks::{Network, Reach};
pub use secrets::Secret;

/// Longest address of an endpoint, in Unicode code points.
pub const URL_LENGTH: usize = 500;
/// Longest description of an endpoint, in Unicode code points.
pub const DESCRIPTION_LENGTH: usize = 200;
/// How many endpoints there are at most.
pub const ENDPOINTS: usize = 20;
/// For how long the secret before signs too after a new one was made.
pub const OVERLAP: Duration = DAY;
/// After how long without a success an endpoint that is tried is switched off.
pub const FAILING_FOR: Duration = DAY.saturating_mul(5);
/// For how long photos and searches are counted before one message tells of them.
pub const BATCH: Duration = Duration::from_secs(60);

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

/// What an endpoint is told of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum EventType {
    /// A photographer has made an event.
    #[serde(rename = "event.created")]
    EventCreated,
    /// Photos have become searchable: how many of one event within a minute.
    #[serde(rename = "photo.indexed")]
    PhotoIndexed,
    /// Searches were answered: how many in one event within a minute.
    #[serde(rename = "search.done")]
    SearchDone,
    /// A payment was captured.
    #[serde(rename = "payment.captured")]
    PaymentCaptured,
    /// The money of a payment, or a part of it, was returned.
    #[serde(rename = "payment.refunded")]
    PaymentRefunded,
    /// An administrator tries an endpoint out.
    #[serde(rename = "webhook.test")]
    Test,
}

impl EventType {
    /// Those that can be chosen.
    pub const CHOICES: [Self; 5] = [
        Self::EventCreated,
        Self::PhotoIndexed,
        Self::SearchDone,
        Self::PaymentCaptured,
        Self::PaymentRefunded,
    ];

    /// Its name in messages, in the contract and in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::EventCreated => "event.created",
            Self::PhotoIndexed => "photo.indexed",
            Self::SearchDone => "search.done",
            Self::PaymentCaptured => "payment.captured",
            Self::PaymentRefunded => "payment.refunded",
            Self::Test => "webhook.test",
        }
    }

    /// The type of a name.
    pub fn from_stored(name: &str) -> Option<Self> {
        Self::CHOICES.into_iter().chain([Self::Test]).find(|each| each.as_str() == name)
    }

    /// Whether a delivery of it is tried again, and its failures count against the endpoint.
    pub const fn is_retried(self) -> bool {
        !matches!(self, Self::Test)
    }
}

/// The types that an endpoint is told of: one or more, each once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventTypes(Vec<EventType>);

impl EventTypes {
    /// Parses names.
    ///
    /// # Errors
    /// [`Refusal::WebhookEventsRequired`] or [`Refusal::WebhookEventUnknown`].
    pub fn parse<S: AsRef<str>>(names: &[S]) -> Result<Self, Refusal> {
        let known =
            |name: &S| EventType::CHOICES.into_iter().find(|each| each.as_str() == name.as_ref().trim());
        let mut types = Vec::new();
        for name in names {
            types.push(known(name).ok_or(Refusal::WebhookEventUnknown)?);
        }
        types.sort_unstable();
        types.dedup();
        if types.is_empty() { Err(Refusal::WebhookEventsRequired) } else { Ok(Self(types)) }
    }

    /// The types of names in a list, as [`EventTypes::to_stored`] writes it.
    pub fn from_stored(list: &str) -> Option<Self> {
        let names: Vec<&str> = list.split(',').collect();
        Self::parse(&names).ok()
    }

    /// Their names in a list.
    pub fn to_stored(&self) -> String {
        self.names().join(",")
    }

    /// Their names, in the order of [`EventType::CHOICES`].
    pub fn names(&self) -> Vec<&'static str> {
        self.0.iter().map(|each| each.as_str()).collect()
    }
}

/// Why an endpoint is switched off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DisabledBy {
    /// An administrator wanted so.
    Administrator,
    /// It failed for days.
    Failures,
    /// It answered that it is gone.
    Gone,
}

impl DisabledBy {
    /// Its name in the contract and in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Administrator => "administrator",
            Self::Failures => "failures",
            Self::Gone => "gone",
        }
    }

    /// The reason of a name.
    pub fn from_stored(name: &str) -> Option<Self> {
        [Self::Administrator, Self::Failures, Self::Gone].into_iter().find(|each| each.as_str() == name)
    }
}

/// That and why an endpoint is switched off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Disabled {
    /// Since when.
    pub at: Timestamp,
    /// Why.
    pub by: DisabledBy,
}

/// An address that is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint {
    /// Its id.
    pub id: WebhookEndpointId,
    /// Where messages go.
    pub url: String,
    /// What it is for, in the administrators' words; may be empty.
    pub description: String,
    /// What it is told of.
    pub event_types: EventTypes,
    /// What signs its messages.
    pub secret: Secret,
    /// What signs them too, and until when.
    pub former_secret: Option<(Secret, Timestamp)>,
    /// Since when no delivery has succeeded; none when the last one did.
    pub failing_since: Option<Timestamp>,
    /// Whether it is switched off.
    pub disabled: Option<Disabled>,
    /// When it was added.
    pub created_at: Timestamp,
}

impl Endpoint {
    /// The secrets that sign a message at `now`, the newest first.
    pub fn secrets_at(&self, now: Timestamp) -> Vec<&Secret> {
        let former = self.former_secret.as_ref().filter(|(_, until)| now < *until);
        std::iter::once(&self.secret).chain(former.map(|(secret, _)| secret)).collect()
    }
}

/// Parses the description of an endpoint: at most 200 characters, in one line.
///
/// # Errors
/// [`Refusal::WebhookDescriptionTooLong`]
pub fn parse_description(text: &str) -> Result<String, Refusal> {
    let description = texts::one_line(text);
    if description.chars().count() > DESCRIPTION_LENGTH {
        return Err(Refusal::WebhookDescriptionTooLong);
    }
    Ok(description)
}

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

/// Whether an endpoint that has had no success since then is switched off.
pub fn has_failed_too_long(failing_since: Timestamp, now: Timestamp) -> bool {
    now.since(failing_since) >= FAILING_FOR
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::Id as _;

    #[test]
    fn names_of_types_round_trip_and_are_those_of_jobs() {
        // [HOOK001]
        for each in EventType::CHOICES.into_iter().chain([EventType::Test]) {
            assert_eq!(EventType::from_stored(each.as_str()), Some(each));
            assert_eq!(serde_json::to_value(each).unwrap(), each.as_str());
        }
        assert_eq!(EventType::from_stored("event.deleted"), None);
    }

    #[test]
    fn types_are_chosen_by_name_once_each() {
        // [HOOK010]
        let chosen = EventTypes::parse(&["search.done", " event.created", "search.done"]).unwrap();
        assert_eq!(chosen.names(), ["event.created", "search.done"]);
        assert_eq!(EventTypes::from_stored(&chosen.to_stored()), Some(chosen));
        assert_eq!(EventTypes::parse::<&str>(&[]), Err(Refusal::WebhookEventsRequired));
        for unknown in ["", "webhook.test", "event.deleted"] {
            assert_eq!(EventTypes::parse(&[unknown]), Err(Refusal::WebhookEventUnknown), "{unknown}");
        }
    }

    #[test]
    fn a_description_is_one_line_of_bounded_length() {
        // [HOOK010]
        assert_eq!(parse_description(" Chat\nof the team ").unwrap(), "Chat of the team");
        assert_eq!(parse_description("").unwrap(), "");
        assert!(parse_description(&"é".repeat(200)).is_ok());
        assert_eq!(parse_description(&"é".repeat(201)), Err(Refusal::WebhookDescriptionTooLong));
    }

    #[test]
    fn a_delivery_is_tried_ten_times_in_three_days() {
        // [HOOK020]
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
        // [HOOK021]
        assert_eq!(retry_after(1, 0, Some(HOUR)), Some(HOUR));
        assert_eq!(retry_after(3, 0, Some(MINUTE)), Some(MINUTE * 30));
        assert_eq!(retry_after(1, 0, Some(DAY * 400)), Some(DAY));
    }

    #[test]
    fn only_a_success_is_one() {
        // [HOOK022]
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

    #[test]
    fn an_endpoint_is_given_up_after_five_days() {
        // [HOOK023]
        let since = Timestamp::from_millis(0);
        assert!(!has_failed_too_long(since, since.plus(DAY * 5).minus(Duration::from_millis(1))));
        assert!(has_failed_too_long(since, since.plus(DAY * 5)));
    }

    #[test]
    fn the_former_secret_signs_until_its_time_is_over() {
        // [HOOK012]
        let secret = |byte| Secret::from_bytes([byte; 32]);
        let until = Timestamp::from_millis(1_000);
        let endpoint = Endpoint {
            id: WebhookEndpointId::from_parts(until, [0; 10]),
            url: String::from("https://example.com/"),
            description: String::new(),
            event_types: EventTypes::parse(&["event.created"]).unwrap(),
            secret: secret(1),
            former_secret: Some((secret(2), until)),
            failing_since: None,
            disabled: None,
            created_at: until,
        };
        assert_eq!(endpoint.secrets_at(Timestamp::from_millis(999)), [&secret(1), &secret(2)]);
        assert_eq!(endpoint.secrets_at(until), [&secret(1)]);
    }
}
