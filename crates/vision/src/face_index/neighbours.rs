//! A second opinion on the faces that a search may find: those of them that are surely one person's are looked at together.
//!
//! One picture of a face is a little like somebody else by chance; the mean of a face and of those that are surely the same
//! person's is so less often, and is more like the person's selfie. It is taken among the faces in question alone, so that
//! it costs no other walk past the index.

use super::hits::{Candidate, highest};
use super::vectors::{add, dot};

/// Faces of a search that are looked at together, those nearest to the threshold; a few milliseconds.
pub(super) const MOST: usize = 512;

/// What the faces in question are compared by.
pub(super) struct Doubts {
    /// The thresholds of a normal and of a loose search, whatever the strictness of this one.
    pub(super) normal: f32,
    pub(super) loose: f32,
    /// Two faces that are more similar are surely one person's.
    pub(super) sure: f32,
    /// What others can add to a face's own similarity at most.
    pub(super) lift: f32,
    /// Most others that a face is looked at together with.
    pub(super) most: usize,
}

impl Doubts {
    /// How similar each of `candidates` is to the nearest of the people, together with others of them.
    pub(super) fn settle(&self, candidates: &[Candidate]) -> Vec<f32> {
        let doubtful = self.most_doubtful(candidates);
        let mut similarities: Vec<f32> = candidates.iter().map(Candidate::similarity).collect();
        for (at, others) in doubtful.iter().zip(self.nearest(candidates, &doubtful)) {
            if !others.is_empty() {
                let others = others.iter().map(|(_, other)| &candidates[*other]);
                similarities[*at] = self.similarity_together(&candidates[*at], others);
            }
        }
        similarities
    }

    /// Those nearest to the threshold, in their order.
    fn most_doubtful(&self, candidates: &[Candidate]) -> Vec<usize> {
        let mut doubtful: Vec<usize> = (0..candidates.len()).collect();
        if doubtful.len() > MOST {
            let doubt = |at: &usize| (candidates[*at].similarity() - self.normal).abs();
            doubtful.sort_by(|one, other| doubt(one).total_cmp(&doubt(other)));
            doubtful.truncate(MOST);
            doubtful.sort_unstable();
        }
        doubtful
    }

    /// For each of `doubtful`, the few others that are surely the same person's, best first.
    fn nearest(&self, candidates: &[Candidate], doubtful: &[usize]) -> Vec<Vec<(f32, usize)>> {
        let mut nearest = vec![Vec::new(); doubtful.len()];
        for (one, first) in doubtful.iter().enumerate() {
            for (other, second) in doubtful.iter().enumerate().take(one) {
                let similarity = dot(&candidates[*first].values, &candidates[*second].values);
                if similarity > self.sure {
                    insert_best(&mut nearest[one], self.most, similarity, || *second);
                    insert_best(&mut nearest[other], self.most, similarity, || *first);
                }
            }
        }
        nearest
    }

    /// How similar the mean of a face and of `others` is to the nearest of the people.
    fn similarity_together<'a>(&self, face: &Candidate, others: impl Iterator<Item = &'a Candidate>) -> f32 {
        let (mut sum, mut similarities, mut lift) = (face.values.clone(), face.similarities.clone(), 0.0);
        for other in others {
            add(&mut sum, &other.values);
            add(&mut similarities, &other.similarities);
            if other.similarity() >= self.loose {
                lift = self.lift;
            }
        }
        let length = dot(&sum, &sum).sqrt();
        let together = similarities.iter().zip(&face.similarities);
        highest(together.map(|(sum, alone)| (sum / length).min(alone + lift)))
    }
}

/// Keeps the `most` best; of equal ones the first stay, as if all had been sorted.
pub(super) fn insert_best<T>(
    best: &mut Vec<(f32, T)>,
    most: usize,
    similarity: f32,
    item: impl FnOnce() -> T,
) {
    let place = best.partition_point(|(better, _)| *better >= similarity);
    if place < most {
        best.insert(place, (similarity, item()));
        best.truncate(most);
    }
}
