//! Events that ask their guests for a PIN.
//!
//! Whatever guests do with the photos of an event finds it by [`by_slug`] or [`by_id`], which look at the proof.

use std::net::IpAddr;

use domain::accounts::User;
use domain::events::Event;
use domain::events::pins::Pin;
use domain::team::Right;
use domain::{EventId, Refusal};
use subtle::ConstantTimeEq as _;

use crate::operations::runtime::limits::{self, Limit, Subject};
use crate::team::rights;
use crate::{App, Failure, Result, events};

/// Who asks for an event as a guest does.
#[derive(Default)]
pub struct Visitor {
    /// The proof that the visitor knows the PIN, as [`enter`] has answered it.
    pub proof: Option<String>,
    /// The account, if the visitor has one: an event's owner and managers need no proof.
    pub account: Option<User>,
}

impl Visitor {
    /// Whether the event is the visitor's own.
    pub(crate) fn owns(&self, event: &Event) -> bool {
        self.account.as_ref().is_some_and(|account| account.id == event.owner)
    }

    async fn check(&self, app: &App, event: &Event) -> Result<()> {
        if self.is_let_in(app, event).await? { Ok(()) } else { Err(Refusal::EventPinRequired.into()) }
    }

    /// Whether the event asks the visitor for no PIN.
    async fn is_let_in(&self, app: &App, event: &Event) -> Result<bool> {
        let Some(pin) = &event.pin else { return Ok(true) };
        let proof = self.proof.as_deref().unwrap_or_default();
        Ok(is_same(proof, &app.link_signer.sign_access(event.id, pin)) || self.manages(app, event).await?)
    }

    /// Whether the visitor is the event's owner or a manager, who can look its PIN up.
    pub(crate) async fn manages(&self, app: &App, event: &Event) -> Result<bool> {
        let Some(account) = &self.account else { return Ok(false) };
        let role = rights::role(app, account.id, event).await?;
        Ok(role.is_some_and(|role| role.has(Right::Manage)))
    }
}

/// The proof that somebody knows the PIN of an event; empty where it asks for none.
pub(crate) fn proof_of(app: &App, event: &Event) -> String {
    event.pin.as_ref().map_or_else(String::new, |pin| app.link_signer.sign_access(event.id, pin))
}

/// Compared in constant time.
pub(crate) fn is_same(proof: &str, expected: &str) -> bool {
    proof.as_bytes().ct_eq(expected.as_bytes()).into()
}

/// The event of a page whose address is its key; none where it is deleted or being deleted, or its photographer's account is locked.
pub(crate) async fn behind_secret(app: &App, event: EventId) -> Result<Option<Event>> {
    let event = storage::events::by_id(&app.db, event).await?;
    let event = event.filter(|event| event.is_open() && app.serves(event.owner));
    let Some(event) = event else { return Ok(None) };
    let owner = storage::accounts::users::by_id(&app.db, event.owner).await?;
    Ok(owner.filter(|owner| owner.locked_at.is_none()).map(|_| event))
}

/// The open event with this slug, as the visitor is told of it.
///
/// # Errors
/// [`Refusal::EventNotFound`].
pub async fn shown_to(app: &App, visitor: &Visitor, slug: &str) -> Result<Event> {
    let event = events::by_slug(app, slug).await?;
    Ok(if visitor.is_let_in(app, &event).await? { event } else { event.before_pin_entry() })
}

/// The open event with this slug, for what a visitor wants with its photos.
///
/// # Errors
/// [`Refusal::EventNotFound`], or [`Refusal::EventPinRequired`] without proof.
pub async fn by_slug(app: &App, visitor: &Visitor, slug: &str) -> Result<Event> {
    let event = events::by_slug(app, slug).await?;
    visitor.check(app, &event).await?;
    Ok(event)
}

/// The event with this id as its guests see it, for what a visitor wants with its photos; none when it is deleted.
///
/// # Errors
/// [`Refusal::EventPinRequired`] without proof.
pub(crate) async fn by_id(app: &App, visitor: &Visitor, id: EventId) -> Result<Option<Event>> {
    let event = storage::events::by_id(&app.db, id).await?;
    let event = event.filter(|event| event.is_open() && app.serves(event.owner)).map(Event::without_held);
    if let Some(event) = &event {
        visitor.check(app, event).await?;
    }
    Ok(event)
}

/// Answers the proof that a guest knows the event's PIN, which is good until the PIN is changed or removed; none when the
/// event asks for none.
///
/// # Errors
/// [`Refusal::EventPinWrong`], or [`Refusal::TooMany`] after too many of them from the guest's address, or of this event where the
/// address has tried several.
pub async fn enter(app: &App, slug: &str, entered: &str, address: IpAddr) -> Result<Option<String>> {
    let event = events::by_slug(app, slug).await?;
    let Some(pin) = &event.pin else { return Ok(None) };
    let expected = app.link_signer.sign_access(event.id, pin);
    let entered = Pin::parse(entered).map(|entered| app.link_signer.sign_access(event.id, &entered));
    let is_right = entered.is_ok_and(|proof| is_same(&proof, &expected));
    attempt(app, event.id, address, is_right, Refusal::EventPinWrong).await?;
    Ok(Some(expected))
}

/// Counts an attempt to enter a PIN of an event, or of a client's selection of it, unless it is right.
///
/// # Errors
/// `wrong`, or [`Refusal::TooMany`] as for [`enter`].
pub(crate) async fn attempt(
    app: &App,
    event: EventId,
    address: IpAddr,
    is_right: bool,
    wrong: Refusal,
) -> Result<()> {
    // It counts until it is known to be right: so of attempts that are made at the same time no more are let through.
    let (here, there) = ([(Subject::Address(address), 1)], [(Subject::Event(event), 1)]);
    limits::check(app, Limit::Pins, &here).await?;
    // Others may have used up the event's: who has tried little yet is not kept out by them.
    let is_first = limits::admits(app, Limit::FirstPins, &here).await?;
    let is_counted = match limits::check(app, Limit::Pins, &there).await {
        Ok(()) => true,
        Err(Failure::Refused(Refusal::TooMany { .. })) if is_first => false,
        Err(failure) => {
            limits::take_back(app, Limit::Pins, &here).await?;
            return Err(failure);
        }
    };
    if !is_right {
        tracing::info!(%event, "a wrong PIN");
        return Err(wrong.into());
    }
    limits::take_back(app, Limit::Pins, &here).await?;
    if is_first {
        limits::take_back(app, Limit::FirstPins, &here).await?;
    }
    if is_counted {
        limits::take_back(app, Limit::Pins, &there).await?;
    }
    Ok(())
}

/// The PIN of an event that the caller manages.
///
/// # Errors
/// [`Refusal::EventNotFound`], or [`Refusal::ManagersOnly`].
pub async fn pin(app: &App, owner: &User, id: EventId) -> Result<Option<Pin>> {
    Ok(rights::event(app, owner, id, Right::Manage).await?.event.pin)
}
