//! Where files have what they tell.

use std::borrow::Cow;
use std::io::Read as _;

use flate2::read::ZlibDecoder;
use memchr::memmem;

use crate::metadata::{heif, photoshop, png, webp};
use crate::pictures::jpeg::markers::{next_marker, segment};

/// What is read of one.
pub(super) enum Block<'a> {
    /// A TIFF structure, before which a header may stand.
    Exif(&'a [u8]),
    /// A packet.
    Xmp(&'a [u8]),
    /// Records.
    Iptc(&'a [u8]),
    /// A date in words.
    Date(&'a [u8]),
}

/// Texts that are put together from pieces, or unpacked, have no more.
pub(super) const MOST_JOINED_BYTES: usize = 1 << 20;
/// Most texts of a file that are unpacked: a few bytes can become a megabyte each.
const MOST_PACKED: usize = 16;

/// Hands what a file has to `read`, in the file's order.
pub(super) fn visit(bytes: &[u8], read: &mut dyn FnMut(Block<'_>)) {
    match bytes {
        [0xFF, 0xD8, ..] => of_jpeg(bytes, read),
        [0x89, b'P', b'N', b'G', ..] => of_png(bytes, read),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => of_webp(bytes, read),
        // A TIFF file is a structure itself.
        [b'I', b'I', 42 | 43, 0, ..] | [b'M', b'M', 0, 42 | 43, ..] => read(Block::Exif(bytes)),
        [_, _, _, _, b'f', b't', b'y', b'p', ..] => of_boxes(bytes, read),
        _ => {}
    }
}

const SOS: u8 = 0xDA;
const EOI: u8 = 0xD9;
const APP1: u8 = 0xE1;
const APP13: u8 = 0xED;
/// What stands before the EXIF of a segment; a sixth byte follows, which some programs do not write as zero.
const EXIF: &[u8] = b"Exif\0";
const PHOTOSHOP: &[u8] = b"Photoshop 3.0\0";
/// What stands before a piece of what had no room in the packet (ISO 16684-3, 'ExtendedXMP').
const EXTENDED_XMP: &[u8] = b"http://ns.adobe.com/xmp/extension/\0";
/// Digest and length of the whole, and where in it the piece lies; pieces are written in their order.
const EXTENDED_XMP_HEAD: usize = 32 + 4 + 4;
/// What packets begin with, of which the first two may be left out.
const PACKET_STARTS: [&[u8]; 3] = [b"<?xpacket", b"<x:xmpmeta", b"<rdf:RDF"];
/// The beginning of the name that stands before a packet in a segment.
const XMP: &[u8] = b"http://ns.adobe.com/xap/1.0/";

/// The segments up to the picture.
fn of_jpeg(bytes: &[u8], read: &mut dyn FnMut(Block<'_>)) {
    let (mut exif, mut extended, mut photoshop) = (Joined::default(), Joined::default(), Joined::default());
    let mut at = 2;
    while let Ok((marker, after)) = next_marker(bytes, at) {
        at = after;
        match marker {
            SOS | EOI => break,
            // TEM, SOI and the restart markers stand alone.
            0x01 | 0xD0..=0xD8 => continue,
            _ => {}
        }
        let Ok(content) = segment(bytes, at) else { break };
        at += 2 + content.len();
        if let (APP1, Some([_, structure @ ..])) = (marker, content.strip_prefix(EXIF)) {
            // One that is too long for a segment goes on in the next.
            if begins_structure(structure) {
                exif.flush(|block| read(Block::Exif(block)));
            }
            exif.push(structure);
        } else if let (APP1, Some(piece)) = (marker, content.strip_prefix(EXTENDED_XMP)) {
            extended.push(piece.get(EXTENDED_XMP_HEAD..).unwrap_or_default());
        } else if marker == APP1 {
            of_app1(content, read);
        } else if let (APP13, Some(resources)) = (marker, content.strip_prefix(PHOTOSHOP)) {
            photoshop.push(resources);
        }
    }
    exif.flush(|block| read(Block::Exif(block)));
    extended.flush(|packet| read(Block::Xmp(packet)));
    photoshop.flush(|block| of_resources(block, read));
}

fn begins_structure(structure: &[u8]) -> bool {
    structure.starts_with(b"II*\0") || structure.starts_with(b"MM\0*")
}

fn of_app1(content: &[u8], read: &mut dyn FnMut(Block<'_>)) {
    if content.starts_with(EXIF) {
        return read(Block::Exif(content));
    }
    // Whatever name stands before it: some programs write none, or a wrong one.
    let start = PACKET_STARTS.iter().filter_map(|start| memmem::find(content, start)).min();
    if let Some(start) = start {
        read(Block::Xmp(&content[start..]));
    }
}

/// Photoshop's resources.
pub(super) fn of_resources(data: &[u8], read: &mut dyn FnMut(Block<'_>)) {
    for (id, content) in photoshop::resources(data) {
        match id {
            photoshop::IPTC => read(Block::Iptc(content)),
            photoshop::XMP => read(Block::Xmp(content)),
            id if photoshop::EXIF.contains(&id) => read(Block::Exif(content)),
            _ => {}
        }
    }
}

fn of_webp(bytes: &[u8], read: &mut dyn FnMut(Block<'_>)) {
    let mut at = webp::HEADER;
    while let Some((kind, data)) = webp::chunk(bytes, at) {
        match kind {
            b"EXIF" => read(Block::Exif(data)),
            // Some programs end the name with a zero.
            b"XMP " | b"XMP\0" => read(Block::Xmp(data)),
            _ => {}
        }
        at += 8 + data.len() + data.len() % 2;
    }
}

fn of_png(bytes: &[u8], read: &mut dyn FnMut(Block<'_>)) {
    let (mut at, mut packed) = (png::SIGNATURE, 0);
    while let Some((kind, data)) = png::chunk(bytes, at) {
        at += 12 + data.len();
        match &kind {
            b"eXIf" => read(Block::Exif(data)),
            b"tEXt" | b"zTXt" | b"iTXt" => {
                let Some(end) = memchr::memchr(0, data) else { continue };
                let (keyword, text) = (&data[..end], &data[end + 1..]);
                if is_read(keyword)
                    && let Some(text) = unpacked(kind, text, &mut packed)
                {
                    of_png_text(keyword, &text, read);
                }
            }
            b"IEND" => break,
            _ => {}
        }
    }
}

const PNG_XMP: &[u8] = b"XML:com.adobe.xmp";
const PNG_DATE: &[u8] = b"Creation Time";
/// What ImageMagick and programs that follow it write: metadata of other formats in hexadecimal digits.
const PNG_PROFILE: &[u8] = b"Raw profile type ";

fn is_read(keyword: &[u8]) -> bool {
    keyword == PNG_XMP || keyword == PNG_DATE || keyword.starts_with(PNG_PROFILE)
}

/// The text behind a keyword.
fn unpacked<'a>(kind: [u8; 4], text: &'a [u8], packed: &mut usize) -> Option<Cow<'a, [u8]>> {
    let (is_packed, text) = match (&kind, text) {
        (b"tEXt", _) => (false, text),
        // The method, of which there is one.
        (b"zTXt", [0, text @ ..]) => (true, text),
        // Whether it is packed, the method, then the language and the translated keyword.
        (b"iTXt", [flag, _, rest @ ..]) => (*flag != 0, rest.splitn(3, |byte| *byte == 0).nth(2)?),
        _ => return None,
    };
    if !is_packed {
        return Some(text.into());
    }
    *packed += 1;
    if *packed > MOST_PACKED {
        return None;
    }
    let mut out = Vec::new();
    // What is torn off is read as far as it goes.
    ZlibDecoder::new(text).take(MOST_JOINED_BYTES as u64).read_to_end(&mut out).ok();
    Some(out.into())
}

fn of_png_text(keyword: &[u8], text: &[u8], read: &mut dyn FnMut(Block<'_>)) {
    if keyword == PNG_XMP {
        return read(Block::Xmp(text));
    }
    let Some(profile) = keyword.strip_prefix(PNG_PROFILE) else { return read(Block::Date(text)) };
    let content = profile_content(text);
    match profile {
        b"exif" | b"APP1" | b"app1" if !content.starts_with(XMP) => read(Block::Exif(&content)),
        b"APP1" | b"app1" | b"exif" => of_app1(&content, read),
        b"xmp" => read(Block::Xmp(&content)),
        b"iptc" if content.starts_with(b"8BIM") => of_resources(&content, read),
        b"iptc" => read(Block::Iptc(&content)),
        b"8bim" => of_resources(&content, read),
        _ => {}
    }
}

/// The name of a profile and its length stand before it, in lines of their own.
fn profile_content(text: &[u8]) -> Vec<u8> {
    let digits = text.trim_ascii_start().splitn(3, |byte| *byte == b'\n').nth(2).unwrap_or_default();
    let digits = digits.iter().filter_map(|byte| char::from(*byte).to_digit(16));
    let mut out = Vec::new();
    let mut high = None;
    for digit in digits.take(2 * MOST_JOINED_BYTES) {
        match high.take() {
            // Both have four bits.
            Some(high) => out.push((high << 4 | digit) as u8),
            None => high = Some(digit),
        }
    }
    out
}

/// The items of HEIC and AVIF.
fn of_boxes(bytes: &[u8], read: &mut dyn FnMut(Block<'_>)) {
    for (item, places) in heif::metadata_items(bytes) {
        let mut content = Joined::default();
        for place in places {
            content.push(&bytes[place]);
        }
        content.flush(|content| match item {
            // Where the structure begins stands before it, and some programs write a header too.
            heif::MetadataItem::Exif => {
                read(Block::Exif(content.get(exif_start(content)..).unwrap_or(content)))
            }
            heif::MetadataItem::Xmp => read(Block::Xmp(content)),
        });
    }
}

fn exif_start(item: &[u8]) -> usize {
    let offset = item.first_chunk().map_or(0, |offset| u32::from_be_bytes(*offset));
    usize::try_from(offset).unwrap_or(usize::MAX).saturating_add(4)
}

/// What stands in pieces. One piece is not copied.
#[derive(Default)]
struct Joined<'a>(Cow<'a, [u8]>);

impl<'a> Joined<'a> {
    fn push(&mut self, piece: &'a [u8]) {
        if self.0.is_empty() {
            self.0 = Cow::Borrowed(piece);
        } else if self.0.len() + piece.len() <= MOST_JOINED_BYTES {
            self.0.to_mut().extend_from_slice(piece);
        }
    }

    fn flush(&mut self, read: impl FnOnce(&[u8])) {
        let whole = std::mem::take(&mut self.0);
        if !whole.is_empty() {
            read(&whole);
        }
    }
}
