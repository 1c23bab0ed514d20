//! The own host names of studios.

use domain::studio::hosts::{HostName, StudioHost};
use domain::{Timestamp, UserId};

use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::{execute, fetch_all, fetch_optional};
use crate::{Executor, Result};

row! {
    pub(crate) struct HostRow {
        host: String,
        token: String,
        proved_at: Option<i64>,
        seen_at: Option<i64>,
    }
}

impl FromColumns for StudioHost {
    type Columns = HostRow;

    fn from_columns(row: HostRow) -> Result<Self> {
        Ok(Self {
            name: HostName::from_trusted(row.host),
            token: row.token,
            proved_at: decode::time(row.proved_at),
            seen_at: decode::time(row.seen_at),
        })
    }
}

/// The host that a studio has named; none where it has none.
pub async fn of_user(db: &dyn Executor, user: UserId) -> Result<Option<StudioHost>> {
    fetch_optional!(
        db,
        StudioHost,
        "SELECT host, token, proved_at, seen_at FROM studio_hosts WHERE user_id = $1",
        user,
    )
}

/// Gives a studio a host that is not proved yet, in place of the one that it has; false when the account has no studio.
pub async fn save(db: &dyn Executor, user: UserId, name: &HostName, token: &str) -> Result<bool> {
    let saved = execute!(
        db,
        "INSERT INTO studio_hosts (user_id, host, token)
         SELECT user_id, $2, $3 FROM studios WHERE user_id = $1
         ON CONFLICT (user_id) DO UPDATE SET host = excluded.host, token = excluded.token, proved_at = NULL, seen_at = NULL",
        user,
        name.as_str(),
        token,
    )?;
    Ok(saved == 1)
}

/// Records that the record with this token was seen. False when another studio has proved the same host.
pub async fn set_seen(db: &dyn Executor, user: UserId, token: &str, now: Timestamp) -> Result<bool> {
    let updated = execute!(
        db,
        "UPDATE studio_hosts SET proved_at = COALESCE(proved_at, $3), seen_at = $3 WHERE user_id = $1 AND token = $2",
        user,
        token,
        now,
    );
    match updated {
        Err(error) if error.is_unique_violation() => Ok(false),
        answer => answer.map(|_| true),
    }
}

/// Takes the proof from the host with this token.
pub async fn set_lost(db: &dyn Executor, user: UserId, token: &str) -> Result<()> {
    execute!(db, "UPDATE studio_hosts SET proved_at = NULL WHERE user_id = $1 AND token = $2", user, token)?;
    Ok(())
}

/// The studio that has proved a host; none where nobody has.
pub async fn holder(db: &dyn Executor, name: &HostName) -> Result<Option<UserId>> {
    fetch_optional!(
        db,
        UserId,
        "SELECT user_id FROM studio_hosts WHERE host = $1 AND proved_at IS NOT NULL",
        name.as_str(),
    )
}

row! {
    pub(crate) struct ProvedRow {
        user_id: String,
        host: String,
    }
}

/// A host that is proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProvedHost {
    /// Whose studio has proved it.
    pub owner: UserId,
    /// Its name.
    pub name: HostName,
}

impl FromColumns for ProvedHost {
    type Columns = ProvedRow;

    fn from_columns(row: ProvedRow) -> Result<Self> {
        Ok(Self {
            owner: decode::id(&row.user_id, "studio_hosts.user_id")?,
            name: HostName::from_trusted(row.host),
        })
    }
}

/// The hosts that are proved, of accounts that can log in.
pub async fn proved(db: &dyn Executor) -> Result<Vec<ProvedHost>> {
    fetch_all!(
        db,
        ProvedHost,
        "SELECT h.user_id, h.host FROM studio_hosts h JOIN users u ON u.id = h.user_id
         WHERE h.proved_at IS NOT NULL AND u.closed_at IS NULL AND u.locked_at IS NULL ORDER BY h.host",
    )
}

/// Takes its host from a studio.
pub async fn delete(db: &dyn Executor, user: UserId) -> Result<()> {
    execute!(db, "DELETE FROM studio_hosts WHERE user_id = $1", user)?;
    Ok(())
}
