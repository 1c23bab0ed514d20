//! API tokens: by which programs act for a photographer (decision 0044).

use domain::accounts::api_tokens::{self, Lifetime, PER_ACCOUNT, Reach, Scope};
use domain::accounts::{AccountNews, User, tokens};
use domain::{ApiTokenId, Refusal};
use storage::accounts::api_tokens::NewApiToken;

use crate::accounts::security_log::{self, SecurityEvent};
use crate::accounts::{notices, passwords};
use crate::{App, Failure, Result};

pub use storage::accounts::api_tokens::ApiToken;

/// What is asked of a new token.
pub struct Wanted {
    /// What its owner calls it.
    pub name: String,
    /// `upload` or `all`.
    pub scope: String,
    /// For how long it is good.
    pub lifetime: Lifetime,
    /// The password of the account.
    pub password: String,
}

/// A token that was just made.
pub struct Created {
    /// The token.
    pub token: ApiToken,
    /// Its text, which nobody is told again.
    pub text: String,
}

/// Makes a token of an account, and mails that it was made: it outlives the session that made it, which has the bearer token
/// `session`.
///
/// # Errors
/// The refusals of its name, its scope and its lifetime, those of the password as for its change, and
/// [`Refusal::ApiTokensTooMany`].
pub async fn create(app: &App, user: &User, session: &str, wanted: Wanted) -> Result<Created> {
    let name = api_tokens::parse_name(&wanted.name)?;
    let scope = Scope::parse(&wanted.scope)?;
    let lifetime = wanted.lifetime.parse()?;
    let password = passwords::check_current(app, user, session, wanted.password).await?;
    let text = api_tokens::reveal(&app.randomness.token());
    let now = app.now();
    let new = NewApiToken {
        id: app.id(),
        hash: tokens::hash_token(&text),
        user: user.id,
        name,
        scope,
        created_at: now,
        expires_at: lifetime.map(|lifetime| now.plus(lifetime)),
    };
    let mut tx = app.begin().await?;
    // So two that are made at one moment count each other.
    password.lock_account(&mut tx, user.id).await?;
    if storage::accounts::api_tokens::list(&mut *tx, user.id).await?.len() >= PER_ACCOUNT {
        return Err(Refusal::ApiTokensTooMany.into());
    }
    storage::accounts::api_tokens::create(&mut tx, &new).await?;
    notices::enqueue(&mut tx, user, AccountNews::ApiTokenMade, app.id(), now).await?;
    tx.commit().await?;
    security_log::record(SecurityEvent::ApiTokenMade, Some(user.id));
    let NewApiToken { id, name, scope, created_at, expires_at, .. } = new;
    Ok(Created { token: ApiToken { id, name, scope, created_at, expires_at, last_used_at: None }, text })
}

/// The tokens of an account, the newest first, with those that have expired.
pub async fn list(app: &App, user: &User) -> Result<Vec<ApiToken>> {
    Ok(storage::accounts::api_tokens::list(&app.db, user.id).await?)
}

/// Revokes a token of an account.
///
/// # Errors
/// [`Refusal::ApiTokenNotFound`]
pub async fn revoke(app: &App, user: &User, id: &str) -> Result<()> {
    let id: ApiTokenId = id.parse().map_err(|_| Refusal::ApiTokenNotFound)?;
    let mut tx = app.begin().await?;
    if !storage::accounts::api_tokens::delete(&mut tx, user.id, id).await? {
        return Err(Refusal::ApiTokenNotFound.into());
    }
    tx.commit().await?;
    security_log::record(SecurityEvent::ApiTokensRevoked, Some(user.id));
    Ok(())
}

/// Whether what a caller presents is meant as an API token, not as that of a session.
pub fn is_one(presented: &str) -> bool {
    api_tokens::is_one(presented)
}

/// The account and the scope of a token. That it is used is recorded.
///
/// # Errors
/// [`Refusal::ApiTokenInvalid`], or [`Refusal::AccountLocked`].
async fn authenticate(app: &App, presented: &str) -> Result<(User, Scope)> {
    let now = app.now();
    let found = storage::accounts::api_tokens::find(&app.db, &tokens::hash_token(presented)).await?;
    let found = found.filter(|found| found.expires_at.is_none_or(|expires_at| now < expires_at));
    // As for a session: an address that was never verified is not known to be its holder's.
    let found = found.filter(|found| found.user.email_verified_at.is_some());
    let found = found.ok_or(Refusal::ApiTokenInvalid)?;
    if found.user.locked_at.is_some() {
        return Err(Refusal::AccountLocked.into());
    }
    let before = now.minus(api_tokens::RECORD_USE_AFTER);
    if found.last_used_at.is_none_or(|last| last <= before) {
        let mut tx = app.begin().await?;
        storage::accounts::api_tokens::record_use(&mut tx, found.id, now, before).await?;
        tx.commit().await?;
    }
    Ok((found.user, found.scope))
}

/// The same for a call that asks for `reach`.
///
/// # Errors
/// Those of [`authenticate`] and of [`Reach::check`].
pub async fn authorize(app: &App, presented: &str, reach: Reach) -> Result<User> {
    let (user, scope) = authenticate(app, presented).await?;
    reach.check(scope)?;
    Ok(user)
}

/// The same where a token that does not suffice counts as none.
pub async fn recognize(app: &App, presented: &str, reach: Reach) -> Result<Option<User>> {
    match authorize(app, presented, reach).await {
        Ok(user) => Ok(Some(user)),
        Err(Failure::Refused(_)) => Ok(None),
        Err(failure) => Err(failure),
    }
}
