//! Photos: taking in, finding, indexing, removing.

pub mod albums;
mod appearance;
pub(crate) mod counters;
pub(crate) mod focus;
pub mod library_retention;
pub mod redactions;
pub mod stacks;
pub mod trash;
pub(crate) mod visibility;

mod captures;
mod downloads;
mod names;
mod outdated;
mod queries;
mod removal;
mod replacement;
mod unfocused;
mod unrendered;

use domain::events::Indexing;
use domain::events::publication::Publication;
use domain::operations::runtime::texts::folded;
use domain::photos::appearance::Appearance;
use domain::photos::captures::{Capture, name_key};
use domain::photos::failures::{FailureCause, PhotoFailure};
use domain::photos::pixels::Color;
use domain::photos::versions::stem_key;
use domain::photos::{ImageFormat, MediaKey, Photo, PhotoStatus};
use domain::{EventId, PhotoId, Timestamp, UserId};

use crate::faces::{self, NewFace, Owned, index};
use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::encode;
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::{execute, fetch_one, fetch_optional};
use crate::photos::counters::{Collected, Counted, Counts};
use crate::statistics::activity;
use crate::{Executor, Result, Tx};

pub use appearance::{measure, unmeasured};
pub use captures::{describe, place, undescribed};
pub use downloads::add_downloads;
pub use names::{Named, fold, unfolded};
pub use outdated::{
    count_described, count_described_of, count_outdated, described, finish_describing, mark_current,
    mark_outdated, outdated, pack, skip_outdated,
};
pub use queries::{
    Order, PhotoQuery, UploaderFilter, by_hash, by_hashes, by_id, by_ids, count, failed, known_keys,
    media_key, page, search, search_ids, served, served_key, unready,
};
pub(crate) use removal::lock_many;
pub use removal::{Collection, batch, delete_many, ids};
pub use replacement::{
    Former, Replaced, by_former_hash, by_former_hashes, is_former_of_returning, namesakes, replace,
};
pub use unfocused::{refocus, unfocused};
pub use unrendered::{finish_rendering, unrendered};

/// The columns of a photo, or, with the table of the albums' photos, of a deleted one.
macro_rules! columns {
    () => {
        $crate::photos::columns!("album_photos")
    };
    ($albums:literal) => {
        concat!(
            "id, owner_id, event_id, uploader_id, media_key, content_hash, crc32, original_filename, format, size_bytes, width, height,
         status, failure_cause, failure, faces, focus_x, focus_y, average_color, preview_bytes, preview_crc32, medium_bytes,
         not_me_reports, downloads, hearts, sharpness, stack_id, stack_place, hidden, held, captured_at, camera, lens, artist, copyright, created_at,
         (SELECT string_agg(album_id, ' ' ORDER BY album_id) FROM ",
            $albums,
            " WHERE photo_id = id) AS albums"
        )
    };
}
pub(crate) use columns;

macro_rules! select {
    ($rest:literal) => {
        concat!("SELECT ", $crate::photos::columns!(), " FROM photos ", $rest)
    };
}
pub(crate) use select;

/// What became of a new photo.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Inserted {
    /// It is there.
    Added,
    /// The same bytes are in the same event, or library; nothing has changed.
    Duplicate(Photo),
    /// Its event is deleted, being deleted, or another photographer's; nothing has changed.
    EventClosed,
}

row! {
    pub(crate) struct PhotoRow {
        id: String,
        owner_id: String,
        event_id: Option<String>,
        uploader_id: Option<String>,
        media_key: String,
        content_hash: Vec<u8>,
        crc32: Option<i64>,
        original_filename: String,
        format: String,
        size_bytes: i64,
        width: i64,
        height: i64,
        status: String,
        failure_cause: Option<String>,
        failure: Option<String>,
        faces: i64,
        focus_x: Option<i64>,
        focus_y: Option<i64>,
        average_color: Option<i64>,
        preview_bytes: Option<i64>,
        preview_crc32: Option<i64>,
        medium_bytes: Option<i64>,
        not_me_reports: i64,
        downloads: i64,
        hearts: i64,
        sharpness: Option<i64>,
        stack_id: Option<String>,
        stack_place: Option<i64>,
        hidden: bool,
        held: Option<i64>,
        captured_at: i64,
        camera: Option<String>,
        lens: Option<String>,
        artist: Option<String>,
        copyright: Option<String>,
        created_at: i64,
        albums: Option<String>,
    }
}

impl FromColumns for Photo {
    type Columns = PhotoRow;

    fn from_columns(row: PhotoRow) -> Result<Self> {
        let failure = match row.failure_cause.as_deref() {
            Some(cause) => Some(PhotoFailure {
                cause: decode::known(FailureCause::from_stored(cause), "photos.failure_cause")?,
                reason: row.failure.unwrap_or_default(),
            }),
            None => None,
        };
        Ok(Self {
            id: decode::id(&row.id, "photos.id")?,
            owner: decode::id(&row.owner_id, "photos.owner_id")?,
            event: decode::optional_id(row.event_id.as_deref(), "photos.event_id")?,
            uploader: decode::optional_id(row.uploader_id.as_deref(), "photos.uploader_id")?,
            key: MediaKey::from_trusted(row.media_key),
            content_hash: decode::hash(&row.content_hash, "photos.content_hash")?,
            crc32: decode::crc32(row.crc32, "photos.crc32")?,
            original_filename: row.original_filename,
            format: decode::known(ImageFormat::from_media_type(&row.format), "photos.format")?,
            size_bytes: row.size_bytes,
            width: row.width,
            height: row.height,
            status: decode::known(PhotoStatus::from_stored(&row.status), "photos.status")?,
            failure,
            faces: row.faces,
            focus: decode::focus(row.focus_x, row.focus_y, "photos.focus_x")?,
            average_color: decode::color(row.average_color, "photos.average_color")?,
            preview_bytes: row.preview_bytes,
            preview_crc32: decode::crc32(row.preview_crc32, "photos.preview_crc32")?,
            medium_bytes: row.medium_bytes,
            not_me_reports: row.not_me_reports,
            albums: decode::ids(row.albums.as_deref(), "album_photos.album_id")?,
            downloads: row.downloads,
            hearts: row.hearts,
            sharpness: decode::sharpness(row.sharpness, "photos.sharpness")?,
            stack: decode::stack(row.stack_id.as_deref(), row.stack_place, "photos.stack_id")?,
            hidden: row.hidden,
            held: row.held.is_some(),
            capture: Capture {
                at: decode::capture(row.captured_at),
                camera: row.camera,
                lens: row.lens,
                artist: row.artist,
                copyright: row.copyright,
            },
            created_at: Timestamp::from_millis(row.created_at),
        })
    }
}

impl FromColumns for Indexing {
    type Columns = (i64, i64, i64);

    fn from_columns((indexed, failed, total): (i64, i64, i64)) -> Result<Self> {
        Ok(Self { indexed, failed, total })
    }
}

/// Within which a photo's bytes are unique: its event, or its owner's library.
fn collection_of(owner: UserId, event: Option<EventId>) -> String {
    event.map_or_else(|| owner.to_string(), |event| event.to_string())
}

/// Inserts a photo, unless its event is closed or has the same bytes: of two concurrent uploads, the second finds the
/// first. Its status and number of faces are those of a new one, whatever `photo` has. [`count_insertion`] is to follow
/// before the end of the transaction, and holds it where the event holds photos.
pub async fn insert(tx: &mut Tx, photo: &Photo) -> Result<Inserted> {
    if let Some(event) = photo.event
        && !is_open(tx, event, photo.owner).await?
    {
        return Ok(Inserted::EventClosed);
    }
    // The update changes nothing. It makes the statement answer the row that is there, and wait for one on its way.
    let stored = fetch_one!(
        tx,
        Photo,
        concat!(
            "INSERT INTO photos (id, owner_id, event_id, collection, media_key, content_hash, crc32, original_filename,
                 format, size_bytes, width, height, status, average_color, captured_at, camera, lens, name_key, described, created_at, uploader_id,
                 name_fold, name_stem, artist, copyright)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, TRUE, $19, $20, $21, $22, $23, $24)
             ON CONFLICT (collection, content_hash) DO UPDATE SET content_hash = excluded.content_hash RETURNING ",
            columns!()
        ),
        photo.id,
        photo.owner,
        photo.event,
        collection_of(photo.owner, photo.event),
        photo.key,
        photo.content_hash,
        photo.crc32.map(i64::from),
        photo.original_filename,
        photo.format,
        photo.size_bytes,
        photo.width,
        photo.height,
        PhotoStatus::Processing,
        photo.average_color.map(|color| i64::from(color.number())),
        encode::capture(photo.capture.at),
        photo.capture.camera.as_deref(),
        photo.capture.lens.as_deref(),
        name_key(&photo.original_filename),
        photo.created_at,
        photo.uploader,
        folded(&photo.original_filename),
        stem_key(&photo.original_filename),
        photo.capture.artist.as_deref(),
        photo.capture.copyright.as_deref(),
    )?;
    if stored.id != photo.id {
        return Ok(Inserted::Duplicate(stored));
    }
    Ok(Inserted::Added)
}

/// Counts a photo that the transaction has inserted. The event, or for a photo of the library the owner, is locked from
/// here on: what else an upload writes comes before it, but for what is about the owner's row. False when the event was
/// closed meanwhile; then the transaction is to be dropped, so that a deletion misses no photo.
pub async fn count_insertion(tx: &mut Tx, photo: &Photo) -> Result<bool> {
    if let Some(event) = photo.event
        && !count_upload(tx, event, photo).await?
    {
        return Ok(false);
    }
    activity::count_upload(tx, photo.event, photo.owner, photo.created_at).await?;
    if photo.event.is_none() {
        let change = Counts { photos: 1, bytes: photo.size_bytes, ..Counts::default() };
        counters::add(tx, Collected::Library(photo.owner), change).await?;
    }
    Ok(true)
}

pub(crate) async fn is_open(tx: &mut Tx, event: EventId, owner: UserId) -> Result<bool> {
    let statement = "SELECT id FROM events WHERE id = $1 AND owner_id = $2 AND deleting_since IS NULL AND deleted_at IS NULL";
    let open = fetch_optional!(tx, String, statement, event, owner)?;
    Ok(open.is_some())
}

async fn count_upload(tx: &mut Tx, event: EventId, photo: &Photo) -> Result<bool> {
    // Whether it is held is decided here, where changes of that wait for each other.
    let counted = fetch_optional!(
        &mut *tx,
        visibility::Arrival,
        "UPDATE events SET photos_uploaded = photos_uploaded + 1, photos_stored = photos_stored + 1,
             bytes_stored = bytes_stored + $3,
             last_hold = last_hold + CASE publication WHEN 'held' THEN 1 ELSE 0 END,
             photos_held = photos_held + CASE publication WHEN 'held' THEN 1 ELSE 0 END,
             uploads_held = uploads_held + CASE publication WHEN 'held' THEN 1 ELSE 0 END,
             last_upload_at = CASE WHEN last_upload_at > $2 THEN last_upload_at ELSE $2 END,
             retained_from = CASE WHEN retained_from > $2 THEN retained_from ELSE $2 END
         WHERE id = $1 AND deleting_since IS NULL AND deleted_at IS NULL RETURNING publication, last_hold",
        event,
        photo.created_at,
        photo.size_bytes,
    )?;
    let Some(visibility::Arrival { publication, last_hold }) = counted else { return Ok(false) };
    if publication == Publication::Held {
        visibility::hold(tx, photo.id, last_hold).await?;
    }
    Ok(true)
}

/// How far indexing is over all photos of an owner that can be searched: the library and every open event.
pub async fn indexing(db: &dyn Executor, owner: UserId) -> Result<Indexing> {
    fetch_one!(
        db,
        Indexing,
        "SELECT CAST(COALESCE(SUM(indexed), 0) AS BIGINT), CAST(COALESCE(SUM(failed), 0) AS BIGINT),
             CAST(COALESCE(SUM(total), 0) AS BIGINT)
         FROM (
             SELECT photos_indexed AS indexed, photos_failed AS failed, photos_stored AS total FROM events
             WHERE owner_id = $1 AND deleting_since IS NULL AND deleted_at IS NULL
             UNION ALL SELECT library_indexed, library_failed, library_photos FROM users WHERE id = $1
         ) AS collections",
        owner,
    )
}

/// What indexing made of a photo.
#[derive(Clone, Copy, Debug)]
pub struct Indexed<'a> {
    /// The model pack that detected the faces.
    pub pack: &'a str,
    /// The average color of the picture.
    pub average_color: Color,
    /// The size of the preview.
    pub preview_bytes: i64,
    /// CRC-32 of the preview's bytes.
    pub preview_crc32: u32,
    /// The size of the rendition of medium size.
    pub medium_bytes: i64,
    /// What was measured of the picture.
    pub appearance: Option<&'a Appearance>,
    /// The faces.
    pub faces: &'a [NewFace],
}

/// Marks a photo as ready, stores what is known of its picture, and replaces its faces. Answers the status that it had.
/// None when the photo is deleted; then the transaction is to be dropped.
pub async fn finish_indexing(tx: &mut Tx, id: PhotoId, indexed: &Indexed<'_>) -> Result<Option<PhotoStatus>> {
    let Indexed { pack, average_color, preview_bytes, preview_crc32, medium_bytes, appearance, faces } =
        *indexed;
    let Some(before) = counters::lock(tx, id).await? else { return Ok(None) };
    let Counted { event, owner, status, .. } = before;
    let count = i64::try_from(faces.len()).unwrap_or(i64::MAX);
    let after = Counted { status: PhotoStatus::Ready, outdated: false, faces: count, ..before };
    let change = after.counts() - before.counts();
    // The event before the owner, as everywhere: both rows stay locked until the end.
    let event_change = match event {
        Some(event) => index::extend_event(tx, event, change).await?,
        None => 0,
    };
    let updated = execute!(
        tx,
        "UPDATE photos SET status = $2, failure_cause = NULL, failure = NULL, faces = $3, pack = $4, outdated = FALSE,
             average_color = $5, preview_bytes = $6, preview_crc32 = $7, medium_bytes = $8 WHERE id = $1",
        id,
        PhotoStatus::Ready,
        count,
        pack,
        i64::from(average_color.number()),
        preview_bytes,
        i64::from(preview_crc32),
        medium_bytes,
    )?;
    if updated == 0 {
        return Ok(None);
    }
    faces::replace(tx, &Owned { photo: id, event, owner, event_change }, pack, faces).await?;
    focus::update(tx, &[id]).await?;
    if let Some(appearance) = appearance {
        appearance::store(tx, id, appearance).await?;
    }
    if event.is_none() {
        counters::add(tx, Collected::Library(owner), change).await?;
    }
    Ok(Some(status))
}

/// Marks a photo that waits for its indexing as one that cannot be indexed. False when it is deleted, or was indexed
/// before: its faces stay then.
pub async fn fail_indexing(tx: &mut Tx, id: PhotoId, failure: &PhotoFailure) -> Result<bool> {
    let Some(before) = counters::lock(tx, id).await? else { return Ok(false) };
    if before.status == PhotoStatus::Ready {
        return Ok(false);
    }
    set_status(tx, id, &before, PhotoStatus::Failed, Some(failure)).await?;
    Ok(true)
}

/// Resets a photo whose indexing failed, to be indexed again; false when it is deleted or did not fail.
pub async fn retry_indexing(tx: &mut Tx, id: PhotoId) -> Result<bool> {
    let Some(before) = counters::lock(tx, id).await? else { return Ok(false) };
    if before.status != PhotoStatus::Failed {
        return Ok(false);
    }
    set_status(tx, id, &before, PhotoStatus::Processing, None).await?;
    Ok(true)
}

/// Changes the status of a photo that the transaction has locked.
async fn set_status(
    tx: &mut Tx,
    id: PhotoId,
    before: &Counted,
    status: PhotoStatus,
    failure: Option<&PhotoFailure>,
) -> Result<()> {
    execute!(
        &mut *tx,
        "UPDATE photos SET status = $2, failure_cause = $3, failure = $4 WHERE id = $1",
        id,
        status,
        failure.map(|failure| failure.cause.as_str()),
        failure.map(|failure| failure.reason.as_str()),
    )?;
    let after = Counted { status, ..*before };
    counters::add(tx, before.collection(), after.counts() - before.counts()).await
}

/// Gives a photo of an event another name; false when the event has no such photo, or it was deleted.
pub async fn rename(tx: &mut Tx, event: EventId, id: PhotoId, filename: &str) -> Result<bool> {
    let renamed = execute!(
        tx,
        "UPDATE photos SET original_filename = $3, name_key = $4, name_fold = $5, name_stem = $6 WHERE id = $1 AND event_id = $2",
        id,
        event,
        filename,
        name_key(filename),
        folded(filename),
        stem_key(filename),
    )?;
    Ok(renamed == 1)
}

/// Sets the CRC-32 of an original that was uploaded before it was stored. Another one that takes its place meanwhile keeps its
/// own; so do previews below.
pub async fn set_crc32(db: &dyn Executor, original: &MediaKey, crc32: u32) -> Result<()> {
    execute!(db, "UPDATE photos SET crc32 = $2 WHERE media_key = $1", original, i64::from(crc32))?;
    Ok(())
}

/// Sets size and checksum of the preview of a photo that was indexed before these were stored, unless it was indexed again since.
pub async fn describe_preview(db: &dyn Executor, original: &MediaKey, bytes: i64, crc32: u32) -> Result<()> {
    execute!(
        db,
        "UPDATE photos SET preview_bytes = $2, preview_crc32 = $3 WHERE media_key = $1 AND preview_crc32 IS NULL",
        original,
        bytes,
        i64::from(crc32),
    )?;
    Ok(())
}

/// Sets the size of the preview of a photo that was indexed before it was stored.
pub async fn set_preview_bytes(db: &dyn Executor, original: &MediaKey, bytes: i64) -> Result<()> {
    execute!(db, "UPDATE photos SET preview_bytes = $2 WHERE media_key = $1", original, bytes)?;
    Ok(())
}
