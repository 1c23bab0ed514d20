//! The logins at a provider of OpenID Connect that open accounts, those that are under way, and what makes sessions of them.

use domain::accounts::tokens::TokenHash;
use domain::{Timestamp, UserId};

use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::{execute, fetch_one, fetch_optional};
use crate::{Executor, Result, Tx};

/// A login at a provider that opens an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The provider's name of the person.
    pub subject: String,
    /// Since when.
    pub linked_at: Timestamp,
    /// When it was used last.
    pub last_used_at: Option<Timestamp>,
}

row! {
    pub(crate) struct IdentityRow {
        subject: String,
        linked_at: i64,
        last_used_at: Option<i64>,
    }
}

impl FromColumns for Identity {
    type Columns = IdentityRow;

    fn from_columns(row: IdentityRow) -> Result<Self> {
        Ok(Self {
            subject: row.subject,
            linked_at: Timestamp::from_millis(row.linked_at),
            last_used_at: decode::time(row.last_used_at),
        })
    }
}

/// The login at a provider that opens an account.
pub async fn of_user(db: &dyn Executor, user: UserId, issuer: &str) -> Result<Option<Identity>> {
    fetch_optional!(
        db,
        Identity,
        "SELECT subject, linked_at, last_used_at FROM single_sign_on WHERE user_id = $1 AND issuer = $2",
        user,
        issuer,
    )
}

/// The account that a login at a provider opens.
pub async fn user_of(db: &dyn Executor, issuer: &str, subject: &str) -> Result<Option<UserId>> {
    fetch_optional!(
        db,
        UserId,
        "SELECT user_id FROM single_sign_on WHERE issuer = $1 AND subject = $2",
        issuer,
        subject,
    )
}

/// Lets a login at a provider open an account; false when it opens one already, or the account has another login there.
pub async fn link(tx: &mut Tx, user: UserId, issuer: &str, subject: &str, now: Timestamp) -> Result<bool> {
    let linked = execute!(
        tx,
        "INSERT INTO single_sign_on (issuer, subject, user_id, linked_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT DO NOTHING",
        issuer,
        subject,
        user,
        now,
    )?;
    Ok(linked == 1)
}

/// Takes the login at a provider from an account, with what is under way; false when it has none.
pub async fn unlink(tx: &mut Tx, user: UserId, issuer: &str) -> Result<bool> {
    execute!(tx, "DELETE FROM single_sign_on_attempts WHERE user_id = $1", user)?;
    let unlinked =
        execute!(tx, "DELETE FROM single_sign_on WHERE user_id = $1 AND issuer = $2", user, issuer)?;
    execute!(tx, "DELETE FROM login_tickets WHERE user_id = $1", user)?;
    Ok(unlinked == 1)
}

/// Takes every login at a provider from an account, with what is under way.
pub async fn unlink_all(tx: &mut Tx, user: UserId) -> Result<()> {
    // In this order: who takes an attempt writes the login next, and who writes that has made a ticket, and each is waited for.
    execute!(tx, "DELETE FROM single_sign_on_attempts WHERE user_id = $1", user)?;
    execute!(tx, "DELETE FROM single_sign_on WHERE user_id = $1", user)?;
    execute!(tx, "DELETE FROM login_tickets WHERE user_id = $1", user)?;
    Ok(())
}

/// Ends what is to be linked to an account, and the tickets that were not used yet.
pub async fn end_under_way(tx: &mut Tx, user: UserId) -> Result<()> {
    execute!(tx, "DELETE FROM single_sign_on_attempts WHERE user_id = $1", user)?;
    execute!(tx, "DELETE FROM login_tickets WHERE user_id = $1", user)?;
    Ok(())
}

/// Records that the owner of an account has unlinked it: its address alone links it no more.
pub async fn decline(tx: &mut Tx, user: UserId, now: Timestamp) -> Result<()> {
    execute!(tx, "UPDATE users SET single_sign_on_declined_at = $2 WHERE id = $1", user, now)?;
    Ok(())
}

/// Forgets that: the owner has linked the account again.
pub async fn forget_decline(tx: &mut Tx, user: UserId) -> Result<()> {
    execute!(
        tx,
        "UPDATE users SET single_sign_on_declined_at = NULL
         WHERE id = $1 AND single_sign_on_declined_at IS NOT NULL",
        user,
    )?;
    Ok(())
}

/// Whether the owner of an account has unlinked it, and has not linked it again.
pub async fn is_declined(db: &dyn Executor, user: UserId) -> Result<bool> {
    let declined = fetch_one!(
        db,
        i64,
        "SELECT COUNT(*) FROM users WHERE id = $1 AND single_sign_on_declined_at IS NOT NULL",
        user,
    )?;
    Ok(declined > 0)
}

/// Records that a login at a provider has opened this account; false when it does not, by now.
pub async fn record_use(
    tx: &mut Tx,
    user: UserId,
    issuer: &str,
    subject: &str,
    now: Timestamp,
) -> Result<bool> {
    let used = execute!(
        tx,
        "UPDATE single_sign_on SET last_used_at = $4 WHERE issuer = $1 AND subject = $2 AND user_id = $3",
        issuer,
        subject,
        user,
        now,
    )?;
    Ok(used == 1)
}

/// A login that waits for the provider's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// What the provider has to put into its answer.
    pub nonce: String,
    /// What proves to the provider that the answer is fetched by whoever has begun.
    pub verifier: String,
    /// Where it leads.
    pub path: String,
    /// The account that is to be linked; none where somebody logs in.
    pub user: Option<UserId>,
}

row! {
    pub(crate) struct AttemptRow {
        nonce: String,
        verifier: String,
        path: String,
        user_id: Option<String>,
    }
}

impl FromColumns for Attempt {
    type Columns = AttemptRow;

    fn from_columns(row: AttemptRow) -> Result<Self> {
        let user = row.user_id.map(|id| decode::id(&id, "single_sign_on_attempts.user_id")).transpose()?;
        Ok(Self { nonce: row.nonce, verifier: row.verifier, path: row.path, user })
    }
}

/// Keeps a login under the hash of its state until it is answered, or has expired.
pub async fn begin(
    tx: &mut Tx,
    state: &TokenHash,
    browser: &TokenHash,
    attempt: &Attempt,
    now: Timestamp,
    expires_at: Timestamp,
) -> Result<()> {
    execute!(tx, "DELETE FROM single_sign_on_attempts WHERE expires_at <= $1", now)?;
    execute!(
        tx,
        "INSERT INTO single_sign_on_attempts (hash, browser, nonce, verifier, path, user_id, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
        state,
        browser,
        attempt.nonce,
        attempt.verifier,
        attempt.path,
        attempt.user,
        expires_at,
    )?;
    Ok(())
}

/// A login that waits, of those that this browser has begun.
pub async fn waiting(
    db: &dyn Executor,
    state: &TokenHash,
    browser: &TokenHash,
    now: Timestamp,
) -> Result<Option<Attempt>> {
    fetch_optional!(
        db,
        Attempt,
        "SELECT nonce, verifier, path, user_id FROM single_sign_on_attempts
         WHERE hash = $1 AND browser = $2 AND expires_at > $3",
        state,
        browser,
        now,
    )
}

/// Takes a login, which is good no more from then on; none when none waits that this browser has begun.
pub async fn take(
    tx: &mut Tx,
    state: &TokenHash,
    browser: &TokenHash,
    now: Timestamp,
) -> Result<Option<Attempt>> {
    fetch_optional!(
        tx,
        Attempt,
        "DELETE FROM single_sign_on_attempts WHERE hash = $1 AND browser = $2 AND expires_at > $3
         RETURNING nonce, verifier, path, user_id",
        state,
        browser,
        now,
    )
}

/// What makes a session, once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ticket {
    /// Whose.
    pub user: UserId,
    /// Whether a second factor was given that counts here.
    pub is_proved: bool,
    /// Where the login leads.
    pub path: String,
}

row! {
    pub(crate) struct TicketRow {
        user_id: String,
        is_proved: bool,
        path: String,
    }
}

impl FromColumns for Ticket {
    type Columns = TicketRow;

    fn from_columns(row: TicketRow) -> Result<Self> {
        let user = decode::id(&row.user_id, "login_tickets.user_id")?;
        Ok(Self { user, is_proved: row.is_proved, path: row.path })
    }
}

/// Keeps a ticket until it is used, or has expired. Without `browser` it is good in every one.
pub async fn add_ticket(
    tx: &mut Tx,
    hash: &TokenHash,
    browser: Option<&TokenHash>,
    ticket: &Ticket,
    now: Timestamp,
    expires_at: Timestamp,
) -> Result<()> {
    execute!(tx, "DELETE FROM login_tickets WHERE expires_at <= $1", now)?;
    execute!(
        tx,
        "INSERT INTO login_tickets (hash, browser, user_id, is_proved, path, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6)",
        hash,
        browser,
        ticket.user,
        ticket.is_proved,
        ticket.path,
        expires_at,
    )?;
    Ok(())
}

/// A ticket that is good in this browser.
pub async fn ticket(
    db: &dyn Executor,
    hash: &TokenHash,
    browser: &TokenHash,
    now: Timestamp,
) -> Result<Option<Ticket>> {
    fetch_optional!(
        db,
        Ticket,
        "SELECT user_id, is_proved, path FROM login_tickets
         WHERE hash = $1 AND (browser IS NULL OR browser = $2) AND expires_at > $3",
        hash,
        browser,
        now,
    )
}

/// Uses a ticket up; false when another request came first.
pub async fn use_ticket(tx: &mut Tx, hash: &TokenHash) -> Result<bool> {
    Ok(execute!(tx, "DELETE FROM login_tickets WHERE hash = $1", hash)? == 1)
}
