//! Whether the detector in 8-bit integers is used: the processor must have the instructions, and the network must find
//! in a known picture what it found elsewhere.

use crate::arithmetic::{Arithmetic, Instructions};
use crate::detections::{Detection, non_maximum_suppression};
use crate::packs::{Pack, QuantisedDetector};
use crate::resampling::fit;

use super::known_picture::picture;
use super::networks::{Detector, Memory, Runtime};

/// Integers have no rounding that differs between processors, but the few operators on floats around them have.
const LARGEST_SHIFT: f64 = 0.5;
const LARGEST_SCORE_SHIFT: f64 = 0.02;

/// The file of the pack with the detector to use, and what it computes with.
pub(super) fn detector<'a>(
    runtime: &Runtime,
    pack: &'a Pack,
    instructions: Instructions,
) -> (&'a str, Arithmetic) {
    let manifest = pack.manifest();
    let floats = |reason: String| (manifest.detector.file.as_str(), Arithmetic::Floats { reason });
    let Some(quantised) = &manifest.quantised_detector else {
        return floats("the pack has no detector in 8-bit integers".to_owned());
    };
    let instructions = match instructions.for_weights(quantised.weight_bits) {
        Ok(instructions) => instructions,
        Err(missing) => return floats(format!("this processor has no {missing} instructions")),
    };
    match trial(runtime, pack, quantised) {
        Ok(()) => (&quantised.file, Arithmetic::Integers { instructions }),
        Err(reason) => floats(format!("8-bit integers fail their self-test: {reason}")),
    }
}

/// Compares what the detector finds in the pack's picture with what the pack says; the answer is what is wrong.
fn trial(runtime: &Runtime, pack: &Pack, quantised: &QuantisedDetector) -> Result<(), String> {
    let model = &pack.manifest().detector;
    let picture = picture(pack)?;
    let mut detector = Detector::open(runtime, pack, model, &quantised.file, Memory::Freed)
        .map_err(|error| error.to_string())?;
    let side = f64::from(picture.long_side());
    let fitted = fit(&picture, side, 0.0, false, model.size_multiple, detector.layout());
    let candidates = detector.candidates(&fitted.input).map_err(|error| error.to_string())?;
    let faces = non_maximum_suppression(candidates, model.nms_threshold, 2);
    let [face] = faces.as_slice() else { return Err(format!("{} faces instead of one", faces.len())) };
    let shift = shift(face, quantised);
    if shift > LARGEST_SHIFT {
        return Err(format!("box or landmarks are {shift:.1} pixels off"));
    }
    let score = (face.score - quantised.score).abs();
    if score > LARGEST_SCORE_SHIFT {
        return Err(format!("the score is {:.3} instead of {:.3}", face.score, quantised.score));
    }
    Ok(())
}

/// The largest distance on one axis between what was found and what was expected.
fn shift(face: &Detection, expected: &QuantisedDetector) -> f64 {
    let bounds = [face.left, face.top, face.right, face.bottom];
    let found = bounds.iter().chain(face.landmarks.as_flattened());
    let expected = expected.bounds.iter().chain(expected.landmarks.as_flattened());
    found.zip(expected).map(|(one, other)| (one - other).abs()).fold(0.0, f64::max)
}
