//! Measures how well photos that are alike are told from others, on pictures that are unlike and bursts that are made of them.
//!
//! `cargo run --release -p media --example stacks -- FOLDER [PHOTO]`, with the pictures of people in folders of their names. Of a
//! photo it is measured what being described costs beside being decoded and rendered.
//!
//! A frame of a burst is the picture moved by up to 4 % in each direction, cut by up to 6 %, turned by up to 1°, up to 0.7 steps of
//! exposure brighter or darker, with a part in its middle moved by up to 4 % as a face that turns, and written as JPEG of quality
//! 75 to 92.

use std::collections::{HashMap, HashSet};
use std::error::Error;
use std::io::{Cursor, Write};
use std::path::PathBuf;
use std::time::Instant;

use domain::faces::BoundingBox;
use domain::photos::appearance::Appearance;
use domain::photos::stacks::{Faces, Shot, Stack, stacks};
use domain::{PhotoId, Timestamp};
use image::codecs::jpeg::JpegEncoder;
use image::{Rgb, RgbImage};
use media::pictures::{appearance, decode, preview, renditions};

type Failure = Box<dyn Error>;

const BURSTS: usize = 300;
const FRAMES: usize = 5;
const UNLIKE: usize = 2_000;
/// Milliseconds between two frames of a burst.
const FRAME_TIME: i64 = 300;
/// Milliseconds between two unlike pictures: each has the 15 that follow within the time in which bursts are looked for.
const UNLIKE_TIME: i64 = 1_000;
/// Milliseconds from one burst to the next.
const PAUSE: i64 = 60_000;

fn main() -> Result<(), Failure> {
    let folder = std::env::args().nth(1).ok_or("name the folder of pictures")?;
    let mut out = std::io::stdout();
    let mut random = Random(7);
    let mut files = pictures(&PathBuf::from(folder))?;
    if let Some(photo) = std::env::args().nth(2) {
        time(&std::fs::read(photo)?, &mut out)?;
    }
    random.shuffle(&mut files);
    let bursts = bursts(&files[..BURSTS.min(files.len())], &mut random)?;
    writeln!(out, "{bursts} of {BURSTS} bursts of {FRAMES} frames are one stack")?;
    let unlike = &files[..UNLIKE.min(files.len())];
    let shots: Result<Vec<Shot>, Failure> = unlike
        .iter()
        .zip(0..)
        .map(|(file, at)| shot(at, at_moment(at, UNLIKE_TIME), &std::fs::read(file)?))
        .collect();
    let found = sets(&stacks(&shots?));
    writeln!(out, "{} stacks of {} unlike pictures, one a second:", found.len(), unlike.len())?;
    for set in found {
        let names: Vec<String> = set.iter().map(|at| unlike[*at].display().to_string()).collect();
        writeln!(out, "  {}", names.join(" = "))?;
    }
    Ok(())
}

/// Prints medians of ten runs in milliseconds.
fn time(photo: &[u8], out: &mut impl Write) -> Result<(), Failure> {
    let face = BoundingBox { x: 0.4, y: 0.3, width: 0.1, height: 0.15 };
    let faces = [face; 5];
    let mut parts = [const { Vec::new() }; 3];
    for _ in 0..10 {
        let started = Instant::now();
        let pixels = decode(photo, 3000)?;
        parts[0].push(started.elapsed());
        let started = Instant::now();
        let preview = preview(&pixels);
        renditions(&preview)?;
        parts[1].push(started.elapsed());
        let started = Instant::now();
        appearance(&preview, &faces);
        parts[2].push(started.elapsed());
    }
    let [decoded, rendered, described] = parts.map(|mut times| {
        times.sort();
        times[5].as_secs_f64() * 1_000.0
    });
    writeln!(
        out,
        "decoded in {decoded:.1} ms, rendered in {rendered:.1} ms, described in {described:.1} ms"
    )?;
    Ok(())
}

fn pictures(folder: &PathBuf) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for person in std::fs::read_dir(folder)? {
        for file in std::fs::read_dir(person?.path())? {
            files.push(file?.path());
        }
    }
    files.sort();
    Ok(files)
}

/// How many bursts, each of a picture, are one stack of all their frames and nothing else.
fn bursts(files: &[PathBuf], random: &mut Random) -> Result<usize, Failure> {
    let mut shots = Vec::new();
    let mut moment = 0;
    for file in files {
        let picture = image::open(file)?.to_rgb8();
        for _ in 0..FRAMES {
            moment += FRAME_TIME;
            shots.push(shot(shots.len(), Timestamp::from_millis(moment), &frame(&picture, random)?)?);
        }
        moment += PAUSE;
    }
    let whole: HashSet<Vec<usize>> =
        (0..files.len()).map(|at| (at * FRAMES..(at + 1) * FRAMES).collect()).collect();
    Ok(sets(&stacks(&shots)).iter().filter(|set| whole.contains(*set)).count())
}

/// The numbers of the photos of each stack.
fn sets(placed: &[(PhotoId, Stack)]) -> Vec<Vec<usize>> {
    let mut members: HashMap<PhotoId, Vec<usize>> = HashMap::new();
    for (photo, stack) in placed {
        members.entry(stack.id).or_default().push(number_of(*photo));
    }
    let mut sets: Vec<Vec<usize>> = members.into_values().collect();
    sets.iter_mut().for_each(|set| set.sort_unstable());
    sets.sort();
    sets
}

fn at_moment(at: usize, step: i64) -> Timestamp {
    Timestamp::from_millis(i64::try_from(at).unwrap_or(i64::MAX) * step)
}

fn shot(number: usize, at: Timestamp, bytes: &[u8]) -> Result<Shot, Failure> {
    let none: [BoundingBox; 0] = [];
    let Appearance { sharpness, look } = appearance(&decode(bytes, 2048)?, &none);
    let id = format!("00000000-0000-7000-8000-{number:012x}").parse()?;
    Ok(Shot { id, at: Some(at), look, sharpness, faces: Faces::default(), is_chosen: false })
}

fn number_of(photo: PhotoId) -> usize {
    let id = photo.to_string();
    usize::from_str_radix(&id[24..], 16).unwrap_or(usize::MAX)
}

/// A frame of a burst, as the file of a camera.
fn frame(picture: &RgbImage, random: &mut Random) -> Result<Vec<u8>, Failure> {
    let (width, height) = picture.dimensions();
    let (w, h) = (f64::from(width), f64::from(height));
    let (dx, dy) = (random.within(0.04) * w, random.within(0.04) * h);
    let cut = 1.0 - (random.within(0.03) + 0.03);
    let (sin, cos) = random.within(1.0).to_radians().sin_cos();
    let exposure = 2.0_f64.powf(random.within(0.7));
    let (face_dx, face_dy) = (random.within(0.04) * w, random.within(0.04) * h);
    let mut framed = RgbImage::new(width, height);
    for (x, y, pixel) in framed.enumerate_pixels_mut() {
        let (across, down) = (f64::from(x) - w / 2.0, f64::from(y) - h / 2.0);
        let mut from_x = w / 2.0 + cut * (across * cos - down * sin) + dx;
        let mut from_y = h / 2.0 + cut * (across * sin + down * cos) + dy;
        if across.abs() < w * 0.15 && down.abs() < h * 0.15 {
            from_x += face_dx;
            from_y += face_dy;
        }
        *pixel = exposed(sampled(picture, from_x, from_y), exposure);
    }
    let mut bytes = Cursor::new(Vec::new());
    let quality = random.between(75, 92);
    framed.write_with_encoder(JpegEncoder::new_with_quality(&mut bytes, quality))?;
    Ok(bytes.into_inner())
}

/// Between the four nearest pixels; beyond an edge what is at it.
fn sampled(picture: &RgbImage, x: f64, y: f64) -> [f64; 3] {
    let (width, height) = picture.dimensions();
    let (x, y) = (x.clamp(0.0, f64::from(width) - 1.001), y.clamp(0.0, f64::from(height) - 1.001));
    let (left, top) = (x.floor(), y.floor());
    let at = |dx: u32, dy: u32| picture.get_pixel(whole(left) + dx, whole(top) + dy).0.map(f64::from);
    let (right, below) = (x - left, y - top);
    let corners = [
        (at(0, 0), (1.0 - right) * (1.0 - below)),
        (at(1, 0), right * (1.0 - below)),
        (at(0, 1), (1.0 - right) * below),
        (at(1, 1), right * below),
    ];
    [0, 1, 2].map(|channel| corners.iter().map(|(color, part)| color[channel] * part).sum())
}

/// Exposure is of the light, which the values of a picture are a power of.
fn exposed(color: [f64; 3], exposure: f64) -> Rgb<u8> {
    Rgb(color.map(|value| {
        let lit = 255.0 * ((value / 255.0).powf(2.2) * exposure).powf(1.0 / 2.2);
        u8::try_from(whole(lit.clamp(0.0, 255.0))).unwrap_or(u8::MAX)
    }))
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it is a small number of pixels or levels; the helper of the library is its own, and no conversion of std takes f64"
)]
fn whole(value: f64) -> u32 {
    value as u32
}

/// The same numbers in every run (Marsaglia, "Xorshift RNGs", 2003).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn between(&mut self, least: u8, most: u8) -> u8 {
        least + u8::try_from(self.next() % (u64::from(most - least) + 1)).unwrap_or(0)
    }

    /// A number from `-reach` to `reach`.
    fn within(&mut self, reach: f64) -> f64 {
        let part = f64::from(u32::try_from(self.next() >> 32).unwrap_or(u32::MAX)) / f64::from(u32::MAX);
        reach * (2.0 * part - 1.0)
    }

    fn shuffle<T>(&mut self, values: &mut [T]) {
        for last in (1..values.len()).rev() {
            let other = usize::try_from(self.next() % (last as u64 + 1)).unwrap_or(0);
            values.swap(last, other);
        }
    }
}
