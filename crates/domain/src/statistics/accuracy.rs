//! How well an event's searches are, by what guests say of them.

use crate::statistics::Counts;

/// Fewest answers of which a share is told: of fewer the interval is so wide that the number would say nothing.
const FEWEST_ANSWERS: i64 = 10;
/// Two-sided quantile of the normal distribution for 95 of 100.
const Z: f64 = 1.959_964;

/// A share with its 95 % confidence interval (E. B. Wilson, JASA 22, 1927), each from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    /// What was counted.
    pub at: f64,
    /// The lower bound.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
}

impl Share {
    /// `part` of `all`; none of nothing, and of more photos than there can be.
    fn of(part: i64, all: i64) -> Option<Self> {
        let n = f64::from(u32::try_from(all).ok().filter(|all| *all > 0)?);
        let at = f64::from(u32::try_from(part).ok()?) / n;
        let centre = (at + Z * Z / (2.0 * n)) / (1.0 + Z * Z / n);
        let half = Z / (1.0 + Z * Z / n) * (at * (1.0 - at) / n + Z * Z / (4.0 * n * n)).sqrt();
        Some(Self { at, low: (centre - half).max(0.0), high: (centre + half).min(1.0) })
    }
}

/// What guests have said of the photos that they were shown. Who says nothing counts as content, so that these are what guests
/// noticed, and not all there is to notice. Answers are counted of all searches of a device, what was shown of the
/// first one that found photos: where guests search again after more were uploaded, both shares look worse than they are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Accuracy {
    /// How often a guest said that a photo is not theirs, or that one of theirs was missing.
    pub answers: i64,
    /// Of the photos that guests are in, as far as they are known, the share that their searches found; none where guests cannot
    /// look at all photos, and so miss none.
    pub found: Option<Share>,
    /// Of the photos that guests were shown, the share that shows somebody else.
    pub wrong: Share,
}

impl Accuracy {
    /// That of an event; none before there are ten answers, or as many photos as were called wrong.
    pub fn of(counts: Counts, is_browsable: bool) -> Option<Self> {
        let Counts { shown, not_me, missed, .. } = counts;
        let answers = not_me + missed;
        // A photo can be called wrong that was shown before these numbers were kept.
        if answers < FEWEST_ANSWERS || shown <= not_me {
            return None;
        }
        let right = shown - not_me;
        let is_noticed = is_browsable || missed > 0;
        let found = Share::of(right, right + missed).filter(|_| is_noticed);
        Some(Self { answers, found, wrong: Share::of(not_me, shown)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(shown: i64, not_me: i64, missed: i64) -> Counts {
        Counts { shown, not_me, missed, ..Counts::NOTHING }
    }

    fn near(share: Share, [at, low, high]: [f64; 3]) {
        for (is, expected) in [(share.at, at), (share.low, low), (share.high, high)] {
            assert!((is - expected).abs() < 5e-4, "{share:?}, not {expected}");
        }
    }

    #[test]
    fn shares_come_with_their_interval() {
        // [FACE542] 36 of 1,031 are missed, 5 of 1,000 wrong; bounds by the formula of the paper, computed apart.
        let accuracy = Accuracy::of(counts(1_000, 5, 36), true).unwrap();
        assert_eq!(accuracy.answers, 41);
        near(accuracy.found.unwrap(), [0.9651, 0.9521, 0.9747]);
        near(accuracy.wrong, [0.005, 0.0021, 0.0116]);
        // Nothing wrong is no proof that nothing is.
        near(Accuracy::of(counts(100, 0, 10), true).unwrap().wrong, [0.0, 0.0, 0.0370]);
    }

    #[test]
    fn few_answers_are_no_figure() {
        // [FACE542]
        assert_eq!(Accuracy::of(counts(1_000, 4, 5), true), None);
        assert_eq!(Accuracy::of(counts(0, 10, 0), true), None);
        assert_eq!(Accuracy::of(counts(12, 12, 30), true), None);
        assert!(Accuracy::of(counts(1_000, 5, 5), true).is_some());
    }

    #[test]
    fn what_guests_cannot_notice_has_no_figure() {
        // [FACE542]
        assert_eq!(Accuracy::of(counts(1_000, 20, 0), false).unwrap().found, None);
        near(Accuracy::of(counts(1_000, 20, 0), true).unwrap().found.unwrap(), [1.0, 0.9961, 1.0]);
        assert!(Accuracy::of(counts(1_000, 20, 3), false).unwrap().found.is_some());
    }
}
