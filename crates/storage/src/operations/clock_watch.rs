//! What is remembered of the clock.

use std::time::Duration;

use domain::Timestamp;
use domain::accounts::passkeys::CHALLENGE_LIFETIME;
use domain::accounts::single_sign_on::{LINK_LIFETIME, TIME_TO_LOG_IN};
use domain::operations::clock_watch::{BACK, ClockWatch, Jump};
use domain::payments::orders::MAX_CHECK_INTERVAL;
use domain::statistics::{WEEK, next_summary};

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

/// What a clock that was ahead has dated and something waits for: the age of orders, uses of coupons, mails about guests' requests,
/// the removal of guests' photos, warnings of removals from libraries, attempts at passwords. And what opens something for a time that
/// such a clock has begun: links that were mailed, invitations, sessions that were used.
const DATED: [&str; 8] = [
    "UPDATE orders SET created_at = $1 WHERE status = 'open' AND created_at > $2",
    "UPDATE coupon_uses SET reserved_at = $1 WHERE state = 'reserved' AND reserved_at > $2",
    "UPDATE objections SET told_at = $1 WHERE told_at > $2",
    "UPDATE objections SET reminded_at = $1 WHERE waits AND COALESCE(reminded_at, created_at) > $2",
    "UPDATE password_failures SET last_at = $1, retry_at = $1 WHERE last_at > $2",
    "UPDATE mailed_links SET created_at = $1, expires_at = $1 + (expires_at - created_at) WHERE created_at > $2",
    "UPDATE event_invitations SET sent_at = $1, expires_at = $1 + (expires_at - sent_at) WHERE sent_at > $2",
    "UPDATE sessions SET last_used_at = $1 WHERE last_used_at > $2",
];

/// What ends: sessions that such a clock has made, and second factors that it has dated. Their people log in, or give one, again.
const ENDS: [&str; 2] = [
    "DELETE FROM sessions WHERE created_at > $1",
    "UPDATE sessions SET proved_at = NULL WHERE proved_at > $1",
];

/// What waits for a person's next step, and for how long at most: logins at a provider, tickets, questions to passkeys.
const STEPS: [(&str, Duration); 3] = [
    ("DELETE FROM single_sign_on_attempts WHERE expires_at > $1", TIME_TO_LOG_IN),
    ("DELETE FROM login_tickets WHERE expires_at > $1", LINK_LIFETIME),
    ("DELETE FROM passkey_challenges WHERE expires_at > $1", CHALLENGE_LIFETIME),
];

/// Sets back what lies further ahead than it can, outside of jobs and tasks, and answers how many rows those were: a clock that
/// was ahead has written it, and what waits for it would wait for as long as that clock was ahead.
pub async fn set_back(tx: &mut Tx, now: Timestamp) -> Result<u64> {
    let mut rows = execute!(
        &mut *tx,
        "UPDATE orders SET check_at = $1 WHERE status = 'open' AND check_at > $2",
        now,
        now.plus(MAX_CHECK_INTERVAL),
    )?;
    for statement in ENDS {
        rows += execute!(&mut *tx, statement, now.plus(BACK))?;
    }
    for statement in DATED {
        rows += execute!(&mut *tx, statement, now, now.plus(BACK))?;
    }
    for (statement, longest) in STEPS {
        rows += execute!(&mut *tx, statement, now.plus(longest).plus(BACK))?;
    }
    // Whoever was told of another day is told again.
    rows += execute!(
        &mut *tx,
        "UPDATE guest_photos SET warned_at = NULL WHERE became IS NULL AND warned_at > $1",
        now.plus(BACK),
    )?;
    // Accounts last: whoever has what is theirs may wait for them.
    rows += execute!(
        &mut *tx,
        "UPDATE users SET library_warned_at = $1 WHERE library_warned_at > $2",
        now,
        now.plus(BACK),
    )?;
    rows += execute!(
        tx,
        "UPDATE users SET weekly_summary_at = $1 WHERE weekly_summary_at > $2",
        next_summary(now),
        now.plus(WEEK),
    )?;
    Ok(rows)
}
