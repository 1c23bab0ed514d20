//! Indexes and searches a folder of photos with the product's face engine, but without its database.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use domain::faces::{Embedding, Strictness};
use media::decoders::{Decoders, Priority};
use media::temp_files::Contents;
use serde::{Deserialize, Serialize};
use vision::Recognisers;

use crate::faces::{indexing, search};
use crate::{Failure, Result};

/// The index of a folder.
#[derive(Default, Serialize, Deserialize)]
pub struct FolderIndex {
    /// The model pack of the embeddings.
    pack: String,
    /// The files by path.
    files: BTreeMap<PathBuf, IndexedFile>,
}

#[derive(Serialize, Deserialize)]
struct IndexedFile {
    /// BLAKE3 of its bytes, in hexadecimal.
    hash: String,
    /// None for a file that is not a readable photo.
    faces: Option<Vec<IndexedFace>>,
}

#[derive(Serialize, Deserialize)]
struct IndexedFace {
    /// Base64.
    embedding: String,
    /// Of its box, in pixels of the picture in which it was found.
    width: f64,
}

impl FolderIndex {
    /// The names of every `step`-th file.
    pub(crate) fn names(&self, step: usize) -> impl Iterator<Item = &str> {
        self.files.keys().step_by(step).filter_map(|path| path.file_name()?.to_str())
    }

    /// How many photos could be read.
    pub fn photos(&self) -> usize {
        self.files.values().filter(|file| file.faces.is_some()).count()
    }

    /// How many faces were found.
    pub fn faces(&self) -> usize {
        self.files.values().filter_map(|file| file.faces.as_ref()).map(Vec::len).sum()
    }

    /// How many files are not readable photos.
    pub fn unreadable(&self) -> usize {
        self.files.len() - self.photos()
    }
}

/// The result for one file.
pub struct Progress {
    /// The file.
    pub path: PathBuf,
    /// How many files are done, including this one.
    pub done: usize,
    /// How many there are to do.
    pub total: usize,
    /// How many faces it has.
    pub faces: usize,
    /// Why it was skipped.
    pub problem: Option<String>,
}

/// Indexes what is new or changed in `dir`, with `workers` threads, and stores the index in the folder `cache`.
///
/// # Errors
/// When the folder or the stored index cannot be read or written, or the face engine fails.
pub fn index(
    engine: &vision::Engine,
    dir: &Path,
    cache: &Path,
    workers: usize,
    report: &(dyn Fn(&Progress) + Sync),
) -> Result<FolderIndex> {
    let dir = dir.canonicalize()?;
    let name = blake3::hash(dir.as_os_str().as_encoded_bytes()).to_hex();
    let file = cache.join(format!("{}.json", &name[..32]));
    let mut index = read(&file)?.filter(|index| index.pack == engine.pack_id()).unwrap_or_default();
    index.pack = engine.pack_id().to_owned();

    let mut paths = Vec::new();
    list(&dir, &mut paths)?;
    paths.sort();
    index.files.retain(|path, _| paths.binary_search(path).is_ok());
    let total = paths.len();
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let shared = Mutex::new(&mut index.files);
    let failure = Mutex::new(None);
    let lock = || shared.lock().unwrap_or_else(PoisonError::into_inner);
    std::thread::scope(|threads| {
        for _ in 0..workers.max(1) {
            threads.spawn(|| {
                while let Some(path) = paths.get(next.fetch_add(1, Ordering::Relaxed)) {
                    match index_file(engine, path, |hash| {
                        lock().get(path).is_some_and(|known| known.hash == hash)
                    }) {
                        Ok(None) => {
                            done.fetch_add(1, Ordering::Relaxed);
                        }
                        Ok(Some((file, problem))) => {
                            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                            let faces = file.faces.as_ref().map_or(0, Vec::len);
                            lock().insert(path.clone(), file);
                            report(&Progress { path: path.clone(), done, total, faces, problem });
                        }
                        Err(error) => {
                            *failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                            return;
                        }
                    }
                }
            });
        }
    });
    if let Some(failure) = failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(failure);
    }
    std::fs::create_dir_all(cache)?;
    let text = serde_json::to_vec(&index).map_err(|error| Failure::Internal(error.to_string()))?;
    std::fs::write(file, text)?;
    Ok(index)
}

fn read(file: &Path) -> Result<Option<FolderIndex>> {
    match std::fs::read(file) {
        // An index that cannot be parsed is rebuilt.
        Ok(text) => Ok(serde_json::from_slice(&text).ok()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn list(dir: &Path, paths: &mut Vec<PathBuf>) -> Result<()> {
    for entry in std::fs::read_dir(dir)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        if entry.file_name().as_encoded_bytes().starts_with(b".") {
            continue;
        }
        if kind.is_dir() {
            list(&entry.path(), paths)?;
        } else if kind.is_file() {
            paths.push(entry.path());
        }
    }
    Ok(())
}

/// Indexes one file, unless its hash is known.
fn index_file(
    engine: &vision::Engine,
    path: &Path,
    known: impl Fn(&str) -> bool,
) -> Result<Option<(IndexedFile, Option<String>)>> {
    let bytes = std::fs::read(path)?;
    let hash = blake3::hash(&bytes).to_hex().to_string();
    if known(&hash) {
        return Ok(None);
    }
    // There is nothing here that a picture could be after: neither keys nor a database.
    let mut picture = Decoders::in_process().open(Contents::InMemory(bytes.into()), Priority::Background);
    let pixels = match indexing::decode(&mut picture)? {
        Ok(pixels) => pixels,
        Err(refusal) => return Ok(Some((IndexedFile { hash, faces: None }, Some(refusal.to_string())))),
    };
    let faces = engine.faces(&pixels)?;
    let faces = faces.iter().map(|face| IndexedFace {
        embedding: STANDARD.encode(face.embedding.to_bytes()),
        width: (face.quality.width_pixels * 10.0).round() / 10.0,
    });
    let faces = faces.collect();
    Ok(Some((IndexedFile { hash, faces: Some(faces) }, None)))
}

/// A photo that shows the person.
pub struct Hit {
    /// The photo.
    pub path: PathBuf,
    /// From 0 to 1.
    pub similarity: f32,
}

/// The photos of an indexed folder that show the person of the pictures, by descending similarity.
///
/// # Errors
/// The refusals of the pictures.
pub fn search(
    engine: &vision::Engine,
    index: &FolderIndex,
    pictures: Vec<Vec<u8>>,
    face: Option<usize>,
    strictness: Strictness,
) -> Result<Vec<Hit>> {
    let pictures = pictures.into_iter().map(Into::into).collect();
    let selfies = search::Selfies {
        pictures,
        face,
        strictness,
        rejected: Vec::new(),
        wants_preview: false,
        found_before: false,
        admission: None,
    };
    let mut pictures = search::open(&Decoders::in_process(), &selfies)?;
    let by = Recognisers::Current;
    let detected = search::detect_faces(engine, &mut pictures, &selfies, by, &|_, _| {})?;
    FaceIndex::of(engine, index)?.search(&detected.person.current, strictness)
}

/// The faces of a folder, prepared for any number of searches.
pub(crate) struct FaceIndex<'a> {
    faces: vision::FaceIndex,
    /// The photo of each face.
    photos: Vec<&'a Path>,
    widths: Vec<f64>,
}

impl<'a> FaceIndex<'a> {
    pub(crate) fn of(engine: &vision::Engine, index: &'a FolderIndex) -> Result<Self> {
        Self::of_every(1, engine, index)
    }

    /// The faces of every `step`-th photo.
    pub(crate) fn of_every(step: usize, engine: &vision::Engine, index: &'a FolderIndex) -> Result<Self> {
        let (mut photos, mut widths, mut embeddings) = (Vec::new(), Vec::new(), Vec::new());
        for (path, file) in index.files.iter().step_by(step) {
            for face in file.faces.iter().flatten() {
                let bytes = STANDARD.decode(&face.embedding).unwrap_or_default();
                if let Some(embedding) = Embedding::from_bytes(&bytes) {
                    photos.push(path.as_path());
                    widths.push(face.width);
                    embeddings.push(embedding);
                }
            }
        }
        Ok(Self { faces: engine.face_index(embeddings.iter())?, photos, widths })
    }

    /// The width of a face, in pixels of the picture in which it was found.
    pub(crate) fn width(&self, row: usize) -> f64 {
        self.widths[row]
    }

    /// The photo of a face.
    pub(crate) fn photo(&self, row: usize) -> &'a Path {
        self.photos[row]
    }

    /// The faces themselves.
    pub(crate) const fn faces(&self) -> &vision::FaceIndex {
        &self.faces
    }

    /// One hit per photo, by descending similarity.
    pub(crate) fn search(&self, queries: &[Embedding], strictness: Strictness) -> Result<Vec<Hit>> {
        let mut seen = std::collections::HashSet::new();
        let hits = self.faces.search(queries, strictness)?.into_iter();
        let hits = hits.filter(|hit| seen.insert(self.photos[hit.row]));
        Ok(hits
            .map(|hit| Hit { path: self.photos[hit.row].to_owned(), similarity: hit.similarity })
            .collect())
    }
}
