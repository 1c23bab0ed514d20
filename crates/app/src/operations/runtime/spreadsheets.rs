//! CSV files as spreadsheets read them.

use crate::{Failure, Result};

/// A CSV file (RFC 4180) with a header line. It begins with a byte order mark, without which spreadsheets take UTF-8 for another
/// encoding.
pub(crate) struct Table(csv::Writer<Vec<u8>>);

impl Table {
    pub(crate) fn new(header: &[&str]) -> Result<Self> {
        let bytes = Vec::from("\u{feff}");
        let writer = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(bytes);
        let mut table = Self(writer);
        table.add(header)?;
        Ok(table)
    }

    /// Adds a line. Texts of people go through [`text`] first.
    pub(crate) fn add<Cell: AsRef<[u8]>>(&mut self, cells: impl IntoIterator<Item = Cell>) -> Result<()> {
        self.0.write_record(cells).map_err(|error| failed(&error))
    }

    pub(crate) fn finish(self) -> Result<Vec<u8>> {
        self.0.into_inner().map_err(|error| failed(&error))
    }
}

fn failed(error: &dyn std::error::Error) -> Failure {
    Failure::Internal(format!("a table cannot be written: {error}"))
}

/// What a formula begins with, the full-width forms included (OWASP, CSV injection).
const FORMULA: [char; 11] = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];

/// A text that spreadsheets take for no formula: where it begins as one does, an apostrophe is put before it. So it is behind a
/// semicolon or a tab, with which another cell begins where spreadsheets are set to a language that writes decimals with a comma.
pub(crate) fn text(text: &str) -> String {
    let mut safe = String::with_capacity(text.len() + 1);
    for (place, cell) in text.split_inclusive([';', '\t']).enumerate() {
        let beginning = if place == 0 { cell } else { cell.trim_start_matches(' ') };
        if beginning.starts_with(FORMULA) {
            safe.push('\'');
        }
        safe.push_str(cell);
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::text;

    #[test]
    fn what_a_spreadsheet_would_compute_becomes_a_text() {
        // [PAY101]
        for formula in ["=1+1", "+1", "-1", "@SUM(A1)", "\tMeera", "\r=1", "\n=1", "＝1"] {
            assert_eq!(text(formula), format!("'{formula}"));
        }
        for plain in ["", "Meera = Arjun", "'=1", "20-11-2026"] {
            assert_eq!(text(plain), plain);
        }
    }

    #[test]
    fn no_cell_that_begins_behind_a_semicolon_or_a_tab_is_computed() {
        // [RUN379]
        for (formula, told) in [
            ("a;=1+1", "a;'=1+1"),
            ("a; @x", "a;' @x"),
            ("a;;-1;b", "a;;'-1;b"),
            ("a\t=1", "a\t'=1"),
            ("a;\t b", "a;'\t b"),
            ("\t=1", "'\t'=1"),
            ("=1;=2", "'=1;'=2"),
        ] {
            assert_eq!(text(formula), told);
        }
        for plain in ["Meera; Arjun", "a; b = c", ";", "a; ", "a;'=1"] {
            assert_eq!(text(plain), plain);
        }
    }
}
