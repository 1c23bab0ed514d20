//! Real photographs and the real models, of every pack that is there: one has to do what another does. Both are built or
//! fetched by `make models` and never committed.

use domain::faces::Strictness;
use domain::photos::pixels::Pixels;
use vision::Face;

use crate::samples::{only, picture, similarity, with_each_pack};

#[test]
fn the_same_person_is_similar_and_another_is_not() {
    with_each_pack(|engine| {
        let face = |name: &str| only(engine.faces(&picture(name)).unwrap(), name).embedding;
        let obama = face("obama.jpg");
        for same in ["obama2.jpg", "obama3.jpg", "obama_partial_face.jpg"] {
            let found = similarity(&obama, &face(same));
            assert!(found > 0.6, "{same}: {found}");
        }
        let other = similarity(&obama, &face("biden.jpg"));
        assert!(other < 0.35, "biden.jpg: {other}");
    });
}

#[test]
fn a_selfie_finds_its_photos_and_no_other() {
    with_each_pack(|engine| {
        let photos = ["obama2.jpg", "biden.jpg", "obama3.jpg"];
        let faces: Vec<Face> =
            photos.iter().map(|name| only(engine.faces(&picture(name)).unwrap(), name)).collect();
        let face_index = engine.face_index(faces.iter().map(|face| &face.embedding)).unwrap();
        let selfie = only(engine.selfie(&picture("obama.jpg")).unwrap().faces, "obama.jpg");
        assert_eq!(selfie.quality.flaw(), None);
        for strictness in [Strictness::Strict, Strictness::Normal, Strictness::Loose] {
            let hits = face_index.search(std::slice::from_ref(&selfie.embedding), strictness).unwrap();
            let mut rows: Vec<usize> = hits.iter().map(|hit| hit.row).collect();
            rows.sort_unstable();
            assert_eq!(rows, [0, 2], "{strictness:?}");
        }
    });
}

#[test]
fn faces_in_bad_light_are_described_as_in_good_light() {
    // A veil of back light, and too little light: what is added to each colour, and what is left of it.
    let lights = [("veiled", 110.0, 0.2), ("dark", 2.0, 0.15)];
    let lit = |name: &str, added: f32, left: f32| {
        let good = picture(name);
        let samples = good.data().iter().map(|sample| (f32::from(*sample) * left + added).round() as u8);
        Pixels::new(good.width(), good.height(), samples.collect()).unwrap()
    };
    with_each_pack(|engine| {
        let face = |name: &str, picture: &Pixels| only(engine.faces(picture).unwrap(), name).embedding;
        let good = ["obama.jpg", "biden.jpg", "obama3.jpg"].map(|name| face(name, &picture(name)));
        let before = similarity(&good[0], &good[2]);
        for (light, added, left) in lights {
            let [same, other] = ["obama3.jpg", "biden.jpg"].map(|name| face(light, &lit(name, added, left)));
            let own = similarity(&good[1], &other);
            assert!(own > 0.9, "{light}: {own} to the same picture");
            let found = similarity(&good[0], &same);
            assert!(found > before - 0.08, "{light}: {found} to another picture, not {before}");
            let strangers = similarity(&good[0], &other);
            assert!(strangers < 0.35, "{light}: {strangers} to a stranger");
        }
    });
}

#[test]
fn a_face_that_fills_the_frame_is_found() {
    with_each_pack(|engine| {
        let whole = picture("obama.jpg");
        let face = only(engine.faces(&whole).unwrap(), "obama.jpg");
        let (width, height) = (f64::from(whole.width()), f64::from(whole.height()));
        // The face's box and nothing around it.
        let part = image::RgbImage::from_raw(whole.width(), whole.height(), whole.data().to_vec()).unwrap();
        let pixels = |fraction: f64, side: f64| (fraction * side) as u32;
        let bounds = face.bounds;
        let cut = image::imageops::crop_imm(
            &part,
            pixels(bounds.x, width),
            pixels(bounds.y, height),
            pixels(bounds.width, width),
            pixels(bounds.height, height),
        )
        .to_image();
        let cut = Pixels::new(cut.width(), cut.height(), cut.into_raw()).unwrap();
        let selfie = only(engine.selfie(&cut).unwrap().faces, "the cut");
        assert!(similarity(&selfie.embedding, &face.embedding) > 0.6);
        assert!(selfie.bounds.width > 0.6, "the box is a fraction of the picture without the margin");
    });
}

#[test]
fn a_face_in_the_distance_is_found_by_a_second_look() {
    with_each_pack(|engine| {
        let near = picture("obama.jpg");
        let face = only(engine.selfie(&near).unwrap().faces, "obama.jpg");
        assert!(
            face.bounds.width * f64::from(near.width()) > f64::from(near.long_side()) / 5.0,
            "it is near"
        );
        let near = image::RgbImage::from_raw(near.width(), near.height(), near.data().to_vec()).unwrap();
        let small = image::imageops::thumbnail(&near, near.width() / 3, near.height() / 3);
        let mut far = image::RgbImage::from_pixel(1600, 1600, image::Rgb([120, 130, 140]));
        image::imageops::replace(&mut far, &small, 900, 300);
        let far = Pixels::new(far.width(), far.height(), far.into_raw()).unwrap();
        let found = only(engine.selfie(&far).unwrap().faces, "the distance");
        assert!(found.bounds.width < 0.1, "{:?}", found.bounds);
        assert!(similarity(&found.embedding, &face.embedding) > 0.8);
    });
}

#[test]
fn nothing_changes_when_memory_was_released() {
    with_each_pack(|engine| {
        let photo = picture("biden.jpg");
        let before = only(engine.faces(&photo).unwrap(), "biden.jpg");
        engine.release_memory().unwrap();
        let after = only(engine.faces(&photo).unwrap(), "biden.jpg");
        assert_eq!((before.bounds, before.embedding.values()), (after.bounds, after.embedding.values()));
        engine.release_memory().unwrap();
        engine.release_memory().unwrap();
    });
}

#[test]
fn boxes_are_fractions_and_landmarks_pixels() {
    with_each_pack(|engine| {
        let photo = picture("biden.jpg");
        let face = only(engine.faces(&photo).unwrap(), "biden.jpg");
        let (width, height) = (f64::from(photo.width()), f64::from(photo.height()));
        for [x, y] in face.landmarks {
            let (across, down) = (x / width - face.bounds.x, y / height - face.bounds.y);
            assert!((0.0..face.bounds.width).contains(&across) && (0.0..face.bounds.height).contains(&down));
        }
        assert!(face.landmarks[0][0] < face.landmarks[1][0], "the left eye, as seen, comes first");
        assert!((face.quality.width_pixels - face.bounds.width * width).abs() < 1e-6);
    });
}
