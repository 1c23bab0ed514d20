//! A cover as a JPEG file.

use domain::photos::pixels::Pixels;

use super::branding::with_logo;
use super::scene::{
    Cover, Disc, HALO_COLOUR, HALO_OPACITY, HALO_RADII, HORIZON_HEIGHT, HORIZON_OPACITY, Rgb, SIDE, Stop,
};
use crate::pictures::{NotEncodable, encode_jpeg};

/// Width and height of [`Cover::to_jpeg`] in pixels, as services that show link previews ask for.
pub const JPEG_SIZE: (u32, u32) = (1200, 630);
/// libjpeg's scale.
const JPEG_QUALITY: u8 = 85;

impl Cover {
    /// A JPEG file of [`JPEG_SIZE`]: the middle of the box at its full width, with a studio's logo if there is one. Blocks for
    /// some 100 ms.
    pub fn to_jpeg(&self, logo: Option<&Pixels>) -> Result<Vec<u8>, NotEncodable> {
        let (width, height) = JPEG_SIZE;
        encode(draw(self, width, height), logo)
    }
}

/// A link preview's file, with a studio's logo if there is one.
pub(super) fn encode(picture: Pixels, logo: Option<&Pixels>) -> Result<Vec<u8>, NotEncodable> {
    let picture = match logo {
        Some(logo) => with_logo(picture, logo),
        None => picture,
    };
    encode_jpeg(&picture, JPEG_QUALITY)
}

/// Red, green and blue, 0 to 255 each.
type Colour = [f64; 3];

/// Renders the middle of the scene at its full width, antialiased as a browser does the SVG.
fn draw(cover: &Cover, width: u32, height: u32) -> Pixels {
    let units_per_pixel = SIDE / f64::from(width);
    let top = (SIDE - f64::from(height) * units_per_pixel) / 2.0;
    let mut data = Vec::with_capacity(width as usize * height as usize * 3);
    for row in 0..height {
        let y = top + (f64::from(row) + 0.5) * units_per_pixel;
        // Few discs touch a row; testing all of them for every pixel would take most of the time.
        let reaches = |disc: &&Disc| (y - disc.y).abs() < disc.radius + units_per_pixel;
        let discs: Vec<&Disc> = cover.discs.iter().filter(reaches).collect();
        for column in 0..width {
            let x = (f64::from(column) + 0.5) * units_per_pixel;
            let colour = colour_at(cover, &discs, x, y, units_per_pixel);
            data.extend(colour.map(|sample| sample.round().clamp(0.0, 255.0) as u8));
        }
    }
    Pixels::new(width, height, data)
        .unwrap_or_else(|| unreachable!("three samples were pushed for every pixel"))
}

fn colour_at(cover: &Cover, discs: &[&Disc], x: f64, y: f64, units_per_pixel: f64) -> Colour {
    let Cover { palette, horizon, sun, .. } = cover;
    let glow = rgb(palette.glow());
    let mut colour = if y < *horizon {
        let sky = gradient(&palette.sky_gradient(), y / horizon);
        let (radius_x, radius_y) = HALO_RADII;
        let distance = ((x - sun) / radius_x).hypot((y - horizon) / radius_y).min(1.0);
        mix(sky, mix(rgb(HALO_COLOUR), glow, distance), HALO_OPACITY * (1.0 - distance))
    } else {
        gradient(&palette.ground_gradient(), (y - horizon) / (SIDE - horizon))
    };
    if (*horizon..horizon + HORIZON_HEIGHT).contains(&y) {
        colour = mix(colour, glow, HORIZON_OPACITY);
    }
    for disc in discs {
        let distance = (x - disc.x).hypot(y - disc.y);
        let coverage = ((disc.radius - distance) / units_per_pixel + 0.5).clamp(0.0, 1.0);
        colour = mix(colour, glow, disc.opacity * coverage);
    }
    colour
}

/// The colour at `offset` of a gradient; beyond its ends that of the nearest stop.
fn gradient(stops: &[Stop], offset: f64) -> Colour {
    let next = stops.partition_point(|(stop, _)| *stop < offset).clamp(1, stops.len() - 1);
    let ((from, before), (to, after)) = (stops[next - 1], stops[next]);
    mix(rgb(before), rgb(after), ((offset - from) / (to - from)).clamp(0.0, 1.0))
}

fn mix(from: Colour, to: Colour, fraction: f64) -> Colour {
    std::array::from_fn(|channel| from[channel] + (to[channel] - from[channel]) * fraction)
}

fn rgb(colour: Rgb) -> Colour {
    let [_, red, green, blue] = colour.to_be_bytes();
    [red, green, blue].map(f64::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_picture_is_brightest_at_the_horizon() {
        let cover = Cover::new("afterglow");
        let pixels = draw(&cover, JPEG_SIZE.0, JPEG_SIZE.1);
        assert_eq!((pixels.width(), pixels.height()), JPEG_SIZE);
        let mean_of_row = |y: u32| {
            let start = (y * JPEG_SIZE.0 * 3) as usize;
            let row = &pixels.data()[start..start + JPEG_SIZE.0 as usize * 3];
            row.iter().map(|sample| u64::from(*sample)).sum::<u64>() / row.len() as u64
        };
        // The picture shows the units from 23.75 to 76.25, at 12 pixels each.
        let horizon = ((cover.horizon - 23.75) * 12.0) as u32;
        assert!(mean_of_row(0) + 40 < mean_of_row(horizon - 4));
        assert!(mean_of_row(629) + 40 < mean_of_row(horizon - 4));
    }

    #[test]
    fn gradients_pass_through_their_stops_and_stay_flat_beyond() {
        let stops = [(0.0, 0x000000), (0.5, 0x64_0000), (1.0, 0x64_C800)];
        for (offset, colour) in [
            (-1.0, [0.0, 0.0, 0.0]),
            (0.25, [50.0, 0.0, 0.0]),
            (0.5, [100.0, 0.0, 0.0]),
            (0.75, [100.0, 100.0, 0.0]),
            (2.0, [100.0, 200.0, 0.0]),
        ] {
            assert_eq!(gradient(&stops, offset), colour, "{offset}");
        }
    }
}
