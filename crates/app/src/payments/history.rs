//! The history of a photographer's money, page by page and as CSV.

use domain::Paise;
use domain::accounts::User;
use domain::operations::runtime::pages::PageSize;
use domain::payments::history::{Change, Entry, Line, Position};
use domain::payments::invoices::{Invoice, Kind};

use crate::operations::runtime::spreadsheets::{self, Table};
use crate::{App, Result};

/// Entries of a page.
pub const PAGE: PageSize = PageSize { default: 50, most: 500 };
/// Entries that are read at once for the CSV.
const BATCH: u32 = PAGE.most;

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
    let limit = PAGE.of(limit)?;
    let (entries, next) = entries(app, user, limit, before.as_ref()).await?;
    let invoices = storage::payments::invoices::by_user(&app.db, user.id).await?;
    Ok(Page {
        lines: entries.into_iter().flat_map(|entry| lines(entry, &invoices)).collect(),
        next_cursor: next.map(|position| position.to_string()),
    })
}

/// The lines of an entry, those about a payment or a refund with the numbers of their documents. A refund that came back has no
/// line: the payment's has its notes.
fn lines(entry: Entry, documents: &[Invoice]) -> Vec<Line> {
    let (invoice, notes) = match &entry.change {
        Change::Paid { payment_id, .. } => {
            let of_payment = documents.iter().filter(|document| document.payment_id == *payment_id);
            let (invoices, notes): (Vec<_>, Vec<_>) =
                of_payment.partition(|document| document.series.kind == Kind::Invoice);
            let came_back = |note: &&&Invoice| {
                notes.iter().any(|other| other.series.kind == Kind::DebitNote && other.refund == note.refund)
            };
            let numbers =
                notes.iter().filter(came_back).map(|note| (note.series.kind, note.number())).collect();
            (invoices.first().map(|invoice| invoice.number()), numbers)
        }
        Change::Refunded { .. } => {
            let number = documents.iter().find(|document| {
                let refund = document.refund.map(|refund| refund.to_string());
                document.series.kind == Kind::CreditNote && refund.as_ref() == Some(&entry.position.id)
            });
            (number.map(Invoice::number), Vec::new())
        }
        Change::Uploaded { .. } | Change::Granted { .. } => (None, Vec::new()),
    };
    let mut lines = entry.into_lines();
    for line in lines.iter_mut().filter(|line| line.payment.is_some()) {
        line.invoice.clone_from(&invoice);
        line.notes.clone_from(&notes);
    }
    lines
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

/// The whole history as CSV.
pub async fn csv(app: &App, user: &User) -> Result<Vec<u8>> {
    let mut table = Table::new(&HEADER)?;
    let mut before = None;
    loop {
        let (entries, next) = entries(app, user, BATCH, before.as_ref()).await?;
        for line in entries.into_iter().flat_map(Entry::into_lines) {
            table.add(record(&line))?;
        }
        before = next;
        if before.is_none() {
            break;
        }
    }
    table.finish()
}

fn record(line: &Line) -> [String; HEADER.len()] {
    let moment = line.at.to_rfc3339();
    let (date, time) = moment.split_once('T').unwrap_or((&moment, ""));
    let text = |text: &Option<String>| text.as_deref().map(spreadsheets::text).unwrap_or_default();
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
