//! The segments of a JPEG file, from its first marker to the end of its image (ITU-T T.81, annex B).

use super::super::errors::Unreadable;

/// What the markers say.
pub(super) struct Markers<'a> {
    pub(super) frame: Frame,
    /// Scans, each of which passes over the blocks of its components.
    pub(super) scans: u32,
    /// Bytes of entropy-coded data, all scans together.
    pub(super) entropy_bytes: u64,
    /// Where the image ends, after its EOI marker. Cameras write more images behind it.
    pub(super) end: usize,
    /// Whether there is an Adobe segment.
    pub(super) adobe: bool,
    /// The EXIF segment's TIFF structure.
    pub(super) exif: Option<&'a [u8]>,
    /// Pieces of the ICC profile with their numbers.
    icc: Vec<(u8, &'a [u8])>,
}

/// The frame header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Frame {
    pub(super) width: u32,
    pub(super) height: u32,
    /// Colour channels.
    pub(super) components: u8,
    pub(super) progressive: bool,
    /// Blocks of 8 by 8 coefficients of all components.
    pub(super) blocks: u64,
}

const SOI: u8 = 0xD8;
const EOI: u8 = 0xD9;
const SOS: u8 = 0xDA;
const APP1: u8 = 0xE1;
const APP2: u8 = 0xE2;
const APP14: u8 = 0xEE;

impl<'a> Markers<'a> {
    /// Walks from the SOI marker that `bytes` start with to the EOI marker of the same image.
    pub(super) fn walk(bytes: &'a [u8]) -> Result<Self, Unreadable> {
        let mut frame = None;
        let mut markers = Self {
            frame: Frame { width: 0, height: 0, components: 0, progressive: false, blocks: 0 },
            scans: 0,
            entropy_bytes: 0,
            end: 0,
            adobe: false,
            exif: None,
            icc: Vec::new(),
        };
        let mut at = 2;
        loop {
            let (marker, after) = next_marker(bytes, at)?;
            at = after;
            match marker {
                EOI => break,
                SOI => return Err(Unreadable::Damaged),
                // TEM and the restart markers stand alone.
                0x01 | 0xD0..=0xD7 => continue,
                _ => {}
            }
            let segment = segment(bytes, at)?;
            at += 2 + segment.len();
            match marker {
                SOS => {
                    let end = entropy_end(bytes, at)?;
                    markers.scans += 1;
                    markers.entropy_bytes += (end - at) as u64;
                    at = end;
                }
                // SOF0 to SOF15; in their midst DHT, JPG and DAC.
                0xC0..=0xCF if !matches!(marker, 0xC4 | 0xC8 | 0xCC) => {
                    let parsed = Frame::parse(marker, segment)?;
                    if frame.replace(parsed).is_some() {
                        return Err(Unreadable::Damaged);
                    }
                }
                APP1 if markers.exif.is_none() => markers.exif = segment.strip_prefix(b"Exif\0\0"),
                APP2 => {
                    if let Some([number, _count, piece @ ..]) = segment.strip_prefix(b"ICC_PROFILE\0") {
                        markers.icc.push((*number, piece));
                    }
                }
                APP14 => markers.adobe |= segment.starts_with(b"Adobe"),
                _ => {}
            }
        }
        markers.end = at;
        markers.frame = frame.ok_or(Unreadable::Damaged)?;
        if markers.scans == 0 {
            return Err(Unreadable::Damaged);
        }
        Ok(markers)
    }

    /// The ICC profile, its pieces put together.
    pub(super) fn icc_profile(&self) -> Option<Vec<u8>> {
        let mut pieces = self.icc.clone();
        pieces.sort_by_key(|(number, _)| *number);
        (!pieces.is_empty()).then(|| pieces.into_iter().flat_map(|(_, piece)| piece).copied().collect())
    }
}

impl Frame {
    fn parse(marker: u8, segment: &[u8]) -> Result<Self, Unreadable> {
        let [precision, h1, h0, w1, w0, components, samplings @ ..] = segment else {
            return Err(Unreadable::Damaged);
        };
        // Lossless, hierarchical or arithmetically coded, or of 12 bits: no photographer's program writes that.
        if !matches!(marker, 0xC0..=0xC2) || *precision != 8 {
            return Err(Unreadable::UnknownKind);
        }
        let (width, height) = (u16::from_be_bytes([*w1, *w0]), u16::from_be_bytes([*h1, *h0]));
        let samplings = samplings.get(..usize::from(*components) * 3).ok_or(Unreadable::Damaged)?;
        let factors = samplings.chunks_exact(3).map(|component| (component[1] >> 4, component[1] & 15));
        if factors.clone().any(|(across, down)| !(1..=4).contains(&across) || !(1..=4).contains(&down)) {
            return Err(Unreadable::Damaged);
        }
        let largest =
            factors.clone().fold((1, 1), |most, factor| (most.0.max(factor.0), most.1.max(factor.1)));
        let blocks = |side: u16, factor: u8, largest: u8| {
            (u64::from(side) * u64::from(factor)).div_ceil(8 * u64::from(largest))
        };
        let blocks = factors
            .map(|(across, down)| blocks(width, across, largest.0) * blocks(height, down, largest.1))
            .sum();
        let progressive = marker == 0xC2;
        Ok(Self { width: width.into(), height: height.into(), components: *components, progressive, blocks })
    }
}

/// The next marker at or after `at`, and where its bytes end. Stray bytes before it and fill bytes are skipped.
pub(crate) fn next_marker(bytes: &[u8], mut at: usize) -> Result<(u8, usize), Unreadable> {
    loop {
        at += memchr::memchr(0xFF, bytes.get(at..).unwrap_or_default()).ok_or(Unreadable::Truncated)?;
        while bytes.get(at) == Some(&0xFF) {
            at += 1;
        }
        match bytes.get(at) {
            None => return Err(Unreadable::Truncated),
            Some(0) => at += 1,
            Some(&marker) => return Ok((marker, at + 1)),
        }
    }
}

/// The segment whose length field is at `at`, without that field.
pub(crate) fn segment(bytes: &[u8], at: usize) -> Result<&[u8], Unreadable> {
    let length = bytes.get(at..at + 2).ok_or(Unreadable::Truncated)?;
    match usize::from(u16::from_be_bytes([length[0], length[1]])) {
        0 | 1 => Err(Unreadable::Damaged),
        length => bytes.get(at + 2..at + length).ok_or(Unreadable::Truncated),
    }
}

/// Where entropy-coded data that start at `start` end: at a marker that is no restart marker.
pub(crate) fn entropy_end(bytes: &[u8], start: usize) -> Result<usize, Unreadable> {
    let data = bytes.get(start..).ok_or(Unreadable::Truncated)?;
    memchr::memchr_iter(0xFF, data)
        .find(|&at| !matches!(data.get(at + 1), Some(0 | 0xFF | 0xD0..=0xD7) | None))
        .map(|at| start + at)
        .ok_or(Unreadable::Truncated)
}
