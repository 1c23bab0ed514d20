//! Two pictures of a guest that were taken for a request: one straight into the camera, and one with the head turned to a side that
//! was drawn at random a moment before.
//!
//! One picture of somebody else is not enough then. It is no proof: a video of the person held up may pass, and so may two pictures
//! of them that happen to fit (decision 0069).

use std::time::Duration;

use crate::Refusal;
use crate::photos::pixels::Pixels;

/// How long the side that was drawn is good: long enough to read, to allow the camera and to try twice.
pub const CHALLENGE_LIFETIME: Duration = Duration::from_secs(5 * 60);

/// How far a head that looks into the camera is turned at most, as [`turn_of`] measures.
const FRONTAL: f64 = 0.12;
/// How far one that is turned is turned at least.
const TURNED: f64 = 0.16;
/// By how much it is turned at least between the two pictures: a head that is held askew in both is not turned.
const MOVED: f64 = 0.12;

/// A side of the person. On a mirrored preview it is the same side of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The person's left, which is on the right of a picture that is not mirrored.
    Left,
    /// The person's right.
    Right,
}

impl Side {
    /// Draws a side.
    pub const fn drawn(random: u8) -> Self {
        if random & 1 == 0 { Self::Left } else { Self::Right }
    }

    /// Its name in the contract.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Right => "right",
        }
    }

    /// Parses the name in the contract.
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Left, Self::Right].into_iter().find(|side| side.as_str() == text)
    }
}

/// How far a head is turned to the person's left, less than 0 to their right, by five landmarks in a picture that is not mirrored:
/// eye, eye, nose, corner and corner of the mouth, left to right as seen with the face upright.
///
/// The tip of the nose stands out, so that it moves aside before the rest: measured along the line of the eyes, from the middle of
/// eyes and mouth, in units of the height from the mouth to the eyes, which a turn does not change. It is about half the sine of
/// the angle.
pub fn turn_of(landmarks: &[[f64; 2]; 5]) -> f64 {
    let [one_eye, other_eye, nose, one_corner, other_corner] = *landmarks;
    let middle =
        |one: [f64; 2], other: [f64; 2]| [f64::midpoint(one[0], other[0]), f64::midpoint(one[1], other[1])];
    let (eyes, mouth) = (middle(one_eye, other_eye), middle(one_corner, other_corner));
    let centre = middle(eyes, mouth);
    let across = [other_eye[0] - one_eye[0], other_eye[1] - one_eye[1]];
    let (width, height) = (across[0].hypot(across[1]), (mouth[0] - eyes[0]).hypot(mouth[1] - eyes[1]));
    let aside = ((nose[0] - centre[0]) * across[0] + (nose[1] - centre[1]) * across[1]) / (width * height);
    // Of points that coincide nothing can be said: the head is not turned.
    if aside.is_finite() { aside } else { 0.0 }
}

/// Checks how the head is turned in the two pictures.
///
/// # Errors
/// [`Refusal::LiveCaptureNotFrontal`], [`Refusal::LiveCaptureOtherSide`], or [`Refusal::LiveCaptureTurnedTooLittle`].
pub fn check_turn(first: f64, second: f64, side: Side) -> Result<(), Refusal> {
    let towards = |turn: f64| if side == Side::Left { turn } else { -turn };
    if first.abs() > FRONTAL {
        return Err(Refusal::LiveCaptureNotFrontal);
    }
    if towards(second) <= -TURNED {
        return Err(Refusal::LiveCaptureOtherSide);
    }
    if towards(second) < TURNED || towards(second) - towards(first) < MOVED {
        return Err(Refusal::LiveCaptureTurnedTooLittle);
    }
    Ok(())
}

/// Squares on each side of a [`Sketch`].
const SQUARES: usize = 24;
/// How much the squares of two frames of a camera differ at least on an average, of 255: noise alone makes more of it than saving a
/// picture again, and a head that turns far more.
const LEAST_DIFFERENCE: f64 = 1.0;

/// A picture, so coarse that saving it again changes nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Sketch(Vec<[f64; 3]>);

impl Sketch {
    /// The mean colours of the squares of a picture.
    pub fn of(picture: &Pixels) -> Self {
        let (width, height) = (picture.width() as usize, picture.height() as usize);
        let mut sums = vec![([0.0; 3], 0.0); SQUARES * SQUARES];
        for (row, line) in picture.data().chunks_exact(width * 3).enumerate() {
            for (column, pixel) in line.as_chunks::<3>().0.iter().enumerate() {
                let (sum, count) = &mut sums[row * SQUARES / height * SQUARES + column * SQUARES / width];
                for (sum, sample) in sum.iter_mut().zip(pixel) {
                    *sum += f64::from(*sample);
                }
                *count += 1.0;
            }
        }
        Self(
            sums.into_iter()
                .map(|(sum, count): ([f64; 3], f64)| sum.map(|each| each / count.max(1.0)))
                .collect(),
        )
    }

    /// Whether both are of one picture, though it may have been saved again.
    pub fn is_same(&self, other: &Self) -> bool {
        let apart = |(one, other): (&[f64; 3], &[f64; 3])| {
            one.iter().zip(other).map(|(one, other)| (one - other).abs()).sum::<f64>() / 3.0
        };
        #[allow(clippy::cast_precision_loss, reason = "some hundred squares")]
        let count = self.0.len() as f64;
        self.0.iter().zip(&other.0).map(apart).sum::<f64>() / count < LEAST_DIFFERENCE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A face 100 pixels wide whose nose is so far to the right of its middle, turned in the plane by `degrees`.
    fn landmarks(nose: f64, degrees: f64) -> [[f64; 2]; 5] {
        let (sine, cosine) = degrees.to_radians().sin_cos();
        [[30.0, 40.0], [70.0, 40.0], [50.0 + nose, 60.0], [35.0, 80.0], [65.0, 80.0]]
            .map(|[x, y]: [f64; 2]| [x * cosine - y * sine + 300.0, x * sine + y * cosine + 200.0])
    }

    #[test]
    fn a_turn_is_measured_whatever_the_tilt_and_size_and_mirrored_it_is_to_the_other_side() {
        // [FACE514]
        for degrees in [-40.0, 0.0, 25.0, 90.0] {
            assert!(turn_of(&landmarks(0.0, degrees)).abs() < 1e-9);
            assert!((turn_of(&landmarks(10.0, degrees)) - 0.25).abs() < 1e-9, "to the right of the picture");
            let twice = landmarks(10.0, degrees).map(|[x, y]| [x * 2.0, y * 2.0]);
            assert!((turn_of(&twice) - 0.25).abs() < 1e-9);
            // Mirrored the points change places, so that they are left to right again.
            let [eye, other_eye, nose, corner, other_corner] =
                landmarks(10.0, degrees).map(|[x, y]| [1000.0 - x, y]);
            assert!((turn_of(&[other_eye, eye, nose, other_corner, corner]) + 0.25).abs() < 1e-9);
        }
        assert!(turn_of(&[[5.0, 5.0]; 5]).abs() < 1e-9, "no number");
    }

    #[test]
    fn the_first_picture_is_from_the_front_and_the_second_is_turned_to_the_named_side() {
        // [FACE514]
        for (side, sign) in [(Side::Left, 1.0), (Side::Right, -1.0)] {
            let check = |first: f64, second: f64| check_turn(sign * first, sign * second, side);
            assert_eq!(check(0.0, 0.3), Ok(()));
            assert_eq!(check(-0.11, 0.17), Ok(()));
            assert_eq!(check(0.0, 0.15), Err(Refusal::LiveCaptureTurnedTooLittle));
            assert_eq!(check(0.0, 0.0), Err(Refusal::LiveCaptureTurnedTooLittle), "the same picture");
            assert_eq!(check(0.1, 0.21), Err(Refusal::LiveCaptureTurnedTooLittle), "askew in both");
            assert_eq!(check(0.0, -0.1), Err(Refusal::LiveCaptureTurnedTooLittle));
            assert_eq!(check(0.0, -0.3), Err(Refusal::LiveCaptureOtherSide));
            for askew in [0.13, -0.13] {
                assert_eq!(check(askew, 0.5), Err(Refusal::LiveCaptureNotFrontal));
            }
        }
    }

    #[test]
    fn sides_round_trip_and_both_are_drawn() {
        for side in [Side::Left, Side::Right] {
            assert_eq!(Side::parse(side.as_str()), Some(side));
        }
        assert_eq!(Side::parse("up"), None);
        assert_eq!((0..=u8::MAX).filter(|random| Side::drawn(*random) == Side::Left).count(), 128);
    }

    #[test]
    fn a_picture_that_is_saved_again_is_the_same_and_another_frame_is_not() {
        // [FACE514]
        let picture = |width: u32, light: u32, head: u32| {
            let sample = |x: u32, y: u32| {
                let inside = x * 100 / width >= head && x * 100 / width < head + 30 && y > 20;
                u8::try_from(if inside { 180 } else { (x * 7 + y * 3 + light) % 90 }).unwrap()
            };
            let data = (0..100).flat_map(|y| (0..width).map(move |x| [sample(x, y); 3])).flatten().collect();
            Sketch::of(&Pixels::new(width, 100, data).unwrap())
        };
        assert!(picture(100, 0, 35).is_same(&picture(100, 0, 35)));
        assert!(!picture(100, 0, 35).is_same(&picture(100, 0, 37)), "the head has moved");
        assert!(
            Sketch::of(&Pixels::new(1, 1, vec![9; 3]).unwrap())
                .is_same(&Sketch::of(&Pixels::new(1, 1, vec![9; 3]).unwrap()))
        );
    }
}
