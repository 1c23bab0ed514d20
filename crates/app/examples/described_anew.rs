//! What describing faces anew from a rendition costs in accuracy and saves in time, on an event as `bench/make_event.py` makes it.
//!
//! `cargo run -p app --example described_anew -- PACK EVENT [PHOTOS]`
//!
//! Each photo is indexed as a new one is, from its original. Then the faces that were found are described once more at their
//! places, in the original and in the stored renditions, and compared with what the first look says of them; by the width that a
//! face has in the picture. At last searches are made among faces that are described from the smallest picture in which all of a
//! photo's have so many pixels.
#![allow(clippy::print_stdout, reason = "a program for developers prints what it measures")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, Instant};

use domain::faces::{BoundingBox, Embedding, Strictness};
use domain::photos::pixels::Pixels;
use vision::{Engine, EngineOptions, Face};

type Failure = Box<dyn std::error::Error>;

/// What photos are decoded with, as by `faces/indexing.rs`.
const DECODE_LONG_SIDE: u32 = 3000;
/// Widths of faces, in pixels of the picture that is looked at, below which a class ends.
const CLASSES: [f64; 7] = [24.0, 32.0, 48.0, 64.0, 96.0, 160.0, f64::INFINITY];
const PICTURES: [&str; 3] = ["medium", "preview", "original"];
const ENOUGH: [f64; 6] = [0.0, 32.0, 48.0, 64.0, 96.0, f64::INFINITY];

/// A face of a photo, and what each picture says of it.
struct Described {
    photo: usize,
    reference: Embedding,
    /// By picture: its width there, and its description, where it is seen.
    again: [(f64, Option<Embedding>); 3],
}

/// How long pictures take, decoding included, and what indexing does with them: looks for faces, and makes renditions.
#[derive(Default)]
struct Times {
    indexing: Duration,
    again: [Duration; 3],
}

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [pack, event, rest @ ..] = arguments.as_slice() else { return Err("PACK EVENT [PHOTOS]".into()) };
    let most = rest.first().map_or(Ok(usize::MAX), |number| number.parse::<usize>())?;
    let (engine, event) = (Engine::open(Path::new(pack), EngineOptions::default())?, Path::new(event));
    let truth: serde_json::Value = serde_json::from_slice(&std::fs::read(event.join("truth.json"))?)?;
    let mut names: Vec<String> = std::fs::read_dir(event.join("photos"))?
        .map(|entry| entry.map(|entry| entry.file_name().to_string_lossy().into_owned()))
        .collect::<Result<_, _>>()?;
    names.sort();
    names.truncate(most);

    let (mut faces, mut times) = (Vec::new(), Vec::with_capacity(names.len()));
    for (photo, name) in names.iter().enumerate() {
        let (described, took) = describe(&engine, photo, &std::fs::read(event.join("photos").join(name))?)?;
        faces.extend(described);
        times.push(took);
    }
    println!("{} photos, {} faces", names.len(), faces.len());
    by_width(&faces)?;
    for enough in ENOUGH {
        search(&engine, event, &truth, &names, &faces, &times, enough)?;
    }
    Ok(())
}

fn describe(engine: &Engine, photo: usize, original: &[u8]) -> Result<(Vec<Described>, Times), Failure> {
    let mut times = Times::default();
    let started = Instant::now();
    let pixels = media::pictures::decode(original, DECODE_LONG_SIDE).map_err(|error| error.to_string())?;
    let renditions = media::pictures::renditions(&media::pictures::preview(&pixels))?;
    let found = engine.faces(&pixels)?;
    times.indexing = started.elapsed();
    let places: Vec<BoundingBox> = found.iter().map(|face| face.bounds).collect();
    let mut again: Vec<Vec<(f64, Option<Embedding>)>> = Vec::new();
    for (place, picture) in
        [&renditions.medium.jpeg, &renditions.preview.jpeg, &original.to_vec()].iter().enumerate()
    {
        let started = Instant::now();
        let pixels: Pixels =
            media::pictures::decode(picture, DECODE_LONG_SIDE).map_err(|error| error.to_string())?;
        let seen = engine.describe(&pixels, &places)?;
        times.again[place] = started.elapsed();
        let width = f64::from(pixels.width());
        let seen = seen.into_iter().zip(&places);
        again
            .push(seen.map(|(face, place)| (place.width * width, face.map(|face| face.embedding))).collect());
    }
    let faces = found.into_iter().enumerate().map(|(number, Face { embedding, .. })| Described {
        photo,
        reference: embedding,
        again: [0, 1, 2].map(|picture: usize| again[picture][number].clone()),
    });
    Ok((faces.collect(), times))
}

fn similarity(one: &Embedding, other: &Embedding) -> f32 {
    one.values().iter().zip(other.values()).map(|(one, other)| one * other).sum()
}

/// How alike to the first descriptions the others are.
fn by_width(faces: &[Described]) -> Result<(), Failure> {
    println!("picture, width below: faces, not seen again, mean similarity, tenth percentile");
    for (place, picture) in PICTURES.iter().enumerate() {
        let mut least = 0.0;
        for below in CLASSES {
            let of_class: Vec<_> =
                faces.iter().filter(|face| (least..below).contains(&face.again[place].0)).collect();
            let mut alike: Vec<f32> = of_class
                .iter()
                .filter_map(|face| Some(similarity(&face.reference, face.again[place].1.as_ref()?)))
                .collect();
            alike.sort_by(f32::total_cmp);
            let mean = alike.iter().sum::<f32>() / f32::from(u16::try_from(alike.len().max(1))?);
            let tenth = alike.get(alike.len() / 10).copied().unwrap_or_default();
            let unseen = of_class.len() - alike.len();
            println!("{picture}, {below}: {}, {unseen}, {mean:.4}, {tenth:.4}", of_class.len());
            least = below;
        }
    }
    Ok(())
}

/// Searches among faces of which all of a photo have `enough` pixels in the picture that they are described from; infinitely many
/// only the first look had.
fn search(
    engine: &Engine,
    event: &Path,
    truth: &serde_json::Value,
    names: &[String],
    faces: &[Described],
    times: &[Times],
    enough: f64,
) -> Result<(), Failure> {
    let mut chosen = vec![0_usize; names.len()];
    for face in faces {
        while chosen[face.photo] < 2 && face.again[chosen[face.photo]].0 < enough {
            chosen[face.photo] += 1;
        }
    }
    // What is not seen again is looked for in the original, as a new photo.
    let mut anew = BTreeSet::new();
    for face in faces {
        if face.again[chosen[face.photo]].1.is_none() {
            anew.insert(face.photo);
        }
    }
    let first = enough.is_infinite();
    let embeddings: Vec<&Embedding> = faces
        .iter()
        .map(|face| match &face.again[chosen[face.photo]].1 {
            Some(again) if !first && !anew.contains(&face.photo) => again,
            _ => &face.reference,
        })
        .collect();
    let with_faces: BTreeSet<usize> = faces.iter().map(|face| face.photo).collect();
    let mut took = Duration::ZERO;
    for (photo, times) in times.iter().enumerate() {
        if first || anew.contains(&photo) {
            took += times.indexing;
        }
        if !first && with_faces.contains(&photo) {
            took += times.again[chosen[photo]];
        }
    }
    let count = |picture| with_faces.iter().filter(|photo| chosen[**photo] == picture).count();
    let (medium, preview, original) = (count(0), count(1), count(2));
    let each = took.as_secs_f64() * 1_000.0 / f64::from(u32::try_from(names.len())?);
    println!(
        "enough {enough}: {medium} medium, {preview} preview, {original} original, {} anew; {each:.1} ms a photo",
        anew.len()
    );
    let face_index = engine.face_index(embeddings)?;
    let photos: BTreeMap<&str, usize> =
        names.iter().enumerate().map(|(photo, name)| (name.as_str(), photo)).collect();
    for strictness in Strictness::ALL {
        let (mut found, mut right, mut there, mut answered, mut strangers) = (0, 0, 0, 0, 0);
        let hits = |folder: &str, name: &str| -> Result<BTreeSet<usize>, Failure> {
            let bytes = std::fs::read(event.join(folder).join(format!("{name}.jpg")))?;
            let selfie = media::pictures::decode(&bytes, 1280).map_err(|error| error.to_string())?;
            let Some(face) = engine.selfie(&selfie)?.faces.into_iter().next() else {
                return Ok(BTreeSet::new());
            };
            let hits = face_index.search(&[face.embedding], strictness)?;
            Ok(hits.into_iter().map(|hit| faces[hit.row].photo).collect())
        };
        for (person, shown) in truth["people"].as_object().ok_or("no people")? {
            let shown: BTreeSet<usize> = shown
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(|name| photos.get(name.as_str()?).copied())
                .collect();
            let hits = hits("selfies", person)?;
            found += hits.len();
            right += hits.intersection(&shown).count();
            there += shown.len();
        }
        for stranger in truth["strangers"].as_array().ok_or("no strangers")? {
            strangers += 1;
            answered += usize::from(!hits("strangers", stranger.as_str().unwrap_or_default())?.is_empty());
        }
        println!(
            "  {strictness:?}: {right} of {there} photos, {} wrong, {answered} of {strangers} strangers",
            found - right
        );
    }
    Ok(())
}
