//! The languages that a client prefers (RFC 9110, section 12.5.4).

use axum::http::HeaderMap;
use axum::http::header::ACCEPT_LANGUAGE;

/// The primary subtags of `Accept-Language` in lower case, the preferred ones first; without those that are not wanted.
pub(crate) fn preferred(headers: &HeaderMap) -> Vec<String> {
    let values = headers.get_all(ACCEPT_LANGUAGE).iter().filter_map(|value| value.to_str().ok());
    let mut ranges: Vec<(f32, String)> =
        values.flat_map(|value| value.split(',')).filter_map(range).collect();
    // Stable: those of one weight stay in the order in which browsers name them.
    ranges.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    ranges.into_iter().map(|(_, tag)| tag).collect()
}

/// The weight of a language range and its primary subtag.
fn range(text: &str) -> Option<(f32, String)> {
    let (tag, weight) = text.split_once(';').unwrap_or((text, "q=1"));
    let weight: f32 = weight.trim().strip_prefix("q=")?.trim().parse().ok()?;
    let primary = tag.trim().split('-').next()?.to_ascii_lowercase();
    let is_language =
        (2..=8).contains(&primary.len()) && primary.bytes().all(|byte| byte.is_ascii_lowercase());
    (is_language && weight > 0.0 && weight <= 1.0).then_some((weight, primary))
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn languages_come_in_the_order_of_their_weights() {
        for (value, expected) in [
            ("", &[][..]),
            ("hi-IN,hi;q=0.9,en-US;q=0.8,en;q=0.7", &["hi", "hi", "en", "en"]),
            ("en;q=0.2, DE, fr ; q=0.8", &["de", "fr", "en"]),
            ("*, ta;q=0, mr;q=0.5", &["mr"]),
            ("../../x, e, en;q=two, gu;level=1", &[]),
        ] {
            let headers = HeaderMap::from_iter([(ACCEPT_LANGUAGE, HeaderValue::from_static(value))]);
            assert_eq!(preferred(&headers), expected, "{value}");
        }
        assert!(preferred(&HeaderMap::new()).is_empty());
    }
}
