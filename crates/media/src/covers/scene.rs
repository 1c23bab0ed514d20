//! What is in a cover: shapes and colours in a box of 100 by 100 units.

/// Changes whenever the same slug gives another picture, for caches.
pub const REVISION: u32 = 1;

/// Side of the box that the scene is described in.
pub(super) const SIDE: f64 = 100.0;

/// 0xRRGGBB.
pub(super) type Rgb = u32;

/// A colour at an offset along a gradient, 0 to 1.
pub(super) type Stop = (f64, Rgb);

/// The colours of a scene.
#[derive(Debug, PartialEq)]
pub(super) struct Palette {
    /// From the zenith to the horizon; the last one is also the colour of everything that glows.
    sky: [Rgb; 5],
    /// From the horizon to the lower edge.
    ground: [Rgb; 2],
}

const PALETTES: [Palette; 6] = [
    Palette { sky: [0x06121F, 0x123049, 0x3F5266, 0xB9765A, 0xF4A45F], ground: [0x5A2F1F, 0x0D0908] },
    Palette { sky: [0x0A2230, 0x1D4350, 0x2F6470, 0xDCAE7A, 0xF3D3A0], ground: [0x365258, 0x0E1A1D] },
    Palette { sky: [0x1A1416, 0x322020, 0x4A2A24, 0xC0603A, 0xEF9A5D], ground: [0x3B1D16, 0x120A09] },
    Palette { sky: [0x1B2A38, 0x3E5566, 0x7C8A93, 0xD9B79A, 0xF6E2C4], ground: [0x5B5A55, 0x171A1C] },
    Palette { sky: [0x0D1A1E, 0x1F353A, 0x3C5654, 0xA9A27E, 0xE0CF9C], ground: [0x33433C, 0x0C1312] },
    Palette { sky: [0x05080F, 0x0B1524, 0x16263C, 0x4A4654, 0xC58A5E], ground: [0x241A1A, 0x080707] },
];

impl Palette {
    pub(super) fn glow(&self) -> Rgb {
        self.sky[4]
    }

    pub(super) fn sky_gradient(&self) -> [Stop; 5] {
        let [zenith, high, low, haze, horizon] = self.sky;
        [(0.0, zenith), (0.4, high), (0.68, low), (0.88, haze), (1.0, horizon)]
    }

    pub(super) fn ground_gradient(&self) -> [Stop; 2] {
        let [near, far] = self.ground;
        [(0.0, near), (0.5, far)]
    }
}

/// The sun's halo: an ellipse around the sun, its colour and opacity in the middle; it fades to the palette's glow.
pub(super) const HALO_RADII: (f64, f64) = (52.0, 14.0);
pub(super) const HALO_COLOUR: Rgb = 0xFFF3DC;
pub(super) const HALO_OPACITY: f64 = 0.85;

/// The strip of light along the horizon.
pub(super) const HORIZON_HEIGHT: f64 = 0.35;
pub(super) const HORIZON_OPACITY: f64 = 0.7;

/// Bokeh discs on the ground.
const DISC_COUNT: usize = 40;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Disc {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) radius: f64,
    pub(super) opacity: f64,
}

/// The scene of one slug.
#[derive(Debug, PartialEq)]
pub struct Cover {
    pub(super) palette: &'static Palette,
    /// Height of the horizon below the upper edge.
    pub(super) horizon: f64,
    /// The sun's distance from the left edge; it stands on the horizon.
    pub(super) sun: f64,
    pub(super) discs: Vec<Disc>,
}

impl Cover {
    /// The scene of this slug.
    pub fn new(slug: &str) -> Self {
        let seed = fnv1a(slug.as_bytes());
        let mut random = Mulberry32(seed);
        let horizon = 58.0 + random.next() * 6.0;
        let sun = 20.0 + random.next() * 60.0;
        let discs = (0..DISC_COUNT).map(|_| Disc::random(&mut random, horizon)).collect();
        Self { palette: &PALETTES[seed as usize % PALETTES.len()], horizon, sun, discs }
    }
}

impl Disc {
    fn random(random: &mut Mulberry32, horizon: f64) -> Self {
        // The large discs are behind white text, so they are faint; the small ones are above it.
        let small = random.next() < 0.3;
        let x = random.next() * SIDE;
        let depth = random.next();
        let (size, light) = (random.next(), random.next());
        if small {
            let y = horizon + 0.6 + depth * 2.0;
            Self { x, y, radius: 0.3 + size * 0.5, opacity: 0.35 + light * 0.4 }
        } else {
            let y = horizon + 4.0 + depth * (96.0 - horizon);
            Self { x, y, radius: 1.2 + size * 4.2, opacity: 0.06 + light * 0.18 }
        }
    }
}

/// FNV-1a, 32 bits.
fn fnv1a(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811C_9DC5, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
}

/// A small generator whose sequence will never change, as that of a library may: the same slug must give the same
/// picture for ever.
struct Mulberry32(u32);

impl Mulberry32 {
    /// From 0 to below 1.
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x6D2B_79F5);
        let mut mixed = (self.0 ^ (self.0 >> 15)).wrapping_mul(self.0 | 1);
        mixed ^= mixed.wrapping_add((mixed ^ (mixed >> 7)).wrapping_mul(mixed | 61));
        f64::from(mixed ^ (mixed >> 14)) / 4_294_967_296.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slug_gives_the_same_scene_in_every_version() {
        // [PUB050]
        let cover = Cover::new("priya-rahul-k7m2p9q4xz");
        let close =
            |found: f64, wanted: f64| assert!((found - wanted).abs() < 1e-4, "{found} is not {wanted}");
        assert_eq!(cover.palette, &PALETTES[1]);
        close(cover.horizon, 61.450_32);
        close(cover.sun, 23.222_84);
        assert_eq!(cover.discs.len(), DISC_COUNT);
        close(cover.discs[0].x, 35.188_11);
        close(cover.discs[0].y, 63.771_637);
        close(cover.discs[0].radius, 0.611_736);
        close(cover.discs[0].opacity, 0.415_518);
        assert_ne!(cover, Cover::new("founders-dinner-c9xk4bme7u"));
    }

    #[test]
    fn every_scene_keeps_its_proportions() {
        let covers: Vec<Cover> = (0..300).map(|number| Cover::new(&format!("event-{number}-ü"))).collect();
        for cover in &covers {
            assert!((58.0..=64.0).contains(&cover.horizon) && (20.0..=80.0).contains(&cover.sun));
            for disc in &cover.discs {
                assert!(disc.y > cover.horizon);
                assert!(disc.y <= cover.horizon + 3.0 || disc.opacity <= 0.3, "{disc:?} lies behind text");
            }
        }
        for palette in &PALETTES {
            assert!(covers.iter().any(|cover| cover.palette == palette), "{palette:x?} is never used");
        }
    }
}
