//! Walls of events. Which photos they show is in `browsing`, since they show what guests may see.

use domain::guests::walls::{Secret, Wall};
use domain::{AlbumId, EventId, UserId};

use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::{execute, fetch_all, fetch_optional};
use crate::{Executor, Result, Tx};

row! {
    pub(crate) struct WallRow {
        event_id: String,
        secret: String,
        album_id: Option<String>,
        created_at: i64,
    }
}

impl FromColumns for Wall {
    type Columns = WallRow;

    fn from_columns(row: WallRow) -> Result<Self> {
        let album = row.album_id.map(|id| decode::id::<AlbumId>(&id, "walls.album_id")).transpose()?;
        Ok(Self {
            event: decode::id(&row.event_id, "walls.event_id")?,
            secret: Secret::from_trusted(row.secret),
            album,
            created_at: domain::Timestamp::from_millis(row.created_at),
        })
    }
}

/// Gives an event, which the transaction has locked, a wall. One that it has stays, with its address, and shows what this one does.
pub async fn put(tx: &mut Tx, wall: &Wall) -> Result<()> {
    execute!(
        tx,
        "INSERT INTO walls (event_id, secret, album_id, created_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (event_id) DO UPDATE SET album_id = excluded.album_id",
        wall.event,
        wall.secret.reveal(),
        wall.album,
        wall.created_at,
    )?;
    Ok(())
}

/// The wall of an event.
pub async fn of_event(db: &dyn Executor, event: EventId) -> Result<Option<Wall>> {
    fetch_optional!(
        db,
        Wall,
        "SELECT event_id, secret, album_id, created_at FROM walls WHERE event_id = $1",
        event,
    )
}

/// The walls of an account's events.
pub async fn of_owner(db: &dyn Executor, owner: UserId) -> Result<Vec<Wall>> {
    fetch_all!(
        db,
        Wall,
        "SELECT event_id, secret, album_id, walls.created_at FROM events JOIN walls ON event_id = events.id WHERE owner_id = $1",
        owner,
    )
}

/// The wall whose address ends with this.
pub async fn by_secret(db: &dyn Executor, secret: &Secret) -> Result<Option<Wall>> {
    fetch_optional!(
        db,
        Wall,
        "SELECT event_id, secret, album_id, created_at FROM walls WHERE secret = $1",
        secret.reveal(),
    )
}

/// Ends the wall of an event; false when it has none.
pub async fn delete(tx: &mut Tx, event: EventId) -> Result<bool> {
    Ok(execute!(tx, "DELETE FROM walls WHERE event_id = $1", event)? == 1)
}
