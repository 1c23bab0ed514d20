//! Photos that are received in pieces, over a line that may be cut: what is here stays, and the next piece begins there.
//!
//! The bytes lie on the disk of the machine that began to receive them (decision 0031). Once all are there, the photo is
//! taken in as any other.

mod checksum;
mod record;
mod room;

use std::net::{IpAddr, Ipv4Addr};

use bytes::Bytes;
use domain::accounts::User;
use domain::photos::{ContentHash, MAX_BYTES};
use domain::refusal::Kind;
use domain::team::Right;
use domain::{EventId, Refusal, Timestamp, UploadId, UserId};
use futures::{Stream, StreamExt as _};
use media::partial_files::{self, PartialFiles, PartialWriter};
use media::temp_files::{TempFile, TempFileWriter};

use crate::guests::guest_photos::{self, Guest};
use crate::operations::orphans;
use crate::operations::runtime::limits::block_of;
use crate::operations::runtime::tasks;
use crate::photos::{self, Accepted};
use crate::team::rights;
use crate::uploads::admission;
use crate::uploads::turns::UploadTurn;
use crate::{App, Failure, Result};
use record::{Record, SentBy};

pub use checksum::Checksum;
pub use record::Taken;

/// The folder of those files, in that of unfinished uploads.
const FOLDER: &str = "partial";

/// Who sends an upload.
#[derive(Clone)]
pub enum Sender {
    /// An account.
    Account(Box<User>),
    /// A guest, who is called something or nothing.
    Guest(Box<Guest>, Option<String>),
}

impl Sender {
    /// Whose photos its uploads become.
    fn owner(&self) -> UserId {
        match self {
            Self::Account(account) => account.id,
            Self::Guest(guest, _) => guest.event.owner,
        }
    }

    /// Whether it has begun an upload.
    fn has(&self, record: &Record) -> bool {
        record.owner == self.owner()
            && match (self, &record.guest) {
                (Self::Account(_), None) => true,
                (Self::Guest(guest, _), Some(sent)) => {
                    record.event == Some(guest.event.id) && sent.device == guest.device
                }
                (Self::Account(_), Some(_)) | (Self::Guest(..), None) => false,
            }
    }

    /// Refuses an upload that begins where none is taken.
    async fn check_destination(&self, app: &App, event: Option<EventId>, length: u64) -> Result<()> {
        match self {
            Self::Account(account) => {
                photos::check_destination(app, account, event).await?;
                admission::check_disk(app).await
            }
            Self::Guest(guest, _) => {
                guest.check_taken()?;
                guest.check_room(app, length).await?;
                admission::check_disk_for_guests(app).await
            }
        }
    }
}

/// An upload that begins.
pub struct NewUpload {
    /// The event it is for; none means the library.
    pub event: Option<EventId>,
    /// The name the file has.
    pub filename: String,
    /// What the client says of it, as it says it.
    pub metadata: Option<String>,
    /// How many bytes the file has.
    pub length: u64,
    /// Whether it takes the place of the photo of the same name.
    pub replaces: bool,
    /// The BLAKE3 that the whole file has, if the client says it. A file that changes between two of its pieces has another.
    pub hash: Option<ContentHash>,
}

/// An upload as it stands.
pub struct Upload {
    /// Its id.
    pub id: UploadId,
    /// How many bytes are here. All of them only once the photo is taken in.
    pub offset: u64,
    /// How many bytes the file has.
    pub length: u64,
    /// What the client said of it.
    pub metadata: Option<String>,
    /// Until when it can go on.
    pub expires_at: Timestamp,
    /// The photo, once it is taken in.
    pub taken: Option<Taken>,
}

/// What a client says of a piece.
pub struct Piece {
    /// Where it begins.
    pub offset: u64,
    /// How many bytes it has, if that is known before they come.
    pub length: Option<u64>,
    /// What they are verified by.
    pub checksum: Option<Checksum>,
}

fn files(app: &App) -> PartialFiles {
    PartialFiles::new(app.settings.incoming_dir.join(FOLDER))
}

async fn upload(app: &App, id: UploadId, record: Record, offset: u64) -> Result<Upload> {
    let expires_at = room::expires_at(app, &files(app), id, &record).await?;
    let Record { length, metadata, taken, .. } = record;
    Ok(Upload { id, offset, length, metadata, expires_at, taken })
}

/// Begins an upload.
///
/// # Errors
/// [`Refusal::PhotoEmpty`], [`Refusal::PhotoTooLarge`], the refusals of its event, and those of too many uploads that are not
/// complete.
pub async fn begin(app: &App, sender: &Sender, address: IpAddr, new: NewUpload) -> Result<Upload> {
    let NewUpload { event, filename, metadata, length, replaces, hash } = new;
    if length == 0 {
        return Err(Refusal::PhotoEmpty.into());
    }
    if length > MAX_BYTES {
        return Err(Refusal::PhotoTooLarge.into());
    }
    sender.check_destination(app, event, length).await?;
    let guest = match sender {
        Sender::Account(_) => None,
        Sender::Guest(guest, name) => Some(SentBy { device: guest.device, name: name.clone() }),
    };
    let (id, files) = (app.id::<UploadId>(), files(app));
    let record = Record {
        owner: sender.owner(),
        guest,
        event,
        filename,
        metadata,
        length,
        replaces,
        hash,
        address: block_of(address),
        created_at: app.now(),
        run_of_machine: partial_files::run_of_machine().await,
        taken: None,
    };
    let _slot = app.concurrency.new_uploads.acquire().await?;
    let ending = room::find(app, &files, &record).await?;
    // What waits for room comes again and again, and is counted once.
    if let Sender::Guest(guest, _) = sender {
        guest.count(app, address).await?;
    }
    for id in ending {
        files.remove(id).await?;
    }
    files.create(id, record.to_bytes()?).await?;
    upload(app, id, record, 0).await
}

/// An own upload, and how many of its bytes are here.
async fn find(app: &App, sender: &Sender, id: UploadId) -> Result<(Record, u64)> {
    let files = files(app);
    // In this order, since it is settled before its description goes.
    let description = files.description(id).await?;
    let outcome = files.outcome(id).await?;
    let record = outcome.or(description).and_then(|bytes| Record::from_bytes(&bytes));
    let record = record.filter(|record| sender.has(record)).ok_or(Refusal::UploadNotFound)?;
    if room::is_expired(app, &files, id, &record).await? {
        return Err(Refusal::UploadNotFound.into());
    }
    if record.taken.is_some() {
        let length = record.length;
        return Ok((record, length));
    }
    if record.run_of_machine != partial_files::run_of_machine().await {
        return Err(Refusal::UploadNotFound.into());
    }
    let size = files.size(id).await?.ok_or(Refusal::UploadNotFound)?;
    // A client that is told that all bytes are here sends no more, and believes that the photo is there. As long as it is
    // not, the last byte has to come again, and with it another attempt.
    let offset = size.min(record.length.saturating_sub(1));
    Ok((record, offset))
}

/// How an own upload stands. A request that is still receiving a piece of it is ended: its client asks because it has given
/// that up.
///
/// # Errors
/// [`Refusal::UploadNotFound`].
pub async fn state(app: &App, sender: &Sender, id: UploadId) -> Result<Upload> {
    find(app, sender, id).await?;
    let _turn = app.concurrency.upload_turns.take(id).await;
    let (record, offset) = find(app, sender, id).await?;
    upload(app, id, record, offset).await
}

/// Ends an own upload; a photo that it became stays.
///
/// # Errors
/// [`Refusal::UploadNotFound`].
pub async fn end(app: &App, sender: &Sender, id: UploadId) -> Result<()> {
    find(app, sender, id).await?;
    let _turn = app.concurrency.upload_turns.take(id).await;
    if files(app).remove(id).await? { Ok(()) } else { Err(Refusal::UploadNotFound.into()) }
}

/// Receives a piece of an own upload, and takes the photo in if it was the last one. What came of a piece that was cut stays,
/// unless it was to be verified. All of it goes on when the caller is dropped, as the client's line may be cut any time.
///
/// # Errors
/// [`Refusal::UploadNotFound`], [`Refusal::UploadOffsetWrong`], [`Refusal::UploadTooLong`],
/// [`Refusal::UploadChecksumWrong`] of the piece or the whole, [`Refusal::Busy`] for a piece that was cut, and the refusals of [`photos::accept`].
pub async fn append<E: Send + 'static>(
    app: &App,
    sender: &Sender,
    address: IpAddr,
    id: UploadId,
    piece: Piece,
    body: impl Stream<Item = std::result::Result<Bytes, E>> + Send + Unpin + 'static,
) -> Result<Upload> {
    let (record, _) = find(app, sender, id).await?;
    let admission = match sender {
        Sender::Account(account) => {
            if let (Some(event), None) = (record.event, record.taken) {
                // Whoever is no longer in the event's team sends no more bytes for it.
                rights::event(app, account, event, Right::Upload).await?;
            }
            admission::admit(app, account, address).await?
        }
        Sender::Guest(guest, _) => {
            if record.taken.is_none() {
                guest.check_taken()?;
            }
            admission::admit_guest(app, guest.event.id, address).await?
        }
    };
    let (app, sender) = (app.clone(), sender.clone());
    tasks::detached(async move {
        let _admission = admission;
        receive(&app, &sender, id, piece, body).await
    })
    .await?
}

async fn receive<E>(
    app: &App,
    sender: &Sender,
    id: UploadId,
    piece: Piece,
    body: impl Stream<Item = std::result::Result<Bytes, E>> + Unpin,
) -> Result<Upload> {
    let turn = app.concurrency.upload_turns.take(id).await;
    let (record, offset) = find(app, sender, id).await?;
    if piece.offset != offset {
        return Err(Refusal::UploadOffsetWrong.into());
    }
    let left = record.length.saturating_sub(offset);
    if piece.length.is_some_and(|length| length > left) {
        return Err(Refusal::UploadTooLong.into());
    }
    if record.taken.is_some() {
        return upload(app, id, record, offset).await;
    }
    // Kept until the end: it keeps other processes away.
    let mut writer = files(app).append_at(id, offset).await?.ok_or(Refusal::Busy)?;
    let mut bytes = PieceBytes { body, left, turn: &turn };
    match piece.checksum {
        None => {
            let copied = copy(&mut bytes, &mut writer).await;
            writer.flush().await?;
            copied?;
        }
        Some(checksum) => {
            copy_verified(app, &mut bytes, &mut writer, checksum).await?;
            writer.flush().await?;
        }
    }
    let offset = writer.size();
    if offset < record.length {
        return upload(app, id, record, offset).await;
    }
    take_in(app, sender, id, record).await
}

/// The bytes of a piece as they come.
struct PieceBytes<'a, S> {
    body: S,
    left: u64,
    turn: &'a UploadTurn,
}

impl<E, S: Stream<Item = std::result::Result<Bytes, E>> + Unpin> PieceBytes<'_, S> {
    /// The next ones; none at the end of the piece.
    async fn next(&mut self) -> Result<Option<Bytes>> {
        let chunk = tokio::select! {
            biased;
            () = self.turn.interrupted() => return Err(Refusal::Busy.into()),
            chunk = self.body.next() => chunk,
        };
        match chunk {
            None => Ok(None),
            Some(Err(_)) => Err(Refusal::Busy.into()),
            Some(Ok(chunk)) => {
                self.left = self.left.checked_sub(chunk.len() as u64).ok_or(Refusal::UploadTooLong)?;
                Ok(Some(chunk))
            }
        }
    }
}

async fn copy<E, S: Stream<Item = std::result::Result<Bytes, E>> + Unpin>(
    bytes: &mut PieceBytes<'_, S>,
    writer: &mut PartialWriter,
) -> Result<()> {
    while let Some(chunk) = bytes.next().await? {
        writer.write(&chunk).await?;
    }
    Ok(())
}

/// Keeps the bytes apart until they are verified, so that no others are ever among those that are here.
async fn copy_verified<E, S: Stream<Item = std::result::Result<Bytes, E>> + Unpin>(
    app: &App,
    bytes: &mut PieceBytes<'_, S>,
    writer: &mut PartialWriter,
    mut checksum: Checksum,
) -> Result<()> {
    let mut apart = TempFileWriter::create(&app.settings.incoming_dir).await?;
    while let Some(chunk) = bytes.next().await? {
        checksum.update(&chunk);
        apart.write(&chunk).await?;
    }
    if !checksum.matches() {
        return Err(Refusal::UploadChecksumWrong.into());
    }
    Ok(writer.write_file(&apart.finish().await?).await?)
}

/// Takes in a photo all of whose bytes are here. Where they are not those that the client has announced, pieces of two versions
/// of its file were put together, and nothing of them is of use.
async fn take_in(app: &App, sender: &Sender, id: UploadId, mut record: Record) -> Result<Upload> {
    let files = files(app);
    let file = files.complete(id).await?;
    if record.hash.is_some_and(|announced| announced != file.checksums().blake3) {
        files.remove(id).await?;
        return Err(Refusal::UploadChecksumWrong.into());
    }
    let taken = match take(app, sender, &record, file).await {
        Ok(taken) => taken,
        Err(Failure::Refused(refusal)) if is_final(refusal.kind()) => {
            files.remove(id).await?;
            return Err(refusal.into());
        }
        Err(failure) => return Err(failure),
    };
    record.taken = Some(taken);
    if record.guest.is_some() {
        // It counts for no address any more, and is kept for none.
        record.address = IpAddr::V4(Ipv4Addr::UNSPECIFIED);
    }
    if let Err(error) = files.settle(id, record.to_bytes()?).await {
        // The photo is there. The client is told so now; if this answer is lost, its last byte comes again, and finds it.
        tracing::warn!(%id, error = crate::operations::runtime::failure::chain(&error), "it is not kept what became of an upload");
    }
    let length = record.length;
    upload(app, id, record, length).await
}

async fn take(app: &App, sender: &Sender, record: &Record, file: TempFile) -> Result<Taken> {
    let (event, filename) = (record.event, &record.filename);
    let account = match sender {
        Sender::Account(account) => account,
        Sender::Guest(guest, _) => {
            let name = record.guest.as_ref().and_then(|sent| sent.name.clone());
            let received =
                guest_photos::take_in(app, guest.event.id, guest.device, name, filename, file).await?;
            return Ok(Taken { photo: received.photo, duplicate: received.is_duplicate, replaced: false });
        }
    };
    let accepted = if record.replaces {
        photos::replace(app, account, event, filename, file).await?
    } else {
        photos::accept(app, account, event, filename, file).await?
    };
    Ok(match accepted {
        Accepted::New(photo) => Taken { photo: photo.id, duplicate: false, replaced: false },
        Accepted::Replaced(photo) => Taken { photo: photo.id, duplicate: false, replaced: true },
        Accepted::Duplicate(photo) => Taken { photo: photo.id, duplicate: true, replaced: false },
        Accepted::OfSomebodyElse(photo) => Taken { photo: photo.id, duplicate: true, replaced: false },
    })
}

/// Whether the same bytes are refused at another time as well.
const fn is_final(kind: Kind) -> bool {
    match kind {
        Kind::InvalidInput
        | Kind::NotFound
        | Kind::Conflict
        | Kind::TooLarge
        | Kind::UnsupportedMediaType
        | Kind::Unprocessable => true,
        Kind::Unauthenticated
        | Kind::PaymentRequired
        | Kind::Forbidden
        | Kind::MethodNotAllowed
        | Kind::PreconditionFailed
        | Kind::ChecksumMismatch
        | Kind::RangeNotSatisfiable
        | Kind::RateLimited
        | Kind::Unavailable
        | Kind::InsufficientStorage => false,
    }
}

/// Removes uploads that have expired, and what killed processes left of others; answers how many files.
pub(crate) async fn remove_expired(app: &App) -> Result<u64> {
    let files = files(app);
    let mut removed = 0;
    for id in [files.unfinished().await?, files.settled().await?].concat() {
        // In this order: an upload that is settled meanwhile has its outcome before its description goes.
        let description = files.description(id).await?;
        let bytes = files.outcome(id).await?.or(description);
        let is_alive = match bytes.and_then(|bytes| Record::from_bytes(&bytes)) {
            Some(record) => !room::is_expired(app, &files, id, &record).await?,
            None => false,
        };
        if !is_alive && !app.concurrency.upload_turns.is_taken(id) {
            removed += u64::from(files.remove(id).await?);
        }
    }
    Ok(removed + files.remove_remains(app.now().minus(orphans::ORPHAN_GRACE)).await?)
}
