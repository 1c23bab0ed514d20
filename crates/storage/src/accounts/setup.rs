//! The link that makes an administrator while there is none.

use domain::accounts::tokens::TokenHash;

use crate::operations::runtime::statements::{execute, fetch_one};
use crate::{Executor, Result, Tx};

/// Name of the table's row.
const ADMINISTRATOR: &str = "first_account";

/// A condition: nobody is an administrator. Closed accounts are none's.
macro_rules! no_administrator {
    () => {
        "NOT EXISTS (SELECT 1 FROM users WHERE is_admin AND closed_at IS NULL)"
    };
}

/// Puts a link in the place of the one before; false when there is an administrator.
pub async fn renew_link(tx: &mut Tx, hash: &TokenHash) -> Result<bool> {
    let renewed = execute!(
        tx,
        concat!(
            "INSERT INTO setup (name, token_hash) SELECT $1, $2 WHERE ",
            no_administrator!(),
            " ON CONFLICT (name) DO UPDATE SET token_hash = excluded.token_hash, expires_at = NULL, ended_at = NULL"
        ),
        ADMINISTRATOR,
        hash,
    )?;
    Ok(renewed == 1)
}

/// Whether nobody is an administrator.
pub async fn is_wanted(db: &dyn Executor) -> Result<bool> {
    let administrators = fetch_one!(
        db,
        i64,
        "SELECT COUNT(*) FROM (SELECT 1 FROM users WHERE is_admin AND closed_at IS NULL LIMIT 1) AS administrators",
    )?;
    Ok(administrators == 0)
}

/// Whether a token's link is the newest one and was not used.
pub async fn is_link(db: &dyn Executor, hash: &TokenHash) -> Result<bool> {
    Ok(fetch_one!(db, i64, "SELECT COUNT(*) FROM setup WHERE token_hash = $1", hash)? > 0)
}

/// Uses the link of a token up; true for the first caller alone, and only while there is no administrator. The others wait for the
/// row of the first one, and find it written.
pub async fn use_link(tx: &mut Tx, hash: &TokenHash) -> Result<bool> {
    let used = execute!(
        tx,
        concat!("UPDATE setup SET token_hash = NULL WHERE token_hash = $1 AND ", no_administrator!()),
        hash,
    )?;
    Ok(used == 1)
}
