//! The most common passwords, which are tried first by whoever guesses.

use std::collections::HashSet;
use std::sync::LazyLock;

/// In lower case, one a line; `data/LICENSE` says where they come from.
const LIST: &str = include_str!("../data/common-passwords.txt");

static COMMON: LazyLock<HashSet<&str>> = LazyLock::new(|| LIST.lines().collect());

/// Whether a password is one of them, whatever its case.
pub(crate) fn contain(password: &str) -> bool {
    COMMON.contains(password.to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_has_the_10_000_most_common_that_are_long_enough() {
        // [AUTH117]
        assert_eq!(COMMON.len(), LIST.lines().count());
        assert!((9_000..=10_000).contains(&COMMON.len()), "{}", COMMON.len());
        assert!(LIST.lines().all(|line| line.chars().count() >= 6 && line == line.to_lowercase()));
        for common in ["123456", "password", "Password", "qwerty", "iloveyou"] {
            assert!(contain(common), "{common}");
        }
        for other in ["correct horse", "12345", ""] {
            assert!(!contain(other), "{other}");
        }
    }
}
