//! Refunds: asked for by an operator, reported by the provider, and taken back from the balance.

use domain::payments::{Payment, PaymentOutcome, Refund, RefundStatus};
use domain::{Paise, RefundId, Refusal};
use gateway::PaymentError;
use gateway::payments::{ProviderRefund, RefundState};
use storage::payments::early_refunds::{self, EarlyRefund};

use crate::Result;
use crate::operations::runtime::queue::Tx;
use crate::payments::bookkeeping::Bookkeeping;
use crate::payments::withdrawals::{returned, take};
use crate::payments::{invoices, second_payments};
use crate::webhooks::reports;

impl Bookkeeping<'_> {
    /// Asks the provider to return what is left of a payment, and records the answer. Repeated after an interruption, it
    /// goes on with the same refund.
    ///
    /// # Errors
    /// A refusal for an unknown payment, one that is refunded already, or one that the provider refuses to refund.
    pub(crate) async fn request_refund(&self, payment_id: &str) -> Result<Refund> {
        let provider = self.payments.provider();
        let payment = storage::payments::by_id(self.db, provider, payment_id).await?;
        let payment = payment.ok_or(Refusal::PaymentNotFound)?;
        let refund = self.begin_refund(&payment).await?;
        let key = refund.id.to_string();
        match self.payments.refund(payment_id, refund.amount, &key).await {
            Ok(report) => {
                let applied = self.apply_report(&report).await?;
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
    async fn begin_refund(&self, payment: &Payment) -> Result<Refund> {
        let mut tx = self.begin().await?;
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
        let mut tx = self.begin().await?;
        storage::payments::orders::lock(&mut tx, payment.order).await?;
        // A webhook may have reported it in the meantime.
        let now = storage::payments::refunds::by_id(&mut *tx, refund.id).await?;
        if now.is_some_and(|now| now.status == RefundStatus::Requested) {
            let refused = Refund {
                status: RefundStatus::Failed,
                failure: Some(text.to_owned()),
                settled_at: Some(self.now()),
                ..refund
            };
            storage::payments::refunds::update(&mut tx, &refused).await?;
            tx.commit().await?;
        }
        Ok(())
    }

    /// Applies what the provider says about a refund, and answers the refund. One of a payment that is not known here is kept
    /// until it is. However often and in whatever order reports arrive, the balance changes once.
    pub(crate) async fn apply_report(&self, report: &ProviderRefund) -> Result<Option<Refund>> {
        let provider = self.payments.provider();
        let payment = storage::payments::by_id(self.db, provider, &report.payment_id).await?;
        let Some(payment) = payment else {
            self.keep(report).await?;
            return Ok(None);
        };
        let refunds = self.apply_reports(&payment, std::slice::from_ref(report)).await?;
        Ok(refunds.into_iter().find(|refund| is_about(report, refund)))
    }

    /// Applies what the provider says about refunds of a payment, and what is kept of them; answers all refunds of it.
    pub(crate) async fn apply_reports(
        &self,
        payment: &Payment,
        reports: &[ProviderRefund],
    ) -> Result<Vec<Refund>> {
        let mut tx = self.begin().await?;
        storage::payments::orders::lock(&mut tx, payment.order).await?;
        let changed = self.apply_all(&mut tx, &payment.provider, &payment.payment_id, reports).await?;
        let refunds = of(&mut tx, payment).await?;
        tx.commit().await?;
        changed.iter().for_each(log);
        Ok(refunds)
    }

    /// Keeps a refund of a payment that is not known here.
    async fn keep(&self, report: &ProviderRefund) -> Result<()> {
        let early = EarlyRefund {
            provider: self.payments.provider().to_owned(),
            refund_id: report.refund_id.clone(),
            payment_id: report.payment_id.clone(),
            amount: report.amount,
            receipt: report.receipt.clone(),
            status: status(report.state),
            received_at: self.now(),
        };
        let mut tx = self.begin().await?;
        early_refunds::keep(&mut tx, &early).await?;
        tx.commit().await?;
        let ProviderRefund { payment_id, refund_id, amount, .. } = report;
        tracing::info!(payment = payment_id, refund = refund_id, %amount, "a refund is kept until its payment is known");
        Ok(())
    }

    /// Applies refunds of a payment that is recorded, those first that were kept until it was. The transaction has locked the
    /// order. Answers the refunds that have changed.
    pub(crate) async fn apply_all(
        &self,
        tx: &mut Tx,
        provider: &str,
        payment_id: &str,
        reports: &[ProviderRefund],
    ) -> Result<Vec<Refund>> {
        let kept = early_refunds::take(tx, provider, payment_id).await?;
        let mut changed = Vec::new();
        for report in kept.into_iter().map(reported).chain(reports.iter().cloned()) {
            let payment = storage::payments::by_id(&mut **tx, provider, payment_id).await?;
            let payment = payment.ok_or(Refusal::PaymentNotFound)?;
            changed.extend(self.apply(tx, &payment, &report).await?);
        }
        if let Some(payment) = storage::payments::by_id(&mut **tx, provider, payment_id).await? {
            second_payments::let_another_count(self, tx, payment.order).await?;
            invoices::issue_notes(tx, self.now(), &payment).await?;
        }
        Ok(changed)
    }

    /// Applies one report; none when it changes nothing.
    async fn apply(&self, tx: &mut Tx, payment: &Payment, report: &ProviderRefund) -> Result<Option<Refund>> {
        let refunds = of(tx, payment).await?;
        let known = refunds.iter().find(|refund| is_about(report, refund));
        let mut refund = match known {
            Some(known) => known.clone(),
            None => {
                let refund = self.new_refund(payment, report.amount, Some(&report.refund_id));
                storage::payments::refunds::create(tx, &refund).await?;
                refund
            }
        };
        let next = status(report.state);
        if !refund.status.can_become(next) {
            return Ok(None);
        }
        let others: Vec<Refund> = refunds.into_iter().filter(|other| other.id != refund.id).collect();
        match (refund.status.returns_money(), next.returns_money()) {
            (false, true) => take(self, tx, payment, &mut refund, &others).await?,
            (true, false) => self.give_back(tx, payment, &mut refund).await?,
            (false, false) | (true, true) => {}
        }
        refund.status = next;
        refund.refund_id = Some(report.refund_id.clone());
        refund.settled_at = Some(self.now());
        if next == RefundStatus::Failed {
            refund.failure = Some(String::from("the provider could not return the money"));
        }
        storage::payments::refunds::update(tx, &refund).await?;
        if next == RefundStatus::Processed {
            reports::payment_refunded(tx, payment, &refund, self.now()).await?;
        }
        Ok(Some(refund))
    }

    /// Gives back what a refund took that failed later.
    async fn give_back(&self, tx: &mut Tx, payment: &Payment, refund: &mut Refund) -> Result<()> {
        if refund.credits_taken > Paise::ZERO {
            let entry = self.refund_entry(payment, refund.id, refund.credits_taken);
            storage::payments::ledger::grant(tx, &entry).await?;
        }
        if payment.outcome == PaymentOutcome::PremiumPlan {
            let id = &payment.payment_id;
            if storage::payments::has_other_premium(&mut **tx, payment.user, id).await? {
                // Another payment has taken its place.
                let outcome = PaymentOutcome::AlreadyPremium;
                storage::payments::set_bought(tx, payment, outcome, Paise::ZERO).await?;
            } else {
                storage::accounts::users::make_premium(tx, payment.user, self.now()).await?;
            }
        }
        refund.credits_taken = Paise::ZERO;
        refund.credits_missing = Paise::ZERO;
        Ok(())
    }

    fn new_refund(&self, payment: &Payment, amount: Paise, refund_id: Option<&str>) -> Refund {
        Refund {
            id: self.id::<RefundId>(),
            provider: payment.provider.clone(),
            payment_id: payment.payment_id.clone(),
            refund_id: refund_id.map(str::to_owned),
            amount,
            status: RefundStatus::Requested,
            failure: None,
            credits_taken: Paise::ZERO,
            credits_missing: Paise::ZERO,
            created_at: self.now(),
            settled_at: None,
        }
    }
}

async fn of(tx: &mut Tx, payment: &Payment) -> Result<Vec<Refund>> {
    Ok(storage::payments::refunds::of_payment(&mut **tx, &payment.provider, &payment.payment_id).await?)
}

/// Whether a report is about this refund. One that the provider has refused is over: where it made it all the same, as when the
/// answer to a first request was lost, what it reports is another one.
pub(crate) fn is_about(report: &ProviderRefund, refund: &Refund) -> bool {
    match &refund.refund_id {
        Some(id) => *id == report.refund_id,
        None => {
            refund.status == RefundStatus::Requested
                && report.receipt.as_deref() == Some(refund.id.to_string().as_str())
        }
    }
}

/// A state at the provider.
pub(crate) const fn status(state: RefundState) -> RefundStatus {
    match state {
        RefundState::Pending => RefundStatus::Pending,
        RefundState::Processed => RefundStatus::Processed,
        RefundState::Failed => RefundStatus::Failed,
    }
}

/// What was reported of a refund that was kept.
fn reported(early: EarlyRefund) -> ProviderRefund {
    ProviderRefund {
        refund_id: early.refund_id,
        payment_id: early.payment_id,
        amount: early.amount,
        receipt: early.receipt,
        state: match early.status {
            RefundStatus::Requested | RefundStatus::Pending => RefundState::Pending,
            RefundStatus::Processed => RefundState::Processed,
            RefundStatus::Failed => RefundState::Failed,
        },
    }
}

/// Writes to the log what has become of a refund.
pub(crate) fn log(refund: &Refund) {
    tracing::info!(
        payment = refund.payment_id, refund = %refund.id, amount = %refund.amount, status = refund.status.as_str(),
        taken = %refund.credits_taken, missing = %refund.credits_missing, "a refund"
    );
}
