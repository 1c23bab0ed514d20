//! The Indian goods and services tax: states, registrations, and what of a price is tax.

use std::fmt;

use crate::operations::runtime::texts;
use crate::{Paise, Refusal};

/// Length of a GSTIN.
const GSTIN_LENGTH: usize = 15;
/// How many digits a code of services has.
const SAC_LENGTH: std::ops::RangeInclusive<usize> = 4..=8;

/// A state or a union territory of India, by its code in the tax.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct State {
    code: &'static str,
    name: &'static str,
    has_own_tax: bool,
}

const fn state(code: &'static str, name: &'static str) -> State {
    State { code, name, has_own_tax: true }
}

/// A territory without a legislature, whose half of the tax is that of the union territories.
const fn territory(code: &'static str, name: &'static str) -> State {
    State { code, name, has_own_tax: false }
}

/// All of them. The codes 25 and 28 are of states that are parts of others by now.
pub const STATES: [State; 37] = [
    state("01", "Jammu and Kashmir"),
    state("02", "Himachal Pradesh"),
    state("03", "Punjab"),
    territory("04", "Chandigarh"),
    state("05", "Uttarakhand"),
    state("06", "Haryana"),
    state("07", "Delhi"),
    state("08", "Rajasthan"),
    state("09", "Uttar Pradesh"),
    state("10", "Bihar"),
    state("11", "Sikkim"),
    state("12", "Arunachal Pradesh"),
    state("13", "Nagaland"),
    state("14", "Manipur"),
    state("15", "Mizoram"),
    state("16", "Tripura"),
    state("17", "Meghalaya"),
    state("18", "Assam"),
    state("19", "West Bengal"),
    state("20", "Jharkhand"),
    state("21", "Odisha"),
    state("22", "Chhattisgarh"),
    state("23", "Madhya Pradesh"),
    state("24", "Gujarat"),
    territory("26", "Dadra and Nagar Haveli and Daman and Diu"),
    state("27", "Maharashtra"),
    state("29", "Karnataka"),
    state("30", "Goa"),
    territory("31", "Lakshadweep"),
    state("32", "Kerala"),
    state("33", "Tamil Nadu"),
    state("34", "Puducherry"),
    territory("35", "Andaman and Nicobar Islands"),
    state("36", "Telangana"),
    state("37", "Andhra Pradesh"),
    territory("38", "Ladakh"),
    territory("97", "Other Territory"),
];

impl State {
    /// Parses a code of two digits.
    pub fn parse(code: &str) -> Option<Self> {
        STATES.into_iter().find(|state| state.code == code)
    }

    /// Its code.
    pub const fn code(self) -> &'static str {
        self.code
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        self.name
    }

    /// What the half of the tax is called that is not the union's.
    pub const fn own_tax(self) -> &'static str {
        if self.has_own_tax { "SGST" } else { "UTGST" }
    }
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code)
    }
}

/// As invoices name it, such as `Maharashtra (27)`.
impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.name, self.code)
    }
}

/// The number under which somebody is registered for the tax in one state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gstin {
    text: String,
    state: State,
}

impl Gstin {
    /// Parses a number in upper or lower case, with or without blanks: the state's code, the PAN (five letters, four digits, a
    /// letter), which of the holder's registrations it is, a letter, and the check character.
    ///
    /// # Errors
    /// [`Refusal::GstinInvalid`], [`Refusal::GstinStateUnknown`] or [`Refusal::GstinMistyped`].
    pub fn parse(text: &str) -> Result<Self, Refusal> {
        let text: String = texts::trimmed(text).chars().filter(|c| !c.is_whitespace()).collect();
        let text = text.to_ascii_uppercase();
        let bytes = text.as_bytes();
        let has_form = bytes.len() == GSTIN_LENGTH
            && bytes.iter().enumerate().all(|(place, byte)| match place {
                0 | 1 | 7..=10 => byte.is_ascii_digit(),
                2..=6 | 11 | 13 => byte.is_ascii_uppercase(),
                _ => byte.is_ascii_digit() || byte.is_ascii_uppercase(),
            });
        if !has_form {
            return Err(Refusal::GstinInvalid);
        }
        let (others, check) = text.split_at(GSTIN_LENGTH - 1);
        if check.chars().next() != check_character(others) {
            return Err(Refusal::GstinMistyped);
        }
        let state = State::parse(&others[..2]).ok_or(Refusal::GstinStateUnknown)?;
        Ok(Self { text, state })
    }

    /// The number.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The state of the registration.
    pub const fn state(&self) -> State {
        self.state
    }
}

/// The character that belongs after these: each is a digit of base 36, those at even places count twice, the digits of the
/// products are added up, and the check character makes the sum a multiple of 36.
fn check_character(text: &str) -> Option<char> {
    let mut sum = 0;
    for (place, character) in text.chars().enumerate() {
        let factor = if place % 2 == 0 { 1 } else { 2 };
        let product = character.to_digit(36)? * factor;
        sum += product / 36 + product % 36;
    }
    Some(char::from_digit((36 - sum % 36) % 36, 36)?.to_ascii_uppercase())
}

/// The code of a service (SAC), which names it on invoices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sac(String);

impl Sac {
    /// Parses 4 to 8 digits.
    pub fn parse(text: &str) -> Option<Self> {
        let is_code = SAC_LENGTH.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
        is_code.then(|| Self(text.to_owned()))
    }

    /// The digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A rate of the tax, in percent of the taxable value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate(u32);

impl Rate {
    /// A rate of 1 to 100 percent.
    pub fn new(percent: u32) -> Option<Self> {
        (1..=100).contains(&percent).then_some(Self(percent))
    }

    /// In percent.
    pub const fn percent(self) -> u32 {
        self.0
    }

    /// Half of it in percent, as an invoice names it: `9` or `2.5`.
    pub fn half(self) -> String {
        if self.0.is_multiple_of(2) { (self.0 / 2).to_string() } else { format!("{}.5", self.0 / 2) }
    }
}

/// Who pays the taxes of a price: the union and the state, or the union alone for what goes to another state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// CGST and SGST in halves.
    WithinState,
    /// IGST in whole.
    BetweenStates,
}

impl Reach {
    /// Of what is supplied from one state to another one.
    pub fn between(supplier: State, place_of_supply: State) -> Self {
        if supplier == place_of_supply { Self::WithinState } else { Self::BetweenStates }
    }
}

/// A price and what of it is tax. All four parts add up to the price, to the paisa.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Split {
    /// The taxable value.
    pub value: Paise,
    /// The union's half of the tax.
    pub cgst: Paise,
    /// The state's half, or the union territory's.
    pub sgst: Paise,
    /// The tax in whole, for another state.
    pub igst: Paise,
}

impl Split {
    /// Of a price that includes the tax: the value is rounded half up to the paisa, and the tax is the rest. Of an odd number of
    /// paise the union's half is the larger one.
    pub fn of(price: Paise, rate: Rate, reach: Reach) -> Self {
        let value = share(price.get(), 100, i64::from(100 + rate.0));
        Self::with(value, price.get() - value, reach)
    }

    fn with(value: i64, tax: i64, reach: Reach) -> Self {
        let value = Paise::new(value);
        match reach {
            Reach::BetweenStates => Self { value, igst: Paise::new(tax), ..Self::default() },
            Reach::WithinState => {
                let cgst = larger_half(tax);
                Self { value, cgst: Paise::new(cgst), sgst: Paise::new(tax - cgst), ..Self::default() }
            }
        }
    }

    /// What is returned of this price with `amount`, where `before` was returned already: the same parts in proportion, none of
    /// them negative, and after the last paisa exactly this.
    pub fn returned(&self, before: &Self, amount: Paise, reach: Reach) -> Self {
        let amount = amount.get();
        let target = share(before.total().get() + amount, self.value.get(), self.total().get().max(1));
        let value = (target - before.value.get()).clamp(0, amount);
        let tax = amount - value;
        match reach {
            Reach::BetweenStates => Self::with(value, tax, reach),
            Reach::WithinState => {
                let cgst = (larger_half(before.tax().get() + tax) - before.cgst.get()).clamp(0, tax);
                let (cgst, sgst) = (Paise::new(cgst), Paise::new(tax - cgst));
                Self { value: Paise::new(value), cgst, sgst, ..Self::default() }
            }
        }
    }

    /// What of it is tax.
    pub const fn tax(&self) -> Paise {
        Paise::new(self.cgst.get() + self.sgst.get() + self.igst.get())
    }

    /// The price.
    pub const fn total(&self) -> Paise {
        Paise::new(self.value.get() + self.tax().get())
    }

    /// Each part more by that of another one.
    #[must_use]
    pub const fn plus(&self, other: &Self) -> Self {
        self.changed(other, 1)
    }

    /// Each part less by that of another one.
    #[must_use]
    pub const fn minus(&self, other: &Self) -> Self {
        self.changed(other, -1)
    }

    const fn changed(&self, other: &Self, sign: i64) -> Self {
        Self {
            value: Paise::new(self.value.get() + sign * other.value.get()),
            cgst: Paise::new(self.cgst.get() + sign * other.cgst.get()),
            sgst: Paise::new(self.sgst.get() + sign * other.sgst.get()),
            igst: Paise::new(self.igst.get() + sign * other.igst.get()),
        }
    }
}

const fn larger_half(amount: i64) -> i64 {
    amount - amount / 2
}

/// `amount * part / whole`, rounded half up; none of them is negative.
fn share(amount: i64, part: i64, whole: i64) -> i64 {
    let (amount, part, whole) = (i128::from(amount), i128::from(part), i128::from(whole));
    i64::try_from((2 * amount * part + whole) / (2 * whole)).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests;
