//! What a photo looks like, as far as photos are compared and sorted by it.

/// Below this a photo is taken for blurred. Of pictures that are sharp at the size of a preview none is below 0.5; of the same
/// with a Gaussian blur of 2 pixels 98 of 100 are below it (docs/measurements.md).
pub const SHARP: Sharpness = Sharpness(400);

/// How much of a picture's finest detail a further blur would take, in thousandths: a sharp picture loses most, one that is
/// blurred loses little.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Sharpness(u16);

impl Sharpness {
    /// From a part between 0 and 1.
    pub fn of(part: f64) -> Self {
        Self(super::focus::thousandths(part))
    }

    /// From thousandths; none above 1,000 and below 0.
    pub fn from_thousandths(number: i64) -> Option<Self> {
        u16::try_from(number).ok().filter(|number| *number <= 1_000).map(Self)
    }

    /// In thousandths.
    pub fn thousandths(self) -> i64 {
        i64::from(self.0)
    }

    /// As a part, from 0 to 1.
    pub fn part(self) -> f64 {
        f64::from(self.0) / 1_000.0
    }
}

/// A picture's luminance in [`Look::SIDE`] rows of as many cells, whatever its shape.
#[derive(Clone, PartialEq, Eq)]
pub struct Look(Vec<u8>);

impl Look {
    /// Rows, and cells of each.
    pub const SIDE: usize = 24;
    /// Cells.
    pub const CELLS: usize = Self::SIDE * Self::SIDE;

    /// From the cells, row by row; none where their number is another one.
    pub fn new(cells: Vec<u8>) -> Option<Self> {
        (cells.len() == Self::CELLS).then_some(Self(cells))
    }

    /// The cells, row by row.
    pub fn cells(&self) -> &[u8] {
        &self.0
    }
}

impl std::fmt::Debug for Look {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Look")
    }
}

/// What is measured of a photo's picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Appearance {
    /// How sharp it is, where its faces are, or where it has most detail if it has none.
    pub sharpness: Sharpness,
    /// What it is compared by.
    pub look: Look,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sharpness_lies_between_none_and_all() {
        assert_eq!(Sharpness::of(0.4), SHARP);
        assert_eq!(Sharpness::of(7.0).thousandths(), 1_000);
        assert_eq!(Sharpness::of(f64::NAN).thousandths(), 0);
        assert_eq!(Sharpness::from_thousandths(1_000).map(Sharpness::part), Some(1.0));
        assert_eq!([-1, 1_001].map(Sharpness::from_thousandths), [None, None]);
    }

    #[test]
    fn a_look_has_all_its_cells() {
        assert!(Look::new(vec![0; Look::CELLS]).is_some());
        assert!(Look::new(vec![0; Look::CELLS - 1]).is_none());
    }
}
