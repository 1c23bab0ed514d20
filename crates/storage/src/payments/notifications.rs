//! Webhook events of the payment provider that were handled, for de-duplication.

use domain::Timestamp;

use crate::operations::runtime::statements::execute;
use crate::{Result, Tx};

/// Records a webhook event; false when it was recorded before, or is being handled at this moment.
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
