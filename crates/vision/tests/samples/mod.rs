//! Sample pictures, and what tests of several packs do with them.

#![allow(dead_code, reason = "no test uses all of it")]
#![allow(clippy::unwrap_used, reason = "a test fails loudly")]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use domain::faces::Embedding;
use domain::photos::pixels::Pixels;
use vision::{Engine, EngineOptions, Face};

use crate::model_packs;

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub(crate) fn open(folder: &Path) -> Engine {
    Engine::open(folder, EngineOptions::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// Does the same with the engine of each pack.
pub(crate) fn with_each_pack(test: impl Fn(&Engine)) {
    for folder in model_packs::all() {
        let engine = open(&folder);
        let outcome = catch_unwind(AssertUnwindSafe(|| test(&engine)));
        assert!(outcome.is_ok(), "pack {}, as said above", engine.pack_id());
    }
}

pub(crate) fn read(file: &Path) -> Pixels {
    let picture = image::open(file)
        .unwrap_or_else(|error| panic!("{}: {error}; run `make models pictures`", file.display()))
        .into_rgb8();
    Pixels::new(picture.width(), picture.height(), picture.into_raw()).unwrap()
}

/// One of the pictures that `make pictures` fetches.
pub(crate) fn picture(name: &str) -> Pixels {
    read(&root().join(".cache/pictures").join(name))
}

pub(crate) fn similarity(one: &Embedding, other: &Embedding) -> f32 {
    one.values().iter().zip(other.values()).map(|(left, right)| left * right).sum()
}

pub(crate) fn only(faces: Vec<Face>, what: &str) -> Face {
    let [face] =
        <[Face; 1]>::try_from(faces).unwrap_or_else(|faces| panic!("{} faces in {what}", faces.len()));
    face
}
