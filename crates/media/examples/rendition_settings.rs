//! Compares ways of making renditions on real photos, in turn in one run: time, size, and how near the result comes.
//!
//! `cargo run -p media --example rendition_settings -- PHOTO…`
//!
//! Nearness is the structural similarity (SSIM) of brightness of an encoding to the pixels that were encoded.

use std::error::Error;
use std::io::Write;
use std::time::Instant;

use domain::photos::pixels::Pixels;
use media::pictures::{decode, renditions, resize};
use mozjpeg::{ColorSpace, Compress};

type Failure = Box<dyn Error>;

const ROUNDS: usize = 5;

fn main() -> Result<(), Failure> {
    let mut table = Table::default();
    let files: Vec<String> = std::env::args().skip(1).collect();
    for round in 0..ROUNDS {
        for file in &files {
            let photo = decode(&std::fs::read(file)?, 3000)?;
            table.compare(&photo, round == 0)?;
        }
    }
    Ok(table.print(std::io::stdout())?)
}

/// What was measured of one way, over all photos and rounds.
struct Row {
    name: &'static str,
    milliseconds: Vec<f64>,
    bytes: Vec<f64>,
    similarities: Vec<f64>,
}

#[derive(Default)]
struct Table {
    rows: Vec<Row>,
}

impl Table {
    fn row(&mut self, name: &'static str) -> &mut Row {
        let at = self.rows.iter().position(|row| row.name == name).unwrap_or_else(|| {
            self.rows.push(Row { name, milliseconds: vec![], bytes: vec![], similarities: vec![] });
            self.rows.len() - 1
        });
        &mut self.rows[at]
    }

    fn time<T>(
        &mut self,
        name: &'static str,
        work: impl FnOnce() -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let started = Instant::now();
        let result = work()?;
        self.row(name).milliseconds.push(started.elapsed().as_secs_f64() * 1e3);
        Ok(result)
    }

    fn compare(&mut self, photo: &Pixels, assess: bool) -> Result<(), Failure> {
        let made = self.time("all three", || Ok(renditions(photo)?))?;
        if assess {
            let files = [&made.preview, &made.medium, &made.thumbnail];
            let bytes: usize = files.iter().map(|made| made.jpeg.len()).sum();
            self.row("all three").bytes.push(bytes as f64);
        }
        let mut source = photo.clone();
        for (long_side, name) in [(2048, "preview"), (1024, "medium"), (480, "thumbnail")] {
            source = self.time(name, || Ok(resize(&source, long_side)))?;
        }
        for (long_side, settings) in [
            (2048, PREVIEW_SETTINGS),
            (
                1024,
                &[("medium 82, fitted", 82.0, Mode::Fitted), ("medium 82, standard", 82.0, Mode::Standard)],
            ),
            (
                480,
                &[
                    ("thumbnail 80, fitted", 80.0, Mode::Fitted),
                    ("thumbnail 80, standard", 80.0, Mode::Standard),
                ],
            ),
        ] {
            let pixels = resize(photo, long_side);
            for (name, quality, mode) in settings {
                let file = self.time(name, || encode(&pixels, *quality, *mode))?;
                if assess {
                    self.row(name).bytes.push(file.len() as f64);
                    self.row(name).similarities.push(similarity(&pixels, &decode(&file, long_side)?));
                }
            }
        }
        Ok(())
    }

    fn print(&mut self, mut out: impl Write) -> std::io::Result<()> {
        writeln!(out, "{:24} {:>8} {:>8} {:>9} {:>8}", "", "median", "least ms", "kB", "SSIM")?;
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        for row in &mut self.rows {
            row.milliseconds.sort_by(f64::total_cmp);
            let (median, least) = (row.milliseconds[row.milliseconds.len() / 2], row.milliseconds[0]);
            let (kilobytes, similarity) = (mean(&row.bytes) / 1e3, mean(&row.similarities));
            writeln!(out, "{:24} {median:8.1} {least:8.1} {kilobytes:9.1} {similarity:8.5}", row.name)?;
        }
        Ok(())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// Baseline, the standard's Huffman tables.
    Standard,
    /// Baseline, Huffman tables that fit the picture.
    Fitted,
    /// In several scans.
    Progressive,
    /// All that mozjpeg does by itself: trellis quantisation and a search for the best scans.
    Searched,
}

const PREVIEW_SETTINGS: &[(&str, f32, Mode)] = &[
    ("preview 85, fitted", 85.0, Mode::Fitted),
    ("preview 85, standard", 85.0, Mode::Standard),
    ("preview 84, standard", 84.0, Mode::Standard),
    ("preview 82, standard", 82.0, Mode::Standard),
    ("preview 85, progressive", 85.0, Mode::Progressive),
    ("preview 85, searched", 85.0, Mode::Searched),
];

fn encode(pixels: &Pixels, quality: f32, mode: Mode) -> Result<Vec<u8>, Failure> {
    let mut compress = Compress::new(ColorSpace::JCS_RGB);
    if mode != Mode::Searched {
        compress.set_fastest_defaults();
    }
    compress.set_size(pixels.width() as usize, pixels.height() as usize);
    compress.set_quality(quality);
    compress.set_chroma_sampling_pixel_sizes((2, 2), (2, 2));
    compress.set_optimize_coding(mode != Mode::Standard);
    if mode == Mode::Progressive {
        compress.set_progressive_mode();
    }
    let mut started = compress.start_compress(Vec::new())?;
    started.write_scanlines(pixels.data())?;
    Ok(started.finish()?)
}

/// The mean structural similarity of brightness over squares of eight pixels: 1 for equal pictures.
fn similarity(one: &Pixels, other: &Pixels) -> f64 {
    const SIDE: usize = 8;
    let brightness = |pixels: &Pixels| -> Vec<f64> {
        let luma = |pixel: &[u8; 3]| {
            0.299 * f64::from(pixel[0]) + 0.587 * f64::from(pixel[1]) + 0.114 * f64::from(pixel[2])
        };
        pixels.data().as_chunks::<3>().0.iter().map(luma).collect()
    };
    let (width, height) = (one.width() as usize, one.height() as usize);
    let (one, other) = (brightness(one), brightness(other));
    let (mut total, mut count) = (0.0, 0.0);
    for top in (0..(height + 1).saturating_sub(SIDE)).step_by(SIDE / 2) {
        for left in (0..(width + 1).saturating_sub(SIDE)).step_by(SIDE / 2) {
            let mut sums = [0.0; 5];
            for row in top..top + SIDE {
                for at in row * width + left..row * width + left + SIDE {
                    let (a, b) = (one[at], other[at]);
                    for (sum, value) in sums.iter_mut().zip([a, b, a * a, b * b, a * b]) {
                        *sum += value / (SIDE * SIDE) as f64;
                    }
                }
            }
            let [a, b, aa, bb, ab] = sums;
            let (steady, contrast) = (6.5025, 58.5225);
            total += (2.0 * a * b + steady) * (2.0 * (ab - a * b) + contrast)
                / ((a * a + b * b + steady) * (aa - a * a + bb - b * b + contrast));
            count += 1.0;
        }
    }
    total / count
}
