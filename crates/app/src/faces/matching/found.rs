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
    /// Where the similarity is between the lowest that is found and the highest there is: similarities of two recognisers cannot
    /// be compared.
    rank: f32,
}

impl MatchedPhoto {
    /// `threshold` is the lowest similarity that the recogniser finds.
    pub(super) fn new(photo: PhotoId, face: FaceId, similarity: f32, threshold: f32) -> Self {
        Self { photo, face, similarity, rank: (similarity - threshold) / (1.0 - threshold).max(f32::EPSILON) }
    }
}

/// One match a photo, best first; of equal ones the first stays the first.
pub(super) fn one_a_photo(mut matches: Vec<MatchedPhoto>) -> Vec<MatchedPhoto> {
    matches.sort_by(|one, other| other.rank.total_cmp(&one.rank));
    let mut seen = HashSet::new();
    matches.retain(|found| seen.insert(found.photo));
    matches
}
