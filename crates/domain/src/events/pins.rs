//! PINs of events.

use std::fmt;
use std::ops::RangeInclusive;

use crate::Refusal;
use crate::operations::runtime::texts::is_invisible;

/// How many digits a PIN has that was chosen before a new one needed more.
const DIGITS: RangeInclusive<usize> = 4..=8;
/// The fewest digits of a new one. Of four there are so few that a guest of many addresses finds them.
const NEW_DIGITS: usize = 6;

/// The zeros of the scripts whose digits a guest's keyboard may send; the other nine follow each of them in Unicode.
const ZEROS: [char; 13] = [
    '0', '\u{660}', '\u{6f0}', '\u{966}', '\u{9e6}', '\u{a66}', '\u{ae6}', '\u{be6}', '\u{c66}', '\u{ce6}',
    '\u{d66}', '\u{e50}', '\u{ff10}',
];

/// What the guests of an event enter before they can search. It is kept as it is, since its photographer prints it.
#[derive(Clone, PartialEq, Eq)]
pub struct Pin(String);

impl Pin {
    /// A PIN as it was entered, in the digits of any of [`ZEROS`]. Spaces, hyphens and what cannot be seen do not count.
    ///
    /// # Errors
    /// [`Refusal::EventPinInvalid`].
    pub fn parse(text: &str) -> Result<Self, Refusal> {
        let digits = text.chars().filter(|c| !c.is_whitespace() && !is_invisible(*c) && *c != '-').map(digit);
        // One more than there can be says that there are too many.
        let pin: Option<String> = digits.take(DIGITS.end() + 1).collect();
        let pin = pin.filter(|pin| DIGITS.contains(&pin.len()));
        pin.map(Self).ok_or(Refusal::EventPinInvalid)
    }

    /// A new PIN; the one that the event has may be as short as it is.
    ///
    /// # Errors
    /// [`Refusal::EventPinInvalid`].
    pub fn parse_new(text: &str, current: Option<&Self>) -> Result<Self, Refusal> {
        let pin = Self::parse(text)?;
        let is_good = pin.0.len() >= NEW_DIGITS || current == Some(&pin);
        is_good.then_some(pin).ok_or(Refusal::EventPinInvalid)
    }

    /// Its digits, from 0 to 9, for whoever may read them.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

/// An event is printed in logs and in failed tests.
impl fmt::Debug for Pin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Pin(…)")
    }
}

fn digit(c: char) -> Option<char> {
    let value =
        ZEROS.iter().find_map(|zero| u32::from(c).checked_sub(u32::from(*zero)).filter(|at| *at < 10))?;
    char::from_digit(value, 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pin_has_four_to_eight_digits_of_any_script() {
        // [EVT102]
        for (text, pin) in [
            ("0042", "0042"),
            (" 12 34-56\u{a0}78 ", "12345678"),
            ("\u{feff}12\u{ad}34\u{200b}\u{202c}", "1234"),
            ("०१२३९", "01239"),
            ("٤٥٦٧", "4567"),
            ("௧௨௩௪", "1234"),
            ("\u{ff11}\u{ff12}\u{ff13}\u{ff14}", "1234"),
        ] {
            assert_eq!(Pin::parse(text).unwrap().reveal(), pin, "{text}");
        }
        for text in ["", "123", "123456789", "12a4", "1²34", "+1234", &"1".repeat(1_000_000)] {
            assert_eq!(Pin::parse(text), Err(Refusal::EventPinInvalid), "{text:.20}");
        }
    }

    #[test]
    fn a_new_pin_has_six_digits_and_an_older_one_stays() {
        // [EVT160]
        let older = Pin::parse("0042").unwrap();
        assert_eq!(Pin::parse_new("0042", Some(&older)), Ok(older.clone()));
        for text in ["0042", "0043", "12345", "123456789"] {
            assert_eq!(Pin::parse_new(text, None), Err(Refusal::EventPinInvalid), "{text}");
        }
        assert_eq!(Pin::parse_new("00 43", Some(&older)), Err(Refusal::EventPinInvalid));
        for text in ["123456", "0000 0042"] {
            assert!(Pin::parse_new(text, Some(&older)).is_ok(), "{text}");
        }
    }

    #[test]
    fn a_pin_is_printed_nowhere() {
        // [EVT108]
        assert_eq!(format!("{:?}", Pin::parse("1234").unwrap()), "Pin(…)");
    }
}
