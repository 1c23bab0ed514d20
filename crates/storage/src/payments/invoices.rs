//! Invoices and notes, which are added and never change, and what is wrong with their series.

use domain::payments::gst::{Gstin, Rate, Sac, Split, State};
use domain::payments::invoices::{Buyer, FinancialYear, Invoice, Kind, Month, Seller, Series};
use domain::{Paise, Timestamp, UserId};

use crate::operations::runtime::decode::{self, FromColumns};
use crate::operations::runtime::row::row;
use crate::operations::runtime::statements::{execute, fetch_all, fetch_one};
use crate::{Executor, Result, Tx};

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT series, year, serial, provider, payment_id, refund_id, user_id, issued_at, seller_name, seller_address,
                 seller_gstin, sac, rate, buyer_name, buyer_address, buyer_gstin, place_of_supply, item, taxable_value, cgst,
                 sgst, igst, about FROM invoices ",
            $rest
        )
    };
}

row! {
    pub(crate) struct InvoiceRow {
        series: String,
        year: i64,
        serial: i64,
        provider: String,
        payment_id: String,
        refund_id: Option<String>,
        user_id: String,
        issued_at: i64,
        seller_name: String,
        seller_address: String,
        seller_gstin: String,
        sac: String,
        rate: i64,
        buyer_name: String,
        buyer_address: String,
        buyer_gstin: Option<String>,
        place_of_supply: String,
        item: String,
        taxable_value: i64,
        cgst: i64,
        sgst: i64,
        igst: i64,
        about: Option<String>,
    }
}

impl FromColumns for Invoice {
    type Columns = InvoiceRow;

    fn from_columns(row: InvoiceRow) -> Result<Self> {
        let gstin = |text: String, column| decode::known(Gstin::parse(&text).ok(), column);
        let buyer_gstin = row.buyer_gstin.map(|text| gstin(text, "invoices.buyer_gstin")).transpose()?;
        let rate = u32::try_from(row.rate).ok().and_then(Rate::new);
        Ok(Self {
            series: decode::known(Series::from_letter(&row.series), "invoices.series")?,
            year: year(row.year, "invoices.year")?,
            serial: row.serial,
            provider: row.provider,
            payment_id: row.payment_id,
            refund: decode::optional_id(row.refund_id.as_deref(), "invoices.refund_id")?,
            user: decode::id(&row.user_id, "invoices.user_id")?,
            issued_at: Timestamp::from_millis(row.issued_at),
            seller: Seller {
                name: row.seller_name,
                address: row.seller_address,
                gstin: gstin(row.seller_gstin, "invoices.seller_gstin")?,
                sac: decode::known(Sac::parse(&row.sac), "invoices.sac")?,
                rate: decode::known(rate, "invoices.rate")?,
            },
            buyer: Buyer { name: row.buyer_name, address: row.buyer_address, gstin: buyer_gstin },
            place_of_supply: decode::known(State::parse(&row.place_of_supply), "invoices.place_of_supply")?,
            item: row.item,
            split: Split {
                value: Paise::new(row.taxable_value),
                cgst: Paise::new(row.cgst),
                sgst: Paise::new(row.sgst),
                igst: Paise::new(row.igst),
            },
            about: row.about,
        })
    }
}

fn year(value: i64, column: &'static str) -> Result<FinancialYear> {
    decode::known(i16::try_from(value).ok().map(FinancialYear::beginning_in), column)
}

/// The next number of a series in a year, which is another transaction's next one when this one is rolled back. Until the
/// transaction ends no other one has a number. The transaction has locked the account before.
pub async fn next_serial(tx: &mut Tx, series: Series, year: FinancialYear) -> Result<i64> {
    let begins_in = i64::from(year.begins_in());
    if series.kind != Kind::Invoice {
        // Whoever makes documents of several kinds holds the row of the invoices first, in whichever order they are made.
        execute!(
            &mut *tx,
            "INSERT INTO invoice_series (series, year, last) VALUES ($1, $2, 0)
             ON CONFLICT (series, year) DO UPDATE SET last = invoice_series.last",
            Series { kind: Kind::Invoice, ..series },
            begins_in,
        )?;
    }
    execute!(
        &mut *tx,
        "INSERT INTO invoice_series (series, year, last) VALUES ($1, $2, 1)
         ON CONFLICT (series, year) DO UPDATE SET last = invoice_series.last + 1",
        series,
        begins_in,
    )?;
    fetch_one!(
        &mut *tx,
        i64,
        "SELECT last FROM invoice_series WHERE series = $1 AND year = $2",
        series,
        begins_in,
    )
}

/// Adds a document, whose number the transaction has taken.
///
/// # Errors
/// When the database fails, or there is one about the same payment or refund.
pub async fn add(tx: &mut Tx, invoice: &Invoice) -> Result<()> {
    execute!(
        tx,
        "INSERT INTO invoices (number, series, year, serial, provider, payment_id, refund_id, user_id, issued_at, seller_name,
             seller_address, seller_gstin, sac, rate, buyer_name, buyer_address, buyer_gstin, place_of_supply, item,
             taxable_value, cgst, sgst, igst, about)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24)",
        invoice.number(),
        invoice.series,
        i64::from(invoice.year.begins_in()),
        invoice.serial,
        invoice.provider,
        invoice.payment_id,
        invoice.refund,
        invoice.user,
        invoice.issued_at,
        invoice.seller.name,
        invoice.seller.address,
        invoice.seller.gstin,
        invoice.seller.sac.as_str(),
        i64::from(invoice.seller.rate.percent()),
        invoice.buyer.name,
        invoice.buyer.address,
        invoice.buyer.gstin,
        invoice.place_of_supply,
        invoice.item,
        invoice.split.value,
        invoice.split.cgst,
        invoice.split.sgst,
        invoice.split.igst,
        invoice.about,
    )?;
    Ok(())
}

/// The documents about a payment, in the order in which they were made.
pub async fn of_payment(db: &dyn Executor, provider: &str, payment_id: &str) -> Result<Vec<Invoice>> {
    fetch_all!(
        db,
        Invoice,
        select!("WHERE provider = $1 AND payment_id = $2 ORDER BY issued_at, series, serial"),
        provider,
        payment_id,
    )
}

/// The documents of an account, in the order in which they were made.
pub async fn by_user(db: &dyn Executor, user: UserId) -> Result<Vec<Invoice>> {
    fetch_all!(db, Invoice, select!("WHERE user_id = $1 ORDER BY issued_at, series, serial"), user)
}

/// The documents of a month about payments of a provider, by series and number.
pub async fn of_month(db: &dyn Executor, provider: &str, month: Month) -> Result<Vec<Invoice>> {
    fetch_all!(
        db,
        Invoice,
        select!(
            "WHERE provider = $1 AND issued_at >= $2 AND issued_at < $3
             ORDER BY CASE series WHEN 'I' THEN 0 WHEN 'T' THEN 0 ELSE 1 END, series, year, serial"
        ),
        provider,
        month.begins(),
        month.ends(),
    )
}

/// A series of a financial year.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct YearsSeries {
    /// The series.
    pub series: Series,
    /// The year.
    pub year: FinancialYear,
}

row! {
    pub(crate) struct SeriesRow {
        series: String,
        year: i64,
    }
}

impl FromColumns for YearsSeries {
    type Columns = SeriesRow;

    fn from_columns(row: SeriesRow) -> Result<Self> {
        Ok(Self {
            series: decode::known(Series::from_letter(&row.series), "invoice_series.series")?,
            year: year(row.year, "invoice_series.year")?,
        })
    }
}

/// The series in which a number is missing, or one was given that is not counted.
pub async fn broken_series(db: &dyn Executor) -> Result<Vec<YearsSeries>> {
    fetch_all!(
        db,
        YearsSeries,
        "SELECT COALESCE(given.series, invoice_series.series) AS series, COALESCE(given.year, invoice_series.year) AS year
         FROM (SELECT series, year, COUNT(*) AS documents, MAX(serial) AS highest FROM invoices GROUP BY series, year) AS given
             FULL JOIN invoice_series ON invoice_series.series = given.series AND invoice_series.year = given.year
         WHERE COALESCE(documents, 0) <> COALESCE(last, 0) OR COALESCE(highest, 0) <> COALESCE(last, 0)
         ORDER BY year, series",
    )
}

/// A payment of a provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaymentKey {
    /// The payment provider.
    pub provider: String,
    /// The provider's id.
    pub payment_id: String,
}

row! {
    pub(crate) struct PaymentKeyRow {
        provider: String,
        payment_id: String,
    }
}

impl FromColumns for PaymentKey {
    type Columns = PaymentKeyRow;

    fn from_columns(row: PaymentKeyRow) -> Result<Self> {
        Ok(Self { provider: row.provider, payment_id: row.payment_id })
    }
}

/// The payments without an invoice that have bought something since the first payment with one, by provider, and those of whose
/// refunds a note is missing.
pub async fn payments_without(db: &dyn Executor) -> Result<Vec<PaymentKey>> {
    fetch_all!(
        db,
        PaymentKey,
        "SELECT payments.provider AS provider, payments.payment_id AS payment_id FROM payments
         WHERE bought IN ('credits', 'premium_plan')
             AND captured_at >= (SELECT MIN(issued_at) FROM invoices WHERE invoices.provider = payments.provider)
             AND NOT EXISTS (SELECT 1 FROM invoices WHERE invoices.provider = payments.provider
                 AND invoices.payment_id = payments.payment_id)
         UNION
         SELECT refunds.provider AS provider, refunds.payment_id AS payment_id
         FROM refunds JOIN invoices ON invoices.provider = refunds.provider
             AND invoices.payment_id = refunds.payment_id AND invoices.refund_id IS NULL
         WHERE (refunds.status = 'processed' AND NOT EXISTS (SELECT 1 FROM invoices AS notes
                 WHERE notes.refund_id = refunds.id AND notes.series IN ('C', 'U')))
             OR (refunds.status = 'failed' AND EXISTS (SELECT 1 FROM invoices AS notes
                 WHERE notes.refund_id = refunds.id AND notes.series IN ('C', 'U'))
                 AND NOT EXISTS (SELECT 1 FROM invoices AS notes
                 WHERE notes.refund_id = refunds.id AND notes.series IN ('D', 'V')))
         ORDER BY provider, payment_id",
    )
}
