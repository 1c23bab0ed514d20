//! Measures the whole way from photos to answers on a simulated event (`make_event.py`).
//!
//! `cargo run --release -p vision --example evaluate -- models EVENT [--threads N] [--dump FILE]`
//! `cargo run --release -p vision --example evaluate -- models EVENT --described FILE`
//!
//! The dump holds every face, for choosing thresholds: one JSON object a line. With `--described` the faces are those of a dump,
//! and only the searches are run, by what the pack says of them.
#![allow(clippy::print_stdout, reason = "the output of a command")]

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use domain::faces::{Embedding, Strictness};
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
        return Err("usage: evaluate MODELS EVENT [--threads N] [--dump FILE | --described FILE]".into());
    };
    let option = |name: &str| options.iter().position(|word| word == name).and_then(|at| options.get(at + 1));
    let threads = option("--threads").map_or(Ok(NonZeroUsize::MIN), |text| text.parse())?;
    let event = PathBuf::from(event);
    let truth: Truth = serde_json::from_str(&std::fs::read_to_string(event.join("truth.json"))?)?;
    let engine = Engine::open(
        Path::new(models),
        EngineOptions { index_threads: threads, ..EngineOptions::default() },
    )?;

    if let Some(file) = option("--described") {
        return search(&engine, &truth, &read_dump(Path::new(file), &truth)?);
    }
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

    let of_first = |(name, found): &(String, Vec<Face>)| {
        (name.clone(), found.first().map(|face| face.embedding.clone()))
    };
    let described = Described {
        faces: faces.iter().map(|(name, face)| ((*name).clone(), face.embedding.clone())).collect(),
        attendees: attendees.iter().map(of_first).collect(),
        strangers: strangers.iter().map(of_first).collect(),
    };
    search(&engine, &truth, &described)
}

/// What searches need of an event: the faces with their photos, and those in the selfies.
#[derive(Default)]
struct Described {
    faces: Vec<(String, Embedding)>,
    attendees: Vec<(String, Option<Embedding>)>,
    strangers: Vec<(String, Option<Embedding>)>,
}

fn search(engine: &Engine, truth: &Truth, described: &Described) -> Result<(), Failure> {
    let Described { faces, attendees, strangers } = described;
    let face_index = engine.face_index(faces.iter().map(|(_, embedding)| embedding))?;
    for strictness in [Strictness::Strict, Strictness::Normal, Strictness::Loose] {
        let mut tally = Tally::default();
        let search = |selfie: &Option<Embedding>| -> Result<BTreeSet<String>, Failure> {
            let hits = face_index.search(selfie.as_slice(), strictness)?;
            Ok(hits.into_iter().map(|hit| faces[hit.row].0.clone()).collect())
        };
        for (name, found) in attendees {
            tally.attendee(&search(found)?, &truth.people[name]);
        }
        for (_, found) in strangers {
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

/// The event of a dump; whoever has no face in their selfie is not in it, and finds nothing.
fn read_dump(file: &Path, truth: &Truth) -> Result<Described, Failure> {
    #[derive(serde::Deserialize)]
    struct Line {
        kind: String,
        name: String,
        embedding: Vec<f32>,
    }
    let mut described = Described::default();
    let mut selfies = BTreeMap::new();
    for line in std::fs::read_to_string(file)?.lines() {
        let Line { kind, name, embedding } = serde_json::from_str(line)?;
        let embedding = Embedding::normalised(embedding).ok_or("an embedding of zeros")?;
        if kind == "photo" {
            described.faces.push((name, embedding));
        } else {
            selfies.insert((kind, name), embedding);
        }
    }
    let mut of = |kind: &str, name: &String| (name.clone(), selfies.remove(&(kind.to_owned(), name.clone())));
    described.attendees = truth.people.keys().map(|name| of("selfie", name)).collect();
    described.strangers = truth.strangers.iter().map(|name| of("stranger", name)).collect();
    Ok(described)
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
