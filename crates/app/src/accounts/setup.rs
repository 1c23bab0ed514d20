//! The set-up: a link that the server prints while nobody has an account makes the first one, an administrator's (decision
//! 0035).

use std::net::IpAddr;

use domain::accounts::devices::Device;
use domain::accounts::tokens::{self, Token, TokenHash};
use domain::accounts::{SETUP_LINK_LIFETIME, User};
use domain::payments::ledger::LedgerKind;
use domain::{Refusal, Timestamp};

use crate::accounts::registrations::{self, Registration, Row};
use crate::accounts::security_log::{self, SecurityEvent};
use crate::accounts::{self, passwords};
use crate::{App, Result};

/// The path of the page that a set-up link leads to; its token is in the fragment, which no server and no proxy is sent.
const PAGE: &str = "/setup#";

/// The link that makes the first account, in the place of every one before; none when there is an account, or was one.
pub async fn renew_link(app: &App) -> Result<Option<String>> {
    let token = app.randomness.token();
    let mut tx = app.begin().await?;
    if !storage::accounts::setup::renew_link(&mut tx, &token.hash(), app.now().plus(SETUP_LINK_LIFETIME))
        .await?
    {
        return Ok(None);
    }
    tx.commit().await?;
    Ok(Some(format!("{}{PAGE}{}", app.settings.public_url, token.reveal())))
}

/// When the link of a token expires.
///
/// # Errors
/// [`Refusal::AlreadySetUp`], [`Refusal::SetupLinkUnknown`] or [`Refusal::SetupLinkExpired`].
pub async fn check_link(app: &App, token: &str) -> Result<Timestamp> {
    check(app, &tokens::hash_token(token.trim())).await
}

async fn check(app: &App, hash: &TokenHash) -> Result<Timestamp> {
    // In this order: a link that somebody uses up between the two look-ups is gone with the account that it has made.
    let expiry = storage::accounts::setup::link_expiry(&app.db, hash).await?;
    if !storage::operations::snapshots::is_vacant(&app.db).await? {
        return Err(Refusal::AlreadySetUp.into());
    }
    let expiry = expiry.ok_or(Refusal::SetupLinkUnknown)?;
    if expiry <= app.now() { Err(Refusal::SetupLinkExpired.into()) } else { Ok(expiry) }
}

/// Makes the first account, an administrator's with a verified address, and logs it in.
///
/// # Errors
/// Those of [`check_link`], and the refusals of the form's fields.
pub async fn create(
    app: &App,
    token: &str,
    form: Registration,
    from: IpAddr,
    device: Device,
) -> Result<(Token, User)> {
    let link = tokens::hash_token(token.trim());
    check(app, &link).await?;
    let account = form.parse()?;
    let password_hash = passwords::hash(app, account.password).await?;
    let now = app.now();
    let mut tx = app.begin().await?;
    if !storage::accounts::setup::use_link(&mut tx, &link, now).await? {
        drop(tx);
        // Somebody else came first, or the time ran out meanwhile.
        check(app, &link).await?;
        return Err(Refusal::SetupLinkUnknown.into());
    }
    let row = Row {
        id: app.id(),
        credit: app.id(),
        name: account.name,
        email: account.email,
        password_hash,
        is_admin: true,
        is_verified: true,
    };
    let user = registrations::create(&mut tx, row, now).await?;
    let session = accounts::open_session(app, &mut tx, &user, from, &device).await?;
    tx.commit().await?;
    app.metrics.record_ledger_entry(LedgerKind::Signup);
    security_log::record(SecurityEvent::SetUp, Some(user.id));
    Ok((session, user))
}
