//! Whose endpoints are looked after, and what follows from it.

use domain::accounts::{AccountNews, User};
use domain::webhooks::{DisabledBy, ENDPOINTS, EventType, OWN_ENDPOINTS, Reach};
use domain::{Refusal, UserId};

use crate::accounts::notices;
use crate::accounts::security_log::{self, SecurityEvent};
use crate::operations::administration::Administration;
use crate::operations::runtime::queue::Tx;
use crate::{App, Result};

/// Who looks after endpoints. Each sees those alone that are theirs: administrators those of the installation, a photographer those
/// of the account.
#[derive(Clone, Copy, Debug)]
pub enum Keeper<'a> {
    /// An administrator.
    Administrator(&'a User),
    /// A photographer, who is told of events of their own, and whose messages go into the internet alone: they are not trusted with
    /// the operator's network.
    Photographer(&'a User),
}

impl Keeper<'_> {
    /// Whose endpoints they are; none for the operators'.
    pub(crate) const fn owner(&self) -> Option<UserId> {
        match self {
            Self::Administrator(_) => None,
            Self::Photographer(user) => Some(user.id),
        }
    }

    /// What their endpoints can be told of.
    pub const fn choices(&self) -> &'static [EventType] {
        match self {
            Self::Administrator(_) => &EventType::OPERATORS,
            Self::Photographer(_) => &EventType::PHOTOGRAPHERS,
        }
    }

    /// How many there are at most, and the refusal of one more.
    pub(crate) const fn most(&self) -> (usize, Refusal) {
        match self {
            Self::Administrator(_) => (ENDPOINTS, Refusal::WebhooksTooMany),
            Self::Photographer(_) => (OWN_ENDPOINTS, Refusal::OwnWebhooksTooMany),
        }
    }

    /// How far messages go, and the refusal of an address that is farther.
    pub(crate) fn reach(&self, app: &App) -> (Reach, Refusal) {
        match self {
            Self::Administrator(_) => (app.webhooks.reach(), Refusal::WebhookUrlPrivate),
            Self::Photographer(_) => (Reach::Public, Refusal::WebhookUrlNotPublic),
        }
    }

    /// Who has switched an endpoint off.
    pub(crate) const fn disabled_by(&self) -> DisabledBy {
        match self {
            Self::Administrator(_) => DisabledBy::Administrator,
            Self::Photographer(_) => DisabledBy::Photographer,
        }
    }

    /// Enqueues the mail that tells a photographer what was done, since it outlives the session that did it. What administrators do is
    /// in the log.
    pub(crate) async fn tell(&self, app: &App, tx: &mut Tx, news: AccountNews) -> Result<()> {
        match self {
            Self::Administrator(_) => Ok(()),
            Self::Photographer(user) => notices::enqueue(tx, user, news, app.id(), app.now()).await,
        }
    }

    /// Writes what was done to the log.
    pub(crate) fn record(&self, app: &App, event: SecurityEvent) {
        match self {
            Self::Administrator(user) => Administration::of(app, user).record(event, None),
            Self::Photographer(user) => security_log::record(event, Some(user.id)),
        }
    }
}
