//! Sessions: who is logged in.

use domain::accounts::User;
use domain::accounts::devices::Device;
use domain::accounts::tokens::TokenHash;
use domain::{Timestamp, UserId};

use crate::accounts::users::{UserRow, columns};
use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::{execute, fetch_all, fetch_one, fetch_optional};
use crate::{Executor, Result, Tx};

/// A session that has not expired.
#[derive(Clone, Debug)]
pub struct Session {
    /// Who is logged in.
    pub user: User,
    /// When it was made.
    pub created_at: Timestamp,
    /// Until when, unless it is renewed.
    pub expires_at: Timestamp,
    /// When its last use was recorded.
    pub last_used_at: Timestamp,
    /// When the second factor was given in it; none while it was not.
    pub proved_at: Option<Timestamp>,
}

/// A session as its owner is shown it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedSession {
    /// The hash of its token.
    pub hash: TokenHash,
    /// What it was made on.
    pub device: Device,
    /// When it was made.
    pub created_at: Timestamp,
    /// When its last use was recorded.
    pub last_used_at: Timestamp,
    /// When the second factor was given in it; none while it was not.
    pub proved_at: Option<Timestamp>,
}

row! {
    pub(crate) struct ListedSessionRow {
        hash: Vec<u8>,
        browser: Option<String>,
        system: Option<String>,
        created_at: i64,
        last_used_at: i64,
        proved_at: Option<i64>,
    }
}

impl FromColumns for ListedSession {
    type Columns = ListedSessionRow;

    fn from_columns(row: ListedSessionRow) -> Result<Self> {
        Ok(Self {
            hash: decode::hash(&row.hash, "sessions.hash")?,
            device: Device { browser: row.browser, system: row.system },
            created_at: Timestamp::from_millis(row.created_at),
            last_used_at: Timestamp::from_millis(row.last_used_at),
            proved_at: decode::time(row.proved_at),
        })
    }
}

row! {
    pub(crate) struct SessionRow {
        ..user: UserRow,
        session_created_at: i64,
        session_expires_at: i64,
        session_last_used_at: i64,
        session_proved_at: Option<i64>,
    }
}

impl FromColumns for Session {
    type Columns = SessionRow;

    fn from_columns(row: SessionRow) -> Result<Self> {
        Ok(Self {
            user: User::from_columns(row.user)?,
            created_at: Timestamp::from_millis(row.session_created_at),
            expires_at: Timestamp::from_millis(row.session_expires_at),
            last_used_at: Timestamp::from_millis(row.session_last_used_at),
            proved_at: decode::time(row.session_proved_at),
        })
    }
}

/// Inserts a session.
pub async fn create(
    tx: &mut Tx,
    hash: &TokenHash,
    user: UserId,
    device: &Device,
    now: Timestamp,
    expires_at: Timestamp,
) -> Result<()> {
    execute!(
        tx,
        "INSERT INTO sessions (hash, user_id, browser, system, created_at, last_used_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $5, $6)",
        hash,
        user,
        device.browser,
        device.system,
        now,
        expires_at,
    )?;
    Ok(())
}

/// The session of a token, unless it has expired.
pub async fn find(db: &dyn Executor, hash: &TokenHash, now: Timestamp) -> Result<Option<Session>> {
    fetch_optional!(
        db,
        Session,
        concat!(
            "SELECT sessions.created_at AS session_created_at, sessions.expires_at AS session_expires_at,
                 sessions.last_used_at AS session_last_used_at, sessions.proved_at AS session_proved_at, ",
            columns!(),
            " FROM sessions JOIN users ON users.id = sessions.user_id
             WHERE hash = $1 AND sessions.expires_at > $2 AND password_changed_at IS NULL
                 AND users.closed_at IS NULL AND users.locked_at IS NULL"
        ),
        hash,
        now,
    )
}

/// Records a use of a session, and extends it until `expires_at`.
pub async fn renew(tx: &mut Tx, hash: &TokenHash, now: Timestamp, expires_at: Timestamp) -> Result<()> {
    let statement = "UPDATE sessions SET last_used_at = $2, expires_at = $3 WHERE hash = $1";
    execute!(tx, statement, hash, now, expires_at)?;
    Ok(())
}

/// Records that the second factor was given in a session.
pub async fn prove(tx: &mut Tx, hash: &TokenHash, now: Timestamp) -> Result<()> {
    execute!(tx, "UPDATE sessions SET proved_at = $2 WHERE hash = $1", hash, now)?;
    Ok(())
}

/// The sessions of a user that have not ended and were used after `used_since`, the last used first.
pub async fn list(
    db: &dyn Executor,
    user: UserId,
    now: Timestamp,
    used_since: Timestamp,
) -> Result<Vec<ListedSession>> {
    fetch_all!(
        db,
        ListedSession,
        "SELECT hash, browser, system, created_at, last_used_at, proved_at FROM sessions
         WHERE user_id = $1 AND expires_at > $2 AND last_used_at > $3 AND password_changed_at IS NULL
         ORDER BY last_used_at DESC, created_at DESC, hash",
        user,
        now,
        used_since,
    )
}

/// Deletes every session of a user but one, and answers their number. Those that a change of the password ended are kept,
/// so that whoever used them can be told.
pub async fn delete_others(tx: &mut Tx, user: UserId, current: &TokenHash) -> Result<u64> {
    execute!(
        tx,
        "DELETE FROM sessions WHERE user_id = $1 AND hash <> $2 AND password_changed_at IS NULL",
        user,
        current,
    )
}

/// Deletes a session; false when there is none.
pub async fn delete(tx: &mut Tx, hash: &TokenHash) -> Result<bool> {
    Ok(execute!(tx, "DELETE FROM sessions WHERE hash = $1", hash)? == 1)
}

/// Deletes every session of a user, and answers their number.
pub async fn delete_all(tx: &mut Tx, user: UserId) -> Result<u64> {
    execute!(tx, "DELETE FROM sessions WHERE user_id = $1", user)
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
    db: &dyn Executor,
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
