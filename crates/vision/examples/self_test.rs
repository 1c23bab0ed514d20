//! Prints the expected outcome of a pack's self-test, for `tools/models/self_test.json`.
//!
//! `cargo run -p vision --example self_test -- models`
#![allow(clippy::print_stdout, reason = "the output of a command")]

use std::error::Error;
use std::path::PathBuf;

use domain::photos::pixels::Pixels;
use vision::{Engine, EngineOptions};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args_os().nth(1).ok_or("usage: self_test FOLDER")?);
    let engine = Engine::open_untested(&folder, EngineOptions::default())?;
    let picture = image::open(folder.join("self-test.ppm"))?.into_rgb8();
    let pixels =
        Pixels::new(picture.width(), picture.height(), picture.into_raw()).ok_or("an empty picture")?;
    let faces = engine.faces(&pixels)?;
    let [face] = faces.as_slice() else { return Err(format!("{} faces instead of one", faces.len()).into()) };
    let (width, height) = (f64::from(pixels.width()), f64::from(pixels.height()));
    let (left, top) = (face.bounds.x * width, face.bounds.y * height);
    let (right, bottom) = (left + face.bounds.width * width, top + face.bounds.height * height);
    let embedding: Vec<String> = face.embedding.values().iter().map(|value| format!("{value:.4}")).collect();
    println!(
        "{{\"box\": [{left:.1}, {top:.1}, {right:.1}, {bottom:.1}], \"embedding\": [{}]}}",
        embedding.join(", ")
    );
    Ok(())
}
