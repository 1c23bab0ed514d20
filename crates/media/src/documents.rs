//! Documents of one page of A4 as PDF: texts and lines at places that the caller computes (decision 0105).

use std::sync::Arc;

use domain::photos::pixels::Color;
use krilla::Document as Pdf;
use krilla::color::rgb;
use krilla::geom::{PathBuilder, Point};
use krilla::metadata::Metadata;
use krilla::page::PageSettings;
use krilla::paint::{Fill, Stroke};
use krilla::surface::Surface;
use krilla::text::{Font, TextDirection};
use rustybuzz::{Face, UnicodeBuffer, shape};
use thiserror::Error;

/// Width of the page in points, 72 of which are an inch.
pub const WIDTH: f32 = 595.28;
/// Height of the page in points.
pub const HEIGHT: f32 = 841.89;

/// Why a document cannot be drawn.
#[derive(Debug, Error)]
#[error("a document cannot be drawn: {0}")]
pub struct DocumentError(String);

/// The typefaces in which documents are set. What they have no letter for is a question mark.
#[derive(Clone)]
pub struct Typefaces {
    regular: Typeface,
    bold: Typeface,
}

#[derive(Clone)]
struct Typeface {
    bytes: Arc<[u8]>,
    font: Font,
}

impl Typefaces {
    /// From two files of OpenType; none where one is not such a file.
    pub fn new(regular: &[u8], bold: &[u8]) -> Option<Self> {
        Some(Self { regular: Typeface::new(regular)?, bold: Typeface::new(bold)? })
    }

    const fn of(&self, style: Style) -> &Typeface {
        if style.is_bold { &self.bold } else { &self.regular }
    }
}

impl Typeface {
    fn new(bytes: &[u8]) -> Option<Self> {
        Face::from_slice(bytes, 0)?;
        Some(Self { bytes: bytes.into(), font: Font::new(bytes.to_vec().into(), 0)? })
    }

    /// The letters of a text that there are.
    fn known(&self, text: &str) -> String {
        let Some(face) = Face::from_slice(&self.bytes, 0) else { return text.to_owned() };
        text.chars().map(|c| if face.glyph_index(c).is_some() { c } else { '?' }).collect()
    }

    /// How wide a text of one script is, in units of its size.
    fn width(&self, text: &str) -> f32 {
        let Some(face) = Face::from_slice(&self.bytes, 0) else { return 0.0 };
        let mut buffer = UnicodeBuffer::new();
        buffer.push_str(text);
        let shaped = shape(&face, &[], buffer);
        let units = |number: i32| i16::try_from(number).map_or(0.0, f32::from);
        let advances = shaped.glyph_positions().iter().map(|position| units(position.x_advance));
        advances.sum::<f32>() / units(face.units_per_em()).max(1.0)
    }
}

/// How a text looks.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// The size in points.
    pub size: f32,
    /// Whether it is bold.
    pub is_bold: bool,
    /// Its colour.
    pub color: Color,
}

/// What is on a page.
enum Mark {
    /// A text of one script.
    Text { start: Point, style: Style, text: String },
    Rule { from: Point, to: Point, thickness: f32, color: Color },
}

/// A page that is being written; places are points from its upper left corner.
pub struct Document<'a> {
    typefaces: &'a Typefaces,
    marks: Vec<Mark>,
}

impl<'a> Document<'a> {
    /// An empty page.
    pub const fn new(typefaces: &'a Typefaces) -> Self {
        Self { typefaces, marks: Vec::new() }
    }

    /// How wide a line is, in points.
    pub fn width(&self, style: Style, line: &str) -> f32 {
        let typeface = self.typefaces.of(style);
        let known = typeface.known(line);
        let widths = runs(&known).map(|run| typeface.width(run) * style.size);
        widths.sum()
    }

    /// The lines of a text that are at most so wide: it is broken at spaces, and within a word that is wider than a line.
    pub fn wrapped(&self, style: Style, text: &str, width: f32) -> Vec<String> {
        text.lines().flat_map(|line| self.broken(style, line, width)).collect()
    }

    fn broken(&self, style: Style, line: &str, width: f32) -> Vec<String> {
        let mut lines = vec![String::new()];
        for word in line.split_whitespace() {
            let mut rest = word;
            while !rest.is_empty() {
                let current = lines.pop().unwrap_or_default();
                let joined = if current.is_empty() { rest.to_owned() } else { format!("{current} {rest}") };
                if self.width(style, &joined) <= width {
                    lines.push(joined);
                    rest = "";
                } else if current.is_empty() {
                    let (head, tail) = rest.split_at(self.fitting(style, rest, width));
                    lines.push(head.to_owned());
                    lines.push(String::new());
                    rest = tail;
                } else {
                    lines.push(current);
                    lines.push(String::new());
                }
            }
        }
        if lines.len() > 1 && lines.last().is_some_and(String::is_empty) {
            lines.pop();
        }
        lines
    }

    /// How many bytes of a word are at most so wide, at least those of its first character.
    fn fitting(&self, style: Style, word: &str, width: f32) -> usize {
        let ends = word.char_indices().map(|(start, c)| start + c.len_utf8());
        let first = word.chars().next().map_or(0, char::len_utf8);
        let fits = |end: &usize| word.get(..*end).is_some_and(|part| self.width(style, part) <= width);
        ends.take_while(fits).last().unwrap_or(first)
    }

    /// Writes a line whose first character begins at `x` and stands on `y`.
    pub fn text(&mut self, x: f32, y: f32, style: Style, line: &str) {
        let typeface = self.typefaces.of(style);
        let known = typeface.known(line);
        let mut x = x;
        for run in runs(&known) {
            self.marks.push(Mark::Text { start: Point::from_xy(x, y), style, text: run.to_owned() });
            x += typeface.width(run) * style.size;
        }
    }

    /// Writes a line that ends at `x`.
    pub fn text_to(&mut self, x: f32, y: f32, style: Style, line: &str) {
        self.text(x - self.width(style, line), y, style, line);
    }

    /// Draws a line from one side to the other.
    pub fn rule(&mut self, from: f32, to: f32, y: f32, thickness: f32, color: Color) {
        let (from, to) = (Point::from_xy(from, y), Point::from_xy(to, y));
        self.marks.push(Mark::Rule { from, to, thickness, color });
    }

    /// The file. The same page is the same bytes. `language` is the tag of the one in which it is (BCP 47).
    ///
    /// # Errors
    /// When a typeface cannot be embedded.
    pub fn finish(self, title: &str, language: &str) -> Result<Vec<u8>, DocumentError> {
        let mut pdf = Pdf::new();
        pdf.set_metadata(Metadata::new().title(title.to_owned()).language(language.to_owned()));
        let size = PageSettings::from_wh(WIDTH, HEIGHT)
            .ok_or_else(|| DocumentError(String::from("the page has no size")))?;
        let mut page = pdf.start_page_with(size);
        let mut surface = page.surface();
        for mark in &self.marks {
            self.draw(&mut surface, mark);
        }
        surface.finish();
        page.finish();
        pdf.finish().map_err(|error| DocumentError(error.to_string()))
    }

    fn draw(&self, surface: &mut Surface<'_>, mark: &Mark) {
        match mark {
            Mark::Text { start, style, text } => {
                surface.set_stroke(None);
                surface.set_fill(Some(Fill { paint: paint(style.color), ..Fill::default() }));
                let font = self.typefaces.of(*style).font.clone();
                surface.draw_text(*start, font, style.size, text, false, TextDirection::LeftToRight);
            }
            Mark::Rule { from, to, thickness, color } => {
                let mut path = PathBuilder::new();
                path.move_to(from.x, from.y);
                path.line_to(to.x, to.y);
                let Some(path) = path.finish() else { return };
                surface.set_fill(None);
                let stroke = Stroke { paint: paint(*color), width: *thickness, ..Stroke::default() };
                surface.set_stroke(Some(stroke));
                surface.draw_path(&path);
            }
        }
    }
}

fn paint(color: Color) -> krilla::paint::Paint {
    rgb::Color::new(color.red, color.green, color.blue).into()
}

/// The parts of a line of one script each: letters take their forms from their neighbours of the same one. Spaces and signs belong
/// to what is before them.
fn runs(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    std::iter::from_fn(move || {
        let mut script = None;
        let end = rest.char_indices().find_map(|(place, c)| {
            let its = script_of(c)?;
            (*script.get_or_insert(its) != its).then_some(place)
        });
        let (run, after) = rest.split_at(end.unwrap_or(rest.len()));
        rest = after;
        (!run.is_empty()).then_some(run)
    })
}

/// Whether a letter is one of Devanagari; none for what every script has.
fn script_of(c: char) -> Option<bool> {
    match c {
        '\u{900}'..='\u{963}' | '\u{966}'..='\u{97f}' => Some(true),
        c if c.is_alphanumeric() => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STYLE: Style =
        Style { size: 10.0, is_bold: false, color: Color { red: 0x14, green: 0x14, blue: 0x13 } };

    /// Those of the web app's packages (`npm --prefix web ci`).
    fn typefaces() -> Typefaces {
        let package = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../web/node_modules/@expo-google-fonts/noto-sans-devanagari"
        );
        let read = |file| std::fs::read(format!("{package}/{file}")).unwrap();
        Typefaces::new(
            &read("400Regular/NotoSansDevanagari_400Regular.ttf"),
            &read("700Bold/NotoSansDevanagari_700Bold.ttf"),
        )
        .unwrap()
    }

    /// The text of a document.
    fn text(bytes: &[u8]) -> String {
        lopdf::Document::load_mem(bytes).unwrap().extract_text(&[1]).unwrap()
    }

    #[test]
    fn a_document_has_its_texts_and_is_the_same_bytes_each_time() {
        let typefaces = typefaces();
        let written = || {
            let mut document = Document::new(&typefaces);
            document.text(40.0, 60.0, STYLE, "Zoë (1) – \\ ₹ 天");
            document.text_to(500.0, 60.0, Style { is_bold: true, ..STYLE }, "84,661.02");
            document.rule(40.0, 555.0, 70.0, 1.0, STYLE.color);
            document.finish("Tax invoice I/2026-27/000001", "en").unwrap()
        };
        let bytes = written();
        assert!(bytes.starts_with(b"%PDF-1."));
        let text = text(&bytes);
        assert!(text.contains("Zoë (1) – \\ ₹ ?") && text.contains("84,661.02"), "{text:?}");
        assert_eq!(bytes, written());
    }

    #[test]
    fn devanagari_is_shaped_and_can_be_read_out() {
        let typefaces = typefaces();
        let mut document = Document::new(&typefaces);
        // The vowel is drawn before its consonant, and three letters are one.
        assert!(document.width(STYLE, "क्षि") < document.width(STYLE, "क") * 2.5);
        document.text(40.0, 60.0, STYLE, "टैक्स इनवॉइस (Tax invoice)");
        let text = text(&document.finish("Tax invoice", "hi").unwrap());
        assert!(text.contains("इनवॉइस") && text.contains("Tax invoice"), "{text:?}");
    }

    #[test]
    fn each_script_is_a_run() {
        let parts: Vec<&str> = runs("GSTIN 27 (कुल, भुगतान) INR").collect();
        assert_eq!(parts, ["GSTIN 27 (", "कुल, भुगतान) ", "INR"]);
        assert_eq!(runs("").count(), 0);
        assert_eq!(runs(" - ").collect::<Vec<_>>(), [" - "]);
    }

    #[test]
    fn lines_are_as_wide_as_their_characters_and_broken_where_they_are_too_wide() {
        let typefaces = typefaces();
        let document = Document::new(&typefaces);
        let width = |line: &str| document.width(STYLE, line);
        assert!((width("0123") - 4.0 * width("0")).abs() < 0.001);
        let wrapped = |text: &str, width| document.wrapped(STYLE, text, width);
        assert_eq!(wrapped("1 Lake Road\n\nPune 411001", 500.0), ["1 Lake Road", "", "Pune 411001"]);
        let lines = wrapped("several words that are wider than a line", 60.0);
        assert_eq!(lines.join(" "), "several words that are wider than a line");
        assert!(lines.len() > 2 && lines.iter().all(|line| width(line) <= 60.0), "{lines:?}");
        let lines = wrapped(&format!("a {}", "W".repeat(40)), 60.0);
        assert_eq!(lines.concat().len(), 41);
        assert!(lines.iter().all(|line| width(line) <= 60.0), "{lines:?}");
        assert_eq!(wrapped("WW", 1.0), ["W", "W"], "a character at least");
    }
}
