//! Watermarks on renditions. An original is never touched, and faces are found before there is a mark.

use domain::photos::pixels::Pixels;
use domain::studio::watermarks::{Position, Watermark};

use crate::logos::Transparent;
use crate::pictures::{NotEncodable, encode_again, resize};

/// Changes whenever the same mark on the same rendition becomes another file: this program's drawing, or its encoder.
pub const REVISION: u32 = 1;

/// The long side of the largest rendition. A mark has on each the part of it that it has on this one.
const LONG_SIDE: u32 = 2048;
/// Samples of a lettering on white that are brighter are the noise of its JPEG file.
const NOISE: u8 = 24;
/// How dark the shadow of letters is, in hundredths of the letters: white letters are read on white clothes by it.
const SHADOW: u32 = 60;

/// The picture of a mark.
#[derive(Debug)]
pub enum Art {
    /// Letters in black on white, which are drawn in white with a shadow.
    Lettering(Pixels),
    /// A logo on white.
    Plate(Pixels),
    /// A logo for dark grounds, which is drawn with a shadow, since photos are bright as well.
    Transparent(Transparent),
}

impl Art {
    const fn size(&self) -> (u32, u32) {
        match self {
            Self::Lettering(picture) | Self::Plate(picture) => (picture.width(), picture.height()),
            Self::Transparent(picture) => (picture.width(), picture.height()),
        }
    }
}

/// What is drawn on each rendition.
#[derive(Debug)]
pub struct Mark {
    art: Art,
    position: Position,
    /// In hundredths.
    opacity: u32,
}

impl Mark {
    /// A watermark, and its picture, which [`crate::logos::make`] has made.
    pub fn new(watermark: &Watermark, art: Art) -> Self {
        Self { art, position: watermark.position, opacity: u32::from(watermark.opacity.hundredths()) }
    }

    /// Width and height that it may have at most, in hundredths of the picture's. A picture of 800 pixels is 39 of the
    /// largest rendition's width.
    const fn largest(&self) -> (u64, u64) {
        match (matches!(self.art, Art::Lettering(_)), self.position) {
            (true, Position::Center) => (39, 16),
            (true, Position::BottomRight | Position::BottomLeft) => (36, 8),
            (true, Position::Tiled) => (24, 5),
            (false, Position::Center) => (36, 30),
            (false, Position::BottomRight | Position::BottomLeft) => (20, 12),
            (false, Position::Tiled) => (12, 8),
        }
    }

    /// It as it is drawn on a picture of this size.
    fn stamp(&self, width: u32, height: u32) -> Stamp {
        let (own_width, own_height) = self.art.size();
        let (own_width, own_height) = (u64::from(own_width), u64::from(own_height));
        let (wide, high) = self.largest();
        let own = own_width.max(own_height);
        let sides = [
            own * u64::from(width.max(height)) / u64::from(LONG_SIDE),
            u64::from(width) * wide * own / own_width / 100,
            u64::from(height) * high * own / own_height / 100,
        ];
        let side = sides.into_iter().min().unwrap_or(own).max(1);
        let side = u32::try_from(side).unwrap_or(u32::MAX);
        match &self.art {
            Art::Lettering(picture) => Stamp::lettering(&resize(picture, side), width.max(height)),
            Art::Plate(picture) => Stamp::plate(&resize(picture, side)),
            Art::Transparent(picture) => {
                let picture = picture.resized(side);
                let pixels: Vec<_> = picture.pixels().collect();
                Stamp::shadowed((picture.width(), picture.height()), width.max(height), &pixels)
            }
        }
    }
}

/// Pixels with an opacity of their own.
struct Stamp {
    width: u32,
    height: u32,
    /// The colour and the opacity of each pixel.
    pixels: Vec<([u8; 3], u8)>,
}

impl Stamp {
    /// White letters with a shadow.
    fn lettering(picture: &Pixels, long_side: u32) -> Self {
        let coverage =
            |green: u8| Some(u8::MAX - green).filter(|coverage| *coverage > NOISE).unwrap_or_default();
        let letters = picture.data().chunks_exact(3).map(|samples| ([u8::MAX; 3], coverage(samples[1])));
        Self::shadowed((picture.width(), picture.height()), long_side, &letters.collect::<Vec<_>>())
    }

    /// Pixels with a shadow below and to their right.
    fn shadowed(size: (u32, u32), long_side: u32, pixels: &[([u8; 3], u8)]) -> Self {
        let offset = (long_side / 512).max(1);
        let (width, height) = (size.0 + offset, size.1 + offset);
        let at = |x: Option<u32>, y: Option<u32>| {
            let at = x.zip(y).filter(|(x, y)| *x < size.0 && *y < size.1);
            at.map_or(([0; 3], 0), |(x, y)| pixels[y as usize * size.0 as usize + x as usize])
        };
        let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let pixels = places.map(|(x, y)| {
            let (color, own) = at(Some(x), Some(y));
            let (_, cast) = at(x.checked_sub(offset), y.checked_sub(offset));
            let (own, shadow) = (u32::from(own), u32::from(cast) * SHADOW / 100);
            let opacity = own + shadow * (255 - own) / 255;
            let mixed = |sample| (own * u32::from(sample)).checked_div(opacity).map_or(0, byte);
            (color.map(mixed), byte(opacity))
        });
        Self { width, height, pixels: pixels.collect() }
    }

    /// A logo on the white that it lies on everywhere.
    fn plate(logo: &Pixels) -> Self {
        let padding = (logo.width().max(logo.height()) / 12).max(1);
        let (width, height) = (logo.width() + 2 * padding, logo.height() + 2 * padding);
        let mut pixels = vec![([u8::MAX; 3], u8::MAX); width as usize * height as usize];
        let lines = pixels.chunks_exact_mut(width as usize).skip(padding as usize);
        let rows = logo.data().chunks_exact(logo.width() as usize * 3);
        for (line, row) in lines.zip(rows) {
            for (pixel, sample) in line.iter_mut().skip(padding as usize).zip(row.chunks_exact(3)) {
                if let [red, green, blue] = *sample {
                    pixel.0 = [red, green, blue];
                }
            }
        }
        Self { width, height, pixels }
    }

    /// Draws it with its corner at a place, which may lie beyond the picture, as what then lies beyond is left out.
    fn draw(&self, data: &mut [u8], size: (u32, u32), place: (i64, i64), opacity: u32) {
        let (width, height) = (i64::from(size.0), i64::from(size.1));
        let lines = self.pixels.chunks_exact(self.width as usize);
        for (y, line) in (place.1..).zip(lines).filter(|(y, _)| (0..height).contains(y)) {
            for (x, (color, own)) in (place.0..).zip(line).filter(|(x, _)| (0..width).contains(x)) {
                let part = u32::from(*own) * opacity / 100;
                let Ok(at) = usize::try_from((y * width + x) * 3) else { continue };
                for (sample, new) in data[at..at + 3].iter_mut().zip(color) {
                    let mixed = u32::from(*sample) * (255 - part) + u32::from(*new) * part;
                    *sample = byte((mixed + 127) / 255);
                }
            }
        }
    }
}

fn byte(value: u32) -> u8 {
    u8::try_from(value).unwrap_or(u8::MAX)
}

/// Where a stamp is put on a picture.
fn places(position: Position, (width, height): (u32, u32), stamp: &Stamp) -> Vec<(i64, i64)> {
    let margin = i64::from(width.min(height) * 3 / 100);
    let (width, height) = (i64::from(width), i64::from(height));
    let (right, bottom) = (width - i64::from(stamp.width), height - i64::from(stamp.height));
    match position {
        Position::BottomRight => vec![(right - margin, bottom - margin)],
        Position::BottomLeft => vec![(margin, bottom - margin)],
        Position::Center => vec![(right / 2, bottom / 2)],
        Position::Tiled => {
            let across = i64::from(stamp.width) + width / 6;
            let down = i64::from(stamp.height) + height / 6;
            let rows = (0..).map(|row| (row, margin + row * down)).take_while(|(_, y)| *y < height);
            // Every other row is moved by half a step, so that nothing between them is free from top to bottom.
            let starts = rows.map(|(row, y)| (margin - row % 2 * across / 2, y));
            let columns = |(start, y): (i64, i64)| {
                (0..)
                    .map(move |column| start + column * across)
                    .take_while(move |x| *x < width)
                    .map(move |x| (x, y))
            };
            starts.flat_map(columns).collect()
        }
    }
}

/// The picture with a mark.
fn drawn(picture: Pixels, mark: &Mark) -> Pixels {
    let size = (picture.width(), picture.height());
    let stamp = mark.stamp(size.0, size.1);
    let mut data = picture.into_data();
    for place in places(mark.position, size, &stamp) {
        stamp.draw(&mut data, size, place, mark.opacity);
    }
    Pixels::new(size.0, size.1, data).unwrap_or_else(|| unreachable!("the picture keeps its size"))
}

/// A rendition with a mark, as another file than its own. The same rendition and mark give the same bytes.
pub fn marked(rendition: Pixels, mark: &Mark) -> Result<Vec<u8>, NotEncodable> {
    encode_again(&drawn(rendition, mark))
}

#[cfg(test)]
mod tests {
    use domain::studio::studios::Ground;
    use domain::studio::watermarks::{Opacity, Sign};

    use super::*;
    use crate::pictures::{decode, encode_jpeg};

    fn plain(width: u32, height: u32, grey: u8) -> Pixels {
        Pixels::new(width, height, vec![grey; (width * height * 3) as usize]).unwrap()
    }

    /// A black or red bar on white, with white around it.
    fn mark(text: Option<&str>, position: Position, opacity: i64) -> Mark {
        let (width, height, middle) = (800, 100, [u8::from(text.is_none()) * 200, 0, 0]);
        let is_bar = |x: u32, y: u32| (40..760).contains(&x) && (20..80).contains(&y);
        let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let data = pixels.flat_map(|(x, y)| if is_bar(x, y) { middle } else { [255; 3] }).collect();
        let picture = encode_jpeg(&Pixels::new(width, height, data).unwrap(), 92).unwrap();
        let picture = decode(&picture, LONG_SIDE).unwrap();
        let watermark = Watermark {
            name: String::from("a"),
            sign: text.map_or(Sign::Logo(Ground::Light), |text| Sign::Text(text.to_owned())),
            position,
            opacity: Opacity::new(opacity).unwrap(),
            on_downloads: false,
        };
        let art = if text.is_some() { Art::Lettering(picture) } else { Art::Plate(picture) };
        Mark::new(&watermark, art)
    }

    /// The left, top, right and bottom edges of what differs, and the part of all pixels that does.
    fn changed(before: &Pixels, after: &Pixels) -> ([u32; 4], f64) {
        let width = before.width();
        let pairs = before.data().chunks_exact(3).zip(after.data().chunks_exact(3));
        let (mut edges, mut count) = ([u32::MAX, u32::MAX, 0, 0], 0_u32);
        for (at, _) in (0_u32..).zip(pairs).filter(|(_, (before, after))| before != after) {
            let (x, y) = (at % width, at / width);
            edges = [edges[0].min(x), edges[1].min(y), edges[2].max(x), edges[3].max(y)];
            count += 1;
        }
        (edges, f64::from(count) / f64::from(width * before.height()))
    }

    #[test]
    fn a_mark_is_at_its_place_and_the_rest_of_the_picture_is_as_it_was() {
        for (width, height) in [(2048, 1365), (1365, 2048), (1024, 683)] {
            let before = plain(width, height, 90);
            for text in [Some("Meera"), None] {
                for position in [Position::BottomRight, Position::BottomLeft, Position::Center] {
                    let after = drawn(before.clone(), &mark(text, position, 50));
                    let ([left, top, right, bottom], part) = changed(&before, &after);
                    assert!(part > 0.002 && part < 0.12, "{part}");
                    let (across, down) = (left + right, top + bottom);
                    match position {
                        Position::BottomRight => assert!(left > width / 2 && top > height / 2),
                        Position::BottomLeft => assert!(right < width / 2 && top > height / 2),
                        _ => assert!(across.abs_diff(width) < 8 && down.abs_diff(height) < 8),
                    }
                    assert!(left > 0 && right + 1 < width && bottom + 1 < height, "not cut off");
                }
            }
        }
    }

    #[test]
    fn tiles_are_all_over_the_picture() {
        let before = plain(2048, 1365, 90);
        for text in [Some("Meera"), None] {
            let after = drawn(before.clone(), &mark(text, Position::Tiled, 100));
            // Each ninth of it has some.
            for (left, top) in [0, 683, 1365].into_iter().flat_map(|x| [0, 455, 910].map(|y| (x, y))) {
                let part = |pixels: &Pixels| pixels.part(left, top, 683, 455);
                let (_, share) = changed(&part(&before), &part(&after));
                assert!(share > 0.003, "{left} {top}: {share}");
            }
        }
    }

    #[test]
    fn letters_are_seen_on_black_and_on_white_and_a_logo_keeps_its_colours() {
        let darkest = |pixels: &Pixels| pixels.data().iter().copied().min().unwrap();
        let brightest = |pixels: &Pixels| pixels.data().iter().copied().max().unwrap();
        let letters = |opacity| mark(Some("Meera"), Position::Center, opacity);
        assert!(brightest(&drawn(plain(1024, 683, 0), &letters(100))) > 250);
        assert!(darkest(&drawn(plain(1024, 683, 255), &letters(100))) < 130);
        // Half of it is half as bright.
        let half = brightest(&drawn(plain(1024, 683, 0), &letters(50)));
        assert!((120..=130).contains(&half), "{half}");
        let logo = drawn(plain(1024, 683, 0), &mark(None, Position::Center, 100));
        let middle = logo.part(512, 341, 1, 1);
        assert!(middle.data()[0].abs_diff(200) < 6 && middle.data()[1] < 6, "{:?}", middle.data());
    }

    #[test]
    fn a_white_logo_is_seen_on_black_and_on_white_without_a_plate() {
        // [BRAND042] A white bar on nothing.
        let logo = image::RgbaImage::from_fn(800, 100, |x, y| {
            let is_bar = (40..760).contains(&x) && (20..80).contains(&y);
            image::Rgba(if is_bar { [255; 4] } else { [0; 4] })
        });
        let mut file = std::io::Cursor::new(Vec::new());
        image::DynamicImage::ImageRgba8(logo).write_to(&mut file, image::ImageFormat::Png).unwrap();
        let contents = crate::temp_files::Contents::InMemory(file.into_inner().into());
        let decoders = crate::decoders::Decoders::in_process();
        let mut picture = decoders.open(contents, crate::decoders::Priority::Foreground);
        let art = Art::Transparent(Transparent::read(&mut picture, 800).unwrap().unwrap());
        let mark = Mark { art, position: Position::Center, opacity: 100 };
        let (black, white) = (plain(2048, 1365, 0), plain(2048, 1365, 255));
        let (on_black, on_white) = (drawn(black.clone(), &mark), drawn(white.clone(), &mark));
        let middle = on_black.part(1024, 682, 1, 1);
        assert!(middle.data().iter().all(|sample| *sample > 250), "{:?}", middle.data());
        let darkest = on_white.data().iter().copied().min().unwrap();
        assert!(darkest < 130, "its shadow is seen on white: {darkest}");
        // Where the logo is nothing, the photo is as it was: the bar has less than half of the picture's height.
        let ((edges, _), height) = (changed(&black, &on_black), 736 / 8);
        assert!(edges[3] - edges[1] < height, "{edges:?}");
    }

    #[test]
    fn a_mark_takes_the_same_part_of_each_rendition() {
        let part = |width: u32, height: u32| {
            let before = plain(width, height, 90);
            changed(&before, &drawn(before.clone(), &mark(None, Position::BottomRight, 100))).1
        };
        assert!((part(2048, 1366) - part(1024, 683)).abs() < 0.001);
        // A picture of a pixel is none to put a mark on, and no reason to fail.
        for (width, height) in [(1, 1), (1, 2048), (2048, 1), (40, 30)] {
            for position in Position::ALL {
                for text in [Some("Meera"), None] {
                    let picture = drawn(plain(width, height, 0), &mark(text, position, 100));
                    assert_eq!((picture.width(), picture.height()), (width, height));
                }
            }
        }
    }

    #[test]
    fn the_file_is_another_one_of_the_same_size_and_always_the_same() {
        let rendition = encode_jpeg(&plain(1024, 683, 90), 84).unwrap();
        let mark = mark(Some("Meera"), Position::BottomRight, 100);
        let read = || decode(&rendition, LONG_SIDE).unwrap();
        let file = marked(read(), &mark).unwrap();
        let (before, after) = (decode(&rendition, LONG_SIDE).unwrap(), decode(&file, LONG_SIDE).unwrap());
        assert_eq!((after.width(), after.height()), (1024, 683));
        let upper = |pixels: &Pixels| pixels.part(0, 0, 1024, 500);
        let differ =
            upper(&before).data().iter().zip(upper(&after).data()).map(|(a, b)| a.abs_diff(*b)).max();
        assert!(differ.unwrap() < 3, "{differ:?}");
        assert!(before != after);
        assert_eq!(marked(read(), &mark).unwrap(), file);
    }
}
