//! The set-up: a link that the server prints while nobody is an administrator makes one (decision 0035).

use std::net::IpAddr;

use domain::accounts::User;
use domain::accounts::devices::Device;
use domain::accounts::languages::AccountLanguage;
use domain::accounts::tokens::{self, Token, TokenHash};
use domain::payments::ledger::LedgerKind;
use domain::{Refusal, Timestamp};

use crate::accounts::registrations::{self, Registration, Row};
use crate::accounts::security_log::{self, SecurityEvent};
use crate::accounts::{self, passwords};
use crate::{App, Result};

/// The path of the page that a set-up link leads to; its token is in the fragment, which no server and no proxy is sent.
const PAGE: &str = "/setup#";

/// The link that makes an administrator, in the place of every one before; none when there is one.
pub async fn renew_link(app: &App) -> Result<Option<String>> {
    let token = app.randomness.token();
    let mut tx = app.begin().await?;
    if !storage::accounts::setup::renew_link(&mut tx, &token.hash()).await? {
        return Ok(None);
    }
    tx.commit().await?;
    Ok(Some(format!("{}{PAGE}{}", app.settings.public_url, token.reveal())))
}

/// Checks the link of a token, and answers whether anybody has an account by now.
///
/// # Errors
/// [`Refusal::AlreadySetUp`], or [`Refusal::SetupLinkUnknown`].
pub async fn check_link(app: &App, token: &str) -> Result<bool> {
    check(app, &tokens::hash_token(token.trim())).await?;
    Ok(!storage::operations::snapshots::is_vacant(&app.db).await?)
}

async fn check(app: &App, hash: &TokenHash) -> Result<()> {
    // In this order: a link that somebody uses up between the two look-ups is gone with the administrator that it has made.
    let is_link = storage::accounts::setup::is_link(&app.db, hash).await?;
    if !storage::accounts::setup::is_wanted(&app.db).await? {
        return Err(Refusal::AlreadySetUp.into());
    }
    if is_link { Ok(()) } else { Err(Refusal::SetupLinkUnknown.into()) }
}

/// Makes an administrator and logs it in: a new account with a verified address, or the one that has this address and password.
///
/// # Errors
/// Those of [`check_link`], the refusals of the form's fields, [`Refusal::EmailTaken`] when the password is not that of the
/// account, or [`Refusal::AccountLocked`].
pub async fn create(
    app: &App,
    token: &str,
    form: Registration,
    language: AccountLanguage,
    from: IpAddr,
    device: Device,
) -> Result<(Token, User)> {
    let link = tokens::hash_token(token.trim());
    check(app, &link).await?;
    let (password, account) = (form.password.clone(), form.parse()?.written_to_in(language));
    let existing = storage::accounts::users::credentials(&app.db, &account.email).await?;
    let existing = match existing {
        None => None,
        Some(found) => {
            if !passwords::verify(app, password, Some(found.password_hash.clone())).await?.is_right() {
                return Err(Refusal::EmailTaken.into());
            }
            if found.user.locked_at.is_some() {
                return Err(Refusal::AccountLocked.into());
            }
            Some(found)
        }
    };
    let password_hash = match &existing {
        Some(found) => found.password_hash.clone(),
        None => passwords::hash(app, account.password).await?,
    };
    let now = app.now();
    let mut tx = app.begin().await?;
    if !storage::accounts::setup::use_link(&mut tx, &link).await? {
        drop(tx);
        // Somebody else came first.
        check(app, &link).await?;
        return Err(Refusal::SetupLinkUnknown.into());
    }
    let (user, is_new) = match existing {
        Some(found) => (promote(&mut tx, found.user, now).await?, false),
        None => {
            let row = Row {
                id: app.id(),
                credit: app.id(),
                name: account.name,
                email: account.email,
                password_hash: password_hash.clone(),
                is_admin: true,
                is_verified: true,
                language: account.language,
            };
            (registrations::create(&mut tx, row, now).await?, true)
        }
    };
    // It was locked, or got another password, a moment ago; with the transaction the link stays as it is.
    let session = accounts::open_session(app, &mut tx, &user, &password_hash, from, &device).await?;
    let session = session.ok_or(Refusal::Busy)?;
    tx.commit().await?;
    if is_new {
        app.metrics.record_ledger_entry(LedgerKind::Signup);
    }
    security_log::record(SecurityEvent::SetUp, Some(user.id));
    Ok((session, user))
}

/// Makes an account an administrator's. Whoever has the link and its password vouches for its address.
async fn promote(tx: &mut storage::Tx, user: User, now: Timestamp) -> Result<User> {
    if !storage::accounts::users::set_admin(tx, user.id, true).await? {
        // It was closed a moment ago; with the transaction the link stays as it is.
        return Err(Refusal::Busy.into());
    }
    let verified_at = match user.email_verified_at {
        Some(at) => at,
        None if storage::accounts::users::verify_email(tx, user.id, &user.email, now).await? => now,
        None => return Err(Refusal::EmailTaken.into()),
    };
    Ok(User { is_admin: true, email_verified_at: Some(verified_at), ..user })
}
