//! Who is to be named as the buyer on invoices.

use crate::Refusal;
use crate::operations::runtime::texts;
use crate::payments::gst::{Gstin, State};

/// Longest name, in Unicode code points.
pub const NAME_LENGTH: usize = 200;
/// Longest address, in Unicode code points.
pub const ADDRESS_LENGTH: usize = 500;

/// The billing details of an account. What is empty is not on invoices.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Billing {
    /// The name of the person or company; the account's where it is empty.
    pub name: String,
    /// The address, in one or more lines.
    pub address: String,
    /// The state, with a registration that of the registration.
    pub state: Option<State>,
    /// The registration for the tax.
    pub gstin: Option<Gstin>,
}

impl Billing {
    /// Parses what was entered; none where nothing was.
    ///
    /// # Errors
    /// [`Refusal::BillingTextTooLong`], [`Refusal::BillingNotLatin`], [`Refusal::BillingStateUnknown`],
    /// [`Refusal::BillingStateDiffers`], [`Refusal::BillingIncomplete`], or those of [`Gstin::parse`].
    pub fn parse(name: &str, address: &str, state: &str, gstin: &str) -> Result<Option<Self>, Refusal> {
        let name = texts::one_line(name);
        let lines = address.lines().map(texts::one_line).filter(|line| !line.is_empty());
        let address = lines.collect::<Vec<_>>().join("\n");
        if name.chars().count() > NAME_LENGTH || address.chars().count() > ADDRESS_LENGTH {
            return Err(Refusal::BillingTextTooLong);
        }
        if ![&name, &address].iter().all(|text| is_latin(text)) {
            return Err(Refusal::BillingNotLatin);
        }
        let entered = texts::trimmed(state);
        let state = match entered {
            "" => None,
            code => Some(State::parse(code).ok_or(Refusal::BillingStateUnknown)?),
        };
        let gstin = match texts::trimmed(gstin) {
            "" => None,
            text => Some(Gstin::parse(text)?),
        };
        let registered = gstin.as_ref().map(Gstin::state);
        if registered.is_some() && state.is_some() && registered != state {
            return Err(Refusal::BillingStateDiffers);
        }
        // Rule 46 (d) of the CGST Rules: the name, the address and the number of a buyer who is registered.
        if gstin.is_some() && (name.is_empty() || address.is_empty()) {
            return Err(Refusal::BillingIncomplete);
        }
        let billing = Self { name, address, state: registered.or(state), gstin };
        Ok((billing != Self::default()).then_some(billing))
    }
}

/// Whether an invoice can show the text as it is, whose fonts have the letters of Western Europe: those of Windows-1252.
pub fn is_latin(text: &str) -> bool {
    text.chars().all(|c| matches!(c, '\n' | ' '..='~' | '\u{a0}'..='ÿ' | '–' | '—' | '‘' | '’' | '“' | '”' | '•' | '…' | '€' | '™'))
}

/// The text in such letters: what is written otherwise is transliterated.
pub fn in_latin(text: &str) -> String {
    if is_latin(text) {
        return text.to_owned();
    }
    let mut latin = String::new();
    for c in text.chars() {
        if is_latin(c.encode_utf8(&mut [0; 4])) {
            latin.push(c);
        } else {
            latin.push_str(deunicode::deunicode_char(c).unwrap_or("?"));
        }
    }
    latin.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const GSTIN: &str = "27AAPFU0939F1ZV";

    #[test]
    fn what_is_empty_is_left_out_and_nothing_at_all_is_none() {
        // [PAY228]
        assert_eq!(Billing::parse(" ", "\n \n", "", " "), Ok(None));
        let billing =
            Billing::parse(" Meera\tStudios ", "1 Lake Road \r\n\n \nPune\n", "", GSTIN).unwrap().unwrap();
        assert_eq!((&*billing.name, &*billing.address), ("Meera Studios", "1 Lake Road\nPune"));
        assert_eq!(billing.state.unwrap().code(), "27", "the registration's");
        let billing = Billing::parse("", "", "33", "").unwrap().unwrap();
        assert_eq!((billing.state.unwrap().name(), billing.gstin), ("Tamil Nadu", None));
    }

    #[test]
    fn what_cannot_be_on_an_invoice_is_refused() {
        // [PAY228]
        let refused = |name: &str, address: &str, state: &str, gstin: &str| {
            Billing::parse(name, address, state, gstin).unwrap_err()
        };
        assert_eq!(refused(&"a".repeat(201), "", "", ""), Refusal::BillingTextTooLong);
        assert_eq!(refused("", &"a".repeat(501), "", ""), Refusal::BillingTextTooLong);
        assert_eq!(refused("मीरा", "", "", ""), Refusal::BillingNotLatin);
        assert_eq!(refused("", "", "25", ""), Refusal::BillingStateUnknown);
        assert_eq!(refused("Meera", "Chennai", "33", GSTIN), Refusal::BillingStateDiffers);
        assert_eq!(refused("Meera", "", "", GSTIN), Refusal::BillingIncomplete);
        assert_eq!(refused("", "Pune", "27", GSTIN), Refusal::BillingIncomplete);
        assert_eq!(refused("Meera", "Pune", "", "27AAPFU0939F1ZW"), Refusal::GstinMistyped);
    }

    #[test]
    fn names_in_other_letters_are_transliterated() {
        assert_eq!(in_latin("Zoë & Søn – “Studio”"), "Zoë & Søn – “Studio”");
        let latin = in_latin("மீரா Kapoor");
        assert!(is_latin(&latin) && latin.ends_with(" Kapoor"), "{latin}");
    }
}
