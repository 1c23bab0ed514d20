//! The passkeys of accounts, and the challenges that they answer.

use domain::accounts::passkeys::Purpose;
use domain::accounts::tokens::TokenHash;
use domain::{PasskeyId, Timestamp, UserId};

use crate::accounts::second_factors;
use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::{execute, fetch_all, fetch_one, fetch_optional};
use crate::{Executor, Result, Tx};

/// How many challenges of an account wait for one purpose: enough for a person with some devices, and a bound for a program.
const WAITING: i64 = 10;

/// A passkey of an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passkey {
    /// Its id.
    pub id: PasskeyId,
    /// As its authenticator has named it.
    pub credential_id: Vec<u8>,
    /// A COSE_Key.
    pub public_key: Vec<u8>,
    /// What its owner calls it.
    pub name: String,
    /// What its authenticator has counted at its last use; 0 where it does not count.
    pub sign_count: i64,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was used last.
    pub last_used_at: Option<Timestamp>,
}

row! {
    pub(crate) struct PasskeyRow {
        id: String,
        credential_id: Vec<u8>,
        public_key: Vec<u8>,
        name: String,
        sign_count: i64,
        created_at: i64,
        last_used_at: Option<i64>,
    }
}

impl FromColumns for Passkey {
    type Columns = PasskeyRow;

    fn from_columns(row: PasskeyRow) -> Result<Self> {
        Ok(Self {
            id: decode::id(&row.id, "passkeys.id")?,
            credential_id: row.credential_id,
            public_key: row.public_key,
            name: row.name,
            sign_count: row.sign_count,
            created_at: Timestamp::from_millis(row.created_at),
            last_used_at: decode::time(row.last_used_at),
        })
    }
}

/// The passkeys of an account, the newest first.
pub async fn list(db: &dyn Executor, user: UserId) -> Result<Vec<Passkey>> {
    fetch_all!(
        db,
        Passkey,
        "SELECT id, credential_id, public_key, name, sign_count, created_at, last_used_at FROM passkeys
         WHERE user_id = $1 ORDER BY created_at DESC, id DESC",
        user,
    )
}

/// How many passkeys an account has.
pub async fn count(db: &dyn Executor, user: UserId) -> Result<i64> {
    fetch_one!(db, i64, "SELECT COUNT(*) FROM passkeys WHERE user_id = $1", user)
}

/// Inserts a passkey that was not used yet; false when there is one with its credential id, of whatever account.
pub async fn create(tx: &mut Tx, user: UserId, passkey: &Passkey) -> Result<bool> {
    let inserted = execute!(
        tx,
        "INSERT INTO passkeys (id, user_id, credential_id, public_key, name, sign_count, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (credential_id) DO NOTHING",
        passkey.id,
        user,
        passkey.credential_id,
        passkey.public_key,
        passkey.name,
        passkey.sign_count,
        passkey.created_at,
    )?;
    Ok(inserted == 1)
}

/// Records a use at which the authenticator has counted to `sign_count`; false when the passkey is gone, or its authenticator
/// had counted as far before, in which case there are two of it.
pub async fn record_use(
    tx: &mut Tx,
    user: UserId,
    id: PasskeyId,
    sign_count: i64,
    now: Timestamp,
) -> Result<bool> {
    let used = execute!(
        tx,
        "UPDATE passkeys SET sign_count = $3, last_used_at = $4
         WHERE id = $1 AND user_id = $2 AND (sign_count < $3 OR (sign_count = 0 AND $3 = 0))",
        id,
        user,
        sign_count,
        now,
    )?;
    Ok(used == 1)
}

/// Removes a passkey of an account, and with the last second factor what belongs to them all; false when it has none with
/// this id.
pub async fn delete(tx: &mut Tx, user: UserId, id: PasskeyId) -> Result<bool> {
    if execute!(tx, "DELETE FROM passkeys WHERE id = $1 AND user_id = $2", id, user)? == 0 {
        return Ok(false);
    }
    second_factors::clear_without_any(tx, user).await?;
    Ok(true)
}

/// Removes every passkey of an account in the same way, and answers their number.
pub async fn delete_all(tx: &mut Tx, user: UserId) -> Result<u64> {
    let deleted = execute!(tx, "DELETE FROM passkeys WHERE user_id = $1", user)?;
    second_factors::clear_without_any(tx, user).await?;
    Ok(deleted)
}

/// Keeps a challenge, and the state that its answer is checked with, until it is answered, or has expired. Of an account and a
/// purpose the newest ten wait.
pub async fn begin(
    tx: &mut Tx,
    user: UserId,
    purpose: Purpose,
    hash: &TokenHash,
    state: &str,
    now: Timestamp,
    expires_at: Timestamp,
) -> Result<()> {
    execute!(tx, "DELETE FROM passkey_challenges WHERE expires_at <= $1", now)?;
    execute!(
        tx,
        "INSERT INTO passkey_challenges (hash, user_id, purpose, state, expires_at) VALUES ($1, $2, $3, $4, $5)",
        hash,
        user,
        purpose.as_str(),
        state,
        expires_at,
    )?;
    execute!(
        tx,
        "DELETE FROM passkey_challenges WHERE user_id = $1 AND purpose = $2 AND hash NOT IN (
             SELECT hash FROM passkey_challenges WHERE user_id = $1 AND purpose = $2
             ORDER BY expires_at DESC, hash LIMIT $3)",
        user,
        purpose.as_str(),
        WAITING,
    )?;
    Ok(())
}

/// Ends the challenges of an account that wait, whatever they are for. Those that have expired are left to [`begin`], which deletes
/// them in no order that others know.
pub async fn end_under_way(tx: &mut Tx, user: UserId, now: Timestamp) -> Result<()> {
    execute!(tx, "DELETE FROM passkey_challenges WHERE user_id = $1 AND expires_at > $2", user, now)?;
    Ok(())
}

/// Takes a challenge, which is good no more from then on, and answers its state; none when none waits for this account and
/// purpose, or only one that a version before has asked.
pub async fn take(
    tx: &mut Tx,
    user: UserId,
    purpose: Purpose,
    hash: &TokenHash,
    now: Timestamp,
) -> Result<Option<String>> {
    fetch_optional!(
        tx,
        String,
        "DELETE FROM passkey_challenges WHERE hash = $1 AND user_id = $2 AND purpose = $3 AND expires_at > $4
             AND state <> ''
         RETURNING state",
        hash,
        user,
        purpose.as_str(),
        now,
    )
}
