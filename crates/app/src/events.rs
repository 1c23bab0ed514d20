//! Creating and reading events.

use domain::accounts::User;
use domain::coupons::CODE_LENGTH;
use domain::events::{self, Event};
use domain::{EventId, Paise, Refusal, slugs};

use crate::{App, Result};

/// The form of a new event.
#[derive(Default)]
pub struct NewEvent {
    /// Its name, as entered.
    pub name: String,
    /// Its date, as entered.
    pub date: String,
    /// What it is about, as entered.
    pub description: String,
    /// An amount that the client claims was paid: recorded, but not trusted.
    pub payment_amount: Option<Paise>,
    /// A coupon that the client claims was used: recorded, but not trusted.
    pub coupon_code: Option<String>,
}

/// Creates an event.
///
/// # Errors
/// The refusals of its fields, or [`Refusal::SignInRequired`] when the account was closed meanwhile.
pub async fn create(app: &App, owner: &User, new: NewEvent) -> Result<Event> {
    let name = events::parse_name(&new.name)?;
    let date = events::parse_date(&new.date)?;
    events::check_year(date, app.now())?;
    let description = events::parse_description(&new.description)?;
    if new.coupon_code.as_ref().is_some_and(|code| code.chars().count() > CODE_LENGTH) {
        return Err(Refusal::CouponUnknown.into());
    }
    let row = storage::events::NewEvent {
        id: app.id::<EventId>(),
        owner: owner.id,
        slug: slugs::generate_slug(&name, &app.randomness),
        name,
        date,
        description,
        created_at: app.now(),
        payment_amount: new.payment_amount,
        coupon_code: new.coupon_code,
    };
    let mut tx = app.begin().await?;
    if !storage::events::create(&mut tx, &row).await? {
        return Err(Refusal::SignInRequired.into());
    }
    tx.commit().await?;
    by_slug(app, &row.slug).await
}

/// A photographer's events, newest first, including those that are being deleted.
pub async fn list(app: &App, owner: &User) -> Result<Vec<Event>> {
    Ok(storage::events::by_owner(&app.db, owner.id).await?)
}

/// The open event with this slug.
///
/// # Errors
/// [`Refusal::EventNotFound`], also for one that is being deleted.
pub async fn by_slug(app: &App, slug: &str) -> Result<Event> {
    let event = storage::events::by_slug(&app.db, slug).await?;
    event.filter(Event::is_open).ok_or_else(|| Refusal::EventNotFound.into())
}

/// A photographer's own event, to which photos can be added.
///
/// # Errors
/// [`Refusal::EventNotFound`] for another's or a deleted one, [`Refusal::EventBeingDeleted`] while it is being deleted.
pub(crate) async fn open_by_id(app: &App, owner: &User, id: EventId) -> Result<Event> {
    let event = own_by_id(app, owner, id).await?;
    if event.deleting_since.is_some() {
        return Err(Refusal::EventBeingDeleted.into());
    }
    Ok(event)
}

/// Lets the guests of a photographer's own event have originals byte for byte, or not.
///
/// # Errors
/// [`Refusal::EventNotFound`] or [`Refusal::EventBeingDeleted`].
pub async fn set_keeps_metadata(app: &App, owner: &User, event: EventId, keeps: bool) -> Result<Event> {
    open_by_id(app, owner, event).await?;
    if !storage::events::set_keeps_metadata(&app.db, event, keeps).await? {
        return Err(Refusal::EventBeingDeleted.into());
    }
    own_by_id(app, owner, event).await
}

/// A photographer's own event that is not deleted.
///
/// # Errors
/// [`Refusal::EventNotFound`].
pub async fn own_by_id(app: &App, owner: &User, id: EventId) -> Result<Event> {
    let event = storage::events::by_id(&app.db, id).await?;
    event
        .filter(|event| event.owner == owner.id && event.deleted_at.is_none())
        .ok_or_else(|| Refusal::EventNotFound.into())
}
