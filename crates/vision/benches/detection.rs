//! What a photo costs the face engine, with the detector in 8-bit integers and in 32-bit floats where both can run.
//!
//! `cargo bench --workspace --bench detection`, after `make models pictures`. The photo has 6 megapixels, as indexing
//! decodes one of 24 to; without faces only detection is left, and each face adds a closer look and its description.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use divan::Bencher;
use domain::photos::pixels::Pixels;
use image::imageops::{FilterType, overlay, resize};
use image::{Rgb, RgbImage};
use vision::{Arithmetic, Engine, EngineOptions};

const WIDTH: u32 = 3000;
const HEIGHT: u32 = 2000;

fn main() {
    divan::main();
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn open(folder: &Path) -> Engine {
    Engine::open(folder, EngineOptions::default()).expect("run `make models`")
}

/// The engine as it runs here, unless that is with floats anyway.
static INTEGERS: LazyLock<Option<Engine>> = LazyLock::new(|| {
    let engine = open(&root().join("models"));
    matches!(engine.arithmetic(), Arithmetic::Integers { .. }).then_some(engine)
});

/// The same pack without the detector in integers.
static FLOATS: LazyLock<Engine> = LazyLock::new(|| {
    let (models, copy) = (root().join("models"), tempfile::tempdir().expect("a folder"));
    for entry in std::fs::read_dir(&models).expect("run `make models`") {
        let file = entry.expect("an entry").path();
        std::os::unix::fs::symlink(&file, copy.path().join(file.file_name().expect("a name")))
            .expect("a link");
    }
    let text = std::fs::read_to_string(models.join("pack.toml")).expect("a pack");
    let (before, table) = text.split_once("[quantised_detector]").expect("the table");
    let (_, after) = table.split_once("[detection]").expect("the next table");
    let file = copy.path().join("pack.toml");
    std::fs::remove_file(&file).expect("the link");
    std::fs::write(&file, format!("{before}[detection]{after}")).expect("a file");
    open(copy.path())
});

/// A photo with so many faces, 60 to 400 pixels wide.
fn photo(faces: u32) -> Pixels {
    let colour =
        |x: u32, y: u32| Rgb([(x / 16 % 200) as u8, (y / 16 % 180) as u8, ((x + y) / 32 % 160) as u8]);
    let mut photo = RgbImage::from_fn(WIDTH, HEIGHT, colour);
    let names = ["obama.jpg", "biden.jpg", "obama2.jpg", "obama3.jpg"];
    for at in 0..faces {
        let name = names[at as usize % names.len()];
        let face = image::open(root().join(".cache/pictures").join(name)).expect("run `make pictures`");
        let side = [900, 250, 500, 350][at as usize % 4];
        let face = resize(&face.into_rgb8(), side, side * 5 / 4, FilterType::Triangle);
        overlay(&mut photo, &face, i64::from(at % 3 * 1000), i64::from(at / 3 * 700));
    }
    Pixels::new(WIDTH, HEIGHT, photo.into_raw()).expect("a picture")
}

fn measure(bencher: Bencher, engine: &Engine, faces: u32) {
    let photo = photo(faces);
    let found = engine.faces(&photo).expect("the engine works").len();
    assert_eq!(found, faces as usize, "the number of faces found");
    bencher.bench(|| engine.faces(&photo).expect("the engine works").len());
}

#[divan::bench(args = [0, 1, 6], sample_count = 15, sample_size = 1)]
fn floats(bencher: Bencher, faces: u32) {
    measure(bencher, &FLOATS, faces);
}

#[divan::bench(args = [0, 1, 6], sample_count = 15, sample_size = 1)]
fn integers(bencher: Bencher, faces: u32) {
    match INTEGERS.as_ref() {
        Some(engine) => measure(bencher, engine, faces),
        None => bencher.bench(|| ()),
    }
}
