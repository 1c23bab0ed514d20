//! AVIF, still pictures: the boxes are those of HEIF, what is coded is AV1, by `re_rav1d`, whole pictures or tiles of a grid.
//!
//! As with HEIC, sizes are read before anything is decoded, from the boxes and from what is coded, and the orientation of EXIF
//! counts for nothing: the file says itself how it is turned, mirrored and cut.

mod av1;
mod colours;

use domain::photos::MAX_PIXELS;
use heifer::heifer_isobmff::boxes::{ColorInfo, FileType, Property};
use heifer::heifer_isobmff::{BoxIter, HeifFile, ItemId, read_box_header};

use super::canvas::{Canvas, DecodePurpose, Decoded};
use super::colour::{Colour, PixelFormat, over_white, over_white_premultiplied};
use super::errors::Unreadable;
use super::heif::{container, parse};
use super::limits::{Measured, check_memory, check_size};
use super::orientation::Orientation;
use av1::{Chroma, Frame, Sequence};
use colours::{Conversion, Rows};

/// The brand of still pictures.
const BRAND: &[u8; 4] = b"avif";
/// Types of auxiliary pictures that are transparency.
const TRANSPARENCY: [&str; 2] = ["urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:mpeg:hevc:2015:auxid:1"];
/// Most tiles of a grid: a phone's photo of 48 megapixels has some two hundred.
const MOST_TILES: u32 = 4096;
/// Most pixels that all tiles have together, since they reach beyond the edges.
const MOST_CODED_PIXELS: u64 = 2 * MAX_PIXELS;
/// What the decoder keeps of a pixel beside its samples, in bytes: how its block was predicted, and filters.
const KEPT: u64 = 2;
/// Matrix coefficients of ITU-R BT.709.
const BT_709: u16 = 1;
/// What it takes for the smallest picture.
const LEAST: u64 = 512 << 10;

/// Whether the header is that of a HEIF file with a still picture of AV1.
pub(super) fn recognise(bytes: &[u8]) -> bool {
    let Ok(header) = read_box_header(bytes) else { return false };
    let end = header.size.map_or(bytes.len(), |size| usize::try_from(size).unwrap_or(usize::MAX));
    let content = bytes.get(header.header_size as usize..end.min(bytes.len())).unwrap_or_default();
    header.box_type.0 == *b"ftyp" && FileType::parse(content).is_ok_and(|file| file.has_brand(BRAND))
}

/// What decoding takes: the largest coded picture, as often as the decoder has it, and its transparency.
pub(super) fn measure(bytes: &[u8]) -> Result<Measured, Unreadable> {
    let file = parse(bytes)?;
    let picture = Picture::of(&file)?;
    let Window { width, height, .. } = picture.window;
    Ok(Measured { width, height, working: picture.working(&file)?, averaged: true })
}

pub(super) fn read(bytes: &[u8], purpose: DecodePurpose) -> Result<Decoded, Unreadable> {
    // A box that says it is longer than what is left of the file was torn off.
    for found in BoxIter::new(bytes) {
        found.map_err(container)?;
    }
    let file = parse(bytes)?;
    let picture = Picture::of(&file)?;
    check_memory(picture.working(&file)?)?;
    let Window { width, height, .. } = picture.window;
    let colour = picture.colour(&file)?;
    let mut canvas = Canvas::new(purpose, width, height, colour);
    for (index, tile) in picture.colours.tiles.iter().enumerate() {
        let transparency = picture.transparency.as_ref().and_then(|plane| plane.tiles.get(index));
        picture.draw(&file, index, *tile, transparency.copied(), &mut canvas)?;
    }
    Ok(Decoded { width, height, orientation: picture.orientation, content: canvas.finish()? })
}

/// The primary picture of a file, before it is decoded.
struct Picture {
    colours: Plane,
    transparency: Option<Plane>,
    /// Whether the colours are multiplied by the transparency.
    is_premultiplied: bool,
    /// What is shown of it.
    window: Window,
    orientation: Orientation,
    /// What the file says of its colours, which counts before what is coded.
    described: Option<Described>,
}

/// Code points of H.273.
#[derive(Clone, Copy)]
struct Described {
    primaries: u16,
    transfer: u16,
    matrix: u16,
    is_full_range: bool,
}

/// A coded picture, or several side by side.
#[derive(PartialEq)]
struct Plane {
    /// Size of the whole.
    width: u32,
    height: u32,
    tiles: Vec<ItemId>,
    columns: u32,
    /// Size of each tile.
    tile: (u32, u32),
}

/// A rectangle of pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Window {
    x: u32,
    y: u32,
    width: u32,
    height: u32,
}

impl Picture {
    fn of(file: &HeifFile<'_>) -> Result<Self, Unreadable> {
        let id = file.primary_id;
        let colours = Plane::of(file, id)?;
        let transparency = transparency(file, id)?;
        let plane = transparency.map(|plane| Plane::of(file, plane)).transpose()?;
        // Tiles of both are decoded together.
        if plane.as_ref().is_some_and(|plane| !plane.is_like(&colours)) {
            return Err(Unreadable::UnknownKind);
        }
        let mut window = Window { x: 0, y: 0, width: colours.width, height: colours.height };
        let (mut orientation, mut described) = (Orientation::UPRIGHT, None);
        for property in file.item_properties(id).map_err(container)? {
            match property {
                Property::CleanAperture { width, height, horiz_offset, vert_offset } => {
                    window = window.cut(*width, *height, *horiz_offset, *vert_offset)?;
                }
                // Against the clock.
                Property::Rotation(quarters) => {
                    for _ in 0..*quarters {
                        orientation = orientation.then(Orientation::QUARTER_BACK);
                    }
                }
                Property::Mirror(true) => orientation = orientation.then(Orientation::UPSIDE_DOWN),
                Property::Mirror(false) => orientation = orientation.then(Orientation::MIRRORED),
                Property::Color(ColorInfo::Nclx { primaries, transfer, matrix, full_range }) => {
                    let (primaries, transfer, matrix) = (*primaries, *transfer, *matrix);
                    described = Some(Described { primaries, transfer, matrix, is_full_range: *full_range });
                }
                _ => {}
            }
        }
        let is_premultiplied =
            transparency.is_some_and(|plane| file.referenced_items(id, b"prem").contains(&plane));
        Ok(Self { colours, transparency: plane, is_premultiplied, window, orientation, described })
    }

    /// What decoding takes, by the headers of the first tile: the others must be like it.
    fn working(&self, file: &HeifFile<'_>) -> Result<u64, Unreadable> {
        let planes = [Some(&self.colours), self.transparency.as_ref()];
        planes.into_iter().flatten().try_fold(LEAST, |sum, plane| Ok(sum + plane.working(file)?))
    }

    fn colour(&self, file: &HeifFile<'_>) -> Result<Colour, Unreadable> {
        let sequence = self.colours.sequence(file)?;
        let pixel_format = match sequence.chroma {
            Chroma::None => PixelFormat::Grey,
            _ => PixelFormat::Rgb,
        };
        let icc = file.icc_profile(file.primary_id).map_err(container)?;
        let (primaries, transfer) = self
            .described
            .map_or((sequence.primaries, sequence.transfer), |said| (said.primaries, said.transfer));
        Ok(match icc {
            Some(_) => Colour::new(pixel_format, icc),
            None => Colour::described(pixel_format, primaries, transfer),
        })
    }

    /// Decodes a tile, and puts what is shown of it where it belongs.
    fn draw(
        &self,
        file: &HeifFile<'_>,
        index: usize,
        tile: ItemId,
        transparency: Option<ItemId>,
        canvas: &mut Canvas,
    ) -> Result<(), Unreadable> {
        let (width, height) = self.colours.tile;
        let index = u32::try_from(index).map_err(|_| Unreadable::TooComplex)?;
        let (left, top) = (index % self.colours.columns * width, index / self.colours.columns * height);
        let like = self.colours.sequence(file)?;
        let colours = decode(file, tile, self.colours.tile, like)?;
        let alpha = match (transparency, &self.transparency) {
            (Some(tile), Some(plane)) => Some(decode(file, tile, plane.tile, plane.sequence(file)?)?),
            _ => None,
        };
        let mut colour_rows = Rows::new(&colours, conversion(colours.sequence, self.described)?);
        let mut alpha_rows = match &alpha {
            Some(alpha) => Some(Rows::new(alpha, conversion(alpha.sequence, None)?)),
            None => None,
        };
        let is_grey = colours.sequence.chroma == Chroma::None;
        let samples = if is_grey { 1 } else { 3 };
        let (mut row, mut covered, mut woven) = (Vec::new(), Vec::new(), Vec::new());
        for y in 0..height {
            let Some(shown) = self.window.row(left, top + y, width) else { continue };
            row.clear();
            colour_rows.append(y, &mut row);
            if let Some(alpha_rows) = &mut alpha_rows {
                covered.clear();
                alpha_rows.append_brightness(y, &mut covered);
                woven.clear();
                for (pixel, alpha) in row.chunks_exact(samples).zip(&covered) {
                    woven.extend_from_slice(pixel);
                    woven.push(*alpha);
                }
                if self.is_premultiplied {
                    over_white_premultiplied(&mut woven, samples + 1);
                } else {
                    over_white(&mut woven, samples + 1);
                }
                std::mem::swap(&mut row, &mut woven);
            }
            let from = shown.skipped as usize * samples;
            let pixels = row.get(from..from + shown.pixels as usize * samples).ok_or(Unreadable::Damaged)?;
            canvas.put(shown.x as usize, shown.y as usize, 1, pixels);
        }
        Ok(())
    }
}

impl Plane {
    fn of(file: &HeifFile<'_>, id: ItemId) -> Result<Self, Unreadable> {
        let size = |id| file.image_size(id).map_err(container)?.ok_or(Unreadable::Damaged);
        let (width, height) = size(id)?;
        check_size(width, height)?;
        match &file.item(id).map_err(container)?.item_type.0 {
            b"av01" => Ok(Self { width, height, tiles: vec![id], columns: 1, tile: (width, height) }),
            b"grid" => {
                let grid = file.grid(id).map_err(container)?;
                let tiles = file.referenced_items(id, b"dimg").to_vec();
                let (rows, columns) = (u32::from(grid.rows), u32::from(grid.columns));
                if (grid.output_width, grid.output_height) != (width, height)
                    || tiles.len() != (rows * columns) as usize
                {
                    return Err(Unreadable::Damaged);
                }
                let tile = size(*tiles.first().ok_or(Unreadable::Damaged)?)?;
                let coded = u64::from(tile.0) * u64::from(tile.1) * u64::from(rows * columns);
                if rows * columns > MOST_TILES || coded > MOST_CODED_PIXELS {
                    return Err(Unreadable::TooComplex);
                }
                let covers = |tile: u32, number: u32, side: u32| tile > 0 && side.div_ceil(tile) == number;
                if !covers(tile.0, columns, width) || !covers(tile.1, rows, height) {
                    return Err(Unreadable::Damaged);
                }
                let are_coded = |id: &ItemId| file.item(*id).is_ok_and(|item| item.item_type.0 == *b"av01");
                if !tiles.iter().all(are_coded) {
                    return Err(Unreadable::UnknownKind);
                }
                Ok(Self { width, height, tiles, columns, tile })
            }
            _ => Err(Unreadable::UnknownKind),
        }
    }

    /// Whether the two lie upon each other, tile for tile.
    fn is_like(&self, other: &Self) -> bool {
        (self.width, self.height, self.columns, self.tile, self.tiles.len())
            == (other.width, other.height, other.columns, other.tile, other.tiles.len())
    }

    fn sequence(&self, file: &HeifFile<'_>) -> Result<Sequence, Unreadable> {
        let first = self.tiles.first().ok_or(Unreadable::Damaged)?;
        sequence(file, *first, self.tile)
    }

    fn working(&self, file: &HeifFile<'_>) -> Result<u64, Unreadable> {
        let sequence = self.sequence(file)?;
        let pixels = u64::from(sequence.width) * u64::from(sequence.height);
        // Twice the samples, for two of three planes have a quarter of them as a rule.
        let doubled = match sequence.chroma {
            Chroma::None => 2,
            Chroma::Quarter => 3,
            Chroma::Half => 4,
            Chroma::Full => 6,
        };
        let bytes = if sequence.bits > 8 { 2 } else { 1 };
        let copies = if sequence.has_grain { 2 } else { 1 };
        let coded = self.tiles.iter().map(|tile| coded_bytes(file, *tile)).max().unwrap_or(0);
        Ok(pixels * (doubled * bytes * copies / 2 + KEPT) + coded)
    }
}

/// How many bytes an item has: the decoder gets a copy of them.
fn coded_bytes(file: &HeifFile<'_>, id: ItemId) -> u64 {
    let location = file.item(id).ok().and_then(|item| item.location.as_ref());
    location.map_or(0, |location| location.extents.iter().map(|extent| extent.length).sum())
}

/// The header of a coded picture, whose size must be what the file says of it.
fn sequence(file: &HeifFile<'_>, id: ItemId, (width, height): (u32, u32)) -> Result<Sequence, Unreadable> {
    let sequence = Sequence::of(&file.item_data(id).map_err(container)?)?;
    check_size(sequence.width, sequence.height)?;
    // Of a picture in layers the header has the size of the largest.
    if sequence.width < width || sequence.height < height {
        return Err(Unreadable::Damaged);
    }
    Ok(sequence)
}

fn decode(file: &HeifFile<'_>, id: ItemId, size: (u32, u32), like: Sequence) -> Result<Frame, Unreadable> {
    let sequence = sequence(file, id, size)?;
    // What was measured was the first tile.
    if like != sequence {
        return Err(Unreadable::UnknownKind);
    }
    let frame = Frame::decode(file.item_data(id).map_err(container)?.into_owned(), sequence)?;
    if (frame.width, frame.height) == size { Ok(frame) } else { Err(Unreadable::Damaged) }
}

/// How samples of such a picture become colours, by what the file says or by what the picture itself does.
fn conversion(sequence: Sequence, described: Option<Described>) -> Result<Conversion, Unreadable> {
    let (matrix, is_full_range) =
        described.map_or((sequence.matrix, sequence.is_full_range), |said| (said.matrix, said.is_full_range));
    // Brightness is the same with all of them.
    let matrix = if sequence.chroma == Chroma::None { BT_709 } else { matrix };
    Conversion::new(sequence.bits, matrix, is_full_range)
}

/// The picture whose brightness is the transparency of another.
fn transparency(file: &HeifFile<'_>, id: ItemId) -> Result<Option<ItemId>, Unreadable> {
    for plane in file.referencing_items(id, b"auxl") {
        let mut properties = file.item_properties(plane).map_err(container)?;
        let is_transparency = properties.any(|property| {
            matches!(property, Property::AuxiliaryType(kind) if TRANSPARENCY.contains(&kind.as_str()))
        });
        if is_transparency && plane != id {
            return Ok(Some(plane));
        }
    }
    Ok(None)
}

/// What is shown of a row of a tile.
struct Shown {
    /// Pixels of the tile before it.
    skipped: u32,
    pixels: u32,
    /// Where it begins in the window.
    x: u32,
    y: u32,
}

impl Window {
    /// The part in the middle of which so much is shown, `offset` away from the middle of the whole (ISO/IEC 14496-12, 12.1.4).
    fn cut(
        self,
        width: (u32, u32),
        height: (u32, u32),
        across: (i32, u32),
        down: (i32, u32),
    ) -> Result<Self, Unreadable> {
        let side = |(parts, of): (u32, u32), whole: u32, (offset, offset_of): (i32, u32)| {
            let pixels = parts.checked_div(of)?;
            // Twice the distance of its beginning from that of the whole, which is a whole number of pixels.
            let offset = i64::from(offset).checked_mul(2)?.checked_div(i64::from(offset_of))?;
            let twice = i64::from(whole) - i64::from(pixels) + offset;
            let start = u32::try_from(twice / 2).ok()?;
            (pixels > 0 && twice >= 0 && u64::from(start) + u64::from(pixels) <= u64::from(whole))
                .then_some((start, pixels))
        };
        let cut = side(width, self.width, across).zip(side(height, self.height, down));
        let ((x, width), (y, height)) = cut.ok_or(Unreadable::Damaged)?;
        Ok(Self { x, y, width, height })
    }

    /// What is shown of a row of `width` pixels that begins at `left` of row `y` of the whole.
    fn row(&self, left: u32, y: u32, width: u32) -> Option<Shown> {
        let y = y.checked_sub(self.y).filter(|y| *y < self.height)?;
        let (start, end) = (left.max(self.x), (left + width).min(self.x + self.width));
        let pixels = end.checked_sub(start).filter(|pixels| *pixels > 0)?;
        Some(Shown { skipped: start - left, pixels, x: start - self.x, y })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_cut_away_is_not_shown() {
        let whole = Window { x: 0, y: 0, width: 100, height: 60 };
        let cut = whole.cut((40, 1), (20, 1), (10, 1), (-5, 1)).unwrap();
        assert_eq!(cut, Window { x: 40, y: 15, width: 40, height: 20 });
        // An odd number of pixels has its middle between two.
        let odd = whole.cut((99, 1), (59, 1), (-1, 2), (1, 2)).unwrap();
        assert_eq!(odd, Window { x: 0, y: 1, width: 99, height: 59 });
        for (width, across) in [((200, 1), (0, 1)), ((40, 0), (0, 1)), ((40, 1), (40, 1)), ((0, 1), (0, 1))] {
            assert_eq!(whole.cut(width, (20, 1), across, (0, 1)), Err(Unreadable::Damaged));
        }
        assert!(cut.row(0, 14, 64).is_none() && cut.row(0, 20, 40).is_none());
        let shown = cut.row(32, 20, 32).unwrap();
        assert_eq!((shown.skipped, shown.pixels, shown.x, shown.y), (8, 24, 0, 5));
        let shown = cut.row(64, 34, 36).unwrap();
        assert_eq!((shown.skipped, shown.pixels, shown.x, shown.y), (0, 16, 24, 19));
    }
}
