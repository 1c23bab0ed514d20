//! Forms of formats that few programs write, and files that are named as what they are.

use std::io::Write as _;

use crate::fixtures::*;
use domain::photos::ImageFormat;
use flate2::{Compression, write::ZlibEncoder};
use image::{Rgb, RgbImage};
use media::pictures::{Foreign, Unreadable, decode, inspect};

/// Tag, type and values of an entry; types are 1 byte, 3 short, 4 long.
type Entry = (u16, u16, Vec<u32>);

/// A TIFF of one directory, with the strips or tiles between header and directory.
fn tiff(entries: &[Entry], chunks: &[Vec<u8>], is_big: bool) -> Vec<u8> {
    let number = |value: usize, big: usize, small: usize| {
        value.to_le_bytes()[..if is_big { big } else { small }].to_vec()
    };
    let mut data = Vec::new();
    let header = if is_big { 16 } else { 8 };
    let (offset_tag, count_tag) =
        if entries.iter().any(|entry| entry.0 == 322) { (324, 325) } else { (273, 279) };
    let offsets = chunks.iter().scan(header, |at, chunk| {
        let start = *at;
        *at += chunk.len();
        Some(start as u32)
    });
    let mut all = entries.to_vec();
    all.push((offset_tag, 4, offsets.collect()));
    all.push((count_tag, 4, chunks.iter().map(|chunk| chunk.len() as u32).collect()));
    all.sort();
    chunks.iter().for_each(|chunk| data.extend(chunk));
    let values: Vec<Vec<u8>> = all
        .iter()
        .map(|(_, kind, values)| match kind {
            1 => values.iter().map(|value| *value as u8).collect(),
            3 => values.iter().flat_map(|value| (*value as u16).to_le_bytes()).collect(),
            _ => values.iter().flat_map(|value| value.to_le_bytes()).collect(),
        })
        .collect();
    let mut places = Vec::new();
    for value in &values {
        places.push(header + data.len());
        if value.len() > number(0, 8, 4).len() {
            data.extend(value);
        }
    }
    data.extend(vec![0; data.len() % 2]);
    let directory = header + data.len();
    let mut file = if is_big { b"II\x2B\0\x08\0\0\0".to_vec() } else { b"II*\0".to_vec() };
    file.extend(number(directory, 8, 4));
    file.extend(data);
    file.extend(number(all.len(), 8, 2));
    for (((tag, kind, numbers), value), place) in all.iter().zip(&values).zip(places) {
        file.extend(tag.to_le_bytes());
        file.extend(kind.to_le_bytes());
        file.extend(number(numbers.len(), 8, 4));
        let inline = number(0, 8, 4).len();
        if value.len() > inline {
            file.extend(number(place, 8, 4));
        } else {
            file.extend(value);
            file.extend(vec![0; inline - value.len()]);
        }
    }
    file.extend(number(0, 8, 4));
    file
}

/// The entries that every page has.
fn page(width: u32, height: u32, photometric: u32, bits: u32, samples: u32) -> Vec<Entry> {
    vec![
        (256, 4, vec![width]),
        (257, 4, vec![height]),
        (258, 3, vec![bits; samples as usize]),
        (262, 3, vec![photometric]),
        (277, 3, vec![samples]),
        (278, 4, vec![height]),
    ]
}

fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Each sample less the one before it of the same kind, row by row (TIFF 6.0, section 14).
fn predicted(samples: &[u8], width: usize, each: usize) -> Vec<u8> {
    let mut out = samples.to_vec();
    for (row, stored) in out.chunks_mut(width * each).zip(samples.chunks(width * each)) {
        for at in each..row.len() {
            row[at] = stored[at].wrapping_sub(stored[at - each]);
        }
    }
    out
}

#[test]
fn samples_behind_the_colours_of_a_tiff_change_nothing_of_them() {
    // What is behind the colours has noise in it, which a predictor goes over as well.
    let (width, height) = (64, 40);
    let picture = quarters(width, height);
    for (behind, is_big) in [(1_usize, false), (2, false), (1, true)] {
        let samples: Vec<u8> = picture
            .pixels()
            .enumerate()
            .flat_map(|(at, pixel)| [&pixel.0[..], &vec![(at * 37 % 256) as u8; behind]].concat())
            .collect();
        let each = 3 + behind;
        let mut entries = page(width, height, 2, 8, each as u32);
        entries.push((338, 3, vec![0; behind]));
        let with = |more: &[Entry], data: Vec<u8>| {
            let bytes = tiff(&[&entries, more].concat(), &[data], is_big);
            let found = inspect(&bytes).unwrap();
            assert_eq!((found.format, found.width, found.height), (ImageFormat::Tiff, width, height));
            assert_quarters(&decode(&bytes, width).unwrap());
        };
        with(&[], samples.clone());
        with(&[(259, 3, vec![8])], deflated(&samples));
        let predictor = [(259, 3, vec![8]), (317, 3, vec![2])];
        with(&predictor, deflated(&predicted(&samples, width as usize, each)));
    }
}

#[test]
fn inks_and_greys_of_a_tiff_may_have_samples_behind_them_too() {
    let (width, height) = (16, 8);
    let ink: Vec<u8> = [0, 255, 255, 0, 77].repeat(128);
    let mut entries = page(width, height, 5, 8, 5);
    entries.extend([(338, 3, vec![0]), (259, 3, vec![8]), (317, 3, vec![2])]);
    let bytes = tiff(&entries, &[deflated(&predicted(&ink, 16, 5))], false);
    assert_near(at(&decode(&bytes, 16).unwrap(), 4, 4), [255, 0, 0], 2);

    let grey: Vec<u8> = [90, 0].repeat(128);
    let mut entries = page(width, height, 1, 8, 2);
    entries.push((338, 3, vec![0]));
    assert_eq!(at(&decode(&tiff(&entries, &[grey], false), 16).unwrap(), 4, 4), [90; 3]);
}

#[test]
fn colours_that_are_multiplied_by_their_transparency_are_not_multiplied_twice() {
    let half: Vec<u8> = [100, 0, 0, 128].repeat(128);
    let of = |meaning: u32| {
        let mut entries = page(16, 8, 2, 8, 4);
        entries.push((338, 3, vec![meaning]));
        at(&decode(&tiff(&entries, std::slice::from_ref(&half), false), 16).unwrap(), 4, 4)
    };
    assert_eq!(of(0), [100, 0, 0], "it says nothing");
    assert_near(of(1), [227, 127, 127], 1);
    assert_near(of(2), [177, 127, 127], 1);
}

#[test]
fn jpeg_in_tiff_is_read_in_tiles_and_in_strips() {
    // Of 100 by 60 pixels, so that the last ones reach beyond the edges; colours at half the width and height.
    let picture = quarters(100, 60);
    let part = |x: u32, y: u32, width: u32, height: u32| {
        let pixel = |across: u32, down: u32| *picture.get_pixel((x + across).min(99), (y + down).min(59));
        jpeg(&RgbImage::from_fn(width, height, pixel), false)
    };
    let mut entries: Vec<Entry> = page(100, 60, 6, 8, 3);
    entries.extend([(259, 3, vec![7]), (530, 3, vec![2, 2])]);
    let rows = entries.iter().position(|entry| entry.0 == 278).unwrap();
    let mut tiled = entries.clone();
    tiled.remove(rows);
    tiled.extend([(322, 4, vec![32]), (323, 4, vec![32])]);
    let tiles: Vec<_> = (0..2)
        .flat_map(|row| (0..4).map(move |column| (column * 32, row * 32)))
        .map(|(x, y)| part(x, y, 32, 32))
        .collect();
    entries[rows].2 = vec![16];
    let strips: Vec<_> = (0..4).map(|strip| part(0, strip * 16, 100, 16.min(60 - strip * 16))).collect();
    for bytes in [tiff(&tiled, &tiles, false), tiff(&entries, &strips, false)] {
        let found = inspect(&bytes).unwrap();
        assert_eq!((found.width, found.height), (100, 60));
        assert_quarters(&decode(&bytes, 100).unwrap());
    }
}

/// A bitmap behind any second header, whose rows begin after the palette.
fn bmp(header: &[u8], palette: &[[u8; 3]], rows: &[u8]) -> Vec<u8> {
    let colours: Vec<u8> = palette.iter().flat_map(|[red, green, blue]| [*blue, *green, *red, 0]).collect();
    let offset = 14 + header.len() + colours.len();
    let size = (offset + rows.len()) as u32;
    let file = [&b"BM"[..], &size.to_le_bytes(), &[0; 4], &(offset as u32).to_le_bytes()].concat();
    [&file[..], header, &colours, rows].concat()
}

/// A header of OS/2 2.x, or with 40 bytes of Windows.
fn bmp_header(size: u32, (width, height): (u32, u32), bits: u16, compression: u32) -> Vec<u8> {
    let mut header = size.to_le_bytes().to_vec();
    header.extend([width.to_le_bytes(), height.to_le_bytes()].concat());
    header.extend([1_u16.to_le_bytes(), bits.to_le_bytes()].concat());
    header.extend(compression.to_le_bytes());
    header.resize(64, 0);
    header.truncate(size as usize);
    header
}

const PALETTE: [[u8; 3]; 4] = [[230, 20, 20], [20, 220, 20], [20, 20, 230], [250, 250, 250]];

#[test]
fn bitmaps_of_os2_are_read() {
    let (width, height) = (64, 40);
    let picture = quarters(width, height);
    let rows: Vec<u8> = picture
        .rows()
        .rev()
        .flat_map(|row| row.flat_map(|Rgb([r, g, b])| [*b, *g, *r]).collect::<Vec<_>>())
        .collect();
    let indices: Vec<u8> = (0..height)
        .rev()
        .flat_map(|y| (0..width).map(move |x| u8::from(x >= width / 2) + 2 * u8::from(y >= height / 2)))
        .collect();
    let palette: Vec<[u8; 3]> = PALETTE.into_iter().cycle().take(256).collect();
    // OS/2 may leave any fields at the end of its header out.
    for size in [64, 48, 40, 36, 20, 16] {
        let of = |bits| bmp_header(size, (width, height), bits, 0);
        for bytes in [bmp(&of(24), &[], &rows), bmp(&of(8), &palette, &indices)] {
            let found = inspect(&bytes).unwrap();
            assert_eq!(
                (found.format, found.width, found.height),
                (ImageFormat::Bmp, width, height),
                "{size}"
            );
            assert_quarters(&decode(&bytes, width).unwrap());
            assert_eq!(inspect(&bytes[..bytes.len() - 1]), Err(Unreadable::Truncated), "{size}");
        }
    }
}

#[test]
fn bitmaps_of_runs_are_read() {
    let (width, height) = (64_u8, 40_u8);
    let palette = |colours| PALETTE.into_iter().cycle().take(colours).collect::<Vec<_>>();
    let half = width / 2;
    // A run is its length and an index, or two of them in four bits each; 0 0 ends a row, 0 1 the picture.
    let runs = |shift: u8| -> Vec<u8> {
        let row = |y: u8| {
            let (left, right) = if y >= height / 2 { (2, 3) } else { (0, 1) };
            let of = |index: u8| index << shift | index;
            [half, of(left), half, of(right), 0, 0]
        };
        (0..height).rev().flat_map(row).chain([0, 1]).collect()
    };
    for size in [40, 64] {
        for (bits, compression, colours, shift) in [(8, 1, 256, 0), (4, 2, 16, 4)] {
            let shift = if shift == 0 { 8 } else { shift };
            let rows = if shift == 8 {
                runs(4)
                    .iter()
                    .enumerate()
                    .map(|(at, byte)| if at % 2 == 1 { byte & 15 } else { *byte })
                    .collect()
            } else {
                runs(4)
            };
            let header = bmp_header(size, (width.into(), height.into()), bits, compression);
            let bytes = bmp(&header, &palette(colours), &rows);
            let found = inspect(&bytes).unwrap();
            assert_eq!((found.width, found.height), (64, 40), "{size} {bits}");
            assert_quarters(&decode(&bytes, 64).unwrap());
            assert_eq!(inspect(&bytes[..bytes.len() - 20]), Err(Unreadable::Truncated), "{size} {bits}");
        }
    }
}

#[test]
fn raw_data_in_a_tiff_is_named_whatever_shows_beside_it() {
    // [UPL222]: a small picture is in the first directory, or the sensor's data are.
    let small = || [page(8, 8, 2, 8, 3), vec![(254, 4, vec![1]), (271, 2, vec![0x4E49_4B4F])]].concat();
    let samples = vec![vec![90; 8 * 8 * 3]];
    let of = |entries: &[Entry]| inspect(&tiff(entries, &samples, false));
    let with = |more: Entry| of(&[small(), vec![more]].concat());
    let raw = Err(Unreadable::Foreign(Foreign::Raw));
    assert_eq!(with((330, 4, vec![8])), raw, "a small picture and other directories");
    assert_eq!(with((50706, 1, vec![1, 4, 0, 0])), raw, "DNG");
    assert_eq!(of(&page(8, 8, 32803, 8, 1)), raw, "colours of a mosaic");
    assert_eq!(of(&page(8, 8, 34892, 8, 3)), raw);
    for compression in [34713, 32767, 32770, 65535] {
        assert_eq!(of(&[page(8, 8, 2, 8, 3), vec![(259, 3, vec![compression])]].concat()), raw);
    }
    let mut canon = tiff(&page(8, 8, 2, 8, 3), &samples, false);
    canon[8..10].copy_from_slice(b"CR");
    assert_eq!(inspect(&canon), raw);
    // The sensor's directory within the first one of a larger picture.
    let sensor = tiff(&page(8, 8, 32803, 8, 1), &samples, false);
    let first = u32::from_le_bytes(sensor[4..8].try_into().unwrap());
    let mut both = tiff(&[page(8, 8, 2, 8, 3), vec![(330, 4, vec![0])]].concat(), &samples, false);
    let place = both.windows(4).rposition(|bytes| bytes == [0x4A, 1, 4, 0]).unwrap() + 8;
    both.extend(vec![0; (first as usize).saturating_sub(both.len())]);
    let (at, entries) = (both.len() as u32, sensor[first as usize..].to_vec());
    both.extend(entries);
    both[place..place + 4].copy_from_slice(&at.to_le_bytes());
    assert_eq!(inspect(&both), raw);
}

#[test]
fn what_is_coded_in_another_way_is_not_called_damaged() {
    // [UPL222]
    let samples = vec![vec![90; 8 * 8 * 3]];
    let of = |entries: &[Entry]| inspect(&tiff(entries, &samples, false)).unwrap_err();
    let page_of = |bits, compression| [page(8, 8, 0, bits, 1), vec![(259, 3, vec![compression])]].concat();
    for compression in [2, 3] {
        assert_eq!(of(&page_of(1, compression)), Unreadable::Foreign(Foreign::Fax));
    }
    assert_eq!(of(&[page_of(1, 4), vec![(266, 3, vec![2])]].concat()), Unreadable::Foreign(Foreign::Fax));
    // Old JPEG, Zstandard, colours of CIELAB, 12 bits, and one page that says to be a smaller version.
    assert_eq!(of(&page_of(8, 6)), Unreadable::UnknownKind);
    assert_eq!(of(&page_of(8, 50000)), Unreadable::UnknownKind);
    assert_eq!(of(&page(8, 8, 8, 8, 3)), Unreadable::UnknownKind);
    assert_eq!(of(&page(8, 8, 1, 12, 1)), Unreadable::UnknownKind);
    assert_eq!(of(&[page(8, 8, 2, 8, 3), vec![(254, 4, vec![1])]].concat()), Unreadable::UnknownKind);

    // Lossless JPEG, and that of arithmetic coding.
    let mut file = jpeg(&scene(64, 64), false);
    let frame = frame_size_at(&file) - 4;
    for marker in [0xC3, 0xC9] {
        file[frame] = marker;
        assert_eq!(inspect(&file), Err(Unreadable::UnknownKind));
    }
    // A bitmap with a JPEG inside, and one that OS/2 alone codes so.
    let rows = vec![0; 300];
    for header in [bmp_header(40, (8, 8), 0, 4), bmp_header(64, (8, 8), 24, 4), bmp_header(64, (8, 8), 1, 3)]
    {
        assert_eq!(inspect(&bmp(&header, &[], &rows)), Err(Unreadable::UnknownKind));
    }
}
