//! What guests get of HEIC files.

use domain::photos::ImageFormat;
use media::pictures::decode;

use super::written::{MODEL, SECRET, camera_jpeg, xmp};
use super::{LITTLE, assert_exif, assert_xmp, for_guests, has, picture};
use crate::fixtures::{encode_rgb, heic_with, scene};

/// A HEIC with a position, names and serial numbers in its items.
fn photo() -> Vec<u8> {
    heic_with(&picture(), Some(&LITTLE.exif()), Some(xmp().as_bytes()))
}

fn boxed(kind: &[u8; 4], content: &[u8]) -> Vec<u8> {
    [&(8 + content.len() as u32).to_be_bytes(), kind.as_slice(), content].concat()
}

/// A box that tells what guests must not get.
fn told(kind: &[u8; 4]) -> Vec<u8> {
    boxed(kind, format!("a type of 16 char {SECRET}").as_bytes())
}

/// Where the box of this kind begins.
fn find(file: &[u8], kind: &[u8]) -> usize {
    file.windows(4).position(|four| four == kind).unwrap() - 4
}

fn number(file: &[u8], at: usize) -> usize {
    u32::from_be_bytes(file[at..at + 4].try_into().unwrap()) as usize
}

fn add(file: &mut [u8], at: usize, more: usize) {
    let sum = (number(file, at) + more) as u32;
    file[at..at + 4].copy_from_slice(&sum.to_be_bytes());
}

/// A HEIC with something more before its `mdat`, at the end of the last of `around`, which are within each other and grow. What
/// `iloc` leads to is behind it.
fn grown(file: &[u8], around: &[&[u8; 4]], more: &[u8]) -> Vec<u8> {
    let places: Vec<usize> = around.iter().map(|kind| find(file, *kind)).collect();
    let at = places.last().map_or_else(|| find(file, b"mdat"), |place| place + number(file, *place));
    let mut grown = [&file[..at], more, &file[at..]].concat();
    places.into_iter().for_each(|place| add(&mut grown, place, more.len()));
    // `iloc` is before it too; each item of its version 0 has an extent, whose offset is behind three numbers of two bytes.
    let iloc = find(file, b"iloc");
    assert_eq!(file[iloc + 8..iloc + 14], [0, 0, 0, 0, 0x44, 0]);
    for item in 0..usize::from(file[iloc + 15]) {
        add(&mut grown, iloc + 16 + item * 14 + 6, more.len());
    }
    grown
}

#[test]
fn a_heic_keeps_its_picture() {
    // [GAL127] [GAL400]
    // What is behind the boxes that are known, as motion photos have it.
    let file = [photo(), told(b"mpvd")].concat();
    assert!(has(&file, SECRET));
    let redacted = for_guests(&file, ImageFormat::Heic);
    assert_exif(&redacted);
    assert_xmp(&redacted);
}

#[test]
fn names_in_regions_of_a_heic_go_and_their_description_stays() {
    // [GAL400]
    let file = heic_with(&picture(), None, None);
    // A description of a region among the properties.
    let text = format!("\0\0\0\0en\0{SECRET}\0At the lake\0family,{SECRET}\0");
    let description = boxed(b"udes", text.as_bytes());
    let grown = grown(&file, &[b"meta", b"iprp", b"ipco"], &description);
    let redacted = for_guests(&grown, ImageFormat::Heic);
    assert!(has(&grown, SECRET) && !has(&redacted, "family"));
    assert!(has(&redacted, "en\0") && has(&redacted, "\0At the lake\0"));
}

#[test]
fn a_file_behind_a_heic_goes() {
    // [UPL274]
    let photo = photo();
    let track = boxed(b"trak", &told(b"udta"));
    let movie = boxed(b"moov", &[told(b"udta"), track].concat());
    let video = [boxed(b"ftyp", b"isom\0\0\0\0"), told(b"free"), movie, told(b"mdat")].concat();
    let redacted = for_guests(&[photo.clone(), video].concat(), ImageFormat::Heic);
    assert!(redacted[photo.len()..].iter().all(|byte| *byte == 0));
    assert_exif(&redacted);
    assert_xmp(&redacted);
}

#[test]
fn boxes_of_a_heic_that_are_not_its_items_tell_nothing() {
    // [UPL274]
    let beside = [told(b"free"), told(b"skip"), told(b"wide"), told(b"mdat")].concat();
    let within = grown(&photo(), &[b"meta"], &[told(b"xml "), told(b"uuid"), told(b"free")].concat());
    let track = boxed(b"trak", &[told(b"udta"), boxed(b"tkhd", b"kept track"), told(b"meta")].concat());
    let movie =
        boxed(b"moov", &[boxed(b"mvhd", b"kept movie"), track, told(b"uuid"), told(b"udta")].concat());
    for (file, kept) in [
        ([photo(), beside].concat(), vec![]),
        (within, vec!["xml ", "uuid"]),
        ([photo(), movie].concat(), vec!["kept track", "kept movie", "trak"]),
    ] {
        let redacted = for_guests(&file, ImageFormat::Heic);
        assert_exif(&redacted);
        assert_xmp(&redacted);
        for kept in kept {
            assert!(has(&redacted, kept), "{kept}");
        }
    }
}

#[test]
fn a_heic_keeps_what_its_items_are_made_of_wherever_that_is() {
    // [UPL274]
    let mut free = photo();
    let at = find(&free, b"mdat") + 4;
    free[at..at + 4].copy_from_slice(b"free");
    let behind = grown(&photo(), &[], &boxed(b"ftyp", b"isom\0\0\0\0"));
    for file in [free, behind] {
        assert_xmp(&for_guests(&file, ImageFormat::Heic));
    }
}

#[test]
fn a_jpeg_in_a_heic_keeps_its_picture_and_tells_nothing() {
    // [UPL274]
    let with_item = |item: &[u8]| {
        let mut file = heic_with(&picture(), None, Some(item));
        let at = find(&file, b"mime") + 4;
        file[at..at + 4].copy_from_slice(b"jpeg");
        file
    };
    let jpeg = camera_jpeg(&encode_rgb(ImageFormat::Jpeg, scene(32, 24)), LITTLE);
    let file = with_item(&jpeg);
    let at = file.windows(jpeg.len()).position(|item| item == jpeg).unwrap();
    let redacted = for_guests(&file, ImageFormat::Heic);
    let kept = &redacted[at..at + jpeg.len()];
    assert!(decode(kept, 32).unwrap() == decode(&jpeg, 32).unwrap());
    assert!(has(kept, MODEL));
    assert_exif(kept);
    // What is none goes.
    let text = format!("no picture {SECRET}");
    assert!(!has(&for_guests(&with_item(text.as_bytes()), ImageFormat::Heic), "no picture"));
}
