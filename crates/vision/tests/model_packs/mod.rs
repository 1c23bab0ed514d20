//! The packs that this machine has: the default one, and the pack `fast` where its detector is at hand.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every folder with a pack, the default one first.
pub(crate) fn all() -> Vec<PathBuf> {
    [Some(root().join("models")), fast()].into_iter().flatten().collect()
}

/// The pack `fast`, as `make models PACK=fast YUNET=FILE` builds it.
///
/// Its detector is in no package registry; it comes with the evaluation data.
fn fast() -> Option<PathBuf> {
    static BUILT: OnceLock<Option<PathBuf>> = OnceLock::new();
    BUILT
        .get_or_init(|| {
            // `cargo xtask test` says aloud what is passed over without it.
            let data = std::env::var_os("EVAL_DIR")?;
            let folder = root().join("target/models-fast");
            let output = Command::new("python3")
                .arg(root().join("tools/models/build.py"))
                .args(["--pack", "fast", "--out"])
                .arg(&folder)
                .arg("--yunet")
                .arg(Path::new(&data).join("packs/yunet_n_dynamic.onnx"))
                .output()
                .unwrap_or_else(|error| panic!("{error}"));
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            Some(folder)
        })
        .clone()
}
