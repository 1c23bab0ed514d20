//! Origins: scheme and host.

/// Whether this is scheme and host, without anything behind them.
pub fn is_origin(text: &str) -> bool {
    let origin = url::Url::parse(text).map(|url| url.origin().ascii_serialization());
    origin.is_ok_and(|origin| origin == text && (text.starts_with("https://") || text.starts_with("http://")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_scheme_and_host() {
        // [RUN283]
        for origin in ["https://files.example.com", "http://localhost:8081"] {
            assert!(is_origin(origin), "{origin}");
        }
        for other in [
            "",
            "files.example.com",
            "https://a.example/b",
            "https://A.example",
            "ftp://a.example",
            "https://",
        ] {
            assert!(!is_origin(other), "{other}");
        }
    }
}
