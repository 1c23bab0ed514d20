//! Which announcements of a payment provider were dealt with.

use domain::Timestamp;

use crate::db::each;
use crate::{Result, Tx};

/// Notes an announcement; false when it was noted before, or is being dealt with at this moment.
///
/// # Errors
/// When the database fails.
pub async fn record(tx: &mut Tx, provider: &str, event_id: &str, now: Timestamp) -> Result<bool> {
    each!(tx.at(), at => sqlx::query(
            "INSERT INTO webhook_events (provider, event_id, received_at) VALUES ($1, $2, $3)
             ON CONFLICT (provider, event_id) DO NOTHING",
        )
        .bind(provider)
        .bind(event_id)
        .bind(now.as_millis())
        .execute(at)
        .await
        .map(|done| done.rows_affected() == 1))
}

/// Forgets the announcements from before `before`, and says how many they were. The provider repeats one for a day.
///
/// # Errors
/// When the database fails.
pub async fn delete_before(tx: &mut Tx, before: Timestamp) -> Result<u64> {
    each!(tx.at(), at => sqlx::query("DELETE FROM webhook_events WHERE received_at < $1")
        .bind(before.as_millis())
        .execute(at)
        .await
        .map(|done| done.rows_affected()))
}
