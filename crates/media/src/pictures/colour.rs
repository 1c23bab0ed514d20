//! Colours of a file, turned into sRGB.

use std::sync::Arc;

use moxcms::{ColorProfile, DataColorSpace, Layout, ToneReprCurve, Transform8BitExecutor, TransformOptions};

/// What the samples of a row mean, 8 bits each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PixelFormat {
    /// One sample a pixel: 0 is black.
    Grey,
    /// Red, green, blue.
    Rgb,
    /// Cyan, magenta, yellow, black: 0 is no ink.
    Cmyk,
}

impl PixelFormat {
    /// Samples a pixel.
    pub(super) const fn samples(self) -> usize {
        match self {
            Self::Grey => 1,
            Self::Rgb => 3,
            Self::Cmyk => 4,
        }
    }

    const fn layout(self) -> Layout {
        match self {
            Self::Grey => Layout::Gray,
            Self::Rgb => Layout::Rgb,
            // moxcms has no layout of its own for four inks and takes any of four samples.
            Self::Cmyk => Layout::Rgba,
        }
    }

    const fn space(self) -> DataColorSpace {
        match self {
            Self::Grey => DataColorSpace::Gray,
            Self::Rgb => DataColorSpace::Rgb,
            Self::Cmyk => DataColorSpace::Cmyk,
        }
    }
}

/// Turns rows of one pixel format into rows of sRGB.
pub(super) struct Colour {
    pixel_format: PixelFormat,
    transform: Option<Arc<Transform8BitExecutor>>,
}

impl Colour {
    /// With a file's ICC profile. A broken profile, or one for other inks, counts as none; without one, RGB and grey
    /// are sRGB already.
    pub(super) fn new(pixel_format: PixelFormat, icc: Option<&[u8]>) -> Self {
        Self { pixel_format, transform: icc.and_then(|icc| transform(pixel_format, icc)) }
    }

    /// As the code points of ITU-T H.273 for primaries and transfer say. Those that nobody has defined, or that say nothing,
    /// count as sRGB, and so do the curves of television.
    pub(super) fn described(pixel_format: PixelFormat, primaries: u16, transfer: u16) -> Self {
        let profile = described(primaries, transfer).filter(|_| pixel_format == PixelFormat::Rgb);
        Self { pixel_format, transform: profile.and_then(|profile| transform_of(pixel_format, &profile)) }
    }

    /// Without a profile.
    pub(super) fn srgb(pixel_format: PixelFormat) -> Self {
        Self { pixel_format, transform: None }
    }

    pub(super) const fn pixel_format(&self) -> PixelFormat {
        self.pixel_format
    }

    /// Turns the pixels of `row` into `out`, three bytes each; both have the same number of pixels.
    pub(super) fn convert(&self, row: &[u8], out: &mut [u8]) {
        if let Some(transform) = &self.transform
            && transform.transform(row, out).is_ok()
        {
            return;
        }
        match self.pixel_format {
            PixelFormat::Rgb => out.copy_from_slice(row),
            PixelFormat::Grey => {
                for (rgb, &grey) in out.chunks_exact_mut(3).zip(row) {
                    rgb.fill(grey);
                }
            }
            PixelFormat::Cmyk => {
                for (rgb, inks) in out.chunks_exact_mut(3).zip(row.chunks_exact(4)) {
                    let paper = 255 - u32::from(inks[3]);
                    for (sample, &pixel_format) in rgb.iter_mut().zip(inks) {
                        *sample = ((255 - u32::from(pixel_format)) * paper).div_ceil(255).min(255) as u8;
                    }
                }
            }
        }
    }
}

/// The profile of code points; none where they mean sRGB.
fn described(primaries: u16, transfer: u16) -> Option<ColorProfile> {
    const BT_2020: u16 = 9;
    const DCI_P3: u16 = 11;
    const DISPLAY_P3: u16 = 12;
    let srgb = ColorProfile::new_srgb();
    let curve = light(transfer);
    let mut profile = match primaries {
        BT_2020 => ColorProfile::new_bt2020(),
        DCI_P3 | DISPLAY_P3 => ColorProfile::new_display_p3(),
        _ if curve.is_some() => srgb.clone(),
        _ => return None,
    };
    let curve = curve.or(srgb.red_trc);
    (profile.red_trc, profile.green_trc, profile.blue_trc) = (curve.clone(), curve.clone(), curve);
    // It would count before the curves.
    profile.cicp = None;
    Some(profile)
}

/// How much light a sample is, where that is not as in sRGB. What is brighter than white paper comes close to white.
fn light(transfer: u16) -> Option<ToneReprCurve> {
    const LINEAR: u16 = 8;
    const PQ: u16 = 16;
    const HLG: u16 = 18;
    /// White paper in candelas a square metre (ITU-R BT.2408).
    const PAPER: f64 = 203.0;
    let light: fn(f64) -> f64 = match transfer {
        LINEAR => |sample| sample,
        // SMPTE ST 2084.
        PQ => |sample| {
            let power = sample.powf(32.0 / 2523.0);
            let light = (power - 0.835_937_5).max(0.0) / (18.851_562_5 - 18.6875 * power);
            10_000.0 * light.powf(8192.0 / 1305.0) / PAPER
        },
        // ITU-R BT.2100, on a screen of 1,000 candelas.
        HLG => |sample| {
            let scene = if sample <= 0.5 {
                sample * sample / 3.0
            } else {
                (((sample - 0.559_910_73) / 0.178_832_77).exp() + 0.284_668_92) / 12.0
            };
            1_000.0 * scene.powf(1.2) / PAPER
        },
        _ => return None,
    };
    const STEPS: u16 = 1024;
    let rounded = |light: f64| {
        const KNEE: f64 = 0.75;
        let shown =
            if light <= KNEE { light } else { 1.0 - (1.0 - KNEE) * (-(light - KNEE) / (1.0 - KNEE)).exp() };
        // Between 0 and 1.
        (shown * 65_535.0).round() as u16
    };
    let curve = (0..STEPS).map(|step| rounded(light(f64::from(step) / f64::from(STEPS - 1)))).collect();
    Some(ToneReprCurve::Lut(curve))
}

fn transform(pixel_format: PixelFormat, icc: &[u8]) -> Option<Arc<Transform8BitExecutor>> {
    transform_of(pixel_format, &ColorProfile::new_from_slice(icc).ok()?)
}

fn transform_of(pixel_format: PixelFormat, profile: &ColorProfile) -> Option<Arc<Transform8BitExecutor>> {
    if profile.color_space != pixel_format.space() {
        return None;
    }
    let srgb = ColorProfile::new_srgb();
    let transform = profile
        .create_transform_8bit(pixel_format.layout(), &srgb, Layout::Rgb, TransformOptions::default())
        .ok()?;
    let useful = pixel_format == PixelFormat::Cmyk || changes_colours(pixel_format, transform.as_ref());
    useful.then_some(transform)
}

/// Whether a transform does more than round: most profiles in files are sRGB under one of its many names.
fn changes_colours(pixel_format: PixelFormat, transform: &Transform8BitExecutor) -> bool {
    let levels = (0..=255u8).step_by(51);
    let probes: Vec<u8> = match pixel_format {
        PixelFormat::Grey => levels.collect(),
        _ => levels
            .clone()
            .flat_map(|red| {
                let blues = levels.clone();
                levels.clone().flat_map(move |green| blues.clone().flat_map(move |blue| [red, green, blue]))
            })
            .collect(),
    };
    let pixels = probes.len() / pixel_format.samples();
    let mut out = vec![0; pixels * 3];
    let mut same = vec![0; pixels * 3];
    Colour::srgb(pixel_format).convert(&probes, &mut same);
    transform.transform(&probes, &mut out).is_ok() && out.iter().zip(&same).any(|(a, b)| a.abs_diff(*b) > 2)
}

/// Lays `rgba` over white, in place of the first three of every four samples, and gives the shortened row.
pub(super) fn over_white(row: &mut Vec<u8>, samples: usize) {
    let colours = samples - 1;
    let pixels = row.len() / samples;
    for pixel in 0..pixels {
        let alpha = u32::from(row[pixel * samples + colours]);
        for sample in 0..colours {
            let value = u32::from(row[pixel * samples + sample]);
            row[pixel * colours + sample] = ((value * alpha + 255 * (255 - alpha) + 127) / 255) as u8;
        }
    }
    row.truncate(pixels * colours);
}

/// Lays it over black.
pub(super) fn over_black(row: &mut Vec<u8>, samples: usize) {
    let colours = samples - 1;
    let pixels = row.len() / samples;
    for pixel in 0..pixels {
        let alpha = u32::from(row[pixel * samples + colours]);
        for sample in 0..colours {
            row[pixel * colours + sample] =
                ((u32::from(row[pixel * samples + sample]) * alpha + 127) / 255) as u8;
        }
    }
    row.truncate(pixels * colours);
}

/// The same as over white for colours that are multiplied by their transparency already.
pub(super) fn over_white_premultiplied(row: &mut Vec<u8>, samples: usize) {
    let colours = samples - 1;
    let pixels = row.len() / samples;
    for pixel in 0..pixels {
        let paper = 255 - row[pixel * samples + colours];
        for sample in 0..colours {
            row[pixel * colours + sample] = row[pixel * samples + sample].saturating_add(paper);
        }
    }
    row.truncate(pixels * colours);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_srgb_profile_and_a_broken_one_change_nothing() {
        let srgb = ColorProfile::new_srgb().encode().unwrap();
        assert!(Colour::new(PixelFormat::Rgb, Some(&srgb)).transform.is_none());
        assert!(Colour::new(PixelFormat::Grey, Some(&srgb)).transform.is_none());
        assert!(Colour::new(PixelFormat::Rgb, Some(b"no profile")).transform.is_none());
        let p3 = ColorProfile::new_display_p3().encode().unwrap();
        assert!(Colour::new(PixelFormat::Rgb, Some(&p3)).transform.is_some());
        assert!(Colour::new(PixelFormat::Rgb, Some(&p3[..p3.len() / 2])).transform.is_none());
    }

    #[test]
    fn colours_that_are_described_become_those_of_srgb() {
        let of = |primaries, transfer, row: &[u8]| {
            let mut out = vec![0; row.len()];
            Colour::described(PixelFormat::Rgb, primaries, transfer).convert(row, &mut out);
            out
        };
        assert_eq!(of(1, 13, &[200, 60, 60]), [200, 60, 60]);
        assert_eq!(of(2, 2, &[200, 60, 60]), [200, 60, 60]);
        assert_eq!(of(1, 1, &[200, 60, 60]), [200, 60, 60]);
        let wide = of(12, 13, &[200, 60, 60]);
        assert!(wide[0] > 210 && wide[1] < 55, "{wide:?}");
        // White paper of PQ and HLG is near white, and what is brighter is no darker.
        for (transfer, paper) in [(16, 148), (18, 191)] {
            let [at_paper, at_most] = [paper, 255].map(|sample| of(9, transfer, &[sample; 3])[1]);
            assert!((215..252).contains(&at_paper) && at_most >= 252, "{transfer}: {at_paper} {at_most}");
            assert_eq!(of(9, transfer, &[0; 3]), [0; 3]);
        }
        assert!(of(1, 8, &[128; 3])[0].abs_diff(188) < 2);
    }

    #[test]
    fn transparency_shows_white() {
        let mut row = vec![10, 20, 30, 255, 10, 20, 30, 0, 0, 0, 0, 128];
        over_white(&mut row, 4);
        assert_eq!(row, [10, 20, 30, 255, 255, 255, 127, 127, 127]);
        let mut grey = vec![7, 255, 7, 0];
        over_white(&mut grey, 2);
        assert_eq!(grey, [7, 255]);
    }

    #[test]
    fn inks_without_a_profile_darken_the_paper() {
        let mut out = [0; 9];
        Colour::srgb(PixelFormat::Cmyk).convert(&[0, 0, 0, 0, 255, 0, 0, 0, 0, 0, 0, 255], &mut out);
        assert_eq!(out, [255, 255, 255, 0, 255, 255, 0, 0, 0]);
    }
}
