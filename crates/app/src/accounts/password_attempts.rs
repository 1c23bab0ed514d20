//! The delay after wrong passwords: it grows with each, by what they are tried for, and is stored, so that a restart does
//! not end it (decision 0016).

use std::time::Duration;

use domain::accounts::tokens::{self, TokenHash};
use domain::accounts::{EmailAddress, RequestedMail};
use domain::{DAY, Refusal, Timestamp};
use storage::accounts::password_attempts::{self, PasswordFailures};

use crate::accounts::mail_requests;
use crate::operations::runtime::limits;
use crate::operations::runtime::queue::Tx;
use crate::{App, Result};

/// The delay after the first wrong password that has one; doubled with each further one.
const FIRST_DELAY: Duration = Duration::from_secs(30);
/// The longest delay: an attack that goes on costs its victim at most this, and an attacker has four attempts an hour.
const LONGEST_DELAY: Duration = Duration::from_secs(15 * 60);
/// For how long after the last attempt failures count.
pub(crate) const MEMORY: Duration = DAY;
/// How many failures in succession the owner is told of.
const TOLD_AFTER: i64 = 10;
/// How often an attempt is recorded anew because another one came between.
const CONTENTION: usize = 5;

/// An attempt, which counts as a failure until it has succeeded: so attempts that run at the same time are all counted.
pub(crate) struct Attempt {
    key: TokenHash,
    failures: i64,
}

/// Whose password is tried.
pub(crate) fn subject(text: &str) -> TokenHash {
    tokens::hash_token(text)
}

/// Admits an attempt and records it.
///
/// # Errors
/// [`Refusal::TooMany`], with the time to wait, whether or not there is such an account.
pub(crate) async fn begin(app: &App, key: TokenHash) -> Result<Attempt> {
    let free = i64::from(app.settings.limits.wrong_passwords);
    if free == 0 {
        return Ok(Attempt { key, failures: 0 });
    }
    for _ in 0..CONTENTION {
        let now = app.now();
        let stored = password_attempts::find(&app.db, &key).await?;
        let counted = stored.filter(|stored| now.since(stored.last_at) < MEMORY);
        if let Some(counted) = counted.filter(|counted| counted.retry_at > now) {
            return Err(limits::refuse_password(app, counted.retry_at.since(now)).into());
        }
        let failures = counted.map_or(0, |counted| counted.failures) + 1;
        let new = PasswordFailures { failures, last_at: now, retry_at: now.plus(delay(failures, free)) };
        let mut tx = app.begin().await?;
        if password_attempts::replace(&mut tx, &key, stored, new).await? {
            tx.commit().await?;
            return Ok(Attempt { key, failures });
        }
    }
    Err(Refusal::Busy.into())
}

impl Attempt {
    /// Forgets the failures: the password was right.
    pub(crate) async fn succeed(self, tx: &mut Tx) -> Result<()> {
        Ok(password_attempts::clear(tx, &self.key).await?)
    }

    /// Whether its failure is the one that the owner is told of.
    pub(crate) const fn is_told(&self) -> bool {
        self.failures == TOLD_AFTER
    }

    /// Leaves the failure as it is recorded, and asks for the mail that tells the owner of the address, if there is one.
    pub(crate) async fn fail(self, app: &App, email: &EmailAddress) -> Result<()> {
        if !self.is_told() {
            return Ok(());
        }
        mail_requests::create(app, RequestedMail::WrongPasswords, email.as_str()).await
    }
}

/// The delay after so many failures, of which the first `free` have none.
fn delay(failures: i64, free: i64) -> Duration {
    match u32::try_from(failures.saturating_sub(free).min(10)) {
        Ok(doublings) => FIRST_DELAY.saturating_mul(1 << doublings).min(LONGEST_DELAY),
        Err(_) => Duration::ZERO,
    }
}

/// Deletes what does not count any more.
pub(crate) async fn delete_forgotten(tx: &mut Tx, now: Timestamp) -> Result<()> {
    password_attempts::delete_before(tx, now.minus(MEMORY)).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_delay_grows_up_to_a_quarter_of_an_hour() {
        // [SAFE102]
        let delays: Vec<u64> = (1..=13).map(|failures| delay(failures, 5).as_secs()).collect();
        assert_eq!(delays, [0, 0, 0, 0, 30, 60, 120, 240, 480, 900, 900, 900, 900]);
        assert_eq!(delay(i64::MAX, 1), LONGEST_DELAY);
    }
}
