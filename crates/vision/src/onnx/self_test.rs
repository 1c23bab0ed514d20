//! Before an engine is used it must find a known face and describe it as it did elsewhere, and where the pack has two looks,
//! find it in a photo that needs both.

use domain::faces::Embedding;
use domain::photos::pixels::Pixels;

use super::Onnx;
use super::known_picture::picture;
use crate::detections::Detection;
use crate::errors::{InferenceError, OpenError};
use crate::generations::Recognisers;
use crate::packs::FirstLook;
use crate::resampling::{Canvas, Data, Layout, Part, to_index, to_usize};

const LEAST_SIMILARITY: f32 = 0.99;
const LARGEST_SHIFT: f64 = 2.0;

/// How wide the small face of the photo for two looks is, as a part of what the first look settles.
const SMALL: f64 = 0.9;

/// How far a box of that photo may be off, as a part of the face's width: the looks differ by more than processors do.
const LARGEST_PART_OFF: f64 = 0.25;

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
        if let Some(previous) = &self.0.pack.manifest().previous {
            let found = face.previous.as_ref().map_or(0.0, |found| similarity(found, &previous.embedding));
            if found < LEAST_SIMILARITY {
                return Err(format!(
                    "the embedding of the previous recogniser has a similarity of {found:.3} instead of 1"
                ));
            }
        }
        match &self.0.pack.manifest().detection.first_look {
            Some(first) => self.compare_two_looks(&picture, first),
            None => Ok(()),
        }
    }

    /// Looks for the known face in a photo that shows it twice: as it is, which the first look settles, and so small that only
    /// the second look can.
    fn compare_two_looks(&self, picture: &Pixels, first: &FirstLook) -> Result<(), String> {
        let manifest = self.0.pack.manifest();
        let bounds = manifest.self_test.bounds;
        let long_side = manifest.detection.long_side;
        let wide = SMALL * first.smallest_face * long_side / first.long_side;
        let factor = wide / (bounds[2] - bounds[0]);
        let small = resized(picture, factor).ok_or("the small face is none")?;
        let side = f64::from(picture.long_side());
        let mut photo = Photo::grey(long_side);
        let places = [(picture, [0.0, 0.0], 1.0), (&small, [side + 37.0, side / 2.0 + 21.0], factor)];
        for (shown, [left, top], _) in places {
            photo.paste(shown, [to_index(left), to_index(top)]);
        }
        let photo = photo.pixels().ok_or("the photo is none")?;
        let found =
            self.detect_photo(&mut self.0.index.take(), &photo).map_err(|error| error.to_string())?.sure;
        // Starting must not take the memory of a photo for good.
        self.release_memory().map_err(|error| error.to_string())?;
        if found.len() != places.len() {
            return Err(format!("two looks find {} faces instead of {}", found.len(), places.len()));
        }
        for (_, [left, top], factor) in places {
            let expected = [0, 1, 2, 3].map(|side| bounds[side] * factor + [left, top][side % 2].floor());
            let near = |face: &&Detection| {
                let found = [face.left, face.top, face.right, face.bottom];
                let shift =
                    found.iter().zip(expected).map(|(one, other)| (one - other).abs()).fold(0.0, f64::max);
                shift <= (expected[2] - expected[0]) * LARGEST_PART_OFF
            };
            if found.iter().filter(near).count() != 1 {
                return Err(format!("two looks find no face at {expected:.0?} but {found:.1?}"));
            }
        }
        Ok(())
    }
}

/// The picture made smaller.
fn resized(picture: &Pixels, factor: f64) -> Option<Pixels> {
    let canvas = Canvas::of(picture, f64::from(picture.long_side()) * factor, 1);
    let whole = Part { left: 0, top: 0, right: canvas.width, bottom: canvas.height };
    let Data::Bytes(pixels) = canvas.draw(picture, &whole, &Layout::Bytes).data else { return None };
    let data = pixels.iter().flat_map(|pixel| &pixel[..3]).copied().collect();
    Pixels::new(u32::try_from(canvas.width).ok()?, u32::try_from(canvas.height).ok()?, data)
}

/// A photo that is put together.
struct Photo {
    width: usize,
    height: usize,
    data: Vec<u8>,
}

impl Photo {
    /// Three wide to two high.
    fn grey(long_side: f64) -> Self {
        let (width, height) = (to_index(long_side), to_index(long_side * 2.0 / 3.0));
        Self { width, height, data: vec![128; width * height * 3] }
    }

    /// Puts a picture where it fits.
    fn paste(&mut self, picture: &Pixels, [left, top]: [usize; 2]) {
        let length = to_usize(picture.width()).min(self.width.saturating_sub(left)) * 3;
        let lines = picture.data().chunks_exact(to_usize(picture.width()) * 3);
        for (line, row) in lines.zip(top..self.height) {
            let start = (row * self.width + left) * 3;
            self.data[start..start + length].copy_from_slice(&line[..length]);
        }
    }

    fn pixels(self) -> Option<Pixels> {
        Pixels::new(u32::try_from(self.width).ok()?, u32::try_from(self.height).ok()?, self.data)
    }
}

/// To what the pack expects, whose length is rounded.
fn similarity(found: &Embedding, expected: &[f32]) -> f32 {
    let length = expected.iter().map(|value| value * value).sum::<f32>().sqrt();
    found.values().iter().zip(expected).map(|(one, other)| one * other).sum::<f32>() / length
}
