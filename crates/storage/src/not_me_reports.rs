//! Photos of which guests said that they are not in them. Nothing of the guest is stored but the hash of the token that
//! showed the photo, and that goes with the token.

use domain::PhotoId;
use domain::tokens::TokenHash;

use crate::statements::{execute, fetch_all};
use crate::{Executor, Result, Tx};

/// Counts a report of a photo in the event of a download, unless that download has reported it before; false then, and when
/// either is deleted.
pub async fn add(tx: &mut Tx, download: &TokenHash, photo: PhotoId) -> Result<bool> {
    let added = execute!(
        tx,
        "INSERT INTO not_me_reports (download_hash, photo_id)
         SELECT downloads.hash, photos.id FROM downloads JOIN photos ON photos.event_id = downloads.event_id
         WHERE downloads.hash = $1 AND photos.id = $2
         ON CONFLICT (download_hash, photo_id) DO NOTHING",
        download,
        photo,
    )?;
    if added == 1 {
        execute!(tx, "UPDATE photos SET not_me_reports = not_me_reports + 1 WHERE id = $1", photo)?;
    }
    Ok(added == 1)
}

/// The photos that a download has reported, in no order.
pub async fn of_download(db: impl Executor, download: &TokenHash) -> Result<Vec<PhotoId>> {
    fetch_all!(db, PhotoId, "SELECT photo_id FROM not_me_reports WHERE download_hash = $1", download)
}
