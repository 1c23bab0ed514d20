//! Deleted photos.

use crate::{Refusal, Timestamp};

/// Parses the moment by which photos were deleted, to the millisecond that lists of them have.
///
/// # Errors
/// [`Refusal::Malformed`] for what has not the form of RFC 3339.
pub fn parse_deleted_through(text: &str) -> Result<Timestamp, Refusal> {
    let moment: jiff::Timestamp = text.parse().map_err(|_| {
        Refusal::Malformed(String::from("deleted_through must be a moment in the form of RFC 3339"))
    })?;
    Ok(Timestamp::from_millis(moment.as_millisecond()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_of_the_list_is_read_to_the_millisecond() {
        // [GAL512]
        for millis in [0, 1_700_000_000_000, 1_700_000_000_005, 1_700_000_000_999] {
            let at = Timestamp::from_millis(millis);
            assert_eq!(parse_deleted_through(&at.to_rfc3339()), Ok(at));
        }
        for text in ["", "yesterday", "1700000000005", "2026-11-20", "2026-11-20T09:30:00"] {
            assert!(matches!(parse_deleted_through(text), Err(Refusal::Malformed(_))), "{text}");
        }
    }
}
