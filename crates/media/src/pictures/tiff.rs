//! TIFF, by the `tiff` crate, strip by strip or tile by tile. The first page is the picture.

mod directories;
mod errors;
mod kinds;
mod samples;
mod shown;

use ::tiff::ColorType;
use ::tiff::decoder::{ChunkType, Decoder, Limits};
use ::tiff::tags::{PhotometricInterpretation, PlanarConfiguration, Tag};

use super::canvas::{Canvas, DecodePurpose, Decoded};
use super::colour::{Colour, PixelFormat};
use super::errors::Unreadable;
use super::limits::{MAX_WORKING_BYTES, Measured, check_memory, check_size};
use super::orientation::Orientation;
use errors::unreadable;
use samples::{Layout, eight_bits};
use shown::{Alpha, Greyed, Meaning, Reader, Shown};

/// Largest tag value, in bytes: the offsets of half a million strips or tiles, a profile of four megabytes.
const LARGEST_VALUE: usize = 4 * 1_048_576;
/// What decoding takes: one strip or tile, which may be the whole picture.
pub(super) fn measure(bytes: &[u8]) -> Result<Measured, Unreadable> {
    let shown = Shown::greyed(bytes);
    let meaning = shown.meaning();
    let mut decoder = Decoder::new(shown).map_err(unreadable)?;
    let (width, height) = decoder.dimensions().map_err(unreadable)?;
    check_size(width, height)?;
    let bytes_a_pixel = layout(&mut decoder, meaning)?.bytes_a_pixel();
    let (across, down) = decoder.chunk_dimensions();
    let working = u64::from(across.min(width)) * u64::from(down.min(height)) * bytes_a_pixel;
    Ok(Measured { width, height, working, averaged: true })
}

pub(super) fn read(bytes: &[u8], purpose: DecodePurpose) -> Result<Decoded, Unreadable> {
    kinds::check(bytes)?;
    let shown = Shown::greyed(bytes);
    let meaning = shown.meaning();
    let mut limits = Limits::default();
    limits.decoding_buffer_size = MAX_WORKING_BYTES as usize;
    limits.intermediate_buffer_size = MAX_WORKING_BYTES as usize;
    limits.ifd_value_size = LARGEST_VALUE;
    let mut decoder = Decoder::new(shown).map_err(unreadable)?.with_limits(limits);
    let (width, height) = decoder.dimensions().map_err(unreadable)?;
    check_size(width, height)?;
    let layout = layout(&mut decoder, meaning)?;
    check_extent(&mut decoder, bytes.len() as u64)?;
    let is_indexed = meaning.greyed == Some(Greyed::Palette);
    let palette = is_indexed.then(|| shown::palette(&mut decoder)).transpose()?;
    let orientation =
        unsigned(&mut decoder, Tag::Orientation)?.map_or(Orientation::UPRIGHT, Orientation::from_value);
    let icc = decoder.find_tag(Tag::IccProfile).ok().flatten().and_then(|value| value.into_u8_vec().ok());
    let pixel_format = if is_indexed { PixelFormat::Rgb } else { layout.pixel_format };

    let mut canvas = Canvas::new(purpose, width, height, Colour::new(pixel_format, icc.as_deref()));
    let (across, down) = decoder.chunk_dimensions();
    let columns = width.div_ceil(across);
    let chunks = columns * height.div_ceil(down);
    let mut row = Vec::new();
    for chunk in 0..chunks {
        let (x, y) = (chunk % columns * across, chunk / columns * down);
        let (chunk_width, chunk_height) = decoder.chunk_data_dimensions(chunk);
        // With separate planes the same chunk of every plane is in memory at once.
        check_memory(u64::from(chunk_width) * u64::from(chunk_height) * layout.bytes_a_pixel())?;
        let planes = (0..layout.planes())
            .map(|plane| decoder.read_chunk(plane * chunks + chunk))
            .collect::<Result<Vec<_>, _>>()
            .map_err(unreadable)?;
        for line in 0..chunk_height as usize {
            row.clear();
            eight_bits(&planes, &layout, line, chunk_width as usize, is_indexed, &mut row)?;
            layout.finish(&mut row);
            if let Some(palette) = &palette {
                row = row.iter().flat_map(|&index| palette[usize::from(index)]).collect();
            }
            canvas.put(x as usize, y as usize + line, 1, &row);
        }
    }
    Ok(Decoded { width, height, orientation, content: canvas.finish()? })
}

fn layout(decoder: &mut Reader<'_>, meaning: Meaning) -> Result<Layout, Unreadable> {
    let photometric = unsigned(decoder, Tag::PhotometricInterpretation)?
        .and_then(|value| PhotometricInterpretation::from_u16(value as u16));
    let (shown, bits, samples) = match decoder.colortype().map_err(unreadable)? {
        ColorType::Gray(bits) => (PixelFormat::Grey, bits, 1),
        ColorType::GrayA(bits) => (PixelFormat::Grey, bits, 2),
        ColorType::Multiband { bit_depth, num_samples } => (PixelFormat::Grey, bit_depth, num_samples.into()),
        ColorType::RGB(bits) | ColorType::YCbCr(bits) => (PixelFormat::Rgb, bits, 3),
        ColorType::RGBA(bits) => (PixelFormat::Rgb, bits, 4),
        ColorType::CMYK(bits) => (PixelFormat::Cmyk, bits, 4),
        ColorType::CMYKA(bits) => (PixelFormat::Cmyk, bits, 5),
        _ => return Err(Unreadable::UnknownKind),
    };
    if bits < 8 && samples > 1 {
        return Err(Unreadable::UnknownKind);
    }
    let pixel_format = match meaning.greyed {
        None => shown,
        Some(Greyed::Palette) => PixelFormat::Grey,
        Some(Greyed::Rgb) => PixelFormat::Rgb,
        Some(Greyed::Inks) => PixelFormat::Cmyk,
    };
    if samples < pixel_format.samples() {
        return Err(Unreadable::Damaged);
    }
    let alpha = match meaning.behind {
        // Nobody prints what is transparent, and numbers of colours have no place for it.
        _ if pixel_format == PixelFormat::Cmyk || meaning.greyed == Some(Greyed::Palette) => Alpha::None,
        Some(_) if samples == pixel_format.samples() => Alpha::None,
        Some(alpha) => alpha,
        // Without a word on what is behind the colours most programs take one sample for transparency.
        None if samples == pixel_format.samples() + 1 => Alpha::Straight,
        None => Alpha::None,
    };
    let planar =
        unsigned(decoder, Tag::PlanarConfiguration)? == Some(PlanarConfiguration::Planar.to_u16().into());
    Ok(Layout {
        pixel_format,
        bits,
        samples,
        alpha,
        planar: planar && samples > 1,
        ycbcr: photometric == Some(PhotometricInterpretation::YCbCr),
    })
}

/// Refuses a file that ends before its last strip or tile does.
fn check_extent(decoder: &mut Reader<'_>, length: u64) -> Result<(), Unreadable> {
    let (offsets, counts) = match decoder.get_chunk_type() {
        ChunkType::Strip => (Tag::StripOffsets, Tag::StripByteCounts),
        ChunkType::Tile => (Tag::TileOffsets, Tag::TileByteCounts),
    };
    let offsets = decoder.find_tag_unsigned_vec::<u64>(offsets).map_err(unreadable)?.unwrap_or_default();
    let counts = decoder.find_tag_unsigned_vec::<u64>(counts).map_err(unreadable)?.unwrap_or_default();
    let whole = offsets.iter().zip(&counts).all(|(offset, count)| offset.saturating_add(*count) <= length);
    if whole { Ok(()) } else { Err(Unreadable::Truncated) }
}

fn unsigned(decoder: &mut Reader<'_>, tag: Tag) -> Result<Option<u32>, Unreadable> {
    decoder.find_tag_unsigned::<u32>(tag).map_err(unreadable)
}
