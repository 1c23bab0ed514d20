//! What uploads have cost, by account, event and day: sums of the ledger's rows, of which the history has one line each.

use domain::{EventId, LedgerId, Paise, Timestamp, UserId};

use crate::operations::runtime::statements::{execute, fetch_all};
use crate::{Executor, Result, Tx};

/// The sums as the ledger has them.
macro_rules! summed {
    ($where:literal) => {
        concat!(
            "SELECT user_id, COALESCE(event_id, user_id) AS collection, created_at / 86400000 AS day, event_id,
                 MIN(created_at) AS first_at, MIN(id) AS first_id, COUNT(*) AS photos,
                 CAST(SUM(-change) AS BIGINT) AS price
             FROM ledger WHERE kind = 'upload'",
            $where,
            " GROUP BY user_id, event_id, created_at / 86400000"
        )
    };
}

/// A row of the ledger.
pub(crate) struct Charge {
    pub(crate) row: LedgerId,
    pub(crate) user: UserId,
    pub(crate) event: Option<EventId>,
    pub(crate) price: Paise,
    pub(crate) at: Timestamp,
}

/// Adds a row of the ledger, whose account the transaction has locked.
pub(crate) async fn add(tx: &mut Tx, charge: &Charge) -> Result<()> {
    let Charge { row, user, event, price, at } = *charge;
    let collection = event.map_or_else(|| user.to_string(), |event| event.to_string());
    execute!(
        tx,
        "INSERT INTO charges (user_id, collection, day, event_id, first_at, first_id, photos, price)
         VALUES ($1, $2, $3, $4, $5, $6, 1, $7)
         ON CONFLICT (user_id, collection, day) DO UPDATE SET photos = charges.photos + 1,
             price = charges.price + excluded.price,
             first_at = CASE WHEN excluded.first_at < charges.first_at THEN excluded.first_at ELSE charges.first_at END,
             first_id = CASE WHEN excluded.first_id < charges.first_id THEN excluded.first_id ELSE charges.first_id END",
        user,
        collection,
        at.as_millis() / 86_400_000,
        event,
        at,
        row,
        price,
    )?;
    Ok(())
}

/// The accounts whose sums are others than their ledger has.
pub(crate) async fn differing(db: &dyn Executor) -> Result<Vec<UserId>> {
    fetch_all!(
        db,
        UserId,
        concat!(
            "SELECT DISTINCT COALESCE(summed.user_id, charges.user_id) AS user_id FROM (",
            summed!(""),
            ") AS summed FULL JOIN charges ON charges.user_id = summed.user_id
                 AND charges.collection = summed.collection AND charges.day = summed.day
             WHERE summed.user_id IS NULL OR charges.user_id IS NULL OR charges.photos <> summed.photos
                 OR charges.price <> summed.price OR charges.first_at <> summed.first_at
                 OR charges.first_id <> summed.first_id
             ORDER BY user_id"
        ),
    )
}

/// Sums an account's rows again; the transaction has locked the account.
pub(crate) async fn sum_again(tx: &mut Tx, user: UserId) -> Result<()> {
    execute!(&mut *tx, "DELETE FROM charges WHERE user_id = $1", user)?;
    execute!(
        tx,
        concat!(
            "INSERT INTO charges (user_id, collection, day, event_id, first_at, first_id, photos, price) ",
            summed!(" AND user_id = $1")
        ),
        user,
    )?;
    Ok(())
}
