//! What happens around an event, as numbers that name nobody.

pub mod accuracy;
pub mod digest;

use std::time::Duration;

use jiff::civil::Weekday;

use crate::{DAY, Timestamp};

/// How long the numbers of a weekly summary cover.
pub const WEEK: Duration = DAY.saturating_mul(7);
/// When on a Monday summaries go out, in UTC: after the night in which Sunday's events end.
const HOUR_OF_MAIL: Duration = Duration::from_secs(6 * 60 * 60);

/// What guests did, and how often.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Openings of the event's page.
    pub visits: i64,
    /// Searches that were answered.
    pub searches: i64,
    /// Those of them that found a photo.
    pub searches_found: i64,
    /// Those of them that found none.
    pub searches_empty: i64,
    /// Devices that found photos for the first time, as they say themselves.
    pub guests_helped: i64,
    /// Photos that were saved, one by one or in a ZIP.
    pub downloads: i64,
    /// How often somebody began to look at all photos.
    pub browsed: i64,
    /// Hearts that were put on photos; those that were taken back are not subtracted.
    pub hearts: i64,
    /// Photos that devices were shown which found some for the first time.
    pub shown: i64,
    /// Photos of which a guest said that they are not in them.
    pub not_me: i64,
    /// Photos in which guests found themselves that their search had not.
    pub missed: i64,
}

impl Counts {
    /// An opening of the event's page.
    pub const VISIT: Self = Self { visits: 1, ..Self::NOTHING };
    /// A look at all photos that begins.
    pub const BROWSING: Self = Self { browsed: 1, ..Self::NOTHING };
    /// A heart that is put on a photo.
    pub const HEART: Self = Self { hearts: 1, ..Self::NOTHING };
    /// A photo that shows somebody else than the guest whom it was shown.
    pub const NOT_ME: Self = Self { not_me: 1, ..Self::NOTHING };
    /// A photo of a guest whose search has not found it.
    pub const MISSED: Self = Self { missed: 1, ..Self::NOTHING };
    /// Nothing.
    pub const NOTHING: Self = Self {
        visits: 0,
        searches: 0,
        searches_found: 0,
        searches_empty: 0,
        guests_helped: 0,
        downloads: 0,
        browsed: 0,
        hearts: 0,
        shown: 0,
        not_me: 0,
        missed: 0,
    };

    /// An answered search that found so many photos; `first` when the device has found nothing in this event before.
    pub fn search(photos: i64, first: bool) -> Self {
        let found = photos > 0;
        Self {
            searches: 1,
            searches_found: i64::from(found),
            searches_empty: i64::from(!found),
            guests_helped: i64::from(found && first),
            shown: if first { photos } else { 0 },
            ..Self::NOTHING
        }
    }

    /// Photos that were saved.
    pub fn downloads(photos: i64) -> Self {
        Self { downloads: photos, ..Self::NOTHING }
    }

    /// Adds others.
    pub fn add(&mut self, more: Self) {
        let Self {
            visits,
            searches,
            searches_found,
            searches_empty,
            guests_helped,
            downloads,
            browsed,
            hearts,
            shown,
            not_me,
            missed,
        } = more;
        self.visits += visits;
        self.searches += searches;
        self.searches_found += searches_found;
        self.searches_empty += searches_empty;
        self.guests_helped += guests_helped;
        self.downloads += downloads;
        self.browsed += browsed;
        self.hearts += hearts;
        self.shown += shown;
        self.not_me += not_me;
        self.missed += missed;
    }

    /// How many of a hundred searches found something, rounded; none where no result was counted.
    pub fn found_percent(&self) -> Option<i64> {
        let all = self.searches_found + self.searches_empty;
        (all > 0).then(|| (self.searches_found * 100 + all / 2) / all)
    }
}

/// When the next weekly summary after `now` goes out: on a Monday.
pub fn next_summary(now: Timestamp) -> Timestamp {
    let today = now.date();
    let since_monday = u32::from(today.weekday().since(Weekday::Monday).unsigned_abs());
    let due = Timestamp::start_of_day(today).minus(DAY * since_monday).plus(HOUR_OF_MAIL);
    if due > now { due } else { due.plus(WEEK) }
}

/// The first and the last moment of the week before the day on which a summary is due.
pub fn week_before(due: Timestamp) -> (Timestamp, Timestamp) {
    let end = Timestamp::start_of_day(due.date());
    (end.minus(WEEK), end.minus(Duration::from_millis(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn utc(day: i8, hour: i8) -> Timestamp {
        Timestamp::from_utc(2026, [11, day, hour, 0, 0]).unwrap()
    }

    #[test]
    fn a_summary_is_due_on_monday_at_six_and_covers_the_seven_days_before() {
        // 2026-11-23 is a Monday.
        assert_eq!(next_summary(utc(22, 23)), utc(23, 6));
        assert_eq!(next_summary(utc(23, 5)), utc(23, 6));
        assert_eq!(next_summary(utc(23, 6)), utc(30, 6));
        assert_eq!(next_summary(utc(27, 0)), utc(30, 6));
        let (from, to) = week_before(utc(23, 6));
        assert_eq!(
            (from.date().to_string(), to.date().to_string()),
            ("2026-11-16".into(), "2026-11-22".into())
        );
    }

    #[test]
    fn the_share_is_one_of_the_searches_whose_result_was_counted() {
        let mut counts = Counts { searches: 10, ..Counts::NOTHING };
        assert_eq!(counts.found_percent(), None, "searches of an earlier version");
        counts.add(Counts::search(3, true));
        counts.add(Counts::search(2, false));
        counts.add(Counts::search(0, true));
        assert_eq!((counts.searches, counts.guests_helped, counts.found_percent()), (13, 1, Some(67)));
    }
}
