//! Where a picture is looked at, for places that show a part of it: at its faces. It says nothing of a face but where it is.

use crate::faces::BoundingBox;

/// A face counts that has at least this part of the largest one's height: people behind are not what was photographed.
const FOREGROUND: f64 = 0.5;

/// A part of a picture's width or height in thousandths, from 0 to 1,000.
pub(crate) fn thousandths(part: f64) -> u16 {
    // The standard library has no other way from a float to an integer.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 1,000")]
    let number = (part.clamp(0.0, 1.0) * 1000.0).round() as u16;
    number
}

/// A point of a picture as it is shown, in thousandths of its width and height from the top left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Focus {
    x: u16,
    y: u16,
}

impl Focus {
    /// The middle of what the larger ones of these faces take together; none without a face.
    pub fn of(faces: &[BoundingBox]) -> Option<Self> {
        let largest = faces.iter().map(|face| face.height).fold(0.0, f64::max);
        let large: Vec<&BoundingBox> =
            faces.iter().filter(|face| face.height >= largest * FOREGROUND).collect();
        if large.is_empty() {
            return None;
        }
        let middle = |start: fn(&BoundingBox) -> f64, end: fn(&BoundingBox) -> f64| {
            let first = large.iter().map(|face| start(face).clamp(0.0, 1.0)).fold(1.0, f64::min);
            let last = large.iter().map(|face| end(face).clamp(0.0, 1.0)).fold(0.0, f64::max);
            thousandths(f64::midpoint(first, last))
        };
        Some(Self {
            x: middle(|face| face.x, |face| face.x + face.width),
            y: middle(|face| face.y, |face| face.y + face.height),
        })
    }

    /// Of numbers that were stored; none when they are no point of a picture.
    pub fn from_thousandths(x: i64, y: i64) -> Option<Self> {
        let thousandths = |number: i64| u16::try_from(number).ok().filter(|number| *number <= 1000);
        Some(Self { x: thousandths(x)?, y: thousandths(y)? })
    }

    /// The numbers to be stored.
    pub fn thousandths(self) -> (i64, i64) {
        (self.x.into(), self.y.into())
    }

    /// As fractions of width and height.
    pub fn fractions(self) -> (f64, f64) {
        (f64::from(self.x) / 1000.0, f64::from(self.y) / 1000.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn face(x: f64, y: f64, width: f64, height: f64) -> BoundingBox {
        BoundingBox { x, y, width, height }
    }

    fn focus(faces: &[BoundingBox]) -> Option<(f64, f64)> {
        Focus::of(faces).map(Focus::fractions)
    }

    #[test]
    fn a_picture_without_faces_has_none() {
        assert_eq!(focus(&[]), None);
    }

    #[test]
    fn it_is_the_middle_of_all_large_faces_and_no_small_one_pulls_it_away() {
        let bride = face(0.1, 0.2, 0.1, 0.2);
        assert_eq!(focus(&[bride]), Some((0.15, 0.3)));
        // Of three in a row the middle, however they are distributed between the outer ones.
        let (groom, friend) = (face(0.2, 0.25, 0.1, 0.2), face(0.5, 0.1, 0.06, 0.12));
        assert_eq!(focus(&[bride, groom, friend]), Some((0.33, 0.275)));
        let behind = face(0.9, 0.8, 0.04, 0.09);
        assert_eq!(focus(&[behind, bride, groom, friend]), Some((0.33, 0.275)));
        assert_eq!(focus(&[behind]), Some((0.92, 0.845)), "nobody is in front of it");
    }

    #[test]
    fn what_of_a_face_is_beyond_the_picture_does_not_count() {
        assert_eq!(focus(&[face(-0.2, -0.1, 0.4, 0.5)]), Some((0.1, 0.2)));
        assert_eq!(focus(&[face(1.1, 0.9, 0.2, 0.2)]), Some((1.0, 0.95)));
    }

    #[test]
    fn it_is_stored_in_thousandths() {
        let stored = Focus::of(&[face(0.1234, 0.2, 0.1, 0.2)]).unwrap();
        assert_eq!(stored.thousandths(), (173, 300));
        assert_eq!(Focus::from_thousandths(173, 300), Some(stored));
        for (x, y) in [(-1, 0), (0, 1001), (i64::MAX, 0)] {
            assert_eq!(Focus::from_thousandths(x, y), None);
        }
    }
}
