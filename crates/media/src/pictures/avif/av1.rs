//! One picture of AV1, by `re_rav1d`, which is dav1d in Rust.

use std::mem::MaybeUninit;
use std::ptr::NonNull;

use re_rav1d::include::dav1d::headers::{
    DAV1D_PIXEL_LAYOUT_I400, DAV1D_PIXEL_LAYOUT_I420, DAV1D_PIXEL_LAYOUT_I422, Dav1dSequenceHeader,
};
use re_rav1d::src::lib::dav1d_parse_sequence_header;
use re_rav1d::{Decoder, Picture, PixelLayout, PlanarImageComponent, Settings};

use super::super::errors::Unreadable;

/// What a sequence's header says of its pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sequence {
    /// No picture is wider, or taller.
    pub(super) width: u32,
    pub(super) height: u32,
    /// Bits of a sample: 8, 10 or 12.
    pub(super) bits: u8,
    pub(super) chroma: Chroma,
    /// Code points of ITU-T H.273.
    pub(super) primaries: u16,
    pub(super) transfer: u16,
    pub(super) matrix: u16,
    pub(super) is_full_range: bool,
    pub(super) has_grain: bool,
}

/// How many samples of colour there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Chroma {
    /// None: it is grey.
    None,
    /// Half as many across, and half as many down.
    Quarter,
    /// Half as many across.
    Half,
    /// As many as of brightness.
    Full,
}

impl Chroma {
    /// By how many bits a place across, and one down, is shifted.
    pub(super) const fn shifts(self) -> (u32, u32) {
        match self {
            Self::None | Self::Full => (0, 0),
            Self::Quarter => (1, 1),
            Self::Half => (1, 0),
        }
    }
}

impl Sequence {
    /// Reads the header that stands in `data`.
    pub(super) fn of(data: &[u8]) -> Result<Self, Unreadable> {
        if data.is_empty() {
            return Err(Unreadable::Damaged);
        }
        let mut header = MaybeUninit::<Dav1dSequenceHeader>::uninit();
        let (start, room) = (NonNull::new(data.as_ptr().cast_mut()), NonNull::new(header.as_mut_ptr()));
        #[allow(unsafe_code, reason = "of a header alone the crate has dav1d's function and no safe one")]
        // SAFETY: `data` has so many bytes, which are only read; the header has room, and is whole where the call succeeds.
        let header = unsafe {
            if dav1d_parse_sequence_header(room, start, data.len()).0 != 0 {
                return Err(Unreadable::Damaged);
            }
            header.assume_init()
        };
        let side = |side: i32| u32::try_from(side).map_err(|_| Unreadable::Damaged);
        Ok(Self {
            width: side(header.max_width)?,
            height: side(header.max_height)?,
            bits: 8 + 2 * header.hbd.min(2),
            chroma: match header.layout {
                DAV1D_PIXEL_LAYOUT_I400 => Chroma::None,
                DAV1D_PIXEL_LAYOUT_I420 => Chroma::Quarter,
                DAV1D_PIXEL_LAYOUT_I422 => Chroma::Half,
                _ => Chroma::Full,
            },
            primaries: header.pri as u16,
            transfer: header.trc as u16,
            matrix: header.mtrx as u16,
            is_full_range: header.color_range != 0,
            has_grain: header.film_grain_present != 0,
        })
    }
}

/// A decoded picture.
pub(super) struct Frame {
    pub(super) sequence: Sequence,
    pub(super) width: u32,
    pub(super) height: u32,
    picture: Picture,
}

impl Frame {
    /// Decodes the first picture in `data`, in this thread. Its header is known to be within the limits.
    pub(super) fn decode(data: Vec<u8>, sequence: Sequence) -> Result<Self, Unreadable> {
        let picture = first_picture(data, sequence)?;
        let chroma = match picture.pixel_layout() {
            PixelLayout::I400 => Chroma::None,
            PixelLayout::I420 => Chroma::Quarter,
            PixelLayout::I422 => Chroma::Half,
            PixelLayout::I444 => Chroma::Full,
        };
        let frame = Self { sequence, width: picture.width(), height: picture.height(), picture };
        // A second header may stand in front of the picture.
        let is_as_told = frame.picture.bit_depth() == usize::from(sequence.bits)
            && chroma == sequence.chroma
            && u64::from(frame.width) * u64::from(frame.height) <= most_pixels(sequence);
        if is_as_told { Ok(frame) } else { Err(Unreadable::Damaged) }
    }

    /// Row `y` of plane 0, 1 or 2, as many samples as it has.
    pub(super) fn row(&self, plane: usize, y: u32, out: &mut Vec<u16>) {
        out.clear();
        let (across, down) = if plane == 0 { (0, 0) } else { self.sequence.chroma.shifts() };
        let (width, height) = (side(self.width, across) as usize, side(self.height, down));
        let y = y.min(height.saturating_sub(1)) as usize;
        let component = PlanarImageComponent::from(plane);
        let (stride, samples) = (self.picture.stride(component) as usize, self.picture.plane(component));
        let row = samples.get(stride * y..).unwrap_or_default();
        if self.sequence.bits == 8 {
            out.extend(row.iter().take(width).map(|sample| u16::from(*sample)));
        } else {
            let (pairs, _) = row.as_chunks();
            out.extend(pairs.iter().take(width).map(|pair| u16::from_ne_bytes(*pair)));
        }
    }
}

/// Decodes until there is a picture.
fn first_picture(data: Vec<u8>, sequence: Sequence) -> Result<Picture, Unreadable> {
    let mut settings = Settings::new();
    // With one thread none is started. Of pictures in layers the best one counts.
    settings.set_n_threads(1);
    settings.set_max_frame_delay(1);
    settings.set_all_layers(false);
    settings.set_frame_size_limit(u32::try_from(most_pixels(sequence)).unwrap_or(u32::MAX));
    // Nothing in the settings can be refused.
    let mut decoder = Decoder::with_settings(&settings).map_err(|_| Unreadable::TooComplex)?;
    let mut sent = decoder.send_data(data, None, None, None);
    loop {
        if sent.is_err_and(|error| !error.is_again()) {
            return Err(Unreadable::Damaged);
        }
        // Asked twice, it gives what it has kept back.
        for _ in 0..2 {
            match decoder.get_picture() {
                Ok(picture) => return Ok(picture),
                Err(error) if error.is_again() => {}
                Err(_) => return Err(Unreadable::Damaged),
            }
        }
        // It has everything, and no picture came of it.
        if sent.is_ok() {
            return Err(Unreadable::Damaged);
        }
        sent = decoder.send_pending_data();
    }
}

/// How many samples a side has in a plane.
pub(super) const fn side(pixels: u32, shift: u32) -> u32 {
    pixels.div_ceil(1 << shift)
}

fn most_pixels(sequence: Sequence) -> u64 {
    u64::from(sequence.width) * u64::from(sequence.height)
}

#[cfg(test)]
mod tests {
    use super::*;
    use heifer::heifer_isobmff::HeifFile;

    #[test]
    fn a_picture_that_is_not_as_its_header_was_is_damaged() {
        // [UPL224]
        let bytes = include_bytes!("../../../tests/fixtures/avif/odd/420-limited.avif");
        let file = HeifFile::parse(bytes).unwrap();
        let data = file.item_data(file.primary_id).unwrap().to_vec();
        let told = Sequence::of(&data).unwrap();
        assert_eq!((told.chroma, told.bits), (Chroma::Quarter, 8));
        assert!(Frame::decode(data.clone(), told).is_ok());
        for other in [
            Sequence { chroma: Chroma::Full, ..told },
            Sequence { chroma: Chroma::None, ..told },
            Sequence { bits: 10, ..told },
            Sequence { width: told.width / 2, ..told },
        ] {
            assert_eq!(Frame::decode(data.clone(), other).err(), Some(Unreadable::Damaged), "{other:?}");
        }
    }
}
