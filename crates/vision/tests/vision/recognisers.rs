//! Another recogniser is another file and another `pack.toml`. The networks here are shaped as those called ArcFace are
//! (RGB from −1 to 1, the same template, 512 numbers of any length), with weights that were drawn by lot.

use std::path::{Path, PathBuf};

use domain::faces::Strictness;
use domain::photos::pixels::Pixels;
use sha2::{Digest, Sha256};
use tempfile::TempDir;
use toml::{Table, Value};
use vision::{Engine, EngineOptions, Face};

const DIMENSION: usize = 512;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn picture(file: &Path) -> Pixels {
    let picture = image::open(file).unwrap_or_else(|error| panic!("{}: {error}", file.display())).into_rgb8();
    Pixels::new(picture.width(), picture.height(), picture.into_raw()).unwrap()
}

fn photo(name: &str) -> Pixels {
    picture(&root().join(".cache/pictures").join(name))
}

fn table<'a>(pack: &'a mut Table, name: &str) -> &'a mut Table {
    pack[name].as_table_mut().unwrap()
}

fn numbers(values: impl IntoIterator<Item = f64>) -> Value {
    Value::Array(values.into_iter().map(Value::Float).collect())
}

fn write(folder: &Path, pack: &Table) {
    std::fs::write(folder.join("pack.toml"), toml::to_string(pack).unwrap()).unwrap();
}

/// The default pack with another recogniser, and the expected outcome of its self-test, as its maker would write them.
fn another_pack(batch: Option<i64>) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for entry in std::fs::read_dir(root().join("models")).unwrap() {
        let entry = entry.unwrap();
        std::fs::copy(entry.path(), folder.path().join(entry.file_name())).unwrap();
    }
    std::fs::remove_file(folder.path().join("recogniser.onnx")).unwrap();
    let network = crate::onnx_files::recogniser("data", "fc1", batch, DIMENSION);
    std::fs::write(folder.path().join("arcface.onnx"), &network).unwrap();
    let digest: String = Sha256::digest(&network).iter().map(|byte| format!("{byte:02x}")).collect();

    let text = std::fs::read_to_string(folder.path().join("pack.toml")).unwrap();
    let mut pack: Table = toml::from_str(&text).unwrap();
    pack["id"] = "centerface-arcface512-test".into();
    let recogniser = table(&mut pack, "recogniser");
    for (field, value) in [
        ("file", "arcface.onnx"),
        ("sha256", digest.as_str()),
        ("name", "ArcFace"),
        ("input", "data"),
        ("output", "fc1"),
    ] {
        recogniser[field] = value.into();
    }
    recogniser["channels"] = "rgb".into();
    recogniser["mean"] = numbers([127.5; 3]);
    recogniser["scale"] = (1.0 / 127.5).into();
    recogniser["dimension"] = i64::try_from(DIMENSION).unwrap().into();
    table(&mut pack, "self_test")["embedding"] = numbers([1.0; DIMENSION]);
    write(folder.path(), &pack);

    let engine = Engine::open_untested(folder.path(), EngineOptions::default()).unwrap();
    let test = picture(&folder.path().join("self-test.ppm"));
    let face = only(&engine, &test);
    let (width, height, bounds) = (f64::from(test.width()), f64::from(test.height()), face.bounds);
    let corners = [bounds.x * width, bounds.y * height, (bounds.x + bounds.width) * width];
    let expected = table(&mut pack, "self_test");
    expected["box"] = numbers(corners.into_iter().chain([(bounds.y + bounds.height) * height]));
    expected["embedding"] = numbers(face.embedding.values().iter().map(|value| f64::from(*value)));
    write(folder.path(), &pack);
    folder
}

fn only(engine: &Engine, photo: &Pixels) -> Face {
    let [face] = <[Face; 1]>::try_from(engine.faces(photo).unwrap()).unwrap();
    face
}

#[test]
fn a_network_shaped_as_arcface_is_used_by_pack_toml_alone() {
    // Exports differ in whether the number of faces at once is fixed.
    for batch in [None, Some(1)] {
        let folder = another_pack(batch);
        let engine = Engine::open(folder.path(), EngineOptions::default()).unwrap();
        assert_eq!(engine.pack_id(), "centerface-arcface512-test");
        let names = ["obama.jpg", "obama2.jpg", "biden.jpg"];
        let faces = names.map(|name| only(&engine, &photo(name)));
        for face in &faces {
            let values = face.embedding.values();
            assert_eq!(values.len(), DIMENSION);
            assert!((values.iter().map(|value| value * value).sum::<f32>() - 1.0).abs() < 1e-4);
        }
        let face_index = engine.face_index(faces.iter().map(|face| &face.embedding)).unwrap();
        let query = std::slice::from_ref(&faces[2].embedding);
        let hits = face_index.search(query, Strictness::Strict).unwrap();
        assert!(hits.iter().any(|hit| hit.row == 2), "{hits:?}");
        // Several faces of one photo.
        let twice = beside(&photo("obama.jpg"));
        assert_eq!(engine.faces(&twice).unwrap().len(), 2);
    }
}

#[test]
fn another_length_than_pack_toml_says_is_refused() {
    let folder = another_pack(None);
    let file = folder.path().join("pack.toml");
    let mut pack: Table = toml::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    table(&mut pack, "recogniser")["dimension"] = 256.into();
    table(&mut pack, "self_test")["embedding"] = numbers([1.0; 256]);
    write(folder.path(), &pack);
    let error = Engine::open(folder.path(), EngineOptions::default()).unwrap_err();
    assert!(error.to_string().contains("512 numbers instead of 256"), "{error}");
}

/// The picture twice, side by side.
fn beside(picture: &Pixels) -> Pixels {
    let row = picture.width() as usize * 3;
    let data = picture.data().chunks(row).flat_map(|line| [line, line].concat()).collect();
    Pixels::new(picture.width() * 2, picture.height(), data).unwrap()
}
