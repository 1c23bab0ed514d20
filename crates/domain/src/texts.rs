//! Texts that people type.

/// The text in one line: control characters become spaces, and those at its ends go. So nobody can write lines of
/// their own into a mail, a log or a header by way of a name.
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
