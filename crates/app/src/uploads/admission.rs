//! Which uploads are let in, before their bytes are received.

use std::net::IpAddr;
use std::time::Duration;

use domain::accounts::User;
use domain::{Refusal, UserId};

use crate::operations::runtime::keyed_slots::KeyedSlot;
use crate::operations::runtime::limits::block_of;
use crate::{App, Result};

/// When an account or an address with too many uploads may try again.
const RETRY_AFTER: Duration = Duration::from_secs(2);

/// An upload that is let in, until it is dropped.
pub struct UploadAdmission {
    _of_user: KeyedSlot<UserId>,
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
    Ok(UploadAdmission { _of_user: of_user, _of_address: of_address })
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
    let least = app.settings.upload_capacity.free_disk_bytes;
    for folder in [Some(&*app.settings.incoming_dir), app.store.folder()].into_iter().flatten() {
        if media::disk_space::free(folder).await?.is_some_and(|free| free < least) {
            return Ok(true);
        }
    }
    Ok(false)
}
