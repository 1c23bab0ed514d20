//! Torn, damaged and hostile files: refused or taken, never a panic, never half a picture.

use crate::fixtures::*;
use domain::photos::{ImageFormat, MAX_PIXELS};
use heifer::heifer_hevc_dec::nal::{NalHeader, split_annex_b};
use heifer::heifer_isobmff::HeifFile;
use heifer::heifer_isobmff::writer::{HeifWriter, ImageSpec};
use media::metadata::redact;
use media::pictures::{Unreadable, decode, inspect};
use proptest::prelude::*;

/// Small files of every format and kind, with their names. Sides divide by 4, so that no row of a BMP ends in padding.
fn small_files() -> Vec<(&'static str, Vec<u8>)> {
    let picture = || scene(32, 20);
    let mut files: Vec<_> = ImageFormat::ALL
        .into_iter()
        .map(|format| (format.extension(), encode_rgb(format, picture())))
        .collect();
    files.push(("progressive", jpeg(&picture(), true)));
    files.push(("exif", with_exif(&jpeg(&picture(), false), 6)));
    files.push(("lossy webp", LOSSY_WEBP.to_vec()));
    let grid = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/avif/odd/grid-alpha.avif");
    files.push(("grid of avif", std::fs::read(grid).unwrap()));
    files
}

/// With `CORPUS=write` this puts the small files into the corpus of the fuzz target `pictures`.
#[test]
fn the_corpus_of_the_fuzzer_has_every_small_file() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/corpus/pictures");
    for (name, bytes) in small_files() {
        let file = std::path::Path::new(folder).join(name.replace(' ', "-"));
        if std::env::var_os("CORPUS").is_some_and(|what| what == "write") {
            std::fs::create_dir_all(folder).unwrap();
            std::fs::write(&file, &bytes).unwrap();
        }
        assert!(inspect(&std::fs::read(&file).unwrap()).is_ok(), "{}", file.display());
    }
}

#[test]
fn no_prefix_of_a_file_is_accepted_as_the_whole() {
    // [UPL069]
    for (name, bytes) in small_files() {
        assert!(inspect(&bytes).is_ok(), "{name} whole");
        for length in 0..bytes.len() {
            let torn = &bytes[..length];
            let refused = inspect(torn).expect_err(name);
            // The first bytes of a format are not enough to know it.
            let wanted = if length < 32 {
                [Unreadable::NotAnImage, Unreadable::Truncated]
            } else {
                [Unreadable::Truncated; 2]
            };
            assert!(wanted.contains(&refused), "{name} of {length} bytes: {refused:?}");
            assert!(decode(torn, 2048).is_err(), "{name} of {length} bytes");
        }
    }
}

#[test]
fn truncated_photos_are_reported_as_truncated() {
    // [UPL069]
    for format in ImageFormat::ALL {
        let bytes = encode_rgb(format, scene(640, 480));
        let lengths = [10, 50, 99].map(|percent| bytes.len() * percent / 100);
        for length in lengths.into_iter().chain((1..=64).map(|missing| bytes.len() - missing)) {
            assert_eq!(inspect(&bytes[..length]), Err(Unreadable::Truncated), "{format:?} of {length} bytes");
        }
        // Some disks fill a torn file up with zeros.
        let mut filled = bytes.clone();
        filled[bytes.len() / 2..].fill(0);
        match format {
            ImageFormat::Jpeg | ImageFormat::Png | ImageFormat::Gif | ImageFormat::Heic => {
                assert!(inspect(&filled).is_err(), "{format:?}")
            }
            // Zeros are samples there, or the end of a file whose parts all lie before it.
            ImageFormat::Bmp | ImageFormat::Tiff | ImageFormat::WebP | ImageFormat::Avif => {
                let _ = inspect(&filled);
            }
        }
    }
}

#[test]
fn a_jpeg_with_too_little_between_its_markers_is_refused() {
    // [UPL069]: libjpeg alone would fill up with grey and only warn.
    for progressive in [false, true] {
        let bytes = jpeg(&scene(640, 480), progressive);
        for percent in [30, 60, 95] {
            let mut torn = bytes[..bytes.len() * percent / 100].to_vec();
            torn.extend_from_slice(&[0xFF, 0xD9]);
            let refused = inspect(&torn);
            // A progressive file whose last scans are missing is coarser, but whole.
            assert!(refused.is_err() || progressive, "{percent} %: {refused:?}");
        }
        let mut holed = bytes.clone();
        holed.drain(bytes.len() / 2..bytes.len() / 2 + 500);
        assert_eq!(inspect(&holed), Err(Unreadable::Damaged));
    }
}

#[test]
fn sizes_beyond_the_limit_are_refused_by_their_headers() {
    // [UPL188] [UPL070]: a byte of the pixels is never looked at.
    let too_many = |bytes: &[u8]| assert_eq!(inspect(bytes), Err(Unreadable::TooManyPixels));
    let png = white_png(16, 16);
    too_many(&claiming(&png, 20_000, 10_001));
    too_many(&claiming(&png, i32::MAX as u32, i32::MAX as u32));

    let patched = |format, at: usize, size: &[u8]| {
        let mut bytes = encode_rgb(format, scene(32, 20));
        bytes[at..at + size.len()].copy_from_slice(size);
        bytes
    };
    let at = frame_size_at(&patched(ImageFormat::Jpeg, 0, &[]));
    too_many(&patched(ImageFormat::Jpeg, at, &[0xFF, 0xDC, 0xFF, 0xDC]));
    too_many(&patched(ImageFormat::Gif, 6, &[0xFF; 4]));
    too_many(&patched(ImageFormat::Bmp, 18, &[0, 0xFF, 0, 0, 0, 0xFF, 0, 0]));

    // An extended WebP: flags, three reserved bytes, then both sides less one in 24 bits.
    let mut webp = b"RIFF\x16\0\0\0WEBPVP8X\x0A\0\0\0\0\0\0\0".to_vec();
    webp.extend_from_slice(&[0xFF, 0x3F, 0, 0xFF, 0x3F, 0]);
    assert!(matches!(inspect(&webp), Err(Unreadable::TooManyPixels | Unreadable::Damaged)));

    // Width, height and the rows of the only strip of a TIFF, as 32 bits each.
    let mut tiff = encode_rgb(ImageFormat::Tiff, scene(32, 20));
    let directory = u32::from_le_bytes(tiff[4..8].try_into().unwrap()) as usize;
    let entries = usize::from(u16::from_le_bytes(tiff[directory..directory + 2].try_into().unwrap()));
    for entry in (0..entries).map(|entry| directory + 2 + entry * 12) {
        if matches!(u16::from_le_bytes([tiff[entry], tiff[entry + 1]]), 256 | 257 | 278) {
            tiff[entry + 2..entry + 4].copy_from_slice(&4u16.to_le_bytes());
            tiff[entry + 8..entry + 12].copy_from_slice(&60_000u32.to_le_bytes());
        }
    }
    too_many(&tiff);
}

#[test]
fn two_hundred_megapixels_are_accepted() {
    // [UPL062]
    let found = inspect(&white_png(20_000, 10_000)).unwrap();
    assert_eq!(u64::from(found.width) * u64::from(found.height), MAX_PIXELS);
}

#[test]
fn a_large_frame_around_few_bytes_is_refused() {
    // [UPL070]
    for progressive in [false, true] {
        let mut bytes = jpeg(&scene(32, 20), progressive);
        let at = frame_size_at(&bytes);
        bytes[at..at + 4].copy_from_slice(&[0x36, 0xB0, 0x36, 0xB0]);
        assert_eq!(inspect(&bytes), Err(Unreadable::Truncated));
    }
}

#[test]
fn a_jpeg_of_hundreds_of_scans_is_refused() {
    // [UPL070]
    let bytes = jpeg(&scene(64, 64), true);
    let last = bytes.windows(2).rposition(|pair| pair == [0xFF, 0xDA]).unwrap();
    let scan = &bytes[last..bytes.len() - 2];
    let bomb = [&bytes[..last], &scan.repeat(300), &[0xFF, 0xD9]].concat();
    assert_eq!(inspect(&bomb), Err(Unreadable::TooComplex));
}

#[test]
fn a_raw_photo_is_not_mistaken_for_its_embedded_thumbnail() {
    // The first page of a camera's raw file says that it is a smaller version (NewSubfileType 1).
    let mut tiff = encode_rgb(ImageFormat::Tiff, scene(32, 20));
    let directory = u32::from_le_bytes(tiff[4..8].try_into().unwrap()) as usize;
    let entries = usize::from(u16::from_le_bytes(tiff[directory..directory + 2].try_into().unwrap()));
    // A copy of the directory at the end with one entry more; entries are sorted by tag and 254 is the least.
    let (start, old) = (tiff.len() as u32, tiff[directory + 2..directory + 2 + entries * 12 + 4].to_vec());
    tiff.extend((entries as u16 + 1).to_le_bytes());
    tiff.extend([254u16.to_le_bytes(), 4u16.to_le_bytes()].concat());
    tiff.extend([1u32.to_le_bytes(), 1u32.to_le_bytes()].concat());
    tiff.extend(old);
    tiff[4..8].copy_from_slice(&start.to_le_bytes());
    assert_eq!(inspect(&tiff), Err(Unreadable::UnknownKind));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damaged_bytes_never_panic_and_what_is_taken_decodes(
        file in 0..12usize,
        flips in prop::collection::vec((any::<prop::sample::Index>(), 1..=255u8), 1..6),
    ) {
        let (name, mut bytes) = small_files().swap_remove(file);
        for (place, flip) in flips {
            let place = place.index(bytes.len());
            bytes[place] ^= flip;
        }
        if let Ok(found) = inspect(&bytes) {
            prop_assert!(u64::from(found.width) * u64::from(found.height) <= MAX_PIXELS);
            let pixels = decode(&bytes, 64);
            prop_assert!(pixels.is_ok(), "{} was taken but is {:?}", name, pixels);
        }
    }

    #[test]
    fn any_bytes_behind_a_signature_are_refused_or_decoded(
        file in 0..12usize,
        kept in 8..64usize,
        noise in prop::collection::vec(any::<u8>(), 0..400),
    ) {
        let (_, mut bytes) = small_files().swap_remove(file);
        bytes.truncate(kept);
        bytes.extend(noise);
        if inspect(&bytes).is_ok() {
            prop_assert!(decode(&bytes, 64).is_ok());
        }
    }
}

#[test]
fn a_heic_that_names_one_picture_ten_thousand_times_is_refused() {
    // [SAFE035]
    let whole = heic(&scene(64, 64));
    let file = HeifFile::parse(&whole).unwrap();
    let coded = file.primary_id;
    let stream = file.hevc_bitstream(coded).unwrap();
    let slices: Vec<Vec<u8>> = split_annex_b(&stream)
        .filter(|unit| NalHeader::parse(unit).unwrap().unit_type.is_slice())
        .map(<[u8]>::to_vec)
        .collect();
    let of = |tiles: u16| {
        let mut writer = HeifWriter::new();
        let config = file.hevc_config(coded).unwrap().unwrap().clone();
        let tile = writer.add_image(&ImageSpec::new(64, 64, config, &slices));
        let names = vec![tile; usize::from(tiles) * usize::from(tiles)];
        let side = u32::from(tiles) * 64;
        let grid = writer.add_grid(tiles, tiles, side, side, &names, None, None);
        writer.set_primary(grid);
        writer.finish()
    };
    assert_eq!(inspect(&of(3)).map(|found| (found.width, found.height)), Ok((192, 192)));
    assert_eq!(inspect(&of(100)), Err(Unreadable::TooComplex));
}

fn boxed(kind: &[u8; 4], parts: &[&[u8]]) -> Vec<u8> {
    let content = parts.concat();
    [&(8 + content.len() as u32).to_be_bytes()[..], kind, &content].concat()
}

/// A HEIF file without a picture that says so much of its items: how many there are, where they are, which properties they have,
/// and to which others they refer. Each place has so many extents, which take no byte.
fn with_items(brand: &[u8; 4], [infos, places, properties, references]: [u32; 4], extents: u16) -> Vec<u8> {
    let many = |number: u32, entry: &dyn Fn([u8; 4]) -> Vec<u8>| -> Vec<u8> {
        (1..=number).flat_map(|id| entry(id.to_be_bytes())).collect()
    };
    let infes = many(infos, &|id| boxed(b"infe", &[&[3, 0, 0, 0], &id, &[0, 0], b"hvc1"]));
    let placed = many(places, &|id| [&id[..], &[0; 4], &extents.to_be_bytes()].concat());
    let associated = many(properties, &|id| [&id[..], &[0]].concat());
    let referring = many(references, &|id| boxed(b"dimg", &[&id, &[0, 1], &id]));
    let associations = boxed(b"ipma", &[&[1, 0, 0, 0], &properties.to_be_bytes(), &associated]);
    let meta = boxed(
        b"meta",
        &[
            &[0; 4],
            &boxed(b"hdlr", &[&[0; 8], b"pict"]),
            &boxed(b"pitm", &[&[0; 4], &[0, 1]]),
            &boxed(b"iinf", &[&[1, 0, 0, 0], &infos.to_be_bytes(), &infes]),
            &boxed(b"iloc", &[&[2, 0, 0, 0], &[0, 0], &places.to_be_bytes(), &placed]),
            &boxed(b"iprp", &[&associations]),
            &boxed(b"iref", &[&[1, 0, 0, 0], &referring]),
        ],
    );
    [boxed(b"ftyp", &[brand, &[0; 4], brand]), meta].concat()
}

#[test]
fn a_file_with_more_items_than_any_picture_is_refused_before_they_are_gone_through() {
    // [SAFE477]
    for (brand, format) in [(b"heic", ImageFormat::Heic), (b"avif", ImageFormat::Avif)] {
        let taken = with_items(brand, [2_000; 4], 1);
        assert_eq!(inspect(&taken), Err(Unreadable::Damaged), "{format:?} without a picture");
        assert!(redact(&taken, format).is_ok(), "{format:?}");
        for (counts, extents) in [
            ([40_000, 1, 1, 1], 0),
            ([1, 40_000, 1, 1], 0),
            ([1, 1, 40_000, 1], 0),
            ([1, 1, 1, 40_000], 0),
            ([1, 2, 1, 1], u16::MAX),
        ] {
            let refused = with_items(brand, counts, extents);
            let what = format!("{format:?}, {counts:?}, {extents} extents");
            assert_eq!(inspect(&refused), Err(Unreadable::TooComplex), "{what}");
            assert_eq!(decode(&refused, 64).err(), Some(Unreadable::TooComplex), "{what}");
            assert!(redact(&refused, format).is_err(), "{what}");
        }
    }
}
