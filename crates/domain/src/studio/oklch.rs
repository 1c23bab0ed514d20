//! Lightness, chroma and hue as the eye has them: OKLCH (CSS Color 4, 9.2).

use crate::photos::pixels::Color;

/// How far a channel may lie beyond its range before a colour counts as one that no screen has: what rounding makes of it.
const ROUNDING: f64 = 1e-4;
/// Halvings in which the largest chroma is found that screens have; a part in a thousand of what one can tell apart.
const HALVINGS: u32 = 16;

/// A colour by lightness, chroma and hue.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Oklch {
    /// 0 for black, 1 for white.
    pub(super) lightness: f64,
    /// 0 for greys; no colour of a screen has more than 0.33.
    pub(super) chroma: f64,
    /// In radians.
    pub(super) hue: f64,
}

impl From<Color> for Oklch {
    fn from(color: Color) -> Self {
        let [red, green, blue] = [color.red, color.green, color.blue].map(Color::linear);
        let long = (0.412_221_470_8 * red + 0.536_332_536_3 * green + 0.051_445_992_9 * blue).cbrt();
        let medium = (0.211_903_498_2 * red + 0.680_699_545_1 * green + 0.107_396_956_6 * blue).cbrt();
        let short = (0.088_302_461_9 * red + 0.281_718_837_6 * green + 0.629_978_700_5 * blue).cbrt();
        let a = 1.977_998_495_1 * long - 2.428_592_205_0 * medium + 0.450_593_709_9 * short;
        let b = 0.025_904_037_1 * long + 0.782_771_766_2 * medium - 0.808_675_766_0 * short;
        Self {
            lightness: 0.210_454_255_3 * long + 0.793_617_785_0 * medium - 0.004_072_046_8 * short,
            chroma: a.hypot(b),
            hue: b.atan2(a),
        }
    }
}

impl Oklch {
    /// The colour of a screen that has this lightness and hue, and of the chroma what screens have of it.
    pub(super) fn on_screen(self) -> Color {
        let (mut inside, mut outside) = (0.0, self.chroma);
        if self.linear().iter().all(is_shown) {
            inside = self.chroma;
        } else {
            for _ in 0..HALVINGS {
                let middle = f64::midpoint(inside, outside);
                let is_inside = Self { chroma: middle, ..self }.linear().iter().all(is_shown);
                *(if is_inside { &mut inside } else { &mut outside }) = middle;
            }
        }
        let [red, green, blue] = Self { chroma: inside, ..self }.linear().map(Color::encoded);
        Color::new(red, green, blue)
    }

    /// Its three channels in linear light, which may lie beyond 0 and 1.
    fn linear(self) -> [f64; 3] {
        let (a, b) = (self.chroma * self.hue.cos(), self.chroma * self.hue.sin());
        let long = (self.lightness + 0.396_337_777_4 * a + 0.215_803_757_3 * b).powi(3);
        let medium = (self.lightness - 0.105_561_345_8 * a - 0.063_854_172_8 * b).powi(3);
        let short = (self.lightness - 0.089_484_177_5 * a - 1.291_485_548_0 * b).powi(3);
        [
            4.076_741_662_1 * long - 3.307_711_591_3 * medium + 0.230_969_929_2 * short,
            -1.268_438_004_6 * long + 2.609_757_401_1 * medium - 0.341_319_396_5 * short,
            -0.004_196_086_3 * long - 0.703_418_614_7 * medium + 1.707_614_701_0 * short,
        ]
    }
}

fn is_shown(channel: &f64) -> bool {
    (-ROUNDING..=1.0 + ROUNDING).contains(channel)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn colors_have_the_lightness_chroma_and_hue_of_css() {
        for (color, lightness, chroma, degrees) in [
            ("#ff0000", 0.627_96, 0.257_68, 29.23),
            ("#008000", 0.519_75, 0.176_86, 142.50),
            ("#0000ff", 0.452_01, 0.313_21, 264.05),
            ("#663399", 0.440_27, 0.160_32, 303.37),
        ] {
            let found = Oklch::from(Color::parse(color).unwrap());
            assert!((found.lightness - lightness).abs() < 1e-3, "{color}: {found:?}");
            assert!((found.chroma - chroma).abs() < 1e-3, "{color}: {found:?}");
            assert!((found.hue.to_degrees().rem_euclid(360.0) - degrees).abs() < 0.1, "{color}: {found:?}");
        }
        let (white, black) = (Oklch::from(Color::WHITE), Oklch::from(Color::BLACK));
        assert!((white.lightness - 1.0).abs() < 1e-6 && white.chroma < 1e-6 && black.lightness.abs() < 1e-6);
    }

    #[test]
    fn what_no_screen_has_loses_chroma_and_keeps_its_hue() {
        let vivid = Oklch { chroma: 0.4, ..Oklch::from(Color::new(0xc9, 0x41, 0x0e)) };
        let shown = Oklch::from(vivid.on_screen());
        assert!(shown.chroma > 0.15 && shown.chroma < 0.3, "{shown:?}");
        assert!((shown.hue - vivid.hue).abs() < 0.02 && (shown.lightness - vivid.lightness).abs() < 0.01);
    }

    proptest! {
        #[test]
        fn each_color_comes_back(red: u8, green: u8, blue: u8) {
            let color = Color::new(red, green, blue);
            prop_assert_eq!(Oklch::from(color).on_screen(), color);
        }
    }
}
