//! JPEG, by mozjpeg's libjpeg: scaled while it is decoded, its memory bounded by the scaled size.
//!
//! libjpeg fills in for what is missing and only warns. A photo is charged for, so the markers are walked first to
//! see that the file is whole, and every warning about entropy-coded data counts as damage.

pub(crate) mod markers;

use std::cell::Cell;
use std::panic::resume_unwind;

use mozjpeg::{ColorSpace, Decompress};
use mozjpeg_sys::{jpeg_common_struct, jpeg_error_mgr};

use super::canvas::{Canvas, Content, DecodePurpose, Decoded};
use super::colour::{Colour, PixelFormat};
use super::errors::Unreadable;
use super::limits::{Measured, check_memory, check_size};
use super::orientation::Orientation;
use markers::Markers;

/// Most scans of one picture. Encoders write about ten; each costs a pass over all blocks, however few its bytes.
const MAX_SCANS: u32 = 64;

/// What decoding takes, by the markers.
pub(super) fn measure(bytes: &[u8], purpose: DecodePurpose) -> Result<Measured, Unreadable> {
    let markers = Markers::walk(bytes)?;
    let frame = markers.frame;
    let coefficients =
        if frame.progressive || markers.scans > 1 { frame.blocks.saturating_mul(128) } else { 0 };
    let scale = u32::from(eighths(frame.width.max(frame.height), purpose));
    // It arrives at the right size, and is not averaged any more. Sides have 16 bits.
    let (width, height) = ((frame.width * scale).div_ceil(8), (frame.height * scale).div_ceil(8));
    Ok(Measured { width, height, working: coefficients, averaged: false })
}

/// Where the picture ends, behind which others may stand.
pub(super) fn end(bytes: &[u8]) -> Option<usize> {
    Markers::walk(bytes).ok().map(|markers| markers.end)
}

/// How many scans it has.
pub(super) fn scans(bytes: &[u8]) -> Result<u32, Unreadable> {
    Ok(Markers::walk(bytes)?.scans)
}

pub(super) fn read(bytes: &[u8], purpose: DecodePurpose) -> Result<Decoded, Unreadable> {
    let markers = Markers::walk(bytes)?;
    let frame = markers.frame;
    check_size(frame.width, frame.height)?;
    if markers.scans > MAX_SCANS {
        return Err(Unreadable::TooComplex);
    }
    // Every block costs at least the one bit of its DC difference.
    if frame.blocks.div_ceil(8) > markers.entropy_bytes {
        return Err(Unreadable::Truncated);
    }
    if frame.progressive || markers.scans > 1 {
        // libjpeg retains all coefficients, 64 of 2 bytes a block, until the last scan is in.
        check_memory(frame.blocks * 128)?;
    }
    let pixel_format = match frame.components {
        1 => PixelFormat::Grey,
        3 => PixelFormat::Rgb,
        4 => PixelFormat::Cmyk,
        _ => return Err(Unreadable::UnknownKind),
    };
    let orientation = markers.exif.map_or(Orientation::UPRIGHT, Orientation::from_exif);
    let content = decompress(&bytes[..markers.end], &markers, pixel_format, purpose)?;
    Ok(Decoded { width: frame.width, height: frame.height, orientation, content })
}

fn decompress(
    bytes: &[u8],
    markers: &Markers<'_>,
    pixel_format: PixelFormat,
    purpose: DecodePurpose,
) -> Result<Content, Unreadable> {
    let damaged = |_: std::io::Error| Unreadable::Damaged;
    let mut decompress = Decompress::with_err(error_manager()).from_mem(bytes).map_err(damaged)?;
    if (decompress.width(), decompress.height())
        != (markers.frame.width as usize, markers.frame.height as usize)
    {
        return Err(Unreadable::Damaged);
    }
    decompress.scale(eighths(markers.frame.width.max(markers.frame.height), purpose));
    let space = match pixel_format {
        PixelFormat::Grey => ColorSpace::JCS_GRAYSCALE,
        PixelFormat::Rgb => ColorSpace::JCS_RGB,
        PixelFormat::Cmyk => ColorSpace::JCS_CMYK,
    };
    WARNINGS.set(0);
    let mut started = decompress.to_colorspace(space).map_err(damaged)?;
    let (width, height) = (started.width(), started.height());
    let icc = markers.icc_profile();
    let mut canvas =
        Canvas::exact(purpose, width as u32, height as u32, Colour::new(pixel_format, icc.as_deref()));
    let mut row = vec![0u8; width * pixel_format.samples()];
    for y in 0..height {
        started.read_scanlines_into(&mut row).map_err(damaged)?;
        if pixel_format == PixelFormat::Cmyk && markers.adobe {
            // Adobe's programs store inverted CMYK: 255 is no ink.
            row.iter_mut().for_each(|sample| *sample = 255 - *sample);
        }
        canvas.put(0, y, 1, &row);
    }
    if WARNINGS.get() > 0 {
        return Err(Unreadable::Damaged);
    }
    canvas.finish()
}

/// The smallest scale, in eighths, that keeps the long side at or above what is asked for.
fn eighths(long_side: u32, purpose: DecodePurpose) -> u8 {
    match purpose {
        DecodePurpose::Validate => 1,
        DecodePurpose::Pixels { at_least } => (1..8u8)
            .find(|&eighths| (u64::from(long_side) * u64::from(eighths)).div_ceil(8) >= u64::from(at_least))
            .unwrap_or(8),
    }
}

thread_local! {
    /// Corrupt-data warnings since the current decompression started. libjpeg's own counter is behind a raw pointer.
    static WARNINGS: Cell<u32> = const { Cell::new(0) };
}

/// libjpeg's hooks: errors unwind to `catch_unwind` without the panic hook, warnings are counted, nothing is printed.
fn error_manager() -> jpeg_error_mgr {
    extern "C-unwind" fn exit(_: &mut jpeg_common_struct) {
        resume_unwind(Box::new("libjpeg gave up"));
    }
    extern "C-unwind" fn message(_: &mut jpeg_common_struct, level: i32) {
        // Levels from 0 on are traces.
        if level < 0 {
            WARNINGS.set(WARNINGS.get() + 1);
        }
    }
    extern "C-unwind" fn nothing(_: &mut jpeg_common_struct) {}
    extern "C-unwind" fn no_text(_: &mut jpeg_common_struct, _: &[u8; 80]) {}
    jpeg_error_mgr {
        error_exit: Some(exit),
        emit_message: Some(message),
        output_message: Some(nothing),
        format_message: Some(no_text),
        reset_error_mgr: Some(nothing),
        msg_code: 0,
        msg_parm: Default::default(),
        trace_level: 0,
        num_warnings: 0,
        jpeg_message_table: std::ptr::null(),
        last_jpeg_message: 0,
        addon_message_table: std::ptr::null(),
        first_addon_message: 0,
        last_addon_message: 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_to_no_less_than_what_is_asked_for() {
        let scale = |long_side, at_least| eighths(long_side, DecodePurpose::Pixels { at_least });
        assert_eq!(scale(6000, 2048), 3);
        assert_eq!(scale(6000, 6000), 8);
        assert_eq!(scale(6000, 9000), 8);
        assert_eq!(scale(6000, 480), 1);
        assert_eq!(scale(16384, 2048), 1);
        assert_eq!(scale(16385, 2048), 1);
        assert_eq!(scale(16383, 2048), 1);
        assert_eq!(scale(16376, 2048), 2);
        assert_eq!(eighths(100, DecodePurpose::Validate), 1);
    }
}
