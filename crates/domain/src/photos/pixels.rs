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

    /// A part of it, with its corner at `left` and `top`; what would lie beyond the picture is left out, but for one pixel.
    #[must_use]
    pub fn part(&self, left: u32, top: u32, width: u32, height: u32) -> Self {
        let (left, top) = (left.min(self.width - 1), top.min(self.height - 1));
        let (width, height) = (width.clamp(1, self.width - left), height.clamp(1, self.height - top));
        let samples = |pixels: u32| pixels as usize * 3;
        let lines = self.data.chunks_exact(samples(self.width)).skip(top as usize).take(height as usize);
        let data = lines.flat_map(|line| &line[samples(left)..samples(left + width)]).copied().collect();
        Self { width, height, data }
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

    /// The average color of the image, from pixels spread over it.
    pub fn average_color(&self) -> Color {
        /// About so many pixels are enough, whatever the size.
        const SAMPLES: usize = 10_000;
        let step = (self.data.len() / 3 / SAMPLES).max(1);
        let mut sums = [0_u64; 3];
        let mut count = 0_u64;
        for pixel in self.data.chunks_exact(3).step_by(step) {
            for (sum, sample) in sums.iter_mut().zip(pixel) {
                *sum += u64::from(*sample);
            }
            count += 1;
        }
        let [red, green, blue] = sums.map(|sum| u8::try_from(sum / count.max(1)).unwrap_or(u8::MAX));
        Color { red, green, blue }
    }

    /// The longer of the two sides.
    pub fn long_side(&self) -> u32 {
        self.width.max(self.height)
    }
}

/// An sRGB color. Its text is that of CSS, `#rrggbb`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Color {
    /// Red.
    pub red: u8,
    /// Green.
    pub green: u8,
    /// Blue.
    pub blue: u8,
}

impl Color {
    /// From the number `0xRRGGBB`; none from a larger one.
    pub fn from_number(number: u32) -> Option<Self> {
        let [0, red, green, blue] = number.to_be_bytes() else { return None };
        Some(Self { red, green, blue })
    }

    /// The number `0xRRGGBB`.
    pub const fn number(self) -> u32 {
        u32::from_be_bytes([0, self.red, self.green, self.blue])
    }
}

impl std::fmt::Display for Color {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "#{:06x}", self.number())
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
    fn the_average_color_is_that_of_the_whole_image() {
        let two = Pixels::new(2, 1, vec![255, 0, 10, 0, 101, 20]).unwrap();
        assert_eq!(two.average_color(), Color { red: 127, green: 50, blue: 15 });
        let halves: Vec<u8> =
            [[200, 0, 0], [0, 0, 100]].iter().flat_map(|half| half.repeat(60_000)).collect();
        let large = Pixels::new(400, 300, halves).unwrap();
        assert_eq!(large.average_color(), Color { red: 100, green: 0, blue: 50 });
    }

    #[test]
    fn a_part_lies_within_the_picture() {
        // Each sample says its line and column.
        let data = (0..3).flat_map(|line| (0..4).flat_map(move |column| [line, column, 0])).collect();
        let picture = Pixels::new(4, 3, data).unwrap();
        let part = picture.part(1, 1, 2, 2);
        assert_eq!((part.width(), part.height()), (2, 2));
        assert_eq!(part.data(), [1, 1, 0, 1, 2, 0, 2, 1, 0, 2, 2, 0]);
        assert!(picture.part(0, 0, 4, 3) == picture);
        // What lies beyond is left out; a pixel remains.
        assert_eq!(picture.part(3, 2, 9, 9).data(), [2, 3, 0]);
        assert_eq!(picture.part(u32::MAX, u32::MAX, u32::MAX, u32::MAX).data(), [2, 3, 0]);
        assert_eq!(picture.part(1, 0, 0, 0).data(), [0, 1, 0]);
    }

    #[test]
    fn a_color_is_a_number_and_a_text() {
        let color = Color { red: 1, green: 35, blue: 255 };
        assert_eq!(color.to_string(), "#0123ff");
        assert_eq!(Color::from_number(color.number()), Some(color));
        assert_eq!(Color::from_number(0x0100_0000), None);
    }

    #[test]
    fn the_data_must_match_the_size() {
        assert!(Pixels::new(2, 3, vec![0; 18]).is_some());
        assert!(Pixels::new(2, 3, vec![0; 17]).is_none());
        assert!(Pixels::new(0, 3, Vec::new()).is_none());
        assert!(Pixels::new(u32::MAX, u32::MAX, Vec::new()).is_none());
    }
}
