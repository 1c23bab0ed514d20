//! What a fuzz target does with its input, so that the tests replay the corpus through the same code.

use std::path::Path;

use crate::packs;

/// A `pack.toml`: what is accepted names files of its own folder only, and matches as it is used.
pub fn pack(text: &[u8]) {
    let Ok(text) = std::str::from_utf8(text) else { return };
    let folder = Path::new("pack");
    let manifest = match packs::parse(folder, &folder.join("pack.toml"), text) {
        Ok(manifest) => manifest,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    for (name, _) in manifest.files() {
        assert_eq!(folder.join(name).parent(), Some(folder), "{name:?}");
    }
    let previous = manifest.previous.as_ref().map(packs::Previous::matching);
    for matching in [Some(manifest.matching()), previous].into_iter().flatten() {
        for faces in [0, 1, 100, 1_000_000] {
            for strictness in domain::faces::Strictness::ALL {
                let threshold = matching.threshold(faces, strictness);
                assert!((-1.0..=1.0).contains(&threshold), "{threshold} is no cosine");
            }
        }
    }
}
