//! Registration, e-mail verification and sessions.

pub mod api_tokens;
pub mod deletion_receipts;
pub mod email_changes;
pub mod exports;
pub mod languages;
pub mod mail_requests;
pub(crate) mod notices;
pub mod passkeys;
pub(crate) mod password_attempts;
pub mod passwords;
pub mod profiles;
pub mod registrations;
pub mod second_factors;
pub(crate) mod security_log;
pub mod sessions;
pub mod setup;
pub mod single_sign_on;
pub mod webauthn;

use std::net::IpAddr;
use std::time::Duration;

use domain::accounts::devices::Device;
use domain::accounts::tokens::{self, Token, TokenHash};
use domain::accounts::{EmailAddress, LinkPurpose, User};
use domain::payments::ledger::LedgerKind;
use domain::{DAY, Job, Refusal, Timestamp, UserId};
use storage::accounts::users::Credentials;

use crate::accounts::email_changes::Progress;
use crate::accounts::registrations::{NewAccount, Row};
use crate::accounts::second_factors::{Asked, Check, Given};
use crate::accounts::security_log::SecurityEvent;
use crate::operations::mails;
use crate::operations::runtime::queue::{Outcome, Tx};
use crate::operations::runtime::{job_attempts, limits};
use crate::{App, Result};

/// For how long a network from which an account has logged in is known.
pub(crate) const NETWORK_MEMORY: Duration = DAY.saturating_mul(30);
/// A session is extended only after this long, so that not every request writes.
const EXTEND_AFTER: Duration = Duration::from_secs(10 * 60);
/// How long after its login a session is extended at most.
const LONGEST_SESSION: Duration = DAY.saturating_mul(90);

/// How long a registration waits for the verification mail to be sent.
const MAIL_TIMEOUT: Duration = Duration::from_secs(5);

/// The result of a registration.
pub struct Registered {
    /// The account.
    pub user: User,
    /// Whether the verification mail was sent, or will be retried.
    pub email_sent: bool,
}

/// Creates a photographer's account with its free credits, and mails the verification link.
///
/// # Errors
/// [`Refusal::EmailTaken`], or [`Refusal::PasswordsOff`].
pub async fn register(app: &App, account: NewAccount) -> Result<Registered> {
    app.settings.check_passwords()?;
    let NewAccount { name, email, password, language } = account;
    let password_hash = passwords::hash(app, password).await?;
    let (id, now) = (app.id::<UserId>(), app.now());

    let mut tx = app.begin().await?;
    let (credit, is_admin, is_verified) = (app.id(), false, false);
    let row = Row { id, credit, name, email, password_hash, is_admin, is_verified, language };
    let user = registrations::create(&mut tx, row, now).await?;
    let leased = tx.enqueue_leased(&Job::SendVerification { user: id }).await?;
    tx.commit().await?;
    app.metrics.record_ledger_entry(LedgerKind::Signup);
    let sending = {
        let app = app.clone();
        async move { send_verification(&app, id).await }
    };
    let outcome = job_attempts::attempt_now(app, leased, sending, MAIL_TIMEOUT).await;
    // What has not failed permanently is retried.
    let email_sent = outcome != Some(Outcome::Failed);
    Ok(Registered { user, email_sent })
}

/// The result of a login whose password was right.
pub enum LoggedIn {
    /// A session.
    Session(Token, User),
    /// The account has a second factor, and none was given.
    SecondFactor(Asked),
}

/// Checks address and password, and the second factor where the account has one, and creates a session. Wrong passwords
/// are counted for the address whoever tries them, but apart for each network from which its account has logged in before: an attack
/// does not lock its owner out there.
///
/// # Errors
/// [`Refusal::WrongCredentials`], without telling which of the two was wrong, [`Refusal::AccountLocked`],
/// [`Refusal::EmailNotVerified`], [`Refusal::TooMany`], or, after a right password alone, [`Refusal::SecondFactorWrong`] and
/// [`Refusal::PasskeyWrong`]; [`Refusal::PasswordsOff`].
pub async fn log_in(
    app: &App,
    email: &str,
    password: String,
    given: Given<'_>,
    from: IpAddr,
    device: Device,
) -> Result<LoggedIn> {
    app.settings.check_passwords()?;
    if email.trim().is_empty() {
        return Err(Refusal::EmailRequired.into());
    }
    if password.is_empty() {
        return Err(Refusal::PasswordRequired.into());
    }
    let Ok(email) = EmailAddress::parse(email) else {
        passwords::verify(app, password, None).await?;
        return Err(Refusal::WrongCredentials.into());
    };
    let here = login_from(&email, from);
    let is_known =
        storage::accounts::known_networks::is_known(&app.db, &here, app.now().minus(NETWORK_MEMORY)).await?;
    let attempt = password_attempts::begin(app, if is_known { here } else { login_of(&email) }).await?;
    let found = storage::accounts::users::credentials(&app.db, &email).await?;
    let stored_hash = found.as_ref().map(|found| found.password_hash.clone());
    let matched = passwords::verify(app, password.clone(), stored_hash).await?;
    let account = found.as_ref().map(|found| found.user.id);
    let Some(Credentials { user, password_hash }) = found.filter(|_| matched.is_right()) else {
        attempt.fail(app, &email).await?;
        security_log::record(SecurityEvent::LoginRefused, account);
        return Err(Refusal::WrongCredentials.into());
    };
    let renewed = passwords::renew(app, &password, matched).await?;
    let mut tx = app.begin().await?;
    attempt.succeed(&mut tx).await?;
    let password_hash = passwords::store_renewed(&mut tx, user.id, password_hash, renewed).await?;
    let refusal = match &user {
        user if user.locked_at.is_some() => Some(Refusal::AccountLocked),
        user if user.email_verified_at.is_none() => Some(Refusal::EmailNotVerified),
        _ => None,
    };
    if let Some(refusal) = refusal {
        tx.commit().await?;
        security_log::record(SecurityEvent::LoginRefused, account);
        return Err(refusal.into());
    }
    tx.commit().await?;
    let is_proved = match second_factors::check_login(app, &user, given).await? {
        Check::Asked(asked) => return Ok(LoggedIn::SecondFactor(asked)),
        Check::Given => true,
        Check::NoneThere => false,
    };
    let mut tx = app.begin().await?;
    let Some(token) = open_session(app, &mut tx, &user, &password_hash, from, &device).await? else {
        drop(tx);
        let now = storage::accounts::users::by_id(&app.db, user.id).await?;
        let is_locked = now.is_some_and(|now| now.locked_at.is_some());
        security_log::record(SecurityEvent::LoginRefused, account);
        return Err(if is_locked { Refusal::AccountLocked } else { Refusal::WrongCredentials }.into());
    };
    if is_proved {
        storage::accounts::sessions::prove(&mut tx, &token.hash(), app.now()).await?;
    }
    tx.commit().await?;
    security_log::record(SecurityEvent::LoggedIn, account);
    Ok(LoggedIn::Session(token, user))
}

/// Makes a session of an account, whose owner is known in this network from now on. None, and the transaction is to be dropped,
/// when the account was locked or closed meanwhile, or has another password than the one that was checked.
pub(crate) async fn open_session(
    app: &App,
    tx: &mut Tx,
    user: &User,
    password_hash: &str,
    from: IpAddr,
    device: &Device,
) -> Result<Option<Token>> {
    let (token, now) = (app.randomness.token(), app.now());
    storage::accounts::known_networks::remember(tx, &login_from(&user.email, from), user.id, now).await?;
    let expires_at = now.plus(app.settings.session_lifetime);
    storage::accounts::sessions::create(tx, &token.hash(), user.id, device, now, expires_at).await?;
    let is_good = storage::accounts::users::record_login(tx, user.id, password_hash, now).await?;
    Ok(is_good.then_some(token))
}

/// The subject of logins with an address.
pub(crate) fn login_of(email: &EmailAddress) -> TokenHash {
    password_attempts::subject(&format!("login {}", email.key()))
}

/// The subject of logins with an address from the network of `from`.
fn login_from(email: &EmailAddress, from: IpAddr) -> TokenHash {
    password_attempts::subject(&format!("login {} {}", email.key(), limits::block_of(from)))
}

/// Lets the owner of an account log in from here however many wrong passwords others have tried, because a mailed link has
/// proved who they are.
async fn welcome(tx: &mut Tx, user: &User, from: IpAddr, now: Timestamp) -> Result<()> {
    let here = login_from(&user.email, from);
    storage::accounts::password_attempts::clear(tx, &login_of(&user.email)).await?;
    storage::accounts::password_attempts::clear(tx, &here).await?;
    Ok(storage::accounts::known_networks::remember(tx, &here, user.id, now).await?)
}

/// Sets a new password with the token of a mailed link; see [`passwords::reset`]. The owner can log in from here at once.
///
/// # Errors
/// Those of [`passwords::reset`].
pub async fn reset_password(app: &App, token: &str, password: String, from: IpAddr) -> Result<()> {
    let user = passwords::reset(app, token, password).await?;
    let mut tx = app.begin().await?;
    welcome(&mut tx, &user, from, app.now()).await?;
    tx.commit().await
}

/// The account of a session, found by its bearer token; none when that is unknown or expired. Using a session extends
/// it, up to 90 days after its login.
pub async fn authenticate(app: &App, token: &str) -> Result<Option<User>> {
    let (hash, now) = (tokens::hash_token(token), app.now());
    let Some(session) = storage::accounts::sessions::find(&app.db, &hash, now).await? else {
        return Ok(None);
    };
    // Logging in is refused too; whatever else made the session, the address is not known to be its holder's.
    if session.user.email_verified_at.is_none() {
        return Ok(None);
    }
    let (lifetime, unused) = (app.settings.session_lifetime, now.since(session.last_used_at));
    // The setting may have been shortened since it was extended last.
    if unused >= lifetime {
        return Ok(None);
    }
    if unused >= EXTEND_AFTER {
        let mut tx = app.begin().await?;
        // What was promised before there was a bound is kept.
        let bound = session.created_at.plus(LONGEST_SESSION).max(session.expires_at);
        let expires_at = now.plus(lifetime).min(bound);
        storage::accounts::sessions::renew(&mut tx, &hash, now, expires_at).await?;
        tx.commit().await?;
    }
    Ok(Some(session.user))
}

/// Why a bearer token is not, or no longer, that of a session.
pub async fn reason_of_ended_session(app: &App, token: &str) -> Result<Refusal> {
    let hash = tokens::hash_token(token);
    let changed =
        storage::accounts::sessions::was_ended_by_password_change(&app.db, &hash, app.now()).await?;
    Ok(if changed { Refusal::PasswordChanged } else { Refusal::SignInRequired })
}

/// Deletes the session of this bearer token, if there is one.
pub async fn log_out(app: &App, token: &str) -> Result<()> {
    let mut tx = app.begin().await?;
    storage::accounts::sessions::delete(&mut tx, &tokens::hash_token(token)).await?;
    tx.commit().await?;
    Ok(())
}

/// Whether the address of a link is verified, by this link or another.
pub async fn is_verified(app: &App, token: &str) -> Result<bool> {
    let Some(link) = storage::accounts::links::find(&app.db, &tokens::hash_token(token)).await? else {
        return Ok(false);
    };
    if link.purpose != LinkPurpose::VerifyEmail {
        return Ok(false);
    }
    let Some(user) = storage::accounts::users::by_id(&app.db, link.user).await? else {
        return Ok(false);
    };
    if user.email.is_same_mailbox(&link.email) {
        return Ok(user.email_verified_at.is_some());
    }
    // With a pending address nobody can log in yet, whether or not it has confirmed.
    Ok(link.used_at.is_some() && !is_pending(&user, &link.email))
}

fn is_pending(user: &User, email: &EmailAddress) -> bool {
    user.pending_email.as_ref().is_some_and(|pending| pending.is_same_mailbox(email))
}

/// Verifies the address to which a link was mailed, and answers whether it is in force. Idempotent.
///
/// # Errors
/// [`Refusal::VerificationTokenRequired`], [`Refusal::VerificationUnknown`], [`Refusal::VerificationExpired`],
/// or [`Refusal::EmailTaken`] when another account verified the address first.
pub async fn verify_email(app: &App, token: &str) -> Result<Progress> {
    if token.trim().is_empty() {
        return Err(Refusal::VerificationTokenRequired.into());
    }
    let hash = tokens::hash_token(token.trim());
    let link = storage::accounts::links::find(&app.db, &hash)
        .await?
        .filter(|link| link.purpose == LinkPurpose::VerifyEmail)
        .ok_or(Refusal::VerificationUnknown)?;
    let user =
        storage::accounts::users::by_id(&app.db, link.user).await?.ok_or(Refusal::VerificationUnknown)?;
    if link.used_at.is_some() {
        return verified_before(&user, &link.email);
    }
    let now = app.now();
    if link.expires_at <= now {
        return Err(Refusal::VerificationExpired.into());
    }
    // The account must not go to the owner of a mistyped address that was corrected after the link was sent.
    let pending = user.pending_email.as_ref().filter(|pending| pending.is_same_mailbox(&link.email));
    if pending.is_none() && !user.email.is_same_mailbox(&link.email) {
        return Err(Refusal::VerificationUnknown.into());
    }
    let mut tx = app.begin().await?;
    if !storage::accounts::links::consume(&mut tx, &hash, now).await? {
        drop(tx);
        // It was followed twice at one moment, or the change was cancelled since the link was read.
        let link =
            storage::accounts::links::find(&app.db, &hash).await?.ok_or(Refusal::VerificationUnknown)?;
        let user = storage::accounts::users::by_id(&app.db, link.user).await?;
        return verified_before(&user.ok_or(Refusal::VerificationUnknown)?, &link.email);
    }
    let progress = match pending {
        Some(pending) => email_changes::confirm(app, &mut tx, user.id, pending).await?,
        // An older link to a verified address must not cancel a change that is pending.
        None if user.email_verified_at.is_some() => Progress::InForce,
        None if storage::accounts::users::verify_email(&mut tx, user.id, &link.email, now).await? => {
            Progress::InForce
        }
        None => return Err(Refusal::EmailTaken.into()),
    };
    tx.commit().await?;
    email_changes::record(progress, user.id);
    Ok(progress)
}

/// What a used link answers, which changes nothing. What an address said of a request does not hold for the next one.
fn verified_before(user: &User, email: &EmailAddress) -> Result<Progress> {
    if user.email.is_same_mailbox(email) || !is_pending(user, email) {
        Ok(Progress::InForce)
    } else if user.pending_confirmed {
        Ok(Progress::Waiting)
    } else {
        Err(Refusal::VerificationUnknown.into())
    }
}

/// The job of [`register`], of a change of address and of a request by address: creates a link and mails it.
///
/// The job creates the link, so that its token is not part of the job's payload: the database stores only its hash.
pub(crate) async fn send_verification(app: &App, user: UserId) -> Result<()> {
    let Some(user) = storage::accounts::users::by_id(&app.db, user).await? else {
        return Ok(());
    };
    let (recipient, is_new) = match (&user.pending_email, user.email_verified_at) {
        (Some(pending), _) => (pending.clone(), true),
        (None, None) => (user.email.clone(), false),
        (None, Some(_)) => return Ok(()),
    };
    let token = app.randomness.token();
    let now = app.now();
    let link = storage::accounts::links::NewLink {
        hash: token.hash(),
        purpose: LinkPurpose::VerifyEmail,
        user: user.id,
        email: recipient.clone(),
        new_email: None,
        created_at: now,
        expires_at: now.plus(LinkPurpose::VerifyEmail.lifetime()),
    };
    let mut tx = app.begin().await?;
    storage::accounts::links::create(&mut tx, &link).await?;
    tx.commit().await?;
    let mail = if is_new { mails::email_changes::new_address } else { mails::verification };
    let mail = mail(&app.settings, &user, recipient, &token)?;
    mails::deliver(app, &mail).await
}
