//! A search for a person: what it compares faces with, and what it has learned from those it met.

use domain::faces::{Embedding, is_rejected};

use super::blocks::Query;
use super::thresholds::Matching;
use super::vectors::{add, dot, normalise};

/// A search in one gallery, or in several that are in memory one after the other: it learns from all of them before it
/// finds anything in them.
#[derive(Clone)]
pub struct Search {
    /// One query for each person, of length 1.
    queries: Vec<Vec<f32>>,
    /// Faces of which a guest said 'That's not me' and that exclude others.
    rejected: Vec<Vec<f32>>,
    pub(super) confidence: f32,
    pub(super) threshold: f32,
    /// By query, the faces to learn from, best first, with their similarities.
    confident: Vec<Vec<(f32, Vec<f32>)>>,
    /// Most faces to learn from.
    most: usize,
    /// Whether a face was met from which others would be learned.
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
        Self { queries, rejected, confidence, threshold, confident, most, is_near: false }
    }

    /// What to compare: the people, and once it is [`Self::expand`]ed what was learned of them.
    pub(super) fn queries(&self) -> &[Vec<f32>] {
        &self.queries
    }

    /// Meets a face that may be similar enough to learn from.
    pub(super) fn learn(&mut self, values: &[f32], queries: &[Query<'_>]) {
        for (query, confident) in queries.iter().zip(&mut self.confident) {
            let similarity = query.similarity(values);
            self.is_near |= similarity >= self.confidence;
            // Of equal ones the first stays, as if all had been sorted.
            let place = confident.partition_point(|(better, _)| *better >= similarity);
            if similarity > self.confidence
                && place < self.most
                && !excludes(&self.rejected, values, similarity)
            {
                confident.insert(place, (similarity, values.to_vec()));
                confident.truncate(self.most);
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

    /// Whether all faces were met and none of them can be found.
    pub fn finds_nothing(&self) -> bool {
        !self.is_near && self.threshold >= self.confidence
    }

    /// How similar a face is to the nearest of the people; none when it is not found.
    pub(super) fn find(&self, values: &[f32], queries: &[Query<'_>]) -> Option<f32> {
        let best = queries.iter().map(|query| query.similarity(values)).fold(f32::NEG_INFINITY, f32::max);
        (best >= self.threshold && !excludes(&self.rejected, values, best)).then_some(best.clamp(0.0, 1.0))
    }
}

fn excludes(rejected: &[Vec<f32>], values: &[f32], similarity: f32) -> bool {
    rejected.iter().any(|face| is_rejected(similarity, dot(values, face)))
}

/// One query for each person that the selfies show, of length 1.
pub(super) fn people(matching: &Matching, selfies: &[Embedding]) -> Vec<Vec<f32>> {
    let same_person = matching.threshold(selfies.len(), domain::faces::Strictness::Loose);
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
