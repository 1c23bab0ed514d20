//! Against golden values that other software computed, and the rules of the pool. Needs the model pack.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::*;

fn pack() -> Pack {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    Pack::load(&folder).unwrap_or_else(|error| panic!("{error}"))
}

/// With the detector that the golden values were computed with.
fn engine() -> Onnx {
    Onnx::open(pack().without_integers(), EngineOptions::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn read(file: &Path) -> Pixels {
    let picture = image::open(file).unwrap_or_else(|error| panic!("{}: {error}", file.display())).into_rgb8();
    Pixels::new(picture.width(), picture.height(), picture.into_raw()).unwrap()
}

/// The folder of evaluation data, which not every machine has.
fn evaluation_data() -> Option<PathBuf> {
    let folder = std::env::var_os("EVAL_DIR").map(PathBuf::from);
    if folder.is_none() {
        eprintln!("EVAL_DIR is not set: the golden values are passed over");
    }
    folder
}

#[derive(Deserialize)]
struct Golden {
    faces: Vec<GoldenFace>,
}

#[derive(Deserialize)]
struct GoldenFace {
    file: String,
    n_faces: usize,
    #[serde(rename = "box")]
    bounds: [f64; 4],
    landmarks: [[f64; 2]; 5],
    embedding: Vec<f32>,
}

#[test]
fn the_plain_way_agrees_with_the_golden_values() {
    let Some(folder) = evaluation_data() else { return };
    let golden: Golden =
        serde_json::from_str(&std::fs::read_to_string(folder.join("golden.json")).unwrap()).unwrap();
    let engine = engine();
    let mut networks = engine.0.index.take();
    assert!(!golden.faces.is_empty());
    for expected in &golden.faces {
        let picture = read(&folder.join(&expected.file));
        let input = DetectionInput { long_side: 640.0, margin: 0.0, enlarge: true };
        let found = engine.detect(&mut networks, &picture, &input).unwrap().sure;
        assert_eq!(found.len(), expected.n_faces, "{}", expected.file);
        let face = &found[0];
        let [left, top, right, bottom] = expected.bounds;
        let pairs = [(face.left, left), (face.top, top), (face.right, right), (face.bottom, bottom)];
        let points = face
            .landmarks
            .as_flattened()
            .iter()
            .copied()
            .zip(expected.landmarks.as_flattened().iter().copied());
        for (found, golden) in pairs.into_iter().chain(points) {
            assert!((found - golden).abs() <= 2.0, "{}: {found} instead of {golden}", expected.file);
        }
        // They are of the recogniser that was the default pack's before, which it carries.
        let model = &engine.pack().manifest().previous.as_ref().unwrap().recogniser;
        let transform = Similarity::between(&face.landmarks, &model.template).unwrap();
        let chip = Chip::warp(&picture, &transform, 112);
        let recogniser = networks.previous(&engine.0.runtime, &engine.0.pack).unwrap().unwrap();
        let embedding = embed(recogniser, &chip, false).unwrap().unwrap();
        let products = embedding.values().iter().zip(&expected.embedding).map(|(one, other)| one * other);
        let similarity: f32 = products.sum();
        assert!(similarity >= 0.99, "{}: {similarity}", expected.file);
    }
}

#[test]
fn without_the_instructions_integers_are_not_tried() {
    let pack = pack();
    let runtime = Runtime::load(&pack).unwrap();
    let (file, arithmetic) = choice::detector(&runtime, &pack, Instructions::default());
    assert_eq!(file, "detector.onnx");
    assert_eq!(arithmetic.to_string(), "32-bit floats (this processor has no AVX2 instructions)");
}

#[test]
fn refinement_moves_landmarks_by_little() {
    let Some(folder) = evaluation_data() else { return };
    let golden: Golden =
        serde_json::from_str(&std::fs::read_to_string(folder.join("golden.json")).unwrap()).unwrap();
    let engine = engine();
    let mut networks = engine.0.index.take();
    for expected in golden.faces.iter().take(6) {
        let picture = read(&folder.join(&expected.file));
        let input = DetectionInput { long_side: 640.0, margin: 0.0, enlarge: true };
        let mut found = engine.detect(&mut networks, &picture, &input).unwrap();
        found.doubtful.clear();
        found.sure.truncate(1);
        let face = found.sure[0];
        let refined = engine.looked_at(&mut networks, &picture, found).unwrap().remove(0);
        assert_ne!(refined.landmarks, face.landmarks, "the face is seen again");
        for (one, other) in refined.landmarks.iter().zip(&face.landmarks) {
            let moved = (one[0] - other[0]).hypot(one[1] - other[1]);
            assert!(moved < face.width() / 8.0, "{}: {moved} pixels of {}", expected.file, face.width());
        }
    }
}

#[test]
fn a_guest_does_not_wait_for_indexing() {
    let engine = engine();
    let all_index_lanes = engine.0.index.take();
    let black = Pixels::new(64, 64, vec![0; 64 * 64 * 3]).unwrap();
    assert!(engine.selfie(&black, Recognisers::Current).unwrap().faces.is_empty());
    drop(all_index_lanes);
}

#[test]
fn pictures_of_any_shape_are_analysed() {
    let engine = engine();
    for (width, height) in [(1, 1), (1, 3000), (3000, 1), (33, 31), (30_000, 200)] {
        let picture = Pixels::new(width, height, vec![200; (width * height * 3) as usize]).unwrap();
        assert!(engine.faces(&picture, Recognisers::Current).unwrap().is_empty(), "{width}×{height}");
        assert!(engine.selfie(&picture, Recognisers::Current).unwrap().faces.is_empty(), "{width}×{height}");
    }
}

#[test]
fn looks_at_turned_faces_end() {
    let engine = engine();
    let mut networks = engine.0.index.take();
    let picture = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.cache/pictures/obama.jpg");
    let turned = image::open(&picture).expect("run `make pictures`").rotate180().into_rgb8();
    let picture = Pixels::new(turned.width(), turned.height(), turned.into_raw()).unwrap();
    let input = DetectionInput { long_side: 640.0, margin: 0.0, enlarge: true };
    let found = engine.detect(&mut networks, &picture, &input).unwrap();
    let face = found.sure.iter().chain(&found.doubtful).next().expect("a candidate");
    let place = closer_look::Place::of(face);
    let mut left = 6;
    assert!(engine.turned(&mut networks, &picture, place, None, &mut left).unwrap().is_some());
    assert!(left < 6);
    let black = Pixels::new(64, 64, vec![0; 64 * 64 * 3]).unwrap();
    let place = closer_look::Place { centre: [32.0; 2], side: 20.0 };
    let mut left = 7;
    for expected in [4, 1, 0, 0] {
        assert!(engine.turned(&mut networks, &black, place, None, &mut left).unwrap().is_none());
        assert_eq!(left, expected);
    }
}
