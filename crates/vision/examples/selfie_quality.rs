//! Spoils the selfies of a simulated event step by step and shows when recognition fails and when they are refused.
//!
//! `cargo run --release -p vision --example selfie_quality -- models EVENT [EVERY]`
//!
//! The limits of `Quality::flaw` were chosen from its table: with each blur, darkening and shrinking the part of
//! the selfies that are refused, the similarity of the rest to the unspoilt selfie, and the qualities in the middle.
#![allow(clippy::print_stdout, reason = "the output of a command")]

use std::error::Error;
use std::path::PathBuf;

use domain::photos::pixels::Pixels;
use image::RgbImage;
use image::imageops::{FilterType, blur, resize};
use vision::{Engine, EngineOptions, Face};

type Spoil = Box<dyn Fn(&RgbImage) -> RgbImage>;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [models, event, rest @ ..] = arguments.as_slice() else {
        return Err("usage: selfie_quality MODELS EVENT [EVERY]".into());
    };
    let every = rest.first().map_or(Ok(1), |text| text.parse())?;
    let engine = Engine::open(&PathBuf::from(models), EngineOptions::default())?;
    let mut files: Vec<PathBuf> = Vec::new();
    for folder in ["selfies", "strangers"] {
        for entry in std::fs::read_dir(PathBuf::from(event).join(folder))? {
            files.push(entry?.path());
        }
    }
    files.sort();
    let pictures: Vec<RgbImage> = files
        .iter()
        .step_by(every)
        .map(|file| image::open(file).map(|picture| picture.into_rgb8()))
        .collect::<Result<_, _>>()?;
    let mut originals = Vec::new();
    for picture in &pictures {
        originals.push(first(&engine, picture)?);
    }
    println!(
        "spoilt by       no face  refused  similarity (5 %, median)  width  sharpness  brightness (medians)"
    );
    for (name, spoil) in spoils() {
        let (mut none, mut refused) = (0, 0);
        let (mut similarities, mut widths, mut sharpnesses, mut brightnesses) =
            (vec![], vec![], vec![], vec![]);
        for (picture, original) in pictures.iter().zip(&originals) {
            let Some(original) = original else { continue };
            let Some(face) = first(&engine, &spoil(picture))? else {
                none += 1;
                continue;
            };
            refused += usize::from(face.quality.flaw().is_some());
            let pairs = face.embedding.values().iter().zip(original.embedding.values());
            similarities.push(f64::from(pairs.map(|(one, other)| one * other).sum::<f32>()));
            widths.push(face.quality.width_pixels);
            sharpnesses.push(face.quality.sharpness);
            brightnesses.push(face.quality.brightness);
        }
        println!(
            "{name:15} {none:7} {refused:8} {:10.2} {:10.2} {:12.0} {:10.4} {:10.3}",
            quantile(&mut similarities, 20),
            quantile(&mut similarities, 2),
            quantile(&mut widths, 2),
            quantile(&mut sharpnesses, 2),
            quantile(&mut brightnesses, 2),
        );
    }
    Ok(())
}

fn spoils() -> Vec<(String, Spoil)> {
    let mut spoils: Vec<(String, Spoil)> = vec![("nothing".to_owned(), Box::new(RgbImage::clone))];
    for sigma in [2.0f32, 4.0, 6.0, 8.0, 12.0, 16.0, 24.0] {
        spoils.push((format!("blur {sigma}"), Box::new(move |picture| blur(picture, sigma))));
    }
    for light in [0.5f32, 0.25, 0.12, 0.08, 0.05, 0.03] {
        let spoil = move |picture: &RgbImage| {
            let mut dark = picture.clone();
            dark.iter_mut().for_each(|sample| *sample = (f32::from(*sample) * light) as u8);
            dark
        };
        spoils.push((format!("light {light}"), Box::new(spoil)));
    }
    for width in [240u32, 160, 120, 90, 70, 50, 36] {
        let spoil = move |picture: &RgbImage| {
            resize(picture, width, picture.height() * width / picture.width(), FilterType::Triangle)
        };
        spoils.push((format!("width {width}"), Box::new(spoil)));
    }
    spoils
}

fn first(engine: &Engine, picture: &RgbImage) -> Result<Option<Face>, Box<dyn Error>> {
    let pixels =
        Pixels::new(picture.width(), picture.height(), picture.as_raw().clone()).ok_or("an empty picture")?;
    Ok(engine.selfie(&pixels)?.faces.into_iter().next())
}

/// The value below which one in `part` lies.
fn quantile(values: &mut [f64], part: usize) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / part).copied().unwrap_or(f64::NAN)
}
