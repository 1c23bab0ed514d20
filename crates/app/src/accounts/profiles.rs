//! Changing and closing an account.

use domain::accounts::{self, User};
use domain::operations::administration;
use domain::{Job, Refusal};

use crate::accounts::passwords::Checked;
use crate::accounts::security_log::{self, SecurityEvent};
use crate::accounts::{deletion_receipts, email_changes, passwords};
use crate::events::{delete, recently_deleted};
use crate::{App, Result};

/// How often closing an account begins again because an event was made meanwhile.
const CLOSE_ATTEMPTS: usize = 5;

/// A change of an account: either a name or an address.
#[derive(Default)]
pub struct Change {
    /// The new name, as entered.
    pub name: Option<String>,
    /// The new address, as entered.
    pub email: Option<String>,
    /// The password, with which a new address needs no agreement of the current one.
    pub current_password: Option<String>,
}

/// Changes the name at once, or mails links to the new address and the current one, which is replaced when they are followed.
///
/// # Errors
/// [`Refusal::ProfileChangeUnclear`] for both or neither, the refusals of the field, or those of
/// [`email_changes::request`].
pub async fn change(app: &App, user: &User, token: &str, change: Change) -> Result<User> {
    match (change.name, change.email) {
        (Some(name), None) => rename(app, user, &name).await?,
        (None, Some(email)) => {
            email_changes::request(app, user, token, &email, change.current_password).await?
        }
        _ => return Err(Refusal::ProfileChangeUnclear.into()),
    }
    let changed = storage::accounts::users::by_id(&app.db, user.id).await?;
    changed.ok_or_else(|| Refusal::SignInRequired.into())
}

async fn rename(app: &App, user: &User, name: &str) -> Result<()> {
    let name = accounts::parse_name(name)?;
    let mut tx = app.begin().await?;
    storage::accounts::users::rename(&mut tx, user.id, &name).await?;
    tx.commit().await
}

/// Closes an account: deletes its events, photos and faces, and erases its name and address. The ledger's rows stay,
/// without personal data. Nobody is left without an administrator, but the only account goes too.
///
/// # Errors
/// [`Refusal::PasswordRequired`], [`Refusal::CurrentPasswordWrong`], or [`Refusal::LastAdministrator`].
pub async fn close(app: &App, user: &User, token: &str, password: String) -> Result<()> {
    let password = passwords::check_current(app, user, token, password).await?;
    // An event may be made between the look at the events and the lock on the account.
    for _ in 0..CLOSE_ATTEMPTS {
        if try_close(app, user, &password).await? {
            security_log::record(SecurityEvent::AccountClosed, Some(user.id));
            return Ok(());
        }
    }
    Err(Refusal::Busy.into())
}

/// Locks the events in the order of their ids and then the account; false, and nothing has changed, when there is another
/// event by then.
async fn try_close(app: &App, user: &User, password: &Checked) -> Result<bool> {
    let mut tx = app.begin().await?;
    for event in storage::events::open_ids(&app.db, user.id).await? {
        delete::close(app, &mut tx, user.id, event).await?;
    }
    for event in storage::events::recently_deleted::restorable_ids(&app.db, user.id).await? {
        recently_deleted::begin_purge(&mut tx, event, user.id).await?;
    }
    // Administrators are accounts too, which are locked after events.
    if user.is_admin && storage::accounts::users::has_others(&mut tx, user.id).await? {
        let administrators = storage::operations::administration::administrators(&mut tx).await?;
        administration::check_not_last(user.id, &administrators)?;
    }
    deletion_receipts::begin_account(&mut tx, user).await?;
    let user = user.id;
    tx.enqueue(&Job::ClearAccount { user }).await?;
    password.close_account(&mut tx, user, app.now()).await?;
    let storage_tx: &mut storage::Tx = &mut tx;
    if !storage::events::open_ids(storage_tx, user).await?.is_empty() {
        return Ok(false);
    }
    tx.commit().await?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Failure;
    use crate::accounts::register;
    use crate::accounts::registrations::Registration;
    use crate::operations::operator_accounts;
    use crate::operations::operators::OperatorContext;
    use crate::testing::rows;

    const EMAIL: &str = "meera@example.com";

    #[tokio::test]
    async fn an_account_is_not_closed_with_a_password_that_was_changed_since_it_was_checked() {
        // [AUTH251]
        for database in storage::testing::engines().await {
            let incoming = tempfile::tempdir().unwrap();
            let parts = crate::testing::parts(database.db.clone(), incoming.path());
            let operator = OperatorContext {
                db: database.db.clone(),
                clock: parts.clock.clone(),
                randomness: parts.randomness.clone(),
                seller: None,
            };
            let app = App::new(parts).await.unwrap();
            let registration = Registration {
                name: String::from("Meera"),
                email: String::from(EMAIL),
                password: String::from("correct horse"),
            };
            let registered = register(&app, registration.parse().unwrap()).await.unwrap();
            let user = registered.user;
            let event = rows::event(&app, user.id).await.unwrap();
            let check =
                async |password: &str| passwords::check_current(&app, &user, "", password.to_owned()).await;
            let checked = check("correct horse").await.unwrap();
            operator_accounts::set_password(&operator, EMAIL, String::from("battery staple")).await.unwrap();

            let closed = try_close(&app, &user, &checked).await;
            assert!(matches!(closed, Err(Failure::Refused(Refusal::CurrentPasswordWrong))), "{closed:?}");
            assert_eq!(storage::events::open_ids(&database.db, user.id).await.unwrap(), [event]);
            assert!(storage::accounts::users::by_id(&database.db, user.id).await.unwrap().is_some());
            let checked = check("battery staple").await.unwrap();
            assert!(try_close(&app, &user, &checked).await.unwrap());
        }
    }
}
