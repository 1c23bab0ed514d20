//! The media store that belongs to the database: each knows the other by an id.
//!
//! A store is written and swept only when its marker has the database's id. A wrong address of either, a database that was
//! lost or restored, and a second installation with the same bucket are seen before a file is touched.

mod bond;

use std::sync::{MutexGuard, PoisonError};

use domain::Randomness;
use domain::photos::{MediaKey, Photo, Size};
use futures::{StreamExt as _, TryStreamExt as _};
use media::stores::{Marker, Place, Store};
use storage::Db;
use storage::operations::stores::StoreRow;

use crate::operations::operators::OperatorContext;
use crate::{App, Failure, Result};

pub use bond::Bond;

/// Originals that are looked for in a store without marker.
const SAMPLE: i64 = 100;
/// Lookups at one moment.
const LOOKUPS: usize = 8;

/// The media store, to put files into or to remove them from. A folder in whose place another one is, such as the empty one
/// that an unmounted disk leaves, is examined anew.
///
/// # Errors
/// [`Failure::NotOwnStore`].
pub(crate) async fn own(app: &App) -> Result<&Store> {
    let place = app.store.place().await?;
    if *own_place(app) == Some(place) {
        return Ok(&app.store);
    }
    match bind(app).await? {
        bond if bond.is_own() => Ok(&app.store),
        bond => Err(Failure::NotOwnStore(bond)),
    }
}

/// Removes files of photos of which it is known that nobody needs them.
pub(crate) async fn remove_files(app: &App, photos: &[Photo], sizes: &[Size]) -> Result<()> {
    let keys: Vec<MediaKey> =
        photos.iter().flat_map(|photo| sizes.iter().map(|size| photo.key.sized(*size))).collect();
    if keys.is_empty() {
        return Ok(());
    }
    Ok(own(app).await?.delete_many(&keys).await?)
}

/// Finds out anew how store and database belong together, and adopts the store where that is safe. The log says why a
/// store is not the database's.
///
/// # Errors
/// When the database or the media store cannot be read.
pub async fn bind(app: &App) -> Result<Bond> {
    let place = app.store.place().await?;
    let mut bond = examine(&app.db, &app.store).await?;
    if bond == Bond::Adoptable {
        let row = known(&app.db, &app.randomness).await?;
        app.store.put_marker_if_absent(&Marker { id: row.id, sweeps: row.sweeps }).await?;
        bond = examine(&app.db, &app.store).await?;
    }
    let was_own = std::mem::replace(&mut *own_place(app), bond.is_own().then_some(place)).is_some();
    if !bond.is_own() {
        tracing::error!("{bond}");
    } else if !was_own {
        tracing::info!("{bond}");
    }
    Ok(bond)
}

/// The place at which the store was last found to be the database's.
fn own_place(app: &App) -> MutexGuard<'_, Option<Place>> {
    app.own_store.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The store's id in the database, which is made when there is none.
pub(crate) async fn known(db: &Db, randomness: &Randomness) -> Result<StoreRow> {
    storage::operations::stores::insert_if_absent(db, &randomness.alphanumeric(20)).await?;
    let row = storage::operations::stores::get(db).await?;
    row.ok_or_else(|| Failure::Internal(String::from("the media store's id is not in the database")))
}

/// How store and database belong together; changes nothing.
pub(crate) async fn examine(db: &Db, store: &Store) -> Result<Bond> {
    let bond = examine_once(db, store).await?;
    // The marker is put before the first file. Files without one may be those of a process that has adopted the store
    // after the marker was looked for.
    if matches!(bond, Bond::Filled | Bond::Incomplete { .. }) && store.marker().await?.is_some() {
        return examine_once(db, store).await;
    }
    Ok(bond)
}

async fn examine_once(db: &Db, store: &Store) -> Result<Bond> {
    // In this order: who adopts a store writes the row first.
    let marker = store.marker().await?;
    match (marker, storage::operations::stores::get(db).await?) {
        (Some(marker), Some(row)) if marker.id == row.id => {
            Ok(Bond::Own { is_older: marker.sweeps > row.sweeps })
        }
        (Some(_), _) => Ok(Bond::Foreign),
        (None, _) => examine_files(db, store).await,
    }
}

/// A store without marker is a new one, or that of a version which had none, or one whose marker was lost.
async fn examine_files(db: &Db, store: &Store) -> Result<Bond> {
    let sample = storage::operations::stores::sample_originals(db, SAMPLE).await?;
    if sample.is_empty() {
        return Ok(if is_empty(store).await? { Bond::Adoptable } else { Bond::Filled });
    }
    let asked = sample.len();
    let found: Vec<bool> = futures::stream::iter(sample)
        .map(|key| async move { Ok::<_, Failure>(store.size(&key).await?.is_some()) })
        .buffer_unordered(LOOKUPS)
        .try_collect()
        .await?;
    let missing = found.into_iter().filter(|found| !found).count();
    // A few originals may have been lost before; a wrong store has none.
    Ok(if missing * 10 > asked { Bond::Incomplete { asked, missing } } else { Bond::Adoptable })
}

/// Whether no file was put there for a photo.
pub(crate) async fn is_empty(store: &Store) -> Result<bool> {
    let mut entries = store.list("");
    while let Some(entry) = entries.try_next().await? {
        if is_photos(&entry.key) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether a file was put there for a photo; what lies elsewhere in the store was not put there by this program.
pub(crate) fn is_photos(key: &MediaKey) -> bool {
    key.size().is_some()
}

/// How the media store belongs to the database, and what the last sweep left alone.
pub struct Status {
    /// The id in the database; none before the first start.
    pub id: Option<String>,
    /// The id in the store's marker; none without one.
    pub marker: Option<String>,
    /// How they belong together.
    pub bond: Bond,
    /// What the last sweep left alone, because it was too much.
    pub held: Option<storage::operations::stores::Held>,
}

/// `afterglow store show`.
///
/// # Errors
/// When the database or the media store cannot be read.
pub async fn status(context: &OperatorContext, store: &Store) -> Result<Status> {
    let row = storage::operations::stores::get(&context.db).await?;
    Ok(Status {
        id: row.as_ref().map(|row| row.id.clone()),
        marker: store.marker().await?.map(|marker| marker.id),
        bond: examine(&context.db, store).await?,
        held: row.and_then(|row| row.held),
    })
}

/// `afterglow store adopt`: makes the store this database's, whatever it was before. Both get a new id, so that every
/// other database, also a copy of this one, is a stranger to it from now on.
///
/// # Errors
/// When the database or the media store fails; then neither writes to the store until this is repeated.
pub async fn adopt(context: &OperatorContext, store: &Store) -> Result<Bond> {
    let id = context.randomness.alphanumeric(20);
    storage::operations::stores::replace(&context.db, &id).await?;
    store.replace_marker(&Marker { id, sweeps: 0 }).await?;
    tracing::warn!("the media store was adopted");
    examine(&context.db, store).await
}

/// Why the service must not start: it would begin empty beside data that is not mounted, or is another database's. None when
/// it may.
///
/// # Errors
/// When the database cannot be read.
pub async fn refusal_to_start(app: &App, bond: &Bond) -> Result<Option<&'static str>> {
    Ok(match bond {
        Bond::Incomplete { asked, missing } if asked == missing => Some(
            "The database has photos, and none of the originals that were looked for is in the media store. Mount its disk, or \
             correct `media_url` or `data_dir`. If the photos are lost, `afterglow store adopt` lets the service start \
             without them.",
        ),
        Bond::Foreign | Bond::Filled if storage::operations::snapshots::is_vacant(&app.db).await? => Some(
            "The media store has the files of another database, and nobody has registered with this one. Mount the disk of the \
             database, or correct `database_url` or `data_dir`; `afterglow restore` puts a backup into this one. To begin \
             anew with this media store, run `afterglow store adopt`.",
        ),
        _ => None,
    })
}

/// Whether a snapshot may be restored into this store: it belongs to the vacant database, to the database that the
/// snapshot was taken of, or to none.
pub(crate) async fn may_be_restored_into(db: &Db, snapshot: &Db, store: &Store) -> Result<bool> {
    let Some(marker) = store.marker().await? else { return Ok(true) };
    let known =
        [storage::operations::stores::get(db).await?, storage::operations::stores::get(snapshot).await?];
    Ok(known.into_iter().flatten().any(|row| row.id == marker.id))
}

/// Puts the marker ahead of a snapshot that is about to be restored, where the store is the one of its database: that has been
/// in use since, and may have files of photos which the snapshot lacks, also where it was not swept meanwhile.
pub(crate) async fn mark_ahead(snapshot: &Db, store: &Store) -> Result<()> {
    let (marker, row) = (store.marker().await?, storage::operations::stores::get(snapshot).await?);
    if let (Some(marker), Some(row)) = (marker, row)
        && marker.id == row.id
    {
        let sweeps = marker.sweeps.max(row.sweeps) + 1;
        store.replace_marker(&Marker { id: row.id, sweeps }).await?;
    }
    Ok(())
}

/// Makes the marker fit the database that was just restored. One that is ahead of it stays: see [`mark_ahead`].
pub(crate) async fn mark_restored(context: &OperatorContext, store: &Store) -> Result<()> {
    let row = known(&context.db, &context.randomness).await?;
    match store.marker().await? {
        Some(marker) if marker.id == row.id => Ok(()),
        _ => Ok(store.replace_marker(&Marker { id: row.id, sweeps: row.sweeps }).await?),
    }
}
