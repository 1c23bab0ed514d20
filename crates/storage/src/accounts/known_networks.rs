//! From where accounts have logged in.

use domain::accounts::tokens::TokenHash;
use domain::{Timestamp, UserId};

use crate::operations::runtime::decode;
use crate::operations::runtime::statements::{execute, fetch_all, fetch_one};
use crate::{Executor, Result, Tx};

/// Remembers from where a user has logged in.
pub async fn remember(tx: &mut Tx, hash: &TokenHash, user: UserId, now: Timestamp) -> Result<()> {
    execute!(
        tx,
        "INSERT INTO known_networks (hash, user_id, last_at) VALUES ($1, $2, $3)
         ON CONFLICT (hash) DO UPDATE SET user_id = excluded.user_id, last_at = excluded.last_at",
        hash,
        user,
        now,
    )?;
    Ok(())
}

/// Whether it is remembered, by a login since `since`.
pub async fn is_known(db: &dyn Executor, hash: &TokenHash, since: Timestamp) -> Result<bool> {
    let known: i64 = fetch_one!(
        db,
        i64,
        "SELECT COUNT(*) FROM known_networks WHERE hash = $1 AND last_at >= $2",
        hash,
        since,
    )?;
    Ok(known > 0)
}

/// All that are remembered of a user.
pub async fn of_user(db: &dyn Executor, user: UserId) -> Result<Vec<TokenHash>> {
    let hashes = fetch_all!(db, Vec<u8>, "SELECT hash FROM known_networks WHERE user_id = $1", user)?;
    hashes.iter().map(|hash| decode::hash(hash, "known_networks.hash")).collect()
}

/// Forgets what was last used before `before`, and answers the number.
pub async fn delete_before(tx: &mut Tx, before: Timestamp) -> Result<u64> {
    execute!(tx, "DELETE FROM known_networks WHERE last_at < $1", before)
}
