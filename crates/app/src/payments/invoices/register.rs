//! The register of a month as CSV, for the operator's return.

use domain::Paise;
use domain::payments::gst::Gstin;
use domain::payments::invoices::{Invoice, Month, day_in_india};

use crate::operations::runtime::spreadsheets::{self, Table};
use crate::{App, Result};

const HEADER: [&str; 14] = [
    "number",
    "date",
    "kind",
    "buyer",
    "gstin",
    "place_of_supply",
    "sac",
    "rate_percent",
    "taxable_value",
    "cgst",
    "sgst",
    "igst",
    "total",
    "invoice",
];

/// What was issued in a month in India: invoices first, then notes, each in the order of their numbers. Of the sandbox's payments
/// only while it takes the place of the provider.
pub async fn register(app: &App, month: Month) -> Result<Vec<u8>> {
    let mut table = Table::new(&HEADER)?;
    for document in storage::payments::invoices::of_month(&app.db, app.payments.provider(), month).await? {
        table.add(record(&document))?;
    }
    table.finish()
}

fn record(document: &Invoice) -> [String; HEADER.len()] {
    let amount = |amount: Paise| amount.to_string();
    let split = &document.split;
    [
        document.number(),
        day_in_india(document.issued_at).to_string(),
        document.series.kind.as_str().to_owned(),
        spreadsheets::text(&document.buyer.name),
        document.buyer.gstin.as_ref().map(Gstin::as_str).unwrap_or_default().to_owned(),
        document.place_of_supply.to_string(),
        document.seller.sac.as_str().to_owned(),
        document.seller.rate.percent().to_string(),
        amount(split.value),
        amount(split.cgst),
        amount(split.sgst),
        amount(split.igst),
        amount(split.total()),
        document.about.clone().unwrap_or_default(),
    ]
}
