//! How many uploads in pieces there may be that are not complete.

use std::time::Duration;

use domain::{Refusal, Timestamp, UploadId};
use media::partial_files::PartialFiles;

use super::record::Record;
use crate::{App, Result};

/// How many of one guest's device may wait for the rest of their bytes.
const UNFINISHED_PER_DEVICE: usize = 4;
/// Of what all together may have that wait for the rest of their bytes, guests have one part in so many: photographers have the rest.
const GUESTS_PART: u64 = 4;
/// The same of what one address may have.
const GUESTS_PART_OF_ADDRESS: usize = 4;

/// For how long a guest's upload waits for its next bytes: what strangers begin and leave keeps others of their network out no longer.
const GUESTS_PATIENCE: Duration = Duration::from_secs(2 * 60 * 60);

/// When an address with too many of them may try again.
const RETRY_AFTER: Duration = Duration::from_secs(60);

/// Until when the rest of an upload may come, or what became of it can be asked.
pub(super) async fn expires_at(
    app: &App,
    files: &PartialFiles,
    id: UploadId,
    record: &Record,
) -> Result<Timestamp> {
    let expires_at = record.created_at.plus(app.settings.upload_capacity.unfinished_lifetime);
    if record.guest.is_none() || record.taken.is_some() {
        return Ok(expires_at);
    }
    let written_at = files.written_at(id).await?.unwrap_or(record.created_at).max(record.created_at);
    Ok(expires_at.min(written_at.plus(GUESTS_PATIENCE)))
}

/// Whether it is too late for the rest of an upload.
pub(super) async fn is_expired(
    app: &App,
    files: &PartialFiles,
    id: UploadId,
    record: &Record,
) -> Result<bool> {
    Ok(expires_at(app, files, id, record).await? <= app.now())
}

/// Makes room for a new upload: those of the same account, or of the same guest's device, that were not written to for longest make way.
///
/// # Errors
/// [`Refusal::TooMany`] for the address, or while all of the account's or the device's are being received; [`Refusal::DiskFull`], or
/// [`Refusal::GuestPhotosFull`] for a guest.
pub(super) async fn make(app: &App, files: &PartialFiles, new: &Record) -> Result<()> {
    let limits = app.settings.upload_capacity;
    let (mut own, mut of_address, mut bytes) = (Vec::new(), 0, new.length);
    let mut of_guests = if new.guest.is_some() { new.length } else { 0 };
    let device = |record: &Record| record.guest.as_ref().map(|sent| sent.device);
    for id in files.unfinished().await? {
        let Some(description) = files.description(id).await? else { continue };
        let Some(record) = Record::from_bytes(&description) else { continue };
        if is_expired(app, files, id, &record).await? {
            if record.guest.is_some() {
                // Until it is removed it takes its room: nobody gets more than the guests' part by leaving uploads again and again.
                bytes = bytes.saturating_add(record.length);
                of_guests = of_guests.saturating_add(record.length);
            }
            continue;
        }
        bytes = bytes.saturating_add(record.length);
        if record.guest.is_some() {
            of_guests = of_guests.saturating_add(record.length);
        }
        // What photographers have begun keeps no guest of their network out.
        let counts = record.address == new.address && (new.guest.is_none() || record.guest.is_some());
        of_address += usize::from(counts);
        if record.owner == new.owner && device(&record) == device(new) {
            own.push((files.written_at(id).await?, id, counts, record.length));
        }
    }
    own.sort_unstable();
    let most = if new.guest.is_some() { UNFINISHED_PER_DEVICE } else { limits.unfinished_per_user };
    let superfluous = match most {
        0 => 0,
        limit => (own.len() + 1).saturating_sub(limit),
    };
    let idle: Vec<_> =
        own.into_iter().filter(|(_, id, ..)| !app.concurrency.upload_turns.is_taken(*id)).collect();
    let ending: Vec<(UploadId, bool, u64)> =
        idle.into_iter().take(superfluous).map(|(_, id, counts, length)| (id, counts, length)).collect();
    if ending.len() < superfluous {
        return Err(Refusal::TooMany { retry_after: RETRY_AFTER }.into());
    }
    for (_, counts, length) in &ending {
        of_address -= usize::from(*counts);
        bytes = bytes.saturating_sub(*length);
        if new.guest.is_some() {
            of_guests = of_guests.saturating_sub(*length);
        }
    }
    if new.guest.is_some() && of_guests > limits.unfinished_bytes / GUESTS_PART {
        return Err(Refusal::GuestPhotosFull.into());
    }
    let per_address = match new.guest {
        Some(_) => limits.unfinished_per_address.div_ceil(GUESTS_PART_OF_ADDRESS),
        None => limits.unfinished_per_address,
    };
    if per_address > 0 && of_address >= per_address {
        return Err(Refusal::TooMany { retry_after: RETRY_AFTER }.into());
    }
    if bytes > limits.unfinished_bytes {
        tracing::error!(
            "an upload is refused: those that are not complete have what `unfinished_uploads_mb` says"
        );
        return Err(Refusal::DiskFull.into());
    }
    for (id, ..) in ending {
        files.remove(id).await?;
    }
    Ok(())
}
