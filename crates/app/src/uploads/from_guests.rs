//! Photos that guests have added: their files are stored as an upload's are, and become a photo of their event, and are paid
//! for, when they are let in (decision 0091).

use domain::accounts::User;
use domain::events::Event;
use domain::guests::guest_photos::GuestPhoto;
use domain::payments::ledger::LedgerKind;
use domain::payments::money::PHOTO_PRICE;
use domain::photos::{MediaKey, Photo, PhotoStatus, Size, sanitize_filename};
use domain::team::Right;
use domain::{EventId, Paise, PhotoId, UserId};
use media::decoders::Priority;
use media::pictures::{PREVIEW_LONG_SIDE, Renditions, Unreadable};
use media::stores::Source;
use media::temp_files::{Contents, TempFile};

use super::destination::Destination;
use super::{Former, Recorded, Taken, former_of, inspect, record, refusal};
use crate::guests::guest_photos::removal::remove_files;
use crate::operations::runtime::{decoding, tasks};
use crate::operations::stores;
use crate::team::rights;
use crate::{App, Result};

/// The files of a photo that is not let in, on stable storage.
pub(crate) struct Stored {
    /// The photo as it waits.
    pub(crate) photo: Photo,
    /// What its files have together.
    pub(crate) bytes: i64,
}

/// Inspects a file as an upload's, and stores it with its renditions.
///
/// # Errors
/// The refusals of its bytes.
pub(crate) async fn store(app: &App, event: &Event, filename: &str, file: TempFile) -> Result<Stored> {
    let taken = inspect(app, file).await?;
    let Renditions { preview, medium, thumbnail } = renditions(app, &taken).await?;
    let id = app.id::<PhotoId>();
    let size = |jpeg: &Vec<u8>| i64::try_from(jpeg.len()).unwrap_or(i64::MAX);
    let (preview_bytes, medium_bytes) = (size(&preview.jpeg), size(&medium.jpeg));
    let photo = Photo {
        id,
        owner: event.owner,
        event: Some(event.id),
        uploader: None,
        key: MediaKey::original(&app.randomness, id, taken.inspected.format),
        content_hash: taken.file.checksums().blake3,
        crc32: Some(taken.file.checksums().crc32),
        original_filename: sanitize_filename(filename),
        format: taken.inspected.format,
        size_bytes: taken.bytes(),
        width: i64::from(taken.inspected.width),
        height: i64::from(taken.inspected.height),
        status: PhotoStatus::Ready,
        failure: None,
        faces: 0,
        focus: None,
        average_color: taken.inspected.average_color,
        preview_bytes: Some(preview_bytes),
        preview_crc32: None,
        medium_bytes: Some(medium_bytes),
        not_me_reports: 0,
        albums: Vec::new(),
        downloads: 0,
        hearts: 0,
        hidden: false,
        held: false,
        capture: taken.capture.clone(),
        created_at: app.now(),
    };
    let bytes = taken.bytes().saturating_add(preview_bytes + medium_bytes + size(&thumbnail.jpeg));
    let store = stores::own(app).await?;
    store.put(&photo.key, Source::File(taken.file.path().to_owned())).await?;
    for (size, rendition) in [(Size::Preview, preview), (Size::Medium, medium), (Size::Thumbnail, thumbnail)]
    {
        store.put(&photo.key.sized(size), Source::Bytes(rendition.jpeg.into())).await?;
    }
    Ok(Stored { photo, bytes })
}

/// What the photographer looks at before the photo is indexed.
async fn renditions(app: &App, taken: &Taken) -> Result<Renditions> {
    let slot = app.concurrency.inspections.acquire().await?;
    let contents = Contents::Mapped(taken.file.map()?);
    // Searches go first.
    let (picture, memory) =
        decoding::open_for(app, contents, Priority::Background, PREVIEW_LONG_SIDE).await?;
    let permits = (slot, memory);
    let drawn = tasks::background(move || -> Result<std::result::Result<Renditions, Unreadable>> {
        let _permits = permits;
        match decoding::pixels(picture)? {
            Ok(pixels) => Ok(Ok(media::pictures::renditions(&pixels)?)),
            Err(unreadable) => Ok(Err(unreadable)),
        }
    })
    .await??;
    Ok(drawn.map_err(refusal)?)
}

/// Who lets photos in, and where.
pub(crate) struct Host(Destination);

impl Host {
    /// The caller, who manages the event.
    ///
    /// # Errors
    /// [`Refusal::EventNotFound`], [`Refusal::ManagersOnly`], [`Refusal::EventBeingDeleted`], or [`Refusal::EventUploadsClosed`].
    pub(crate) async fn of(app: &App, caller: &User, event: EventId) -> Result<(Self, Event)> {
        let granted = rights::open_event(app, caller, event, Right::Manage).await?;
        let destination = Destination::of(app, caller, Some(event)).await?;
        destination.check_open()?;
        Ok((Self(destination), granted.event))
    }

    /// Refuses what nothing is there to pay for before anything is let in.
    ///
    /// # Errors
    /// [`Refusal::InsufficientCredits`].
    pub(crate) async fn check_credit(&self, app: &App, photos: usize) -> Result<()> {
        self.0.check_credit_for(app, photos).await
    }
}

/// What a photo costs that is let in to an event of this owner.
pub(crate) async fn price(app: &App, owner: UserId) -> Result<Paise> {
    let owner = storage::accounts::users::by_id(&app.db, owner).await?;
    let is_free = owner.is_some_and(|owner| owner.premium_since.is_some());
    Ok(if is_free { Paise::new(0) } else { PHOTO_PRICE })
}

/// What became of a guest's photo that was to be let in.
pub(crate) enum LetIn {
    /// A photo of the event, charged as an upload.
    New,
    /// A photo that was there already; nothing was charged.
    There,
    /// Nothing: it was let in, declined or taken back before.
    NotWaiting,
}

/// Lets a photo in, which is then as one that its photographer has uploaded. One transaction takes it from those that wait, makes
/// it a photo, charges for it, and queues it for indexing: whoever comes later finds that it waits no more.
///
/// # Errors
/// Those of an upload.
pub(crate) async fn let_in(app: &App, host: &Host, added: &GuestPhoto) -> Result<LetIn> {
    let destination = &host.0;
    let photo = Photo {
        uploader: None,
        status: PhotoStatus::Processing,
        preview_bytes: None,
        medium_bytes: None,
        created_at: app.now(),
        ..added.photo.clone()
    };
    let former = former_of(app, destination, &photo.content_hash).await?;
    if let Former::Of(there) = former {
        return already_there(app, &added.photo, &there).await;
    }
    let mut tx = app.begin().await?;
    if !storage::guests::guest_photos::take(&mut tx, photo.id).await? {
        return Ok(LetIn::NotWaiting);
    }
    match record(app, tx, destination, &photo, None, &former).await? {
        Recorded::Uncommitted { tx, charged } => {
            tx.commit().await?;
            if charged {
                app.metrics.record_ledger_entry(LedgerKind::Upload);
            }
            Ok(LetIn::New)
        }
        Recorded::Duplicate(there) | Recorded::Former(there) => {
            already_there(app, &added.photo, &there).await
        }
    }
}

async fn already_there(app: &App, waited: &Photo, there: &Photo) -> Result<LetIn> {
    let mut tx = app.begin().await?;
    if !storage::guests::guest_photos::take(&mut tx, waited.id).await? {
        return Ok(LetIn::NotWaiting);
    }
    storage::guests::guest_photos::set_became(&mut tx, waited.id, there.id).await?;
    tx.commit().await?;
    if let Err(failure) = remove_files(app, std::slice::from_ref(waited)).await {
        // The sweeper finds them.
        tracing::warn!(photo = %waited.id, error = failure.chain(), "files of a guest's photo stay behind");
    }
    Ok(LetIn::There)
}
