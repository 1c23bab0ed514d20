//! What a file tells beside its picture, and how that is overwritten for guests: positions and places, names of people and
//! keywords, and serial numbers go; the picture, its orientation, its date, the camera's model, author, rights and caption
//! stay.
//!
//! Everything is overwritten in place: no byte moves, and nothing is encoded again. Formats are read by what must stay,
//! so that a block that is not known is overwritten as a whole.

mod edits;
mod errors;
mod gif;
pub(crate) mod heif;
mod iptc;
mod jpeg;
pub(crate) mod photoshop;
pub(crate) mod png;
mod segments;
mod streams;
mod tiff;
pub(crate) mod webp;
mod xmp;

use std::panic::{AssertUnwindSafe, catch_unwind};

use domain::photos::ImageFormat;
use domain::photos::redactions::{MAX_ENCODED_BYTES, Redaction, encode};

use edits::Edits;

pub use errors::NotRedactable;
pub use streams::overwritten;

/// What is to be overwritten in a file of `format`. Blocks, and reads all of it.
///
/// # Errors
/// When the file is not of this format, or would have to be overwritten in more places than any photo.
pub fn redact(bytes: &[u8], format: ImageFormat) -> Result<Redaction, NotRedactable> {
    let find = || {
        let mut edits = Edits::new(bytes.len());
        match format {
            ImageFormat::Jpeg => jpeg::redact(bytes, &mut edits)?,
            ImageFormat::Png => png::redact(bytes, &mut edits),
            ImageFormat::Gif => gif::redact(bytes, &mut edits),
            // It has a picture and nothing else.
            ImageFormat::Bmp => {}
            ImageFormat::Tiff => tiff::redact_file(bytes, &mut edits)?,
            ImageFormat::WebP => webp::redact(bytes, &mut edits),
            ImageFormat::Heic | ImageFormat::Avif => heif::redact(bytes, &mut edits)?,
        }
        Ok(edits)
    };
    // No input ends the program, whatever a parser thinks of it.
    let edits: Edits = catch_unwind(AssertUnwindSafe(find)).unwrap_or(Err(NotRedactable))?;
    let patches = edits.into_patches(bytes);
    if encode(&patches).len() > MAX_ENCODED_BYTES {
        return Err(NotRedactable);
    }
    let crc32 = streams::crc32(bytes, &patches);
    Ok(Redaction { patches, crc32 })
}
