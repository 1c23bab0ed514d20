//! A cover as an SVG document.

use super::scene::{
    Cover, Disc, HALO_COLOUR, HALO_OPACITY, HALO_RADII, HORIZON_HEIGHT, HORIZON_OPACITY, Rgb, SIDE, Stop,
};

impl Cover {
    /// An SVG document of the whole box, at most 3 kB.
    pub fn to_svg(&self) -> String {
        let Self { palette, horizon, sun, discs } = self;
        let (sky, ground) = (stops(&palette.sky_gradient()), stops(&palette.ground_gradient()));
        let (glow, halo) = (hex(palette.glow()), hex(HALO_COLOUR));
        let (horizon, sun, ground_height) = (round(*horizon), round(*sun), round(SIDE - horizon));
        let (radius_x, radius_y) = HALO_RADII;
        let circles: String = discs.iter().map(circle).collect();
        [
            format!(r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIDE} {SIDE}"><defs>"#),
            format!(r#"<linearGradient id="sky" x2="0" y2="1">{sky}</linearGradient>"#),
            format!(r#"<linearGradient id="ground" x2="0" y2="1">{ground}</linearGradient>"#),
            format!(r#"<radialGradient id="halo"><stop stop-color="{halo}" stop-opacity="{HALO_OPACITY}"/>"#),
            format!(r#"<stop offset="1" stop-color="{glow}" stop-opacity="0"/></radialGradient></defs>"#),
            format!(r#"<path fill="url(#sky)" d="M0 0h{SIDE}v{horizon}H0z"/>"#),
            format!(r#"<ellipse cx="{sun}" cy="{horizon}" rx="{radius_x}" ry="{radius_y}" fill="url(#halo)"/>"#),
            format!(r#"<path fill="url(#ground)" d="M0 {horizon}h{SIDE}v{ground_height}H0z"/>"#),
            format!(r#"<g fill="{glow}"><path opacity="{HORIZON_OPACITY}" d="M0 {horizon}h{SIDE}v{HORIZON_HEIGHT}H0z"/>"#),
            format!("{circles}</g></svg>"),
        ]
        .concat()
    }
}

fn circle(disc: &Disc) -> String {
    let [x, y, radius, opacity] = [disc.x, disc.y, disc.radius, disc.opacity].map(round);
    format!(r#"<circle cx="{x}" cy="{y}" r="{radius}" opacity="{opacity}"/>"#)
}

fn stops(gradient: &[Stop]) -> String {
    let stop =
        |(offset, colour): &Stop| format!(r#"<stop offset="{offset}" stop-color="{}"/>"#, hex(*colour));
    gradient.iter().map(stop).collect()
}

fn hex(colour: Rgb) -> String {
    format!("#{colour:06X}")
}

/// Two decimals: a hundredth of a unit is below a pixel on every screen.
fn round(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_document_has_every_part_of_the_scene_and_stays_small() {
        let cover = Cover::new("priya-rahul-k7m2p9q4xz");
        let svg = cover.to_svg();
        assert!(
            svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 100 100\">"),
            "{svg}"
        );
        for part in [
            r##"<stop offset="0.88" stop-color="#DCAE7A"/>"##,
            r#"<ellipse cx="23.22" cy="61.45" rx="52" ry="14""#,
            r#"d="M0 61.45h100v38.55H0z""#,
            r#"<circle cx="35.19" cy="63.77" r="0.61" opacity="0.42"/>"#,
        ] {
            assert!(svg.contains(part), "{part} is not in {svg}");
        }
        assert_eq!(svg.matches("<circle").count(), cover.discs.len());
        for number in 0..100 {
            let size = Cover::new(&format!("event-{number}")).to_svg().len();
            assert!(size <= 3072, "{size} bytes");
        }
    }
}
