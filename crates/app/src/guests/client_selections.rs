//! What clients choose of an event's photos, as its photographer sees it (decision 0094): made, changed, looked at, reopened.

pub mod choosing;

use std::collections::HashMap;

use domain::accounts::User;
use domain::events::Event;
use domain::events::pins::Pin;
use domain::guests::client_selections::{
    ClientSelection, PER_EVENT, Scope, parse_day, parse_limit, parse_name,
};
use domain::guests::walls::Secret;
use domain::team::Right;
use domain::{AlbumId, ClientSelectionId, EventId, PhotoId, Refusal};
use storage::guests::client_selections;
pub use storage::guests::client_selections::Counted;

use crate::operations::mails;
use crate::operations::runtime::queue::Tx;
use crate::team::rights;
use crate::{App, Result};

/// What a photographer says of a selection, as entered.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// What the client is called.
    pub name: String,
    /// How many photos may be chosen; none for any number.
    pub limit: Option<i64>,
    /// The last day for choosing, YYYY-MM-DD; none or empty for no end.
    pub due_on: Option<String>,
    /// What the client has to enter; none or empty for nothing.
    pub pin: Option<String>,
    /// The album whose photos alone are shown; none for all of the event.
    pub album: Option<String>,
}

impl Wanted {
    /// What a selection becomes that was as `before`.
    async fn applied(
        self,
        app: &App,
        tx: &mut Tx,
        event: &Event,
        before: ClientSelection,
    ) -> Result<ClientSelection> {
        let filled = |text: Option<String>| text.filter(|text| !text.trim().is_empty());
        let day = |text: String| parse_day(&text, event, before.due_on, app.now());
        let pin = |text: String| Pin::parse_new(&text, before.pin.as_ref());
        let (due_on, pin) =
            (filled(self.due_on).map(day).transpose()?, filled(self.pin).map(pin).transpose()?);
        let scope = match self.album {
            None => Scope::Event,
            Some(album) => {
                let album: AlbumId = album.parse().map_err(|_| Refusal::AlbumNotFound)?;
                let found = storage::photos::albums::by_id(&mut **tx, album).await?;
                found.filter(|album| album.event == event.id).ok_or(Refusal::AlbumNotFound)?;
                Scope::Album(album)
            }
        };
        let limit = self.limit.map(parse_limit).transpose()?;
        Ok(ClientSelection { name: parse_name(&self.name)?, limit, due_on, pin, scope, ..before })
    }
}

/// The selections of an event that the caller manages, the newest last.
///
/// # Errors
/// [`Refusal::EventNotFound`], or [`Refusal::ManagersOnly`].
pub async fn list(app: &App, caller: &User, event: EventId) -> Result<Vec<Counted>> {
    rights::event(app, caller, event, Right::Manage).await?;
    Ok(client_selections::list(&app.db, event).await?)
}

/// A transaction that has locked an event which the caller manages, and the event.
async fn begin(app: &App, caller: &User, event: EventId) -> Result<(Tx, Event)> {
    let event = rights::open_event(app, caller, event, Right::Manage).await?.event;
    let mut tx = app.begin().await?;
    let event = storage::events::changes::lock(&mut tx, event.id).await?.ok_or(Refusal::EventBeingDeleted)?;
    Ok((tx, event))
}

/// Asks a client to choose photos of an event.
///
/// # Errors
/// The refusals of its fields, [`Refusal::AlbumNotFound`] for an album that is not the event's, [`Refusal::ClientSelectionsTooMany`],
/// [`Refusal::EventNotFound`], [`Refusal::ManagersOnly`] or [`Refusal::EventBeingDeleted`].
pub async fn create(app: &App, caller: &User, event: EventId, wanted: Wanted) -> Result<Counted> {
    let (mut tx, event) = begin(app, caller, event).await?;
    let new = ClientSelection {
        id: app.id(),
        event: event.id,
        name: String::new(),
        limit: None,
        due_on: None,
        pin: None,
        scope: Scope::Event,
        secret: Secret::generate(&app.randomness),
        created_at: app.now(),
        done_at: None,
        message: None,
        seen_at: None,
    };
    let selection = wanted.applied(app, &mut tx, &event, new).await?;
    let most = i64::try_from(PER_EVENT).unwrap_or(i64::MAX);
    if client_selections::count(&mut *tx, event.id).await? >= most {
        return Err(Refusal::ClientSelectionsTooMany.into());
    }
    client_selections::create(&mut tx, &selection).await?;
    tx.commit().await?;
    Ok(Counted { selection, chosen: 0, comments: 0 })
}

/// Changes what was said of a selection. Its address stays, and so does what its client has marked, though a lower limit leaves more
/// chosen than it allows: the client then takes some back before the selection is done.
///
/// # Errors
/// Those of [`create`], or [`Refusal::ClientSelectionNotFound`].
pub async fn change(app: &App, caller: &User, event: EventId, id: &str, wanted: Wanted) -> Result<Counted> {
    let id = parse_id(id)?;
    let (mut tx, event) = begin(app, caller, event).await?;
    let before = client_selections::lock(&mut tx, id).await?.filter(|found| found.event == event.id);
    let before = before.ok_or(Refusal::ClientSelectionNotFound)?;
    let selection = wanted.applied(app, &mut tx, &event, before).await?;
    client_selections::change(&mut tx, &selection).await?;
    tx.commit().await?;
    one(app, event.id, id).await
}

/// Deletes a selection with all that its client has marked. Its address leads nowhere from then on.
///
/// # Errors
/// [`Refusal::ClientSelectionNotFound`], and those of the event.
pub async fn delete(app: &App, caller: &User, event: EventId, id: &str) -> Result<()> {
    let id = parse_id(id)?;
    rights::event(app, caller, event, Right::Manage).await?;
    let mut tx = app.begin().await?;
    if !client_selections::delete(&mut tx, event, id).await? {
        return Err(Refusal::ClientSelectionNotFound.into());
    }
    tx.commit().await
}

/// Lets the client of a selection change it again, and answers it. One that is not finished stays as it is.
///
/// # Errors
/// [`Refusal::ClientSelectionNotFound`], and those of the event.
pub async fn reopen(app: &App, caller: &User, event: EventId, id: &str) -> Result<Counted> {
    let id = parse_id(id)?;
    rights::open_event(app, caller, event, Right::Manage).await?;
    let mut tx = app.begin().await?;
    client_selections::reopen(&mut tx, event, id).await?;
    tx.commit().await?;
    one(app, event, id).await
}

/// Records that the caller has looked at what a client had finished.
///
/// # Errors
/// Those of the event. A selection that is gone is nothing to look at.
pub async fn see(app: &App, caller: &User, event: EventId, id: &str) -> Result<()> {
    let id = parse_id(id)?;
    rights::event(app, caller, event, Right::Manage).await?;
    let mut tx = app.begin().await?;
    client_selections::see(&mut tx, event, id, app.now()).await?;
    tx.commit().await
}

async fn one(app: &App, event: EventId, id: ClientSelectionId) -> Result<Counted> {
    let mut all = client_selections::list(&app.db, event).await?.into_iter();
    all.find(|counted| counted.selection.id == id).ok_or_else(|| Refusal::ClientSelectionNotFound.into())
}

fn parse_id(id: &str) -> Result<ClientSelectionId> {
    id.parse().map_err(|_| Refusal::ClientSelectionNotFound.into())
}

/// What the client of a selection says of photos: those of them that have a comment. Who may see the photos is the caller's to ask
/// first.
///
/// # Errors
/// When the database fails.
pub async fn comments(app: &App, selection: &str, photos: &[PhotoId]) -> Result<HashMap<PhotoId, String>> {
    let marks = client_selections::marks(&app.db, parse_id(selection)?, photos).await?;
    let commented = marks.into_iter().filter(|marked| !marked.mark.comment.is_empty());
    Ok(commented.map(|marked| (marked.photo, marked.mark.comment)).collect())
}

/// The job that follows 'Done'. Nobody is told of a selection that was reopened or deleted meanwhile.
pub(crate) async fn tell(app: &App, id: ClientSelectionId) -> Result<()> {
    let selection = client_selections::by_id(&app.db, id).await?;
    let Some(selection) = selection.filter(|selection| selection.done_at.is_some()) else { return Ok(()) };
    let event = storage::events::by_id(&app.db, selection.event).await?.filter(Event::is_open);
    let Some(event) = event else { return Ok(()) };
    let Some(owner) = storage::accounts::users::by_id(&app.db, event.owner).await? else { return Ok(()) };
    let chosen = client_selections::chosen(&app.db, id).await?;
    let mail = mails::clients::finished(&app.settings, &owner, &event, &selection, chosen)?;
    mails::deliver(app, &mail).await
}
