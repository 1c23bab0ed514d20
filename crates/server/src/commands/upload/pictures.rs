//! The pictures of a folder, and what is known of each before it is read.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use domain::operations::runtime::texts::folded;
use domain::photos::versions::stem_key;

/// The endings of names that pictures have.
const ENDINGS: [&str; 13] =
    ["jpg", "jpeg", "jpe", "png", "gif", "bmp", "tif", "tiff", "webp", "heic", "heif", "hif", "avif"];
/// Those of cameras' raw data, which are not uploaded.
const RAW_ENDINGS: [&str; 26] = [
    "3fr", "arw", "cr2", "cr3", "crw", "dcr", "dng", "erf", "fff", "gpr", "iiq", "kdc", "mos", "mrw", "nef",
    "nrw", "orf", "pef", "raf", "raw", "rw2", "rwl", "sr2", "srf", "srw", "x3f",
];

/// How a file stands: what is written to changes one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct State {
    pub(super) size: u64,
    pub(super) changed_at: Option<SystemTime>,
}

impl State {
    /// None when there is no such file.
    pub(super) fn of(path: &Path) -> Option<Self> {
        let metadata = std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file)?;
        Some(Self { size: metadata.len(), changed_at: metadata.modified().ok() })
    }
}

/// A file as it was when it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Picture {
    pub(super) path: PathBuf,
    pub(super) state: State,
}

impl Picture {
    /// The name by which the service knows the photo.
    pub(super) fn name(&self) -> String {
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    pub(super) fn is_as_it_was(&self) -> bool {
        State::of(&self.path) == Some(self.state)
    }
}

/// What is in a folder.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// By path.
    pub(super) pictures: Vec<Picture>,
    /// Raw data of cameras, which stay where they are.
    pub(super) raws: Vec<PathBuf>,
}

/// The name of a picture by which its raw data are called as well.
pub(super) fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().to_lowercase()
}

/// The names without endings that several of the pictures have whose names differ, as the service compares them.
pub(super) fn shared_stems(pictures: &[Picture]) -> HashSet<String> {
    let mut names: HashMap<String, String> = HashMap::new();
    let mut shared = HashSet::new();
    for name in pictures.iter().map(Picture::name) {
        let other = names.entry(stem_key(&name)).or_insert_with(|| folded(&name));
        if *other != folded(&name) {
            shared.insert(stem_key(&name));
        }
    }
    shared
}

/// Whether a file is taken for one of these: by its name, and not while a program hides it.
fn ends_with(path: &Path, endings: &[&str]) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str()).map(str::to_ascii_lowercase);
    !is_hidden(path) && ending.is_some_and(|ending| endings.contains(&ending.as_str()))
}

/// Programs write to such names what they rename when it is done.
fn is_hidden(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with(['.', '~'])
}

/// The pictures of a folder and its subfolders. What cannot be read is left out, but for the folder itself.
pub(super) fn find(folder: &Path) -> std::io::Result<Found> {
    let mut found = Found::default();
    let mut folders = vec![folder.to_owned()];
    while let Some(each) = folders.pop() {
        let entries = match std::fs::read_dir(&each) {
            Ok(entries) => entries,
            Err(error) if each == folder => return Err(error),
            Err(_) => continue,
        };
        for entry in entries.flatten() {
            let path = entry.path();
            // A link to a folder could lead round in a circle.
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                if !is_hidden(&path) {
                    folders.push(path);
                }
            } else if ends_with(&path, &RAW_ENDINGS) {
                found.raws.push(path);
            } else if ends_with(&path, &ENDINGS)
                && let Some(state) = State::of(&path)
            {
                found.pictures.push(Picture { path, state });
            }
        }
    }
    found.pictures.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_differ_in_their_endings_are_shared() {
        // [UPL242]
        let state = State { size: 1, changed_at: None };
        let names = ["IMG_1.heic", "img_1.JPG", "IMG_2.jpg", "day 2/img_2.JPG", "IMG_3.jpg", "IMG_30.png"];
        let pictures = names.map(|name| Picture { path: PathBuf::from(name), state });
        assert_eq!(shared_stems(&pictures), HashSet::from([String::from("img_1")]));
        assert_eq!(shared_stems(&pictures[1..]), HashSet::new());
    }

    #[test]
    fn pictures_are_found_in_subfolders_by_their_names() {
        // Hidden files, and what is no picture by its name, are left out.
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        std::fs::create_dir_all(folder.join("day 2/.cache")).unwrap();
        for name in [
            "b.JPG",
            "a.jpeg",
            "notes.txt",
            ".c.jpg",
            "~d.jpg",
            "e.jpg.part",
            "day 2/f.HEIC",
            "day 2/.cache/g.jpg",
            "A.NEF",
            ".h.cr3",
        ] {
            std::fs::write(folder.join(name), name).unwrap();
        }
        let Found { pictures: found, raws } = find(folder).unwrap();
        assert_eq!(raws, [folder.join("A.NEF")]);
        assert_eq!(stem(&raws[0]), stem(&found[0].path));
        let names: Vec<_> =
            found.iter().map(|each| each.path.strip_prefix(folder).unwrap().to_owned()).collect();
        assert_eq!(names, ["a.jpeg", "b.JPG", "day 2/f.HEIC"].map(PathBuf::from));
        assert_eq!(found[2].name(), "f.HEIC");
        assert!(found[0].is_as_it_was());
        std::fs::write(&found[0].path, "longer than before").unwrap();
        assert!(!found[0].is_as_it_was());
        assert!(find(&folder.join("none")).is_err());
    }
}
