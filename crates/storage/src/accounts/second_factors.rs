//! Second factors of accounts: authenticator apps, and the recovery codes that take the place of any factor.

use domain::accounts::tokens::TokenHash;
use domain::{Timestamp, UserId};

use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::{execute, fetch_one, fetch_optional};
use crate::{Executor, Result, Tx};

/// The authenticator app of an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SecondFactor {
    /// The secret of an authenticator app, encrypted.
    pub secret: Vec<u8>,
    /// When the secret was made.
    pub begun_at: Timestamp,
    /// Since when it is asked for; none until a code has shown that the app has the secret.
    pub confirmed_at: Option<Timestamp>,
    /// When a code was taken last.
    pub last_used_at: Option<Timestamp>,
}

row! {
    pub(crate) struct SecondFactorRow {
        secret: Vec<u8>,
        created_at: i64,
        confirmed_at: Option<i64>,
        last_used_at: Option<i64>,
    }
}

impl FromColumns for SecondFactor {
    type Columns = SecondFactorRow;

    fn from_columns(row: SecondFactorRow) -> Result<Self> {
        Ok(Self {
            secret: row.secret,
            begun_at: Timestamp::from_millis(row.created_at),
            confirmed_at: decode::time(row.confirmed_at),
            last_used_at: decode::time(row.last_used_at),
        })
    }
}

/// The authenticator app of an account, confirmed or not.
pub async fn find(db: &dyn Executor, user: UserId) -> Result<Option<SecondFactor>> {
    fetch_optional!(
        db,
        SecondFactor,
        "SELECT secret, created_at, confirmed_at, last_used_at FROM second_factors WHERE user_id = $1",
        user,
    )
}

/// How many recovery codes an account has left.
pub async fn recovery_codes(db: &dyn Executor, user: UserId) -> Result<i64> {
    fetch_one!(db, i64, "SELECT COUNT(*) FROM recovery_codes WHERE user_id = $1", user)
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

/// Confirms a secret by the code of this step; false when it is not the one that waits.
pub async fn confirm(tx: &mut Tx, user: UserId, secret: &[u8], step: i64, now: Timestamp) -> Result<bool> {
    let confirmed = execute!(
        tx,
        "UPDATE second_factors SET confirmed_at = $4, last_used_at = $4, last_step = $3
         WHERE user_id = $1 AND secret = $2 AND confirmed_at IS NULL",
        user,
        secret,
        step,
        now,
    )?;
    Ok(confirmed == 1)
}

/// Deletes the secret that waits to be confirmed, if there is one.
pub async fn delete_unconfirmed(tx: &mut Tx, user: UserId) -> Result<()> {
    execute!(tx, "DELETE FROM second_factors WHERE user_id = $1 AND confirmed_at IS NULL", user)?;
    Ok(())
}

/// Gives an account recovery codes of these hashes.
pub async fn add_recovery_codes(tx: &mut Tx, user: UserId, hashes: &[TokenHash]) -> Result<()> {
    for hash in hashes {
        execute!(tx, "INSERT INTO recovery_codes (hash, user_id) VALUES ($1, $2)", hash, user)?;
    }
    Ok(())
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

/// Removes the authenticator app of an account, and with the last second factor what belongs to them all; false when it has none
/// that is confirmed.
pub async fn remove(tx: &mut Tx, user: UserId) -> Result<bool> {
    delete_unconfirmed(tx, user).await?;
    let removed = execute!(tx, "DELETE FROM second_factors WHERE user_id = $1", user)?;
    clear_without_any(tx, user).await?;
    Ok(removed == 1)
}

/// Takes recovery codes, and what sessions have proved, from an account that has neither an authenticator app nor a passkey.
pub(crate) async fn clear_without_any(tx: &mut Tx, user: UserId) -> Result<()> {
    execute!(
        tx,
        "DELETE FROM recovery_codes WHERE user_id = $1
         AND NOT EXISTS (SELECT 1 FROM second_factors WHERE user_id = $1 AND confirmed_at IS NOT NULL)
         AND NOT EXISTS (SELECT 1 FROM passkeys WHERE user_id = $1)",
        user,
    )?;
    execute!(
        tx,
        "UPDATE sessions SET proved_at = NULL WHERE user_id = $1
         AND NOT EXISTS (SELECT 1 FROM second_factors WHERE user_id = $1 AND confirmed_at IS NOT NULL)
         AND NOT EXISTS (SELECT 1 FROM passkeys WHERE user_id = $1)",
        user,
    )?;
    Ok(())
}
