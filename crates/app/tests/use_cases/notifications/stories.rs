//! What happens at the provider, what it tells of that, and what is to be in the account in the end.

use domain::payments::orders::Purpose;

/// Something that happens at the provider, to the payment or the refund of a number.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fact {
    Failed,
    Authorised(usize),
    Captured(usize),
    /// Another payment of an order that is paid.
    PaidAgain(usize),
    /// The refund of a payment, of so many paise.
    Refunded(usize, usize, i64),
    /// A refund gets this state.
    Moved(usize, &'static str),
}

/// A notification, and the number of the fact that it reports.
#[derive(Clone, Copy, Debug)]
pub(super) struct Notification {
    pub(super) event: &'static str,
    pub(super) fact: usize,
}

pub(super) struct Story {
    pub(super) purpose: Purpose,
    pub(super) paise: i64,
    pub(super) facts: Vec<Fact>,
    pub(super) notifications: Vec<Notification>,
    /// The balance in the end.
    pub(super) balance: i64,
    pub(super) premium: bool,
}

/// A step: the notification with this number, the browser's verification, or the reconciliation.
pub(super) const VERIFY: usize = 30;
pub(super) const RECONCILE: usize = 31;

impl Story {
    pub(super) fn steps(&self) -> Vec<usize> {
        (0..self.notifications.len()).chain([VERIFY, RECONCILE]).collect()
    }

    /// How many facts have happened at least when a step is taken.
    pub(super) fn needs(&self, step: usize) -> usize {
        let pays = |fact: &Fact| matches!(fact, Fact::Authorised(0) | Fact::Captured(0));
        match step {
            VERIFY => self.facts.iter().position(pays).map_or(0, |fact| fact + 1),
            RECONCILE => 0,
            notification => self.notifications[notification].fact + 1,
        }
    }
}

pub(super) fn stories() -> Vec<Story> {
    use Fact::{Authorised, Captured, Failed, Moved, PaidAgain, Refunded};
    let notifications = |list: &[(&'static str, usize)]| {
        list.iter().map(|(event, fact)| Notification { event, fact: *fact }).collect()
    };
    let credits = |facts: Vec<Fact>, list: &[(&'static str, usize)], balance: i64| Story {
        purpose: Purpose::Credits,
        paise: 50_000,
        facts,
        notifications: notifications(list),
        balance,
        premium: false,
    };
    let premium = |facts: Vec<Fact>, list: &[(&'static str, usize)], premium: bool| Story {
        purpose: Purpose::PremiumPlan,
        paise: 99_900,
        facts,
        notifications: notifications(list),
        balance: 10_000,
        premium,
    };
    vec![
        // An attempt fails, another is paid, and all of it is returned.
        credits(
            vec![Failed, Authorised(0), Captured(0), Refunded(0, 0, 50_000), Moved(0, "processed")],
            &[
                ("payment.failed", 0),
                ("payment.authorized", 1),
                ("payment.captured", 2),
                ("order.paid", 2),
                ("refund.created", 3),
                ("refund.processed", 4),
            ],
            10_000,
        ),
        // Two parts are returned.
        credits(
            vec![
                Authorised(0),
                Captured(0),
                Refunded(0, 0, 10_000),
                Moved(0, "processed"),
                Refunded(0, 1, 15_000),
                Moved(1, "processed"),
            ],
            &[
                ("payment.captured", 1),
                ("order.paid", 1),
                ("refund.created", 2),
                ("refund.processed", 3),
                ("refund.created", 4),
                ("refund.processed", 5),
            ],
            60_000,
        ),
        // A part is returned, and the rest comes back from the bank.
        credits(
            vec![
                Captured(0),
                Refunded(0, 0, 10_000),
                Moved(0, "processed"),
                Refunded(0, 1, 40_000),
                Moved(1, "processed"),
                Moved(1, "failed"),
            ],
            &[
                ("payment.captured", 0),
                ("refund.processed", 2),
                ("refund.created", 3),
                ("refund.processed", 4),
                ("refund.failed", 5),
            ],
            90_000,
        ),
        // Paid twice, and the payment that counts is returned; of the other a part.
        credits(
            vec![
                Captured(0),
                PaidAgain(1),
                Refunded(0, 0, 50_000),
                Moved(0, "processed"),
                Refunded(1, 1, 10_000),
                Moved(1, "processed"),
            ],
            &[
                ("payment.captured", 0),
                ("payment.captured", 1),
                ("refund.processed", 3),
                ("refund.processed", 5),
            ],
            90_000,
        ),
        premium(
            vec![Captured(0), Refunded(0, 0, 99_900), Moved(0, "processed")],
            &[("payment.captured", 0), ("order.paid", 0), ("refund.created", 1), ("refund.processed", 2)],
            false,
        ),
        premium(
            vec![Captured(0), Refunded(0, 0, 99_900), Moved(0, "processed"), Moved(0, "failed")],
            &[("payment.captured", 0), ("refund.processed", 2), ("refund.failed", 3)],
            true,
        ),
        premium(
            vec![Captured(0), PaidAgain(1), Refunded(0, 0, 99_900), Moved(0, "processed")],
            &[("payment.captured", 0), ("payment.captured", 1), ("refund.processed", 3)],
            true,
        ),
    ]
}
