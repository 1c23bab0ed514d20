//! Faces cut out of a picture.

use domain::faces::BoundingBox;
use domain::photos::pixels::Pixels;

use crate::whole::whole;

use super::renditions::{NotEncodable, encode_jpeg, resize};

/// Width and height of a face's picture in pixels, unless it is smaller in the rendition.
pub const SIDE: u32 = 192;
/// How much of its surroundings is shown: the side of the square in proportion to the face.
const SURROUNDINGS: f64 = 1.6;
const QUALITY: u8 = 82;

/// A square around a face in a rendition, as JPEG.
pub fn face(picture: &Pixels, bounds: &BoundingBox) -> Result<Vec<u8>, NotEncodable> {
    encode_jpeg(&resize(&square(picture, bounds), SIDE), QUALITY)
}

/// The square around a face, moved into the picture where it would extend beyond it.
fn square(picture: &Pixels, bounds: &BoundingBox) -> Pixels {
    let (width, height) = (f64::from(picture.width()), f64::from(picture.height()));
    let face = (bounds.width * width).max(bounds.height * height);
    let side = (face * SURROUNDINGS).clamp(1.0, width.min(height)).floor();
    let start = |centre: f64, length: f64| (centre * length - side / 2.0).clamp(0.0, length - side).floor();
    let left = start(bounds.x + bounds.width / 2.0, width);
    let top = start(bounds.y + bounds.height / 2.0, height);
    let [left, top, side] = [left, top, side].map(whole);
    picture.part(left, top, side, side)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 40 × 20 pixels, each its own place.
    fn picture() -> Pixels {
        let data = (0..20_u8).flat_map(|y| (0..40_u8).flat_map(move |x| [x, y, 0])).collect();
        Pixels::new(40, 20, data).unwrap()
    }

    fn corner(bounds: [f64; 4]) -> (u32, [u8; 2]) {
        let [x, y, width, height] = bounds;
        let square = square(&picture(), &BoundingBox { x, y, width, height });
        assert_eq!(square.width(), square.height());
        (square.width(), [square.data()[0], square.data()[1]])
    }

    #[test]
    fn the_square_is_around_the_face_and_in_the_picture() {
        // [GAL079]
        assert_eq!(corner([0.4, 0.25, 0.2, 0.5]), (16, [12, 2]));
        assert_eq!(corner([0.0, 0.0, 0.1, 0.2]), (6, [0, 0]));
        assert_eq!(corner([-0.5, 0.9, 0.7, 0.4]), (20, [0, 0]));
        assert_eq!(corner([0.95, 0.9, 0.1, 0.2]), (6, [34, 14]));
        assert_eq!(corner([5.0, 5.0, 0.0, 0.0]), (1, [39, 19]));
    }
}
