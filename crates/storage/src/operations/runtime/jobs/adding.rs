//! Adding jobs.

use domain::{Job, JobId, Timestamp};

use super::turns::{self, Place};
use super::{ClaimedJob, JobState};
use crate::operations::runtime::decode;
use crate::operations::runtime::statements::{execute, fetch_optional};
use crate::{Result, Tx};

/// Inserts a job; it runs once the transaction is committed, at `run_at` or later. One that indexes a photo waits for its
/// collection's turn.
pub async fn enqueue(tx: &mut Tx, id: JobId, job: &Job, now: Timestamp, run_at: Timestamp) -> Result<()> {
    let place = turns::next(tx, job, now).await?;
    insert(tx, id, job, now, run_at, &place).await
}

async fn insert(
    tx: &mut Tx,
    id: JobId,
    job: &Job,
    now: Timestamp,
    run_at: Timestamp,
    place: &Place,
) -> Result<()> {
    let payload = decode::known(serde_json::to_string(job).ok(), "jobs.payload")?;
    execute!(
        tx,
        "INSERT INTO jobs (id, kind, payload, state, run_at, created_at, photo_id, lane, turn)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        id,
        job.kind(),
        payload,
        JobState::Queued,
        run_at,
        now,
        job.photo(),
        place.lane,
        place.turn,
    )?;
    Ok(())
}

/// Inserts a job that the holder of `lease` performs itself at once; when it does not settle or renew it until
/// `leased_until`, any worker may claim it.
pub async fn enqueue_leased(
    tx: &mut Tx,
    id: JobId,
    job: &Job,
    lease: &str,
    now: Timestamp,
    leased_until: Timestamp,
) -> Result<ClaimedJob> {
    enqueue(tx, id, job, now, now).await?;
    execute!(
        tx,
        "UPDATE jobs SET attempts = 1, lease = $2, leased_until = $3 WHERE id = $1",
        id,
        lease,
        leased_until,
    )?;
    Ok(ClaimedJob { id, job: job.clone(), attempts: 1, crashes: 0 })
}

/// Adds a job about a photo that runs once nothing else is due, unless one of its kind is queued or has failed; says whether
/// it did.
pub async fn enqueue_in_background(tx: &mut Tx, id: JobId, job: &Job, now: Timestamp) -> Result<bool> {
    let known = fetch_optional!(
        tx,
        JobId,
        "SELECT id FROM jobs WHERE photo_id = $1 AND kind = $2 AND state <> 'done' LIMIT 1",
        job.photo(),
        job.kind(),
    )?;
    if known.is_some() {
        return Ok(false);
    }
    let place = Place { lane: None, turn: turns::BACKGROUND };
    insert(tx, id, job, now, now, &place).await?;
    Ok(true)
}
