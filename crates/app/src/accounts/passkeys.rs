//! The passkeys of an account, as second factors (decision 0070).

use domain::accounts::passkeys::{self, PER_ACCOUNT};
use domain::accounts::tokens::hash_token;
use domain::accounts::{AccountNews, User};
use domain::{PasskeyId, Refusal};
use storage::accounts::{sessions, users};

use crate::accounts::security_log::{self, SecurityEvent};
use crate::accounts::webauthn::{self, Attestation};
use crate::accounts::{notices, passwords, second_factors};
use crate::{App, Result};

pub use storage::accounts::passkeys::Passkey;

/// What a browser makes a passkey of.
pub struct Registration {
    /// Drawn for this passkey.
    pub challenge: String,
    /// The name that it is bound to.
    pub rp_id: String,
    /// By which it knows the account, in base64url.
    pub user_handle: String,
    /// The credential ids of the passkeys that the account has, in base64url: none of their authenticators makes another one.
    pub excluded: Vec<String>,
}

/// A passkey that was just added.
pub struct Added {
    /// The passkey.
    pub passkey: Passkey,
    /// The recovery codes, where it is the first second factor of the account.
    pub recovery_codes: Vec<String>,
}

/// Whether the public URL is one that passkeys can be bound to.
pub fn are_available(app: &App) -> bool {
    webauthn::party(app).is_some()
}

/// The passkeys of an account, the newest first.
pub async fn list(app: &App, user: &User) -> Result<Vec<Passkey>> {
    Ok(storage::accounts::passkeys::list(&app.db, user.id).await?)
}

/// Asks for a new passkey.
///
/// # Errors
/// [`Refusal::PasskeysUnavailable`], [`Refusal::SecondFactorNotGiven`], those of the password as for its change, and
/// [`Refusal::PasskeysTooMany`].
pub async fn begin(app: &App, user: &User, token: &str, password: String) -> Result<Registration> {
    let party = webauthn::party(app).ok_or(Refusal::PasskeysUnavailable)?;
    second_factors::check_given(app, user, token).await?;
    let password = passwords::check_current(app, user, token, password).await?;
    let mut tx = app.begin().await?;
    password.lock_account(&mut tx, user.id).await?;
    let own = storage::accounts::passkeys::list(&mut *tx, user.id).await?;
    if own.len() >= PER_ACCOUNT {
        return Err(Refusal::PasskeysTooMany.into());
    }
    let challenge = webauthn::ask_for_new(app, &mut tx, user.id, &party).await?;
    tx.commit().await?;
    Ok(Registration {
        challenge,
        rp_id: party.id,
        user_handle: webauthn::encode(&webauthn::user_handle(user.id)),
        excluded: own.iter().map(|passkey| webauthn::encode(&passkey.credential_id)).collect(),
    })
}

/// Adds the passkey that was asked for, which gives the session that did it a second factor. A mail tells of it.
///
/// # Errors
/// The refusals of its name, [`Refusal::PasskeysUnavailable`], [`Refusal::PasskeyInvalid`], [`Refusal::SignInRequired`],
/// [`Refusal::SecondFactorNotGiven`], [`Refusal::PasskeysTooMany`], and [`Refusal::PasskeyTaken`].
pub async fn confirm(
    app: &App,
    user: &User,
    token: &str,
    name: &str,
    attestation: &Attestation,
) -> Result<Added> {
    let name = passkeys::parse_name(name)?;
    if !are_available(app) {
        return Err(Refusal::PasskeysUnavailable.into());
    }
    let made = webauthn::check_new(app, user.id, attestation).await?.ok_or(Refusal::PasskeyInvalid)?;
    let now = app.now();
    let passkey = Passkey {
        id: app.id(),
        credential_id: made.id,
        public_key: made.public_key,
        name,
        sign_count: i64::from(made.sign_count),
        created_at: now,
        last_used_at: None,
    };
    let mut tx = app.begin().await?;
    // An authenticator app that was begun without this passkey is begun anew beside it.
    storage::accounts::second_factors::delete_unconfirmed(&mut tx, user.id).await?;
    let has_given = second_factors::has_given(app, &mut *tx, token).await?;
    sessions::prove(&mut tx, &hash_token(token), now).await?;
    // So two that are added at one moment count each other.
    let standing = users::lock(&mut tx, user.id).await?;
    // A password that was changed since the request was let in has ended the session.
    let session = sessions::find(&mut *tx, &hash_token(token), now).await?;
    if standing.is_none_or(|standing| standing.is_closed) || session.is_none() {
        return Err(Refusal::SignInRequired.into());
    }
    let kinds = second_factors::Kinds::of(&mut *tx, user.id).await?;
    // Another one may have been added since it was begun.
    if kinds.any() && !has_given {
        return Err(Refusal::SecondFactorNotGiven.into());
    }
    if storage::accounts::passkeys::list(&mut *tx, user.id).await?.len() >= PER_ACCOUNT {
        return Err(Refusal::PasskeysTooMany.into());
    }
    if !storage::accounts::passkeys::create(&mut tx, user.id, &passkey).await? {
        return Err(Refusal::PasskeyTaken.into());
    }
    let recovery_codes = if kinds.any() {
        Vec::new()
    } else {
        second_factors::give_recovery_codes(app, &mut tx, user.id).await?
    };
    notices::enqueue(&mut tx, user, AccountNews::PasskeyAdded, app.id(), now).await?;
    tx.commit().await?;
    security_log::record(SecurityEvent::PasskeyAdded, Some(user.id));
    Ok(Added { passkey, recovery_codes })
}

/// Removes a passkey. A mail tells of it.
///
/// # Errors
/// [`Refusal::SecondFactorNotGiven`], those of the password as for its change, and [`Refusal::PasskeyNotFound`].
pub async fn remove(app: &App, user: &User, token: &str, id: &str, password: String) -> Result<()> {
    let id: PasskeyId = id.parse().map_err(|_| Refusal::PasskeyNotFound)?;
    second_factors::check_given(app, user, token).await?;
    let password = passwords::check_current(app, user, token, password).await?;
    let mut tx = app.begin().await?;
    password.lock_account(&mut tx, user.id).await?;
    if !storage::accounts::passkeys::delete(&mut tx, user.id, id).await? {
        return Err(Refusal::PasskeyNotFound.into());
    }
    let is_on = second_factors::Kinds::of(&mut *tx, user.id).await?.any();
    let news = if is_on { AccountNews::PasskeyRemoved } else { AccountNews::SecondFactorOff };
    notices::enqueue(&mut tx, user, news, app.id(), app.now()).await?;
    tx.commit().await?;
    security_log::record(SecurityEvent::PasskeyRemoved, Some(user.id));
    Ok(())
}
