//! Replacing a photo's file by an edited version: the photo stays, with its place, its album and what guests did with it.

use domain::operations::runtime::texts::folded;
use domain::photos::captures::Capture;
use domain::photos::{MediaKey, Photo, PhotoStatus};
use domain::{EventId, Timestamp, UserId};

use super::{by_hash, by_id, collection_of, is_open, select};
use crate::faces::{index, people};
use crate::operations::runtime::encode;
use crate::operations::runtime::statements::{execute, fetch_all};
use crate::photos::counters::{self, Counted};
use crate::{Executor, Result, Tx};

/// What became of a replacement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Replaced {
    /// The photo has the new file, and waits to be indexed.
    Done,
    /// The same bytes are in the same event, or library; nothing has changed.
    Duplicate(Photo),
    /// The photo was deleted or replaced meanwhile, or its event is closed; nothing has changed.
    Changed,
}

/// The photos of an event, or of the library, whose files had this name, whatever its case and however its accents are written,
/// or those of them that a member has uploaded, at most so many: those first whose names are the same to the letter, then the
/// oldest.
pub async fn named(
    db: &dyn Executor,
    owner: UserId,
    event: Option<EventId>,
    uploader: Option<UserId>,
    filename: &str,
    limit: i64,
) -> Result<Vec<Photo>> {
    // The function keeps an engine without statistics from the index on the whole collection.
    fetch_all!(
        db,
        Photo,
        select!(
            "WHERE owner_id = $1 AND COALESCE(name_fold, original_filename) IN ($2, $6) AND COALESCE(collection, '') = $3
             AND COALESCE(uploader_id, '') = COALESCE($5, uploader_id, '')
             ORDER BY CASE WHEN original_filename = $2 THEN 0 ELSE 1 END, id LIMIT $4"
        ),
        owner,
        filename,
        collection_of(owner, event),
        limit,
        uploader,
        folded(filename),
    )
}

/// Gives a photo the file that `photo` describes in place of the one with the key `before`. Its faces go: until it is indexed
/// again no search finds it. Where the new file tells nothing of its capture, as many an edited one, that of the old one stays.
pub async fn replace(tx: &mut Tx, before: &MediaKey, photo: &Photo, at: Timestamp) -> Result<Replaced> {
    let Some(counted) = counters::lock(tx, photo.id).await? else { return Ok(Replaced::Changed) };
    let Some(stored) = by_id(&mut *tx, photo.id).await?.filter(|stored| stored.key == *before) else {
        return Ok(Replaced::Changed);
    };
    if let Some(event) = counted.event
        && !is_open(tx, event, counted.owner).await?
    {
        return Ok(Replaced::Changed);
    }
    if let Some(there) = by_hash(&mut *tx, counted.owner, counted.event, &photo.content_hash).await? {
        return Ok(Replaced::Duplicate(there));
    }
    if let Some(event) = counted.event {
        index::reread_event(tx, event).await?;
        extend_retention(tx, event, at).await?;
    }
    let people = people::in_photos(tx, &[photo.id]).await?;
    execute!(&mut *tx, "DELETE FROM faces WHERE photo_id = $1", photo.id)?;
    people::delete_empty(tx, &people).await?;
    let capture = kept(&stored.capture, &photo.capture);
    execute!(
        &mut *tx,
        "UPDATE photos SET media_key = $2, content_hash = $3, crc32 = $4, format = $5, size_bytes = $6, width = $7,
             height = $8, status = $9, failure_cause = NULL, failure = NULL, faces = 0, pack = NULL, outdated = FALSE,
             average_color = $10, preview_bytes = NULL, preview_crc32 = NULL, medium_bytes = NULL,
             captured_at = $11, camera = $12, lens = $13, described = TRUE
         WHERE id = $1",
        photo.id,
        photo.key,
        photo.content_hash,
        photo.crc32.map(i64::from),
        photo.format,
        photo.size_bytes,
        photo.width,
        photo.height,
        PhotoStatus::Processing,
        photo.average_color.map(|color| i64::from(color.number())),
        encode::capture(capture.at),
        capture.camera.as_deref(),
        capture.lens.as_deref(),
    )?;
    let after = Counted {
        status: PhotoStatus::Processing,
        outdated: false,
        faces: 0,
        bytes: photo.size_bytes,
        ..counted
    };
    counters::add(tx, counted.collection(), after.counts() - counted.counts()).await?;
    index::reread_owner(tx, counted.owner).await?;
    Ok(Replaced::Done)
}

/// The event's photos are kept as long as after any other upload.
async fn extend_retention(tx: &mut Tx, event: EventId, at: Timestamp) -> Result<()> {
    execute!(
        tx,
        "UPDATE events SET last_upload_at = CASE WHEN last_upload_at > $2 THEN last_upload_at ELSE $2 END,
             retained_from = CASE WHEN retained_from > $2 THEN retained_from ELSE $2 END
         WHERE id = $1",
        event,
        at,
    )?;
    Ok(())
}

fn kept(before: &Capture, after: &Capture) -> Capture {
    Capture {
        at: after.at.or(before.at),
        camera: after.camera.clone().or_else(|| before.camera.clone()),
        lens: after.lens.clone().or_else(|| before.lens.clone()),
    }
}
