//! API tokens: by which programs act for a photographer.

use domain::accounts::User;
use domain::accounts::api_tokens::Scope;
use domain::accounts::tokens::TokenHash;
use domain::{ApiTokenId, Timestamp, UserId};

use crate::accounts::users::{UserRow, columns};
use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::{execute, fetch_all, fetch_optional};
use crate::{Executor, Result, Tx};

/// A token that is being made.
#[derive(Clone, Debug)]
pub struct NewApiToken {
    /// Its id.
    pub id: ApiTokenId,
    /// The hash of its text.
    pub hash: TokenHash,
    /// Whose it is.
    pub user: UserId,
    /// What its owner calls it.
    pub name: String,
    /// What it opens.
    pub scope: Scope,
    /// When it is made.
    pub created_at: Timestamp,
    /// When it expires; none when it is good until it is revoked.
    pub expires_at: Option<Timestamp>,
}

/// A token as its owner is shown it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiToken {
    /// Its id.
    pub id: ApiTokenId,
    /// What its owner calls it.
    pub name: String,
    /// What it opens.
    pub scope: Scope,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it expires; none when it is good until it is revoked.
    pub expires_at: Option<Timestamp>,
    /// When its last use was recorded.
    pub last_used_at: Option<Timestamp>,
}

row! {
    pub(crate) struct ApiTokenRow {
        id: String,
        name: String,
        scope: String,
        created_at: i64,
        expires_at: Option<i64>,
        last_used_at: Option<i64>,
    }
}

impl FromColumns for ApiToken {
    type Columns = ApiTokenRow;

    fn from_columns(row: ApiTokenRow) -> Result<Self> {
        Ok(Self {
            id: decode::id(&row.id, "api_tokens.id")?,
            name: row.name,
            scope: decode::known(Scope::from_stored(&row.scope), "api_tokens.scope")?,
            created_at: Timestamp::from_millis(row.created_at),
            expires_at: decode::time(row.expires_at),
            last_used_at: decode::time(row.last_used_at),
        })
    }
}

/// A token that was presented, with its account.
#[derive(Clone, Debug)]
pub struct PresentedApiToken {
    /// Whose it is, locked or not.
    pub user: User,
    /// Its id.
    pub id: ApiTokenId,
    /// What it opens.
    pub scope: Scope,
    /// When it expires; none when it is good until it is revoked.
    pub expires_at: Option<Timestamp>,
    /// When its last use was recorded.
    pub last_used_at: Option<Timestamp>,
}

row! {
    pub(crate) struct PresentedRow {
        ..user: UserRow,
        token_id: String,
        token_scope: String,
        token_expires_at: Option<i64>,
        token_last_used_at: Option<i64>,
    }
}

impl FromColumns for PresentedApiToken {
    type Columns = PresentedRow;

    fn from_columns(row: PresentedRow) -> Result<Self> {
        Ok(Self {
            user: User::from_columns(row.user)?,
            id: decode::id(&row.token_id, "api_tokens.id")?,
            scope: decode::known(Scope::from_stored(&row.token_scope), "api_tokens.scope")?,
            expires_at: decode::time(row.token_expires_at),
            last_used_at: decode::time(row.token_last_used_at),
        })
    }
}

/// Inserts a token.
pub async fn create(tx: &mut Tx, token: &NewApiToken) -> Result<()> {
    execute!(
        tx,
        "INSERT INTO api_tokens (id, hash, user_id, name, scope, created_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
        token.id,
        token.hash,
        token.user,
        token.name,
        token.scope,
        token.created_at,
        token.expires_at,
    )?;
    Ok(())
}

/// The token with this hash, expired or not, unless its account is closed.
pub async fn find(db: &dyn Executor, hash: &TokenHash) -> Result<Option<PresentedApiToken>> {
    fetch_optional!(
        db,
        PresentedApiToken,
        concat!(
            "SELECT token_id, token_scope, token_expires_at, token_last_used_at, ",
            columns!(),
            " FROM (SELECT id AS token_id, user_id, scope AS token_scope, expires_at AS token_expires_at,
                 last_used_at AS token_last_used_at FROM api_tokens WHERE hash = $1) AS presented
             JOIN users ON users.id = presented.user_id WHERE users.closed_at IS NULL"
        ),
        hash,
    )
}

/// The tokens of an account, the newest first, with those that have expired.
pub async fn list(db: &dyn Executor, user: UserId) -> Result<Vec<ApiToken>> {
    fetch_all!(
        db,
        ApiToken,
        "SELECT id, name, scope, created_at, expires_at, last_used_at FROM api_tokens
         WHERE user_id = $1 ORDER BY created_at DESC, id DESC",
        user,
    )
}

/// Records a use of a token, unless one was recorded after `before`.
pub async fn record_use(tx: &mut Tx, id: ApiTokenId, now: Timestamp, before: Timestamp) -> Result<()> {
    execute!(
        tx,
        "UPDATE api_tokens SET last_used_at = $2 WHERE id = $1 AND (last_used_at IS NULL OR last_used_at <= $3)",
        id,
        now,
        before,
    )?;
    Ok(())
}

/// Deletes a token of an account; false when it has none with this id.
pub async fn delete(tx: &mut Tx, user: UserId, id: ApiTokenId) -> Result<bool> {
    Ok(execute!(tx, "DELETE FROM api_tokens WHERE id = $1 AND user_id = $2", id, user)? == 1)
}

/// Deletes every token of an account, and answers their number.
pub async fn delete_all(tx: &mut Tx, user: UserId) -> Result<u64> {
    execute!(tx, "DELETE FROM api_tokens WHERE user_id = $1", user)
}
