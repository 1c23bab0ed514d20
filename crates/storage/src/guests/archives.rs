//! ZIPs that may be downloaded: the matches of a search, what a photographer has chosen, or all that guests may look at, by the
//! hash of a token.

use std::collections::HashMap;

use domain::accounts::tokens::TokenHash;
use domain::{EventId, FaceId, PhotoId, Timestamp, UserId};

use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::{execute, fetch_optional};
use crate::{Executor, Result, Tx};

/// Stands where no face is known.
const NO_FACE: &str = "-";

/// The matches of one search in an event, or other photos of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Download {
    /// The event they were found in.
    pub event: EventId,
    /// The photos, best match first. They may be deleted by now.
    pub photos: Vec<PhotoId>,
    /// The face by which a photo was found, where a search has found it.
    pub faces: HashMap<PhotoId, FaceId>,
    /// Whether they were found by the event's owner, who gets originals byte for byte.
    pub is_owners: bool,
    /// Whether the owner has chosen them in the gallery, and no search has found them.
    pub chosen_by_owner: bool,
    /// Whether they are all photos that guests may look at, and no search has found them.
    pub everything: bool,
    /// The proof of the event's PIN of then, empty where it asked for none; none where an earlier version has stored it.
    pub pin_proof: Option<String>,
    /// The member of the event's team for whom it was made, as for the owner; none where that was the owner, or a guest.
    pub member: Option<UserId>,
    /// When they were found.
    pub created_at: Timestamp,
    /// When the token expires.
    pub expires_at: Timestamp,
}

row! {
    pub(crate) struct DownloadRow {
        event_id: String,
        photo_ids: String,
        face_ids: String,
        is_owners: bool,
        chosen_by_owner: bool,
        everything: bool,
        pin_proof: Option<String>,
        member_id: Option<String>,
        created_at: i64,
        expires_at: i64,
    }
}

impl FromColumns for Download {
    type Columns = DownloadRow;

    fn from_columns(row: DownloadRow) -> Result<Self> {
        let photos = row.photo_ids.split_whitespace().map(|id| decode::id(id, "downloads.photo_ids"));
        let photos: Vec<PhotoId> = photos.collect::<Result<_>>()?;
        let found_by =
            photos.iter().zip(row.face_ids.split_whitespace()).filter(|(_, face)| *face != NO_FACE);
        let faces = found_by.map(|(photo, face)| Ok((*photo, decode::id(face, "downloads.face_ids")?)));
        Ok(Self {
            event: decode::id(&row.event_id, "downloads.event_id")?,
            faces: faces.collect::<Result<_>>()?,
            photos,
            is_owners: row.is_owners,
            chosen_by_owner: row.chosen_by_owner,
            everything: row.everything,
            pin_proof: row.pin_proof,
            member: decode::optional_id(row.member_id.as_deref(), "downloads.member_id")?,
            created_at: Timestamp::from_millis(row.created_at),
            expires_at: Timestamp::from_millis(row.expires_at),
        })
    }
}

/// Inserts photos with the hash of a token. What is there by this hash stays: of all photos that guests may look at, those who ask
/// at about the same time have one token, and so has what is found or chosen again.
pub async fn create(db: &dyn Executor, hash: &TokenHash, download: &Download) -> Result<()> {
    let photos: Vec<String> = download.photos.iter().map(PhotoId::to_string).collect();
    let face =
        |photo: &PhotoId| download.faces.get(photo).map_or_else(|| NO_FACE.to_owned(), FaceId::to_string);
    // Of all photos there are many, and none was found.
    let found = if download.everything { &[] } else { download.photos.as_slice() };
    let faces: Vec<String> = found.iter().map(face).collect();
    execute!(
        db,
        "INSERT INTO downloads (hash, event_id, photo_ids, is_owners, chosen_by_owner, created_at, expires_at, member_id,
             face_ids, everything, pin_proof)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
         ON CONFLICT (hash) DO NOTHING",
        hash,
        download.event,
        photos.join(" "),
        download.is_owners,
        download.chosen_by_owner,
        download.created_at,
        download.expires_at,
        download.member,
        faces.join(" "),
        download.everything,
        download.pin_proof,
    )?;
    Ok(())
}

/// Lets what is there by the hash of a token expire at this time, unless it expires later anyway.
pub async fn prolong(db: &dyn Executor, hash: &TokenHash, expires_at: Timestamp) -> Result<()> {
    execute!(
        db,
        "UPDATE downloads SET expires_at = $2 WHERE hash = $1 AND expires_at < $2",
        hash,
        expires_at
    )?;
    Ok(())
}

/// Notes that a download was chosen from another one, and with it from all that this was chosen from.
pub async fn add_source(tx: &mut Tx, hash: &TokenHash, source: &TokenHash) -> Result<()> {
    execute!(
        tx,
        "INSERT INTO download_sources (download_hash, source_hash)
         SELECT chosen.hash, source.hash FROM downloads AS chosen, downloads AS source
         WHERE chosen.hash = $1 AND source.hash IN (
             SELECT hash FROM downloads WHERE hash = $2
             UNION ALL SELECT source_hash FROM download_sources WHERE download_hash = $2)
         ON CONFLICT (download_hash, source_hash) DO NOTHING",
        hash,
        source,
    )?;
    Ok(())
}

/// The results of a search that a token stands for, expired or not; none where it stands for anything else.
pub async fn find(db: &dyn Executor, hash: &TokenHash) -> Result<Option<Download>> {
    let found = find_any(db, hash).await?;
    Ok(found.filter(|found| !found.chosen_by_owner && !found.everything))
}

/// Whatever a token stands for, expired or not.
pub async fn find_any(db: &dyn Executor, hash: &TokenHash) -> Result<Option<Download>> {
    fetch_optional!(
        db,
        Download,
        "SELECT event_id, photo_ids, face_ids, is_owners, chosen_by_owner, everything, pin_proof, member_id, created_at,
             expires_at
         FROM downloads WHERE hash = $1",
        hash,
    )
}

/// Deletes those that have expired by `now`, and answers their number.
pub async fn delete_expired(tx: &mut Tx, now: Timestamp) -> Result<u64> {
    execute!(tx, "DELETE FROM downloads WHERE expires_at <= $1", now)
}

/// Deletes those of an event that is being deleted.
pub(crate) async fn delete_of(tx: &mut Tx, event: EventId) -> Result<()> {
    execute!(tx, "DELETE FROM downloads WHERE event_id = $1", event)?;
    Ok(())
}
