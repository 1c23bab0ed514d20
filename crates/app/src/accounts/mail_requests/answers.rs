//! Makes the mails that were asked for by an address.

use domain::MailRequestId;
use domain::accounts::RequestedMail;

use crate::accounts::{self, passwords};
use crate::operations::mails;
use crate::{App, Result};

/// The job of [`crate::accounts::mail_requests::create`].
pub(crate) async fn answer(app: &App, request: MailRequestId) -> Result<()> {
    let Some(request) = storage::accounts::mail_requests::by_id(&app.db, request).await? else {
        return Ok(());
    };
    if let Some(found) = storage::accounts::users::credentials(&app.db, &request.email).await? {
        let user = found.user;
        match request.mail {
            // An account that is verified needs no such link.
            RequestedMail::Verification if user.email_verified_at.is_some() => {}
            RequestedMail::Verification => accounts::send_verification(app, user.id).await?,
            RequestedMail::PasswordReset => passwords::send_reset(app, user.id).await?,
            RequestedMail::WrongPasswords => {
                mails::deliver(app, &mails::wrong_passwords(&app.settings, &user)?).await?;
            }
        }
    }
    forget(app, request.id).await
}

/// Deletes a request that is answered, or cannot be.
pub(crate) async fn forget(app: &App, request: MailRequestId) -> Result<()> {
    Ok(storage::accounts::mail_requests::delete(&app.db, request).await?)
}
