//! Which uploads are let in, before their bytes are received.

use std::net::IpAddr;
use std::time::Duration;

use domain::accounts::User;
use domain::{EventId, Refusal, UserId};

use crate::operations::runtime::keyed_slots::KeyedSlot;
use crate::operations::runtime::limits::block_of;
use crate::{App, Result};

/// When an account or an address with too many uploads may try again.
const RETRY_AFTER: Duration = Duration::from_secs(2);

/// How many times the free bytes below which no upload is taken have to be free for a guest's: what strangers send never
/// keeps a photographer's photos out.
const GUESTS_FACTOR: u64 = 2;

/// An upload that is let in, until it is dropped.
pub struct UploadAdmission {
    _of_user: Option<KeyedSlot<UserId>>,
    _of_event: Option<KeyedSlot<EventId>>,
    _of_address: KeyedSlot<IpAddr>,
}

/// Lets an upload in, or refuses it at once.
///
/// # Errors
/// [`Refusal::TooMany`] while as many of this account or address are received as may be, [`Refusal::DiskFull`].
pub async fn admit(app: &App, owner: &User, address: IpAddr) -> Result<UploadAdmission> {
    let too_many = Refusal::TooMany { retry_after: RETRY_AFTER };
    let of_user = app.concurrency.uploads_by_user.enter(owner.id).ok_or_else(|| too_many.clone())?;
    let of_address = app.concurrency.uploads_by_address.enter(block_of(address)).ok_or(too_many)?;
    check_disk(app).await?;
    Ok(UploadAdmission { _of_user: Some(of_user), _of_event: None, _of_address: of_address })
}

/// The same for a photo that a guest of an event sends.
///
/// # Errors
/// Those of [`admit`], by event in the place of the account.
pub(crate) async fn admit_guest(app: &App, event: EventId, address: IpAddr) -> Result<UploadAdmission> {
    let too_many = Refusal::TooMany { retry_after: RETRY_AFTER };
    let of_event = app.concurrency.guest_uploads_by_event.enter(event).ok_or_else(|| too_many.clone())?;
    let of_address = app.concurrency.uploads_by_address.enter(block_of(address)).ok_or(too_many)?;
    check_disk_for_guests(app).await?;
    Ok(UploadAdmission { _of_user: None, _of_event: Some(of_event), _of_address: of_address })
}

/// Refuses a guest's photo while less is free than a photographer's uploads need, and as much again.
///
/// # Errors
/// [`Refusal::GuestPhotosFull`].
pub(crate) async fn check_disk_for_guests(app: &App) -> Result<()> {
    let least = app.settings.upload_capacity.free_disk_bytes.saturating_mul(GUESTS_FACTOR);
    match has_free(app, least).await? {
        true => Ok(()),
        false => Err(Refusal::GuestPhotosFull.into()),
    }
}

/// Refuses an upload while the disk is almost full.
///
/// # Errors
/// [`Refusal::DiskFull`].
pub(crate) async fn check_disk(app: &App) -> Result<()> {
    if is_disk_full(app).await? {
        tracing::error!("an upload is refused: less of the disk is free than `min_free_disk_mb` says");
        return Err(Refusal::DiskFull.into());
    }
    Ok(())
}

/// Whether less than the limit is free where uploads are received or stored. The rest is the database's, which stops without
/// any.
pub(crate) async fn is_disk_full(app: &App) -> Result<bool> {
    Ok(!has_free(app, app.settings.upload_capacity.free_disk_bytes).await?)
}

async fn has_free(app: &App, least: u64) -> Result<bool> {
    for folder in [Some(&*app.settings.incoming_dir), app.store.folder()].into_iter().flatten() {
        if media::disk_space::free(folder).await?.is_some_and(|free| free < least) {
            return Ok(false);
        }
    }
    Ok(true)
}
