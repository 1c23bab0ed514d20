//! The times of files in archives: by the clock that people looked at, and as moments.

use crate::Timestamp;
use crate::events::zones::Zone;
use crate::photos::captures::Capture;

/// When a file in an archive was last changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileTime {
    /// What the clock showed, taken for UTC.
    pub clock: Timestamp,
    /// The moment.
    pub at: Timestamp,
}

impl FileTime {
    /// Of a file that belongs to no place.
    pub const fn utc(at: Timestamp) -> Self {
        Self { clock: at, at }
    }

    /// Of a photo of an event in this zone: its capture by the camera's clock, which shows the event's time as far as anybody
    /// knows; else its upload.
    pub fn of_photo(capture: &Capture, uploaded: Timestamp, zone: &Zone) -> Self {
        match capture.at {
            Some(clock) => Self { clock, at: zone.moment(clock) },
            None => Self { clock: zone.clock(uploaded), at: uploaded },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_photo_has_the_time_of_its_capture_or_of_its_upload_where_the_event_is() {
        let kolkata = Zone::parse("Asia/Kolkata").unwrap();
        let uploaded = Timestamp::from_utc(2026, [11, 14, 20, 0, 0]).unwrap();
        let taken = Timestamp::from_utc(2026, [11, 14, 18, 30, 0]).unwrap();
        let capture = Capture { at: Some(taken), ..Capture::default() };
        let time = FileTime::of_photo(&capture, uploaded, &kolkata);
        assert_eq!(time.clock, taken);
        assert_eq!(time.at.to_rfc3339(), "2026-11-14T13:00:00.000Z");
        let time = FileTime::of_photo(&Capture::default(), uploaded, &kolkata);
        assert_eq!(time.clock.to_rfc3339(), "2026-11-15T01:30:00.000Z");
        assert_eq!(time.at, uploaded);
        assert_eq!(FileTime::of_photo(&capture, uploaded, &Zone::utc()), FileTime::utc(taken));
    }
}
