//! The embeddings of an event or a library, with the faces they belong to.

use std::collections::HashSet;
use std::sync::Arc;

use domain::{FaceId, PhotoId};
use storage::faces::index::{IndexedFace, Position, Version};
use vision::{Engine, Generation};

use crate::Result;

/// Faces of a chunk: what is copied when one is appended while a search reads.
const CHUNK: usize = 1_024;

/// All embeddings of an event or a library by one recogniser at one version. A copy shares them, and grows by itself.
#[derive(Clone)]
pub(crate) struct CachedIndex {
    pub(crate) face_index: vision::FaceIndex,
    /// Whose face each row of the index is, all but the last chunk full.
    faces: Vec<Arc<Vec<(FaceId, PhotoId)>>>,
    /// None until all of it is read.
    version: Option<Version>,
}

impl CachedIndex {
    /// Memory that a face takes beside its embedding.
    pub(super) const BYTES_OF_FACE: usize = size_of::<(FaceId, PhotoId)>();

    pub(super) fn empty(engine: &Engine, generation: Generation) -> Result<Self> {
        let face_index = engine.face_index_of(generation, [])?;
        Ok(Self { face_index, faces: Vec::new(), version: None })
    }

    /// The face of a row, and the photo it is in.
    pub(crate) fn face(&self, row: usize) -> Option<(FaceId, PhotoId)> {
        self.faces.get(row / CHUNK)?.get(row % CHUNK).copied()
    }

    /// The rows of these faces.
    pub(crate) fn rows_of(&self, faces: &HashSet<FaceId>) -> Vec<usize> {
        if faces.is_empty() {
            return Vec::new();
        }
        let all = self.faces.iter().flat_map(|chunk| chunk.iter()).enumerate();
        all.filter(|(_, (face, _))| faces.contains(face)).map(|(row, _)| row).collect()
    }

    /// Memory it takes, in bytes.
    pub(super) fn bytes(&self) -> usize {
        let faces = self.faces.iter().map(|chunk| chunk.capacity() * Self::BYTES_OF_FACE);
        self.face_index.bytes() + faces.sum::<usize>()
    }

    /// Before the faces that are not in it.
    pub(super) fn end(&self) -> Position {
        self.version.map_or(Position::START, Version::position)
    }

    /// Whether it has all that a search finds at `wanted`, and nothing that has been removed since.
    pub(super) fn is_at(&self, wanted: Version) -> bool {
        self.can_grow_to(wanted) && self.version.is_some_and(|version| version.revision >= wanted.revision)
    }

    /// Whether nothing in it has been removed at `wanted`.
    pub(super) fn can_grow_to(&self, wanted: Version) -> bool {
        self.version.is_some_and(|version| version.removals == wanted.removals)
    }

    /// Appends faces.
    pub(super) fn extend(&mut self, faces: &[IndexedFace]) -> Result<()> {
        for face in faces {
            self.face_index.push(&face.embedding)?;
            if self.faces.last().is_none_or(|chunk| chunk.len() == CHUNK) {
                self.faces.push(Arc::default());
            }
            if let Some(chunk) = self.faces.last_mut() {
                Arc::make_mut(chunk).push((face.id, face.photo));
            }
        }
        Ok(())
    }

    /// Notes that it has all faces that a scope had at `version`, and all that came with the last of its own.
    pub(super) fn complete(&mut self, version: Version, last_change: Option<i64>) {
        let revision = last_change.map_or(version.revision, |change| change.max(version.revision));
        self.version = Some(Version { revision, ..version });
    }
}
