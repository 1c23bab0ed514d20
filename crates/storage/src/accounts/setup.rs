//! The link that makes the first account, and who makes it.
//!
//! Everybody who makes an account comes here first, so that of several at one moment one is the first: the others wait for
//! its row, and find that it is written.

use domain::Timestamp;
use domain::accounts::tokens::TokenHash;

use crate::operations::runtime::statements::{execute, fetch_optional};
use crate::{Executor, Result, Tx};

/// Name of the table's row.
const FIRST: &str = "first_account";

/// Puts a link in the place of the one before; false when there is an account, or was one.
pub async fn renew_link(tx: &mut Tx, hash: &TokenHash, expires_at: Timestamp) -> Result<bool> {
    let renewed = execute!(
        tx,
        "INSERT INTO setup (name, token_hash, expires_at)
         SELECT $1, $2, $3 WHERE NOT EXISTS (SELECT 1 FROM (SELECT 1 FROM users LIMIT 1) AS first)
         ON CONFLICT (name) DO UPDATE SET token_hash = excluded.token_hash, expires_at = excluded.expires_at
             WHERE setup.ended_at IS NULL",
        FIRST,
        hash,
        expires_at,
    )?;
    Ok(renewed == 1)
}

/// When the link of a token expires, or has; none when it is not the newest one, or there is an account.
pub async fn link_expiry(db: &dyn Executor, hash: &TokenHash) -> Result<Option<Timestamp>> {
    let expiry: Option<i64> = fetch_optional!(
        db,
        i64,
        "SELECT expires_at FROM setup WHERE token_hash = $1 AND ended_at IS NULL",
        hash,
    )?;
    Ok(expiry.map(Timestamp::from_millis))
}

/// Uses the link of a token up; true for the first caller alone, and only while the link is valid and nobody has an account.
pub async fn use_link(tx: &mut Tx, hash: &TokenHash, now: Timestamp) -> Result<bool> {
    let used = execute!(
        tx,
        "UPDATE setup SET token_hash = NULL, expires_at = NULL, ended_at = $2
         WHERE token_hash = $1 AND expires_at > $2 AND ended_at IS NULL
             AND NOT EXISTS (SELECT 1 FROM (SELECT 1 FROM users LIMIT 1) AS first)",
        hash,
        now,
    )?;
    Ok(used == 1)
}

/// Ends the set-up, because an account is about to be made in this transaction; true when it is the first one.
pub async fn end(tx: &mut Tx, now: Timestamp) -> Result<bool> {
    let ended = execute!(
        tx,
        "INSERT INTO setup (name, ended_at)
         SELECT $1, $2 WHERE NOT EXISTS (SELECT 1 FROM (SELECT 1 FROM users LIMIT 1) AS first)
         ON CONFLICT (name) DO UPDATE SET token_hash = NULL, expires_at = NULL, ended_at = excluded.ended_at
             WHERE setup.ended_at IS NULL",
        FIRST,
        now,
    )?;
    Ok(ended == 1)
}
