//! Photos that guests have added, until they are let in or declined. One that was let in keeps its row for as long as the photo
//! that it became, so that whoever sent it sees that, and the photographer who did.

use domain::accounts::tokens::TokenHash;
use domain::guests::guest_photos::{GuestPhoto, Room, Waiting};
use domain::photos::captures::Capture;
use domain::photos::{ContentHash, ImageFormat, MediaKey, Photo, PhotoStatus};
use domain::{EventId, Job, PhotoId, Timestamp, UserId};

use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::encode;
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::{
    LIST_LIMIT, Statement, execute, fetch_all, fetch_one, fetch_optional,
};
use crate::{Db, Engine, Executor, Result, Tx};

macro_rules! select {
    ($rest:expr) => {
        concat!(
            "SELECT guest_photos.id, owner_id, event_id, device, guest_photos.name, media_key, content_hash, crc32, original_filename,
                 format, size_bytes, width, height, average_color, preview_bytes, medium_bytes, captured_at, camera, lens, artist,
                 copyright, guest_photos.created_at, warned_at, became
             FROM guest_photos JOIN events ON events.id = event_id ",
            $rest
        )
    };
}

row! {
    pub(crate) struct GuestPhotoRow {
        id: String,
        owner_id: String,
        event_id: String,
        device: Vec<u8>,
        name: Option<String>,
        media_key: String,
        content_hash: Vec<u8>,
        crc32: i64,
        original_filename: String,
        format: String,
        size_bytes: i64,
        width: i64,
        height: i64,
        average_color: Option<i64>,
        preview_bytes: i64,
        medium_bytes: i64,
        captured_at: i64,
        camera: Option<String>,
        lens: Option<String>,
        artist: Option<String>,
        copyright: Option<String>,
        created_at: i64,
        warned_at: Option<i64>,
        became: Option<String>,
    }
}

impl FromColumns for GuestPhoto {
    type Columns = GuestPhotoRow;

    fn from_columns(row: GuestPhotoRow) -> Result<Self> {
        let event = decode::id(&row.event_id, "guest_photos.event_id")?;
        let photo = Photo {
            id: decode::id(&row.id, "guest_photos.id")?,
            owner: decode::id(&row.owner_id, "events.owner_id")?,
            event: Some(event),
            uploader: None,
            key: MediaKey::from_trusted(row.media_key),
            content_hash: decode::hash(&row.content_hash, "guest_photos.content_hash")?,
            crc32: decode::crc32(Some(row.crc32), "guest_photos.crc32")?,
            original_filename: row.original_filename,
            format: decode::known(ImageFormat::from_media_type(&row.format), "guest_photos.format")?,
            size_bytes: row.size_bytes,
            width: row.width,
            height: row.height,
            status: PhotoStatus::Ready,
            failure: None,
            faces: 0,
            focus: None,
            average_color: decode::color(row.average_color, "guest_photos.average_color")?,
            preview_bytes: Some(row.preview_bytes),
            preview_crc32: None,
            medium_bytes: Some(row.medium_bytes),
            not_me_reports: 0,
            albums: Vec::new(),
            downloads: 0,
            hearts: 0,
            sharpness: None,
            stack: None,
            hidden: false,
            held: false,
            capture: Capture {
                at: decode::capture(row.captured_at),
                camera: row.camera,
                lens: row.lens,
                artist: row.artist,
                copyright: row.copyright,
            },
            created_at: Timestamp::from_millis(row.created_at),
        };
        Ok(Self {
            photo,
            event,
            device: decode::hash(&row.device, "guest_photos.device")?,
            name: row.name,
            warned_at: decode::time(row.warned_at),
            became: decode::optional_id(row.became.as_deref(), "guest_photos.became")?,
        })
    }
}

/// What decides whether a device may add one more photo to an event. Exact for whoever has locked the event, but for what waits in
/// all events: others may add to theirs at the same moment.
pub async fn room(db: &dyn Executor, event: EventId, device: &TokenHash) -> Result<Room> {
    let of_device = fetch_one!(
        db,
        i64,
        "SELECT COUNT(*) FROM guest_photos WHERE event_id = $1 AND device = $2",
        event,
        *device,
    )?;
    let of_event = fetch_one!(
        db,
        Waiting,
        "SELECT COUNT(*), CAST(COALESCE(SUM(stored_bytes), 0) AS BIGINT) FROM guest_photos WHERE event_id = $1 AND became IS NULL",
        event,
    )?;
    Ok(Room { of_device, of_event, of_all: waiting_altogether(db).await? })
}

/// What waits in all events.
pub async fn waiting_altogether(db: &dyn Executor) -> Result<Waiting> {
    fetch_one!(
        db,
        Waiting,
        "SELECT COUNT(*), CAST(COALESCE(SUM(stored_bytes), 0) AS BIGINT) FROM guest_photos WHERE became IS NULL",
    )
}

impl FromColumns for Waiting {
    type Columns = (i64, i64);

    fn from_columns((photos, bytes): (i64, i64)) -> Result<Self> {
        Ok(Self { photos, bytes })
    }
}

/// How many photos wait in each of an owner's open events; events where none waits are left out.
pub async fn waiting_by_event(db: &dyn Executor, owner: UserId) -> Result<Vec<WaitingIn>> {
    fetch_all!(
        db,
        WaitingIn,
        "SELECT event_id, COUNT(*) FROM events JOIN guest_photos ON event_id = events.id
         WHERE owner_id = $1 AND deleting_since IS NULL AND deleted_at IS NULL AND became IS NULL
         GROUP BY event_id ORDER BY event_id",
        owner,
    )
}

/// What waits in one event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WaitingIn {
    /// Which event.
    pub event: EventId,
    /// How many photos.
    pub photos: i64,
}

impl FromColumns for WaitingIn {
    type Columns = (String, i64);

    fn from_columns((event, photos): (String, i64)) -> Result<Self> {
        Ok(Self { event: decode::id(&event, "guest_photos.event_id")?, photos })
    }
}

/// Inserts a photo that waits, whose files have `stored_bytes` together; false where the device has added these bytes before.
pub async fn insert(tx: &mut Tx, added: &GuestPhoto, stored_bytes: i64) -> Result<bool> {
    let photo = &added.photo;
    let inserted = execute!(
        tx,
        "INSERT INTO guest_photos (id, event_id, device, name, media_key, content_hash, crc32, original_filename, format, size_bytes,
             stored_bytes, width, height, average_color, preview_bytes, medium_bytes, captured_at, camera, lens, artist, copyright,
             created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22)
         ON CONFLICT (event_id, device, content_hash) DO NOTHING",
        photo.id,
        added.event,
        added.device,
        added.name.as_deref(),
        photo.key,
        photo.content_hash,
        i64::from(photo.crc32.unwrap_or_default()),
        photo.original_filename,
        photo.format,
        photo.size_bytes,
        stored_bytes,
        photo.width,
        photo.height,
        photo.average_color.map(|color| i64::from(color.number())),
        photo.preview_bytes.unwrap_or_default(),
        photo.medium_bytes.unwrap_or_default(),
        encode::capture(photo.capture.at),
        photo.capture.camera.as_deref(),
        photo.capture.lens.as_deref(),
        photo.capture.artist.as_deref(),
        photo.capture.copyright.as_deref(),
        photo.created_at,
    )?;
    Ok(inserted == 1)
}

/// A photo that a guest has added, whatever became of it.
pub async fn by_id(db: &dyn Executor, id: PhotoId) -> Result<Option<GuestPhoto>> {
    fetch_optional!(db, GuestPhoto, select!("WHERE guest_photos.id = $1"), id)
}

/// The photo with these bytes that a device has added to an event.
pub async fn by_hash(
    db: &dyn Executor,
    event: EventId,
    device: &TokenHash,
    hash: &ContentHash,
) -> Result<Option<GuestPhoto>> {
    let statement = select!("WHERE event_id = $1 AND device = $2 AND content_hash = $3");
    fetch_optional!(db, GuestPhoto, statement, event, *device, *hash)
}

/// What a device has added to an event, the newest first: what waits, and what was let in.
pub async fn of_device(db: &dyn Executor, event: EventId, device: &TokenHash) -> Result<Vec<GuestPhoto>> {
    let statement = select!("WHERE event_id = $1 AND device = $2 ORDER BY guest_photos.id DESC");
    fetch_all!(db, GuestPhoto, statement, event, *device)
}

/// What waits in an event, the oldest first.
pub async fn waiting(db: &dyn Executor, event: EventId) -> Result<Vec<GuestPhoto>> {
    let statement = select!("WHERE event_id = $1 AND became IS NULL ORDER BY guest_photos.id");
    fetch_all!(db, GuestPhoto, statement, event)
}

/// Those of these photos that wait, in no order.
pub async fn waiting_of(db: &Db, ids: &[PhotoId]) -> Result<Vec<GuestPhoto>> {
    let mut found = Vec::new();
    for ids in ids.chunks(LIST_LIMIT) {
        let mut statement = Statement::built(select!("WHERE became IS NULL AND guest_photos.id IN "));
        statement.push_list(ids);
        found.extend(statement.fetch_all::<GuestPhoto>(db.reader()).await?);
    }
    Ok(found)
}

/// A page of what waits in all events, after the photo `after`.
pub async fn page(db: &dyn Executor, after: Option<PhotoId>, limit: i64) -> Result<Vec<GuestPhoto>> {
    let statement =
        select!("WHERE became IS NULL AND guest_photos.id > $1 ORDER BY guest_photos.id LIMIT $2");
    fetch_all!(db, GuestPhoto, statement, after.map_or_else(String::new, |after| after.to_string()), limit)
}

/// Takes a photo that waits, for the transaction that makes it a photo of its event; false where it waits no more. Of two who
/// do so at once one takes it.
pub async fn take(tx: &mut Tx, id: PhotoId) -> Result<bool> {
    let taken = execute!(tx, "UPDATE guest_photos SET became = id WHERE id = $1 AND became IS NULL", id)?;
    Ok(taken == 1)
}

/// Says that a photo which the transaction has taken is one that had its bytes before.
pub async fn set_became(tx: &mut Tx, id: PhotoId, photo: PhotoId) -> Result<()> {
    execute!(tx, "UPDATE guest_photos SET became = $2 WHERE id = $1", id, photo)?;
    Ok(())
}

/// Deletes a photo that waits; false where it waits no more.
pub async fn delete_waiting(tx: &mut Tx, id: PhotoId) -> Result<bool> {
    Ok(execute!(tx, "DELETE FROM guest_photos WHERE id = $1 AND became IS NULL", id)? == 1)
}

/// What was added until `until`, waits still, and of which the photographer was told until `warned`, the oldest first. Nothing of
/// a deleted event is among it: what cannot be restored is [`left_behind`].
pub async fn due(
    db: &dyn Executor,
    until: Timestamp,
    warned: Timestamp,
    limit: i64,
) -> Result<Vec<GuestPhoto>> {
    let statement = select!(
        "WHERE became IS NULL AND guest_photos.created_at <= $1 AND warned_at <= $2
             AND deleting_since IS NULL AND deleted_at IS NULL
         ORDER BY guest_photos.created_at, guest_photos.id LIMIT $3"
    );
    fetch_all!(db, GuestPhoto, statement, until, warned, limit)
}

/// The events which are closed for good and to which photos were added until `until` that wait still.
pub async fn left_behind(db: &dyn Executor, until: Timestamp) -> Result<Vec<EventId>> {
    fetch_all!(
        db,
        EventId,
        "SELECT DISTINCT event_id FROM guest_photos JOIN events ON events.id = event_id
         WHERE became IS NULL AND guest_photos.created_at <= $1 AND deleting_since IS NOT NULL
             AND restorable_until IS NULL
         ORDER BY event_id",
        until,
    )
}

/// The open events with photos that were added until `until`, wait, and of which the photographer was not told, nor is about to be:
/// no mail is on its way, and none has failed since `failed`.
pub async fn to_warn(db: &dyn Executor, until: Timestamp, failed: Timestamp) -> Result<Vec<EventId>> {
    let mut events: Vec<EventId> = fetch_all!(
        db,
        EventId,
        "SELECT DISTINCT event_id FROM guest_photos JOIN events ON events.id = event_id
         WHERE became IS NULL AND warned_at IS NULL AND guest_photos.created_at <= $1 AND deleting_since IS NULL
             AND deleted_at IS NULL
         ORDER BY event_id",
        until,
    )?;
    if !events.is_empty() {
        let tried: Vec<String> = fetch_all!(
            db,
            String,
            "SELECT payload FROM jobs WHERE kind = 'warn_of_guest_photos' AND state = 'queued'
             UNION ALL
             SELECT payload FROM jobs
             WHERE kind = 'warn_of_guest_photos' AND state = 'failed' AND finished_at > $1",
            failed,
        )?;
        let tried: Vec<EventId> = tried.iter().filter_map(|payload| warned_by(payload)).collect();
        events.retain(|event| !tried.contains(event));
    }
    Ok(events)
}

fn warned_by(payload: &str) -> Option<EventId> {
    match serde_json::from_str(payload) {
        Ok(Job::WarnOfGuestPhotos { event }) => Some(event),
        _ => None,
    }
}

/// Records that the photographer was told at `now` of what waits in an event and was added until `until`.
pub async fn mark_warned(db: &dyn Executor, event: EventId, until: Timestamp, now: Timestamp) -> Result<()> {
    execute!(
        db,
        "UPDATE guest_photos SET warned_at = $3
         WHERE event_id = $1 AND became IS NULL AND warned_at IS NULL AND created_at <= $2",
        event,
        until,
        now,
    )?;
    Ok(())
}

/// Has the photographer warned anew of what waits in an event that is restored: for days nobody could decide about it.
pub(crate) async fn warn_again(tx: &mut Tx, event: EventId) -> Result<()> {
    execute!(tx, "UPDATE guest_photos SET warned_at = NULL WHERE event_id = $1 AND became IS NULL", event)?;
    Ok(())
}

/// Some of what guests have added to an event, whatever became of it; none when nothing is left.
pub async fn batch(db: &dyn Executor, event: EventId, limit: i64) -> Result<Vec<GuestPhoto>> {
    let statement = select!("WHERE event_id = $1 ORDER BY guest_photos.id LIMIT $2");
    fetch_all!(db, GuestPhoto, statement, event, limit)
}

/// The closed events of an owner, which cannot be restored, to which guests have added photos.
pub async fn closed_events(db: &dyn Executor, owner: UserId) -> Result<Vec<EventId>> {
    fetch_all!(
        db,
        EventId,
        "SELECT DISTINCT event_id FROM guest_photos JOIN events ON events.id = event_id
         WHERE owner_id = $1 AND deleting_since IS NOT NULL AND restorable_until IS NULL ORDER BY event_id",
        owner,
    )
}

/// Deletes rows of a closed event, and answers those that were still there. They are locked in the order of their ids: of two
/// who delete the same ones at once the second waits, and finds none.
pub async fn delete_many(tx: &mut Tx, ids: &[PhotoId]) -> Result<Vec<PhotoId>> {
    let mut deleted = Vec::with_capacity(ids.len());
    for ids in ids.chunks(LIST_LIMIT) {
        let mut statement = Statement::built("SELECT id FROM guest_photos WHERE id IN ");
        statement.push_list(ids);
        statement.push(" ORDER BY id");
        if tx.engine() == Engine::Postgres {
            statement.push(" FOR UPDATE");
        }
        let there: Vec<PhotoId> = statement.fetch_all(tx.writer()).await?;
        if there.is_empty() {
            continue;
        }
        let mut statement = Statement::built("DELETE FROM guest_photos WHERE id IN ");
        statement.push_list(&there);
        statement.execute(tx.writer()).await?;
        deleted.extend(there);
    }
    Ok(deleted)
}

/// Deletes rows of what was let in, whose photo is gone for good; answers their number.
pub async fn delete_without_photo(db: &dyn Executor) -> Result<u64> {
    execute!(
        db,
        "DELETE FROM guest_photos WHERE became IS NOT NULL
             AND NOT EXISTS (SELECT 1 FROM photos WHERE photos.id = became)
             AND NOT EXISTS (SELECT 1 FROM trashed_photos WHERE trashed_photos.id = became)",
    )
}

/// Those of the photos that came from guests, with what these are called.
pub async fn names(db: &Db, photos: &[PhotoId]) -> Result<Vec<(PhotoId, Option<String>)>> {
    let mut names = Vec::new();
    for photos in photos.chunks(LIST_LIMIT) {
        // A photo whose bytes several have sent is the first one's.
        let mut statement =
            Statement::built("SELECT became, name FROM guest_photos WHERE became = id AND became IN ");
        statement.push_list(photos);
        let rows: Vec<(String, Option<String>)> = statement.fetch_rows(db.reader()).await?;
        for (photo, name) in rows {
            names.push((decode::id(&photo, "guest_photos.became")?, name));
        }
    }
    Ok(names)
}
