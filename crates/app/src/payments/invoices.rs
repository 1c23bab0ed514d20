//! Invoices: made in the transaction in which a payment begins to count, with a note for each refund (decision 0100).

mod page;
mod register;

use domain::accounts::User;
use domain::payments::billing::{self, Billing};
use domain::payments::gst::{Reach, Split};
use domain::payments::invoices::{Buyer, FinancialYear, Invoice, Kind, Seller, Series, item_of};
use domain::payments::{Payment, RefundStatus};
use domain::{Paise, RefundId, Refusal, Timestamp};
use storage::payments::invoices::PaymentKey;

use crate::operations::mails::writer::Writer;
use crate::operations::runtime::queue::{JobQueue, Tx};
use crate::{App, Failure, Result};

pub use register::register;

/// Makes the invoice of a payment that counts from now on, unless there is one, or the installation makes none. The
/// transaction has recorded what the payment bought.
pub(crate) async fn issue(
    tx: &mut Tx,
    seller: Option<&Seller>,
    now: Timestamp,
    payment: &Payment,
) -> Result<()> {
    let Some(seller) = seller else { return Ok(()) };
    if payment.outcome.refund_reason().is_some() {
        return Ok(());
    }
    storage::accounts::users::lock(tx, payment.user).await?;
    let (provider, id) = (&payment.provider, &payment.payment_id);
    if !storage::payments::invoices::of_payment(&mut **tx, provider, id).await?.is_empty() {
        return Ok(());
    }
    let order = storage::payments::orders::by_id(&mut **tx, payment.order).await?;
    let order = order.ok_or(Refusal::OrderNotFound)?;
    let user = storage::accounts::users::by_id(&mut **tx, payment.user).await?;
    let details = storage::payments::billing::of_user(&mut **tx, payment.user).await?.unwrap_or_default();
    let place_of_supply = details.state.unwrap_or(seller.gstin.state());
    let reach = Reach::between(seller.gstin.state(), place_of_supply);
    let series = Series { kind: Kind::Invoice, is_test: *provider == gateway::payments::SANDBOX };
    let invoice = Invoice {
        series,
        year: FinancialYear::of(now),
        serial: 0,
        provider: provider.clone(),
        payment_id: id.clone(),
        refund: None,
        user: payment.user,
        issued_at: now,
        seller: seller.clone(),
        buyer: buyer(details, user),
        place_of_supply,
        item: item_of(order.purpose).to_owned(),
        split: Split::of(payment.amount, seller.rate, reach),
        about: None,
    };
    add(tx, invoice).await?;
    Ok(())
}

/// Who is named on an invoice: what the billing details say, and without a name in them the account's.
fn buyer(details: Billing, user: Option<User>) -> Buyer {
    let name = if details.name.is_empty() {
        user.map(|user| billing::in_latin(&user.name)).unwrap_or_default()
    } else {
        details.name
    };
    Buyer { name, address: details.address, gstin: details.gstin }
}

/// Makes the notes of a payment's refunds that are missing: a credit note once the provider has returned the money, and a debit
/// note where that has come back afterwards. A payment without an invoice has none. A refund of more than what is left of the
/// invoice waits: one before it has come back, and is not reported yet.
pub(crate) async fn issue_notes(tx: &mut Tx, now: Timestamp, payment: &Payment) -> Result<()> {
    let (provider, id) = (&payment.provider, &payment.payment_id);
    let documents = storage::payments::invoices::of_payment(&mut **tx, provider, id).await?;
    let (invoices, mut notes): (Vec<_>, Vec<_>) =
        documents.into_iter().partition(|document| document.series.kind == Kind::Invoice);
    let Some(invoice) = invoices.first() else { return Ok(()) };
    let mut refunds = storage::payments::refunds::of_payment(&mut **tx, provider, id).await?;
    // What has come back is there again for the others.
    refunds.sort_by_key(|refund| refund.status != RefundStatus::Failed);
    for refund in refunds {
        let of = |kind| {
            notes.iter().find(|note| note.refund == Some(refund.id) && note.series.kind == kind).cloned()
        };
        let (kind, split) = match (refund.status, of(Kind::CreditNote), of(Kind::DebitNote)) {
            (RefundStatus::Processed, None, _) => {
                let left = invoice.split.total().get() - returned(&notes).get();
                if refund.amount.get() > left {
                    tracing::warn!(payment = id, refund = %refund.id, "a refund is over more than is left of its invoice");
                    continue;
                }
                (Kind::CreditNote, invoice.returned(&notes, refund.amount))
            }
            (RefundStatus::Failed, Some(credited), None) => (Kind::DebitNote, credited.split),
            _ => continue,
        };
        storage::accounts::users::lock(tx, payment.user).await?;
        notes.push(add(tx, note(now, invoice, kind, refund.id, split)).await?);
    }
    Ok(())
}

/// Makes what is missing of a payment's invoice and notes; false where the installation makes none.
pub(crate) async fn issue_missing(
    queue: &JobQueue,
    seller: Option<&Seller>,
    now: Timestamp,
    key: &PaymentKey,
) -> Result<bool> {
    let mut tx = queue.begin().await?;
    let found = storage::payments::by_id(&mut *tx, &key.provider, &key.payment_id).await?;
    let Some(payment) = found.filter(|_| seller.is_some()) else { return Ok(false) };
    storage::payments::orders::lock(&mut tx, payment.order).await?;
    issue(&mut tx, seller, now, &payment).await?;
    issue_notes(&mut tx, now, &payment).await?;
    tx.commit().await?;
    Ok(true)
}

/// What notes return of an invoice in all.
fn returned(notes: &[Invoice]) -> Paise {
    let amounts = notes.iter().map(|note| match note.series.kind {
        Kind::CreditNote => note.split.total().get(),
        Kind::DebitNote => -note.split.total().get(),
        Kind::Invoice => 0,
    });
    Paise::new(amounts.sum())
}

/// A note about an invoice, which has the same seller and the same buyer.
fn note(now: Timestamp, invoice: &Invoice, kind: Kind, refund: RefundId, split: Split) -> Invoice {
    Invoice {
        series: Series { kind, ..invoice.series },
        year: FinancialYear::of(now),
        refund: Some(refund),
        issued_at: now,
        split,
        about: Some(invoice.number()),
        ..invoice.clone()
    }
}

/// Numbers a document and stores it. Nothing that others may hold is locked after that.
async fn add(tx: &mut Tx, document: Invoice) -> Result<Invoice> {
    let serial = storage::payments::invoices::next_serial(tx, document.series, document.year).await?;
    let document = Invoice { serial, ..document };
    storage::payments::invoices::add(tx, &document).await?;
    tracing::info!(
        number = document.number(),
        payment = document.payment_id,
        "an invoice or a note was made"
    );
    Ok(document)
}

/// Whether the installation makes invoices.
pub fn are_made(app: &App) -> bool {
    app.settings.seller.is_some()
}

/// A document as a file.
#[derive(Debug)]
pub struct Pdf {
    /// Its name, with an ending.
    pub file_name: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// The invoice of one of a photographer's own payments.
///
/// # Errors
/// [`Refusal::InvoiceNotFound`] for a payment without one, or another's; [`Refusal::DocumentsNotDrawn`].
pub async fn pdf(app: &App, user: &User, payment_id: &str) -> Result<Pdf> {
    let documents = own(app, user, payment_id).await?;
    let invoice = documents.iter().find(|document| document.series.kind == Kind::Invoice);
    drawn(app, user, invoice.ok_or(Refusal::InvoiceNotFound)?)
}

/// A note about one of a photographer's own payments, by its number with hyphens for slashes.
///
/// # Errors
/// [`Refusal::InvoiceNotFound`] for one that there is not; [`Refusal::DocumentsNotDrawn`].
pub async fn note_pdf(app: &App, user: &User, payment_id: &str, file_name: &str) -> Result<Pdf> {
    let documents = own(app, user, payment_id).await?;
    let is_it = |note: &&Invoice| {
        note.series.kind != Kind::Invoice && format!("{}.pdf", note.file_name()) == file_name
    };
    drawn(app, user, documents.iter().find(is_it).ok_or(Refusal::InvoiceNotFound)?)
}

async fn own(app: &App, user: &User, payment_id: &str) -> Result<Vec<Invoice>> {
    let mut documents = storage::payments::invoices::by_user(&app.db, user.id).await?;
    documents.retain(|document| document.payment_id == payment_id);
    Ok(documents)
}

fn drawn(app: &App, user: &User, document: &Invoice) -> Result<Pdf> {
    let typefaces = app.typefaces.as_ref().ok_or(Refusal::DocumentsNotDrawn)?;
    let bytes = page::pdf(document, &Writer::of(&app.settings, user.language)?, typefaces);
    let bytes = bytes.map_err(|error| Failure::Internal(error.to_string()))?;
    Ok(Pdf { file_name: format!("{}.pdf", document.file_name()), bytes })
}
