//! The closer look at one face, in a crop of the picture: where its landmarks are, and which way up it is.
//!
//! The networks know upright faces. One that is tilted or lies gets a low score, and landmarks as if it were upright. The
//! crop of it turned upright is one like any other, and gets the score of one: which turn is right is the network's answer.

use std::f64::consts::{FRAC_PI_2, PI};

use domain::photos::pixels::Pixels;

use super::Onnx;
use super::networks::Networks;
use crate::alignment::Similarity;
use crate::chips::Chip;
use crate::detections::{Detection, Found, non_maximum_suppression};
use crate::errors::InferenceError;

/// Upright faces of simulated photos get 0.82 to 0.94; below, another turn may suit better.
const SURE: f64 = 0.8;

/// A turned crop that gets less shows no face.
const LEAST: f64 = 0.7;

/// By how much the landmarks of a face may be turned, in radians, before it is looked at again with the crop turned by that.
const LEVEL: f64 = 20.0_f64.to_radians();

/// The turns that are tried, besides none. A face that is 45 degrees from the nearest still gets a high score there, and its
/// landmarks say how far it is.
const QUARTERS: [f64; 3] = [FRAC_PI_2, -FRAC_PI_2, PI];

/// How often a crop is turned by what the landmarks in the last one say.
const MOST_CORRECTIONS: usize = 2;

/// No photo may take unbounded time: after so many looks with turned crops the rest of its faces count as upright.
const MOST_TURNED_LOOKS: usize = 48;

/// Where a face is looked for.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) centre: [f64; 2],
    /// Its long side.
    pub(super) side: f64,
}

impl Place {
    pub(super) fn of(face: &Detection) -> Self {
        Self { centre: face.centre(), side: face.width().max(face.height()) }
    }
}

/// A face as it is seen in a crop, in pixels of the picture.
pub(super) struct Look {
    score: f64,
    landmarks: [[f64; 2]; 5],
    place: Place,
    width: f64,
    height: f64,
    /// By which the crop was turned, in radians.
    turn: f64,
    /// By which the crop would have to be turned more for the landmarks to be level.
    rest: f64,
}

/// What was seen of a face that may lie.
struct Looks {
    /// Its landmarks as it is upright.
    upright: Option<[[f64; 2]; 5]>,
    /// The look that sees it better turned.
    turned: Option<Look>,
}

impl Look {
    /// The box around the ellipse that fills the turned one.
    fn detection(&self, score: f64) -> Detection {
        let (across, along) = (self.turn.cos(), self.turn.sin());
        let half_width = (self.width * across).hypot(self.height * along) / 2.0;
        let half_height = (self.width * along).hypot(self.height * across) / 2.0;
        let [x, y] = self.place.centre;
        Detection {
            left: x - half_width,
            top: y - half_height,
            right: x + half_width,
            bottom: y + half_height,
            score,
            landmarks: self.landmarks,
        }
    }
}

impl Onnx {
    /// The faces of a picture with the landmarks by which they are cut: of the sure ones all, and those of the doubtful that
    /// are faces when they are turned upright.
    pub(super) fn looked_at(
        &self,
        networks: &mut Networks,
        picture: &Pixels,
        found: Found,
    ) -> Result<Vec<Detection>, InferenceError> {
        let most_overlap = self.0.pack.manifest().detector.nms_threshold;
        let mut faces: Vec<Detection> = Vec::with_capacity(found.sure.len());
        let mut left = MOST_TURNED_LOOKS;
        let doubtful = found.doubtful.into_iter().map(|face| (face, false));
        for (face, sure) in found.sure.into_iter().map(|face| (face, true)).chain(doubtful) {
            if !sure && faces.iter().any(|other| other.overlap(&face) > most_overlap) {
                continue;
            }
            let Looks { upright, turned } = self.looks(networks, picture, &face, sure, &mut left)?;
            let Some(look) = turned else {
                let landmarks = upright.unwrap_or(face.landmarks);
                faces.extend(sure.then_some(Detection { landmarks, ..face }));
                continue;
            };
            // Turned upright, two candidates may prove to be one face.
            let look = look.detection(face.score);
            if faces.iter().all(|other| other.overlap(&look) <= most_overlap) {
                faces.push(look);
            }
        }
        Ok(faces)
    }

    /// The landmarks of faces that a detection has found before, in their order; none of one that no look sees.
    pub(super) fn landmarks(
        &self,
        networks: &mut Networks,
        picture: &Pixels,
        faces: &[Detection],
    ) -> Result<Vec<Option<[[f64; 2]; 5]>>, InferenceError> {
        let mut left = MOST_TURNED_LOOKS;
        let mut landmarks = Vec::with_capacity(faces.len());
        for face in faces {
            let Looks { upright, turned } = self.looks(networks, picture, face, true, &mut left)?;
            landmarks.push(turned.map(|look| look.landmarks).or(upright));
        }
        Ok(landmarks)
    }

    /// Looks at a face as it is upright, and turned where that may see it better; `sure` says that it may be
    /// upright, `left` how many looks with turned crops there may be.
    fn looks(
        &self,
        networks: &mut Networks,
        picture: &Pixels,
        face: &Detection,
        sure: bool,
        left: &mut usize,
    ) -> Result<Looks, InferenceError> {
        let place = Place::of(face);
        let upright = if sure { self.look(networks, picture, place, 0.0)? } else { None };
        let level = upright.as_ref().is_some_and(|look| look.score >= SURE && look.rest.abs() <= LEVEL);
        let (landmarks, score) =
            upright.as_ref().map_or((None, 0.0), |look| (Some(look.landmarks), look.score));
        let turned = if level { None } else { self.turned(networks, picture, place, upright, left)? };
        let turned = turned.filter(|look| look.turn.abs() > 0.0 && look.score >= LEAST.max(score.min(SURE)));
        Ok(Looks { upright: landmarks, turned })
    }

    /// The best look at a face whichever way it lies; `best` is the one so far, `left` how many more there may be.
    pub(super) fn turned(
        &self,
        networks: &mut Networks,
        picture: &Pixels,
        place: Place,
        mut best: Option<Look>,
        left: &mut usize,
    ) -> Result<Option<Look>, InferenceError> {
        let mut look = |place: Place, turn: f64| {
            let Some(rest) = left.checked_sub(1) else { return Ok(None) };
            *left = rest;
            self.look(networks, picture, place, turn)
        };
        if best.as_ref().is_none_or(|look| look.score < SURE) {
            for quarter in QUARTERS {
                let seen = look(place, quarter)?;
                let score = best.as_ref().map_or(0.0, |look| look.score);
                best = seen.filter(|look| look.score > score).or(best);
            }
        }
        for _ in 0..MOST_CORRECTIONS {
            let Some(last) = best.as_ref().filter(|look| look.rest.abs() > LEVEL) else { break };
            let least = last.score.min(SURE);
            match look(last.place, last.turn + last.rest)?.filter(|look| look.score >= least) {
                Some(look) => best = Some(look),
                None => break,
            }
        }
        Ok(best)
    }

    /// One pass over the crop of a face; none when there is no face in its centre.
    fn look(
        &self,
        networks: &mut Networks,
        picture: &Pixels,
        place: Place,
        turn: f64,
    ) -> Result<Option<Look>, InferenceError> {
        let manifest = self.0.pack.manifest();
        let (model, refinement) = (&manifest.refiner, &manifest.refinement);
        #[allow(clippy::cast_precision_loss, reason = "some hundred pixels")]
        let side = refinement.crop_side as f64;
        let factor = side / (place.side * refinement.box_scale);
        let transform = Similarity::turn(place.centre, factor, turn, [side / 2.0; 2]);
        let chip = Chip::warp(picture, &transform, refinement.crop_side);
        let candidates = networks.refiner.candidates(&chip.planes(&model.samples(), false))?;
        let distance = |candidate: &Detection| {
            let [x, y] = candidate.centre();
            (x - side / 2.0).hypot(y - side / 2.0)
        };
        let nearest = non_maximum_suppression(candidates, model.nms_threshold, super::MOST_FACES)
            .into_iter()
            .min_by(|one, other| distance(one).total_cmp(&distance(other)))
            .filter(|candidate| distance(candidate) <= refinement.farthest_centre * side);
        let Some(face) = nearest else { return Ok(None) };
        let landmarks = model.ordered(&face.landmarks);
        let Some(level) = Similarity::between(&landmarks, &manifest.recogniser.template) else {
            return Ok(None);
        };
        let back = transform.inverse();
        let (width, height) = (face.width() / factor, face.height() / factor);
        Ok(Some(Look {
            score: face.score,
            landmarks: landmarks.map(|point| back.apply(point)),
            place: Place { centre: back.apply(face.centre()), side: width.max(height) },
            width,
            height,
            turn,
            rest: level.angle(),
        }))
    }
}
