//! The totals of the installation, counted at most once a minute.

use std::sync::Arc;
use std::time::Duration;

use domain::events::keeping::Keeping;
use domain::{Clock, Timestamp};
use storage::Db;
use storage::operations::administration::Totals;
use tokio::sync::Mutex;

use crate::Result;

/// For how long the totals hold. Counting reads every account and event.
const HOLDS: Duration = Duration::from_secs(60);

/// The totals, and when they were counted.
#[derive(Clone, Debug)]
pub struct Counted {
    /// When.
    pub at: Timestamp,
    /// The totals.
    pub totals: Totals,
    /// What the database takes, in bytes.
    pub database_bytes: i64,
}

/// What was counted last. Who asks while it is counted waits for that answer.
#[derive(Default)]
pub(crate) struct TotalsCache(Mutex<Option<Arc<Counted>>>);

impl TotalsCache {
    pub(crate) async fn get(&self, db: &Db, clock: &Clock, keeping: Keeping) -> Result<Arc<Counted>> {
        let mut last = self.0.lock().await;
        let at = clock.now();
        // Those from the future were counted before the clock was set back.
        if let Some(counted) = last.as_ref().filter(|last| last.at <= at && at.since(last.at) < HOLDS) {
            return Ok(counted.clone());
        }
        let totals = storage::operations::administration::totals(db, keeping, at).await?;
        let counted =
            Arc::new(Counted { at, totals, database_bytes: storage::operations::schema::size(db).await? });
        *last = Some(counted.clone());
        Ok(counted)
    }
}
