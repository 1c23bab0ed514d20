//! The most common passwords, which are tried first by whoever guesses.

use std::collections::HashSet;
use std::sync::LazyLock;

/// In lower case, one a line; `data/LICENSE` says where they come from.
const LIST: &str = include_str!("../../data/common-passwords.txt");

static COMMON: LazyLock<HashSet<&str>> = LazyLock::new(|| LIST.lines().collect());

/// What people think of first who register here. docs/security.md lists them too.
const OF_THIS_PRODUCT: [&str; 6] =
    ["afterglow", "photographer", "photography", "photos", "selfie", "wedding"];

/// Whether a password is one of them, whatever its case, or a word of this product with digits and signs around it.
pub(crate) fn contain(password: &str) -> bool {
    let password = password.to_lowercase();
    let word = password.trim_matches(|c: char| !c.is_alphabetic());
    COMMON.contains(password.as_str()) || OF_THIS_PRODUCT.contains(&word)
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

    #[test]
    fn words_of_this_product_with_digits_around_them_are_common_too() {
        // [AUTH118]
        for common in ["afterglow", "Afterglow2026!", "#photos1", "WEDDING-2026"] {
            assert!(contain(common), "{common}");
        }
        for other in ["afterglow of the lake", "wed2026ding", "2026!!"] {
            assert!(!contain(other), "{other}");
        }
        let page = include_str!("../../../../docs/security.md");
        assert!(OF_THIS_PRODUCT.iter().all(|word| page.contains(word)));
    }
}
