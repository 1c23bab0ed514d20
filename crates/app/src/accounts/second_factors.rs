//! The second factors of an account: an authenticator app set up and taken away, and whichever there is asked for (decisions 0065
//! and 0070).

mod codes;

use domain::accounts::passkeys::Purpose;
use domain::accounts::second_factor::{self, ADMINISTRATION_OPEN, Code, SECRET_LENGTH, SET_UP_LIFETIME};
use domain::accounts::tokens::{self, TokenHash};
use domain::accounts::{AccountNews, User};
use domain::{Refusal, Timestamp, UserId};
use storage::Executor;
use storage::accounts::{passkeys, second_factors};

use crate::accounts::security_log::{self, SecurityEvent};
use crate::accounts::webauthn::{self, Assertion, Proof, Question};
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
    /// The second factor: none was given in the last 12 hours.
    Code,
    /// A second factor has to be set up.
    SetUp,
}

/// The second factors of an account, as its owner sees them.
pub struct Shown {
    /// Since when there is an authenticator app; none while there is none.
    pub since: Option<Timestamp>,
    /// When a code of it was taken last.
    pub last_used_at: Option<Timestamp>,
    /// How many passkeys there are.
    pub passkeys: i64,
    /// Whether the public URL is one that passkeys can be bound to.
    pub passkeys_available: bool,
    /// How many recovery codes are left.
    pub recovery_codes: i64,
    /// What administration would ask this session for.
    pub administration: Asks,
}

/// Which second factors an account has.
#[derive(Clone, Copy)]
pub(crate) struct Kinds {
    app: bool,
    passkeys: bool,
}

impl Kinds {
    pub(crate) async fn of(db: &dyn Executor, user: UserId) -> Result<Self> {
        let app = second_factors::find(db, user).await?.is_some_and(|factor| factor.confirmed_at.is_some());
        Ok(Self { app, passkeys: passkeys::count(db, user).await? > 0 })
    }

    pub(crate) const fn any(self) -> bool {
        self.app || self.passkeys
    }
}

/// What somebody gives as a second factor.
#[derive(Clone, Copy)]
pub struct Given<'a> {
    /// A code of the authenticator app, or a recovery code; empty where none is given.
    pub code: &'a str,
    /// What a passkey has answered.
    pub passkey: Option<&'a Assertion>,
}

impl Given<'_> {
    /// Nothing.
    pub const NOTHING: Self = Self { code: "", passkey: None };

    const fn is_nothing(&self) -> bool {
        self.code.trim_ascii().is_empty() && self.passkey.is_none()
    }
}

/// What a login is asked for after the right password.
pub struct Asked {
    /// Whether a code of an authenticator app is taken. A recovery code always is.
    pub authenticator_app: bool,
    /// What to ask a passkey; none where there is none.
    pub passkey: Option<Question>,
}

/// What is said of the second factor of a login.
pub(crate) enum Check {
    NoneThere,
    Given,
    Asked(Asked),
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
        last_used_at: factor.and_then(|factor| factor.last_used_at),
        passkeys: passkeys::count(&app.db, user.id).await?,
        passkeys_available: webauthn::party(app).is_some(),
        recovery_codes: second_factors::recovery_codes(&app.db, user.id).await?,
        administration,
    })
}

async fn asks(app: &App, user: &User, token: &str) -> Result<Asks> {
    let is_open =
        proved_at(app, &app.db, token).await?.is_some_and(|at| app.now().since(at) < ADMINISTRATION_OPEN);
    if Kinds::of(&app.db, user.id).await?.any() {
        return Ok(if is_open { Asks::Nothing } else { Asks::Code });
    }
    // Whoever has none here may have given one where they logged in.
    let is_open = is_open && app.settings.trusts_second_factors();
    Ok(if is_open || app.settings.is_local() { Asks::Nothing } else { Asks::SetUp })
}

/// When a session gave the second factor.
async fn proved_at(app: &App, db: &dyn Executor, token: &str) -> Result<Option<Timestamp>> {
    let session = storage::accounts::sessions::find(db, &tokens::hash_token(token), app.now()).await?;
    Ok(session.and_then(|session| session.proved_at))
}

/// Whether a session has given a second factor, for the transaction that adds one, and is to ask before it records that.
pub(crate) async fn has_given(app: &App, db: &dyn Executor, token: &str) -> Result<bool> {
    Ok(proved_at(app, db, token).await?.is_some())
}

/// Checks that a session which adds or takes away a second factor has given one, where the account has any: otherwise a password
/// and a session from before would be enough to get past it.
///
/// # Errors
/// [`Refusal::SecondFactorNotGiven`].
pub(crate) async fn check_given(app: &App, user: &User, token: &str) -> Result<()> {
    if Kinds::of(&app.db, user.id).await?.any() && !has_given(app, &app.db, token).await? {
        return Err(Refusal::SecondFactorNotGiven.into());
    }
    Ok(())
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
/// [`Refusal::SecondFactorOn`], [`Refusal::SecondFactorNotGiven`] beside passkeys, or those of the password as for its change.
pub async fn begin(app: &App, user: &User, token: &str, password: String) -> Result<Begun> {
    check_given_beside_passkeys(app, user, token).await?;
    let password = passwords::check_current(app, user, token, password).await?;
    let secret = app.randomness.bytes::<SECRET_LENGTH>();
    let sealed = sealing_key(app).await?.seal(app, &context(user.id), &secret)?;
    let mut tx = app.begin().await?;
    if !second_factors::begin(&mut tx, user.id, &sealed, app.now()).await? {
        return Err(Refusal::SecondFactorOn.into());
    }
    password.lock_account(&mut tx, user.id).await?;
    tx.commit().await?;
    Ok(Begun {
        secret: codes::base32(&secret),
        uri: codes::uri(&app.settings.site_name, user.email.as_str(), &secret),
    })
}

/// With an authenticator app already the answer is that there is one.
async fn check_given_beside_passkeys(app: &App, user: &User, token: &str) -> Result<()> {
    let has_app = Kinds::of(&app.db, user.id).await?.app;
    if has_app { Ok(()) } else { check_given(app, user, token).await }
}

/// Turns the authenticator app on, which gives the session that did it a second factor, and answers the recovery codes, once, where
/// it is the account's first one. A mail tells of it.
///
/// # Errors
/// [`Refusal::SecondFactorOn`], [`Refusal::SecondFactorOff`] when none was begun in the last 15 minutes,
/// [`Refusal::SecondFactorNotGiven`] beside passkeys, [`Refusal::SecondFactorWrong`], or [`Refusal::TooMany`] after wrong codes.
pub async fn confirm(app: &App, user: &User, token: &str, code: &str) -> Result<Vec<String>> {
    let factor = second_factors::find(&app.db, user.id).await?.ok_or(Refusal::SecondFactorOff)?;
    if factor.confirmed_at.is_some() {
        return Err(Refusal::SecondFactorOn.into());
    }
    if app.now().since(factor.begun_at) >= SET_UP_LIFETIME {
        return Err(Refusal::SecondFactorOff.into());
    }
    // A passkey may have been added since it was begun.
    check_given(app, user, token).await?;
    let attempt = password_attempts::begin(app, codes_of(user.id)).await?;
    let secret = open(app, user.id, &factor.secret).await?;
    let now = app.now();
    let Some(step) = matching_step(&secret, code, now) else {
        return Err(refuse(app, user, &attempt, Refusal::SecondFactorWrong).await);
    };
    let mut tx = app.begin().await?;
    attempt.succeed(&mut tx).await?;
    if !second_factors::confirm(&mut tx, user.id, &factor.secret, step, now).await? {
        return Err(Refusal::SecondFactorOn.into());
    }
    let has_given = has_given(app, &mut *tx, token).await?;
    storage::accounts::sessions::prove(&mut tx, &tokens::hash_token(token), now).await?;
    // So an app and a passkey that are added at one moment count each other.
    storage::accounts::users::lock(&mut tx, user.id).await?;
    let has_passkeys = passkeys::count(&mut *tx, user.id).await? > 0;
    if has_passkeys && !has_given {
        return Err(Refusal::SecondFactorNotGiven.into());
    }
    let codes = if has_passkeys { Vec::new() } else { give_recovery_codes(app, &mut tx, user.id).await? };
    notices::enqueue(&mut tx, user, AccountNews::SecondFactorOn, app.id(), now).await?;
    tx.commit().await?;
    security_log::record(SecurityEvent::SecondFactorOn, Some(user.id));
    Ok(codes)
}

/// Makes the recovery codes of an account that has its first second factor.
pub(crate) async fn give_recovery_codes(app: &App, tx: &mut Tx, user: UserId) -> Result<Vec<String>> {
    let codes = second_factor::recovery_codes(&app.randomness);
    let hashes: Vec<TokenHash> = codes.iter().map(|code| second_factor::recovery_hash(user, code)).collect();
    second_factors::add_recovery_codes(tx, user, &hashes).await?;
    Ok(codes)
}

/// Asks the passkeys of the account of a session, for which administration is open once one has answered.
///
/// # Errors
/// [`Refusal::PasskeysUnavailable`], or [`Refusal::PasskeyMissing`].
pub async fn ask_passkey(app: &App, user: &User) -> Result<Question> {
    if webauthn::party(app).is_none() {
        return Err(Refusal::PasskeysUnavailable.into());
    }
    let question = webauthn::ask(app, user.id, Purpose::Administration).await?;
    question.ok_or_else(|| Refusal::PasskeyMissing.into())
}

/// Takes a second factor in a session, for which administration is open then.
///
/// # Errors
/// [`Refusal::SecondFactorOff`], [`Refusal::SecondFactorWrong`], [`Refusal::PasskeyWrong`], or [`Refusal::TooMany`] after wrong
/// ones.
pub async fn prove(app: &App, user: &User, token: &str, given: Given<'_>) -> Result<()> {
    let mut tx = take(app, user, given, Purpose::Administration).await?;
    storage::accounts::sessions::prove(&mut tx, &tokens::hash_token(token), app.now()).await?;
    tx.commit().await?;
    security_log::record(SecurityEvent::SecondFactorGiven, Some(user.id));
    Ok(())
}

/// Removes the authenticator app. A mail tells of it.
///
/// # Errors
/// Those of the password as for its change, [`Refusal::SecondFactorOff`] without one, and those of [`prove`].
pub async fn remove(app: &App, user: &User, token: &str, password: String, code: &str) -> Result<()> {
    let password = passwords::check_current(app, user, token, password).await?;
    if !Kinds::of(&app.db, user.id).await?.app {
        return Err(Refusal::SecondFactorOff.into());
    }
    let mut tx = take_code(app, user, code).await?;
    password.lock_account(&mut tx, user.id).await?;
    second_factors::remove(&mut tx, user.id).await?;
    let is_on = Kinds::of(&mut *tx, user.id).await?.any();
    let news = if is_on { AccountNews::AuthenticatorAppRemoved } else { AccountNews::SecondFactorOff };
    notices::enqueue(&mut tx, user, news, app.id(), app.now()).await?;
    tx.commit().await?;
    security_log::record(SecurityEvent::SecondFactorOff, Some(user.id));
    Ok(())
}

/// Takes every second factor from an account, and mails that it was; false when there is none.
pub(crate) async fn take_away(
    tx: &mut Tx,
    user: &User,
    notice: domain::NoticeId,
    now: Timestamp,
) -> Result<bool> {
    let had_app = second_factors::remove(tx, user.id).await?;
    let removed = passkeys::delete_all(tx, user.id).await? > 0 || had_app;
    if removed {
        notices::enqueue(tx, user, AccountNews::SecondFactorOff, notice, now).await?;
    }
    Ok(removed)
}

/// Checks the second factor of a login whose password was right, or asks for it where the account has one.
///
/// # Errors
/// [`Refusal::SecondFactorWrong`], [`Refusal::PasskeyWrong`], or [`Refusal::TooMany`] after wrong ones.
pub(crate) async fn check_login(app: &App, user: &User, given: Given<'_>) -> Result<Check> {
    let kinds = Kinds::of(&app.db, user.id).await?;
    if !kinds.any() {
        return Ok(Check::NoneThere);
    }
    if given.is_nothing() {
        let passkey = webauthn::ask(app, user.id, Purpose::Login).await?;
        return Ok(Check::Asked(Asked { authenticator_app: kinds.app, passkey }));
    }
    take(app, user, given, Purpose::Login).await?.commit().await?;
    security_log::record(SecurityEvent::SecondFactorGiven, Some(user.id));
    Ok(Check::Given)
}

/// Takes what is given, which nobody can use again, in the transaction that it answers.
async fn take(app: &App, user: &User, given: Given<'_>, purpose: Purpose) -> Result<Tx> {
    if !Kinds::of(&app.db, user.id).await?.any() {
        return Err(Refusal::SecondFactorOff.into());
    }
    match given.passkey {
        Some(assertion) => take_passkey(app, user, assertion, purpose).await,
        None => take_code(app, user, given.code).await,
    }
}

async fn take_passkey(app: &App, user: &User, assertion: &Assertion, purpose: Purpose) -> Result<Tx> {
    let attempt = password_attempts::begin(app, codes_of(user.id)).await?;
    let is_copied = match webauthn::check(app, user.id, assertion, purpose).await? {
        Proof::Used { id, sign_count } => {
            let mut tx = app.begin().await?;
            // Of two answers at one moment that have counted as far, one is recorded.
            if passkeys::record_use(&mut tx, user.id, id, sign_count, app.now()).await? {
                attempt.succeed(&mut tx).await?;
                return Ok(tx);
            }
            true
        }
        Proof::Copied => true,
        Proof::Nothing => false,
    };
    if is_copied {
        security_log::record(SecurityEvent::PasskeyCopied, Some(user.id));
    }
    Err(refuse(app, user, &attempt, Refusal::PasskeyWrong).await)
}

async fn take_code(app: &App, user: &User, code: &str) -> Result<Tx> {
    let factor = second_factors::find(&app.db, user.id).await?;
    let factor = factor.filter(|factor| factor.confirmed_at.is_some());
    let attempt = password_attempts::begin(app, codes_of(user.id)).await?;
    let now = app.now();
    let step = match &factor {
        Some(factor) => matching_step(&open(app, user.id, &factor.secret).await?, code, now),
        None => None,
    };
    let mut tx = app.begin().await?;
    let is_taken = match Code::parse(code) {
        Some(Code::Recovery(code)) => {
            let hash = second_factor::recovery_hash(user.id, &code);
            second_factors::take_recovery_code(&mut tx, user.id, &hash, now).await?
        }
        _ => match step {
            Some(step) => second_factors::take_step(&mut tx, user.id, step, now).await?,
            None => false,
        },
    };
    if !is_taken {
        drop(tx);
        return Err(refuse(app, user, &attempt, Refusal::SecondFactorWrong).await);
    }
    attempt.succeed(&mut tx).await?;
    Ok(tx)
}

/// The refusal of a wrong second factor, which its owner is told of after many: whoever tries them knows the password.
async fn refuse(app: &App, user: &User, attempt: &password_attempts::Attempt, refusal: Refusal) -> Failure {
    security_log::record(SecurityEvent::SecondFactorRefused, Some(user.id));
    if !attempt.is_told() {
        return refusal.into();
    }
    tell_of_wrong_codes(app, user).await.err().unwrap_or_else(|| refusal.into())
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
