//! What is remembered of the clock.

use domain::Timestamp;
use domain::operations::clock_watch::{ClockWatch, Jump};

use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::dialect::for_update;
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::{execute, fetch_one, fetch_optional};
use crate::{Executor, Result, Tx};

row! {
    pub(crate) struct ClockWatchRow {
        seen_at: i64,
        jumped_from: Option<i64>,
        jumped_to: Option<i64>,
        held_until: Option<i64>,
    }
}

impl FromColumns for ClockWatch {
    type Columns = ClockWatchRow;

    fn from_columns(row: ClockWatchRow) -> Result<Self> {
        let jump = decode::time(row.jumped_from).zip(decode::time(row.jumped_to));
        Ok(Self {
            seen_at: Timestamp::from_millis(row.seen_at),
            jump: jump.map(|(from, to)| Jump { from, to }),
            held_until: decode::time(row.held_until),
        })
    }
}

macro_rules! select {
    () => {
        "SELECT seen_at, jumped_from, jumped_to, held_until FROM clock_watch WHERE name = 'clock'"
    };
}

/// What is remembered; none before the first look at the clock.
pub async fn get(db: &dyn Executor) -> Result<Option<ClockWatch>> {
    fetch_optional!(db, ClockWatch, select!())
}

/// What is remembered, locked until the transaction ends. Without a former look at the clock this is the first one.
pub async fn lock(tx: &mut Tx, now: Timestamp) -> Result<ClockWatch> {
    execute!(
        &mut *tx,
        "INSERT INTO clock_watch (name, seen_at) VALUES ('clock', $1) ON CONFLICT (name) DO NOTHING",
        now,
    )?;
    let statement = for_update!(tx.engine(), select!());
    fetch_one!(tx, ClockWatch, statement)
}

/// Remembers what was seen.
pub async fn save(tx: &mut Tx, watch: &ClockWatch) -> Result<()> {
    execute!(
        tx,
        "UPDATE clock_watch SET seen_at = $1, jumped_from = $2, jumped_to = $3, held_until = $4 WHERE name = 'clock'",
        watch.seen_at,
        watch.jump.map(|jump| jump.from),
        watch.jump.map(|jump| jump.to),
        watch.held_until,
    )?;
    Ok(())
}
