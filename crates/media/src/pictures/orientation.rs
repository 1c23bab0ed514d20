//! EXIF orientation: how a stored picture must be turned to stand upright.

use domain::photos::pixels::Pixels;

use crate::exif::{Exif, Tag};

/// The EXIF tag's value, 1 to 8 (CIPA DC-008, 4.6.4 A): where the stored row 0 and column 0 belong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Orientation(u8);

impl Orientation {
    /// Stored as it stands.
    pub(super) const UPRIGHT: Self = Self(1);
    /// Left and right are to be exchanged.
    pub(super) const MIRRORED: Self = Self(2);
    /// Top and bottom are to be exchanged.
    pub(super) const UPSIDE_DOWN: Self = Self(4);
    /// To be turned by a quarter against the clock.
    pub(super) const QUARTER_BACK: Self = Self(8);

    /// From the tag's value; values that the standard does not know count as upright.
    pub(super) fn from_value(value: u32) -> Self {
        match u8::try_from(value) {
            Ok(value @ 1..=8) => Self(value),
            _ => Self::UPRIGHT,
        }
    }

    /// From a TIFF structure as EXIF embeds it, with or without the `Exif\0\0` before it.
    pub(crate) fn from_exif(data: &[u8]) -> Self {
        let exif = Exif::read(data);
        exif.and_then(|exif| exif.number(Tag::ORIENTATION)).map_or(Self::UPRIGHT, Self::from_value)
    }

    /// A TIFF structure that says nothing else, as EXIF embeds it.
    pub(crate) fn to_exif(self) -> Vec<u8> {
        let entry = [0x12, 0x01, 3, 0, 1, 0, 0, 0, self.0, 0, 0, 0];
        [b"II*\0\x08\0\0\0\x01\0".as_slice(), &entry, &[0; 4]].concat()
    }

    /// First this one, then another.
    pub(super) fn then(self, next: Self) -> Self {
        // Where the stored x and y come to lie, and with which signs.
        const PLACES: [[[i8; 2]; 2]; 8] = [
            [[1, 0], [0, 1]],
            [[-1, 0], [0, 1]],
            [[-1, 0], [0, -1]],
            [[1, 0], [0, -1]],
            [[0, 1], [1, 0]],
            [[0, -1], [1, 0]],
            [[0, -1], [-1, 0]],
            [[0, 1], [-1, 0]],
        ];
        let (one, two) = (PLACES[usize::from(self.0 - 1)], PLACES[usize::from(next.0 - 1)]);
        let both = [0, 1].map(|row: usize| {
            [0, 1].map(|column: usize| two[row][0] * one[0][column] + two[row][1] * one[1][column])
        });
        let value = (1..).zip(PLACES).find(|(_, places)| *places == both);
        value.map_or(Self::UPRIGHT, |(value, _)| Self(value))
    }

    const fn swaps_sides(self) -> bool {
        self.0 >= 5
    }

    /// Width and height upright of a picture stored as `width` by `height`.
    pub(super) const fn upright(self, width: u32, height: u32) -> (u32, u32) {
        if self.swaps_sides() { (height, width) } else { (width, height) }
    }

    /// Turns a stored picture upright.
    pub(super) fn apply(self, pixels: Pixels) -> Pixels {
        if self == Self::UPRIGHT {
            return pixels;
        }
        let (stored_width, stored_height) = (pixels.width() as usize, pixels.height() as usize);
        let (width, height) = self.upright(pixels.width(), pixels.height());
        // Walking the result's rows, the source moves by `step` a pixel from `start(y)`.
        let (last_x, last_y) = (stored_width - 1, stored_height - 1);
        let stride = stored_width as isize;
        let start = |y: usize| match self.0 {
            2 => (last_x, y),
            3 => (last_x, last_y - y),
            4 => (0, last_y - y),
            5 => (y, 0),
            6 => (y, last_y),
            7 => (last_x - y, last_y),
            8 => (last_x - y, 0),
            _ => (0, y),
        };
        let step: isize = match self.0 {
            2 | 3 => -1,
            5 | 8 => stride,
            6 | 7 => -stride,
            _ => 1,
        };
        let stored = pixels.data();
        let mut data = Vec::with_capacity(stored.len());
        for y in 0..height as usize {
            let (x, stored_y) = start(y);
            let mut at = (stored_y * stored_width + x) as isize;
            for _ in 0..width {
                let offset = at as usize * 3;
                data.extend_from_slice(&stored[offset..offset + 3]);
                at += step;
            }
        }
        Pixels::new(width, height, data).unwrap_or(pixels)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Stored 3×2 with the samples 1 to 6 as its pixels' reds.
    fn turned(value: u32) -> (u32, u32, Vec<u8>) {
        let data = (1..=6u8).flat_map(|red| [red, 0, 0]).collect();
        let pixels = Orientation::from_value(value).apply(Pixels::new(3, 2, data).unwrap());
        (pixels.width(), pixels.height(), pixels.data().chunks(3).map(|pixel| pixel[0]).collect())
    }

    #[test]
    fn every_orientation_turns_as_the_standard_says() {
        assert_eq!(turned(1), (3, 2, vec![1, 2, 3, 4, 5, 6]));
        assert_eq!(turned(2), (3, 2, vec![3, 2, 1, 6, 5, 4]));
        assert_eq!(turned(3), (3, 2, vec![6, 5, 4, 3, 2, 1]));
        assert_eq!(turned(4), (3, 2, vec![4, 5, 6, 1, 2, 3]));
        assert_eq!(turned(5), (2, 3, vec![1, 4, 2, 5, 3, 6]));
        assert_eq!(turned(6), (2, 3, vec![4, 1, 5, 2, 6, 3]));
        assert_eq!(turned(7), (2, 3, vec![6, 3, 5, 2, 4, 1]));
        assert_eq!(turned(8), (2, 3, vec![3, 6, 2, 5, 1, 4]));
        assert_eq!(turned(0), turned(1));
        assert_eq!(turned(9), turned(1));
    }

    #[test]
    fn one_turn_after_the_other_is_a_turn_as_well() {
        for first in 1..=8 {
            for second in 1..=8 {
                let data = (1..=6u8).flat_map(|red| [red, 0, 0]).collect();
                let stored = Pixels::new(3, 2, data).unwrap();
                let (one, two) = (Orientation::from_value(first), Orientation::from_value(second));
                let after_another = two.apply(one.apply(stored.clone()));
                let at_once = one.then(two).apply(stored);
                assert_eq!(
                    (at_once.width(), at_once.data()),
                    (after_another.width(), after_another.data()),
                    "{first} {second}"
                );
            }
        }
    }
}
