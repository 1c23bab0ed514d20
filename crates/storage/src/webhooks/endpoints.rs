//! Endpoints that are told what happens: operators', which stay until an administrator deletes them, and photographers', which go
//! with their account.

use domain::webhooks::{Disabled, DisabledBy, Endpoint, EventType, EventTypes, Secret};
use domain::{Timestamp, UserId, WebhookEndpointId};

use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::{execute, fetch_all, fetch_optional};
use crate::{Executor, Result, Tx};

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, owner_id, url, description, event_types, secret, former_secret, former_secret_until, failing_since,
                 disabled_at, disabled_by, created_at FROM webhook_endpoints ",
            $rest
        )
    };
}

row! {
    pub(crate) struct EndpointRow {
        id: String,
        owner_id: Option<String>,
        url: String,
        description: String,
        event_types: String,
        secret: String,
        former_secret: Option<String>,
        former_secret_until: Option<i64>,
        failing_since: Option<i64>,
        disabled_at: Option<i64>,
        disabled_by: Option<String>,
        created_at: i64,
    }
}

impl FromColumns for Endpoint {
    type Columns = EndpointRow;

    fn from_columns(row: EndpointRow) -> Result<Self> {
        let secret = |text: &str, column| decode::known(Secret::from_stored(text), column);
        let former_secret = match (row.former_secret, decode::time(row.former_secret_until)) {
            (Some(text), Some(until)) => Some((secret(&text, "webhook_endpoints.former_secret")?, until)),
            _ => None,
        };
        let disabled = match (decode::time(row.disabled_at), row.disabled_by) {
            (Some(at), Some(by)) => {
                let by = decode::known(DisabledBy::from_stored(&by), "webhook_endpoints.disabled_by")?;
                Some(Disabled { at, by })
            }
            _ => None,
        };
        Ok(Self {
            id: decode::id(&row.id, "webhook_endpoints.id")?,
            owner: decode::optional_id(row.owner_id.as_deref(), "webhook_endpoints.owner_id")?,
            url: row.url,
            description: row.description,
            event_types: decode::known(
                EventTypes::from_stored(&row.event_types),
                "webhook_endpoints.event_types",
            )?,
            secret: secret(&row.secret, "webhook_endpoints.secret")?,
            former_secret,
            failing_since: decode::time(row.failing_since),
            disabled,
            created_at: Timestamp::from_millis(row.created_at),
        })
    }
}

/// Inserts an endpoint, which is switched on and has one secret.
pub async fn create(tx: &mut Tx, endpoint: &Endpoint) -> Result<()> {
    execute!(
        tx,
        "INSERT INTO webhook_endpoints (id, owner_id, url, description, event_types, secret, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
        endpoint.id,
        endpoint.owner,
        endpoint.url,
        endpoint.description,
        endpoint.event_types,
        endpoint.secret,
        endpoint.created_at,
    )?;
    Ok(())
}

/// All endpoints of operators, oldest first.
pub async fn list(db: &dyn Executor) -> Result<Vec<Endpoint>> {
    fetch_all!(db, Endpoint, select!("WHERE owner_id IS NULL ORDER BY id"))
}

/// All endpoints of a photographer, oldest first.
pub async fn of_owner(db: &dyn Executor, owner: UserId) -> Result<Vec<Endpoint>> {
    fetch_all!(db, Endpoint, select!("WHERE owner_id = $1 ORDER BY id"), owner)
}

/// An endpoint.
pub async fn by_id(db: &dyn Executor, id: WebhookEndpointId) -> Result<Option<Endpoint>> {
    fetch_optional!(db, Endpoint, select!("WHERE id = $1"), id)
}

/// The operators' endpoints that are switched on and are told of this.
pub async fn told_of(db: &dyn Executor, event_type: EventType) -> Result<Vec<WebhookEndpointId>> {
    fetch_all!(
        db,
        WebhookEndpointId,
        "SELECT id FROM webhook_endpoints
         WHERE owner_id IS NULL AND disabled_at IS NULL AND ',' || event_types || ',' LIKE '%,' || $1 || ',%'
         ORDER BY id",
        event_type,
    )
}

/// The endpoints of a photographer that are switched on and are told of this; none where the account is locked.
pub async fn of_owner_told_of(
    db: &dyn Executor,
    owner: UserId,
    event_type: EventType,
) -> Result<Vec<WebhookEndpointId>> {
    fetch_all!(
        db,
        WebhookEndpointId,
        "SELECT webhook_endpoints.id FROM webhook_endpoints JOIN users ON users.id = owner_id
         WHERE owner_id = $1 AND disabled_at IS NULL AND ',' || event_types || ',' LIKE '%,' || $2 || ',%'
             AND locked_at IS NULL AND closed_at IS NULL
         ORDER BY webhook_endpoints.id",
        owner,
        event_type,
    )
}

/// Changes what is entered; false when it is not there.
pub async fn change(
    tx: &mut Tx,
    id: WebhookEndpointId,
    url: &str,
    description: &str,
    event_types: &EventTypes,
) -> Result<bool> {
    let updated = execute!(
        tx,
        "UPDATE webhook_endpoints SET url = $2, description = $3, event_types = $4 WHERE id = $1",
        id,
        url,
        description,
        event_types,
    )?;
    Ok(updated == 1)
}

/// Replaces the secret, which signs too until `former_until`; false when the endpoint is not there.
pub async fn rotate(
    tx: &mut Tx,
    id: WebhookEndpointId,
    secret: &Secret,
    former_until: Timestamp,
) -> Result<bool> {
    let updated = execute!(
        tx,
        "UPDATE webhook_endpoints SET former_secret = secret, former_secret_until = $3, secret = $2 WHERE id = $1",
        id,
        secret,
        former_until,
    )?;
    Ok(updated == 1)
}

/// Switches an endpoint on, and forgets that it failed; false when it is on, or not there.
pub async fn enable(tx: &mut Tx, id: WebhookEndpointId) -> Result<bool> {
    let updated = execute!(
        tx,
        "UPDATE webhook_endpoints SET disabled_at = NULL, disabled_by = NULL, failing_since = NULL
         WHERE id = $1 AND disabled_at IS NOT NULL",
        id,
    )?;
    Ok(updated == 1)
}

/// Switches an endpoint off; false when it is off, or not there.
pub async fn disable(tx: &mut Tx, id: WebhookEndpointId, disabled: Disabled) -> Result<bool> {
    let updated = execute!(
        tx,
        "UPDATE webhook_endpoints SET disabled_at = $2, disabled_by = $3 WHERE id = $1 AND disabled_at IS NULL",
        id,
        disabled.at,
        disabled.by,
    )?;
    Ok(updated == 1)
}

/// Switches the endpoints of a photographer off, and gives up their messages that wait; answers how many were on.
pub async fn disable_of_owner(tx: &mut Tx, owner: UserId, disabled: Disabled) -> Result<u64> {
    execute!(
        &mut *tx,
        "UPDATE webhook_deliveries SET state = 'dropped', next_attempt_at = NULL
         WHERE state = 'waiting' AND endpoint_id IN (SELECT id FROM webhook_endpoints WHERE owner_id = $1)",
        owner,
    )?;
    execute!(
        tx,
        "UPDATE webhook_endpoints SET disabled_at = $2, disabled_by = $3 WHERE owner_id = $1 AND disabled_at IS NULL",
        owner,
        disabled.at,
        disabled.by,
    )
}

/// Records that a delivery failed, and answers since when all of them have; none when the endpoint is not there.
pub async fn record_failure(tx: &mut Tx, id: WebhookEndpointId, now: Timestamp) -> Result<Option<Timestamp>> {
    execute!(
        tx,
        "UPDATE webhook_endpoints SET failing_since = $2 WHERE id = $1 AND failing_since IS NULL",
        id,
        now,
    )?;
    Ok(by_id(&mut *tx, id).await?.and_then(|endpoint| endpoint.failing_since))
}

/// Records that a delivery succeeded.
pub async fn record_success(tx: &mut Tx, id: WebhookEndpointId) -> Result<()> {
    execute!(
        tx,
        "UPDATE webhook_endpoints SET failing_since = NULL WHERE id = $1 AND failing_since IS NOT NULL",
        id,
    )?;
    Ok(())
}

/// Deletes an endpoint and its messages; false when it is not there.
pub async fn delete(tx: &mut Tx, id: WebhookEndpointId) -> Result<bool> {
    execute!(tx, "DELETE FROM webhook_deliveries WHERE endpoint_id = $1", id)?;
    Ok(execute!(tx, "DELETE FROM webhook_endpoints WHERE id = $1", id)? == 1)
}

/// Deletes the endpoints of a photographer and their messages.
pub(crate) async fn delete_of_owner(tx: &mut Tx, owner: UserId) -> Result<()> {
    execute!(
        &mut *tx,
        "DELETE FROM webhook_deliveries
         WHERE endpoint_id IN (SELECT id FROM webhook_endpoints WHERE owner_id = $1)",
        owner,
    )?;
    execute!(tx, "DELETE FROM webhook_endpoints WHERE owner_id = $1", owner)?;
    Ok(())
}
