//! What is reported, in the transaction that makes it.

use domain::events::Event;
use domain::payments::orders::Order;
use domain::payments::{Payment, Refund};
use domain::webhooks::{Delivery, DeliveryState, EventType};
use domain::{Job, Timestamp, WebhookEndpointId};

use super::payloads::Data;
use crate::Result;
use crate::operations::runtime::queue::Tx;

/// Reports an event that the transaction makes.
pub(crate) async fn event_created(tx: &mut Tx, event: &Event, url: String, at: Timestamp) -> Result<()> {
    report(tx, &Data::event_created(event, url), at).await
}

/// Reports a payment that the transaction records.
pub(crate) async fn payment_captured(tx: &mut Tx, order: &Order, payment: &Payment) -> Result<()> {
    report(tx, &Data::payment_captured(order, payment), payment.captured_at).await
}

/// Reports a refund whose money is on its way from now on.
pub(crate) async fn payment_refunded(
    tx: &mut Tx,
    payment: &Payment,
    refund: &Refund,
    at: Timestamp,
) -> Result<()> {
    report(tx, &Data::payment_refunded(payment, refund), at).await
}

/// Writes a message to each endpoint that is told of it, and enqueues the jobs that send them.
pub(super) async fn report(tx: &mut Tx, data: &Data, at: Timestamp) -> Result<()> {
    let (event_type, body) = data.message(at)?;
    for endpoint in storage::webhooks::endpoints::told_of(&mut **tx, event_type).await? {
        write(tx, endpoint, event_type, body.clone(), at).await?;
    }
    Ok(())
}

/// Writes a message that tries an endpoint out, whatever it is told of and whether it is switched on.
pub(crate) async fn test(tx: &mut Tx, endpoint: WebhookEndpointId, at: Timestamp) -> Result<Delivery> {
    let (event_type, body) = Data::test(endpoint).message(at)?;
    write(tx, endpoint, event_type, body, at).await
}

async fn write(
    tx: &mut Tx,
    endpoint: WebhookEndpointId,
    event_type: EventType,
    payload: String,
    at: Timestamp,
) -> Result<Delivery> {
    let delivery = Delivery {
        id: tx.id(),
        endpoint,
        event_type,
        payload,
        created_at: at,
        state: DeliveryState::Waiting,
        attempts: 0,
        next_attempt_at: Some(at),
        last: None,
    };
    storage::webhooks::deliveries::create(tx, &delivery).await?;
    tx.enqueue(&Job::DeliverWebhook { delivery: delivery.id }).await?;
    Ok(delivery)
}
