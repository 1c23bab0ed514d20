//! A studio's own host name, at which its events answer too (decision 0104).
//!
//! At such a host the service is what it is at its own, for guests alone: [`App::at_host`]. Who has proved which host is read
//! again every few seconds, so that no request waits for the database.

use std::time::Duration;

use domain::accounts::User;
use domain::accounts::tokens::{self, TokenHash};
use domain::studio::hosts::{self, HostName, StudioHost, TOKEN_LENGTH};
use domain::{EventId, Refusal, Timestamp, UserId};
use storage::studio::hosts::ProvedHost;

use crate::operations::runtime::limits::{self, Limit};
use crate::studio::host_cache::Hosts;
use crate::{App, Failure, Result};

/// For how long what is known of hosts counts as new: another process has them changed.
const FRESH: Duration = Duration::from_secs(10);

/// Reads again which hosts are proved, unless somebody did, or tried to, a moment ago.
///
/// # Errors
/// When the database fails.
pub async fn refresh(app: &App) -> Result<()> {
    let now = app.now();
    let is_fresh = |asked: Timestamp| asked <= now && now < asked.plus(FRESH);
    let asked_at = app.hosts.get().asked_at;
    if !app.settings.studio_hosts || asked_at.is_some_and(is_fresh) {
        return Ok(());
    }
    // While one asks, the others go on with what is known; before anything is, all wait.
    if asked_at.is_some() {
        app.hosts.set_asked(now);
    }
    read(app).await
}

async fn read(app: &App) -> Result<()> {
    let proved = storage::studio::hosts::proved(&app.db).await?;
    let by_name = proved.iter().map(|host| (host.name.as_str().to_owned(), host.owner)).collect();
    let by_owner = proved.into_iter().map(|host| (host.owner, host.name)).collect();
    app.hosts.set(Hosts { asked_at: Some(app.now()), by_name, by_owner });
    Ok(())
}

impl App {
    /// The service at a studio's own host: its links lead there, it knows that studio's events alone and nobody's session, and
    /// what is signed for another host is worth nothing. None where `host` is no studio's.
    pub fn at_host(&self, host: &str) -> Option<Self> {
        let hosts = self.hosts.get();
        let owner = hosts.by_name.get(host)?;
        self.at_host_of(*owner)
    }

    fn at_host_of(&self, owner: UserId) -> Option<Self> {
        let name = self.hosts.get().by_owner.get(&owner)?.clone();
        Some(self.with_host(owner, &name))
    }

    /// The service as an event's guests are to meet it: at the host of its studio, or at its own.
    pub(crate) async fn for_guests_of(&self, owner: UserId) -> Result<Self> {
        if self.serves(owner) && self.studio.is_some() {
            return Ok(self.clone());
        }
        refresh(self).await?;
        Ok(self.at_host_of(owner).unwrap_or_else(|| self.clone()))
    }

    /// The page of an event for its guests.
    pub fn guest_page(&self, owner: UserId, slug: &str) -> String {
        format!("{}/event/{slug}", self.guest_url(owner))
    }

    /// Scheme and host at which somebody's events are met by their guests, as far as is known at this moment.
    pub fn guest_url(&self, owner: UserId) -> String {
        self.own_guest_url(owner).unwrap_or_else(|| self.settings.public_url.clone())
    }

    /// The same where it is not the service's own.
    pub fn own_guest_url(&self, owner: UserId) -> Option<String> {
        let known = self.hosts.get();
        known.by_owner.get(&owner).map(|name| hosts::url_at(name, &self.settings.public_url))
    }

    /// Whether somebody's events are known where this is served: each at the service's own host, a studio's at theirs.
    pub(crate) fn serves(&self, owner: UserId) -> bool {
        self.studio.as_ref().is_none_or(|studio| studio.owner == owner)
    }

    /// The hash of a token that a guest holds, which is worth nothing at another host than that for which it was made.
    pub(crate) fn hash_token(&self, presented: &str) -> TokenHash {
        match &self.studio {
            Some(studio) => tokens::hash_token_at(studio.host.as_str(), presented),
            None => tokens::hash_token(presented),
        }
    }

    /// The context of what is encrypted for a guest, which is not decrypted at another host.
    pub(crate) fn context_here(&self, context: String) -> String {
        match &self.studio {
            Some(studio) => format!("{context} at {}", studio.host.as_str()),
            None => context,
        }
    }

    /// Whose events are known here, where this is the host of a studio.
    pub fn site_owner(&self) -> Option<UserId> {
        self.studio.as_ref().map(|studio| studio.owner)
    }

    /// Where the service's own pages are when this is the host of a studio.
    pub fn operator_url(&self) -> Option<&str> {
        self.studio.as_ref().map(|studio| studio.operator_url.as_str())
    }
}

/// Scheme and host at which an event is met by its guests.
///
/// # Errors
/// When the database fails.
pub async fn url_of_event(app: &App, event: EventId) -> Result<String> {
    if app.hosts.get().by_owner.is_empty() {
        return Ok(app.settings.public_url.clone());
    }
    let event = storage::events::by_id(&app.db, event).await?.ok_or(Refusal::EventNotFound)?;
    Ok(app.guest_url(event.owner))
}

/// What a photographer is shown of their host.
#[derive(Debug)]
pub struct Shown {
    /// Whether the operator offers hosts.
    pub is_offered: bool,
    /// The host; none before one is named.
    pub host: Option<StudioHost>,
    /// The host of the service, to which an alias leads.
    pub target: String,
}

/// The host of a photographer's studio.
///
/// # Errors
/// When the database fails.
pub async fn show(app: &App, user: &User) -> Result<Shown> {
    let is_offered = app.settings.studio_hosts;
    let host = if is_offered { storage::studio::hosts::of_user(&app.db, user.id).await? } else { None };
    Ok(Shown { is_offered, host, target: operator_host(app) })
}

fn operator_host(app: &App) -> String {
    hosts::without_port(&hosts::authority_of(&app.settings.public_url)).to_owned()
}

/// Names a host, which answers once it is proved. The same one again keeps its record and its proof.
///
/// # Errors
/// [`Refusal::HostMissing`] where the operator offers none, [`Refusal::HostInvalid`], [`Refusal::HostIsOperators`], or
/// [`Refusal::StudioMissing`].
pub async fn name(app: &App, user: &User, text: &str) -> Result<Shown> {
    if !app.settings.studio_hosts {
        return Err(Refusal::HostMissing.into());
    }
    let name = HostName::parse(text, &operator_host(app))?;
    let current = storage::studio::hosts::of_user(&app.db, user.id).await?;
    if current.is_none_or(|current| current.name != name) {
        let token = app.randomness.alphanumeric(TOKEN_LENGTH);
        if !storage::studio::hosts::save(&app.db, user.id, &name, &token).await? {
            return Err(Refusal::StudioMissing.into());
        }
        read(app).await?;
    }
    show(app, user).await
}

/// Looks for the record that proves a photographer's host.
///
/// # Errors
/// [`Refusal::HostMissing`], [`Refusal::HostRecordMissing`], [`Refusal::HostTaken`] while another studio's record is there too,
/// [`Refusal::HostLookupFailed`], or [`Refusal::TooMany`].
pub async fn prove(app: &App, user: &User) -> Result<Shown> {
    let shown = show(app, user).await?;
    let host = shown.host.ok_or(Refusal::HostMissing)?;
    limits::check_account(app, Limit::Lookups, user.id).await?;
    let records = records(app, &host.name).await?;
    if !host.is_proved_by(&records) {
        return Err(Refusal::HostRecordMissing.into());
    }
    // Whoever had the name before has it no longer once their record is gone.
    if let Some(holder) = storage::studio::hosts::holder(&app.db, &host.name).await?
        && holder != user.id
        && let Some(theirs) = storage::studio::hosts::of_user(&app.db, holder).await?
        && !theirs.is_proved_by(&records)
    {
        storage::studio::hosts::set_lost(&app.db, holder, &theirs.token).await?;
    }
    if !storage::studio::hosts::set_seen(&app.db, user.id, &host.token, app.now()).await? {
        return Err(Refusal::HostTaken.into());
    }
    read(app).await?;
    show(app, user).await
}

async fn records(app: &App, name: &HostName) -> Result<Vec<String>> {
    let resolver = app.resolver.as_ref().ok_or(Refusal::HostLookupFailed)?;
    resolver.texts(&name.record_name()).await.map_err(|error| {
        tracing::warn!(error = %error, "a host could not be looked up");
        Failure::from(Refusal::HostLookupFailed)
    })
}

/// Takes its host from a photographer's studio: its events answer at the service's own host alone from then on.
///
/// # Errors
/// When the database fails.
pub async fn remove(app: &App, user: &User) -> Result<Shown> {
    storage::studio::hosts::delete(&app.db, user.id).await?;
    read(app).await?;
    show(app, user).await
}

/// Whether a proxy may get a certificate for a host: it is the service's own, or one that a studio has proved.
///
/// # Errors
/// When the database fails.
pub async fn is_allowed(app: &App, host: &str) -> Result<bool> {
    refresh(app).await?;
    let host = host.trim().trim_end_matches('.').to_ascii_lowercase();
    Ok(host == operator_host(app) || app.hosts.get().by_name.contains_key(&host))
}

/// Looks for the records of all proved hosts again. One that has been gone for a week is proved no longer; DNS that does not
/// answer takes nothing from anybody.
pub(crate) async fn look_again(app: &App) -> Result<()> {
    if !app.settings.studio_hosts {
        return Ok(());
    }
    for ProvedHost { owner, .. } in storage::studio::hosts::proved(&app.db).await? {
        let Some(host) = storage::studio::hosts::of_user(&app.db, owner).await? else { continue };
        let Ok(records) = records(app, &host.name).await else { continue };
        if host.is_proved_by(&records) {
            storage::studio::hosts::set_seen(&app.db, owner, &host.token, app.now()).await?;
        } else if host.is_lost(app.now()) {
            storage::studio::hosts::set_lost(&app.db, owner, &host.token).await?;
            tracing::warn!(user = %owner, host = host.name.as_str(), "the record of a studio's host is gone");
        }
    }
    read(app).await
}
