//! Listing photos, and reading their files.

pub mod albums;
pub(crate) mod appearance;
pub(crate) mod captures;
pub(crate) mod cursors;
pub mod delete;
pub(crate) mod dispositions;
pub mod download_links;
pub(crate) mod early;
pub mod files;
pub(crate) mod handles;
pub mod library_retention;
pub(crate) mod linked;
pub mod name_lists;
pub(crate) mod previews;
pub mod redactions;
pub(crate) mod removal;
pub(crate) mod rendering;
pub(crate) mod rendition_cache;
pub mod selections;
pub(crate) mod signed_links;
pub mod stacks;
pub mod trash;
pub(crate) mod walks;

use domain::accounts::User;
use domain::events::Event;
use domain::faces::BoundingBox;
use domain::guests::client_selections::SelectionFilter;
use domain::operations::runtime::pages::PageSize;
use domain::photos::albums::AlbumFilter;
use domain::photos::appearance::SHARP;
use domain::photos::captures::Sort;
use domain::photos::{Photo, PhotoStatus, Size};
use domain::team::{Right, Role};
use domain::{EventId, PersonId, PhotoId, Refusal, UserId};
use storage::photos::{PhotoQuery, UploaderFilter};

use crate::events::access::{self, Visitor};
use crate::photos::files::StoredFile;
use crate::photos::redactions::Recipient;
use crate::team::rights::{self, Granted};
use crate::{App, Result};

pub(crate) use crate::uploads::check_destination;
pub use crate::uploads::{Accepted, OfSomebodyElse, TempFile, Upload, accept, known, replace, versions};

/// Entries of a page.
const PAGE: PageSize = PageSize { default: 200, most: 1_000 };
/// Ids of a page.
const IDS: PageSize = PageSize { default: 10_000, most: 10_000 };

/// Which photos of a photographer are meant.
#[derive(Default)]
pub struct Query {
    /// Those of this event.
    pub event: Option<EventId>,
    /// Those whose original had exactly this name.
    pub filename: Option<String>,
    /// Those in whose original's name this stands, whatever the case of its letters from A to Z.
    pub name: Option<String>,
    /// Only those of this status.
    pub status: Option<String>,
    /// In which order; by upload when there is none.
    pub sort: Option<String>,
    /// Only those that are ready and in which no face was found.
    pub without_faces: bool,
    /// Only those that are held.
    pub held: bool,
    /// Only those with hearts of guests.
    pub hearted: bool,
    /// Only those that are not sharp anywhere.
    pub blurred: bool,
    /// Only those that this person is in, hidden ones aside; of nobody when there is no such person.
    pub person: Option<String>,
    /// Only those in the album with this id, or, for `none`, in none.
    pub album: Option<String>,
    /// Only those that the client of the selection with this id has chosen.
    pub selection: Option<String>,
    /// With [`Self::selection`], those that its client has commented on, chosen or not.
    pub commented: bool,
    /// Only those that this account has uploaded, or, for `owner`, the owner of their event.
    pub uploader: Option<String>,
    /// At most so many, from 1 to 1,000.
    pub limit: Option<u32>,
    /// Those after the page that gave this mark.
    pub cursor: Option<String>,
}

/// A page of photos.
pub struct Page {
    /// The photos.
    pub photos: Vec<Photo>,
    /// How many there are on all pages.
    pub total: i64,
    /// How many of them are left where of photos that are alike the best alone is counted: of all photos of an event that puts such
    /// photos together.
    pub moments: Option<i64>,
    /// The mark of the next page; none on the last.
    pub next_cursor: Option<String>,
}

/// A page of ids of photos.
pub struct IdPage {
    /// They.
    pub ids: Vec<PhotoId>,
    /// The mark of the next page; none on the last.
    pub next_cursor: Option<String>,
}

/// What of a [`Query`] was found out and may be asked for.
struct Wanted {
    query: Query,
    role: Role,
    owner: UserId,
    event: Option<Event>,
    uploader: Option<UploaderFilter>,
    person: Option<PersonId>,
    album: Option<AlbumFilter>,
    selection: Option<SelectionFilter>,
    status: Option<PhotoStatus>,
    sort: Sort,
    begin: cursors::Begin,
}

impl Wanted {
    async fn of(app: &App, caller: &User, query: Query) -> Result<Self> {
        let granted = match query.event {
            Some(event) => Some(rights::event(app, caller, event, Right::Upload).await?),
            None => None,
        };
        let sees_only = granted.as_ref().and_then(Granted::sees_only);
        // What guests did with photos, and where they were put, is not a contributor's to know.
        let by_hearts = query.hearted || query.sort.as_deref() == Some("hearts");
        let by_place = query.person.is_some() || query.album.is_some() || query.selection.is_some();
        if let (Some(granted), true) = (&granted, by_place || by_hearts) {
            granted.role.check(Right::Manage)?;
        }
        let role = granted.as_ref().map_or(Role::Owner, |granted| granted.role);
        let event = granted.map(|granted| granted.event);
        let owner = event.as_ref().map_or(caller.id, |event| event.owner);
        let uploader = match (sees_only, query.uploader.as_deref()) {
            (Some(caller), _) => Some(UploaderFilter::Member(caller)),
            (None, None) => None,
            (None, Some("owner")) => Some(UploaderFilter::Owner),
            // Who has uploaded a photo is named by ids that are told: what is none is nobody's.
            (None, Some(id)) => {
                Some(UploaderFilter::Member(id.parse().map_err(|_| Refusal::MemberNotFound)?))
            }
        };
        let person = query.person.as_deref().map(str::parse::<PersonId>).transpose();
        let person = person.map_err(|_| Refusal::PersonNotFound)?;
        let album = query.album.as_deref().map(AlbumFilter::parse).transpose()?;
        let selection = query.selection.as_deref();
        let selection = selection.map(|id| SelectionFilter::parse(id, query.commented)).transpose()?;
        let status = query.status.as_deref();
        let status = status.map(|status| PhotoStatus::from_stored(status).ok_or(Refusal::StatusUnknown));
        let sort = query.sort.as_deref().map(Sort::parse).transpose()?.unwrap_or_default();
        if sort != Sort::Uploaded && event.is_none() {
            return Err(Refusal::SortNeedsEvent.into());
        }
        let begin = cursors::resolve(app, owner, sort, query.cursor.as_deref()).await?;
        let status = status.transpose()?;
        Ok(Self { query, role, owner, event, uploader, person, album, selection, status, sort, begin })
    }

    /// At most so many of them, and one more, which says whether there is another page.
    fn page(&self, limit: i64) -> PhotoQuery<'_> {
        let query = &self.query;
        PhotoQuery {
            owner: self.owner,
            event: query.event,
            filename: query.filename.as_deref(),
            name: query.name.as_deref().map(str::trim).filter(|name| !name.is_empty()),
            status: self.status,
            without_faces: query.without_faces,
            held: query.held,
            hearted: query.hearted,
            less_sharp_than: query.blurred.then(|| SHARP.thousandths()),
            person: self.person,
            album: self.album,
            selection: self.selection,
            uploader: self.uploader,
            order: self.begin.order(self.sort),
            limit: limit + 1,
        }
    }

    /// The mark of the next page; none on the last. Takes the one more away.
    async fn next<T>(
        &self,
        app: &App,
        found: &mut Vec<T>,
        limit: i64,
        id: impl Fn(&T) -> PhotoId,
    ) -> Result<Option<String>> {
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let is_more = found.len() > limit;
        found.truncate(limit);
        match found.last().filter(|_| is_more) {
            Some(last) => Ok(Some(cursors::after(app, self.owner, self.sort, id(last)).await?)),
            None => Ok(None),
        }
    }
}

/// A photographer's photos.
///
/// # Errors
/// [`Refusal::EventNotFound`] for another's event, [`Refusal::PersonNotFound`], [`Refusal::AlbumNotFound`] and
/// [`Refusal::ClientSelectionNotFound`] for what is no id, [`Refusal::SortUnknown`], [`Refusal::StatusUnknown`] and [`Refusal::SortNeedsEvent`], [`Refusal::CursorInvalid`] for a mark that was not given out.
pub async fn search(app: &App, caller: &User, query: Query) -> Result<Page> {
    let limit = i64::from(PAGE.of(query.limit)?);
    let wanted = Wanted::of(app, caller, query).await?;
    let filter = wanted.page(limit);
    let mut photos = storage::photos::search(&app.db, &filter).await?;
    let total = match &wanted.event {
        Some(event) if filter.is_whole() => event.indexing.total,
        _ => storage::photos::count(&app.db, &filter).await?,
    };
    let moments = match &wanted.event {
        Some(event) if filter.is_whole() && event.flags.stacks_photos => {
            Some(total - storage::photos::stacks::behind(&app.db, event.id).await?)
        }
        _ => None,
    };
    let next_cursor = wanted.next(app, &mut photos, limit, |photo| photo.id).await?;
    let photos = photos.into_iter().map(|photo| rights::shown_to(wanted.role, photo)).collect();
    Ok(Page { photos, total, moments, next_cursor })
}

/// The ids of a photographer's photos, in the same order, for whoever does something with all of them.
///
/// # Errors
/// As [`search`].
pub async fn search_ids(app: &App, caller: &User, query: Query) -> Result<IdPage> {
    let limit = i64::from(IDS.of(query.limit)?);
    let wanted = Wanted::of(app, caller, query).await?;
    let mut ids = storage::photos::search_ids(&app.db, &wanted.page(limit)).await?;
    let next_cursor = wanted.next(app, &mut ids, limit, |id| *id).await?;
    Ok(IdPage { ids, next_cursor })
}

/// How many photos a photographer has now.
pub async fn count(app: &App, owner: &User) -> Result<i64> {
    let all = storage::photos::PhotoQuery::all(owner.id, 0);
    Ok(storage::photos::count(&app.db, &all).await?)
}

/// A photo that the caller sees: an own one, or one of an event in whose team they are.
///
/// # Errors
/// [`Refusal::PhotoNotFound`].
pub async fn by_id(app: &App, caller: &User, id: PhotoId) -> Result<Photo> {
    rights::photo(app, caller, id).await
}

/// Where the faces are that were found in a photo, from left to right, for whoever manages its event.
///
/// # Errors
/// [`Refusal::PhotoNotFound`], or [`Refusal::ManagersOnly`].
pub async fn faces(app: &App, caller: &User, id: PhotoId) -> Result<Vec<BoundingBox>> {
    let photo = by_id(app, caller, id).await?;
    if let (Some(event), false) = (photo.event, photo.owner == caller.id) {
        rights::event(app, caller, event, Right::Manage).await?;
    }
    Ok(storage::faces::places(&app.db, photo.id).await?)
}

/// Lets a photo that could not be indexed be tried again at once, and answers it as it is then. One that waits to be tried
/// again waits no longer; one that is ready stays as it is.
///
/// # Errors
/// [`Refusal::PhotoNotFound`].
pub async fn retry(app: &App, caller: &User, id: PhotoId) -> Result<Photo> {
    let photo = by_id(app, caller, id).await?;
    if photo.status != PhotoStatus::Ready {
        let mut tx = app.begin().await?;
        tx.index_again(id).await?;
        tx.commit().await?;
    }
    let photo = by_id(app, caller, id).await?;
    rights::shown(app, caller, photo).await
}

/// One of a photo's files.
///
/// # Errors
/// [`Refusal::PhotoNotReady`] for a rendition that is still to be made.
pub fn file(photo: &Photo, size: Size) -> Result<StoredFile> {
    if photo.sizes().contains(&size) {
        files::stored(photo, size)
    } else {
        Err(Refusal::PhotoNotReady.into())
    }
}

/// The photo of a handle, and who asks for it.
///
/// # Errors
/// [`Refusal::PhotoNotFound`] when the handle is none of ours or has expired, the photo is hidden, who was found in it is not to be
/// found any more, its event is not open, or it belongs to a library that is not the caller's; [`Refusal::EventPinRequired`].
pub async fn by_handle(app: &App, visitor: &Visitor, handle: &str) -> Result<(Photo, Recipient)> {
    let handled = handles::open(app, handle).ok_or(Refusal::PhotoNotFound)?;
    let photo = storage::photos::by_id(&app.db, handled.photo).await?.ok_or(Refusal::PhotoNotFound)?;
    let is_owner = visitor.account.as_ref().is_some_and(|user| user.id == photo.owner);
    let event = match photo.event {
        Some(event) => access::by_id(app, visitor, event).await?,
        None => None,
    };
    let recipient = match (is_owner, event) {
        (true, Some(_)) => Recipient::Owner,
        (true, None) if photo.event.is_none() => Recipient::Owner,
        (false, Some(event)) if !photo.hidden => Recipient::Guest(Box::new(event)),
        _ => return Err(Refusal::PhotoNotFound.into()),
    };
    if let Recipient::Guest(event) = &recipient {
        // Whoever may look at all photos of an event needs nobody's face for it.
        let is_shown = event.flags.browsable && handled.face.is_none();
        let found = [(photo.id, handled.face)];
        if !is_shown && !storage::guests::objections::out_of_results(&app.db, &found).await?.is_empty() {
            return Err(Refusal::PhotoNotFound.into());
        }
    }
    Ok((photo, recipient))
}
