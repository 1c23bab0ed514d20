//! Before an engine is used it must find a known face and describe it as it did elsewhere.

use domain::faces::Embedding;
use domain::photos::pixels::Pixels;

use super::Onnx;
use super::known_picture::picture;
use crate::errors::{InferenceError, OpenError};
use crate::generations::Recognisers;

const LEAST_SIMILARITY: f32 = 0.99;
const LARGEST_SHIFT: f64 = 2.0;

impl Onnx {
    /// The pack's picture.
    pub(crate) fn known_picture(&self) -> Result<Pixels, InferenceError> {
        picture(&self.0.pack).map_err(|reason| InferenceError { reason })
    }

    /// Compares what this engine sees in the pack's picture with what the pack says.
    pub(crate) fn self_test(&self) -> Result<(), OpenError> {
        self.compare().map_err(|reason| OpenError::SelfTest { folder: self.0.pack.folder(), reason })
    }

    /// The answer is the reason for a refusal.
    fn compare(&self) -> Result<(), String> {
        let expected = &self.0.pack.manifest().self_test;
        let picture = picture(&self.0.pack)?;
        let faces = self.faces(&picture, Recognisers::Both).map_err(|error| error.to_string())?;
        // It is loaded again where it is needed.
        self.release_memory().map_err(|error| error.to_string())?;
        let [face] = faces.as_slice() else { return Err(format!("{} faces instead of one", faces.len())) };
        let (width, height) = (f64::from(picture.width()), f64::from(picture.height()));
        let bounds = &face.bounds;
        let found = [
            bounds.x * width,
            bounds.y * height,
            (bounds.x + bounds.width) * width,
            (bounds.y + bounds.height) * height,
        ];
        let shift =
            found.iter().zip(&expected.bounds).map(|(one, other)| (one - other).abs()).fold(0.0, f64::max);
        if shift > LARGEST_SHIFT {
            return Err(format!("the box is {shift:.1} pixels off"));
        }
        let found = similarity(&face.embedding, &expected.embedding);
        if found < LEAST_SIMILARITY {
            return Err(format!("the embedding's similarity is {found:.3} instead of 1"));
        }
        let Some(previous) = &self.0.pack.manifest().previous else { return Ok(()) };
        let found = face.previous.as_ref().map_or(0.0, |found| similarity(found, &previous.embedding));
        if found < LEAST_SIMILARITY {
            return Err(format!(
                "the embedding of the previous recogniser has a similarity of {found:.3} instead of 1"
            ));
        }
        Ok(())
    }
}

/// To what the pack expects, whose length is rounded.
fn similarity(found: &Embedding, expected: &[f32]) -> f32 {
    let length = expected.iter().map(|value| value * value).sum::<f32>().sqrt();
    found.values().iter().zip(expected).map(|(one, other)| one * other).sum::<f32>() / length
}
