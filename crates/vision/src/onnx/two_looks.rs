//! Two looks at a photo: the whole of it in a small picture, and at full scale those parts where that does not suffice.
//!
//! A large face is found as well in the small picture. Where the first look shows a small face, or is not sure of what it
//! shows, or has no more than an inkling, the second one decides, in parts of the picture as it would be at full scale.

use domain::photos::pixels::Pixels;

use super::networks::Networks;
use super::{DOUBTFUL, DetectionInput, MOST_DOUBTFUL, MOST_FACES, Onnx};
use crate::detections::{Detection, Found, non_maximum_suppression};
use crate::errors::InferenceError;
use crate::packs::FirstLook;
use crate::resampling::{Canvas, Part, fit, to_index};

/// What is shown around a face at full scale, in long sides of its box, and between how many pixels on each side: a network
/// that sees a face alone, or half of it, is less sure.
const AROUND: f64 = 1.0;
const LEAST_AROUND: f64 = 48.0;
const MOST_AROUND: f64 = 96.0;

/// How near a face may be to the edge of a part that is not the picture's, in long sides of its box. What is nearer may be
/// cut.
const FROM_EDGE: f64 = 0.25;

/// What a part costs beside its pixels, in pixels: parts are joined where the pixels between them cost less.
const PART_COST: usize = 64 * 64;

/// From this part of the picture on the whole of it is looked at instead.
const MOST_OF_PICTURE: f64 = 0.5;

impl Onnx {
    /// The faces of a photo, in its pixels, by descending confidence, with ordered landmarks.
    pub(super) fn detect_photo(
        &self,
        networks: &mut Networks,
        photo: &Pixels,
    ) -> Result<Found, InferenceError> {
        let detection = &self.0.pack.manifest().detection;
        let long_side = detection.long_side;
        let once = DetectionInput { long_side, margin: 0.0, enlarge: false };
        let first = detection.first_look.as_ref().filter(|first| first.saves(photo, long_side));
        let Some(first) = first else { return self.detect(networks, photo, &once) };

        let model = &self.0.pack.manifest().detector;
        let canvas = Canvas::of(photo, long_side, model.size_multiple);
        let layout = *networks.detector.layout();
        let fitted = fit(photo, first.long_side, 0.0, false, model.size_multiple, &layout);
        let candidates = networks.detector.candidates_above(&fitted.input, first.least_score)?;
        drop(fitted.input);
        let candidates = non_maximum_suppression(candidates, model.nms_threshold, MOST_FACES);
        let (settled, open): (Vec<_>, Vec<_>) = candidates.into_iter().partition(|face| first.settles(face));
        let enlarged = |at: f64| at * canvas.factor / fitted.factor;
        let full = |face: &Detection| face.moved(enlarged, enlarged);
        let Some(parts) = parts(open.iter().map(full), &canvas, model.size_multiple) else {
            return self.detect(networks, photo, &once);
        };

        let mut found: Vec<Detection> = settled.iter().map(full).collect();
        for part in parts {
            let input = canvas.draw(photo, &part, &layout);
            let candidates = networks.detector.candidates_above(&input, model.score_threshold * DOUBTFUL)?;
            found.extend(
                candidates.iter().filter(|face| is_whole(face, &part, &canvas)).map(|face| placed(face, &part)),
            );
        }
        let back = |at: f64| at / canvas.factor;
        let (sure, mut doubtful): (Vec<_>, Vec<_>) =
            non_maximum_suppression(found, model.nms_threshold, MOST_FACES)
                .iter()
                .map(|face| face.moved(back, back))
                .map(|face| Detection { landmarks: model.ordered(&face.landmarks), ..face })
                .partition(|face| face.score > model.score_threshold);
        doubtful.truncate(MOST_DOUBTFUL);
        Ok(Found { sure, doubtful })
    }
}

impl FirstLook {
    /// Whether a first look at this photo takes half of the pixels at most.
    fn saves(&self, photo: &Pixels, long_side: f64) -> bool {
        let full = long_side.min(f64::from(photo.long_side()));
        2.0 * self.long_side * self.long_side <= full * full
    }

    /// Whether a face that the first look shows needs no second one.
    fn settles(&self, face: &Detection) -> bool {
        face.width() >= self.smallest_face && face.score >= self.sure_score
    }
}

/// The parts of the canvas that show the faces with what is around them; none where it had better be looked at as a whole.
fn parts(
    faces: impl Iterator<Item = Detection>,
    canvas: &Canvas,
    multiple: usize,
) -> Option<Vec<Part>> {
    let mut parts: Vec<Part> = Vec::new();
    for face in faces {
        let mut part = around(&face, canvas, multiple);
        // What was joined may have come near to others.
        while let Some(at) = parts.iter().position(|other| {
            other.with(&part).area() <= other.area() + part.area() + PART_COST
        }) {
            part = parts.swap_remove(at).with(&part);
        }
        parts.push(part);
    }
    let area: usize = parts.iter().map(Part::area).sum();
    #[allow(clippy::cast_precision_loss, reason = "some million pixels")]
    let most = (canvas.width * canvas.height) as f64 * MOST_OF_PICTURE;
    #[allow(clippy::cast_precision_loss, reason = "some million pixels")]
    (area as f64 <= most).then_some(parts)
}

/// The part of the canvas with a face and what is around it, its edges at multiples of `multiple`.
fn around(face: &Detection, canvas: &Canvas, multiple: usize) -> Part {
    let margin = (face.width().max(face.height()) * AROUND).clamp(LEAST_AROUND, MOST_AROUND);
    let before = |at: f64, side: usize| (to_index(at - margin) / multiple * multiple).min(side - multiple);
    let after = |at: f64, side: usize| to_index(at + margin + 1.0).next_multiple_of(multiple).min(side);
    let (left, top) = (before(face.left, canvas.width), before(face.top, canvas.height));
    Part {
        left,
        top,
        right: after(face.right, canvas.width).max(left + multiple),
        bottom: after(face.bottom, canvas.height).max(top + multiple),
    }
}

/// Whether a face that was found in a part lies well within it, unless it is at the picture's own edge.
#[allow(clippy::cast_precision_loss, reason = "sides of pictures are far below 2^52")]
fn is_whole(face: &Detection, part: &Part, canvas: &Canvas) -> bool {
    let least = face.width().max(face.height()) * FROM_EDGE;
    (part.left == 0 || face.left >= least)
        && (part.top == 0 || face.top >= least)
        && (part.right == canvas.width || face.right + least <= part.width() as f64)
        && (part.bottom == canvas.height || face.bottom + least <= part.height() as f64)
}

/// A face of a part in pixels of the canvas.
#[allow(clippy::cast_precision_loss, reason = "sides of pictures are far below 2^52")]
fn placed(face: &Detection, part: &Part) -> Detection {
    face.moved(|x| x + part.left as f64, |y| y + part.top as f64)
}
