//! What a photo takes at its worst while it is searched for faces, measured by the kernel: the high-water mark of this
//! process's memory, which counts the inference engine's own allocations too. One test, because the mark is the whole
//! process's. Needs the pack and pictures of `make models pictures`.
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "what a test calls is part of the test")]
#![cfg(target_os = "linux")]

mod model_packs;
mod samples;

use domain::photos::pixels::Pixels;
use image::imageops::{FilterType, crop_imm, replace, resize};
use image::{Rgb, RgbImage};
use vision::Arithmetic;

use samples::{only, open, picture, root};

const MIB: u64 = 1_048_576;

/// Twice what the largest detection of all, in a square picture, takes; with 32-bit floats it takes three times as much. It
/// depends on the pack's long side and not on the photo.
fn most(arithmetic: &Arithmetic) -> u64 {
    match arithmetic {
        Arithmetic::Integers { .. } => 224 * MIB,
        Arithmetic::Floats { .. } => 672 * MIB,
    }
}

fn status(field: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(field)).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024
}

fn photo(width: u32, height: u32) -> RgbImage {
    RgbImage::from_fn(width, height, |x, y| {
        Rgb([(x / 16 % 200) as u8, (y / 16 % 180) as u8, ((x + y) / 32 % 160) as u8])
    })
}

/// The same face 600 times.
fn crowd(face: &RgbImage) -> RgbImage {
    let head = resize(face, 50, 55, FilterType::Triangle);
    let mut crowd = RgbImage::from_pixel(1600, 1200, Rgb([120, 130, 140]));
    for at in 0..600 {
        replace(&mut crowd, &head, 25 + at % 30 * 52, 20 + at / 30 * 58);
    }
    crowd
}

#[test]
fn memory_stays_bounded_whatever_the_photo() {
    let engine = open(&root().join("models"));
    let whole = picture("obama.jpg");
    let face = only(engine.faces(&whole).unwrap(), "obama.jpg");
    let drawn = RgbImage::from_raw(whole.width(), whole.height(), whole.data().to_vec()).unwrap();
    let (wide, high) = (f64::from(whole.width()), f64::from(whole.height()));
    let [x, y] = [face.bounds.x - face.bounds.width / 4.0, face.bounds.y - face.bounds.height / 4.0];
    let head = crop_imm(
        &drawn,
        (x.max(0.0) * wide) as u32,
        (y.max(0.0) * high) as u32,
        (face.bounds.width * 1.5 * wide) as u32,
        (face.bounds.height * 1.5 * high) as u32,
    )
    .to_image();
    let enlarged = resize(&head, 2400, 3000, FilterType::Triangle);
    let mut near = photo(6000, 4000);
    replace(&mut near, &enlarged, 3600, -700);
    for (what, picture) in [
        ("a single pixel", photo(1, 1)),
        ("30,000 by 200 pixels", photo(30_000, 200)),
        ("200 by 30,000 pixels", photo(200, 30_000)),
        ("a square of 36 megapixels", photo(6000, 6000)),
        ("a large face over the border of 24 megapixels", near),
        ("a crowd of 600", crowd(&head)),
    ] {
        let picture = Pixels::new(picture.width(), picture.height(), picture.into_raw()).unwrap();
        engine.release_memory().unwrap();
        // 5 resets the mark (proc(5)).
        std::fs::write("/proc/self/clear_refs", "5").unwrap();
        let before = status("VmRSS:");
        let faces = engine.faces(&picture).unwrap().len();
        let taken = status("VmHWM:").saturating_sub(before);
        eprintln!("{what}: {faces} faces, {:.0} MiB", taken as f64 / MIB as f64);
        assert!(taken <= most(&engine.arithmetic()), "{what} took {taken} bytes");
    }
}
