//! The packs that `make models` builds.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every folder with a pack, the default one first.
pub(crate) fn all() -> Vec<PathBuf> {
    vec![default(), mobilefacenet(), dlib()]
}

/// The default pack, as `make models` builds it.
pub(crate) fn default() -> PathBuf {
    root().join("models")
}

/// The pack `mobilefacenet`, as `make models PACK=mobilefacenet` builds it, whose recogniser the default pack carries.
pub(crate) fn mobilefacenet() -> PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| build("mobilefacenet")).clone()
}

/// The pack `dlib`, as `make models PACK=dlib` builds it.
fn dlib() -> PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| build("dlib")).clone()
}

fn build(pack: &str) -> PathBuf {
    let folder = root().join(format!("target/models-{pack}"));
    let output = Command::new("python3")
        .arg(root().join("tools/models/build.py"))
        .args(["--pack", pack, "--out"])
        .arg(&folder)
        .output()
        .unwrap_or_else(|error| panic!("{error}"));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    folder
}
