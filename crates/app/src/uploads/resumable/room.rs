//! How many uploads in pieces there may be that are not complete.

use std::time::Duration;

use domain::photos::MAX_BYTES;
use domain::{Refusal, Timestamp, UploadId};
use media::partial_files::PartialFiles;

use super::record::Record;
use crate::{App, Result};

/// How many of one guest's device may wait for the rest of their bytes.
const UNFINISHED_PER_DEVICE: usize = 4;
/// Of what all together may have that wait for the rest of their bytes, guests have one part in so many: photographers have the rest.
const GUESTS_PART: u64 = 4;
/// Of what guests may have, those of one event have one part in so many, and those of one address half of that: nobody keeps the guests of
/// other events out, nor the others of the same event.
const PART_OF_EVENT: u64 = 2;
const PART_OF_ADDRESS: u64 = 2 * PART_OF_EVENT;
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

/// What an upload takes of what all guests may have, of what those of the event of a new one may, and of what those of its
/// address may: nothing where it is a photographer's.
fn of_guests(record: &Record, new: &Record) -> [u64; 3] {
    let is_guests = record.guest.is_some();
    let of_event = is_guests && record.event == new.event;
    let of_address = is_guests && record.address == new.address;
    [is_guests, of_event, of_address].map(|counts| if counts { record.length } else { 0 })
}

/// Finds room for a new upload, and answers what makes way for it: those of the same account, or of the same guest's device, that were not
/// written to for longest.
///
/// # Errors
/// [`Refusal::TooMany`] for the address, while all of the account's or the device's are being received, or while guests have all their
/// part, or those of the event or the address theirs; [`Refusal::DiskFull`].
pub(super) async fn find(app: &App, files: &PartialFiles, new: &Record) -> Result<Vec<UploadId>> {
    let limits = app.settings.upload_capacity;
    let (mut own, mut of_address, mut bytes) = (Vec::new(), 0, new.length);
    let mut taken = of_guests(new, new);
    let device = |record: &Record| record.guest.as_ref().map(|sent| sent.device);
    for id in files.unfinished().await? {
        let Some(description) = files.description(id).await? else { continue };
        let Some(record) = Record::from_bytes(&description) else { continue };
        let takes = of_guests(&record, new);
        let is_expired = is_expired(app, files, id, &record).await?;
        // A guest's takes its room until it is removed: nobody gets more by leaving uploads again and again.
        if !is_expired || record.guest.is_some() {
            bytes = bytes.saturating_add(record.length);
            for (taken, more) in taken.iter_mut().zip(takes) {
                *taken = taken.saturating_add(more);
            }
        }
        if is_expired {
            continue;
        }
        // What photographers have begun keeps no guest of their network out.
        let counts = record.address == new.address && (new.guest.is_none() || record.guest.is_some());
        of_address += usize::from(counts);
        if record.owner == new.owner && device(&record) == device(new) {
            own.push((files.written_at(id).await?, id, counts, record.length, takes));
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
    let ending: Vec<_> = idle.into_iter().take(superfluous).collect();
    if ending.len() < superfluous {
        return Err(Refusal::TooMany { retry_after: RETRY_AFTER }.into());
    }
    for (_, _, counts, length, takes) in &ending {
        of_address -= usize::from(*counts);
        bytes = bytes.saturating_sub(*length);
        for (taken, less) in taken.iter_mut().zip(takes) {
            *taken = taken.saturating_sub(*less);
        }
    }
    let [of_all, of_event, of_one_address] = taken;
    let most_of_all = limits.unfinished_bytes / GUESTS_PART;
    // The largest photo has room however little there is.
    let part = |part: u64| (most_of_all / part).max(MAX_BYTES);
    let is_beyond =
        of_all > most_of_all || of_event > part(PART_OF_EVENT) || of_one_address > part(PART_OF_ADDRESS);
    // What is being sent makes room soon: the page waits for it.
    if new.guest.is_some() && is_beyond {
        return Err(Refusal::TooMany { retry_after: RETRY_AFTER }.into());
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
    Ok(ending.into_iter().map(|(_, id, ..)| id).collect())
}
