//! Tokens of `afterglow doctor`: each admits one request that tells how it arrived.

use domain::Timestamp;
use domain::accounts::tokens::TokenHash;

use crate::operations::runtime::statements::{execute, fetch_optional};
use crate::{Db, Executor, Result, Tx};

/// Admits one request with the token of this hash before `expires_at`, and forgets those tokens that have expired.
pub async fn create(tx: &mut Tx, hash: &TokenHash, expires_at: Timestamp, now: Timestamp) -> Result<()> {
    execute!(&mut *tx, "DELETE FROM probes WHERE expires_at <= $1", now)?;
    execute!(tx, "INSERT INTO probes (hash, expires_at) VALUES ($1, $2)", hash, expires_at)?;
    Ok(())
}

/// Whether a request with this token is admitted; true for the first caller alone.
pub async fn consume(db: &Db, hash: &TokenHash, now: Timestamp) -> Result<bool> {
    // Anybody can ask, and nobody shall keep the writer busy by it.
    if !is_known(db, hash, now).await? {
        return Ok(false);
    }
    Ok(execute!(db, "DELETE FROM probes WHERE hash = $1", hash)? == 1)
}

async fn is_known(db: &dyn Executor, hash: &TokenHash, now: Timestamp) -> Result<bool> {
    let expires_at = fetch_optional!(
        db,
        i64,
        "SELECT expires_at FROM probes WHERE hash = $1 AND expires_at > $2",
        hash,
        now
    )?;
    Ok(expires_at.is_some())
}
