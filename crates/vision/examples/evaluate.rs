//! Measures the whole way from photos to answers on a simulated event (`make_event.py`).
//!
//! `cargo run --release -p vision --example evaluate -- models EVENT [--threads N] [--dump FILE]`
//!
//! The dump holds every face, for choosing thresholds: one JSON object a line.
#![allow(clippy::print_stdout, reason = "the output of a command")]

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use domain::faces::Strictness;
use domain::photos::pixels::Pixels;
use serde_json::json;
use vision::evaluation::Tally;
use vision::{Engine, EngineOptions, Face};

type Failure = Box<dyn Error + Send + Sync>;

#[derive(serde::Deserialize)]
struct Truth {
    photos: BTreeMap<String, Vec<String>>,
    people: BTreeMap<String, BTreeSet<String>>,
    strangers: Vec<String>,
}

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [models, event, options @ ..] = arguments.as_slice() else {
        return Err("usage: evaluate MODELS EVENT [--threads N] [--dump FILE]".into());
    };
    let option = |name: &str| options.iter().position(|word| word == name).and_then(|at| options.get(at + 1));
    let threads = option("--threads").map_or(Ok(NonZeroUsize::MIN), |text| text.parse())?;
    let event = PathBuf::from(event);
    let truth: Truth = serde_json::from_str(&std::fs::read_to_string(event.join("truth.json"))?)?;
    let engine = Engine::open(
        Path::new(models),
        EngineOptions { index_threads: threads, ..EngineOptions::default() },
    )?;

    let names: Vec<&String> = truth.photos.keys().collect();
    let (photos, seconds) = index(&engine, &event, &names, threads)?;
    let faces: Vec<(&String, &Face)> = names
        .iter()
        .zip(&photos)
        .flat_map(|(name, faces)| faces.iter().map(move |face| (*name, face)))
        .collect();
    #[allow(clippy::cast_precision_loss, reason = "a few hundred photos")]
    let rate = names.len() as f64 / seconds;
    let shown: usize = truth.photos.values().map(Vec::len).sum();
    println!(
        "{} photos, {} faces found, {shown} shown; {rate:.2} photos/s with {threads} threads",
        names.len(),
        faces.len()
    );

    let started = Instant::now();
    let attendees = selfies(&engine, &event.join("selfies"), truth.people.keys())?;
    let strangers = selfies(&engine, &event.join("strangers"), truth.strangers.iter())?;
    println!("{} selfies in {:.1} s", attendees.len() + strangers.len(), started.elapsed().as_secs_f64());
    for (name, faces) in attendees.iter().chain(&strangers) {
        match faces.first() {
            None => println!("no face in the selfie of {name}"),
            Some(face) => {
                if let Some(flaw) = face.quality.flaw() {
                    println!("the selfie of {name} is refused: {flaw:?} {:?}", face.quality);
                }
            }
        }
    }
    if let Some(file) = option("--dump") {
        dump(Path::new(file), &faces, &attendees, &strangers)?;
    }

    let face_index = engine.face_index(faces.iter().map(|(_, face)| &face.embedding))?;
    for strictness in [Strictness::Strict, Strictness::Normal, Strictness::Loose] {
        let mut tally = Tally::default();
        let search = |found: &[Face]| -> Result<BTreeSet<String>, Failure> {
            let Some(face) = found.first() else { return Ok(BTreeSet::new()) };
            let hits = face_index.search(std::slice::from_ref(&face.embedding), strictness)?;
            Ok(hits.into_iter().map(|hit| faces[hit.row].0.clone()).collect())
        };
        for (name, found) in &attendees {
            tally.attendee(&search(found)?, &truth.people[name]);
        }
        for (_, found) in &strangers {
            tally.stranger(search(found)?.len());
        }
        println!(
            "{strictness:?}: recall {:.3}, precision {:.4}, strangers answered {}/{}",
            tally.recall(),
            tally.precision(),
            tally.strangers_answered,
            tally.strangers
        );
    }
    Ok(())
}

/// The faces of each photo, and the seconds it took without reading and decoding the files.
fn index(
    engine: &Engine,
    event: &Path,
    names: &[&String],
    threads: NonZeroUsize,
) -> Result<(Vec<Vec<Face>>, f64), Failure> {
    let next = AtomicUsize::new(0);
    let found = Mutex::new(vec![Vec::new(); names.len()]);
    let work = || -> Result<f64, Failure> {
        let mut seconds = 0.0;
        while let Some(name) = names.get(next.fetch_add(1, Ordering::Relaxed)) {
            let picture = read(&event.join("photos").join(name))?;
            let started = Instant::now();
            let faces = engine.faces(&picture)?;
            seconds += started.elapsed().as_secs_f64();
            let at = names.binary_search(name).map_err(|_| "photos are not in order")?;
            found.lock().map_err(|_| "another thread failed")?[at] = faces;
        }
        Ok(seconds)
    };
    let seconds = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.get()).map(|_| scope.spawn(work)).collect();
        let each: Result<Vec<f64>, Failure> =
            workers.into_iter().map(|worker| worker.join().map_err(|_| "a thread panicked")?).collect();
        each
    })?;
    #[allow(clippy::cast_precision_loss, reason = "a few threads")]
    let wall = seconds.iter().sum::<f64>() / threads.get() as f64;
    Ok((found.into_inner()?, wall))
}

fn selfies<'a>(
    engine: &Engine,
    folder: &Path,
    names: impl Iterator<Item = &'a String>,
) -> Result<Vec<(String, Vec<Face>)>, Failure> {
    names
        .map(|name| {
            let faces = engine.selfie(&read(&folder.join(format!("{name}.jpg")))?)?.faces;
            Ok((name.clone(), faces))
        })
        .collect()
}

fn read(file: &Path) -> Result<Pixels, Failure> {
    let picture = image::open(file)?.into_rgb8();
    Ok(Pixels::new(picture.width(), picture.height(), picture.into_raw()).ok_or("an empty picture")?)
}

fn dump(
    file: &Path,
    faces: &[(&String, &Face)],
    attendees: &[(String, Vec<Face>)],
    strangers: &[(String, Vec<Face>)],
) -> Result<(), Failure> {
    let mut file = std::io::BufWriter::new(std::fs::File::create(file)?);
    let mut write = |kind: &str, name: &str, face: &Face| {
        let quality = [face.quality.width_pixels, face.quality.sharpness, face.quality.brightness];
        let bounds = [face.bounds.x, face.bounds.y, face.bounds.width, face.bounds.height];
        let line = json!({"kind": kind, "name": name, "score": face.score, "quality": quality,
            "bounds": bounds, "embedding": face.embedding.values()});
        writeln!(file, "{line}")
    };
    for (name, face) in faces {
        write("photo", name, face)?;
    }
    for (kind, selfies) in [("selfie", attendees), ("stranger", strangers)] {
        for (name, faces) in selfies {
            if let Some(face) = faces.first() {
                write(kind, name, face)?;
            }
        }
    }
    Ok(())
}
