//! A search for a person: what it compares faces with, and what it has learned from those it met.

use domain::faces::{Embedding, Strictness, is_rejected};

use super::blocks::Query;
use super::hits::{Candidate, Hit, highest};
use super::neighbours::{Doubts, insert_best};
use super::thresholds::{Agreement, Margins, Matching};
use super::vectors::{add, dot, normalise};

/// Faces that may be learned from beside each that is: one that is alike may be somebody else, and agree with none.
const SPARE: usize = 3;

/// A search in one index, or in several that are in memory one after the other: it learns from all of them before it
/// finds anything in them.
#[derive(Clone)]
pub struct Search {
    /// One query for each person, of length 1; once it is [`Self::expand`]ed with what was learned of them.
    queries: Vec<Vec<f32>>,
    /// The same as the selfies have them.
    alone: Vec<Vec<f32>>,
    /// Faces of which a guest said 'That's not me' and that exclude others.
    rejected: Vec<Vec<f32>>,
    pub(super) confidence: f32,
    pub(super) threshold: f32,
    /// Of a normal and of a loose search.
    normal: f32,
    loose: f32,
    margins: Margins,
    agreement: Option<Agreement>,
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
            alone: queries.clone(),
            queries,
            rejected,
            confidence,
            threshold,
            normal,
            loose,
            margins: matching.margins,
            agreement: matching.agreement,
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
        let (nearness, least) = (self.nearness(), self.least_learned());
        let most = self.agreement.map_or(self.most, |_| self.most * (1 + SPARE));
        for (query, confident) in queries.iter().zip(&mut self.confident) {
            let similarity = query.similarity(values);
            self.is_near |= similarity >= nearness;
            if similarity > least && !excludes(&self.rejected, self.margins, values, similarity) {
                insert_best(confident, most, similarity, || values.to_vec());
            }
        }
    }

    /// Ends the learning: each query is averaged with its most confident matches.
    pub fn expand(&mut self) {
        for (query, confident) in self.queries.iter_mut().zip(&mut self.confident) {
            let mut learned = std::mem::take(confident);
            if let Some(agreement) = self.agreement {
                learned = agreeing(learned, agreement.among, self.most);
                let is_sure = learned.first().is_some_and(|(best, _)| *best > self.confidence);
                if !is_sure && learned.len() < agreement.faces {
                    learned.clear();
                }
            }
            learned.iter().for_each(|(_, values)| add(query, values));
            normalise(query);
        }
    }

    /// The lowest similarity of a face that the search may learn from.
    fn least_learned(&self) -> f32 {
        self.confidence - self.agreement.map_or(0.0, |agreement| agreement.below)
    }

    /// The lowest similarity of a face that matters before the search has learned: others may help it over the threshold, or
    /// the search may learn from it.
    pub(super) fn nearness(&self) -> f32 {
        // A little lower: sums are rounded.
        (self.threshold - self.margins.lift - 1e-4).min(self.least_learned())
    }

    /// Whether all faces were met and none of them can be found.
    pub const fn finds_nothing(&self) -> bool {
        !self.is_near
    }

    /// How similar a face in question is to each of the people; none when it cannot be found.
    pub(super) fn find(&self, values: &[f32], queries: &[Query<'_>]) -> Option<Vec<f32>> {
        let similarity = |(query, alone): (&Query<'_>, &Vec<f32>)| {
            let learned = query.similarity(values);
            // By the picture itself a face is found as it would be without learning, where what was learned finds it too.
            (learned - self.margins.learned).max(learned.min(dot(values, alone)))
        };
        let similarities: Vec<f32> = queries.iter().zip(&self.alone).map(similarity).collect();
        (highest(similarities.iter().copied()) >= self.floor).then_some(similarities)
    }

    /// Which of `candidates` are found, in their order: those of one index, or of all of them one after the other.
    pub fn decide(&self, candidates: &[Candidate]) -> Vec<Hit> {
        let Self { normal, loose, most, margins, .. } = *self;
        let (sure, lift) = (self.confidence + margins.surer, margins.lift);
        let doubts = Doubts { normal, loose, sure, lift, most };
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

/// Of faces that are given best first the `most` best that are alike, each to each of the others.
fn agreeing(faces: Vec<(f32, Vec<f32>)>, among: f32, most: usize) -> Vec<(f32, Vec<f32>)> {
    let mut agreeing: Vec<(f32, Vec<f32>)> = Vec::with_capacity(most);
    for (similarity, values) in faces {
        let agrees = agreeing.iter().all(|(_, other)| dot(&values, other) >= among);
        if agrees && agreeing.len() < most {
            agreeing.push((similarity, values));
        }
    }
    agreeing
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
