//! What is measured of a picture: how sharp it is, and what it is compared by.
//!
//! Sharpness is one minus the blur effect of Crété, Dolmière, Ladret and Nicolas ("The blur effect: perception and estimation
//! with a new no-reference perceptual blur metric", SPIE 6492, 2007): the part of the differences between neighbouring pixels
//! that a box filter of nine takes away. It is computed in tiles, since most of a good portrait is out of focus on purpose.

use domain::faces::BoundingBox;
use domain::photos::appearance::{Appearance, Look, Sharpness};
use domain::photos::pixels::Pixels;

use crate::whole::whole;

/// A tile's side, in pixels.
const TILE: u32 = 64;
/// At most so many tiles across and down.
const ACROSS: u32 = 12;
const DOWN: u32 = 8;
/// Of a face's tiles, at most so many across and down.
const OF_FACE: u32 = 3;
/// The faces that are looked at, largest first.
const FACES: usize = 8;
/// Reach of the filter to each side, so that it averages nine pixels.
const REACH: usize = 4;
/// About so many pixels of the long side are read for the look.
const LOOK_SAMPLES: usize = 512;

/// Measures the picture of a photo, best at the size of its preview. `faces` are parts of its width and height.
pub fn appearance(pixels: &Pixels, faces: &[BoundingBox]) -> Appearance {
    Appearance { sharpness: Sharpness::of(sharpness(pixels, faces)), look: look(pixels) }
}

/// From 0 to 1: that of the sharpest face, or, without one, of the quarter of the picture that has most detail.
fn sharpness(pixels: &Pixels, faces: &[BoundingBox]) -> f64 {
    let mut faces: Vec<&BoundingBox> = faces.iter().collect();
    faces.sort_by(|one, other| (other.width * other.height).total_cmp(&(one.width * one.height)));
    let of_faces = faces
        .iter()
        .take(FACES)
        .filter_map(|face| of_area(pixels, &middle_of(face, pixels), OF_FACE, OF_FACE));
    let whole = Area { left: 0, top: 0, width: pixels.width(), height: pixels.height() };
    of_faces.max_by(f64::total_cmp).or_else(|| of_area(pixels, &whole, ACROSS, DOWN)).unwrap_or_default()
}

/// A part of a picture, in pixels.
struct Area {
    left: u32,
    top: u32,
    width: u32,
    height: u32,
}

/// The part of a face with eyes, nose and mouth.
fn middle_of(face: &BoundingBox, pixels: &Pixels) -> Area {
    let (left, right) = (face.x + 0.12 * face.width, face.x + 0.88 * face.width);
    let (top, bottom) = (face.y + 0.15 * face.height, face.y + 0.9 * face.height);
    let of = |part: f64, side: u32| whole((part.clamp(0.0, 1.0) * f64::from(side)).round());
    let (left, right) = (of(left, pixels.width()), of(right, pixels.width()));
    let (top, bottom) = (of(top, pixels.height()), of(bottom, pixels.height()));
    Area { left, top, width: right.saturating_sub(left), height: bottom.saturating_sub(top) }
}

/// What one tile says.
struct Detail {
    /// The sum of the differences between neighbours.
    differences: u32,
    /// The part of them that the filter takes away.
    sharpness: f64,
}

/// The sharpness of an area; none where it is too small for the filter, or has no detail at all.
fn of_area(pixels: &Pixels, area: &Area, across: u32, down: u32) -> Option<f64> {
    let (width, height) = (area.width.min(TILE), area.height.min(TILE));
    let starts = |from: u32, length: u32, tile: u32, most: u32| {
        let count = (length / tile.max(1)).clamp(1, most);
        (0..count).map(move |index| from + (length - tile) * index / (count - 1).max(1))
    };
    let mut tiles: Vec<Detail> = starts(area.top, area.height, height, down)
        .flat_map(|top| starts(area.left, area.width, width, across).map(move |left| (left, top)))
        .filter_map(|(left, top)| of_tile(&luminance(pixels, left, top, width, height), width as usize))
        .collect();
    tiles.sort_by_key(|tile| std::cmp::Reverse(tile.differences));
    tiles.truncate((tiles.len() / 4).max(3));
    let mut found: Vec<f64> = tiles.into_iter().map(|tile| tile.sharpness).collect();
    found.sort_by(f64::total_cmp);
    // A subject fills some of its tiles, and what is behind it the others.
    found.get((found.len().saturating_sub(1) * 3).div_ceil(4)).copied()
}

/// Luma (ITU-R BT.601) of a part of a picture, row by row.
fn luminance(pixels: &Pixels, left: u32, top: u32, width: u32, height: u32) -> Vec<i32> {
    pixels.part(left, top, width, height).data().chunks_exact(3).map(luma).collect()
}

fn luma(pixel: &[u8]) -> i32 {
    let [red, green, blue] =
        [0, 1, 2].map(|channel| pixel.get(channel).map_or(0, |sample| i32::from(*sample)));
    (red * 77 + green * 150 + blue * 29) >> 8
}

fn of_tile(tile: &[i32], width: usize) -> Option<Detail> {
    if width == 0 {
        return None;
    }
    let height = tile.len() / width;
    let turned: Vec<i32> =
        (0..width).flat_map(|x| (0..height).map(move |y| y * width + x)).map(|at| tile[at]).collect();
    let (along, down) = (along(tile, width)?, along(&turned, height)?);
    // A motion blurs in one direction.
    let sharpness = along.part().min(down.part());
    Some(Detail { differences: along.all + down.all, sharpness })
}

/// The sums of the differences between neighbours of a row, and of what the filter takes from them, in ninths: a tile's are far
/// below 2^32.
struct Along {
    all: u32,
    taken: u32,
}

impl Along {
    fn part(&self) -> f64 {
        f64::from(self.taken) / f64::from(self.all.max(1))
    }
}

/// None where no row is long enough, or nothing differs.
fn along(tile: &[i32], width: usize) -> Option<Along> {
    let span = 2 * REACH + 2;
    let (mut all, mut taken) = (0_u32, 0_u32);
    for row in tile.chunks_exact(width) {
        for part in row.windows(span) {
            let nine = i32::try_from(2 * REACH + 1).unwrap_or(i32::MAX);
            let difference = (part[REACH + 1] - part[REACH]).abs() * nine;
            // Two neighbouring averages of nine differ by their ends alone.
            let filtered = (part[span - 1] - part[0]).abs();
            all += difference.unsigned_abs();
            taken += (difference - filtered).max(0).unsigned_abs();
        }
    }
    (all > 0).then_some(Along { all, taken })
}

/// The average luma of each cell.
fn look(pixels: &Pixels) -> Look {
    let (width, height) = (pixels.width() as usize, pixels.height() as usize);
    let step = (width.max(height) / LOOK_SAMPLES).max(1);
    let (mut sums, mut counts) = (vec![0_u64; Look::CELLS], vec![0_u64; Look::CELLS]);
    for (y, line) in pixels.data().chunks_exact(width * 3).enumerate().step_by(step) {
        let row = y * Look::SIDE / height * Look::SIDE;
        for (x, pixel) in line.chunks_exact(3).enumerate().step_by(step) {
            let cell = row + x * Look::SIDE / width;
            sums[cell] += u64::from(luma(pixel).unsigned_abs());
            counts[cell] += 1;
        }
    }
    let mut last = 0;
    let cells = sums.into_iter().zip(counts).map(|(sum, count)| {
        // A picture of fewer pixels than cells has none for some: they are like the one before.
        last = sum.checked_div(count).map_or(last, |average| u8::try_from(average).unwrap_or(u8::MAX));
        last
    });
    let cells: Vec<u8> = cells.collect();
    Look::new(cells).unwrap_or_else(|| unreachable!("there are as many cells"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Stripes of random widths, which have edges of all directions, blurred `times` by a box of three.
    fn picture(width: u32, height: u32, times: usize) -> Pixels {
        let (w, h) = (width as usize, height as usize);
        let mut grey: Vec<i32> = (0..w * h)
            .map(|at| {
                let (x, y) = ((at % w) / 7, (at / w) / 5);
                let mixed = (x.wrapping_mul(2_654_435_761) ^ y.wrapping_mul(40_503)) >> 7;
                i32::try_from(mixed % 200).unwrap_or_default() + 20
            })
            .collect();
        for _ in 0..times {
            let before = grey.clone();
            let at = |x: usize, y: usize| before[y.min(h - 1) * w + x.min(w - 1)];
            for y in 0..h {
                for x in 0..w {
                    let rows = [y.saturating_sub(1), y, y + 1];
                    let sum: i32 =
                        rows.iter().flat_map(|y| [x.saturating_sub(1), x, x + 1].map(|x| at(x, *y))).sum();
                    grey[y * w + x] = sum / 9;
                }
            }
        }
        let data = grey.into_iter().flat_map(|grey| [u8::try_from(grey).unwrap_or(u8::MAX); 3]).collect();
        Pixels::new(width, height, data).unwrap()
    }

    fn sharp(pixels: &Pixels, faces: &[BoundingBox]) -> f64 {
        appearance(pixels, faces).sharpness.part()
    }

    #[test]
    fn the_more_a_picture_is_blurred_the_less_sharp_it_is() {
        // [GAL484]
        let found: Vec<f64> = [0, 2, 8, 24].map(|times| sharp(&picture(600, 400, times), &[])).to_vec();
        assert!(found.is_sorted_by(|sharper, other| sharper > other), "{found:?}");
        assert!(found[0] > 0.6, "{found:?}");
        assert!(found[3] < 0.4, "{found:?}");
    }

    #[test]
    fn what_is_blurred_behind_sharp_faces_does_not_count() {
        let (sharp_one, blurred) = (picture(600, 400, 0), picture(600, 400, 24));
        let face = BoundingBox { x: 0.3, y: 0.3, width: 0.2, height: 0.3 };
        let mut data = blurred.data().to_vec();
        for y in 100..260 {
            let row = (y * 600 + 150) * 3..(y * 600 + 330) * 3;
            data[row.clone()].copy_from_slice(&sharp_one.data()[row]);
        }
        let mixed = Pixels::new(600, 400, data).unwrap();
        assert!(sharp(&mixed, &[face]) > 0.6);
        // And the other way round: a sharp wall behind somebody who moved.
        let elsewhere = BoundingBox { x: 0.7, y: 0.1, ..face };
        assert!(sharp(&mixed, &[elsewhere]) < 0.4);
    }

    #[test]
    fn no_picture_is_too_small_or_too_plain() {
        for (width, height) in [(1, 1), (1, 500), (500, 1), (9, 9), (10, 10), (23, 25), (64, 65)] {
            let plain = Pixels::new(width, height, vec![128; (width * height * 3) as usize]).unwrap();
            let face = BoundingBox { x: 0.9, y: 0.9, width: 0.4, height: 0.4 };
            for faces in [&[][..], &[face]] {
                let appearance = appearance(&plain, faces);
                assert_eq!(appearance.sharpness.thousandths(), 0);
                assert_eq!(appearance.look.cells(), [128; Look::CELLS]);
            }
        }
    }

    #[test]
    fn a_look_has_the_brightness_of_each_place() {
        let data = (0..100 * 50).flat_map(|at| [if at % 100 < 50 { 0 } else { 255 }; 3]).collect();
        let look = appearance(&Pixels::new(100, 50, data).unwrap(), &[]).look;
        for row in look.cells().chunks_exact(Look::SIDE) {
            assert_eq!(row[..12], [0; 12]);
            assert_eq!(row[12..], [255; 12]);
        }
    }
}
