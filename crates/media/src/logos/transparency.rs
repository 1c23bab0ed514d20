//! Pictures with transparency. Decoders lay a picture over one colour, so that pixels have three samples everywhere; over two
//! colours, what is seen through it is what differs.

use domain::photos::pixels::Pixels;
use png::{BitDepth, ColorType, Encoder, EncodingError};

use crate::decoders::{self, Picture};
use crate::pictures::{NotEncodable, Unreadable, resize};

/// A picture over white and over black, of the same size.
#[derive(Debug)]
pub struct Transparent {
    on_white: Pixels,
    on_black: Pixels,
}

impl Transparent {
    /// Reads a picture, whose long side is then at most `long_side`.
    pub fn read(file: &mut Picture, long_side: u32) -> Result<Result<Self, Unreadable>, decoders::Error> {
        let on_white = match file.decode(long_side, None)? {
            Ok(pixels) => resize(&pixels, long_side),
            Err(unreadable) => return Ok(Err(unreadable)),
        };
        Ok(file.decode_on_black(long_side)?.and_then(|pixels| {
            let on_black = resize(&pixels, long_side);
            let is_same = (on_white.width(), on_white.height()) == (on_black.width(), on_black.height());
            if is_same { Ok(Self { on_white, on_black }) } else { Err(Unreadable::Damaged) }
        }))
    }

    /// Width in pixels.
    pub const fn width(&self) -> u32 {
        self.on_white.width()
    }

    /// Height in pixels.
    pub const fn height(&self) -> u32 {
        self.on_white.height()
    }

    /// What is seen of it on black.
    pub const fn on_black(&self) -> &Pixels {
        &self.on_black
    }

    /// It with a long side of at most so many pixels.
    pub fn resized(&self, long_side: u32) -> Self {
        Self { on_white: resize(&self.on_white, long_side), on_black: resize(&self.on_black, long_side) }
    }

    /// Colour and opacity of each pixel, row by row.
    pub fn pixels(&self) -> impl Iterator<Item = ([u8; 3], u8)> {
        let pairs = self.on_white.data().chunks_exact(3).zip(self.on_black.data().chunks_exact(3));
        pairs.map(|(white, black)| {
            let through: u32 = white.iter().zip(black).map(|(w, b)| u32::from(w.saturating_sub(*b))).sum();
            let opacity = 255 - (through + 1) / 3;
            let color = |sample: u8| {
                u8::try_from((u32::from(sample) * 255).checked_div(opacity).unwrap_or(0)).unwrap_or(u8::MAX)
            };
            let color = if let [red, green, blue] = *black { [red, green, blue].map(color) } else { [0; 3] };
            (color, u8::try_from(opacity).unwrap_or(u8::MAX))
        })
    }

    /// As a PNG file.
    pub(super) fn to_png(&self) -> Result<Vec<u8>, NotEncodable> {
        let (width, height) = (self.width(), self.height());
        let encode = || -> Result<Vec<u8>, EncodingError> {
            let mut bytes = Vec::new();
            let mut encoder = Encoder::new(&mut bytes, width, height);
            encoder.set_color(ColorType::Rgba);
            encoder.set_depth(BitDepth::Eight);
            let samples: Vec<u8> =
                self.pixels().flat_map(|([r, g, b], opacity)| [r, g, b, opacity]).collect();
            let mut writer = encoder.write_header()?;
            writer.write_image_data(&samples)?;
            writer.finish()?;
            Ok(bytes)
        };
        encode().map_err(|_| NotEncodable { width, height })
    }
}
