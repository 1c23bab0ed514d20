//! Invoices of payments under the Indian goods and services tax, and the notes about what was returned of them.

use std::fmt;
use std::time::Duration;

use jiff::civil::{Date, date};

use crate::payments::gst::{Gstin, Rate, Reach, Sac, Split, State};
use crate::payments::orders::Purpose;
use crate::{Paise, RefundId, Refusal, Timestamp, UserId};

/// India's time before that of UTC, all year long.
const INDIA: Duration = Duration::from_secs(5 * 3_600 + 1_800);

/// The day of a moment in India, which is that of an invoice.
pub fn day_in_india(moment: Timestamp) -> Date {
    moment.plus(INDIA).date()
}

/// What a payment buys, as invoices store it: in English.
pub const fn item_of(purpose: Purpose) -> &'static str {
    match purpose {
        Purpose::Credits => "Credits for photo uploads",
        Purpose::PremiumPlan => "Premium plan: unlimited events and photo uploads, paid once",
    }
}

/// A financial year in India: from 1 April to 31 March.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FinancialYear(i16);

impl FinancialYear {
    /// The year of a moment.
    pub fn of(moment: Timestamp) -> Self {
        let day = day_in_india(moment);
        Self(if day.month() >= 4 { day.year() } else { day.year() - 1 })
    }

    /// The year that begins in this calendar year.
    pub const fn beginning_in(year: i16) -> Self {
        Self(year)
    }

    /// The calendar year in which it begins.
    pub const fn begins_in(self) -> i16 {
        self.0
    }
}

/// Such as `2026-27`.
impl fmt::Display for FinancialYear {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{:02}", self.0, (self.0 + 1) % 100)
    }
}

/// A month in India.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Month(Date);

impl Month {
    /// Parses `2026-11`.
    ///
    /// # Errors
    /// [`Refusal::MonthInvalid`].
    pub fn parse(text: &str) -> Result<Self, Refusal> {
        let (year, month) = text.split_once('-').ok_or(Refusal::MonthInvalid)?;
        let is_form = year.len() == 4 && month.len() == 2;
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if !is_form || !digits(year) || !digits(month) {
            return Err(Refusal::MonthInvalid);
        }
        let (year, month) = (year.parse(), month.parse());
        let (Ok(year @ 2000..=9998), Ok(month @ 1..=12)) = (year, month) else {
            return Err(Refusal::MonthInvalid);
        };
        Ok(Self(date(year, month, 1)))
    }

    /// Its first moment.
    pub fn begins(self) -> Timestamp {
        Timestamp::start_of_day(self.0).minus(INDIA)
    }

    /// The first moment after it.
    pub fn ends(self) -> Timestamp {
        let next = match self.0.month() {
            12 => date(self.0.year() + 1, 1, 1),
            month => date(self.0.year(), month + 1, 1),
        };
        Timestamp::start_of_day(next).minus(INDIA)
    }
}

/// Such as `2026-11`.
impl fmt::Display for Month {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}", self.0.year(), self.0.month())
    }
}

/// What a document is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A payment.
    Invoice,
    /// A refund.
    CreditNote,
    /// A refund that has failed after its credit note.
    DebitNote,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Invoice, Self::CreditNote, Self::DebitNote];

    /// Its name in the register and in exports.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Invoice => "invoice",
            Self::CreditNote => "credit_note",
            Self::DebitNote => "debit_note",
        }
    }
}

/// A series of consecutive numbers: each kind has its own, and so have payments of the sandbox, which are none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Series {
    /// The kind of its documents.
    pub kind: Kind,
    /// Whether no money was moved.
    pub is_test: bool,
}

impl Series {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self { kind: Kind::Invoice, is_test: false },
        Self { kind: Kind::CreditNote, is_test: false },
        Self { kind: Kind::DebitNote, is_test: false },
        Self { kind: Kind::Invoice, is_test: true },
        Self { kind: Kind::CreditNote, is_test: true },
        Self { kind: Kind::DebitNote, is_test: true },
    ];

    /// The letter with which its numbers begin, and its name in the database: more than one has no place in a number.
    pub const fn letter(self) -> &'static str {
        match (self.kind, self.is_test) {
            (Kind::Invoice, false) => "I",
            (Kind::CreditNote, false) => "C",
            (Kind::DebitNote, false) => "D",
            (Kind::Invoice, true) => "T",
            (Kind::CreditNote, true) => "U",
            (Kind::DebitNote, true) => "V",
        }
    }

    /// Parses the letter.
    pub fn from_letter(letter: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|series| series.letter() == letter)
    }

    /// The number of a document, of at most 16 characters as rule 46 (b) of the CGST Rules demands: `I/2026-27/000001`. Beyond
    /// a million in a year it is `I/26-27/1000000`.
    pub fn number(self, year: FinancialYear, serial: i64) -> String {
        let year = year.to_string();
        let year = if serial > 999_999 { year.get(2..).unwrap_or_default() } else { &year };
        format!("{}/{year}/{serial:06}", self.letter())
    }
}

/// Who receives the payments, as the tax wants it on invoices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seller {
    /// The legal name.
    pub name: String,
    /// The address, in one or more lines.
    pub address: String,
    /// The registration, whose state is that of the supply.
    pub gstin: Gstin,
    /// The code of the service.
    pub sac: Sac,
    /// The rate of the tax.
    pub rate: Rate,
}

/// Who paid, as it is on an invoice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buyer {
    /// The name.
    pub name: String,
    /// The address; empty where none is known.
    pub address: String,
    /// The registration, if there is one.
    pub gstin: Option<Gstin>,
}

/// An invoice, a credit note or a debit note. It never changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invoice {
    /// Its series.
    pub series: Series,
    /// Its financial year.
    pub year: FinancialYear,
    /// Its place in the series of the year, from 1.
    pub serial: i64,
    /// The payment provider.
    pub provider: String,
    /// The provider's id of the payment.
    pub payment_id: String,
    /// The refund that a note is about.
    pub refund: Option<RefundId>,
    /// The account that paid.
    pub user: UserId,
    /// When it was made.
    pub issued_at: Timestamp,
    /// Who received the payment.
    pub seller: Seller,
    /// Who paid.
    pub buyer: Buyer,
    /// The buyer's state; the seller's where none is known.
    pub place_of_supply: State,
    /// What was sold.
    pub item: String,
    /// The amounts, all of them positive in notes too.
    pub split: Split,
    /// The number of the invoice that a note is about.
    pub about: Option<String>,
}

impl Invoice {
    /// Its number.
    pub fn number(&self) -> String {
        self.series.number(self.year, self.serial)
    }

    /// Its name in an address and as a file, without an ending: the number without its slashes.
    pub fn file_name(&self) -> String {
        self.number().replace('/', "-")
    }

    /// Whether it is for the seller's own state.
    pub fn reach(&self) -> Reach {
        Reach::between(self.seller.gstin.state(), self.place_of_supply)
    }

    /// What a credit note over `amount` returns of this invoice, beside the notes that there are.
    pub fn returned(&self, notes: &[Self], amount: Paise) -> Split {
        let before = notes.iter().fold(Split::default(), |sum, note| match note.series.kind {
            Kind::CreditNote => sum.plus(&note.split),
            Kind::DebitNote => sum.minus(&note.split),
            Kind::Invoice => sum,
        });
        self.split.returned(&before, amount, self.reach())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(year: i16, parts: [i8; 5]) -> Timestamp {
        Timestamp::from_utc(year, parts).unwrap()
    }

    #[test]
    fn a_financial_year_begins_with_april_in_india() {
        // [PAY220]
        let last = at(2027, [3, 31, 18, 29, 59]);
        let first = at(2027, [3, 31, 18, 30, 0]);
        assert_eq!(
            (FinancialYear::of(last).to_string(), day_in_india(last)),
            ("2026-27".into(), date(2027, 3, 31))
        );
        assert_eq!(
            (FinancialYear::of(first).to_string(), day_in_india(first)),
            ("2027-28".into(), date(2027, 4, 1))
        );
        assert_eq!(FinancialYear::beginning_in(2099).to_string(), "2099-00");
    }

    #[test]
    fn a_number_has_at_most_sixteen_characters() {
        // [PAY220]
        let year = FinancialYear::beginning_in(2026);
        let invoices = Series::ALL[0];
        assert_eq!(invoices.number(year, 1), "I/2026-27/000001");
        assert_eq!(invoices.number(year, 999_999), "I/2026-27/999999");
        assert_eq!(invoices.number(year, 1_000_000), "I/26-27/1000000");
        for series in Series::ALL {
            assert_eq!(Series::from_letter(series.letter()), Some(series));
            assert!(
                [1, 999_999, 1_000_000, 99_999_999]
                    .iter()
                    .all(|serial| series.number(year, *serial).len() <= 16)
            );
        }
        assert_eq!(Series::from_letter(""), None);
    }

    #[test]
    fn a_month_is_indias() {
        let month = Month::parse("2026-12").unwrap();
        assert_eq!(month.begins(), at(2026, [11, 30, 18, 30, 0]));
        assert_eq!(month.ends(), at(2026, [12, 31, 18, 30, 0]));
        assert_eq!(month.to_string(), "2026-12");
        for text in ["", "2026", "2026-13", "2026-00", "2026-1", "26-11", "+026-11", "2026-11-01", "1999-12"]
        {
            assert_eq!(Month::parse(text), Err(Refusal::MonthInvalid), "{text}");
        }
    }
}
