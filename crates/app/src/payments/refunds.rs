//! Refunds: asked for by an operator, reported by the provider, and taken back from the balance.

use domain::payments::ledger::LedgerKind;
use domain::payments::{Payment, PaymentOutcome, Refund, RefundStatus};
use domain::{Clock, LedgerId, Paise, Randomness, RefundId, Refusal};
use gateway::payments::{ProviderRefund, RefundState};
use gateway::{PaymentError, Payments};
use storage::{Db, Tx};

use crate::operations::runtime::queue::JobQueue;
use crate::webhooks::reports;
use crate::{App, Result};

/// What refunds are made with, in a server and in an operator's command.
pub(crate) struct Refunding<'a> {
    pub(crate) db: &'a Db,
    pub(crate) queue: &'a JobQueue,
    pub(crate) clock: &'a Clock,
    pub(crate) randomness: &'a Randomness,
    pub(crate) payments: &'a Payments,
}

/// Applies a refund that a webhook reports, whether it was asked for here or in the provider's dashboard.
pub(crate) async fn apply_report(app: &App, report: &ProviderRefund) -> Result<()> {
    let refunding = Refunding {
        db: &app.db,
        queue: &app.queue,
        clock: &app.clock,
        randomness: &app.randomness,
        payments: &app.payments,
    };
    refunding.apply(report).await?;
    Ok(())
}

impl Refunding<'_> {
    /// Asks the provider to return what is left of a payment, and records the answer. Repeated after an interruption, it
    /// goes on with the same refund.
    ///
    /// # Errors
    /// A refusal for an unknown payment, one that is refunded already, or one that the provider refuses to refund.
    pub(crate) async fn request(&self, payment_id: &str) -> Result<Refund> {
        let provider = self.payments.provider();
        let payment = storage::payments::by_id(self.db, provider, payment_id).await?;
        let payment = payment.ok_or(Refusal::PaymentNotFound)?;
        let refund = self.begin(&payment).await?;
        let key = refund.id.to_string();
        match self.payments.refund(payment_id, refund.amount, &key).await {
            Ok(report) => {
                let applied = self.apply(&report).await?;
                Ok(applied.unwrap_or(refund))
            }
            Err(PaymentError::Refused(text)) => {
                self.refuse(&payment, refund, &text).await?;
                Err(Refusal::Malformed(format!("The payment provider refused the refund: {text}")).into())
            }
            Err(error) => Err(error.into()),
        }
    }

    /// The refund that is to be asked for: one whose answer is missing, or a new one over what is left.
    async fn begin(&self, payment: &Payment) -> Result<Refund> {
        let mut tx = self.db.begin().await?;
        storage::payments::orders::lock(&mut tx, payment.order).await?;
        let refunds = of(&mut tx, payment).await?;
        if let Some(requested) = refunds.iter().find(|refund| refund.status == RefundStatus::Requested) {
            return Ok(requested.clone());
        }
        let amount = Paise::new(payment.amount.get() - returned(&refunds).get());
        if amount <= Paise::ZERO {
            return Err(Refusal::PaymentRefunded.into());
        }
        let refund = self.new_refund(payment, amount, None);
        storage::payments::refunds::create(&mut tx, &refund).await?;
        tx.commit().await?;
        Ok(refund)
    }

    async fn refuse(&self, payment: &Payment, refund: Refund, text: &str) -> Result<()> {
        let mut tx = self.db.begin().await?;
        storage::payments::orders::lock(&mut tx, payment.order).await?;
        // A webhook may have reported it in the meantime.
        let now = storage::payments::refunds::by_id(&mut tx, refund.id).await?;
        if now.is_some_and(|now| now.status == RefundStatus::Requested) {
            let refused = Refund {
                status: RefundStatus::Failed,
                failure: Some(text.to_owned()),
                settled_at: Some(self.clock.now()),
                ..refund
            };
            storage::payments::refunds::update(&mut tx, &refused).await?;
            tx.commit().await?;
        }
        Ok(())
    }

    /// Applies what the provider says about a refund; none when the payment is not ours. However often and in whatever
    /// order reports arrive, the balance changes once.
    pub(crate) async fn apply(&self, report: &ProviderRefund) -> Result<Option<Refund>> {
        let provider = self.payments.provider();
        let payment = storage::payments::by_id(self.db, provider, &report.payment_id).await?;
        let Some(payment) = payment else {
            tracing::info!(payment = report.payment_id, "a refund of a payment that is not ours");
            return Ok(None);
        };
        let mut tx = self.queue.begin().await?;
        storage::payments::orders::lock(&mut tx, payment.order).await?;
        let refunds = of(&mut tx, &payment).await?;
        let known = refunds.iter().find(|refund| is_about(report, refund));
        let mut refund = match known {
            Some(known) => known.clone(),
            None => {
                let refund = self.new_refund(&payment, report.amount, Some(&report.refund_id));
                storage::payments::refunds::create(&mut tx, &refund).await?;
                refund
            }
        };
        let next = match report.state {
            RefundState::Pending => RefundStatus::Pending,
            RefundState::Processed => RefundStatus::Processed,
            RefundState::Failed => RefundStatus::Failed,
        };
        if !refund.status.can_become(next) {
            return Ok(Some(refund));
        }
        let others: Vec<Refund> = refunds.into_iter().filter(|other| other.id != refund.id).collect();
        match (returns_money(refund.status), returns_money(next)) {
            (false, true) => self.take(&mut tx, &payment, &mut refund, &others).await?,
            (true, false) => self.give_back(&mut tx, &payment, &mut refund).await?,
            (false, false) | (true, true) => {}
        }
        refund.status = next;
        refund.refund_id = Some(report.refund_id.clone());
        refund.settled_at = Some(self.clock.now());
        storage::payments::refunds::update(&mut tx, &refund).await?;
        if next == RefundStatus::Processed {
            reports::payment_refunded(&mut tx, &payment, &refund, self.clock.now()).await?;
        }
        tx.commit().await?;
        tracing::info!(
            payment = payment.payment_id, refund = %refund.id, amount = %refund.amount, status = next.as_str(),
            taken = %refund.credits_taken, missing = %refund.credits_missing, "a refund"
        );
        Ok(Some(refund))
    }

    /// Takes back what the refunded part of a payment bought.
    async fn take(
        &self,
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
                    .filter(|other| returns_money(other.status))
                    .map(|other| other.credits_taken.get() + other.credits_missing.get())
                    .sum();
                let due = Paise::new((share(payment, total).get() - before).max(0));
                let entry = self.entry(payment, refund.id, due);
                refund.credits_taken = storage::payments::ledger::withdraw_up_to(tx, &entry).await?;
                refund.credits_missing = Paise::new(due.get() - refund.credits_taken.get());
            }
            PaymentOutcome::PremiumPlan if total >= payment.amount.get() => {
                // Another payment that bought nothing pays for the plan from now on.
                if !storage::payments::promote_premium(tx, payment.user).await? {
                    storage::accounts::users::end_premium(tx, payment.user).await?;
                }
            }
            PaymentOutcome::PremiumPlan
            | PaymentOutcome::OrderAlreadyPaid
            | PaymentOutcome::AlreadyPremium
            | PaymentOutcome::AccountClosed
            | PaymentOutcome::AmountMismatch => {}
        }
        Ok(())
    }

    /// Gives back what a refund took that failed later.
    async fn give_back(&self, tx: &mut Tx, payment: &Payment, refund: &mut Refund) -> Result<()> {
        if refund.credits_taken > Paise::ZERO {
            storage::payments::ledger::grant(tx, &self.entry(payment, refund.id, refund.credits_taken))
                .await?;
        }
        if payment.outcome == PaymentOutcome::PremiumPlan {
            storage::accounts::users::make_premium(tx, payment.user, self.clock.now()).await?;
        }
        refund.credits_taken = Paise::ZERO;
        refund.credits_missing = Paise::ZERO;
        refund.failure = Some(String::from("the provider could not return the money"));
        Ok(())
    }

    fn new_refund(&self, payment: &Payment, amount: Paise, refund_id: Option<&str>) -> Refund {
        Refund {
            id: self.randomness.id::<RefundId>(self.clock),
            provider: payment.provider.clone(),
            payment_id: payment.payment_id.clone(),
            refund_id: refund_id.map(str::to_owned),
            amount,
            status: RefundStatus::Requested,
            failure: None,
            credits_taken: Paise::ZERO,
            credits_missing: Paise::ZERO,
            created_at: self.clock.now(),
            settled_at: None,
        }
    }

    fn entry(&self, payment: &Payment, refund: RefundId, amount: Paise) -> storage::payments::ledger::Entry {
        storage::payments::ledger::Entry {
            id: self.randomness.id::<LedgerId>(self.clock),
            user: payment.user,
            kind: LedgerKind::Adjustment,
            amount,
            reference: Some(refund.to_string()),
            event: None,
            at: self.clock.now(),
        }
    }
}

async fn of(tx: &mut Tx, payment: &Payment) -> Result<Vec<Refund>> {
    Ok(storage::payments::refunds::of_payment(tx, &payment.provider, &payment.payment_id).await?)
}

fn is_about(report: &ProviderRefund, refund: &Refund) -> bool {
    match &refund.refund_id {
        Some(id) => *id == report.refund_id,
        None => report.receipt.as_deref() == Some(refund.id.to_string().as_str()),
    }
}

const fn returns_money(status: RefundStatus) -> bool {
    matches!(status, RefundStatus::Pending | RefundStatus::Processed)
}

/// What refunds return in all.
fn returned(refunds: &[Refund]) -> Paise {
    let amounts = refunds.iter().filter(|refund| returns_money(refund.status));
    Paise::new(amounts.map(|refund| refund.amount.get()).sum())
}

/// What of a payment's credits the first `amount` paise of it bought, the doubled part included.
fn share(payment: &Payment, amount: i64) -> Paise {
    let share = i128::from(payment.credits.get()) * i128::from(amount) / i128::from(payment.amount.get());
    Paise::new(i64::try_from(share).unwrap_or(i64::MAX)).min(payment.credits)
}
