//! The history of an account's money: what changed its balance and what was paid, line by line.

use std::str::FromStr;

use crate::payments::PaymentOutcome;
use crate::payments::invoices::Kind;
use crate::payments::ledger::LedgerKind;
use crate::{Paise, Refusal, Timestamp};

/// Where an entry stands in the history; later ones are greater. Its text is the cursor of a page.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// When it happened.
    pub at: Timestamp,
    /// Tells entries of one moment apart.
    pub id: String,
}

impl std::fmt::Display for Position {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.at.as_millis(), self.id)
    }
}

impl FromStr for Position {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Self, Refusal> {
        let (millis, id) = text.split_once('.').ok_or(Refusal::CursorInvalid)?;
        let millis = millis.parse().map_err(|_| Refusal::CursorInvalid)?;
        // PostgreSQL stores no NUL in a text.
        if id.is_empty() || id.contains('\0') {
            return Err(Refusal::CursorInvalid);
        }
        Ok(Self { at: Timestamp::from_millis(millis), id: id.to_owned() })
    }
}

/// Something that happened to an account's money, as it is recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Where it stands.
    pub position: Position,
    /// What happened.
    pub change: Change,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// A payment was captured.
    Paid {
        /// The provider's id of the payment.
        payment_id: String,
        /// What was paid.
        amount: Paise,
        /// What it bought.
        outcome: PaymentOutcome,
        /// What it added to the balance.
        credits: Paise,
        /// What is returned of it, or on its way back.
        returned: Paise,
    },
    /// A payment, or a part of it, was returned.
    Refunded {
        /// The provider's id of the payment.
        payment_id: String,
        /// What was returned.
        amount: Paise,
        /// What it took from the balance.
        taken: Paise,
        /// What it should have taken and the balance did not hold.
        missing: Paise,
    },
    /// Photos were uploaded to one event on one day (UTC).
    Uploaded {
        /// The event's name; none for photos without event, and for those that were deleted before events were recorded.
        event: Option<String>,
        /// How many.
        photos: i64,
        /// What they cost.
        price: Paise,
    },
    /// The ledger changed without a payment.
    Granted {
        /// Why.
        kind: LedgerKind,
        /// By how much.
        credits: Paise,
        /// The operator's reason, or the coupon that paid.
        note: Option<String>,
    },
}

/// What a line of the history is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// The free credits of a new account.
    Signup,
    /// Credits that were bought.
    Recharge,
    /// What the first recharge was doubled by.
    Doubling,
    /// The premium plan.
    Premium,
    /// A payment that bought nothing; it is refunded, or to be.
    Unused,
    /// Uploads of one day to one event.
    Photos,
    /// A payment was returned.
    Refund,
    /// An operator gave or took credits.
    Adjustment,
}

impl LineKind {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Signup,
        Self::Recharge,
        Self::Doubling,
        Self::Premium,
        Self::Unused,
        Self::Photos,
        Self::Refund,
        Self::Adjustment,
    ];

    /// Its name in the contract.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Signup => "signup",
            Self::Recharge => "recharge",
            Self::Doubling => "doubling",
            Self::Premium => "premium",
            Self::Unused => "unused",
            Self::Photos => "photos",
            Self::Refund => "refund",
            Self::Adjustment => "adjustment",
        }
    }
}

/// A line of the history, as a photographer reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// When it happened; of uploads the first.
    pub at: Timestamp,
    /// What it is about.
    pub kind: LineKind,
    /// By how much it changed the balance.
    pub credits: Paise,
    /// The money that was paid; negative for a refund.
    pub paid: Paise,
    /// What a refund should have taken from the balance and that did not hold.
    pub missing: Paise,
    /// How many photos were charged for.
    pub photos: i64,
    /// The name of the event to which they were uploaded.
    pub event: Option<String>,
    /// The provider's id of the payment, under which there is a receipt.
    pub payment: Option<String>,
    /// The number of the invoice of the payment, or of the credit note of the refund.
    pub invoice: Option<String>,
    /// The notes about refunds of the payment that came back, which have no line, by their numbers.
    pub notes: Vec<(Kind, String)>,
    /// The operator's reason, or the coupon that paid.
    pub note: Option<String>,
    /// Whether all of a payment that bought nothing is returned, or on its way back; none for any other line.
    pub is_returned: Option<bool>,
}

impl Line {
    const fn new(at: Timestamp, kind: LineKind, credits: Paise, paid: Paise) -> Self {
        Self {
            at,
            kind,
            credits,
            paid,
            missing: Paise::ZERO,
            photos: 0,
            event: None,
            payment: None,
            invoice: None,
            notes: Vec::new(),
            note: None,
            is_returned: None,
        }
    }
}

impl Entry {
    /// The lines that tell it, newest first. The credits of all lines of an account add up to its balance.
    pub fn into_lines(self) -> Vec<Line> {
        let at = self.position.at;
        match self.change {
            Change::Paid { payment_id, amount, outcome, credits, returned } => {
                of_payment(at, payment_id, amount, outcome, credits, returned)
            }
            Change::Refunded { payment_id, amount, taken, missing } => vec![Line {
                missing,
                payment: Some(payment_id),
                ..Line::new(at, LineKind::Refund, taken.negated(), amount.negated())
            }],
            Change::Uploaded { event, photos, price } => {
                vec![Line { photos, event, ..Line::new(at, LineKind::Photos, price.negated(), Paise::ZERO) }]
            }
            Change::Granted { kind, credits, note } => {
                let kind = match kind {
                    LedgerKind::Signup => LineKind::Signup,
                    LedgerKind::Recharge => LineKind::Recharge,
                    LedgerKind::Premium => LineKind::Premium,
                    LedgerKind::Upload => LineKind::Photos,
                    LedgerKind::Adjustment => LineKind::Adjustment,
                };
                vec![Line { note, ..Line::new(at, kind, credits, Paise::ZERO) }]
            }
        }
    }
}

fn of_payment(
    at: Timestamp,
    id: String,
    amount: Paise,
    outcome: PaymentOutcome,
    credits: Paise,
    returned: Paise,
) -> Vec<Line> {
    let paid = |kind, credits| Line { payment: Some(id.clone()), ..Line::new(at, kind, credits, amount) };
    match outcome {
        PaymentOutcome::Credits => {
            let bought = credits.min(amount);
            let doubled = Paise::new(credits.get() - bought.get());
            let mut lines = Vec::new();
            if doubled > Paise::ZERO {
                lines.push(Line::new(at, LineKind::Doubling, doubled, Paise::ZERO));
            }
            lines.push(paid(LineKind::Recharge, bought));
            lines
        }
        PaymentOutcome::PremiumPlan => vec![paid(LineKind::Premium, credits)],
        PaymentOutcome::OrderAlreadyPaid
        | PaymentOutcome::AlreadyPremium
        | PaymentOutcome::AccountClosed
        | PaymentOutcome::AmountMismatch
        | PaymentOutcome::CouponUsedUp => {
            vec![Line { is_returned: Some(returned >= amount), ..paid(LineKind::Unused, credits) }]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT: Timestamp = Timestamp::from_millis(1_795_176_000_000);

    fn lines(change: Change) -> Vec<Line> {
        Entry { position: Position { at: AT, id: String::from("1") }, change }.into_lines()
    }

    fn paid(outcome: PaymentOutcome, credits: i64) -> Vec<(LineKind, i64, i64, bool)> {
        let (payment_id, amount) = (String::from("pay_1"), Paise::new(10_000));
        lines(Change::Paid {
            payment_id,
            amount,
            outcome,
            credits: Paise::new(credits),
            returned: Paise::ZERO,
        })
        .into_iter()
        .map(|line| (line.kind, line.credits.get(), line.paid.get(), line.payment.is_some()))
        .collect()
    }

    #[test]
    fn a_payment_is_told_by_what_it_bought_and_the_first_recharge_by_its_doubling_too() {
        // [PAY099]
        assert_eq!(
            paid(PaymentOutcome::Credits, 20_000),
            [(LineKind::Doubling, 10_000, 0, false), (LineKind::Recharge, 10_000, 10_000, true)]
        );
        assert_eq!(paid(PaymentOutcome::Credits, 10_000), [(LineKind::Recharge, 10_000, 10_000, true)]);
        assert_eq!(paid(PaymentOutcome::PremiumPlan, 0), [(LineKind::Premium, 0, 10_000, true)]);
        for nothing in [
            PaymentOutcome::OrderAlreadyPaid,
            PaymentOutcome::AlreadyPremium,
            PaymentOutcome::AccountClosed,
            PaymentOutcome::AmountMismatch,
            PaymentOutcome::CouponUsedUp,
        ] {
            assert_eq!(paid(nothing, 0), [(LineKind::Unused, 0, 10_000, true)], "{nothing:?}");
        }
    }

    #[test]
    fn of_a_payment_that_bought_nothing_is_told_whether_it_is_returned() {
        // [PAY236]
        let is_returned = |outcome, returned| {
            let (payment_id, amount) = (String::from("pay_1"), Paise::new(10_000));
            let (credits, returned) = (Paise::ZERO, Paise::new(returned));
            lines(Change::Paid { payment_id, amount, outcome, credits, returned })[0].is_returned
        };
        assert_eq!(is_returned(PaymentOutcome::OrderAlreadyPaid, 0), Some(false));
        assert_eq!(is_returned(PaymentOutcome::OrderAlreadyPaid, 9_999), Some(false));
        assert_eq!(is_returned(PaymentOutcome::OrderAlreadyPaid, 10_000), Some(true));
        assert_eq!(is_returned(PaymentOutcome::PremiumPlan, 10_000), None);
    }

    #[test]
    fn refunds_and_uploads_take_and_grants_give() {
        // [PAY099]
        let told = lines(Change::Refunded {
            payment_id: String::from("pay_1"),
            amount: Paise::new(10_000),
            taken: Paise::new(9_700),
            missing: Paise::new(300),
        });
        assert_eq!(told.len(), 1);
        assert_eq!(
            (told[0].kind, told[0].credits.get(), told[0].paid.get()),
            (LineKind::Refund, -9_700, -10_000)
        );
        assert_eq!((told[0].missing.get(), told[0].payment.as_deref()), (300, Some("pay_1")));

        let event = Some(String::from("Sangeet"));
        let told = lines(Change::Uploaded { event: event.clone(), photos: 3, price: Paise::new(300) });
        assert_eq!(
            told,
            [Line { photos: 3, event, ..Line::new(AT, LineKind::Photos, Paise::new(-300), Paise::ZERO) }]
        );

        let note = Some(String::from("Chargeback"));
        let credits = Paise::new(-200);
        let told = lines(Change::Granted { kind: LedgerKind::Adjustment, credits, note: note.clone() });
        assert_eq!(told, [Line { note, ..Line::new(AT, LineKind::Adjustment, credits, Paise::ZERO) }]);
    }

    #[test]
    fn positions_are_ordered_by_time_and_parsed_back() {
        let position = |at, id: &str| Position { at: Timestamp::from_millis(at), id: id.to_owned() };
        assert!(position(2, "a") > position(1, "b") && position(1, "b") > position(1, "a"));
        for position in [position(0, "pay_1"), position(-5, "order.with.dots pay"), position(i64::MAX, "1")] {
            assert_eq!(position.to_string().parse(), Ok(position));
        }
        for text in ["", "1", "1.", ".a", "x.a", "1.a\0", "99999999999999999999.a"] {
            assert_eq!(text.parse::<Position>(), Err(Refusal::CursorInvalid), "{text:?}");
        }
    }
}
