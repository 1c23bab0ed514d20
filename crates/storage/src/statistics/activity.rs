//! How much happens on each day: the one record of uploads and of what guests do that deletions leave alone.

use domain::statistics::Counts;
use domain::{EventId, Timestamp, UserId};
use jiff::civil::Date;

use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::{execute, fetch_all, fetch_one};
use crate::{Executor, Result, Tx};

/// What happened on one day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Day {
    /// Which day, in UTC.
    pub date: Date,
    /// How many photos were uploaded.
    pub uploads: i64,
    /// What guests did; at the searches also those over all of the owner's photos.
    pub counts: Counts,
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
    pub(crate) struct CountsRow {
        visits: i64,
        searches: i64,
        searches_found: i64,
        searches_empty: i64,
        guests_helped: i64,
        downloads: i64,
        browsed: i64,
        hearts: i64,
        shown: i64,
        not_me: i64,
        missed: i64,
    }
}

row! {
    pub(crate) struct DayRow {
        ..counts: CountsRow,
        day: String,
        uploads: i64,
    }
}

impl FromColumns for Counts {
    type Columns = CountsRow;

    fn from_columns(row: CountsRow) -> Result<Self> {
        Ok(Self {
            visits: row.visits,
            searches: row.searches,
            searches_found: row.searches_found,
            searches_empty: row.searches_empty,
            guests_helped: row.guests_helped,
            downloads: row.downloads,
            browsed: row.browsed,
            hearts: row.hearts,
            shown: row.shown,
            not_me: row.not_me,
            missed: row.missed,
        })
    }
}

impl FromColumns for Day {
    type Columns = DayRow;

    fn from_columns(row: DayRow) -> Result<Self> {
        let date = decode::known(row.day.parse().ok(), "activity.day")?;
        Ok(Self { date, uploads: row.uploads, counts: Counts::from_columns(row.counts)? })
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

/// What is counted together: what happened on a day in an owner's event, or over all of the owner's photos when `event` is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The event.
    pub event: Option<EventId>,
    /// Whose.
    pub owner: UserId,
    /// Which day, in UTC.
    pub day: Date,
}

/// Adds what guests did. Of an owner who is not there any more nothing is kept.
pub async fn add(tx: &mut Tx, place: Place, counts: Counts) -> Result<()> {
    execute!(
        tx,
        "INSERT INTO activity
             (collection, day, owner_id, visits, searches, searches_found, searches_empty, guests_helped, downloads,
              browsed, hearts, shown, not_me, missed)
         SELECT $1, $2, id, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14 FROM users WHERE id = $3
         ON CONFLICT (collection, day) DO UPDATE SET visits = activity.visits + $4,
             searches = activity.searches + $5, searches_found = activity.searches_found + $6,
             searches_empty = activity.searches_empty + $7, guests_helped = activity.guests_helped + $8,
             downloads = activity.downloads + $9, browsed = activity.browsed + $10, hearts = activity.hearts + $11,
             shown = activity.shown + $12, not_me = activity.not_me + $13, missed = activity.missed + $14",
        collection_of(place.event, place.owner),
        place.day,
        place.owner,
        counts.visits,
        counts.searches,
        counts.searches_found,
        counts.searches_empty,
        counts.guests_helped,
        counts.downloads,
        counts.browsed,
        counts.hearts,
        counts.shown,
        counts.not_me,
        counts.missed,
    )?;
    Ok(())
}

/// The numbers of an owner's dashboard.
pub async fn summary(db: &dyn Executor, owner: UserId) -> Result<Summary> {
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

macro_rules! sums {
    () => {
        "CAST(COALESCE(SUM(visits), 0) AS BIGINT) AS visits, CAST(COALESCE(SUM(searches), 0) AS BIGINT) AS searches,
         CAST(COALESCE(SUM(searches_found), 0) AS BIGINT) AS searches_found,
         CAST(COALESCE(SUM(searches_empty), 0) AS BIGINT) AS searches_empty,
         CAST(COALESCE(SUM(guests_helped), 0) AS BIGINT) AS guests_helped,
         CAST(COALESCE(SUM(activity.downloads), 0) AS BIGINT) AS downloads,
         CAST(COALESCE(SUM(browsed), 0) AS BIGINT) AS browsed, CAST(COALESCE(SUM(hearts), 0) AS BIGINT) AS hearts,
         CAST(COALESCE(SUM(shown), 0) AS BIGINT) AS shown, CAST(COALESCE(SUM(not_me), 0) AS BIGINT) AS not_me,
         CAST(COALESCE(SUM(missed), 0) AS BIGINT) AS missed"
    };
}

/// What happened around an owner's photos on each day from that of `since` on, oldest first; days without anything are
/// left out.
pub async fn by_day(db: &dyn Executor, owner: UserId, since: Timestamp) -> Result<Vec<Day>> {
    fetch_all!(
        db,
        Day,
        concat!(
            "SELECT day, CAST(SUM(uploads) AS BIGINT) AS uploads, ",
            sums!(),
            " FROM activity WHERE owner_id = $1 AND day >= $2 GROUP BY day ORDER BY day"
        ),
        owner,
        since.date(),
    )
}

/// What happened in an event on each day, oldest first; days without anything are left out.
pub async fn of_event(db: &dyn Executor, event: EventId) -> Result<Vec<Day>> {
    fetch_all!(
        db,
        Day,
        "SELECT day, uploads, visits, searches, searches_found, searches_empty, guests_helped, downloads,
             browsed, hearts, shown, not_me, missed
         FROM activity WHERE collection = $1 ORDER BY day",
        event,
    )
}

/// What guests did in an owner's events that are not deleted, from the day of `from` to that of `to`.
pub async fn of_days(db: &dyn Executor, owner: UserId, from: Timestamp, to: Timestamp) -> Result<Counts> {
    fetch_one!(
        db,
        Counts,
        concat!(
            "SELECT ",
            sums!(),
            " FROM activity JOIN events ON events.id = activity.collection
             WHERE activity.owner_id = $1 AND activity.day >= $2 AND activity.day <= $3 AND events.deleted_at IS NULL"
        ),
        owner,
        from.date(),
        to.date(),
    )
}
