//! The model pack: a folder of networks, the inference engine's library, and `pack.toml`, which says how to use them.

mod manifest;

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::face_index::Matching;
use crate::generations::Generation;

pub(crate) use manifest::{DetectorModel, FirstLook, Manifest, Previous, QuantisedDetector, RecogniserModel};

/// The layout of `pack.toml` that this version reads. It reads those before too: format 1 lacks the detector in integers,
/// format 2 the margins, which were the same for every recogniser, format 3 the recogniser of the pack before, and format 4 what a
/// search learns from faces that agree and the margin of what only that finds.
const FORMAT: u32 = 6;

/// Why a pack cannot be used; each is one sentence that says what to do.
#[derive(Debug, thiserror::Error)]
pub enum PackError {
    /// The folder or its `pack.toml` does not exist.
    #[error("There are no face models in {}: run `make models`.", .0.display())]
    Missing(PathBuf),
    /// A file that `pack.toml` names does not exist.
    #[error("The face models lack {}: run `make models`.", .0.display())]
    Incomplete(PathBuf),
    /// A file is not the one that `pack.toml` was written for.
    #[error("{} was changed since the face models were built: remove the folder and run `make models`.", .0.display())]
    Changed(PathBuf),
    /// The pack was built for another version of this program.
    #[error("The face models in {} have format {found} and this version reads {FORMAT}: run `make models`.", .folder.display())]
    Format {
        /// The pack's folder.
        folder: PathBuf,
        /// The format it has.
        found: u32,
    },
    /// `pack.toml` does not say what it must.
    #[error("{} cannot be used ({reason}): remove the folder and run `make models`.", .file.display())]
    Malformed {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A file cannot be read.
    #[error("{} cannot be read ({source}): see to its permissions, or run `make models`.", .file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
}

/// A model pack whose files are complete and unchanged.
#[derive(Clone, Debug)]
pub struct Pack {
    folder: PathBuf,
    manifest: Manifest,
}

impl Pack {
    /// Reads `pack.toml` in `folder` and checks every file it names against its SHA-256.
    ///
    /// # Errors
    /// One sentence for the person who starts the service, naming the command that helps.
    pub fn load(folder: &Path) -> Result<Self, PackError> {
        let file = folder.join("pack.toml");
        let text = std::fs::read_to_string(&file).map_err(|source| match source.kind() {
            std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory => {
                PackError::Missing(folder.to_owned())
            }
            _ => PackError::Unreadable { file: file.clone(), source },
        })?;
        let manifest = parse(folder, &file, &text)?;
        for (name, expected) in manifest.files() {
            verify(&folder.join(name), expected)?;
        }
        Ok(Self { folder: folder.to_owned(), manifest })
    }

    /// Identifies the pack: embeddings of different packs cannot be compared.
    pub fn id(&self) -> &str {
        &self.manifest.id
    }

    /// The pack before, whose recogniser this one carries.
    pub fn previous_id(&self) -> Option<&str> {
        self.manifest.previous.as_ref().map(|previous| previous.id.as_str())
    }

    /// When two embeddings count as the same person, by the recogniser of a generation; none where there is none.
    pub fn matching(&self, generation: Generation) -> Option<Matching> {
        match generation {
            Generation::Current => Some(self.manifest.matching()),
            Generation::Previous => self.manifest.previous.as_ref().map(Previous::matching),
        }
    }

    pub(crate) const fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The pack as it is where the detector in integers cannot be used.
    #[cfg(test)]
    pub(crate) fn without_integers(mut self) -> Self {
        self.manifest.quantised_detector = None;
        self
    }

    pub(crate) fn folder(&self) -> String {
        self.folder.display().to_string()
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }
}

/// What `file`, the `pack.toml` of `folder`, says.
pub(crate) fn parse(folder: &Path, file: &Path, text: &str) -> Result<Manifest, PackError> {
    let malformed = |reason: String| PackError::Malformed { file: file.to_owned(), reason };
    // The format first: a newer layout must not be reported as an unknown field.
    let table: toml::Table = toml::from_str(text).map_err(|error| malformed(error.message().to_owned()))?;
    let format =
        table.get("format").and_then(toml::Value::as_integer).and_then(|number| u32::try_from(number).ok());
    match format {
        Some(1..=FORMAT) => {}
        Some(found) => return Err(PackError::Format { folder: folder.to_owned(), found }),
        None => return Err(malformed("it names no format".to_owned())),
    }
    let manifest: Manifest = toml::from_str(text).map_err(|error| malformed(error.message().to_owned()))?;
    manifest.check().map_err(malformed)?;
    Ok(manifest)
}

fn verify(file: &Path, expected: &str) -> Result<(), PackError> {
    let unreadable = |source| PackError::Unreadable { file: file.to_owned(), source };
    let mut opened = File::open(file).map_err(|source| match source.kind() {
        std::io::ErrorKind::NotFound => PackError::Incomplete(file.to_owned()),
        _ => unreadable(source),
    })?;
    let mut digest = Sha256::new();
    let mut block = vec![0; 1 << 16];
    loop {
        match opened.read(&mut block).map_err(unreadable)? {
            0 => break,
            count => digest.update(&block[..count]),
        }
    }
    let found: String = digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    if found == expected { Ok(()) } else { Err(PackError::Changed(file.to_owned())) }
}
