//! How a browser is told to save a file.

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

/// The value of `Content-Disposition` (RFC 6266) by which a browser saves a file as `filename`: for a name beyond ASCII in
/// UTF-8 too, which every browser of today prefers.
pub fn content_disposition(filename: &str) -> String {
    let plain =
        |c: char| if c.is_ascii_graphic() && !matches!(c, '"' | '\\' | '%') || c == ' ' { c } else { '_' };
    let fallback: String = filename.chars().map(plain).collect();
    if fallback == filename {
        format!("attachment; filename=\"{fallback}\"")
    } else {
        let encoded = utf8_percent_encode(filename, NON_ALPHANUMERIC);
        format!("attachment; filename=\"{fallback}\"; filename*=UTF-8''{encoded}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_beyond_ascii_is_sent_in_utf_8_beside_a_plain_one() {
        // [DOWN091]
        for (filename, value) in [
            ("a-b_1.jpg", "attachment; filename=\"a-b_1.jpg\""),
            ("söhne.jpg", "attachment; filename=\"s_hne.jpg\"; filename*=UTF-8''s%C3%B6hne%2Ejpg"),
            ("a\"\r\nb.jpg", "attachment; filename=\"a___b.jpg\"; filename*=UTF-8''a%22%0D%0Ab%2Ejpg"),
        ] {
            assert_eq!(content_disposition(filename), value);
        }
    }
}
