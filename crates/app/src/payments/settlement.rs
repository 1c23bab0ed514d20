//! Settling a captured payment: it is recorded once, and buys what its order is for, or nothing.

use domain::payments::ledger::LedgerKind;
use domain::payments::orders::{Order, OrderStatus, Purpose};
use domain::payments::{Payment, PaymentOutcome};
use domain::{LedgerId, Paise, Refusal};
use gateway::payments::ProviderPayment;

use crate::operations::runtime::queue::Tx;
use crate::webhooks::reports;
use crate::{App, Result};

/// Settles a captured payment in the caller's transaction, which it commits. Answers the order as it is then; it is paid
/// unless the payment is over another amount. However often it is repeated, the payment counts once.
///
/// # Errors
/// [`Refusal::OrderNotFound`], or [`Refusal::PaymentNotVerified`] for a payment of another order.
pub(crate) async fn settle(app: &App, mut tx: Tx, order: &Order, payment: &ProviderPayment) -> Result<Order> {
    let order = storage::payments::orders::lock(&mut tx, order.id).await?.ok_or(Refusal::OrderNotFound)?;
    if order.status == OrderStatus::Paid && order.payment_id.as_deref() == Some(&payment.payment_id) {
        tx.commit().await?;
        return Ok(order);
    }
    if payment.amount != order.amount {
        return settle_other_amount(app, tx, order, payment).await;
    }
    let now = app.now();
    let paid = storage::payments::orders::mark_paid(&mut tx, order.id, &payment.payment_id, now).await?;
    let (mut order, outcome) = match paid {
        storage::payments::orders::Payment::Accepted { order, first_recharge } => {
            let outcome = fulfil(app, &mut tx, &order, first_recharge).await?;
            (order, outcome)
        }
        storage::payments::orders::Payment::Repeated(order) => {
            (order, (PaymentOutcome::OrderAlreadyPaid, Paise::ZERO))
        }
        storage::payments::orders::Payment::OfAnotherOrder => return Err(Refusal::PaymentNotVerified.into()),
        storage::payments::orders::Payment::Missing => return Err(Refusal::OrderNotFound.into()),
    };
    let (outcome, credits) = outcome;
    let new = record(&mut tx, &order, &row(app, &order, payment, outcome, credits)).await?;
    tx.commit().await?;
    match outcome {
        PaymentOutcome::Credits => app.metrics.record_ledger_entry(LedgerKind::Recharge),
        PaymentOutcome::PremiumPlan => app.metrics.record_ledger_entry(LedgerKind::Premium),
        _ => {}
    }
    if new {
        report(&order, payment, outcome, credits);
    }
    if outcome == PaymentOutcome::Credits {
        order.credits_received = credits;
    }
    Ok(order)
}

/// Gives the account of a paid order what the order is for; what that is, and what it adds to the balance.
pub(crate) async fn fulfil(
    app: &App,
    tx: &mut Tx,
    order: &Order,
    first_recharge: bool,
) -> Result<(PaymentOutcome, Paise)> {
    let standing = storage::accounts::users::lock(tx, order.user).await?;
    if standing.is_none_or(|standing| standing.is_closed) {
        return Ok((PaymentOutcome::AccountClosed, Paise::ZERO));
    }
    let (outcome, kind, credits) = match order.purpose {
        Purpose::Credits => {
            let factor = if first_recharge { 2 } else { 1 };
            let credits = Paise::new(order.amount.get().saturating_mul(factor));
            (PaymentOutcome::Credits, LedgerKind::Recharge, credits)
        }
        Purpose::PremiumPlan => {
            if !storage::accounts::users::make_premium(tx, order.user, app.now()).await? {
                return Ok((PaymentOutcome::AlreadyPremium, Paise::ZERO));
            }
            (PaymentOutcome::PremiumPlan, LedgerKind::Premium, Paise::ZERO)
        }
    };
    let entry = storage::payments::ledger::Entry {
        id: app.id::<LedgerId>(),
        user: order.user,
        kind,
        amount: credits,
        reference: Some(order.id.to_string()),
        event: None,
        at: app.now(),
    };
    storage::payments::ledger::grant(tx, &entry).await?;
    storage::payments::orders::record_credits(tx, order.id, credits).await?;
    Ok((outcome, credits))
}

async fn settle_other_amount(
    app: &App,
    mut tx: Tx,
    order: Order,
    payment: &ProviderPayment,
) -> Result<Order> {
    let reason =
        format!("payment {} is over {}, the order over {}", payment.payment_id, payment.amount, order.amount);
    let row = row(app, &order, payment, PaymentOutcome::AmountMismatch, Paise::ZERO);
    let new = record(&mut tx, &order, &row).await?;
    let failed = storage::payments::orders::fail(&mut tx, order.id, &reason, app.now()).await?;
    tx.commit().await?;
    if new {
        report(&order, payment, PaymentOutcome::AmountMismatch, Paise::ZERO);
    }
    let status = if failed { OrderStatus::Failed } else { order.status };
    Ok(Order { status, ..order })
}

/// Records a payment and reports it; false when it was recorded before.
async fn record(tx: &mut Tx, order: &Order, payment: &Payment) -> Result<bool> {
    let new = storage::payments::record(tx, payment).await?;
    if new {
        reports::payment_captured(tx, order, payment).await?;
    }
    Ok(new)
}

fn row(
    app: &App,
    order: &Order,
    payment: &ProviderPayment,
    outcome: PaymentOutcome,
    credits: Paise,
) -> Payment {
    Payment {
        provider: order.provider.clone(),
        payment_id: payment.payment_id.clone(),
        order: order.id,
        user: order.user,
        amount: payment.amount,
        outcome,
        credits,
        captured_at: app.now(),
    }
}

fn report(order: &Order, payment: &ProviderPayment, outcome: PaymentOutcome, credits: Paise) {
    let (id, amount) = (&payment.payment_id, payment.amount);
    match outcome.refund_reason() {
        None => {
            tracing::info!(order = %order.id, payment = id, purpose = order.purpose.as_str(), %amount, received = %credits, "a payment counts");
        }
        Some(reason) => {
            tracing::error!(order = %order.id, payment = id, %amount, reason, "a payment bought nothing; a refund is due: see `afterglow payment refunds`");
        }
    }
}
