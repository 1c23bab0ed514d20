//! How well one colour can be told from another.

use crate::photos::pixels::Color;

impl Color {
    /// White.
    pub const WHITE: Self = Self::new(255, 255, 255);
    /// Black.
    pub const BLACK: Self = Self::new(0, 0, 0);

    /// From its three channels.
    pub const fn new(red: u8, green: u8, blue: u8) -> Self {
        Self { red, green, blue }
    }

    /// Reads `#RRGGBB`, in hexadecimal digits of either case.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6)?;
        // `from_str_radix` would take a sign as well.
        let is_number = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        u32::from_str_radix(digits, 16).ok().filter(|_| is_number).and_then(Self::from_number)
    }

    /// The relative luminance of WCAG 2: 0 for black, 1 for white.
    fn luminance(self) -> f64 {
        let linear = |channel: u8| {
            let value = f64::from(channel) / 255.0;
            if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * linear(self.red) + 0.7152 * linear(self.green) + 0.0722 * linear(self.blue)
    }

    /// The contrast ratio of WCAG 2 between two colours, from 1 to 21.
    pub fn contrast(self, other: Self) -> f64 {
        let (one, two) = (self.luminance(), other.luminance());
        (one.max(two) + 0.05) / (one.min(two) + 0.05)
    }

    /// The colour with so many hundredths of another one in it.
    #[must_use]
    pub fn mixed(self, other: Self, hundredths: u8) -> Self {
        let part = u32::from(hundredths.min(100));
        let mix = |channel: u8, with: u8| {
            let sum = u32::from(channel) * (100 - part) + u32::from(with) * part;
            u8::try_from((sum + 50) / 100).unwrap_or(u8::MAX)
        };
        Self::new(mix(self.red, other.red), mix(self.green, other.green), mix(self.blue, other.blue))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_color_is_six_hexadecimal_digits() {
        assert_eq!(Color::parse("#C9410e").unwrap().to_string(), "#c9410e");
        for text in ["", "#fff", "c9410e", "#c9410", "#c9410ee", "#+9410e", "#c9 10e", "#éé41", "red"] {
            assert_eq!(Color::parse(text), None, "{text}");
        }
    }

    #[test]
    fn contrast_is_that_of_wcag_2() {
        for (one, two, expected) in [
            ("#000000", "#ffffff", 21.0),
            ("#777777", "#ffffff", 4.48),
            ("#767676", "#ffffff", 4.54),
            ("#ff0000", "#ffffff", 4.00),
            ("#0000ff", "#ffffff", 8.59),
            ("#ffff00", "#ffffff", 1.07),
        ] {
            let (one, two) = (Color::parse(one).unwrap(), Color::parse(two).unwrap());
            for ratio in [one.contrast(two), two.contrast(one)] {
                assert!((ratio - expected).abs() < 0.005, "{one} on {two}: {ratio}");
            }
        }
    }

    #[test]
    fn colors_are_mixed_in_hundredths() {
        let color = Color::new(200, 100, 0);
        assert_eq!(color.mixed(Color::BLACK, 0), color);
        assert_eq!(color.mixed(Color::BLACK, 50), Color::new(100, 50, 0));
        assert_eq!(color.mixed(Color::WHITE, 100), Color::WHITE);
        assert_eq!(color.mixed(Color::WHITE, 200), Color::WHITE);
    }
}
