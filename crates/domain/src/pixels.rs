//! Decoded images.

/// A decoded image: sRGB, orientation applied, 8 bits per channel, rows from the top, red green blue without padding.
#[derive(Clone, PartialEq, Eq)]
pub struct Pixels {
    width: u32,
    height: u32,
    data: Vec<u8>,
}

impl Pixels {
    /// From `data`, which must have `width * height * 3` bytes and at least one pixel; none otherwise.
    pub fn new(width: u32, height: u32, data: Vec<u8>) -> Option<Self> {
        let bytes = usize::try_from(u64::from(width).checked_mul(u64::from(height))?.checked_mul(3)?).ok()?;
        (bytes > 0 && data.len() == bytes).then_some(Self { width, height, data })
    }

    /// Width in pixels, at least 1.
    pub const fn width(&self) -> u32 {
        self.width
    }

    /// Height in pixels, at least 1.
    pub const fn height(&self) -> u32 {
        self.height
    }

    /// The samples: three bytes per pixel, row by row.
    pub fn data(&self) -> &[u8] {
        &self.data
    }

    /// Consumes the image and returns its samples.
    pub fn into_data(self) -> Vec<u8> {
        self.data
    }

    /// The longer of the two sides.
    pub fn long_side(&self) -> u32 {
        self.width.max(self.height)
    }
}

impl std::fmt::Debug for Pixels {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Pixels({}×{})", self.width, self.height)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_data_must_match_the_size() {
        assert!(Pixels::new(2, 3, vec![0; 18]).is_some());
        assert!(Pixels::new(2, 3, vec![0; 17]).is_none());
        assert!(Pixels::new(0, 3, Vec::new()).is_none());
        assert!(Pixels::new(u32::MAX, u32::MAX, Vec::new()).is_none());
    }
}
