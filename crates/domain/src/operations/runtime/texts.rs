//! Texts that users enter.

use unicase::UniCase;
use unicode_normalization::UnicodeNormalization as _;

/// The form by which names, codes and searches are compared: those that look alike are the same, whatever their case and however
/// their accents are written (a canonical caseless match of the Unicode Standard, 3.13, D145). It is never shown.
pub fn folded(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let decomposed: String = text.nfd().collect();
    UniCase::unicode(decomposed).to_folded_case().nfc().collect()
}

/// How systems write the same text: accents as a part of their letters, and apart.
pub fn spellings(text: &str) -> [String; 2] {
    [text.nfc().collect(), text.nfd().collect()]
}

/// The text without blanks and what cannot be seen at its ends, which comes along where it is copied from a mail or a chat.
pub fn trimmed(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || is_invisible(c))
}

/// Whether a character shows nothing: of no width, a mark of direction, or a hyphen that is drawn at the end of a line alone.
pub(crate) const fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{AD}'
            | '\u{34F}'
            | '\u{61C}'
            | '\u{180E}'
            | '\u{200B}'..='\u{200F}'
            | '\u{202A}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}'
            | '\u{FEFF}'
    )
}

/// The text in one line: control characters become spaces, and surrounding ones are trimmed, so that a name cannot
/// inject lines into a mail, a log or a header.
pub(crate) fn one_line(text: &str) -> String {
    let line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    line.trim().to_owned()
}

/// The text with each word that mail programs would make a link replaced by one that looks alike and is none: what somebody
/// enters as a name must not lead the readers of our mails anywhere.
pub fn unlinked(text: &str) -> String {
    text.split_inclusive(char::is_whitespace)
        .map(
            |word| {
                if looks_like_link(word) { word.chars().map(look_alike).collect() } else { word.to_owned() }
            },
        )
        .collect()
}

/// Dots, as browsers read them in host names.
const DOTS: [char; 4] = ['.', '。', '．', '｡'];

fn looks_like_link(word: &str) -> bool {
    let host = || {
        let labels: Vec<&str> = word.split(DOTS).collect();
        labels.windows(2).any(|pair| {
            let next = pair[1].chars().take_while(|c| c.is_alphanumeric()).count();
            pair[0].ends_with(char::is_alphanumeric) && next >= 2
        })
    };
    word.contains(['/', '@', '\\']) || host()
}

fn look_alike(c: char) -> char {
    match c {
        '.' | '。' | '．' | '｡' => '\u{2024}',
        '/' | '\\' => '\u{2044}',
        '@' => '\u{ff20}',
        ':' => '\u{a789}',
        c => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_is_an_address_is_no_link() {
        // [SAFE113]
        for (name, unlinked_name) in [
            ("Meera Kapoor", "Meera Kapoor"),
            ("Dr. J. R. Kapoor", "Dr. J. R. Kapoor"),
            ("Priya & Rahul, 14.", "Priya & Rahul, 14."),
            ("Win at evil.example now", "Win at evil\u{2024}example now"),
            ("https://evil.example/a", "https\u{a789}\u{2044}\u{2044}evil\u{2024}example\u{2044}a"),
            ("me@evil.example", "me\u{ff20}evil\u{2024}example"),
            ("evil。example", "evil\u{2024}example"),
            ("www.पुणे.भारत", "www\u{2024}पुणे\u{2024}भारत"),
        ] {
            assert_eq!(unlinked(name), unlinked_name);
        }
    }

    #[test]
    fn names_that_look_alike_are_folded_to_one() {
        // [UPL237]
        for (one, other) in [
            ("Müller", "Mu\u{308}ller"),
            ("MÜLLER", "müller"),
            ("ΣΊΣΥΦΟΣ", "σίσυφος"),
            ("Straße", "STRASSE"),
            ("İ", "i\u{307}"),
            ("e\u{301}\u{323}", "e\u{323}\u{301}"),
            ("Å", "\u{212b}"),
            ("가", "\u{1100}\u{1161}"),
            ("IMG_1.JPG", "img_1.jpg"),
        ] {
            assert_eq!(folded(one), folded(other), "{one} {other}");
            assert_eq!(folded(&folded(one)), folded(one));
        }
        assert_eq!(spellings("Mü\u{fc}u\u{308}"), ["M\u{fc}\u{fc}\u{fc}", "Mu\u{308}u\u{308}u\u{308}"]);
        for (one, other) in [("Muller", "Müller"), ("क्\u{200d}ष", "क्ष"), ("ı", "i"), ("", " ")]
        {
            assert_ne!(folded(one), folded(other), "{one} {other}");
        }
    }

    #[test]
    fn what_cannot_be_seen_goes_from_the_ends_of_a_text() {
        // [SAFE370]
        for text in [
            "\u{feff}a b\u{200b}",
            "\u{a0}\u{ad}a b\u{202f}",
            "\u{202a}a b\u{202c}\r\n",
            "\u{2066}a b\u{2069}",
        ] {
            assert_eq!(trimmed(text), "a b", "{text:?}");
        }
        assert_eq!(trimmed("\u{200d} \u{2060}"), "");
        assert_eq!(trimmed("क्\u{200d}ष"), "क्\u{200d}ष");
    }

    #[test]
    fn a_text_is_one_line() {
        assert_eq!(one_line(" Meera\r\n\tKapoor\u{7} "), "Meera   Kapoor");
        assert_eq!(one_line("\r\n"), "");
        assert_eq!(one_line("मीरा 🎉"), "मीरा 🎉");
    }
}
