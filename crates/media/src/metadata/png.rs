//! PNG (third edition): its chunks. Those that go become chunks of a kind that every reader skips.

use super::edits::Edits;
use super::{tiff, xmp};

/// How many bytes stand before the first chunk.
pub(crate) const SIGNATURE: usize = 8;
/// Ancillary, private, safe to copy: unknown to every reader.
const SKIPPED: [u8; 4] = *b"skIp";
const XMP: &[u8] = b"XML:com.adobe.xmp\0";
/// Ancillary chunks that describe the picture, of the standard, its extensions, and APNG.
const KEPT: [&[u8; 4]; 22] = [
    b"tRNS", b"cHRM", b"gAMA", b"iCCP", b"sBIT", b"sRGB", b"cICP", b"mDCV", b"cLLI", b"bKGD", b"hIST",
    b"pHYs", b"sPLT", b"tIME", b"acTL", b"fcTL", b"fdAT", b"oFFs", b"pCAL", b"sCAL", b"gIFg", b"sTER",
];
/// Keywords of texts that the standard has; 'Source', the device, is not among them.
const KEYWORDS: [&[u8]; 10] = [
    b"Title",
    b"Author",
    b"Description",
    b"Copyright",
    b"Creation Time",
    b"Software",
    b"Disclaimer",
    b"Warning",
    b"Comment",
    b"Collection",
];

/// Overwrites what a PNG file tells beside its picture.
pub(super) fn redact(bytes: &[u8], edits: &mut Edits) {
    let mut at = SIGNATURE;
    while let Some((kind, data)) = chunk(bytes, at) {
        redact_chunk(kind, data, at, edits);
        at += 12 + data.len();
        if kind == *b"IEND" {
            break;
        }
    }
    // What no reader of chunks comes to.
    edits.clear(at..bytes.len());
}

/// The chunk at `at`, unless it is cut off.
pub(crate) fn chunk(bytes: &[u8], at: usize) -> Option<([u8; 4], &[u8])> {
    let [l3, l2, l1, l0, k0, k1, k2, k3, rest @ ..] = bytes.get(at..)? else { return None };
    let length = usize::try_from(u32::from_be_bytes([*l3, *l2, *l1, *l0])).ok()?;
    let data = rest.get(..length).filter(|_| rest.len() - length >= 4)?;
    Some(([*k0, *k1, *k2, *k3], data))
}

/// The chunk whose length is at `at` of the file.
fn redact_chunk(kind: [u8; 4], data: &[u8], at: usize, edits: &mut Edits) {
    // A small first letter: decoders can do without it.
    let is_ancillary = kind[0].is_ascii_lowercase();
    let mut found = Edits::new(data.len());
    match &kind {
        b"eXIf" => tiff::redact_embedded(data, 0, &mut found),
        b"iTXt" if plain_xmp(data).is_some() => {
            let packet = plain_xmp(data).unwrap_or_default();
            xmp::redact(packet, data.len() - packet.len(), &mut found);
        }
        b"tEXt" | b"zTXt" | b"iTXt" if KEYWORDS.contains(&keyword(data)) => return,
        _ if !is_ancillary || KEPT.contains(&&kind) => return,
        _ => {
            let empty = vec![0; data.len()];
            edits.write(at + 4, SKIPPED.to_vec());
            edits.clear(at + 8..at + 8 + data.len());
            edits.write(at + 8 + data.len(), checksum(SKIPPED, &empty));
            return;
        }
    }
    let checksum = checksum(kind, &found.applied_to(data));
    edits.append(at + 8, found);
    edits.write(at + 8 + data.len(), checksum);
}

fn keyword(data: &[u8]) -> &[u8] {
    data.split(|byte| *byte == 0).next().unwrap_or_default()
}

/// The packet of an international text, unless it is compressed.
fn plain_xmp(data: &[u8]) -> Option<&[u8]> {
    let [0, 0, rest @ ..] = data.strip_prefix(XMP)? else { return None };
    // The language and the translated keyword.
    rest.splitn(3, |byte| *byte == 0).nth(2)
}

fn checksum(kind: [u8; 4], data: &[u8]) -> Vec<u8> {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&kind);
    hasher.update(data);
    hasher.finalize().to_be_bytes().to_vec()
}
