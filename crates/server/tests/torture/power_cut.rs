//! What a power cut may leave: of all changes that no fsync has put on stable storage, any part, in any order.
//!
//! The changes of a round are worked through from their log. At some of them the power is cut: each page of a file is then
//! as one of the writes since its last fsync has left it, each file is as long as one of them made it, and each name of a folder
//! leads where one of the changes since the folder's fsync let it lead. That is what POSIX allows, and more than most file
//! systems do. Whatever photographers had been told by then must be there nevertheless.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use domain::payments::orders::OrderStatus;
use rand::RngExt as _;
use rand::rngs::StdRng;
use storage::{ConnectOptions, Db};

use crate::disk::{Record, Told};
use crate::pictures::Pictures;

/// What is written, or not, as a whole.
const PAGE: usize = 4096;
/// The provider of all orders.
const PROVIDER: &str = "sandbox";
/// How many losses are reported.
const SHOWN: usize = 10;

/// What is left of the changes that were not synced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Leaving {
    Nothing,
    Everything,
    /// The names of files without their bytes, as of journals that order metadata alone.
    Names,
    Bytes,
    /// Of each page and each name something else.
    Parts,
}

impl Leaving {
    const ALL: [Self; 5] = [Self::Nothing, Self::Parts, Self::Names, Self::Bytes, Self::Everything];
}

/// An fsync that is left out, to see that the loss would be noticed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Forgotten {
    /// Of the files of the media store.
    Files,
    /// Of the folders of the media store.
    Folders,
    /// Of the database.
    Database,
}

impl Forgotten {
    const ALL: [Self; 3] = [Self::Files, Self::Folders, Self::Database];

    fn is(self, record: &Record) -> bool {
        let in_media = |path: &Path| path.components().any(|part| part.as_os_str() == "media");
        match (self, record) {
            (Self::Files, Record::Sync { path, .. }) | (Self::Folders, Record::SyncFolder { path }) => {
                in_media(path)
            }
            (Self::Database, Record::Sync { path, .. }) => !in_media(path),
            _ => false,
        }
    }
}

/// A file whatever it is called.
#[derive(Clone, Default)]
struct File {
    synced: Vec<u8>,
    /// Since then.
    changes: Vec<Change>,
}

#[derive(Clone)]
enum Change {
    Write { place: usize, bytes: Vec<u8> },
    Resize(usize),
}

/// Where a name leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Entry {
    File(usize),
    Folder,
}

#[derive(Clone, Default)]
struct Folder {
    synced: BTreeMap<OsString, Entry>,
    /// Since then; none where the name has gone.
    changes: Vec<(OsString, Option<Entry>)>,
}

impl File {
    fn sync(&mut self) {
        for change in std::mem::take(&mut self.changes) {
            change.apply(&mut self.synced);
        }
    }

    fn left(&self, leaving: Leaving, rng: &mut StdRng) -> Vec<u8> {
        let mut left = self.synced.clone();
        match leaving {
            Leaving::Nothing | Leaving::Names => {}
            Leaving::Everything | Leaving::Bytes => {
                self.changes.iter().for_each(|change| change.apply(&mut left));
            }
            Leaving::Parts => {
                let mut versions = vec![left.clone()];
                for change in &self.changes {
                    let mut next = versions[versions.len() - 1].clone();
                    change.apply(&mut next);
                    versions.push(next);
                }
                let size = versions[rng.random_range(0..versions.len())].len();
                left.resize(size, 0);
                for (number, page) in left.chunks_mut(PAGE).enumerate() {
                    let version = &versions[rng.random_range(0..versions.len())];
                    let found = version.get(number * PAGE..).unwrap_or_default();
                    let found = &found[..found.len().min(page.len())];
                    page[..found.len()].copy_from_slice(found);
                    page[found.len()..].fill(0);
                }
            }
        }
        left
    }
}

impl Change {
    fn apply(&self, to: &mut Vec<u8>) {
        match self {
            Self::Write { place, bytes } => {
                let end = place + bytes.len();
                if to.len() < end {
                    to.resize(end, 0);
                }
                to[*place..end].copy_from_slice(bytes);
            }
            Self::Resize(size) => to.resize(*size, 0),
        }
    }
}

impl Folder {
    fn sync(&mut self) {
        for (name, entry) in std::mem::take(&mut self.changes) {
            match entry {
                Some(entry) => self.synced.insert(name, entry),
                None => self.synced.remove(&name),
            };
        }
    }

    /// Where a name leads for the processes that run.
    fn current(&self, name: &OsString) -> Option<Entry> {
        let changed = self.changes.iter().rev().find(|(changed, _)| changed == name);
        changed.map_or_else(|| self.synced.get(name).copied(), |(_, entry)| *entry)
    }

    fn left(&self, leaving: Leaving, rng: &mut StdRng) -> BTreeMap<OsString, Entry> {
        let mut versions: BTreeMap<&OsString, Vec<Option<Entry>>> = BTreeMap::new();
        for (name, entry) in &self.synced {
            versions.insert(name, vec![Some(*entry)]);
        }
        for (name, entry) in &self.changes {
            versions.entry(name).or_insert_with(|| vec![None]).push(*entry);
        }
        let mut left = BTreeMap::new();
        for (name, versions) in versions {
            let version = match leaving {
                Leaving::Nothing | Leaving::Bytes => 0,
                Leaving::Everything | Leaving::Names => versions.len() - 1,
                Leaving::Parts => rng.random_range(0..versions.len()),
            };
            left.extend(versions[version].map(|entry| (name.clone(), entry)));
        }
        left
    }
}

/// A disk, as far as it has come.
#[derive(Clone, Default)]
struct Disk {
    files: Vec<File>,
    /// Numbers are given again when a file has gone.
    by_number: BTreeMap<u64, usize>,
    folders: BTreeMap<PathBuf, Folder>,
}

fn parts(path: &Path) -> (PathBuf, OsString) {
    (path.parent().unwrap().to_owned(), path.file_name().unwrap().to_owned())
}

impl Disk {
    fn set(&mut self, path: &Path, entry: Option<Entry>) {
        let (folder, name) = parts(path);
        self.folders.entry(folder).or_default().changes.push((name, entry));
    }

    fn current(&self, path: &Path) -> Option<Entry> {
        let (folder, name) = parts(path);
        self.folders.get(&folder)?.current(&name)
    }

    fn file(&mut self, number: u64) -> Option<&mut File> {
        let file = *self.by_number.get(&number)?;
        self.files.get_mut(file)
    }

    fn apply(&mut self, record: &Record) {
        match record {
            Record::Create { file, path } => {
                self.by_number.insert(*file, self.files.len());
                self.set(path, Some(Entry::File(self.files.len())));
                self.files.push(File::default());
            }
            Record::Write { file, place, bytes } => {
                let change = Change::Write { place: *place, bytes: bytes.clone() };
                // One that never had a name is lost anyway.
                self.file(*file).into_iter().for_each(|file| file.changes.push(change.clone()));
            }
            Record::Truncate { file, size } => {
                self.file(*file).into_iter().for_each(|file| file.changes.push(Change::Resize(*size)));
            }
            Record::Sync { file, .. } => self.file(*file).into_iter().for_each(File::sync),
            Record::MakeFolder { path } => {
                self.folders.entry(path.clone()).or_default();
                self.set(path, Some(Entry::Folder));
            }
            Record::Rename { from, to } => {
                let entry = self.current(from);
                self.set(to, entry);
                self.set(from, None);
            }
            Record::Link { from, to } => {
                let entry = self.current(from);
                self.set(to, entry);
            }
            Record::Unlink { path } => self.set(path, None),
            Record::SyncFolder { path } => self.folders.entry(path.clone()).or_default().sync(),
            Record::Told(_) => {}
        }
    }

    /// The files below `folder` after a power cut, and what is in those whose names are `wanted`.
    fn cut(
        &self,
        folder: &Path,
        leaving: Leaving,
        rng: &mut StdRng,
        wanted: impl Fn(&Path) -> bool,
    ) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut left = BTreeMap::new();
        let mut folders = vec![folder.to_owned()];
        while let Some(path) = folders.pop() {
            let Some(folder) = self.folders.get(&path) else { continue };
            for (name, entry) in folder.left(leaving, rng) {
                let path = path.join(name);
                match entry {
                    Entry::Folder => folders.push(path),
                    Entry::File(file) if wanted(&path) => {
                        left.insert(path, self.files[file].left(leaving, rng));
                    }
                    Entry::File(_) => {}
                }
            }
        }
        left
    }
}

/// What must be there, by what photographers were told.
#[derive(Clone, Default)]
struct Promised {
    /// The names by the ids.
    photos: BTreeMap<String, String>,
    orders: Vec<String>,
}

impl Promised {
    fn add(&mut self, told: &Told) {
        match told {
            Told::Uploaded { id, name } => {
                self.photos.insert(id.clone(), name.clone());
            }
            Told::Deleting { id } => {
                self.photos.remove(id);
            }
            Told::Paid { order } => self.orders.push(order.clone()),
        }
    }

    fn is_nothing(&self) -> bool {
        self.photos.is_empty() && self.orders.is_empty()
    }
}

/// The changes of a round, and where they happened.
pub(crate) struct PowerCut<'a> {
    /// The data folder.
    pub(crate) folder: &'a Path,
    /// An empty folder for copies.
    pub(crate) copies: &'a Path,
    pub(crate) records: Vec<Record>,
    pub(crate) pictures: &'a Pictures,
}

impl PowerCut<'_> {
    /// Cuts the power so often, and reports what was lost. Without an fsync something must be.
    pub(crate) async fn losses(&self, cuts: usize, rng: &mut StdRng) -> Vec<String> {
        let told: Vec<usize> =
            (0..self.records.len()).filter(|at| matches!(self.records[*at], Record::Told(_))).collect();
        let Some(last) =
            told.iter().rev().find(|at| matches!(&self.records[**at], Record::Told(Told::Uploaded { .. })))
        else {
            return vec![String::from("nobody has uploaded anything before the power was cut")];
        };
        // Half of them right after somebody was told something, when least was done since.
        let mut places: Vec<usize> = (0..cuts)
            .map(|cut| match cut % 2 {
                0 => told[rng.random_range(0..told.len())] + 1,
                _ => rng.random_range(0..self.records.len()),
            })
            .collect();
        places.sort_unstable();
        let mut losses = self.losses_at(&places, None, rng).await;
        for forgotten in Forgotten::ALL {
            if self.losses_at(&[last + 1], Some(forgotten), rng).await.is_empty() {
                losses.push(format!(
                    "nothing is lost without the fsync of {forgotten:?}: it would not be noticed"
                ));
            }
        }
        losses.truncate(SHOWN);
        losses
    }

    async fn losses_at(
        &self,
        places: &[usize],
        forgotten: Option<Forgotten>,
        rng: &mut StdRng,
    ) -> Vec<String> {
        let (mut disk, mut promised, mut done, mut losses) =
            (Disk::default(), Promised::default(), 0, Vec::new());
        for (number, place) in places.iter().enumerate() {
            for record in &self.records[done..*place] {
                if let Record::Told(told) = record {
                    promised.add(told);
                }
                if !forgotten.is_some_and(|forgotten| forgotten.is(record)) {
                    disk.apply(record);
                }
            }
            done = *place;
            let leaving = Leaving::ALL[number % Leaving::ALL.len()];
            let found = self.missing(&disk, &promised, leaving, rng).await;
            losses.extend(found.into_iter().map(|loss| {
                format!("the power was cut after {place} changes, which left {leaving:?}: {loss}")
            }));
            if losses.len() >= SHOWN {
                break;
            }
        }
        losses
    }

    /// What was promised and is not there after the power is cut.
    async fn missing(
        &self,
        disk: &Disk,
        promised: &Promised,
        leaving: Leaving,
        rng: &mut StdRng,
    ) -> Vec<String> {
        if promised.is_nothing() {
            return Vec::new();
        }
        let originals = self.folder.join("media/originals");
        let is_database = |path: &Path| {
            let name = path.file_name().unwrap().to_string_lossy();
            path.parent() == Some(self.folder) && name.starts_with("afterglow.db") && !name.ends_with("-shm")
        };
        let left =
            disk.cut(self.folder, leaving, rng, |path| is_database(path) || path.starts_with(&originals));
        let copy = tempfile::tempdir_in(self.copies).unwrap();
        let mut stored = BTreeMap::new();
        for (path, bytes) in left {
            let name = path.file_name().unwrap().to_owned();
            if is_database(&path) {
                std::fs::write(copy.path().join(&name), bytes).unwrap();
            } else {
                stored.insert(name, bytes);
            }
        }
        let address = format!("sqlite://{}", copy.path().join("afterglow.db").display());
        match Db::connect(&address, ConnectOptions { max_connections: 1, ..ConnectOptions::default() }).await
        {
            Ok(db) => self.missing_in(&db, promised, &stored).await.unwrap_or_else(|error| vec![error]),
            Err(error) => vec![format!("the database cannot be opened: {error}")],
        }
    }

    async fn missing_in(
        &self,
        db: &Db,
        promised: &Promised,
        stored: &BTreeMap<OsString, Vec<u8>>,
    ) -> Result<Vec<String>, String> {
        let failed = |error: storage::Error| format!("the database cannot be read: {error:?}");
        let mut missing = db.verify().await.map_err(failed)?;
        for (id, name) in &promised.photos {
            let Some(photo) = storage::photos::by_id(db, id.parse().unwrap()).await.map_err(failed)? else {
                missing.push(format!("{name} was uploaded and has no row"));
                continue;
            };
            let file = OsString::from(photo.key.as_str().rsplit('/').next().unwrap());
            match stored.get(&file) {
                None => missing.push(format!("{name} was uploaded and has no original")),
                Some(bytes) if *bytes != self.pictures.photo(name) => {
                    missing.push(format!("the original of {name} has other bytes"));
                }
                Some(_) => {}
            }
        }
        for order in &promised.orders {
            let found = storage::payments::orders::by_provider_order_id(db, PROVIDER, order);
            let found = found.await.map_err(failed)?;
            if found.is_none_or(|order| order.status != OrderStatus::Paid) {
                missing.push(format!("{order} was paid and is not"));
            }
        }
        Ok(missing)
    }

    /// Writes everything that a power cut leaves after so many changes into `copy`, as a data folder.
    pub(crate) fn write_copy(&self, place: usize, copy: &Path, rng: &mut StdRng) {
        let mut disk = Disk::default();
        self.records[..place].iter().for_each(|record| disk.apply(record));
        for (path, bytes) in disk.cut(self.folder, Leaving::Parts, rng, |_| true) {
            let path = copy.join(path.strip_prefix(self.folder).unwrap());
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, bytes).unwrap();
        }
    }
}

/// That what was not synced can be lost, and what was synced cannot; called before every run.
pub(crate) fn self_test() {
    use rand::SeedableRng as _;
    let (folder, name) = (Path::new("/data"), Path::new("/data/a"));
    let write = |bytes: &[u8]| Record::Write { file: 7, place: 0, bytes: bytes.to_vec() };
    let (sync, sync_folder) =
        (Record::Sync { file: 7, path: name.into() }, Record::SyncFolder { path: folder.into() });
    let create = Record::Create { file: 7, path: name.into() };
    let outcomes = |records: &[&Record]| {
        let mut disk = Disk::default();
        records.iter().for_each(|record| disk.apply(record));
        let mut outcomes: Vec<Option<Vec<u8>>> = (0..100)
            .map(|seed| {
                let mut rng = StdRng::seed_from_u64(seed);
                disk.cut(folder, Leaving::Parts, &mut rng, |_| true).remove(name)
            })
            .collect();
        outcomes.sort();
        outcomes.dedup();
        outcomes
    };
    let bytes = |bytes: &[u8]| Some(bytes.to_vec());
    assert_eq!(outcomes(&[&create, &write(b"1"), &sync, &sync_folder]), [bytes(b"1")]);
    assert_eq!(outcomes(&[&create, &write(b"1"), &sync]), [None, bytes(b"1")]);
    assert_eq!(outcomes(&[&create, &write(b"1"), &sync_folder]), [bytes(b""), bytes(b"\0"), bytes(b"1")]);
    let other = Record::Rename { from: name.into(), to: Path::new("/data/b").into() };
    assert_eq!(
        outcomes(&[&create, &write(b"1"), &sync, &sync_folder, &other]),
        [None, bytes(b"1")],
        "a name that has gone may be there again"
    );
    assert_eq!(outcomes(&[&create, &write(b"1"), &sync, &other, &sync_folder]), [None]);
}
