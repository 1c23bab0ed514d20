//! Photos that guests have added: their files are stored as an upload's are, and become a photo of their event, and are paid
//! for, when they are let in (decision 0091).

use bytes::Bytes;
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
use crate::operations::runtime::queue::Tx;
use crate::operations::runtime::{decoding, tasks};
use crate::operations::stores;
use crate::photos::removal;
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
        sharpness: None,
        stack: None,
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
    let slot = app.concurrency.guest_renditions.acquire().await?;
    let contents = Contents::Mapped(taken.file.map()?);
    // Searches go first.
    let (picture, memory) =
        decoding::open_for(app, contents, Priority::Background, PREVIEW_LONG_SIDE).await?;
    let permits = (slot, memory);
    let drawn = tasks::background(move || -> Result<std::result::Result<Renditions, Unreadable>> {
        let _permits = permits;
        match decoding::pixels(picture)? {
            Ok(pixels) => Ok(Ok(media::pictures::renditions(&media::pictures::preview(&pixels))?)),
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
}

/// What a photo costs that is let in to an event of this owner.
pub(crate) async fn price(app: &App, owner: UserId) -> Result<Paise> {
    let owner = storage::accounts::users::by_id(&app.db, owner).await?;
    let is_free = owner.is_some_and(|owner| owner.premium_since.is_some());
    Ok(if is_free { Paise::new(0) } else { PHOTO_PRICE })
}

/// A photo that is to be let in.
struct Candidate {
    /// As it will be, if it is new.
    photo: Photo,
    former: Former,
    /// What has its bytes, as far as the transaction does not find something else.
    found: Found,
}

/// What has a photo's bytes.
enum Found {
    Nothing,
    /// A photo that is there.
    There,
    /// A photo that was another version before.
    Replaced,
    /// This one, which was deleted and can be restored.
    Deleted(PhotoId),
}

impl Candidate {
    /// # Errors
    /// [`Refusal::FileNotFound`] where the original is not there any more.
    async fn of(app: &App, destination: &Destination, waits: Photo) -> Result<Self> {
        let Destination { owner, event, .. } = *destination;
        let hash = &waits.content_hash;
        let former = former_of(app, destination, hash).await?;
        let found = if matches!(former, Former::Of(_)) {
            Found::Replaced
        } else if storage::photos::by_hash(&app.db, owner, event, hash).await?.is_some() {
            Found::There
        } else if let Some(deleted) =
            storage::photos::trash::by_hash(&app.db, destination.collection(), hash).await?
        {
            Found::Deleted(deleted)
        } else {
            Found::Nothing
        };
        if matches!(found, Found::Nothing)
            && app.store.size(&waits.key).await? != u64::try_from(waits.size_bytes).ok()
        {
            tracing::error!(photo = %waits.id, key = %waits.key, "the original of a guest's photo is missing");
            return Err(Refusal::FileNotFound.into());
        }
        let photo = Photo {
            uploader: None,
            status: PhotoStatus::Processing,
            preview_bytes: None,
            medium_bytes: None,
            created_at: app.now(),
            ..waits
        };
        Ok(Self { photo, former, found })
    }
}

/// What one transaction makes of candidates.
#[derive(Default)]
struct Decided<'a> {
    /// They are photos now.
    new: Vec<&'a Photo>,
    /// Each with the photo that has its bytes. Their own files are of no use any more.
    there: Vec<(&'a Photo, Photo)>,
}

impl<'a> Decided<'a> {
    /// Takes those candidates that still wait, and writes what becomes of them, but for their number and their price.
    async fn of(
        app: &App,
        destination: &Destination,
        tx: &mut Tx,
        candidates: &'a [Candidate],
    ) -> Result<Self> {
        let Destination { owner, event, .. } = *destination;
        let (mut decided, mut deleted) = (Self::default(), Vec::new());
        for Candidate { photo, former, found } in candidates {
            // Somebody else may have decided at the same time.
            if !storage::guests::guest_photos::take(tx, photo.id).await? {
                continue;
            }
            match found {
                Found::Deleted(id) => deleted.push((photo, *id)),
                Found::Replaced => {
                    let there =
                        storage::photos::by_former_hash(&mut **tx, owner, event, &photo.content_hash).await?;
                    decided.there.push((photo, there.ok_or(Refusal::Busy)?));
                }
                // Whichever it is, the insertion tells, and holds what it has found.
                Found::There | Found::Nothing => match write(tx, photo, former).await? {
                    Written::New => decided.new.push(photo),
                    Written::Duplicate(there) => decided.there.push((photo, there)),
                    Written::Former(_) => return Err(Refusal::Busy.into()),
                },
            }
        }
        // From here on the event is locked.
        for (photo, id) in deleted {
            let (collection, packs) = (destination.collection(), app.engine.packs());
            let restored = storage::photos::trash::restore(tx, collection, owner, &packs, &[id]).await?;
            for photo in restored.to_index {
                tx.index_again(photo).await?;
            }
            let there = restored.photos.into_iter().next();
            // Of two photos with the same bytes the first has restored it.
            let there = match there {
                Some(there) => Some(there),
                None => storage::photos::by_hash(&mut **tx, owner, event, &photo.content_hash).await?,
            };
            decided.there.push((photo, there.ok_or(Refusal::Busy)?));
        }
        for (photo, there) in &decided.there {
            storage::guests::guest_photos::set_became(tx, photo.id, there.id).await?;
        }
        Ok(decided)
    }
}

/// Lets photos in, which are then as those that their photographer has uploaded, and answers how many still waited. One transaction
/// takes them from those that wait, makes them photos, charges for them, and queues them for indexing: all of them, or none. Bytes
/// that the event has, or has among its deleted photos, cost nothing, as if they were uploaded again.
///
/// # Errors
/// Those of an upload; [`Refusal::FileNotFound`] where the original of one is not there any more; and [`Refusal::Busy`] where a photo
/// of the event was replaced or removed at the same time whose bytes one of them has.
pub(crate) async fn let_in(app: &App, host: &Host, waiting: Vec<GuestPhoto>) -> Result<usize> {
    let destination = &host.0;
    let mut waiting: Vec<Photo> = waiting.into_iter().map(|added| added.photo).collect();
    // Whoever writes several photos does so in this order, and waits for nobody who waits for them.
    waiting.sort_unstable_by_key(|photo| (photo.content_hash, photo.id));
    let mut candidates = Vec::with_capacity(waiting.len());
    for waits in waiting {
        candidates.push(Candidate::of(app, destination, waits).await?);
    }
    let new = candidates.iter().filter(|candidate| matches!(candidate.found, Found::Nothing));
    let mut to_pay: Vec<&ContentHash> = new.map(|candidate| &candidate.photo.content_hash).collect();
    to_pay.dedup();
    destination.check_credit_for(app, to_pay.len()).await?;
    let mut tx = app.begin().await?;
    destination.check_right(&mut tx, Right::Manage).await?;
    let Decided { new, there } = Decided::of(app, destination, &mut tx, &candidates).await?;
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
    if candidates.iter().any(|candidate| matches!(candidate.found, Found::Deleted(_))) {
        removal::forget(app, destination.owner, destination.event);
    }
    for _ in 0..charged {
        app.metrics.record_ledger_entry(LedgerKind::Upload);
    }
    let let_in = new.len() + there.len();
    for (copy, photo) in there {
        if let Err(failure) = give_way(app, copy, &photo).await {
            // The sweeper finds the files.
            tracing::warn!(photo = %copy.id, error = failure.chain(), "files of a guest's photo stay behind");
        }
    }
    Ok(let_in)
}

/// Removes the files of a copy of a photo. The photo's original is read before, and stored again from the copy if it is missing or
/// has other bytes.
async fn give_way(app: &App, copy: &Photo, photo: &Photo) -> Result<()> {
    let is_version_before = photo.content_hash != copy.content_hash;
    if !is_version_before && !has_original(app, photo).await? {
        let _slot = app.concurrency.verifications.acquire().await?;
        let bytes = match app.store.read(&copy.key, None).await? {
            Some(read) => read.whole().await?,
            None => Bytes::new(),
        };
        if *blake3::hash(&bytes).as_bytes() == photo.content_hash {
            restore(app, photo, Source::Bytes(bytes)).await?;
        }
    }
    stores::remove_files(app, std::slice::from_ref(copy), &Size::ALL).await
}
