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

/// A text that spreadsheets take for no formula: where it begins as one does, the full-width forms included (OWASP, CSV
/// injection), an apostrophe is put before it.
pub(crate) fn text(text: &str) -> String {
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠']);
    if is_formula { format!("'{text}") } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::text;

    #[test]
    fn what_a_spreadsheet_would_compute_becomes_a_text() {
        // [PAY101]
        for formula in ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1"] {
            assert_eq!(text(formula), format!("'{formula}"));
        }
        for plain in ["", "Meera = Arjun", "'=1", "20-11-2026"] {
            assert_eq!(text(plain), plain);
        }
    }
}
