//! The media store that belongs to this database.

use domain::photos::MediaKey;

use crate::operations::runtime::decode::FromColumns;
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::{execute, fetch_all, fetch_optional};
use crate::{Db, Result};

/// Name of the one row.
const NAME: &str = "media";

/// The media store as the database knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoreRow {
    /// The id that the store's marker has too.
    pub id: String,
    /// How many sweeps were begun.
    pub sweeps: i64,
    /// What the last sweep left alone, because it was too much.
    pub held: Option<Held>,
}

/// Files that a sweep left alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held {
    /// Those that belong to no photo.
    pub orphans: i64,
    /// All of them.
    pub files: i64,
}

row! {
    pub(crate) struct Columns {
        id: String,
        sweeps: i64,
        held_orphans: Option<i64>,
        held_files: Option<i64>,
    }
}

impl FromColumns for StoreRow {
    type Columns = Columns;

    fn from_columns(row: Columns) -> Result<Self> {
        let held = row.held_orphans.zip(row.held_files).map(|(orphans, files)| Held { orphans, files });
        Ok(Self { id: row.id, sweeps: row.sweeps, held })
    }
}

/// The store; none when the database never had one.
pub async fn get(db: &Db) -> Result<Option<StoreRow>> {
    fetch_optional!(
        db,
        StoreRow,
        "SELECT id, sweeps, held_orphans, held_files FROM media_store WHERE name = $1",
        NAME,
    )
}

/// Gives the store an id if it has none; whoever comes first decides for all.
pub async fn insert_if_absent(db: &Db, id: &str) -> Result<()> {
    execute!(
        db,
        "INSERT INTO media_store (name, id) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING",
        NAME,
        id
    )?;
    Ok(())
}

/// Gives the store another id, as if it were new.
pub async fn replace(db: &Db, id: &str) -> Result<()> {
    execute!(
        db,
        "INSERT INTO media_store (name, id) VALUES ($1, $2)
         ON CONFLICT (name) DO UPDATE SET id = $2, sweeps = 0, held_orphans = NULL, held_files = NULL",
        NAME,
        id,
    )?;
    Ok(())
}

/// Counts a sweep that begins, the one after `sweeps`; false when another has begun meanwhile.
pub async fn begin_sweep(db: &Db, id: &str, sweeps: i64) -> Result<bool> {
    let updated = execute!(
        db,
        "UPDATE media_store SET sweeps = sweeps + 1 WHERE name = $1 AND id = $2 AND sweeps = $3",
        NAME,
        id,
        sweeps,
    )?;
    Ok(updated == 1)
}

/// Records what a sweep left alone; none when it swept.
pub async fn set_held(db: &Db, held: Option<Held>) -> Result<()> {
    execute!(
        db,
        "UPDATE media_store SET held_orphans = $2, held_files = $3 WHERE name = $1",
        NAME,
        held.map(|held| held.orphans),
        held.map(|held| held.files),
    )?;
    Ok(())
}

/// The keys of some originals, as if drawn at random: their names are.
pub async fn sample_originals(db: &Db, limit: i64) -> Result<Vec<MediaKey>> {
    let keys = fetch_all!(db, String, "SELECT media_key FROM photos ORDER BY media_key LIMIT $1", limit)?;
    Ok(keys.into_iter().map(MediaKey::from_trusted).collect())
}
