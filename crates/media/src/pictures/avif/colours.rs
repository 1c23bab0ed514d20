//! Samples of brightness and colour, as H.273 describes them, turned into red, green and blue of 8 bits.

use super::super::errors::Unreadable;
use super::av1::{Chroma, Frame, side};

/// How samples become colours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Conversion {
    matrix: Matrix,
    brightness: Range,
    difference: Range,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Matrix {
    /// The planes are green, blue and red.
    Identity,
    /// Differences from orange and green.
    Orange,
    /// What a difference adds to red, takes from green (both of them), and adds to blue.
    Weighted { red: f32, green: [f32; 2], blue: f32 },
}

/// Samples from `zero` on, of which `scale` makes 0 to 255.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Range {
    zero: f32,
    scale: f32,
}

impl Range {
    fn apply(self, sample: f32) -> f32 {
        (sample - self.zero) * self.scale
    }
}

impl Conversion {
    /// Of samples of so many bits with these matrix coefficients.
    pub(super) fn new(bits: u8, matrix: u16, is_full_range: bool) -> Result<Self, Unreadable> {
        let weighted = |red: f32, blue: f32| {
            let green = 1.0 - red - blue;
            let (of_red, of_blue) = (2.0 * (1.0 - red), 2.0 * (1.0 - blue));
            Matrix::Weighted {
                red: of_red,
                green: [of_blue * blue / green, of_red * red / green],
                blue: of_blue,
            }
        };
        let matrix = match matrix {
            0 => Matrix::Identity,
            1 => weighted(0.2126, 0.0722),
            // What is not said is as in JPEG.
            2 | 5 | 6 => weighted(0.299, 0.114),
            4 => weighted(0.30, 0.11),
            7 => weighted(0.212, 0.087),
            8 => Matrix::Orange,
            9 => weighted(0.2627, 0.0593),
            _ => return Err(Unreadable::UnknownKind),
        };
        // One of 8 bits in as many more bits.
        let step = f32::from(1_u16 << (bits - 8));
        let most = f32::from((1_u16 << (bits - 1)) - 1) * 2.0 + 1.0;
        let full = Range { zero: 0.0, scale: 255.0 / most };
        let (brightness, difference) = if is_full_range {
            (full, Range { zero: 128.0 * step, ..full })
        } else {
            let range = |zero: f32, width: f32| Range { zero: zero * step, scale: 255.0 / (width * step) };
            (range(16.0, 219.0), range(128.0, 224.0))
        };
        let difference = if matrix == Matrix::Identity { brightness } else { difference };
        Ok(Self { matrix, brightness, difference })
    }

    fn rgb(&self, [y, u, v]: [f32; 3]) -> [u8; 3] {
        let (y, u, v) = (self.brightness.apply(y), self.difference.apply(u), self.difference.apply(v));
        let colours = match self.matrix {
            Matrix::Identity => [v, y, u],
            Matrix::Orange => [y - u + v, y + u, y - u - v],
            Matrix::Weighted { red, green: [of_u, of_v], blue } => {
                [y + red * v, y - of_u * u - of_v * v, y + blue * u]
            }
        };
        // Beyond its ends a number becomes the nearest one.
        colours.map(|colour| (colour + 0.5) as u8)
    }

    fn grey(&self, sample: f32) -> u8 {
        (self.brightness.apply(sample) + 0.5) as u8
    }
}

/// Turns one row of a picture after the other into colours.
pub(super) struct Rows<'a> {
    frame: &'a Frame,
    conversion: Conversion,
    brightness: Vec<u16>,
    /// Differences of colours as they are in two rows, and at each pixel.
    near: Vec<u16>,
    far: Vec<u16>,
    differences: [Vec<f32>; 2],
}

impl<'a> Rows<'a> {
    pub(super) fn new(frame: &'a Frame, conversion: Conversion) -> Self {
        let (brightness, near, far) = (Vec::new(), Vec::new(), Vec::new());
        Self { frame, conversion, brightness, near, far, differences: [Vec::new(), Vec::new()] }
    }

    /// Appends row `y`: one sample a pixel of a grey picture, otherwise three.
    pub(super) fn append(&mut self, y: u32, out: &mut Vec<u8>) {
        if self.frame.sequence.chroma == Chroma::None {
            return self.append_brightness(y, out);
        }
        self.frame.row(0, y, &mut self.brightness);
        for plane in [1, 2] {
            self.spread(plane, y);
        }
        let [blues, reds] = &self.differences;
        for ((y, u), v) in self.brightness.iter().zip(blues).zip(reds) {
            out.extend(self.conversion.rgb([f32::from(*y), *u, *v]));
        }
    }

    /// Appends the brightness of row `y`, one sample a pixel.
    pub(super) fn append_brightness(&mut self, y: u32, out: &mut Vec<u8>) {
        self.frame.row(0, y, &mut self.brightness);
        out.extend(self.brightness.iter().map(|sample| self.conversion.grey(f32::from(*sample))));
    }

    /// The differences of row `y`, one a pixel. Those that lie between pixels count for a quarter at the second next.
    fn spread(&mut self, plane: usize, y: u32) {
        let (across, down) = self.frame.sequence.chroma.shifts();
        let stored = y >> down;
        self.frame.row(plane, stored, &mut self.near);
        let differences = &mut self.differences[plane - 1];
        differences.clear();
        if (across, down) == (0, 0) {
            differences.extend(self.near.iter().map(|sample| f32::from(*sample)));
            return;
        }
        if down == 0 {
            self.far.clone_from(&self.near);
        } else {
            let last = side(self.frame.height, down) - 1;
            let other = if y.is_multiple_of(2) { stored.saturating_sub(1) } else { (stored + 1).min(last) };
            self.frame.row(plane, other, &mut self.far);
        }
        let of = |at: usize| f32::from(self.near[at]) * 0.75 + f32::from(self.far[at]) * 0.25;
        let last = self.near.len() - 1;
        let (mut before, mut here) = (of(0), of(0));
        for at in 0..=last {
            let after = of((at + 1).min(last));
            differences.push(here * 0.75 + before * 0.25);
            differences.push(here * 0.75 + after * 0.25);
            (before, here) = (here, after);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_become_the_colours_that_were_meant() {
        // Red of BT.601 and of BT.709, in full and limited range, and the same in 10 and 12 bits.
        for (bits, matrix, is_full_range, samples) in [
            (8, 6, true, [76.0, 85.0, 255.0]),
            (8, 2, true, [76.0, 85.0, 255.0]),
            (8, 6, false, [81.0, 90.0, 240.0]),
            (8, 1, false, [63.0, 102.0, 240.0]),
            (10, 1, false, [252.0, 408.0, 960.0]),
            (12, 9, true, [1076.0, 1476.0, 4095.0]),
            (8, 0, true, [0.0, 0.0, 255.0]),
            (10, 8, true, [256.0, 256.0, 1023.0]),
        ] {
            let conversion = Conversion::new(bits, matrix, is_full_range).unwrap();
            let [red, green, blue] = conversion.rgb(samples);
            assert!(red > 250 && green < 4 && blue < 4, "{bits} {matrix} {:?}", conversion.rgb(samples));
        }
        for (bits, is_full_range, black, white) in [
            (8, true, 0.0, 255.0),
            (8, false, 16.0, 235.0),
            (10, true, 0.0, 1023.0),
            (12, false, 256.0, 3760.0),
        ] {
            let conversion = Conversion::new(bits, 1, is_full_range).unwrap();
            assert_eq!((conversion.grey(black), conversion.grey(white)), (0, 255), "{bits}");
        }
        assert_eq!(Conversion::new(8, 14, true), Err(Unreadable::UnknownKind));
    }
}
