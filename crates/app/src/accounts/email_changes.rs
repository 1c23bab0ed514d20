//! Changing the address of an account: asked for with the password, completed by a link to the new address, and taken
//! back by a link to the old one (decision 0016).

use domain::accounts::{EmailAddress, LinkPurpose, User, tokens};
use domain::{Job, NoticeId, Refusal, UserId};
use storage::accounts::email_change_notices::Notice;

use crate::accounts::passwords;
use crate::accounts::security_log::{self, SecurityEvent};
use crate::operations::mails;
use crate::operations::runtime::queue::Tx;
use crate::{App, Result};

/// Asks for another address: mails a link to it, which puts it in force, and a notice to the current one.
///
/// # Errors
/// [`Refusal::PasswordRequired`], [`Refusal::CurrentPasswordWrong`], the refusals of an address, or
/// [`Refusal::EmailInUse`].
pub(crate) async fn request(app: &App, user: &User, email: &str, password: String) -> Result<()> {
    if email.trim().is_empty() {
        return Err(Refusal::EmailRequired.into());
    }
    let email = EmailAddress::parse(email)?;
    passwords::check_current(app, user, password).await?;
    let mut tx = app.begin().await?;
    if !storage::accounts::users::set_pending_email(&mut tx, user.id, &email).await? {
        return Err(Refusal::EmailInUse.into());
    }
    tx.enqueue(&Job::SendVerification { user: user.id }).await?;
    let notice = create_notice(app, &mut tx, user).await?;
    tx.enqueue(&Job::SendEmailChangeNotice { notice }).await?;
    tx.commit().await
}

/// Enqueues the mail that tells the former address of `user` that another one has replaced it.
pub(crate) async fn enqueue_completion(app: &App, tx: &mut Tx, user: &User) -> Result<()> {
    let notice = create_notice(app, tx, user).await?;
    tx.enqueue(&Job::SendEmailChangeCompletion { notice }).await?;
    Ok(())
}

/// Keeps the current address of `user` until it is told.
async fn create_notice(app: &App, tx: &mut Tx, user: &User) -> Result<NoticeId> {
    let notice = Notice { id: app.id(), user: user.id, email: user.email.clone(), created_at: app.now() };
    storage::accounts::email_change_notices::create(tx, &notice).await?;
    Ok(notice.id)
}

/// The job of a change that was asked for: tells the address that was the current one then.
pub(crate) async fn send_notice(app: &App, notice: NoticeId) -> Result<()> {
    tell(app, notice, mails::email_change_notice).await
}

/// The job of a change that was completed: tells the former address.
pub(crate) async fn send_completion(app: &App, notice: NoticeId) -> Result<()> {
    tell(app, notice, mails::email_changed).await
}

/// Mails a link that takes the change back to the address of a notice.
async fn tell(app: &App, notice: NoticeId, mail: mails::LinkMail) -> Result<()> {
    let Some(notice) = storage::accounts::email_change_notices::by_id(&app.db, notice).await? else {
        return Ok(());
    };
    if let Some(user) = storage::accounts::users::by_id(&app.db, notice.user).await? {
        let (token, now) = (app.randomness.token(), app.now());
        let link = storage::accounts::links::NewLink {
            hash: token.hash(),
            purpose: LinkPurpose::RevokeEmailChange,
            user: user.id,
            email: notice.email.clone(),
            created_at: now,
            expires_at: now.plus(LinkPurpose::RevokeEmailChange.lifetime()),
        };
        let mut tx = app.begin().await?;
        storage::accounts::links::create(&mut tx, &link).await?;
        tx.commit().await?;
        mails::deliver(app, &mail(&app.settings, &user.name, notice.email, &token)?).await?;
    }
    Ok(storage::accounts::email_change_notices::delete(&app.db, notice.id).await?)
}

/// Takes a change of address back with the token of a link that was mailed to the old one, which is in force again
/// afterwards. Whoever asked for the change knew the password: it opens nothing any more, every session and API token
/// ends, and a link that sets a new one is mailed.
///
/// # Errors
/// [`Refusal::RevocationUnknown`], or [`Refusal::EmailTaken`] when the address is in use by another account.
pub async fn revoke(app: &App, token: &str) -> Result<()> {
    let (hash, now) = (tokens::hash_token(token.trim()), app.now());
    let link = storage::accounts::links::find(&app.db, &hash)
        .await?
        .filter(|link| link.purpose == LinkPurpose::RevokeEmailChange)
        .filter(|link| link.used_at.is_none() && link.expires_at > now)
        .ok_or(Refusal::RevocationUnknown)?;
    let holder = storage::accounts::users::credentials(&app.db, &link.email).await?.map(|found| found.user);

    let mut tx = app.begin().await?;
    if !storage::accounts::links::consume(&mut tx, &hash, now).await? {
        return Err(Refusal::RevocationUnknown.into());
    }
    // Each address that the account had meanwhile has such a link too.
    storage::accounts::links::consume_all(&mut tx, link.user, LinkPurpose::RevokeEmailChange, now).await?;
    storage::accounts::links::consume_all(&mut tx, link.user, LinkPurpose::ResetPassword, now).await?;
    storage::accounts::links::delete_unused_verifications(&mut tx, link.user, &link.email).await?;
    storage::accounts::sessions::end_all(&mut tx, link.user, now).await?;
    storage::accounts::api_tokens::delete_all(&mut tx, link.user).await?;
    storage::uploads::ftp::delete_all(&mut tx, link.user).await?;
    tx.enqueue(&Job::SendPasswordReset { user: link.user }).await?;
    if let Some(squatter) = holder.filter(|user| is_squatter(user, link.user)) {
        storage::accounts::users::close(&mut tx, squatter.id, now).await?;
    }
    if !storage::accounts::users::verify_email(&mut tx, link.user, &link.email, now).await? {
        return Err(Refusal::EmailTaken.into());
    }
    passwords::invalidate(&mut tx, link.user).await?;
    tx.commit().await?;
    security_log::record(SecurityEvent::AddressChangeRevoked, Some(link.user));
    Ok(())
}

/// Whether `holder` is an account of another user that has never proved to receive mail at its address, as the owner of
/// the link has: it must not keep them from it.
fn is_squatter(holder: &User, owner: UserId) -> bool {
    holder.id != owner && holder.email_verified_at.is_none()
}
