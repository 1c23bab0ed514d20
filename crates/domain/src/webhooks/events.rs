//! What endpoints can be told of.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::Refusal;

/// For how long photos and searches are counted before one message tells of them.
pub const BATCH: Duration = Duration::from_secs(60);

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
    /// Photos of an event have become searchable: how many within a minute. Its photographer is told.
    #[serde(rename = "photo.searchable")]
    PhotoSearchable,
    /// No more photos of an event are expected. Its photographer is told.
    #[serde(rename = "event.complete")]
    EventComplete,
    /// A client has finished choosing photos. The event's photographer is told.
    #[serde(rename = "selection.done")]
    SelectionDone,
    /// A guest waits for the photographer, who is told.
    #[serde(rename = "guest.waiting")]
    GuestWaiting,
    /// Somebody tries an endpoint out.
    #[serde(rename = "webhook.test")]
    Test,
}

impl EventType {
    /// Those that operators can choose.
    pub const OPERATORS: [Self; 5] = [
        Self::EventCreated,
        Self::PhotoIndexed,
        Self::SearchDone,
        Self::PaymentCaptured,
        Self::PaymentRefunded,
    ];
    /// Those that photographers can choose, of their own events.
    pub const PHOTOGRAPHERS: [Self; 4] =
        [Self::PhotoSearchable, Self::EventComplete, Self::SelectionDone, Self::GuestWaiting];

    /// Its name in messages, in the contract and in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::EventCreated => "event.created",
            Self::PhotoIndexed => "photo.indexed",
            Self::SearchDone => "search.done",
            Self::PaymentCaptured => "payment.captured",
            Self::PaymentRefunded => "payment.refunded",
            Self::PhotoSearchable => "photo.searchable",
            Self::EventComplete => "event.complete",
            Self::SelectionDone => "selection.done",
            Self::GuestWaiting => "guest.waiting",
            Self::Test => "webhook.test",
        }
    }

    /// The type of a name.
    pub fn from_stored(name: &str) -> Option<Self> {
        Self::all().find(|each| each.as_str() == name)
    }

    fn all() -> impl Iterator<Item = Self> {
        Self::OPERATORS.into_iter().chain(Self::PHOTOGRAPHERS).chain([Self::Test])
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
    /// Parses names, each of one of the `choices`.
    ///
    /// # Errors
    /// [`Refusal::WebhookEventsRequired`] or [`Refusal::WebhookEventUnknown`].
    pub fn parse<S: AsRef<str>>(names: &[S], choices: &[EventType]) -> Result<Self, Refusal> {
        let known = |name: &S| choices.iter().copied().find(|each| each.as_str() == name.as_ref().trim());
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
        let choices: Vec<EventType> = EventType::all().filter(|each| each.is_retried()).collect();
        Self::parse(&names, &choices).ok()
    }

    /// Their names in a list.
    pub fn to_stored(&self) -> String {
        self.names().join(",")
    }

    /// Their names, in the order in which they are declared.
    pub fn names(&self) -> Vec<&'static str> {
        self.0.iter().map(|each| each.as_str()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_types_round_trip_and_are_those_of_jobs() {
        for each in EventType::all() {
            assert_eq!(EventType::from_stored(each.as_str()), Some(each));
            assert_eq!(serde_json::to_value(each).unwrap(), each.as_str());
        }
        assert_eq!(EventType::from_stored("event.deleted"), None);
    }

    #[test]
    fn types_are_chosen_by_name_once_each() {
        let chosen =
            EventTypes::parse(&["search.done", " event.created", "search.done"], &EventType::OPERATORS);
        let chosen = chosen.unwrap();
        assert_eq!(chosen.names(), ["event.created", "search.done"]);
        assert_eq!(EventTypes::from_stored(&chosen.to_stored()), Some(chosen));
        assert_eq!(
            EventTypes::parse::<&str>(&[], &EventType::OPERATORS),
            Err(Refusal::WebhookEventsRequired)
        );
        for unknown in ["", "webhook.test", "event.deleted"] {
            let parsed = EventTypes::parse(&[unknown], &EventType::OPERATORS);
            assert_eq!(parsed, Err(Refusal::WebhookEventUnknown), "{unknown}");
        }
    }

    #[test]
    fn photographers_choose_nothing_of_the_operators_and_operators_nothing_of_theirs() {
        // [HOOK046]
        for (own, others) in [
            (&EventType::OPERATORS[..], &EventType::PHOTOGRAPHERS[..]),
            (&EventType::PHOTOGRAPHERS[..], &EventType::OPERATORS[..]),
        ] {
            for each in own {
                let chosen = EventTypes::parse(&[each.as_str()], own).unwrap();
                assert_eq!(EventTypes::from_stored(&chosen.to_stored()), Some(chosen));
                let refused = EventTypes::parse(&[each.as_str()], others);
                assert_eq!(refused, Err(Refusal::WebhookEventUnknown), "{each:?}");
            }
        }
    }
}
