//! Mails that tell the owner of an account what was done with it.

use domain::accounts::{AccountNews, User};
use domain::{Job, NoticeId, Timestamp};
use storage::accounts::email_change_notices::{self, Notice};

use crate::operations::mails;
use crate::operations::runtime::queue::Tx;
use crate::{App, Result};

/// Enqueues the mail. Its address is that of now: whoever did it may change the address next.
pub(crate) async fn enqueue(
    tx: &mut Tx,
    user: &User,
    news: AccountNews,
    id: NoticeId,
    now: Timestamp,
) -> Result<()> {
    let notice = Notice { id, user: user.id, email: user.email.clone(), created_at: now };
    email_change_notices::create(tx, &notice).await?;
    tx.enqueue(&Job::TellOfAccount { notice: notice.id, news }).await?;
    Ok(())
}

/// The job of [`enqueue`].
pub(crate) async fn send(app: &App, notice: NoticeId, news: AccountNews) -> Result<()> {
    let Some(notice) = email_change_notices::by_id(&app.db, notice).await? else {
        return Ok(());
    };
    if let Some(user) = storage::accounts::users::by_id(&app.db, notice.user).await? {
        let mail = mails::account_news::mail(&app.settings, &user, notice.email, news)?;
        mails::deliver(app, &mail).await?;
    }
    Ok(email_change_notices::delete(&app.db, notice.id).await?)
}
