//! Limits on what a decoder may take.

use domain::photos::MAX_PIXELS;
use serde::{Deserialize, Serialize};

use super::errors::Unreadable;

/// Most working memory that a decoder may take for one picture, in bytes.
///
/// Enough for 200 megapixels in every common form of every format; only animated WebP above 128 megapixels and
/// single-strip TIFF of more than 8 bytes a pixel can need more, and are refused.
pub const MAX_WORKING_BYTES: u64 = 1536 * 1_048_576;

/// What a picture may take, where that is less than every picture may.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Limits {
    /// Most pixels, as stored.
    pub pixels: u64,
    /// Most bytes that decoding takes beside those of the file.
    pub memory: u64,
    /// Most scans of a JPEG: each costs a pass over all blocks, however few its bytes.
    pub scans: u32,
}

/// What a picture's headers say about the memory that decoding it takes.
pub(super) struct Measured {
    /// Width in which it arrives on the canvas.
    pub(super) width: u32,
    /// Height in which it does.
    pub(super) height: u32,
    /// What the decoder holds beside the canvas, in bytes.
    pub(super) working: u64,
    /// Whether the canvas averages it down.
    pub(super) averaged: bool,
}

/// Refuses sizes that are empty or above [`MAX_PIXELS`].
pub(super) fn check_size(width: u32, height: u32) -> Result<(), Unreadable> {
    match u64::from(width) * u64::from(height) {
        0 => Err(Unreadable::Damaged),
        pixels if pixels > MAX_PIXELS => Err(Unreadable::TooManyPixels),
        _ => Ok(()),
    }
}

/// Refuses what would take more than [`MAX_WORKING_BYTES`].
pub(super) fn check_memory(bytes: u64) -> Result<(), Unreadable> {
    if bytes > MAX_WORKING_BYTES { Err(Unreadable::TooComplex) } else { Ok(()) }
}
