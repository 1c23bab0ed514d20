//! One face of a picture, and whether it is fit for a search.

use std::time::Duration;

use domain::faces::{BoundingBox, Embedding};

use crate::chips::Chip;

/// A guest's picture is searched by one face; more than these are not offered to choose from.
pub(crate) const MOST_SELFIE_FACES: usize = 20;

/// A face that was found in a picture.
#[derive(Clone, Debug)]
pub struct Face {
    /// Where it is, as fractions of the picture; may reach beyond its edges.
    pub bounds: BoundingBox,
    /// How sure the detector is, 0 to 1.
    pub score: f64,
    /// Eye, eye, nose, corner and corner of the mouth, left to right as seen with the face upright, x and y in pixels of the
    /// picture.
    pub landmarks: [[f64; 2]; 5],
    /// Its embedding.
    pub embedding: Embedding,
    /// What the recogniser of the pack before says of it, where that was asked for.
    pub previous: Option<Embedding>,
    /// How well it can be seen.
    pub quality: Quality,
}

/// What was found in a guest's picture.
#[derive(Clone, Debug)]
pub struct Selfie {
    /// Its faces, large ones in the middle first.
    pub faces: Vec<Face>,
    /// How long finding them took.
    pub detection: Duration,
    /// How long describing them took.
    pub description: Duration,
}

/// How well a face can be seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quality {
    /// Width of the face in pixels of the picture.
    pub width_pixels: f64,
    /// How much of the aligned face's contrast is fine detail: about 0.1 when in focus, near 0 when blurred.
    pub sharpness: f64,
    /// Mean brightness of the aligned face, 0 (black) to 1 (white).
    pub brightness: f64,
}

/// Why a selfie cannot be searched with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// The face has too few pixels.
    TooSmall,
    /// The face is out of focus or moved.
    TooBlurry,
    /// The face has too little light.
    TooDark,
}

// Sharpness and brightness: where recognition begins to fail on selfies that were blurred and darkened on purpose
// (`examples/selfie_quality.rs`). Width: on LFW a face of 32 pixels still keeps nine of ten genuine pairs, one of 24
// loses every sixth. No ordinary selfie of three simulated events (527) is beyond these limits.
const SMALLEST_WIDTH: f64 = 40.0;
const LEAST_SHARPNESS: f64 = 0.0025;
const LEAST_BRIGHTNESS: f64 = 0.06;

/// A selfie below it is searched with, and finds less (docs/measurements.md, 'Who is missed, and blurred selfies').
const SHARP: f64 = 0.02;

impl Quality {
    /// Measures an aligned face; `width_pixels` is its width in the picture it was cut from.
    ///
    /// Sharpness is the mean square of the Laplacian over the variance of brightness: a ratio, so that a picture's
    /// contrast and exposure do not matter.
    pub(crate) fn of(chip: &Chip, width_pixels: f64) -> Self {
        let side = chip.side;
        // Brightness as the eye weighs the colours (ITU-R BT.601), 0 to 1.
        let luma: Vec<f64> = chip
            .pixels
            .iter()
            .map(|[red, green, blue]| {
                (0.299 * f64::from(*red) + 0.587 * f64::from(*green) + 0.114 * f64::from(*blue)) / 255.0
            })
            .collect();
        // The middle of the chip: its corners show hair and background.
        let inner = side / 6..side - side / 6;
        let at = |row: usize, column: usize| luma[row * side + column];
        let (mut sum, mut squares, mut detail, mut count) = (0.0, 0.0, 0.0, 0.0);
        for row in inner.clone() {
            for column in inner.clone() {
                let here = at(row, column);
                let around =
                    at(row - 1, column) + at(row + 1, column) + at(row, column - 1) + at(row, column + 1);
                sum += here;
                squares += here * here;
                detail += (around - 4.0 * here).powi(2);
                count += 1.0;
            }
        }
        let brightness = sum / count;
        let variance = squares / count - brightness * brightness;
        Self { width_pixels, sharpness: detail / count / variance.max(1e-6), brightness }
    }

    /// What is wrong with the face for a search, the worst first; nothing for an ordinary selfie.
    ///
    /// A dark picture is called dark even where it is blurry as well: light is what its owner can change.
    pub fn flaw(&self) -> Option<Flaw> {
        if self.width_pixels < SMALLEST_WIDTH {
            Some(Flaw::TooSmall)
        } else if self.brightness < LEAST_BRIGHTNESS {
            Some(Flaw::TooDark)
        } else if self.sharpness < LEAST_SHARPNESS {
            Some(Flaw::TooBlurry)
        } else {
            None
        }
    }

    /// Whether a search with the face finds clearly less than one with a sharp picture would.
    pub fn is_blurred(&self) -> bool {
        self.sharpness < SHARP
    }
}

/// The order in which a guest's faces are offered: large ones in the middle come first.
///
/// `bounds` are fractions of a picture of `width` by `height` pixels. Greater is earlier.
pub(crate) fn prominence(bounds: &BoundingBox, width: f64, height: f64) -> f64 {
    let area = bounds.width * width * bounds.height * height;
    let (x, y) = (bounds.x + bounds.width / 2.0 - 0.5, bounds.y + bounds.height / 2.0 - 0.5);
    area / (1.0 + 4.0 * (x * x + y * y))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_face_in_the_middle_comes_first() {
        // [FACE049]
        let place = |x: f64, y: f64, side: f64| BoundingBox { x, y, width: side, height: side };
        let middle = prominence(&place(0.4, 0.4, 0.2), 1000.0, 1000.0);
        assert!(middle > prominence(&place(0.45, 0.45, 0.1), 1000.0, 1000.0), "smaller");
        assert!(middle > prominence(&place(0.0, 0.0, 0.2), 1000.0, 1000.0), "in the corner");
        assert!(middle < prominence(&place(0.0, 0.0, 0.4), 1000.0, 1000.0), "much larger in the corner");
    }
}
