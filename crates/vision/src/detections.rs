//! From a detector's raw output to boxes and landmarks.

use serde::Deserialize;

/// A face as a detector reports it, in pixels of the canvas or of the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Detection {
    pub(crate) left: f64,
    pub(crate) top: f64,
    pub(crate) right: f64,
    pub(crate) bottom: f64,
    /// 0 to 1.
    pub(crate) score: f64,
    /// In the order the network gives them.
    pub(crate) landmarks: [[f64; 2]; 5],
}

impl Detection {
    pub(crate) fn width(&self) -> f64 {
        self.right - self.left
    }

    pub(crate) fn height(&self) -> f64 {
        self.bottom - self.top
    }

    pub(crate) fn centre(&self) -> [f64; 2] {
        [f64::midpoint(self.left, self.right), f64::midpoint(self.top, self.bottom)]
    }

    /// The same face after every coordinate went through `x` and `y`.
    pub(crate) fn moved(&self, x: impl Fn(f64) -> f64, y: impl Fn(f64) -> f64) -> Self {
        Self {
            left: x(self.left),
            top: y(self.top),
            right: x(self.right),
            bottom: y(self.bottom),
            score: self.score,
            landmarks: self.landmarks.map(|[at_x, at_y]| [x(at_x), y(at_y)]),
        }
    }

    /// Shared area by joint area, 0 to 1.
    pub(crate) fn overlap(&self, other: &Self) -> f64 {
        let width = self.right.min(other.right) - self.left.max(other.left);
        let height = self.bottom.min(other.bottom) - self.top.max(other.top);
        if width <= 0.0 || height <= 0.0 {
            return 0.0;
        }
        let shared = width * height;
        shared / (self.width() * self.height() + other.width() * other.height() - shared)
    }

    fn is_plausible(&self) -> bool {
        let numbers = [self.left, self.top, self.right, self.bottom, self.score];
        numbers.iter().chain(self.landmarks.iter().flatten()).all(|number| number.is_finite())
            && self.width() > 0.0
            && self.height() > 0.0
    }
}

/// What a detector found in a picture.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// Faces, by descending confidence.
    pub(crate) sure: Vec<Detection>,
    /// What might be faces that are not upright, by descending confidence.
    pub(crate) doubtful: Vec<Detection>,
}

/// How a detector's output is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Decoder {
    /// One heat map at a quarter of the input's size; outputs: heat map, logarithms of height and width, offsets of
    /// the centre (row, column), landmarks (row, column) in units of the box. Zhu et al., arXiv:1911.03599.
    CenterFace,
}

impl Decoder {
    /// How many outputs the network has.
    pub(crate) const fn outputs(self) -> usize {
        match self {
            Self::CenterFace => 4,
        }
    }

    /// How many numbers each output has for an input of `width` by `height` pixels.
    pub(crate) fn lengths(self, width: usize, height: usize) -> Vec<usize> {
        match self {
            Self::CenterFace => [1, 2, 2, 10].map(|planes| planes * (width / 4) * (height / 4)).to_vec(),
        }
    }

    /// Every candidate above `threshold`; `outputs` have the lengths that [`Self::lengths`] names.
    pub(crate) fn candidates(
        self,
        outputs: &[&[f32]],
        width: usize,
        height: usize,
        threshold: f64,
    ) -> Vec<Detection> {
        let mut found = match self {
            Self::CenterFace => centerface(outputs, width / 4, height / 4, threshold),
        };
        found.retain(Detection::is_plausible);
        found
    }
}

#[allow(clippy::cast_precision_loss, reason = "positions on a canvas of some thousand pixels")]
fn centerface(outputs: &[&[f32]], columns: usize, rows: usize, threshold: f64) -> Vec<Detection> {
    let [heat, scale, offset, landmarks] = outputs else { return Vec::new() };
    let area = columns * rows;
    let mut found = Vec::new();
    for (cell, heat) in heat.iter().enumerate() {
        let score = f64::from(*heat);
        if score <= threshold {
            continue;
        }
        let at = |planes: &[f32], plane: usize| f64::from(planes[plane * area + cell]);
        let (height, width) = (at(scale, 0).exp() * 4.0, at(scale, 1).exp() * 4.0);
        let y = ((cell / columns) as f64 + at(offset, 0) + 0.5) * 4.0;
        let x = ((cell % columns) as f64 + at(offset, 1) + 0.5) * 4.0;
        let (left, top) = ((x - width / 2.0).max(0.0), (y - height / 2.0).max(0.0));
        found.push(Detection {
            left,
            top,
            right: left + width,
            bottom: top + height,
            score,
            landmarks: std::array::from_fn(|point| {
                [left + at(landmarks, 2 * point + 1) * width, top + at(landmarks, 2 * point) * height]
            }),
        });
    }
    found
}

/// Candidates beyond this number are dropped, lowest scores first: no picture may take unbounded time.
const MOST_CANDIDATES: usize = 20_000;

/// Keeps the best of every heap of candidates that overlap by more than `threshold`; best first, `most` at most.
pub(crate) fn non_maximum_suppression(
    mut candidates: Vec<Detection>,
    threshold: f64,
    most: usize,
) -> Vec<Detection> {
    candidates.sort_by(|one, other| other.score.total_cmp(&one.score));
    candidates.truncate(MOST_CANDIDATES);
    let mut selected: Vec<Detection> = Vec::new();
    for candidate in candidates {
        if selected.len() == most {
            break;
        }
        if selected.iter().all(|better| better.overlap(&candidate) <= threshold) {
            selected.push(candidate);
        }
    }
    selected
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(left: f64, side: f64, score: f64) -> Detection {
        Detection { left, top: 0.0, right: left + side, bottom: side, score, landmarks: [[0.0; 2]; 5] }
    }

    #[test]
    fn the_best_of_overlapping_candidates_stays() {
        let selected = non_maximum_suppression(
            vec![square(0.0, 10.0, 0.5), square(2.0, 10.0, 0.9), square(30.0, 10.0, 0.6)],
            0.3,
            10,
        );
        assert_eq!(selected.iter().map(|face| face.score).collect::<Vec<_>>(), [0.9, 0.6]);
        assert_eq!(non_maximum_suppression(selected, 0.3, 1).len(), 1);
    }

    #[test]
    fn centerface_cells_become_boxes() {
        // A canvas of 8 by 8 pixels has 2 by 2 cells; the face sits in row 1, column 0.
        let heat = [0.1, 0.2, 0.9, 0.0];
        let scale = [0.0, 0.0, 1.0f32.ln(), 0.0, 0.0, 0.0, 2.0f32.ln(), 0.0];
        let (offset, landmarks) = ([0.5f32; 8], [0.5f32; 40]);
        let found = Decoder::CenterFace.candidates(&[&heat, &scale, &offset, &landmarks], 8, 8, 0.4);
        assert_eq!(found.len(), 1);
        let face = found[0];
        assert!((face.width() - 8.0).abs() < 1e-6 && (face.height() - 4.0).abs() < 1e-6, "{face:?}");
        assert_eq!((face.left, face.top), (0.0, 6.0));
        assert!((face.landmarks[2][0] - 4.0).abs() < 1e-6 && (face.landmarks[2][1] - 8.0).abs() < 1e-6);
    }

    #[test]
    fn values_that_are_no_numbers_are_no_faces() {
        let (heat, scale) = ([1.0f32; 4], [f32::NAN; 8]);
        assert!(
            Decoder::CenterFace.candidates(&[&heat, &scale, &[0.0; 8], &[0.0; 40]], 8, 8, 0.4).is_empty()
        );
    }
}
