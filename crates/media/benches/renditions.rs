//! From a 24-megapixel JPEG to its renditions, step by step, and what a watermark on one costs. `cargo bench -p media`.

use std::sync::LazyLock;

use domain::photos::pixels::Pixels;
use domain::studio::studios::Ground;
use domain::studio::watermarks::{Opacity, Position, Sign, Watermark};
use media::pictures::{decode, encode_jpeg, inspect, preview, renditions, resize};
use media::watermarks::{Art, Mark, marked};

fn main() {
    divan::main();
}

/// 6000 by 4000 pixels of slopes and fine noise, about as many bytes as a camera's JPEG has.
static PHOTO: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let (width, height) = (6000u32, 4000u32);
    let mut noise = 1u32;
    let mut data = Vec::with_capacity((width * height * 3) as usize);
    for y in 0..height {
        for x in 0..width {
            noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let grain = (noise >> 28) as u8;
            let slope = ((x / 24 + y / 20) % 220) as u8;
            data.extend_from_slice(&[slope + grain, 220 - slope + grain, (x / 97 * 31 % 200) as u8 + grain]);
        }
    }
    let pixels = Pixels::new(width, height, data).expect("the data fit the size");
    encode_jpeg(&pixels, 90).expect("JPEG holds it")
});

static DECODED: LazyLock<Pixels> = LazyLock::new(|| decode(&PHOTO, 2048).expect("it is a JPEG"));
static PREVIEW: LazyLock<Pixels> = LazyLock::new(|| resize(&DECODED, 2048));

#[divan::bench]
fn inspect_24_megapixels() {
    divan::black_box(inspect(&PHOTO)).expect("it is a JPEG");
}

#[divan::bench]
fn decode_24_megapixels_to_2048() {
    divan::black_box(decode(&PHOTO, 2048)).expect("it is a JPEG");
}

#[divan::bench]
fn resize_to_preview() {
    LazyLock::force(&DECODED);
    divan::black_box(resize(&DECODED, 2048));
}

#[divan::bench]
fn encode_preview() {
    LazyLock::force(&PREVIEW);
    divan::black_box(encode_jpeg(&PREVIEW, 85)).expect("JPEG holds it");
}

#[divan::bench]
fn decode_and_renditions() {
    let pixels = decode(&PHOTO, 2048).expect("it is a JPEG");
    divan::black_box(renditions(&preview(&pixels))).expect("JPEG holds them");
}

/// A stored preview: a file, as it is served without a watermark.
static PREVIEW_FILE: LazyLock<tempfile::NamedTempFile> = LazyLock::new(|| {
    let file = tempfile::NamedTempFile::new().expect("there is a folder for it");
    let jpeg = encode_jpeg(&PREVIEW, 84).expect("JPEG holds it");
    std::fs::write(file.path(), jpeg).expect("there is room for it");
    file
});

fn stored_preview() -> Vec<u8> {
    std::fs::read(PREVIEW_FILE.path()).expect("it was written")
}

/// A line of letters, or a logo, of 800 by 160 pixels.
fn mark(text: Option<&str>, position: Position) -> Mark {
    let (width, height) = (800u32, 160u32);
    let is_ink = |x: u32, y: u32| (20..140).contains(&y) && x % 40 < 22;
    let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let data = pixels.flat_map(|(x, y)| if is_ink(x, y) { [0; 3] } else { [u8::MAX; 3] }).collect();
    let pixels = Pixels::new(width, height, data).expect("the data fit the size");
    let watermark = Watermark {
        name: String::from("a"),
        sign: text.map_or(Sign::Logo(Ground::Light), |text| Sign::Text(text.to_owned())),
        position,
        opacity: Opacity::new(50).expect("half of it"),
        on_downloads: false,
    };
    let picture = encode_jpeg(&pixels, 92).expect("JPEG holds it");
    let picture = decode(&picture, 800).expect("it is a JPEG");
    Mark::new(&watermark, if text.is_some() { Art::Lettering(picture) } else { Art::Plate(picture) })
}

#[divan::bench]
fn read_a_clean_preview() {
    LazyLock::force(&PREVIEW_FILE);
    divan::black_box(stored_preview());
}

/// The part of [`marked_preview`] that no drawing can save.
#[divan::bench]
fn decode_preview(bencher: divan::Bencher<'_, '_>) {
    let file = stored_preview();
    bencher.bench_local(|| decode(&file, 2048).expect("it is a JPEG"));
}

#[divan::bench(args = [
    (Some("Meera"), Position::BottomRight),
    (Some("Meera"), Position::Tiled),
    (None, Position::Center),
    (None, Position::Tiled),
])]
fn marked_preview(bencher: divan::Bencher<'_, '_>, (text, position): (Option<&str>, Position)) {
    let mark = mark(text, position);
    bencher.bench_local(|| {
        let pixels = decode(&stored_preview(), 2048).expect("it is a JPEG");
        marked(pixels, &mark).expect("JPEG holds it")
    });
}
