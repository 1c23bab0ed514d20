//! The pictures of a folder, and what is known of each before it is read.

use std::collections::HashMap;
use std::fs::{DirEntry, Metadata, ReadDir};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
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
    /// None when there is no such file, or it cannot be looked at.
    pub(super) fn of(path: &Path) -> Option<Self> {
        Self::read(path).ok().flatten()
    }

    /// None when there is no such file.
    fn read(path: &Path) -> io::Result<Option<Self>> {
        let Some(metadata) = unless_gone(std::fs::metadata(path))?.filter(Metadata::is_file) else {
            return Ok(None);
        };
        Ok(Some(Self { size: metadata.len(), changed_at: metadata.modified().ok() }))
    }
}

/// None where a name has nothing behind it, or not any more: nobody misses what a program has just removed.
fn unless_gone<T>(read: io::Result<T>) -> io::Result<Option<T>> {
    match read {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        read => read.map(Some),
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
    /// What is there, and cannot be looked at: pictures, and folders that may have some. By path.
    pub(super) unreadable: Vec<(PathBuf, io::Error)>,
}

/// The name of a picture by which its raw data are called as well.
pub(super) fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().to_lowercase()
}

/// The place of which photo a file may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Claim {
    /// Of any that it is a version of.
    Any,
    /// Of one that has its very name: of `IMG_1.heic` and `IMG_1.jpg` that are both new the second would take the place of the first.
    Namesake,
    /// Of none: of two cards that both have an `IMG_1.jpg` the second would take the place of the first.
    Nothing,
}

/// The names of all pictures of a folder that were found since the program began, by their names without endings and as the service
/// compares them. One that is gone is still the photo that it has become.
#[derive(Default)]
pub(super) struct Names(Mutex<HashMap<String, HashMap<PathBuf, String>>>);

impl Names {
    pub(super) fn add(&self, pictures: &[Picture]) {
        let mut names = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for picture in pictures {
            let name = picture.name();
            names.entry(stem_key(&name)).or_default().insert(picture.path.clone(), folded(&name));
        }
    }

    pub(super) fn claim_of(&self, picture: &Picture) -> Claim {
        let name = picture.name();
        let names = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(sharing) = names.get(&stem_key(&name)) else { return Claim::Any };
        let mut others = sharing.iter().filter(|(path, _)| **path != picture.path).peekable();
        if others.peek().is_none() {
            return Claim::Any;
        }
        match others.any(|(_, other)| *other == folded(&name)) {
            true => Claim::Nothing,
            false => Claim::Namesake,
        }
    }
}

/// Whether a file is taken for one of these: by its name, and not while a program hides it.
fn ends_with(path: &Path, endings: &[&str]) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str()).map(str::to_ascii_lowercase);
    !is_hidden(path) && ending.is_some_and(|ending| endings.contains(&ending.as_str()))
}

/// Folders that file systems keep for themselves, which nobody but root may read.
const OF_SYSTEMS: [&str; 3] = ["lost+found", "System Volume Information", "$RECYCLE.BIN"];

/// Programs write to such names what they rename when it is done.
fn is_hidden(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with(['.', '~']) || OF_SYSTEMS.iter().any(|folder| name.eq_ignore_ascii_case(folder))
}

/// The pictures of a folder and its subfolders.
///
/// # Errors
/// When the folder itself cannot be read.
pub(super) fn find(folder: &Path) -> io::Result<Found> {
    find_by(folder, list)
}

fn list(folder: &Path) -> io::Result<ReadDir> {
    std::fs::read_dir(folder)
}

fn find_by(folder: &Path, list: impl Fn(&Path) -> io::Result<ReadDir>) -> io::Result<Found> {
    let mut found = Found::default();
    let mut folders = vec![folder.to_owned()];
    while let Some(each) = folders.pop() {
        let entries = match list(&each) {
            Ok(entries) => entries,
            Err(error) if each == folder => return Err(error),
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            Err(error) => {
                found.unreadable.push((each, error));
                continue;
            }
        };
        for entry in entries {
            let entry = entry.map_err(|error| (each.clone(), error));
            if let Err(unreadable) = entry.and_then(|entry| found.add(&entry, &mut folders)) {
                found.unreadable.push(unreadable);
            }
        }
    }
    found.pictures.sort_by(|one, other| one.path.cmp(&other.path));
    found.unreadable.sort_by(|(one, _), (other, _)| one.cmp(other));
    Ok(found)
}

impl Found {
    /// Adds what an entry of a folder is, or a folder to those that are to be read.
    fn add(&mut self, entry: &DirEntry, folders: &mut Vec<PathBuf>) -> Result<(), (PathBuf, io::Error)> {
        let path = entry.path();
        let kind = match unless_gone(entry.file_type()) {
            Ok(Some(kind)) => kind,
            Ok(None) => return Ok(()),
            Err(error) => return Err((path, error)),
        };
        // A link to a folder could lead round in a circle.
        if kind.is_dir() {
            if !is_hidden(&path) {
                folders.push(path);
            }
        } else if ends_with(&path, &RAW_ENDINGS) {
            self.raws.push(path);
        } else if ends_with(&path, &ENDINGS) {
            match State::read(&path) {
                Ok(Some(state)) => self.pictures.push(Picture { path, state }),
                Ok(None) => {}
                Err(error) => return Err((path, error)),
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_takes_the_place_of_no_photo_that_another_file_of_its_folder_is() {
        // [UPL242] [UPL271]
        let picture =
            |name: &str| Picture { path: PathBuf::from(name), state: State { size: 1, changed_at: None } };
        let names = Names::default();
        let claim = |name: &str| names.claim_of(&picture(name));
        names.add(&["IMG_1.heic", "IMG_2.jpg", "IMG_3.jpg", "IMG_30.png"].map(picture));
        assert_eq!([claim("IMG_1.heic"), claim("IMG_2.jpg")], [Claim::Any; 2]);
        // What is written into a watched folder later counts too, and the same file again is no other one.
        names.add(&["img_1.JPG", "day 2/img_2.JPG", "IMG_3.jpg"].map(picture));
        assert_eq!([claim("IMG_1.heic"), claim("img_1.JPG")], [Claim::Namesake; 2]);
        assert_eq!([claim("IMG_2.jpg"), claim("day 2/img_2.JPG")], [Claim::Nothing; 2]);
        assert_eq!([claim("IMG_3.jpg"), claim("IMG_30.png"), claim("IMG_4.jpg")], [Claim::Any; 3]);
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
        let Found { pictures: found, raws, unreadable } = find(folder).unwrap();
        assert_eq!(raws, [folder.join("A.NEF")]);
        assert!(unreadable.is_empty());
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

    #[test]
    fn what_cannot_be_looked_at_is_told_and_what_is_gone_is_not() {
        // [UPL279]
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        for name in ["closed", "left", "lost+found"] {
            std::fs::create_dir(folder.join(name)).unwrap();
        }
        std::fs::write(folder.join("a.jpg"), "a").unwrap();
        // Links that lead to themselves, of which one is no picture by its name, and one that leads nowhere.
        for (name, leads_to) in [("loop.jpg", "loop.jpg"), ("loop.txt", "loop.txt"), ("gone.jpg", "nowhere")]
        {
            std::os::unix::fs::symlink(leads_to, folder.join(name)).unwrap();
        }
        // To root no folder is closed.
        let list = |each: &Path| match each.file_name().and_then(|name| name.to_str()) {
            Some("closed" | "lost+found") => Err(ErrorKind::PermissionDenied.into()),
            Some("left") => Err(ErrorKind::NotFound.into()),
            _ => std::fs::read_dir(each),
        };
        let found = find_by(folder, list).unwrap();
        assert_eq!(found.pictures.iter().map(Picture::name).collect::<Vec<_>>(), ["a.jpg"]);
        let unreadable: Vec<_> = found.unreadable.iter().map(|(path, _)| path.clone()).collect();
        assert_eq!(unreadable, ["closed", "loop.jpg"].map(|name| folder.join(name)));
        assert_eq!(found.unreadable[0].1.kind(), ErrorKind::PermissionDenied);
    }
}
