//! The bodies of messages. docs/webhooks.md describes them; a member is never taken away or given another meaning.

use domain::events::Event;
use domain::payments::orders::Order;
use domain::payments::{Payment, PaymentOutcome, Refund};
use domain::webhooks::EventType;
use domain::{ClientSelectionId, EventId, Timestamp, WebhookEndpointId};
use serde::Serialize;
use storage::webhooks::counts::Counted;

use crate::{App, Failure, Result};

/// What a message tells of.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Data {
    EventCreated {
        event_id: String,
        owner_id: String,
        name: String,
        date: String,
        url: String,
    },
    PhotoIndexed {
        event_id: Option<String>,
        photos: i64,
        since: String,
    },
    SearchDone {
        event_id: Option<String>,
        searches: i64,
        found: i64,
        since: String,
    },
    PaymentCaptured {
        payment_id: String,
        provider: String,
        order_id: String,
        account_id: String,
        purpose: &'static str,
        amount_paise: i64,
        currency: &'static str,
        outcome: &'static str,
        credits_paise: i64,
        refund_due: bool,
    },
    PaymentRefunded {
        payment_id: String,
        provider: String,
        refund_id: String,
        account_id: String,
        amount_paise: i64,
        currency: &'static str,
    },
    PhotoSearchable {
        #[serde(flatten)]
        of: Of,
        photos: i64,
        since: String,
    },
    EventComplete {
        #[serde(flatten)]
        of: Of,
        photos: i64,
    },
    SelectionDone {
        #[serde(flatten)]
        of: Of,
        selection_id: String,
        photos: i64,
    },
    GuestWaiting {
        #[serde(flatten)]
        of: Of,
        waiting: &'static str,
        count: i64,
        since: String,
    },
    Test {
        webhook_id: String,
    },
}

/// The event that a photographer is told of.
#[derive(Serialize)]
pub(super) struct Of {
    event_id: String,
    slug: String,
    name: String,
    url: String,
}

impl Of {
    fn event(event: &Event, app: &App) -> Self {
        Self {
            event_id: event.id.to_string(),
            slug: event.slug.clone(),
            name: event.name.clone(),
            url: app.guest_page(event.owner, &event.slug),
        }
    }
}

/// What of a guest's waits for the photographer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Waiting {
    /// Photos that are to be let in.
    GuestPhotos,
    /// A question about a photo.
    Question,
    /// A request to be removed that is to be decided.
    RemovalRequest,
}

impl Waiting {
    const fn as_str(self) -> &'static str {
        match self {
            Self::GuestPhotos => "guest_photos",
            Self::Question => "question",
            Self::RemovalRequest => "removal_request",
        }
    }
}

#[derive(Serialize)]
struct Body<'a> {
    #[serde(rename = "type")]
    event_type: &'static str,
    timestamp: String,
    data: &'a Data,
}

const CURRENCY: &str = "INR";

impl Data {
    pub(super) fn event_created(event: &Event, url: String) -> Self {
        Self::EventCreated {
            event_id: event.id.to_string(),
            owner_id: event.owner.to_string(),
            name: event.name.clone(),
            date: event.date.to_string(),
            url,
        }
    }

    /// What was counted for operators; none for what is not.
    pub(super) fn counted(
        event_type: EventType,
        event: Option<EventId>,
        counted: Counted,
        since: Timestamp,
    ) -> Option<Self> {
        let (event_id, since) = (event.map(|event| event.to_string()), since.to_rfc3339());
        let Counted { photos, searches, searches_found } = counted;
        match event_type {
            EventType::PhotoIndexed => Some(Self::PhotoIndexed { event_id, photos, since }),
            EventType::SearchDone => {
                Some(Self::SearchDone { event_id, searches, found: searches_found, since })
            }
            EventType::EventCreated
            | EventType::PaymentCaptured
            | EventType::PaymentRefunded
            | EventType::PhotoSearchable
            | EventType::EventComplete
            | EventType::SelectionDone
            | EventType::GuestWaiting
            | EventType::Test => None,
        }
    }

    /// What was counted in an event for its photographer; none for what is not.
    pub(super) fn counted_for_owner(
        event_type: EventType,
        event: &Event,
        app: &App,
        counted: Counted,
        since: Timestamp,
    ) -> Option<Self> {
        let of = Of::event(event, app);
        match event_type {
            EventType::PhotoSearchable => {
                Some(Self::PhotoSearchable { of, photos: counted.photos, since: since.to_rfc3339() })
            }
            EventType::GuestWaiting => {
                Some(Self::guest_waiting(event, app, Waiting::GuestPhotos, counted.photos, since))
            }
            EventType::EventCreated
            | EventType::PhotoIndexed
            | EventType::SearchDone
            | EventType::PaymentCaptured
            | EventType::PaymentRefunded
            | EventType::EventComplete
            | EventType::SelectionDone
            | EventType::Test => None,
        }
    }

    pub(super) fn event_complete(event: &Event, app: &App) -> Self {
        Self::EventComplete { of: Of::event(event, app), photos: event.indexing.total }
    }

    pub(super) fn selection_done(
        event: &Event,
        app: &App,
        selection: ClientSelectionId,
        photos: i64,
    ) -> Self {
        Self::SelectionDone { of: Of::event(event, app), selection_id: selection.to_string(), photos }
    }

    pub(super) fn guest_waiting(
        event: &Event,
        app: &App,
        waiting: Waiting,
        count: i64,
        since: Timestamp,
    ) -> Self {
        let of = Of::event(event, app);
        Self::GuestWaiting { of, waiting: waiting.as_str(), count, since: since.to_rfc3339() }
    }

    pub(super) fn payment_captured(order: &Order, payment: &Payment) -> Self {
        Self::PaymentCaptured {
            payment_id: payment.payment_id.clone(),
            provider: payment.provider.clone(),
            order_id: payment.order.to_string(),
            account_id: payment.user.to_string(),
            purpose: order.purpose.as_str(),
            amount_paise: payment.amount.get(),
            currency: CURRENCY,
            outcome: payment.outcome.as_str(),
            credits_paise: if payment.outcome == PaymentOutcome::Credits { payment.credits.get() } else { 0 },
            refund_due: payment.outcome.refund_reason().is_some(),
        }
    }

    pub(super) fn payment_refunded(payment: &Payment, refund: &Refund) -> Self {
        Self::PaymentRefunded {
            payment_id: payment.payment_id.clone(),
            provider: payment.provider.clone(),
            refund_id: refund.id.to_string(),
            account_id: payment.user.to_string(),
            amount_paise: refund.amount.get(),
            currency: CURRENCY,
        }
    }

    pub(super) fn test(endpoint: WebhookEndpointId) -> Self {
        Self::Test { webhook_id: endpoint.to_string() }
    }

    const fn event_type(&self) -> EventType {
        match self {
            Self::EventCreated { .. } => EventType::EventCreated,
            Self::PhotoIndexed { .. } => EventType::PhotoIndexed,
            Self::SearchDone { .. } => EventType::SearchDone,
            Self::PaymentCaptured { .. } => EventType::PaymentCaptured,
            Self::PaymentRefunded { .. } => EventType::PaymentRefunded,
            Self::PhotoSearchable { .. } => EventType::PhotoSearchable,
            Self::EventComplete { .. } => EventType::EventComplete,
            Self::SelectionDone { .. } => EventType::SelectionDone,
            Self::GuestWaiting { .. } => EventType::GuestWaiting,
            Self::Test { .. } => EventType::Test,
        }
    }

    /// The body of a message that tells of it, and its type.
    pub(super) fn message(&self, at: Timestamp) -> Result<(EventType, String)> {
        let event_type = self.event_type();
        let body = Body { event_type: event_type.as_str(), timestamp: at.to_rfc3339(), data: self };
        let body = serde_json::to_string(&body);
        let body =
            body.map_err(|error| Failure::Internal(format!("a webhook cannot be written: {error}")))?;
        Ok((event_type, body))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::ids::Id as _;
    use serde_json::{Value, json};

    #[test]
    fn a_body_has_type_time_and_data() {
        // [HOOK004]
        let at = Timestamp::from_millis(1_795_165_200_000);
        let event = EventId::from_parts(at, [0; 10]);
        let counted = Counted { photos: 3, searches: 5, searches_found: 4 };
        let body = |data: Data| {
            let (event_type, body) = data.message(at).unwrap();
            let body: Value = serde_json::from_str(&body).unwrap();
            assert_eq!(body["type"], event_type.as_str());
            assert_eq!(body["timestamp"], "2026-11-20T09:00:00.000Z");
            body["data"].clone()
        };
        let of = |event_type, event| Data::counted(event_type, event, counted, at);
        assert_eq!(
            body(of(EventType::PhotoIndexed, Some(event)).unwrap()),
            json!({"event_id": event.to_string(), "photos": 3, "since": "2026-11-20T09:00:00.000Z"})
        );
        assert_eq!(
            body(of(EventType::SearchDone, None).unwrap()),
            json!({"event_id": null, "searches": 5, "found": 4, "since": "2026-11-20T09:00:00.000Z"}),
            "numbers alone"
        );
        assert!(of(EventType::EventCreated, None).is_none());
        let endpoint = WebhookEndpointId::from_parts(at, [0; 10]);
        assert_eq!(body(Data::test(endpoint)), json!({"webhook_id": endpoint.to_string()}));
    }
}
