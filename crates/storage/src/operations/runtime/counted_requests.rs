//! Requests that were counted against limits lately, by all processes of one database together (decision 0034).

use std::time::Duration;

use domain::Timestamp;
use domain::accounts::tokens::TokenHash;

use crate::operations::runtime::decode::known;
use crate::operations::runtime::dialect::skip_locked;
use crate::operations::runtime::statements::{Statement, execute, fetch_optional};
use crate::{Db, Executor, Result};

/// Digits of a stored moment, which are enough for milliseconds until the year 2286.
const DIGITS: usize = 13;

/// What becomes of the row when there is one: its oldest moments leave for the new ones, as far as there is no room for all. The
/// row stays as it is where one of them is still to be counted, which the condition ends with.
const IF_COUNTED_BEFORE: &str = " ON CONFLICT (key) DO UPDATE SET moments =
         CASE WHEN length(counted_requests.moments) + length(excluded.moments) > excluded.room
             THEN substr(counted_requests.moments, CAST(
                 length(counted_requests.moments) + length(excluded.moments) - excluded.room + 1 AS INTEGER))
             ELSE counted_requests.moments END || excluded.moments,
         room = excluded.room, expires_at = excluded.expires_at
     WHERE length(counted_requests.moments) + length(excluded.moments) <= excluded.room
         OR substr(counted_requests.moments, CAST(
             length(counted_requests.moments) + length(excluded.moments) - excluded.room - 12 AS INTEGER), 13) <= ";

/// What a request is counted by, and how often.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Count {
    /// The hash of a limit and of whom it is counted for.
    pub key: TokenHash,
    /// How often the request counts.
    pub times: usize,
    /// How often requests may count within the window of the limit; no less than `times`.
    pub maximum: usize,
}

/// Counts a request by each of these keys, of which no two are the same, or by none of them: false when one has been counted
/// too often in the `window` before `now`. Requests that count by the same key wait for each other, for one statement each
/// where they have no other key.
pub async fn count(db: &Db, counts: &[Count], now: Timestamp, window: Duration) -> Result<bool> {
    // In the same order for everybody, so that none waits in a circle.
    let mut counts = counts.to_vec();
    counts.sort();
    if counts.len() == 1 {
        return insert(db, &counts, now, window).await;
    }
    let mut tx = db.begin().await?;
    let is_counted = insert(&mut tx, &counts, now, window).await?;
    if is_counted {
        tx.commit().await?
    } else {
        tx.rollback().await?
    }
    Ok(is_counted)
}

/// Whether all of them could be counted; some may be when others cannot.
async fn insert(db: &dyn Executor, counts: &[Count], now: Timestamp, window: Duration) -> Result<bool> {
    let mut statement = Statement::built("INSERT INTO counted_requests (key, moments, room, expires_at) ");
    statement.push_values(counts.iter().map(|count| {
        [
            count.key.as_slice().into(),
            stored(now).repeat(count.times).into(),
            room(count.maximum).into(),
            now.plus(window).into(),
        ]
    }));
    statement.push(IF_COUNTED_BEFORE).push_bind(stored(now.minus(window)));
    let counted = statement.persistent().execute(db.writer()).await?;
    Ok(usize::try_from(counted) == Ok(counts.len()))
}

/// Takes back what [`count`] has counted a moment ago: the newest moments of each key, whichever they are now, since all that
/// matters of them is their number.
pub async fn take_back(db: &Db, counts: &[Count]) -> Result<()> {
    let mut counts = counts.to_vec();
    counts.sort();
    let mut tx = db.begin().await?;
    for Count { key, times, .. } in &counts {
        execute!(
            &mut tx,
            "UPDATE counted_requests
             SET moments = substr(moments, 1, CAST(length(moments) - CAST($2 AS BIGINT) AS INTEGER))
             WHERE key = $1 AND length(moments) >= CAST($2 AS BIGINT)",
            key,
            room(*times),
        )?;
    }
    tx.commit().await
}

/// The moments that are stored for a key, the oldest first; some of them may not count any more.
pub async fn moments(db: &dyn Executor, key: &TokenHash) -> Result<Vec<Timestamp>> {
    let stored = fetch_optional!(db, String, "SELECT moments FROM counted_requests WHERE key = $1", key)?;
    let stored = stored.unwrap_or_default();
    let moments = stored.as_bytes().chunks(DIGITS).map(|digits| {
        let digits = std::str::from_utf8(digits).ok().filter(|digits| digits.len() == DIGITS);
        let millis = digits.and_then(|digits| digits.parse().ok());
        Ok(Timestamp::from_millis(known(millis, "counted_requests.moments")?))
    });
    moments.collect()
}

/// Deletes what does not count any more at `now`, and answers the number of its keys.
pub async fn delete_expired(db: &Db, now: Timestamp) -> Result<u64> {
    let mut statement = Statement::built(
        "DELETE FROM counted_requests WHERE key IN (SELECT key FROM counted_requests WHERE expires_at <= ",
    );
    // A key that is being counted by stays, so that this waits for nobody.
    statement.push_bind(now).push(skip_locked(db.engine())).push(")");
    statement.persistent().execute(db.writer()).await
}

fn stored(moment: Timestamp) -> String {
    format!("{:0DIGITS$}", moment.as_millis().max(0))
}

/// What the engines can count with: a limit beyond that is none.
fn room(maximum: usize) -> i64 {
    i32::try_from(maximum.saturating_mul(DIGITS)).unwrap_or(i32::MAX).into()
}
