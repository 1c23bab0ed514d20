//! Two looks at a photo: the whole of it in a small picture, and at full scale those parts where that does not suffice.
//!
//! A large face is found as well in the small picture. A small one leaves a trace there, which is weak, but not as weak as
//! what most other things leave that are as small: the second look, in parts of the picture as it is at full scale, says
//! what it is.

use domain::photos::pixels::Pixels;

use super::networks::Networks;
use super::{DOUBTFUL, DetectionInput, MOST_DOUBTFUL, MOST_FACES, Onnx};
use crate::detections::{Detection, Found, non_maximum_suppression};
use crate::errors::InferenceError;
use crate::packs::FirstLook;
use crate::resampling::{Canvas, Part, fit, to_float, to_index};

/// What is shown around a face at full scale, in long sides of its box, and between how many pixels on each side: of a face
/// alone, or of half of it, a network is less sure.
const AROUND: f64 = 0.75;
const LEAST_AROUND: f64 = 32.0;
const MOST_AROUND: f64 = 64.0;

/// How near a face may be to the edge of a part that is not the picture's, in long sides of its box. What is nearer may be
/// cut.
const FROM_EDGE: f64 = 0.25;

/// What a part costs beside its pixels, in pixels: parts are joined where the pixels between them cost less.
const PART_COST: usize = 64 * 64;

/// Where parts begin, as multiples: most of the network's layers see a part then as they see the whole.
const GRID: usize = 16;

/// What is less clear in the first look is nothing.
const LEAST_CLARITY: f64 = 1.0 / 6.0;

/// A face that lies gets less in a small picture, and in a part, than in the whole at full scale: of the score that makes a
/// candidate doubtful there so much suffices.
const DOUBTFUL_THERE: f64 = 0.5;
const DOUBTFUL_IN_PARTS: f64 = 2.0 / 3.0;

/// Where the parts would be more of the picture than this, the whole of it is looked at.
const MOST_OF_PICTURE: f64 = 0.75;

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
        let doubtful = model.score_threshold * DOUBTFUL;
        let (of_small_picture, of_parts) = (doubtful * DOUBTFUL_THERE, doubtful * DOUBTFUL_IN_PARTS);
        let canvas = Canvas::of(photo, long_side, model.size_multiple);
        let layout = *networks.detector.layout();
        let fitted = fit(photo, first.long_side, 0.0, false, model.size_multiple, &layout);
        let mut candidates = networks.detector.candidates_above(&fitted.input, first.least_score)?;
        drop(fitted.input);
        candidates.retain(|face| first.is_noted(face));
        let candidates = non_maximum_suppression(candidates, model.nms_threshold, MOST_FACES);
        let (settled, mut open): (Vec<_>, Vec<_>) =
            candidates.into_iter().partition(|face| first.settles(face));
        open.sort_by(|one, other| first.clarity(other).total_cmp(&first.clarity(one)));
        let clear = open.partition_point(|face| first.clarity(face) >= 1.0);
        let enlarged = |at: f64| at * canvas.factor / fitted.factor;
        let full = |face: &Detection| face.moved(enlarged, enlarged);
        let open: Vec<Detection> = open.iter().map(full).collect();
        let (clear, weak) = open.split_at(clear);
        let Some(parts) = parts(clear, weak, first.weak_share, &canvas, model.size_multiple) else {
            return self.detect(networks, photo, &once);
        };

        let mut found: Vec<Detection> =
            settled.iter().filter(|face| face.score > of_small_picture).map(full).collect();
        for part in parts {
            let input = canvas.draw(photo, &part, &layout);
            let candidates = networks.detector.candidates_above(&input, of_parts)?;
            let whole = candidates.iter().filter(|face| is_whole(face, &part, &canvas));
            found.extend(whole.map(|face| placed(face, &part)));
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

    /// Whether what the first look shows needs no second one: a face that it is sure of, and whatever is so large that the
    /// second would not show more.
    fn settles(&self, face: &Detection) -> bool {
        let width = face.width();
        width >= self.largest_face || width >= self.smallest_face && face.score >= self.sure_score
    }

    /// How likely a face is: its score by what it would need for its width, since large things that are none get higher
    /// scores than small ones. From 1 on a second look is certain.
    fn clarity(&self, face: &Detection) -> f64 {
        face.score / (face.width() * self.score_by_width).min(self.clear_score)
    }

    /// Whether a candidate counts at all.
    fn is_noted(&self, face: &Detection) -> bool {
        let least = if face.width() < self.largest_weak { LEAST_CLARITY } else { 1.0 };
        self.clarity(face) >= least
    }
}

/// The parts of the canvas with the clear faces and what is around them, and of the weak ones, the clearest first, with those
/// that the parts of all have room for in `weak_share` of the canvas; none where the whole had better be looked at.
fn parts(
    clear: &[Detection],
    weak: &[Detection],
    weak_share: f64,
    canvas: &Canvas,
    multiple: usize,
) -> Option<Vec<Part>> {
    let whole = to_float(canvas.width * canvas.height);
    let cost = |parts: &[Part]| to_float(parts.iter().map(|part| part.area() + PART_COST).sum());
    let mut parts: Vec<Part> = Vec::new();
    for face in clear {
        add(&mut parts, around(face, canvas, multiple), canvas, multiple);
    }
    if cost(&parts) > whole * MOST_OF_PICTURE {
        return None;
    }
    for face in weak {
        let mut more = parts.clone();
        add(&mut more, around(face, canvas, multiple), canvas, multiple);
        if cost(&more) > whole * weak_share {
            break;
        }
        parts = more;
    }
    Some(parts)
}

/// Adds a part, joined with those that are near.
fn add(parts: &mut Vec<Part>, mut part: Part, canvas: &Canvas, multiple: usize) {
    loop {
        let joined = parts.iter().enumerate().find_map(|(at, other)| {
            let both = filled_up(&other.with(&part), canvas, multiple);
            (both.area() <= other.area() + part.area() + PART_COST).then_some((at, both))
        });
        let Some((at, both)) = joined else { break };
        parts.swap_remove(at);
        // It may have come near to others.
        part = both;
    }
    parts.push(part);
}

/// The part of the canvas with a face and what is around it.
fn around(face: &Detection, canvas: &Canvas, multiple: usize) -> Part {
    let margin = (face.width().max(face.height()) * AROUND).clamp(LEAST_AROUND, MOST_AROUND);
    let before = |at: f64, side: usize| to_index(at - margin).min(side - 1);
    let after = |at: f64, side: usize| (to_index(at + margin) + 1).min(side);
    let (left, top) = (before(face.left, canvas.width), before(face.top, canvas.height));
    let (right, bottom) = (after(face.right, canvas.width), after(face.bottom, canvas.height));
    filled_up(&Part { left, top, right: right.max(left + 1), bottom: bottom.max(top + 1) }, canvas, multiple)
}

/// The part with as much on all sides as makes its own multiples of `multiple`, within the canvas, whose sides are such too.
fn filled_up(part: &Part, canvas: &Canvas, multiple: usize) -> Part {
    let side = |from: usize, to: usize, all: usize| {
        let aligned = from / GRID * GRID;
        let length = (to - aligned).next_multiple_of(multiple).min(all);
        let start = aligned.saturating_sub((length - (to - aligned)) / 2 / GRID * GRID).min(all - length);
        (start, start + length)
    };
    let (left, right) = side(part.left, part.right, canvas.width);
    let (top, bottom) = side(part.top, part.bottom, canvas.height);
    Part { left, top, right, bottom }
}

/// Whether a face that was found in a part lies well within it, unless it is at the picture's own edge.
fn is_whole(face: &Detection, part: &Part, canvas: &Canvas) -> bool {
    let least = face.width().max(face.height()) * FROM_EDGE;
    (part.left == 0 || face.left >= least)
        && (part.top == 0 || face.top >= least)
        && (part.right == canvas.width || face.right + least <= to_float(part.width()))
        && (part.bottom == canvas.height || face.bottom + least <= to_float(part.height()))
}

/// A face of a part in pixels of the canvas.
fn placed(face: &Detection, part: &Part) -> Detection {
    face.moved(|x| x + to_float(part.left), |y| y + to_float(part.top))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CANVAS: Canvas = Canvas { factor: 1.0, width: 1600, height: 1088 };

    fn face(left: f64, top: f64, side: f64, score: f64) -> Detection {
        Detection { left, top, right: left + side, bottom: top + side, score, landmarks: [[0.0; 2]; 5] }
    }

    fn first_look() -> FirstLook {
        let text = "long_side = 1024.0\nleast_score = 0.005\nscore_by_width = 0.003\nclear_score = 0.075\nsure_score = 0.5\n\
                    smallest_face = 12.0\nlargest_face = 48.0\nlargest_weak = 48.0\nweak_share = 0.18";
        toml::from_str(text).unwrap()
    }

    #[test]
    fn what_is_large_or_sure_is_settled_and_what_is_weak_for_its_width_is_nothing() {
        let first = first_look();
        let settled = [(100.0, 0.2), (48.0, 0.08), (40.0, 0.5), (12.0, 0.51)];
        let open = [(47.0, 0.49), (11.9, 0.9), (30.0, 0.3)];
        assert!(settled.iter().all(|(side, score)| first.settles(&face(0.0, 0.0, *side, *score))));
        assert!(open.iter().all(|(side, score)| !first.settles(&face(0.0, 0.0, *side, *score))));
        assert!((first.clarity(&face(0.0, 0.0, 10.0, 0.03)) - 1.0).abs() < 1e-9);
        assert!(
            (first.clarity(&face(0.0, 0.0, 90.0, 0.075)) - 1.0).abs() < 1e-9,
            "no face needs more than that"
        );
        let noted = [(10.0, 0.0051), (40.0, 0.013), (48.0, 0.08)];
        let unnoted = [(10.0, 0.0049), (40.0, 0.012), (48.0, 0.07)];
        assert!(noted.iter().all(|(side, score)| first.is_noted(&face(0.0, 0.0, *side, *score))));
        assert!(unnoted.iter().all(|(side, score)| !first.is_noted(&face(0.0, 0.0, *side, *score))));
    }

    #[test]
    fn parts_lie_within_the_canvas_and_show_their_faces_with_what_is_around_them() {
        for (at_x, at_y) in [(0, 0), (1, 2), (2, 0), (0, 2), (2, 2), (1, 1)] {
            for side in [3.0, 17.0, 40.0, 150.0, 2000.0] {
                for shift in [0.0, 5.3, 15.0, 77.7] {
                    let start = |at: i32, all: f64| (f64::from(at) / 2.0 * (all - side)).max(0.0);
                    let face = face(start(at_x, 1600.0) + shift, start(at_y, 1088.0) - shift, side, 0.3);
                    let part = around(&face, &CANVAS, 32);
                    assert!(part.right <= CANVAS.width && part.bottom <= CANVAS.height, "{part:?}");
                    assert_eq!((part.width() % 32, part.height() % 32), (0, 0), "{part:?}");
                    let margin = side.clamp(LEAST_AROUND, MOST_AROUND).min(LEAST_AROUND);
                    let (left, right) = ((face.left - margin).max(0.0), (face.right + margin).min(1600.0));
                    assert!(
                        to_float(part.left) <= left && right <= to_float(part.right),
                        "{part:?} of {face:?}"
                    );
                    let (top, bottom) = ((face.top - margin).max(0.0), (face.bottom + margin).min(1088.0));
                    assert!(
                        to_float(part.top) <= top && bottom <= to_float(part.bottom),
                        "{part:?} of {face:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn near_faces_share_a_part_and_far_ones_have_their_own() {
        let near = [face(300.0, 300.0, 20.0, 0.2), face(340.0, 310.0, 20.0, 0.2)];
        assert_eq!(parts(&near, &[], 0.2, &CANVAS, 32).unwrap().len(), 1);
        let far = [face(300.0, 300.0, 20.0, 0.2), face(900.0, 310.0, 20.0, 0.2)];
        assert_eq!(parts(&far, &[], 0.2, &CANVAS, 32).unwrap().len(), 2);
    }

    #[test]
    fn weak_faces_are_looked_at_within_their_share_and_a_crowd_as_a_whole() {
        let grid: Vec<Detection> = (0..60)
            .map(|at| face(f64::from(at % 10) * 160.0, f64::from(at / 10) * 180.0, 12.0, 0.01))
            .collect();
        let area = |parts: &[Part]| parts.iter().map(|part| part.area() + PART_COST).sum::<usize>();
        let some = parts(&[], &grid, 0.1, &CANVAS, 32).unwrap();
        assert!(some.len() > 5 && area(&some) * 10 <= 1600 * 1088, "{some:?}");
        // The clearest come first.
        assert!(some.iter().any(|part| part.left == 0 && part.top == 0));
        assert!(
            parts(&grid[..3], &grid[3..], 0.0, &CANVAS, 32).unwrap().len() <= 3,
            "the clear ones in any case"
        );
        assert!(parts(&grid, &[], 0.1, &CANVAS, 32).is_some());
        let crowd: Vec<Detection> = (0..300)
            .map(|at| face(f64::from(at % 20) * 80.0, f64::from(at / 20) * 70.0, 20.0, 0.3))
            .collect();
        assert!(parts(&crowd, &[], 0.1, &CANVAS, 32).is_none());
    }

    #[test]
    fn a_face_at_an_edge_counts_only_at_the_pictures_own() {
        let part = Part { left: 160, top: 0, right: 256, bottom: 96 };
        assert!(
            is_whole(&face(5.0, 0.0, 20.0, 0.5), &part, &CANVAS),
            "a quarter of its side from the left edge"
        );
        assert!(!is_whole(&face(4.9, 0.0, 20.0, 0.5), &part, &CANVAS));
        assert!(!is_whole(&face(72.0, 30.0, 20.0, 0.5), &part, &CANVAS), "four pixels from the right edge");
        assert!(!is_whole(&face(40.0, 72.0, 20.0, 0.5), &part, &CANVAS));
        let corner = Part { left: 1504, top: 992, right: 1600, bottom: 1088 };
        assert!(is_whole(&face(80.0, 80.0, 20.0, 0.5), &corner, &CANVAS));
        let placed = placed(&face(40.0, 30.0, 20.0, 0.5), &part);
        assert_eq!((placed.left, placed.top, placed.right), (200.0, 30.0, 220.0));
    }
}
