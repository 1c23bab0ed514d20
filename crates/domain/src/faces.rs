//! Faces: their bounding boxes and embeddings.

pub mod consents;
pub mod people;

/// A bounding box as fractions of the image's width and height, from the top left; may extend beyond the image.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoundingBox {
    /// Left edge.
    pub x: f64,
    /// Top edge.
    pub y: f64,
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
}

/// How much of what two boxes cover together both must cover to be of the same face.
const SAME_FACE: f64 = 0.4;

impl BoundingBox {
    /// Whether this and `other` are of one face in the same photo, as two detections of it are: the area of their
    /// intersection over that of their union.
    pub fn is_same_face(&self, other: &Self) -> bool {
        self.overlap(other) >= SAME_FACE
    }

    /// The area of the intersection with `other` over that of their union.
    fn overlap(&self, other: &Self) -> f64 {
        let overlap = |start: f64, length: f64, other_start: f64, other_length: f64| {
            ((start + length).min(other_start + other_length) - start.max(other_start)).max(0.0)
        };
        let common = overlap(self.x, self.width, other.x, other.width)
            * overlap(self.y, self.height, other.y, other.height);
        let union = self.width * self.height + other.width * other.height - common;
        if common > 0.0 { common / union } else { 0.0 }
    }
}

/// Which of the `former` faces of a photo each of its `found` ones is, as two detections of the same picture see it: the pairs
/// that overlap most first, each face in one at most.
pub fn same_faces(former: &[BoundingBox], found: &[BoundingBox]) -> Vec<Option<usize>> {
    let mut pairs: Vec<(f64, usize, usize)> = Vec::new();
    for (at, bounds) in found.iter().enumerate() {
        let near = former.iter().enumerate().filter(|(_, other)| bounds.is_same_face(other));
        pairs.extend(near.map(|(before, other)| (bounds.overlap(other), at, before)));
    }
    pairs.sort_by(|one, other| other.0.total_cmp(&one.0));
    let (mut same, mut taken) = (vec![None; found.len()], vec![false; former.len()]);
    for (_, at, before) in pairs {
        if same[at].is_none() && !taken[before] {
            same[at] = Some(before);
            taken[before] = true;
        }
    }
    same
}

/// A face as a vector of length 1, whose dot product with another is their similarity (-1 to 1).
#[derive(Clone, PartialEq)]
pub struct Embedding(Vec<f32>);

impl Embedding {
    /// Scales `values` to length 1; none when they are empty, all zero or not finite.
    pub fn normalised(mut values: Vec<f32>) -> Option<Self> {
        let length = values.iter().map(|value| f64::from(*value).powi(2)).sum::<f64>().sqrt();
        if !length.is_finite() || length <= f64::from(f32::EPSILON) {
            return None;
        }
        for value in &mut values {
            #[allow(clippy::cast_possible_truncation, reason = "a quotient of at most 1")]
            let scaled = (f64::from(*value) / length) as f32;
            *value = scaled;
        }
        Some(Self(values))
    }

    /// The vector.
    pub fn values(&self) -> &[f32] {
        &self.0
    }

    /// The form in the database: 32-bit little-endian floats.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.0.iter().flat_map(|value| value.to_le_bytes()).collect()
    }

    /// Parses the form in the database; none when it is not one.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (values, rest) = bytes.as_chunks::<4>();
        if values.is_empty() || !rest.is_empty() {
            return None;
        }
        Some(Self(values.iter().map(|value| f32::from_le_bytes(*value)).collect()))
    }
}

impl std::fmt::Debug for Embedding {
    /// Shows only the dimension: an embedding must not be logged.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Embedding({}-D)", self.0.len())
    }
}

/// How similar a face must be to count as a match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strictness {
    /// Fewer photos, almost none of strangers.
    Strict,
    /// A precision of 99 % on the evaluation set.
    #[default]
    Normal,
    /// More photos, some of strangers.
    Loose,
}

impl Strictness {
    /// Parses the name in the contract.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|strictness| strictness.as_str() == text)
    }

    /// All of them, the strictest first.
    pub const ALL: [Self; 3] = [Self::Strict, Self::Normal, Self::Loose];

    /// Its name in the contract.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Strict => "strict",
            Self::Normal => "normal",
            Self::Loose => "loose",
        }
    }
}

/// Most faces that a search excludes.
pub const REJECTED_FACES: usize = 100;

/// Whether a face is rather the one of which the guest said 'That's not me', by its similarity to what is searched for and
/// to the rejected face, which must be greater by `margin`: photos of the person that happen to be about as near to
/// somebody else are kept.
pub fn is_rejected(similarity: f32, to_rejected: f32, margin: f32) -> bool {
    to_rejected > similarity + margin
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn embeddings_have_length_one_and_round_trip_through_bytes() {
        let embedding = Embedding::normalised(vec![3.0, 4.0]).unwrap();
        assert_eq!(embedding.values(), [0.6, 0.8]);
        assert_eq!(Embedding::from_bytes(&embedding.to_bytes()).unwrap(), embedding);
        assert!(Embedding::normalised(vec![0.0; 4]).is_none());
        assert!(Embedding::normalised(vec![f32::NAN, 1.0]).is_none());
        assert!(Embedding::from_bytes(&[1, 2, 3]).is_none());
    }

    #[test]
    fn two_boxes_are_of_one_face_when_they_mostly_overlap() {
        let at = |x: f64, width: f64| BoundingBox { x, y: 0.1, width, height: 0.2 };
        assert!(at(0.1, 0.2).is_same_face(&at(0.1, 0.2)));
        assert!(at(0.1, 0.2).is_same_face(&at(0.15, 0.2)));
        assert!(!at(0.1, 0.2).is_same_face(&at(0.25, 0.2)), "the neighbour's");
        assert!(!at(0.1, 0.2).is_same_face(&at(0.5, 0.2)));
        assert!(!at(0.1, 0.0).is_same_face(&at(0.1, 0.0)), "nothing is no face");
    }

    #[test]
    fn faces_of_two_detections_are_paired_by_their_overlap_each_once() {
        // [FACE533]
        let at = |x: f64| BoundingBox { x, y: 0.1, width: 0.2, height: 0.2 };
        assert_eq!(same_faces(&[at(0.1), at(0.5)], &[at(0.51), at(0.1), at(0.75)]), [Some(1), Some(0), None]);
        // Two that overlap one: the nearer has it.
        assert_eq!(same_faces(&[at(0.1)], &[at(0.14), at(0.11)]), [None, Some(0)]);
        assert_eq!(same_faces(&[], &[at(0.1)]), [None]);
        assert!(same_faces(&[at(0.1)], &[]).is_empty());
    }

    #[test]
    fn a_face_is_rejected_that_is_clearly_nearer_to_a_rejected_one() {
        assert!(is_rejected(0.6, 0.9, 0.05));
        assert!(!is_rejected(0.6, 0.64, 0.05), "about as near to both");
        assert!(is_rejected(0.6, 0.64, 0.03), "for a recogniser that is surer of so small a difference");
        assert!(!is_rejected(0.9, 0.6, 0.05));
        assert!(!is_rejected(1.0, 1.0, 0.05), "the person in the same picture twice");
    }

    #[test]
    fn debug_output_shows_no_numbers() {
        // [SAFE038]
        assert_eq!(format!("{:?}", Embedding::normalised(vec![1.0, 0.0]).unwrap()), "Embedding(2-D)");
    }
}
