//! The photos that stand for events.

use crate::PhotoId;
use crate::faces::BoundingBox;
use crate::photos::focus::Focus;
use crate::photos::focus::thousandths;

/// The least a detector is sure of a face that is shown well.
pub const CLEAR: f64 = 0.75;
/// The least height of such a face, as a part of the picture's.
const VISIBLE: f64 = 0.04;
/// The height from which on a larger face is not better.
const LARGE: f64 = 0.25;

/// The photo that an event's page shows instead of the drawn sky.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cover {
    /// The photo.
    pub photo: PhotoId,
    /// How often its original was replaced.
    pub revision: u32,
    /// Where its faces are; none where no face is known.
    pub focus: Option<Focus>,
    /// Whether nobody has chosen it.
    pub is_automatic: bool,
}

impl Cover {
    /// Something that changes with the picture.
    pub fn version(&self) -> String {
        match self.revision {
            0 => self.photo.to_string(),
            revision => format!("{}-{revision}", self.photo),
        }
    }
}

/// What is known of a face when photos are compared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seen {
    /// Where it is.
    pub bounds: BoundingBox,
    /// How sure the detector is, 0 to 1.
    pub score: f64,
    /// Whether it is blurred; none where that was not stored.
    pub is_blurred: Option<bool>,
}

impl Seen {
    fn is_good(&self) -> bool {
        self.score >= CLEAR && self.bounds.height >= VISIBLE && self.is_blurred != Some(true)
    }
}

/// How well a photo of this size stands for its event, more is better; 0 for one that shows nobody well. A few people come before one
/// alone and before a crowd, whose faces are small on a phone; covers are wider than high; and large faces that all are sharp before
/// others.
pub fn rank(faces: &[Seen], width: i64, height: i64) -> i64 {
    let good: Vec<&Seen> = faces.iter().filter(|face| face.is_good()).collect();
    let people = match good.len() {
        0 => return 0,
        1 => 300,
        2..=6 => 600,
        _ => 200,
    };
    let wide = if width > height { 200 } else { 0 };
    let size: i64 = good.iter().map(|face| i64::from(thousandths(face.bounds.height / LARGE))).sum();
    let counted = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
    let (count, all) = (counted(good.len()), counted(faces.len()));
    people + wide + size / count / 10 + 100 * count / all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faces(count: usize, height: f64) -> Vec<Seen> {
        let bounds = BoundingBox { x: 0.1, y: 0.1, width: height / 2.0, height };
        vec![Seen { bounds, score: 0.9, is_blurred: Some(false) }; count]
    }

    fn landscape(faces: &[Seen]) -> i64 {
        rank(faces, 6000, 4000)
    }

    #[test]
    fn a_photo_that_shows_nobody_well_stands_for_no_event() {
        let pair = faces(2, 0.2);
        assert!(landscape(&pair) > 0);
        let blurred: Vec<Seen> = pair.iter().map(|face| Seen { is_blurred: Some(true), ..*face }).collect();
        let doubtful: Vec<Seen> = pair.iter().map(|face| Seen { score: 0.6, ..*face }).collect();
        for none in [vec![], blurred, doubtful, faces(3, 0.03)] {
            assert_eq!(landscape(&none), 0, "{none:?}");
        }
        let old: Vec<Seen> = pair.iter().map(|face| Seen { is_blurred: None, ..*face }).collect();
        assert_eq!(landscape(&old), landscape(&pair), "of a version before, which did not store it");
    }

    #[test]
    fn a_few_large_sharp_faces_in_a_wide_picture_are_best() {
        let blurred = Seen { is_blurred: Some(true), ..faces(1, 0.2)[0] };
        let best = [
            landscape(&faces(4, 0.25)),
            landscape(&faces(2, 0.1)),
            landscape(&[faces(2, 0.1), vec![blurred; 2]].concat()),
            rank(&faces(4, 0.25), 4000, 6000),
            landscape(&faces(1, 0.2)),
            landscape(&faces(9, 0.1)),
        ];
        assert!(best.is_sorted_by(|one, other| one > other), "{best:?}");
        assert_eq!(landscape(&faces(2, 0.3)), landscape(&faces(2, 0.5)), "no nearer");
    }
}
