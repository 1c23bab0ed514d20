//! What people agree to before a selfie is looked at.

use crate::Refusal;

/// Every version of the notice about selfies that pages may still show, the newest last. Pages stay open for days, so a
/// version is removed only when what it says is not true any more.
const VERSIONS: [&str; 1] = ["2026-11-20"];

/// What stands in place of a version for searches of programs, which show no notice.
pub const NO_NOTICE: &str = "no notice";

/// A version of the notice about selfies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoticeVersion(&'static str);

impl NoticeVersion {
    /// The newest.
    pub const CURRENT: Self = Self(VERSIONS[VERSIONS.len() - 1]);

    /// The version that a search names.
    ///
    /// # Errors
    /// [`Refusal::ConsentRequired`] when there is no such version: nobody can have agreed to it.
    pub fn parse(text: &str) -> Result<Self, Refusal> {
        let known = VERSIONS.into_iter().find(|version| *version == text.trim());
        known.map(Self).ok_or(Refusal::ConsentRequired)
    }

    /// The version as it is sent and stored.
    pub const fn as_str(self) -> &'static str {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_versions_that_pages_show_are_agreed_to() {
        assert_eq!(NoticeVersion::parse(" 2026-11-20\n"), Ok(NoticeVersion::CURRENT));
        for text in ["", NO_NOTICE, "1", "2026-11", "2026-11-20x", "2099-01-01"] {
            assert_eq!(NoticeVersion::parse(text), Err(Refusal::ConsentRequired), "{text:?}");
        }
    }

    #[test]
    fn the_page_sends_the_newest_version() {
        // [FACE263]
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/src/guest/capture/privacyNotice.ts");
        let page = std::fs::read_to_string(page).unwrap();
        let sent = format!("NOTICE_VERSION = '{}'", NoticeVersion::CURRENT.as_str());
        assert!(page.contains(&sent), "{sent}");
    }
}
