//! The packs that this machine has: those that the registries have, and the pack `fast` where its detector is at hand.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every folder with a pack, the default one first.
pub(crate) fn all() -> Vec<PathBuf> {
    [Some(root().join("models")), Some(faceplugin()), Some(dlib()), fast()].into_iter().flatten().collect()
}

/// The pack `faceplugin`, as `make models PACK=faceplugin` builds it.
pub(crate) fn faceplugin() -> PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| build("faceplugin", &[])).clone()
}

/// The pack `dlib`, as `make models PACK=dlib` builds it.
fn dlib() -> PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| build("dlib", &[])).clone()
}

/// The pack `fast`, as `make models PACK=fast YUNET=FILE` builds it.
///
/// Its detector is in no package registry; it comes with the evaluation data.
fn fast() -> Option<PathBuf> {
    static BUILT: OnceLock<Option<PathBuf>> = OnceLock::new();
    BUILT
        .get_or_init(|| {
            // `cargo xtask test` says aloud what is passed over without it.
            let yunet = Path::new(&std::env::var_os("EVAL_DIR")?).join("packs/yunet_n_dynamic.onnx");
            Some(build("fast", &["--yunet".as_ref(), yunet.as_os_str()]))
        })
        .clone()
}

fn build(pack: &str, options: &[&OsStr]) -> PathBuf {
    let folder = root().join(format!("target/models-{pack}"));
    let output = Command::new("python3")
        .arg(root().join("tools/models/build.py"))
        .args(["--pack", pack, "--out"])
        .arg(&folder)
        .args(options)
        .output()
        .unwrap_or_else(|error| panic!("{error}"));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    folder
}
