//! Photographers' accounts.

use domain::accounts::languages::AccountLanguage;
use domain::accounts::{EmailAddress, User};
use domain::{Paise, Timestamp, UserId};

use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::dialect::for_update;
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::{execute, fetch_all, fetch_one, fetch_optional};
use crate::{Executor, Result, Tx};

macro_rules! columns {
    () => {
        "users.id, email, pending_email, pending_confirmed, pending_needs_agreement, name, is_photographer, is_admin, email_verified_at, credits,
         premium_since, locked_at, users.language, users.created_at"
    };
}
pub(crate) use columns;

macro_rules! select {
    ($rest:literal) => {
        concat!("SELECT ", columns!(), " FROM users ", $rest)
    };
}

/// An account to be inserted, with a balance of zero.
#[derive(Clone, Debug)]
pub struct NewUser {
    /// Its id.
    pub id: UserId,
    /// Its address.
    pub email: EmailAddress,
    /// The person's name.
    pub name: String,
    /// The password's hash, in PHC string format.
    pub password_hash: String,
    /// Whether it is a photographer's.
    pub is_photographer: bool,
    /// The language of mails to it.
    pub language: AccountLanguage,
    /// When it is made.
    pub created_at: Timestamp,
}

/// What a login is checked against.
#[derive(Clone)]
pub struct Credentials {
    /// Whose.
    pub user: User,
    /// The password's hash, in PHC string format.
    pub password_hash: String,
}

row! {
    /// A row of `users` that belongs to an open account.
    pub(crate) struct UserRow {
        id: String,
        email: String,
        pending_email: Option<String>,
        pending_confirmed: bool,
        pending_needs_agreement: bool,
        name: String,
        is_photographer: bool,
        is_admin: bool,
        email_verified_at: Option<i64>,
        credits: i64,
        premium_since: Option<i64>,
        locked_at: Option<i64>,
        language: String,
        created_at: i64,
    }
}

impl FromColumns for User {
    type Columns = UserRow;

    fn from_columns(row: UserRow) -> Result<Self> {
        Ok(Self {
            id: decode::id(&row.id, "users.id")?,
            email: EmailAddress::from_trusted(row.email),
            pending_email: decode::email(row.pending_email),
            pending_confirmed: row.pending_confirmed,
            pending_needs_agreement: row.pending_needs_agreement,
            name: row.name,
            is_photographer: row.is_photographer,
            is_admin: row.is_admin,
            email_verified_at: decode::time(row.email_verified_at),
            credits: Paise::new(row.credits),
            premium_since: decode::time(row.premium_since),
            locked_at: decode::time(row.locked_at),
            language: decode::known(AccountLanguage::from_tag(&row.language), "users.language")?,
            created_at: Timestamp::from_millis(row.created_at),
        })
    }
}

row! {
    pub(crate) struct CredentialsRow {
        ..user: UserRow,
        password_hash: String,
    }
}

impl FromColumns for Credentials {
    type Columns = CredentialsRow;

    fn from_columns(row: CredentialsRow) -> Result<Self> {
        Ok(Self { user: User::from_columns(row.user)?, password_hash: row.password_hash })
    }
}

/// Inserts an account; false when another one has the address in force. A pending address of another account does not
/// prevent it.
pub async fn create(tx: &mut Tx, user: &NewUser) -> Result<bool> {
    // The key of today is taken or not by the statement itself.
    if user.email.former_key() != user.email.key() && has_other(&mut *tx, user.id, &user.email).await? {
        return Ok(false);
    }
    let inserted = execute!(
        tx,
        "INSERT INTO users (id, email, email_key, name, password_hash, is_photographer, language, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (email_key) WHERE email_key IS NOT NULL DO NOTHING",
        user.id,
        user.email,
        user.email.key(),
        user.name,
        user.password_hash,
        user.is_photographer,
        user.language.tag(),
        user.created_at,
    )?;
    Ok(inserted == 1)
}

/// Whether another account has the address in force. One that a version before told apart from an equal one has its former key.
async fn has_other(db: &dyn Executor, id: UserId, email: &EmailAddress) -> Result<bool> {
    let others = fetch_one!(
        db,
        i64,
        "SELECT COUNT(*) FROM users WHERE email_key IN ($1, $2) AND id <> $3",
        email.key(),
        email.former_key(),
        id,
    )?;
    Ok(others > 0)
}

/// An open account.
pub async fn by_id(db: &dyn Executor, id: UserId) -> Result<Option<User>> {
    fetch_optional!(db, User, select!("WHERE id = $1 AND closed_at IS NULL"), id)
}

/// The account whose address in force this is, whatever its case and form, with what its password is checked against. Of two
/// that a version before told apart, it is the one that was registered with this spelling.
pub async fn credentials(db: &dyn Executor, email: &EmailAddress) -> Result<Option<Credentials>> {
    fetch_optional!(
        db,
        Credentials,
        concat!(
            "SELECT password_hash, ",
            columns!(),
            " FROM users WHERE email_key IN ($1, $2) ORDER BY CASE WHEN email_key = $2 THEN 0 ELSE 1 END LIMIT 1"
        ),
        email.key(),
        email.former_key(),
    )
}

/// The same for an account that is known by its id.
pub async fn credentials_by_id(db: &dyn Executor, id: UserId) -> Result<Option<Credentials>> {
    fetch_optional!(
        db,
        Credentials,
        concat!("SELECT password_hash, ", columns!(), " FROM users WHERE id = $1 AND closed_at IS NULL"),
        id,
    )
}

/// Every open account, oldest first.
pub async fn list(db: &dyn Executor) -> Result<Vec<User>> {
    fetch_all!(db, User, select!("WHERE closed_at IS NULL ORDER BY users.created_at, id"),)
}

/// Whether there is another open account.
pub async fn has_others(tx: &mut Tx, id: UserId) -> Result<bool> {
    let statement = "SELECT id FROM users WHERE closed_at IS NULL AND id <> $1 LIMIT 1";
    Ok(fetch_optional!(tx, UserId, statement, id)?.is_some())
}

/// Puts a verified address in force and clears the pending one; false when another account has it in
/// force by now, or this one is closed. After false the transaction is to be dropped.
pub async fn verify_email(tx: &mut Tx, id: UserId, email: &EmailAddress, now: Timestamp) -> Result<bool> {
    // Its own address, which another account may have too that a version before told apart.
    let verified = execute!(
        tx,
        "UPDATE users SET pending_email = NULL, email_verified_at = COALESCE(email_verified_at, $3)
         WHERE id = $1 AND email = $2 AND closed_at IS NULL",
        id,
        email,
        now,
    )?;
    if verified == 1 {
        return Ok(true);
    }
    if has_other(&mut *tx, id, email).await? {
        return Ok(false);
    }
    let updated = execute!(
        tx,
        "UPDATE users SET email = $2, email_key = $3, pending_email = NULL,
             email_verified_at = COALESCE(email_verified_at, $4)
         WHERE id = $1 AND closed_at IS NULL",
        id,
        email,
        email.key(),
        now,
    )
    .map(|rows| rows == 1);
    match updated {
        // Another transaction has inserted it since the check above.
        Err(error) if error.is_unique_violation() => Ok(false),
        answer => answer,
    }
}

/// Changes the person's name.
pub async fn rename(tx: &mut Tx, id: UserId, name: &str) -> Result<bool> {
    Ok(execute!(tx, "UPDATE users SET name = $2 WHERE id = $1 AND closed_at IS NULL", id, name)? == 1)
}

/// The language of mails to an account, which it has until the receipt of its deletion is mailed.
pub async fn language(db: &dyn Executor, id: UserId) -> Result<AccountLanguage> {
    let tag = fetch_one!(db, String, "SELECT language FROM users WHERE id = $1", id)?;
    decode::known(AccountLanguage::from_tag(&tag), "users.language")
}

/// Changes the language of mails to an account.
pub async fn set_language(db: &dyn Executor, id: UserId, language: AccountLanguage) -> Result<()> {
    execute!(db, "UPDATE users SET language = $2 WHERE id = $1 AND closed_at IS NULL", id, language.tag(),)?;
    Ok(())
}

/// Sets the pending address, which nobody has confirmed or agreed to yet; the one in force stays. False when another account
/// has it in force.
pub async fn set_pending_email(
    tx: &mut Tx,
    id: UserId,
    email: &EmailAddress,
    needs_agreement: bool,
) -> Result<bool> {
    let updated = execute!(
        tx,
        "UPDATE users SET pending_email = $2, pending_confirmed = FALSE, pending_needs_agreement = $4
         WHERE id = $1 AND closed_at IS NULL
         AND NOT EXISTS (SELECT 1 FROM users other WHERE other.email_key IN ($3, $5) AND other.id <> $1)",
        id,
        email,
        email.key(),
        needs_agreement,
        email.former_key(),
    )?;
    Ok(updated == 1)
}

/// Records that the pending address has confirmed, and locks the account, which is answered; none when another address is
/// pending by now, or none.
pub async fn confirm_pending_email(tx: &mut Tx, id: UserId, pending: &EmailAddress) -> Result<Option<User>> {
    fetch_optional!(
        tx,
        User,
        concat!(
            "UPDATE users SET pending_confirmed = TRUE
             WHERE id = $1 AND pending_email = $2 AND closed_at IS NULL RETURNING ",
            columns!()
        ),
        id,
        pending,
    )
}

/// Records that the address in force, `current`, agrees to the pending one, as [`confirm_pending_email`] does that the other
/// has confirmed; none when either is another one by now.
pub async fn agree_to_pending_email(
    tx: &mut Tx,
    id: UserId,
    pending: &EmailAddress,
    current: &EmailAddress,
) -> Result<Option<User>> {
    fetch_optional!(
        tx,
        User,
        concat!(
            "UPDATE users SET pending_needs_agreement = FALSE
             WHERE id = $1 AND pending_email = $2 AND email_key IN ($3, $4) AND closed_at IS NULL RETURNING ",
            columns!()
        ),
        id,
        pending,
        current.key(),
        current.former_key(),
    )
}

/// Changes the password's hash, and forgets the pending address.
pub async fn set_password(tx: &mut Tx, id: UserId, password_hash: &str) -> Result<bool> {
    let updated = execute!(
        tx,
        "UPDATE users SET password_hash = $2, pending_email = NULL WHERE id = $1 AND closed_at IS NULL",
        id,
        password_hash,
    )?;
    Ok(updated == 1)
}

/// Puts another hash of the same password in the place of this one; false when the password was changed.
pub async fn renew_password(tx: &mut Tx, id: UserId, stored: &str, renewed: &str) -> Result<bool> {
    let updated = execute!(
        tx,
        "UPDATE users SET password_hash = $3 WHERE id = $1 AND password_hash = $2 AND closed_at IS NULL",
        id,
        stored,
        renewed,
    )?;
    Ok(updated == 1)
}

/// Makes an account an administrator, or no longer; false when it is closed.
pub async fn set_admin(tx: &mut Tx, id: UserId, is_admin: bool) -> Result<bool> {
    let updated =
        execute!(tx, "UPDATE users SET is_admin = $2 WHERE id = $1 AND closed_at IS NULL", id, is_admin)?;
    Ok(updated == 1)
}

/// Records that somebody logs in to an account; false when it is locked or closed, or the password with this hash is not in
/// force any more. Whoever locks it, or changes the password, meanwhile waits for the
/// transaction to end, and then finds its session.
pub async fn record_login(tx: &mut Tx, id: UserId, password_hash: &str, now: Timestamp) -> Result<bool> {
    let updated = execute!(
        tx,
        "UPDATE users SET last_login_at = $2
         WHERE id = $1 AND password_hash = $3 AND locked_at IS NULL AND closed_at IS NULL",
        id,
        now,
        password_hash,
    )?;
    Ok(updated == 1)
}

/// What an account is while a transaction has locked it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// Whether it is closed.
    pub is_closed: bool,
    /// Whether it has the premium plan.
    pub is_premium: bool,
}

row! {
    pub(crate) struct StandingRow {
        closed_at: Option<i64>,
        premium_since: Option<i64>,
    }
}

impl FromColumns for Standing {
    type Columns = StandingRow;

    fn from_columns(row: StandingRow) -> Result<Self> {
        Ok(Self { is_closed: row.closed_at.is_some(), is_premium: row.premium_since.is_some() })
    }
}

/// Locks an account until the transaction ends; none when there is no such account. It comes last: every other row that the
/// transaction locks comes before.
pub async fn lock(tx: &mut Tx, id: UserId) -> Result<Option<Standing>> {
    let statement = for_update!(tx.engine(), "SELECT closed_at, premium_since FROM users WHERE id = $1");
    fetch_optional!(tx, Standing, statement, id)
}

/// Locks an account until the transaction ends, as [`lock`] does; false when it is closed, or the password with this hash is not in
/// force any more.
pub async fn lock_with_password(tx: &mut Tx, id: UserId, password_hash: &str) -> Result<bool> {
    let statement = for_update!(
        tx.engine(),
        "SELECT closed_at, premium_since FROM users WHERE id = $1 AND password_hash = $2 AND closed_at IS NULL"
    );
    Ok(fetch_optional!(tx, Standing, statement, id, password_hash)?.is_some())
}

/// Takes the premium plan from an account; false when it does not have it.
pub async fn end_premium(tx: &mut Tx, id: UserId) -> Result<bool> {
    let updated = execute!(
        tx,
        "UPDATE users SET premium_since = NULL WHERE id = $1 AND premium_since IS NOT NULL",
        id,
    )?;
    Ok(updated == 1)
}

/// Gives an account the premium plan; false when it has it, or is closed.
pub async fn make_premium(tx: &mut Tx, id: UserId, now: Timestamp) -> Result<bool> {
    let updated = execute!(
        tx,
        "UPDATE users SET premium_since = $2 WHERE id = $1 AND premium_since IS NULL AND closed_at IS NULL",
        id,
        now,
    )?;
    Ok(updated == 1)
}

/// Closes an account: every personal column is cleared, its address is free again, its sessions and links end. The row
/// stays for the ledger, with its language for the receipt of the deletion. Its events and photos are the caller's to delete. False when it was closed.
pub async fn close(tx: &mut Tx, id: UserId, now: Timestamp) -> Result<bool> {
    end_access(tx, id).await?;
    erase(tx, id, now).await
}

/// Closes an account as [`close`] does; false, and the transaction is to be dropped, when it was closed, or the password with this
/// hash is not in force any more.
pub async fn close_with_password(
    tx: &mut Tx,
    id: UserId,
    password_hash: &str,
    now: Timestamp,
) -> Result<bool> {
    end_access(tx, id).await?;
    // Not before: whoever has a row of these may wait for that of the account.
    if !lock_with_password(tx, id, password_hash).await? {
        return Ok(false);
    }
    erase(tx, id, now).await
}

/// Deletes what opens an account, and what it has let others open.
async fn end_access(tx: &mut Tx, id: UserId) -> Result<()> {
    for statement in [
        "DELETE FROM sessions WHERE user_id = $1",
        "DELETE FROM second_factors WHERE user_id = $1",
        "DELETE FROM recovery_codes WHERE user_id = $1",
        "DELETE FROM passkeys WHERE user_id = $1",
        "DELETE FROM passkey_challenges WHERE user_id = $1",
        "DELETE FROM single_sign_on WHERE user_id = $1",
        "DELETE FROM single_sign_on_attempts WHERE user_id = $1",
        "DELETE FROM login_tickets WHERE user_id = $1",
        "DELETE FROM api_tokens WHERE user_id = $1",
        "DELETE FROM ftp_logins WHERE event_id IN (SELECT id FROM events WHERE owner_id = $1)",
        "DELETE FROM ftp_logins WHERE made_by = $1",
        "DELETE FROM client_selections WHERE event_id IN (SELECT id FROM events WHERE owner_id = $1)",
        "DELETE FROM walls WHERE event_id IN (SELECT id FROM events WHERE owner_id = $1)",
        "DELETE FROM mailed_links WHERE user_id = $1",
        "DELETE FROM email_notices WHERE user_id = $1",
        "DELETE FROM known_networks WHERE user_id = $1",
        "DELETE FROM event_members WHERE user_id = $1",
        "DELETE FROM event_invitations WHERE invited_by = $1",
    ] {
        execute!(&mut *tx, statement, id)?;
    }
    Ok(())
}

/// Clears what is personal of an account that opens to nobody any more; false when it was closed.
async fn erase(tx: &mut Tx, id: UserId, now: Timestamp) -> Result<bool> {
    let updated = execute!(
        &mut *tx,
        "UPDATE users SET email = '', email_key = NULL, pending_email = NULL, name = '', password_hash = '',
             email_verified_at = NULL, is_admin = false, locked_at = NULL, lock_reason = NULL, last_login_at = NULL,
             weekly_summary_at = NULL, single_sign_on_declined_at = NULL,
             closed_at = $2, revision = revision + 1, removals = removals + 1
         WHERE id = $1 AND closed_at IS NULL",
        id,
        now,
    )?;
    // Last: whoever saves one of these holds the row of the account meanwhile.
    execute!(&mut *tx, "DELETE FROM studios WHERE user_id = $1", id)?;
    crate::webhooks::endpoints::delete_of_owner(tx, id).await?;
    execute!(tx, "DELETE FROM billing_details WHERE user_id = $1", id)?;
    Ok(updated == 1)
}
