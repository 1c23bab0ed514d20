//! Time zones.

use jiff::civil::Date;
use jiff::tz::TimeZone;

use crate::{Refusal, Timestamp};

/// A time zone of the IANA database, which this program brings along.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Zone(TimeZone);

impl Zone {
    /// The zone of events whose photographer has chosen none.
    pub const fn utc() -> Self {
        Self(TimeZone::UTC)
    }

    /// Parses a name such as `Asia/Kolkata`.
    ///
    /// # Errors
    /// [`Refusal::EventTimeZoneUnknown`].
    pub fn parse(name: &str) -> Result<Self, Refusal> {
        let zone = TimeZone::get(name.trim()).map_err(|_| Refusal::EventTimeZoneUnknown)?;
        // The database has an entry for what is not known, too.
        if zone.is_unknown() || zone.iana_name().is_none() {
            return Err(Refusal::EventTimeZoneUnknown);
        }
        Ok(Self(zone))
    }

    /// Its name.
    pub fn name(&self) -> &str {
        self.0.iana_name().unwrap_or("UTC")
    }

    /// The first moment of a calendar day there.
    pub fn start_of_day(&self, day: Date) -> Timestamp {
        // At the very ends of the calendar there is no such moment in some zones.
        day.to_zoned(self.0.clone()).map_or_else(
            |_| Timestamp::start_of_day(day),
            |start| Timestamp::from_millis(start.timestamp().as_millisecond()),
        )
    }

    /// The calendar day of a moment there.
    pub fn date(&self, at: Timestamp) -> Date {
        jiff::Timestamp::from_millisecond(at.as_millis())
            .map_or_else(|_| at.date(), |moment| moment.to_zoned(self.0.clone()).date())
    }

    /// What clocks there show at a moment, taken for UTC.
    pub fn clock(&self, at: Timestamp) -> Timestamp {
        let clock = jiff::Timestamp::from_millisecond(at.as_millis()).ok().and_then(|moment| {
            let shown = moment.to_zoned(self.0.clone()).datetime();
            shown.to_zoned(TimeZone::UTC).ok()
        });
        clock.map_or(at, |clock| Timestamp::from_millis(clock.timestamp().as_millisecond()))
    }

    /// The moment at which clocks there show this, which is taken for UTC: the first one where they show it twice.
    pub fn moment(&self, clock: Timestamp) -> Timestamp {
        let moment = jiff::Timestamp::from_millisecond(clock.as_millis()).ok().and_then(|clock| {
            let shown = clock.to_zoned(TimeZone::UTC).datetime();
            shown.to_zoned(self.0.clone()).ok()
        });
        moment.map_or(clock, |moment| Timestamp::from_millis(moment.timestamp().as_millisecond()))
    }

    /// That day as a person writes it, such as `20 November 2026`.
    pub fn long_date(&self, at: Timestamp) -> String {
        self.date(at).strftime("%-d %B %Y").to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn a_zone_has_a_name_of_the_database() {
        for (text, name) in [
            ("Asia/Kolkata", "Asia/Kolkata"),
            ("europe/berlin ", "Europe/Berlin"),
            ("Asia/Calcutta", "Asia/Calcutta"),
            ("UTC", "UTC"),
        ] {
            assert_eq!(Zone::parse(text).unwrap().name(), name);
        }
        for unknown in ["", "Mars/Olympus", "+05:30", "Etc/Unknown", "../etc/passwd", "IST5"] {
            assert_eq!(Zone::parse(unknown), Err(Refusal::EventTimeZoneUnknown), "{unknown}");
        }
        assert_eq!(Zone::utc().name(), "UTC");
    }

    #[test]
    fn clocks_show_the_time_there() {
        let berlin = Zone::parse("Europe/Berlin").unwrap();
        let kolkata = Zone::parse("Asia/Kolkata").unwrap();
        let at = |text: [i8; 5]| Timestamp::from_utc(2026, text).unwrap();
        let moment = at([11, 14, 20, 0, 0]);
        assert_eq!(kolkata.clock(moment), at([11, 15, 1, 30, 0]));
        assert_eq!(kolkata.moment(at([11, 15, 1, 30, 0])), moment);
        assert_eq!(Zone::utc().clock(moment), moment);
        // The hour that clocks leave out, and the one that they show twice.
        assert_eq!(berlin.moment(at([3, 29, 2, 30, 0])), at([3, 29, 1, 30, 0]));
        assert_eq!(berlin.moment(at([10, 25, 2, 30, 0])), at([10, 25, 0, 30, 0]));
        let last = Timestamp::from_millis(i64::MAX);
        assert_eq!((berlin.clock(last), berlin.moment(last)), (last, last));
    }

    #[test]
    fn days_begin_and_end_there() {
        let start = |zone: &str, day| Zone::parse(zone).unwrap().start_of_day(day).to_rfc3339();
        assert_eq!(start("UTC", date(2026, 11, 14)), "2026-11-14T00:00:00.000Z");
        assert_eq!(start("Asia/Kolkata", date(2026, 11, 14)), "2026-11-13T18:30:00.000Z");
        assert_eq!(start("Europe/Berlin", date(2026, 7, 1)), "2026-06-30T22:00:00.000Z");
        // Its clocks went from midnight to one on that day.
        assert_eq!(start("America/Sao_Paulo", date(2018, 11, 4)), "2018-11-04T03:00:00.000Z");
        for day in [Date::MIN, Date::MAX] {
            assert!(Zone::parse("Asia/Kolkata").unwrap().start_of_day(day).as_millis() != 0);
        }
        let evening = Timestamp::from_millis(1_794_596_400_000 - 3_600_000);
        assert_eq!(Zone::utc().date(evening), evening.date());
        let kolkata = Zone::parse("Asia/Kolkata").unwrap();
        let (day, before) = (date(2026, 11, 14), Timestamp::from_millis(-1).as_millis());
        let last = Timestamp::from_millis(kolkata.start_of_day(day).as_millis() + before);
        assert_eq!(
            (kolkata.date(last), kolkata.long_date(last)),
            (date(2026, 11, 13), String::from("13 November 2026"))
        );
        assert_eq!(kolkata.date(kolkata.start_of_day(day)), day);
    }
}
