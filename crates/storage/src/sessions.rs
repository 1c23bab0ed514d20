//! Sessions: who is logged in.

use domain::accounts::User;
use domain::tokens::TokenHash;
use domain::{Timestamp, UserId};

use crate::decode::FromColumns;
use crate::row::row;
use crate::statements::{execute, fetch_optional};
use crate::users::{UserRow, columns};
use crate::{Executor, Result, Tx};

/// A session that has not expired.
#[derive(Clone, Debug)]
pub struct Session {
    /// Who is logged in.
    pub user: User,
    /// Until when, unless it is renewed.
    pub expires_at: Timestamp,
}

row! {
    pub(crate) struct SessionRow {
        ..user: UserRow,
        session_expires_at: i64,
    }
}

impl FromColumns for Session {
    type Columns = SessionRow;

    fn from_columns(row: SessionRow) -> Result<Self> {
        Ok(Self {
            user: User::from_columns(row.user)?,
            expires_at: Timestamp::from_millis(row.session_expires_at),
        })
    }
}

/// Inserts a session.
pub async fn create(
    tx: &mut Tx,
    hash: &TokenHash,
    user: UserId,
    now: Timestamp,
    expires_at: Timestamp,
) -> Result<()> {
    execute!(
        tx,
        "INSERT INTO sessions (hash, user_id, created_at, expires_at) VALUES ($1, $2, $3, $4)",
        hash,
        user,
        now,
        expires_at,
    )?;
    Ok(())
}

/// The session of a token, unless it has expired.
pub async fn find(db: impl Executor, hash: &TokenHash, now: Timestamp) -> Result<Option<Session>> {
    fetch_optional!(
        db,
        Session,
        concat!(
            "SELECT sessions.expires_at AS session_expires_at, ",
            columns!(),
            " FROM sessions JOIN users ON users.id = sessions.user_id
             WHERE hash = $1 AND sessions.expires_at > $2 AND users.closed_at IS NULL"
        ),
        hash,
        now,
    )
}

/// Extends a session until `expires_at`.
pub async fn renew(tx: &mut Tx, hash: &TokenHash, expires_at: Timestamp) -> Result<()> {
    execute!(tx, "UPDATE sessions SET expires_at = $2 WHERE hash = $1", hash, expires_at)?;
    Ok(())
}

/// Deletes a session; false when there is none.
pub async fn delete(tx: &mut Tx, hash: &TokenHash) -> Result<bool> {
    Ok(execute!(tx, "DELETE FROM sessions WHERE hash = $1", hash)? == 1)
}

/// Deletes every session of a user but one.
pub async fn delete_others(tx: &mut Tx, user: UserId, current: &TokenHash) -> Result<()> {
    execute!(tx, "DELETE FROM sessions WHERE user_id = $1 AND hash <> $2", user, current)?;
    Ok(())
}

/// Deletes every session of a user.
pub async fn delete_all(tx: &mut Tx, user: UserId) -> Result<()> {
    execute!(tx, "DELETE FROM sessions WHERE user_id = $1", user)?;
    Ok(())
}

/// Deletes the sessions that have expired, and answers their number.
pub async fn delete_expired(tx: &mut Tx, now: Timestamp) -> Result<u64> {
    execute!(tx, "DELETE FROM sessions WHERE expires_at <= $1", now)
}
