//! Recall and precision of a search, counted in photos: the arithmetic behind `afterglow faces evaluate`.

use std::collections::BTreeSet;

/// Outcome of many searches against the truth, added up over all of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Photos that were found and show the person.
    pub right: u64,
    /// Photos that were found and do not show the person.
    pub wrong: u64,
    /// Photos that show the person and were not found.
    pub missed: u64,
    /// Searches by people who are in no photo.
    pub strangers: u64,
    /// Those of them that were shown any photo.
    pub strangers_answered: u64,
}

impl Tally {
    /// Counts the search of a person who is in the photos `truth` and was shown `found`.
    pub fn attendee<T: Ord>(&mut self, found: &BTreeSet<T>, truth: &BTreeSet<T>) {
        self.right += count(found.intersection(truth));
        self.wrong += count(found.difference(truth));
        self.missed += count(truth.difference(found));
    }

    /// Counts the search of a person who is in no photo and was shown `found`.
    ///
    /// A stranger's photos do not count against [`Self::precision`]: how many strangers search is chosen by the
    /// maker of the evaluation set.
    pub const fn stranger(&mut self, found: usize) {
        self.strangers += 1;
        self.strangers_answered += (found > 0) as u64;
    }

    /// Of the photos that show the searching people, the part that was found; 1 when there are none.
    pub fn recall(&self) -> f64 {
        part(self.right, self.missed)
    }

    /// Of the photos that were found, the part that shows the searching person; 1 when there are none.
    pub fn precision(&self) -> f64 {
        part(self.right, self.wrong)
    }
}

fn count<T>(items: impl Iterator<Item = T>) -> u64 {
    items.map(|_| 1).sum()
}

#[allow(clippy::cast_precision_loss, reason = "counts of photos")]
fn part(of: u64, and: u64) -> f64 {
    if of + and == 0 { 1.0 } else { of as f64 / (of + and) as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn photos_are_counted_over_all_searches() {
        // U90: over all matches returned for all searches.
        let mut tally = Tally::default();
        tally.attendee(&BTreeSet::from(["a", "b", "x"]), &BTreeSet::from(["a", "b", "c"]));
        tally.attendee(&BTreeSet::from(["d"]), &BTreeSet::from(["d"]));
        tally.stranger(0);
        tally.stranger(3);
        assert_eq!(tally, Tally { right: 3, wrong: 1, missed: 1, strangers: 2, strangers_answered: 1 });
        assert!((tally.recall() - 0.75).abs() < 1e-12 && (tally.precision() - 0.75).abs() < 1e-12);
    }

    #[test]
    fn nothing_found_of_nothing_is_no_fault() {
        assert!(
            (Tally::default().recall() - 1.0).abs() < 1e-12
                && (Tally::default().precision() - 1.0).abs() < 1e-12
        );
    }
}
