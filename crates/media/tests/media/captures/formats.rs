//! The formats that have what is read, files that are cut off or odd, and what is bounded.

use std::io::Write as _;

use domain::photos::ImageFormat;
use domain::photos::captures::Capture;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use media::captures::read;
use proptest::prelude::*;

use super::{
    EXIF, Entry, Odd, TAKEN, all, directory, exif_segment, iptc, iptc_segment, jpeg, packet, raw, resource,
    taken, xmp_segment,
};
use crate::fixtures::{chunk, encode_rgb, scene, with_chunk};

fn webp(kind: &[u8; 4], content: &[u8]) -> Vec<u8> {
    let mut file = encode_rgb(ImageFormat::WebP, scene(16, 8));
    file.extend([kind.as_slice(), &(content.len() as u32).to_le_bytes(), content].concat());
    file.resize(file.len().next_multiple_of(2), 0);
    let size = (file.len() as u32 - 8).to_le_bytes();
    file[4..8].copy_from_slice(&size);
    file
}

fn packed(content: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

/// As ImageMagick writes it.
fn profile(name: &str, content: &[u8]) -> Vec<u8> {
    let digits: String = content.iter().map(|byte| format!("{byte:02x}")).collect();
    let lines: Vec<&str> =
        digits.as_bytes().chunks(72).map(|line| std::str::from_utf8(line).unwrap()).collect();
    format!("\n{name}\n{:8}\n{}\n", content.len(), lines.join("\n")).into_bytes()
}

#[test]
fn every_format_is_read_wherever_it_has_them() {
    let structure = Odd { next: None, next_of_camera: None, ..Odd::none() }.structure();
    let prefixed = [b"Exif\0\0".as_slice(), &structure].concat();
    let xmp = packet(
        "<rdf:Description xmlns:xmp='http://ns.adobe.com/xap/1.0/' xmp:CreateDate='2024-03-09T17:45:12'/>",
    );
    let only_date = Capture { at: taken(), ..Capture::default() };
    for block in [&structure, &prefixed] {
        assert_eq!(read(&webp(b"EXIF", block)), all());
        let png = encode_rgb(ImageFormat::Png, scene(16, 8));
        assert_eq!(read(&with_chunk(&png, b"eXIf", block)), all());
        for name in ["exif", "APP1"] {
            let text = profile(name, block);
            let keyword = format!("Raw profile type {name}\0");
            let plain = [keyword.as_bytes(), &text].concat();
            assert_eq!(read(&with_chunk(&png, b"tEXt", &plain)), all(), "{name}");
            let packed = [keyword.as_bytes(), &[0], &packed(&text)].concat();
            assert_eq!(read(&with_chunk(&png, b"zTXt", &packed)), all(), "{name}");
        }
    }
    for kind in [b"XMP ", b"XMP\0"] {
        assert_eq!(read(&webp(kind, xmp.as_bytes())), only_date);
    }
    let png = encode_rgb(ImageFormat::Png, scene(16, 8));
    let keyword = b"XML:com.adobe.xmp\0".as_slice();
    let plain = [keyword, &[0, 0, 0, 0], xmp.as_bytes()].concat();
    assert_eq!(read(&with_chunk(&png, b"iTXt", &plain)), only_date);
    let compressed = [keyword, &[1, 0], b"en\0X\0", &packed(xmp.as_bytes())].concat();
    assert_eq!(read(&with_chunk(&png, b"iTXt", &compressed)), only_date);
    let records = iptc(&[(55, "20240309"), (60, "174512")]);
    for (name, content) in [
        ("xmp", xmp.as_bytes().to_vec()),
        ("iptc", records.clone()),
        ("iptc", resource(0x0404, &records)),
        ("8bim", resource(0x0404, &records)),
        ("APP1", [b"http://ns.adobe.com/xap/1.0/\0", xmp.as_bytes()].concat()),
    ] {
        let text = [format!("Raw profile type {name}\0").as_bytes(), &profile(name, &content)].concat();
        assert_eq!(read(&with_chunk(&png, b"tEXt", &text)), only_date, "{name}");
    }
    let words = b"Creation Time\0".as_slice();
    assert_eq!(read(&with_chunk(&png, b"tEXt", &[words, TAKEN.as_bytes()].concat())), only_date);
    // Behind the pixels too.
    let end = png.len() - 12;
    let behind = [&png[..end], &chunk(b"eXIf", &structure), &png[end..]].concat();
    assert_eq!(read(&behind), all());
    // A TIFF file is a structure itself.
    assert_eq!(read(&structure), all());
    let mut tiff = Odd { without_date: true, ..Odd::none() };
    tiff.root.push(Entry { tag: 0x02BC, kind: 1, count: xmp.len() as u32, bytes: xmp.into_bytes() });
    assert_eq!(read(&tiff.structure()), all());
    let mut tiff = Odd { without_date: true, ..Odd::none() };
    tiff.root.push(Entry { tag: 0x83BB, kind: 4, count: records.len() as u32 / 4, bytes: records.clone() });
    assert_eq!(read(&tiff.structure()), all());
    let mut tiff = Odd { without_date: true, ..Odd::none() };
    let resources = resource(0x0404, &records);
    tiff.root.push(Entry { tag: 0x8649, kind: 7, count: resources.len() as u32, bytes: resources });
    assert_eq!(read(&tiff.structure()), all());
}

/// A box of ISO/IEC 14496-12.
fn boxed(kind: &[u8; 4], content: &[u8]) -> Vec<u8> {
    [&(content.len() as u32 + 8).to_be_bytes()[..], kind, content].concat()
}

/// A file of boxes with one item, in these pieces.
fn boxes(brand: &[u8; 4], info: &[u8], pieces: &[&[u8]]) -> Vec<u8> {
    let ftyp = boxed(b"ftyp", &[brand.as_slice(), &[0; 4], b"mif1"].concat());
    let infe = boxed(b"infe", &[&[2, 0, 0, 0, 0, 1, 0, 0][..], info].concat());
    let iinf = boxed(b"iinf", &[&[0, 0, 0, 0, 0, 1][..], &infe].concat());
    let meta = |at: usize| {
        let mut places = Vec::new();
        let mut at = at;
        for piece in pieces {
            places.extend([(at as u32).to_be_bytes(), (piece.len() as u32).to_be_bytes()].concat());
            at += piece.len();
        }
        let count = (pieces.len() as u16).to_be_bytes();
        let iloc = [&[0, 0, 0, 0, 0x44, 0, 0, 1, 0, 1, 0, 0][..], &count, &places].concat();
        boxed(b"meta", &[&[0; 4][..], &iinf, &boxed(b"iloc", &iloc)].concat())
    };
    let at = ftyp.len() + meta(0).len() + 8;
    [ftyp, meta(at), boxed(b"mdat", &pieces.concat())].concat()
}

#[test]
fn items_of_heic_and_avif_are_read() {
    let structure = Odd { next: None, ..Odd::none() }.structure();
    let plain = [&[0; 4], structure.as_slice()].concat();
    let prefixed = [&[0, 0, 0, 6], b"Exif\0\0".as_slice(), &structure].concat();
    let not_counted = [&[0; 4], b"Exif\0\0".as_slice(), &structure].concat();
    let bare = structure;
    for brand in [b"heic", b"avif", b"mif1"] {
        for item in [&plain, &prefixed, &not_counted, &bare] {
            assert_eq!(read(&boxes(brand, b"Exif\0", &[item])), all(), "{:?}", &item[..12]);
            let (one, other) = item.split_at(40);
            assert_eq!(read(&boxes(brand, b"Exif\0", &[one, other])), all());
        }
        let xmp = packet(
            "<rdf:Description xmlns:xmp='http://ns.adobe.com/xap/1.0/' xmp:CreateDate='2024-03-09T17:45:12'/>",
        );
        let told = read(&boxes(brand, b"mime\0application/rdf+xml\0", &[xmp.as_bytes()]));
        assert_eq!(told, Capture { at: taken(), ..Capture::default() });
    }
}

#[test]
fn what_is_packed_or_repeated_takes_bounded_memory_and_time() {
    let png = encode_rgb(ImageFormat::Png, scene(16, 8));
    // A text of twenty megabytes in twenty kilobytes, as often as a file holds it.
    let bomb = packed(&vec![b'0'; 20 << 20]);
    let text = [b"Raw profile type exif\0\0".as_slice(), &bomb].concat();
    let mut file = png.clone();
    for _ in 0..200 {
        file = with_chunk(&file, b"zTXt", &text);
    }
    // A directory that names itself in each of its entries.
    let pointers = vec![raw(EXIF, 4, 1, 8); 65_000];
    let structure = [b"II*\0\x08\0\0\0".as_slice(), &directory(8, &pointers, None)].concat();
    let file = with_chunk(&file, b"eXIf", &structure);
    // Declarations and attributes without end, and elements in each other.
    let names: String = (0..30_000)
        .map(|number| format!(" xmlns:n{number}='http://ns.adobe.com/exif/1.0/' n{number}:a=''"))
        .collect();
    let deep = "<a>".repeat(1_000_000);
    let xmp = format!("<rdf:RDF><rdf:Description{names}>{deep}");
    let text = [b"XML:com.adobe.xmp\0\0\0\0\0".as_slice(), xmp.as_bytes()].concat();
    let file = with_chunk(&file, b"iTXt", &text);
    let started = std::time::Instant::now();
    assert_eq!(read(&file), Capture::default());
    // Without bounds it would be minutes, and all memory.
    assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
}

/// One file of each kind.
fn samples() -> Vec<Vec<u8>> {
    let structure = Odd::none().structure();
    let xmp =
        "<rdf:Description xmlns:xmp='http://ns.adobe.com/xap/1.0/' xmp:CreateDate='2024-03-09T17:45:12'/>";
    let segments =
        [exif_segment(&structure), xmp_segment(xmp), iptc_segment(&[(55, "20240309"), (60, "174512")])];
    let png = encode_rgb(ImageFormat::Png, scene(16, 8));
    let text = [b"Raw profile type exif\0\0".as_slice(), &packed(&profile("exif", &structure))].concat();
    vec![
        jpeg(&segments),
        with_chunk(&png, b"zTXt", &text),
        webp(b"EXIF", &structure),
        boxes(b"avif", b"Exif\0", &[&[0; 4], &structure]),
        structure,
    ]
}

/// With `CORPUS=write` this puts one file of each kind into the corpus of the fuzz target `metadata`, all of which is replayed.
#[test]
fn the_corpus_of_the_fuzzer_is_read() {
    let folder = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/corpus/metadata"));
    if std::env::var_os("CORPUS").is_some_and(|what| what == "write") {
        std::fs::create_dir_all(folder).unwrap();
        for (name, bytes) in ["jpeg", "png-packed", "webp", "avif", "structure"].iter().zip(samples()) {
            std::fs::write(folder.join(name), bytes).unwrap();
        }
    }
    let mut files = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        media::fuzzing::metadata(&std::fs::read(entry.unwrap().path()).unwrap());
        files += 1;
    }
    assert!(files >= samples().len());
}

#[test]
fn a_file_that_is_cut_off_anywhere_tells_what_is_there() {
    for file in samples() {
        assert_eq!(read(&file), all());
        for end in 0..file.len() {
            drop(read(&file[..end]));
        }
    }
}

proptest! {
    #[test]
    fn no_bytes_are_too_odd(file in 0..5_usize, places in proptest::collection::vec((any::<usize>(), any::<u8>()), 1..12)) {
        let mut file = samples().swap_remove(file);
        for (place, byte) in places {
            let place = place % file.len();
            file[place] = byte;
        }
        drop(read(&file));
    }
}
