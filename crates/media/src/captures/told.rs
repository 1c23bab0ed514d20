//! What the blocks of one file tell, and which of it counts.

use domain::photos::captures::Capture;

use super::blocks::{Block, of_resources};
use super::moments::{self, Moment, Rank};
use super::{iptc, xmp};
use crate::exif::{Exif, Tag};

/// Most blocks of one file that are read: there are three or four.
const MOST_BLOCKS: usize = 64;
/// Most bytes of a text that is read.
const MOST_TEXT_BYTES: usize = 1_024;

/// What was read so far.
#[derive(Default)]
pub(super) struct Told {
    blocks: usize,
    /// The best one, and what makes it so.
    moment: Option<(bool, Rank, Moment)>,
    camera: Named,
    lens: Option<String>,
    /// What XMP says of the same, which counts where EXIF says nothing.
    described_camera: Named,
    described_lens: Option<String>,
    /// What EXIF says of who made the picture, XMP and IPTC, of which the first counts that says anything.
    artist: [Option<String>; 3],
    copyright: [Option<String>; 3],
}

/// Places of the rights.
const EXIF: usize = 0;
const XMP: usize = 1;
const IPTC: usize = 2;

/// Maker and model, as one block has them.
#[derive(Default)]
struct Named {
    make: Option<String>,
    model: Option<String>,
}

impl Named {
    fn or_set(&mut self, make: Option<String>, model: Option<String>) {
        if self.make.is_none() && self.model.is_none() {
            *self = Self { make, model };
        }
    }
}

impl Told {
    /// Reads one block, and what is inside it.
    pub(super) fn read(&mut self, block: Block<'_>) {
        self.blocks += 1;
        if self.blocks > MOST_BLOCKS {
            return;
        }
        match block {
            Block::Exif(block) => self.read_exif(block),
            Block::Xmp(packet) => self.read_xmp(packet),
            Block::Iptc(records) => {
                let records = iptc::read(records);
                for (rank, moment) in records.moments() {
                    self.add(rank, Some(moment));
                }
                let (artist, copyright) = records.rights();
                self.add_rights(IPTC, artist.and_then(readable), copyright.and_then(readable));
            }
            Block::Date(text) => self.add(Rank::Words, moments::parse(cut(text))),
        }
    }

    fn add(&mut self, rank: Rank, moment: Option<Moment>) {
        let Some(moment) = moment else { return };
        // A day without a time is better than nothing, and than nothing else.
        let found = (!moment.has_time, rank, moment);
        if self.moment.as_ref().is_none_or(|best| (found.0, found.1) < (best.0, best.1)) {
            self.moment = Some(found);
        }
    }

    fn add_rights(&mut self, place: usize, artist: Option<String>, copyright: Option<String>) {
        for (slot, text) in [(&mut self.artist[place], artist), (&mut self.copyright[place], copyright)] {
            *slot = slot.take().or(text);
        }
    }

    fn read_exif(&mut self, block: &[u8]) {
        let Some(exif) = Exif::read(block) else { return };
        for (rank, date, fraction) in [
            (Rank::Camera, Tag::DATE_TIME_ORIGINAL, Tag::FRACTION_ORIGINAL),
            (Rank::Digitized, Tag::DATE_TIME_DIGITIZED, Tag::FRACTION_DIGITIZED),
        ] {
            for (text, _) in exif.cut_texts(date) {
                let fraction = exif.texts(fraction).next().unwrap_or_default();
                let moment = moments::parse(cut(text)).map(|moment| moment.with_fraction(fraction));
                self.add(rank, moment);
            }
        }
        let text = |tag| exif.texts(tag).find_map(readable);
        self.camera.or_set(text(Tag::MAKE), text(Tag::MODEL));
        self.lens = self.lens.take().or_else(|| text(Tag::LENS_MODEL));
        self.add_rights(EXIF, text(Tag::ARTIST), text(Tag::COPYRIGHT));
        for packet in exif.blocks(Tag::XMP) {
            self.read(Block::Xmp(packet));
        }
        for records in exif.blocks(Tag::IPTC) {
            self.read(Block::Iptc(records));
        }
        for resources in exif.blocks(Tag::PHOTOSHOP) {
            of_resources(resources, &mut |block| match block {
                // In itself there is none.
                Block::Exif(_) => {}
                block => self.read(block),
            });
        }
    }

    fn read_xmp(&mut self, packet: &[u8]) {
        let properties = xmp::read(packet);
        for (rank, text) in &properties.dates {
            self.add(*rank, moments::parse(cut(text.as_bytes())));
        }
        let text = |text: Option<String>| text.and_then(|text| readable(text.as_bytes()));
        self.described_camera.or_set(text(properties.make), text(properties.model));
        self.described_lens = self.described_lens.take().or_else(|| text(properties.lens));
        let artist = Some(properties.artists.join("; ")).filter(|artists| !artists.is_empty());
        self.add_rights(XMP, text(artist), text(properties.copyright));
    }

    pub(super) fn into_capture(mut self) -> Capture {
        self.camera.or_set(self.described_camera.make, self.described_camera.model);
        let lens = self.lens.or(self.described_lens);
        let at = self.moment.map(|(_, _, moment)| moment.at);
        let [artist, copyright] = [self.artist, self.copyright].map(|of| of.into_iter().flatten().next());
        Capture::new(at, self.camera.make.as_deref(), self.camera.model.as_deref(), lens.as_deref())
            .with_rights(artist.as_deref(), copyright.as_deref())
    }
}

fn cut(text: &[u8]) -> &[u8] {
    &text[..text.len().min(MOST_TEXT_BYTES)]
}

/// A text that says something. What is no UTF-8 is taken for Latin-1, in which many programs write their ©.
fn readable(text: &[u8]) -> Option<String> {
    let is_cut = text.len() > MOST_TEXT_BYTES;
    let text = cut(text);
    let text = match std::str::from_utf8(text) {
        Ok(text) => text.to_owned(),
        // The cut has gone through a character.
        Err(error) if is_cut && error.error_len().is_none() => String::from_utf8_lossy(text).into_owned(),
        Err(_) => text.iter().copied().map(char::from).collect(),
    };
    text.chars().any(char::is_alphanumeric).then_some(text)
}
