//! Payments without money, for trying the product out.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use domain::{Paise, Randomness};
use secrecy::SecretString;

use super::orders::{
    OrderState, PaymentProof, ProviderOrder, ProviderPayment, ProviderRefund, RefundState, SANDBOX_ORDER,
    is_sandbox_order,
};
use super::signatures::sign_payment;

/// The key id that the page is given.
pub(super) const KEY_ID: &str = "sandbox";
/// How many paid orders are kept; the oldest is dropped first.
const MAX_PAID_ORDERS: usize = 1_000;
/// Random characters of an id.
const ID_LENGTH: usize = 14;

/// An in-process provider that signs with a key of its own. Paid orders are kept in memory, so their state is known to a
/// reconciler in the same process only. Clones share the state.
#[derive(Clone)]
pub struct Sandbox {
    key: SecretString,
    randomness: Randomness,
    paid: Arc<Mutex<VecDeque<(String, ProviderPayment)>>>,
}

impl std::fmt::Debug for Sandbox {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sandbox").finish_non_exhaustive()
    }
}

impl Sandbox {
    pub(super) fn new(key: SecretString, randomness: Randomness) -> Self {
        Self { key, randomness, paid: Arc::default() }
    }

    pub(super) const fn key(&self) -> &SecretString {
        &self.key
    }

    pub(super) fn create_order(&self, amount: Paise, receipt: &str) -> ProviderOrder {
        let id = format!("{SANDBOX_ORDER}{}", self.randomness.alphanumeric(ID_LENGTH));
        ProviderOrder { id, amount, receipt: receipt.to_owned() }
    }

    /// Pays an order as the page's test dialog does; `amount` is the order's. Paying it again gives the same proof.
    /// None for an order of another provider.
    pub fn pay(&self, order_id: &str, amount: Paise) -> Option<PaymentProof> {
        if !is_sandbox_order(order_id) {
            return None;
        }
        let mut paid = self.paid.lock().unwrap_or_else(PoisonError::into_inner);
        let payment_id = match paid.iter().find(|(id, _)| id == order_id) {
            Some((_, payment)) => payment.payment_id.clone(),
            None => {
                let payment_id = format!("pay_sandbox_{}", self.randomness.alphanumeric(ID_LENGTH));
                if paid.len() == MAX_PAID_ORDERS {
                    paid.pop_front();
                }
                let payment = ProviderPayment {
                    payment_id: payment_id.clone(),
                    amount,
                    is_captured: true,
                    made_at: None,
                    refunds: Vec::new(),
                };
                paid.push_back((order_id.to_owned(), payment));
                payment_id
            }
        };
        let signature = sign_payment(&self.key, order_id, &payment_id);
        Some(PaymentProof { order_id: order_id.to_owned(), payment_id, signature })
    }

    pub(super) fn order_state(&self, order_id: &str) -> OrderState {
        let paid = self.paid.lock().unwrap_or_else(PoisonError::into_inner);
        let payment = paid.iter().find(|(id, _)| id == order_id).map(|(_, payment)| payment.clone());
        OrderState { amount: None, attempted: payment.is_some(), payments: payment.into_iter().collect() }
    }

    /// Moves no money, like everything here.
    pub(super) fn refund(payment_id: &str, amount: Paise, key: &str) -> ProviderRefund {
        ProviderRefund {
            refund_id: format!("rfnd_sandbox_{key}"),
            payment_id: payment_id.to_owned(),
            amount,
            receipt: Some(key.to_owned()),
            state: RefundState::Processed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_paid_orders_are_bounded() {
        let sandbox = Sandbox::new(SecretString::from("key"), Randomness::seeded(1));
        let first = sandbox.create_order(Paise::from_rupees(5), "r").id;
        sandbox.pay(&first, Paise::from_rupees(5)).unwrap();
        for number in 0..MAX_PAID_ORDERS {
            sandbox.pay(&format!("{SANDBOX_ORDER}{number}"), Paise::from_rupees(5)).unwrap();
        }
        assert_eq!(sandbox.paid.lock().unwrap().len(), MAX_PAID_ORDERS);
        assert_eq!(sandbox.order_state(&first).captured().count(), 0);
    }
}
