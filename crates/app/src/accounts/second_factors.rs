//! The second factor of an account: set up, asked for, and taken away (decision 0065).

mod codes;

use domain::accounts::second_factor::{self, ADMINISTRATION_OPEN, Code, SECRET_LENGTH};
use domain::accounts::tokens::{self, TokenHash};
use domain::accounts::{AccountNews, User};
use domain::{Refusal, Timestamp, UserId};
use storage::accounts::second_factors;

use crate::accounts::security_log::{self, SecurityEvent};
use crate::accounts::{notices, password_attempts, passwords};
use crate::faces::sealing::Key;
use crate::operations::runtime::queue::Tx;
use crate::{App, Failure, Result};

/// The secret of the database with which those of accounts are encrypted.
const SEALING_KEY: &str = "second_factors";

/// What administration asks a session for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asks {
    /// Nothing: it is open.
    Nothing,
    /// A code: none was given in the last 12 hours.
    Code,
    /// A second factor has to be set up.
    SetUp,
}

/// The second factor of an account, as its owner sees it.
pub struct Shown {
    /// Since when it is asked for; none while it is off.
    pub since: Option<Timestamp>,
    /// When a code was taken last.
    pub last_used_at: Option<Timestamp>,
    /// How many recovery codes are left.
    pub recovery_codes: i64,
    /// What administration would ask this session for.
    pub administration: Asks,
}

/// A secret that waits to be confirmed.
pub struct Begun {
    /// In Base32, as it is typed into an app.
    pub secret: String,
    /// The same as a URI, which apps read from a QR code.
    pub uri: String,
}

/// The second factor of a user; `token` is the bearer token of the session that asks.
pub async fn show(app: &App, user: &User, token: &str) -> Result<Shown> {
    let factor = second_factors::find(&app.db, user.id).await?;
    let administration = asks(app, user, token).await?;
    let factor = factor.filter(|factor| factor.confirmed_at.is_some());
    Ok(Shown {
        since: factor.as_ref().and_then(|factor| factor.confirmed_at),
        last_used_at: factor.as_ref().and_then(|factor| factor.last_used_at),
        recovery_codes: factor.map_or(0, |factor| factor.recovery_codes),
        administration,
    })
}

async fn asks(app: &App, user: &User, token: &str) -> Result<Asks> {
    let factor = second_factors::find(&app.db, user.id).await?;
    if factor.is_none_or(|factor| factor.confirmed_at.is_none()) {
        return Ok(if app.settings.is_local() { Asks::Nothing } else { Asks::SetUp });
    }
    let now = app.now();
    let session = storage::accounts::sessions::find(&app.db, &tokens::hash_token(token), now).await?;
    let proved_at = session.and_then(|session| session.proved_at);
    let is_open = proved_at.is_some_and(|at| now.since(at) < ADMINISTRATION_OPEN);
    Ok(if is_open { Asks::Nothing } else { Asks::Code })
}

/// Checks that an administrator's session has given a second factor within 12 hours. An installation that only its own machine
/// reaches does without while none is set up.
///
/// # Errors
/// [`Refusal::AdministrationAsksForCode`], or [`Refusal::AdministrationAsksForSecondFactor`].
pub async fn check_administration(app: &App, user: &User, token: &str) -> Result<()> {
    match asks(app, user, token).await? {
        Asks::Nothing => Ok(()),
        Asks::Code => Err(Refusal::AdministrationAsksForCode.into()),
        Asks::SetUp => Err(Refusal::AdministrationAsksForSecondFactor.into()),
    }
}

/// Makes a secret for an authenticator app. It is asked for nowhere until [`confirm`] has seen a code of it.
///
/// # Errors
/// Those of the password as for its change, or [`Refusal::SecondFactorOn`].
pub async fn begin(app: &App, user: &User, password: String) -> Result<Begun> {
    let password = passwords::check_current(app, user, password).await?;
    let secret = app.randomness.bytes::<SECRET_LENGTH>();
    let sealed = sealing_key(app).await?.seal(app, &context(user.id), &secret)?;
    let mut tx = app.begin().await?;
    password.lock_account(&mut tx, user.id).await?;
    if !second_factors::begin(&mut tx, user.id, &sealed, app.now()).await? {
        return Err(Refusal::SecondFactorOn.into());
    }
    tx.commit().await?;
    Ok(Begun { secret: codes::base32(&secret), uri: codes::uri(user.email.as_str(), &secret) })
}

/// Turns the second factor on, which gives the session that did it a code, and answers the recovery codes, once. A mail tells
/// of it.
///
/// # Errors
/// [`Refusal::SecondFactorOn`], [`Refusal::SecondFactorOff`] when none was begun, [`Refusal::SecondFactorWrong`], or
/// [`Refusal::TooMany`] after wrong codes.
pub async fn confirm(app: &App, user: &User, token: &str, code: &str) -> Result<Vec<String>> {
    let factor = second_factors::find(&app.db, user.id).await?.ok_or(Refusal::SecondFactorOff)?;
    if factor.confirmed_at.is_some() {
        return Err(Refusal::SecondFactorOn.into());
    }
    let attempt = password_attempts::begin(app, codes_of(user.id)).await?;
    let secret = open(app, user.id, &factor.secret).await?;
    let now = app.now();
    let Some(step) = matching_step(&secret, code, now) else {
        return Err(refuse(app, user, &attempt).await);
    };
    let codes = second_factor::recovery_codes(&app.randomness);
    let hashes: Vec<TokenHash> =
        codes.iter().map(|code| second_factor::recovery_hash(user.id, code)).collect();
    let mut tx = app.begin().await?;
    attempt.succeed(&mut tx).await?;
    if !second_factors::confirm(&mut tx, user.id, &factor.secret, step, &hashes, now).await? {
        return Err(Refusal::SecondFactorOn.into());
    }
    storage::accounts::sessions::prove(&mut tx, &tokens::hash_token(token), now).await?;
    notices::enqueue(&mut tx, user, AccountNews::SecondFactorOn, app.id(), now).await?;
    tx.commit().await?;
    security_log::record(SecurityEvent::SecondFactorOn, Some(user.id));
    Ok(codes)
}

/// Takes a code in a session, for which administration is open then.
///
/// # Errors
/// [`Refusal::SecondFactorOff`], [`Refusal::SecondFactorWrong`], or [`Refusal::TooMany`] after wrong codes.
pub async fn prove(app: &App, user: &User, token: &str, code: &str) -> Result<()> {
    let mut tx = take(app, user, code).await?;
    storage::accounts::sessions::prove(&mut tx, &tokens::hash_token(token), app.now()).await?;
    tx.commit().await
}

/// Turns the second factor off. A mail tells of it.
///
/// # Errors
/// Those of the password as for its change, and those of [`prove`].
pub async fn remove(app: &App, user: &User, password: String, code: &str) -> Result<()> {
    let password = passwords::check_current(app, user, password).await?;
    let mut tx = take(app, user, code).await?;
    password.lock_account(&mut tx, user.id).await?;
    take_away(&mut tx, user, app.id(), app.now()).await?;
    tx.commit().await?;
    security_log::record(SecurityEvent::SecondFactorOff, Some(user.id));
    Ok(())
}

/// Takes the second factor from an account, and mails that it was; false when there is none.
pub(crate) async fn take_away(
    tx: &mut Tx,
    user: &User,
    notice: domain::NoticeId,
    now: Timestamp,
) -> Result<bool> {
    let removed = second_factors::remove(tx, user.id).await?;
    if removed {
        notices::enqueue(tx, user, AccountNews::SecondFactorOff, notice, now).await?;
    }
    Ok(removed)
}

/// Checks the second factor of a login whose password was right, and answers whether the account has one.
///
/// # Errors
/// [`Refusal::SecondFactorRequired`] without a code, [`Refusal::SecondFactorWrong`], or [`Refusal::TooMany`] after wrong codes.
pub(crate) async fn check_login(app: &App, user: &User, code: &str) -> Result<bool> {
    let factor = second_factors::find(&app.db, user.id).await?;
    if factor.is_none_or(|factor| factor.confirmed_at.is_none()) {
        return Ok(false);
    }
    if code.trim().is_empty() {
        return Err(Refusal::SecondFactorRequired.into());
    }
    take(app, user, code).await?.commit().await?;
    Ok(true)
}

/// Takes a code, which nobody can use again, in the transaction that it answers.
async fn take(app: &App, user: &User, code: &str) -> Result<Tx> {
    let factor = second_factors::find(&app.db, user.id).await?;
    let factor = factor.filter(|factor| factor.confirmed_at.is_some()).ok_or(Refusal::SecondFactorOff)?;
    let attempt = password_attempts::begin(app, codes_of(user.id)).await?;
    let now = app.now();
    let secret = open(app, user.id, &factor.secret).await?;
    let mut tx = app.begin().await?;
    let is_taken = match Code::parse(code) {
        Some(Code::Recovery(code)) => {
            let hash = second_factor::recovery_hash(user.id, &code);
            second_factors::take_recovery_code(&mut tx, user.id, &hash, now).await?
        }
        _ => match matching_step(&secret, code, now) {
            Some(step) => second_factors::take_step(&mut tx, user.id, step, now).await?,
            None => false,
        },
    };
    if !is_taken {
        drop(tx);
        return Err(refuse(app, user, &attempt).await);
    }
    attempt.succeed(&mut tx).await?;
    Ok(tx)
}

/// The refusal of a wrong code, which its owner is told of after many: whoever tries them knows the password.
async fn refuse(app: &App, user: &User, attempt: &password_attempts::Attempt) -> Failure {
    security_log::record(SecurityEvent::SecondFactorRefused, Some(user.id));
    if !attempt.is_told() {
        return Refusal::SecondFactorWrong.into();
    }
    tell_of_wrong_codes(app, user).await.err().unwrap_or_else(|| Refusal::SecondFactorWrong.into())
}

async fn tell_of_wrong_codes(app: &App, user: &User) -> Result<()> {
    let mut tx = app.begin().await?;
    notices::enqueue(&mut tx, user, AccountNews::WrongCodes, app.id(), app.now()).await?;
    tx.commit().await
}

/// The step whose code this is, of those that are good now.
fn matching_step(secret: &[u8], code: &str, now: Timestamp) -> Option<i64> {
    let Some(Code::Digits(digits)) = Code::parse(code) else { return None };
    second_factor::steps(now).into_iter().find(|step| codes::matches(secret, *step, &digits))
}

/// The subject of wrong codes: whoever tries them anywhere, knows the password.
pub(crate) fn codes_of(user: UserId) -> TokenHash {
    password_attempts::subject(&format!("code {user}"))
}

fn context(user: UserId) -> String {
    format!("second factor {user}")
}

async fn sealing_key(app: &App) -> Result<Key> {
    Key::of_installation(app, SEALING_KEY).await
}

async fn open(app: &App, user: UserId, sealed: &[u8]) -> Result<Vec<u8>> {
    let opened = sealing_key(app).await?.open(&context(user), sealed);
    opened.ok_or_else(|| Failure::Internal(String::from("the secret of a second factor cannot be decrypted")))
}

/// The code of an authenticator app with this secret, in Base32.
#[cfg(feature = "testing")]
pub fn code_at(secret: &str, now: Timestamp) -> Option<String> {
    codes::at(secret, second_factor::step(now))
}
