//! Faces that are made unrecognisable in a picture.
//!
//! What is drawn over a face is computed from a few averages of it, and from nothing else: no pixel of the face is left, and no
//! sharpening brings one back.

use domain::faces::BoundingBox;
use domain::photos::pixels::Pixels;

use crate::whole::whole;

/// How far what is covered reaches beyond the box of a face on each side, in the longer side of the box: hair, ears and chin
/// of a head that may be turned to any side.
const AROUND: f64 = 0.35;
/// Where what is drawn ends, in radii of what is covered: it fades out beyond the head.
const FADED: f64 = 1.2;
/// Averages across the shorter side of what is drawn. The face itself has about two of them across.
const CELLS: u32 = 5;
/// The least side of what has an average, in pixels.
const LEAST_CELL: f64 = 2.0;
/// How far a kept face is seen where a stranger's head would cover it, in its radii. Cut off at its box it would be a mask.
const KEPT: f64 = 1.25;
/// How wide the line is at which a kept face ends, as a part of its radius.
const SEAM: f64 = 0.1;

/// An ellipse, in pixels of the picture.
#[derive(Clone, Copy)]
struct Ellipse {
    centre: [f64; 2],
    radii: [f64; 2],
}

impl Ellipse {
    /// That which fills a box.
    fn within(bounds: &BoundingBox, width: f64, height: f64) -> Self {
        let radii = [bounds.width * width / 2.0, bounds.height * height / 2.0];
        let centre = [bounds.x * width + radii[0], bounds.y * height + radii[1]];
        Self { centre, radii: radii.map(|radius| radius.max(0.5)) }
    }

    /// That around the whole head.
    fn of_head(self) -> Self {
        let around = 2.0 * AROUND * self.radii[0].max(self.radii[1]);
        Self { radii: self.radii.map(|radius| radius + around), ..self }
    }

    /// How far from its centre a place is: 1 on its edge.
    fn distance(&self, x: f64, y: f64) -> f64 {
        ((x - self.centre[0]) / self.radii[0]).hypot((y - self.centre[1]) / self.radii[1])
    }

    /// The first and the last pixel, and one more, of a side of the picture that lie within so many radii.
    fn span(&self, axis: usize, radii: f64, side: u32) -> (u32, u32) {
        let reach = self.radii[axis] * radii;
        let first = (self.centre[axis] - reach).floor().clamp(0.0, f64::from(side));
        let end = (self.centre[axis] + reach).ceil().clamp(0.0, f64::from(side));
        (whole(first), whole(end))
    }
}

/// The averages of what is around a head.
struct Averages {
    left: u32,
    top: u32,
    /// Columns and rows, at least one of each.
    size: [u32; 2],
    /// Of an average, in pixels.
    cell: [f64; 2],
    colours: Vec<[f64; 3]>,
}

impl Averages {
    /// None where no pixel of the picture is that near to the head.
    fn of(picture: &Pixels, head: &Ellipse) -> Option<Self> {
        let (left, right) = head.span(0, FADED, picture.width());
        let (top, bottom) = head.span(1, FADED, picture.height());
        if left >= right || top >= bottom {
            return None;
        }
        let cell = (2.0 * FADED * head.radii[0].min(head.radii[1]) / f64::from(CELLS)).max(LEAST_CELL);
        // Whole cells: where the picture ends, none is smaller than the others by much.
        let count = |pixels: u32| whole((f64::from(pixels) / cell).floor().max(1.0));
        let sides = [right - left, bottom - top];
        let size = sides.map(count);
        let cell = [0, 1].map(|axis| f64::from(sides[axis]) / f64::from(size[axis]));
        let mut sums = vec![([0.0_f64; 3], 0.0_f64); size[0] as usize * size[1] as usize];
        let place = |pixel: u32, axis: usize| {
            whole(((f64::from(pixel) + 0.5) / cell[axis]).min(f64::from(size[axis] - 1)))
        };
        for y in 0..sides[1] {
            let row = place(y, 1) * size[0];
            let line = &picture.data()[((top + y) * picture.width() + left) as usize * 3..];
            for (x, pixel) in (0..sides[0]).zip(line.as_chunks::<3>().0) {
                let (sum, count) = &mut sums[(row + place(x, 0)) as usize];
                for (sum, sample) in sum.iter_mut().zip(pixel) {
                    *sum += f64::from(*sample);
                }
                *count += 1.0;
            }
        }
        let mean = |(sum, count): ([f64; 3], f64)| sum.map(|sum| sum / count.max(1.0));
        Some(Self { left, top, size, cell, colours: sums.into_iter().map(mean).collect() })
    }

    /// The colour of a pixel: between the four averages whose middles are around it.
    fn colour(&self, x: u32, y: u32) -> [f64; 3] {
        let at = |pixel: u32, start: u32, axis: usize| {
            let last = f64::from(self.size[axis] - 1);
            let at = ((f64::from(pixel - start) + 0.5) / self.cell[axis] - 0.5).clamp(0.0, last);
            let before = at.floor();
            (whole(before), whole((before + 1.0).min(last)), smooth(at - before))
        };
        let (left, right, across) = at(x, self.left, 0);
        let (above, below, down) = at(y, self.top, 1);
        let of = |column: u32, row: u32| self.colours[(row * self.size[0] + column) as usize];
        let corners = [of(left, above), of(right, above), of(left, below), of(right, below)];
        [0, 1, 2].map(|channel| {
            let [one, two, three, four] = corners.map(|colour| colour[channel]);
            mixed(mixed(one, two, across), mixed(three, four, across), down)
        })
    }
}

fn mixed(from: f64, to: f64, part: f64) -> f64 {
    from + (to - from) * part
}

/// From 0 to 1 without a corner at either end.
fn smooth(part: f64) -> f64 {
    let part = part.clamp(0.0, 1.0);
    part * part * (3.0 - 2.0 * part)
}

/// The picture in which the heads with these `faces` are softened, but for `kept` faces. Where a head covers a kept face, each pixel
/// near that is of the face whose middle is nearer, in radii of each.
#[must_use]
pub fn softened(picture: Pixels, faces: &[BoundingBox], kept: &[BoundingBox]) -> Pixels {
    let (width, height) = (picture.width(), picture.height());
    let ellipse = |bounds: &BoundingBox| Ellipse::within(bounds, f64::from(width), f64::from(height));
    let kept: Vec<Ellipse> = kept.iter().map(ellipse).collect();
    // All averages are of the picture as it was.
    let covers: Vec<(Ellipse, Ellipse, Averages)> = faces
        .iter()
        .map(ellipse)
        .filter_map(|face| {
            let head = face.of_head();
            Some((face, head, Averages::of(&picture, &head)?))
        })
        .collect();
    let mut data = picture.into_data();
    for (face, head, averages) in &covers {
        let (left, right) = head.span(0, FADED, width);
        let (top, bottom) = head.span(1, FADED, height);
        for y in top..bottom {
            for x in left..right {
                let (middle_x, middle_y) = (f64::from(x) + 0.5, f64::from(y) + 0.5);
                let part = smooth((FADED - head.distance(middle_x, middle_y)) / (FADED - 1.0));
                if part <= 0.0 {
                    continue;
                }
                let from_face = face.distance(middle_x, middle_y);
                let of_kept = kept.iter().map(|kept| {
                    let from_kept = kept.distance(middle_x, middle_y);
                    smooth((from_face.min(KEPT) - from_kept) / SEAM)
                });
                let part = part * (1.0 - of_kept.fold(0.0, f64::max));
                let colour = averages.colour(x, y);
                let at = (y as usize * width as usize + x as usize) * 3;
                for (sample, new) in data[at..at + 3].iter_mut().zip(colour) {
                    let mixed = mixed(f64::from(*sample), new, part).round();
                    *sample = u8::try_from(whole(mixed)).unwrap_or(u8::MAX);
                }
            }
        }
    }
    Pixels::new(width, height, data).unwrap_or_else(|| unreachable!("the picture keeps its size"))
}

#[cfg(test)]
mod tests;
