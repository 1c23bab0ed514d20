//! Orders that were paid more than once: when the payment that counts is returned, another one counts in its place.

use domain::payments::{Payment, PaymentOutcome, Refund};
use domain::{OrderId, Paise};

use crate::Result;
use crate::operations::runtime::queue::Tx;
use crate::payments::bookkeeping::Bookkeeping;
use crate::payments::invoices;
use crate::payments::withdrawals::{returned, take};

/// Lets another payment of an order count where the one that counts is returned in full, whichever of them came first. One of
/// a closed account stays due. The transaction has locked the order.
pub(super) async fn let_another_count(books: &Bookkeeping<'_>, tx: &mut Tx, order: OrderId) -> Result<()> {
    let payments = storage::payments::of_order(&mut **tx, order).await?;
    if payments.len() < 2 {
        return Ok(());
    }
    let counting = payments.iter().find(|payment| payment.outcome.refund_reason().is_none());
    let Some(counting) = counting else { return Ok(()) };
    if !is_returned(tx, counting).await? {
        return Ok(());
    }
    for spare in payments.iter().filter(|payment| payment.outcome == PaymentOutcome::OrderAlreadyPaid) {
        if is_returned(tx, spare).await? {
            continue;
        }
        // Locked after the order, so that the account is not closed while the payment begins to count.
        let standing = storage::accounts::users::lock(tx, spare.user).await?;
        if standing.is_none_or(|standing| standing.is_closed) {
            return Ok(());
        }
        if counting.outcome == PaymentOutcome::Credits {
            move_credits(books, tx, counting, spare).await?;
        } else if storage::accounts::users::make_premium(tx, spare.user, books.now()).await? {
            storage::payments::set_bought(tx, spare, PaymentOutcome::PremiumPlan, Paise::ZERO).await?;
        } else {
            // The account has the plan otherwise.
            return Ok(());
        }
        let counts = storage::payments::by_id(&mut **tx, &spare.provider, &spare.payment_id).await?;
        if let Some(counts) = counts {
            invoices::issue(tx, books.seller, books.now(), &counts).await?;
            invoices::issue_notes(tx, books.now(), &counts).await?;
        }
        storage::payments::orders::set_payment(tx, order, &spare.payment_id).await?;
        let (payment, instead_of) = (&spare.payment_id, &counting.payment_id);
        tracing::info!(%order, payment, instead_of, "another payment of an order counts");
        return Ok(());
    }
    Ok(())
}

/// Lets `to` have bought the credits that `from` bought: refunds of the one give back what they took, and those of the other
/// take their part.
async fn move_credits(books: &Bookkeeping<'_>, tx: &mut Tx, from: &Payment, to: &Payment) -> Result<()> {
    for mut refund in of(tx, from).await? {
        if refund.credits_taken > Paise::ZERO {
            let entry = books.refund_entry(from, refund.id, refund.credits_taken);
            storage::payments::ledger::grant(tx, &entry).await?;
        }
        refund.credits_taken = Paise::ZERO;
        refund.credits_missing = Paise::ZERO;
        storage::payments::refunds::update(tx, &refund).await?;
    }
    storage::payments::set_bought(tx, from, PaymentOutcome::OrderAlreadyPaid, Paise::ZERO).await?;
    storage::payments::set_bought(tx, to, from.outcome, from.credits).await?;
    let to = Payment { outcome: from.outcome, credits: from.credits, ..to.clone() };
    let mut done = Vec::new();
    for mut refund in of(tx, &to).await? {
        if refund.status.returns_money() {
            take(books, tx, &to, &mut refund, &done).await?;
            storage::payments::refunds::update(tx, &refund).await?;
            done.push(refund);
        }
    }
    Ok(())
}

async fn is_returned(tx: &mut Tx, payment: &Payment) -> Result<bool> {
    Ok(returned(&of(tx, payment).await?) >= payment.amount)
}

async fn of(tx: &mut Tx, payment: &Payment) -> Result<Vec<Refund>> {
    Ok(storage::payments::refunds::of_payment(&mut **tx, &payment.provider, &payment.payment_id).await?)
}
