//! The picture that stands for an event where its link is shared: a sky at dusk, drawn from the event's slug.
//!
//! It is the one that the web app draws as the event's cover (`web/src/shared/components/sky.ts`, in a box of 100 by
//! 100), so that a shared link and the page behind it look alike. It shows no guest: photos are for those who are in them.

use domain::pixels::Pixels;
use domain::{Refusal, events::Event};

use crate::{App, Failure, Result, events, tasks};

/// Width and height in pixels, as pages that show links ask for.
pub const SIZE: (u32, u32) = (1200, 630);
/// libjpeg's scale.
const QUALITY: u8 = 85;
const DISCS: usize = 40;

type Colour = [f32; 3];

/// Seven colours each, from the top of the sky to the foot of the ground.
const PALETTES: [[u32; 7]; 6] = [
    [0x06121F, 0x123049, 0x3F5266, 0xB9765A, 0xF4A45F, 0x5A2F1F, 0x0D0908],
    [0x0A2230, 0x1D4350, 0x2F6470, 0xDCAE7A, 0xF3D3A0, 0x365258, 0x0E1A1D],
    [0x1A1416, 0x322020, 0x4A2A24, 0xC0603A, 0xEF9A5D, 0x3B1D16, 0x120A09],
    [0x1B2A38, 0x3E5566, 0x7C8A93, 0xD9B79A, 0xF6E2C4, 0x5B5A55, 0x171A1C],
    [0x0D1A1E, 0x1F353A, 0x3C5654, 0xA9A27E, 0xE0CF9C, 0x33433C, 0x0C1312],
    [0x05080F, 0x0B1524, 0x16263C, 0x4A4654, 0xC58A5E, 0x241A1A, 0x080707],
];
/// Where the sky's colours lie between its top and the horizon.
const STOPS: [f32; 5] = [0.0, 0.4, 0.68, 0.88, 1.0];
/// The middle of the sun's glow, and how much of it is seen.
const GLOW: (u32, f32) = (0xFFF3DC, 0.85);

/// The picture of an open event as a JPEG file; of the whole site without a slug.
///
/// # Errors
/// [`Refusal::EventNotFound`].
pub async fn picture(app: &App, slug: Option<&str>) -> Result<Vec<u8>> {
    let event = match slug {
        Some(slug) => Some(events::by_slug(app, slug).await?),
        None => None,
    };
    let seed = event.map_or_else(|| String::from("afterglow"), |Event { slug, .. }| slug);
    // One at a time: anybody may ask for any number of them.
    let _permit = app.concurrency.covers.acquire().await.map_err(|_| Refusal::Busy)?;
    tasks::blocking(move || {
        let pixels =
            Sky::of(&seed).draw().ok_or_else(|| Failure::Internal(String::from("a sky without pixels")))?;
        Ok(media::pictures::encode_jpeg(&pixels, QUALITY)?)
    })
    .await?
}

struct Disc {
    x: f32,
    y: f32,
    radius: f32,
    opacity: f32,
}

/// What is in the picture, in a box of 100 by 100.
struct Sky {
    palette: [Colour; 7],
    horizon: f32,
    sun: f32,
    discs: Vec<Disc>,
}

impl Sky {
    fn of(slug: &str) -> Self {
        let seed = slug
            .bytes()
            .fold(0x811C_9DC5_u32, |value, byte| (value ^ u32::from(byte)).wrapping_mul(0x0100_0193));
        let mut numbers = Numbers(seed);
        let palette = PALETTES[seed as usize % PALETTES.len()].map(colour);
        let horizon = 58.0 + numbers.next() * 6.0;
        let sun = 20.0 + numbers.next() * 60.0;
        let discs = std::iter::repeat_with(|| {
            // White words stand below the first strip of ground, so the large discs there stay faint.
            let near = numbers.next() < 0.3;
            let x = numbers.next() * 100.0;
            let depth = numbers.next();
            let y = if near { horizon + 0.6 + depth * 2.0 } else { horizon + 4.0 + depth * (96.0 - horizon) };
            let (width, light) = (numbers.next(), numbers.next());
            let radius = if near { 0.3 + width * 0.5 } else { 1.2 + width * 4.2 };
            let opacity = if near { 0.35 + light * 0.4 } else { 0.06 + light * 0.18 };
            Disc { x, y, radius, opacity }
        });
        let discs = discs.take(DISCS).collect();
        Self { palette, horizon, sun, discs }
    }

    /// The middle of the box, as wide as the picture.
    fn draw(&self) -> Option<Pixels> {
        let (width, height) = SIZE;
        let scale = width as f32 / 100.0;
        let top = (100.0 - height as f32 / scale) / 2.0;
        let mut data = Vec::with_capacity((width * height * 3) as usize);
        for y in 0..height {
            let v = top + (y as f32 + 0.5) / scale;
            for x in 0..width {
                let at = self.at((x as f32 + 0.5) / scale, v, 1.0 / scale);
                data.extend(at.map(|sample| sample.round().clamp(0.0, 255.0) as u8));
            }
        }
        Pixels::new(width, height, data)
    }

    /// The colour at a point; `pixel` is how wide a pixel is, over which edges are softened.
    fn at(&self, x: f32, y: f32, pixel: f32) -> Colour {
        let [.., light, ground, foot] = self.palette;
        let mut colour = if y < self.horizon {
            self.air(y / self.horizon)
        } else {
            mix(ground, foot, ((y - self.horizon) / (100.0 - self.horizon) / 0.5).min(1.0))
        };
        let away = ((x - self.sun) / 52.0).hypot((y - self.horizon) / 14.0);
        if away < 1.0 && y < self.horizon {
            colour = mix(colour, mix(self::colour(GLOW.0), light, away), GLOW.1 * (1.0 - away));
        }
        if (self.horizon..self.horizon + 0.35).contains(&y) {
            colour = mix(colour, light, 0.7);
        }
        for disc in &self.discs {
            let inside = (disc.radius - (x - disc.x).hypot(y - disc.y)) / pixel + 0.5;
            if inside > 0.0 {
                colour = mix(colour, light, disc.opacity * inside.min(1.0));
            }
        }
        colour
    }

    /// The sky between its top (0) and the horizon (1).
    fn air(&self, at: f32) -> Colour {
        let next = STOPS.iter().position(|stop| at <= *stop).unwrap_or(STOPS.len() - 1).max(1);
        let (from, to) = (STOPS[next - 1], STOPS[next]);
        mix(self.palette[next - 1], self.palette[next], (at - from) / (to - from))
    }
}

fn mix(one: Colour, other: Colour, share: f32) -> Colour {
    std::array::from_fn(|channel| one[channel] + (other[channel] - one[channel]) * share)
}

fn colour(rgb: u32) -> Colour {
    let [_, red, green, blue] = rgb.to_be_bytes();
    [red, green, blue].map(f32::from)
}

/// Mulberry32: the same seed gives the same numbers, from 0 to below 1, here and in the web app.
struct Numbers(u32);

impl Numbers {
    fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_add(0x6D2B_79F5);
        let mut mixed = (self.0 ^ (self.0 >> 15)).wrapping_mul(self.0 | 1);
        mixed ^= mixed.wrapping_add((mixed ^ (mixed >> 7)).wrapping_mul(mixed | 61));
        ((mixed ^ (mixed >> 14)) as f64 / 4_294_967_296.0) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slug_gives_the_sky_that_the_web_app_draws() {
        // The web app's test expects the same numbers.
        let sky = Sky::of("priya-rahul-k7m2p9q4xz");
        let close = |got: f32, wanted: f32| assert!((got - wanted).abs() < 0.001, "{got} is not {wanted}");
        close(sky.horizon, 61.450_32);
        close(sky.sun, 23.222_84);
        assert_eq!(sky.discs.len(), DISCS);
        for (got, wanted) in [
            (sky.discs[0].x, 35.188_11),
            (sky.discs[0].y, 63.771_637),
            (sky.discs[0].radius, 0.611_736),
            (sky.discs[0].opacity, 0.415_518),
        ] {
            close(got, wanted);
        }
        assert_eq!(sky.palette, PALETTES[1].map(colour));
    }

    #[test]
    fn the_sky_is_dark_above_bright_at_the_horizon_and_dark_below() {
        let sky = Sky::of("afterglow");
        let pixels = sky.draw().unwrap();
        assert_eq!((pixels.width(), pixels.height()), SIZE);
        let row = |y: u32| {
            let start = (y * SIZE.0 * 3) as usize;
            let row = &pixels.data()[start..start + SIZE.0 as usize * 3];
            row.iter().map(|sample| u64::from(*sample)).sum::<u64>() / row.len() as u64
        };
        let horizon = ((sky.horizon - 23.75) * 12.0) as u32;
        assert!(row(0) + 40 < row(horizon - 4) && row(629) + 40 < row(horizon - 4));
    }
}
