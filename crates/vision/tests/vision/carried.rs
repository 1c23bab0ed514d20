//! A pack that carries the recogniser of the pack before.

use std::path::Path;

use domain::faces::BoundingBox;
use tempfile::TempDir;
use vision::{Engine, EngineOptions, Generation, OpenError, Pack, PackError, Recognisers};

use crate::model_packs;
use crate::samples::{open, picture, similarity};

const BEFORE: &str = "centerface-mobilefacenet192-1";
const PICTURES: [&str; 4] = ["obama.jpg", "obama2.jpg", "obama_partial_face.jpg", "biden.jpg"];

/// A copy that a test may spoil.
fn copy(pack: &Path) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for entry in std::fs::read_dir(pack).unwrap() {
        let entry = entry.unwrap();
        std::fs::copy(entry.path(), folder.path().join(entry.file_name())).unwrap();
    }
    folder
}

fn edit(folder: &Path, from: &str, to: &str) {
    let file = folder.join("pack.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.contains(from), "{from}");
    std::fs::write(file, text.replacen(from, to, 1)).unwrap();
}

#[test]
fn both_recognisers_describe_what_one_detector_finds() {
    // [FACE541] [FACE534]
    let before = open(&model_packs::mobilefacenet());
    let engine = open(&model_packs::default());
    assert_eq!((engine.previous_id(), before.previous_id()), (Some(BEFORE), None));
    assert_eq!(engine.id_of(Generation::Previous), Some(before.pack_id()));
    assert_eq!(engine.packs(), [engine.pack_id(), BEFORE]);
    assert_eq!(engine.matching(Generation::Previous), before.matching(Generation::Current));
    for name in PICTURES {
        let photo = picture(name);
        let alone = engine.faces(&photo).unwrap();
        let both = engine.faces_by(&photo, Recognisers::Both).unwrap();
        let expected = before.faces_by(&photo, Recognisers::Both).unwrap();
        assert!(!both.is_empty() && both.len() == expected.len() && alone.len() == both.len(), "{name}");
        for ((alone, both), expected) in alone.iter().zip(&both).zip(&expected) {
            assert!(alone.previous.is_none() && expected.previous.is_none());
            assert_eq!(both.bounds, expected.bounds);
            assert!(similarity(&both.embedding, &alone.embedding) > 0.9999);
            assert!(similarity(both.previous.as_ref().unwrap(), &expected.embedding) > 0.9999);
        }
        // Described at their places, in any order, they are the same; where no face is, none is seen.
        let mut places: Vec<BoundingBox> = alone.iter().map(|face| face.bounds).rev().collect();
        places.push(BoundingBox { x: 0.0, y: 0.0, width: 0.03, height: 0.03 });
        let seen = engine.describe(&photo, &places).unwrap();
        assert!(seen.len() == places.len() && seen.last().unwrap().is_none(), "{name}");
        for (face, seen) in alone.iter().rev().zip(&seen) {
            let seen = seen.as_ref().unwrap();
            assert!(
                (seen.bounds.x - face.bounds.x).abs() < 1e-9
                    && (seen.bounds.height - face.bounds.height).abs() < 1e-9
            );
            let alike = similarity(&seen.embedding, &face.embedding);
            assert!(alike > 0.99, "{name}: {alike}");
        }
        // What was loaded for it goes back, and is loaded again.
        engine.release_memory().unwrap();
    }
}

#[test]
fn what_a_pack_carries_is_checked_as_its_own() {
    // [FACE541]
    let pack = model_packs::default();
    let malformed = |from: &str, to: &str| {
        let folder = copy(&pack);
        edit(folder.path(), from, to);
        match Pack::load(folder.path()) {
            Err(PackError::Malformed { reason, .. }) => reason,
            other => panic!("{other:?}"),
        }
    };
    let own_id = Pack::load(&pack).unwrap().id().to_owned();
    assert_eq!(malformed(BEFORE, &own_id), "the previous pack has no id of its own");
    assert_eq!(malformed("format = 6", "format = 3"), "packs of its format carry no previous recogniser");
    for (from, to) in [
        ("\nbelow = ", "\nbelow = -"),
        ("\namong = 0.", "\namong = 1."),
        ("[expansion.agreement]\nfaces = 3", "[expansion.agreement]\nfaces = 1"),
        ("[expansion.agreement]\nfaces = 3", "[expansion.agreement]\nfaces = 6"),
    ] {
        assert_eq!(malformed(from, to), "the agreement is out of range", "{to}");
    }
    assert!(malformed("[previous.margins]", "[previous.margin]").contains("margin"));

    let folder = copy(&pack);
    std::fs::write(folder.path().join("previous.onnx"), b"something else").unwrap();
    assert!(matches!(Pack::load(folder.path()), Err(PackError::Changed(_))));
    std::fs::remove_file(folder.path().join("previous.onnx")).unwrap();
    assert!(matches!(Pack::load(folder.path()), Err(PackError::Incomplete(_))));

    // The right file with somebody else's numbers: the self-test says so before the service starts.
    let folder = copy(&pack);
    let file = folder.path().join("pack.toml");
    let mut text: toml::Table = toml::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    text["previous"]["embedding"].as_array_mut().unwrap().reverse();
    std::fs::write(file, toml::to_string(&text).unwrap()).unwrap();
    let refused = Engine::open(folder.path(), EngineOptions::default()).unwrap_err();
    assert!(
        matches!(&refused, OpenError::SelfTest { reason, .. } if reason.contains("previous")),
        "{refused}"
    );
}
