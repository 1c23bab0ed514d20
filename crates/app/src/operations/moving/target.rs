//! Whether the target may be filled.

use domain::Refusal;
use media::stores::{Marker, Store};
use storage::Db;
use storage::operations::moving::{self, Occupant};

use super::plan::{Move, Target};
use crate::Result;
use crate::operations::stores;

impl Target {
    /// A PostgreSQL database, whose schema is brought up to date, and a media store.
    ///
    /// # Errors
    /// A refusal when the database has accounts that were not moved there; nothing in it changes then.
    pub async fn prepare(db: Db, store: Store) -> Result<Self> {
        if moving::is_inhabited(&db).await? {
            refuse(Occupant::Own)?;
        }
        db.migrate().await?;
        Ok(Self { db, store })
    }
}

/// Notes in the target that this installation moves there. Its media store gets an id of its own, as its database has:
/// so it is never taken for the one that the installation leaves, nor for that of another target.
///
/// # Errors
/// A refusal when the target is somebody else's, or was served since it was filled.
pub(super) async fn claim(moving: &Move<'_>) -> Result<()> {
    let (db, store) = (&moving.target.db, &moving.target.store);
    refuse(moving::occupant(db, moving.snapshot, moving.from).await?)?;
    let row = stores::known(db, &moving.context.randomness).await?;
    match store.marker().await? {
        Some(marker) if marker.id == row.id => {}
        Some(_) => {
            return refusal("The target's media store belongs to another database than the target's.");
        }
        None if !stores::is_empty(store).await? => {
            return refusal("The target's media store has files of photos, and its marker is missing.");
        }
        None => {}
    }
    if !moving::claim(db, moving.from).await? {
        return refuse(Occupant::Another);
    }
    store.put_marker_if_absent(&Marker { id: row.id.clone(), sweeps: row.sweeps }).await?;
    match store.marker().await? {
        Some(marker) if marker.id == row.id => Ok(()),
        _ => refusal("The target's media store was taken by another database meanwhile."),
    }
}

/// Refuses a target that has other rows than those that were moved there.
pub(super) fn refuse(occupant: Occupant) -> Result<()> {
    match occupant {
        Occupant::Nobody | Occupant::Same => Ok(()),
        Occupant::Changed => refusal(
            "The target's database has changed since it was filled: it has been served, and has what this installation \
             does not have. Nothing is moved there any more.",
        ),
        Occupant::Another => refusal("The target's database belongs to the move of another installation."),
        Occupant::Own => {
            refusal("The target's database has accounts of its own. An installation moves into an empty one.")
        }
    }
}

fn refusal(text: &str) -> Result<()> {
    Err(Refusal::Malformed(text.to_owned()).into())
}
