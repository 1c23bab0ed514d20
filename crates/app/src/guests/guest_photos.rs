//! Photos that guests add to an event themselves (decision 0091). They wait, seen by nobody but the photographer and the device that
//! sent them, until they are let in, declined or taken back, or until two weeks are over.

pub(crate) mod removal;

use std::collections::BTreeSet;
use std::net::IpAddr;

use domain::accounts::User;
use domain::accounts::tokens::TokenHash;
use domain::events::Event;
use domain::guests::guest_photos::{self as rules, DECIDED_AT_ONCE, GuestPhoto, NOTICE, WAITS, WARNED_AFTER};
use domain::photos::Size;
use domain::team::Right;
use domain::{DAY, EventId, Job, Paise, PhotoId, Refusal};
use media::temp_files::TempFile;

use crate::events::access::{self, Visitor};
use crate::operations::runtime::limits::{self, Limit, Subject};
use crate::operations::{mails, stores};
use crate::photos::files::{self, StoredFile};
use crate::team::rights;
use crate::uploads::from_guests::{self, Host, Stored};
use crate::webhooks::counts;
use crate::{App, Failure, Result};

/// Photos that are removed at a time.
const BATCH: i64 = 250;

/// A guest of an event, by the secret that the guest's device has made for itself.
#[derive(Clone)]
pub struct Guest {
    /// The event.
    pub event: Event,
    /// The hash of the secret.
    pub device: TokenHash,
}

/// A guest who looks at what the device has added.
///
/// # Errors
/// [`Refusal::EventNotFound`], [`Refusal::EventPinRequired`], or [`Refusal::GuestDeviceInvalid`].
pub async fn guest(app: &App, visitor: &Visitor, slug: &str, secret: &str) -> Result<Guest> {
    let event = access::by_slug(app, visitor, slug).await?;
    Ok(Guest { event, device: app.hash_token(rules::parse_device(secret)?) })
}

impl Guest {
    /// Refuses photos where none are taken.
    ///
    /// # Errors
    /// [`Refusal::GuestPhotosNotTaken`].
    pub(crate) const fn check_taken(&self) -> std::result::Result<(), Refusal> {
        let flags = &self.event.flags;
        if flags.takes_guest_photos && !flags.uploads_closed {
            Ok(())
        } else {
            Err(Refusal::GuestPhotosNotTaken)
        }
    }

    /// Refuses a photo for which there is no room, before its bytes come.
    pub(crate) async fn check_room(&self, app: &App, bytes: u64) -> Result<()> {
        let room = storage::guests::guest_photos::room(&app.db, self.event.id, &self.device).await?;
        let bytes = i64::try_from(bytes).unwrap_or(i64::MAX);
        Ok(room.check(self.event.guest_photo_limit, bytes)?)
    }

    /// Counts a photo that begins to be sent.
    ///
    /// # Errors
    /// [`Refusal::TooMany`].
    pub(crate) async fn count(&self, app: &App, address: IpAddr) -> Result<()> {
        let subjects = [(Subject::Address(address), 1), (Subject::Event(self.event.id), 1)];
        limits::check(app, Limit::GuestPhotos, &subjects).await
    }

    async fn own(&self, app: &App, id: PhotoId) -> Result<GuestPhoto> {
        let added = storage::guests::guest_photos::by_id(&app.db, id).await?;
        let added = added.filter(|added| added.event == self.event.id && added.device == self.device);
        Ok(added.ok_or(Refusal::PhotoNotFound)?)
    }
}

/// What a guest's device has added to an event.
pub struct Added {
    /// What waits and what was let in, the newest first.
    pub photos: Vec<GuestPhoto>,
    /// Whether more are taken.
    pub is_taken: bool,
    /// How many the device may add.
    pub limit: u32,
}

/// What a guest's device has added to an event.
///
/// # Errors
/// When the database fails.
pub async fn added(app: &App, guest: &Guest) -> Result<Added> {
    let photos = storage::guests::guest_photos::of_device(&app.db, guest.event.id, &guest.device).await?;
    Ok(Added { photos, is_taken: guest.check_taken().is_ok(), limit: guest.event.guest_photo_limit })
}

/// The thumbnail of what a guest's device has added and waits.
///
/// # Errors
/// [`Refusal::PhotoNotFound`].
pub async fn own_thumbnail(app: &App, guest: &Guest, id: PhotoId) -> Result<StoredFile> {
    let added = guest.own(app, id).await?;
    if added.became.is_some() {
        return Err(Refusal::PhotoNotFound.into());
    }
    files::stored(&added.photo, Size::Thumbnail)
}

/// Takes back what a guest's device has added and waits.
///
/// # Errors
/// [`Refusal::PhotoNotFound`], or [`Refusal::GuestPhotoLetIn`].
pub async fn take_back(app: &App, guest: &Guest, id: PhotoId) -> Result<()> {
    let added = guest.own(app, id).await?;
    if remove(app, &added).await? { Ok(()) } else { Err(refusal_of(app, id).await?) }
}

/// Deletes a photo that waits, then its files; false where it waits no more. The row first: whoever lets it in at the same time finds
/// either the row with its files, or no row.
async fn remove(app: &App, added: &GuestPhoto) -> Result<bool> {
    let mut tx = app.begin().await?;
    let removed = storage::guests::guest_photos::delete_waiting(&mut tx, added.photo.id).await?;
    tx.commit().await?;
    if removed
        && let Err(failure) = stores::remove_files(app, std::slice::from_ref(&added.photo), &Size::ALL).await
    {
        // The sweeper removes them.
        tracing::warn!(photo = %added.photo.id, error = failure.chain(), "files of a guest's photo stay behind");
    }
    Ok(removed)
}

/// Why a photo that waited a moment ago does not.
async fn refusal_of(app: &App, id: PhotoId) -> Result<Failure> {
    let added = storage::guests::guest_photos::by_id(&app.db, id).await?;
    let was_let_in = added.is_some_and(|added| added.became.is_some());
    Ok(if was_let_in { Refusal::GuestPhotoLetIn } else { Refusal::PhotoNotFound }.into())
}

/// What became of a file that a guest has sent.
pub(crate) struct Received {
    /// The photo that waits.
    pub(crate) photo: PhotoId,
    /// Whether the device had added the same bytes before.
    pub(crate) is_duplicate: bool,
}

/// Takes in a file that a guest has sent. It costs nothing, and is no photo of the event.
///
/// # Errors
/// The refusals of its bytes, [`Refusal::GuestPhotosNotTaken`], [`Refusal::GuestPhotosTooMany`], [`Refusal::GuestPhotosFull`], and
/// [`Refusal::EventNotFound`] when the event was closed meanwhile.
pub(crate) async fn take_in(
    app: &App,
    event: EventId,
    device: TokenHash,
    name: Option<String>,
    filename: &str,
    file: TempFile,
) -> Result<Received> {
    let known = |added: &GuestPhoto| Received { photo: added.photo.id, is_duplicate: true };
    let hash = file.checksums().blake3;
    if let Some(added) = storage::guests::guest_photos::by_hash(&app.db, event, &device, &hash).await? {
        return Ok(known(&added));
    }
    let found = storage::events::by_id(&app.db, event).await?.filter(Event::is_open);
    let guest = Guest { event: found.ok_or(Refusal::EventNotFound)?, device };
    guest.check_taken()?;
    guest.check_room(app, file.size()).await?;
    let Stored { photo, bytes } = from_guests::store(app, &guest.event, filename, file).await?;
    let added = GuestPhoto { photo, event, device, name, warned_at: None, became: None };
    match insert(app, &added, bytes).await {
        Ok(true) => Ok(Received { photo: added.photo.id, is_duplicate: false }),
        Ok(false) => {
            stores::remove_files(app, std::slice::from_ref(&added.photo), &Size::ALL).await?;
            let there = storage::guests::guest_photos::by_hash(&app.db, event, &device, &hash).await?;
            there.as_ref().map(known).ok_or_else(|| Refusal::Busy.into())
        }
        Err(failure) => {
            if let Failure::Refused(_) = failure {
                // Nothing was committed. After any other failure it may have been: the sweeper finds out.
                stores::remove_files(app, std::slice::from_ref(&added.photo), &Size::ALL).await?;
            }
            Err(failure)
        }
    }
}

/// Inserts what waits; false where the device has added the same bytes meanwhile. What bounds it is counted while the event is locked.
async fn insert(app: &App, added: &GuestPhoto, bytes: i64) -> Result<bool> {
    let mut tx = app.begin().await?;
    let event = storage::events::changes::lock(&mut tx, added.event).await?;
    let guest = Guest { event: event.ok_or(Refusal::EventNotFound)?, device: added.device };
    guest.check_taken()?;
    let room = storage::guests::guest_photos::room(&mut *tx, added.event, &added.device).await?;
    room.check(guest.event.guest_photo_limit, bytes)?;
    if !storage::guests::guest_photos::insert(&mut tx, added, bytes).await? {
        return Ok(false);
    }
    counts::guest_photo(&mut tx, &guest.event, app.now()).await?;
    tx.commit().await?;
    Ok(true)
}

/// What waits for a photographer.
pub struct Waiting {
    /// The photos, the oldest first.
    pub photos: Vec<GuestPhoto>,
    /// What each of them costs, let in.
    pub price: Paise,
}

/// What waits in an event that the caller manages.
///
/// # Errors
/// [`Refusal::EventNotFound`] or [`Refusal::ManagersOnly`].
pub async fn waiting(app: &App, caller: &User, event: EventId) -> Result<Waiting> {
    let event = rights::event(app, caller, event, Right::Manage).await?.event;
    let photos = storage::guests::guest_photos::waiting(&app.db, event.id).await?;
    let price = from_guests::price(app, event.owner).await?;
    Ok(Waiting { photos, price })
}

/// A rendition of what waits in an event that the caller manages.
///
/// # Errors
/// [`Refusal::EventNotFound`], [`Refusal::ManagersOnly`], or [`Refusal::PhotoNotFound`] when it waits no more.
pub async fn file(app: &App, caller: &User, event: EventId, id: PhotoId, size: Size) -> Result<StoredFile> {
    rights::event(app, caller, event, Right::Manage).await?;
    let added = storage::guests::guest_photos::by_id(&app.db, id).await?;
    let added = added.filter(|added| added.event == event && added.became.is_none());
    files::stored(&added.ok_or(Refusal::PhotoNotFound)?.photo, size)
}

fn check_number(ids: &[PhotoId]) -> Result<()> {
    match (1..=DECIDED_AT_ONCE).contains(&ids.len()) {
        true => Ok(()),
        false => Err(Refusal::GuestPhotosToChoose.into()),
    }
}

/// Those of the photos that guests have added to an event, whatever became of them, each once.
async fn chosen(app: &App, event: EventId, ids: &[PhotoId]) -> Result<Vec<GuestPhoto>> {
    let mut chosen = Vec::with_capacity(ids.len());
    let ids: BTreeSet<PhotoId> = ids.iter().copied().collect();
    for id in ids {
        let added = storage::guests::guest_photos::by_id(&app.db, id).await?;
        chosen.push(added.filter(|added| added.event == event).ok_or(Refusal::PhotoNotFound)?);
    }
    Ok(chosen)
}

/// Lets photos in: each is from then on a photo like all others, and costs what an upload costs. Answers how many are in now that
/// waited; of one that was let in before nothing changes, so that the call may be repeated.
///
/// # Errors
/// [`Refusal::GuestPhotosToChoose`], [`Refusal::PhotoNotFound`] for one that was declined or taken back, and those of an upload; where
/// the credits do not suffice for all of them, none is let in.
pub async fn let_in(app: &App, caller: &User, event: EventId, ids: &[PhotoId]) -> Result<usize> {
    check_number(ids)?;
    let (host, event) = Host::of(app, caller, event).await?;
    let chosen = chosen(app, event.id, ids).await?;
    let waiting: Vec<GuestPhoto> = chosen.into_iter().filter(|added| added.became.is_none()).collect();
    if waiting.is_empty() {
        return Ok(0);
    }
    let let_in = from_guests::let_in(app, &host, waiting).await?;
    tracing::info!(event = %event.id, photos = let_in, "photos of guests are let in");
    Ok(let_in)
}

/// Declines photos: they go for good. Answers how many; of one that is gone already nothing changes.
///
/// # Errors
/// [`Refusal::GuestPhotosToChoose`], [`Refusal::EventNotFound`], or [`Refusal::ManagersOnly`].
pub async fn decline(app: &App, caller: &User, event: EventId, ids: &[PhotoId]) -> Result<usize> {
    check_number(ids)?;
    rights::event(app, caller, event, Right::Manage).await?;
    let mut declined = 0;
    for added in storage::guests::guest_photos::waiting_of(&app.db, ids).await? {
        if added.event == event && remove(app, &added).await? {
            declined += 1;
        }
    }
    tracing::info!(%event, photos = declined, "photos of guests are declined");
    Ok(declined)
}

/// What the guests are called who have sent photos that were let in; none for a photo of the photographer's.
///
/// # Errors
/// When the database fails.
pub async fn names(app: &App, photos: &[PhotoId]) -> Result<Vec<(PhotoId, Option<String>)>> {
    Ok(storage::guests::guest_photos::names(&app.db, photos).await?)
}

/// Warns photographers of what will go, and removes what nobody has let in for two weeks, of which its photographer was warned three
/// days ago. What nobody can be warned of stays: that it fills no more than its event's part bounds it.
pub(crate) async fn remove_due(app: &App) -> Result<()> {
    let now = app.now();
    for event in
        storage::guests::guest_photos::to_warn(&app.db, now.minus(WARNED_AFTER), now.minus(DAY)).await?
    {
        let mut tx = app.begin().await?;
        tx.enqueue(&Job::WarnOfGuestPhotos { event }).await?;
        tx.commit().await?;
    }
    loop {
        let due =
            storage::guests::guest_photos::due(&app.db, now.minus(WAITS), now.minus(NOTICE), BATCH).await?;
        if due.is_empty() {
            break;
        }
        for added in &due {
            remove(app, added).await?;
        }
        tracing::info!(photos = due.len(), "photos of guests have waited for two weeks and are removed");
    }
    storage::guests::guest_photos::delete_without_photo(&app.db).await?;
    // Jobs remove what is in closed events. Where one has failed it is removed here as it does: files first, and counted.
    for event in storage::guests::guest_photos::left_behind(&app.db, now.minus(WAITS)).await? {
        removal::remove_all(app, event).await?;
    }
    Ok(())
}

/// The job of [`remove_due`]. Nothing goes before it has sent its mail: where it fails, another one is enqueued a day later.
pub(crate) async fn warn(app: &App, id: EventId) -> Result<()> {
    let event = storage::events::by_id(&app.db, id).await?.filter(Event::is_open);
    let Some(event) = event else { return Ok(()) };
    let waiting = storage::guests::guest_photos::waiting(&app.db, id).await?;
    let now = app.now();
    let due = now.minus(WARNED_AFTER);
    let Some(first) = waiting.iter().min_by_key(|added| added.goes_at(now)) else { return Ok(()) };
    if !waiting.iter().any(|added| added.warned_at.is_none() && added.photo.created_at <= due) {
        return Ok(());
    }
    let Some(owner) = storage::accounts::users::by_id(&app.db, event.owner).await? else { return Ok(()) };
    let mail = mails::guests::photos(&app.settings, &owner, &event, waiting.len(), first.goes_at(now))?;
    mails::deliver(app, &mail).await?;
    // A day's photos at once: one mail a day at most tells of an event, however many are added to it.
    Ok(storage::guests::guest_photos::mark_warned(&app.db, id, due.plus(DAY), now).await?)
}
