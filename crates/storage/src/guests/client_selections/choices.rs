//! The photos that a client sees, and those that are marked.

use domain::guests::client_selections::{ClientSelection, Mark, Marked, Scope};
use domain::photos::Photo;
use domain::photos::captures::Place;
use domain::{AlbumId, ClientSelectionId, PhotoId, Timestamp, UserId};

use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::{LIST_LIMIT, Statement, execute, fetch_all, fetch_one};
use crate::photos::select;
use crate::{Executor, Result, Tx};

row! {
    pub(crate) struct MarkedRow {
        selection_id: String,
        photo_id: String,
        chosen: bool,
        comment: String,
    }
}

impl FromColumns for Marked {
    type Columns = MarkedRow;

    fn from_columns(row: MarkedRow) -> Result<Self> {
        Ok(Self {
            selection: decode::id(&row.selection_id, "client_choices.selection_id")?,
            photo: decode::id(&row.photo_id, "client_choices.photo_id")?,
            mark: Mark { chosen: row.chosen, comment: row.comment },
        })
    }
}

/// Marks a photo for a selection, both of which the transaction has locked. A mark that says nothing is none, but where the client
/// sees the photo by its mark alone, and could not make it again.
pub async fn mark(
    tx: &mut Tx,
    selection: &ClientSelection,
    photo: PhotoId,
    mark: &Mark,
    now: Timestamp,
) -> Result<()> {
    if mark.is_empty() && is_seen_without(tx, selection, photo).await? {
        execute!(
            tx,
            "DELETE FROM client_choices WHERE selection_id = $1 AND photo_id = $2",
            selection.id,
            photo,
        )?;
        return Ok(());
    }
    execute!(
        tx,
        "INSERT INTO client_choices (selection_id, photo_id, chosen, comment, marked_at) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (selection_id, photo_id)
             DO UPDATE SET chosen = excluded.chosen, comment = excluded.comment, marked_at = excluded.marked_at",
        selection.id,
        photo,
        mark.chosen,
        mark.comment,
        now,
    )?;
    Ok(())
}

/// Whether the client of a selection sees a photo that it has not marked.
async fn is_seen_without(tx: &mut Tx, selection: &ClientSelection, photo: PhotoId) -> Result<bool> {
    let album = match selection.scope {
        Scope::Event => return Ok(true),
        Scope::DeletedAlbum => return Ok(false),
        Scope::Album(album) => album,
    };
    let placed: i64 = fetch_one!(
        tx,
        i64,
        "SELECT COUNT(*) FROM album_photos WHERE album_id = $1 AND photo_id = $2",
        album,
        photo,
    )?;
    Ok(placed == 1)
}

/// How many of the photos that are chosen the client sees.
pub async fn chosen(db: &dyn Executor, selection: ClientSelectionId) -> Result<i64> {
    fetch_one!(
        db,
        i64,
        "SELECT COUNT(*) FROM client_choices
         WHERE selection_id = $1 AND chosen
             AND (SELECT 1 FROM photos WHERE id = photo_id AND COALESCE(status, '') = 'ready' AND NOT hidden) IS NOT NULL",
        selection,
    )
}

/// The marks on those of the photos that have one, in no order.
pub async fn marks(
    db: &dyn Executor,
    selection: ClientSelectionId,
    photos: &[PhotoId],
) -> Result<Vec<Marked>> {
    let mut marks = Vec::new();
    for photos in photos.chunks(LIST_LIMIT) {
        let mut statement = Statement::built(
            "SELECT selection_id, photo_id, chosen, comment FROM client_choices WHERE selection_id = ",
        );
        statement.push_bind(selection).push(" AND photo_id IN ").push_list(photos);
        marks.extend(statement.fetch_all::<Marked>(db.reader()).await?);
    }
    Ok(marks)
}

/// All marks of the selections of an account's events, those on deleted photos that can be restored too.
pub async fn marks_of_owner(db: &dyn Executor, owner: UserId) -> Result<Vec<Marked>> {
    fetch_all!(
        db,
        Marked,
        "SELECT selection_id, photo_id, chosen, comment
         FROM events JOIN client_selections ON event_id = events.id JOIN client_choices ON selection_id = client_selections.id
         WHERE owner_id = $1
         UNION ALL SELECT selection_id, photo_id, chosen, comment
         FROM events JOIN client_selections ON event_id = events.id
             JOIN trashed_client_choices ON selection_id = client_selections.id
         WHERE owner_id = $1",
        owner,
    )
}

/// Adds to a statement that its photos, of the selection's event, are those that the client sees.
fn push_scope(statement: &mut Statement, selection: &ClientSelection) {
    let album: Option<AlbumId> = match selection.scope {
        Scope::Event => return,
        Scope::Album(album) => Some(album),
        Scope::DeletedAlbum => None,
    };
    // Values for each photo: an engine that joins what they are looked for in sorts it.
    statement.push(" AND (");
    if let Some(album) = album {
        statement.push("(SELECT 1 FROM album_photos WHERE album_id = ").push_bind(album);
        statement.push(" AND photo_id = photos.id) IS NOT NULL OR ");
    }
    statement.push("(SELECT 1 FROM client_choices WHERE selection_id = ").push_bind(selection.id);
    statement.push(" AND photo_id = photos.id) IS NOT NULL)");
}

fn push_chosen(statement: &mut Statement, selection: &ClientSelection) {
    statement.push(" AND (SELECT 1 FROM client_choices WHERE selection_id = ").push_bind(selection.id);
    statement.push(" AND photo_id = photos.id AND chosen) IS NOT NULL");
}

/// A page of the photos that the client of a selection sees, or of those of them that are chosen: by the moment of capture,
/// earliest first, those without one last; those behind `after`.
pub async fn shown(
    db: &dyn Executor,
    selection: &ClientSelection,
    chosen: bool,
    after: Option<&Place>,
    limit: i64,
) -> Result<Vec<Photo>> {
    let mut statement = Statement::built(select!("WHERE event_id = "));
    statement.push_bind(selection.event);
    if let Some(after) = after {
        statement.push(" AND (captured_at, id) > (").push_bind(after.captured_at);
        statement.push(", ").push_bind(after.id).push(")");
    }
    // The function keeps an engine without statistics from other indexes.
    statement.push(" AND COALESCE(status, '') = 'ready' AND NOT hidden");
    push_scope(&mut statement, selection);
    if chosen {
        push_chosen(&mut statement, selection);
    }
    statement.push(" ORDER BY captured_at, id LIMIT ").push_bind(limit);
    statement.persistent().fetch_all(db.reader()).await
}

/// How many photos the client of a selection sees.
pub async fn count_shown(db: &dyn Executor, selection: &ClientSelection) -> Result<i64> {
    let mut statement = Statement::built("SELECT COUNT(*) FROM photos WHERE event_id = ");
    statement.push_bind(selection.event).push(" AND COALESCE(status, '') = 'ready' AND NOT hidden");
    push_scope(&mut statement, selection);
    statement.persistent().fetch_one(db.reader()).await
}

/// Locks a photo until the transaction ends, if the client of a selection sees it. Whoever deletes or hides it has ended before, or
/// comes after.
pub async fn one_shown(tx: &mut Tx, selection: &ClientSelection, photo: PhotoId) -> Result<bool> {
    crate::photos::lock_many(tx, &[photo]).await?;
    let mut statement = Statement::built("SELECT COUNT(*) FROM photos WHERE id = ");
    statement.push_bind(photo).push(" AND COALESCE(event_id, '') = ").push_bind(selection.event);
    statement.push(" AND COALESCE(status, '') = 'ready' AND NOT hidden");
    push_scope(&mut statement, selection);
    let found: i64 = statement.persistent().fetch_one(tx.writer()).await?;
    Ok(found == 1)
}
