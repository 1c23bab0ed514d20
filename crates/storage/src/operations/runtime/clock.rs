//! The clock that all processes of one database share.

use domain::Timestamp;

use crate::operations::runtime::statements::fetch_one;
use crate::{Executor, Result};

/// The time by the clock of PostgreSQL's server at the moment of this call.
///
/// # Errors
/// When the database fails, and always on SQLite, which has no clock but this machine's.
pub async fn of_postgres(db: &dyn Executor) -> Result<Timestamp> {
    let now =
        fetch_one!(db, i64, "SELECT CAST(FLOOR(EXTRACT(EPOCH FROM clock_timestamp()) * 1000) AS BIGINT)")?;
    Ok(Timestamp::from_millis(now))
}
