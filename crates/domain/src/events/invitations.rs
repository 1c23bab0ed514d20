//! What a photographer sends to guests with the link of an event.

use crate::Refusal;
use crate::guests::subscriptions::Language;

/// Longest text, in Unicode code points.
pub const TEXT_LENGTH: usize = 1_000;

/// A message to guests, without the link that follows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invitation {
    /// The language that it is in.
    pub language: Language,
    /// Its words, of one or more lines.
    pub text: String,
}

impl Invitation {
    /// What was entered; none where nothing is left of it after trimming.
    ///
    /// # Errors
    /// [`Refusal::InvitationTooLong`].
    pub fn parse(language: &str, text: &str) -> Result<Option<Self>, Refusal> {
        let text = text.trim();
        if text.chars().count() > TEXT_LENGTH {
            return Err(Refusal::InvitationTooLong);
        }
        let written = !text.is_empty();
        Ok(written.then(|| Self { language: Language::parse(language), text: text.to_owned() }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_keeps_its_lines_and_is_bounded() {
        // [EVT190]
        let parsed = Invitation::parse("hi", " नमस्ते\n\nतस्वीरें ").unwrap().unwrap();
        assert_eq!((parsed.language.as_str(), parsed.text.as_str()), ("hi", "नमस्ते\n\nतस्वीरें"));
        assert_eq!(Invitation::parse("en", " \n "), Ok(None));
        assert!(Invitation::parse("en", &"न".repeat(TEXT_LENGTH)).unwrap().is_some());
        assert_eq!(Invitation::parse("en", &"न".repeat(TEXT_LENGTH + 1)), Err(Refusal::InvitationTooLong));
    }
}
