//! Payments and orders that need an operator.

use domain::accounts::User;
use domain::payments::orders::Order;
use domain::payments::{Payment, Refund, RefundStatus};
use gateway::Payments;

use super::context::Administration;
use crate::accounts::security_log::SecurityEvent;
use crate::{App, Result};

/// A payment that is to be refunded.
pub struct RefundDue {
    /// The payment, and why it bought nothing.
    pub payment: Payment,
    /// Who paid; none when the account is closed.
    pub user: Option<User>,
}

/// An order that the provider does not know, or over another amount.
pub struct FailedOrder {
    /// The order, and why it failed.
    pub order: Order,
    /// Who ordered; none when the account is closed.
    pub user: Option<User>,
}

/// Every payment that bought nothing and is not refunded, oldest first; those of the sandbox only where `provider` is it.
pub async fn refunds_due(administration: &Administration, provider: &str) -> Result<Vec<RefundDue>> {
    let mut due = Vec::new();
    for payment in storage::payments::refunds_due(&administration.db, provider).await? {
        let user = storage::accounts::users::by_id(&administration.db, payment.user).await?;
        due.push(RefundDue { payment, user });
    }
    Ok(due)
}

/// The orders that the provider does not know, or over another amount, newest first; those of the sandbox only where `provider`
/// is it.
pub async fn failed_orders(administration: &Administration, provider: &str) -> Result<Vec<FailedOrder>> {
    let mut failed = Vec::new();
    for order in storage::payments::orders::failed(&administration.db, provider).await? {
        let user = storage::accounts::users::by_id(&administration.db, order.user).await?;
        failed.push(FailedOrder { order, user });
    }
    Ok(failed)
}

/// Asks the provider to return what is left of a payment. What it bought is taken back, never more than the balance. Repeated
/// after an interruption, it goes on with the same refund.
///
/// # Errors
/// [`domain::Refusal::PaymentNotFound`], [`domain::Refusal::PaymentRefunded`], or what the provider says why not.
pub async fn refund(
    administration: &Administration,
    payments: &Payments,
    payment_id: &str,
) -> Result<Refund> {
    let refund = administration.books(payments).request_refund(payment_id).await?;
    if refund.status != RefundStatus::Failed {
        let payment = storage::payments::by_id(&administration.db, payments.provider(), payment_id).await?;
        administration.record(SecurityEvent::PaymentRefunded, payment.map(|payment| payment.user));
    }
    Ok(refund)
}

/// [`refund`] through the server's own provider.
///
/// # Errors
/// Those of [`refund`].
pub async fn refund_by(app: &App, administrator: &User, payment_id: &str) -> Result<Refund> {
    refund(&Administration::of(app, administrator), &app.payments, payment_id).await
}
