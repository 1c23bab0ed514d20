//! One picture of AV1, by `re_rav1d`, which is dav1d in Rust with dav1d's interface of C.

use std::ffi::c_uint;
use std::ptr::NonNull;

use re_rav1d::include::dav1d::data::Dav1dData;
use re_rav1d::include::dav1d::dav1d::{Dav1dContext, Dav1dLogger, Dav1dSettings};
use re_rav1d::include::dav1d::headers::{
    DAV1D_PIXEL_LAYOUT_I400, DAV1D_PIXEL_LAYOUT_I420, DAV1D_PIXEL_LAYOUT_I422, Dav1dSequenceHeader,
};
use re_rav1d::include::dav1d::picture::Dav1dPicture;
use re_rav1d::src::lib::{
    dav1d_close, dav1d_data_create, dav1d_data_unref, dav1d_default_settings, dav1d_get_picture, dav1d_open,
    dav1d_parse_sequence_header, dav1d_picture_unref, dav1d_send_data,
};

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
        let start = NonNull::new(data.as_ptr().cast_mut());
        let mut header = std::mem::MaybeUninit::<Dav1dSequenceHeader>::uninit();
        #[allow(unsafe_code, reason = "its safe layer reads no headers interface")]
        // SAFETY: there is room for the header, and `data` has so many bytes, which are read alone.
        let result =
            unsafe { dav1d_parse_sequence_header(NonNull::new(header.as_mut_ptr()), start, data.len()) };
        if result.0 != 0 {
            return Err(Unreadable::Damaged);
        }
        #[allow(unsafe_code, reason = "as above")]
        // SAFETY: it was written, since the call has succeeded.
        let header = unsafe { header.assume_init() };
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
    picture: Dav1dPicture,
}

impl Frame {
    /// Decodes the first picture in `data`, in this thread. Its header is known to be within the limits.
    pub(super) fn decode(data: &[u8], sequence: Sequence) -> Result<Self, Unreadable> {
        let mut decoder = Decoder::new(sequence)?;
        let mut input = Input::of(data)?;
        let picture = decoder.picture(&mut input)?;
        let frame = Self { sequence, width: picture.p.w as u32, height: picture.p.h as u32, picture };
        let is_as_told = frame.picture.p.bpc == i32::from(sequence.bits)
            && u64::from(frame.width) * u64::from(frame.height) <= most_pixels(sequence);
        if is_as_told { Ok(frame) } else { Err(Unreadable::Damaged) }
    }

    /// Row `y` of plane 0, 1 or 2, as many samples as it has.
    pub(super) fn row(&self, plane: usize, y: u32, out: &mut Vec<u16>) {
        out.clear();
        let (across, down) = if plane == 0 { (0, 0) } else { self.sequence.chroma.shifts() };
        let (width, height) = (side(self.width, across), side(self.height, down));
        let y = y.min(height.saturating_sub(1)) as usize;
        let stride = self.picture.stride[usize::from(plane > 0)];
        let Some(start) = self.picture.data.get(plane).copied().flatten() else { return };
        let start = start.cast::<u8>();
        #[allow(unsafe_code, reason = "its safe layer reads no headers interface")]
        // SAFETY: a picture has as many rows of as many samples in each of its planes, `stride` bytes apart, and keeps them
        // until it is dropped; samples of more than 8 bits have two bytes, and rows of these are aligned.
        unsafe {
            let row = start.offset(stride * y as isize);
            if self.sequence.bits == 8 {
                let samples = std::slice::from_raw_parts(row.as_ptr(), width as usize);
                out.extend(samples.iter().map(|sample| u16::from(*sample)));
            } else {
                out.extend_from_slice(std::slice::from_raw_parts(row.cast::<u16>().as_ptr(), width as usize));
            }
        }
    }
}

impl Drop for Frame {
    fn drop(&mut self) {
        #[allow(unsafe_code, reason = "its safe layer reads no headers interface")]
        // SAFETY: it came from `dav1d_get_picture`, and is not used any more.
        unsafe {
            dav1d_picture_unref(Some(NonNull::from(&mut self.picture)));
        }
    }
}

/// How many samples a side has in a plane.
pub(super) const fn side(pixels: u32, shift: u32) -> u32 {
    pixels.div_ceil(1 << shift)
}

fn most_pixels(sequence: Sequence) -> u64 {
    u64::from(sequence.width) * u64::from(sequence.height)
}

struct Decoder(Option<Dav1dContext>);

impl Decoder {
    fn new(sequence: Sequence) -> Result<Self, Unreadable> {
        let mut settings = std::mem::MaybeUninit::<Dav1dSettings>::uninit();
        let mut context = None;
        #[allow(unsafe_code, reason = "its safe layer reads no headers interface")]
        // SAFETY: the first call writes all settings, for which there is room; the second reads them, and writes what it makes.
        // A log without a callback is never called.
        let result = unsafe {
            dav1d_default_settings(NonNull::from(&mut settings).cast());
            let settings = settings.assume_init_mut();
            // With one thread none is started. Of pictures in layers the best one counts.
            (settings.n_threads, settings.max_frame_delay, settings.all_layers) = (1, 1, 0);
            settings.frame_size_limit = c_uint::try_from(most_pixels(sequence)).unwrap_or(c_uint::MAX);
            settings.logger = Dav1dLogger::new(None, None);
            dav1d_open(Some(NonNull::from(&mut context)), Some(NonNull::from(settings)))
        };
        // Nothing in the settings can be refused.
        if result.0 == 0 { Ok(Self(context)) } else { Err(Unreadable::TooComplex) }
    }

    fn picture(&mut self, input: &mut Input) -> Result<Dav1dPicture, Unreadable> {
        loop {
            #[allow(unsafe_code, reason = "its safe layer reads no headers interface")]
            // SAFETY: the context is open, and the data are the input's own.
            let sent = unsafe { dav1d_send_data(self.0, Some(NonNull::from(&mut input.0))) };
            if sent.0 != 0 && sent.0 != AGAIN {
                return Err(Unreadable::Damaged);
            }
            // Asked twice, it gives what it has kept back.
            for _ in 0..2 {
                let mut picture = Dav1dPicture::default();
                #[allow(unsafe_code, reason = "as above")]
                // SAFETY: the context is open, and there is room for a picture.
                let got = unsafe { dav1d_get_picture(self.0, Some(NonNull::from(&mut picture))) };
                match got.0 {
                    0 => return Ok(picture),
                    AGAIN => {}
                    _ => return Err(Unreadable::Damaged),
                }
            }
            if input.0.sz == 0 {
                return Err(Unreadable::Damaged);
            }
        }
    }
}

impl Drop for Decoder {
    fn drop(&mut self) {
        #[allow(unsafe_code, reason = "its safe layer reads no headers interface")]
        // SAFETY: the context is open, and is not used any more.
        unsafe {
            dav1d_close(Some(NonNull::from(&mut self.0)));
        }
    }
}

/// What there is more of only after something else.
const AGAIN: i32 = -libc::EAGAIN;

/// A copy of coded data, which the decoder may keep.
struct Input(Dav1dData);

impl Input {
    fn of(data: &[u8]) -> Result<Self, Unreadable> {
        let mut input = Dav1dData::default();
        #[allow(unsafe_code, reason = "its safe layer reads no headers interface")]
        // SAFETY: the call gives room for so many bytes, or nothing, and the data are elsewhere.
        unsafe {
            let room = dav1d_data_create(Some(NonNull::from(&mut input)), data.len());
            if room.is_null() {
                return Err(Unreadable::TooComplex);
            }
            std::ptr::copy_nonoverlapping(data.as_ptr(), room, data.len());
        }
        Ok(Self(input))
    }
}

impl Drop for Input {
    fn drop(&mut self) {
        #[allow(unsafe_code, reason = "its safe layer reads no headers interface")]
        // SAFETY: it came from `dav1d_data_create`, or the decoder has left nothing of it.
        unsafe {
            dav1d_data_unref(Some(NonNull::from(&mut self.0)));
        }
    }
}
