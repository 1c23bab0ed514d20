//! Secrets that the service makes for itself, the same on every machine.

use crate::db::each;
use crate::{Db, Result};

/// The secret called `name`; `fresh` becomes it if there is none yet, and whoever comes first decides for all.
pub async fn get_or_insert(db: &Db, name: &str, fresh: &[u8]) -> Result<Vec<u8>> {
    each!(db.write(), conn => sqlx::query("INSERT INTO secrets (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING")
        .bind(name)
        .bind(fresh)
        .execute(conn)
        .await
        .map(|_| ()))?;
    each!(db.read(), conn => sqlx::query_scalar("SELECT value FROM secrets WHERE name = $1").bind(name).fetch_one(conn).await)
}
