//! What is there of a collection of photos, kept in its row: in the event's, and for photos without one in the owner's.
//!
//! Every function that changes what is counted of a photo moves these numbers in the same transaction. Before it reads
//! what the photo counts, it locks the event's row, as the order of locks has it, and then the photo's: what it adds is the
//! difference between two states of which nobody has changed the first meanwhile. `integrity` proves them.

use std::collections::BTreeMap;
use std::ops::{AddAssign, Sub};

use domain::photos::PhotoStatus;
use domain::{EventId, PhotoId, UserId};

use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::dialect::for_update;
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::{execute, fetch_optional};
use crate::{Engine, Result, Tx};

/// Numbers of a collection, or a change of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) photos: i64,
    /// Ready ones that the model pack in use has described.
    pub(crate) indexed: i64,
    pub(crate) failed: i64,
    pub(crate) faces: i64,
    /// Of the originals.
    pub(crate) bytes: i64,
    /// Of an event's photos those that are held.
    pub(crate) held: i64,
    pub(crate) held_indexed: i64,
    pub(crate) held_failed: i64,
    pub(crate) held_faces: i64,
}

row! {
    pub(crate) struct CountsRow {
        photos: i64,
        indexed: i64,
        failed: i64,
        faces: i64,
        bytes: i64,
        held: i64,
        held_indexed: i64,
        held_failed: i64,
        held_faces: i64,
    }
}

impl FromColumns for Counts {
    type Columns = CountsRow;

    fn from_columns(row: CountsRow) -> Result<Self> {
        let CountsRow { photos, indexed, failed, faces, bytes, held, held_indexed, held_failed, held_faces } =
            row;
        Ok(Self { photos, indexed, failed, faces, bytes, held, held_indexed, held_failed, held_faces })
    }
}

impl Sub for Counts {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self {
            photos: self.photos - other.photos,
            indexed: self.indexed - other.indexed,
            failed: self.failed - other.failed,
            faces: self.faces - other.faces,
            bytes: self.bytes - other.bytes,
            held: self.held - other.held,
            held_indexed: self.held_indexed - other.held_indexed,
            held_failed: self.held_failed - other.held_failed,
            held_faces: self.held_faces - other.held_faces,
        }
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        // Nothing less the negated: one list of the fields is enough.
        *self = *self - (Self::default() - other);
    }
}

/// The columns of `photos` that are counted.
macro_rules! columns {
    () => {
        "event_id, owner_id, status, outdated, faces, size_bytes, held"
    };
}
pub(crate) use columns;

/// A photo as its collection counts it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counted {
    pub(crate) event: Option<EventId>,
    pub(crate) owner: UserId,
    pub(crate) status: PhotoStatus,
    pub(crate) outdated: bool,
    pub(crate) faces: i64,
    pub(crate) bytes: i64,
    /// Whether it waits until it is published.
    pub(crate) held: bool,
}

row! {
    pub(crate) struct CountedRow {
        event_id: Option<String>,
        owner_id: String,
        status: String,
        outdated: bool,
        faces: i64,
        size_bytes: i64,
        held: Option<i64>,
    }
}

impl FromColumns for Counted {
    type Columns = CountedRow;

    fn from_columns(row: CountedRow) -> Result<Self> {
        Ok(Self {
            event: decode::optional_id(row.event_id.as_deref(), "photos.event_id")?,
            owner: decode::id(&row.owner_id, "photos.owner_id")?,
            status: decode::known(PhotoStatus::from_stored(&row.status), "photos.status")?,
            outdated: row.outdated,
            faces: row.faces,
            bytes: row.size_bytes,
            held: row.held.is_some(),
        })
    }
}

impl Counted {
    pub(crate) fn counts(&self) -> Counts {
        let indexed = i64::from(self.status == PhotoStatus::Ready && !self.outdated);
        let failed = i64::from(self.status == PhotoStatus::Failed);
        let held = i64::from(self.held);
        Counts {
            photos: 1,
            indexed,
            failed,
            faces: self.faces,
            bytes: self.bytes,
            held,
            held_indexed: held * indexed,
            held_failed: held * failed,
            held_faces: held * self.faces,
        }
    }

    pub(crate) const fn collection(&self) -> Collected {
        match self.event {
            Some(event) => Collected::Event(event),
            None => Collected::Library(self.owner),
        }
    }
}

/// Whose row counts a photo. The order is that of the locks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Collected {
    Event(EventId),
    Library(UserId),
}

/// Locks a photo, and before it the event that counts it; none when it is deleted.
pub(crate) async fn lock(tx: &mut Tx, photo: PhotoId) -> Result<Option<Counted>> {
    // SQLite's transactions lock everything.
    if tx.engine() == Engine::Postgres {
        fetch_optional!(
            &mut *tx,
            String,
            "SELECT id FROM events WHERE id = (SELECT event_id FROM photos WHERE id = $1) FOR NO KEY UPDATE",
            photo,
        )?;
    }
    let statement = for_update!(tx.engine(), concat!("SELECT ", columns!(), " FROM photos WHERE id = $1"));
    fetch_optional!(tx, Counted, statement, photo)
}

/// Adds to what an event, or a library, counts.
pub(crate) async fn add(tx: &mut Tx, collection: Collected, change: Counts) -> Result<()> {
    if change == Counts::default() {
        return Ok(());
    }
    match collection {
        Collected::Event(event) => execute!(
            tx,
            "UPDATE events SET photos_stored = photos_stored + $2, photos_indexed = photos_indexed + $3,
                 photos_failed = photos_failed + $4, faces_stored = faces_stored + $5, bytes_stored = bytes_stored + $6,
                 photos_held = photos_held + $7, held_indexed = held_indexed + $8, held_failed = held_failed + $9,
                 held_faces = held_faces + $10
             WHERE id = $1",
            event,
            change.photos,
            change.indexed,
            change.failed,
            change.faces,
            change.bytes,
            change.held,
            change.held_indexed,
            change.held_failed,
            change.held_faces,
        )?,
        Collected::Library(owner) => execute!(
            tx,
            "UPDATE users SET library_photos = library_photos + $2, library_indexed = library_indexed + $3,
                 library_failed = library_failed + $4, library_faces = library_faces + $5,
                 library_bytes = library_bytes + $6
             WHERE id = $1",
            owner,
            change.photos,
            change.indexed,
            change.failed,
            change.faces,
            change.bytes,
        )?,
    };
    Ok(())
}

/// [`add`] for the changes of many photos.
pub(crate) async fn add_all(
    tx: &mut Tx,
    changes: impl IntoIterator<Item = (Collected, Counts)>,
) -> Result<()> {
    let mut by_collection = BTreeMap::<Collected, Counts>::new();
    for (collection, change) in changes {
        *by_collection.entry(collection).or_default() += change;
    }
    for (collection, change) in by_collection {
        add(tx, collection, change).await?;
    }
    Ok(())
}
