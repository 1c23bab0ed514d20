//! Settling a captured payment: it is recorded once, buys what its order is for, or nothing, and its refunds are taken back.

use domain::payments::ledger::LedgerKind;
use domain::payments::orders::{Order, OrderStatus, Purpose};
use domain::payments::{Payment, PaymentOutcome};
use domain::{LedgerId, OrderId, Paise, Refusal};
use gateway::payments::ProviderPayment;
use storage::payments::orders::Payment as Paid;

use crate::Result;
use crate::operations::runtime::queue::Tx;
use crate::payments::bookkeeping::Bookkeeping;
use crate::payments::{invoices, refunds};
use crate::webhooks::reports;

/// Settles a captured payment with the refunds of it that the provider has told, in one transaction: what was returned cannot
/// be spent. Answers the order as it is then; it is paid unless the payment is over another amount, or has a coupon without a
/// use. However often it is repeated, the payment counts once.
///
/// # Errors
/// [`Refusal::OrderNotFound`], or [`Refusal::PaymentNotVerified`] for a payment of another order.
pub(crate) async fn settle(
    books: &Bookkeeping<'_>,
    order: OrderId,
    payment: &ProviderPayment,
) -> Result<Order> {
    let mut tx = books.begin().await?;
    let order = storage::payments::orders::lock(&mut tx, order).await?.ok_or(Refusal::OrderNotFound)?;
    let known = storage::payments::by_id(&mut *tx, &order.provider, &payment.payment_id).await?;
    let (order, recorded) = match known {
        Some(known) if known.order != order.id => return Err(Refusal::PaymentNotVerified.into()),
        Some(_) => (order, None),
        None => {
            let (order, recorded) = record(books, &mut tx, order, payment).await?;
            (order, Some(recorded))
        }
    };
    let returned = books.apply_all(&mut tx, &order.provider, &payment.payment_id, &payment.refunds).await?;
    if recorded.is_some() {
        issue_invoice(books, &mut tx, &order.provider, &payment.payment_id).await?;
    }
    tx.commit().await?;
    if let Some(recorded) = recorded {
        report(books, &order, &recorded);
    }
    returned.iter().for_each(refunds::log);
    Ok(order)
}

/// Makes the invoice of a payment that was recorded just now, if it counts once its refunds are applied, and their notes.
async fn issue_invoice(books: &Bookkeeping<'_>, tx: &mut Tx, provider: &str, id: &str) -> Result<()> {
    if let Some(payment) = storage::payments::by_id(&mut **tx, provider, id).await? {
        invoices::issue(tx, books.seller, books.now(), &payment).await?;
        invoices::issue_notes(tx, books.now(), &payment).await?;
    }
    Ok(())
}

/// Records a payment that is not recorded, with what it buys.
async fn record(
    books: &Bookkeeping<'_>,
    tx: &mut Tx,
    order: Order,
    payment: &ProviderPayment,
) -> Result<(Order, Payment)> {
    let (order, outcome, credits) = if payment.amount == order.amount {
        buy(books, tx, order, payment).await?
    } else {
        let ProviderPayment { payment_id, amount, .. } = payment;
        let reason = format!("payment {payment_id} is over {amount}, the order over {}", order.amount);
        let order = fail(books, tx, order, &reason).await?;
        (order, PaymentOutcome::AmountMismatch, Paise::ZERO)
    };
    let recorded = Payment {
        provider: order.provider.clone(),
        payment_id: payment.payment_id.clone(),
        order: order.id,
        user: order.user,
        amount: payment.amount,
        outcome,
        credits,
        captured_at: books.now(),
    };
    storage::payments::record(tx, &recorded).await?;
    reports::payment_captured(tx, &order, &recorded).await?;
    Ok((order, recorded))
}

/// What a payment over an order's amount buys.
async fn buy(
    books: &Bookkeeping<'_>,
    tx: &mut Tx,
    order: Order,
    payment: &ProviderPayment,
) -> Result<(Order, PaymentOutcome, Paise)> {
    let (id, now) = (&payment.payment_id, books.now());
    let paid_at = payment.made_at.unwrap_or(now);
    match storage::payments::orders::mark_paid(tx, order.id, id, paid_at, now).await? {
        Paid::Accepted { order, first_recharge } => {
            let (outcome, credits) = fulfil(books, tx, &order, first_recharge).await?;
            if outcome.refund_reason().is_some() {
                storage::payments::coupons::release_spent(tx, order.id).await?;
            }
            Ok((Order { credits_received: credits, ..order }, outcome, credits))
        }
        Paid::Repeated(order) => Ok((order, PaymentOutcome::OrderAlreadyPaid, Paise::ZERO)),
        Paid::NoUseLeft(order) => {
            let reason = format!("payment {id} came when the coupon had no use left");
            let order = fail(books, tx, order, &reason).await?;
            Ok((order, PaymentOutcome::CouponUsedUp, Paise::ZERO))
        }
        Paid::OfAnotherOrder => Err(Refusal::PaymentNotVerified.into()),
        Paid::Missing => Err(Refusal::OrderNotFound.into()),
    }
}

/// Gives the account of a paid order what the order is for; what that is, and what it adds to the balance.
pub(crate) async fn fulfil(
    books: &Bookkeeping<'_>,
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
            if !storage::accounts::users::make_premium(tx, order.user, books.now()).await? {
                return Ok((PaymentOutcome::AlreadyPremium, Paise::ZERO));
            }
            (PaymentOutcome::PremiumPlan, LedgerKind::Premium, Paise::ZERO)
        }
    };
    let entry = storage::payments::ledger::Entry {
        id: books.id::<LedgerId>(),
        user: order.user,
        kind,
        amount: credits,
        reference: Some(order.id.to_string()),
        event: None,
        at: books.now(),
    };
    storage::payments::ledger::grant(tx, &entry).await?;
    storage::payments::orders::record_credits(tx, order.id, credits).await?;
    Ok((outcome, credits))
}

/// Ends the order of a payment that bought nothing, unless it is paid.
async fn fail(books: &Bookkeeping<'_>, tx: &mut Tx, order: Order, reason: &str) -> Result<Order> {
    let failed = storage::payments::orders::fail(tx, order.id, reason, books.now()).await?;
    let status = if failed { OrderStatus::Failed } else { order.status };
    Ok(Order { status, ..order })
}

fn report(books: &Bookkeeping<'_>, order: &Order, payment: &Payment) {
    let (id, amount, outcome) = (&payment.payment_id, payment.amount, payment.outcome);
    if let Some(metrics) = books.metrics {
        match outcome {
            PaymentOutcome::Credits => metrics.record_ledger_entry(LedgerKind::Recharge),
            PaymentOutcome::PremiumPlan => metrics.record_ledger_entry(LedgerKind::Premium),
            _ => {}
        }
    }
    match outcome.refund_reason() {
        None => {
            tracing::info!(order = %order.id, payment = id, purpose = order.purpose.as_str(), %amount, received = %payment.credits, "a payment counts");
        }
        Some(reason) => {
            tracing::error!(order = %order.id, payment = id, %amount, reason, "a payment bought nothing; a refund is due: see `afterglow payment refunds`");
        }
    }
}
