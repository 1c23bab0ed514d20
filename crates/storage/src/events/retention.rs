//! When the retention period of an event's photos has ended, and whether their owner was told.
//!
//! `domain::events::Event::computed_expiry` computes for one event when it expires, and [`expiry!`] for all of them. Photos are
//! removed at the date that a delivered mail has told (`removal_at`), never before.

use std::time::Duration;

use domain::events::Event;
use domain::events::keeping::{self, Keeping};
use domain::events::zones::Zone;
use domain::{EventId, PhotoId, Timestamp};

use crate::events::{changes, select};
use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::dialect::for_update;
use crate::operations::runtime::encode::cursor;
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::{execute, fetch_all, fetch_optional};
use crate::{Db, Executor, Result, Tx};

/// Events whose moments are read in one query.
const BATCH: i64 = 1_000;

/// For how long an event's photos are kept; `$1` is the installation's own period and `$2` its longest.
macro_rules! period {
    () => {
        "(CASE WHEN keep_days IS NULL THEN $1 WHEN keep_days = 0 OR keep_days * 86400000 > $2 THEN $2 ELSE keep_days * 86400000 END)"
    };
}

/// A year, or the period where that is longer: `domain::events::longest_retention`.
macro_rules! longest {
    () => {
        concat!("(CASE WHEN ", period!(), " < 31536000000 THEN 31536000000 ELSE ", period!(), " END)")
    };
}

/// When an event expires whose owner has chosen no day.
macro_rules! latest {
    () => {
        concat!(
            "(CASE WHEN last_upload_at + ",
            longest!(),
            " < retained_from + ",
            period!(),
            " THEN last_upload_at + ",
            longest!(),
            " ELSE retained_from + ",
            period!(),
            " END)"
        )
    };
}

/// The chosen day, but `domain::events::NOTICE` after an upload at the earliest; NULL when none is chosen.
macro_rules! chosen {
    () => {
        "(CASE WHEN chosen_expiry < last_upload_at + 604800000 THEN last_upload_at + 604800000 ELSE chosen_expiry END)"
    };
}

/// Whether an event keeps photos that would be removed by `$3` if its owner had chosen no longer period.
macro_rules! kept_longer {
    () => {
        concat!("keep_days IS NOT NULL AND ", period!(), " > $1 AND retained_from + $1 <= $3")
    };
}
pub(crate) use {kept_longer, period};

/// When an event expires.
macro_rules! expiry {
    () => {
        concat!("(CASE WHEN ", chosen!(), " < ", latest!(), " THEN ", chosen!(), " ELSE ", latest!(), " END)")
    };
}

macro_rules! has_expired {
    () => {
        concat!("deleting_since IS NULL AND deleted_at IS NULL AND ", expiry!(), " <= $3")
    };
}

/// Whether guests expect nothing more of an event without photos. Where none ever came, those who were there early wait for the
/// first, however late it is, for a year after its date and its creation.
macro_rules! is_over {
    () => {
        concat!(
            has_expired!(),
            " AND (last_upload_at IS NOT NULL OR (retained_from + ",
            longest!(),
            " <= $3 AND created_at + ",
            longest!(),
            " <= $3))"
        )
    };
}

macro_rules! is_due {
    () => {
        concat!(has_expired!(), " AND removal_at <= $3 AND removal_at >= ", expiry!())
    };
}

pub(crate) fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

/// The open events that have photos, have expired by `now`, and whose owner was told of a removal by then, longest expired
/// first.
pub async fn due(db: &dyn Executor, keeping: Keeping, now: Timestamp, limit: i64) -> Result<Vec<Event>> {
    fetch_all!(
        db,
        Event,
        select!(concat!("WHERE photos_stored > 0 AND ", is_due!()), "ORDER BY retained_from, id LIMIT $4"),
        millis(keeping.default_period()),
        millis(keeping.longest_period()),
        now,
        limit,
    )
}

/// Whether an event is still due. Its row is locked, so that this stays so until the transaction ends: no upload comes
/// between this and the removal of its photos.
pub async fn lock_due(tx: &mut Tx, event: EventId, keeping: Keeping, now: Timestamp) -> Result<bool> {
    let statement = for_update!(tx.engine(), concat!("SELECT id FROM events WHERE id = $4 AND ", is_due!()));
    let (period, longest) = (millis(keeping.default_period()), millis(keeping.longest_period()));
    let due = fetch_optional!(tx, String, statement, period, longest, now, event)?;
    Ok(due.is_some())
}

/// The open events that are over for their guests by `now` and still have something of them, requests, subscriptions or what devices
/// keep of searches, but no photo that this could be about.
pub async fn with_guests_alone(
    db: &dyn Executor,
    keeping: Keeping,
    now: Timestamp,
    limit: i64,
) -> Result<Vec<EventId>> {
    fetch_all!(
        db,
        EventId,
        concat!(
            "SELECT id FROM events
             WHERE photos_stored = 0
                 AND (objection_key IS NOT NULL OR subscription_key IS NOT NULL OR search_key IS NOT NULL) AND ",
            is_over!(),
            " AND NOT EXISTS (SELECT 1 FROM trashed_photos WHERE trashed_photos.event_id = events.id)
             ORDER BY retained_from, id LIMIT $4"
        ),
        millis(keeping.default_period()),
        millis(keeping.longest_period()),
        now,
        limit,
    )
}

/// Whether an open event has expired, whether or not its owner was told; one to which no photo ever came, whether it is over for its
/// guests. Its row is locked.
pub async fn lock_expired(tx: &mut Tx, event: EventId, keeping: Keeping, now: Timestamp) -> Result<bool> {
    let statement = for_update!(tx.engine(), concat!("SELECT id FROM events WHERE id = $4 AND ", is_over!()));
    let (period, longest) = (millis(keeping.default_period()), millis(keeping.longest_period()));
    let expired = fetch_optional!(tx, String, statement, period, longest, now, event)?;
    Ok(expired.is_some())
}

/// The periods by which an owner is warned.
#[derive(Clone, Copy, Debug)]
pub struct Warning {
    /// For how long photos are kept.
    pub keeping: Keeping,
    /// How long before the removal at least.
    pub notice: Duration,
    /// How long before the removal a warning is enqueued, so that it arrives in time.
    pub lead: Duration,
    /// How long a warning may take from its enqueueing to its delivery before another one is enqueued.
    pub patience: Duration,
}

/// The open events that have photos, expire within the lead, and whose owner has no valid warning: none was enqueued, it was
/// for an earlier date than the expiry or a needlessly late one, or it was not delivered. A page by their ids, after `after`.
pub async fn to_warn(
    db: &dyn Executor,
    warning: Warning,
    now: Timestamp,
    after: Option<EventId>,
    limit: i64,
) -> Result<Vec<Event>> {
    let Warning { keeping, notice, lead, patience } = warning;
    fetch_all!(
        db,
        Event,
        select!(
            concat!(
                "WHERE photos_stored > 0 AND deleting_since IS NULL AND deleted_at IS NULL AND ",
                expiry!(),
                " <= $3 AND (warned_for IS NULL OR warned_for < ",
                expiry!(),
                " OR (warned_for > $4 AND warned_for > ",
                expiry!(),
                ") OR (warned_for <= $5 AND (removal_at IS NULL OR removal_at <> warned_for))) AND id > $6"
            ),
            "ORDER BY id LIMIT $7"
        ),
        millis(keeping.default_period()),
        millis(keeping.longest_period()),
        now.plus(lead),
        now.plus(lead),
        now.plus(notice).minus(patience),
        cursor(after),
        limit,
    )
}

/// Records that a warning of the removal at `at` is enqueued; true for the first caller alone.
pub async fn mark_warned(tx: &mut Tx, event: EventId, at: Timestamp) -> Result<bool> {
    let updated = execute!(
        tx,
        "UPDATE events SET warned_for = $2 WHERE id = $1 AND (warned_for IS NULL OR warned_for <> $2)",
        event,
        at,
    )?;
    Ok(updated == 1)
}

/// The removal date of the warning that was enqueued last.
pub async fn warned_for(db: &dyn Executor, event: EventId) -> Result<Option<Timestamp>> {
    let at = fetch_optional!(
        db,
        i64,
        "SELECT warned_for FROM events WHERE id = $1 AND warned_for IS NOT NULL",
        event,
    )?;
    Ok(at.map(Timestamp::from_millis))
}

/// Records that the warning which was enqueued for `planned` is delivered, and told the owner of the removal at `told`;
/// false when another warning was enqueued meanwhile.
pub async fn confirm_warning(
    db: &dyn Executor,
    event: EventId,
    planned: Timestamp,
    told: Timestamp,
) -> Result<bool> {
    let updated = execute!(
        db,
        "UPDATE events SET warned_for = $3, removal_at = $3 WHERE id = $1 AND warned_for = $2",
        event,
        planned,
        told,
    )?;
    Ok(updated == 1)
}

/// An event, and whether the moments of its days are stored as this program computes them.
struct Computed {
    id: String,
    is_stored: bool,
}

row! {
    pub(crate) struct ComputedRow {
        id: String,
        date: String,
        time_zone: Option<String>,
        expires_on: Option<String>,
        last_upload_at: Option<i64>,
        retained_from: i64,
        chosen_expiry: Option<i64>,
    }
}

impl FromColumns for Computed {
    type Columns = ComputedRow;

    fn from_columns(row: ComputedRow) -> Result<Self> {
        let stored = (row.retained_from, row.chosen_expiry);
        let is_stored = moments(&row).is_none_or(|computed| computed == stored);
        Ok(Self { id: row.id, is_stored })
    }
}

/// When an event's period begins and the chosen day does; none where a day or the zone cannot be read, which stops no start.
fn moments(row: &ComputedRow) -> Option<(i64, Option<i64>)> {
    let zone = match &row.time_zone {
        Some(name) => Zone::parse(name).ok()?,
        None => Zone::utc(),
    };
    let date = row.date.parse().ok()?;
    let retained_from = keeping::retained_from(&zone, date, decode::time(row.last_upload_at));
    let chosen_expiry = match &row.expires_on {
        Some(day) => Some(zone.start_of_day(day.parse().ok()?).as_millis()),
        None => None,
    };
    Some((retained_from.as_millis(), chosen_expiry))
}

/// Stores the moments of open events' days as this program computes them, and answers how many events had others: the rules of a
/// time zone are part of the program, and those of a day ahead may have changed since its moment was stored. What agrees is not
/// written, so that it may be stopped at any time, run at each start, and run by several processes at once.
pub async fn renew_moments(db: &Db) -> Result<u64> {
    let (mut renewed, mut after) = (0, String::new());
    loop {
        let page = fetch_all!(
            db,
            Computed,
            "SELECT id, date, time_zone, expires_on, last_upload_at, retained_from, chosen_expiry FROM events
             WHERE id > $1 AND deleting_since IS NULL AND deleted_at IS NULL ORDER BY id LIMIT $2",
            after,
            BATCH,
        )?;
        let Some(last) = page.last() else { return Ok(renewed) };
        after.clone_from(&last.id);
        for computed in page.iter().filter(|computed| !computed.is_stored) {
            // What cannot be read stops no start.
            let Ok(event) = computed.id.parse() else { continue };
            let mut tx = db.begin().await?;
            if let Some(event) = changes::lock(&mut tx, event).await? {
                changes::save(&mut tx, &event).await?;
                tx.commit().await?;
                renewed += 1;
            }
        }
    }
}

/// Forgets what an owner was told, who has chosen another period: the date of the one before is none of the next.
pub async fn forget_warning(tx: &mut Tx, event: EventId) -> Result<()> {
    execute!(tx, "UPDATE events SET warned_for = NULL, removal_at = NULL WHERE id = $1", event)?;
    Ok(())
}

/// Deleted photos whose event has expired by `now`, or that were uploaded to a library the installation's period before. Nobody is warned of their
/// removal; but where the owner was told a day, they stay until then, and those of a restored event until they are back.
pub async fn trashed(
    db: &dyn Executor,
    keeping: Keeping,
    now: Timestamp,
    limit: i64,
) -> Result<Vec<PhotoId>> {
    fetch_all!(
        db,
        PhotoId,
        concat!(
            "SELECT id FROM trashed_photos
             WHERE (event_id IS NULL AND created_at + $1 <= $3 AND (removal_at IS NULL OR removal_at <= $3))
                 OR (SELECT ",
            expiry!(),
            " FROM events
                     WHERE events.id = trashed_photos.event_id AND (removal_at IS NULL OR removal_at <= $3)
                         AND (restoring_since IS NULL OR restoring_since <> trashed_at)) <= $3
             ORDER BY id LIMIT $4"
        ),
        millis(keeping.default_period()),
        millis(keeping.longest_period()),
        now,
        limit,
    )
}
