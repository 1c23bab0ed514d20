//! The totals of an installation.

use domain::events::keeping::Keeping;
use domain::{Paise, Timestamp};

use crate::events::retention::{kept_longer, millis, period};
use crate::operations::runtime::decode::FromColumns;
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::fetch_one;
use crate::{Executor, Result};

/// What all accounts and events have together, and how the ledger comes to the sum of all balances.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Open accounts.
    pub accounts: i64,
    /// Those of administrators.
    pub administrators: i64,
    /// Those with a verified address.
    pub verified: i64,
    /// Those that are locked.
    pub locked: i64,
    /// Events that are not deleted.
    pub events: i64,
    /// Photos, in events and in none.
    pub photos: i64,
    /// The bytes of their originals.
    pub original_bytes: i64,
    /// Of them those of events that keep them past the installation's period, because their photographers have chosen so.
    pub kept_longer: KeptLonger,
    /// Credits that were bought.
    pub bought: Paise,
    /// Credits that accounts began with, or were given.
    pub granted: Paise,
    /// Credits that were taken from accounts.
    pub taken: Paise,
    /// Credits that refunds of payments took back.
    pub returned: Paise,
    /// Credits that uploads cost.
    pub charged: Paise,
    /// The sum of all balances.
    pub balances: Paise,
}

/// What events keep past the installation's period.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KeptLonger {
    /// Photos.
    pub photos: i64,
    /// The bytes of their originals.
    pub bytes: i64,
}

impl Totals {
    /// What the ledger says that all balances are together.
    pub const fn balance(&self) -> Paise {
        let Self { bought, granted, taken, returned, charged, .. } = self;
        Paise::new(bought.get() + granted.get() - taken.get() - returned.get() - charged.get())
    }
}

row! {
    pub(crate) struct TotalsRow {
        accounts: i64,
        administrators: i64,
        verified: i64,
        locked: i64,
        events: i64,
        photos: i64,
        original_bytes: i64,
        kept_photos: i64,
        kept_bytes: i64,
        bought: i64,
        granted: i64,
        taken: i64,
        returned: i64,
        charged: i64,
        balances: i64,
    }
}

impl FromColumns for Totals {
    type Columns = TotalsRow;

    fn from_columns(row: TotalsRow) -> Result<Self> {
        Ok(Self {
            accounts: row.accounts,
            administrators: row.administrators,
            verified: row.verified,
            locked: row.locked,
            events: row.events,
            photos: row.photos,
            original_bytes: row.original_bytes,
            kept_longer: KeptLonger { photos: row.kept_photos, bytes: row.kept_bytes },
            bought: Paise::new(row.bought),
            granted: Paise::new(row.granted),
            taken: Paise::new(row.taken),
            returned: Paise::new(row.returned),
            charged: Paise::new(row.charged),
            balances: Paise::new(row.balances),
        })
    }
}

/// The totals, at one moment. Reads every account and event, the sums of uploads by day, and the ledger's rows of another
/// kind; no photo, and no row of an upload. Nobody asks for it at each request.
pub async fn totals(db: &dyn Executor, keeping: Keeping, now: Timestamp) -> Result<Totals> {
    fetch_one!(
        db,
        Totals,
        concat!(
            "SELECT accounts, administrators, verified, locked, events, photos + library_photos AS photos,
             bytes + library_bytes AS original_bytes, kept_photos, kept_bytes, bought, granted, taken, returned, charged, balances
         FROM (
             SELECT COUNT(CASE WHEN closed_at IS NULL THEN 1 END) AS accounts,
                 COUNT(CASE WHEN is_admin THEN 1 END) AS administrators, COUNT(email_verified_at) AS verified,
                 COUNT(locked_at) AS locked, CAST(COALESCE(SUM(library_photos), 0) AS BIGINT) AS library_photos,
                 CAST(COALESCE(SUM(library_bytes), 0) AS BIGINT) AS library_bytes,
                 CAST(COALESCE(SUM(credits), 0) AS BIGINT) AS balances
             FROM users
         ) AS people CROSS JOIN (
             SELECT COUNT(*) AS events, CAST(COALESCE(SUM(photos_stored), 0) AS BIGINT) AS photos,
                 CAST(COALESCE(SUM(bytes_stored), 0) AS BIGINT) AS bytes,
                 CAST(COALESCE(SUM(CASE WHEN ",
            kept_longer!(),
            " THEN photos_stored END), 0) AS BIGINT) AS kept_photos,
                 CAST(COALESCE(SUM(CASE WHEN ",
            kept_longer!(),
            " THEN bytes_stored END), 0) AS BIGINT) AS kept_bytes
             FROM events WHERE deleted_at IS NULL
         ) AS face_indexes CROSS JOIN (
             SELECT CAST(COALESCE(SUM(price), 0) AS BIGINT) AS charged FROM charges
         ) AS uploads CROSS JOIN (
             SELECT CAST(COALESCE(SUM(CASE WHEN kind IN ('recharge', 'premium') THEN change END), 0) AS BIGINT) AS bought,
                 CAST(COALESCE(SUM(CASE WHEN kind = 'signup' OR kind = 'adjustment' AND NOT of_refund AND change > 0
                     THEN change END), 0) AS BIGINT) AS granted,
                 CAST(COALESCE(SUM(CASE WHEN kind = 'adjustment' AND NOT of_refund AND change < 0
                     THEN -change END), 0) AS BIGINT) AS taken,
                 CAST(COALESCE(SUM(CASE WHEN of_refund THEN -change END), 0) AS BIGINT) AS returned
             FROM (
                 SELECT kind, change, kind = 'adjustment'
                     AND EXISTS (SELECT 1 FROM refunds WHERE refunds.id = ledger.reference) AS of_refund
                 FROM ledger WHERE kind <> 'upload'
             ) AS entries
         ) AS others"
        ),
        millis(keeping.default_period()),
        millis(keeping.longest_period()),
        now,
    )
}
