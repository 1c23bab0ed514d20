//! Endpoints: addresses that are told.

use std::time::Duration;

use super::events::EventTypes;
use super::secrets::Secret;
use crate::operations::runtime::texts;
use crate::{DAY, Refusal, Timestamp, UserId, WebhookEndpointId};

/// Longest address of an endpoint, in Unicode code points.
pub const URL_LENGTH: usize = 500;
/// Longest description of an endpoint, in Unicode code points.
const DESCRIPTION_LENGTH: usize = 200;
/// How many endpoints of operators there are at most.
pub const ENDPOINTS: usize = 20;
/// How many endpoints a photographer has at most.
pub const OWN_ENDPOINTS: usize = 5;
/// For how long the secret before signs too after a new one was made.
pub const OVERLAP: Duration = DAY;
/// After how long without a success an endpoint that is tried is switched off.
const FAILING_FOR: Duration = DAY.saturating_mul(5);

/// Why an endpoint is switched off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DisabledBy {
    /// An administrator wanted so.
    Administrator,
    /// The photographer whose it is wanted so.
    Photographer,
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
            Self::Photographer => "photographer",
            Self::Failures => "failures",
            Self::Gone => "gone",
        }
    }

    /// The reason of a name.
    pub fn from_stored(name: &str) -> Option<Self> {
        [Self::Administrator, Self::Photographer, Self::Failures, Self::Gone]
            .into_iter()
            .find(|each| each.as_str() == name)
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
    /// Whose it is, who is told of their own events alone; none for the operators'.
    pub owner: Option<UserId>,
    /// Where messages go.
    pub url: String,
    /// What it is for, in the words of whoever added it; may be empty.
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

/// Whether an endpoint that has had no success since then is switched off.
pub fn has_failed_too_long(failing_since: Timestamp, now: Timestamp) -> bool {
    now.since(failing_since) >= FAILING_FOR
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::Id as _;
    use crate::webhooks::EventType;

    #[test]
    fn a_description_is_one_line_of_bounded_length() {
        assert_eq!(parse_description(" Chat\nof the team ").unwrap(), "Chat of the team");
        assert_eq!(parse_description("").unwrap(), "");
        assert!(parse_description(&"é".repeat(200)).is_ok());
        assert_eq!(parse_description(&"é".repeat(201)), Err(Refusal::WebhookDescriptionTooLong));
    }

    #[test]
    fn an_endpoint_is_given_up_after_five_days() {
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
            owner: None,
            url: String::from("https://example.com/"),
            description: String::new(),
            event_types: EventTypes::parse(&["event.created"], &EventType::OPERATORS).unwrap(),
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
