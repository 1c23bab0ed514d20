//! Shrinking and enlarging pictures for the networks, without aliasing.

use std::ops::Range;

use domain::photos::pixels::Pixels;
use pulp::{Arch, NullaryFnOnce};

/// How a network wants its samples.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Samples {
    /// For each of the network's planes the channel of the picture: 0 red, 1 green, 2 blue.
    pub(crate) channels: [usize; 3],
    /// Subtracted from 0 to 255.
    pub(crate) mean: [f32; 3],
    /// Multiplied afterwards.
    pub(crate) scale: f32,
}

impl Samples {
    pub(crate) fn of(&self, plane: usize, value: f32) -> f32 {
        (value - self.mean[plane]) * self.scale
    }
}

/// How a network wants a picture.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Layout {
    /// Three planes of samples, one after the other.
    Planes(Samples),
    /// Pixels of four bytes: red, green, blue and one that is 0. A convolution on bytes reads them as they lie.
    Bytes,
}

/// A picture as a network takes it.
#[derive(Debug)]
pub(crate) struct Input {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) data: Data,
}

#[derive(Debug)]
pub(crate) enum Data {
    Planes(Vec<f32>),
    Bytes(Vec<[u8; 4]>),
}

impl Input {
    pub(crate) const fn planes(width: usize, height: usize, data: Vec<f32>) -> Self {
        Self { width, height, data: Data::Planes(data) }
    }

    pub(crate) fn black(width: usize, height: usize, layout: &Layout) -> Self {
        let area = width * height;
        let data = match layout {
            Layout::Bytes => Data::Bytes(vec![[0; 4]; area]),
            Layout::Planes(samples) => {
                let mut data = Vec::with_capacity(3 * area);
                for plane in 0..3 {
                    data.resize((plane + 1) * area, samples.of(plane, 0.0));
                }
                Data::Planes(data)
            }
        };
        Self { width, height, data }
    }
}

/// A picture resized onto a black canvas.
#[derive(Debug)]
pub(crate) struct Fitted {
    pub(crate) input: Input,
    /// Pixels of the canvas for one pixel of the picture.
    pub(crate) factor: f64,
    /// Where the picture's top left corner lies on the canvas.
    pub(crate) origin: [f64; 2],
}

/// Resizes a picture with a black margin of `margin` times its sides on each side, so that the long side of both
/// together is `long_side`, and fills up with black on the right and below to multiples of `multiple`.
///
/// With `enlarge` false a picture that is smaller already keeps its size.
pub(crate) fn fit(
    picture: &Pixels,
    long_side: f64,
    margin: f64,
    enlarge: bool,
    multiple: usize,
    layout: &Layout,
) -> Fitted {
    let around = 1.0 + 2.0 * margin;
    let mut factor = long_side / (f64::from(picture.long_side()) * around);
    if !enlarge {
        factor = factor.min(1.0);
    }
    let scaled = |length: u32, times: f64| to_index((f64::from(length) * factor * times).round()).max(1);
    let (width, height) = (scaled(picture.width(), 1.0), scaled(picture.height(), 1.0));
    let (left, top) = (scaled(picture.width(), margin), scaled(picture.height(), margin));
    let (left, top) = if margin > 0.0 { (left, top) } else { (0, 0) };
    let canvas = |inner: usize, before: usize| (inner + 2 * before).next_multiple_of(multiple);
    let mut input = Input::black(canvas(width, left), canvas(height, top), layout);
    let (columns, rows) = (0..width, 0..height);
    Arch::new().dispatch(Resize {
        picture,
        width,
        height,
        columns,
        rows,
        left,
        top,
        layout,
        input: &mut input,
    });
    Fitted { input, factor, origin: [to_float(left), to_float(top)] }
}

/// The length that a side of a picture gets.
fn scaled(length: u32, factor: f64) -> usize {
    to_index((f64::from(length) * factor).round()).max(1)
}

/// A part of a canvas, in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) left: usize,
    pub(crate) top: usize,
    /// The first column behind it.
    pub(crate) right: usize,
    /// The first row below it.
    pub(crate) bottom: usize,
}

impl Part {
    pub(crate) const fn width(&self) -> usize {
        self.right - self.left
    }

    pub(crate) const fn height(&self) -> usize {
        self.bottom - self.top
    }

    pub(crate) const fn area(&self) -> usize {
        self.width() * self.height()
    }

    /// The smallest part with both.
    pub(crate) fn with(&self, other: &Self) -> Self {
        Self {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }
}

/// The canvas that [`fit`] would draw a picture on, without margin and not enlarged, of which parts are drawn.
#[derive(Debug)]
pub(crate) struct Canvas {
    /// Pixels of the canvas for one pixel of the picture.
    pub(crate) factor: f64,
    pub(crate) width: usize,
    pub(crate) height: usize,
}

impl Canvas {
    pub(crate) fn of(picture: &Pixels, long_side: f64, multiple: usize) -> Self {
        let factor = (long_side / f64::from(picture.long_side())).min(1.0);
        let side = |length: u32| scaled(length, factor).next_multiple_of(multiple);
        Self { factor, width: side(picture.width()), height: side(picture.height()) }
    }

    /// Draws `part` as it is on the whole canvas.
    pub(crate) fn draw(&self, picture: &Pixels, part: &Part, layout: &Layout) -> Input {
        let mut input = Input::black(part.width(), part.height(), layout);
        let (width, height) = (scaled(picture.width(), self.factor), scaled(picture.height(), self.factor));
        let columns = part.left.min(width)..part.right.min(width);
        let rows = part.top.min(height)..part.bottom.min(height);
        if !columns.is_empty() && !rows.is_empty() {
            let (left, top) = (0, 0);
            let input = &mut input;
            Arch::new().dispatch(Resize { picture, width, height, columns, rows, left, top, layout, input });
        }
        input
    }
}

/// Draws a picture, resized, into an input; everything it calls is inlined, so that it is compiled for the processor's
/// vector instructions.
struct Resize<'a> {
    picture: &'a Pixels,
    /// The size it gets.
    width: usize,
    height: usize,
    /// What of it is drawn.
    columns: Range<usize>,
    rows: Range<usize>,
    /// Where that is drawn.
    left: usize,
    top: usize,
    layout: &'a Layout,
    input: &'a mut Input,
}

impl NullaryFnOnce for Resize<'_> {
    type Output = ();

    #[inline(always)]
    fn call(mut self) {
        let stride = to_usize(self.picture.width()) * 3;
        let mut columns = Taps::of(to_usize(self.picture.width()), self.width, self.columns.clone());
        let rows = Taps::of(to_usize(self.picture.height()), self.height, self.rows.clone());
        let span = columns.shifted_to_start();
        let samples = span.start * 3..span.end * 3;
        // One number more, since colours are read four at a time.
        let mut sums = vec![0.0f32; samples.len() + 1];
        let mut colours = vec![[0.0f32; 4]; self.columns.len()];
        for row in 0..self.rows.len() {
            let (first, weights) = rows.at(row);
            let lines = self.picture.data()[first * stride..].chunks_exact(stride);
            sums.fill(0.0);
            for (line, weight) in lines.zip(weights) {
                for (sum, sample) in sums.iter_mut().zip(&line[samples.clone()]) {
                    *sum += weight * f32::from(*sample);
                }
            }
            columns.across(&sums, &mut colours);
            self.put(row, &colours);
        }
    }
}

impl Resize<'_> {
    #[inline(always)]
    fn put(&mut self, row: usize, colours: &[[f32; 4]]) {
        let area = self.input.width * self.input.height;
        let start = (self.top + row) * self.input.width + self.left;
        match (&mut self.input.data, self.layout) {
            (Data::Planes(planes), Layout::Planes(samples)) => {
                for plane in 0..3 {
                    let target = planes[plane * area + start..].iter_mut();
                    for (sample, colour) in target.zip(colours) {
                        *sample = samples.of(plane, colour[samples.channels[plane]]);
                    }
                }
            }
            (Data::Bytes(pixels), _) => {
                for (pixel, colour) in pixels[start..].iter_mut().zip(colours) {
                    let [red, green, blue, _] =
                        colour.map(|value| (value + ROUNDING).to_bits().to_le_bytes()[0]);
                    *pixel = [red, green, blue, 0];
                }
            }
            (Data::Planes(_), Layout::Bytes) => {}
        }
    }
}

/// Added to a float from 0 to 255 it leaves the nearest integer, of two the even one, in the lowest bits: faster than a
/// conversion.
const ROUNDING: f32 = 8_388_608.0;

/// The samples of a source line that make each sample of a part of the target line: as many for each, of which some may weigh
/// nothing.
struct Taps {
    count: usize,
    firsts: Vec<usize>,
    weights: Vec<f32>,
}

impl Taps {
    /// Mean over the covered stretch when shrinking, straight line between neighbours when enlarging.
    #[allow(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        reason = "sides are below 2^24, weights at most 1"
    )]
    fn of(source: usize, target: usize, part: Range<usize>) -> Self {
        let ratio = source as f64 / target as f64;
        let each = |index: usize| {
            if ratio > 1.0 {
                let (start, end) = (index as f64 * ratio, (index + 1) as f64 * ratio);
                let first = to_index(start.floor()).min(source - 1);
                let last = to_index(end.ceil()).clamp(first + 1, source);
                let covered = |at: usize| (end.min(at as f64 + 1.0) - start.max(at as f64)).max(0.0);
                let total: f64 = (first..last).map(covered).sum();
                (first, (first..last).map(|at| (covered(at) / total) as f32).collect())
            } else {
                let centre = ((index as f64 + 0.5) * ratio - 0.5).clamp(0.0, (source - 1) as f64);
                let first = to_index(centre.floor());
                let second = (centre - centre.floor()) as f32;
                (first, if first + 1 < source { vec![1.0 - second, second] } else { vec![1.0] })
            }
        };
        let each: Vec<(usize, Vec<f32>)> = part.map(each).collect();
        let count = each.iter().map(|(_, weights)| weights.len()).max().unwrap_or(1);
        let weights = vec![0.0; each.len() * count];
        let mut taps = Self { count, firsts: Vec::with_capacity(each.len()), weights };
        for ((first, own), weights) in each.iter().zip(taps.weights.chunks_exact_mut(count)) {
            let start = (*first).min(source - count);
            taps.firsts.push(start);
            weights[first - start..][..own.len()].copy_from_slice(own);
        }
        taps
    }

    /// The stretch of the source line that is needed, from whose start the samples count from now on.
    fn shifted_to_start(&mut self) -> Range<usize> {
        let start = self.firsts.first().copied().unwrap_or_default();
        let end = self.firsts.last().map_or(start, |last| last + self.count);
        for first in &mut self.firsts {
            *first -= start;
        }
        start..end
    }

    /// The colours of a line, each with a fourth number that means nothing, of the sums of its samples.
    #[inline(always)]
    fn across(&self, sums: &[f32], colours: &mut [[f32; 4]]) {
        match self.count {
            1 => self.across_by::<1>(sums, colours),
            2 => self.across_by::<2>(sums, colours),
            3 => self.across_by::<3>(sums, colours),
            4 => self.across_by::<4>(sums, colours),
            count => {
                let weights = self.weights.chunks_exact(count);
                for (colour, (first, weights)) in colours.iter_mut().zip(self.firsts.iter().zip(weights)) {
                    *colour = weigh(&sums[first * 3..], weights);
                }
            }
        }
    }

    /// The same for a number of taps that the compiler knows.
    #[inline(always)]
    fn across_by<const COUNT: usize>(&self, sums: &[f32], colours: &mut [[f32; 4]]) {
        let weights = self.weights.as_chunks::<COUNT>().0;
        for (colour, (first, weights)) in colours.iter_mut().zip(self.firsts.iter().zip(weights)) {
            *colour = weigh(&sums[first * 3..][..COUNT * 3 + 1], weights);
        }
    }

    fn at(&self, target: usize) -> (usize, &[f32]) {
        (self.firsts[target], &self.weights[target * self.count..][..self.count])
    }
}

/// The sum of weighted colours that lie one after the other, three numbers each; read four at a time.
#[inline(always)]
fn weigh(sums: &[f32], weights: &[f32]) -> [f32; 4] {
    let mut colour = [0.0; 4];
    for (tap, weight) in weights.iter().enumerate() {
        for (lane, sum) in colour.iter_mut().enumerate() {
            *sum += weight * sums[tap * 3 + lane];
        }
    }
    colour
}

/// A place in a line of pixels; what is negative or not a number becomes 0.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the cast saturates")]
pub(crate) fn to_index(value: f64) -> usize {
    value as usize
}

/// A number of pixels: sides and areas of pictures are below 2^32.
pub(crate) fn to_float(pixels: usize) -> f64 {
    f64::from(u32::try_from(pixels).unwrap_or(u32::MAX))
}

pub(crate) fn to_usize(side: u32) -> usize {
    usize::try_from(side).unwrap_or(usize::MAX)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) const RAW: Samples = Samples { channels: [0, 1, 2], mean: [0.0; 3], scale: 1.0 };

    pub(crate) fn gradient(width: u32, height: u32) -> Pixels {
        let pixel = |x: u32, y: u32| [u8::try_from(x % 256).unwrap(), u8::try_from(y % 256).unwrap(), 7];
        let data = (0..height).flat_map(|y| (0..width).flat_map(move |x| pixel(x, y))).collect();
        Pixels::new(width, height, data).unwrap()
    }

    impl Input {
        pub(crate) fn plane_data(&self) -> &[f32] {
            match &self.data {
                Data::Planes(data) => data,
                Data::Bytes(_) => panic!("these are bytes"),
            }
        }

        fn pixel(&self, x: usize, y: usize) -> [f32; 3] {
            let (at, area) = (y * self.width + x, self.width * self.height);
            match &self.data {
                Data::Planes(data) => [0, 1, 2].map(|plane| data[plane * area + at]),
                Data::Bytes(pixels) => [0, 1, 2].map(|channel| f32::from(pixels[at][channel])),
            }
        }
    }

    #[test]
    fn bytes_are_the_planes_rounded() {
        for (width, height, long_side, enlarge) in
            [(200, 100, 77.0, false), (30, 50, 64.0, true), (9, 1, 5.0, true)]
        {
            let picture = gradient(width, height);
            let fit = |layout: Layout| fit(&picture, long_side, 0.1, enlarge, 32, &layout).input;
            let (planes, bytes) = (fit(Layout::Planes(RAW)), fit(Layout::Bytes));
            let Data::Bytes(bytes) = bytes.data else { panic!("these are planes") };
            let area = bytes.len();
            for (at, pixel) in bytes.iter().enumerate() {
                let sample = |plane: usize| planes.plane_data()[plane * area + at].round_ties_even() as u8;
                assert_eq!(*pixel, [sample(0), sample(1), sample(2), 0], "{at}");
            }
        }
    }

    #[test]
    fn a_part_is_drawn_as_it_is_on_the_whole_canvas() {
        for (width, height, long_side) in [(200, 100, 77.0), (97, 130, 130.0), (61, 700, 333.0)] {
            let picture = gradient(width, height);
            for layout in [Layout::Planes(RAW), Layout::Bytes] {
                let whole = fit(&picture, long_side, 0.0, false, 32, &layout);
                let canvas = Canvas::of(&picture, long_side, 32);
                assert_eq!((canvas.width, canvas.height), (whole.input.width, whole.input.height));
                assert!((canvas.factor - whole.factor).abs() < 1e-12);
                for left in (0..canvas.width).step_by(32) {
                    let part =
                        Part { left, top: canvas.height - 32, right: canvas.width, bottom: canvas.height };
                    let drawn = canvas.draw(&picture, &part, &layout);
                    assert_eq!((drawn.width, drawn.height), (part.width(), 32));
                    for y in 0..drawn.height {
                        for x in 0..drawn.width {
                            let expected = whole.input.pixel(left + x, part.top + y);
                            assert_eq!(drawn.pixel(x, y), expected, "{x}, {y} of {part:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn shrinking_keeps_the_mean_and_fills_up_with_black() {
        let fitted = fit(&gradient(200, 100), 100.0, 0.0, false, 32, &Layout::Planes(RAW));
        assert_eq!((fitted.input.width, fitted.input.height), (128, 64));
        assert!((fitted.factor - 0.5).abs() < 1e-12);
        assert!((fitted.input.plane_data()[10] - 20.5).abs() < 1e-3, "the mean of columns 20 and 21");
        assert_eq!(fitted.input.plane_data()[101], 0.0, "beyond the picture");
        assert_eq!(fitted.input.plane_data()[2 * 128 * 64], 7.0, "the third plane is blue");
    }

    #[test]
    fn small_pictures_are_enlarged_on_demand_only() {
        assert!(
            (fit(&gradient(20, 10), 100.0, 0.0, false, 32, &Layout::Planes(RAW)).factor - 1.0).abs() < 1e-12
        );
        let fitted = fit(&gradient(20, 10), 100.0, 0.0, true, 32, &Layout::Planes(RAW));
        assert!((fitted.factor - 5.0).abs() < 1e-12);
        assert!(
            (fitted.input.plane_data()[52] - 10.0).abs() < 1e-3,
            "column 52 shows the middle of column 10"
        );
    }

    #[test]
    fn a_margin_surrounds_the_picture() {
        let fitted = fit(&gradient(90, 60), 150.0, 1.0 / 3.0, false, 2, &Layout::Planes(RAW));
        assert_eq!(fitted.origin, [30.0, 20.0]);
        assert_eq!((fitted.input.width, fitted.input.height), (150, 100));
        let third = &fitted.input.plane_data()[2 * 150 * 100..];
        assert_eq!((third[20 * 150 + 29], third[20 * 150 + 30]), (0.0, 7.0));
    }
}
