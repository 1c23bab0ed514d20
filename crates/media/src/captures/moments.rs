//! Moments as cameras and programs write them.

use domain::Timestamp;

/// A moment by a camera's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Moment {
    pub(super) at: Timestamp,
    /// Whether more than the day is known.
    pub(super) has_time: bool,
}

/// Which moment counts where there are several: what was written when the shutter was released before what was written of
/// it later, and both before when it became a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    /// EXIF's DateTimeOriginal.
    Camera,
    /// The same in XMP.
    CameraAgain,
    /// When the picture was created, in the words of IPTC: in XMP and in records.
    Created,
    /// When it became a file, in EXIF.
    Digitized,
    /// The same in XMP.
    DigitizedAgain,
    /// The same in IPTC's records.
    DigitizedRecord,
    /// What a PNG file says in words.
    Words,
}

/// The first year of which moments are believed: clocks that count from 1970 say that year where they were never set.
const FIRST_YEAR: i16 = 1971;

impl Moment {
    /// From a year and, in this order, month, day, hour, minute and second; none when there is no such moment, and where a
    /// clock that was never set says it.
    pub(super) fn new(year: i16, [month, day]: [u8; 2], time: Option<[u8; 3]>) -> Option<Self> {
        let [hour, minute, second] = time.unwrap_or_default();
        let is_time = hour < 24 && minute < 60 && second <= 60 || [hour, minute, second] == [24, 0, 0];
        if year < FIRST_YEAR || !is_time || is_never_set(year, [month, day], [hour, minute, second]) {
            return None;
        }
        let [month, day] = [month, day].map(|part| i8::try_from(part).unwrap_or(i8::MAX));
        let start = Timestamp::from_utc(year, [month, day, 0, 0, 0])?;
        // The 60th second, and the 24th hour, are the next minute and the next day.
        let seconds = i64::from(hour) * 3_600 + i64::from(minute) * 60 + i64::from(second);
        let at = Timestamp::from_millis(start.as_millis() + seconds * 1_000);
        Some(Self { at, has_time: time.is_some() })
    }

    /// With the fraction of a second that these digits say; as it is when they are no digits.
    pub(super) fn with_fraction(self, digits: &[u8]) -> Self {
        if !self.has_time || self.at.as_millis() % 1_000 != 0 {
            return self;
        }
        Self { at: Timestamp::from_millis(self.at.as_millis() + millis(digits)), ..self }
    }
}

fn millis(digits: &[u8]) -> i64 {
    let digits = digits.trim_ascii_start().iter().take_while(|byte| byte.is_ascii_digit());
    let mut millis = 0;
    for (digit, weight) in digits.zip([100, 10, 1]) {
        millis += i64::from(digit - b'0') * weight;
    }
    millis
}

/// What clocks of cameras begin with: those of phones of some years, those that count from 1980, and those of most cameras.
const fn is_never_set(year: i16, day: [u8; 2], time: [u8; 3]) -> bool {
    matches!(
        (year, day, time),
        (2002, [12, 8], [12, 0, 0]) | (2000, [1, 1], [0, 0, _]) | (1980, [1, 1], [0, 0, _])
    )
}

/// Reads a date with or without a time, `2024:03:09 17:45:12` or `2024-03-09T17:45:12.5+05:30` and what programs make of it.
/// The zone is left out: the moment is the camera's clock.
pub(super) fn parse(text: &[u8]) -> Option<Moment> {
    let mut text = Text(text);
    let year = text.digits(4, 4)?;
    text.separator(b":-/.")?;
    let month = text.digits(1, 2)?;
    text.separator(b":-/.")?;
    let day = text.digits(1, 2)?;
    let date = [month, day].map(|part| u8::try_from(part).unwrap_or(u8::MAX));
    let year = i16::try_from(year).ok()?;
    if text.is_blank() {
        return Moment::new(year, date, None);
    }
    text.separator(b"T :").or_else(|| text.separator(b"t-"))?;
    let hour = text.digits(1, 2)?;
    text.separator(b":.")?;
    let minute = text.digits(2, 2)?;
    let mut second = 0;
    if text.separator(b":.").is_some() {
        second = text.digits(2, 2)?;
    }
    let time = [hour, minute, second].map(|part| u8::try_from(part).unwrap_or(u8::MAX));
    let moment = Moment::new(year, date, Some(time))?;
    Some(if text.separator(b".,").is_some() { moment.with_fraction(text.0) } else { moment })
}

/// What is left of a text.
struct Text<'a>(&'a [u8]);

impl Text<'_> {
    /// A number of so many digits, before which blanks may stand.
    fn digits(&mut self, least: usize, most: usize) -> Option<u16> {
        let rest = self.0.trim_ascii_start();
        let length = rest.iter().take(most).take_while(|byte| byte.is_ascii_digit()).count();
        if length < least {
            return None;
        }
        self.0 = &rest[length..];
        Some(rest[..length].iter().fold(0, |number, digit| number * 10 + u16::from(digit - b'0')))
    }

    /// One of these bytes.
    fn separator(&mut self, bytes: &[u8]) -> Option<()> {
        let (first, rest) = self.0.split_first()?;
        bytes.contains(first).then(|| self.0 = rest)
    }

    /// Whether nothing is left, or only what stands for a time that is not known.
    fn is_blank(&self) -> bool {
        self.0.iter().all(|byte| byte.is_ascii_whitespace() || matches!(byte, 0 | b':' | b'-'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Option<String> {
        parse(text.as_bytes()).map(|moment| moment.at.to_rfc3339())
    }

    #[test]
    fn a_moment_is_read_however_it_is_written() {
        for text in [
            "2024:03:09 17:45:12",
            "2024-03-09T17:45:12",
            "2024-03-09 17:45:12",
            "2024:03:09 17:45:12+05:30",
            "2024-03-09T17:45:12Z",
            "2024-03-09T17:45:12-08:00",
            "2024/03/09 17:45:12",
            "2024.03.09 17.45.12",
            "2024:03:09 17:45:12 ",
            " 2024:03:09 17:45:12",
            "2024: 3: 9 17:45:12",
            "2024:3:9 17:45:12",
            "2024:03:09T17:45:12",
            "2024:03:09:17:45:12",
            "2024:03:09  17:45:12",
            "2024:03:09 17:45:12\0\0",
        ] {
            assert_eq!(at(text).as_deref(), Some("2024-03-09T17:45:12.000Z"), "{text:?}");
        }
        assert_eq!(at("2024-03-09T17:45:12.125+05:30").unwrap(), "2024-03-09T17:45:12.125Z");
        assert_eq!(at("2024-03-09T17:45:12,1").unwrap(), "2024-03-09T17:45:12.100Z");
        assert_eq!(at("2024-03-09T17:45").unwrap(), "2024-03-09T17:45:00.000Z");
        assert_eq!(at("2024-03-09T17:45+05:30").unwrap(), "2024-03-09T17:45:00.000Z");
    }

    #[test]
    fn the_sixtieth_second_is_the_next_minute() {
        assert_eq!(at("2024:03:09 17:45:60").unwrap(), "2024-03-09T17:46:00.000Z");
        assert_eq!(at("2024:12:31 23:59:60").unwrap(), "2025-01-01T00:00:00.000Z");
        assert_eq!(at("2024:03:09 24:00:00").unwrap(), "2024-03-10T00:00:00.000Z");
        for none in
            ["2024:03:09 17:45:61", "2024:03:09 17:60:00", "2024:03:09 24:00:01", "2024:03:09 25:00:00"]
        {
            assert_eq!(at(none), None, "{none}");
        }
    }

    #[test]
    fn a_day_alone_has_no_time() {
        for text in ["2024:03:09", "2024-03-09", "2024:03:09   :  :  "] {
            let moment = parse(text.as_bytes()).unwrap();
            assert_eq!(
                (moment.at.to_rfc3339().as_str(), moment.has_time),
                ("2024-03-09T00:00:00.000Z", false)
            );
        }
    }

    #[test]
    fn clocks_that_were_never_set_say_no_moment() {
        for text in [
            "0000:00:00 00:00:00",
            "    :  :     :  :  ",
            "----:--:-- --:--:--",
            "",
            "x",
            "\0\0\0\0",
            "2026:02:30 10:00:00",
            "2024:13:01 10:00:00",
            "1904:01:01 00:00:00",
            "1970:01:01 00:00:00",
            "1970:01:01 05:30:00",
            "1970-01-01T00:00:37Z",
            "1980:01:01 00:00:00",
            "2000:01:01 00:00:00",
            "2000:01:01 00:00:41",
            "2000-01-01",
            "2002:12:08 12:00:00",
            "20240309",
            "2024",
            "2024-03",
            "2024:03:09 ?7:45:12",
            "2024:03:09 17:4?:12",
            "2024:03:09 17:45:1?",
        ] {
            assert_eq!(at(text), None, "{text:?}");
        }
        assert!(at("2000:01:01 00:01:00").is_some());
        assert!(at("2002:12:08 12:00:01").is_some());
        assert!(at("1971:06:30 12:00:00").is_some());
    }
}
