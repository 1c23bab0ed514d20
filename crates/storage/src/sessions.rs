//! Sessions: who is logged in.

use domain::accounts::User;
use domain::tokens::TokenHash;
use domain::{Timestamp, UserId};

use crate::decode::FromColumns;
use crate::row::row;
use crate::statements::{execute, fetch_one, fetch_optional};
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
             WHERE hash = $1 AND sessions.expires_at > $2 AND password_changed_at IS NULL
                 AND users.closed_at IS NULL"
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

/// Ends every session of a user but one, because the password was changed. They are kept until they expire, so that
/// whoever used them can be told.
pub async fn end_others(tx: &mut Tx, user: UserId, current: &TokenHash, now: Timestamp) -> Result<()> {
    execute!(
        tx,
        "UPDATE sessions SET password_changed_at = $3
         WHERE user_id = $1 AND hash <> $2 AND password_changed_at IS NULL",
        user,
        current,
        now,
    )?;
    Ok(())
}

/// Ends every session of a user, because the password was changed; see [`end_others`].
pub async fn end_all(tx: &mut Tx, user: UserId, now: Timestamp) -> Result<()> {
    execute!(
        tx,
        "UPDATE sessions SET password_changed_at = $2 WHERE user_id = $1 AND password_changed_at IS NULL",
        user,
        now,
    )?;
    Ok(())
}

/// Whether the session of a token was ended by a change of the password, as long as it is kept.
pub async fn was_ended_by_password_change(
    db: impl Executor,
    hash: &TokenHash,
    now: Timestamp,
) -> Result<bool> {
    let ended: i64 = fetch_one!(
        db,
        i64,
        "SELECT COUNT(*) FROM sessions WHERE hash = $1 AND expires_at > $2 AND password_changed_at IS NOT NULL",
        hash,
        now,
    )?;
    Ok(ended > 0)
}

/// Deletes the sessions that have expired, and answers their number.
pub async fn delete_expired(tx: &mut Tx, now: Timestamp) -> Result<u64> {
    execute!(tx, "DELETE FROM sessions WHERE expires_at <= $1", now)
}
