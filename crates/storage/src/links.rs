//! Links that were mailed to a person.

use domain::accounts::{EmailAddress, LinkPurpose};
use domain::tokens::TokenHash;
use domain::{Timestamp, UserId};

use crate::db::each;
use crate::row::row;
use crate::{Db, Result, Tx, decode};

/// A link that is about to be mailed.
#[derive(Clone, Debug)]
pub struct NewLink {
    /// The hash of its token.
    pub hash: TokenHash,
    /// What it is for.
    pub purpose: LinkPurpose,
    /// Whose account it is about.
    pub user: UserId,
    /// Where it is mailed to.
    pub email: EmailAddress,
    /// When it is made.
    pub created_at: Timestamp,
    /// When it is no longer good.
    pub expires_at: Timestamp,
}

/// A link that was mailed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MailedLink {
    /// What it is for.
    pub purpose: LinkPurpose,
    /// Whose account it is about.
    pub user: UserId,
    /// Where it was mailed to.
    pub email: EmailAddress,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it is no longer good.
    pub expires_at: Timestamp,
    /// When it was used.
    pub used_at: Option<Timestamp>,
}

row! {
    struct LinkRow {
        purpose: String,
        user_id: String,
        email: String,
        created_at: i64,
        expires_at: i64,
        used_at: Option<i64>,
    }
}

/// Keeps a link that is about to be mailed.
pub async fn create(tx: &mut Tx, link: &NewLink) -> Result<()> {
    each!(tx.conn(), conn => sqlx::query(
            "INSERT INTO mailed_links (hash, purpose, user_id, email, created_at, expires_at)
             VALUES ($1, $2, $3, $4, $5, $6)",
        )
        .bind(link.hash.as_slice())
        .bind(link.purpose.as_str())
        .bind(link.user.to_string())
        .bind(link.email.as_str())
        .bind(link.created_at.as_millis())
        .bind(link.expires_at.as_millis())
        .execute(conn)
        .await
        .map(|_| ()))
}

/// The link of a token, used, expired or not.
pub async fn find(db: &Db, hash: &TokenHash) -> Result<Option<MailedLink>> {
    let row = each!(db.read(), conn => sqlx::query_as::<_, LinkRow>(
            "SELECT purpose, user_id, email, created_at, expires_at, used_at FROM mailed_links WHERE hash = $1",
        )
        .bind(hash.as_slice())
        .fetch_optional(conn)
        .await)?;
    row.map(|row| {
        Ok(MailedLink {
            purpose: decode::known(LinkPurpose::from_stored(&row.purpose), "mailed_links.purpose")?,
            user: decode::id(&row.user_id, "mailed_links.user_id")?,
            email: EmailAddress::from_trusted(row.email),
            created_at: Timestamp::from_millis(row.created_at),
            expires_at: Timestamp::from_millis(row.expires_at),
            used_at: decode::time(row.used_at),
        })
    })
    .transpose()
}

/// Uses a link; true for the one caller who does so first.
pub async fn consume(tx: &mut Tx, hash: &TokenHash, now: Timestamp) -> Result<bool> {
    each!(tx.conn(), conn => sqlx::query("UPDATE mailed_links SET used_at = $2 WHERE hash = $1 AND used_at IS NULL")
        .bind(hash.as_slice())
        .bind(now.as_millis())
        .execute(conn)
        .await
        .map(|done| done.rows_affected() == 1))
}

/// Uses up every link of one purpose that a user still holds, such as older reset links once a password is set.
pub async fn consume_all(tx: &mut Tx, user: UserId, purpose: LinkPurpose, now: Timestamp) -> Result<()> {
    each!(tx.conn(), conn => sqlx::query(
            "UPDATE mailed_links SET used_at = $3 WHERE user_id = $1 AND purpose = $2 AND used_at IS NULL",
        )
        .bind(user.to_string())
        .bind(purpose.as_str())
        .bind(now.as_millis())
        .execute(conn)
        .await
        .map(|_| ()))
}

/// Forgets the links that were no longer good at `before`, and says how many they were. A used link must stay known
/// for as long as somebody may follow it again.
pub async fn delete_expired(tx: &mut Tx, before: Timestamp) -> Result<u64> {
    each!(tx.conn(), conn => sqlx::query("DELETE FROM mailed_links WHERE expires_at <= $1")
        .bind(before.as_millis())
        .execute(conn)
        .await
        .map(|done| done.rows_affected()))
}
