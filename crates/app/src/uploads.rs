//! Taking photos in: received, inspected, stored, charged and queued for indexing.

pub mod admission;
pub mod ftp;
pub mod resumable;
pub(crate) mod turns;

mod accepted;
mod destination;
pub(crate) mod from_guests;
mod replacement;

use domain::accounts::User;
use domain::payments::ledger::LedgerKind;
use domain::payments::money::PHOTO_PRICE;
use domain::photos::captures::Capture;
use domain::photos::redactions::Redaction;
use domain::photos::{ContentHash, MAX_BYTES, MediaKey, Photo, PhotoStatus, sanitize_filename};
use domain::team::Right;
use domain::{EventId, Job, LedgerId, PhotoId, Refusal, Timestamp};
use futures::{StreamExt as _, TryStreamExt as _, stream};
use media::checksums::Checksums;
use media::decoders::{Examined, Priority, Purpose};
use media::pictures::{Foreign, Inspected, Unreadable};
use media::stores::Source;
use media::temp_files::{Contents, TempFileWriter};
use storage::payments::ledger::Spending;
use storage::photos::Inserted;

use crate::operations::runtime::queue::Tx;
use crate::operations::runtime::tasks;
use crate::operations::stores;
use crate::photos::trash;
use crate::team::rights::Reached;
use crate::{App, Result};
pub use accepted::{Accepted, OfSomebodyElse};
use destination::Destination;

pub use media::temp_files::TempFile;
pub use replacement::{Version, replace, versions};

/// Most requests to the media store at once for one call.
const STORE_REQUESTS: usize = 16;

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

/// Takes a received file in as a photo: inspected, stored safely, charged and queued for indexing, or refused with
/// nothing kept.
///
/// # Errors
/// The refusals of its bytes, of its event, and [`Refusal::InsufficientCredits`].
pub async fn accept(
    app: &App,
    caller: &User,
    event: Option<EventId>,
    filename: &str,
    file: TempFile,
) -> Result<Accepted> {
    app.metrics.record_upload(file.size());
    let destination = destination_of(app, caller, event, &file).await?;
    if let Some(there) = taken_before(app, &destination, &file).await? {
        return Ok(destination.duplicate(app, there, &file, filename));
    }
    take(app, &destination, filename, file).await
}

/// Refuses an upload that begins where none is taken.
///
/// # Errors
/// [`Refusal::EventNotFound`], [`Refusal::EventBeingDeleted`], or [`Refusal::EventUploadsClosed`].
pub(crate) async fn check_destination(app: &App, caller: &User, event: Option<EventId>) -> Result<()> {
    Ok(Destination::of(app, caller, event).await?.check_open()?)
}

/// Where a file goes.
async fn destination_of(
    app: &App,
    caller: &User,
    event: Option<EventId>,
    file: &TempFile,
) -> Result<Destination> {
    if file.size() == 0 {
        return Err(Refusal::PhotoEmpty.into());
    }
    Destination::of(app, caller, event).await
}

/// The photo with a file's bytes, if they are there. Otherwise the event takes the file.
async fn taken_before(app: &App, destination: &Destination, file: &TempFile) -> Result<Option<Photo>> {
    let Destination { owner, event, .. } = *destination;
    if let Some(there) = storage::photos::by_hash(&app.db, owner, event, &file.checksums().blake3).await? {
        return duplicate(app, there, file).await.map(Some);
    }
    // After the look at what is there: an upload that was taken in before is answered as it was.
    destination.check_open()?;
    Ok(None)
}

/// Takes a file in as a new photo, or restores the deleted one that has its bytes. Where a photo had these bytes until it was
/// replaced by another version, they are there as that photo.
async fn take(app: &App, destination: &Destination, filename: &str, file: TempFile) -> Result<Accepted> {
    let former = former_of(app, destination, &file.checksums().blake3).await?;
    if let Former::Of(there) = former {
        return Ok(destination.duplicate(app, *there, &file, filename));
    }
    let hash = &file.checksums().blake3;
    let trash = Reached {
        collection: destination.collection(),
        owner: destination.owner,
        uploader: destination.sees_only,
    };
    if let Some(restored) = trash::restore_uploaded(app, &trash, hash).await? {
        let restored = duplicate(app, restored, &file).await?;
        return Ok(destination.duplicate(app, restored, &file, filename));
    }
    destination.check_credit(app).await?;
    let taken = inspect(app, file).await?;
    let id = app.id::<PhotoId>();
    let key = MediaKey::original(&app.randomness, id, taken.inspected.format);
    let photo = Photo {
        id,
        owner: destination.owner,
        event: destination.event,
        uploader: destination.uploader,
        key,
        content_hash: taken.file.checksums().blake3,
        crc32: Some(taken.file.checksums().crc32),
        original_filename: sanitize_filename(filename),
        format: taken.inspected.format,
        size_bytes: taken.bytes(),
        width: i64::from(taken.inspected.width),
        height: i64::from(taken.inspected.height),
        status: PhotoStatus::Processing,
        failure: None,
        faces: 0,
        focus: None,
        average_color: taken.inspected.average_color,
        preview_bytes: None,
        preview_crc32: None,
        medium_bytes: None,
        not_me_reports: 0,
        albums: Vec::new(),
        downloads: 0,
        hearts: 0,
        sharpness: None,
        stack: None,
        hidden: false,
        held: false,
        capture: taken.capture.clone(),
        created_at: app.now(),
    };
    // First the bytes on stable storage, then the row, then the answer: a crash between any two leaves at worst
    // a file without a row, which the sweeper removes.
    stores::own(app).await?.put(&photo.key, Source::File(taken.file.path().to_owned())).await?;
    match record(app, destination, &photo, &taken.redaction, &former).await {
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
            let there = duplicate(app, there, &taken.file).await?;
            Ok(destination.duplicate(app, there, &taken.file, filename))
        }
        Ok(Recorded::Former(there)) => {
            discard(app, &photo.key).await;
            Ok(destination.duplicate(app, there, &taken.file, filename))
        }
        Err(failure) => {
            discard(app, &photo.key).await;
            Err(failure)
        }
    }
}

/// Of which photo a file is a version before.
enum Former {
    /// Of none that is known.
    OfNone,
    /// Of this one.
    Of(Box<Photo>),
    /// Of one whose own file is missing or damaged: what comes may be all that the photographer has.
    OfDamaged,
}

async fn former_of(app: &App, destination: &Destination, hash: &ContentHash) -> Result<Former> {
    let Destination { owner, event, .. } = *destination;
    Ok(match storage::photos::by_former_hash(&app.db, owner, event, hash).await? {
        None => Former::OfNone,
        Some(there) if has_original(app, &there).await? => Former::Of(Box::new(there)),
        Some(_) => Former::OfDamaged,
    })
}

/// Removes an original of which it is known that no photo has it.
async fn discard(app: &App, key: &MediaKey) {
    if let Err(error) = app.store.delete(key).await {
        // The sweeper finds it; the answer does not depend on it.
        tracing::warn!(%key, error = crate::operations::runtime::failure::chain(&error), "an unused original stays behind");
    }
}

/// Answers an upload whose bytes are there already. The photographer may delete the file after this answer, so the
/// stored original is read, and stored again if it is missing or has other bytes.
async fn duplicate(app: &App, there: Photo, file: &TempFile) -> Result<Photo> {
    if has_original(app, &there).await? {
        return Ok(there);
    }
    restore(app, &there, Source::File(file.path().to_owned())).await?;
    Ok(storage::photos::by_id(&app.db, there.id).await?.unwrap_or(there))
}

/// Stores the original of a photo again, which came again.
async fn restore(app: &App, photo: &Photo, original: Source) -> Result<()> {
    stores::own(app).await?.put(&photo.key, original).await?;
    tracing::warn!(photo = %photo.id, key = %photo.key, "an original is stored again from the same bytes");
    if photo.status != PhotoStatus::Ready {
        let mut tx = app.begin().await?;
        tx.index_again(photo.id).await?;
        tx.commit().await?;
    }
    Ok(())
}

/// Whether the stored original has the bytes that were uploaded. All of them are read: a disk that has lost some keeps the
/// size.
async fn has_original(app: &App, photo: &Photo) -> Result<bool> {
    if app.store.size(&photo.key).await? != u64::try_from(photo.size_bytes).ok() {
        return Ok(false);
    }
    let _slot = app.concurrency.verifications.acquire().await?;
    let Some(read) = app.store.read(&photo.key, None).await? else { return Ok(false) };
    let is_whole = match Checksums::of(read).await {
        Ok(stored) => stored.blake3 == photo.content_hash,
        // What cannot be read at this place of the disk is put at another.
        Err(error) if error.is_unreadable() => false,
        Err(error) => return Err(error.into()),
    };
    if !is_whole {
        tracing::error!(photo = %photo.id, key = %photo.key, "a stored original does not have the bytes that were uploaded");
    }
    Ok(is_whole)
}

/// Those of the hashes, each with its photo, whose bytes are in an event to which the caller may upload, or in the library: an upload of them would be answered as a
/// duplicate. The photographer may delete these files, so a photo whose original is missing or damaged is not among them, and
/// is stored again from its upload. Where the uploads `replace`, bytes that were replaced themselves may come again.
///
/// # Errors
/// Those of the event, as for an upload.
pub async fn known(
    app: &App,
    caller: &User,
    event: Option<EventId>,
    hashes: &[ContentHash],
    replace: bool,
) -> Result<Vec<(ContentHash, PhotoId)>> {
    let Destination { owner, event, .. } = Destination::of(app, caller, event).await?;
    let photos = storage::photos::by_hashes(&app.db, owner, event, hashes).await?;
    let mut there: Vec<(ContentHash, Photo)> =
        photos.into_iter().map(|photo| (photo.content_hash, photo)).collect();
    if !replace {
        let former = storage::photos::by_former_hashes(&app.db, owner, event, hashes).await?;
        let ids: Vec<PhotoId> = former.iter().map(|former| former.photo).collect();
        let photos = storage::photos::by_ids(&app.db, &ids).await?;
        there.extend(former.iter().filter_map(|former| {
            let photo = photos.iter().find(|photo| photo.id == former.photo)?;
            Some((former.hash, photo.clone()))
        }));
    }
    let mut known: Vec<(ContentHash, PhotoId)> = stream::iter(there)
        .map(async |(hash, photo)| Ok((has_original(app, &photo).await?, (hash, photo.id))))
        .buffer_unordered(STORE_REQUESTS)
        .try_filter_map(async |(is_whole, found)| Ok::<_, crate::Failure>(is_whole.then_some(found)))
        .try_collect()
        .await?;
    // A photo that went back to a version before has it twice.
    known.sort_unstable();
    known.dedup_by_key(|(hash, _)| *hash);
    Ok(known)
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
    /// The same bytes were replaced meanwhile.
    Former(Photo),
}

/// The one transaction in which a photo begins to exist, is paid for, and is queued for indexing. On an error nothing of it
/// has happened: its commit is the caller's.
async fn record(
    app: &App,
    destination: &Destination,
    photo: &Photo,
    redaction: &Redaction,
    former: &Former,
) -> Result<Recorded> {
    let mut tx = app.begin().await?;
    destination.check_right(&mut tx, Right::Upload).await?;
    match write(&mut tx, photo, former).await? {
        Written::New => {}
        Written::Duplicate(there) => return Ok(Recorded::Duplicate(there)),
        Written::Former(there) => return Ok(Recorded::Former(there)),
    }
    storage::photos::redactions::put(&mut *tx, &photo.key, redaction).await?;
    count(&mut tx, photo).await?;
    let charged = charge(app, &mut tx, destination, photo, photo.id.to_string(), photo.created_at).await?;
    Ok(Recorded::Uncommitted { tx, charged })
}

/// What became of a photo that was to be written.
enum Written {
    /// It is there, and queued for indexing.
    New,
    /// The same bytes came first; nothing was written.
    Duplicate(Photo),
    /// The same bytes were replaced meanwhile: the transaction is to be dropped.
    Former(Photo),
}

/// Writes a photo and queues it for indexing. The transaction holds the row that has these bytes, which is the new one's or that of
/// the photo that came first; [`count`] and [`charge`] follow.
async fn write(tx: &mut Tx, photo: &Photo, former: &Former) -> Result<Written> {
    match storage::photos::insert(tx, photo).await? {
        Inserted::Added => {}
        Inserted::Duplicate(there) => return Ok(Written::Duplicate(there)),
        Inserted::EventClosed => return Err(Refusal::EventBeingDeleted.into()),
    }
    // After the insertion, which waits for a replacement of these bytes that is on its way.
    if !matches!(former, Former::OfDamaged) {
        let there =
            storage::photos::by_former_hash(&mut **tx, photo.owner, photo.event, &photo.content_hash).await?;
        if let Some(there) = there {
            return Ok(Written::Former(there));
        }
    }
    // Its photo will be there in a moment; until then these bytes are nobody's, and would be charged.
    if let Some(event) = photo.event
        && storage::photos::is_former_of_returning(&mut **tx, event, &photo.content_hash).await?
    {
        return Err(Refusal::Busy.into());
    }
    tx.enqueue(&Job::IndexPhoto { photo: photo.id }).await?;
    Ok(Written::New)
}

/// Counts a photo that was written. From here on the event's other uploads wait, and what is indexed in it.
async fn count(tx: &mut Tx, photo: &Photo) -> Result<()> {
    match storage::photos::count_insertion(tx, photo).await? {
        true => Ok(()),
        false => Err(Refusal::EventBeingDeleted.into()),
    }
}

/// Charges for a photo, and says whether anything was taken. It comes last in a transaction, as it locks the owner's row: the
/// photographer's other uploads, and all that is about the account, wait for it.
async fn charge(
    app: &App,
    tx: &mut Tx,
    destination: &Destination,
    photo: &Photo,
    reference: String,
    at: Timestamp,
) -> Result<bool> {
    let entry = storage::payments::ledger::Entry {
        id: app.id::<LedgerId>(),
        user: photo.owner,
        kind: LedgerKind::Upload,
        amount: PHOTO_PRICE,
        reference: Some(reference),
        event: photo.event,
        at,
    };
    match storage::payments::ledger::spend(tx, &entry).await? {
        Spending::Charged { .. } => Ok(true),
        Spending::Free => Ok(false),
        Spending::Locked => Err(destination.locked().into()),
        Spending::Insufficient => Err(destination.insufficient().into()),
    }
}

/// A file that was read and can be a photo.
struct Taken {
    file: TempFile,
    inspected: Inspected,
    redaction: Redaction,
    capture: Capture,
}

impl Taken {
    fn bytes(&self) -> i64 {
        i64::try_from(self.file.size()).unwrap_or(i64::MAX)
    }
}

async fn inspect(app: &App, file: TempFile) -> Result<Taken> {
    let slot = app.concurrency.inspections.acquire().await?;
    let decoders = app.decoders.clone();
    // The headers lie all over the file: reading them may wait for the disk.
    let (measured, slot) = tasks::blocking_with(slot, move || -> Result<_> {
        let mut picture = decoders.open(Contents::Mapped(file.map()?), Priority::Foreground);
        let needed = picture.memory(Purpose::Examine)?.map_err(refusal)?;
        Ok((file, picture, needed))
    })
    .await?;
    let (file, mut picture, needed) = measured?;
    let memory = app.decode_memory.acquire(needed).await?;
    let (examined, _) = tasks::blocking_with((slot, memory), move || picture.examine()).await?;
    let Examined { inspected, redaction, capture } = examined?.map_err(refusal)?;
    let redaction = redaction.map_err(|_| Refusal::ImageTooComplex)?;
    Ok(Taken { file, inspected, redaction, capture })
}

/// The refusal of bytes that cannot be read as a picture.
pub(crate) fn refusal(unreadable: Unreadable) -> Refusal {
    match unreadable {
        Unreadable::NotAnImage => Refusal::NotAnImage,
        Unreadable::Foreign(Foreign::Raw) => Refusal::RawPhoto,
        Unreadable::Foreign(Foreign::Jpeg2000) => Refusal::Jpeg2000,
        Unreadable::Foreign(Foreign::JpegXl) => Refusal::JpegXl,
        Unreadable::Foreign(Foreign::Photoshop) => Refusal::PhotoshopDocument,
        Unreadable::Foreign(Foreign::Fax) => Refusal::FaxImage,
        Unreadable::Foreign(Foreign::Video) => Refusal::VideoFile,
        Unreadable::UnknownKind => Refusal::ImageKindUnread,
        Unreadable::Truncated => Refusal::ImageTruncated,
        Unreadable::Damaged => Refusal::ImageDamaged,
        Unreadable::TooManyPixels => Refusal::ImageTooManyPixels,
        Unreadable::TooComplex => Refusal::ImageTooComplex,
    }
}
