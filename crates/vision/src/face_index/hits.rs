//! Faces that a search finds, and those that it may find.

/// A face that was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Its place among the embeddings the index was built from.
    pub row: usize,
    /// How similar it is, 0 to 1, with the faces it was looked at together with: a cosine, cut off below 0.
    pub similarity: f32,
}

/// A face that a search may find, of an index or of several.
#[derive(Clone)]
pub struct Candidate {
    pub(super) row: usize,
    /// To each of the people.
    pub(super) similarities: Vec<f32>,
    pub(super) values: Vec<f32>,
}

impl std::fmt::Debug for Candidate {
    /// Shows the place alone: an embedding must not reach a log line.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Candidate({})", self.row)
    }
}

/// The highest of some similarities; below all of them when there are none.
pub(super) fn highest(similarities: impl Iterator<Item = f32>) -> f32 {
    similarities.fold(f32::NEG_INFINITY, f32::max)
}

impl Candidate {
    pub(super) fn new(row: usize, similarities: Vec<f32>, values: &[f32]) -> Self {
        Self { row, similarities, values: values.to_vec() }
    }

    /// To the nearest of the people.
    pub(super) fn similarity(&self) -> f32 {
        highest(self.similarities.iter().copied())
    }

    /// Its place among the embeddings the index was built from.
    pub const fn row(&self) -> usize {
        self.row
    }

    /// The same face at another place, for whoever has several indexes.
    #[must_use]
    pub fn at(self, row: usize) -> Self {
        Self { row, ..self }
    }
}
