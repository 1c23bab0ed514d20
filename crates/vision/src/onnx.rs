//! The engine that runs networks: detection, refinement of landmarks, alignment, embedding.

mod choice;
mod closer_look;
mod known_picture;
mod networks;
mod pool;
mod self_test;
#[cfg(test)]
mod tests;
mod two_looks;

use std::sync::Arc;
use std::time::Instant;

use domain::faces::{BoundingBox, Embedding};
use domain::photos::pixels::Pixels;

use crate::alignment::Similarity;
use crate::arithmetic::{Arithmetic, Instructions};
use crate::chips::Chip;
use crate::detections::{Detection, Found, non_maximum_suppression};
use crate::errors::{InferenceError, OpenError};
use crate::faces::{Face, MOST_SELFIE_FACES, Quality, Selfie, prominence};
use crate::generations::Recognisers;
use crate::options::EngineOptions;
use crate::packs::Pack;
use crate::resampling::fit;

pub use networks::NO_TELEMETRY;
use networks::{Networks, Recogniser, Runtime};
use pool::SessionPool;

/// No photo may take unbounded time: a crowd's smallest faces beyond this number are skipped.
const MOST_FACES: usize = 1000;

/// The least width of a face seen from near, as a part of the picture's long side.
const NEAR: f64 = 0.2;

/// A candidate of the detector with at least this part of the score that makes a face is looked at closely, turned to each
/// side: so little is what a lying face gets, and what is none gets nothing there.
const DOUBTFUL: f64 = 3.0 / 8.0;

/// Of the candidates of one pass that the detector is not sure of, the best so many are looked at.
const MOST_DOUBTFUL: usize = 4;

/// Networks, run by ONNX Runtime. Cheap to clone; clones share the models.
#[derive(Clone, Debug)]
pub struct Onnx(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    pack: Pack,
    runtime: Runtime,
    arithmetic: Arithmetic,
    index: SessionPool<Networks>,
    selfies: SessionPool<Networks>,
}

impl Onnx {
    /// Loads the library and the networks of `pack`.
    ///
    /// A process loads one library: engines that are opened later use the first one's.
    pub(crate) fn open(pack: Pack, options: EngineOptions) -> Result<Self, OpenError> {
        let load =
            |error: networks::LoadError| OpenError::Load { folder: pack.folder(), reason: error.to_string() };
        let runtime = Runtime::load(&pack).map_err(load)?;
        let (detector, arithmetic) = choice::detector(&runtime, &pack, Instructions::of_this_processor());
        let pool = |count: usize| {
            let open = |_| Networks::open(&runtime, &pack, detector);
            (0..count).map(open).collect::<Result<Vec<_>, _>>().map(SessionPool::new).map_err(load)
        };
        let index = pool(options.index_threads.get())?;
        let selfies = pool(options.selfie_threads.get())?;
        Ok(Self(Arc::new(Shared { pack, runtime, arithmetic, index, selfies })))
    }

    pub(crate) fn arithmetic(&self) -> &Arithmetic {
        &self.0.arithmetic
    }

    pub(crate) fn pack(&self) -> &Pack {
        &self.0.pack
    }

    pub(crate) fn ping(&self) -> Result<(), InferenceError> {
        // Those of selfies belong to guests; and when all others are in use, they answer.
        let Some(mut networks) = self.0.index.try_take() else { return Ok(()) };
        let Some(nothing) = Pixels::new(1, 1, vec![0; 3]) else { return Ok(()) };
        let chip = Chip::warp(
            &nothing,
            &Similarity::zoom([0.0, 0.0], 1.0),
            self.0.pack.manifest().recogniser.chip_size,
        );
        networks.recogniser.embed(&chip, false).map(|_| ())
    }

    pub(crate) fn release_memory(&self) -> Result<(), InferenceError> {
        for pool in [&self.0.index, &self.0.selfies] {
            for mut networks in pool.take_free() {
                networks.release_memory()?;
            }
        }
        Ok(())
    }

    pub(crate) fn faces(&self, photo: &Pixels, by: Recognisers) -> Result<Vec<Face>, InferenceError> {
        let mut networks = self.0.index.take();
        let smallest = self.0.pack.manifest().recogniser.smallest_face;
        let mut found = self.detect_photo(&mut networks, photo)?;
        found.sure.retain(|face| face.width() >= smallest);
        found.doubtful.retain(|face| face.width() >= smallest);
        self.embed_all(&mut networks, photo, found, by)
    }

    /// The faces at places where a detection has found them, one for each; none where the closer look sees none.
    pub(crate) fn describe(
        &self,
        picture: &Pixels,
        places: &[BoundingBox],
    ) -> Result<Vec<Option<Face>>, InferenceError> {
        let mut networks = self.0.index.take();
        let (width, height) = (f64::from(picture.width()), f64::from(picture.height()));
        let known = places.iter().map(|place| Detection {
            left: place.x * width,
            top: place.y * height,
            right: (place.x + place.width) * width,
            bottom: (place.y + place.height) * height,
            score: 1.0,
            landmarks: [[0.0; 2]; 5],
        });
        let known: Vec<Detection> = known.collect();
        let landmarks = self.landmarks(&mut networks, picture, &known)?;
        let mut faces = Vec::with_capacity(places.len());
        for (face, landmarks) in known.into_iter().zip(landmarks) {
            faces.push(match landmarks {
                Some(landmarks) => {
                    let face = Detection { landmarks, ..face };
                    self.embed(&mut networks, picture, &face, Recognisers::Current)?
                }
                None => None,
            });
        }
        Ok(faces)
    }

    /// Where faces are, of any size. Guests wait for it.
    pub(crate) fn places(&self, photo: &Pixels) -> Result<Vec<BoundingBox>, InferenceError> {
        let mut networks = self.0.selfies.take();
        let found = self.detect_photo(&mut networks, photo)?;
        let faces = self.looked_at(&mut networks, photo, found)?;
        let (width, height) = (f64::from(photo.width()), f64::from(photo.height()));
        Ok(faces.iter().map(|face| bounds(face, width, height)).collect())
    }

    /// See [`crate::measuring::detect`].
    pub(crate) fn count(&self, photo: &Pixels) -> Result<[usize; 2], InferenceError> {
        let found = self.detect_photo(&mut self.0.index.take(), photo)?;
        Ok([found.sure.len(), found.doubtful.len()])
    }

    pub(crate) fn selfie(&self, picture: &Pixels, by: Recognisers) -> Result<Selfie, InferenceError> {
        let mut networks = self.0.selfies.take();
        let started = Instant::now();
        let mut found = self.detect_selfie(&mut networks, picture)?;
        let (width, height) = (f64::from(picture.width()), f64::from(picture.height()));
        let order = |face: &Detection| prominence(&bounds(face, width, height), width, height);
        found.sure.sort_by(|one, other| order(other).total_cmp(&order(one)));
        found.sure.truncate(MOST_SELFIE_FACES);
        let detection = started.elapsed();
        let mut faces = self.embed_all(&mut networks, picture, found, by)?;
        let order = |face: &Face| prominence(&face.bounds, width, height);
        faces.sort_by(|one, other| order(other).total_cmp(&order(one)));
        Ok(Selfie { faces, detection, description: started.elapsed() - detection })
    }

    /// The faces of a picture that shows one person from near, most likely: looked for in a small one, and again in larger
    /// ones until one is found. The first look is believed only if it shows a face from near; what is small in it might be
    /// something else, or not all there is. Where no look finds a face, what they were not sure of may be one that is turned.
    fn detect_selfie(&self, networks: &mut Networks, picture: &Pixels) -> Result<Found, InferenceError> {
        let detection = &self.0.pack.manifest().detection;
        let mut long_sides = detection.selfie_long_sides.clone();
        long_sides.sort_by(f64::total_cmp);
        let mut found = Found::default();
        for (look, long_side) in long_sides.into_iter().enumerate() {
            let input = DetectionInput { long_side, margin: detection.selfie_padding, enlarge: true };
            let Found { sure, doubtful } = self.detect(networks, picture, &input)?;
            let Some(widest) = sure.iter().map(Detection::width).reduce(f64::max) else {
                found.doubtful.extend(doubtful);
                continue;
            };
            let part = widest / f64::from(picture.long_side());
            found.sure = sure;
            if look > 0 || part >= NEAR {
                break;
            }
        }
        if !found.sure.is_empty() {
            found.doubtful.clear();
        }
        Ok(found)
    }

    /// The faces of one detection pass over the whole picture, in its pixels, by descending confidence, with ordered landmarks.
    fn detect(
        &self,
        networks: &mut Networks,
        picture: &Pixels,
        input: &DetectionInput,
    ) -> Result<Found, InferenceError> {
        let model = &self.0.pack.manifest().detector;
        let layout = networks.detector.layout();
        let fitted = fit(picture, input.long_side, input.margin, input.enlarge, model.size_multiple, layout);
        let least = model.score_threshold * DOUBTFUL;
        let candidates = networks.detector.candidates_above(&fitted.input, least)?;
        let back = |origin: f64| move |at: f64| (at - origin) / fitted.factor;
        let (sure, mut doubtful): (Vec<_>, Vec<_>) =
            non_maximum_suppression(candidates, model.nms_threshold, MOST_FACES)
                .iter()
                .map(|face| face.moved(back(fitted.origin[0]), back(fitted.origin[1])))
                .map(|face| Detection { landmarks: model.ordered(&face.landmarks), ..face })
                .partition(|face| face.score > model.score_threshold);
        doubtful.truncate(MOST_DOUBTFUL);
        Ok(Found { sure, doubtful })
    }

    fn embed_all(
        &self,
        networks: &mut Networks,
        picture: &Pixels,
        found: Found,
        by: Recognisers,
    ) -> Result<Vec<Face>, InferenceError> {
        let detections = self.looked_at(networks, picture, found)?;
        let mut faces = Vec::with_capacity(detections.len());
        for face in detections {
            faces.extend(self.embed(networks, picture, &face, by)?);
        }
        Ok(faces)
    }

    /// The face with its embedding; none when the landmarks coincide.
    fn embed(
        &self,
        networks: &mut Networks,
        picture: &Pixels,
        face: &Detection,
        by: Recognisers,
    ) -> Result<Option<Face>, InferenceError> {
        let model = &self.0.pack.manifest().recogniser;
        let Some(transform) = Similarity::between(&face.landmarks, &model.template) else { return Ok(None) };
        let chip = Chip::warp(picture, &transform, model.chip_size);
        let quality = Quality::of(&chip, face.width());
        let Some(embedding) = embed(&mut networks.recogniser, &chip.levelled(), model.mirror_average)? else {
            return Ok(None);
        };
        let previous = match by {
            Recognisers::Current => None,
            Recognisers::Both => self.embed_as_before(networks, picture, face)?,
        };
        Ok(Some(Face {
            bounds: bounds(face, f64::from(picture.width()), f64::from(picture.height())),
            score: face.score,
            landmarks: face.landmarks,
            embedding,
            previous,
            quality,
        }))
    }

    /// What the recogniser of the pack before says of a face.
    fn embed_as_before(
        &self,
        networks: &mut Networks,
        picture: &Pixels,
        face: &Detection,
    ) -> Result<Option<Embedding>, InferenceError> {
        let Some(previous) = &self.0.pack.manifest().previous else { return Ok(None) };
        let model = &previous.recogniser;
        let Some(transform) = Similarity::between(&face.landmarks, &model.template) else { return Ok(None) };
        let chip = Chip::warp(picture, &transform, model.chip_size).levelled();
        let Some(recogniser) = networks.previous(&self.0.runtime, &self.0.pack)? else { return Ok(None) };
        embed(recogniser, &chip, model.mirror_average)
    }
}

/// How a whole picture is scaled for detection.
struct DetectionInput {
    /// Long side in pixels, margins included.
    long_side: f64,
    /// Black on each side, as a part of the picture's sides.
    margin: f64,
    enlarge: bool,
}

/// The embedding of a chip, averaged with its mirror image's on demand.
fn embed(
    recogniser: &mut Recogniser,
    chip: &Chip,
    mirror: bool,
) -> Result<Option<Embedding>, InferenceError> {
    let direct = Embedding::normalised(recogniser.embed(chip, false)?);
    if !mirror {
        return Ok(direct);
    }
    let mirrored = Embedding::normalised(recogniser.embed(chip, true)?);
    let (Some(direct), Some(mirrored)) = (direct, mirrored) else { return Ok(None) };
    let sum = direct.values().iter().zip(mirrored.values()).map(|(one, other)| one + other);
    Ok(Embedding::normalised(sum.collect()))
}

fn bounds(face: &Detection, width: f64, height: f64) -> BoundingBox {
    BoundingBox {
        x: face.left / width,
        y: face.top / height,
        width: face.width() / width,
        height: face.height() / height,
    }
}
