//! Taking back what the refunded part of a payment bought.

use domain::payments::{Payment, PaymentOutcome, Refund};
use domain::{Paise, Refusal};

use crate::Result;
use crate::operations::runtime::queue::Tx;
use crate::payments::bookkeeping::Bookkeeping;
use crate::payments::invoices;

/// Takes back what the part of a payment bought that `refund` returns, beside the others of its refunds.
pub(super) async fn take(
    books: &Bookkeeping<'_>,
    tx: &mut Tx,
    payment: &Payment,
    refund: &mut Refund,
    others: &[Refund],
) -> Result<()> {
    let total = returned(others).get() + refund.amount.get();
    match payment.outcome {
        PaymentOutcome::Credits => {
            let before: i64 = others
                .iter()
                .filter(|other| other.status.returns_money())
                .map(|other| other.credits_taken.get() + other.credits_missing.get())
                .sum();
            let due = Paise::new((share(payment, total).get() - before).max(0));
            let entry = books.refund_entry(payment, refund.id, due);
            refund.credits_taken = storage::payments::ledger::withdraw_up_to(tx, &entry).await?;
            refund.credits_missing = Paise::new(due.get() - refund.credits_taken.get());
        }
        PaymentOutcome::PremiumPlan if total >= payment.amount.get() => {
            // Another payment that bought nothing pays for the plan from now on.
            if let Some(useless) = promote_premium(books, tx, payment).await? {
                storage::accounts::users::end_premium(tx, payment.user).await?;
                // What settled another payment at the same moment had locked the account, so that its payment can be seen now.
                // This refund is applied anew then: the order of that payment has to be locked before the account.
                let spare = storage::payments::spare_premium(&mut **tx, payment.user).await?;
                if spare.iter().any(|spare| !useless.contains(spare)) {
                    return Err(Refusal::Busy.into());
                }
            }
        }
        PaymentOutcome::PremiumPlan
        | PaymentOutcome::OrderAlreadyPaid
        | PaymentOutcome::AlreadyPremium
        | PaymentOutcome::AccountClosed
        | PaymentOutcome::AmountMismatch
        | PaymentOutcome::CouponUsedUp => {}
    }
    Ok(())
}

/// Lets a payment of the account that bought nothing, since the account had the premium plan, pay for that plan from now on.
/// Where there is none that is not refunded and whose order has a use of its coupon, or the account is closed, the answer is
/// those that were looked at. Refunds of a payment are recorded under the lock of its order, so that none comes while it
/// begins to count.
async fn promote_premium(
    books: &Bookkeeping<'_>,
    tx: &mut Tx,
    refunded: &Payment,
) -> Result<Option<Vec<Payment>>> {
    if storage::payments::has_other_premium(&mut **tx, refunded.user, &refunded.payment_id).await? {
        return Ok(None);
    }
    let looked_at = storage::payments::spare_premium(&mut **tx, refunded.user).await?;
    for spare in looked_at.clone() {
        let order = storage::payments::orders::lock(tx, spare.order).await?;
        if !storage::payments::spare_premium(&mut **tx, refunded.user).await?.contains(&spare) {
            continue;
        }
        // Read without a lock: another order may have to be locked, and accounts come after orders.
        if storage::accounts::users::by_id(&mut **tx, refunded.user).await?.is_none() {
            return Ok(Some(looked_at));
        }
        let has_coupon = order.is_some_and(|order| order.coupon.is_some());
        let paid_at = spare.captured_at;
        if has_coupon && !storage::payments::coupons::spend(tx, spare.order, paid_at, books.now()).await? {
            continue;
        }
        let outcome = PaymentOutcome::PremiumPlan;
        storage::payments::set_bought(tx, &spare, outcome, Paise::ZERO).await?;
        invoices::issue(tx, books.seller, books.now(), &Payment { outcome, ..spare }).await?;
        return Ok(None);
    }
    Ok(Some(looked_at))
}

/// What refunds return in all.
pub(super) fn returned(refunds: &[Refund]) -> Paise {
    let amounts = refunds.iter().filter(|refund| refund.status.returns_money());
    Paise::new(amounts.map(|refund| refund.amount.get()).sum())
}

/// What of a payment's credits the first `amount` paise of it bought, the doubled part included.
fn share(payment: &Payment, amount: i64) -> Paise {
    let share = i128::from(payment.credits.get()) * i128::from(amount) / i128::from(payment.amount.get());
    Paise::new(i64::try_from(share).unwrap_or(i64::MAX)).min(payment.credits)
}
