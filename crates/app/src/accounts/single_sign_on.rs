//! Logging in at a provider of OpenID Connect (decision 0101). An account is bound to the provider's own name of a person, and is
//! found by their address the first time alone.

mod first_login;

use std::net::IpAddr;

use domain::accounts::devices::Device;
use domain::accounts::languages::AccountLanguage;
use domain::accounts::single_sign_on::{LINK_LIFETIME, Passwords, Person, TIME_TO_LOG_IN, path_of_this_site};
use domain::accounts::tokens::{self, Token, TokenHash};
use domain::accounts::{AccountNews, User};
use domain::operations::administration::check_not_last;
use domain::{Clock, Randomness, Refusal, Timestamp, UserId};
use gateway::single_sign_on::{Provider, Secrets, SignOnError};
use storage::accounts::single_sign_on::{self, Attempt, Ticket};
use storage::accounts::users::{self, Credentials};

use crate::accounts::second_factors::{self, Asked, Check, Given};
use crate::accounts::security_log::{self, SecurityEvent};
use crate::accounts::{self, notices, passwords};
use crate::operations::runtime::queue::Tx;
use crate::{App, Failure, Result, SingleSignOn};

/// The page that makes a session of a ticket; the ticket is in the fragment, which no server and no proxy is sent.
const PAGE: &str = "/login#ticket=";

/// A login that was begun.
pub struct Begun {
    /// Where the browser goes.
    pub url: String,
    /// What it keeps meanwhile: nobody else can end this login.
    pub browser: Token,
}

/// What a browser brings back from the provider.
pub struct Answer<'a> {
    /// Which login it answers.
    pub state: &'a str,
    /// What proves it; empty where the provider has refused.
    pub code: &'a str,
    /// What the browser has kept.
    pub browser: &'a str,
    /// The language that it prefers, in which a new account gets its mails.
    pub language: AccountLanguage,
}

/// What has come of it.
pub enum Landing {
    /// Somebody is known: with this ticket the page makes a session.
    Known(Token),
    /// The account of a session is linked.
    Linked,
    /// It is not.
    NotLinked(Refusal),
}

/// The result of a ticket.
pub enum LoggedIn {
    /// A session.
    Session {
        /// Its bearer token.
        token: Token,
        /// Whose.
        user: User,
        /// Where the login leads.
        path: String,
    },
    /// The account has a second factor, and none was given.
    SecondFactor(Asked),
}

/// How an account and the provider stand to each other.
pub struct Shown {
    /// What the provider is called here.
    pub label: String,
    /// Whether passwords are there too, so that it can be unlinked.
    pub has_passwords: bool,
    /// Since when it is linked; none where it is not.
    pub linked_at: Option<Timestamp>,
    /// When it was used last.
    pub last_used_at: Option<Timestamp>,
}

fn configured(app: &App) -> Result<(&Provider, &SingleSignOn)> {
    match (&app.single_sign_on, &app.settings.single_sign_on) {
        (Some(provider), Some(settings)) => Ok((provider, settings)),
        _ => Err(Refusal::SingleSignOnOff.into()),
    }
}

/// Begins a login that leads to a path of this site.
///
/// # Errors
/// [`Refusal::SingleSignOnOff`], or [`Refusal::SingleSignOnUnavailable`].
pub async fn begin(app: &App, path: &str) -> Result<Begun> {
    start(app, path_of_this_site(path), None).await
}

/// Begins a login whose person is to open the account of the session with this bearer token.
///
/// # Errors
/// Those of [`begin`], [`Refusal::SingleSignOnLinked`], [`Refusal::SecondFactorNotGiven`], and those of the password as for its
/// change.
pub async fn begin_link(app: &App, user: &User, token: &str, password: String) -> Result<Begun> {
    let (provider, _) = configured(app)?;
    second_factors::check_given(app, user, token).await?;
    let password = passwords::check_current(app, user, token, password).await?;
    if single_sign_on::of_user(&app.db, user.id, provider.issuer()).await?.is_some() {
        return Err(Refusal::SingleSignOnLinked.into());
    }
    start(app, "", Some((user.id, password))).await
}

async fn start(app: &App, path: &str, linked: Option<(UserId, passwords::Checked)>) -> Result<Begun> {
    let (provider, _) = configured(app)?;
    let token = || app.randomness.token();
    let (state, browser, nonce, verifier) = (token(), token(), token().reveal(), token().reveal());
    let secrets = Secrets { state: &state.reveal(), nonce: &nonce, verifier: &verifier };
    let url = provider.begin(secrets).await.map_err(refuse)?;
    let user = linked.as_ref().map(|(user, _)| *user);
    let attempt = Attempt { nonce, verifier, path: path.to_owned(), user };
    let (now, mut tx) = (app.now(), app.begin().await?);
    let expires_at = now.plus(TIME_TO_LOG_IN);
    single_sign_on::begin(&mut tx, &state.hash(), &browser.hash(), &attempt, now, expires_at).await?;
    if let Some((user, password)) = linked {
        password.lock_account(&mut tx, user).await?;
    }
    tx.commit().await?;
    Ok(Begun { url, browser })
}

/// What a person is told when nobody was proved; the log says why.
fn refuse(error: SignOnError) -> Failure {
    let refusal = match &error {
        SignOnError::Unavailable(_) => Refusal::SingleSignOnUnavailable,
        SignOnError::Refused(_) => Refusal::SingleSignOnRefused,
    };
    tracing::warn!(%error, "single sign-on");
    refusal.into()
}

/// Ends at the provider what [`begin`] or [`begin_link`] has begun, once.
///
/// # Errors
/// [`Refusal::SingleSignOnOff`], [`Refusal::SingleSignOnExpired`], [`Refusal::SingleSignOnUnavailable`],
/// [`Refusal::SingleSignOnRefused`], [`Refusal::AccountLocked`], and those of a first login.
pub async fn finish(app: &App, answer: Answer<'_>) -> Result<Landing> {
    let (provider, settings) = configured(app)?;
    let (state, browser) = (tokens::hash_token(answer.state), tokens::hash_token(answer.browser));
    let waiting = single_sign_on::waiting(&app.db, &state, &browser, app.now()).await?;
    let attempt = waiting.ok_or(Refusal::SingleSignOnExpired)?;
    let take = async |tx: &mut Tx| {
        let taken = single_sign_on::take(tx, &state, &browser, app.now()).await?;
        taken.map(|_| ()).ok_or(Failure::from(Refusal::SingleSignOnExpired))
    };
    let Some(user) = attempt.user else {
        let mut tx = app.begin().await?;
        take(&mut tx).await?;
        tx.commit().await?;
        let person = prove(app, provider, &attempt, &answer).await?;
        let ticket = admit(app, provider, settings, &person, &browser, attempt.path, answer.language).await;
        if let Err(Failure::Refused(_)) = &ticket {
            security_log::record(SecurityEvent::LoginRefused, None);
        }
        return Ok(Landing::Known(ticket?));
    };
    // Taken with the link, or with what refuses it: a password that is set meanwhile ends what is under way.
    let person = prove(app, provider, &attempt, &answer).await;
    let mut tx = app.begin().await?;
    let linked = match take(&mut tx).await.and(person) {
        Ok(person) => link(app, &mut tx, provider, user, &person).await,
        Err(failure) => Err(failure),
    };
    match linked {
        Ok(()) => {
            tx.commit().await?;
            security_log::record(SecurityEvent::SingleSignOnLinked, Some(user));
            Ok(Landing::Linked)
        }
        Err(Failure::Refused(refusal)) => {
            // The attempt is used up.
            tx.commit().await?;
            Ok(Landing::NotLinked(refusal))
        }
        Err(failure) => Err(failure),
    }
}

async fn prove(app: &App, provider: &Provider, attempt: &Attempt, answer: &Answer<'_>) -> Result<Person> {
    if answer.code.is_empty() {
        return Err(Refusal::SingleSignOnRefused.into());
    }
    let secrets = Secrets { state: answer.state, nonce: &attempt.nonce, verifier: &attempt.verifier };
    provider.finish(answer.code, secrets, app.now()).await.map_err(refuse)
}

/// Finds the account of a person, or makes one, and gives it the role that the provider says.
async fn admit(
    app: &App,
    provider: &Provider,
    settings: &SingleSignOn,
    person: &Person,
    browser: &TokenHash,
    path: String,
    language: AccountLanguage,
) -> Result<Token> {
    let issuer = provider.issuer();
    let user = match single_sign_on::user_of(&app.db, issuer, &person.subject).await? {
        Some(user) => user,
        None => first_login::account_of(app, issuer, settings, person, language).await?,
    };
    let user = users::by_id(&app.db, user).await?.ok_or(Refusal::SingleSignOnUnknown)?;
    if user.locked_at.is_some() {
        return Err(Refusal::AccountLocked.into());
    }
    let (token, now) = (app.randomness.token(), app.now());
    let (is_proved, expires_at) =
        (person.has_logged_in_by(&settings.second_factors), now.plus(TIME_TO_LOG_IN));
    let ticket = Ticket { user: user.id, is_proved, path };
    let mut tx = app.begin().await?;
    single_sign_on::add_ticket(&mut tx, &token.hash(), Some(browser), &ticket, now, expires_at).await?;
    if !single_sign_on::record_use(&mut tx, user.id, issuer, &person.subject, now).await? {
        // It was unlinked a moment ago.
        return Err(Refusal::SingleSignOnExpired.into());
    }
    let role = follow_role(&mut tx, settings, &user, person).await?;
    tx.commit().await?;
    if let Some(event) = role {
        security_log::record(event, Some(user.id));
    }
    Ok(token)
}

/// Makes somebody an administrator, or no longer, as the claim says that the operator has named. The last one stays.
async fn follow_role(
    tx: &mut Tx,
    settings: &SingleSignOn,
    user: &User,
    person: &Person,
) -> Result<Option<SecurityEvent>> {
    let Some(claim) = &settings.administrators else { return Ok(None) };
    let is_admin = person.is_administrator(&claim.value);
    if is_admin == user.is_admin {
        return Ok(None);
    }
    if !is_admin {
        let administrators = storage::operations::administration::administrators(tx).await?;
        if check_not_last(user.id, &administrators).is_err() {
            tracing::warn!(account = %user.id, "single sign-on makes the last administrator none, which stays one");
            return Ok(None);
        }
    }
    users::set_admin(tx, user.id, is_admin).await?;
    Ok(Some(if is_admin { SecurityEvent::AdministratorMade } else { SecurityEvent::AdministratorRemoved }))
}

async fn link(app: &App, tx: &mut Tx, provider: &Provider, user: UserId, person: &Person) -> Result<()> {
    let user = users::by_id(&mut **tx, user).await?.ok_or(Refusal::SignInRequired)?;
    let (issuer, now) = (provider.issuer(), app.now());
    if !single_sign_on::link(tx, user.id, issuer, &person.subject, now).await? {
        return Err(first_login::why_not_linked(&mut **tx, issuer, &person.subject).await?.into());
    }
    notices::enqueue(tx, &user, AccountNews::SingleSignOnLinked, app.id(), now).await?;
    Ok(single_sign_on::forget_decline(tx, user.id).await?)
}

/// Makes a session of a ticket, once. Its account's second factor is asked for as after a password, unless one was given to the
/// provider that counts here.
///
/// # Errors
/// [`Refusal::SingleSignOnExpired`], [`Refusal::AccountLocked`], [`Refusal::EmailNotVerified`], and those of the second factor.
pub async fn log_in(
    app: &App,
    ticket: &str,
    browser: &str,
    given: Given<'_>,
    from: IpAddr,
    device: Device,
) -> Result<LoggedIn> {
    let (hash, browser) = (tokens::hash_token(ticket.trim()), tokens::hash_token(browser));
    let expired = Refusal::SingleSignOnExpired;
    let ticket = single_sign_on::ticket(&app.db, &hash, &browser, app.now()).await?;
    let Ticket { user, is_proved, path } = ticket.ok_or(expired.clone())?;
    let found = users::credentials_by_id(&app.db, user).await?;
    let Credentials { user, password_hash } = found.ok_or(expired.clone())?;
    let refusal = match &user {
        user if user.locked_at.is_some() => Some(Refusal::AccountLocked),
        user if user.email_verified_at.is_none() => Some(Refusal::EmailNotVerified),
        _ => None,
    };
    if let Some(refusal) = refusal {
        security_log::record(SecurityEvent::LoginRefused, Some(user.id));
        return Err(refusal.into());
    }
    let is_proved = is_proved
        || match second_factors::check_login(app, &user, given).await? {
            Check::Asked(asked) => return Ok(LoggedIn::SecondFactor(asked)),
            Check::Given => true,
            Check::NoneThere => false,
        };
    let mut tx = app.begin().await?;
    if !single_sign_on::use_ticket(&mut tx, &hash).await? {
        return Err(expired.into());
    }
    // It was locked, or got another password, a moment ago; with the transaction the ticket stays as it is.
    let session = accounts::open_session(app, &mut tx, &user, &password_hash, from, &device).await?;
    let token = session.ok_or(Refusal::Busy)?;
    if is_proved {
        storage::accounts::sessions::prove(&mut tx, &token.hash(), app.now()).await?;
    }
    tx.commit().await?;
    security_log::record(SecurityEvent::LoggedIn, Some(user.id));
    Ok(LoggedIn::Session { token, user, path })
}

/// How the account of a user and the provider stand to each other.
///
/// # Errors
/// [`Refusal::SingleSignOnOff`]
pub async fn show(app: &App, user: &User) -> Result<Shown> {
    let (provider, settings) = configured(app)?;
    let identity = single_sign_on::of_user(&app.db, user.id, provider.issuer()).await?;
    Ok(Shown {
        label: settings.label.clone(),
        has_passwords: settings.passwords == Passwords::Beside,
        linked_at: identity.as_ref().map(|identity| identity.linked_at),
        last_used_at: identity.and_then(|identity| identity.last_used_at),
    })
}

/// Lets the provider open an account no more, also where both know its address, until its owner links it again. A mail tells of it.
///
/// # Errors
/// [`Refusal::SingleSignOnOff`], [`Refusal::SingleSignOnNeeded`], [`Refusal::SecondFactorNotGiven`], those of the password as for
/// its change, and [`Refusal::SingleSignOnNotLinked`].
pub async fn unlink(app: &App, user: &User, token: &str, password: String) -> Result<()> {
    let (provider, settings) = configured(app)?;
    if settings.passwords == Passwords::Instead {
        return Err(Refusal::SingleSignOnNeeded.into());
    }
    second_factors::check_given(app, user, token).await?;
    let password = passwords::check_current(app, user, token, password).await?;
    let mut tx = app.begin().await?;
    if !single_sign_on::unlink(&mut tx, user.id, provider.issuer()).await? {
        return Err(Refusal::SingleSignOnNotLinked.into());
    }
    notices::enqueue(&mut tx, user, AccountNews::SingleSignOnUnlinked, app.id(), app.now()).await?;
    password.lock_account(&mut tx, user.id).await?;
    single_sign_on::decline(&mut tx, user.id, app.now()).await?;
    tx.commit().await?;
    security_log::record(SecurityEvent::SingleSignOnUnlinked, Some(user.id));
    Ok(())
}

/// Makes the path of a page that logs somebody in, once, within an hour, for the operator to give to them. The second factor is
/// asked for as ever.
pub(crate) async fn login_path(
    tx: &mut storage::Tx,
    user: UserId,
    randomness: &Randomness,
    clock: &Clock,
) -> Result<String> {
    let (token, now) = (randomness.token(), clock.now());
    let ticket = Ticket { user, is_proved: false, path: path_of_this_site("").to_owned() };
    single_sign_on::add_ticket(tx, &token.hash(), None, &ticket, now, now.plus(LINK_LIFETIME)).await?;
    Ok(format!("{PAGE}{}", token.reveal()))
}
