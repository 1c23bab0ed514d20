//! The typefaces of documents: texts are shaped, and the letters that a document has are embedded in it (ISO 32000-1, 9.7).

use std::collections::BTreeMap;
use std::io::Write as _;
use std::sync::Arc;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use pdf_writer::types::{CidFontType, FontFlags, SystemInfo, UnicodeCmap};
use pdf_writer::{Filter, Finish as _, Name, Pdf, Rect, Ref, Str};
use rustybuzz::ttf_parser::GlyphId;
use rustybuzz::{Direction, Face, UnicodeBuffer};
use subsetter::GlyphRemapper;
use thiserror::Error;

/// Why a document cannot be drawn.
#[derive(Debug, Error)]
pub enum DocumentError {
    /// The letters cannot be taken out of the font.
    #[error("a typeface cannot be embedded: {0}")]
    Typeface(#[from] subsetter::Error),
    /// The bytes cannot be made fewer.
    #[error("a document cannot be compressed: {0}")]
    Compression(#[from] std::io::Error),
}

/// The thousandths of its size in which PDF measures a typeface.
const UNITS: f32 = 1_000.0;
/// What a glyph's number is an index into: nothing but the font itself.
const NO_COLLECTION: SystemInfo<'static> =
    SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"Identity"), supplement: 0 };
const NUMBERS: Name<'static> = Name(b"Identity-H");

/// The typefaces in which documents are set. What they have no letter for is a question mark.
#[derive(Clone)]
pub struct Typefaces {
    pub(super) regular: Typeface,
    pub(super) bold: Typeface,
}

impl Typefaces {
    /// From two files of TrueType, which a process reads once; none where one is not such a file.
    pub fn new(regular: &'static [u8], bold: &'static [u8]) -> Option<Self> {
        Some(Self { regular: Typeface::new(regular)?, bold: Typeface::new(bold)? })
    }
}

/// A font file.
#[derive(Clone)]
pub(super) struct Typeface {
    bytes: &'static [u8],
    /// Some kilobytes, which no future is to hold by value.
    face: Arc<Face<'static>>,
}

/// A shape of a font, with measures in sizes of the font.
pub(super) struct Glyph {
    id: u16,
    /// From where it would be to where it is drawn, right and up: marks stand on their letters.
    pub(super) offset: (f32, f32),
    /// To where the next one is drawn.
    pub(super) advance: f32,
    /// The letters that it is the first shape of; none for a further one.
    letters: String,
}

impl Typeface {
    fn new(bytes: &'static [u8]) -> Option<Self> {
        let face = Face::from_slice(bytes, 0)?;
        face.tables().glyf?;
        Some(Self { bytes, face: Arc::new(face) })
    }

    /// A measure of the font in its sizes.
    fn sizes(&self, measure: i32) -> f32 {
        units(measure) / units(self.face.units_per_em()).max(1.0)
    }

    /// The shapes of a text of one script, from left to right.
    pub(super) fn shaped(&self, text: &str) -> Vec<Glyph> {
        let letter = |c| if self.face.glyph_index(c).is_some() { c } else { '?' };
        let text: String = text.chars().map(letter).collect();
        let mut buffer = UnicodeBuffer::new();
        buffer.push_str(&text);
        buffer.guess_segment_properties();
        buffer.set_direction(Direction::LeftToRight);
        let shaped = rustybuzz::shape(&self.face, &[], buffer);
        // Each shape names where its letters begin; several can have the same, and they go on from left to right.
        let starts: Vec<usize> =
            shaped.glyph_infos().iter().map(|info| usize::try_from(info.cluster).unwrap_or(0)).collect();
        let glyphs = shaped.glyph_infos().iter().zip(shaped.glyph_positions()).zip(&starts).enumerate();
        let glyphs = glyphs.map(|(place, ((info, position), start))| {
            let is_first = starts.iter().position(|other| other == start) == Some(place);
            let end = starts.iter().find(|other| *other > start).copied().unwrap_or(text.len());
            let letters = text.get(*start..end).filter(|_| is_first).unwrap_or_default();
            Glyph {
                // Fonts number their shapes by 16 bits; the first one is that of what there is not.
                id: u16::try_from(info.glyph_id).unwrap_or(0),
                offset: (self.sizes(position.x_offset), self.sizes(position.y_offset)),
                advance: self.sizes(position.x_advance),
                letters: letters.to_owned(),
            }
        });
        glyphs.collect()
    }
}

/// A measure of a font, which is 16 bits there.
fn units(measure: i32) -> f32 {
    i16::try_from(measure).map_or(0.0, f32::from)
}

/// What a stream of a document holds.
pub(super) fn deflated(bytes: &[u8]) -> Result<Vec<u8>, DocumentError> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?)
}

/// The part of a typeface that a document uses.
pub(super) struct Subset<'a> {
    typeface: &'a Typeface,
    numbers: GlyphRemapper,
    /// The letters of each shape, by its number in the part.
    letters: BTreeMap<u16, String>,
}

impl<'a> Subset<'a> {
    pub(super) fn new(typeface: &'a Typeface) -> Self {
        Self { typeface, numbers: GlyphRemapper::new(), letters: BTreeMap::new() }
    }

    pub(super) const fn typeface(&self) -> &'a Typeface {
        self.typeface
    }

    /// The number of a shape in the part, as two bytes.
    pub(super) fn number(&mut self, glyph: &Glyph) -> [u8; 2] {
        let number = self.numbers.remap(glyph.id);
        if !glyph.letters.is_empty() {
            self.letters.entry(number).or_insert_with(|| glyph.letters.clone());
        }
        number.to_be_bytes()
    }

    /// Writes the font as five objects, of which the first is its own. `name` is six capital letters that no other font of the
    /// document has.
    pub(super) fn write(
        &self,
        pdf: &mut Pdf,
        [font, shapes, about, file, letters]: [Ref; 5],
        name: &str,
    ) -> Result<(), DocumentError> {
        let face = &self.typeface.face;
        let measure = |measure: i16| self.typeface.sizes(measure.into()) * UNITS;
        let name = format!("{name}+Afterglow");
        let name = Name(name.as_bytes());

        let mut composite = pdf.type0_font(font);
        composite.base_font(name).encoding_predefined(NUMBERS).descendant_font(shapes).to_unicode(letters);
        composite.finish();

        let advance = |id| face.glyph_hor_advance(GlyphId(id)).map_or(0, i32::from);
        let width = |id| self.typeface.sizes(advance(id)) * UNITS;
        let mut cid_font = pdf.cid_font(shapes);
        cid_font
            .subtype(CidFontType::Type2)
            .base_font(name)
            .system_info(NO_COLLECTION)
            .font_descriptor(about);
        cid_font.cid_to_gid_map_predefined(Name(b"Identity"));
        cid_font.widths().consecutive(0, self.numbers.remapped_gids().map(width));
        cid_font.finish();

        let bounds = face.global_bounding_box();
        let mut descriptor = pdf.font_descriptor(about);
        descriptor.name(name).flags(FontFlags::SYMBOLIC).italic_angle(0.0).font_file2(file);
        descriptor.bbox(Rect::new(
            measure(bounds.x_min),
            measure(bounds.y_min),
            measure(bounds.x_max),
            measure(bounds.y_max),
        ));
        descriptor.ascent(measure(face.ascender())).descent(measure(face.descender()));
        // How thick stems are is not in a font file; readers use it only in the place of a font that is missing.
        descriptor.cap_height(measure(face.capital_height().unwrap_or_else(|| face.ascender()))).stem_v(80.0);
        descriptor.finish();

        let part = subsetter::subset(self.typeface.bytes, 0, &self.numbers)?;
        pdf.stream(file, &deflated(&part)?).filter(Filter::FlateDecode);

        let mut map = UnicodeCmap::new(Name(b"Letters"), NO_COLLECTION);
        for (number, letters) in &self.letters {
            map.pair_with_multiple(*number, letters.chars());
        }
        pdf.cmap(letters, &map.finish());
        Ok(())
    }
}
