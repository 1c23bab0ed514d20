//! Faces at the border of a photo, and more of them than anybody counts. Needs the packs and pictures of `make models
//! pictures`.

use domain::photos::pixels::Pixels;
use image::imageops::{FilterType, crop_imm, replace, resize};
use image::{Rgb, RgbImage};

use crate::samples::{only, open, picture, root, similarity, with_each_pack};

fn drawn(pixels: &Pixels) -> RgbImage {
    RgbImage::from_raw(pixels.width(), pixels.height(), pixels.data().to_vec()).unwrap()
}

fn pixels(picture: RgbImage) -> Pixels {
    Pixels::new(picture.width(), picture.height(), picture.into_raw()).unwrap()
}

#[test]
fn a_face_at_the_border_is_found_and_one_that_is_cut_does_no_harm() {
    with_each_pack(|engine| {
        let whole = picture("obama.jpg");
        let face = only(engine.faces(&whole).unwrap(), "obama.jpg");
        let (wide, high) = (f64::from(whole.width()), f64::from(whole.height()));
        // The face without anything around it.
        let [left, top] = [(face.bounds.x * wide) as u32, (face.bounds.y * high) as u32];
        let [width, height] = [(face.bounds.width * wide) as u32, (face.bounds.height * high) as u32];
        let cut = crop_imm(&drawn(&whole), left, top, width, height).to_image();
        let (far_x, far_y) = (1400 - i64::from(width), 1000 - i64::from(height));
        for (x, y) in [(0, 300), (far_x, 300), (500, 0), (500, far_y), (0, 0), (far_x, far_y)] {
            let mut photo = RgbImage::from_pixel(1400, 1000, Rgb([120, 130, 140]));
            replace(&mut photo, &cut, x, y);
            let found = only(engine.faces(&pixels(photo)).unwrap(), &format!("the photo, at {x}, {y}"));
            let same = similarity(&found.embedding, &face.embedding);
            assert!(same > 0.6, "{same} at {x}, {y}");
        }
        for part in [1, 2, 3] {
            let hidden = [i64::from(width) * part / 4, i64::from(height) * part / 4];
            let places = [
                (-hidden[0], 300),
                (far_x + hidden[0], 300),
                (500, -hidden[1]),
                (500, far_y + hidden[1]),
                (-hidden[0], -hidden[1]),
            ];
            for (x, y) in places {
                let mut photo = RgbImage::from_pixel(1400, 1000, Rgb([120, 130, 140]));
                replace(&mut photo, &cut, x, y);
                for face in engine.faces(&pixels(photo)).unwrap() {
                    let bounds = [face.bounds.x, face.bounds.y, face.bounds.width, face.bounds.height];
                    assert!(bounds.iter().all(|side| side.is_finite() && side.abs() < 2.0), "{bounds:?}");
                    assert!(face.embedding.values().iter().all(|value| value.is_finite()));
                }
            }
        }
    });
}

#[test]
fn a_crowd_of_600_is_found() {
    // With the default pack alone: this takes its time.
    let engine = open(&root().join("models"));
    let whole = picture("obama.jpg");
    let face = only(engine.faces(&whole).unwrap(), "obama.jpg");
    let (wide, high) = (f64::from(whole.width()), f64::from(whole.height()));
    let (width, height) = (face.bounds.width * wide, face.bounds.height * high);
    let around = |start: f64, length: f64| (start - length * 0.25).max(0.0) as u32;
    let drawn = drawn(&whole);
    let head = crop_imm(
        &drawn,
        around(face.bounds.x * wide, width),
        around(face.bounds.y * high, height),
        (width * 1.5) as u32,
        (height * 1.5) as u32,
    );
    let head = resize(&head.to_image(), 50, 55, FilterType::Triangle);
    let mut crowd = RgbImage::from_pixel(1600, 1200, Rgb([120, 130, 140]));
    for at in 0..600 {
        replace(&mut crowd, &head, 25 + at % 30 * 52, 20 + at / 30 * 58);
    }
    let faces = engine.faces(&pixels(crowd)).unwrap();
    assert!((570..=600).contains(&faces.len()), "{} faces", faces.len());
    let same = faces.iter().filter(|other| similarity(&other.embedding, &face.embedding) > 0.58).count();
    assert!(same >= 570, "{same} of {} are him", faces.len());
}
