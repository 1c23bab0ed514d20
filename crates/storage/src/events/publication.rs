//! What of an event's photos guests are shown.

use domain::events::publication::Publication;
use domain::{EventId, Timestamp};

use crate::faces::index;
use crate::operations::runtime::dialect::for_update;
use crate::operations::runtime::statements::{execute, fetch_all};
use crate::photos::counters::{self, Counted};
use crate::photos::visibility::is_objected;
use crate::{Result, Tx};

/// Publishes the held photos of an event, which the transaction has locked, up to the one with this number, and answers how many
/// they were. Those of them that a guest has asked to hide stay hidden.
pub async fn publish(tx: &mut Tx, event: EventId, through: i64) -> Result<i64> {
    // In the order of their ids, as everybody does who changes several.
    let statement =
        for_update!(tx.engine(), "SELECT id FROM photos WHERE event_id = $1 AND held <= $2 ORDER BY id");
    let photos = fetch_all!(&mut *tx, String, statement, event, through)?;
    if photos.is_empty() {
        return Ok(0);
    }
    index::reread_event(tx, event).await?;
    let published = fetch_all!(
        &mut *tx,
        Counted,
        concat!(
            "UPDATE photos SET held = NULL, hidden = ",
            is_objected!(),
            " WHERE event_id = $1 AND held <= $2 RETURNING ",
            counters::columns!()
        ),
        event,
        through,
    )?;
    let change = |after: &Counted| after.counts() - Counted { held: true, ..*after }.counts();
    counters::add_all(tx, published.iter().map(|after| (after.collection(), change(after)))).await?;
    let number = i64::try_from(published.len()).unwrap_or(i64::MAX);
    execute!(&mut *tx, "UPDATE events SET uploads_held = uploads_held - $2 WHERE id = $1", event, number)?;
    Ok(number)
}

/// Changes what becomes of photos that arrive in an event, which the transaction has locked. Once it is complete the guests who
/// wait are compared once more, each of them.
pub async fn set(tx: &mut Tx, event: EventId, publication: Publication, now: Timestamp) -> Result<()> {
    let completed_at = (publication == Publication::Complete).then_some(now);
    execute!(
        tx,
        "UPDATE events SET publication = $2, completed_at = $3, revision = revision + 1 WHERE id = $1",
        event,
        publication.as_str(),
        completed_at,
    )?;
    Ok(())
}
