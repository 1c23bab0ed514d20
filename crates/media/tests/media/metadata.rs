//! What guests get of files with positions, places, names, keywords and serial numbers in them.

mod heif;
#[path = "../fixtures/metadata.rs"]
mod written;

use crate::fixtures::{chunk, encode_rgb, scene, with_chunk};
use domain::photos::ImageFormat;
use domain::photos::redactions::apply;
use exif::{In, Tag};
use image::RgbImage;
use media::metadata::redact;
use media::pictures::decode;
use written::{DATE, KEPT_XMP, MODEL, Order, SECRET, ascii, byte, camera_jpeg, segment, xmp};

const LITTLE: Order = Order { is_little_endian: true };
const BIG: Order = Order { is_little_endian: false };

fn picture() -> RgbImage {
    scene(64, 48)
}

fn has(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}

/// The file as guests get it; everything that must hold for every format is checked on the way.
fn for_guests(file: &[u8], format: ImageFormat) -> Vec<u8> {
    let redaction = redact(file, format).unwrap();
    let mut redacted = file.to_vec();
    apply(&redaction.patches, 0, &mut redacted);
    assert_eq!(redaction.crc32, crc32fast::hash(&redacted), "{format:?}");
    assert!(!has(&redacted, SECRET), "{format:?}");
    let (before, after) = (decode(file, 64).unwrap(), decode(&redacted, 64).unwrap());
    assert!(before == after, "the pixels of {format:?}");
    assert_eq!(redact(&redacted, format).unwrap().patches, [], "{format:?}: nothing is left");
    redacted
}

/// The packet's properties that stay, and that it can be read still.
fn assert_xmp(file: &[u8]) {
    for kept in KEPT_XMP.into_iter().chain(["Sundar Studios", "dc:source='kept'"]) {
        assert!(has(file, kept), "{kept}");
    }
}

/// What an EXIF reader finds: the date and the model, and neither positions nor serial numbers.
fn assert_exif(file: &[u8]) {
    let exif = exif::Reader::new().read_from_container(&mut std::io::Cursor::new(file)).unwrap();
    let text = |tag| exif.get_field(tag, In::PRIMARY).unwrap().display_value().to_string();
    assert_eq!(text(Tag::Model), format!("\"{MODEL}\""));
    assert_eq!(text(Tag::DateTimeOriginal), DATE.replacen(':', "-", 2));
    assert_eq!(text(Tag::LensModel), "\"Lumina 35mm\"");
    let gone = [
        Tag::GPSLatitude,
        Tag::GPSLongitudeRef,
        Tag::GPSDateStamp,
        Tag::MakerNote,
        Tag::BodySerialNumber,
        Tag::LensSerialNumber,
        Tag::CameraOwnerName,
    ];
    assert_eq!(gone.map(|tag| exif.get_field(tag, In::PRIMARY).is_some()), [false; 7]);
}

#[test]
fn a_jpeg_keeps_its_picture_date_model_and_orientation() {
    // [GAL127] [GAL400]
    for order in [LITTLE, BIG] {
        let file = camera_jpeg(&encode_rgb(ImageFormat::Jpeg, picture()), order);
        assert!(has(&file, SECRET));
        let redacted = for_guests(&file, ImageFormat::Jpeg);
        assert_exif(&redacted);
        // Upright: the picture is turned by its orientation.
        assert_eq!(decode(&redacted, 64).unwrap().width(), 48);
        assert_xmp(&redacted);
        for kept in ["By Meera", "Meera 2026", "At the lake"] {
            assert!(has(&redacted, kept), "{kept}");
        }
    }
}

#[test]
fn exif_that_cannot_be_read_goes_but_for_its_orientation() {
    // [GAL127]
    let jpeg = encode_rgb(ImageFormat::Jpeg, picture());
    // Its directory leads beyond its end.
    let mut exif = LITTLE.exif();
    let end = exif.len() - 20;
    exif.truncate(end);
    exif[8] = 200;
    exif.extend(SECRET.as_bytes());
    let file = [&jpeg[..2], &segment(0xE1, &[b"Exif\0\0".as_slice(), &exif].concat()), &jpeg[2..]].concat();
    let redacted = for_guests(&file, ImageFormat::Jpeg);
    assert_eq!(decode(&file, 64).unwrap().width(), decode(&redacted, 64).unwrap().width());
    // XMP that is cut off, and XMP in UTF-16.
    let torn = &xmp().into_bytes()[..300];
    let wide: Vec<u8> = xmp().encode_utf16().flat_map(u16::to_le_bytes).collect();
    for packet in [torn, &wide] {
        let packet = [b"http://ns.adobe.com/xap/1.0/\0".as_slice(), packet, SECRET.as_bytes()].concat();
        for_guests(&[&jpeg[..2], &segment(0xE1, &packet), &jpeg[2..]].concat(), ImageFormat::Jpeg);
    }
}

/// A pointer or a value that is not true, in the first directory of EXIF as a camera writes it.
fn odd_exif(entry: usize, change: impl FnOnce(&mut [u8])) -> Vec<u8> {
    let mut exif = LITTLE.exif();
    let at = 8 + 2 + entry * 12;
    change(&mut exif[at..at + 12]);
    [b"Exif\0\0".as_slice(), &exif].concat()
}

#[test]
fn of_exif_that_can_be_read_in_part_the_date_and_the_model_stay() {
    // [GAL127] [GAL400]
    let jpeg = encode_rgb(ImageFormat::Jpeg, picture());
    let position = |value: u32| odd_exif(3, |entry| entry[8..].copy_from_slice(&value.to_le_bytes()));
    let without_end = odd_exif(4, |entry| {
        // A caption, which stays, in the place of keywords, and over all that is behind it.
        entry[..2].copy_from_slice(&0x010E_u16.to_le_bytes());
        entry[2..8].copy_from_slice(&[2, 0, 0xFF, 0xFF, 0xFF, 0x7F]);
        entry[8..].copy_from_slice(&8_u32.to_le_bytes());
    });
    let mut thumbnail = odd_exif(0, |_| {});
    let next = 6 + 8 + 2 + 6 * 12;
    thumbnail[next..next + 4].copy_from_slice(&0x00FF_FFFF_u32.to_le_bytes());
    for odd in [position(0xFF_FFFF), position(8), without_end, thumbnail] {
        let file = [&jpeg[..2], &segment(0xE1, &odd), &jpeg[2..]].concat();
        let redacted = for_guests(&file, ImageFormat::Jpeg);
        assert!(has(&redacted, MODEL) && has(&redacted, DATE), "{:?}", media::captures::read(&redacted));
        assert_eq!(media::captures::read(&redacted), media::captures::read(&file));
        assert_eq!(decode(&redacted, 64).unwrap().width(), 48);
    }
}

#[test]
fn the_segment_of_iso_21496_stays_in_the_picture_and_in_its_gain_map() {
    // [GAL127]
    let name = b"urn:iso:std:iso:ts:21496:-1\0".as_slice();
    let (version, numbers) = ([name, &[0; 4]].concat(), [name, &[0, 0, 0, 0, 0x40, 7, 1, 1, 5]].concat());
    let jpeg = encode_rgb(ImageFormat::Jpeg, picture());
    for content in [version, numbers] {
        let other = segment(0xE2, format!("other {SECRET}").as_bytes());
        let file = [&jpeg[..2], &segment(0xE2, &content), &other, &jpeg[2..]].concat();
        let redacted = for_guests(&file, ImageFormat::Jpeg);
        assert_eq!(redacted[6..6 + content.len()], content);
    }
}

#[test]
fn the_gain_map_of_an_hdr_photo_stays_and_tells_nothing() {
    // [GAL127]
    let map = camera_jpeg(&encode_rgb(ImageFormat::Jpeg, scene(32, 24)), BIG);
    let base = encode_rgb(ImageFormat::Jpeg, picture());
    let built = |offset: usize| {
        let entry = |size: usize, offset: usize| {
            [&[0; 4], &(size as u32).to_be_bytes()[..], &(offset as u32).to_be_bytes(), &[0; 4]].concat()
        };
        let pictures = [entry(base.len(), 0), entry(map.len(), offset)].concat();
        let index = [BIG.header(), BIG.directory(8, &[written::undefined(0xB002, &pictures)])].concat();
        [&base[..2], &segment(0xE2, &[b"MPF\0".as_slice(), &index].concat()), &base[2..]].concat()
    };
    // The index begins behind SOI, marker, length and name.
    let offset = built(0).len() - (2 + 4 + 4) + SECRET.len();
    let file = [built(offset), SECRET.into(), map.clone(), SECRET.into()].concat();
    let redacted = for_guests(&file, ImageFormat::Jpeg);
    let at = built(0).len() + SECRET.len();
    let kept = &redacted[at..at + map.len()];
    assert!(decode(kept, 32).unwrap() == decode(&map, 32).unwrap());
    assert_exif(kept);
}

#[test]
fn a_png_keeps_its_texts_and_valid_checksums() {
    // [GAL127] [GAL400]
    let png = encode_rgb(ImageFormat::Png, picture());
    let text = |keyword: &str, text: &str| [keyword.as_bytes(), b"\0", text.as_bytes()].concat();
    let international = [b"XML:com.adobe.xmp\0\0\0\0\0".as_slice(), xmp().as_bytes()].concat();
    let mut file = png;
    for (kind, data) in [
        (b"eXIf", LITTLE.exif()),
        (b"iTXt", international),
        (b"tEXt", text("Raw profile type exif", SECRET)),
        (b"tEXt", text("Title", "At the lake")),
        (b"caBX", SECRET.into()),
    ] {
        file = with_chunk(&file, kind, &data);
    }
    file.extend(SECRET.as_bytes());
    let redacted = for_guests(&file, ImageFormat::Png);
    assert_exif(&redacted);
    assert_xmp(&redacted);
    assert!(has(&redacted, "At the lake"));
    // Every chunk's checksum is right.
    let mut at = 8;
    while !redacted[at..].iter().all(|byte| *byte == 0) {
        let length = u32::from_be_bytes(redacted[at..at + 4].try_into().unwrap()) as usize;
        let kind: &[u8; 4] = redacted[at + 4..at + 8].try_into().unwrap();
        let whole = at + 12 + length;
        assert_eq!(redacted[at..whole], chunk(kind, &redacted[at + 8..at + 8 + length]), "{kind:?}");
        at = whole;
    }
}

#[test]
fn a_webp_a_gif_and_a_bmp_keep_their_pictures() {
    // [GAL127] [GAL400]
    let webp = encode_rgb(ImageFormat::WebP, picture());
    let riff = |kind: &[u8; 4], data: &[u8]| {
        let mut out = [kind.as_slice(), &(data.len() as u32).to_le_bytes(), data].concat();
        out.resize(out.len().next_multiple_of(2), 0);
        out
    };
    let chunks = [
        &webp[12..],
        &riff(b"EXIF", &BIG.exif()),
        &riff(b"XMP ", xmp().as_bytes()),
        &riff(b"SERI", SECRET.as_bytes()),
    ]
    .concat();
    let size = (chunks.len() as u32 + 4).to_le_bytes();
    let file = [b"RIFF".as_slice(), &size, b"WEBP", &chunks, SECRET.as_bytes()].concat();
    let redacted = for_guests(&file, ImageFormat::WebP);
    assert_xmp(&redacted);
    let at = redacted.windows(4).position(|four| four == b"EXIF").unwrap() + 8;
    let exif = exif::Reader::new().read_raw(redacted[at..at + BIG.exif().len()].to_vec()).unwrap();
    assert!(exif.get_field(Tag::Model, In::PRIMARY).is_some());
    assert!(exif.get_field(Tag::GPSLatitude, In::PRIMARY).is_none());

    let gif = encode_rgb(ImageFormat::Gif, picture());
    let colors = if gif[10] & 0x80 == 0 { 0 } else { 3 << ((gif[10] & 7) + 1) };
    let blocks = |text: &[u8]| {
        let blocks = text.chunks(255).flat_map(|part| [&[part.len() as u8], part].concat());
        [blocks.collect(), vec![0]].concat()
    };
    // An application's text whose lengths are part of it ends with all lengths downwards (XMP, part 3).
    let trailer: Vec<u8> = [1].into_iter().chain((0..=255).rev()).chain([0]).collect();
    let extensions = [
        [b"\x21\xFE".to_vec(), blocks(SECRET.as_bytes())].concat(),
        [b"\x21\xFF\x0BXMP DataXMP".to_vec(), xmp().into_bytes(), trailer].concat(),
    ]
    .concat();
    let head = 13 + colors;
    let file = [&gif[..head], &extensions, &gif[head..], SECRET.as_bytes()].concat();
    for_guests(&file, ImageFormat::Gif);

    let bmp = encode_rgb(ImageFormat::Bmp, picture());
    assert_eq!(for_guests(&bmp, ImageFormat::Bmp), bmp);
}

/// The entries of the first directory of a TIFF file.
fn entries(file: &[u8]) -> Vec<Vec<u8>> {
    assert!(file.starts_with(b"II*\0"));
    let at = u32::from_le_bytes(file[4..8].try_into().unwrap()) as usize;
    let count = usize::from(u16::from_le_bytes([file[at], file[at + 1]]));
    file[at + 2..at + 2 + count * 12].chunks(12).map(<[u8]>::to_vec).collect()
}

fn number(entry: &[u8]) -> u16 {
    u16::from_le_bytes([entry[0], entry[1]])
}

/// Puts a directory behind a TIFF file, to which nothing leads, and answers where it is.
fn append(file: &mut Vec<u8>, tags: &[written::Tag]) -> usize {
    let at = file.len().next_multiple_of(2);
    file.resize(at, 0);
    file.extend(LITTLE.directory(at, tags));
    at
}

/// The file with these entries as well. What the encoder wrote is taken over, with its values where they are.
fn with_entries(mut file: Vec<u8>, tags: &[written::Tag]) -> Vec<u8> {
    let mut merged = entries(&file);
    let at = append(&mut file, tags) + 2;
    merged.extend(file[at..at + tags.len() * 12].chunks(12).map(<[u8]>::to_vec));
    merged.sort_by_key(|entry| number(entry));
    let table = [&(merged.len() as u16).to_le_bytes(), merged.concat().as_slice(), &[0; 4]].concat();
    let table_at = (file.len() as u32).to_le_bytes();
    file.extend(table);
    file[4..8].copy_from_slice(&table_at);
    file
}

#[test]
fn what_stands_behind_an_entry_that_goes_keeps_its_value() {
    // [UPL273]
    let (inline, apart) = (b"T\0\0\0".as_slice(), b"At the lake".as_slice());
    for (title, comment) in [(inline, apart), (apart, inline)] {
        let mut file = encode_rgb(ImageFormat::Tiff, picture());
        let gps_at = append(&mut file, &LITTLE.position());
        let tags = [LITTLE.long(0x8825, gps_at), byte(0x9C9B, title), byte(0x9C9C, comment)];
        let file = with_entries(file, &tags);
        let redacted = for_guests(&file, ImageFormat::Tiff);
        let mut kept = entries(&file);
        kept.retain(|entry| number(entry) != 0x8825);
        assert_eq!(entries(&redacted), kept);
        assert!(has(&redacted, "At the lake"));
    }
}

#[test]
fn a_tiff_keeps_its_picture() {
    // [GAL127] [GAL400]
    let mut file = encode_rgb(ImageFormat::Tiff, picture());
    let exif_at = append(&mut file, &LITTLE.camera());
    let gps_at = append(&mut file, &LITTLE.position());
    let tags = [
        byte(0x02BC, xmp().as_bytes()),
        LITTLE.long(0x8769, exif_at),
        LITTLE.long(0x8825, gps_at),
        ascii(0xC62F, SECRET),
    ];
    let file = with_entries(file, &tags);
    let redacted = for_guests(&file, ImageFormat::Tiff);
    let exif = exif::Reader::new().read_from_container(&mut std::io::Cursor::new(&redacted)).unwrap();
    assert!(exif.get_field(Tag::DateTimeOriginal, In::PRIMARY).is_some());
    assert!(exif.get_field(Tag::GPSLatitude, In::PRIMARY).is_none());
    assert_xmp(&redacted);
}

#[test]
fn no_input_panics_or_is_overwritten_beyond_its_end() {
    // [SAFE132]
    let jpeg = camera_jpeg(&encode_rgb(ImageFormat::Jpeg, picture()), BIG);
    let files = [
        (ImageFormat::Jpeg, jpeg),
        (ImageFormat::Png, with_chunk(&encode_rgb(ImageFormat::Png, picture()), b"eXIf", &LITTLE.exif())),
        (ImageFormat::Gif, encode_rgb(ImageFormat::Gif, picture())),
        (ImageFormat::WebP, encode_rgb(ImageFormat::WebP, picture())),
        (ImageFormat::Tiff, encode_rgb(ImageFormat::Tiff, picture())),
        (ImageFormat::Heic, crate::fixtures::heic_with(&picture(), Some(&BIG.exif()), None)),
    ];
    let random = domain::Randomness::seeded(3);
    for (format, file) in files {
        for _ in 0..300 {
            let mut damaged = file.clone();
            for _ in 0..8 {
                let [a, b, c, value] = random.bytes::<4>();
                let at = usize::from(a) << 16 | usize::from(b) << 8 | usize::from(c);
                let near = (damaged.len() - 1).min(1_500);
                let at = if value % 2 == 0 { at % near } else { at % damaged.len() };
                damaged[at] = value;
            }
            damaged.truncate(damaged.len() - usize::from(random.bytes::<1>()[0]) % damaged.len());
            if let Ok(redaction) = redact(&damaged, format) {
                let end = redaction.patches.last().map_or(0, domain::photos::redactions::Patch::end);
                assert!(end <= damaged.len() as u64, "{format:?}");
            }
        }
    }
}
