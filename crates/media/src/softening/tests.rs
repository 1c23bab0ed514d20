use super::*;

const WIDTH: u32 = 200;
const HEIGHT: u32 = 160;

fn drawn(width: u32, height: u32, pixel: impl Fn(u32, u32) -> [u8; 3]) -> Pixels {
    let data = (0..height).flat_map(|y| (0..width).flat_map(|x| pixel(x, y)).collect::<Vec<_>>()).collect();
    Pixels::new(width, height, data).unwrap()
}

/// The finest detail that a picture can have, and no more on an average than a grey one.
fn checkered() -> Pixels {
    drawn(WIDTH, HEIGHT, |x, y| if (x + y) % 2 == 0 { [10, 90, 200] } else { [190, 30, 60] })
}

/// The box of this place in pixels.
fn bounds(left: f64, top: f64, width: f64, height: f64) -> BoundingBox {
    let (across, down) = (f64::from(WIDTH), f64::from(HEIGHT));
    BoundingBox { x: left / across, y: top / down, width: width / across, height: height / down }
}

fn ellipse(bounds: &BoundingBox) -> Ellipse {
    Ellipse::within(bounds, f64::from(WIDTH), f64::from(HEIGHT))
}

/// The pixels of both pictures whose middle fulfils something.
fn pairs<'a>(
    one: &'a Pixels,
    other: &'a Pixels,
    of: impl Fn(f64, f64) -> bool + 'a,
) -> impl Iterator<Item = ([u8; 3], [u8; 3])> + 'a {
    let width = one.width();
    let pixels = one.data().as_chunks::<3>().0.iter().zip(other.data().as_chunks::<3>().0);
    pixels.zip(0_u32..).filter_map(move |((one, other), at)| {
        let (x, y) = (f64::from(at % width) + 0.5, f64::from(at / width) + 0.5);
        of(x, y).then_some((*one, *other))
    })
}

fn apart((one, other): ([u8; 3], [u8; 3])) -> u8 {
    one.iter().zip(other).map(|(one, other)| one.abs_diff(other)).max().unwrap()
}

#[test]
fn a_head_is_covered_as_a_whole_and_the_rest_of_the_picture_is_as_it_was() {
    // [SAFE460]
    let (before, face) = (checkered(), bounds(80.0, 60.0, 30.0, 40.0));
    let after = softened(before.clone(), &[face], &[]);
    let grey = softened(drawn(WIDTH, HEIGHT, |_, _| [100, 60, 130]), &[face], &[]);
    let head = ellipse(&face).of_head();
    // The box itself lies within what is covered, corners too, and a third of it more on each side.
    for (x, y) in [(80.0, 60.0), (110.0, 60.0), (80.0, 100.0), (110.0, 100.0), (95.0, 47.0), (95.0, 113.0)] {
        assert!(head.distance(x, y) < 1.0, "{x} {y}");
    }
    let covered = |x: f64, y: f64| head.distance(x, y) < 1.0;
    assert!(pairs(&after, &grey, covered).all(|pair| apart(pair) <= 4), "nothing fine is left");
    assert!(pairs(&before, &after, covered).all(|pair| apart(pair) > 60));
    let outside = |x: f64, y: f64| head.distance(x, y) > FADED;
    assert!(pairs(&before, &after, outside).all(|pair| apart(pair) == 0));
    assert!(softened(before.clone(), &[], &[face]) == before, "without a stranger nothing is drawn");
}

#[test]
fn what_is_drawn_over_a_face_follows_from_a_few_averages_whatever_its_size() {
    // [SAFE460]
    for (left, top, width, height) in [
        (80.0, 60.0, 30.0, 40.0),
        (20.0, 10.0, 90.0, 120.0),
        (-10.0, 100.0, 40.0, 50.0),
        (50.0, 50.0, 5.0, 6.0),
    ] {
        let face = bounds(left, top, width, height);
        let head = ellipse(&face).of_head();
        let averages = Averages::of(&checkered(), &head).unwrap();
        let [columns, rows] = averages.size;
        assert!(columns <= CELLS + 1 && rows <= CELLS + 1, "{columns} by {rows}");
        let of_face = [width / averages.cell[0], height / averages.cell[1]];
        assert!(of_face.iter().all(|cells| *cells < 3.2), "{of_face:?}");
    }
}

#[test]
fn pixels_that_change_places_within_an_average_change_nothing() {
    // [SAFE460] Stripes of three widths that fill the same cells evenly.
    let face = bounds(72.0, 48.0, 48.0, 64.0);
    let head = ellipse(&face).of_head();
    let averages = Averages::of(&checkered(), &head).unwrap();
    let stripes = |mirrored: bool| {
        drawn(WIDTH, HEIGHT, |x, y| {
            if x < averages.left || y < averages.top {
                return [0; 3];
            }
            let within = |at: u32, start: u32, axis: usize| {
                ((f64::from(at - start) + 0.5) / averages.cell[axis]).fract()
            };
            let (across, down) = (within(x, averages.left, 0), within(y, averages.top, 1));
            // A face in each cell, or the same upside down and turned.
            let (across, down) = if mirrored { (1.0 - across, 1.0 - down) } else { (across, down) };
            if across < 0.3 && down < 0.6 { [250, 20, 0] } else { [0, 120, 240] }
        })
    };
    let (one, other) = (softened(stripes(false), &[face], &[]), softened(stripes(true), &[face], &[]));
    let covered = |x: f64, y: f64| head.distance(x, y) < 1.0;
    // Cells end within pixels, which are counted to one of them.
    assert!(pairs(&one, &other, covered).all(|pair| apart(pair) <= 24));
}

#[test]
fn a_kept_face_is_seen_where_a_strangers_head_would_cover_it() {
    // [SAFE460] [FACE545] Cheek to cheek: the heads lie over each other, the faces hardly.
    let (stranger, kept) = (bounds(60.0, 60.0, 30.0, 40.0), bounds(92.0, 58.0, 30.0, 40.0));
    let before = checkered();
    let after = softened(before.clone(), &[stranger], &[kept]);
    let (of_stranger, of_kept) = (ellipse(&stranger), ellipse(&kept));
    assert!(of_stranger.of_head().distance(107.0, 78.0) < FADED, "it would be covered");
    let is_kept = |x: f64, y: f64| of_kept.distance(x, y) < 1.0 && of_stranger.distance(x, y) > 1.0 + SEAM;
    assert!(pairs(&before, &after, is_kept).all(|pair| apart(pair) == 0));
    let is_stranger = |x: f64, y: f64| of_stranger.distance(x, y) < 1.0 && of_kept.distance(x, y) > 1.0;
    assert!(pairs(&before, &after, is_stranger).all(|pair| apart(pair) > 60));
}

#[test]
fn where_two_faces_lie_over_each_other_each_pixel_is_the_nearer_ones() {
    // [SAFE460]
    let (stranger, kept) = (bounds(60.0, 60.0, 40.0, 50.0), bounds(85.0, 60.0, 40.0, 50.0));
    let before = checkered();
    let after = softened(before.clone(), &[stranger], &[kept]);
    let (of_stranger, of_kept) = (ellipse(&stranger), ellipse(&kept));
    let nearer = |one: Ellipse, other: Ellipse| {
        move |x: f64, y: f64| one.distance(x, y) < 1.0 && one.distance(x, y) + SEAM < other.distance(x, y)
    };
    assert!(pairs(&before, &after, nearer(of_kept, of_stranger)).all(|pair| apart(pair) == 0));
    assert!(pairs(&before, &after, nearer(of_stranger, of_kept)).all(|pair| apart(pair) > 60));
    // A stranger whose box is that of the kept face's own neighbour twice: no gap is left between what both cover.
    let twice = softened(before.clone(), &[stranger, bounds(58.0, 62.0, 40.0, 50.0)], &[]);
    let covered = |x: f64, y: f64| of_stranger.of_head().distance(x, y) < 1.0;
    assert!(pairs(&before, &twice, covered).all(|pair| apart(pair) > 60));
}

#[test]
fn places_beyond_the_picture_and_pictures_of_a_pixel_are_no_reason_to_fail() {
    for (width, height) in [(1, 1), (1, 300), (300, 1), (9, 7)] {
        let before = drawn(width, height, |x, y| [(x % 256) as u8, (y % 256) as u8, 7]);
        for (x, y, side) in
            [(0.0, 0.0, 1.0), (-2.0, 0.5, 1.0), (0.9, 0.9, 0.5), (0.4, 0.4, 0.0), (5.0, 5.0, 0.1)]
        {
            let face = BoundingBox { x, y, width: side, height: side };
            let after = softened(before.clone(), &[face, face], &[face]);
            assert_eq!((after.width(), after.height()), (width, height));
        }
    }
    let far = softened(checkered(), &[BoundingBox { x: 3.0, y: 3.0, width: 0.2, height: 0.2 }], &[]);
    assert!(far == checkered());
}
