//! How often people agreed to which version of the notice about selfies: numbers by day, tied to no person and no event.

use domain::Timestamp;
use jiff::civil::Date;

use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::{execute, fetch_all};
use crate::{Executor, Result};

/// The searches of one day under one version of the notice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agreed {
    /// Which day, in UTC.
    pub day: Date,
    /// The version, or [`domain::faces::consents::NO_NOTICE`].
    pub version: String,
    /// How many searches.
    pub searches: i64,
}

row! {
    pub(crate) struct AgreedRow {
        day: String,
        version: String,
        searches: i64,
    }
}

impl FromColumns for Agreed {
    type Columns = AgreedRow;

    fn from_columns(row: AgreedRow) -> Result<Self> {
        let day = decode::known(row.day.parse().ok(), "consents.day")?;
        Ok(Self { day, version: row.version, searches: row.searches })
    }
}

/// Counts a search under this version of the notice.
pub async fn count(db: &dyn Executor, version: &str, now: Timestamp) -> Result<()> {
    execute!(
        db,
        "INSERT INTO consents (day, version, searches) VALUES ($1, $2, 1)
         ON CONFLICT (day, version) DO UPDATE SET searches = consents.searches + 1",
        now.date(),
        version,
    )?;
    Ok(())
}

/// Every day and version, oldest first.
pub async fn all(db: &dyn Executor) -> Result<Vec<Agreed>> {
    fetch_all!(db, Agreed, "SELECT day, version, searches FROM consents ORDER BY day, version")
}
