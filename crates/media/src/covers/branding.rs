//! A studio's logo on a link preview.

use domain::photos::pixels::Pixels;

use crate::pictures::resize;

/// The largest logo, in pixels: a fifth of the picture's area at most is not the event's.
const LARGEST: (u32, u32) = (320, 140);
/// White round the logo, and the distance of that from the picture's edges.
const PADDING: u32 = 20;
const MARGIN: u32 = 36;

/// The picture with the logo on white in its lower left corner; without it where there is no room for one.
pub(super) fn with_logo(picture: Pixels, logo: &Pixels) -> Pixels {
    let logo = fitted(logo);
    let (width, height) = (logo.width() + 2 * PADDING, logo.height() + 2 * PADDING);
    if picture.width() < width + 2 * MARGIN || picture.height() < height + 2 * MARGIN {
        return picture;
    }
    let (across, down) = (picture.width(), picture.height());
    let top = down - MARGIN - height;
    let samples = |pixels: u32| pixels as usize * 3;
    let mut data = picture.into_data();
    let lines = data.chunks_exact_mut(samples(across)).skip(top as usize).take(height as usize);
    let mut rows = logo.data().chunks_exact(samples(logo.width()));
    for (y, line) in (0..height).zip(lines) {
        line[samples(MARGIN)..samples(MARGIN + width)].fill(u8::MAX);
        if (PADDING..PADDING + logo.height()).contains(&y)
            && let Some(row) = rows.next()
        {
            let left = samples(MARGIN + PADDING);
            line[left..left + row.len()].copy_from_slice(row);
        }
    }
    Pixels::new(across, down, data).unwrap_or_else(|| unreachable!("the picture keeps its size"))
}

/// The logo, not larger than [`LARGEST`].
fn fitted(logo: &Pixels) -> Pixels {
    let (wide, high) = LARGEST;
    let (width, height) = (logo.width(), logo.height());
    let long_side = if width >= height {
        wide.min((high * width / height).max(1))
    } else {
        high.min((wide * height / width).max(1))
    };
    resize(logo, long_side)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(width: u32, height: u32, grey: u8) -> Pixels {
        Pixels::new(width, height, vec![grey; (width * height * 3) as usize]).unwrap()
    }

    #[test]
    fn the_logo_is_in_the_lower_left_corner_on_white() {
        let pixels = with_logo(plain(1200, 630, 9), &plain(800, 400, 77));
        let at = |x: u32, y: u32| pixels.data()[((y * 1200 + x) * 3) as usize];
        // 280 x 140, with 20 of white round it, 36 from the edges.
        for ((x, y), grey) in [
            ((0, 629), 9),
            ((36, 593), 255),
            ((56, 573), 77),
            ((335, 434), 77),
            ((336, 434), 255),
            ((335, 433), 255),
            ((355, 414), 255),
            ((356, 414), 9),
            ((355, 413), 9),
        ] {
            assert_eq!(at(x, y), grey, "{x} {y}");
        }
    }

    #[test]
    fn a_logo_of_any_proportion_fits_and_a_small_picture_has_none() {
        for (width, height) in [(800, 1), (1, 800), (800, 800), (3, 2)] {
            let logo = fitted(&plain(width, height, 0));
            assert!(logo.width() <= LARGEST.0 && logo.height() <= LARGEST.1, "{width} x {height}");
        }
        let small = plain(300, 157, 9);
        assert!(with_logo(small.clone(), &plain(800, 400, 77)) == small);
    }
}
