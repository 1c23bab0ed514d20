//! In which order jobs of one kind come: collections of photos take turns.
//!
//! A new job's turn is the one after the last of its collection, but not before the turn that the queue has come to. So a
//! collection with one job waits for as many jobs as there are other collections, not for all of theirs.

use domain::operations::runtime::jobs::JobKind;
use domain::{Job, Timestamp};

use crate::operations::runtime::statements::{fetch_one, fetch_optional};
use crate::{Executor, Result, Tx};

/// Turns from here on come when nothing else is due.
pub(super) const BACKGROUND: i64 = 1 << 40;

/// A job's place in its queue.
pub(super) struct Place {
    /// With whom it takes turns.
    pub(super) lane: Option<String>,
    /// When it comes.
    pub(super) turn: i64,
}

/// The place of a new job. Two that are added to one lane at the same moment may get the same.
pub(super) async fn next(tx: &mut Tx, job: &Job, now: Timestamp) -> Result<Place> {
    let lane = match job.photo() {
        Some(photo) => fetch_optional!(tx, String, "SELECT collection FROM photos WHERE id = $1", photo)?,
        None => None,
    };
    let Some(lane) = lane else { return Ok(Place { lane: None, turn: 0 }) };
    let last = fetch_optional!(
        tx,
        i64,
        "SELECT turn FROM jobs WHERE state = 'queued' AND lane = $1 AND turn < $2 ORDER BY turn DESC LIMIT 1",
        lane,
        BACKGROUND,
    )?;
    // Jobs that wait to be tried again do not hold the queue back.
    let current = fetch_optional!(
        tx,
        i64,
        "SELECT turn FROM jobs WHERE state = 'queued' AND kind = $1 AND run_at <= $2 AND turn < $3
         ORDER BY turn LIMIT 1",
        job.kind(),
        now,
        BACKGROUND,
    )?;
    let turn = last.map_or(0, |last| last + 1).max(current.unwrap_or(0));
    Ok(Place { lane: Some(lane), turn })
}

/// How many jobs of a kind are queued that run once nothing else is due.
pub async fn count_in_background(db: &dyn Executor, kind: JobKind) -> Result<i64> {
    fetch_one!(
        db,
        i64,
        "SELECT COUNT(*) FROM jobs WHERE state = 'queued' AND kind = $1 AND turn >= $2",
        kind,
        BACKGROUND,
    )
}
