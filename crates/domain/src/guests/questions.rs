//! What guests ask a photographer about a photo.

use crate::accounts::EmailAddress;
use crate::{PhotoId, QuestionId, Refusal, Timestamp};

/// Longest question, in Unicode code points.
pub const LENGTH: usize = 1_000;

/// A question that is on its way to the photographer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// Its id.
    pub id: QuestionId,
    /// The photo that it is about.
    pub photo: PhotoId,
    /// Where an answer goes.
    pub email: EmailAddress,
    /// What the guest wrote.
    pub message: String,
    /// When it was asked.
    pub created_at: Timestamp,
}

/// Parses a question: not empty after trimming, at most 1,000 characters.
///
/// # Errors
/// [`Refusal::MessageRequired`] or [`Refusal::QuestionTooLong`].
pub fn parse_question(text: &str) -> Result<String, Refusal> {
    let question = text.trim();
    if question.is_empty() {
        Err(Refusal::MessageRequired)
    } else if question.chars().count() > LENGTH {
        Err(Refusal::QuestionTooLong)
    } else {
        Ok(question.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_not_empty_and_not_too_long() {
        assert_eq!(parse_question(" \n "), Err(Refusal::MessageRequired));
        assert_eq!(parse_question(" Print please \n"), Ok(String::from("Print please")));
        assert!(parse_question(&"न".repeat(1_000)).is_ok());
        assert_eq!(parse_question(&"न".repeat(1_001)), Err(Refusal::QuestionTooLong));
    }
}
