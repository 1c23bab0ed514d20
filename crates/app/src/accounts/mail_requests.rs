//! Mails that are asked for by an address. Whether it has an account is looked up by the job, so that the answer takes the
//! same time and the same statements for every address.

pub(crate) mod answers;

use domain::accounts::{EmailAddress, RequestedMail};
use domain::{Job, Refusal};
use storage::accounts::mail_requests::MailRequest;

use crate::{App, Result};

/// Asks for a mail, without telling whether the address has an account.
///
/// # Errors
/// [`Refusal::EmailRequired`] or [`Refusal::EmailInvalid`]; [`Refusal::PasswordsOff`] for a link that sets one.
pub async fn create(app: &App, mail: RequestedMail, email: &str) -> Result<()> {
    if mail == RequestedMail::PasswordReset {
        app.settings.check_passwords()?;
    }
    if email.trim().is_empty() {
        return Err(Refusal::EmailRequired.into());
    }
    let email = EmailAddress::parse(email)?;
    let request = MailRequest { id: app.id(), mail, email, created_at: app.now() };
    let mut tx = app.begin().await?;
    storage::accounts::mail_requests::create(&mut tx, &request).await?;
    tx.enqueue(&Job::AnswerMailRequest { request: request.id }).await?;
    tx.commit().await
}
