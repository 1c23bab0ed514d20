//! Second factors of accounts.

use domain::accounts::tokens::TokenHash;
use domain::{Timestamp, UserId};

use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::{execute, fetch_optional};
use crate::{Executor, Result, Tx};

/// The second factor of an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SecondFactor {
    /// The secret of an authenticator app, encrypted.
    pub secret: Vec<u8>,
    /// Since when it is asked for; none until a code has shown that the app has the secret.
    pub confirmed_at: Option<Timestamp>,
    /// When a code was taken last.
    pub last_used_at: Option<Timestamp>,
    /// How many recovery codes are left.
    pub recovery_codes: i64,
}

row! {
    pub(crate) struct SecondFactorRow {
        secret: Vec<u8>,
        confirmed_at: Option<i64>,
        last_used_at: Option<i64>,
        recovery_codes: i64,
    }
}

impl FromColumns for SecondFactor {
    type Columns = SecondFactorRow;

    fn from_columns(row: SecondFactorRow) -> Result<Self> {
        Ok(Self {
            secret: row.secret,
            confirmed_at: decode::time(row.confirmed_at),
            last_used_at: decode::time(row.last_used_at),
            recovery_codes: row.recovery_codes,
        })
    }
}

/// The second factor of an account, confirmed or not.
pub async fn find(db: &dyn Executor, user: UserId) -> Result<Option<SecondFactor>> {
    fetch_optional!(
        db,
        SecondFactor,
        "SELECT secret, confirmed_at, last_used_at,
             (SELECT COUNT(*) FROM recovery_codes WHERE recovery_codes.user_id = second_factors.user_id) AS recovery_codes
         FROM second_factors WHERE user_id = $1",
        user,
    )
}

/// Keeps a secret until it is confirmed, in the place of another one that was not; false when one was.
pub async fn begin(tx: &mut Tx, user: UserId, secret: &[u8], now: Timestamp) -> Result<bool> {
    let kept = execute!(
        tx,
        "INSERT INTO second_factors (user_id, secret, created_at) VALUES ($1, $2, $3)
         ON CONFLICT (user_id) DO UPDATE SET secret = excluded.secret, created_at = excluded.created_at
         WHERE second_factors.confirmed_at IS NULL",
        user,
        secret,
        now,
    )?;
    Ok(kept == 1)
}

/// Confirms a secret by the code of this step, with recovery codes of these hashes; false when it is not the one that waits.
pub async fn confirm(
    tx: &mut Tx,
    user: UserId,
    secret: &[u8],
    step: i64,
    recovery: &[TokenHash],
    now: Timestamp,
) -> Result<bool> {
    let confirmed = execute!(
        tx,
        "UPDATE second_factors SET confirmed_at = $4, last_used_at = $4, last_step = $3
         WHERE user_id = $1 AND secret = $2 AND confirmed_at IS NULL",
        user,
        secret,
        step,
        now,
    )?;
    if confirmed == 0 {
        return Ok(false);
    }
    for hash in recovery {
        execute!(tx, "INSERT INTO recovery_codes (hash, user_id) VALUES ($1, $2)", hash, user)?;
    }
    Ok(true)
}

/// Takes the code of a step; false when one of it or of a later one was taken before.
pub async fn take_step(tx: &mut Tx, user: UserId, step: i64, now: Timestamp) -> Result<bool> {
    let taken = execute!(
        tx,
        "UPDATE second_factors SET last_step = $2, last_used_at = $3
         WHERE user_id = $1 AND confirmed_at IS NOT NULL AND last_step < $2",
        user,
        step,
        now,
    )?;
    Ok(taken == 1)
}

/// Takes a recovery code; false when there is none of this hash, any more.
pub async fn take_recovery_code(tx: &mut Tx, user: UserId, hash: &TokenHash, now: Timestamp) -> Result<bool> {
    let taken = execute!(tx, "DELETE FROM recovery_codes WHERE user_id = $1 AND hash = $2", user, hash)?;
    if taken == 1 {
        execute!(tx, "UPDATE second_factors SET last_used_at = $2 WHERE user_id = $1", user, now)?;
    }
    Ok(taken == 1)
}

/// Removes the second factor of an account with its recovery codes; false when it has none that is confirmed.
pub async fn remove(tx: &mut Tx, user: UserId) -> Result<bool> {
    execute!(tx, "DELETE FROM recovery_codes WHERE user_id = $1", user)?;
    execute!(tx, "UPDATE sessions SET proved_at = NULL WHERE user_id = $1", user)?;
    execute!(tx, "DELETE FROM second_factors WHERE user_id = $1 AND confirmed_at IS NULL", user)?;
    Ok(execute!(tx, "DELETE FROM second_factors WHERE user_id = $1", user)? == 1)
}
