//! An invoice or a note as a page of A4, in the language of the photographer's mails.

use domain::Paise;
use domain::payments::gst::{Gstin, Reach};
use domain::payments::invoices::{Invoice, Kind, day_in_india, item_of};
use domain::payments::orders::Purpose;
use domain::photos::pixels::Color;
use media::documents::{Document, DocumentError, Style, Typefaces, WIDTH};

use crate::operations::mails::writer::Writer;

/// Colours of the design, as in `web/src/ui/theme/tokens.ts`.
const INK: Color = Color::new(0x14, 0x14, 0x13);
const QUIET: Color = Color::new(0x55, 0x55, 0x4f);
const LINE: Color = Color::new(0xdf, 0xdf, 0xdd);
const ACCENT: Color = Color::new(0xc9, 0x41, 0x0e);
const WARNING: Color = Color::new(0x85, 0x53, 0x00);

const TITLE: Style = Style { size: 22.0, is_bold: true, color: INK };
const HEADING: Style = Style { size: 9.0, is_bold: true, color: QUIET };
const TEXT: Style = Style { size: 10.5, is_bold: false, color: INK };
const STRONG: Style = Style { is_bold: true, ..TEXT };
const SMALL: Style = Style { size: 9.0, is_bold: false, color: QUIET };
const TOTAL: Style = Style { size: 13.0, is_bold: true, color: INK };

/// 20 mm.
const MARGIN: f32 = 56.7;
const RIGHT: f32 = WIDTH - MARGIN;
/// Between the two parties.
const GAP: f32 = 24.0;
const COLUMN: f32 = (RIGHT - MARGIN - GAP) / 2.0;
const LEADING: f32 = 14.5;
/// Lines of an address that the page has room for, each of which may be wrapped; more of them are set as one.
const LINES: usize = 8;
/// From a line of the table to the next one.
const ROW: f32 = 24.0;

/// The page as PDF.
pub(super) fn pdf(
    document: &Invoice,
    writer: &Writer<'_>,
    typefaces: &Typefaces,
) -> Result<Vec<u8>, DocumentError> {
    let mut page = Document::new(typefaces);
    let mut y = head(&mut page, document, writer);
    y = parties(&mut page, document, writer, y + 40.0);
    y = facts(&mut page, document, writer, y + 28.0);
    y = amounts(&mut page, document, writer, y + 24.0);
    foot(&mut page, document, writer, y + 36.0);
    page.finish(&format!("{} {}", title(document, writer), document.number()), writer.tag())
}

fn title<'a>(document: &Invoice, writer: &'a Writer<'_>) -> &'a str {
    let texts = &writer.texts.invoice;
    match document.series.kind {
        Kind::Invoice => &texts.invoice,
        Kind::CreditNote => &texts.credit_note,
        Kind::DebitNote => &texts.debit_note,
    }
}

/// What was sold. It is stored in English, as the register has it.
fn item<'a>(document: &'a Invoice, writer: &'a Writer<'_>) -> &'a str {
    let texts = &writer.texts.receipt;
    match &*document.item {
        item if item == item_of(Purpose::Credits) => &texts.credits,
        item if item == item_of(Purpose::PremiumPlan) => &texts.premium_plan,
        other => other,
    }
}

fn head(page: &mut Document<'_>, document: &Invoice, writer: &Writer<'_>) -> f32 {
    let day = writer.day(day_in_india(document.issued_at));
    page.rule(MARGIN, MARGIN + 36.0, 64.0, 3.0, ACCENT);
    page.text(MARGIN, 96.0, TITLE, title(document, writer));
    page.text_to(RIGHT, 84.0, STRONG, &document.number());
    page.text_to(RIGHT, 84.0 + LEADING, TEXT, &day);
    if document.series.is_test {
        page.text(MARGIN, 118.0, Style { color: WARNING, ..STRONG }, &writer.texts.receipt.test_mode);
        return 118.0;
    }
    96.0
}

fn parties(page: &mut Document<'_>, document: &Invoice, writer: &Writer<'_>, y: f32) -> f32 {
    let (seller, buyer, texts) = (&document.seller, &document.buyer, &writer.texts.receipt);
    let from = party(page, MARGIN, y, &texts.from, (&seller.name, &seller.address, Some(&seller.gstin)));
    let right = MARGIN + COLUMN + GAP;
    let to = party(page, right, y, &texts.to, (&buyer.name, &buyer.address, buyer.gstin.as_ref()));
    from.max(to)
}

fn party(
    page: &mut Document<'_>,
    x: f32,
    y: f32,
    heading: &str,
    (name, address, gstin): (&str, &str, Option<&Gstin>),
) -> f32 {
    page.text(x, y, HEADING, heading);
    let mut y = y;
    let mut write = |style: Style, text: &str| {
        for line in page.wrapped(style, text, COLUMN) {
            y += LEADING;
            page.text(x, y, style, &line);
        }
    };
    write(STRONG, name);
    let lines: Vec<&str> = address.lines().filter(|line| !line.trim().is_empty()).collect();
    write(TEXT, &lines.join(if lines.len() > LINES { ", " } else { "\n" }));
    if let Some(gstin) = gstin {
        write(TEXT, &format!("GSTIN {}", gstin.as_str()));
    }
    y
}

/// What else has to be on it.
fn facts(page: &mut Document<'_>, document: &Invoice, writer: &Writer<'_>, y: f32) -> f32 {
    let texts = &writer.texts.invoice;
    let mut facts = vec![(&texts.place_of_supply, document.place_of_supply.to_string())];
    if let Some(about) = &document.about {
        facts.push((&texts.about, about.clone()));
    }
    facts.push((&texts.payment, document.payment_id.clone()));
    facts.push((&texts.reverse_charge, texts.no.clone()));
    let mut y = y;
    for (name, value) in facts {
        page.text(MARGIN, y, SMALL, name);
        page.text(MARGIN + 120.0, y, Style { size: 9.5, ..TEXT }, &value);
        y += LEADING;
    }
    y - LEADING
}

fn amounts(page: &mut Document<'_>, document: &Invoice, writer: &Writer<'_>, y: f32) -> f32 {
    let (split, rate, texts) = (&document.split, document.seller.rate, &writer.texts.invoice);
    page.text(MARGIN, y, HEADING, &texts.service);
    page.text_to(RIGHT, y, HEADING, &texts.amount);
    page.rule(MARGIN, RIGHT, y + 8.0, 0.75, LINE);
    let mut y = y + ROW;
    let mut row = |name: &str, amount: Paise| {
        page.text(MARGIN, y, TEXT, name);
        page.text_to(RIGHT, y, TEXT, &grouped(amount));
        page.rule(MARGIN, RIGHT, y + 8.0, 0.75, LINE);
        y += ROW;
    };
    row(&format!("{} (SAC {})", item(document, writer), document.seller.sac.as_str()), split.value);
    match document.reach() {
        Reach::WithinState => {
            let (half, own_tax) = (rate.half(), document.place_of_supply.own_tax());
            row(&format!("CGST {half}%"), split.cgst);
            row(&format!("{own_tax} {half}%"), split.sgst);
        }
        Reach::BetweenStates => row(&format!("IGST {}%", rate.percent()), split.igst),
    }
    y += 2.0;
    let total = match document.series.kind {
        Kind::Invoice => &texts.paid,
        Kind::CreditNote => &texts.returned,
        Kind::DebitNote => &texts.not_returned,
    };
    page.text(MARGIN, y, TOTAL, total);
    page.text_to(RIGHT, y, TOTAL, &grouped(split.total()));
    page.rule(MARGIN, RIGHT, y + 9.0, 1.5, INK);
    y + 9.0
}

fn foot(page: &mut Document<'_>, document: &Invoice, writer: &Writer<'_>, y: f32) {
    let texts = &writer.texts.invoice;
    let about = match document.series.kind {
        Kind::Invoice => &texts.about_invoice,
        Kind::CreditNote => &texts.about_credit_note,
        Kind::DebitNote => &texts.about_debit_note,
    };
    let lines = page.wrapped(SMALL, &format!("{about}\n{}", texts.made_by), RIGHT - MARGIN);
    for (place, line) in lines.iter().enumerate() {
        let place = u8::try_from(place).unwrap_or(u8::MAX);
        page.text(MARGIN, y + f32::from(place) * 13.0, SMALL, line);
    }
}

/// An amount with the groups of digits that are usual in India.
fn grouped(amount: Paise) -> String {
    crate::payments::receipts::rupees(amount).replace('₹', "")
}
