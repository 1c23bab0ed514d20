//! Changing and closing an account.

use domain::accounts::{self, EmailAddress, User};
use domain::{Job, Refusal, UserId};
use storage::events::Deletion;

use crate::{App, Result, deletions, mails, passwords};

/// A change of an account: either a name or an address.
#[derive(Default)]
pub struct Change {
    /// The new name, as entered.
    pub name: Option<String>,
    /// The new address, as entered.
    pub email: Option<String>,
}

/// Changes the name at once, or mails a link to the new address, which replaces the current one when it is followed.
///
/// # Errors
/// [`Refusal::ProfileChangeUnclear`] for both or neither, the refusals of the field, or [`Refusal::EmailInUse`].
pub async fn change(app: &App, user: &User, change: Change) -> Result<User> {
    match (change.name, change.email) {
        (Some(name), None) => rename(app, user, &name).await?,
        (None, Some(email)) => request_email_change(app, user, &email).await?,
        _ => return Err(Refusal::ProfileChangeUnclear.into()),
    }
    let changed = storage::users::by_id(&app.db, user.id).await?;
    changed.ok_or_else(|| Refusal::SignInRequired.into())
}

async fn rename(app: &App, user: &User, name: &str) -> Result<()> {
    let name = accounts::parse_name(name)?;
    let mut tx = app.begin().await?;
    storage::users::rename(&mut tx, user.id, &name).await?;
    tx.commit().await
}

async fn request_email_change(app: &App, user: &User, email: &str) -> Result<()> {
    if email.trim().is_empty() {
        return Err(Refusal::EmailRequired.into());
    }
    let email = EmailAddress::parse(email)?;
    let mut tx = app.begin().await?;
    if !storage::users::set_pending_email(&mut tx, user.id, &email).await? {
        return Err(Refusal::EmailInUse.into());
    }
    tx.enqueue(&Job::SendVerification { user: user.id }).await?;
    tx.enqueue(&Job::NoticeEmailChange { user: user.id, email: user.email.clone() }).await?;
    tx.commit().await?;
    Ok(())
}

/// The job of a requested change of address: tells the current one.
pub(crate) async fn notice_email_change(app: &App, user: UserId, email: EmailAddress) -> Result<()> {
    let Some(user) = storage::users::by_id(&app.db, user).await? else {
        return Ok(());
    };
    let mail = mails::email_change_notice(&app.settings, &user.name, email)?;
    mails::deliver(app, &mail).await
}

/// Closes an account: deletes its events, photos and faces, and erases its name and address. The ledger's rows stay,
/// without personal data.
///
/// # Errors
/// [`Refusal::PasswordRequired`] or [`Refusal::CurrentPasswordWrong`].
pub async fn close(app: &App, user: &User, password: String) -> Result<()> {
    passwords::check_current(app, user.id, password).await?;
    let events = storage::events::by_owner(&app.db, user.id).await?;
    let mut tx = app.begin().await?;
    for event in events {
        match deletions::begin(app, &mut tx, user.id, event.id).await? {
            Deletion::Done | Deletion::Started | Deletion::Running(_) | Deletion::Missing => {}
        }
    }
    tx.enqueue(&Job::ClearAccount { user: user.id }).await?;
    storage::users::close(&mut tx, user.id, app.now()).await?;
    tx.commit().await?;
    tracing::info!(user = %user.id, "an account is closed");
    Ok(())
}
