//! How much happens on each day: the one record of uploads and searches that deletions leave alone.

use domain::{EventId, Timestamp, UserId};
use jiff::civil::Date;

use crate::decode::FromColumns;
use crate::row::row;
use crate::statements::{execute, fetch_all, fetch_one};
use crate::{Executor, Result, Tx, decode};

/// What happened on one day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Day {
    /// Which day, in UTC.
    pub date: Date,
    /// How many photos were uploaded.
    pub uploads: i64,
    /// How many searches were answered.
    pub searches: i64,
}

row! {
    /// The numbers of an owner's dashboard.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct Summary {
        /// All events, deleted ones too.
        pub total_events: i64,
        /// Those that exist, or are being deleted.
        pub active_events: i64,
        /// Those that are deleted.
        pub deleted_events: i64,
        /// Every photo that was ever uploaded, to the library too.
        pub photos_uploaded: i64,
        /// Every face that is stored.
        pub faces_indexed: i64,
    }
}

row! {
    pub(crate) struct DayRow {
        day: String,
        uploads: i64,
        searches: i64,
    }
}

impl FromColumns for Day {
    type Columns = DayRow;

    fn from_columns(row: DayRow) -> Result<Self> {
        let date = decode::known(row.day.parse().ok(), "activity.day")?;
        Ok(Self { date, uploads: row.uploads, searches: row.searches })
    }
}

impl FromColumns for Summary {
    type Columns = Self;

    fn from_columns(row: Self) -> Result<Self> {
        Ok(row)
    }
}

fn collection_of(event: Option<EventId>, owner: UserId) -> String {
    event.map_or_else(|| owner.to_string(), |event| event.to_string())
}

/// Counts an upload to an owner's event, or to the library when `event` is none.
pub(crate) async fn count_upload(
    tx: &mut Tx,
    event: Option<EventId>,
    owner: UserId,
    now: Timestamp,
) -> Result<()> {
    execute!(
        tx,
        "INSERT INTO activity (collection, day, owner_id, uploads) VALUES ($1, $2, $3, 1)
         ON CONFLICT (collection, day) DO UPDATE SET uploads = activity.uploads + 1",
        collection_of(event, owner),
        now.date(),
        owner,
    )?;
    Ok(())
}

/// Counts a search in an owner's event, or over all of the owner's photos when `event` is none.
pub async fn count_search(
    db: impl Executor,
    event: Option<EventId>,
    owner: UserId,
    now: Timestamp,
) -> Result<()> {
    execute!(
        db,
        "INSERT INTO activity (collection, day, owner_id, searches) VALUES ($1, $2, $3, 1)
         ON CONFLICT (collection, day) DO UPDATE SET searches = activity.searches + 1",
        collection_of(event, owner),
        now.date(),
        owner,
    )?;
    Ok(())
}

/// The numbers of an owner's dashboard.
pub async fn summary(db: impl Executor, owner: UserId) -> Result<Summary> {
    fetch_one!(
        db,
        Summary,
        "SELECT COUNT(*) AS total_events, COUNT(*) - COUNT(deleted_at) AS active_events,
             COUNT(deleted_at) AS deleted_events,
             (SELECT CAST(COALESCE(SUM(uploads), 0) AS BIGINT) FROM activity WHERE owner_id = $1) AS photos_uploaded,
             CAST(COALESCE(SUM(faces_stored), 0) AS BIGINT)
                 + COALESCE((SELECT library_faces FROM users WHERE id = $1), 0) AS faces_indexed
         FROM events WHERE owner_id = $1",
        owner,
    )
}

/// What happened around an owner's photos on each day from that of `since` on, oldest first; days without anything are
/// left out.
pub async fn by_day(db: impl Executor, owner: UserId, since: Timestamp) -> Result<Vec<Day>> {
    fetch_all!(
        db,
        Day,
        "SELECT day, CAST(SUM(uploads) AS BIGINT) AS uploads, CAST(SUM(searches) AS BIGINT) AS searches
         FROM activity WHERE owner_id = $1 AND day >= $2 GROUP BY day ORDER BY day",
        owner,
        since.date(),
    )
}
