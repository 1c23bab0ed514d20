//! Jumps of the clock. What is due by a clock that went ahead is removed too early, and cannot be brought back.

use std::time::Duration;

use crate::{DAY, Timestamp};

/// By how much the clock has to be ahead of the last look at it, taken a minute ago where the service runs, to count as a jump. A
/// service that is off overnight comes back without one.
pub const FORWARD: Duration = DAY;
/// By how much it has to be behind. The clocks of several machines differ a little.
pub const BACK: Duration = Duration::from_secs(5 * 60);
/// For how long nothing is removed after a jump forward, unless a person says that the clock is right.
pub const HOLD: Duration = DAY;

/// For how long after a jump back nothing else may have jumped until the clock is taken for right: one that was wrong is corrected
/// within minutes.
pub const STEADY: Duration = Duration::from_secs(60 * 60);
/// For how long after that what the clock had dated ahead is looked for.
const LOOKED_FOR: Duration = Duration::from_secs(2 * 60 * 60);

/// What is remembered of the clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClockWatch {
    /// When somebody last looked at it.
    pub seen_at: Timestamp,
    /// The last jump.
    pub jump: Option<Jump>,
    /// Until when nothing is removed.
    pub held_until: Option<Timestamp>,
}

/// A jump of the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Jump {
    /// What it said before.
    pub from: Timestamp,
    /// What it said next.
    pub to: Timestamp,
}

impl Jump {
    /// Whether it went ahead.
    pub fn is_forward(self) -> bool {
        self.to > self.from
    }
}

impl ClockWatch {
    /// After the first look at the clock.
    pub const fn new(now: Timestamp) -> Self {
        Self { seen_at: now, jump: None, held_until: None }
    }

    /// After another look.
    pub fn observed(self, now: Timestamp) -> Self {
        let jump = Jump { from: self.seen_at, to: now };
        let is_forward = now.since(self.seen_at) > FORWARD;
        let is_jump = is_forward || self.seen_at.since(now) > BACK;
        // After a jump back the end of a wait that began by the wrong clock may be far away.
        let held_until = if is_forward { Some(now.plus(HOLD)) } else { self.held_until };
        Self {
            seen_at: now,
            jump: if is_jump { Some(jump) } else { self.jump },
            held_until: held_until.map(|until| until.min(now.plus(HOLD))).filter(|until| *until > now),
        }
    }

    /// Whether the clock was ahead, and has been right since: what it had dated can be set back. After a jump back alone nobody knows
    /// which of both was wrong.
    pub fn was_ahead(&self, now: Timestamp) -> bool {
        let Some(jump) = self.jump.filter(|jump| !jump.is_forward()) else { return false };
        (STEADY..STEADY + LOOKED_FOR).contains(&now.since(jump.to))
    }

    /// After a person said that the clock is right.
    pub fn confirmed(self) -> Self {
        Self { jump: None, held_until: None, ..self }
    }

    /// What an operator should know, for a day after a jump and for as long as nothing is removed.
    pub fn warning(&self, now: Timestamp) -> Option<String> {
        let Jump { from, to } = self.jump?;
        let (from, to) = (from.to_rfc3339(), to.to_rfc3339());
        if let Some(until) = self.held_until.filter(|until| *until > now) {
            let until = until.to_rfc3339();
            return Some(format!(
                "The clock went from {from} to {to}. Nothing is removed until {until}. If the clock is right, `afterglow clock confirm` ends the wait."
            ));
        }
        (now.since(self.jump?.to) < DAY).then(|| format!("The clock went from {from} to {to}."))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: Timestamp = Timestamp::from_millis(1_795_176_000_000);

    #[test]
    fn a_minute_and_a_night_are_no_jumps() {
        let night = START.plus(DAY / 2);
        for now in [START, START.plus(Duration::from_secs(60)), night, START.minus(Duration::from_secs(60))] {
            assert_eq!(ClockWatch::new(START).observed(now), ClockWatch::new(now));
        }
        assert_eq!(ClockWatch::new(START).warning(START), None);
    }

    #[test]
    fn after_a_jump_forward_nothing_is_removed_for_a_day_or_until_somebody_says_that_the_clock_is_right() {
        let ahead = START.plus(DAY * 30);
        let watch = ClockWatch::new(START).observed(ahead);
        assert_eq!(watch.jump, Some(Jump { from: START, to: ahead }));
        assert!(watch.jump.unwrap().is_forward());
        assert_eq!(watch.held_until, Some(ahead.plus(HOLD)));
        assert!(watch.warning(ahead).unwrap().contains("Nothing is removed until 2026-12-21T12:00:00.000Z"));
        let later = watch.clone().observed(ahead.plus(DAY));
        assert_eq!(later.held_until, None);
        assert_eq!(watch.confirmed(), ClockWatch::new(ahead));
    }

    #[test]
    fn a_wait_that_began_by_a_wrong_clock_lasts_a_day_by_the_right_one() {
        let watch = ClockWatch::new(START).observed(START.plus(DAY * 30)).observed(START);
        assert_eq!(watch.held_until, Some(START.plus(HOLD)));
        assert!(!watch.jump.unwrap().is_forward());
        let mut watch = watch;
        for minutes in 1..=24 * 60 {
            watch = watch.observed(START.plus(Duration::from_secs(60 * minutes)));
        }
        assert_eq!(watch.held_until, None);
        assert_eq!(watch.warning(watch.seen_at), None, "a day later it is no news");
    }

    #[test]
    fn a_clock_was_ahead_once_it_has_been_steady_for_an_hour_after_it_went_back() {
        // [SAFE484]
        let minutes = |minutes: u64| Duration::from_secs(60 * minutes);
        let (ahead, behind) = (START.plus(DAY * 30), START.minus(DAY * 9_000));
        let watch = ClockWatch::new(ahead).observed(START);
        for (after, was_ahead) in [(0, false), (59, false), (60, true), (179, true), (180, false)] {
            let now = START.plus(minutes(after));
            assert_eq!(watch.clone().observed(now).was_ahead(now), was_ahead, "{after}");
        }
        // A machine that starts without the time, and then gets it.
        let watch = ClockWatch::new(START).observed(behind);
        assert!(!watch.was_ahead(behind));
        let right = START.plus(minutes(20));
        let watch = watch.observed(right);
        assert!(!watch.was_ahead(right) && !watch.was_ahead(right.plus(minutes(90))));
    }

    #[test]
    fn a_jump_back_is_told_of_for_a_day() {
        let back = START.minus(DAY * 3);
        let watch = ClockWatch::new(START).observed(back);
        assert_eq!(watch.held_until, None);
        let told = "The clock went from 2026-11-20T12:00:00.000Z to 2026-11-17T12:00:00.000Z.";
        assert_eq!(watch.warning(back).as_deref(), Some(told));
    }
}
