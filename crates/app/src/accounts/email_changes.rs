//! Changing the address of an account: completed by a link to the new address, which the old one has to agree to by a link
//! of its own unless the password came with the request, and taken back by another link to the old one (decision 0016).

use domain::accounts::tokens::{self, Token, TokenHash};
use domain::accounts::{EmailAddress, LinkPurpose, User};
use domain::operations::mails::Mail;
use domain::{Job, NoticeId, Refusal, UserId};
use storage::accounts::email_change_notices::Notice;
use storage::accounts::links::MailedLink;

use crate::accounts::passwords;
use crate::accounts::security_log::{self, SecurityEvent};
use crate::operations::mails;
use crate::operations::runtime::queue::Tx;
use crate::{App, Result};

/// How far a change of address is after one of its links was followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The other address has to say so too.
    Waiting,
    /// The new address has just taken the place of the old one.
    Changed,
    /// The address was in force already, maybe spelled otherwise.
    InForce,
}

/// Asks for another address: mails a link to it, by which it confirms, and a notice to the current one, which has to agree
/// unless the password comes along.
///
/// # Errors
/// [`Refusal::PasswordRequired`] for an empty password, [`Refusal::CurrentPasswordWrong`], the refusals of an address, or
/// [`Refusal::EmailInUse`].
pub(crate) async fn request(
    app: &App,
    user: &User,
    token: &str,
    email: &str,
    password: Option<String>,
) -> Result<()> {
    if email.trim().is_empty() {
        return Err(Refusal::EmailRequired.into());
    }
    let email = EmailAddress::parse(email)?;
    // Another spelling of the same mailbox: its link says both.
    let needs_agreement = password.is_none() && !email.is_same_mailbox(&user.email);
    let password = match password {
        Some(password) => Some(passwords::check_current(app, user, token, password).await?),
        None => None,
    };
    let mut tx = app.begin().await?;
    if let Some(password) = password {
        password.lock_account(&mut tx, user.id).await?;
    }
    if !storage::accounts::users::set_pending_email(&mut tx, user.id, &email, needs_agreement).await? {
        return Err(Refusal::EmailInUse.into());
    }
    tx.enqueue(&Job::SendVerification { user: user.id }).await?;
    let notice = create_notice(app, &mut tx, user).await?;
    tx.enqueue(&Job::SendEmailChangeNotice { notice }).await?;
    tx.commit().await
}

/// Records that the pending address `new` has confirmed, and puts it in force if nothing is missing.
///
/// # Errors
/// [`Refusal::VerificationUnknown`] when it is not pending any more, or [`Refusal::EmailTaken`].
pub(crate) async fn confirm(app: &App, tx: &mut Tx, user: UserId, new: &EmailAddress) -> Result<Progress> {
    let confirmed = storage::accounts::users::confirm_pending_email(tx, user, new).await?;
    advance(app, tx, confirmed.ok_or(Refusal::VerificationUnknown)?).await
}

/// Agrees to a change of address with the token of a link that was mailed to the old one. A link that was used answers how
/// far the change is.
///
/// # Errors
/// [`Refusal::AgreementUnknown`], or [`Refusal::EmailTaken`] when the new address has become another account's.
pub async fn agree(app: &App, token: &str) -> Result<Progress> {
    let hash = tokens::hash_token(token.trim());
    let (link, new) = agreement(app, &hash).await?;
    let user = storage::accounts::users::by_id(&app.db, link.user).await?.ok_or(Refusal::AgreementUnknown)?;
    let pending = user.pending_email.as_ref().filter(|pending| pending.is_same_mailbox(&new));
    let pending = pending.filter(|_| user.email.is_same_mailbox(&link.email));
    let (Some(pending), None) = (pending, link.used_at) else {
        return agreed_before(&user, &new);
    };
    let mut tx = app.begin().await?;
    if !storage::accounts::links::consume(&mut tx, &hash, app.now()).await? {
        // It was pressed twice at one moment, or the change was cancelled.
        drop(tx);
        let (link, new) = agreement(app, &hash).await?;
        let user = storage::accounts::users::by_id(&app.db, link.user).await?;
        return agreed_before(&user.ok_or(Refusal::AgreementUnknown)?, &new);
    }
    let agreed =
        storage::accounts::users::agree_to_pending_email(&mut tx, link.user, pending, &link.email).await?;
    let progress = advance(app, &mut tx, agreed.ok_or(Refusal::AgreementUnknown)?).await?;
    tx.commit().await?;
    record(progress, link.user);
    Ok(progress)
}

/// A link that agrees to a change, used or not, and the address to which it agrees.
async fn agreement(app: &App, hash: &TokenHash) -> Result<(MailedLink, EmailAddress)> {
    let link = storage::accounts::links::find(&app.db, hash).await?;
    let link = link.filter(|link| link.purpose == LinkPurpose::AgreeToEmailChange);
    let link = link.filter(|link| link.expires_at > app.now()).ok_or(Refusal::AgreementUnknown)?;
    let new = link.new_email.clone().ok_or(Refusal::AgreementUnknown)?;
    Ok((link, new))
}

/// What a link to agree to `new` answers that has nothing to do: whether the agreement holds.
fn agreed_before(user: &User, new: &EmailAddress) -> Result<Progress> {
    if user.email.is_same_mailbox(new) {
        return Ok(Progress::InForce);
    }
    let is_pending = user.pending_email.as_ref().is_some_and(|pending| pending.is_same_mailbox(new));
    if is_pending && !user.pending_needs_agreement {
        Ok(Progress::Waiting)
    } else {
        Err(Refusal::AgreementUnknown.into())
    }
}

/// Puts the pending address of an account in force, which the transaction has locked, once nobody's word is missing, and
/// tells the former one.
async fn advance(app: &App, tx: &mut Tx, user: User) -> Result<Progress> {
    let new = match &user.pending_email {
        Some(new) if user.pending_confirmed && !user.pending_needs_agreement => new,
        _ => return Ok(Progress::Waiting),
    };
    let is_another = !new.is_same_mailbox(&user.email);
    if is_another {
        let notice = create_notice(app, tx, &user).await?;
        tx.enqueue(&Job::SendEmailChangeCompletion { notice }).await?;
    }
    if !storage::accounts::users::verify_email(tx, user.id, new, app.now()).await? {
        return Err(Refusal::EmailTaken.into());
    }
    Ok(if is_another { Progress::Changed } else { Progress::InForce })
}

/// Logs a change that is complete and committed.
pub(crate) fn record(progress: Progress, user: UserId) {
    if progress == Progress::Changed {
        security_log::record(SecurityEvent::AddressChanged, Some(user));
    }
}

/// Keeps the current address of `user` until it is told.
async fn create_notice(app: &App, tx: &mut Tx, user: &User) -> Result<NoticeId> {
    let notice = Notice { id: app.id(), user: user.id, email: user.email.clone(), created_at: app.now() };
    storage::accounts::email_change_notices::create(tx, &notice).await?;
    Ok(notice.id)
}

/// The job of a change that was asked for: tells the address that was the current one then, with a link that agrees where
/// that is missing. What it agrees to is what is pending now: a request before that one is worth nothing any more.
pub(crate) async fn send_notice(app: &App, notice: NoticeId) -> Result<()> {
    let Some((notice, user)) = addressee(app, notice).await? else {
        return Ok(());
    };
    let new = user.pending_email.clone().filter(|_| user.pending_needs_agreement);
    let Some(mut tx) = begin(app, &notice).await? else {
        return Ok(());
    };
    let revocation = create_link(app, &mut tx, LinkPurpose::RevokeEmailChange, &notice, None).await?;
    let mail = match new.filter(|_| user.email.is_same_mailbox(&notice.email)) {
        None => mails::email_changes::notice(&app.settings, &user, notice.email.clone(), &revocation)?,
        Some(new) => {
            let purpose = LinkPurpose::AgreeToEmailChange;
            let agreement = create_link(app, &mut tx, purpose, &notice, Some(new.clone())).await?;
            let links = mails::email_changes::AgreementLinks { agreement, revocation };
            mails::email_changes::agreement(&app.settings, &user, notice.email.clone(), &new, &links)?
        }
    };
    tx.commit().await?;
    finish(app, &notice, &mail).await
}

/// The job of a change that was completed: tells the former address.
pub(crate) async fn send_completion(app: &App, notice: NoticeId) -> Result<()> {
    let Some((notice, user)) = addressee(app, notice).await? else {
        return Ok(());
    };
    let Some(mut tx) = begin(app, &notice).await? else {
        return Ok(());
    };
    let revocation = create_link(app, &mut tx, LinkPurpose::RevokeEmailChange, &notice, None).await?;
    tx.commit().await?;
    let mail = mails::email_changes::changed(&app.settings, &user, notice.email.clone(), &revocation)?;
    finish(app, &notice, &mail).await
}

/// A notice and its account; none once it is sent, or the account is closed.
async fn addressee(app: &App, notice: NoticeId) -> Result<Option<(Notice, User)>> {
    let Some(notice) = storage::accounts::email_change_notices::by_id(&app.db, notice).await? else {
        return Ok(None);
    };
    let user = storage::accounts::users::by_id(&app.db, notice.user).await?;
    Ok(user.map(|user| (notice, user)))
}

/// A transaction that has the row of a notice; none where it was ended. Whoever takes the change back comes before, or finds the link.
async fn begin(app: &App, notice: &Notice) -> Result<Option<Tx>> {
    let mut tx = app.begin().await?;
    Ok(storage::accounts::email_change_notices::lock(&mut tx, notice.id).await?.then_some(tx))
}

/// Makes a link to the address of a notice.
async fn create_link(
    app: &App,
    tx: &mut Tx,
    purpose: LinkPurpose,
    notice: &Notice,
    new_email: Option<EmailAddress>,
) -> Result<Token> {
    let (token, now) = (app.randomness.token(), app.now());
    let link = storage::accounts::links::NewLink {
        hash: token.hash(),
        purpose,
        user: notice.user,
        email: notice.email.clone(),
        new_email,
        created_at: now,
        expires_at: now.plus(purpose.lifetime()),
    };
    storage::accounts::links::create(tx, &link).await?;
    Ok(token)
}

/// Sends the mail of a notice, which is done with then.
async fn finish(app: &App, notice: &Notice, mail: &Mail) -> Result<()> {
    mails::deliver(app, mail).await?;
    Ok(storage::accounts::email_change_notices::delete(&app.db, notice.id).await?)
}

/// Takes a change of address back with the token of a link that was mailed to the old one, which is in force again
/// afterwards. Whoever asked for the change had a session or knew the password: it opens nothing any more, every session,
/// API token and link with single sign-on ends, with what was to be mailed to the other addresses, with webhooks and invitations, and a
/// link that sets a new one is mailed.
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
    // First: the job of one that is to make a link holds it until the link is there.
    let since = link.created_at;
    storage::accounts::email_change_notices::delete_others(&mut tx, link.user, &link.email, since).await?;
    // Each address that the account had meanwhile has such a link too. One of before this link's may be the owner's.
    storage::accounts::links::consume_revocations(&mut tx, link.user, &link.email, since, now).await?;
    storage::accounts::links::consume_all(&mut tx, link.user, LinkPurpose::ResetPassword, now).await?;
    storage::accounts::links::delete_unused_of_change(&mut tx, link.user, &link.email).await?;
    storage::accounts::second_factors::delete_unconfirmed(&mut tx, link.user).await?;
    storage::accounts::sessions::end_all(&mut tx, link.user, now).await?;
    storage::accounts::api_tokens::delete_all(&mut tx, link.user).await?;
    storage::uploads::ftp::delete_all(&mut tx, link.user).await?;
    storage::accounts::single_sign_on::unlink_all(&mut tx, link.user).await?;
    storage::team::delete_all_invitations_by(&mut tx, link.user).await?;
    tx.enqueue(&Job::SendPasswordReset { user: link.user }).await?;
    if let Some(squatter) = holder.filter(|user| is_squatter(user, link.user)) {
        storage::accounts::users::close(&mut tx, squatter.id, now).await?;
    }
    if !storage::accounts::users::verify_email(&mut tx, link.user, &link.email, now).await? {
        return Err(Refusal::EmailTaken.into());
    }
    passwords::invalidate(&mut tx, link.user, now).await?;
    tx.commit().await?;
    security_log::record(SecurityEvent::AddressChangeRevoked, Some(link.user));
    Ok(())
}

/// Whether `holder` is an account of another user that has never proved to receive mail at its address, as the owner of
/// the link has: it must not keep them from it.
fn is_squatter(holder: &User, owner: UserId) -> bool {
    holder.id != owner && holder.email_verified_at.is_none()
}
