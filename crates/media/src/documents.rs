//! Documents of one page of A4 as PDF: texts and lines at places that the caller computes (decision 0100).
//!
//! The two typefaces are Helvetica's, which every reader of PDF has, so that no file of a font is in the document. They have the
//! letters of Windows-1252.

mod widths;

use domain::photos::pixels::Color;
use pdf_writer::{Content, Finish as _, Name, Pdf, Rect, Ref, Str, TextStr};

/// Width of the page in points, 72 of which are an inch.
pub const WIDTH: f32 = 595.28;
/// Height of the page in points.
pub const HEIGHT: f32 = 841.89;

const CATALOG: Ref = Ref::new(1);
const PAGES: Ref = Ref::new(2);
const PAGE: Ref = Ref::new(3);
const REGULAR: Ref = Ref::new(4);
const BOLD: Ref = Ref::new(5);
const CONTENT: Ref = Ref::new(6);
const INFO: Ref = Ref::new(7);

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

impl Style {
    /// How wide a line is in this style, in points.
    pub fn width(self, line: &str) -> f32 {
        let widths = encode(line).into_iter().map(|byte| f32::from(widths::width(byte, self.is_bold)));
        let thousandths: f32 = widths.sum();
        thousandths * self.size / 1_000.0
    }

    /// The lines of a text that are at most so wide: it is broken at spaces, and within a word that is wider than a line.
    pub fn wrapped(self, text: &str, width: f32) -> Vec<String> {
        text.lines().flat_map(|line| self.broken(line, width)).collect()
    }

    fn broken(self, line: &str, width: f32) -> Vec<String> {
        let mut lines = vec![String::new()];
        for word in line.split_whitespace() {
            let mut rest = word;
            while !rest.is_empty() {
                let current = lines.pop().unwrap_or_default();
                let joined = if current.is_empty() { rest.to_owned() } else { format!("{current} {rest}") };
                if self.width(&joined) <= width {
                    lines.push(joined);
                    rest = "";
                } else if current.is_empty() {
                    let (head, tail) = rest.split_at(self.fitting(rest, width));
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
    fn fitting(self, word: &str, width: f32) -> usize {
        let ends = word.char_indices().map(|(start, c)| start + c.len_utf8());
        let first = word.chars().next().map_or(0, char::len_utf8);
        let end = ends.take_while(|end| word.get(..*end).is_some_and(|part| self.width(part) <= width));
        end.last().unwrap_or(first)
    }
}

/// A page that is being written; places are points from its upper left corner.
pub struct Document {
    content: Content,
}

impl Default for Document {
    /// An empty page.
    fn default() -> Self {
        Self { content: Content::new() }
    }
}

impl Document {
    /// Writes a line whose first character begins at `x` and stands on `y`.
    pub fn text(&mut self, x: f32, y: f32, style: Style, line: &str) {
        let [red, green, blue] = channels(style.color);
        self.content.begin_text();
        self.content.set_fill_rgb(red, green, blue);
        self.content.set_font(if style.is_bold { Name(b"B") } else { Name(b"R") }, style.size);
        self.content.next_line(x, HEIGHT - y);
        self.content.show(Str(&encode(line)));
        self.content.end_text();
    }

    /// Writes a line that ends at `x`.
    pub fn text_to(&mut self, x: f32, y: f32, style: Style, line: &str) {
        self.text(x - style.width(line), y, style, line);
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

    /// The file. The same page is the same bytes.
    pub fn finish(self, title: &str) -> Vec<u8> {
        let mut pdf = Pdf::new();
        let mut catalog = pdf.catalog(CATALOG);
        catalog.pages(PAGES).lang(TextStr("en"));
        catalog.viewer_preferences().display_doc_title(true);
        catalog.finish();
        pdf.pages(PAGES).kids([PAGE]).count(1);
        let mut page = pdf.page(PAGE);
        page.media_box(Rect::new(0.0, 0.0, WIDTH, HEIGHT)).parent(PAGES).contents(CONTENT);
        let mut resources = page.resources();
        resources.fonts().pair(Name(b"R"), REGULAR).pair(Name(b"B"), BOLD);
        resources.finish();
        page.finish();
        for (id, font) in [(REGULAR, &b"Helvetica"[..]), (BOLD, b"Helvetica-Bold")] {
            pdf.type1_font(id).base_font(Name(font)).encoding_predefined(Name(b"WinAnsiEncoding"));
        }
        pdf.stream(CONTENT, &self.content.finish());
        pdf.document_info(INFO).title(TextStr(title));
        pdf.finish()
    }
}

fn channels(color: Color) -> [f32; 3] {
    let number = color.number();
    [16, 8, 0].map(|shift| f32::from(u8::try_from(number >> shift & 0xff).unwrap_or(0)) / 255.0)
}

/// A text in Windows-1252; what that does not have is a question mark.
fn encode(text: &str) -> Vec<u8> {
    let byte = |c: char| match c {
        ' '..='~' | '\u{a0}'..='ÿ' => u8::try_from(u32::from(c)).unwrap_or(b'?'),
        '€' => 0x80,
        '…' => 0x85,
        '‘' => 0x91,
        '’' => 0x92,
        '“' => 0x93,
        '”' => 0x94,
        '•' => 0x95,
        '–' => 0x96,
        '—' => 0x97,
        '™' => 0x99,
        _ => b'?',
    };
    text.chars().map(byte).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const STYLE: Style = Style { size: 10.0, is_bold: false, color: Color::new(0x14, 0x14, 0x13) };

    #[test]
    fn a_document_has_its_texts_and_is_the_same_bytes_each_time() {
        let written = || {
            let mut document = Document::default();
            document.text(40.0, 60.0, STYLE, "Zoë (1) – \\ मी");
            document.text_to(500.0, 60.0, Style { is_bold: true, ..STYLE }, "84,661.02");
            document.rule(40.0, 555.0, 70.0, 1.0, STYLE.color);
            document.finish("Tax invoice I/2026-27/000001")
        };
        let bytes = written();
        assert!(bytes.starts_with(b"%PDF-1."));
        assert!(bytes.trim_ascii_end().ends_with(b"%%EOF"));
        let has = |part: &[u8]| bytes.windows(part.len()).any(|window| window == part);
        assert!(has(b"(84,661.02)") && has(b"/WinAnsiEncoding"));
        assert_eq!(encode("Zoë – मी"), b"Zo\xeb \x96 ??");
        assert_eq!(bytes, written());
    }

    #[test]
    fn lines_are_as_wide_as_their_characters_and_broken_where_they_are_too_wide() {
        assert!((STYLE.width("0123") - 4.0 * 5.56).abs() < 0.001);
        assert_eq!(STYLE.wrapped("1 Lake Road\n\nPune 411001", 500.0), ["1 Lake Road", "", "Pune 411001"]);
        let lines = STYLE.wrapped("several words that are wider than a line", 60.0);
        assert_eq!(lines.join(" "), "several words that are wider than a line");
        assert!(lines.len() > 2 && lines.iter().all(|line| STYLE.width(line) <= 60.0), "{lines:?}");
        let lines = STYLE.wrapped(&format!("a {}", "W".repeat(40)), 60.0);
        assert_eq!(lines.concat().len(), 41);
        assert!(lines.iter().all(|line| STYLE.width(line) <= 60.0), "{lines:?}");
        assert_eq!(STYLE.wrapped("WW", 1.0), ["W", "W"], "a character at least");
    }
}
