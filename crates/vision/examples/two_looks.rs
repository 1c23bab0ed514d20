//! Compares two packs on the photos of simulated events (`bench/make_event.py`): which of one pack's faces the other finds
//! too, and what the search for faces costs, in turn on the same thread.
//!
//! `cargo run --release -p vision --example two_looks -- PACK OTHER EVENT...`
//!
//! Time is that of the processor, so that it counts on a busy machine too. Needs Linux.
#![allow(clippy::print_stdout, reason = "the output of a command")]

use std::error::Error;
use std::path::{Path, PathBuf};

use domain::faces::BoundingBox;
use domain::photos::pixels::Pixels;
use vision::measuring::detect;
use vision::{Engine, EngineOptions, Face};

/// Upper bounds of the classes of widths, in pixels of the photo.
const CLASSES: [f64; 6] = [24.0, 40.0, 60.0, 80.0, 160.0, f64::INFINITY];

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [pack, other, events @ ..] = arguments.as_slice() else {
        return Err("usage: two_looks PACK OTHER EVENT...".into());
    };
    let open = |folder: &Path| Engine::open(folder, EngineOptions::default());
    let engines = [open(pack)?, open(other)?];
    println!("{} and {}", engines[0].arithmetic(), engines[1].arithmetic());
    for event in events {
        let mut comparison = Comparison::default();
        let photos = std::fs::read_dir(event.join("photos"))?;
        let mut photos: Vec<PathBuf> =
            photos.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
        photos.sort();
        for (number, file) in photos.iter().enumerate() {
            comparison.photo(&engines, &read(file)?, number, file)?;
        }
        println!("{}: {} photos", event.display(), photos.len());
        comparison.print();
    }
    Ok(())
}

#[derive(Default)]
struct Comparison {
    /// By class: faces that the one pack finds, those of them that the other finds, and those that the other alone finds.
    classes: [[usize; 3]; CLASSES.len()],
    /// Of faces that both find, in widths of the face, and the cosine of what is described.
    landmarks: Vec<f64>,
    boxes: Vec<f64>,
    cosines: Vec<f64>,
    /// Nanoseconds of the detector, and of all.
    times: [Vec<[u64; 2]>; 2],
}

impl Comparison {
    fn photo(
        &mut self,
        engines: &[Engine; 2],
        photo: &Pixels,
        number: usize,
        file: &Path,
    ) -> Result<(), Box<dyn Error>> {
        let mut found: [Vec<Face>; 2] = [Vec::new(), Vec::new()];
        for turn in [0, 1] {
            let which = (number + turn) % 2;
            let started = processor_time()?;
            detect(&engines[which], photo)?;
            let detected = processor_time()?;
            found[which] = engines[which].faces(photo)?;
            self.times[which].push([detected - started, processor_time()? - detected]);
        }
        let width = f64::from(photo.width());
        let class = |face: &Face| {
            let wide = face.bounds.width * width;
            CLASSES.iter().position(|bound| wide < *bound).unwrap_or(CLASSES.len() - 1)
        };
        let [faces, others] = &found;
        let mut used = vec![false; others.len()];
        for face in faces {
            let best = (0..others.len())
                .filter(|at| !used[*at])
                .max_by(|one, other| {
                    let overlap = |at: &usize| overlap(&face.bounds, &others[*at].bounds);
                    overlap(one).total_cmp(&overlap(other))
                })
                .filter(|at| overlap(&face.bounds, &others[*at].bounds) > 0.3);
            let row = &mut self.classes[class(face)];
            row[0] += 1;
            let Some(at) = best else {
                println!("  {} lost: {:.2} {:?}", name(file), face.score, pixels(face, photo));
                continue;
            };
            row[1] += 1;
            used[at] = true;
            let other = &others[at];
            let wide = face.bounds.width * width;
            let moved = face.landmarks.iter().zip(&other.landmarks);
            let moved: f64 = moved.map(|(one, other)| (one[0] - other[0]).hypot(one[1] - other[1])).sum();
            self.landmarks.push(moved / 5.0 / wide);
            self.boxes.push(1.0 - overlap(&face.bounds, &other.bounds));
            let products = face.embedding.values().iter().zip(other.embedding.values());
            self.cosines.push(f64::from(products.map(|(one, other)| one * other).sum::<f32>()));
        }
        for (face, _) in others.iter().zip(used).filter(|(_, used)| !used) {
            println!("  {} more: {:.2} {:?}", name(file), face.score, pixels(face, photo));
            self.classes[class(face)][2] += 1;
        }
        Ok(())
    }

    fn print(&mut self) {
        for (bound, [all, both, more]) in CLASSES.iter().zip(self.classes) {
            println!("  under {bound:>4} px: {both} of {all}, {more} more");
        }
        let sum = |at: usize| self.classes.iter().map(|row| row[at]).sum::<usize>();
        println!("  all: {} of {}, {} more", sum(1), sum(0), sum(2));
        let [mean, most] = mean_and_95(&mut self.landmarks);
        println!("  landmarks: mean {mean:.4}, 95 of 100 within {most:.4} of a face's width");
        let [mean, most] = mean_and_95(&mut self.boxes);
        println!("  boxes: mean {mean:.4}, 95 of 100 within {most:.4} of 1 - overlap");
        self.cosines.sort_by(f64::total_cmp);
        let [mean, _] = mean_and_95(&mut self.cosines.clone());
        let low = self.cosines.get(self.cosines.len() / 20).copied().unwrap_or(f64::NAN);
        println!("  cosines: mean {mean:.4}, 95 of 100 above {low:.4}");
        for (at, what) in [(0, "detector"), (1, "all")] {
            let total = |times: &[[u64; 2]]| times.iter().map(|time| time[at]).sum::<u64>() as f64;
            let [one, other] = [total(&self.times[0]), total(&self.times[1])];
            let photos = self.times[0].len() as f64 * 1e6;
            let mut ratios: Vec<f64> = self.times[0]
                .iter()
                .zip(&self.times[1])
                .map(|(one, other)| other[at] as f64 / one[at] as f64)
                .collect();
            ratios.sort_by(f64::total_cmp);
            let worst = ratios.last().copied().unwrap_or(f64::NAN);
            let [_, high] = mean_and_95(&mut ratios);
            println!(
                "  {what}: {:.1} and {:.1} ms a photo, {:.3} of it; 95 of 100 photos below {high:.3}, worst {worst:.3}",
                one / photos,
                other / photos,
                other / one
            );
        }
    }
}

fn name(file: &Path) -> String {
    file.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn pixels(face: &Face, photo: &Pixels) -> [i64; 4] {
    let (width, height) = (f64::from(photo.width()), f64::from(photo.height()));
    let bounds = &face.bounds;
    [bounds.x * width, bounds.y * height, bounds.width * width, bounds.height * height]
        .map(|value| value.round() as i64)
}

fn overlap(one: &BoundingBox, other: &BoundingBox) -> f64 {
    let shared = |from: f64, length: f64, other: f64, other_length: f64| {
        ((from + length).min(other + other_length) - from.max(other)).max(0.0)
    };
    let area =
        shared(one.x, one.width, other.x, other.width) * shared(one.y, one.height, other.y, other.height);
    area / (one.width * one.height + other.width * other.height - area)
}

fn mean_and_95(values: &mut [f64]) -> [f64; 2] {
    values.sort_by(f64::total_cmp);
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    [mean, values.get(values.len() * 19 / 20).copied().unwrap_or(f64::NAN)]
}

/// Nanoseconds that this thread has run (proc_pid_schedstat(5)); the engine runs its networks on it.
fn processor_time() -> Result<u64, Box<dyn Error>> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat")?;
    Ok(text.split(' ').next().ok_or("no time")?.parse()?)
}

fn read(file: &Path) -> Result<Pixels, Box<dyn Error>> {
    let picture = image::open(file)?.into_rgb8();
    Ok(Pixels::new(picture.width(), picture.height(), picture.into_raw()).ok_or("an empty picture")?)
}
