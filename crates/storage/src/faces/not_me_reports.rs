//! Photos of which guests said that they are not in them. Nothing of the guest is stored but the hash of the token that
//! showed the photo, and that goes with the token.

use domain::PhotoId;
use domain::accounts::tokens::TokenHash;

use crate::operations::runtime::statements::{execute, fetch_all, fetch_one};
use crate::{Executor, Result, Tx};

/// Counts a report of a photo in the event of a download, unless that download, one that it was chosen from or one that was
/// chosen from it has reported the photo before; false then, and when either is deleted.
pub async fn add(tx: &mut Tx, download: &TokenHash, photo: PhotoId) -> Result<bool> {
    let related = fetch_one!(
        tx,
        i64,
        "SELECT COUNT(*) FROM downloads JOIN photos ON photos.event_id = downloads.event_id
         WHERE photos.id = $2
           AND (downloads.hash = $1
                OR downloads.hash IN (SELECT source_hash FROM download_sources WHERE download_hash = $1))",
        download,
        photo,
    )?;
    // In one order, so that two reports of one guest never wait for each other.
    let added = execute!(
        tx,
        "INSERT INTO not_me_reports (download_hash, photo_id)
         SELECT downloads.hash, photos.id FROM downloads JOIN photos ON photos.event_id = downloads.event_id
         WHERE photos.id = $2
           AND (downloads.hash = $1
                OR downloads.hash IN (SELECT source_hash FROM download_sources WHERE download_hash = $1))
         ORDER BY downloads.hash
         ON CONFLICT (download_hash, photo_id) DO NOTHING",
        download,
        photo,
    )?;
    // A row that was there already is the same guest's earlier report.
    let counts = added > 0 && i64::try_from(added) == Ok(related);
    if counts {
        execute!(tx, "UPDATE photos SET not_me_reports = not_me_reports + 1 WHERE id = $1", photo)?;
    }
    Ok(counts)
}

/// The photos that a download has reported, in no order.
pub async fn of_download(db: &dyn Executor, download: &TokenHash) -> Result<Vec<PhotoId>> {
    fetch_all!(db, PhotoId, "SELECT photo_id FROM not_me_reports WHERE download_hash = $1", download)
}
