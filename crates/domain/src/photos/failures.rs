//! Why photos cannot be processed.

use crate::Refusal;

/// Why a photo could not be processed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhotoFailure {
    /// What kind of failure it is.
    pub cause: FailureCause,
    /// The refusal's text, or the last error with everything that caused it.
    pub reason: String,
}

/// Kinds of failures of photos. Only a refusal is permanent; the others may be transient.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureCause {
    /// Its bytes were refused.
    Refused,
    /// Every attempt failed, for days.
    Exhausted,
    /// The process crashed each time that the photo was processed.
    Crashed,
}

impl FailureCause {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Refused, Self::Exhausted, Self::Crashed];

    /// Its name in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Refused => "refused",
            Self::Exhausted => "exhausted",
            Self::Crashed => "crashed",
        }
    }

    /// Parses the name in the database.
    pub fn from_stored(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|cause| cause.as_str() == text)
    }
}

impl PhotoFailure {
    /// The reason for its photographer: internals are for the operator.
    pub fn text(&self) -> String {
        match self.cause {
            FailureCause::Refused => self.reason.clone(),
            FailureCause::Exhausted => String::from("The photo could not be processed for several days."),
            FailureCause::Crashed => String::from("Processing the photo ended the program three times."),
        }
    }

    /// The code of that text, by which it is translated. None for the text of a refusal that there is no more.
    pub fn code(&self) -> Option<&'static str> {
        match self.cause {
            FailureCause::Refused => {
                Refusal::all().iter().find(|refusal| refusal.text() == self.reason).map(Refusal::code)
            }
            FailureCause::Exhausted => Some("photo_exhausted"),
            FailureCause::Crashed => Some("photo_crashed"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reason_of_a_failure_has_a_code_to_translate_it_by() {
        let code = |cause, reason: &str| PhotoFailure { cause, reason: reason.to_owned() }.code();
        let text = Refusal::ImageDamaged.text();
        assert_eq!(code(FailureCause::Refused, &text), Some("image_damaged"));
        assert_eq!(code(FailureCause::Refused, "A text of an older version"), None);
        assert_eq!(code(FailureCause::Exhausted, &text), Some("photo_exhausted"));
        assert_eq!(code(FailureCause::Crashed, &text), Some("photo_crashed"));
    }
}
