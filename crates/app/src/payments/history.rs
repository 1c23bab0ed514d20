//! The history of a photographer's money, page by page and as CSV.

use domain::Paise;
use domain::accounts::User;
use domain::payments::history::{Entry, Line, Position};

use crate::{App, Failure, Result};

/// Most entries on a page.
pub const PAGE_MAX: u32 = 500;
/// Entries on a page when the request says nothing.
pub const PAGE_DEFAULT: u32 = 50;
/// Entries that are read at once for the CSV.
const BATCH: u32 = PAGE_MAX;

const HEADER: [&str; 10] = [
    "date",
    "time_utc",
    "kind",
    "event",
    "photos",
    "credits",
    "paid_rupees",
    "missing_credits",
    "payment",
    "note",
];

/// A page of the history, newest first.
#[derive(Debug)]
pub struct Page {
    /// Its lines; more than were asked for when an entry has several.
    pub lines: Vec<Line>,
    /// The cursor of the next page; none on the last.
    pub next_cursor: Option<String>,
}

/// A page of a photographer's history. The credits of all pages add up to the balance.
///
/// # Errors
/// [`domain::Refusal::CursorInvalid`] for a cursor that no page has returned.
pub async fn page(app: &App, user: &User, limit: Option<u32>, cursor: Option<&str>) -> Result<Page> {
    let before = cursor.map(str::parse).transpose()?;
    let limit = limit.unwrap_or(PAGE_DEFAULT).clamp(1, PAGE_MAX);
    let (entries, next) = entries(app, user, limit, before.as_ref()).await?;
    Ok(Page {
        lines: entries.into_iter().flat_map(Entry::into_lines).collect(),
        next_cursor: next.map(|position| position.to_string()),
    })
}

/// Entries before `before`, and the position after which others follow.
async fn entries(
    app: &App,
    user: &User,
    limit: u32,
    before: Option<&Position>,
) -> Result<(Vec<Entry>, Option<Position>)> {
    let mut entries =
        storage::payments::history::page(&app.db, user.id, before, i64::from(limit) + 1).await?;
    let wanted = usize::try_from(limit).unwrap_or(usize::MAX);
    let more = entries.len() > wanted;
    entries.truncate(wanted);
    let next = entries.last().filter(|_| more).map(|entry| entry.position.clone());
    Ok((entries, next))
}

/// The whole history as CSV (RFC 4180) with a header line. It begins with a byte order mark, without which spreadsheets
/// take UTF-8 for another encoding; a text that they would take for a formula begins with an apostrophe.
pub async fn csv(app: &App, user: &User) -> Result<Vec<u8>> {
    let failed = |error: csv::Error| Failure::Internal(format!("the history cannot be written: {error}"));
    let mut writer =
        csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::from("\u{feff}"));
    writer.write_record(HEADER).map_err(failed)?;
    let mut before = None;
    loop {
        let (entries, next) = entries(app, user, BATCH, before.as_ref()).await?;
        for line in entries.into_iter().flat_map(Entry::into_lines) {
            writer.write_record(record(&line)).map_err(failed)?;
        }
        before = next;
        if before.is_none() {
            break;
        }
    }
    writer.into_inner().map_err(|error| Failure::Internal(format!("the history cannot be written: {error}")))
}

fn record(line: &Line) -> [String; HEADER.len()] {
    let moment = line.at.to_rfc3339();
    let (date, time) = moment.split_once('T').unwrap_or((&moment, ""));
    let text = |text: &Option<String>| text.as_deref().map(without_formula).unwrap_or_default();
    let amount = |amount: Paise| if amount == Paise::ZERO { String::new() } else { amount.to_string() };
    [
        date.to_owned(),
        time.chars().take("00:00:00".len()).collect(),
        line.kind.as_str().to_owned(),
        text(&line.event),
        if line.photos == 0 { String::new() } else { line.photos.to_string() },
        amount(line.credits),
        amount(line.paid),
        amount(line.missing),
        text(&line.payment),
        text(&line.note),
    ]
}

/// Spreadsheets take what begins with one of these for a formula, the full-width forms included (OWASP, CSV injection).
fn without_formula(text: &str) -> String {
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠']);
    if is_formula { format!("'{text}") } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::without_formula;

    #[test]
    fn what_a_spreadsheet_would_compute_becomes_a_text() {
        // [PAY101]
        for formula in ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1"] {
            assert_eq!(without_formula(formula), format!("'{formula}"));
        }
        for text in ["", "Meera = Arjun", "'=1", "20-11-2026"] {
            assert_eq!(without_formula(text), text);
        }
    }
}
