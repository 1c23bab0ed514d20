//! An invoice or a note as a page of A4.

use domain::Paise;
use domain::payments::gst::{Gstin, Reach};
use domain::payments::invoices::{Invoice, Kind, day_in_india};
use domain::photos::pixels::Color;
use media::documents::{Document, Style, WIDTH};

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
/// From a line of the table to the next one.
const ROW: f32 = 24.0;

/// The page as PDF.
pub(super) fn pdf(document: &Invoice) -> Vec<u8> {
    let mut page = Document::default();
    let mut y = head(&mut page, document);
    y = parties(&mut page, document, y + 40.0);
    y = facts(&mut page, document, y + 28.0);
    y = amounts(&mut page, document, y + 24.0);
    foot(&mut page, document, y + 36.0);
    page.finish(&format!("{} {}", document.series.kind.title(), document.number()))
}

fn head(page: &mut Document, document: &Invoice) -> f32 {
    let day = day_in_india(document.issued_at).strftime("%-d %B %Y").to_string();
    page.rule(MARGIN, MARGIN + 36.0, 64.0, 3.0, ACCENT);
    page.text(MARGIN, 96.0, TITLE, document.series.kind.title());
    page.text_to(RIGHT, 84.0, STRONG, &document.number());
    page.text_to(RIGHT, 84.0 + LEADING, TEXT, &day);
    if document.series.is_test {
        page.text(MARGIN, 118.0, Style { color: WARNING, ..STRONG }, "Test mode: no money was moved.");
        return 118.0;
    }
    96.0
}

fn parties(page: &mut Document, document: &Invoice, y: f32) -> f32 {
    let (seller, buyer) = (&document.seller, &document.buyer);
    let from = party(page, MARGIN, y, "From", (&seller.name, &seller.address, Some(&seller.gstin)));
    let to = party(page, MARGIN + COLUMN + GAP, y, "To", (&buyer.name, &buyer.address, buyer.gstin.as_ref()));
    from.max(to)
}

fn party(
    page: &mut Document,
    x: f32,
    y: f32,
    heading: &str,
    (name, address, gstin): (&str, &str, Option<&Gstin>),
) -> f32 {
    page.text(x, y, HEADING, heading);
    let mut y = y;
    let mut write = |style: Style, text: &str| {
        for line in style.wrapped(text, COLUMN) {
            y += LEADING;
            page.text(x, y, style, &line);
        }
    };
    write(STRONG, name);
    write(TEXT, address);
    if let Some(gstin) = gstin {
        write(TEXT, &format!("GSTIN {}", gstin.as_str()));
    }
    y
}

/// What else has to be on it.
fn facts(page: &mut Document, document: &Invoice, y: f32) -> f32 {
    let mut facts = vec![(String::from("Place of supply"), document.place_of_supply.to_string())];
    if let Some(about) = &document.about {
        facts.push((String::from("About invoice"), about.clone()));
    }
    facts.push((String::from("Payment"), document.payment_id.clone()));
    facts.push((String::from("Tax on reverse charge"), String::from("No")));
    let mut y = y;
    for (name, value) in facts {
        page.text(MARGIN, y, SMALL, &name);
        page.text(MARGIN + 120.0, y, Style { size: 9.5, ..TEXT }, &value);
        y += LEADING;
    }
    y - LEADING
}

fn amounts(page: &mut Document, document: &Invoice, y: f32) -> f32 {
    let (split, rate) = (&document.split, document.seller.rate);
    page.text(MARGIN, y, HEADING, "Service");
    page.text_to(RIGHT, y, HEADING, "Amount in INR");
    page.rule(MARGIN, RIGHT, y + 8.0, 0.75, LINE);
    let mut y = y + ROW;
    let mut row = |name: &str, amount: Paise| {
        page.text(MARGIN, y, TEXT, name);
        page.text_to(RIGHT, y, TEXT, &grouped(amount));
        page.rule(MARGIN, RIGHT, y + 8.0, 0.75, LINE);
        y += ROW;
    };
    row(&format!("{} (SAC {})", document.item, document.seller.sac.as_str()), split.value);
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
        Kind::Invoice => "Total, paid",
        Kind::CreditNote => "Total, returned",
        Kind::DebitNote => "Total, not returned",
    };
    page.text(MARGIN, y, TOTAL, total);
    page.text_to(RIGHT, y, TOTAL, &grouped(split.total()));
    page.rule(MARGIN, RIGHT, y + 9.0, 1.5, INK);
    y + 9.0
}

fn foot(page: &mut Document, document: &Invoice, y: f32) {
    let text = match document.series.kind {
        Kind::Invoice => {
            "The first line is the taxable value: the price includes the tax. All dates are in India's time."
        }
        Kind::CreditNote => {
            "The amounts are taken off the invoice that is named above. All dates are in India's time."
        }
        Kind::DebitNote => {
            "A refund could not be paid out after its credit note, whose amounts are owed again. All dates are in India's time."
        }
    };
    let note = "This document is made by a computer and valid without a signature.";
    for (place, line) in SMALL.wrapped(&format!("{text}\n{note}"), RIGHT - MARGIN).iter().enumerate() {
        let place = u8::try_from(place).unwrap_or(u8::MAX);
        page.text(MARGIN, y + f32::from(place) * 13.0, SMALL, line);
    }
}

/// An amount with the groups of digits that are usual in India.
fn grouped(amount: Paise) -> String {
    crate::payments::receipts::rupees(amount).replace('₹', "")
}
