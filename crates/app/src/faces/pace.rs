//! How many photos this machine makes searchable in a second, to be said before somebody waits for thousands.

use std::fmt;
use std::num::NonZeroUsize;
use std::thread;
use std::time::{Duration, Instant};

use domain::photos::pixels::Pixels;
use vision::Engine;

use super::indexing::DECODE_LONG_SIDE;
use crate::operations::runtime::tasks;
use crate::{App, Failure, Result};

/// What cameras of today take: 24 megapixels.
const WIDTH: u32 = 6_000;
const HEIGHT: u32 = 4_000;
/// The quality of cameras' JPEG files.
const QUALITY: u8 = 92;
/// How long photos are indexed to see how fast it goes.
pub const MEASURED: Duration = Duration::from_secs(2);
/// As in a photo of a few people.
const FACES: u32 = 4;

/// Photos of 24 megapixels a second.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Pace(f64);

impl Pace {
    /// How fast this service makes photos searchable, which takes about two seconds of all threads that index.
    ///
    /// # Errors
    /// When the inference engine fails.
    pub async fn of(app: &App) -> Result<Self> {
        let threads = NonZeroUsize::new(app.settings.index_workers).unwrap_or(NonZeroUsize::MIN);
        let engine = app.engine.clone();
        tasks::background(move || Self::measure(&engine, threads, MEASURED)).await?
    }

    /// Makes a photo, and does with it what indexing does, but for the media store and the database, with so many threads for
    /// about so long; each thread does at least one. Blocks.
    ///
    /// # Errors
    /// When the inference engine fails.
    pub fn measure(engine: &Engine, threads: NonZeroUsize, during: Duration) -> Result<Self> {
        let photo = media::pictures::encode_jpeg(&scene(engine)?, QUALITY)?;
        let one = || -> Result<()> {
            let pixels = media::pictures::decode(&photo, DECODE_LONG_SIDE)
                .map_err(|unreadable| Failure::Internal(unreadable.to_string()))?;
            media::pictures::renditions(&media::pictures::preview(&pixels))?;
            engine.faces(&pixels)?;
            Ok(())
        };
        let work = || -> Result<f64> {
            let (started, mut done) = (Instant::now(), 0.0);
            while done == 0.0 || started.elapsed() < during {
                one()?;
                done += 1.0;
            }
            Ok(done / started.elapsed().as_secs_f64())
        };
        // The networks take their memory with their first picture.
        one()?;
        thread::scope(|scope| {
            let threads: Vec<_> = (0..threads.get()).map(|_| scope.spawn(work)).collect();
            let paces = threads.into_iter().map(|thread| {
                thread
                    .join()
                    .unwrap_or_else(|_| Err(Failure::Internal(String::from("the measurement panicked"))))
            });
            paces.sum::<Result<f64>>().map(Self)
        })
    }
}

impl fmt::Display for Pace {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(pace) = *self;
        match pace {
            ..0.025 => write!(formatter, "about one photo a minute")?,
            ..0.95 => write!(formatter, "about {:.0} photos a minute", pace * 60.0)?,
            0.95..1.5 => write!(formatter, "about one photo a second")?,
            _ => write!(formatter, "about {pace:.0} photos a second")?,
        }
        let minutes = (1_000.0 / pace / 60.0).round().max(1.0);
        match minutes {
            ..1.5 => write!(formatter, ": 1,000 photos take a minute"),
            ..120.0 => write!(formatter, ": 1,000 photos take {minutes:.0} minutes"),
            _ => write!(formatter, ": 1,000 photos take {:.0} hours", minutes / 60.0),
        }
    }
}

/// A picture in which the pack's own face is some times, before grain like that of a sensor, which makes a file as large as a
/// camera's.
fn scene(engine: &Engine) -> Result<Pixels> {
    let (width, height) = (WIDTH as usize, HEIGHT as usize);
    let mut data = Vec::with_capacity(width * height * 3);
    let mut grain = 1_u32;
    for y in 0..height {
        for x in 0..width {
            // xorshift (Marsaglia, 2003)
            grain ^= grain << 13;
            grain ^= grain >> 17;
            grain ^= grain << 5;
            let noise = (grain & 7) as u8;
            data.extend([(x * 160 / width) as u8 + noise, (y * 160 / height) as u8 + noise, 90 + noise]);
        }
    }
    if let Some(face) = engine.known_picture()? {
        for place in 0..FACES {
            let left = (WIDTH * (2 * place + 1) / (2 * FACES)).saturating_sub(face.width() / 2);
            paste(&mut data, &face, left as usize, (HEIGHT / 3) as usize);
        }
    }
    Pixels::new(WIDTH, HEIGHT, data)
        .ok_or_else(|| Failure::Internal(String::from("the scene has another size")))
}

/// Puts a picture into the scene's bytes, as far as it lies within.
fn paste(scene: &mut [u8], picture: &Pixels, left: usize, top: usize) {
    let (width, row) = (WIDTH as usize * 3, picture.width() as usize * 3);
    let from = left * 3;
    let length = row.min(width - from);
    let lines = scene[top * width..].chunks_exact_mut(width);
    for (line, pixels) in lines.zip(picture.data().chunks_exact(row)) {
        line[from..from + length].copy_from_slice(&pixels[..length]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pace_is_said_in_words_that_tell_how_long_it_takes() {
        // [RUN350]
        for (pace, words) in [
            (0.02, "about one photo a minute: 1,000 photos take 14 hours"),
            (0.5, "about 30 photos a minute: 1,000 photos take 33 minutes"),
            (1.1, "about one photo a second: 1,000 photos take 15 minutes"),
            (2.8, "about 3 photos a second: 1,000 photos take 6 minutes"),
            (17.2, "about 17 photos a second: 1,000 photos take a minute"),
        ] {
            assert_eq!(Pace(pace).to_string(), words);
        }
    }

    #[test]
    fn a_pace_is_measured_with_at_least_one_photo() {
        let pace = Pace::measure(&Engine::fake(), NonZeroUsize::MIN, Duration::ZERO).unwrap();
        assert!(pace > Pace(0.0) && pace < Pace(1_000.0), "{pace:?}");
    }
}
