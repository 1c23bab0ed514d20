//! Messages of the contact form.

use domain::accounts::{self, EmailAddress};
use domain::operations::contact::{parse_message, parse_subject};
use domain::{Job, MessageId, Refusal};
use storage::operations::contact::Message;

use crate::operations::mails;
use crate::{App, Result};

/// The contact form.
pub struct Submission {
    /// The person's name, as entered.
    pub name: String,
    /// Where the reply goes, as entered.
    pub email: String,
    /// The subject, as entered.
    pub subject: String,
    /// The message, as entered.
    pub message: String,
}

/// Stores a message and mails it to support.
///
/// # Errors
/// The refusals of its fields.
pub async fn submit(app: &App, submission: Submission) -> Result<()> {
    let name = accounts::parse_name(&submission.name)?;
    if submission.email.trim().is_empty() {
        return Err(Refusal::EmailRequired.into());
    }
    let email = EmailAddress::parse(&submission.email)?;
    let subject = parse_subject(&submission.subject)?;
    let text = parse_message(&submission.message)?;
    let (id, created_at) = (app.id::<MessageId>(), app.now());
    let message = Message { id, name, email, subject, message: text, created_at, sent_at: None };
    let mut tx = app.begin().await?;
    storage::operations::contact::create(&mut tx, &message).await?;
    tx.enqueue(&Job::SendMessage { message: id }).await?;
    tx.commit().await?;
    Ok(())
}

/// The job of [`submit`].
pub(crate) async fn forward(app: &App, id: MessageId) -> Result<()> {
    let Some(message) =
        storage::operations::contact::by_id(&app.db, id).await?.filter(|message| message.sent_at.is_none())
    else {
        return Ok(());
    };
    mails::deliver(app, &mails::contact(&app.settings, &message)?).await?;
    let mut tx = app.begin().await?;
    storage::operations::contact::mark_sent(&mut tx, id, app.now()).await?;
    tx.commit().await
}
