//! Exact search: every selfie is compared with every face, and the thresholds rise with their number.

use std::cmp::Ordering;

use domain::faces::{Embedding, Strictness, is_rejected};
use serde::Deserialize;

/// Lowest similarity that counts as the same person, for a gallery of `faces` faces.
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
    expansion_matches: usize,
    expansion_similarity: f32,
}

impl Matching {
    /// `thresholds` by rising number of faces; a search learns from up to `expansion_matches` faces that are more
    /// similar than `expansion_similarity`.
    pub fn new(thresholds: Vec<Thresholds>, expansion_matches: usize, expansion_similarity: f32) -> Self {
        Self { thresholds, expansion_matches, expansion_similarity }
    }

    /// The threshold for a gallery of `faces` faces: between two sizes of the table on a straight line over the
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

    /// How similar a face must be for a search to learn from it. The same for every strictness: all three then rank
    /// the same faces by the same numbers, and a looser search finds all that a stricter one finds.
    fn confidence(&self, faces: usize) -> f32 {
        self.threshold(faces, Strictness::Normal).max(self.expansion_similarity)
    }
}

/// Embeddings of different lengths cannot be compared: they come from different packs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an embedding has {found} dimensions where {expected} were expected")]
pub struct DimensionError {
    /// What the others have.
    pub expected: usize,
    /// What this one has.
    pub found: usize,
}

/// A face that was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Its place among the embeddings the gallery was built from.
    pub row: usize,
    /// How similar it is, 0 to 1: the cosine, cut off below 0. Greater is more similar.
    pub similarity: f32,
}

/// The embeddings of one event, ready to be searched. Takes four bytes a number.
#[derive(Clone)]
pub struct Gallery {
    matching: Matching,
    dimension: usize,
    rows: usize,
    values: Vec<f32>,
}

impl std::fmt::Debug for Gallery {
    /// Shows the size alone: an embedding must not reach a log line.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Gallery({} × {}-D)", self.rows, self.dimension)
    }
}

impl Gallery {
    /// Lays out the embeddings; [`Hit::row`] counts them from 0.
    ///
    /// # Errors
    /// When they do not all have the same length.
    pub fn build<'a>(
        matching: &Matching,
        embeddings: impl IntoIterator<Item = &'a Embedding>,
    ) -> Result<Self, DimensionError> {
        let mut gallery = Self { matching: matching.clone(), dimension: 0, rows: 0, values: Vec::new() };
        for embedding in embeddings {
            let found = embedding.values().len();
            if gallery.rows == 0 {
                gallery.dimension = found;
            } else if found != gallery.dimension {
                return Err(DimensionError { expected: gallery.dimension, found });
            }
            gallery.values.extend_from_slice(embedding.values());
            gallery.rows += 1;
        }
        gallery.values.shrink_to_fit();
        Ok(gallery)
    }

    /// Number of faces.
    pub const fn len(&self) -> usize {
        self.rows
    }

    /// Whether there is no face.
    pub const fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// Memory it takes, in bytes.
    pub const fn bytes(&self) -> usize {
        size_of::<Self>() + self.values.capacity() * size_of::<f32>()
    }

    /// The faces of the person whom `selfies` show, best first.
    ///
    /// Selfies of one person are averaged: that finds more than one of them does, and no more strangers. Selfies of
    /// different people are searched with one by one, and a face counts with the best. Then the search learns: the
    /// query is averaged with the few faces it matched with confidence, which show the person in the light and at the
    /// angles of the event, and everything is compared again.
    ///
    /// # Errors
    /// When a selfie has another length than the gallery's embeddings.
    pub fn search(&self, selfies: &[Embedding], strictness: Strictness) -> Result<Vec<Hit>, DimensionError> {
        self.search_without(selfies, &[], strictness)
    }

    /// As [`Self::search`], but finds none of the faces `rejected`, and none that is nearer to one of them than to the
    /// person; nor does the search learn from those.
    ///
    /// A face that the search would learn from is not found, but excludes no other and is learned from: so similar, it is
    /// more likely the person in a photo that they did not want, and the others like it are theirs.
    ///
    /// # Errors
    /// When a selfie has another length than the gallery's embeddings.
    pub fn search_without(
        &self,
        selfies: &[Embedding],
        rejected: &[usize],
        strictness: Strictness,
    ) -> Result<Vec<Hit>, DimensionError> {
        if self.rows == 0 {
            return Ok(Vec::new());
        }
        if let Some(other) = selfies.iter().find(|selfie| selfie.values().len() != self.dimension) {
            return Err(DimensionError { expected: self.dimension, found: other.values().len() });
        }
        let people = self.people(selfies);
        let rejected = self.rejections(rejected, &people);
        let expanded = self.expand(&people, &rejected);
        let threshold = self.matching.threshold(self.rows, strictness);
        let mut hits = Vec::new();
        for (row, values) in self.rows() {
            let best = expanded.iter().map(|query| dot(values, query)).fold(f32::NEG_INFINITY, f32::max);
            if best >= threshold && !rejected.rows.contains(&row) && !rejected.exclude(values, best) {
                hits.push(Hit { row, similarity: best.clamp(0.0, 1.0) });
            }
        }
        hits.sort_by(best_first);
        Ok(hits)
    }

    /// One query for each person that the selfies show, of length 1.
    fn people(&self, selfies: &[Embedding]) -> Vec<Vec<f32>> {
        let same_person = self.matching.threshold(selfies.len(), Strictness::Loose);
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

    fn rejections<'a>(&'a self, rows: &'a [usize], people: &[Vec<f32>]) -> Rejections<'a> {
        let confidence = self.matching.confidence(self.rows);
        let faces = rows.iter().filter_map(|row| self.values.chunks_exact(self.dimension).nth(*row));
        let is_doubtful = |face: &&[f32]| people.iter().all(|query| dot(face, query) <= confidence);
        Rejections { rows, faces: faces.filter(is_doubtful).collect() }
    }

    /// Each query averaged with its most confident matches, of length 1.
    fn expand(&self, queries: &[Vec<f32>], rejected: &Rejections<'_>) -> Vec<Vec<f32>> {
        let confidence = self.matching.confidence(self.rows);
        let mut confident: Vec<Vec<Hit>> = vec![Vec::new(); queries.len()];
        // All queries in one walk: reading the gallery from memory takes longer than multiplying.
        for (row, values) in self.rows() {
            for (query, confident) in queries.iter().zip(&mut confident) {
                let similarity = dot(values, query);
                if similarity > confidence && !rejected.exclude(values, similarity) {
                    confident.push(Hit { row, similarity });
                }
            }
        }
        let average = |query: &Vec<f32>, mut confident: Vec<Hit>| {
            confident.sort_by(best_first);
            let mut sum = query.clone();
            for hit in confident.iter().take(self.matching.expansion_matches) {
                let start = hit.row * self.dimension;
                add(&mut sum, &self.values[start..start + self.dimension]);
            }
            normalise(&mut sum);
            sum
        };
        queries.iter().zip(confident).map(|(query, confident)| average(query, confident)).collect()
    }

    fn rows(&self) -> impl Iterator<Item = (usize, &[f32])> {
        self.values.chunks_exact(self.dimension).enumerate()
    }
}

/// The faces of which a guest said 'That's not me'.
struct Rejections<'a> {
    rows: &'a [usize],
    /// Those of them that exclude others too.
    faces: Vec<&'a [f32]>,
}

impl Rejections<'_> {
    fn exclude(&self, values: &[f32], similarity: f32) -> bool {
        self.faces.iter().any(|face| is_rejected(similarity, dot(values, face)))
    }
}

fn add(sum: &mut [f32], values: &[f32]) {
    for (sum, value) in sum.iter_mut().zip(values) {
        *sum += value;
    }
}

/// Scales to length 1; what has no direction stays.
fn normalise(sum: &mut [f32]) {
    let length = dot(sum, sum).sqrt();
    if length.is_normal() {
        sum.iter_mut().for_each(|value| *value /= length);
    }
}

fn best_first(one: &Hit, other: &Hit) -> Ordering {
    other.similarity.total_cmp(&one.similarity).then(one.row.cmp(&other.row))
}

/// The sum of products. Sixteen running sums, because one would make every step wait for the one before.
fn dot(one: &[f32], other: &[f32]) -> f32 {
    let (one, one_rest) = one.as_chunks::<16>();
    let (other, other_rest) = other.as_chunks::<16>();
    let mut sums = [0.0f32; 16];
    for (left, right) in one.iter().zip(other) {
        for index in 0..16 {
            sums[index] += left[index] * right[index];
        }
    }
    let rest: f32 = one_rest.iter().zip(other_rest).map(|(left, right)| left * right).sum();
    sums.iter().sum::<f32>() + rest
}
