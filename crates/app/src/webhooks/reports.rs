//! What is reported, in the transaction that makes it.

use domain::events::Event;
use domain::payments::orders::Order;
use domain::payments::{Payment, Refund};
use domain::webhooks::{Delivery, DeliveryState, EventType};
use domain::{ClientSelectionId, Job, Timestamp, UserId, WebhookDeliveryId, WebhookEndpointId};

use super::payloads::Data;
use crate::operations::runtime::queue::Tx;
use crate::{App, Result};

pub(crate) use super::payloads::Waiting;

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

/// Reports that no more photos of an event are expected, as the transaction writes.
pub(crate) async fn event_complete(app: &App, tx: &mut Tx, event: &Event) -> Result<()> {
    report_to_owner(tx, event.owner, &Data::event_complete(event, app), app.now()).await
}

/// Reports that a client has finished a selection, with `chosen` photos, as the transaction writes.
pub(crate) async fn selection_done(
    app: &App,
    tx: &mut Tx,
    event: &Event,
    selection: ClientSelectionId,
    chosen: i64,
) -> Result<()> {
    let data = Data::selection_done(event, app, selection, chosen);
    report_to_owner(tx, event.owner, &data, app.now()).await
}

/// Reports that a guest of an event waits for its photographer, as the transaction writes.
pub(crate) async fn guest_waiting(app: &App, tx: &mut Tx, event: &Event, waiting: Waiting) -> Result<()> {
    let data = Data::guest_waiting(event, app, waiting, 1, app.now());
    report_to_owner(tx, event.owner, &data, app.now()).await
}

/// Writes a message to each endpoint of a photographer that is told of it, and enqueues the jobs that send them.
pub(super) async fn report_to_owner(tx: &mut Tx, owner: UserId, data: &Data, at: Timestamp) -> Result<()> {
    let (event_type, body) = data.message(at)?;
    for endpoint in storage::webhooks::endpoints::of_owner_told_of(&mut **tx, owner, event_type).await? {
        write(tx, endpoint, Some(owner), event_type, body.clone(), at).await?;
    }
    Ok(())
}

/// Writes a message to each endpoint of operators that is told of it, and enqueues the jobs that send them.
pub(super) async fn report(tx: &mut Tx, data: &Data, at: Timestamp) -> Result<()> {
    let (event_type, body) = data.message(at)?;
    for endpoint in storage::webhooks::endpoints::told_of(&mut **tx, event_type).await? {
        write(tx, endpoint, None, event_type, body.clone(), at).await?;
    }
    Ok(())
}

/// Writes a message that tries an endpoint out, whatever it is told of and whether it is switched on.
pub(crate) async fn test(
    tx: &mut Tx,
    endpoint: WebhookEndpointId,
    owner: Option<UserId>,
    at: Timestamp,
) -> Result<Delivery> {
    let (event_type, body) = Data::test(endpoint).message(at)?;
    write(tx, endpoint, owner, event_type, body, at).await
}

/// The job that sends a message to an endpoint of this owner.
pub(super) const fn delivery_job(delivery: WebhookDeliveryId, owner: Option<UserId>) -> Job {
    match owner {
        None => Job::DeliverWebhook { delivery },
        Some(_) => Job::DeliverOwnWebhook { delivery },
    }
}

async fn write(
    tx: &mut Tx,
    endpoint: WebhookEndpointId,
    owner: Option<UserId>,
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
    tx.enqueue(&delivery_job(delivery.id, owner)).await?;
    Ok(delivery)
}
