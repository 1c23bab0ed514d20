//! Documents of one page of A4 as PDF: texts and lines at places that the caller computes (decision 0105).

mod typefaces;

use domain::photos::pixels::Color;
use pdf_writer::{Content, Filter, Finish as _, Name, Pdf, Rect, Ref, Str, TextStr};

pub use typefaces::{DocumentError, Typefaces};
use typefaces::{Subset, deflated};

/// Width of the page in points, 72 of which are an inch.
pub const WIDTH: f32 = 595.28;
/// Height of the page in points.
pub const HEIGHT: f32 = 841.89;

const CATALOG: Ref = Ref::new(1);
const PAGES: Ref = Ref::new(2);
const PAGE: Ref = Ref::new(3);
const CONTENT: Ref = Ref::new(4);
const INFO: Ref = Ref::new(5);
const REGULAR: [Ref; 5] = [Ref::new(6), Ref::new(7), Ref::new(8), Ref::new(9), Ref::new(10)];
const BOLD: [Ref; 5] = [Ref::new(11), Ref::new(12), Ref::new(13), Ref::new(14), Ref::new(15)];

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

/// A page that is being written; places are points from its upper left corner.
pub struct Document<'a> {
    content: Content,
    regular: Subset<'a>,
    bold: Subset<'a>,
}

impl<'a> Document<'a> {
    /// An empty page.
    pub fn new(typefaces: &'a Typefaces) -> Self {
        Self {
            content: Content::new(),
            regular: Subset::new(&typefaces.regular),
            bold: Subset::new(&typefaces.bold),
        }
    }

    const fn subset(&self, style: Style) -> &Subset<'a> {
        if style.is_bold { &self.bold } else { &self.regular }
    }

    /// How wide a line is, in points.
    pub fn width(&self, style: Style, line: &str) -> f32 {
        let typeface = self.subset(style).typeface();
        let glyphs = runs(line).flat_map(|run| typeface.shaped(run));
        glyphs.map(|glyph| glyph.advance).sum::<f32>() * style.size
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
        let (name, subset) = match style.is_bold {
            true => (Name(b"B"), &mut self.bold),
            false => (Name(b"R"), &mut self.regular),
        };
        let [red, green, blue] = channels(style.color);
        let (mut x, y) = (x, HEIGHT - y);
        for run in runs(line) {
            // What is said here is what readers copy and read aloud, whatever the shapes are and wherever they stand.
            let mut said = self.content.begin_marked_content_with_properties(Name(b"Span"));
            said.properties().actual_text(TextStr(run));
            said.finish();
            self.content.begin_text();
            self.content.set_fill_rgb(red, green, blue);
            self.content.set_font(name, style.size);
            for glyph in subset.typeface().shaped(run) {
                let (right, up) = glyph.offset;
                let place = [1.0, 0.0, 0.0, 1.0, x + right * style.size, y + up * style.size];
                self.content.set_text_matrix(place);
                self.content.show(Str(&subset.number(&glyph)));
                x += glyph.advance * style.size;
            }
            self.content.end_text();
            self.content.end_marked_content();
        }
    }

    /// Writes a line that ends at `x`.
    pub fn text_to(&mut self, x: f32, y: f32, style: Style, line: &str) {
        self.text(x - self.width(style, line), y, style, line);
    }

    /// Draws a line from one side to the other.
    pub fn rule(&mut self, from: f32, to: f32, y: f32, thickness: f32, color: Color) {
        let [red, green, blue] = channels(color);
        self.content.set_stroke_rgb(red, green, blue);
        self.content.set_line_width(thickness);
        self.content.move_to(from, HEIGHT - y);
        self.content.line_to(to, HEIGHT - y);
        self.content.stroke();
    }

    /// The file. The same page is the same bytes. `language` is the tag of the one in which it is (BCP 47).
    ///
    /// # Errors
    /// When a typeface cannot be embedded.
    pub fn finish(self, title: &str, language: &str) -> Result<Vec<u8>, DocumentError> {
        let mut pdf = Pdf::new();
        let mut catalog = pdf.catalog(CATALOG);
        catalog.pages(PAGES).lang(TextStr(language));
        catalog.viewer_preferences().display_doc_title(true);
        catalog.finish();
        pdf.pages(PAGES).kids([PAGE]).count(1);
        let mut page = pdf.page(PAGE);
        page.media_box(Rect::new(0.0, 0.0, WIDTH, HEIGHT)).parent(PAGES).contents(CONTENT);
        let mut resources = page.resources();
        resources.fonts().pair(Name(b"R"), REGULAR[0]).pair(Name(b"B"), BOLD[0]);
        resources.finish();
        page.finish();
        self.regular.write(&mut pdf, REGULAR, "REGULR")?;
        self.bold.write(&mut pdf, BOLD, "BOLDLY")?;
        pdf.stream(CONTENT, &deflated(&self.content.finish())?).filter(Filter::FlateDecode);
        pdf.document_info(INFO).title(TextStr(title));
        Ok(pdf.finish())
    }
}

fn channels(color: Color) -> [f32; 3] {
    [color.red, color.green, color.blue].map(|channel| f32::from(channel) / 255.0)
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
        let read = |file| std::fs::read(format!("{package}/{file}")).unwrap().leak();
        Typefaces::new(
            read("400Regular/NotoSansDevanagari_400Regular.ttf"),
            read("700Bold/NotoSansDevanagari_700Bold.ttf"),
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
        document.text(40.0, 60.0, STYLE, "टैक्स (Tax)");
        let bytes = document.finish("Tax invoice", "hi").unwrap();
        assert!(text(&bytes).contains("Tax)"));
        // Letters that are several forms are named beside them, for copying and for screen readers.
        let pdf = lopdf::Document::load_mem(&bytes).unwrap();
        let page = *pdf.get_pages().get(&1).unwrap();
        let operations = pdf.get_and_decode_page_content(page).unwrap().operations;
        let named = operations.iter().flat_map(|operation| &operation.operands).filter_map(|operand| {
            lopdf::decode_text_string(operand.as_dict().ok()?.get(b"ActualText").ok()?).ok()
        });
        assert_eq!(named.collect::<Vec<_>>(), ["टैक्स (", "Tax)"]);
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
