//! Photos of events that are alike.

use domain::events::covers::CLEAR;
use domain::photos::appearance::{Look, Sharpness};
use domain::photos::stacks::{Faces, Shot, Stack};
use domain::photos::{MediaKey, PhotoStatus};
use domain::{EventId, PhotoId, Timestamp};

use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::encode::cursor;
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::{execute, fetch_all, fetch_one};
use crate::{Executor, Result, Tx};

/// What of a photo is compared.
#[derive(Clone, Debug)]
pub struct Compared {
    /// The key of the original that was measured.
    pub key: MediaKey,
    /// What is compared.
    pub shot: Shot,
}

row! {
    pub(crate) struct ComparedRow {
        id: String,
        media_key: String,
        captured_at: i64,
        look: Vec<u8>,
        sharpness: i64,
        stack_chosen: bool,
        faces: i64,
        clear: i64,
        score: f64,
    }
}

impl FromColumns for Compared {
    type Columns = ComparedRow;

    fn from_columns(row: ComparedRow) -> Result<Self> {
        let shot = Shot {
            id: decode::id(&row.id, "photos.id")?,
            at: decode::capture(row.captured_at),
            look: decode::known(Look::new(row.look), "photo_looks.look")?,
            sharpness: decode::known(Sharpness::from_thousandths(row.sharpness), "photos.sharpness")?,
            faces: Faces { all: row.faces, clear: row.clear, score: row.score },
            is_chosen: row.stack_chosen,
        };
        Ok(Self { key: MediaKey::from_trusted(row.media_key), shot })
    }
}

/// Open events whose photos are put together and that have new ones, once no photo waits for its indexing, or the last one was
/// uploaded before `since`.
pub async fn due(db: &dyn Executor, since: Timestamp) -> Result<Vec<EventId>> {
    fetch_all!(
        db,
        EventId,
        "SELECT id FROM events WHERE stacks_photos AND deleting_since IS NULL AND deleted_at IS NULL
             AND (photos_indexed + photos_failed >= photos_stored OR last_upload_at <= $1)
             AND EXISTS (SELECT 1 FROM photos WHERE photos.event_id = events.id AND stack_due)
         ORDER BY id",
        since,
    )
}

/// The measured photos of an event, by their ids, from the one after `after`.
pub async fn compared(
    db: &dyn Executor,
    event: EventId,
    after: Option<PhotoId>,
    limit: i64,
) -> Result<Vec<Compared>> {
    fetch_all!(
        db,
        Compared,
        "SELECT photos.id AS id, media_key, captured_at, look, sharpness, stack_chosen,
             (SELECT COUNT(*) FROM faces WHERE photo_id = photos.id) AS faces,
             (SELECT COUNT(*) FROM faces WHERE photo_id = photos.id AND score >= $5
                  AND (blurred IS NULL OR NOT blurred)) AS clear,
             (SELECT COALESCE(AVG(score), 0.0) FROM faces WHERE photo_id = photos.id) AS score
         FROM photos JOIN photo_looks ON photo_looks.photo_id = photos.id
         WHERE event_id = $1 AND photos.id > $2 AND sharpness IS NOT NULL AND status = $3 ORDER BY photos.id LIMIT $4",
        event,
        cursor(after),
        PhotoStatus::Ready,
        limit,
        CLEAR,
    )
}

/// Puts photos into stacks, or out of them, and records that they were compared with the others of their event; one whose place
/// another file has taken since stays as it is.
pub async fn put(tx: &mut Tx, placed: &[(MediaKey, Option<Stack>)]) -> Result<()> {
    for (original, stack) in placed {
        execute!(
            &mut *tx,
            "UPDATE photos SET stack_id = $2, stack_place = $3, stack_due = FALSE WHERE media_key = $1
                 AND (stack_due OR stack_id IS DISTINCT FROM $2 OR stack_place IS DISTINCT FROM $3)",
            original,
            stack.map(|stack| stack.id),
            stack.map(|stack| stack.place),
        )?;
    }
    Ok(())
}

/// The photos of an event that somebody has chosen to stand for their stacks, in the order of their ids.
pub async fn chosen(db: &dyn Executor, event: EventId) -> Result<Vec<PhotoId>> {
    fetch_all!(db, PhotoId, "SELECT id FROM photos WHERE event_id = $1 AND stack_chosen ORDER BY id", event)
}

/// How many photos of an event stand behind others of their stacks: without them there is one of each.
pub async fn behind(db: &dyn Executor, event: EventId) -> Result<i64> {
    fetch_one!(
        db,
        i64,
        "SELECT COUNT(*) - COUNT(DISTINCT stack_id) FROM photos WHERE event_id = $1 AND stack_id IS NOT NULL",
        event,
    )
}

/// Has a photo stand for its stack; false when it is of none, and nothing has changed.
pub async fn choose(tx: &mut Tx, photo: PhotoId) -> Result<bool> {
    let chosen = execute!(
        &mut *tx,
        "UPDATE photos SET stack_chosen = (id = $1), stack_place = CASE WHEN id = $1 THEN 0 ELSE stack_place + 1 END
         WHERE stack_id = (SELECT stack_id FROM photos WHERE id = $1)",
        photo,
    )?;
    Ok(chosen > 0)
}

/// Takes all photos of an event out of their stacks, and has them compared again where it puts them together.
pub async fn begin_again(tx: &mut Tx, event: EventId) -> Result<()> {
    execute!(
        tx,
        "UPDATE photos SET stack_id = NULL, stack_place = NULL, stack_due = (sharpness IS NOT NULL) WHERE event_id = $1",
        event,
    )?;
    Ok(())
}
