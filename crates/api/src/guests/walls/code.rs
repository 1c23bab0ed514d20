//! The QR code of a wall, as an SVG of one path: a line lies on both sides of its height.

use std::fmt::Write as _;

use qrcode::{Color, EcLevel, QrCode};

/// The code for a text: each row of dark squares is a broken line. None for a text that no code has room for.
pub(super) fn svg(text: &str) -> Option<String> {
    let code = QrCode::with_error_correction_level(text, EcLevel::M).ok()?;
    let side = code.width();
    let colors = code.to_colors();
    let mut path = String::new();
    for (y, row) in colors.chunks(side).enumerate() {
        let (mut x, mut pen) = (0, None);
        while x < side {
            let run = row[x..].iter().take_while(|color| **color == row[x]).count();
            if row[x] == Color::Dark {
                // Writing to a string cannot fail.
                let _ = match pen {
                    None => write!(path, "M{x} {y}h{run}"),
                    Some(end) => write!(path, "m{} 0h{run}", x - end),
                };
                pen = Some(x + run);
            }
            x += run;
        }
    }
    Some(format!(
        "<svg viewBox=\"0 -.5 {side} {side}\" shape-rendering=\"crispEdges\"><path stroke=\"#000\" d=\"{path}\"/></svg>"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_draws_the_squares_of_the_code() {
        // [GAL470]
        let text = "https://photos.example/event/sangeet-k7m2x9q4tr";
        let code = QrCode::with_error_correction_level(text, EcLevel::M).unwrap();
        let svg = svg(text).unwrap();
        let path = svg.split(" d=\"").nth(1).unwrap().split('"').next().unwrap();
        let mut drawn = vec![Color::Light; code.width() * code.width()];
        for row in path.strip_prefix('M').unwrap().split('M') {
            let (at, lines) = row.split_once('h').unwrap();
            let (x, y) = at.split_once(' ').unwrap();
            let y: usize = y.parse().unwrap();
            let mut x: usize = x.parse().unwrap();
            for line in lines.split('h') {
                let (run, skip) = line.split_once('m').unwrap_or((line, "0 0"));
                let run: usize = run.parse().unwrap();
                drawn[y * code.width() + x..][..run].fill(Color::Dark);
                x += run + skip.strip_suffix(" 0").unwrap().parse::<usize>().unwrap();
            }
        }
        assert!(drawn == code.to_colors());
    }
}
