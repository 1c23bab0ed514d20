//! Receipts of deletions: what was removed and when, which keys went with it, and until when copies of it remain. The
//! installation signs them.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::Timestamp;

/// What a receipt does not speak of.
pub const NOT_COVERED: &str = "Copies that the operator makes by other means than `afterglow backup`, versions that a bucket \
                               keeps, and what others have downloaded.";

/// Whose data was removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Subject {
    /// An event, with its photos and what its guests and team have left.
    Event,
    /// The photos of an event that stays, at the end of their time.
    Photos,
    /// A photographer's account, with all its events.
    Account,
    /// A guest, who is not to be found any more.
    Person,
}

impl Subject {
    /// Parses the name in the database.
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Event, Self::Photos, Self::Account, Self::Person]
            .into_iter()
            .find(|subject| subject.as_str() == text)
    }

    /// Its name in the database and in receipts.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Event => "event",
            Self::Photos => "photos",
            Self::Account => "account",
            Self::Person => "person",
        }
    }
}

/// How much was removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Removed {
    /// Photos, with all their renditions. Of a person: the photos in which they are not found any more; these stay.
    pub photos: i64,
    /// Descriptions of faces.
    pub faces: i64,
    /// Bytes of originals.
    pub bytes: i64,
    /// Guests who were told of new photos, with their addresses and templates.
    pub subscriptions: i64,
    /// Guests' requests not to be shown or found, with their templates.
    pub requests: i64,
}

impl Removed {
    /// Both together.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self {
            photos: self.photos + other.photos,
            faces: self.faces + other.faces,
            bytes: self.bytes + other.bytes,
            subscriptions: self.subscriptions + other.subscriptions,
            requests: self.requests + other.requests,
        }
    }
}

/// A key with which guests' templates were encrypted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DestroyedKey {
    /// What it was for.
    pub purpose: String,
    /// SHA-256 of the key, in Base64 for URLs: it identifies the key and does not reveal it.
    pub sha256: String,
}

impl DestroyedKey {
    /// The fingerprint of a key.
    pub fn of(purpose: &str, key: &[u8]) -> Self {
        Self { purpose: purpose.to_owned(), sha256: URL_SAFE_NO_PAD.encode(Sha256::digest(key)) }
    }
}

/// An event of an account that was closed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventPart {
    /// Its id.
    pub id: String,
    /// RFC 3339.
    pub completed_at: String,
    /// How much was removed.
    pub removed: Removed,
    /// The keys that went with it.
    pub destroyed_keys: Vec<DestroyedKey>,
}

/// A folder of backups that has snapshots of before the deletion.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackupCopies {
    /// When its newest snapshot was made. RFC 3339.
    pub newest_snapshot_at: String,
    /// How many snapshots it has.
    pub snapshots: i64,
    /// How many it keeps; each backup removes what is older.
    pub keeps: i64,
    /// When the last snapshot of before the deletion is removed, if backups go on at their intervals. RFC 3339; none while
    /// there is no interval.
    pub removed_by: Option<String>,
}

/// When a folder that keeps so many snapshots has none any more of those that it has now, at the intervals of before.
pub fn removed_by(oldest: Timestamp, newest: Timestamp, snapshots: i64, keeps: i64) -> Option<Timestamp> {
    let intervals = u32::try_from(snapshots).ok()?.checked_sub(1)?;
    let interval = newest.since(oldest).checked_div(intervals)?;
    Some(newest.plus(interval.checked_mul(u32::try_from(keeps).ok()?)?))
}

/// What a receipt says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Receipt {
    /// Its id.
    pub id: String,
    /// The public address of the installation.
    pub installation: String,
    /// Whose data was removed.
    pub subject: Subject,
    /// The id of that event, account or request; of photos that of their event, and the day on which they were due.
    pub subject_id: String,
    /// When the removal was asked for, or became due. RFC 3339.
    pub requested_at: String,
    /// When everything was removed. RFC 3339.
    pub completed_at: String,
    /// How much was removed; of an account with all its events.
    pub removed: Removed,
    /// The keys that went with it.
    pub destroyed_keys: Vec<DestroyedKey>,
    /// The events of an account.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<EventPart>,
    /// What backups still hold.
    pub backups: Vec<BackupCopies>,
    /// What the receipt does not speak of.
    pub not_covered: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DAY;

    #[test]
    fn subjects_are_read_as_they_are_written() {
        for subject in [Subject::Event, Subject::Photos, Subject::Account, Subject::Person] {
            assert_eq!(Subject::parse(subject.as_str()), Some(subject));
        }
        assert_eq!(Subject::parse("photo"), None);
    }

    #[test]
    fn a_backup_is_free_of_it_once_newer_snapshots_have_taken_all_places() {
        let at = |days: u32| Timestamp::from_millis(0).plus(DAY.saturating_mul(days));
        assert_eq!(removed_by(at(10), at(16), 7, 14), Some(at(30)), "one a day");
        assert_eq!(removed_by(at(10), at(16), 2, 3), Some(at(34)), "one in six days");
        assert_eq!(removed_by(at(10), at(10), 1, 14), None, "no interval is known");
        assert_eq!(removed_by(at(10), at(16), 0, 14), None);
        assert_eq!(removed_by(at(10), at(16), 7, -1), None);
    }

    #[test]
    fn a_key_is_identified_and_not_revealed() {
        let key = DestroyedKey::of("subscriptions", b"abc");
        // FIPS 180-4, the message "abc".
        assert_eq!(key.sha256, "ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0");
    }

    #[test]
    fn what_was_removed_adds_up() {
        let one = Removed { photos: 1, faces: 2, bytes: 3, subscriptions: 4, requests: 5 };
        assert_eq!(one.plus(one), Removed { photos: 2, faces: 4, bytes: 6, subscriptions: 8, requests: 10 });
    }
}
