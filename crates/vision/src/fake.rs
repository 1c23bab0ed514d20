//! The test double: coloured blocks in place of people.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use domain::faces::{BoundingBox, Embedding};
use domain::photos::pixels::Pixels;

use crate::errors::InferenceError;
use crate::face_index::{Matching, Thresholds};
use crate::faces::{Face, MOST_SELFIE_FACES, Quality, Selfie, prominence};
use crate::generations::Recognisers;

/// Reads a picture as upright blocks of plain colour, side by side; needs no models.
///
/// Each block of a clear hue that is at least eight pixels wide is a face of the person of that hue: hues a few
/// degrees apart are the same person, hues 60° apart are strangers. Black, grey and white are background, so they can
/// separate two people of one hue. As in real life a face can be too small (narrower than 40 pixels), too blurry (a pale
/// colour: saturation below a half), or too dark (brightest channel below 96 of 255). The noise of a JPEG file does
/// no harm.
#[derive(Clone, Debug, Default)]
pub struct FakeEngine {
    broken: Arc<AtomicBool>,
    selfies: Arc<Counter>,
    photos: Arc<Counter>,
    descriptions: Arc<Counter>,
    is_successor: bool,
}

/// Counts the calls of a kind, and lets them wait.
#[derive(Debug, Default)]
struct Counter {
    state: Mutex<Calls>,
    changed: Condvar,
}

/// The calls of a kind until now.
#[derive(Clone, Copy, Debug, Default)]
pub struct Calls {
    /// Those that have begun.
    pub begun: usize,
    /// Those that run now.
    pub running: usize,
    /// Most that ran at once.
    pub most: usize,
    paused: bool,
}

/// Lets calls of a kind wait until it is dropped.
#[must_use]
pub struct PausedCalls(Arc<Counter>);

impl Drop for PausedCalls {
    fn drop(&mut self) {
        self.0.lock().paused = false;
        self.0.changed.notify_all();
    }
}

impl Counter {
    fn lock(&self) -> MutexGuard<'_, Calls> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Until the answer is dropped, calls wait.
    fn pause(self: &Arc<Self>) -> PausedCalls {
        self.lock().paused = true;
        PausedCalls(self.clone())
    }

    /// One call, which waits while they are paused.
    fn pass(&self) {
        let mut calls = self.lock();
        calls.begun += 1;
        calls.running += 1;
        calls.most = calls.most.max(calls.running);
        let paused = self.changed.wait_while(calls, |calls| calls.paused);
        paused.unwrap_or_else(PoisonError::into_inner).running -= 1;
    }
}

/// Hues an embedding has a number for; each number falls off with the distance from its hue.
const HUES: u16 = 36;
/// The same of a successor: its embeddings cannot be compared with the others.
const HUES_OF_SUCCESSOR: u16 = 30;
const FALL_OFF_DEGREES: f64 = 10.0;

const NARROWEST: usize = 8;
const LEAST_VALUE: f64 = 24.0;
const LEAST_SATURATION: f64 = 0.25;
/// A hue this far from the block's begins another block.
const SAME_HUE_DEGREES: f64 = 12.0;

struct Block {
    start: usize,
    end: usize,
    /// Mean of the columns.
    colour: [f64; 3],
}

impl FakeEngine {
    /// Stored with the embeddings of the double.
    pub const PACK_ID: &str = "fake";

    /// Stored with those of its successor.
    pub const SUCCESSOR_ID: &str = "fake-2";

    /// The double.
    pub fn new() -> Self {
        Self::default()
    }

    /// A double of the pack after, which has the first one's recogniser too.
    pub fn successor() -> Self {
        Self { is_successor: true, ..Self::default() }
    }

    pub(crate) const fn pack_id(&self) -> &'static str {
        if self.is_successor { Self::SUCCESSOR_ID } else { Self::PACK_ID }
    }

    pub(crate) fn previous_id(&self) -> Option<&'static str> {
        self.is_successor.then_some(Self::PACK_ID)
    }

    /// From now on every call fails, or works again; clones share it.
    pub fn set_broken(&self, broken: bool) {
        self.broken.store(broken, Ordering::SeqCst);
    }

    /// Until the answer is dropped, calls for selfies wait; clones share it.
    pub fn pause_selfies(&self) -> PausedCalls {
        self.selfies.pause()
    }

    /// Until the answer is dropped, calls for photos wait; clones share it.
    pub fn pause_photos(&self) -> PausedCalls {
        self.photos.pause()
    }

    /// The calls for photos until now.
    pub fn photo_calls(&self) -> Calls {
        *self.photos.lock()
    }

    /// The calls for descriptions of known places until now.
    pub fn description_calls(&self) -> Calls {
        *self.descriptions.lock()
    }

    /// The calls for selfies until now.
    pub fn selfie_calls(&self) -> Calls {
        *self.selfies.lock()
    }

    pub(crate) fn ping(&self) -> Result<(), InferenceError> {
        if self.broken.load(Ordering::SeqCst) {
            return Err(InferenceError { reason: String::from("the double is broken, as the test wished") });
        }
        Ok(())
    }

    pub(crate) fn matching() -> Matching {
        Matching::new(vec![Thresholds { faces: 1.0, strict: 0.8, normal: 0.6, loose: 0.4 }], 5, 0.9)
    }

    pub(crate) fn faces(&self, picture: &Pixels, by: Recognisers) -> Vec<Face> {
        self.photos.pass();
        self.found(picture, by)
    }

    pub(crate) fn describe(&self, picture: &Pixels, places: &[BoundingBox]) -> Vec<Option<Face>> {
        self.descriptions.pass();
        let found = self.found(picture, Recognisers::Current);
        let at = |place: &BoundingBox| found.iter().find(|face| face.bounds.is_same_face(place)).cloned();
        places.iter().map(at).collect()
    }

    pub(crate) fn places(&self, picture: &Pixels) -> Vec<BoundingBox> {
        self.selfies.pass();
        self.found(picture, Recognisers::Current).iter().map(|face| face.bounds).collect()
    }

    fn found(&self, picture: &Pixels, by: Recognisers) -> Vec<Face> {
        let mut faces: Vec<Face> =
            blocks(picture).iter().filter_map(|block| face(block, picture, self.is_successor)).collect();
        if by == Recognisers::Current || !self.is_successor {
            faces.iter_mut().for_each(|face| face.previous = None);
        }
        faces
    }

    pub(crate) fn selfie(&self, picture: &Pixels, by: Recognisers) -> Selfie {
        self.selfies.pass();
        let mut faces = self.found(picture, by);
        let order =
            |face: &Face| prominence(&face.bounds, f64::from(picture.width()), f64::from(picture.height()));
        faces.sort_by(|one, other| order(other).total_cmp(&order(one)));
        faces.truncate(MOST_SELFIE_FACES);
        Selfie { faces, detection: Duration::ZERO, description: Duration::ZERO }
    }
}

/// Neighbouring columns of one hue.
#[allow(clippy::cast_precision_loss, reason = "columns of a picture")]
fn blocks(picture: &Pixels) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut open = false;
    for (column, colour) in columns(picture).into_iter().enumerate() {
        let Some(hue) = hue(colour) else {
            open = false;
            continue;
        };
        match blocks.last_mut() {
            Some(last)
                if open
                    && self::hue(last.colour).is_some_and(|other| apart(hue, other) < SAME_HUE_DEGREES) =>
            {
                let count = (last.end - last.start) as f64;
                for (mean, sample) in last.colour.iter_mut().zip(colour) {
                    *mean = (*mean * count + sample) / (count + 1.0);
                }
                last.end = column + 1;
            }
            _ => blocks.push(Block { start: column, end: column + 1, colour }),
        }
        open = true;
    }
    blocks.retain(|block| block.end - block.start >= NARROWEST);
    blocks
}

/// Mean colour of the middle half of each column.
fn columns(picture: &Pixels) -> Vec<[f64; 3]> {
    let (width, height) = (picture.width() as usize, picture.height() as usize);
    let rows = height / 4..(height - height / 4).max(height / 4 + 1);
    let mut sums = vec![[0.0; 3]; width];
    for row in rows.clone() {
        let pixels = &picture.data().as_chunks::<3>().0[row * width..(row + 1) * width];
        for (sum, pixel) in sums.iter_mut().zip(pixels) {
            for (sum, sample) in sum.iter_mut().zip(pixel) {
                *sum += f64::from(*sample);
            }
        }
    }
    #[allow(clippy::cast_precision_loss, reason = "rows of a picture")]
    let count = rows.len() as f64;
    sums.into_iter().map(|sum| sum.map(|total| total / count)).collect()
}

fn value(colour: [f64; 3]) -> f64 {
    colour[0].max(colour[1]).max(colour[2])
}

fn saturation(colour: [f64; 3]) -> f64 {
    1.0 - colour[0].min(colour[1]).min(colour[2]) / value(colour).max(1.0)
}

/// The hue in degrees; nothing for black, grey and white.
fn hue(colour: [f64; 3]) -> Option<f64> {
    if value(colour) < LEAST_VALUE || saturation(colour) < LEAST_SATURATION {
        return None;
    }
    let [red, green, blue] = colour;
    let across = 3.0f64.sqrt() / 2.0 * (green - blue);
    Some(across.atan2(red - f64::midpoint(green, blue)).to_degrees().rem_euclid(360.0))
}

fn apart(one: f64, other: f64) -> f64 {
    let difference = (one - other).abs();
    difference.min(360.0 - difference)
}

/// Where in the width of a block white is painted, in the top eighth of the picture: there is the nose of a head that is turned.
#[allow(clippy::cast_precision_loss, reason = "columns of a picture")]
fn white_above(block: &Block, picture: &Pixels) -> Option<f64> {
    let (width, rows) = (picture.width() as usize, picture.height() as usize / 8);
    let lines = picture.data().as_chunks::<3>().0.chunks_exact(width).take(rows);
    let white = lines.flat_map(|line| {
        let pixels = line[block.start..block.end].iter().enumerate();
        pixels.filter(|(_, pixel)| pixel.iter().all(|sample| *sample >= 200)).map(|(column, _)| column as f64)
    });
    let (sum, count) = white.fold((0.0, 0.0), |(sum, count), column| (sum + column, count + 1.0));
    (count > 0.0).then(|| sum / count / (block.end - block.start) as f64)
}

/// What a recogniser of so many hues says of one.
fn embedding(hue: f64, hues: u16) -> Option<Embedding> {
    let values = (0..hues).map(|place| {
        let distance = apart(hue, f64::from(place) * 360.0 / f64::from(hues)) / FALL_OFF_DEGREES;
        #[allow(clippy::cast_possible_truncation, reason = "between 0 and 1")]
        let number = (-distance * distance / 2.0).exp() as f32;
        number
    });
    Embedding::normalised(values.collect())
}

fn face(block: &Block, picture: &Pixels, is_successor: bool) -> Option<Face> {
    let hue = hue(block.colour)?;
    let before = embedding(hue, HUES);
    let (embedding, previous) =
        if is_successor { (embedding(hue, HUES_OF_SUCCESSOR)?, before) } else { (before?, None) };
    #[allow(clippy::cast_precision_loss, reason = "columns of a picture")]
    let (left, width_pixels) = (block.start as f64, (block.end - block.start) as f64);
    let (width, height) = (f64::from(picture.width()), f64::from(picture.height()));
    let at = |x: f64, y: f64| [left + x * width_pixels, y * height];
    let nose = white_above(block, picture).unwrap_or(0.5);
    Some(Face {
        bounds: BoundingBox { x: left / width, y: 0.0, width: width_pixels / width, height: 1.0 },
        score: 1.0,
        landmarks: [at(0.3, 0.4), at(0.7, 0.4), at(nose, 0.6), at(0.35, 0.8), at(0.65, 0.8)],
        embedding,
        previous,
        quality: Quality {
            width_pixels,
            // The scale of `Quality`: refused for a pale colour, blurred for one that is less pale, ample otherwise.
            sharpness: match saturation(block.colour) {
                pale if pale < 0.5 => 0.0,
                less_pale if less_pale < 0.55 => 0.01,
                _ => 1.0,
            },
            brightness: if value(block.colour) < 96.0 { 0.0 } else { value(block.colour) / 255.0 },
        },
    })
}

#[cfg(test)]
mod tests {
    use domain::faces::Strictness;

    use super::*;
    use crate::{Engine, Flaw};

    const RED: [u8; 3] = [220, 30, 30];
    const GREEN: [u8; 3] = [30, 200, 40];
    const BLUE: [u8; 3] = [40, 60, 220];
    const BLACK: [u8; 3] = [0, 0, 0];

    fn stripes(colours: &[[u8; 3]], each: usize) -> Pixels {
        let row: Vec<u8> = colours.iter().flat_map(|colour| colour.repeat(each)).collect();
        let width = u32::try_from(colours.len() * each).unwrap();
        Pixels::new(width, 50, row.repeat(50)).unwrap()
    }

    #[test]
    fn people_are_found_again_by_their_colour() {
        let engine = Engine::fake();
        let first = engine.faces(&stripes(&[RED, GREEN, BLACK, GREEN], 60)).unwrap();
        assert_eq!(first.len(), 3);
        assert!((first[1].bounds.x - 0.25).abs() < 1e-9 && (first[1].bounds.width - 0.25).abs() < 1e-9);
        let face_index = engine.face_index(first.iter().map(|face| &face.embedding)).unwrap();
        let slightly_other_green = engine.selfie(&stripes(&[[34, 190, 52]], 300)).unwrap().faces;
        let hits =
            face_index.search(&[slightly_other_green[0].embedding.clone()], Strictness::Strict).unwrap();
        assert_eq!(hits.iter().map(|hit| hit.row).collect::<Vec<_>>(), [1, 2]);
        let stranger = engine.selfie(&stripes(&[BLUE], 300)).unwrap().faces;
        assert!(face_index.search(&[stranger[0].embedding.clone()], Strictness::Loose).unwrap().is_empty());
    }

    #[test]
    fn a_jpeg_file_changes_nobody() {
        let picture = stripes(&[RED, BLACK, GREEN, BLUE], 64);
        let mut file = Vec::new();
        image::codecs::jpeg::JpegEncoder::new_with_quality(&mut file, 40)
            .encode(picture.data(), picture.width(), picture.height(), image::ExtendedColorType::Rgb8)
            .unwrap();
        let decoded = image::load_from_memory(&file).unwrap().into_rgb8();
        let decoded = Pixels::new(decoded.width(), decoded.height(), decoded.into_raw()).unwrap();
        let (before, after) = (
            FakeEngine::new().faces(&picture, Recognisers::Current),
            FakeEngine::new().faces(&decoded, Recognisers::Current),
        );
        assert_eq!(after.len(), 3);
        for (one, other) in before.iter().zip(&after) {
            let pairs = one.embedding.values().iter().zip(other.embedding.values());
            assert!(pairs.map(|(left, right)| left * right).sum::<f32>() > 0.97);
        }
    }

    #[test]
    fn nobody_is_in_a_black_grey_or_white_picture() {
        assert!(
            FakeEngine::new()
                .faces(&stripes(&[BLACK, [128; 3], [255; 3]], 90), Recognisers::Current)
                .is_empty()
        );
        assert!(FakeEngine::new().faces(&stripes(&[RED], 7), Recognisers::Current).is_empty(), "too narrow");
        assert!(
            FakeEngine::new()
                .faces(&Pixels::new(1, 1, vec![255, 0, 0]).unwrap(), Recognisers::Current)
                .is_empty()
        );
    }

    #[test]
    fn flaws_can_be_painted() {
        let flaw = |colour, width| {
            FakeEngine::new().selfie(&stripes(&[colour], width), Recognisers::Current).faces[0].quality.flaw()
        };
        assert_eq!(flaw(RED, 200), None);
        assert_eq!(flaw(RED, 30), Some(Flaw::TooSmall));
        assert_eq!(flaw([230, 150, 150], 200), Some(Flaw::TooBlurry));
        assert_eq!(flaw([80, 10, 10], 200), Some(Flaw::TooDark));
        let blurred = |colour| {
            FakeEngine::new().selfie(&stripes(&[colour], 200), Recognisers::Current).faces[0]
                .quality
                .is_blurred()
        };
        assert!(!blurred(RED));
        assert_eq!((flaw([230, 108, 108], 200), blurred([230, 108, 108])), (None, true));
    }

    #[test]
    fn heads_can_be_turned() {
        let turned = |white: std::ops::Range<u32>| {
            let pixel = |x: u32, y: u32| if y < 5 && white.contains(&x) { [255; 3] } else { RED };
            let data = (0..50).flat_map(|y| (0..200).flat_map(move |x| pixel(x, y))).collect();
            let face = FakeEngine::new()
                .selfie(&Pixels::new(200, 50, data).unwrap(), Recognisers::Current)
                .faces
                .remove(0);
            face.landmarks[2][0]
        };
        assert!((turned(0..0) - 100.0).abs() < 1.0);
        assert!((turned(140..160) - 150.0).abs() < 1.0);
        assert!((turned(40..60) - 50.0).abs() < 1.0);
    }

    #[test]
    fn the_middle_of_a_selfie_comes_first() {
        let faces = FakeEngine::new().selfie(&stripes(&[RED, BLUE, GREEN], 100), Recognisers::Current).faces;
        assert!((faces[0].bounds.x - 1.0 / 3.0).abs() < 0.01);
    }
}
