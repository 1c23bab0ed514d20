//! Embeddings in three bytes a number: one that every search reads, and two that it reads of the faces in question.
//!
//! A number is `(coarse · 65,536 + fine) · scale`, with a scale for each face: 24 bits with their sign, as many as a
//! 32-bit float has. A similarity changes by less than 10⁻⁶, as it does when floats are added in another order.

use super::products::{self, LANES};
use super::vectors::dot;

/// Faces of a block: what is copied when a face is appended while a search reads, and what the scores of a walk are
/// kept for.
pub(super) const ROWS: usize = 1024;

const COARSE: f64 = 65_536.0;

/// Up to [`ROWS`] faces.
#[derive(Clone, Default)]
pub(super) struct Block {
    coarse: Vec<i8>,
    fine: Vec<i16>,
    scales: Vec<f32>,
    /// How far the similarity to a query of length 1 can be from what the coarse numbers say.
    slacks: Vec<f32>,
}

/// What searches compare with, in 16-bit numbers.
pub(super) struct Query<'a> {
    values: &'a [f32],
    coarse: Vec<i16>,
    scale: f32,
    length: f32,
}

/// Numbers of a row, with the zeros at its end.
const fn stride(dimension: usize) -> usize {
    dimension.next_multiple_of(LANES)
}

/// The largest 16-bit number with which the product of a row fits 32 bits.
#[allow(clippy::cast_precision_loss, reason = "below 2^31")]
fn largest(stride: usize) -> f64 {
    f64::from(i16::MAX).min((f64::from(i32::MAX) / (127.0 * stride as f64)).floor())
}

#[allow(clippy::cast_possible_truncation, reason = "an upper bound, rounded upwards")]
fn upwards(value: f64) -> f32 {
    (value as f32).next_up()
}

fn length(values: impl Iterator<Item = f64>) -> f64 {
    values.map(|value| value * value).sum::<f64>().sqrt()
}

fn largest_of(values: &[f32]) -> f64 {
    values.iter().map(|value| f64::from(value.abs())).fold(0.0, f64::max)
}

impl<'a> Query<'a> {
    #[allow(
        clippy::cast_possible_truncation,
        reason = "16 bits by their scale; the bound allows for the rounding"
    )]
    pub(super) fn new(values: &'a [f32]) -> Self {
        let stride = stride(values.len());
        let scale = (largest_of(values) / largest(stride)) as f32;
        let coarse = |value: &f32| {
            if scale.is_normal() { (value / scale).round() as i16 } else { 0 }
        };
        let mut coarse: Vec<i16> = values.iter().map(coarse).collect();
        coarse.resize(stride, 0);
        let length = upwards(length(values.iter().copied().map(f64::from)));
        Self { values, coarse, scale, length }
    }

    pub(super) fn similarity(&self, face: &[f32]) -> f32 {
        dot(face, self.values)
    }
}

/// Memory that a face takes.
pub(super) const fn bytes_of_face(dimension: usize) -> usize {
    stride(dimension) * (size_of::<i8>() + size_of::<i16>()) + 2 * size_of::<f32>()
}

impl Block {
    pub(super) const fn len(&self) -> usize {
        self.scales.len()
    }

    pub(super) const fn bytes(&self) -> usize {
        self.coarse.capacity()
            + self.fine.capacity() * size_of::<i16>()
            + (self.scales.capacity() + self.slacks.capacity()) * size_of::<f32>()
    }

    pub(super) fn shrink_to_fit(&mut self) {
        self.coarse.shrink_to_fit();
        self.fine.shrink_to_fit();
        self.scales.shrink_to_fit();
        self.slacks.shrink_to_fit();
    }

    /// Grows by doubling, but never beyond what a full block takes.
    fn make_room(&mut self, stride: usize) {
        if self.scales.len() == self.scales.capacity() {
            let faces = self.len().max(8).min(ROWS - self.len().min(ROWS - 1));
            self.coarse.reserve_exact(faces * stride);
            self.fine.reserve_exact(faces * stride);
            self.scales.reserve_exact(faces);
            self.slacks.reserve_exact(faces);
        }
    }

    /// Appends a face. One with numbers that are not finite, which no engine makes, is like nobody.
    #[allow(clippy::cast_possible_truncation, reason = "24 bits by their scale, split into 8 and 16")]
    pub(super) fn push(&mut self, values: &[f32]) {
        let stride = stride(values.len());
        self.make_room(stride);
        let scale = (largest_of(values) / (127.0 * COARSE)) as f32;
        let comparable = scale.is_normal() && values.iter().all(|value| value.is_finite());
        let scale = if comparable { scale } else { 0.0 };
        let whole = |value: &f32| {
            if comparable { (f64::from(*value) / f64::from(scale)).round() as i32 } else { 0 }
        };
        let start = self.fine.len();
        for value in values.iter().map(whole) {
            let coarse = (value + (1 << 15)) >> 16;
            self.coarse.push(coarse as i8);
            self.fine.push((value - (coarse << 16)) as i16);
        }
        self.coarse.resize(start + stride, 0);
        self.fine.resize(start + stride, 0);
        self.scales.push(scale);
        let unit = f64::from(scale);
        let rest = length(self.fine[start..].iter().map(|fine| f64::from(*fine) * unit));
        let coarse = length(self.coarse[start..].iter().map(|coarse| f64::from(*coarse) * COARSE * unit));
        self.slacks.push(upwards(rest + (coarse + rest) * rounding(stride)));
    }

    /// The numbers of a face.
    pub(super) fn read(&self, row: usize, dimension: usize, values: &mut Vec<f32>) {
        let start = row * stride(dimension);
        let numbers = start..start + dimension;
        let scale = self.scales[row];
        values.clear();
        // 24 bits are whole in a float.
        #[allow(clippy::cast_precision_loss, reason = "24 bits")]
        values.extend(
            self.coarse[numbers.clone()]
                .iter()
                .zip(&self.fine[numbers])
                .map(|(coarse, fine)| ((i32::from(*coarse) << 16) + i32::from(*fine)) as f32 * scale),
        );
    }

    /// The rows that may be at least as similar as `floor` to one of the queries: all that are, and few others.
    pub(super) fn shortlist(
        &self,
        queries: &[Query<'_>],
        floor: f32,
        scores: &mut Vec<i32>,
        rows: &mut Vec<usize>,
    ) {
        rows.clear();
        let Some(stride) = queries.first().map(|query| query.coarse.len()) else {
            return;
        };
        scores.clear();
        scores.resize(self.len() * queries.len(), 0);
        let coarse: Vec<&[i16]> = queries.iter().map(|query| query.coarse.as_slice()).collect();
        products::products(&self.coarse, stride, &coarse, scores);
        for (query, scores) in queries.iter().zip(scores.chunks_exact(self.len())) {
            self.append_similar(query, floor, scores, rows);
        }
        if queries.len() > 1 {
            rows.sort_unstable();
            rows.dedup();
        }
    }

    #[allow(clippy::cast_precision_loss, reason = "the bound allows for the rounding")]
    fn append_similar(&self, query: &Query<'_>, floor: f32, scores: &[i32], rows: &mut Vec<usize>) {
        let unit = query.scale * COARSE as f32;
        let at_most =
            |score: i32, scale: f32, slack: f32| score as f32 * (scale * unit) + slack * query.length;
        let faces = scores.chunks(16).zip(self.scales.chunks(16)).zip(self.slacks.chunks(16)).enumerate();
        for (group, ((scores, scales), slacks)) in faces {
            let similar = |row: usize| at_most(scores[row], scales[row], slacks[row]) >= floor;
            // Most groups have none, which is found out with vector instructions: without a branch for each row.
            let mut any = false;
            for ((score, scale), slack) in scores.iter().zip(scales).zip(slacks) {
                any |= at_most(*score, *scale, *slack) >= floor;
            }
            if any {
                rows.extend((0..scores.len()).filter(|row| similar(*row)).map(|row| group * 16 + row));
            }
        }
    }
}

/// What the rounding of a query, of its product with a row, and of a sum of floats can add up to, as a share of the
/// lengths of both.
///
/// A query's numbers are off by up to half its scale, which is at most its length by [`largest`]: by Cauchy and Schwarz
/// that is `√stride / 2 / largest` of the lengths. Floats: each of the fewer than `stride` additions, the product before
/// it, and the few steps of [`Block::shortlist`] round by a share of at most 2⁻²⁴; twice that allows for their growth.
#[allow(clippy::cast_precision_loss, reason = "a small number")]
fn rounding(stride: usize) -> f64 {
    let numbers = stride as f64;
    // 1.001: the query's scale, too, is rounded, and so are the quotients by it.
    numbers.sqrt() / 2.0 / largest(stride) * 1.001 + (numbers + 8.0) * f64::from(f32::EPSILON)
}
