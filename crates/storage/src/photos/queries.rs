//! Finding photos.

use domain::guests::client_selections::SelectionFilter;
use domain::operations::runtime::texts::{folded, spellings};
use domain::photos::albums::AlbumFilter;
use domain::photos::captures::{Place, UNMEASURED};
use domain::photos::versions::stem_key;
use domain::photos::{ContentHash, MediaKey, Photo, PhotoStatus};
use domain::{EventId, PersonId, PhotoId, UserId};

use super::visibility::is_kept_from_team;
use super::{collection_of, select};
use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::encode::cursor;
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::{LIST_LIMIT, Statement, fetch_all, fetch_one, fetch_optional};
use crate::{Db, Executor, Result};

/// The order of a page, and where it begins: behind the last photo of the page before.
#[derive(Clone, Copy, Debug)]
pub enum Order<'a> {
    /// By upload, newest first.
    Uploaded(Option<PhotoId>),
    /// By the moment of capture, earliest first, those without one last. For the photos of an event.
    Captured(Option<&'a Place>),
    /// By name. For the photos of an event.
    Name(Option<&'a Place>),
    /// By hearts, most first. For the photos of an event.
    Hearts(Option<&'a Place>),
    /// By sharpness, least first, those that are not measured last. For the photos of an event.
    Sharpness(Option<&'a Place>),
}

/// By whose uploads photos of an event are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UploaderFilter {
    /// Those of its owner.
    Owner,
    /// Those of somebody who is or was a member of its team.
    Member(UserId),
}

/// Which photos of an owner are meant.
#[derive(Clone, Copy, Debug)]
pub struct PhotoQuery<'a> {
    /// Whose.
    pub owner: UserId,
    /// Those of this event; all of them when there is none.
    pub event: Option<EventId>,
    /// Those whose original had exactly this name.
    pub filename: Option<&'a str>,
    /// Those in whose original's name this stands; letters from A to Z count the same in upper and lower case.
    pub name: Option<&'a str>,
    /// Only those of this status.
    pub status: Option<PhotoStatus>,
    /// Only those that are ready and in which no face was found.
    pub without_faces: bool,
    /// Only those that are held.
    pub held: bool,
    /// Only those with hearts.
    pub hearted: bool,
    /// Only those whose sharpness is below this, in thousandths.
    pub less_sharp_than: Option<i64>,
    /// Only those that this person is in, hidden ones aside.
    pub person: Option<PersonId>,
    /// Only those in this album, or in none.
    pub album: Option<AlbumFilter>,
    /// Only those that a client has chosen, or commented on.
    pub selection: Option<SelectionFilter>,
    /// Only those that were uploaded by them.
    pub uploader: Option<UploaderFilter>,
    /// In which order, and from where on.
    pub order: Order<'a>,
    /// At most so many.
    pub limit: i64,
}

impl PhotoQuery<'_> {
    /// All photos of an owner, the newest of them first.
    pub const fn all(owner: UserId, limit: i64) -> Self {
        Self {
            owner,
            event: None,
            filename: None,
            name: None,
            status: None,
            without_faces: false,
            held: false,
            hearted: false,
            less_sharp_than: None,
            person: None,
            album: None,
            selection: None,
            uploader: None,
            order: Order::Uploaded(None),
            limit,
        }
    }

    /// Whether all photos of an event or an owner are meant, whose number is counted.
    pub const fn is_whole(&self) -> bool {
        let Self { filename, name, status, without_faces, held, hearted, less_sharp_than, .. } = self;
        let Self { person, album, selection, uploader, .. } = self;
        let any = filename.is_none() && name.is_none() && status.is_none() && !*without_faces && !*held;
        let any = any && !*hearted && less_sharp_than.is_none();
        any && person.is_none() && album.is_none() && selection.is_none() && uploader.is_none()
    }
}

/// Adds the conditions of a [`PhotoQuery`], its cursor aside, to a statement that ends before its `WHERE`: those by which
/// the fewest photos are found. An event's photos are its owner's.
macro_rules! filter {
    ($statement:ident, $query:expr) => {
        match ($query.event, $query.filename) {
            (None, None) => $statement.push(" WHERE owner_id = ").push_bind($query.owner),
            (Some(event), None) => $statement.push(" WHERE event_id = ").push_bind(event),
            (event, Some(filename)) => {
                $statement.push(" WHERE owner_id = ").push_bind($query.owner);
                $statement
                    .push(" AND COALESCE(name_stem, name_fold, original_filename) IN (")
                    .push_bind(stem_key(filename));
                $statement.push(", ").push_bind(folded(filename));
                $statement.push(", ").push_bind(filename).push(") AND original_filename IN (");
                for spelling in spellings(filename) {
                    $statement.push_bind(spelling).push(", ");
                }
                $statement.push_bind(filename).push(")");
                if let Some(event) = event {
                    // The function keeps an engine without statistics from the index of the event.
                    $statement.push(" AND COALESCE(event_id, '') = ").push_bind(event);
                }
                &mut $statement
            }
        };
        if let Some(name) = $query.name {
            $statement
                .push(" AND COALESCE(name_fold, LOWER(original_filename)) LIKE ")
                .push_bind(containing(&folded(name)));
            $statement.push(" ESCAPE '!'");
        }
        if let Some(status) = $query.status {
            // The function keeps an engine from the indexes on all photos of a status.
            $statement.push(" AND COALESCE(status, '') = ").push_bind(status.as_str());
        }
        if $query.without_faces {
            $statement.push(" AND status = 'ready' AND faces = 0");
        }
        if $query.held {
            $statement.push(" AND held IS NOT NULL");
        }
        if $query.hearted {
            $statement.push(" AND hearts > 0");
        }
        if let Some(sharpness) = $query.less_sharp_than {
            $statement.push(" AND sharpness < ").push_bind(sharpness);
        }
        match $query.album {
            None => {}
            Some(AlbumFilter::In(album)) => {
                // A value for each photo: an engine that joins the album's photos sorts them.
                $statement.push(" AND (SELECT 1 FROM album_photos WHERE album_id = ").push_bind(album);
                $statement.push(" AND photo_id = photos.id) IS NOT NULL");
            }
            Some(AlbumFilter::InNone) => {
                $statement
                    .push(" AND (SELECT 1 FROM album_photos WHERE photo_id = photos.id LIMIT 1) IS NULL");
            }
        }
        if let Some(selection) = $query.selection {
            // A value for each photo, as for an album.
            $statement
                .push(" AND (SELECT 1 FROM client_choices WHERE selection_id = ")
                .push_bind(selection.selection());
            $statement.push(match selection {
                SelectionFilter::Chosen(_) => " AND photo_id = photos.id AND chosen) IS NOT NULL",
                SelectionFilter::Commented(_) => " AND photo_id = photos.id AND comment <> '') IS NOT NULL",
            });
        }
        match $query.uploader {
            None => {}
            Some(UploaderFilter::Member(uploader)) => {
                $statement.push(" AND uploader_id = ").push_bind(uploader);
            }
            Some(UploaderFilter::Owner) => {
                $statement.push(" AND uploader_id IS NULL");
            }
        }
        if let Some(person) = $query.person {
            $statement.push(concat!(" AND NOT (", is_kept_from_team!(), ")"));
            $statement.push(" AND id IN (SELECT photo_id FROM faces WHERE person_id = ");
            $statement.push_bind(person).push(")");
        }
    };
}

/// A pattern for what contains a text.
fn containing(text: &str) -> String {
    let mut pattern = String::from("%");
    for c in text.chars() {
        if matches!(c, '%' | '_' | '!') {
            pattern.push('!');
        }
        pattern.push(c);
    }
    pattern.push('%');
    pattern
}

/// The statement of a page. What photos are sorted by does not change once their files are read, so following
/// [`PhotoQuery::order`] gives each once, also while photos are added. Hearts change: who follows them may meet a photo twice, or not.
fn of_page(select: &'static str, query: &PhotoQuery<'_>) -> Statement {
    let mut statement = Statement::built(select);
    filter!(statement, query);
    match query.order {
        Order::Uploaded(before) => {
            if let Some(before) = before {
                statement.push(" AND id < ").push_bind(before);
            }
            statement.push(" ORDER BY id DESC LIMIT ");
        }
        Order::Captured(after) => {
            if let Some(after) = after {
                statement.push(" AND (captured_at, id) > (").push_bind(after.captured_at);
                statement.push(", ").push_bind(after.id).push(")");
            }
            statement.push(" ORDER BY captured_at, id LIMIT ");
        }
        Order::Name(after) => {
            if let Some(after) = after {
                statement.push(" AND (name_key, id) > (").push_bind(after.name_key.as_str());
                statement.push(", ").push_bind(after.id).push(")");
            }
            statement.push(" ORDER BY name_key, id LIMIT ");
        }
        Order::Hearts(after) => {
            if let Some(after) = after {
                statement.push(" AND (hearts, id) < (").push_bind(after.hearts);
                statement.push(", ").push_bind(after.id).push(")");
            }
            statement.push(" ORDER BY hearts DESC, id DESC LIMIT ");
        }
        Order::Sharpness(after) => {
            if let Some(after) = after {
                statement.push(" AND (COALESCE(sharpness, ").push_bind(UNMEASURED).push("), id) > (");
                statement.push_bind(after.sharpness).push(", ").push_bind(after.id).push(")");
            }
            statement.push(" ORDER BY COALESCE(sharpness, ").push_bind(UNMEASURED).push("), id LIMIT ");
        }
    }
    statement.push_bind(query.limit);
    statement.persistent()
}

/// A page of photos.
pub async fn search(db: &dyn Executor, query: &PhotoQuery<'_>) -> Result<Vec<Photo>> {
    let mut photos: Vec<Photo> = of_page(select!(""), query).fetch_all(db.reader()).await?;
    // Not a condition of the statement: without statistics an engine would take the owner's index for it, and read the whole
    // account for a page of one event.
    photos.retain(|photo| photo.owner == query.owner);
    Ok(photos)
}

row! {
    struct OwnedIdRow {
        id: String,
        owner_id: String,
    }
}

struct OwnedId {
    id: PhotoId,
    owner: UserId,
}

impl FromColumns for OwnedId {
    type Columns = OwnedIdRow;

    fn from_columns(row: OwnedIdRow) -> Result<Self> {
        let OwnedIdRow { id, owner_id } = row;
        Ok(Self { id: decode::id(&id, "photos.id")?, owner: decode::id(&owner_id, "photos.owner_id")? })
    }
}

/// The ids of the same page: nothing else is read of the photos.
pub async fn search_ids(db: &dyn Executor, query: &PhotoQuery<'_>) -> Result<Vec<PhotoId>> {
    let ids: Vec<OwnedId> = of_page("SELECT id, owner_id FROM photos", query).fetch_all(db.reader()).await?;
    Ok(ids.into_iter().filter(|photo| photo.owner == query.owner).map(|photo| photo.id).collect())
}

/// How many photos there are on all pages: the cursor and the limit do not count. Some of them are counted; of
/// all of an event or an owner the number is known. That the event is the
/// owner's is the caller's to ask first.
pub async fn count(db: &dyn Executor, query: &PhotoQuery<'_>) -> Result<i64> {
    if !query.is_whole() {
        return {
            let mut statement = Statement::built("SELECT COUNT(*) FROM photos");
            filter!(statement, query);
            statement.persistent().fetch_one(db.reader()).await
        };
    }
    match query.event {
        Some(event) => {
            let statement = "SELECT photos_stored FROM events WHERE id = $1 AND owner_id = $2";
            let stored = fetch_optional!(db, i64, statement, event, query.owner)?;
            Ok(stored.unwrap_or_default())
        }
        None => fetch_one!(
            db,
            i64,
            "SELECT CAST(COALESCE(SUM(total), 0) AS BIGINT) FROM (
                 SELECT photos_stored AS total FROM events WHERE owner_id = $1
                 UNION ALL SELECT library_photos FROM users WHERE id = $1
             ) AS collections",
            query.owner,
        ),
    }
}

/// A photo.
pub async fn by_id(db: &dyn Executor, id: PhotoId) -> Result<Option<Photo>> {
    fetch_optional!(db, Photo, select!("WHERE id = $1"), id)
}

/// A photo whose files are sent: none once its event is deleted or its owner's account closed, also while its row waits for the job
/// that moves or removes it.
pub async fn served(db: &dyn Executor, id: PhotoId) -> Result<Option<Photo>> {
    fetch_optional!(
        db,
        Photo,
        select!(
            "WHERE id = $1 AND (SELECT closed_at FROM users WHERE users.id = photos.owner_id) IS NULL
                 AND NOT EXISTS (SELECT 1 FROM events WHERE events.id = photos.event_id
                     AND (deleting_since IS NOT NULL OR deleted_at IS NOT NULL))"
        ),
        id
    )
}

/// The key of the original of such a photo. All that the bytes of a rendition ask for.
pub async fn served_key(db: &dyn Executor, id: PhotoId) -> Result<Option<MediaKey>> {
    let key = fetch_optional!(
        db,
        String,
        "SELECT media_key FROM photos
         WHERE id = $1 AND (SELECT closed_at FROM users WHERE users.id = photos.owner_id) IS NULL
             AND NOT EXISTS (SELECT 1 FROM events WHERE events.id = photos.event_id
                 AND (deleting_since IS NOT NULL OR deleted_at IS NOT NULL))",
        id
    )?;
    Ok(key.map(MediaKey::from_trusted))
}

/// The key of a photo's original; none when the photo is gone.
pub async fn media_key(db: &dyn Executor, id: PhotoId) -> Result<Option<MediaKey>> {
    let key = fetch_optional!(db, String, "SELECT media_key FROM photos WHERE id = $1", id)?;
    Ok(key.map(MediaKey::from_trusted))
}

/// Those of the photos that are there, in no order.
pub async fn by_ids(db: &Db, ids: &[PhotoId]) -> Result<Vec<Photo>> {
    let mut photos = Vec::with_capacity(ids.len());
    for ids in ids.chunks(LIST_LIMIT) {
        let mut statement = Statement::built(select!("WHERE id IN "));
        statement.push_list(ids);
        photos.extend(statement.fetch_all::<Photo>(db.reader()).await?);
    }
    Ok(photos)
}

/// The photo with these bytes in an owner's event, or in the library when `event` is none.
pub async fn by_hash(
    db: &dyn Executor,
    owner: UserId,
    event: Option<EventId>,
    hash: &ContentHash,
) -> Result<Option<Photo>> {
    fetch_optional!(
        db,
        Photo,
        select!("WHERE collection = $1 AND content_hash = $2 AND owner_id = $3"),
        collection_of(owner, event),
        hash,
        owner,
    )
}

/// Those of the hashes whose bytes are in an owner's event, or in the library when `event` is none, as photos in no
/// order.
pub async fn by_hashes(
    db: &Db,
    owner: UserId,
    event: Option<EventId>,
    hashes: &[ContentHash],
) -> Result<Vec<Photo>> {
    let mut photos = Vec::new();
    for hashes in hashes.chunks(LIST_LIMIT) {
        let mut statement = Statement::built(select!("WHERE collection = "));
        statement.push_bind(collection_of(owner, event)).push(" AND owner_id = ").push_bind(owner);
        statement.push(" AND content_hash IN ");
        statement.push_list(hashes);
        photos.extend(statement.fetch_all::<Photo>(db.reader()).await?);
    }
    Ok(photos)
}

/// All photos of everybody, oldest first, from the one after `after`: for walks over the whole.
pub async fn page(db: &dyn Executor, after: Option<PhotoId>, limit: i64) -> Result<Vec<Photo>> {
    fetch_all!(db, Photo, select!("WHERE id > $1 ORDER BY id LIMIT $2"), cursor(after), limit,)
}

/// The photos that wait for their indexing, oldest first, from the one after `after`.
pub async fn unready(db: &dyn Executor, after: Option<PhotoId>, limit: i64) -> Result<Vec<PhotoId>> {
    // The status is part of the text, so that PostgreSQL sees that the partial index serves.
    fetch_all!(
        db,
        PhotoId,
        "SELECT id FROM photos WHERE status = 'processing' AND id > $1 ORDER BY id LIMIT $2",
        cursor(after),
        limit,
    )
}

/// The photos that could not be indexed, oldest first, from the one after `after`.
pub async fn failed(db: &dyn Executor, after: Option<PhotoId>, limit: i64) -> Result<Vec<Photo>> {
    fetch_all!(
        db,
        Photo,
        select!("WHERE status = 'failed' AND id > $1 ORDER BY id LIMIT $2"),
        cursor(after),
        limit,
    )
}

/// Those of the keys that are the original of a photo, or of a deleted one that can be restored: every other file in the media
/// store is an orphan.
pub async fn known_keys(db: &Db, keys: &[MediaKey]) -> Result<Vec<MediaKey>> {
    let mut known = Vec::new();
    for keys in keys.chunks(LIST_LIMIT) {
        // In one statement: between two a photo could move to where the first one has looked.
        let mut statement = Statement::built("SELECT media_key FROM photos WHERE media_key IN ");
        statement.push_list(keys);
        statement.push(" UNION ALL SELECT media_key FROM trashed_photos WHERE media_key IN ");
        statement.push_list(keys);
        let rows: Vec<String> = statement.fetch_all(db.reader()).await?;
        known.extend(rows.into_iter().map(MediaKey::from_trusted));
    }
    Ok(known)
}
