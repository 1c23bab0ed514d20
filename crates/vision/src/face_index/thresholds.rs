//! From which similarity on two faces are the same person's.

use domain::faces::Strictness;
use serde::Deserialize;

/// Lowest similarity that counts as the same person, for an index of `faces` faces.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Thresholds {
    /// Number of faces these thresholds are for.
    pub faces: f64,
    /// For [`Strictness::Strict`].
    pub strict: f32,
    /// For [`Strictness::Normal`].
    pub normal: f32,
    /// For [`Strictness::Loose`].
    pub loose: f32,
}

/// Differences of similarities that decide, beside the thresholds. They are the recogniser's: one that tells strangers apart
/// by less also says more by a small difference.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Margins {
    /// What others can add to a face's own similarity at most: they settle doubts, and never vouch for a face by themselves.
    /// They add nothing where none of them alone would be found by a loose search: such a group is as likely somebody
    /// else's, and if it is the guest's, each of its faces would be lost with any other that they reject by mistake.
    pub lift: f32,
    /// How far below the threshold of a loose search faces are in question. Beyond the lift: who somebody else is, is said
    /// by faces that are less like the person.
    pub reach: f32,
    /// How much more similar than those a search learns from two faces must be to count as one person's: two people who are
    /// alike would speak for each other.
    pub surer: f32,
    /// How much more similar a face must be to a rejected one than to the person searched for to be left out.
    pub rejection: f32,
    /// How much more similar a face must be where only what the search has learned finds it, and not the person's own picture:
    /// the mean of several pictures has less of what is chance in each, and is more like everybody. Packs before format 5 ask
    /// for none.
    #[serde(default)]
    pub learned: f32,
    /// The part of a search's threshold from which on groups are put together (decision 0027).
    pub grouping_share: f32,
}

impl Default for Margins {
    /// Those of the packs that name none: they were the same for every recogniser.
    fn default() -> Self {
        Self { lift: 0.05, reach: 0.2, surer: 0.05, rejection: 0.05, learned: 0.0, grouping_share: 0.9 }
    }
}

impl Margins {
    /// Whether each is what it can be: more would find everybody, or nobody.
    pub(crate) fn are_possible(&self) -> bool {
        let differences = [self.lift, self.reach, self.surer, self.rejection, self.learned];
        differences.into_iter().all(|margin| (0.0..1.0).contains(&margin))
            && self.lift <= self.reach
            && 0.0 < self.grouping_share
            && self.grouping_share <= 1.0
    }
}

/// When a search learns from faces that are not sure by themselves: several that are alike are one person, and that all of them
/// happen to be a little like the person searched for is less likely than that one is.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Agreement {
    /// How many there must be where none of them is sure by itself.
    pub faces: usize,
    /// How much less similar to the person than one that is sure by itself each may be.
    pub below: f32,
    /// How similar each must be to each of the others, the sure ones too; where they are not, the best ones count.
    pub among: f32,
}

impl Agreement {
    /// Whether each is what it can be: one face would agree with nobody.
    pub(crate) fn is_possible(&self) -> bool {
        self.faces > 1 && (0.0..1.0).contains(&self.below) && 0.0 < self.among && self.among < 1.0
    }
}

impl Thresholds {
    /// Whether a looser search finds at least what a stricter one finds.
    pub(crate) fn is_nested(&self) -> bool {
        self.faces >= 1.0
            && 0.0 < self.loose
            && self.loose <= self.normal
            && self.normal <= self.strict
            && self.strict < 1.0
    }

    pub(crate) fn is_below(&self, next: &Self) -> bool {
        self.faces < next.faces
            && self.strict <= next.strict
            && self.normal <= next.normal
            && self.loose <= next.loose
    }

    const fn of(&self, strictness: Strictness) -> f32 {
        match strictness {
            Strictness::Strict => self.strict,
            Strictness::Normal => self.normal,
            Strictness::Loose => self.loose,
        }
    }
}

/// When two embeddings of a pack count as the same person.
#[derive(Clone, Debug, PartialEq)]
pub struct Matching {
    thresholds: Vec<Thresholds>,
    pub(super) expansion_matches: usize,
    expansion_similarity: f32,
    pub(super) agreement: Option<Agreement>,
    pub(super) margins: Margins,
}

impl Matching {
    /// `thresholds` by rising number of faces; a search learns from up to `expansion_matches` faces that are more
    /// similar than `expansion_similarity`.
    pub fn new(thresholds: Vec<Thresholds>, expansion_matches: usize, expansion_similarity: f32) -> Self {
        let (agreement, margins) = (None, Margins::default());
        Self { thresholds, expansion_matches, expansion_similarity, agreement, margins }
    }

    /// The same that also learns from faces that agree; from none but the sure ones without.
    #[must_use]
    pub fn with_agreement(self, agreement: Option<Agreement>) -> Self {
        Self { agreement, ..self }
    }

    /// The same with the recogniser's own margins.
    #[must_use]
    pub fn with_margins(self, margins: Margins) -> Self {
        Self { margins, ..self }
    }

    /// The threshold for an index of `faces` faces: between two sizes of the table on a straight line over the
    /// number's logarithm, so that one photo more never changes much; beyond its ends as at the ends.
    #[allow(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        reason = "counts below 2^52, shares up to 1"
    )]
    pub fn threshold(&self, faces: usize, strictness: Strictness) -> f32 {
        let faces = faces as f64;
        let after = self.thresholds.partition_point(|row| row.faces < faces);
        match (after.checked_sub(1).and_then(|at| self.thresholds.get(at)), self.thresholds.get(after)) {
            (Some(below), Some(above)) => {
                let share = ((faces.ln() - below.faces.ln()) / (above.faces.ln() - below.faces.ln())) as f32;
                below.of(strictness) + share * (above.of(strictness) - below.of(strictness))
            }
            (None, Some(only)) | (Some(only), None) => only.of(strictness),
            (None, None) => 1.0,
        }
    }

    /// How similar the faces of two groups must be on an average to be one person's, among `faces` faces. A search compares
    /// with one picture and has to be sure of each face; an average of many pairs is lower, and as sure.
    pub fn grouping_threshold(&self, faces: usize) -> f32 {
        self.threshold(faces, Strictness::Normal) * self.margins.grouping_share
    }

    /// How similar a face must be for a search to learn from it. The same for every strictness: all three then rank
    /// the same faces by the same numbers, and a looser search finds all that a stricter one finds.
    pub(super) fn confidence(&self, faces: usize) -> f32 {
        self.threshold(faces, Strictness::Normal).max(self.expansion_similarity)
    }
}
