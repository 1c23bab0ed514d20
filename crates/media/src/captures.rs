//! What a file tells of its capture: in EXIF (CIPA DC-008), XMP (ISO 16684-1) and IPTC records (IPTC IIM 4.2), wherever its
//! format has them. What cannot be read of one costs nothing of the others.

mod blocks;
mod iptc;
mod moments;
mod tagged;
mod told;
mod xmp;

use std::panic::{AssertUnwindSafe, catch_unwind};

use domain::photos::captures::Capture;

use told::Told;

pub use tagged::{tagged, tagged_checksum};

/// About how many bytes [`read`] takes beside those of the file: what is put together, and what was packed.
pub const fn memory() -> u64 {
    2 * blocks::MOST_JOINED_BYTES as u64
}

/// What the file tells of its capture; nothing where it tells nothing, or cannot be read. Blocks.
pub fn read(bytes: &[u8]) -> Capture {
    let mut told = Told::default();
    // No input ends the program, whatever a parser thinks of it. What was read until then counts.
    drop(catch_unwind(AssertUnwindSafe(|| blocks::visit(bytes, &mut |block| told.read(block)))));
    told.into_capture()
}
