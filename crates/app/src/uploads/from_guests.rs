//! Photos that guests have added: their files are stored as an upload's are, and become a photo of their event, and are paid
//! for, when they are let in (decision 0091).

use domain::accounts::User;
use domain::events::Event;
use domain::guests::guest_photos::GuestPhoto;
use domain::payments::ledger::LedgerKind;
use domain::payments::money::PHOTO_PRICE;
use domain::photos::{ContentHash, MediaKey, Photo, PhotoStatus, Size, sanitize_filename};
use domain::team::Right;
use domain::{EventId, Paise, PhotoId, Refusal, UserId};
use media::decoders::Priority;
use media::pictures::{PREVIEW_LONG_SIDE, Renditions, Unreadable};
use media::stores::Source;
use media::temp_files::{Contents, TempFile};

use super::destination::Destination;
use super::{
    Former, Taken, Written, charge, count, former_of, has_original, inspect, refusal, restore, write,
};
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

/// Before a copy of a photo's original goes, the original is read, and stored again if it is missing or has other bytes.
async fn keep_original(app: &App, photo: &Photo, copy: &MediaKey) -> Result<()> {
    if has_original(app, photo).await? {
        return Ok(());
    }
    let Some(read) = app.store.read(copy, None).await? else { return Ok(()) };
    let bytes = read.whole().await?;
    if *blake3::hash(&bytes).as_bytes() == photo.content_hash {
        restore(app, photo, Source::Bytes(bytes)).await?;
    }
    Ok(())
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
}

/// What a photo costs that is let in to an event of this owner.
pub(crate) async fn price(app: &App, owner: UserId) -> Result<Paise> {
    let owner = storage::accounts::users::by_id(&app.db, owner).await?;
    let is_free = owner.is_some_and(|owner| owner.premium_since.is_some());
    Ok(if is_free { Paise::new(0) } else { PHOTO_PRICE })
}

/// A photo that is to be let in.
enum Candidate {
    /// Its bytes are those of this photo, which was there before.
    There(Photo, PhotoId),
    /// It becomes a photo of the event.
    New(Photo, Former),
}

impl Candidate {
    async fn of(app: &App, destination: &Destination, waits: Photo) -> Result<Self> {
        let Destination { owner, event, .. } = *destination;
        let former = former_of(app, destination, &waits.content_hash).await?;
        if let Former::Of(there) = former {
            return Ok(Self::There(waits, there.id));
        }
        if let Some(there) = storage::photos::by_hash(&app.db, owner, event, &waits.content_hash).await? {
            keep_original(app, &there, &waits.key).await?;
            return Ok(Self::There(waits, there.id));
        }
        let photo = Photo {
            uploader: None,
            status: PhotoStatus::Processing,
            preview_bytes: None,
            medium_bytes: None,
            created_at: app.now(),
            ..waits
        };
        Ok(Self::New(photo, former))
    }

    const fn photo(&self) -> &Photo {
        match self {
            Self::There(photo, _) | Self::New(photo, _) => photo,
        }
    }

    /// The bytes that an upload would be charged for.
    const fn to_pay(&self) -> Option<&ContentHash> {
        match self {
            Self::There(..) => None,
            Self::New(photo, _) => Some(&photo.content_hash),
        }
    }
}

/// Lets photos in, which are then as those that their photographer has uploaded, and answers how many still waited. One transaction
/// takes them from those that wait, makes them photos, charges for them, and queues them for indexing: all of them, or none.
///
/// # Errors
/// Those of an upload, and [`Refusal::Busy`] where a photo of the event was replaced at the same time whose bytes one of them has.
pub(crate) async fn let_in(app: &App, host: &Host, waiting: Vec<GuestPhoto>) -> Result<usize> {
    let destination = &host.0;
    let mut waiting: Vec<Photo> = waiting.into_iter().map(|added| added.photo).collect();
    // Whoever writes several photos does so in this order, and waits for nobody who waits for them.
    waiting.sort_unstable_by_key(|photo| (photo.content_hash, photo.id));
    let mut candidates = Vec::with_capacity(waiting.len());
    for waits in waiting {
        candidates.push(Candidate::of(app, destination, waits).await?);
    }
    let mut to_pay: Vec<&ContentHash> = candidates.iter().filter_map(Candidate::to_pay).collect();
    to_pay.dedup();
    destination.check_credit_for(app, to_pay.len()).await?;
    let mut tx = app.begin().await?;
    let (mut new, mut unused) = (Vec::new(), Vec::new());
    for candidate in &candidates {
        let waits = candidate.photo();
        // Somebody else may have decided at the same time.
        if !storage::guests::guest_photos::take(&mut tx, waits.id).await? {
            continue;
        }
        let there = match candidate {
            Candidate::There(_, there) => *there,
            Candidate::New(photo, former) => match write(&mut tx, photo, former).await? {
                Written::New => {
                    new.push(photo);
                    continue;
                }
                Written::Duplicate(there) => there.id,
                Written::Former(_) => return Err(Refusal::Busy.into()),
            },
        };
        storage::guests::guest_photos::set_became(&mut tx, waits.id, there).await?;
        unused.push(waits.clone());
    }
    for photo in &new {
        count(&mut tx, photo).await?;
    }
    let mut charged = 0;
    for photo in &new {
        charged += usize::from(
            charge(app, &mut tx, destination, photo, photo.id.to_string(), photo.created_at).await?,
        );
    }
    tx.commit().await?;
    for _ in 0..charged {
        app.metrics.record_ledger_entry(LedgerKind::Upload);
    }
    if let Err(failure) = remove_files(app, &unused).await {
        // The sweeper finds them.
        tracing::warn!(error = failure.chain(), "files of guests' photos stay behind");
    }
    Ok(new.len() + unused.len())
}
