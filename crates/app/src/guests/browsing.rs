//! All photos of an event, for its guests where its photographer lets them look (decision 0052).

use domain::events::Event;
use domain::operations::runtime::pages::PageSize;
use domain::photos::Photo;
use domain::photos::albums::Album;
use domain::photos::captures::Place;
use domain::{AlbumId, Refusal, Timestamp};

use crate::events::access::{self, Visitor};
use crate::guests::results::FoundPhoto;
use crate::studio::watermarked;
use crate::{App, Result, statistics};

/// Entries of a page.
pub(crate) const PAGE: PageSize = PageSize { default: 60, most: 200 };

/// Which photos a guest asks for.
#[derive(Default)]
pub struct Query {
    /// Those in the album with this id; all of them when there is none.
    pub album: Option<String>,
    /// How many; 60 when left out, at most 200.
    pub limit: Option<u32>,
    /// [`Page::next_cursor`] of the page before.
    pub cursor: Option<String>,
}

/// What is told with the first page alone.
pub struct Overview {
    /// The albums of the event that have photos which guests may see.
    pub albums: Vec<Album>,
    /// How many photos there are on all pages.
    pub total: i64,
    /// How many of them are left where of photos that are alike the best alone is counted; none where the event puts none together.
    pub moments: Option<i64>,
}

/// Photos of an event as its guests may see them, by the moment of capture.
pub struct Page {
    /// They, with links as a search's matches have them.
    pub photos: Vec<FoundPhoto>,
    /// None behind a cursor.
    pub overview: Option<Overview>,
    /// The cursor of the next page; none on the last.
    pub next_cursor: Option<String>,
}

/// A page of all photos of an event that guests may see. What nobody may see is left out: hidden photos, deleted ones, and those
/// that are not ready.
///
/// # Errors
/// [`Refusal::EventNotFound`], [`Refusal::EventPinRequired`], [`Refusal::BrowsingNotAllowed`]; [`Refusal::AlbumNotFound`] for what
/// is no id of an album, [`Refusal::CursorInvalid`] for a cursor that no page has returned.
pub async fn page(app: &App, visitor: &Visitor, slug: &str, query: Query) -> Result<Page> {
    let event = open(app, visitor, slug).await?;
    let album = parse_album(query.album.as_deref())?;
    let after = query.cursor.as_deref().map(parse_cursor).transpose()?;
    let limit = PAGE.of(query.limit)?;
    let wanted = usize::try_from(limit).unwrap_or(usize::MAX);
    // One more says whether there is another page.
    let mut photos =
        storage::guests::browsing::shown(&app.db, event.id, album, after.as_ref(), i64::from(limit) + 1)
            .await?;
    let has_more = photos.len() > wanted;
    photos.truncate(wanted);
    let next_cursor = photos.last().filter(|_| has_more).map(cursor_behind);
    let overview = match after {
        Some(_) => None,
        None => Some(overview(app, &event, album).await?),
    };
    let watermark = watermarked::of_owner(app, event.owner).await?;
    let mut shown = Vec::with_capacity(photos.len());
    for photo in photos {
        shown.push(FoundPhoto::new(app, photo, None, watermark.as_ref()).await?);
    }
    Ok(Page { photos: shown, overview, next_cursor })
}

/// The event, where its guests may look at all of its photos.
pub(crate) async fn open(app: &App, visitor: &Visitor, slug: &str) -> Result<Event> {
    let event = access::by_slug(app, visitor, slug).await?;
    event.check_browsable()?;
    Ok(event)
}

pub(crate) fn parse_album(id: Option<&str>) -> std::result::Result<Option<AlbumId>, Refusal> {
    id.map(str::parse).transpose().map_err(|_| Refusal::AlbumNotFound)
}

async fn overview(app: &App, event: &Event, album: Option<AlbumId>) -> Result<Overview> {
    if album.is_none() {
        statistics::count_browsing(app, event);
    }
    let albums = storage::photos::albums::shown(&app.db, event.id).await?;
    let total = storage::guests::browsing::count_shown(&app.db, event.id, album).await?;
    let moments = if event.flags.stacks_photos {
        Some(total - storage::guests::browsing::behind_shown(&app.db, event.id, album).await?)
    } else {
        None
    };
    Ok(Overview { albums, total, moments })
}

/// With the moment of capture, so that a page follows also when the photo is deleted meanwhile.
pub(crate) fn cursor_behind(last: &Photo) -> String {
    let captured_at = last.capture.at.map_or(i64::MAX, Timestamp::as_millis);
    format!("{}.{captured_at}", last.id)
}

pub(crate) fn parse_cursor(cursor: &str) -> std::result::Result<Place, Refusal> {
    let (id, captured_at) = cursor.split_once('.').ok_or(Refusal::CursorInvalid)?;
    let place = Place::of(id.parse().map_err(|_| Refusal::CursorInvalid)?);
    Ok(Place { captured_at: captured_at.parse().map_err(|_| Refusal::CursorInvalid)?, ..place })
}
