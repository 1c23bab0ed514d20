//! Texts that users enter.

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
    fn a_text_is_one_line() {
        assert_eq!(one_line(" Meera\r\n\tKapoor\u{7} "), "Meera   Kapoor");
        assert_eq!(one_line("\r\n"), "");
        assert_eq!(one_line("मीरा 🎉"), "मीरा 🎉");
    }
}
