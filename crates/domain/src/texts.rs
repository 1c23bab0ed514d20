//! Texts that users enter.

/// The text in one line: control characters become spaces, and surrounding ones are trimmed, so that a name cannot
/// inject lines into a mail, a log or a header.
pub(crate) fn one_line(text: &str) -> String {
    let line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    line.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_one_line() {
        assert_eq!(one_line(" Meera\r\n\tKapoor\u{7} "), "Meera   Kapoor");
        assert_eq!(one_line("\r\n"), "");
        assert_eq!(one_line("मीरा 🎉"), "मीरा 🎉");
    }
}
