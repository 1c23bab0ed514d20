//! How much a HEIF file (ISO/IEC 23008-12) says of its items, counted before anything is made of it.
//!
//! Whatever reads such a file looks each item up among all places and all properties, one after the other. In 20 MB there can
//! be half a million items and a million places, which takes minutes; and an extent may take no byte of the file, but some of
//! memory.

use heifer::heifer_isobmff::BoxIter;

/// Most items of a file, and most of each kind of what is said of them. Two planes of 4,096 tiles each have 8,194.
const MOST: usize = 10_000;

/// What is said of items, as numbers.
#[derive(Default)]
struct Counts {
    items: usize,
    places: usize,
    extents: usize,
    properties: usize,
    references: usize,
}

/// Whether a file has more items than any picture, or says more of them. The boxes alone are walked.
pub(crate) fn are_too_many(bytes: &[u8]) -> bool {
    let mut counts = Counts::default();
    for (kind, meta) in boxes(bytes) {
        if kind == *b"meta" {
            // Behind version and flags.
            counts.add(meta.get(4..).unwrap_or_default());
        }
    }
    let Counts { items, places, extents, properties, references } = counts;
    [items, places, extents, properties, references].into_iter().any(|count| count > MOST)
}

impl Counts {
    /// Adds what a box of metadata says. Boxes of one kind are added up, whichever of them counts.
    fn add(&mut self, meta: &[u8]) {
        for (kind, content) in boxes(meta) {
            match &kind {
                b"iinf" => self.items += infos(content),
                b"iloc" => {
                    let (places, extents) = places(content);
                    self.places += places;
                    self.extents += extents;
                }
                b"iref" => self.references += references(content),
                b"iprp" => {
                    let of_items = boxes(content).filter(|(kind, _)| kind == b"ipma");
                    self.properties +=
                        of_items.filter_map(|(_, content)| number(content, 4, 4)).sum::<usize>();
                }
                _ => {}
            }
        }
    }
}

/// How many items `iinf` describes, whatever number it begins with.
fn infos(content: &[u8]) -> usize {
    let start = if version(content) == 0 { 6 } else { 8 };
    boxes(content.get(start..).unwrap_or_default()).filter(|(kind, _)| kind == b"infe").count()
}

/// How many items `iloc` places, and how many extents the first [`MOST`] of them have.
fn places(content: &[u8]) -> (usize, usize) {
    let version = version(content);
    let sizes = |at: usize| content.get(at).copied().map_or((0, 0), |two| (two >> 4, two & 0x0F));
    let ((offset, length), (base, index)) = (sizes(4), sizes(5));
    let index = if version == 0 { 0 } else { index };
    let extent = usize::from(offset) + usize::from(length) + usize::from(index);
    let id = if version < 2 { 2 } else { 4 };
    let method = if version == 0 { 0 } else { 2 };
    // Behind them the file that has the data, and where they begin.
    let head = id + method + 2 + usize::from(base);
    let places = number(content, 6, id).unwrap_or(0);
    let (mut at, mut extents) = (6 + id, 0);
    for _ in 0..places.min(MOST) {
        let Some(more) = number(content, at + head, 2) else { break };
        extents += more;
        at += head + 2 + more * extent;
    }
    (places, extents)
}

/// How many references `iref` has, and the items in them.
fn references(content: &[u8]) -> usize {
    let id = if version(content) == 0 { 2 } else { 4 };
    let lists = boxes(content.get(4..).unwrap_or_default());
    lists.map(|(_, list)| 1 + number(list, id, 2).unwrap_or(0)).sum()
}

/// The boxes up to the first that is none: whatever reads them goes no further either.
fn boxes(content: &[u8]) -> impl Iterator<Item = ([u8; 4], &[u8])> {
    BoxIter::new(content).map_while(Result::ok).map(|found| (found.header.box_type.0, found.content))
}

fn version(content: &[u8]) -> u8 {
    content.first().copied().unwrap_or_default()
}

/// A number of so many bytes.
fn number(content: &[u8], at: usize, bytes: usize) -> Option<usize> {
    let digits = content.get(at..at + bytes)?;
    Some(digits.iter().fold(0_usize, |number, digit| (number << 8) | usize::from(*digit)))
}
