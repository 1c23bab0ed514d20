//! What clients choose of an event's photos.

mod choices;

use domain::events::pins::Pin;
use domain::guests::client_selections::{ClientSelection, Scope};
use domain::guests::walls::Secret;
use domain::{AlbumId, ClientSelectionId, EventId, Timestamp, UserId};

use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::dialect::for_update;
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::{execute, fetch_all, fetch_one, fetch_optional};
use crate::{Executor, Result, Tx};

pub use choices::{chosen, count_shown, mark, marks, marks_of_owner, one_shown, shown};

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT client_selections.id, event_id, client_selections.name, photo_limit, due_on, client_selections.pin, of_album, album_id,
                 secret, client_selections.created_at, done_at, message, seen_at FROM client_selections ",
            $rest
        )
    };
}

row! {
    pub(crate) struct SelectionRow {
        id: String,
        event_id: String,
        name: String,
        photo_limit: Option<i64>,
        due_on: Option<String>,
        pin: Option<String>,
        of_album: bool,
        album_id: Option<String>,
        secret: String,
        created_at: i64,
        done_at: Option<i64>,
        message: Option<String>,
        seen_at: Option<i64>,
    }
}

impl FromColumns for ClientSelection {
    type Columns = SelectionRow;

    fn from_columns(row: SelectionRow) -> Result<Self> {
        let album = decode::optional_id::<AlbumId>(row.album_id.as_deref(), "client_selections.album_id")?;
        let limit = row
            .photo_limit
            .map(|limit| decode::known(limit.try_into().ok(), "client_selections.photo_limit"));
        let due_on = row.due_on.map(|day| decode::known(day.parse().ok(), "client_selections.due_on"));
        let pin = row.pin.map(|pin| decode::known(Pin::parse(&pin).ok(), "client_selections.pin"));
        Ok(Self {
            id: decode::id(&row.id, "client_selections.id")?,
            event: decode::id(&row.event_id, "client_selections.event_id")?,
            name: row.name,
            limit: limit.transpose()?,
            due_on: due_on.transpose()?,
            pin: pin.transpose()?,
            scope: match album {
                Some(album) => Scope::Album(album),
                None if row.of_album => Scope::DeletedAlbum,
                None => Scope::Event,
            },
            secret: Secret::from_trusted(row.secret),
            created_at: Timestamp::from_millis(row.created_at),
            done_at: decode::time(row.done_at),
            message: row.message,
            seen_at: decode::time(row.seen_at),
        })
    }
}

/// A selection, and what its client has marked of the photos that are there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    /// The selection.
    pub selection: ClientSelection,
    /// How many photos are chosen.
    pub chosen: i64,
    /// How many photos have a comment, chosen or not.
    pub comments: i64,
}

row! {
    pub(crate) struct CountedRow {
        ..selection: SelectionRow,
        chosen_photos: i64,
        commented_photos: i64,
    }
}

impl FromColumns for Counted {
    type Columns = CountedRow;

    fn from_columns(row: CountedRow) -> Result<Self> {
        Ok(Self {
            selection: ClientSelection::from_columns(row.selection)?,
            chosen: row.chosen_photos,
            comments: row.commented_photos,
        })
    }
}

const fn album(scope: Scope) -> Option<AlbumId> {
    match scope {
        Scope::Album(album) => Some(album),
        Scope::Event | Scope::DeletedAlbum => None,
    }
}

/// Adds a selection to an event, which the transaction has locked.
pub async fn create(tx: &mut Tx, selection: &ClientSelection) -> Result<()> {
    execute!(
        tx,
        "INSERT INTO client_selections (id, event_id, name, photo_limit, due_on, pin, of_album, album_id, secret, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
        selection.id,
        selection.event,
        selection.name,
        selection.limit.map(i64::from),
        selection.due_on,
        selection.pin,
        selection.scope != Scope::Event,
        album(selection.scope),
        selection.secret.reveal(),
        selection.created_at,
    )?;
    Ok(())
}

/// Changes what the photographer has said of a selection; its address, and what its client has done, stay.
pub async fn change(tx: &mut Tx, selection: &ClientSelection) -> Result<()> {
    execute!(
        tx,
        "UPDATE client_selections SET name = $2, photo_limit = $3, due_on = $4, pin = $5, of_album = $6, album_id = $7 WHERE id = $1",
        selection.id,
        selection.name,
        selection.limit.map(i64::from),
        selection.due_on,
        selection.pin,
        selection.scope != Scope::Event,
        album(selection.scope),
    )?;
    Ok(())
}

/// Deletes a selection of an event, with all marks of its client; false when there is none.
pub async fn delete(tx: &mut Tx, event: EventId, id: ClientSelectionId) -> Result<bool> {
    Ok(execute!(tx, "DELETE FROM client_selections WHERE id = $1 AND event_id = $2", id, event)? == 1)
}

/// Deletes the selections of an event that cannot be restored.
pub(crate) async fn delete_of(tx: &mut Tx, event: EventId) -> Result<()> {
    execute!(
        tx,
        "DELETE FROM client_selections
         WHERE event_id = (SELECT id FROM events WHERE id = $1 AND restorable_until IS NULL)",
        event,
    )?;
    Ok(())
}

/// The selections of an event, the newest last.
pub async fn list(db: &dyn Executor, event: EventId) -> Result<Vec<Counted>> {
    fetch_all!(
        db,
        Counted,
        "SELECT id, event_id, name, photo_limit, due_on, pin, of_album, album_id, secret, created_at, done_at, message, seen_at,
             (SELECT COUNT(*) FROM client_choices WHERE selection_id = client_selections.id AND chosen) AS chosen_photos,
             (SELECT COUNT(*) FROM client_choices WHERE selection_id = client_selections.id AND comment <> '') AS commented_photos
         FROM client_selections WHERE event_id = $1 ORDER BY id",
        event,
    )
}

/// How many selections an event has.
pub async fn count(db: &dyn Executor, event: EventId) -> Result<i64> {
    fetch_one!(db, i64, "SELECT COUNT(*) FROM client_selections WHERE event_id = $1", event)
}

/// The selections of an account's events.
pub async fn of_owner(db: &dyn Executor, owner: UserId) -> Result<Vec<ClientSelection>> {
    fetch_all!(
        db,
        ClientSelection,
        "SELECT client_selections.id, event_id, client_selections.name, photo_limit, due_on, client_selections.pin, of_album, album_id,
             secret, client_selections.created_at, done_at, message, seen_at
         FROM events JOIN client_selections ON event_id = events.id WHERE owner_id = $1",
        owner,
    )
}

/// A selection.
pub async fn by_id(db: &dyn Executor, id: ClientSelectionId) -> Result<Option<ClientSelection>> {
    fetch_optional!(db, ClientSelection, select!("WHERE id = $1"), id)
}

/// The selection whose address ends with this.
pub async fn by_secret(db: &dyn Executor, secret: &Secret) -> Result<Option<ClientSelection>> {
    fetch_optional!(db, ClientSelection, select!("WHERE secret = $1"), secret.reveal())
}

/// A selection, locked until the transaction ends: nobody marks a photo of it, or finishes it, meanwhile.
pub async fn lock(tx: &mut Tx, id: ClientSelectionId) -> Result<Option<ClientSelection>> {
    let statement = for_update!(tx.engine(), select!("WHERE id = $1"));
    fetch_optional!(tx, ClientSelection, statement, id)
}

/// Records that the client of a selection, which the transaction has locked, has finished.
pub async fn finish(tx: &mut Tx, id: ClientSelectionId, message: Option<&str>, now: Timestamp) -> Result<()> {
    execute!(
        tx,
        "UPDATE client_selections SET done_at = $2, message = $3, seen_at = NULL WHERE id = $1",
        id,
        now,
        message,
    )?;
    Ok(())
}

/// Lets the client of an event's selection change it again; false where there is none that was finished.
pub async fn reopen(tx: &mut Tx, event: EventId, id: ClientSelectionId) -> Result<bool> {
    let updated = execute!(
        tx,
        "UPDATE client_selections SET done_at = NULL, seen_at = NULL WHERE id = $1 AND event_id = $2 AND done_at IS NOT NULL",
        id,
        event,
    )?;
    Ok(updated == 1)
}

/// Records that somebody has looked at an event's selection that its client had finished.
pub async fn see(tx: &mut Tx, event: EventId, id: ClientSelectionId, now: Timestamp) -> Result<()> {
    execute!(
        tx,
        "UPDATE client_selections SET seen_at = $3 WHERE id = $1 AND event_id = $2 AND done_at IS NOT NULL AND seen_at IS NULL",
        id,
        event,
        now,
    )?;
    Ok(())
}
