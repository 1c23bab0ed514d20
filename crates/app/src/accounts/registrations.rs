//! What every account begins with, whoever makes it.

use domain::accounts::languages::AccountLanguage;
use domain::accounts::{self, EmailAddress, LinkPurpose, Password, User, tokens};
use domain::payments::ledger::LedgerKind;
use domain::payments::money::SIGNUP_CREDIT;
use domain::{Job, LedgerId, Refusal, Timestamp, UserId};
use storage::accounts::users::NewUser;
use storage::payments::ledger::Entry;

use crate::accounts::security_log::{self, SecurityEvent};
use crate::{App, Result};

/// The registration form.
pub struct Registration {
    /// The person's name, as entered.
    pub name: String,
    /// The address, as entered.
    pub email: String,
    /// The password.
    pub password: String,
}

/// A registration form whose fields are valid.
pub struct NewAccount {
    /// The person's name.
    pub(crate) name: String,
    /// The address.
    pub(crate) email: EmailAddress,
    /// The password.
    pub(crate) password: Password,
    /// The language of mails to it.
    pub(crate) language: AccountLanguage,
}

impl NewAccount {
    /// The same with mails in a language, which are in English otherwise.
    #[must_use]
    pub fn written_to_in(self, language: AccountLanguage) -> Self {
        Self { language, ..self }
    }
}

impl Registration {
    /// Checks the fields.
    ///
    /// # Errors
    /// The refusals of the fields.
    pub fn parse(self) -> std::result::Result<NewAccount, Refusal> {
        let name = accounts::parse_name(&self.name)?;
        if self.email.trim().is_empty() {
            return Err(Refusal::EmailRequired);
        }
        let email = EmailAddress::parse(&self.email)?;
        let (password, language) = (Password::parse(self.password)?, AccountLanguage::default());
        Ok(NewAccount { name, email, password, language })
    }
}

/// Removes the account that somebody has registered with the address of another person, who follows the link in the mail to it.
/// An account whose address is verified is not removed so.
///
/// # Errors
/// [`Refusal::VerificationTokenRequired`], [`Refusal::VerificationUnknown`], or [`Refusal::VerificationExpired`].
pub async fn revoke(app: &App, token: &str) -> Result<()> {
    if token.trim().is_empty() {
        return Err(Refusal::VerificationTokenRequired.into());
    }
    let unknown = Refusal::VerificationUnknown;
    let hash = tokens::hash_token(token.trim());
    let link = storage::accounts::links::find(&app.db, &hash).await?;
    let link = link.filter(|link| link.purpose == LinkPurpose::VerifyEmail && link.used_at.is_none());
    let link = link.ok_or(unknown.clone())?;
    let now = app.now();
    if link.expires_at <= now {
        return Err(Refusal::VerificationExpired.into());
    }
    let mut tx = app.begin().await?;
    // Another link may verify the address at this moment.
    storage::accounts::users::lock(&mut tx, link.user).await?;
    let storage_tx: &mut storage::Tx = &mut tx;
    let user = storage::accounts::users::by_id(storage_tx, link.user).await?.ok_or(unknown.clone())?;
    let is_registration = user.email_verified_at.is_none() && user.email.key() == link.email.key();
    if !is_registration || !storage::events::open_ids(storage_tx, user.id).await?.is_empty() {
        return Err(unknown.into());
    }
    tx.enqueue(&Job::ClearAccount { user: user.id }).await?;
    storage::accounts::users::close(&mut tx, user.id, now).await?;
    tx.commit().await?;
    security_log::record(SecurityEvent::AccountClosed, Some(user.id));
    Ok(())
}

/// A photographer's account that is about to be made.
pub(crate) struct Row {
    pub(crate) id: UserId,
    /// The id of the free credit's entry.
    pub(crate) credit: LedgerId,
    pub(crate) name: String,
    pub(crate) email: EmailAddress,
    pub(crate) password_hash: String,
    pub(crate) is_admin: bool,
    /// Whether its address is known to be its owner's.
    pub(crate) is_verified: bool,
    pub(crate) language: AccountLanguage,
}

/// Makes a photographer's account with its free credit.
///
/// # Errors
/// [`Refusal::EmailTaken`]
pub(crate) async fn create(tx: &mut storage::Tx, row: Row, now: Timestamp) -> Result<User> {
    let Row { id, credit, name, email, password_hash, is_admin, is_verified, language } = row;
    let new = NewUser {
        id,
        email: email.clone(),
        name: name.clone(),
        password_hash,
        is_photographer: true,
        language,
        created_at: now,
    };
    if !storage::accounts::users::create(tx, &new).await? {
        return Err(Refusal::EmailTaken.into());
    }
    if is_admin {
        storage::accounts::users::set_admin(tx, id, true).await?;
    }
    if is_verified && !storage::accounts::users::verify_email(tx, id, &email, now).await? {
        return Err(Refusal::EmailTaken.into());
    }
    let entry = Entry {
        id: credit,
        user: id,
        kind: LedgerKind::Signup,
        amount: SIGNUP_CREDIT,
        reference: None,
        event: None,
        at: now,
    };
    let credits = storage::payments::ledger::grant(tx, &entry).await?;
    Ok(User {
        id,
        email,
        pending_email: None,
        pending_confirmed: false,
        pending_needs_agreement: false,
        name,
        is_photographer: true,
        is_admin,
        email_verified_at: is_verified.then_some(now),
        credits,
        premium_since: None,
        locked_at: None,
        language,
        created_at: now,
    })
}
