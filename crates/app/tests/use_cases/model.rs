//! What must hold of an account, without database or provider.

use domain::payments::PaymentOutcome;
use domain::payments::orders::Purpose;
use gateway::payments::PaymentProof;

/// An order as the model sees it.
pub(crate) struct ModelOrder {
    pub(crate) order: String,
    pub(crate) purpose: Purpose,
    pub(crate) paise: i64,
    pub(crate) proof: Option<PaymentProof>,
    pub(crate) open: bool,
    pub(crate) outcome: Option<PaymentOutcome>,
    pub(crate) credits: i64,
    pub(crate) refunded: bool,
}

/// What must hold, without database or provider.
#[derive(Default)]
pub(crate) struct Model {
    pub(crate) balance: i64,
    pub(crate) doubled: bool,
    pub(crate) premium: bool,
    pub(crate) orders: Vec<ModelOrder>,
}

impl Model {
    /// A payment is settled, once.
    pub(crate) fn settle(&mut self, number: usize) {
        let placed = &mut self.orders[number];
        if placed.outcome.is_some() {
            return;
        }
        placed.open = false;
        match placed.purpose {
            Purpose::Credits => {
                placed.credits = if self.doubled { placed.paise } else { placed.paise * 2 };
                self.doubled = true;
                self.balance += placed.credits;
                placed.outcome = Some(PaymentOutcome::Credits);
            }
            Purpose::PremiumPlan => {
                placed.outcome = Some(if self.premium {
                    PaymentOutcome::AlreadyPremium
                } else {
                    PaymentOutcome::PremiumPlan
                });
                self.premium = true;
            }
        }
    }

    pub(crate) fn refund(&mut self, number: usize) {
        let placed = &mut self.orders[number];
        placed.refunded = true;
        match placed.outcome {
            Some(PaymentOutcome::Credits) => self.balance -= placed.credits.min(self.balance),
            Some(PaymentOutcome::PremiumPlan) => {
                let spare = |placed: &&mut ModelOrder| {
                    placed.outcome == Some(PaymentOutcome::AlreadyPremium) && !placed.refunded
                };
                let payment =
                    |placed: &&mut ModelOrder| placed.proof.as_ref().map(|proof| proof.payment_id.clone());
                match self.orders.iter_mut().filter(spare).min_by_key(payment) {
                    Some(other) => other.outcome = Some(PaymentOutcome::PremiumPlan),
                    None => self.premium = false,
                }
            }
            _ => {}
        }
    }
}
