//! Replacing a photo by another version of it.

use std::collections::HashMap;

use domain::accounts::User;
use domain::payments::ledger::LedgerKind;
use domain::photos::redactions::Redaction;
use domain::photos::versions::{Namesakes, VersionOf, stem_key, version_of};
use domain::photos::{Photo, PhotoStatus, Size, is_replaced_free, sanitize_filename};
use domain::team::Right;
use domain::{EventId, Job, PhotoId, Refusal, Timestamp};
use media::stores::Source;
use media::temp_files::TempFile;
use storage::photos::Replaced;

use super::destination::Destination;
use super::{Accepted, Recorded, charge, destination_of, discard, duplicate, inspect, take, taken_before};
use crate::operations::stores;
use crate::photos::removal;
use crate::{App, Result};

/// Takes a received file in as another version of the photo whose file had the same name, but for case, for how accents are
/// written and for the ending of a picture: the photo keeps its place, its albums and what guests did with it, and is indexed
/// again. It costs nothing within 30 days of the photo's upload. Where no photo has the name, or where several have it with
/// other endings, so that none of them is meant, the file becomes a new photo.
///
/// # Errors
/// Those of [`super::accept`], [`Refusal::PhotoNameAmbiguous`], and [`Refusal::Busy`] while photos come back with their event.
pub async fn replace(
    app: &App,
    caller: &User,
    event: Option<EventId>,
    filename: &str,
    file: TempFile,
) -> Result<Accepted> {
    app.metrics.record_upload(file.size());
    let destination = destination_of(app, caller, event, &file).await?;
    if let Some(there) = taken_before(app, &destination, &file).await? {
        return Ok(destination.duplicate(app, there, &file, filename));
    }
    let name = sanitize_filename(filename);
    destination.check_restored(app).await?;
    let Destination { owner, event, sees_only, .. } = destination;
    let names = std::slice::from_ref(&name);
    let there = storage::photos::namesakes(&app.db, owner, event, sees_only, names).await?;
    match version_of(&name, &there) {
        VersionOf::Nothing => take(app, &destination, filename, file).await,
        VersionOf::Several => Err(Refusal::PhotoNameAmbiguous.into()),
        VersionOf::Photo(found) => {
            // One that was deleted meanwhile: the same call again finds what is there by then.
            let photo = storage::photos::by_id(&app.db, found.first).await?.ok_or(Refusal::Busy)?;
            put(app, &destination, &photo, file).await
        }
    }
}

/// The photo that a file of a name would take the place of.
pub struct Version {
    /// The name that was asked for.
    pub name: String,
    /// The photo.
    pub photo: PhotoId,
    /// The name of its file.
    pub filename: String,
    /// Whether that costs nothing.
    pub is_free: bool,
}

/// Which photos of an event, or of the library, files of these names would take the place of, by what [`replace`] goes by. Names
/// that no photo has are not among them, nor those that several have.
///
/// # Errors
/// Those of the event, as for an upload, and [`Refusal::Busy`] while photos come back with their event.
pub async fn versions(
    app: &App,
    caller: &User,
    event: Option<EventId>,
    names: &[String],
) -> Result<Vec<Version>> {
    let destination = Destination::of(app, caller, event).await?;
    destination.check_restored(app).await?;
    let Destination { owner, event, sees_only, .. } = destination;
    let sanitized: Vec<String> = names.iter().map(|name| sanitize_filename(name)).collect();
    let there = storage::photos::namesakes(&app.db, owner, event, sees_only, &sanitized).await?;
    let mut by_stem: HashMap<String, Vec<Namesakes>> = HashMap::new();
    for namesakes in there {
        by_stem.entry(stem_key(&namesakes.name)).or_default().push(namesakes);
    }
    let now = app.now();
    let found = names.iter().zip(&sanitized).filter_map(|(name, sanitized)| {
        let there = by_stem.get(&stem_key(sanitized))?;
        let VersionOf::Photo(found) = version_of(sanitized, there) else { return None };
        Some(Version {
            name: name.clone(),
            photo: found.first,
            filename: found.name.clone(),
            is_free: is_replaced_free(found.uploaded_at, now),
        })
    });
    Ok(found.collect())
}

/// Gives a photo this file. Its own are removed once the new one is there for good.
async fn put(app: &App, destination: &Destination, before: &Photo, file: TempFile) -> Result<Accepted> {
    let now = app.now();
    if !is_replaced_free(before.created_at, now) {
        destination.check_credit(app).await?;
    }
    let taken = inspect(app, file).await?;
    let photo = Photo {
        key: before.key.replaced(&app.randomness, before.id, taken.inspected.format),
        content_hash: taken.file.checksums().blake3,
        crc32: Some(taken.file.checksums().crc32),
        format: taken.inspected.format,
        size_bytes: taken.bytes(),
        width: i64::from(taken.inspected.width),
        height: i64::from(taken.inspected.height),
        status: PhotoStatus::Processing,
        focus: None,
        average_color: taken.inspected.average_color,
        capture: taken.capture.clone(),
        ..before.clone()
    };
    // The order of a new upload: the bytes, then the row, then the answer.
    stores::own(app).await?.put(&photo.key, Source::File(taken.file.path().to_owned())).await?;
    match record(app, destination, before, &photo, &taken.redaction, now).await {
        Ok(Recorded::Uncommitted { tx, charged }) => {
            tx.commit().await?;
            if charged {
                app.metrics.record_ledger_entry(LedgerKind::Upload);
            }
            removal::forget(app, before.owner, before.event);
            app.renditions.forget([before.id]);
            remove_files(app, before).await;
            tracing::info!(photo = %photo.id, charged, "a photo is replaced by another version");
            let photo = storage::photos::by_id(&app.db, photo.id).await?.unwrap_or(photo);
            Ok(Accepted::Replaced(destination.shown(photo)))
        }
        Ok(Recorded::Duplicate(there) | Recorded::Former(there)) => {
            discard(app, &photo.key).await;
            let there = duplicate(app, there, &taken.file).await?;
            Ok(destination.duplicate(app, there, &taken.file, &before.original_filename))
        }
        Err(failure) => {
            discard(app, &photo.key).await;
            Err(failure)
        }
    }
}

/// The one transaction in which the photo gets its file, is paid for if that is due, and is queued for indexing.
async fn record(
    app: &App,
    destination: &Destination,
    before: &Photo,
    photo: &Photo,
    redaction: &Redaction,
    now: Timestamp,
) -> Result<Recorded> {
    let mut tx = app.begin().await?;
    destination.check_right(&mut tx, Right::Upload).await?;
    match storage::photos::replace(&mut tx, &before.key, photo, now).await? {
        Replaced::Done => {}
        Replaced::Duplicate(there) => return Ok(Recorded::Duplicate(there)),
        // The same call again finds what is there by then.
        Replaced::Changed => return Err(Refusal::Busy.into()),
    }
    storage::photos::redactions::put(&mut *tx, &photo.key, redaction).await?;
    // Another job than one that may be indexing the former file at this moment, and finds that it is gone.
    storage::operations::runtime::jobs::forget_failed(&mut tx, photo.id).await?;
    tx.enqueue(&Job::IndexPhoto { photo: photo.id }).await?;
    let charged = if is_replaced_free(before.created_at, now) {
        false
    } else {
        // The upload was charged with the photo's id alone, and no two charges have the same reference.
        let reference = format!("{}_{}", photo.id, photo.key.revision());
        charge(app, &mut tx, destination, photo, reference, now).await?
    };
    Ok(Recorded::Uncommitted { tx, charged })
}

/// Removes the files of the version before. A reader may have had them open; what cannot be removed is found by the sweeper.
async fn remove_files(app: &App, before: &Photo) {
    let keys = Size::ALL.map(|size| before.key.sized(size));
    let removed = async { Ok::<_, crate::Failure>(stores::own(app).await?.delete_many(&keys).await?) };
    if let Err(failure) = removed.await {
        tracing::warn!(photo = %before.id, error = failure.chain(), "files of a replaced photo stay behind");
    }
}
