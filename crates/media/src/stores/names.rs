//! Valid keys, and the paths of their files.

use domain::photos::MediaKey;

use super::error::Error;

/// Folder of the files that were discarded; no key of a photo's file begins with it.
pub(super) const TRASH: &str = "trash";
/// Longest part of a key, in bytes, so that a temporary name beside it still fits a file system's 255.
const LONGEST: usize = 200;

/// A key's folder and name, when it is `folder/name` of ASCII letters, digits, `-`, `_` and `.`, neither starting with
/// a dot. So no key leaves its store, and none is another's temporary file.
pub(super) fn check(key: &MediaKey) -> Result<(&str, &str), Error> {
    key.as_str()
        .split_once('/')
        .filter(|(folder, name)| is_safe(folder) && is_safe(name) && *folder != TRASH)
        .ok_or_else(|| Error::Key(key.as_str().to_owned()))
}

pub(super) fn is_safe(part: &str) -> bool {
    (1..=LONGEST).contains(&part.len())
        && !part.starts_with('.')
        && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
}

/// The subfolder of a name: its first two characters. Names are random words over 32 letters, so that a million files
/// are a thousand to a folder.
pub(super) fn shard(name: &str) -> &str {
    name.get(..2).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_names_in_plain_folders_are_keys() {
        let check = |text: &str| check(&MediaKey::from_trusted(text.to_owned())).is_ok();
        assert!(check("originals/7hq.jpg"));
        assert!(check("previews/a"));
        for bad in [
            "",
            "/",
            "a",
            "a/",
            "/a",
            "../a",
            "a/..",
            "a/../b",
            "a/b/c",
            "/etc/passwd",
            "a/.b.tmp",
            ".a/b",
            "a/b\0",
            "a/b\\c",
            "a/b c",
            "a/é",
            "a\n/b",
            "C:/b",
            "trash/a",
        ] {
            assert!(!check(bad), "{bad:?}");
        }
        assert!(!check(&format!("a/{}", "b".repeat(LONGEST + 1))));
    }
}
