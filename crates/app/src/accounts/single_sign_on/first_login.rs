//! The first login of a person: which account it opens.

use domain::accounts::languages::AccountLanguage;
use domain::accounts::single_sign_on::{Admission, Passwords, Person};
use domain::accounts::{AccountNews, EmailAddress, User};
use domain::payments::ledger::LedgerKind;
use domain::{Refusal, UserId};
use storage::Executor;
use storage::accounts::{single_sign_on, users};

use crate::accounts::registrations::{self, Row};
use crate::accounts::security_log::{self, SecurityEvent};
use crate::accounts::{notices, passwords};
use crate::{App, Result, SingleSignOn};

/// The account with the person's address, where both sides know that it is theirs, or a new one where everybody gets one. From
/// now on it is the person's, whatever their address.
///
/// # Errors
/// [`Refusal::SingleSignOnAddressUnverified`], [`Refusal::SingleSignOnAccountUnverified`], [`Refusal::SingleSignOnUnknown`],
/// [`Refusal::SingleSignOnLinked`], [`Refusal::AccountLocked`], or [`Refusal::SingleSignOnDeclined`] where the owner has unlinked it.
pub(super) async fn account_of(
    app: &App,
    issuer: &str,
    settings: &SingleSignOn,
    person: &Person,
    language: AccountLanguage,
) -> Result<UserId> {
    let email = person.verified_email()?;
    let found = users::credentials(&app.db, &email).await?.map(|found| found.user);
    match found {
        Some(user) => bind(app, issuer, settings, person, user, &email).await,
        None if settings.admission == Admission::Everybody => {
            create(app, issuer, person, email, language).await
        }
        None => Err(Refusal::SingleSignOnUnknown.into()),
    }
}

async fn bind(
    app: &App,
    issuer: &str,
    settings: &SingleSignOn,
    person: &Person,
    user: User,
    email: &EmailAddress,
) -> Result<UserId> {
    let now = app.now();
    let mut tx = app.begin().await?;
    if !single_sign_on::link(&mut tx, user.id, issuer, &person.subject, now).await? {
        return Err(why_not_linked(&mut *tx, issuer, &person.subject).await?.into());
    }
    // Its address may have changed since it was found by it.
    users::lock(&mut tx, user.id).await?;
    let user = users::by_id(&mut *tx, user.id).await?.ok_or(Refusal::SingleSignOnUnknown)?;
    // Addresses are compared in more forms elsewhere, of which the provider vouches for one.
    if !user.email.as_str().eq_ignore_ascii_case(email.as_str()) {
        return Err(Refusal::SingleSignOnUnknown.into());
    }
    // Whoever registers with another person's address must not get a door into what that person makes of the account.
    if user.email_verified_at.is_none() {
        return Err(Refusal::SingleSignOnAccountUnverified.into());
    }
    if user.locked_at.is_some() {
        return Err(Refusal::AccountLocked.into());
    }
    // Without passwords there would be no other way in.
    if settings.passwords == Passwords::Beside && single_sign_on::is_declined(&mut *tx, user.id).await? {
        return Err(Refusal::SingleSignOnDeclined.into());
    }
    notices::enqueue(&mut tx, &user, AccountNews::SingleSignOnLinked, app.id(), now).await?;
    tx.commit().await?;
    security_log::record(SecurityEvent::SingleSignOnLinked, Some(user.id));
    Ok(user.id)
}

async fn create(
    app: &App,
    issuer: &str,
    person: &Person,
    email: EmailAddress,
    language: AccountLanguage,
) -> Result<UserId> {
    let now = app.now();
    let row = Row {
        id: app.id(),
        credit: app.id(),
        name: person.account_name(&email),
        email,
        password_hash: passwords::no_hash().to_owned(),
        is_admin: false,
        is_verified: true,
        language,
    };
    let mut tx = app.begin().await?;
    let user = registrations::create(&mut tx, row, now).await?;
    if !single_sign_on::link(&mut tx, user.id, issuer, &person.subject, now).await? {
        return Err(Refusal::SingleSignOnTaken.into());
    }
    tx.commit().await?;
    app.metrics.record_ledger_entry(LedgerKind::Signup);
    security_log::record(SecurityEvent::SingleSignOnLinked, Some(user.id));
    Ok(user.id)
}

/// Which side of a link has another one.
pub(super) async fn why_not_linked(db: &dyn Executor, issuer: &str, subject: &str) -> Result<Refusal> {
    let is_taken = single_sign_on::user_of(db, issuer, subject).await?.is_some();
    Ok(if is_taken { Refusal::SingleSignOnTaken } else { Refusal::SingleSignOnLinked })
}
