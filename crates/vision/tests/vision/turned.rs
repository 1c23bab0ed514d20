//! Faces that are not upright: tilted, lying, upside down. Needs the packs and the pictures of `make models pictures`, and
//! for the second test the evaluation data.

use std::path::{Path, PathBuf};

use domain::photos::pixels::Pixels;
use vision::Face;

use crate::samples::{only, picture, read, similarity, with_each_pack};

const TURNS: [f64; 13] =
    [-150.0, -120.0, -90.0, -70.0, -50.0, -35.0, 35.0, 50.0, 70.0, 90.0, 120.0, 150.0, 180.0];

/// The picture turned by so many degrees, with its middle in the middle of a grey one of `width` by `height` pixels.
fn turned(picture: &Pixels, degrees: f64, width: u32, height: u32, scale: f64) -> Pixels {
    let (sine, cosine) = degrees.to_radians().sin_cos();
    let middle = |side: u32| (f64::from(side) - 1.0) / 2.0;
    let at = |x: u32, y: u32, channel: usize| {
        let index = (y as usize * picture.width() as usize + x as usize) * 3 + channel;
        f64::from(picture.data()[index])
    };
    let mut data = Vec::with_capacity(width as usize * height as usize * 3);
    for row in 0..height {
        for column in 0..width {
            let (x, y) = (f64::from(column) - middle(width), f64::from(row) - middle(height));
            let across = (x * cosine + y * sine) / scale + middle(picture.width());
            let down = (y * cosine - x * sine) / scale + middle(picture.height());
            let inside = across >= 0.0
                && down >= 0.0
                && across < f64::from(picture.width() - 1)
                && down < f64::from(picture.height() - 1);
            for channel in 0..3 {
                let value = if inside {
                    let (left, top) = (across as u32, down as u32);
                    let (right, below) = (across.fract(), down.fract());
                    let line =
                        |y: u32| at(left, y, channel) * (1.0 - right) + at(left + 1, y, channel) * right;
                    line(top) * (1.0 - below) + line(top + 1) * below
                } else {
                    128.0
                };
                data.push(value as u8);
            }
        }
    }
    Pixels::new(width, height, data).unwrap()
}

/// The part of a picture with a face, and half as much again on each side.
fn around(picture: &Pixels, face: &Face) -> Pixels {
    let whole =
        image::RgbImage::from_raw(picture.width(), picture.height(), picture.data().to_vec()).unwrap();
    let (wide, high) = (f64::from(picture.width()), f64::from(picture.height()));
    let bounds = &face.bounds;
    let start = |from: f64, length: f64, side: f64| ((from - length / 2.0).max(0.0) * side) as u32;
    let part = image::imageops::crop_imm(
        &whole,
        start(bounds.x, bounds.width, wide),
        start(bounds.y, bounds.height, high),
        (bounds.width * 2.0 * wide) as u32,
        (bounds.height * 2.0 * high) as u32,
    );
    let part = part.to_image();
    Pixels::new(part.width(), part.height(), part.into_raw()).unwrap()
}

#[test]
fn a_face_is_found_whichever_way_it_lies() {
    with_each_pack(|engine| {
        let mut missed = Vec::new();
        for name in ["obama.jpg", "biden.jpg"] {
            let picture = picture(name);
            let upright = only(engine.faces(&picture).unwrap(), name);
            let near = around(&picture, &upright);
            for degrees in TURNS {
                let what = format!("{name} turned by {degrees}");
                let photo = turned(&picture, degrees, 1500, 1100, 0.5);
                let face = only(engine.faces(&photo).unwrap(), &what);
                let found = similarity(&face.embedding, &upright.embedding);
                assert!(found > 0.8, "{what}: {found}");
                for [x, y] in face.landmarks {
                    let (across, down) = (x / 1500.0 - face.bounds.x, y / 1100.0 - face.bounds.y);
                    let inside = (0.0..face.bounds.width).contains(&across)
                        && (0.0..face.bounds.height).contains(&down);
                    assert!(inside, "{what}: the box is where the face is");
                }
                let selfie = turned(&near, degrees, 800, 800, 600.0 / f64::from(near.long_side()));
                let faces = engine.selfie(&selfie).unwrap().faces;
                let same = |face: &Face| similarity(&face.embedding, &upright.embedding);
                match faces.as_slice() {
                    [face] if same(face) > 0.8 && face.quality.flaw().is_none() => {}
                    _ => missed.push(format!("{what}: {:?}", faces.iter().map(same).collect::<Vec<_>>())),
                }
            }
        }
        assert!(missed.is_empty(), "selfies: {missed:#?}");
    });
}

/// The first picture of some of the people of the evaluation data.
fn people(data: &Path) -> Vec<PathBuf> {
    let entries = |dir: &Path| std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    let mut folders: Vec<PathBuf> = entries(&data.join("people")).collect();
    folders.sort();
    folders.iter().step_by(10).take(60).map(|folder| entries(folder).min().unwrap()).collect()
}

#[test]
fn nine_of_ten_lying_people_are_found_as_if_they_stood() {
    let Some(data) = std::env::var_os("EVAL_DIR").map(PathBuf::from) else {
        eprintln!("EVAL_DIR is not set: turned faces of many people are passed over");
        return;
    };
    let people = people(&data);
    with_each_pack(|engine| {
        let (mut found, mut of) = (0, 0);
        for (file, degrees) in people.iter().zip(TURNS.iter().cycle()) {
            let picture = read(file);
            let upright = turned(&picture, 0.0, 800, 600, 1.0);
            let photo = turned(&picture, *degrees, 800, 600, 1.0);
            let Some(face) = engine.faces(&upright).unwrap().into_iter().next() else { continue };
            let faces = engine.faces(&photo).unwrap();
            of += 1;
            found +=
                usize::from(faces.iter().any(|other| similarity(&other.embedding, &face.embedding) > 0.8));
        }
        assert!(found * 10 >= of * 9, "{found} of {of}");
    });
}
