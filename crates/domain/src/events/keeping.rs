//! For how long the photos of events are kept.

use std::time::Duration;

use jiff::civil::Date;

use crate::events::zones::Zone;
use crate::{DAY, Refusal, Timestamp};

/// The periods that photographers are offered, as far as the installation allows them: a month, a quarter, half a year, a year.
const OFFERED: [u32; 4] = [30, 90, 180, 365];
/// The fewest days that can be chosen: a mail warns a week before photos are removed.
const FEWEST: u32 = 7;
/// As long as anything: what is kept for ever needs a period where times are compared.
const FOR_EVER: Duration = DAY.saturating_mul(365_000);

/// For how many days an installation keeps the photos of an event: by default, and at most where the photographer chooses.
/// 0 days are for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Keeping {
    default: u32,
    longest: u32,
}

impl Keeping {
    /// What an operator has set. The longest period is never shorter than the one by default.
    pub fn of(default: u32, longest: u32) -> Self {
        Self { default, longest: if default == 0 || longest == 0 { 0 } else { longest.max(default) } }
    }

    /// The same for all events, but for shorter ones that are chosen.
    pub fn fixed(days: u32) -> Self {
        Self::of(days, days)
    }

    /// The days of an event whose photographer has chosen nothing.
    pub const fn default_days(self) -> u32 {
        self.default
    }

    /// The days of an event for which so many were chosen: not more than the installation allows by now.
    pub fn days(self, chosen: Option<u32>) -> u32 {
        match (chosen, self.longest) {
            (None, _) => self.default,
            (Some(0), longest) => longest,
            (Some(days), 0) => days,
            (Some(days), longest) => days.min(longest),
        }
    }

    /// The most days that an event can have.
    pub const fn longest_days(self) -> u32 {
        self.longest
    }

    /// The period by default, in a time that can be compared.
    pub fn default_period(self) -> Duration {
        period(self.default)
    }

    /// The longest period, in a time that can be compared.
    pub fn longest_period(self) -> Duration {
        period(self.longest)
    }

    /// What photographers can choose from, shortest first.
    pub fn options(self) -> Vec<u32> {
        let offered = OFFERED.into_iter().filter(|days| self.longest == 0 || *days <= self.longest);
        let mut options: Vec<u32> = offered.chain([self.default, self.longest]).collect();
        // For ever is the longest.
        options.sort_unstable_by_key(|days| if *days == 0 { u32::MAX } else { *days });
        options.dedup();
        options
    }

    /// Checks a period that a photographer chooses.
    ///
    /// # Errors
    /// [`Refusal::EventKeepingTooShort`] and [`Refusal::EventKeepingTooLong`].
    pub fn check(self, days: u32) -> Result<(), Refusal> {
        if days == self.default || self.longest == 0 && days == 0 {
            Ok(())
        } else if days == 0 || self.longest != 0 && days > self.longest {
            Err(Refusal::EventKeepingTooLong)
        } else if days < FEWEST {
            Err(Refusal::EventKeepingTooShort)
        } else {
            Ok(())
        }
    }
}

fn period(days: u32) -> Duration {
    if days == 0 { FOR_EVER } else { (DAY * days).min(FOR_EVER) }
}

/// When an event's period begins: the later of its date and its last upload.
pub fn retained_from(zone: &Zone, date: Date, last_upload_at: Option<Timestamp>) -> Timestamp {
    let date = zone.start_of_day(date);
    last_upload_at.map_or(date, |upload| upload.max(date))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_offered_ends_with_the_longest_period() {
        // [EVT168]
        for (default, longest, options) in [
            (30, 365, vec![30, 90, 180, 365]),
            (30, 30, vec![30]),
            (90, 90, vec![30, 90]),
            (14, 100, vec![14, 30, 90, 100]),
            (7, 7, vec![7]),
            (30, 0, vec![30, 90, 180, 365, 0]),
            (0, 0, vec![30, 90, 180, 365, 0]),
            // A longest period that is shorter than the default counts for nothing.
            (90, 30, vec![30, 90]),
            (0, 30, vec![30, 90, 180, 365, 0]),
        ] {
            let keeping = Keeping::of(default, longest);
            assert_eq!(keeping.options(), options, "{default} {longest}");
            for days in options {
                assert_eq!(keeping.check(days), Ok(()), "{days} of {default} {longest}");
            }
        }
    }

    #[test]
    fn a_chosen_period_is_at_least_a_week_and_at_most_the_longest() {
        // [EVT168]
        let keeping = Keeping::of(30, 365);
        for days in [7, 30, 45, 365] {
            assert_eq!(keeping.check(days), Ok(()), "{days}");
        }
        assert_eq!(keeping.check(6), Err(Refusal::EventKeepingTooShort));
        for days in [0, 366, u32::MAX] {
            assert_eq!(keeping.check(days), Err(Refusal::EventKeepingTooLong), "{days}");
        }
        assert_eq!(Keeping::of(3, 30).check(3), Ok(()), "the operator's own");
        assert_eq!(Keeping::of(30, 0).check(40_000), Ok(()));
    }

    #[test]
    fn what_was_chosen_is_never_longer_than_the_installation_allows_by_now() {
        // [EVT167] [EVT169]
        for (default, longest, chosen, days) in [
            (30, 365, None, 30),
            (30, 365, Some(180), 180),
            (30, 90, Some(180), 90),
            (30, 90, Some(0), 90),
            (30, 90, Some(14), 14),
            (60, 365, None, 60),
            (30, 0, Some(0), 0),
            (0, 0, Some(400), 400),
            (0, 0, None, 0),
        ] {
            assert_eq!(Keeping::of(default, longest).days(chosen), days, "{default} {longest} {chosen:?}");
        }
        assert_eq!(Keeping::fixed(30).default_period(), DAY * 30);
        assert_eq!(Keeping::of(30, 0).longest_period(), Keeping::of(0, 0).default_period());
        assert_eq!(Keeping::fixed(u32::MAX).longest_period(), FOR_EVER);
    }
}
