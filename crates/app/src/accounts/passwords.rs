//! Changing and resetting passwords, and hashing them with Argon2id, with OWASP's first recommendation for 19 MiB of
//! memory (m = 19456 KiB, t = 2, p = 1; OWASP Password Storage Cheat Sheet).

use argon2::password_hash::phc::PasswordHash;
use argon2::{Algorithm, Argon2, Params, PasswordHasher, PasswordVerifier, Version};
use domain::accounts::single_sign_on::FRESH;
use domain::accounts::tokens::{self, TokenHash};
use domain::accounts::{AccountNews, LinkPurpose, Password, User};
use domain::webhooks::{Disabled, DisabledBy};
use domain::{Job, NoticeId, Refusal, Timestamp, UserId};
use storage::accounts::email_change_notices::Notice;

use crate::accounts::security_log::{self, SecurityEvent};
use crate::accounts::{notices, password_attempts};
use crate::operations::mails;
use crate::operations::runtime::queue::Tx;
use crate::operations::runtime::settings::PasswordCost;
use crate::{App, Failure, Result};

/// What a change of the password asks for.
pub struct Change {
    /// The password that is in force.
    pub current: String,
    /// The one that is to be.
    pub new: String,
    /// Whether API tokens and the logins of cameras go on. They end otherwise: whoever knew the old password may have made them.
    pub keeps_api_tokens: bool,
}

/// Sets a new password, cancels a pending change of address, and a link with single sign-on, an authenticator app or a passkey under
/// way, ends all sessions but the caller's, which has this bearer token, and API tokens and logins of cameras unless they are kept on
/// purpose, and mails a notice. Webhooks and invitations stay: whoever is logged in and has the old password can look at them.
///
/// # Errors
/// [`Refusal::PasswordsOff`], [`Refusal::CurrentPasswordWrong`], or the refusals of the new password.
pub async fn change(app: &App, user: &User, token: &str, change: Change) -> Result<()> {
    app.settings.check_passwords()?;
    let new = Password::parse(change.new)?;
    let current = check_current(app, user, token, change.current).await?;
    let hash = hash(app, new).await?;
    let mut tx = app.begin().await?;
    storage::accounts::single_sign_on::end_under_way(&mut tx, user.id).await?;
    storage::accounts::second_factors::delete_unconfirmed(&mut tx, user.id).await?;
    storage::accounts::sessions::end_others(&mut tx, user.id, &tokens::hash_token(token), app.now()).await?;
    storage::accounts::links::consume_all(&mut tx, user.id, LinkPurpose::ResetPassword, app.now()).await?;
    storage::accounts::links::delete_unused_of_change(&mut tx, user.id, &user.email).await?;
    enqueue_notice(&mut tx, user, app.id(), app.now()).await?;
    current.lock_account(&mut tx, user.id).await?;
    storage::accounts::users::set_password(&mut tx, user.id, &hash).await?;
    // Now that nobody begins another one with the old password.
    storage::accounts::passkeys::end_under_way(&mut tx, user.id, app.now()).await?;
    // Once more, of logins that came in between: the next one finds the new password.
    storage::accounts::sessions::end_others(&mut tx, user.id, &tokens::hash_token(token), app.now()).await?;
    if !change.keeps_api_tokens {
        storage::accounts::api_tokens::delete_all(&mut tx, user.id).await?;
        storage::uploads::ftp::delete_all(&mut tx, user.id).await?;
    }
    tx.commit().await?;
    security_log::record(SecurityEvent::PasswordChanged, Some(user.id));
    if !change.keeps_api_tokens {
        security_log::record(SecurityEvent::ApiTokensRevoked, Some(user.id));
    }
    Ok(())
}

/// A password that was the user's when it was checked.
pub(crate) struct Checked {
    hash: String,
}

impl Checked {
    /// Locks the user's account until the transaction ends, so that nothing is made with a password that was changed between the
    /// check and the commit: whoever changes it waits, and finds what was made.
    ///
    /// # Errors
    /// [`Refusal::CurrentPasswordWrong`] where it was changed.
    pub(crate) async fn lock_account(&self, tx: &mut Tx, user: UserId) -> Result<()> {
        if !storage::accounts::users::lock_with_password(tx, user, &self.hash).await? {
            return Err(Refusal::CurrentPasswordWrong.into());
        }
        Ok(())
    }

    /// Closes the user's account, which is locked after everything that goes with it.
    ///
    /// # Errors
    /// [`Refusal::CurrentPasswordWrong`] where the password was changed, or the account is closed.
    pub(crate) async fn close_account(&self, tx: &mut Tx, user: UserId, now: Timestamp) -> Result<()> {
        if !storage::accounts::users::close_with_password(tx, user, &self.hash, now).await? {
            return Err(Refusal::CurrentPasswordWrong.into());
        }
        Ok(())
    }
}

/// Checks that `password` is the user's; where there are none, that the session with this bearer token began a moment ago.
///
/// # Errors
/// [`Refusal::PasswordRequired`], [`Refusal::CurrentPasswordWrong`], or [`Refusal::TooMany`] after wrong ones;
/// [`Refusal::LoginTooOld`].
pub(crate) async fn check_current(app: &App, user: &User, token: &str, password: String) -> Result<Checked> {
    if !app.settings.has_passwords() {
        return check_fresh(app, user, token).await;
    }
    if password.is_empty() {
        return Err(Refusal::PasswordRequired.into());
    }
    // Apart from logins: who tries passwords there must not keep the owner, who is logged in, from changing theirs.
    let attempt = password_attempts::begin(app, check_of(user.id)).await?;
    let stored_hash =
        storage::accounts::users::credentials_by_id(&app.db, user.id).await?.map(|found| found.password_hash);
    let matched = verify(app, password.clone(), stored_hash.clone()).await?;
    let Some(hash) = stored_hash.filter(|_| matched.is_right()) else {
        attempt.fail(app, &user.email).await?;
        security_log::record(SecurityEvent::PasswordRefused, Some(user.id));
        return Err(Refusal::CurrentPasswordWrong.into());
    };
    let renewed = renew(app, &password, matched).await?;
    let mut tx = app.begin().await?;
    attempt.succeed(&mut tx).await?;
    let hash = store_renewed(&mut tx, user.id, hash, renewed).await?;
    tx.commit().await?;
    Ok(Checked { hash })
}

async fn check_fresh(app: &App, user: &User, token: &str) -> Result<Checked> {
    let (hash, now) = (tokens::hash_token(token), app.now());
    let session = storage::accounts::sessions::find(&app.db, &hash, now).await?;
    let is_fresh = session.is_some_and(|session| now.since(session.created_at) < FRESH);
    let found = storage::accounts::users::credentials_by_id(&app.db, user.id).await?;
    let found = found.filter(|_| is_fresh).ok_or(Refusal::LoginTooOld)?;
    Ok(Checked { hash: found.password_hash })
}

/// The subject of checks of the current password.
pub(crate) fn check_of(user: UserId) -> TokenHash {
    password_attempts::subject(&format!("check {user}"))
}

/// The job of a request by address and of a change of address that was taken back: creates a link and mails it.
pub(crate) async fn send_reset(app: &App, user: UserId) -> Result<()> {
    if !app.settings.has_passwords() {
        return Ok(());
    }
    let Some(user) = storage::accounts::users::by_id(&app.db, user).await? else {
        return Ok(());
    };
    let (token, now) = (app.randomness.token(), app.now());
    let link = storage::accounts::links::NewLink {
        hash: token.hash(),
        purpose: LinkPurpose::ResetPassword,
        user: user.id,
        email: user.email.clone(),
        new_email: None,
        created_at: now,
        expires_at: now.plus(LinkPurpose::ResetPassword.lifetime()),
    };
    let mut tx = app.begin().await?;
    storage::accounts::links::create(&mut tx, &link).await?;
    tx.commit().await?;
    mails::deliver(app, &mails::password_reset(&app.settings, &user, &token)?).await
}

/// Sets a new password with the token of a mailed link, once. Cancels a pending change of address, ends all sessions,
/// verifies the address, and mails a notice.
///
/// # Errors
/// [`Refusal::PasswordsOff`], [`Refusal::ResetTokenRequired`], [`Refusal::ResetUnknown`], [`Refusal::ResetExpired`], or the
/// refusals of the password.
pub(crate) async fn reset(app: &App, token: &str, password: String) -> Result<User> {
    app.settings.check_passwords()?;
    let token = token.trim();
    if token.is_empty() {
        return Err(Refusal::ResetTokenRequired.into());
    }
    let token_hash = tokens::hash_token(token);
    let link = storage::accounts::links::find(&app.db, &token_hash)
        .await?
        .filter(|link| link.purpose == LinkPurpose::ResetPassword && link.used_at.is_none())
        .ok_or(Refusal::ResetUnknown)?;
    let now = app.now();
    if link.expires_at <= now {
        return Err(Refusal::ResetExpired.into());
    }
    let password = Password::parse(password)?;
    let user = storage::accounts::users::by_id(&app.db, link.user).await?.ok_or(Refusal::ResetUnknown)?;
    // The account's address may have changed since the link was mailed to the old one.
    if !user.email.is_same_mailbox(&link.email) {
        return Err(Refusal::ResetUnknown.into());
    }
    let hash = hash(app, password).await?;
    let mut tx = app.begin().await?;
    storage::accounts::links::lock_all(&mut tx, user.id, LinkPurpose::ResetPassword).await?;
    if !storage::accounts::links::consume(&mut tx, &token_hash, now).await? {
        return Err(Refusal::ResetUnknown.into());
    }
    replace(&mut tx, &user, &hash, [app.id(), app.id()], now).await?;
    // An account whose address has changed meanwhile is not the mailbox's any more that got the link.
    let now_known = storage::accounts::users::by_id(&mut *tx, user.id).await?;
    if now_known.is_none_or(|known| !known.email.is_same_mailbox(&link.email)) {
        return Err(Refusal::ResetUnknown.into());
    }
    if user.email_verified_at.is_none()
        && !storage::accounts::users::verify_email(&mut tx, user.id, &link.email, now).await?
    {
        return Err(Refusal::ResetUnknown.into());
    }
    tx.commit().await?;
    security_log::record(SecurityEvent::PasswordReset, Some(user.id));
    Ok(user)
}

/// Puts a password in the place of one that nobody was asked for: all sessions, API tokens, logins of cameras, links with single
/// sign-on, reset links, pending changes of address, and an authenticator app or a passkey under way end, with what a session adds
/// without the password: webhooks are switched off, and invitations that nobody has answered are gone. Notices with these ids are
/// mailed, the second where webhooks were on. Whoever has the account's address at the provider is linked again at the next login there, unless the owner
/// has unlinked it.
pub(crate) async fn replace(
    tx: &mut Tx,
    user: &User,
    hash: &str,
    [notice, of_webhooks]: [NoticeId; 2],
    now: Timestamp,
) -> Result<()> {
    storage::accounts::second_factors::delete_unconfirmed(tx, user.id).await?;
    storage::accounts::sessions::end_all(tx, user.id, now).await?;
    storage::accounts::api_tokens::delete_all(tx, user.id).await?;
    storage::uploads::ftp::delete_all(tx, user.id).await?;
    storage::accounts::single_sign_on::unlink_all(tx, user.id).await?;
    storage::accounts::links::consume_all(tx, user.id, LinkPurpose::ResetPassword, now).await?;
    storage::accounts::links::delete_unused_of_change(tx, user.id, &user.email).await?;
    enqueue_notice(tx, user, notice, now).await?;
    storage::team::delete_all_invitations_by(tx, user.id).await?;
    storage::accounts::users::set_password(tx, user.id, hash).await?;
    if end_under_way(tx, user.id, now).await? > 0 {
        notices::enqueue(tx, user, AccountNews::WebhooksSwitchedOff, of_webhooks, now).await?;
    }
    Ok(())
}

/// Ends what sessions of the old password go on with, in a transaction that has the row of the account since the new one is set: what
/// was added or begun with the old one is there by now. Answers how many webhooks were on.
async fn end_under_way(tx: &mut Tx, user: UserId, now: Timestamp) -> Result<u64> {
    // Of logins that came in between: the next one finds the new password.
    storage::accounts::sessions::end_all(tx, user, now).await?;
    storage::accounts::passkeys::end_under_way(tx, user, now).await?;
    // They stay in the list, where their owner sees what was told to whom, and switches them on again.
    let disabled = Disabled { at: now, by: DisabledBy::Photographer };
    Ok(storage::webhooks::endpoints::disable_of_owner(tx, user, disabled).await?)
}

/// The hash of an account that has no password.
pub(crate) const fn no_hash() -> &'static str {
    dummy_hash(PasswordCost::Recommended)
}

/// Takes the password from an account, and ends what [`replace`] ends once it is gone: nobody can log in with one until a mailed
/// link has set another.
pub(crate) async fn invalidate(tx: &mut Tx, user: UserId, now: Timestamp) -> Result<()> {
    storage::accounts::users::set_password(tx, user, no_hash()).await?;
    end_under_way(tx, user, now).await?;
    Ok(())
}

/// Enqueues the notice of a changed password. Its address is that of now: whoever changed the password may change the
/// address next.
async fn enqueue_notice(tx: &mut Tx, user: &User, id: NoticeId, now: Timestamp) -> Result<()> {
    let notice = Notice { id, user: user.id, email: user.email.clone(), created_at: now };
    storage::accounts::email_change_notices::create(tx, &notice).await?;
    tx.enqueue(&Job::SendPasswordChangeNotice { notice: notice.id }).await?;
    Ok(())
}

/// The job of a changed password: tells the address that the account had then.
pub(crate) async fn send_change_notice(app: &App, notice: NoticeId) -> Result<()> {
    let Some(notice) = storage::accounts::email_change_notices::by_id(&app.db, notice).await? else {
        return Ok(());
    };
    if let Some(user) = storage::accounts::users::by_id(&app.db, notice.user).await? {
        let mail = mails::password_change_notice(&app.settings, &user, notice.email)?;
        mails::deliver(app, &mail).await?;
    }
    Ok(storage::accounts::email_change_notices::delete(&app.db, notice.id).await?)
}

fn argon2(cost: PasswordCost) -> Argon2<'static> {
    let (memory, passes) = match cost {
        PasswordCost::Recommended => (19_456, 2),
        PasswordCost::Low => (8, 1),
    };
    let params = Params::new(memory, passes, 1, None).unwrap_or_default();
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
}

/// The hash of no password. A login with an unknown address is verified against it, so that it takes as long as one with
/// a wrong password.
const fn dummy_hash(cost: PasswordCost) -> &'static str {
    match cost {
        PasswordCost::Recommended => {
            "$argon2id$v=19$m=19456,t=2,p=1$bm9ib2R5J3Mgc2FsdCE$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
        }
        PasswordCost::Low => {
            "$argon2id$v=19$m=8,t=1,p=1$bm9ib2R5J3Mgc2FsdCE$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
        }
    }
}

/// The hash of a password to store, in the PHC string format.
pub(crate) async fn hash(app: &App, password: Password) -> Result<String> {
    let (salt, cost) = (app.randomness.bytes(), app.settings.password_cost);
    app.concurrency.hashes.run(move || hash_blocking(&password, &salt, cost)).await?
}

/// The same, by a thread that may block.
pub(crate) fn hash_blocking(password: &Password, salt: &[u8; 16], cost: PasswordCost) -> Result<String> {
    let hashed = argon2(cost).hash_password_with_salt(password.reveal().as_bytes(), salt);
    hashed
        .map(|hash| hash.to_string())
        .map_err(|error| Failure::Internal(format!("a password could not be hashed: {error}")))
}

/// How a password that was entered compares with the one that is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Match {
    /// It is another one.
    None,
    /// It is the same.
    Current,
    /// It is the same in a form in which a version before has stored it, which other keyboards do not send.
    Former,
}

impl Match {
    /// Whether it is the same.
    pub(crate) fn is_right(self) -> bool {
        self != Self::None
    }
}

/// Compares a password with the stored hash. Without a hash none is right, which takes as long to find out: how many forms of it
/// are tried tells what was entered alone.
pub(crate) async fn verify(app: &App, password: String, stored_hash: Option<String>) -> Result<Match> {
    let cost = app.settings.password_cost;
    let verified = app.concurrency.hashes.run(move || {
        let exists = stored_hash.is_some();
        let stored_hash = stored_hash.unwrap_or_else(|| String::from(dummy_hash(cost)));
        let parsed = PasswordHash::new(&stored_hash)
            .map_err(|error| Failure::Internal(format!("a stored password hash cannot be read: {error}")))?;
        // The cost is that of the stored hash.
        let is_stored = |form: &String| argon2(cost).verify_password(form.as_bytes(), &parsed).is_ok();
        Ok(match Password::forms(password).iter().position(is_stored) {
            Some(0) if exists => Match::Current,
            Some(_) if exists => Match::Former,
            _ => Match::None,
        })
    });
    verified.await?
}

/// The hash of a right password that is stored in a form of versions before, to be stored in its place.
pub(crate) async fn renew(app: &App, password: &str, matched: Match) -> Result<Option<String>> {
    Ok(match matched {
        Match::Former => Some(hash(app, Password::known(password)).await?),
        Match::None | Match::Current => None,
    })
}

/// Stores it, and answers the hash that is stored. One that was changed meanwhile stays as it is.
pub(crate) async fn store_renewed(
    tx: &mut Tx,
    user: UserId,
    stored: String,
    renewed: Option<String>,
) -> Result<String> {
    let Some(renewed) = renewed else { return Ok(stored) };
    let is_stored = storage::accounts::users::renew_password(tx, user, &stored, &renewed).await?;
    Ok(if is_stored { renewed } else { stored })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dummy_hash_can_be_parsed_and_costs_the_same() {
        // [AUTH009] [AUTH073]
        for (cost, params) in
            [(PasswordCost::Recommended, "m=19456,t=2,p=1"), (PasswordCost::Low, "m=8,t=1,p=1")]
        {
            let dummy = PasswordHash::new(dummy_hash(cost)).unwrap();
            assert_eq!(dummy.algorithm.as_str(), "argon2id");
            let hash = argon2(cost).hash_password_with_salt(b"secret", &[7; 16]).unwrap();
            assert_eq!(hash.params.to_string(), dummy.params.to_string());
            assert_eq!(hash.params.to_string(), params);
            assert!(argon2(cost).verify_password(b"secret", &hash).is_ok());
            assert!(argon2(cost).verify_password(b"Secret", &hash).is_err());
        }
        assert_eq!(PasswordCost::default(), PasswordCost::Recommended);
    }
}
