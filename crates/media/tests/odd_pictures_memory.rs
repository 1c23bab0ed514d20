//! What pictures that are rarely met take of memory, each in a process of its own, measured by the kernel: its high-water
//! mark counts libjpeg's own allocations too, and does not begin with what other pictures left.
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "what a test calls is part of the test")]
#![cfg(target_os = "linux")]

mod fixtures;

use domain::photos::ImageFormat;
use fixtures::*;
use image::{DynamicImage, ImageBuffer, Luma, Rgb};
use media::pictures::{decode, decode_memory, preview, renditions};
use mozjpeg::ColorSpace;

const MIB: u64 = 1_048_576;

/// The most memory that this process ever took.
fn most() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024
}

/// Tells the test that runs in a process of its own which file it decodes.
const PICTURE: &str = "DECODED_ALONE";

#[test]
fn odd_pictures_take_no_more_than_is_set_aside() {
    // As photos are indexed: decoded for the search for faces, then rendered.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("picture");
    let alone = |bytes: &[u8]| {
        std::fs::write(&file, bytes).unwrap();
        let mut child = std::process::Command::new(std::env::current_exe().unwrap());
        child.args(["--exact", "decoded_alone", "--nocapture"]).env(PICTURE, &file);
        let output = child.output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{}{text}", String::from_utf8_lossy(&output.stdout));
        let most = text.split_once("took ").unwrap().1;
        most.split_whitespace().next().unwrap().parse::<u64>().unwrap()
    };
    let nothing = alone(&encode_rgb(ImageFormat::Jpeg, quarters(1, 1)));
    for (name, bytes) in odd_pictures() {
        let (expected, len) = (decode_memory(&bytes, 3000), bytes.len() as u64);
        let taken = alone(&bytes).saturating_sub(nothing + len);
        eprintln!("{name}: {} MiB expected, {} MiB taken", expected / MIB, taken / MIB);
        assert!(expected <= 224 * MIB, "{name}: {expected} bytes are set aside");
        assert!(taken <= expected + 24 * MIB, "{name}: {taken} bytes instead of {expected}");
    }
}

#[test]
fn decoded_alone() {
    let Some(file) = std::env::var_os(PICTURE) else { return };
    let pixels = decode(&std::fs::read(file).unwrap(), 3000).unwrap();
    renditions(&preview(&pixels)).unwrap();
    eprintln!("took {} bytes", most());
}

/// Pictures that are rarely met, as large as cameras make them.
fn odd_pictures() -> Vec<(&'static str, Vec<u8>)> {
    let (width, height) = (6000, 4000);
    let colours = scene(width, height);
    let greys = DynamicImage::ImageRgb8(colours.clone()).into_luma8();
    let inks: Vec<u8> = greys.iter().flat_map(|grey| [*grey, 255 - grey, 7, 90]).collect();
    let deep = ImageBuffer::from_fn(width, height, |x, y| Rgb([(x * 10) as u16, (y * 16) as u16, 0x1234]));
    let deep_greys = ImageBuffer::from_fn(width, height, |x, y| Luma([(x * y) as u16]));
    let turned = jpeg(&colours, false);
    let raw = |space: ColorSpace, samples: &[u8], progressive: bool| {
        raw_jpeg(space, width, height, samples, progressive, None)
    };
    let long = |width: u32, height: u32, format: ImageFormat| encode_rgb(format, quarters(width, height));
    vec![
        ("grey JPEG", raw(ColorSpace::JCS_GRAYSCALE, greys.as_raw(), false)),
        ("progressive grey JPEG", raw(ColorSpace::JCS_GRAYSCALE, greys.as_raw(), true)),
        ("CMYK JPEG", raw(ColorSpace::JCS_CMYK, &inks, false)),
        ("grey PNG", encode(ImageFormat::Png, &DynamicImage::ImageLuma8(greys))),
        ("PNG of 16 bits", encode(ImageFormat::Png, &DynamicImage::ImageRgb16(deep.clone()))),
        ("grey PNG of 16 bits", encode(ImageFormat::Png, &DynamicImage::ImageLuma16(deep_greys))),
        ("TIFF of 16 bits", encode(ImageFormat::Tiff, &DynamicImage::ImageRgb16(deep))),
        ("JPEG on its side", with_exif(&turned, 6)),
        ("mirrored JPEG", with_exif(&turned, 2)),
        ("mirrored JPEG on its side", with_exif(&turned, 5)),
        ("a single pixel", long(1, 1, ImageFormat::Jpeg)),
        ("JPEG of 30,000 by 200", long(30_000, 200, ImageFormat::Jpeg)),
        ("PNG of 30,000 by 200", long(30_000, 200, ImageFormat::Png)),
        ("TIFF of 200 by 30,000", long(200, 30_000, ImageFormat::Tiff)),
    ]
}
