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

    /// A channel of sRGB in linear light.
    pub(super) fn linear(channel: u8) -> f64 {
        let value = f64::from(channel) / 255.0;
        if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    }

    /// The channel of sRGB that is nearest to linear light.
    pub(super) fn encoded(light: f64) -> u8 {
        let light = light.clamp(0.0, 1.0);
        let value = if light <= 0.003_130_8 { light * 12.92 } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is between 0 and 255")]
        let channel = (value * 255.0).round() as u8;
        channel
    }

    /// The relative luminance of WCAG 2: 0 for black, 1 for white.
    fn luminance(self) -> f64 {
        let [red, green, blue] = [self.red, self.green, self.blue].map(Self::linear);
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }

    /// The contrast ratio of WCAG 2 between two colours, from 1 to 21.
    pub fn contrast(self, other: Self) -> f64 {
        let (one, two) = (self.luminance(), other.luminance());
        (one.max(two) + 0.05) / (one.min(two) + 0.05)
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
}
