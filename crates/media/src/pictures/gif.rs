//! GIF, by the `gif` crate, row by row. The first frame on the logical screen is the picture.

use ::gif::{ColorOutput, DecodeOptions, DecodingError};

use super::canvas::{Canvas, DecodePurpose, Decoded};
use super::colour::{Colour, PixelFormat};
use super::errors::Unreadable;
use super::limits::{Measured, check_size};
use super::orientation::Orientation;

/// What decoding takes: a few rows.
pub(super) fn measure(bytes: &[u8]) -> Result<Measured, Unreadable> {
    let Blocks { width, height, .. } = Blocks::walk(bytes)?;
    Ok(Measured { width: width.into(), height: height.into(), working: 0, averaged: true })
}

pub(super) fn read(bytes: &[u8], purpose: DecodePurpose) -> Result<Decoded, Unreadable> {
    let blocks = Blocks::walk(bytes)?;
    check_size(blocks.width.into(), blocks.height.into())?;
    check_size(blocks.frame_width.into(), blocks.frame_height.into())?;
    let mut options = DecodeOptions::new();
    options.set_color_output(ColorOutput::Indexed);
    let mut decoder = options.read_info(bytes).map_err(unreadable)?;
    let frame = decoder.next_frame_info().map_err(unreadable)?.ok_or(Unreadable::Damaged)?;
    let (left, top) = (usize::from(frame.left), usize::from(frame.top));
    let (width, height) = (usize::from(frame.width), usize::from(frame.height));
    let (interlaced, transparent) = (frame.interlaced, frame.transparent);
    let palette = decoder.palette().map_err(unreadable)?.to_vec();

    let (screen_width, screen_height) = (usize::from(blocks.width), usize::from(blocks.height));
    let mut canvas =
        Canvas::new(purpose, blocks.width.into(), blocks.height.into(), Colour::srgb(PixelFormat::Rgb));
    // What the frame leaves open is white.
    let blank = vec![255; screen_width * 3];
    for y in (0..screen_height).filter(|y| !(top..top + height).contains(y)) {
        canvas.put(0, y, 1, &blank);
    }
    let mut indices = vec![0; width];
    let mut row = blank;
    for y in rows(height, interlaced) {
        if !decoder.fill_buffer(&mut indices).map_err(unreadable)? {
            return Err(Unreadable::Damaged);
        }
        for (pixel, &index) in row.chunks_exact_mut(3).skip(left).zip(&indices) {
            let colour = palette.get(usize::from(index) * 3..usize::from(index) * 3 + 3);
            match colour.filter(|_| Some(index) != transparent) {
                Some(colour) => pixel.copy_from_slice(colour),
                None => pixel.fill(255),
            }
        }
        canvas.put(0, top + y, 1, &row);
    }
    Ok(Decoded {
        width: blocks.width.into(),
        height: blocks.height.into(),
        orientation: Orientation::UPRIGHT,
        content: canvas.finish()?,
    })
}

/// The rows of a frame in the order in which they are stored (GIF89a, appendix E).
fn rows(height: usize, interlaced: bool) -> impl Iterator<Item = usize> {
    let passes: &[(usize, usize)] = if interlaced { &[(0, 8), (4, 8), (2, 4), (1, 2)] } else { &[(0, 1)] };
    passes.iter().flat_map(move |&(start, step)| (start..height).step_by(step))
}

fn unreadable(error: DecodingError) -> Unreadable {
    match error {
        DecodingError::MemoryLimit | DecodingError::OutOfMemory => Unreadable::TooComplex,
        _ => Unreadable::Damaged,
    }
}

/// What the blocks say.
struct Blocks {
    /// The logical screen.
    width: u16,
    height: u16,
    /// The first frame.
    frame_width: u16,
    frame_height: u16,
}

impl Blocks {
    /// Walks over all frames to the trailer, decoding none.
    fn walk(bytes: &[u8]) -> Result<Self, Unreadable> {
        let mut reader = Reader(bytes.get(6..).ok_or(Unreadable::Truncated)?);
        let [w0, w1, h0, h1, flags, _background, _aspect] = reader.take()?;
        let mut blocks = Self {
            width: u16::from_le_bytes([w0, w1]),
            height: u16::from_le_bytes([h0, h1]),
            frame_width: 0,
            frame_height: 0,
        };
        reader.skip(palette_bytes(flags))?;
        loop {
            match reader.take()? {
                // The trailer.
                [0x3B] => break,
                // An extension and its label.
                [0x21] => reader.skip(1)?,
                // An image descriptor, its palette, and the first code's size.
                [0x2C] => {
                    let [_, _, _, _, w0, w1, h0, h1, flags] = reader.take()?;
                    if blocks.frame_width == 0 {
                        blocks.frame_width = u16::from_le_bytes([w0, w1]);
                        blocks.frame_height = u16::from_le_bytes([h0, h1]);
                    }
                    reader.skip(palette_bytes(flags) + 1)?;
                }
                _ => return Err(Unreadable::Damaged),
            }
            reader.skip_sub_blocks()?;
        }
        Ok(blocks)
    }
}

/// Bytes of the colour table that these flags declare.
fn palette_bytes(flags: u8) -> usize {
    if flags & 0x80 == 0 { 0 } else { 3 << ((flags & 7) + 1) }
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], Unreadable> {
        let (taken, rest) = self.0.split_first_chunk::<N>().ok_or(Unreadable::Truncated)?;
        self.0 = rest;
        Ok(*taken)
    }

    fn skip(&mut self, bytes: usize) -> Result<(), Unreadable> {
        self.0 = self.0.get(bytes..).ok_or(Unreadable::Truncated)?;
        Ok(())
    }

    fn skip_sub_blocks(&mut self) -> Result<(), Unreadable> {
        loop {
            match self.take()? {
                [0] => return Ok(()),
                [length] => self.skip(length.into())?,
            }
        }
    }
}
