//! Slugs: the names of events in URLs.

use crate::Randomness;

/// Length of a slug's random part.
pub const RANDOM_LENGTH: usize = 10;
/// Longest name part, cut at the end of a word where possible, so that links stay readable.
const NAME_LENGTH: usize = 60;

/// Generates the slug of an event called `name`: its words in lower-case ASCII, then ten random characters.
pub fn generate_slug(name: &str, randomness: &Randomness) -> String {
    format!("{}-{}", slugify(name), randomness.alphanumeric(RANDOM_LENGTH))
}

/// Whether a text has the characters and the length of a slug; any of these may belong to an event.
pub fn is_well_formed(slug: &str) -> bool {
    (1..=NAME_LENGTH + 1 + RANDOM_LENGTH).contains(&slug.len())
        && slug.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

fn slugify(name: &str) -> String {
    let ascii = deunicode::deunicode_with_tofu(name, " ").to_ascii_lowercase();
    // Apostrophes join: "Priya's" is one word.
    let ascii = ascii.replace(['\'', '`'], "");
    let mut words = String::new();
    for word in ascii.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()) {
        let remaining = NAME_LENGTH.saturating_sub(words.len() + 1);
        if words.is_empty() {
            words.extend(word.chars().take(NAME_LENGTH));
        } else if word.len() <= remaining {
            words.push('-');
            words.push_str(word);
        } else {
            break;
        }
    }
    if words.is_empty() { String::from("event") } else { words }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_name_is_slugified_to_lower_case_ascii_words() {
        // [EVT056] [EVT057] [EVT058]
        for (name, words) in [
            ("Aanya & Rohan: Sangeet night", "aanya-rohan-sangeet-night"),
            ("  Señor  Müller's 50th! ", "senor-mullers-50th"),
            ("Свадьба", "svadba"),
            ("🎉🎉", "tada-tada"),
            ("???", "event"),
            ("", "event"),
        ] {
            assert_eq!(slugify(name), words, "{name}");
        }
    }

    #[test]
    fn long_names_end_at_a_word() {
        let words = slugify(&"wedding ".repeat(40));
        assert!(words.len() <= NAME_LENGTH && words.ends_with("wedding"), "{words}");
        assert_eq!(slugify(&"x".repeat(300)).len(), NAME_LENGTH);
    }

    #[test]
    fn equal_names_get_different_slugs() {
        // [EVT059] [EVT060]
        let randomness = Randomness::seeded(3);
        let (one, two) = (generate_slug("Party", &randomness), generate_slug("Party", &randomness));
        assert_ne!(one, two);
        let random = one.strip_prefix("party-").unwrap();
        assert_eq!(random.len(), 10);
        assert!(random.bytes().all(|byte| b"abcdefghjkmnpqrstuvwxyz23456789".contains(&byte)));
    }

    #[test]
    fn only_short_texts_of_letters_digits_and_hyphens_are_well_formed() {
        assert!(is_well_formed("aanya-rohan") && is_well_formed(&"x".repeat(71)));
        for text in ["", "Aanya", "a b", "a/b", "a.svg", "ü", "a\0", "<a>", &"x".repeat(72)] {
            assert!(!is_well_formed(text), "{text}");
        }
    }

    proptest! {
        #[test]
        fn every_name_gives_a_url_safe_slug(name in "\\PC{0,200}") {
            let slug = generate_slug(&name, &Randomness::seeded(1));
            prop_assert!(is_well_formed(&slug), "{}", slug);
            prop_assert!(!slug.starts_with('-') && !slug.contains("--"));
        }
    }
}
