//! What happens to an account.

use proptest::prelude::*;

#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// Orders credits for so many rupees.
    Order(i64),
    OrderPremium,
    /// Pays an order in the provider's checkout.
    Pay(usize),
    /// Gives the proof of a payment to the server.
    Verify(usize),
    Dismiss(usize),
    /// Ten minutes pass, and the provider is asked.
    Reconcile,
    Upload,
    /// The operator gives or takes so many paise.
    Adjust(i64),
    Refund(usize),
}

pub(crate) fn step() -> impl Strategy<Value = Step> {
    let number = 0_usize..6;
    prop_oneof![
        3 => prop_oneof![Just(1), Just(2), 1..60_i64].prop_map(Step::Order),
        1 => Just(Step::OrderPremium),
        4 => number.clone().prop_map(Step::Pay),
        4 => number.clone().prop_map(Step::Verify),
        1 => number.clone().prop_map(Step::Dismiss),
        1 => Just(Step::Reconcile),
        4 => Just(Step::Upload),
        2 => (-9_000..9_000_i64).prop_filter("not zero", |paise| *paise != 0).prop_map(Step::Adjust),
        2 => number.prop_map(Step::Refund),
    ]
}
