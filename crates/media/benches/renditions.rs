//! From a 24-megapixel JPEG to its renditions, step by step. `cargo bench -p media`.

use std::sync::LazyLock;

use domain::pixels::Pixels;
use media::pictures::{decode, encode_jpeg, inspect, renditions, resize};

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
    divan::black_box(renditions(&pixels)).expect("JPEG holds them");
}
