//! The history of an account's money, from payments, refunds and the ledger.

use domain::payments::PaymentOutcome;
use domain::payments::history::{Change, Entry, Position};
use domain::payments::ledger::LedgerKind;
use domain::{Paise, Timestamp, UserId};

use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::fetch_all;
use crate::{Executor, Result};

row! {
    pub(crate) struct HistoryRow {
        happened_at: i64,
        position_id: String,
        source: String,
        kind: String,
        credits: i64,
        paid: i64,
        missing: i64,
        returned: i64,
        photos: i64,
        event_name: Option<String>,
        payment_id: Option<String>,
        note: Option<String>,
    }
}

impl FromColumns for Entry {
    type Columns = HistoryRow;

    fn from_columns(row: HistoryRow) -> Result<Self> {
        let payment_id = || decode::known(row.payment_id.clone(), "payments.payment_id");
        let (credits, paid) = (Paise::new(row.credits), Paise::new(row.paid));
        let change = match row.source.as_str() {
            "payment" => Change::Paid {
                payment_id: payment_id()?,
                amount: paid,
                outcome: decode::known(PaymentOutcome::from_stored(&row.kind), "payments.bought")?,
                credits,
                returned: Paise::new(row.returned),
            },
            "refund" => Change::Refunded {
                payment_id: payment_id()?,
                amount: paid,
                taken: credits,
                missing: Paise::new(row.missing),
            },
            "uploads" => Change::Uploaded { event: row.event_name, photos: row.photos, price: credits },
            _ => Change::Granted {
                kind: decode::known(LedgerKind::from_stored(&row.kind), "ledger.kind")?,
                credits,
                note: row.note,
            },
        };
        let at = Timestamp::from_millis(row.happened_at);
        Ok(Self { position: Position { at, id: row.position_id }, change })
    }
}

/// What happened to an account's money, latest first, from what is before `before`. Uploads to one event on one day (UTC) are
/// one entry, which stands where the first of them does: what is charged later moves no entry between pages. The ledger's
/// rows of payments and refunds are told by these. Of charges and of the ledger's other rows it reads as many as a page
/// has, of payments and refunds all.
pub async fn page(
    db: &dyn Executor,
    user: UserId,
    before: Option<&Position>,
    limit: i64,
) -> Result<Vec<Entry>> {
    let (at, id) =
        before.map_or((Timestamp::from_millis(i64::MAX), ""), |position| (position.at, &*position.id));
    fetch_all!(
        db,
        Entry,
        "SELECT happened_at, position_id, source, kind, credits, paid, missing, returned, photos, event_name, payment_id, note
         FROM (
             SELECT captured_at AS happened_at, order_id || ' ' || payment_id AS position_id, 'payment' AS source,
                 bought AS kind, credits, amount AS paid, CAST(0 AS BIGINT) AS missing,
                 CAST((SELECT COALESCE(SUM(refunds.amount), 0) FROM refunds WHERE refunds.provider = payments.provider
                     AND refunds.payment_id = payments.payment_id AND refunds.status IN ('pending', 'processed')) AS BIGINT)
                     AS returned,
                 CAST(0 AS BIGINT) AS photos, CAST(NULL AS TEXT) AS event_name, payment_id, CAST(NULL AS TEXT) AS note
             FROM payments WHERE user_id = $1
             UNION ALL
             SELECT refunds.created_at, refunds.id, 'refund', 'refund', credits_taken, refunds.amount, credits_missing, 0,
                 0, NULL, refunds.payment_id, NULL
             FROM refunds JOIN payments
                 ON payments.provider = refunds.provider AND payments.payment_id = refunds.payment_id
             WHERE payments.user_id = $1 AND refunds.status IN ('pending', 'processed')
             UNION ALL
             SELECT * FROM (
                 SELECT created_at, id, 'ledger', kind, change, 0, 0, 0, 0, NULL, NULL,
                     CASE WHEN kind = 'adjustment' THEN reference ELSE (SELECT 'Coupon ' || coupons.code FROM orders
                         JOIN coupons ON coupons.id = orders.coupon_id WHERE orders.id = ledger.reference) END
                 FROM ledger WHERE user_id = $1 AND kind <> 'upload' AND (created_at, id) < ($2, $3)
                     AND NOT EXISTS (SELECT 1 FROM payments WHERE ledger.kind IN ('recharge', 'premium')
                         AND payments.order_id = ledger.reference AND payments.bought IN ('credits', 'premium_plan'))
                     AND NOT EXISTS (SELECT 1 FROM refunds
                         WHERE ledger.kind = 'adjustment' AND refunds.id = ledger.reference)
                 ORDER BY created_at DESC, id DESC LIMIT $4
             ) AS others
             UNION ALL
             SELECT * FROM (
                 SELECT first_at, first_id, 'uploads', 'upload', price, 0, 0, 0, photos,
                     (SELECT name FROM events WHERE events.id = charges.event_id), NULL, NULL
                 FROM charges WHERE user_id = $1 AND (first_at, first_id) < ($2, $3)
                 ORDER BY first_at DESC, first_id DESC LIMIT $4
             ) AS uploads
         ) AS history
         WHERE happened_at < $2 OR (happened_at = $2 AND position_id < $3)
         ORDER BY happened_at DESC, position_id DESC LIMIT $4",
        user,
        at,
        id,
        limit,
    )
}
