//! Accounts: looked for, looked at, verified, locked and unlocked.

use std::collections::HashMap;

use domain::accounts::EmailAddress;
use domain::operations::administration::{self, AccountSearch, Reason};
use domain::operations::runtime::pages::PageSize;
use domain::{Refusal, UserId};
use storage::operations::administration::{Account, EventSums};

use super::context::Administration;
use crate::Result;
use crate::accounts::security_log::SecurityEvent;

/// Accounts on a page when the request says nothing, and at most.
const PAGE: PageSize = PageSize { default: 50, most: 100 };
/// How many accounts one request looks at, when it looks for some.
const LOOKED_AT: usize = 5_000;
/// How many are read at once then.
const BATCH: usize = 500;

/// Which accounts are meant.
#[derive(Clone, Debug, Default)]
pub struct Query {
    /// A part of the address or of the name.
    pub text: Option<String>,
    /// At most so many.
    pub limit: Option<u32>,
    /// Those after the page that gave this mark.
    pub cursor: Option<String>,
}

/// An account, with what its events have.
pub struct Shown {
    /// The account.
    pub account: Account,
    /// What its events have together.
    pub events: EventSums,
}

/// A page of accounts, newest first.
pub struct Page {
    /// The accounts.
    pub accounts: Vec<Shown>,
    /// The mark of the next page; none on the last. A page of accounts that were looked for may be empty and have one.
    pub next_cursor: Option<String>,
}

/// A page of the open accounts. A whole address is found at once; of others that are looked for, one request looks at 5,000
/// accounts.
///
/// # Errors
/// [`Refusal::AccountSearchTooLong`], or [`Refusal::CursorInvalid`] for a mark that was not given out.
pub async fn page(administration: &Administration, query: Query) -> Result<Page> {
    let search = AccountSearch::parse(&query.text.unwrap_or_default())?;
    let cursor: Option<UserId> =
        query.cursor.map(|cursor| cursor.parse()).transpose().map_err(|_| Refusal::CursorInvalid)?;
    if let Some(address) = search.as_ref().and_then(AccountSearch::address)
        && cursor.is_none()
        && let Some(found) = with_address(administration, &address).await?
    {
        return Ok(Page { accounts: vec![found], next_cursor: None });
    }
    let limit = usize::try_from(PAGE.of(query.limit)?).unwrap_or(usize::MAX);
    let (found, next) = look(administration, search.as_ref(), cursor, limit).await?;
    let next_cursor = next.map(|id| id.to_string());
    Ok(Page { accounts: with_events(administration, found).await?, next_cursor })
}

/// At most `limit` accounts after `cursor`, and the mark behind which there may be others.
async fn look(
    administration: &Administration,
    search: Option<&AccountSearch>,
    cursor: Option<UserId>,
    limit: usize,
) -> Result<(Vec<Account>, Option<UserId>)> {
    let batch = if search.is_some() { BATCH } else { limit + 1 };
    let (mut found, mut last, mut looked_at) = (Vec::new(), cursor, 0);
    loop {
        let rows = i64::try_from(batch).unwrap_or(i64::MAX);
        let accounts = storage::operations::administration::accounts(&administration.db, last, rows).await?;
        let is_end = accounts.len() < batch;
        looked_at += accounts.len();
        last = accounts.last().map(|account| account.user.id).or(last);
        found.extend(accounts.into_iter().filter(|Account { user, .. }| {
            search.is_none_or(|search| search.finds(&user.email, &user.name))
        }));
        if found.len() > limit {
            found.truncate(limit);
            let next = found.last().map(|account| account.user.id);
            return Ok((found, next));
        }
        if is_end {
            return Ok((found, None));
        }
        if looked_at >= LOOKED_AT {
            return Ok((found, last));
        }
    }
}

async fn with_events(administration: &Administration, accounts: Vec<Account>) -> Result<Vec<Shown>> {
    let owners: Vec<UserId> = accounts.iter().map(|account| account.user.id).collect();
    let sums = storage::operations::administration::event_sums(&administration.db, &owners).await?;
    let sums: HashMap<UserId, EventSums> = sums.into_iter().collect();
    let shown = accounts
        .into_iter()
        .map(|account| Shown { events: sums.get(&account.user.id).copied().unwrap_or_default(), account });
    Ok(shown.collect())
}

/// An open account.
///
/// # Errors
/// [`Refusal::AccountNotFound`]
pub async fn by_id(administration: &Administration, id: UserId) -> Result<Shown> {
    let found = storage::operations::administration::account(&administration.db, id).await?;
    let account = found.ok_or(Refusal::AccountNotFound)?;
    let sums = storage::operations::administration::event_sums(&administration.db, &[id]).await?;
    Ok(Shown { account, events: sums.first().map(|(_, sums)| *sums).unwrap_or_default() })
}

/// The open account with this address in force.
///
/// # Errors
/// [`Refusal::EmailInvalid`] and [`Refusal::AccountNotFound`].
pub async fn by_address(administration: &Administration, address: &str) -> Result<Shown> {
    let address = EmailAddress::parse(address)?;
    Ok(with_address(administration, &address).await?.ok_or(Refusal::AccountNotFound)?)
}

async fn with_address(administration: &Administration, address: &EmailAddress) -> Result<Option<Shown>> {
    match storage::accounts::users::credentials(&administration.db, address).await? {
        Some(found) => by_id(administration, found.user.id).await.map(Some),
        None => Ok(None),
    }
}

/// Verifies the address in force of an account without a mail.
///
/// # Errors
/// [`Refusal::AccountNotFound`]
pub async fn verify(administration: &Administration, id: UserId) -> Result<()> {
    let user =
        storage::accounts::users::by_id(&administration.db, id).await?.ok_or(Refusal::AccountNotFound)?;
    if user.email_verified_at.is_some() {
        return Ok(());
    }
    let mut tx = administration.queue.begin().await?;
    if !storage::accounts::users::verify_email(&mut tx, id, &user.email, administration.clock.now()).await? {
        return Err(Refusal::AccountNotFound.into());
    }
    tx.commit().await?;
    administration.record(SecurityEvent::AccountVerified, Some(id));
    Ok(())
}

/// Locks an account: nobody logs in to it, its sessions end, and what is uploaded to it at this moment is refused. Guests reach
/// its events as before. A locked account gets the new reason.
///
/// # Errors
/// [`Refusal::AccountNotFound`], [`Refusal::LockingOneself`] and [`Refusal::LastAdministrator`].
pub async fn lock(administration: &Administration, id: UserId, reason: &Reason) -> Result<()> {
    let mut tx = administration.queue.begin().await?;
    let administrators = storage::operations::administration::administrators(&mut tx).await?;
    administration::check_lock(id, administration.by, &administrators)?;
    let now = administration.clock.now();
    if !storage::operations::administration::lock_account(&mut tx, id, reason.as_str(), now).await? {
        return Err(Refusal::AccountNotFound.into());
    }
    storage::accounts::sessions::delete_all(&mut tx, id).await?;
    tx.commit().await?;
    administration.record(SecurityEvent::AccountLocked, Some(id));
    Ok(())
}

/// Unlocks an account.
///
/// # Errors
/// [`Refusal::AccountNotFound`]
pub async fn unlock(administration: &Administration, id: UserId) -> Result<()> {
    let mut tx = administration.queue.begin().await?;
    if !storage::operations::administration::unlock_account(&mut tx, id).await? {
        return Err(Refusal::AccountNotFound.into());
    }
    tx.commit().await?;
    administration.record(SecurityEvent::AccountUnlocked, Some(id));
    Ok(())
}
