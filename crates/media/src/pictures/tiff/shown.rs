//! What the `tiff` crate is shown of a file: it refuses palettes, and goes wrong over samples beside the colours.

use std::io::{self, Cursor, Read, Seek, SeekFrom};

use ::tiff::decoder::Decoder;
use ::tiff::tags::Tag;

use super::super::errors::Unreadable;
use super::directories::Directory;
use super::errors::unreadable;

const PHOTOMETRIC: u16 = 262;
const SAMPLES: u16 = 277;
const EXTRA_SAMPLES: u16 = 338;
const BLACK_IS_ZERO: u16 = 1;
const RGB: u32 = 2;
const PALETTE: u32 = 3;
const CMYK: u32 = 5;
/// Extra samples that are transparency: with colours that were multiplied by it, and without.
const ASSOCIATED_ALPHA: u32 = 1;
const UNASSOCIATED_ALPHA: u32 = 2;

/// The decoder of a file that [`Shown`] reads.
pub(super) type Reader<'a> = Decoder<Shown<'a>>;

/// What the first page's samples are, as its directory says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Meaning {
    /// The colours, where they are shown as greys.
    pub(super) greyed: Option<Greyed>,
    /// What is behind the colours; none where nothing is said of it.
    pub(super) behind: Option<Alpha>,
}

/// Colours that are shown as greys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Greyed {
    Palette,
    Rgb,
    Inks,
}

/// What the first sample behind the colours is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Alpha {
    /// Something else, or there is none.
    None,
    /// How much of the colours shows.
    Straight,
    /// The same, and the colours are multiplied by it.
    Premultiplied,
}

/// A file of which two bytes read otherwise than they are.
pub(super) struct Shown<'a> {
    file: Cursor<&'a [u8]>,
    /// Where they are, and what they read as.
    instead: Option<(usize, [u8; 2])>,
    meaning: Meaning,
}

impl<'a> Shown<'a> {
    /// A file whose first page has a palette, or samples beside its colours, with that page said to be grey: then every
    /// sample comes as it is. Every other file as it is.
    pub(super) fn greyed(bytes: &'a [u8]) -> Self {
        let directory = Directory::first(bytes);
        let meaning = directory.map_or(Meaning { greyed: None, behind: None }, |first| meaning(&first));
        let place =
            meaning
                .greyed
                .and(directory.and_then(|first| {
                    Some((first.entry(PHOTOMETRIC)?.at, first.short_bytes(BLACK_IS_ZERO)))
                }));
        Self { file: Cursor::new(bytes), instead: place, meaning }
    }

    /// What the samples are.
    pub(super) const fn meaning(&self) -> Meaning {
        self.meaning
    }
}

impl Read for Shown<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let start = usize::try_from(self.file.position()).unwrap_or(usize::MAX);
        let read = self.file.read(out)?;
        if let Some((at, grey)) = self.instead {
            for (place, byte) in (at..).zip(grey) {
                if let Some(shown) = place.checked_sub(start).and_then(|place| out[..read].get_mut(place)) {
                    *shown = byte;
                }
            }
        }
        Ok(read)
    }
}

impl Seek for Shown<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

fn meaning(first: &Directory<'_>) -> Meaning {
    let behind = first.number(EXTRA_SAMPLES).map(|extra| match extra {
        ASSOCIATED_ALPHA => Alpha::Premultiplied,
        UNASSOCIATED_ALPHA => Alpha::Straight,
        _ => Alpha::None,
    });
    let has_more =
        |colours| behind.is_some() && first.number(SAMPLES).is_some_and(|samples| samples > colours);
    let greyed = match first.number(PHOTOMETRIC) {
        Some(PALETTE) => Some(Greyed::Palette),
        Some(RGB) if has_more(3) => Some(Greyed::Rgb),
        Some(CMYK) if has_more(4) => Some(Greyed::Inks),
        _ => None,
    };
    Meaning { greyed, behind }
}

/// The colour of every index; indices without one are black.
pub(super) fn palette(decoder: &mut Reader<'_>) -> Result<Vec<[u8; 3]>, Unreadable> {
    let map = decoder.get_tag_u16_vec(Tag::ColorMap).map_err(unreadable)?;
    // All reds, then all greens, then all blues.
    let count = map.len() / 3;
    let channel =
        |channel: usize, index: usize| map.get(channel * count + index).map_or(0, |v| (v >> 8) as u8);
    let colour = |index| if index < count { std::array::from_fn(|c| channel(c, index)) } else { [0; 3] };
    Ok((0..256).map(colour).collect())
}
