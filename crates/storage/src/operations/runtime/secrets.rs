//! Secrets that the service makes for itself, the same on every machine.

use crate::operations::runtime::statements::{execute, fetch_one};
use crate::{Db, Result};

/// The secret called `name`; `fresh` is inserted when there is none. Of concurrent callers the first decides for all.
pub async fn get_or_insert(db: &Db, name: &str, fresh: &[u8]) -> Result<Vec<u8>> {
    execute!(
        db,
        "INSERT INTO secrets (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING",
        name,
        fresh,
    )?;
    fetch_one!(db, Vec<u8>, "SELECT value FROM secrets WHERE name = $1", name)
}
