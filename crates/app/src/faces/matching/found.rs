//! What was found.

use std::collections::HashSet;

use domain::{FaceId, PhotoId};

/// A photo in which a person was found.
pub(crate) struct MatchedPhoto {
    pub(crate) photo: PhotoId,
    /// The most similar face.
    pub(crate) face: FaceId,
    /// From 0 to 1.
    pub(crate) similarity: f32,
}

/// One match a photo, of matches that come best first.
pub(super) fn one_a_photo(matches: impl IntoIterator<Item = MatchedPhoto>) -> Vec<MatchedPhoto> {
    let mut seen = HashSet::new();
    matches.into_iter().filter(|found| seen.insert(found.photo)).collect()
}
