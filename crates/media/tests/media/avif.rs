//! AVIF as phones, galleries and programs write it. The samples were made by Pillow and libavif, of `quarters` or one colour.

use crate::fixtures::*;
use domain::photos::ImageFormat;
use domain::photos::redactions::apply;
use media::captures;
use media::metadata::redact;
use media::pictures::{Limits, Unreadable, decode, decode_memory, decode_within, inspect};

fn sample(name: &str) -> Vec<u8> {
    std::fs::read(format!("{}/tests/fixtures/avif/odd/{name}.avif", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

#[track_caller]
fn decoded(name: &str, width: u32, height: u32) -> domain::photos::pixels::Pixels {
    let bytes = sample(name);
    let found = inspect(&bytes).unwrap();
    assert_eq!((found.format, found.width, found.height), (ImageFormat::Avif, width, height), "{name}");
    let pixels = decode(&bytes, width.max(height)).unwrap();
    assert_eq!((pixels.width(), pixels.height()), (width, height), "{name}");
    pixels
}

#[test]
fn every_depth_and_coding_of_colours_is_read() {
    // [UPL224]
    for name in ["420-limited", "422", "444-10", "420-10-limited", "420-12", "identity", "bt709", "grid"] {
        assert_quarters(&decoded(name, 128, 128));
    }
    // Of Pillow's greys.
    let grey = decoded("400", 128, 128);
    for (across, down, wanted) in [(2, 2, 83), (6, 2, 137), (2, 6, 44), (6, 6, 250)] {
        assert_near(at(&grey, across, down), [wanted; 3], 3);
    }
    // Display P3: red is a stronger red in the numbers of sRGB.
    let wide = decoded("p3", 128, 128);
    assert!(at(&wide, 2, 2)[0] >= 245, "{:?}", at(&wide, 2, 2));
    assert_near(at(&wide, 6, 6), [250; 3], 3);
}

#[test]
fn what_is_transparent_shows_white_and_nothing_is_multiplied_twice() {
    // [UPL224]
    for name in ["alpha", "grid-alpha"] {
        let pixels = decoded(name, 128, 128);
        assert_near(at(&pixels, 2, 2), [230, 20, 20], 12);
        assert_near(at(&pixels, 6, 2), [20, 220, 20], 12);
        assert_near(at(&pixels, 2, 6), [255; 3], 1);
        assert_near(at(&pixels, 6, 6), [255; 3], 1);
    }
    for name in ["half", "premultiplied"] {
        assert_near(at(&decoded(name, 128, 128), 4, 4), [227, 147, 147], 3);
    }
}

#[test]
fn the_file_says_how_it_is_turned_mirrored_and_cut() {
    // [UPL224]
    for name in ["irot1", "irot2", "irot3", "imir0", "imir1", "irot1-imir1"] {
        assert_quarters(&decoded(name, 128, 64));
    }
    assert_quarters(&decoded("clap", 64, 40));
}

#[test]
fn guests_get_an_avif_without_place_names_and_serial_numbers() {
    // [GAL127] [GAL400]
    let file = sample("told");
    let told = captures::read(&file);
    assert_eq!(told.camera.as_deref(), Some("Example Model 7"));
    assert!(told.at.is_some());
    let mut redacted = file.clone();
    apply(&redact(&file, ImageFormat::Avif).unwrap().patches, 0, &mut redacted);
    assert_eq!(redacted.len(), file.len());
    let has = |bytes: &[u8], text: &[u8]| bytes.windows(text.len()).any(|window| window == text);
    for text in [&b"SERIAL42"[..], b"Priya", b"Mumbai", b"2024:03:10", &3344_u32.to_be_bytes()] {
        assert!(has(&file, text) && !has(&redacted, text), "{}", String::from_utf8_lossy(text));
    }
    assert!(has(&redacted, b"Asha Rao"));
    assert_eq!(captures::read(&redacted), told);
    assert_eq!(decode(&redacted, 64).unwrap().data(), decode(&file, 64).unwrap().data());
    assert_eq!(redact(&redacted, ImageFormat::Avif).unwrap().patches, [], "nothing is left to overwrite");
}

#[test]
fn an_avif_takes_no_more_memory_than_its_headers_say() {
    // [SAFE248]: what it says of its size is looked at before anything is decoded, and so is what is coded.
    let mut file = encode_rgb(ImageFormat::Avif, scene(640, 480));
    let needed = decode_memory(&file, 640);
    assert!((640 * 480 * 3..64 << 20).contains(&needed), "{needed}");
    let limits = Limits { pixels: 640 * 480, memory: needed, scans: 1 };
    assert!(decode_within(&file, 640, &limits).is_ok());
    let refused = decode_within(&file, 640, &Limits { memory: needed - 1, ..limits });
    assert_eq!(refused.map(|_| ()), Err(Unreadable::TooManyPixels));
    let size = file.windows(4).position(|name| name == b"ispe").unwrap() + 8;
    let mut of = |width: u32, height: u32| {
        file[size..size + 4].copy_from_slice(&width.to_be_bytes());
        file[size + 4..size + 8].copy_from_slice(&height.to_be_bytes());
        inspect(&file).map(|_| ())
    };
    assert_eq!(of(20_000, 10_001), Err(Unreadable::TooManyPixels));
    assert_eq!(of(1_000, 480), Err(Unreadable::Damaged), "less is coded");
    assert_eq!(of(320, 240), Err(Unreadable::Damaged), "more is coded");
    assert_eq!(of(640, 480), Ok(()));
}

#[test]
fn a_series_and_another_coding_are_named_as_what_is_not_read() {
    // [UPL222]
    let mut file = sample("422");
    let kind = file.windows(4).position(|name| name == b"av01").unwrap();
    file[kind..kind + 4].copy_from_slice(b"j2k1");
    assert_eq!(inspect(&file), Err(Unreadable::UnknownKind));
    let series = b"\0\0\0\x18ftypavis\0\0\0\0avismsf1";
    assert_eq!(inspect(series), Err(Unreadable::UnknownKind));
}
