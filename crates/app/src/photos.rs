//! Taking photos in, listing them, reading their files.

use domain::accounts::User;
use domain::albums::AlbumFilter;
use domain::captures::{Capture, Sort};
use domain::faces::BoundingBox;
use domain::ledger::LedgerKind;
use domain::money::PHOTO_PRICE;
use domain::photos::{ContentHash, MAX_BYTES, MediaKey, Photo, PhotoStatus, Size, sanitize_filename};
use domain::redactions::Redaction;
use domain::{EventId, Job, LedgerId, PersonId, PhotoId, Refusal};
use futures::{StreamExt as _, TryStreamExt as _, stream};
use media::pictures::{Inspected, Unreadable};
use media::stores::Source;
use media::temp_files::TempFileWriter;
use storage::ledger::Spending;
use storage::photos::Inserted;

use crate::access::{self, Visitor};
use crate::files::StoredFile;
use crate::queue::Tx;
use crate::redactions::Recipient;
use crate::{App, Result, cursors, events, files, handles, stores, tasks, trash, upload_admission};

pub use media::temp_files::TempFile;

/// Most photos in one page of a list.
pub const PAGE_MAX: u32 = 1_000;
/// Most requests to the media store at once for one call.
const STORE_REQUESTS: usize = 16;
/// Photos in one page of a list by default.
pub const PAGE_DEFAULT: u32 = 200;

/// A photo that is being received: written to the local disk chunk by chunk, removed when dropped.
pub struct Upload(TempFileWriter);

impl Upload {
    /// Begins an empty one.
    pub async fn begin(app: &App) -> Result<Self> {
        Ok(Self(TempFileWriter::create(&app.settings.incoming_dir).await?))
    }

    /// Appends bytes.
    ///
    /// # Errors
    /// [`Refusal::PhotoTooLarge`] beyond 100 MB.
    pub async fn write(&mut self, chunk: &[u8]) -> Result<()> {
        if self.0.size() + chunk.len() as u64 > MAX_BYTES {
            return Err(Refusal::PhotoTooLarge.into());
        }
        Ok(self.0.write(chunk).await?)
    }

    /// Ends it.
    pub async fn finish(self) -> Result<TempFile> {
        Ok(self.0.finish().await?)
    }
}

/// What became of an upload.
#[derive(Debug)]
pub enum Accepted {
    /// A new photo, charged and on its way into the index.
    New(Photo),
    /// The same bytes were there; nothing was charged.
    Duplicate(Photo),
}

/// Takes a received file in as a photo: inspected, stored safely, charged and queued for indexing, or refused with
/// nothing kept.
///
/// # Errors
/// The refusals of its bytes, of its event, and [`Refusal::InsufficientCredits`].
pub async fn accept(
    app: &App,
    owner: &User,
    event: Option<EventId>,
    filename: &str,
    file: TempFile,
) -> Result<Accepted> {
    app.metrics.record_upload(file.size());
    if file.size() == 0 {
        return Err(Refusal::PhotoEmpty.into());
    }
    if let Some(event) = event {
        events::open_by_id(app, owner, event).await?;
    }
    if let Some(there) = storage::photos::by_hash(&app.db, owner.id, event, &file.checksums().blake3).await? {
        return duplicate(app, there, &file).await;
    }
    if let Some(event) = event {
        // After the look at what is there: an upload that was taken in before is answered as it was.
        events::open_to_uploads(app, owner, event).await?;
    }
    let hash = &file.checksums().blake3;
    if let Some(restored) = trash::restore_uploaded(app, owner, event, hash).await? {
        return duplicate(app, restored, &file).await;
    }
    upload_admission::check_credit(app, owner).await?;
    let Taken { file, inspected, redaction, capture } = inspect(app, file).await?;
    let id = app.id::<PhotoId>();
    let photo = Photo {
        id,
        owner: owner.id,
        event,
        key: MediaKey::original(&app.randomness, id, inspected.format),
        content_hash: file.checksums().blake3,
        crc32: Some(file.checksums().crc32),
        original_filename: sanitize_filename(filename),
        format: inspected.format,
        size_bytes: i64::try_from(file.size()).unwrap_or(i64::MAX),
        width: i64::from(inspected.width),
        height: i64::from(inspected.height),
        status: PhotoStatus::Processing,
        failure: None,
        faces: 0,
        average_color: inspected.average_color,
        preview_bytes: None,
        preview_crc32: None,
        medium_bytes: None,
        not_me_reports: 0,
        album: None,
        downloads: 0,
        hearts: 0,
        hidden: false,
        capture,
        created_at: app.now(),
    };
    // First the bytes on stable storage, then the row, then the answer: a crash between any two leaves at worst
    // a file without a row, which the sweeper removes.
    stores::own(app).await?.put(&photo.key, Source::File(file.path().to_owned())).await?;
    match record(app, &photo, &redaction).await {
        Ok(Recorded::Uncommitted { tx, charged }) => {
            // When this fails, the photo may exist all the same, and be paid for: its original stays. The sweeper
            // removes it if it belongs to no photo.
            tx.commit().await?;
            if charged {
                app.metrics.record_ledger_entry(LedgerKind::Upload);
            }
            Ok(Accepted::New(photo))
        }
        Ok(Recorded::Duplicate(there)) => {
            discard(app, &photo.key).await;
            duplicate(app, there, &file).await
        }
        Err(failure) => {
            discard(app, &photo.key).await;
            Err(failure)
        }
    }
}

/// Removes an original of which it is known that no photo has it.
async fn discard(app: &App, key: &MediaKey) {
    if let Err(error) = app.store.delete(key).await {
        // The sweeper finds it; the answer does not depend on it.
        tracing::warn!(%key, error = crate::failure::chain(&error), "an unused original stays behind");
    }
}

/// Answers an upload whose bytes are there already. The photographer may delete the file after this answer, so the
/// stored original is checked, and stored again if it is missing.
async fn duplicate(app: &App, there: Photo, file: &TempFile) -> Result<Accepted> {
    if !has_original(app, &there).await? {
        stores::own(app).await?.put(&there.key, Source::File(file.path().to_owned())).await?;
        tracing::warn!(photo = %there.id, key = %there.key, "a missing original is stored again from a new upload");
        if there.status != PhotoStatus::Ready {
            let mut tx = app.begin().await?;
            tx.index_again(there.id).await?;
            tx.commit().await?;
            return Ok(Accepted::Duplicate(
                storage::photos::by_id(&app.db, there.id).await?.unwrap_or(there),
            ));
        }
    }
    Ok(Accepted::Duplicate(there))
}

/// Whether the stored original is whole.
async fn has_original(app: &App, photo: &Photo) -> Result<bool> {
    Ok(app.store.size(&photo.key).await? == u64::try_from(photo.size_bytes).ok())
}

/// Those of the hashes whose bytes are in an own event, or in the library: an upload of them would be answered as a
/// duplicate. The photographer may delete these files, so a photo whose original is missing is not among them, and is
/// stored again from its upload.
///
/// # Errors
/// Those of the event, as for an upload.
pub async fn known(
    app: &App,
    owner: &User,
    event: Option<EventId>,
    hashes: &[ContentHash],
) -> Result<Vec<ContentHash>> {
    if let Some(event) = event {
        events::open_by_id(app, owner, event).await?;
    }
    let photos = storage::photos::by_hashes(&app.db, owner.id, event, hashes).await?;
    stream::iter(photos)
        .map(async |photo| Ok((has_original(app, &photo).await?, photo.content_hash)))
        .buffer_unordered(STORE_REQUESTS)
        .try_filter_map(async |(is_whole, hash)| Ok(is_whole.then_some(hash)))
        .try_collect()
        .await
}

/// A photo on its way into the database.
enum Recorded {
    /// Everything is written and is committed next.
    Uncommitted {
        tx: Tx,
        /// Whether it costs a credit.
        charged: bool,
    },
    /// The same bytes came first.
    Duplicate(Photo),
}

/// The one transaction in which a photo begins to exist, is paid for, and is queued for indexing. On an error nothing of it
/// has happened: its commit is the caller's.
async fn record(app: &App, photo: &Photo, redaction: &Redaction) -> Result<Recorded> {
    let mut tx = app.begin().await?;
    match storage::photos::insert(&mut tx, photo).await? {
        Inserted::Added => {}
        Inserted::Duplicate(there) => return Ok(Recorded::Duplicate(there)),
        Inserted::EventClosed => return Err(Refusal::EventBeingDeleted.into()),
    }
    storage::redactions::put(&mut *tx, photo.id, redaction).await?;
    tx.enqueue(&Job::IndexPhoto { photo: photo.id }).await?;
    // From here on the event's other uploads wait, and what is indexed in it.
    if !storage::photos::count_insertion(&mut tx, photo).await? {
        return Err(Refusal::EventBeingDeleted.into());
    }
    // The owner's row comes last: the photographer's other uploads, and all that is about the account, wait for it.
    let entry = storage::ledger::Entry {
        id: app.id::<LedgerId>(),
        user: photo.owner,
        kind: LedgerKind::Upload,
        amount: PHOTO_PRICE,
        reference: Some(photo.id.to_string()),
        event: photo.event,
        at: photo.created_at,
    };
    let charged = match storage::ledger::spend(&mut tx, &entry).await? {
        Spending::Charged { .. } => true,
        Spending::Free => false,
        Spending::Locked => return Err(Refusal::AccountLocked.into()),
        Spending::Insufficient => return Err(Refusal::InsufficientCredits.into()),
    };
    Ok(Recorded::Uncommitted { tx, charged })
}

/// A file that was read and can be a photo.
struct Taken {
    file: TempFile,
    inspected: Inspected,
    redaction: Redaction,
    capture: Capture,
}

async fn inspect(app: &App, file: TempFile) -> Result<Taken> {
    let slot = app.concurrency.inspections.acquire().await?;
    // The headers lie all over the file: reading them may wait for the disk.
    let (measured, slot) = tasks::blocking_with(slot, move || -> Result<_> {
        let bytes = file.map()?;
        let needed = media::pictures::inspect_memory(&bytes).max(media::captures::memory(&bytes));
        drop(bytes);
        Ok((file, needed))
    })
    .await?;
    let (file, needed) = measured?;
    let memory = app.decode_memory.acquire(needed).await?;
    let (inspected, _) = tasks::blocking_with((slot, memory), move || -> Result<_> {
        let bytes = file.map()?;
        let inspected = media::pictures::inspect(&bytes).map_err(refusal)?;
        let redaction = media::metadata::redact(&bytes, inspected.format);
        let redaction = redaction.map_err(|_| Refusal::ImageTooComplex)?;
        let capture = media::captures::read(&bytes);
        drop(bytes);
        Ok(Taken { file, inspected, redaction, capture })
    })
    .await?;
    inspected
}

/// The refusal of bytes that cannot be read as a picture.
pub(crate) fn refusal(unreadable: Unreadable) -> Refusal {
    match unreadable {
        Unreadable::NotAnImage => Refusal::NotAnImage,
        Unreadable::Truncated => Refusal::ImageTruncated,
        Unreadable::Damaged => Refusal::ImageDamaged,
        Unreadable::TooManyPixels => Refusal::ImageTooManyPixels,
        Unreadable::TooComplex => Refusal::ImageTooComplex,
    }
}

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
    /// Only those that this person is in, hidden ones aside; of nobody when there is no such person.
    pub person: Option<String>,
    /// Only those in the album with this id, or, for `none`, in none.
    pub album: Option<String>,
    /// At most so many, from 1 to [`PAGE_MAX`].
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
    /// The mark of the next page; none on the last.
    pub next_cursor: Option<String>,
}

/// A photographer's photos.
///
/// # Errors
/// [`Refusal::EventNotFound`] for another's event, [`Refusal::PersonNotFound`] and [`Refusal::AlbumNotFound`] for what is no
/// id, [`Refusal::SortUnknown`], [`Refusal::StatusUnknown`] and [`Refusal::SortNeedsEvent`], [`Refusal::CursorInvalid`] for a mark that was not given out.
pub async fn search(app: &App, owner: &User, query: Query) -> Result<Page> {
    let event = match query.event {
        Some(event) => Some(events::own_by_id(app, owner, event).await?),
        None => None,
    };
    let person = query.person.map(|person| person.parse::<PersonId>()).transpose();
    let person = person.map_err(|_| Refusal::PersonNotFound)?;
    let album = query.album.as_deref().map(AlbumFilter::parse).transpose()?;
    let status = query.status.map(|status| PhotoStatus::from_stored(&status).ok_or(Refusal::StatusUnknown));
    let sort = query.sort.as_deref().map(Sort::parse).transpose()?.unwrap_or_default();
    if sort != Sort::Uploaded && event.is_none() {
        return Err(Refusal::SortNeedsEvent.into());
    }
    let begin = cursors::resolve(app, owner, sort, query.cursor.as_deref()).await?;
    let limit = i64::from(query.limit.unwrap_or(PAGE_DEFAULT).clamp(1, PAGE_MAX));
    let filter = storage::photos::PhotoQuery {
        owner: owner.id,
        event: query.event,
        filename: query.filename.as_deref(),
        name: query.name.as_deref().map(str::trim).filter(|name| !name.is_empty()),
        status: status.transpose()?,
        without_faces: query.without_faces,
        person,
        album,
        order: begin.order(sort),
        limit: limit + 1,
    };
    let mut photos = storage::photos::search(&app.db, &filter).await?;
    let total = match &event {
        Some(event) if filter.is_whole() => event.indexing.total,
        _ => storage::photos::count(&app.db, &filter).await?,
    };
    let more = i64::try_from(photos.len()).unwrap_or(i64::MAX) > limit;
    photos.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
    let next_cursor = match photos.last().filter(|_| more) {
        Some(last) => Some(cursors::after(app, owner, sort, last.id).await?),
        None => None,
    };
    Ok(Page { photos, total, next_cursor })
}

/// How many photos a photographer has now.
pub async fn count(app: &App, owner: &User) -> Result<i64> {
    let all = storage::photos::PhotoQuery::all(owner.id, 0);
    Ok(storage::photos::count(&app.db, &all).await?)
}

/// A photographer's own photo.
///
/// # Errors
/// [`Refusal::PhotoNotFound`].
pub async fn own_by_id(app: &App, owner: &User, id: PhotoId) -> Result<Photo> {
    let photo = storage::photos::by_id(&app.db, id).await?;
    photo.filter(|photo| photo.owner == owner.id).ok_or_else(|| Refusal::PhotoNotFound.into())
}

/// Where the faces are that were found in a photographer's own photo, from left to right.
///
/// # Errors
/// [`Refusal::PhotoNotFound`].
pub async fn faces(app: &App, owner: &User, id: PhotoId) -> Result<Vec<BoundingBox>> {
    let photo = own_by_id(app, owner, id).await?;
    Ok(storage::faces::places(&app.db, photo.id).await?)
}

/// Lets a photo that could not be indexed be tried again at once, and answers it as it is then. One that waits to be tried
/// again waits no longer; one that is ready stays as it is.
///
/// # Errors
/// [`Refusal::PhotoNotFound`].
pub async fn retry(app: &App, owner: &User, id: PhotoId) -> Result<Photo> {
    let photo = own_by_id(app, owner, id).await?;
    if photo.status == PhotoStatus::Ready {
        return Ok(photo);
    }
    let mut tx = app.begin().await?;
    tx.index_again(id).await?;
    tx.commit().await?;
    own_by_id(app, owner, id).await
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
/// [`Refusal::PhotoNotFound`] when the handle is none of ours or has expired, the photo is hidden, its event is not
/// open, or it belongs to a library that is not the caller's; [`Refusal::EventPinRequired`].
pub async fn by_handle(app: &App, visitor: &Visitor, handle: &str) -> Result<(Photo, Recipient)> {
    let id = handles::photo(app, handle).ok_or(Refusal::PhotoNotFound)?;
    let photo = storage::photos::by_id(&app.db, id).await?.ok_or(Refusal::PhotoNotFound)?;
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
    Ok((photo, recipient))
}
