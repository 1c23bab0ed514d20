//! Messages to endpoints of webhooks. They go with their endpoint, or some weeks after they were made.

use domain::webhooks::{Attempt, Delivery, DeliveryState, EventType};
use domain::{Timestamp, WebhookDeliveryId, WebhookEndpointId};

use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::{execute, fetch_all, fetch_optional};
use crate::{Executor, Result, Tx};

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, endpoint_id, event_type, payload, state, attempts, next_attempt_at, last_attempt_at, last_took_ms,
                 last_status, last_answer, created_at FROM webhook_deliveries ",
            $rest
        )
    };
}

row! {
    pub(crate) struct DeliveryRow {
        id: String,
        endpoint_id: String,
        event_type: String,
        payload: String,
        state: String,
        attempts: i64,
        next_attempt_at: Option<i64>,
        last_attempt_at: Option<i64>,
        last_took_ms: Option<i64>,
        last_status: Option<i64>,
        last_answer: Option<String>,
        created_at: i64,
    }
}

impl FromColumns for Delivery {
    type Columns = DeliveryRow;

    fn from_columns(row: DeliveryRow) -> Result<Self> {
        let last = decode::time(row.last_attempt_at).map(|at| Attempt {
            at,
            took_ms: row.last_took_ms.unwrap_or_default(),
            status: row.last_status,
            answer: row.last_answer.unwrap_or_default(),
        });
        let event_type = EventType::from_stored(&row.event_type);
        Ok(Self {
            id: decode::id(&row.id, "webhook_deliveries.id")?,
            endpoint: decode::id(&row.endpoint_id, "webhook_deliveries.endpoint_id")?,
            event_type: decode::known(event_type, "webhook_deliveries.event_type")?,
            payload: row.payload,
            state: decode::known(DeliveryState::from_stored(&row.state), "webhook_deliveries.state")?,
            attempts: row.attempts,
            next_attempt_at: decode::time(row.next_attempt_at),
            last,
            created_at: Timestamp::from_millis(row.created_at),
        })
    }
}

/// Inserts a message that was not tried yet.
pub async fn create(tx: &mut Tx, delivery: &Delivery) -> Result<()> {
    execute!(
        tx,
        "INSERT INTO webhook_deliveries (id, endpoint_id, event_type, payload, state, next_attempt_at, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
        delivery.id,
        delivery.endpoint,
        delivery.event_type,
        delivery.payload,
        delivery.state,
        delivery.next_attempt_at,
        delivery.created_at,
    )?;
    Ok(())
}

/// A message.
pub async fn by_id(db: &dyn Executor, id: WebhookDeliveryId) -> Result<Option<Delivery>> {
    fetch_optional!(db, Delivery, select!("WHERE id = $1"), id)
}

/// The messages to an endpoint, newest first, from the one before `before`.
pub async fn page(
    db: &dyn Executor,
    endpoint: WebhookEndpointId,
    before: Option<WebhookDeliveryId>,
    limit: i64,
) -> Result<Vec<Delivery>> {
    // Greater than every id.
    let before = before.map_or_else(|| String::from("g"), |before| before.to_string());
    fetch_all!(
        db,
        Delivery,
        select!("WHERE endpoint_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3"),
        endpoint,
        before,
        limit,
    )
}

/// Records the attempt after `attempts` others; false when another worker has recorded one, or the message does not wait
/// any more.
pub async fn record_attempt(
    tx: &mut Tx,
    id: WebhookDeliveryId,
    attempts: i64,
    attempt: &Attempt,
    state: DeliveryState,
    next_attempt_at: Option<Timestamp>,
) -> Result<bool> {
    let updated = execute!(
        tx,
        "UPDATE webhook_deliveries SET attempts = attempts + 1, state = $3, next_attempt_at = $4, last_attempt_at = $5,
             last_took_ms = $6, last_status = $7, last_answer = $8
         WHERE id = $1 AND attempts = $2 AND state = 'waiting'",
        id,
        attempts,
        state,
        next_attempt_at,
        attempt.at,
        attempt.took_ms,
        attempt.status,
        attempt.answer,
    )?;
    Ok(updated == 1)
}

/// Gives up the messages to an endpoint that wait, and answers their number.
pub async fn drop_waiting(tx: &mut Tx, endpoint: WebhookEndpointId) -> Result<u64> {
    execute!(
        tx,
        "UPDATE webhook_deliveries SET state = 'dropped', next_attempt_at = NULL
         WHERE endpoint_id = $1 AND state = 'waiting'",
        endpoint,
    )
}

/// Deletes a message whose endpoint is gone.
pub async fn delete(tx: &mut Tx, id: WebhookDeliveryId) -> Result<()> {
    execute!(tx, "DELETE FROM webhook_deliveries WHERE id = $1", id)?;
    Ok(())
}

/// Deletes the messages that were made before `before`, and answers their number.
pub async fn delete_before(tx: &mut Tx, before: Timestamp) -> Result<u64> {
    execute!(tx, "DELETE FROM webhook_deliveries WHERE created_at < $1", before)
}
