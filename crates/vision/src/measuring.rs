//! What a benchmark sees of the search for faces before they are looked at closely.

use domain::photos::pixels::Pixels;

use crate::engines::Engine;
use crate::errors::InferenceError;

/// How many candidates a pass over a photo finds: those that are faces, and the doubtful ones.
///
/// # Errors
/// When the inference engine fails.
pub fn detect(engine: &Engine, photo: &Pixels) -> Result<[usize; 2], InferenceError> {
    match engine {
        Engine::Onnx(onnx) => onnx.count(photo),
        Engine::Fake(_) => Ok([0; 2]),
    }
}
