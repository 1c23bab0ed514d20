//! Who is logged in.

use domain::accounts::User;
use domain::tokens::TokenHash;
use domain::{Timestamp, UserId};

use crate::db::each;
use crate::row::row;
use crate::users::UserRow;
use crate::{Db, Result, Tx};

/// A session that is good.
#[derive(Clone, Debug)]
pub struct Session {
    /// Who is logged in.
    pub user: User,
    /// Until when, unless it is renewed.
    pub expires_at: Timestamp,
}

row! {
    struct SessionRow {
        ..user: UserRow,
        session_expires_at: i64,
    }
}

/// Opens a session.
pub async fn create(
    tx: &mut Tx,
    hash: &TokenHash,
    user: UserId,
    now: Timestamp,
    expires_at: Timestamp,
) -> Result<()> {
    each!(tx.conn(), conn => sqlx::query(
            "INSERT INTO sessions (hash, user_id, created_at, expires_at) VALUES ($1, $2, $3, $4)",
        )
        .bind(hash.as_slice())
        .bind(user.to_string())
        .bind(now.as_millis())
        .bind(expires_at.as_millis())
        .execute(conn)
        .await
        .map(|_| ()))
}

/// The session of a token, unless it has expired.
pub async fn find(db: &Db, hash: &TokenHash, now: Timestamp) -> Result<Option<Session>> {
    let row = each!(db.read(), conn => sqlx::query_as::<_, SessionRow>(
            "SELECT users.id, email, pending_email, name, is_photographer, email_verified_at, credits, premium_since,
                 users.created_at, sessions.expires_at AS session_expires_at
             FROM sessions JOIN users ON users.id = sessions.user_id
             WHERE hash = $1 AND sessions.expires_at > $2 AND users.closed_at IS NULL",
        )
        .bind(hash.as_slice())
        .bind(now.as_millis())
        .fetch_optional(conn)
        .await)?;
    row.map(|row| {
        Ok(Session { user: row.user.try_into()?, expires_at: Timestamp::from_millis(row.session_expires_at) })
    })
    .transpose()
}

/// Lets a session last until `expires_at`.
pub async fn renew(tx: &mut Tx, hash: &TokenHash, expires_at: Timestamp) -> Result<()> {
    each!(tx.conn(), conn => sqlx::query("UPDATE sessions SET expires_at = $2 WHERE hash = $1")
        .bind(hash.as_slice())
        .bind(expires_at.as_millis())
        .execute(conn)
        .await
        .map(|_| ()))
}

/// Ends a session; false when there is none.
pub async fn delete(tx: &mut Tx, hash: &TokenHash) -> Result<bool> {
    each!(tx.conn(), conn => sqlx::query("DELETE FROM sessions WHERE hash = $1")
        .bind(hash.as_slice())
        .execute(conn)
        .await
        .map(|done| done.rows_affected() == 1))
}

/// Ends every session of a user but one.
pub async fn delete_others(tx: &mut Tx, user: UserId, keep: &TokenHash) -> Result<()> {
    each!(tx.conn(), conn => sqlx::query("DELETE FROM sessions WHERE user_id = $1 AND hash <> $2")
        .bind(user.to_string())
        .bind(keep.as_slice())
        .execute(conn)
        .await
        .map(|_| ()))
}

/// Ends every session of a user.
pub async fn delete_all(tx: &mut Tx, user: UserId) -> Result<()> {
    each!(tx.conn(), conn => sqlx::query("DELETE FROM sessions WHERE user_id = $1")
        .bind(user.to_string())
        .execute(conn)
        .await
        .map(|_| ()))
}

/// Forgets the sessions that have expired, and says how many they were.
pub async fn delete_expired(tx: &mut Tx, now: Timestamp) -> Result<u64> {
    each!(tx.conn(), conn => sqlx::query("DELETE FROM sessions WHERE expires_at <= $1")
        .bind(now.as_millis())
        .execute(conn)
        .await
        .map(|done| done.rows_affected()))
}
