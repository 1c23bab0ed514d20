//! Endpoints of webhooks: added, changed, tried out, switched off, deleted.

use domain::accounts::AccountNews;
use domain::accounts::tokens::hash_token;
use domain::operations::runtime::pages::PageSize;
use domain::webhooks::{self, Delivery, Disabled, Endpoint, EventTypes, OVERLAP, Secret};
use domain::{Refusal, WebhookDeliveryId, WebhookEndpointId};
use gateway::webhooks::{Address, AddressError};

use crate::accounts::security_log::SecurityEvent;
use crate::operations::runtime::limits::{self, Limit};
use crate::operations::runtime::queue::Tx;
use crate::webhooks::keepers::Keeper;
use crate::webhooks::reports;
use crate::{App, Result};

/// Messages on a page when the request says nothing, and at most.
const PAGE: PageSize = PageSize { default: 20, most: 100 };

/// What is entered of an endpoint.
pub struct Entered {
    /// The address.
    pub url: String,
    /// What it is for.
    pub description: String,
    /// Names of what it is told of.
    pub event_types: Vec<String>,
}

/// An endpoint with its newest message.
pub struct Shown {
    /// The endpoint.
    pub endpoint: Endpoint,
    /// The newest message; none when there is none.
    pub newest: Option<Delivery>,
}

/// An endpoint whose secret was just made.
pub struct Revealed {
    /// The endpoint.
    pub endpoint: Endpoint,
    /// The text of its secret, which nobody is told again.
    pub secret: String,
}

struct Checked {
    url: String,
    description: String,
    event_types: EventTypes,
}

/// All endpoints of a keeper, oldest first.
pub async fn list(app: &App, keeper: Keeper<'_>) -> Result<Vec<Shown>> {
    let mut shown = Vec::new();
    for endpoint in all(&app.db, keeper).await? {
        shown.push(with_newest(app, endpoint).await?);
    }
    Ok(shown)
}

async fn all(db: &dyn storage::Executor, keeper: Keeper<'_>) -> Result<Vec<Endpoint>> {
    Ok(match keeper.owner() {
        None => storage::webhooks::endpoints::list(db).await?,
        Some(owner) => storage::webhooks::endpoints::of_owner(db, owner).await?,
    })
}

async fn with_newest(app: &App, endpoint: Endpoint) -> Result<Shown> {
    let newest = storage::webhooks::deliveries::page(&app.db, endpoint.id, None, 1).await?.pop();
    Ok(Shown { endpoint, newest })
}

/// An endpoint of the keeper's. Whose it is never changes.
async fn by_id(app: &App, keeper: Keeper<'_>, id: &str) -> Result<Endpoint> {
    let id: WebhookEndpointId = id.parse().map_err(|_| Refusal::WebhookNotFound)?;
    let endpoint = storage::webhooks::endpoints::by_id(&app.db, id).await?;
    let endpoint = endpoint.filter(|endpoint| endpoint.owner == keeper.owner());
    Ok(endpoint.ok_or(Refusal::WebhookNotFound)?)
}

fn check(app: &App, keeper: Keeper<'_>, entered: &Entered) -> Result<Checked> {
    let (reach, private) = keeper.reach(app);
    let url = Address::parse(&entered.url, reach).map_err(|error| match error {
        AddressError::Invalid => Refusal::WebhookUrlInvalid,
        AddressError::Forbidden | AddressError::NotPublic => private,
    })?;
    Ok(Checked {
        url: url.as_str().to_owned(),
        description: webhooks::parse_description(&entered.description)?,
        event_types: EventTypes::parse(&entered.event_types, keeper.choices())?,
    })
}

/// Adds an endpoint, which is switched on. A mail tells the photographer whose it is; `session` is the token of theirs.
///
/// # Errors
/// The refusals of what is entered, and [`Refusal::WebhooksTooMany`] or [`Refusal::OwnWebhooksTooMany`].
pub async fn create(
    app: &App,
    keeper: Keeper<'_>,
    session: Option<&str>,
    entered: &Entered,
) -> Result<Revealed> {
    let Checked { url, description, event_types } = check(app, keeper, entered)?;
    let endpoint = Endpoint {
        id: app.id(),
        owner: keeper.owner(),
        url,
        description,
        event_types,
        secret: Secret::from_bytes(app.randomness.bytes()),
        former_secret: None,
        failing_since: None,
        disabled: None,
        created_at: app.now(),
    };
    let mut tx = app.begin().await?;
    // So two that are added at one moment count each other, and none is added to an account that is being closed.
    check_owner(app, &mut tx, keeper, session).await?;
    let (most, too_many) = keeper.most();
    if all(&mut *tx, keeper).await?.len() >= most {
        return Err(too_many.into());
    }
    storage::webhooks::endpoints::create(&mut tx, &endpoint).await?;
    keeper.tell(app, &mut tx, AccountNews::WebhookAdded).await?;
    tx.commit().await?;
    keeper.record(app, SecurityEvent::WebhookAdded);
    Ok(Revealed { secret: endpoint.secret.reveal(), endpoint })
}

/// Locks the account whose endpoints a session changes. A password that was set since the request was let in has ended the session,
/// and switched the endpoints off.
async fn check_owner(app: &App, tx: &mut Tx, keeper: Keeper<'_>, session: Option<&str>) -> Result<()> {
    let Some(owner) = keeper.owner() else { return Ok(()) };
    let token = session.ok_or(Refusal::SignInRequired)?;
    let standing = storage::accounts::users::lock(tx, owner).await?;
    let session = storage::accounts::sessions::find(&mut **tx, &hash_token(token), app.now()).await?;
    if standing.is_none_or(|standing| standing.is_closed) || session.is_none() {
        return Err(Refusal::SignInRequired.into());
    }
    Ok(())
}

/// Changes what is entered of an endpoint. Messages that wait go to the new address, of which a mail tells the photographer whose it
/// is.
///
/// # Errors
/// The refusals of what is entered, and [`Refusal::WebhookNotFound`].
pub async fn change(app: &App, keeper: Keeper<'_>, id: &str, entered: &Entered) -> Result<Shown> {
    let Endpoint { id, url: former, .. } = by_id(app, keeper, id).await?;
    let Checked { url, description, event_types } = check(app, keeper, entered)?;
    let mut tx = app.begin().await?;
    if !storage::webhooks::endpoints::change(&mut tx, id, &url, &description, &event_types).await? {
        return Err(Refusal::WebhookNotFound.into());
    }
    if url != former {
        keeper.tell(app, &mut tx, AccountNews::WebhookAddressChanged).await?;
    }
    commit(app, keeper, tx, id, SecurityEvent::WebhookChanged).await
}

/// Switches an endpoint on or off. What waits is given up when it is switched off, and what happens until it is on again is
/// not reported.
///
/// # Errors
/// [`Refusal::WebhookNotFound`]
pub async fn switch(
    app: &App,
    keeper: Keeper<'_>,
    session: Option<&str>,
    id: &str,
    on: bool,
) -> Result<Shown> {
    let endpoint = by_id(app, keeper, id).await?;
    let id = endpoint.id;
    let mut tx = app.begin().await?;
    let is_changed = if on {
        check_owner(app, &mut tx, keeper, session).await?;
        storage::webhooks::endpoints::enable(&mut tx, id).await?
    } else {
        let disabled = Disabled { at: app.now(), by: keeper.disabled_by() };
        storage::webhooks::deliveries::drop_waiting(&mut tx, id).await?;
        storage::webhooks::endpoints::disable(&mut tx, id, disabled).await?
    };
    if !is_changed {
        drop(tx);
        // It is as it should be.
        return with_newest(app, endpoint).await;
    }
    commit(app, keeper, tx, id, SecurityEvent::WebhookChanged).await
}

/// Makes a new secret. The one before signs too for a day.
///
/// # Errors
/// [`Refusal::WebhookNotFound`]
pub async fn rotate(app: &App, keeper: Keeper<'_>, id: &str) -> Result<Revealed> {
    let Endpoint { id, .. } = by_id(app, keeper, id).await?;
    let secret = Secret::from_bytes(app.randomness.bytes());
    let mut tx = app.begin().await?;
    if !storage::webhooks::endpoints::rotate(&mut tx, id, &secret, app.now().plus(OVERLAP)).await? {
        return Err(Refusal::WebhookNotFound.into());
    }
    let shown = commit(app, keeper, tx, id, SecurityEvent::WebhookSecretMade).await?;
    Ok(Revealed { endpoint: shown.endpoint, secret: secret.reveal() })
}

/// Sends a message that tries an endpoint out, once.
///
/// # Errors
/// [`Refusal::WebhookNotFound`], or [`Refusal::TooMany`] for a photographer who asks for too many: they go to whomever the
/// photographer names.
pub async fn test(app: &App, keeper: Keeper<'_>, id: &str) -> Result<Delivery> {
    let endpoint = by_id(app, keeper, id).await?;
    if let Some(owner) = keeper.owner() {
        limits::check_account(app, Limit::WebhookTests, owner).await?;
    }
    let mut tx = app.begin().await?;
    let delivery = reports::test(&mut tx, endpoint.id, endpoint.owner, app.now()).await?;
    tx.commit().await?;
    Ok(delivery)
}

/// Deletes an endpoint with its messages.
///
/// # Errors
/// [`Refusal::WebhookNotFound`]
pub async fn delete(app: &App, keeper: Keeper<'_>, id: &str) -> Result<()> {
    let Endpoint { id, .. } = by_id(app, keeper, id).await?;
    let mut tx = app.begin().await?;
    if !storage::webhooks::endpoints::delete(&mut tx, id).await? {
        return Err(Refusal::WebhookNotFound.into());
    }
    tx.commit().await?;
    keeper.record(app, SecurityEvent::WebhookDeleted);
    Ok(())
}

/// A page of messages.
pub struct Page {
    /// Newest first.
    pub deliveries: Vec<Delivery>,
    /// The mark of the next page; none on the last.
    pub next_cursor: Option<String>,
}

/// The messages to an endpoint of the last weeks.
///
/// # Errors
/// [`Refusal::WebhookNotFound`], or [`Refusal::CursorInvalid`] for a mark that was not given out.
pub async fn deliveries(
    app: &App,
    keeper: Keeper<'_>,
    id: &str,
    limit: Option<u32>,
    cursor: Option<&str>,
) -> Result<Page> {
    let endpoint = by_id(app, keeper, id).await?;
    let before: Option<WebhookDeliveryId> =
        cursor.map(str::parse).transpose().map_err(|_| Refusal::CursorInvalid)?;
    let limit = PAGE.of(limit)?;
    let rows = i64::from(limit) + 1;
    let mut deliveries = storage::webhooks::deliveries::page(&app.db, endpoint.id, before, rows).await?;
    let wanted = usize::try_from(limit).unwrap_or(usize::MAX);
    let is_more = deliveries.len() > wanted;
    deliveries.truncate(wanted);
    let next_cursor = deliveries.last().filter(|_| is_more).map(|last| last.id.to_string());
    Ok(Page { deliveries, next_cursor })
}

/// Commits a change of an endpoint, and answers it as it is then.
async fn commit(
    app: &App,
    keeper: Keeper<'_>,
    tx: Tx,
    id: WebhookEndpointId,
    event: SecurityEvent,
) -> Result<Shown> {
    tx.commit().await?;
    keeper.record(app, event);
    with_newest(app, by_id(app, keeper, &id.to_string()).await?).await
}
