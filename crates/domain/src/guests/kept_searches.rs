//! Searches that guests' devices keep.

use crate::Refusal;

/// Every version of the notice that pages may still show, the newest last.
const VERSIONS: [&str; 2] = ["2026-11-27", "2026-11-29"];

/// Whether a guest can have agreed to what a page shows.
///
/// # Errors
/// [`Refusal::ConsentRequired`] when no page shows this version.
pub fn check_notice_version(text: &str) -> Result<(), Refusal> {
    VERSIONS.contains(&text.trim()).then_some(()).ok_or(Refusal::ConsentRequired)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_versions_that_pages_show_are_agreed_to() {
        // [FACE521]
        for version in VERSIONS {
            assert_eq!(check_notice_version(&format!(" {version}\n")), Ok(()));
        }
        for text in ["", "1", "2026-11-20", "2026-11-27x"] {
            assert_eq!(check_notice_version(text), Err(Refusal::ConsentRequired), "{text:?}");
        }
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/src/guest/kept/notice.ts");
        let sent = format!("KEEPING_NOTICE_VERSION = '{}'", VERSIONS[VERSIONS.len() - 1]);
        assert!(std::fs::read_to_string(page).unwrap().contains(&sent), "{sent}");
    }
}
