//! The sessions of an account, as its owner sees and ends them.

use domain::accounts::User;
use domain::accounts::tokens::{self, TokenHash};
use domain::{Refusal, Timestamp};
use storage::accounts::sessions::ListedSession;

use crate::accounts::security_log::{self, SecurityEvent};
use crate::{App, Result};

/// One of them.
pub struct Listed {
    /// The session.
    pub session: ListedSession,
    /// The name by which it is ended.
    pub id: String,
    /// Whether it is the caller's.
    pub is_current: bool,
}

/// The sessions of a user, the last used first; `token` is the caller's bearer token.
pub async fn list(app: &App, user: &User, token: &str) -> Result<Vec<Listed>> {
    let current = tokens::hash_token(token);
    let sessions = living(app, user).await?.into_iter().map(|session| Listed {
        id: tokens::handle(&session.hash),
        is_current: session.hash == current,
        session,
    });
    Ok(sessions.collect())
}

/// Ends a session of a user.
///
/// # Errors
/// [`Refusal::SessionNotFound`]
pub async fn end(app: &App, user: &User, id: &str) -> Result<()> {
    let found = living(app, user).await?.into_iter().find(|session| tokens::handle(&session.hash) == id);
    let hash: TokenHash = found.ok_or(Refusal::SessionNotFound)?.hash;
    let mut tx = app.begin().await?;
    storage::accounts::sessions::delete(&mut tx, &hash).await?;
    tx.commit().await?;
    security_log::record(SecurityEvent::SessionsEnded, Some(user.id));
    Ok(())
}

/// Ends every session of a user but the caller's, which has this bearer token.
pub async fn end_others(app: &App, user: &User, token: &str) -> Result<()> {
    let mut tx = app.begin().await?;
    storage::accounts::sessions::delete_others(&mut tx, user.id, &tokens::hash_token(token)).await?;
    tx.commit().await?;
    security_log::record(SecurityEvent::SessionsEnded, Some(user.id));
    Ok(())
}

async fn living(app: &App, user: &User) -> Result<Vec<ListedSession>> {
    let now: Timestamp = app.now();
    let used_since = now.minus(app.settings.session_lifetime);
    Ok(storage::accounts::sessions::list(&app.db, user.id, now, used_since).await?)
}
