//! How many uploads in pieces there may be that are not complete.

use std::time::Duration;

use domain::{Refusal, UploadId};
use media::partial_files::PartialFiles;

use super::record::Record;
use crate::{App, Result};

/// When an address with too many of them may try again.
const RETRY_AFTER: Duration = Duration::from_secs(60);

/// Whether it is too late for the rest of an upload.
pub(super) fn is_expired(app: &App, record: &Record) -> bool {
    record.created_at.plus(app.settings.upload_capacity.unfinished_lifetime) <= app.now()
}

/// Makes room for a new upload: those of the same account that were not written to for longest make way.
///
/// # Errors
/// [`Refusal::TooMany`] for the address, or while all of the account's are being received; [`Refusal::DiskFull`].
pub(super) async fn make(app: &App, files: &PartialFiles, new: &Record) -> Result<()> {
    let limits = app.settings.upload_capacity;
    let (mut own, mut of_address, mut bytes) = (Vec::new(), 0, new.length);
    for id in files.unfinished().await? {
        let Some(description) = files.description(id).await? else { continue };
        let Some(record) = Record::from_bytes(&description).filter(|record| !is_expired(app, record)) else {
            continue;
        };
        bytes = bytes.saturating_add(record.length);
        let counts = record.address == new.address;
        of_address += usize::from(counts);
        if record.owner == new.owner {
            own.push((files.written_at(id).await?, id, counts, record.length));
        }
    }
    own.sort_unstable();
    let superfluous = match limits.unfinished_per_user {
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
    }
    if limits.unfinished_per_address > 0 && of_address >= limits.unfinished_per_address {
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
