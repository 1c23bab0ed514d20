//! Webhook events of the payment provider that were handled, for de-duplication.

use domain::Timestamp;

use crate::operations::runtime::statements::{execute, fetch_one};
use crate::{Executor, Result, Tx};

/// Whether a webhook event was handled.
pub async fn is_known(db: &dyn Executor, provider: &str, event_id: &str) -> Result<bool> {
    let events: i64 = fetch_one!(
        db,
        i64,
        "SELECT COUNT(*) FROM webhook_events WHERE provider = $1 AND event_id = $2",
        provider,
        event_id,
    )?;
    Ok(events > 0)
}

/// Records that a webhook event was handled; false when it was recorded before.
pub async fn record(tx: &mut Tx, provider: &str, event_id: &str, now: Timestamp) -> Result<bool> {
    let updated = execute!(
        tx,
        "INSERT INTO webhook_events (provider, event_id, received_at) VALUES ($1, $2, $3)
         ON CONFLICT (provider, event_id) DO NOTHING",
        provider,
        event_id,
        now,
    )?;
    Ok(updated == 1)
}

/// Deletes the events received before `before`, and answers their number. The provider repeats one for a day.
pub async fn delete_before(tx: &mut Tx, before: Timestamp) -> Result<u64> {
    execute!(tx, "DELETE FROM webhook_events WHERE received_at < $1", before)
}
