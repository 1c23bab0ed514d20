//! A pack that cannot be used is refused with one sentence that says what to do.

use std::path::{Path, PathBuf};

use domain::photos::pixels::Pixels;
use tempfile::TempDir;
use toml::Table;
use vision::{Arithmetic, Engine, EngineOptions, Generation, Margins, OpenError, Pack, PackError};

/// A copy of a real pack, which carries no recogniser of another one, that a test may spoil.
fn copy() -> TempDir {
    let models = crate::model_packs::mobilefacenet();
    if let Err(error) = Pack::load(&models) {
        panic!("{error}");
    }
    let folder = tempfile::tempdir().unwrap();
    for entry in std::fs::read_dir(models).unwrap() {
        let entry = entry.unwrap();
        std::fs::copy(entry.path(), folder.path().join(entry.file_name())).unwrap();
    }
    folder
}

/// A picture that `make pictures` fetched.
fn picture(name: &str) -> Pixels {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.cache/pictures").join(name);
    let picture =
        image::open(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display())).into_rgb8();
    Pixels::new(picture.width(), picture.height(), picture.into_raw()).unwrap()
}

fn edit(folder: &Path, from: &str, to: &str) {
    let file = folder.join("pack.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.contains(from), "{from}");
    std::fs::write(file, text.replacen(from, to, 1)).unwrap();
}

fn edit_table(folder: &Path, change: impl FnOnce(&mut Table)) {
    let file = folder.join("pack.toml");
    let mut pack = toml::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    change(&mut pack);
    std::fs::write(file, toml::to_string(&pack).unwrap()).unwrap();
}

fn refusal(folder: &Path) -> PackError {
    let error = Pack::load(folder).unwrap_err();
    let sentence = error.to_string();
    assert!(
        sentence.contains("`make models`") && sentence.ends_with('.') && !sentence.contains('\n'),
        "{sentence}"
    );
    error
}

#[test]
fn a_missing_folder_is_named() {
    let error = refusal(Path::new("/nowhere/models"));
    assert_eq!(error.to_string(), "There are no face models in /nowhere/models: run `make models`.");
}

#[test]
fn missing_and_changed_files_are_named() {
    let folder = copy();
    let file = folder.path().join("recogniser.onnx");
    let mut bytes = std::fs::read(&file).unwrap();
    bytes[1000] ^= 1;
    std::fs::write(&file, bytes).unwrap();
    assert!(matches!(refusal(folder.path()), PackError::Changed(changed) if changed == file));
    std::fs::remove_file(&file).unwrap();
    assert!(matches!(refusal(folder.path()), PackError::Incomplete(missing) if missing == file));
}

#[test]
fn another_format_is_not_called_malformed() {
    let folder = copy();
    edit(folder.path(), "format = 6", "format = 7\nfield_of_tomorrow = true");
    assert!(matches!(refusal(folder.path()), PackError::Format { found: 7, .. }));
}

#[test]
fn a_pack_of_the_format_before_has_the_margins_that_every_recogniser_had() {
    let folder = copy();
    edit(folder.path(), "\nlift = 0.05", "\nlift = 0.04");
    let own = Pack::load(folder.path()).unwrap().matching(Generation::Current).unwrap();
    edit_table(folder.path(), |pack| {
        pack["format"] = 2.into();
        pack.remove("margins");
    });
    let before = Pack::load(folder.path()).unwrap().matching(Generation::Current).unwrap();
    assert_ne!(own, before);
    assert_eq!(own.with_margins(Margins::default()), before);
    // This format's packs say theirs: a lost table is no reason to guess.
    edit(folder.path(), "format = 2", "format = 3");
    assert!(
        matches!(refusal(folder.path()), PackError::Malformed { reason, .. } if reason == "there are no margins")
    );
}

#[test]
fn inconsistent_manifests_are_refused() {
    for (from, to) in [
        ("id = ", "unknown = 1\nid = "),
        ("format = 6", "format = \"five\""),
        ("\nlift = 0.0", "\nlift = 0.9"),
        ("\nrejection = ", "\nrejection = -"),
        ("\ngrouping_share = 0.", "\ngrouping_share = 1."),
        ("\nsurer = ", "\nsurely = "),
        ("\nlearned = ", "\nlearned = 1"),
        ("file = \"detector.onnx\"", "file = \"../detector.onnx\""),
        ("\"right_eye\"", "\"left_eye\""),
        ("crop_side = 160", "crop_side = 100"),
        ("long_side = 1600", "long_side = 1e9"),
        ("weight_bits = 7", "weight_bits = 9"),
        ("dimension = 192", "dimension = 128"),
        ("decoder = \"centerface\"", "decoder = \"yunet\""),
        (
            "[[thresholds]]",
            "[[thresholds]]\nfaces = 1\nstrict = 0.2\nnormal = 0.5\nloose = 0.7\n\n[[thresholds]]",
        ),
    ] {
        let folder = copy();
        edit(folder.path(), from, to);
        assert!(matches!(refusal(folder.path()), PackError::Malformed { .. }), "{to}");
    }
}

#[test]
fn a_wrong_answer_to_the_self_test_keeps_the_engine_from_starting() {
    let folder = copy();
    edit(folder.path(), "scale = 0.0078125", "scale = 0.2");
    let error = Engine::open(folder.path(), EngineOptions::default()).unwrap_err();
    assert!(matches!(error, OpenError::SelfTest { .. }), "{error}");
    assert!(error.to_string().contains("`make models`"));
}

#[test]
fn another_answer_of_the_detector_in_integers_makes_the_engine_use_the_other() {
    let folder = copy();
    let unspoilt = Engine::open(folder.path(), EngineOptions::default()).unwrap().arithmetic();
    if let Arithmetic::Floats { reason } = unspoilt {
        assert_eq!(reason, "this processor has no AVX2 instructions");
        return;
    }
    edit(folder.path(), "\nscore = 0.", "\nscore = 0.1");
    let engine = Engine::open(folder.path(), EngineOptions::default()).unwrap();
    let Arithmetic::Floats { reason } = engine.arithmetic() else { panic!("{}", engine.arithmetic()) };
    assert!(reason.starts_with("8-bit integers fail their self-test: the score is 0."), "{reason}");
}

#[test]
fn weights_of_a_pack_of_the_format_before_need_vnni() {
    let folder = copy();
    edit_table(folder.path(), |pack| {
        pack["format"] = 5.into();
        pack["quantised_detector"].as_table_mut().unwrap().remove("weight_bits").unwrap();
    });
    match Engine::open(folder.path(), EngineOptions::default()).unwrap().arithmetic() {
        Arithmetic::Integers { instructions } => assert!(instructions.contains("VNNI"), "{instructions}"),
        Arithmetic::Floats { reason } => assert_eq!(reason, "this processor has no VNNI instructions"),
    }
}

#[test]
fn the_files_of_the_detector_in_integers_are_checked_too() {
    let folder = copy();
    let file = folder.path().join("detector-int8.onnx");
    std::fs::write(&file, b"something else").unwrap();
    assert!(matches!(refusal(folder.path()), PackError::Changed(changed) if changed == file));
}

#[test]
fn what_the_detector_computes_with_changes_neither_the_pack_nor_how_faces_are_described() {
    // A pack of the format before, without that detector, opens.
    let folder = copy();
    let integers = Engine::open(folder.path(), EngineOptions::default()).unwrap();
    // A pack as the version before built it.
    let text = std::fs::read_to_string(folder.path().join("pack.toml")).unwrap();
    let (before, table) = text.split_once("[quantised_detector]").unwrap();
    let (_, after) = table.split_once("[detection]").unwrap();
    std::fs::write(folder.path().join("pack.toml"), format!("{before}[detection]{after}")).unwrap();
    edit_table(folder.path(), |pack| {
        pack["format"] = 1.into();
        pack.remove("margins");
    });
    let floats = Engine::open(folder.path(), EngineOptions::default()).unwrap();
    assert!(matches!(floats.arithmetic(), Arithmetic::Floats { .. }));
    assert_eq!(integers.pack_id(), floats.pack_id());
    for name in ["obama.jpg", "obama2.jpg", "obama3.jpg", "obama_partial_face.jpg", "biden.jpg"] {
        let picture = picture(name);
        let (one, other) = (integers.faces(&picture).unwrap(), floats.faces(&picture).unwrap());
        assert_eq!((one.len(), other.len()), (1, 1), "{name}");
        let pairs = one[0].embedding.values().iter().zip(other[0].embedding.values());
        let similarity: f32 = pairs.map(|(one, other)| one * other).sum();
        // The box differs by some percent, so that the closer look is cut a little differently.
        assert!(similarity > 0.97, "{name}: {similarity}");
        let (one, other) = (one[0].bounds, other[0].bounds);
        let shift = (one.x - other.x).abs().max((one.width - other.width).abs());
        assert!(shift < other.width / 10.0, "{name}: {one:?} instead of {other:?}");
    }
}

#[test]
fn an_unknown_tensor_is_named() {
    let folder = copy();
    edit(folder.path(), "output = \"embedding\"", "output = \"other\"");
    let error = Engine::open(folder.path(), EngineOptions::default()).unwrap_err();
    assert!(error.to_string().contains("MobileFaceNet has no tensor named 'other'"), "{error}");
}

#[test]
fn every_pack_passes_its_self_test() {
    let folders = crate::model_packs::all();
    let open = |folder: &PathBuf| Engine::open(folder, EngineOptions::default()).unwrap();
    let ids: Vec<String> = folders.iter().map(|folder| open(folder).pack_id().to_owned()).collect();
    let known = [
        ("centerface-faceplugin192-1", "licence = \"MIT\""),
        ("centerface-mobilefacenet192-1", "licence = \"MIT\""),
        ("centerface-dlib128-1", "licence = \"CC0-1.0\""),
    ];
    assert_eq!(ids, known.map(|(id, _)| id));
    for (folder, (_, licence)) in folders.iter().zip(known) {
        let text = std::fs::read_to_string(folder.join("pack.toml")).unwrap();
        assert!(text.contains(licence), "{text}");
    }
}
