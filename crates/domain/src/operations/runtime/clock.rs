//! Moments in time, and the clock.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use jiff::civil::{Date, date};
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};

/// A day; all days are UTC.
pub const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// A moment, in milliseconds since the Unix epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Timestamp(i64);

impl Timestamp {
    /// From milliseconds since the Unix epoch.
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis)
    }

    /// Milliseconds since the Unix epoch.
    pub const fn as_millis(self) -> i64 {
        self.0
    }

    /// Whole seconds since the Unix epoch, rounded down.
    pub const fn as_seconds(self) -> i64 {
        self.0.div_euclid(1000)
    }

    /// The moment `later` after this one, saturating at the numeric bounds.
    pub fn plus(self, later: Duration) -> Self {
        Self(self.0.saturating_add(i64::try_from(later.as_millis()).unwrap_or(i64::MAX)))
    }

    /// The moment `earlier` before this one, saturating at the numeric bounds.
    pub fn minus(self, earlier: Duration) -> Self {
        Self(self.0.saturating_sub(i64::try_from(earlier.as_millis()).unwrap_or(i64::MAX)))
    }

    /// The time elapsed since `earlier`; zero when that is later than this.
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_millis(u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0))
    }

    /// The first moment of a calendar day.
    pub fn start_of_day(day: Date) -> Self {
        let since_epoch = day.duration_since(date(1970, 1, 1));
        Self(i64::try_from(since_epoch.as_millis()).unwrap_or(i64::MAX))
    }

    /// A moment in UTC from its year and, in this order, month, day, hour, minute and second; none when there is no such one.
    pub fn from_utc(year: i16, [month, day, hour, minute, second]: [i8; 5]) -> Option<Self> {
        let moment = jiff::civil::DateTime::new(year, month, day, hour, minute, second, 0).ok()?;
        Some(Self(moment.to_zoned(TimeZone::UTC).ok()?.timestamp().as_millisecond()))
    }

    /// The calendar day of this moment.
    pub fn date(self) -> Date {
        jiff::Timestamp::from_millisecond(self.0)
            .map_or(Date::MAX, |moment| moment.to_zoned(TimeZone::UTC).date())
    }

    /// RFC 3339 in UTC with milliseconds, such as `2026-11-20T09:30:00.000Z`.
    pub fn to_rfc3339(self) -> String {
        match jiff::Timestamp::from_millisecond(self.0) {
            Ok(moment) => format!("{moment:.3}"),
            // Outside the years -9999 to 9999 there is no RFC 3339; no clock gets there.
            Err(_) => String::from("9999-12-31T23:59:59.999Z"),
        }
    }

    /// The form of HTTP (RFC 9110, 5.6.7), such as `Fri, 20 Nov 2026 09:30:00 GMT`.
    pub fn to_http_date(self) -> String {
        jiff::Timestamp::from_millisecond(self.0).map_or_else(
            |_| String::from("Fri, 31 Dec 9999 23:59:59 GMT"),
            |moment| moment.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string(),
        )
    }

    /// The day in UTC as a person writes it, such as `20 November 2026`.
    pub fn to_long_date(self) -> String {
        jiff::Timestamp::from_millisecond(self.0)
            .map_or_else(|_| self.to_rfc3339(), |moment| moment.strftime("%-d %B %Y").to_string())
    }
}

/// The source of the current time.
#[derive(Clone, Debug)]
pub enum Clock {
    /// The machine's clock.
    System,
    /// A clock that changes only when a test advances it.
    Fixed(Arc<AtomicI64>),
}

impl Clock {
    /// A fixed clock set to `at`.
    pub fn fixed(at: Timestamp) -> Self {
        Self::Fixed(Arc::new(AtomicI64::new(at.as_millis())))
    }

    /// The current time.
    #[allow(clippy::disallowed_methods, reason = "this is the one place where the machine's clock is read")]
    pub fn now(&self) -> Timestamp {
        match self {
            Self::System => Timestamp(jiff::Timestamp::now().as_millisecond()),
            Self::Fixed(millis) => Timestamp(millis.load(Ordering::SeqCst)),
        }
    }

    /// Advances a fixed clock; has no effect on the machine's.
    pub fn advance(&self, by: Duration) {
        if let Self::Fixed(millis) = self {
            millis.fetch_add(i64::try_from(by.as_millis()).unwrap_or(i64::MAX), Ordering::SeqCst);
        }
    }

    /// Sets a fixed clock, back too; has no effect on the machine's.
    pub fn set(&self, at: Timestamp) {
        if let Self::Fixed(millis) = self {
            millis.store(at.as_millis(), Ordering::SeqCst);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fixed_clock_changes_only_when_it_is_advanced() {
        let clock = Clock::fixed(Timestamp::from_millis(1_000));
        let clone = clock.clone();
        clock.advance(Duration::from_secs(2));
        assert_eq!(clone.now().as_millis(), 3_000);
        assert_eq!(clone.now().since(Timestamp::from_millis(1_000)), Duration::from_secs(2));
        assert_eq!(Timestamp::from_millis(1).since(Timestamp::from_millis(2)), Duration::ZERO);
    }

    #[test]
    fn a_day_starts_at_midnight_utc() {
        let start = Timestamp::start_of_day(date(2026, 11, 20));
        assert_eq!(start.to_rfc3339(), "2026-11-20T00:00:00.000Z");
        let last = start.plus(DAY).minus(Duration::from_millis(1));
        assert_eq!(
            (start.date(), last.date(), start.plus(DAY).date()),
            (date(2026, 11, 20), date(2026, 11, 20), date(2026, 11, 21))
        );
        let before_the_epoch = Timestamp::start_of_day(date(1969, 12, 31));
        assert_eq!(before_the_epoch.as_millis(), -86_400_000);
        assert_eq!(before_the_epoch.date(), date(1969, 12, 31));
        for day in [Date::MIN, Date::MAX] {
            assert_eq!(Timestamp::start_of_day(day).minus(DAY).plus(DAY), Timestamp::start_of_day(day));
        }
    }

    #[test]
    fn rfc3339_has_milliseconds_and_z() {
        assert_eq!(Timestamp::from_millis(1_700_000_000_005).to_rfc3339(), "2023-11-14T22:13:20.005Z");
        assert_eq!(Timestamp::from_millis(0).to_rfc3339(), "1970-01-01T00:00:00.000Z");
        assert_eq!(Timestamp::from_millis(0).to_long_date(), "1 January 1970");
    }
}
