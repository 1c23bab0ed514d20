//! Receipts of payments, as printable pages.

use askama::Template;
use domain::accounts::User;
use domain::payments::invoices::day_in_india;
use domain::payments::orders::Purpose;
use domain::payments::{Payment, PaymentOutcome, Refund, RefundStatus};
use domain::{Paise, Refusal};

use crate::operations::mails::texts;
use crate::operations::mails::writer::Writer;
use crate::operations::runtime::settings::Operator;
use crate::{App, Result};

#[derive(Template)]
#[template(path = "receipt.html")]
struct Receipt<'a> {
    language: &'a str,
    texts: &'a texts::Receipt,
    title: String,
    number: String,
    /// None where there is no number.
    tax_number: Option<String>,
    operator: &'a Operator,
    /// What the service is called.
    site: &'a str,
    support_email: &'a str,
    public_url: &'a str,
    customer: &'a User,
    is_test: bool,
    item: &'a str,
    detail: Option<&'a str>,
    price: String,
    discount: Option<String>,
    total: String,
    refunds: Vec<ReturnedAmount>,
    left: Option<String>,
}

struct ReturnedAmount {
    /// What it is, with its day.
    text: String,
    amount: String,
}

/// The receipt of one of a photographer's own payments, in the language of their mails: an HTML page that needs nothing else, and
/// prints on one sheet.
///
/// # Errors
/// [`Refusal::PaymentNotFound`] for another's.
pub async fn html(app: &App, user: &User, payment_id: &str) -> Result<String> {
    let payment = own(app, user, payment_id).await?;
    let order =
        storage::payments::orders::by_id(&app.db, payment.order).await?.ok_or(Refusal::PaymentNotFound)?;
    let mut refunds = storage::payments::refunds::of_payment(&app.db, &payment.provider, payment_id).await?;
    refunds.retain(|refund| matches!(refund.status, RefundStatus::Pending | RefundStatus::Processed));
    let writer = Writer::of(&app.settings, user.language)?;
    let texts = &writer.texts.receipt;
    let (number, date) = (payment.payment_id.as_str(), writer.day(day_in_india(payment.captured_at)));
    let operator = &app.settings.operator;
    let has_tax_number = !operator.tax_number.is_empty();
    let price = Paise::new(payment.amount.get() + order.discount.get());
    let receipt = Receipt {
        language: writer.tag(),
        texts,
        title: writer.fill(&texts.title, &[("number", number)]),
        number: writer.fill(&texts.number, &[("number", number), ("date", &date)]),
        tax_number: has_tax_number
            .then(|| writer.fill(&texts.tax_number, &[("number", &operator.tax_number)])),
        operator,
        site: &app.settings.site_name,
        support_email: app.settings.support_email.as_str(),
        public_url: &app.settings.public_url,
        customer: user,
        is_test: payment.provider == gateway::payments::SANDBOX,
        item: match order.purpose {
            Purpose::Credits => &texts.credits,
            Purpose::PremiumPlan => &texts.premium_plan,
        },
        detail: detail(texts, &payment, &refunds),
        price: rupees(price),
        discount: (order.discount > Paise::ZERO).then(|| rupees(order.discount.negated())),
        total: rupees(payment.amount),
        left: left(&payment, &refunds),
        refunds: refunds.iter().map(|refund| returned(&writer, refund)).collect(),
    };
    Ok(receipt.render()?)
}

fn returned(writer: &Writer<'_>, refund: &Refund) -> ReturnedAmount {
    let date = writer.day(day_in_india(refund.created_at));
    ReturnedAmount {
        text: writer.fill(&writer.texts.receipt.refunded, &[("date", &date)]),
        amount: rupees(refund.amount.negated()),
    }
}

/// A payment of the account, of whichever provider.
async fn own(app: &App, user: &User, payment_id: &str) -> Result<Payment> {
    let payments = storage::payments::by_user(&app.db, user.id).await?;
    let payment = payments.into_iter().find(|payment| payment.payment_id == payment_id);
    payment.ok_or_else(|| Refusal::PaymentNotFound.into())
}

/// What else is to be said of what was sold. That a payment is to be refunded is promised until it is.
fn detail<'a>(texts: &'a texts::Receipt, payment: &Payment, refunds: &[Refund]) -> Option<&'a str> {
    match payment.outcome {
        PaymentOutcome::Credits if payment.credits > payment.amount => Some(&texts.first_recharge),
        PaymentOutcome::Credits | PaymentOutcome::PremiumPlan => None,
        _ if sum(refunds) >= payment.amount => None,
        PaymentOutcome::OrderAlreadyPaid
        | PaymentOutcome::AlreadyPremium
        | PaymentOutcome::AccountClosed
        | PaymentOutcome::AmountMismatch
        | PaymentOutcome::CouponUsedUp => Some(&texts.bought_nothing),
    }
}

/// What is left of the payment after its refunds; none without a refund.
fn left(payment: &Payment, refunds: &[Refund]) -> Option<String> {
    let returned = sum(refunds);
    (returned > Paise::ZERO).then(|| rupees(Paise::new(payment.amount.get() - returned.get())))
}

/// What refunds return in all.
fn sum(refunds: &[Refund]) -> Paise {
    Paise::new(refunds.iter().map(|refund| refund.amount.get()).sum())
}

/// An amount with its sign before the symbol, and the groups of digits that are usual in India.
pub(crate) fn rupees(amount: Paise) -> String {
    let text = amount.to_string();
    let (sign, text) = text.strip_prefix('-').map_or(("", &*text), |text| ("−", text));
    let (whole, decimals) = text.split_once('.').unwrap_or((text, "00"));
    let mut grouped = String::new();
    for (place, digit) in whole.chars().rev().enumerate() {
        if place == 3 || (place > 3 && place % 2 == 1) {
            grouped.insert(0, ',');
        }
        grouped.insert(0, digit);
    }
    format!("{sign}₹{grouped}.{decimals}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_grouped_as_in_india() {
        // [PAY102]
        let texts = [5, 99_900, 100_000, 12_345_678, 50_000_000_000, -2_550];
        let texts = texts.map(|paise| rupees(Paise::new(paise)));
        assert_eq!(texts, ["₹0.05", "₹999.00", "₹1,000.00", "₹1,23,456.78", "₹50,00,00,000.00", "−₹25.50"]);
    }
}
