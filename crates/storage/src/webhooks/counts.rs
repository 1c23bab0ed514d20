//! What is counted for a minute before endpoints of webhooks are told. The row goes when they are.

use domain::webhooks::EventType;
use domain::{EventId, Timestamp, UserId};

use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::{execute, fetch_optional};
use crate::{Result, Tx};

/// Numbers that name nobody.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    /// Photos that became searchable.
    pub photos: i64,
    /// Searches that were answered.
    pub searches: i64,
    /// Those of them that found a photo.
    pub searches_found: i64,
}

/// What was counted in one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch {
    /// The event; none for the library of an owner.
    pub event: Option<EventId>,
    /// The numbers.
    pub counted: Counted,
    /// When the first of them was added.
    pub since: Timestamp,
}

row! {
    pub(crate) struct BatchRow {
        event_id: Option<String>,
        photos: i64,
        searches: i64,
        searches_found: i64,
        since: i64,
    }
}

impl FromColumns for Batch {
    type Columns = BatchRow;

    fn from_columns(row: BatchRow) -> Result<Self> {
        let BatchRow { event_id, photos, searches, searches_found, since } = row;
        Ok(Self {
            event: decode::optional_id(event_id.as_deref(), "webhook_counts.event_id")?,
            counted: Counted { photos, searches, searches_found },
            since: Timestamp::from_millis(since),
        })
    }
}

/// What identifies the place that is counted.
pub fn collection_of(event: Option<EventId>, owner: UserId) -> String {
    event.map_or_else(|| owner.to_string(), |event| event.to_string())
}

/// Adds numbers, unless no endpoint of operators or of this owner is told of them. True when they are the first since the last message, so that another
/// one is due.
pub async fn add(
    tx: &mut Tx,
    event_type: EventType,
    event: Option<EventId>,
    owner: UserId,
    counted: Counted,
    now: Timestamp,
) -> Result<bool> {
    let additions = fetch_optional!(
        tx,
        i64,
        "INSERT INTO webhook_counts
             (event_type, collection, event_id, photos, searches, searches_found, additions, since)
         SELECT $1, $2, $3, $4, $5, $6, 1, $7 WHERE EXISTS (
             SELECT 1 FROM webhook_endpoints WHERE owner_id IS NULL AND disabled_at IS NULL
                 AND ',' || event_types || ',' LIKE '%,' || $1 || ',%')
         OR EXISTS (
             SELECT 1 FROM webhook_endpoints WHERE owner_id = $8 AND disabled_at IS NULL
                 AND ',' || event_types || ',' LIKE '%,' || $1 || ',%')
         ON CONFLICT (event_type, collection) DO UPDATE SET photos = webhook_counts.photos + excluded.photos,
             searches = webhook_counts.searches + excluded.searches,
             searches_found = webhook_counts.searches_found + excluded.searches_found,
             additions = webhook_counts.additions + 1
         RETURNING additions",
        event_type,
        collection_of(event, owner),
        event,
        counted.photos,
        counted.searches,
        counted.searches_found,
        now,
        owner,
    )?;
    Ok(additions == Some(1))
}

/// Takes what was counted; none when there is nothing.
pub async fn take(tx: &mut Tx, event_type: EventType, collection: &str) -> Result<Option<Batch>> {
    fetch_optional!(
        tx,
        Batch,
        "DELETE FROM webhook_counts WHERE event_type = $1 AND collection = $2
         RETURNING event_id, photos, searches, searches_found, since",
        event_type,
        collection,
    )
}

/// Deletes what was counted since before `before` and nobody was told of, and answers how many rows those were: their job
/// failed, and as long as they are there no other is enqueued.
pub async fn delete_before(tx: &mut Tx, before: Timestamp) -> Result<u64> {
    execute!(tx, "DELETE FROM webhook_counts WHERE since < $1", before)
}
