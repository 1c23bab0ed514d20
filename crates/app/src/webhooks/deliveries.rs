//! Sending a message: one attempt is one job, which records what came of it and enqueues the next one.

use domain::WebhookDeliveryId;
use domain::webhooks::{self, Attempt, Delivery, DeliveryState, Disabled, DisabledBy, Endpoint, Verdict};
use gateway::webhooks::{Message, Sent};

use crate::operations::runtime::queue::{Lease, Tx};
use crate::webhooks::reports;
use crate::{App, Result};

/// The job of a message. It may run twice, since nobody knows whether an attempt came through whose worker died: the
/// receiver recognises the message by its id.
pub(crate) async fn deliver(app: &App, id: WebhookDeliveryId, lease: &Lease) -> Result<()> {
    let Some(delivery) = storage::webhooks::deliveries::by_id(&app.db, id).await? else { return Ok(()) };
    if delivery.state != DeliveryState::Waiting {
        return Ok(());
    }
    let Some(endpoint) = storage::webhooks::endpoints::by_id(&app.db, delivery.endpoint).await? else {
        // It was deleted while the message was written.
        let mut tx = app.begin().await?;
        storage::webhooks::deliveries::delete(&mut tx, id).await?;
        return tx.commit().await;
    };
    if endpoint.disabled.is_some() && delivery.event_type.is_retried() {
        // It was switched off while the message was written.
        let mut tx = app.begin().await?;
        storage::webhooks::deliveries::drop_waiting(&mut tx, endpoint.id).await?;
        return tx.commit().await;
    }
    if is_owner_shut_out(app, &endpoint).await? {
        let mut tx = app.begin().await?;
        storage::webhooks::deliveries::drop_waiting(&mut tx, endpoint.id).await?;
        return tx.commit().await;
    }
    let at = app.now();
    let message_id = delivery.message_id();
    let message = Message {
        url: &endpoint.url,
        id: &message_id,
        timestamp: at.as_seconds(),
        payload: &delivery.payload,
        is_public_only: endpoint.owner.is_some(),
        secrets: &endpoint.secrets_at(at),
    };
    let sent = app.webhooks.send(&message).await;
    let verdict = webhooks::judge(sent.status);
    tracing::debug!(
        endpoint = %endpoint.id, message = message_id, status = sent.status, ms = sent.took.as_millis(),
        "sent a webhook"
    );
    let attempt = Attempt {
        at,
        took_ms: i64::try_from(sent.took.as_millis()).unwrap_or(i64::MAX),
        status: sent.status.map(i64::from),
        answer: sent.answer.clone(),
    };
    let mut tx = app.begin().await?;
    if record(app, &mut tx, &endpoint, &delivery, &attempt, &sent, verdict).await? {
        tx.complete(lease).await?;
        tx.commit().await?;
    }
    Ok(())
}

/// Whether the photographer whose endpoint it is may not use the service: their account is locked, or gone.
async fn is_owner_shut_out(app: &App, endpoint: &Endpoint) -> Result<bool> {
    let Some(owner) = endpoint.owner else { return Ok(false) };
    let owner = storage::accounts::users::by_id(&app.db, owner).await?;
    Ok(owner.is_none_or(|owner| owner.locked_at.is_some()))
}

/// Records an attempt, and what follows from it; false when another worker has recorded it.
async fn record(
    app: &App,
    tx: &mut Tx,
    endpoint: &Endpoint,
    delivery: &Delivery,
    attempt: &Attempt,
    sent: &Sent,
    verdict: Verdict,
) -> Result<bool> {
    let now = app.now();
    let delay = match verdict {
        Verdict::Failed if delivery.event_type.is_retried() => {
            let [random] = app.randomness.bytes();
            webhooks::retry_after(delivery.attempts + 1, random, sent.retry_after)
        }
        Verdict::Failed | Verdict::Accepted | Verdict::Gone => None,
    };
    let next = delay.map(|delay| now.plus(delay));
    let state = match (verdict, next) {
        (Verdict::Accepted, _) => DeliveryState::Delivered,
        (_, Some(_)) => DeliveryState::Waiting,
        (_, None) => DeliveryState::Failed,
    };
    let tried = delivery.attempts;
    if !storage::webhooks::deliveries::record_attempt(tx, delivery.id, tried, attempt, state, next).await? {
        return Ok(false);
    }
    if let Some(next) = next {
        tx.enqueue_at(&reports::delivery_job(delivery.id, endpoint.owner), next).await?;
    }
    if !delivery.event_type.is_retried() {
        return Ok(true);
    }
    let given_up_by = match verdict {
        Verdict::Accepted => {
            storage::webhooks::endpoints::record_success(tx, endpoint.id).await?;
            None
        }
        Verdict::Gone => Some(DisabledBy::Gone),
        Verdict::Failed => {
            let since = storage::webhooks::endpoints::record_failure(tx, endpoint.id, now).await?;
            since.filter(|since| webhooks::has_failed_too_long(*since, now)).map(|_| DisabledBy::Failures)
        }
    };
    if let Some(by) = given_up_by {
        storage::webhooks::endpoints::disable(tx, endpoint.id, Disabled { at: now, by }).await?;
        storage::webhooks::deliveries::drop_waiting(tx, endpoint.id).await?;
        match endpoint.owner {
            None => tracing::error!(endpoint = %endpoint.id, by = by.as_str(), "a webhook is switched off"),
            // It is the photographer's to repair, and not for an alarm of the operator's.
            Some(_) => {
                tracing::info!(endpoint = %endpoint.id, by = by.as_str(), "a photographer's webhook is switched off");
            }
        }
    }
    Ok(true)
}
