//! Exact search: every selfie is compared with every face, and the thresholds rise with their number.

mod blocks;
mod hits;
mod neighbours;
mod products;
mod searches;
mod thresholds;
mod vectors;

use std::cmp::Ordering;
use std::sync::Arc;

use domain::faces::{Embedding, Strictness};

pub use hits::{Candidate, Hit};
pub use searches::Search;
pub use thresholds::{Agreement, Margins, Matching, Thresholds};

use blocks::{Block, Query};
pub(crate) use vectors::dot;

/// Embeddings of different lengths cannot be compared: they come from different packs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an embedding has {found} dimensions where {expected} were expected")]
pub struct DimensionError {
    /// What the others have.
    pub expected: usize,
    /// What this one has.
    pub found: usize,
}

/// The embeddings of one event, ready to be searched. Takes three bytes a number.
///
/// A copy shares them, so that one can be searched while faces are appended to another.
#[derive(Clone)]
pub struct FaceIndex {
    matching: Matching,
    dimension: usize,
    rows: usize,
    /// All but the last are full.
    blocks: Vec<Arc<Block>>,
}

impl std::fmt::Debug for FaceIndex {
    /// Shows the size alone: an embedding must not reach a log line.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "FaceIndex({} × {}-D)", self.rows, self.dimension)
    }
}

impl FaceIndex {
    /// Lays out the embeddings; [`Hit::row`] counts them from 0.
    ///
    /// # Errors
    /// When they do not all have the same length.
    pub fn build<'a>(
        matching: &Matching,
        embeddings: impl IntoIterator<Item = &'a Embedding>,
    ) -> Result<Self, DimensionError> {
        let mut face_index = Self { matching: matching.clone(), dimension: 0, rows: 0, blocks: Vec::new() };
        for embedding in embeddings {
            face_index.push(embedding)?;
        }
        if let Some(last) = face_index.blocks.last_mut().map(Arc::make_mut) {
            last.shrink_to_fit();
        }
        Ok(face_index)
    }

    /// Appends a face, as the last row.
    ///
    /// # Errors
    /// When the embedding has another length than the others.
    pub fn push(&mut self, embedding: &Embedding) -> Result<(), DimensionError> {
        let found = embedding.values().len();
        if self.rows == 0 {
            self.dimension = found;
        } else if found != self.dimension {
            return Err(DimensionError { expected: self.dimension, found });
        }
        if self.rows.is_multiple_of(blocks::ROWS) {
            self.blocks.push(Arc::default());
        }
        if let Some(last) = self.blocks.last_mut() {
            Arc::make_mut(last).push(embedding.values());
        }
        self.rows += 1;
        Ok(())
    }

    /// Number of faces.
    pub const fn len(&self) -> usize {
        self.rows
    }

    /// Whether there is no face.
    pub const fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// Memory that a face of so many numbers takes, in bytes.
    pub const fn bytes_of_face(dimension: usize) -> usize {
        blocks::bytes_of_face(dimension)
    }

    /// Memory it takes, in bytes.
    pub fn bytes(&self) -> usize {
        let blocks = self.blocks.iter().map(|block| size_of::<Block>() + block.bytes());
        size_of::<Self>() + blocks.sum::<usize>()
    }

    /// The faces of the person whom `selfies` show, best first.
    ///
    /// Selfies of one person are averaged: that finds more than one of them does, and no more strangers. Selfies of
    /// different people are searched with one by one, and a face counts with the best. Then the search learns: the
    /// query is averaged with the few faces it matched with confidence, which show the person in the light and at the
    /// angles of the event, and everything is compared again; what only that finds has to be more similar. Faces in question that are surely one person's are looked at
    /// together.
    ///
    /// # Errors
    /// When a selfie has another length than the index's embeddings.
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
    /// When a selfie has another length than the index's embeddings.
    pub fn search_without(
        &self,
        selfies: &[Embedding],
        rejected: &[usize],
        strictness: Strictness,
    ) -> Result<Vec<Hit>, DimensionError> {
        self.search_among(self.rows, selfies, rejected, strictness)
    }

    /// As [`Self::search_without`], where this is a part of an event that has `faces` faces: the rest is described by another
    /// recogniser, and whether a face is found does not depend on how many of the others are.
    ///
    /// # Errors
    /// When a selfie has another length than the index's embeddings.
    pub fn search_among(
        &self,
        faces: usize,
        selfies: &[Embedding],
        rejected: &[usize],
        strictness: Strictness,
    ) -> Result<Vec<Hit>, DimensionError> {
        self.search_for(faces, selfies, rejected, self.matching.threshold(faces, strictness))
    }

    /// The lowest similarity that counts as the same person in this index.
    pub fn threshold(&self, strictness: Strictness) -> f32 {
        self.matching.threshold(self.rows, strictness)
    }

    /// As [`Self::search_without`], with a threshold that is none of the pack's: for measuring what others would do.
    ///
    /// # Errors
    /// When a selfie has another length than the index's embeddings.
    pub fn search_above(
        &self,
        selfies: &[Embedding],
        rejected: &[usize],
        threshold: f32,
    ) -> Result<Vec<Hit>, DimensionError> {
        self.search_for(self.rows, selfies, rejected, threshold)
    }

    fn search_for(
        &self,
        among: usize,
        selfies: &[Embedding],
        rejected: &[usize],
        threshold: f32,
    ) -> Result<Vec<Hit>, DimensionError> {
        if self.rows == 0 {
            return Ok(Vec::new());
        }
        let faces = rejected.iter().filter(|row| **row < self.rows).map(|row| self.face(*row)).collect();
        let mut search = Search::new(&self.matching, among, selfies, faces, threshold);
        self.teach(&mut search)?;
        search.expand();
        let mut hits = search.decide(&self.candidates(&search)?);
        hits.retain(|hit| !rejected.contains(&hit.row));
        hits.sort_by(best_first);
        Ok(hits)
    }

    /// Begins a search in indexes of which not all are in memory and which have `faces` faces together: all of them teach
    /// it, after [`Search::expand`] all of them name their [`Self::candidates`], and [`Search::decide`] has what one index
    /// of all faces finds, but for faces that are equal to `rejected`, which are found when they are the person's.
    ///
    /// # Errors
    /// When the rejected embeddings do not all have the same length.
    pub fn begin(
        matching: &Matching,
        faces: usize,
        selfies: &[Embedding],
        rejected: &[Embedding],
        strictness: Strictness,
    ) -> Result<Search, DimensionError> {
        // As an index has them.
        let rejected = Self::build(matching, rejected)?;
        let rejected = (0..rejected.rows).map(|row| rejected.face(row)).collect();
        Ok(Search::new(matching, faces, selfies, rejected, matching.threshold(faces, strictness)))
    }

    /// Has a search learn from this index.
    ///
    /// # Errors
    /// When its selfies have another length than the index's embeddings.
    pub fn teach(&self, search: &mut Search) -> Result<(), DimensionError> {
        self.check(search)?;
        let queries = search.queries().to_vec();
        self.walk(&queries, search.nearness(), |_, values, queries| search.learn(values, queries));
        Ok(())
    }

    /// The faces that a search may find here once it has learned, in the order of the index's rows.
    ///
    /// # Errors
    /// When its selfies have another length than the index's embeddings.
    pub fn candidates(&self, search: &Search) -> Result<Vec<Candidate>, DimensionError> {
        self.check(search)?;
        let mut candidates = Vec::new();
        self.walk(search.queries(), search.floor, |row, values, queries| {
            let similarities = search.find(values, queries);
            candidates.extend(similarities.map(|similarities| Candidate::new(row, similarities, values)));
        });
        Ok(candidates)
    }

    /// What a search for the person of `selfies` compares once it has learned from this index: it finds in photos that
    /// come later what that search would.
    ///
    /// # Errors
    /// When a selfie has another length than the index's embeddings.
    pub fn learn(&self, selfies: &[Embedding]) -> Result<Vec<Embedding>, DimensionError> {
        let mut search = Search::new(&self.matching, self.rows, selfies, Vec::new(), 1.0);
        if self.rows > 0 {
            self.teach(&mut search)?;
            search.expand();
        }
        let learned = search.queries().iter().cloned();
        Ok(learned.filter_map(Embedding::normalised).collect())
    }

    /// How similar each face is to the nearest of these people, by the index's rows, without learning; true are those that
    /// count as one of them in an index of `faces` faces.
    ///
    /// # Errors
    /// When one of the people has another length than the index's embeddings.
    pub fn compare(
        &self,
        people: &[Embedding],
        faces: usize,
        strictness: Strictness,
    ) -> Result<Vec<(f32, bool)>, DimensionError> {
        self.check_lengths(people.iter().map(|person| person.values().len()))?;
        let threshold = self.matching.threshold(faces, strictness);
        let nearest = |values: &[f32]| {
            people.iter().map(|person| dot(values, person.values())).fold(f32::NEG_INFINITY, f32::max)
        };
        let compared = (0..self.rows).map(|row| nearest(&self.face(row)));
        Ok(compared.map(|similarity| (similarity, similarity >= threshold)).collect())
    }

    fn check(&self, search: &Search) -> Result<(), DimensionError> {
        self.check_lengths(search.queries().iter().map(Vec::len))
    }

    fn check_lengths(&self, mut lengths: impl Iterator<Item = usize>) -> Result<(), DimensionError> {
        match lengths.find(|length| self.rows > 0 && *length != self.dimension) {
            Some(found) => Err(DimensionError { expected: self.dimension, found }),
            None => Ok(()),
        }
    }

    /// Visits, in the order of their rows, all faces that are at least as similar as `floor` to one of `queries`, and few
    /// others. All queries in one walk: reading the index from memory takes longer than multiplying.
    fn walk(&self, queries: &[Vec<f32>], floor: f32, mut visit: impl FnMut(usize, &[f32], &[Query<'_>])) {
        let queries: Vec<Query<'_>> = queries.iter().map(|query| Query::new(query)).collect();
        let (mut scores, mut rows, mut values) = (Vec::new(), Vec::new(), Vec::new());
        for (at, block) in self.blocks.iter().enumerate() {
            block.shortlist(&queries, floor, &mut scores, &mut rows);
            for row in &rows {
                block.read(*row, self.dimension, &mut values);
                visit(at * blocks::ROWS + row, &values, &queries);
            }
        }
    }

    fn face(&self, row: usize) -> Vec<f32> {
        let mut values = Vec::new();
        self.blocks[row / blocks::ROWS].read(row % blocks::ROWS, self.dimension, &mut values);
        values
    }
}

fn best_first(one: &Hit, other: &Hit) -> Ordering {
    other.similarity.total_cmp(&one.similarity).then(one.row.cmp(&other.row))
}

#[cfg(test)]
mod tests;
