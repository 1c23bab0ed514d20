//! Links that were mailed to a person.

use domain::accounts::tokens::TokenHash;
use domain::accounts::{EmailAddress, LinkPurpose};
use domain::{Timestamp, UserId};

use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::dialect::for_update;
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::{execute, fetch_all, fetch_optional};
use crate::{Executor, Result, Tx};

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
    /// The address to which it agrees; none for every other purpose.
    pub new_email: Option<EmailAddress>,
    /// When it is made.
    pub created_at: Timestamp,
    /// When it expires.
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
    /// The address to which it agrees; none for every other purpose.
    pub new_email: Option<EmailAddress>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it expires.
    pub expires_at: Timestamp,
    /// When it was used.
    pub used_at: Option<Timestamp>,
}

row! {
    pub(crate) struct LinkRow {
        purpose: String,
        user_id: String,
        email: String,
        new_email: Option<String>,
        created_at: i64,
        expires_at: i64,
        used_at: Option<i64>,
    }
}

impl FromColumns for MailedLink {
    type Columns = LinkRow;

    fn from_columns(row: LinkRow) -> Result<Self> {
        Ok(Self {
            purpose: decode::known(LinkPurpose::from_stored(&row.purpose), "mailed_links.purpose")?,
            user: decode::id(&row.user_id, "mailed_links.user_id")?,
            email: EmailAddress::from_trusted(row.email),
            new_email: decode::email(row.new_email),
            created_at: Timestamp::from_millis(row.created_at),
            expires_at: Timestamp::from_millis(row.expires_at),
            used_at: decode::time(row.used_at),
        })
    }
}

/// Inserts a link that is about to be mailed.
pub async fn create(tx: &mut Tx, link: &NewLink) -> Result<()> {
    execute!(
        tx,
        "INSERT INTO mailed_links (hash, purpose, user_id, email, new_email, created_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
        link.hash,
        link.purpose,
        link.user,
        link.email,
        link.new_email,
        link.created_at,
        link.expires_at,
    )?;
    Ok(())
}

/// The link of a token, used, expired or not.
pub async fn find(db: &dyn Executor, hash: &TokenHash) -> Result<Option<MailedLink>> {
    fetch_optional!(
        db,
        MailedLink,
        "SELECT purpose, user_id, email, new_email, created_at, expires_at, used_at FROM mailed_links
         WHERE hash = $1",
        hash,
    )
}

/// The links that were mailed about an account and are kept, oldest first.
pub async fn of_user(db: &dyn Executor, user: UserId) -> Result<Vec<MailedLink>> {
    fetch_all!(
        db,
        MailedLink,
        "SELECT purpose, user_id, email, new_email, created_at, expires_at, used_at FROM mailed_links
         WHERE user_id = $1 ORDER BY created_at, hash",
        user,
    )
}

/// Marks a link as used; true for the first caller alone.
pub async fn consume(tx: &mut Tx, hash: &TokenHash, now: Timestamp) -> Result<bool> {
    Ok(execute!(tx, "UPDATE mailed_links SET used_at = $2 WHERE hash = $1 AND used_at IS NULL", hash, now)?
        == 1)
}

/// Locks the unused links of a user and one purpose until the transaction ends, in one order: two that are followed at one
/// moment each take the other with them, and would wait for each other.
pub async fn lock_all(tx: &mut Tx, user: UserId, purpose: LinkPurpose) -> Result<()> {
    let statement = for_update!(
        tx.engine(),
        "SELECT purpose FROM mailed_links WHERE user_id = $1 AND purpose = $2 AND used_at IS NULL ORDER BY hash"
    );
    fetch_all!(tx, String, statement, user, purpose)?;
    Ok(())
}

/// Marks every unused link of a user and one purpose as used, such as older reset links once a password is set.
pub async fn consume_all(tx: &mut Tx, user: UserId, purpose: LinkPurpose, now: Timestamp) -> Result<()> {
    execute!(
        tx,
        "UPDATE mailed_links SET used_at = $3 WHERE user_id = $1 AND purpose = $2 AND used_at IS NULL",
        user,
        purpose,
        now,
    )?;
    Ok(())
}

/// Uses up a user's links that take a change of address back, but those of before this moment that were mailed to any address but
/// `own`: an address that the account had before it had `own` outranks it.
pub async fn consume_revocations(
    tx: &mut Tx,
    user: UserId,
    own: &EmailAddress,
    since: Timestamp,
    now: Timestamp,
) -> Result<()> {
    execute!(
        tx,
        "UPDATE mailed_links SET used_at = $5
         WHERE user_id = $1 AND purpose = $2 AND used_at IS NULL AND (email = $3 OR created_at >= $4)",
        user,
        LinkPurpose::RevokeEmailChange,
        own,
        since,
        now,
    )?;
    Ok(())
}

/// Deletes a user's unused links that verify any address but `keep`, or agree to one, so that a change of address which was
/// cancelled cannot be completed.
pub async fn delete_unused_of_change(tx: &mut Tx, user: UserId, keep: &EmailAddress) -> Result<()> {
    execute!(
        tx,
        "DELETE FROM mailed_links WHERE user_id = $1 AND used_at IS NULL
         AND (purpose = $2 AND email <> $3 OR purpose = $4)",
        user,
        LinkPurpose::VerifyEmail,
        keep,
        LinkPurpose::AgreeToEmailChange,
    )?;
    Ok(())
}

/// Deletes the links that had expired at `before`, and answers their number. A used link must be retained for as long as
/// it may be followed again.
pub async fn delete_expired(tx: &mut Tx, before: Timestamp) -> Result<u64> {
    execute!(tx, "DELETE FROM mailed_links WHERE expires_at <= $1", before)
}
