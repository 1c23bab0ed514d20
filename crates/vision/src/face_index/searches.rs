//! A search for a person: what it compares faces with, and what it has learned from those it met.

use domain::faces::{Embedding, Strictness, is_rejected};

use super::blocks::Query;
use super::hits::{Candidate, Hit};
use super::neighbours::{Doubts, insert_best};
use super::thresholds::{Margins, Matching};
use super::vectors::{add, dot, normalise};

/// A search in one index, or in several that are in memory one after the other: it learns from all of them before it
/// finds anything in them.
#[derive(Clone)]
pub struct Search {
    /// One query for each person, of length 1.
    queries: Vec<Vec<f32>>,
    /// Faces of which a guest said 'That's not me' and that exclude others.
    rejected: Vec<Vec<f32>>,
    pub(super) confidence: f32,
    pub(super) threshold: f32,
    /// Of a normal and of a loose search.
    normal: f32,
    loose: f32,
    margins: Margins,
    /// The lowest similarity of a face in question. The same for every strictness, so that all three see the same faces.
    pub(super) floor: f32,
    /// By query, the faces to learn from, best first, with their similarities.
    confident: Vec<Vec<(f32, Vec<f32>)>>,
    /// Most faces to learn from, and to look at together with one.
    most: usize,
    /// Whether a face was met that may be found, or from which others would be learned.
    is_near: bool,
}

impl std::fmt::Debug for Search {
    /// Shows the number of people alone: an embedding must not reach a log line.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Search({} people)", self.queries.len())
    }
}

impl Search {
    /// A search among `faces` faces, without those that are nearer to one of `rejected` than to the person.
    pub(super) fn new(
        matching: &Matching,
        faces: usize,
        selfies: &[Embedding],
        mut rejected: Vec<Vec<f32>>,
        threshold: f32,
    ) -> Self {
        let queries = people(matching, selfies);
        let confidence = matching.confidence(faces);
        // One from which the search would learn is more likely the person's own, and excludes no other.
        rejected.retain(|face| queries.iter().all(|query| dot(face, query) <= confidence));
        let confident = vec![Vec::new(); queries.len()];
        let most = matching.expansion_matches;
        let normal = matching.threshold(faces, Strictness::Normal);
        let loose = matching.threshold(faces, Strictness::Loose);
        let floor = (loose - matching.margins.reach).min(threshold);
        Self {
            queries,
            rejected,
            confidence,
            threshold,
            normal,
            loose,
            margins: matching.margins,
            floor,
            confident,
            most,
            is_near: false,
        }
    }

    /// What to compare: the people, and once it is [`Self::expand`]ed what was learned of them.
    pub(super) fn queries(&self) -> &[Vec<f32>] {
        &self.queries
    }

    /// Meets a face that may be similar enough to learn from.
    pub(super) fn learn(&mut self, values: &[f32], queries: &[Query<'_>]) {
        let nearness = self.nearness();
        for (query, confident) in queries.iter().zip(&mut self.confident) {
            let similarity = query.similarity(values);
            self.is_near |= similarity >= nearness;
            if similarity > self.confidence && !excludes(&self.rejected, self.margins, values, similarity) {
                insert_best(confident, self.most, similarity, || values.to_vec());
            }
        }
    }

    /// Ends the learning: each query is averaged with its most confident matches.
    pub fn expand(&mut self) {
        for (query, confident) in self.queries.iter_mut().zip(&mut self.confident) {
            confident.drain(..).for_each(|(_, values)| add(query, &values));
            normalise(query);
        }
    }

    /// The lowest similarity of a face that matters before the search has learned: others may help it over the threshold, or
    /// the search may learn from it.
    pub(super) const fn nearness(&self) -> f32 {
        // A little lower: sums are rounded.
        (self.threshold - self.margins.lift - 1e-4).min(self.confidence)
    }

    /// Whether all faces were met and none of them can be found.
    pub const fn finds_nothing(&self) -> bool {
        !self.is_near
    }

    /// How similar a face in question is to the nearest of the people; none when it cannot be found.
    pub(super) fn find(&self, values: &[f32], queries: &[Query<'_>]) -> Option<f32> {
        let best = queries.iter().map(|query| query.similarity(values)).fold(f32::NEG_INFINITY, f32::max);
        (best >= self.floor).then_some(best)
    }

    /// Which of `candidates` are found, in their order: those of one index, or of all of them one after the other.
    pub fn decide(&self, candidates: &[Candidate]) -> Vec<Hit> {
        let Self { queries: people, normal, loose, most, margins, .. } = self;
        let (sure, lift) = (self.confidence + margins.surer, margins.lift);
        let doubts = Doubts { people, normal: *normal, loose: *loose, sure, lift, most: *most };
        let settled = candidates.iter().zip(doubts.settle(candidates));
        // What a face counts as is also what a rejected one is measured against: a guest's face for which others vouch stays
        // after a slip, and a stranger's that happens to be more like the guest than their others goes with those.
        let found = settled.filter(|(face, similarity)| {
            *similarity >= self.threshold
                && !excludes(&self.rejected, self.margins, &face.values, *similarity)
        });
        found
            .map(|(face, similarity)| Hit { row: face.row, similarity: similarity.clamp(0.0, 1.0) })
            .collect()
    }
}

fn excludes(rejected: &[Vec<f32>], margins: Margins, values: &[f32], similarity: f32) -> bool {
    rejected.iter().any(|face| is_rejected(similarity, dot(values, face), margins.rejection))
}

/// One query for each person that the selfies show, of length 1.
pub(super) fn people(matching: &Matching, selfies: &[Embedding]) -> Vec<Vec<f32>> {
    let same_person = matching.threshold(selfies.len(), Strictness::Loose);
    let mut people: Vec<Vec<f32>> = Vec::new();
    for selfie in selfies.iter().map(Embedding::values) {
        let known = people.iter_mut().find(|sum| dot(sum, selfie) >= same_person * dot(sum, sum).sqrt());
        match known {
            Some(sum) => add(sum, selfie),
            None => people.push(selfie.to_vec()),
        }
    }
    people.iter_mut().for_each(|sum| normalise(sum));
    people
}
