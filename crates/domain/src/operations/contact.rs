//! The validation of the contact form.

use crate::Refusal;
use crate::operations::runtime::texts;

/// Longest subject, in Unicode code points.
pub const SUBJECT_LENGTH: usize = 200;
/// Longest message, in Unicode code points.
pub const MESSAGE_LENGTH: usize = 5_000;

/// Parses a subject: one line, not empty after trimming, at most 200 characters.
///
/// # Errors
/// [`Refusal::SubjectRequired`] or [`Refusal::SubjectTooLong`].
pub fn parse_subject(text: &str) -> Result<String, Refusal> {
    let subject = texts::one_line(text);
    if subject.is_empty() {
        Err(Refusal::SubjectRequired)
    } else if subject.chars().count() > SUBJECT_LENGTH {
        Err(Refusal::SubjectTooLong)
    } else {
        Ok(subject)
    }
}

/// Parses a message: not empty after trimming, at most 5,000 characters.
///
/// # Errors
/// [`Refusal::MessageRequired`] or [`Refusal::MessageTooLong`].
pub fn parse_message(text: &str) -> Result<String, Refusal> {
    let message = text.trim();
    if message.is_empty() {
        Err(Refusal::MessageRequired)
    } else if message.chars().count() > MESSAGE_LENGTH {
        Err(Refusal::MessageTooLong)
    } else {
        Ok(message.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subjects_are_one_line() {
        assert_eq!(parse_subject(" Hello\r\nBcc: x@y "), Ok(String::from("Hello  Bcc: x@y")));
        assert_eq!(parse_subject("\n"), Err(Refusal::SubjectRequired));
        assert!(parse_subject(&"न".repeat(200)).is_ok());
        assert_eq!(parse_subject(&"न".repeat(201)), Err(Refusal::SubjectTooLong));
    }

    #[test]
    fn messages_are_validated() {
        assert_eq!(parse_message("  "), Err(Refusal::MessageRequired));
        assert!(parse_message(&"न".repeat(5_000)).is_ok());
        assert_eq!(parse_message(&"न".repeat(5_001)), Err(Refusal::MessageTooLong));
    }
}
