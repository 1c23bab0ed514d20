//! Time, and where it comes from.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// A moment: milliseconds since the Unix epoch, UTC.
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

    /// The moment `later` after this one; the last moment there is when that would overflow.
    pub fn plus(self, later: Duration) -> Self {
        Self(self.0.saturating_add(i64::try_from(later.as_millis()).unwrap_or(i64::MAX)))
    }

    /// The moment `earlier` before this one.
    pub fn minus(self, earlier: Duration) -> Self {
        Self(self.0.saturating_sub(i64::try_from(earlier.as_millis()).unwrap_or(i64::MAX)))
    }

    /// How long ago `earlier` was; zero when it lies ahead.
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_millis(u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0))
    }

    /// RFC 3339 in UTC with milliseconds, such as `2026-11-20T09:30:00.000Z`.
    pub fn to_rfc3339(self) -> String {
        match jiff::Timestamp::from_millisecond(self.0) {
            Ok(moment) => format!("{moment:.3}"),
            // Outside the years -9999 to 9999 there is no RFC 3339; no clock gets there.
            Err(_) => String::from("9999-12-31T23:59:59.999Z"),
        }
    }

    /// The day in UTC as a person writes it, such as `20 November 2026`.
    pub fn to_long_date(self) -> String {
        jiff::Timestamp::from_millisecond(self.0)
            .map_or_else(|_| self.to_rfc3339(), |moment| moment.strftime("%-d %B %Y").to_string())
    }
}

/// Where the present comes from.
#[derive(Clone, Debug)]
pub enum Clock {
    /// The machine's clock.
    System,
    /// A clock that stands still until a test moves it.
    Fixed(Arc<AtomicI64>),
}

impl Clock {
    /// A clock that stands at `at`.
    pub fn fixed(at: Timestamp) -> Self {
        Self::Fixed(Arc::new(AtomicI64::new(at.as_millis())))
    }

    /// The present.
    #[allow(clippy::disallowed_methods, reason = "this is the one place where the machine's clock is read")]
    pub fn now(&self) -> Timestamp {
        match self {
            Self::System => Timestamp(jiff::Timestamp::now().as_millisecond()),
            Self::Fixed(millis) => Timestamp(millis.load(Ordering::SeqCst)),
        }
    }

    /// Moves a fixed clock on; the machine's clock moves by itself.
    pub fn advance(&self, by: Duration) {
        if let Self::Fixed(millis) = self {
            millis.fetch_add(i64::try_from(by.as_millis()).unwrap_or(i64::MAX), Ordering::SeqCst);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fixed_clock_moves_only_when_told() {
        let clock = Clock::fixed(Timestamp::from_millis(1_000));
        let twin = clock.clone();
        clock.advance(Duration::from_secs(2));
        assert_eq!(twin.now().as_millis(), 3_000);
        assert_eq!(twin.now().since(Timestamp::from_millis(1_000)), Duration::from_secs(2));
        assert_eq!(Timestamp::from_millis(1).since(Timestamp::from_millis(2)), Duration::ZERO);
    }

    #[test]
    fn rfc3339_has_milliseconds_and_z() {
        assert_eq!(Timestamp::from_millis(1_700_000_000_005).to_rfc3339(), "2023-11-14T22:13:20.005Z");
        assert_eq!(Timestamp::from_millis(0).to_rfc3339(), "1970-01-01T00:00:00.000Z");
        assert_eq!(Timestamp::from_millis(0).to_long_date(), "1 January 1970");
    }
}
