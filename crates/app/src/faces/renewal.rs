//! How far photos are described anew after a change of the model pack.

use std::fmt;
use std::time::Duration;

use domain::operations::runtime::jobs::JobKind;
use domain::{Timestamp, UserId};
use storage::Db;

use crate::{App, Result};

/// The time over which it is measured how fast photos are described.
const MEASURED: Duration = Duration::from_secs(10 * 60);

/// How far all photos of an installation are described anew. Searches find all of them meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Renewal {
    /// Photos that the pack in use has described.
    pub done: i64,
    /// These, and those that the pack before has.
    pub total: i64,
    /// How long the rest takes, as fast as it went in the last ten minutes; none where nothing was done in them.
    pub left: Option<Duration>,
}

impl Renewal {
    /// None once no photo waits to be described anew by `pack`; `previous` is the pack whose recogniser it carries.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn of(db: &Db, pack: &str, previous: Option<&str>, now: Timestamp) -> Result<Option<Self>> {
        let Some(previous) = previous else { return Ok(None) };
        let waiting = storage::photos::count_described(db, previous).await?;
        if waiting == 0 {
            return Ok(None);
        }
        let done = storage::photos::count_described(db, pack).await?;
        let recently =
            storage::operations::runtime::jobs::count_done(db, JobKind::DescribePhoto, now.minus(MEASURED))
                .await?;
        Ok(Some(Self { done, total: done + waiting, left: time_for(waiting, recently) }))
    }
}

/// How far a photographer's own photos are described anew; `left` is for how long the whole installation goes on, so that it takes no
/// longer. None once none of theirs waits.
///
/// # Errors
/// When the database fails.
pub async fn of_owner(app: &App, owner: UserId) -> Result<Option<Renewal>> {
    let (pack, previous) = (app.engine.pack_id(), app.engine.previous_id());
    let Some(previous) = previous else { return Ok(None) };
    let Some(renewal) = Renewal::of(&app.db, pack, Some(previous), app.now()).await? else { return Ok(None) };
    let waiting = storage::photos::count_described_of(&app.db, owner, previous).await?;
    if waiting == 0 {
        return Ok(None);
    }
    let done = storage::photos::count_described_of(&app.db, owner, pack).await?;
    Ok(Some(Renewal { done, total: done + waiting, ..renewal }))
}

/// How long so many photos take if `recently` took the time over which is measured.
fn time_for(waiting: i64, recently: i64) -> Option<Duration> {
    let (waiting, recently) =
        (u64::try_from(waiting).ok()?, u64::try_from(recently).ok().filter(|done| *done > 0)?);
    Some(Duration::from_secs(MEASURED.as_secs().saturating_mul(waiting) / recently))
}

impl fmt::Display for Renewal {
    /// A sentence for an operator.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { done, total, left } = *self;
        write!(
            formatter,
            "{} of {} photos are described anew with the model pack in use",
            grouped(done),
            grouped(total)
        )?;
        match left.map(|left| left.as_secs().div_ceil(60)) {
            None => {}
            Some(..=1) => write!(formatter, ", about a minute is left")?,
            Some(minutes @ ..=119) => write!(formatter, ", about {minutes} minutes are left")?,
            Some(minutes @ ..=2_879) => write!(formatter, ", about {} hours are left", (minutes + 30) / 60)?,
            Some(minutes) => write!(formatter, ", about {} days are left", (minutes + 720) / 1_440)?,
        }
        formatter.write_str("; searches find all of them meanwhile.")
    }
}

/// With commas between thousands.
fn grouped(number: i64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_says_how_far_it_is_and_how_long_the_rest_takes() {
        // [FACE540]
        let said = |waiting, recently| {
            Renewal { done: 12_400, total: 12_400 + waiting, left: time_for(waiting, recently) }.to_string()
        };
        let sentence = |total: &str, left: &str| {
            format!(
                "12,400 of {total} photos are described anew with the model pack in use{left}; searches find all of them meanwhile."
            )
        };
        assert_eq!(said(87_600, 7_300), sentence("100,000", ", about 2 hours are left"));
        assert_eq!(said(100, 7_300), sentence("12,500", ", about a minute is left"));
        assert_eq!(said(600, 600), sentence("13,000", ", about 10 minutes are left"));
        assert_eq!(said(1_000_000, 600), sentence("1,012,400", ", about 12 days are left"));
        assert_eq!(said(100, 0), sentence("12,500", ""), "it has not begun");
    }
}
