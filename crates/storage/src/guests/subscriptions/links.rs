//! The links in the mails to guests, by the hash of their token.

use domain::accounts::tokens::TokenHash;
use domain::guests::subscriptions::LinkPurpose;
use domain::{SubscriptionId, Timestamp};

use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::{execute, fetch_optional};
use crate::{Executor, Result, Tx};

/// A link that is about to be mailed.
#[derive(Clone, Debug)]
pub struct NewLink {
    /// The hash of its token.
    pub hash: TokenHash,
    /// What it does.
    pub purpose: LinkPurpose,
    /// To which subscription.
    pub subscription: SubscriptionId,
    /// When it is made.
    pub created_at: Timestamp,
    /// When it expires.
    pub expires_at: Timestamp,
}

/// A link that was mailed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MailedLink {
    /// What it does.
    pub purpose: LinkPurpose,
    /// To which subscription; none when that has ended.
    pub subscription: Option<SubscriptionId>,
    /// When it expires.
    pub expires_at: Timestamp,
}

row! {
    pub(crate) struct LinkRow {
        purpose: String,
        subscription_id: Option<String>,
        expires_at: i64,
    }
}

impl FromColumns for MailedLink {
    type Columns = LinkRow;

    fn from_columns(row: LinkRow) -> Result<Self> {
        Ok(Self {
            purpose: decode::known(LinkPurpose::from_stored(&row.purpose), "subscription_links.purpose")?,
            subscription: decode::optional_id(
                row.subscription_id.as_deref(),
                "subscription_links.subscription_id",
            )?,
            expires_at: Timestamp::from_millis(row.expires_at),
        })
    }
}

/// Inserts a link that is about to be mailed; false when its subscription has ended.
pub async fn add_link(tx: &mut Tx, link: &NewLink) -> Result<bool> {
    let added = execute!(
        tx,
        "INSERT INTO subscription_links (hash, subscription_id, purpose, created_at, expires_at)
         SELECT $1, id, $3, $4, $5 FROM subscriptions WHERE id = $2",
        link.hash,
        link.subscription,
        link.purpose.as_str(),
        link.created_at,
        link.expires_at,
    )?;
    Ok(added == 1)
}

/// The link of a token, expired or not.
pub async fn link(db: &dyn Executor, hash: &TokenHash) -> Result<Option<MailedLink>> {
    fetch_optional!(
        db,
        MailedLink,
        "SELECT purpose, subscription_id, expires_at FROM subscription_links WHERE hash = $1",
        hash,
    )
}

/// Deletes the links that had expired at `before`, and answers their number.
pub async fn delete_expired_links(tx: &mut Tx, before: Timestamp) -> Result<u64> {
    execute!(tx, "DELETE FROM subscription_links WHERE expires_at <= $1", before)
}
