//! Photos that guests add to an event themselves (decision 0091): they wait, seen by nobody else, until its photographer lets
//! them in or declines them.

use std::time::Duration;

use crate::accounts::tokens::TokenHash;
use crate::operations::runtime::texts;
use crate::photos::Photo;
use crate::{DAY, EventId, PhotoId, Refusal, Timestamp};

/// For how long a photo waits for the photographer; then it goes for good.
pub const WAITS: Duration = DAY.saturating_mul(14);
/// After how much of that time the photographer is warned.
pub const WARNED_AFTER: Duration = DAY.saturating_mul(11);
/// How long after the photographer was warned it goes at the earliest.
pub const NOTICE: Duration = DAY.saturating_mul(3);
/// Photos of one device in a new event.
pub const PER_DEVICE: u32 = 30;
/// Most that can be chosen.
pub const MOST_PER_DEVICE: u32 = 200;
/// Longest name of a guest, in Unicode code points.
pub const NAME_LENGTH: usize = 60;
/// Most photos that one call decides about.
pub const DECIDED_AT_ONCE: usize = 200;
/// Length of a device's secret: 256 bits as base64url.
const SECRET_LENGTH: usize = 43;

/// What waits of one event at most.
pub const OF_EVENT: Waiting = Waiting { photos: 1_000, bytes: 5 << 30 };
/// What waits of all events of an installation together at most.
pub const OF_ALL: Waiting = Waiting { photos: 20_000, bytes: 50 << 30 };

/// A photo that a guest has added. Until it is let in its files are those of a photo that has this id and this key, and it is
/// in no table of photos.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GuestPhoto {
    /// What it is, and becomes: ready, with all renditions and without faces.
    pub photo: Photo,
    /// The event that it was added to.
    pub event: EventId,
    /// The hash of the secret of the device that sent it.
    pub device: TokenHash,
    /// What the guest is called, if they said so.
    pub name: Option<String>,
    /// When the photographer was warned that it will go.
    pub warned_at: Option<Timestamp>,
    /// The photo that it became, which had its bytes before where that was there already; none while it waits.
    pub became: Option<PhotoId>,
}

impl GuestPhoto {
    /// When it goes for good unless something is decided before, at the earliest: a warning may be due, or its mail not be sent yet.
    pub fn goes_at(&self, now: Timestamp) -> Timestamp {
        self.photo.created_at.plus(WAITS).max(self.warned_at.unwrap_or(now).plus(NOTICE))
    }
}

/// How much waits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Waiting {
    /// Photos.
    pub photos: i64,
    /// Their bytes, renditions included.
    pub bytes: i64,
}

impl Waiting {
    /// Whether one more photo of this size is within `most`.
    const fn has_room(self, bytes: i64, most: Self) -> bool {
        self.photos < most.photos && self.bytes.saturating_add(bytes) <= most.bytes
    }
}

/// What decides whether a guest may add one more photo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// The device's photos in the event, those that were let in too.
    pub of_device: i64,
    /// What waits in the event.
    pub of_event: Waiting,
    /// What waits in all events.
    pub of_all: Waiting,
}

impl Room {
    /// Lets a photo of `bytes` in to wait.
    ///
    /// # Errors
    /// [`Refusal::GuestPhotosTooMany`], or [`Refusal::GuestPhotosFull`].
    pub fn check(&self, per_device: u32, bytes: i64) -> Result<(), Refusal> {
        if self.of_device >= i64::from(per_device) {
            return Err(Refusal::GuestPhotosTooMany);
        }
        if self.of_event.has_room(bytes, OF_EVENT) && self.of_all.has_room(bytes, OF_ALL) {
            Ok(())
        } else {
            Err(Refusal::GuestPhotosFull)
        }
    }
}

/// The secret that a device has made for itself.
///
/// # Errors
/// [`Refusal::GuestDeviceInvalid`] for what cannot be 256 random bits.
pub fn parse_device(secret: &str) -> Result<&str, Refusal> {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    if secret.len() == SECRET_LENGTH && secret.bytes().all(is_letter) {
        Ok(secret)
    } else {
        Err(Refusal::GuestDeviceInvalid)
    }
}

/// What a guest is called: none when it is empty after trimming, at most 60 characters.
///
/// # Errors
/// [`Refusal::GuestNameTooLong`].
pub fn parse_name(text: &str) -> Result<Option<String>, Refusal> {
    let name = texts::one_line(text);
    if name.chars().count() > NAME_LENGTH {
        Err(Refusal::GuestNameTooLong)
    } else {
        Ok((!name.is_empty()).then_some(name))
    }
}

/// How many photos a device may add to an event.
///
/// # Errors
/// [`Refusal::GuestPhotoLimitInvalid`].
pub fn parse_limit(limit: u32) -> Result<u32, Refusal> {
    if (1..=MOST_PER_DEVICE).contains(&limit) { Ok(limit) } else { Err(Refusal::GuestPhotoLimitInvalid) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_waits_is_bounded_by_device_by_event_and_altogether() {
        // [SAFE436]
        let free =
            Room { of_device: 29, of_event: Waiting::default(), of_all: Waiting { photos: 1, bytes: 9 } };
        assert_eq!(free.check(30, 5_000_000), Ok(()));
        assert_eq!(free.check(29, 1), Err(Refusal::GuestPhotosTooMany));
        for (photos, bytes, refused) in [
            (OF_EVENT.photos - 1, 0, false),
            (OF_EVENT.photos, 0, true),
            (0, OF_EVENT.bytes - 7, false),
            (0, OF_EVENT.bytes - 6, true),
        ] {
            let full = Room { of_event: Waiting { photos, bytes }, ..free };
            assert_eq!(full.check(30, 7).is_err(), refused, "{photos} {bytes}");
        }
        for (photos, bytes) in [(OF_ALL.photos, 0), (0, OF_ALL.bytes)] {
            let full = Room { of_all: Waiting { photos, bytes }, ..free };
            assert_eq!(full.check(30, 7), Err(Refusal::GuestPhotosFull));
        }
        assert_eq!(Room { of_all: OF_EVENT, ..free }.check(30, i64::MAX), Err(Refusal::GuestPhotosFull));
    }

    #[test]
    fn a_device_has_a_secret_that_cannot_be_guessed_and_a_guest_a_short_name_or_none() {
        let secret = "abcdefghijklmnopqrstuvwxyz0123456789ABCDE-_";
        assert_eq!(parse_device(secret), Ok(secret));
        for bad in ["", "a", &secret[1..], &format!("{secret}a"), &secret.replace('-', "=")] {
            assert_eq!(parse_device(bad), Err(Refusal::GuestDeviceInvalid), "{bad}");
        }
        assert_eq!(parse_name(" \n "), Ok(None));
        assert_eq!(parse_name(" मीरा \n "), Ok(Some(String::from("मीरा"))));
        assert!(parse_name(&"न".repeat(60)).is_ok());
        assert_eq!(parse_name(&"न".repeat(61)), Err(Refusal::GuestNameTooLong));
    }

    #[test]
    fn a_device_may_add_between_1_and_200_photos() {
        // [UPL255]
        assert_eq!((parse_limit(1), parse_limit(PER_DEVICE), parse_limit(200)), (Ok(1), Ok(30), Ok(200)));
        for bad in [0, 201, u32::MAX] {
            assert_eq!(parse_limit(bad), Err(Refusal::GuestPhotoLimitInvalid), "{bad}");
        }
    }
}
