//! GIF (89a): comments, and the blocks of applications but those that animate and colour the picture.

use super::edits::Edits;

const EXTENSION: u8 = 0x21;
const IMAGE: u8 = 0x2C;
const TRAILER: u8 = 0x3B;
const COMMENT: u8 = 0xFE;
const APPLICATION: u8 = 0xFF;
/// Applications' names whose blocks describe the picture.
const KEPT: [&[u8; 11]; 3] = [b"NETSCAPE2.0", b"ANIMEXTS1.0", b"ICCRGBG1012"];

/// Overwrites what a GIF file tells beside its picture.
pub(super) fn redact(bytes: &[u8], edits: &mut Edits) {
    let mut at = 13 + bytes.get(10).map_or(0, |flags| color_table(*flags));
    while let Some(end) = block_end(bytes, at) {
        if bytes[at] == EXTENSION {
            redact_extension(bytes, at, end, edits);
        }
        at = end;
    }
    let is_ended = bytes.get(at) == Some(&TRAILER);
    // What no decoder comes to.
    edits.clear(at + usize::from(is_ended)..bytes.len());
}

/// Where the extension or the image ends that begins at `at`; none for anything else, and where it is cut off.
fn block_end(bytes: &[u8], at: usize) -> Option<usize> {
    match *bytes.get(at)? {
        EXTENSION => blocks_end(bytes, at + 2),
        // The code size stands before the blocks.
        IMAGE => blocks_end(bytes, at + 10 + color_table(*bytes.get(at + 9)?) + 1),
        _ => None,
    }
}

fn redact_extension(bytes: &[u8], at: usize, end: usize, edits: &mut Edits) {
    let name = (bytes[at + 2] == 11).then(|| bytes.get(at + 3..at + 14)).flatten();
    match (bytes[at + 1], name) {
        (APPLICATION, Some(name)) if KEPT.iter().any(|kept| name == kept.as_slice()) => {}
        (APPLICATION, Some(_)) => blank(at + 14..end, edits),
        (APPLICATION, None) | (COMMENT, _) => blank(at + 2..end, edits),
        _ => {}
    }
}

/// How many bytes a table of colours has, by the flags before it.
const fn color_table(flags: u8) -> usize {
    if flags & 0x80 == 0 { 0 } else { 3 << ((flags & 7) + 1) }
}

/// Where the blocks that begin at `at` end.
fn blocks_end(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        let length = usize::from(*bytes.get(at)?);
        at += 1 + length;
        if length == 0 {
            return Some(at);
        }
    }
}

/// Overwrites blocks with others of the same length: in some applications' blocks the lengths are part of the text.
fn blank(blocks: std::ops::Range<usize>, edits: &mut Edits) {
    let (mut at, last) = (blocks.start, blocks.end.saturating_sub(1));
    while at < last {
        let mut length = (last - at - 1).min(255);
        // No block is left without a byte.
        if last - at - 1 - length == 1 {
            length -= 1;
        }
        edits.write(at, vec![length as u8]);
        edits.clear(at + 1..at + 1 + length);
        at += 1 + length;
    }
}
