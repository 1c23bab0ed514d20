//! Searches on pictures of real people. They need the model pack, and the evaluation data that not every machine has.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed, and says with what")]

mod live_captures;
#[path = "../../../vision/tests/model_packs/mod.rs"]
mod model_packs;
mod objections;
mod precision;
mod without_strangers;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The folder of people; none, said aloud, on a machine without evaluation data.
#[expect(clippy::print_stderr, reason = "it says what is passed over")]
fn folder() -> Option<PathBuf> {
    let folder = std::env::var_os("EVAL_DIR").map(|folder| Path::new(&folder).join("people"));
    if folder.is_none() {
        eprintln!("EVAL_DIR is not set: nothing is tried on pictures of real people");
    }
    folder
}

/// The pictures of each person, in the order of their names.
fn pictures(people: &Path) -> BTreeMap<String, Vec<PathBuf>> {
    let entries = |dir: &Path| std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    entries(people)
        .map(|dir| {
            let mut files: Vec<_> = entries(&dir).collect();
            files.sort();
            (dir.file_name().unwrap().to_str().unwrap().to_owned(), files)
        })
        .collect()
}
