//! What the photographer decides about an event's people. A decision stays: no grouping takes it back.

use std::collections::HashSet;

use domain::accounts::User;
use domain::faces::people::SPLIT_MAX;
use domain::team::Right;
use domain::{EventId, PersonId, PhotoId, Refusal};

use crate::faces::people::lists::own_by_id;
use crate::guests::archives;
use crate::operations::runtime::queue::Tx;
use crate::team::rights;
use crate::{App, Result};

/// Makes two people one: the first becomes a part of the second.
///
/// # Errors
/// [`Refusal::PersonNotFound`], or [`Refusal::PeopleNotMergeable`] for one and the same, or people of two events.
pub async fn merge(app: &App, owner: &User, id: &str, into: &str) -> Result<()> {
    let (person, into) = (own_by_id(app, owner, id).await?, own_by_id(app, owner, into).await?);
    if person.id == into.id || person.event != into.event {
        return Err(Refusal::PeopleNotMergeable.into());
    }
    let mut tx = begin(app, person.event).await?;
    for id in [person.id, into.id] {
        if storage::faces::people::by_id(&mut *tx, id).await?.is_none() {
            return Err(Refusal::PersonNotFound.into());
        }
    }
    storage::faces::people::merge(&mut tx, person.id, into.id).await?;
    storage::faces::people::mark_decided(&mut tx, into.id).await?;
    tx.commit().await
}

/// Takes photos out of a person: the faces in them become another one, whose id is answered.
///
/// # Errors
/// [`Refusal::PersonNotFound`], or [`Refusal::SplitInvalid`] when they are none of the person's photos, or all of them.
pub async fn split(app: &App, owner: &User, id: &str, photos: &[String]) -> Result<PersonId> {
    let person = own_by_id(app, owner, id).await?;
    let photos: Option<HashSet<PhotoId>> = photos.iter().map(|photo| photo.parse().ok()).collect();
    let photos =
        photos.filter(|photos| (1..=SPLIT_MAX).contains(&photos.len())).ok_or(Refusal::SplitInvalid)?;
    let mut tx = begin(app, person.event).await?;
    let there: HashSet<PhotoId> =
        storage::faces::people::photos(&mut *tx, person.id).await?.into_iter().collect();
    if !photos.is_subset(&there) || photos.len() == there.len() {
        return Err(Refusal::SplitInvalid.into());
    }
    let other = app.id::<PersonId>();
    storage::faces::people::create(&mut tx, person.event, &[other], true, app.now()).await?;
    storage::faces::people::split(&mut tx, person.id, other, &photos.into_iter().collect::<Vec<_>>()).await?;
    storage::faces::people::mark_decided(&mut tx, person.id).await?;
    tx.commit().await?;
    Ok(other)
}

/// Puts a person aside, or takes it back among the others.
///
/// # Errors
/// [`Refusal::PersonNotFound`].
pub async fn set_hidden(app: &App, owner: &User, id: &str, hidden: bool) -> Result<()> {
    let person = own_by_id(app, owner, id).await?;
    let mut tx = begin(app, person.event).await?;
    if !storage::faces::people::set_hidden(&mut tx, person.id, hidden).await? {
        return Err(Refusal::PersonNotFound.into());
    }
    tx.commit().await
}

/// Lets the faces of an own event be put together, or not; then what was put together is deleted.
///
/// # Errors
/// [`Refusal::EventNotFound`] or [`Refusal::EventBeingDeleted`].
pub async fn switch(app: &App, owner: &User, event: EventId, on: bool) -> Result<()> {
    rights::open_event(app, owner, event, Right::Manage).await?;
    let mut tx = app.begin().await?;
    if !storage::faces::people::begin_change(&mut tx, event, None).await? {
        return Err(Refusal::EventBeingDeleted.into());
    }
    storage::faces::people::set_grouping(&mut tx, event, on).await?;
    tx.commit().await
}

/// The token of a ZIP with the originals of the photos that a person is in.
///
/// # Errors
/// [`Refusal::PersonNotFound`].
pub async fn download(app: &App, owner: &User, id: &str) -> Result<String> {
    let person = own_by_id(app, owner, id).await?;
    let photos = storage::faces::people::photos(&app.db, person.id).await?;
    if photos.is_empty() {
        return Err(Refusal::PersonNotFound.into());
    }
    archives::create_for(app, owner, person.event, photos).await
}

/// A transaction that has the event's row, so that no grouping comes between.
async fn begin(app: &App, event: EventId) -> Result<Tx> {
    let mut tx = app.begin().await?;
    if storage::faces::people::begin_change(&mut tx, event, None).await? {
        Ok(tx)
    } else {
        Err(Refusal::PersonNotFound.into())
    }
}
