//! Replacing a photo's file by an edited version: the photo stays, with its place, its album and what guests did with it.

use domain::operations::runtime::texts::folded;
use domain::photos::captures::Capture;
use domain::photos::versions::{Namesakes, stem_key};
use domain::photos::{ContentHash, MediaKey, Photo, PhotoStatus};
use domain::{EventId, PhotoId, Timestamp, UserId};

use super::{by_hash, by_id, collection_of, is_open, select};
use crate::faces::{index, people};
use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::encode;
use crate::operations::runtime::statements::{LIST_LIMIT, Statement, execute, fetch_optional};
use crate::photos::appearance;
use crate::photos::counters::{self, Counted};
use crate::{Db, Executor, Result, Tx};

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

impl FromColumns for Namesakes {
    type Columns = (String, i64, String, i64);

    fn from_columns((name, photos, first, uploaded_at): (String, i64, String, i64)) -> Result<Self> {
        Ok(Self {
            name,
            photos,
            first: decode::id(&first, "photos.id")?,
            uploaded_at: Timestamp::from_millis(uploaded_at),
        })
    }
}

/// The photos of an event, or of the library, whose files' names differ from one of these in case, in how accents are written
/// or in their endings at most, or those of them that a member has uploaded, in no order. Some others may be among them.
pub async fn namesakes(
    db: &Db,
    owner: UserId,
    event: Option<EventId>,
    uploader: Option<UserId>,
    filenames: &[String],
) -> Result<Vec<Namesakes>> {
    let mut keys: Vec<String> =
        filenames.iter().flat_map(|name| [stem_key(name), folded(name), name.clone()]).collect();
    keys.sort_unstable();
    keys.dedup();
    let mut found = Vec::new();
    for keys in keys.chunks(LIST_LIMIT) {
        let mut statement = Statement::built(
            "SELECT original_filename, COUNT(*), MIN(id), MIN(created_at) FROM photos WHERE owner_id = ",
        );
        statement.push_bind(owner).push(" AND COALESCE(name_stem, name_fold, original_filename) IN ");
        statement.push_list(keys);
        // The functions keep an engine without statistics from the index on the whole collection.
        statement.push(" AND COALESCE(collection, '') = ").push_bind(collection_of(owner, event));
        if let Some(uploader) = uploader {
            statement.push(" AND COALESCE(uploader_id, '') = ").push_bind(uploader);
        }
        statement.push(" GROUP BY original_filename");
        found.extend(statement.fetch_all::<Namesakes>(db.reader()).await?);
    }
    Ok(found)
}

/// The photo of an event, or of the library, that had these bytes before it was replaced by another version.
pub async fn by_former_hash(
    db: &dyn Executor,
    owner: UserId,
    event: Option<EventId>,
    hash: &ContentHash,
) -> Result<Option<Photo>> {
    fetch_optional!(
        db,
        Photo,
        select!(
            "WHERE id IN (SELECT photo_id FROM replaced_files WHERE content_hash = $1)
                 AND COALESCE(collection, '') = $2 AND COALESCE(owner_id, '') = $3 ORDER BY id LIMIT 1"
        ),
        hash,
        collection_of(owner, event),
        owner,
    )
}

/// Whether a photo that had these bytes before it was replaced is on its way back from the trash with its event.
pub async fn is_former_of_returning(db: &dyn Executor, event: EventId, hash: &ContentHash) -> Result<bool> {
    let found = fetch_optional!(
        db,
        PhotoId,
        "SELECT photo_id FROM trashed_replaced_files
         WHERE content_hash = $1
             AND (SELECT 1 FROM trashed_photos
                  JOIN events ON events.id = event_id
                  WHERE trashed_photos.id = photo_id AND event_id = $2 AND restoring_since = trashed_at) IS NOT NULL
         LIMIT 1",
        hash,
        event,
    )?;
    Ok(found.is_some())
}

/// Bytes that a photo had before it was replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Former {
    /// The hash of the bytes.
    pub hash: ContentHash,
    /// The photo.
    pub photo: PhotoId,
}

impl FromColumns for Former {
    type Columns = (Vec<u8>, String);

    fn from_columns((hash, photo): (Vec<u8>, String)) -> Result<Self> {
        Ok(Self {
            hash: decode::hash(&hash, "replaced_files.content_hash")?,
            photo: decode::id(&photo, "replaced_files.photo_id")?,
        })
    }
}

/// Those of the hashes that photos of an event, or of the library, had before they were replaced, in no order.
pub async fn by_former_hashes(
    db: &Db,
    owner: UserId,
    event: Option<EventId>,
    hashes: &[ContentHash],
) -> Result<Vec<Former>> {
    let mut found = Vec::new();
    for hashes in hashes.chunks(LIST_LIMIT) {
        let mut statement =
            Statement::built("SELECT content_hash, photo_id FROM replaced_files WHERE content_hash IN ");
        statement.push_list(hashes);
        // Not `EXISTS`, which PostgreSQL may turn into a join that reads the whole table.
        statement.push(" AND (SELECT 1 FROM photos WHERE id = photo_id AND COALESCE(collection, '') = ");
        statement.push_bind(collection_of(owner, event)).push(" AND COALESCE(owner_id, '') = ");
        statement.push_bind(owner).push(") IS NOT NULL");
        found.extend(statement.fetch_all::<Former>(db.reader()).await?);
    }
    Ok(found)
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
    forget_places(tx, photo.id).await?;
    // Each once: a photo may go back and forth between two versions.
    execute!(
        &mut *tx,
        "INSERT INTO replaced_files (photo_id, content_hash, replaced_at) VALUES ($1, $2, $3)
         ON CONFLICT (photo_id, content_hash) DO UPDATE SET replaced_at = excluded.replaced_at",
        photo.id,
        stored.content_hash,
        at,
    )?;
    appearance::forget(tx, photo.id).await?;
    let capture = kept(&stored.capture, &photo.capture);
    let updated = execute!(
        &mut *tx,
        "UPDATE photos SET media_key = $2, content_hash = $3, crc32 = $4, format = $5, size_bytes = $6, width = $7,
             height = $8, status = $9, failure_cause = NULL, failure = NULL, faces = 0, focus_x = NULL, focus_y = NULL, cover_rank = NULL, pack = NULL, outdated = FALSE,
             average_color = $10, sharpness = NULL, stack_id = NULL, stack_place = NULL, stack_due = FALSE, preview_bytes = NULL, preview_crc32 = NULL, medium_bytes = NULL,
             captured_at = $11, camera = $12, lens = $13, artist = $14, copyright = $15, described = TRUE
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
        capture.artist.as_deref(),
        capture.copyright.as_deref(),
    );
    match updated {
        // Of a library, which has no row to lock, another transaction has inserted these bytes since the look above.
        Err(error) if error.is_unique_violation() => return Ok(Replaced::Changed),
        answer => answer?,
    };
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

/// Takes the place from those who are not to be found and were in the file before: who is there in the new one may be somebody else.
/// That they were in the photo stays, so that results of before do not show it. What was decided against them stays as it is: nothing
/// is learned from it.
async fn forget_places(tx: &mut Tx, photo: PhotoId) -> Result<()> {
    execute!(
        tx,
        "UPDATE objection_faces SET x = 0, y = 0, width = 0, height = 0
         WHERE photo_id = $1 AND NOT overruled
             AND (SELECT choice FROM objections WHERE objections.id = objection_id) = 'stop_finding'",
        photo,
    )?;
    Ok(())
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
        artist: after.artist.clone().or_else(|| before.artist.clone()),
        copyright: after.copyright.clone().or_else(|| before.copyright.clone()),
    }
}
