//! Whole mails and page heads, compared with files.

/// Asserts that an HTML reader sees the same in `actual` as in `expected`.
pub(crate) fn assert_html(actual: &str, expected: &str) {
    assert_eq!(canonical(actual), canonical(expected));
}

/// The same HTML with one spelling: named character references, and no whitespace between a tag and the next.
pub(crate) fn canonical(html: &str) -> String {
    let mut text = html.trim().to_owned();
    for (number, name) in [("34", "quot"), ("38", "amp"), ("60", "lt"), ("62", "gt")] {
        text = text.replace(&format!("&#{number};"), &format!("&{name};"));
    }
    let mut tags = text.split('>').peekable();
    let mut canonical = String::new();
    while let Some(piece) = tags.next() {
        // Text before the next tag keeps its whitespace.
        canonical.push_str(if piece.trim_start().starts_with('<') { piece.trim_start() } else { piece });
        if tags.peek().is_some() {
            canonical.push('>');
        }
    }
    canonical
}

#[test]
fn only_the_spelling_is_made_canonical() {
    assert_eq!(canonical("<p>\n  <b>a &#60; b</b>\n</p>\n"), "<p><b>a &lt; b</b></p>");
    assert_eq!(canonical("<p> a </p>"), "<p> a </p>");
    assert_ne!(canonical("<p>a  b</p>"), canonical("<p>a b</p>"));
    assert_ne!(canonical("<p>&lt;</p>"), canonical("<p><</p>"));
}
