//! Replies, and the one place that maps a refusal's kind to a code of FTP.

use std::fmt;

use app::Failure;
use domain::Refusal;
use domain::refusal::Kind;

/// A reply: a code of RFC 959 and a text for people, which some cameras show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reply {
    pub(crate) code: u16,
    pub(crate) text: String,
    /// What is listed between the first line and the last.
    pub(crate) lines: Vec<&'static str>,
}

impl Reply {
    pub(crate) fn new(code: u16, text: impl Into<String>) -> Self {
        Self { code, text: text.into(), lines: Vec::new() }
    }

    /// What failed while a photo was taken in.
    pub(crate) fn of_photo(failure: &Failure) -> Self {
        Self::of(failure, code_of)
    }

    /// What failed at a login.
    pub(crate) fn of_login(failure: &Failure) -> Self {
        Self::of(failure, |_| 530)
    }

    fn of(failure: &Failure, code: impl Fn(&Refusal) -> u16) -> Self {
        match failure {
            Failure::Refused(refusal) => Self::new(code(refusal), refusal.text()),
            failure => {
                let transient = failure.is_transient();
                tracing::error!(error = failure.chain(), transient, "a command of a camera failed");
                Self::new(451, "Something went wrong on our side. Please try again.")
            }
        }
    }
}

/// What begins with 4 a camera tries again by itself; what begins with 5 is final.
fn code_of(refusal: &Refusal) -> u16 {
    if *refusal == Refusal::ImageTruncated {
        // Most likely the line was cut: the same file may come whole next time.
        return 426;
    }
    match refusal.kind() {
        Kind::TooLarge => 552,
        Kind::PaymentRequired | Kind::InsufficientStorage => 452,
        Kind::RateLimited | Kind::Unavailable => 450,
        Kind::Unauthenticated => 530,
        Kind::InvalidInput
        | Kind::Forbidden
        | Kind::NotFound
        | Kind::MethodNotAllowed
        | Kind::Conflict
        | Kind::PreconditionFailed
        | Kind::ChecksumMismatch
        | Kind::RangeNotSatisfiable
        | Kind::UnsupportedMediaType
        | Kind::Unprocessable => 550,
    }
}

impl fmt::Display for Reply {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A line break would end the reply, and what follows would be another one.
        let text = self.text.replace(['\r', '\n'], " ");
        if self.lines.is_empty() {
            return write!(formatter, "{} {text}\r\n", self.code);
        }
        write!(formatter, "{}-{text}\r\n", self.code)?;
        for line in &self.lines {
            write!(formatter, " {line}\r\n")?;
        }
        write!(formatter, "{} End\r\n", self.code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_is_told_in_its_own_words_with_a_code_that_says_whether_to_come_again() {
        for (refusal, code) in [
            (Refusal::PhotoTooLarge, 552),
            (Refusal::InsufficientCredits, 452),
            (Refusal::DiskFull, 452),
            (Refusal::Busy, 450),
            (Refusal::ImageTruncated, 426),
            (Refusal::NotAnImage, 550),
            (Refusal::EventUploadsClosed, 550),
            (Refusal::FtpLoginWrong, 530),
        ] {
            let line = format!("{code} {}\r\n", refusal.text());
            assert_eq!(Reply::of_photo(&refusal.into()).to_string(), line);
        }
        assert_eq!(Reply::of_login(&Refusal::AccountLocked.into()).code, 530);
        let broken = Failure::Internal(String::from("a secret of the log"));
        let told = Reply::of_photo(&broken).to_string();
        assert_eq!(told, "451 Something went wrong on our side. Please try again.\r\n");
    }

    #[test]
    fn no_text_begins_another_reply() {
        // [FTP011]
        assert_eq!(Reply::new(257, "a\r\n230 b").to_string(), "257 a  230 b\r\n");
        let listed = Reply { code: 211, text: String::from("Features"), lines: vec!["UTF8", "SIZE"] };
        assert_eq!(listed.to_string(), "211-Features\r\n UTF8\r\n SIZE\r\n211 End\r\n");
    }
}
