//! The face engines, as one closed set.

use std::path::Path;

use domain::faces::{BoundingBox, Embedding, Strictness};
use domain::photos::pixels::Pixels;

use crate::arithmetic::Arithmetic;
use crate::errors::{InferenceError, OpenError};
use crate::face_index::{DimensionError, FaceIndex, Matching, Search};
use crate::faces::{Face, Selfie};
use crate::fake::FakeEngine;
use crate::generations::{Generation, Recognisers};
use crate::grouping::{Grouped, KnownGroup, group_faces};
use crate::onnx::Onnx;
use crate::options::EngineOptions;
use crate::packs::Pack;

/// Finds and describes faces. Cheap to clone; clones share the models.
#[derive(Clone, Debug)]
pub enum Engine {
    /// Networks, run by ONNX Runtime.
    Onnx(Onnx),
    /// The test double.
    Fake(FakeEngine),
}

impl Engine {
    /// Loads the model pack in `folder` and tries it on a picture with a known outcome.
    ///
    /// # Errors
    /// One sentence for the person who starts the service, naming the command that helps.
    pub fn open(folder: &Path, options: EngineOptions) -> Result<Self, OpenError> {
        let engine = Onnx::open(Pack::load(folder)?, options)?;
        engine.self_test()?;
        Ok(Self::Onnx(engine))
    }

    /// Loads a pack without the self-test; for the one who makes a pack and writes that test's expected outcome.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn open_untested(folder: &Path, options: EngineOptions) -> Result<Self, OpenError> {
        Onnx::open(Pack::load(folder)?, options).map(Self::Onnx)
    }

    /// The test double, see [`FakeEngine`].
    pub fn fake() -> Self {
        Self::Fake(FakeEngine::new())
    }

    /// Which pack the embeddings belong to: those of different packs cannot be compared.
    pub fn pack_id(&self) -> &str {
        match self {
            Self::Onnx(onnx) => onnx.pack().id(),
            Self::Fake(fake) => fake.pack_id(),
        }
    }

    /// The pack before, whose recogniser this engine has too, for faces that its own has not described yet.
    pub fn previous_id(&self) -> Option<&str> {
        match self {
            Self::Onnx(onnx) => onnx.pack().previous_id(),
            Self::Fake(fake) => fake.previous_id(),
        }
    }

    /// The pack whose recogniser of a generation this engine has.
    pub fn id_of(&self, generation: Generation) -> Option<&str> {
        match generation {
            Generation::Current => Some(self.pack_id()),
            Generation::Previous => self.previous_id(),
        }
    }

    /// The packs whose embeddings this engine can compare with a picture, its own first.
    pub fn packs(&self) -> Vec<&str> {
        [Some(self.pack_id()), self.previous_id()].into_iter().flatten().collect()
    }

    /// The numbers that the detector computes with here. It says nothing about the embeddings, which are the pack's.
    pub fn arithmetic(&self) -> Arithmetic {
        match self {
            Self::Onnx(onnx) => onnx.arithmetic().clone(),
            Self::Fake(_) => Arithmetic::floats("a test double"),
        }
    }

    /// Whether the models still answer: describes an empty picture, in some milliseconds, unless photos are being indexed
    /// with all of them. Never holds up [`Self::selfie`].
    ///
    /// # Errors
    /// When the inference engine fails.
    pub fn ping(&self) -> Result<(), InferenceError> {
        match self {
            Self::Onnx(onnx) => onnx.ping(),
            Self::Fake(fake) => fake.ping(),
        }
    }

    /// Gives memory back to the allocator that networks keep for their next picture, except those in use. That picture costs
    /// what the first one cost.
    ///
    /// # Errors
    /// When the inference engine fails.
    pub fn release_memory(&self) -> Result<(), InferenceError> {
        match self {
            Self::Onnx(onnx) => onnx.release_memory(),
            Self::Fake(_) => Ok(()),
        }
    }

    /// The picture of the pack's self-test, in which one face is; a test double has none.
    ///
    /// # Errors
    /// When its file cannot be read.
    pub fn known_picture(&self) -> Result<Option<Pixels>, InferenceError> {
        match self {
            Self::Onnx(onnx) => onnx.known_picture().map(Some),
            Self::Fake(_) => Ok(None),
        }
    }

    /// Every face of a photo, by confidence, highest first. `photo` is the largest decoding at hand: small faces are cut from it.
    ///
    /// # Errors
    /// When the inference engine fails.
    pub fn faces(&self, photo: &Pixels) -> Result<Vec<Face>, InferenceError> {
        self.faces_by(photo, Recognisers::Current)
    }

    /// The same, described by these recognisers.
    ///
    /// # Errors
    /// When the inference engine fails.
    pub fn faces_by(&self, photo: &Pixels, by: Recognisers) -> Result<Vec<Face>, InferenceError> {
        match self {
            Self::Onnx(onnx) => onnx.faces(photo, by),
            Self::Fake(fake) => fake.ping().map(|()| fake.faces(photo, by)),
        }
    }

    /// Where faces are in a photo, also those that are too small to be described; nothing is said of whose they are. A face that the
    /// detector sees lying has the box around its head. Never waits for [`Self::faces`].
    ///
    /// # Errors
    /// When the inference engine fails.
    pub fn places(&self, photo: &Pixels) -> Result<Vec<BoundingBox>, InferenceError> {
        match self {
            Self::Onnx(onnx) => onnx.places(photo),
            Self::Fake(fake) => fake.ping().map(|()| fake.places(photo)),
        }
    }

    /// The faces at `places`, in their order, where this engine's detector has found them in a larger or smaller picture of the
    /// same; none where no face is seen. Costs nothing but the description.
    ///
    /// # Errors
    /// When the inference engine fails.
    pub fn describe(
        &self,
        photo: &Pixels,
        places: &[BoundingBox],
    ) -> Result<Vec<Option<Face>>, InferenceError> {
        match self {
            Self::Onnx(onnx) => onnx.describe(photo, places),
            Self::Fake(fake) => fake.ping().map(|()| fake.describe(photo, places)),
        }
    }

    /// The faces of a guest's picture, large ones in the middle first, at most twenty. Never waits for [`Self::faces`].
    ///
    /// # Errors
    /// When the inference engine fails.
    pub fn selfie(&self, picture: &Pixels) -> Result<Selfie, InferenceError> {
        self.selfie_by(picture, Recognisers::Current)
    }

    /// The same, described by these recognisers.
    ///
    /// # Errors
    /// When the inference engine fails.
    pub fn selfie_by(&self, picture: &Pixels, by: Recognisers) -> Result<Selfie, InferenceError> {
        match self {
            Self::Onnx(onnx) => onnx.selfie(picture, by),
            Self::Fake(fake) => fake.ping().map(|()| fake.selfie(picture, by)),
        }
    }

    /// Finds out which of `faces` belong to `known` groups, and which to each other, as [`group_faces`] does.
    ///
    /// # Errors
    /// When the embeddings do not all have the same length.
    pub fn group(&self, known: &[KnownGroup], faces: &[Embedding]) -> Result<Vec<Grouped>, DimensionError> {
        let count = faces.len() + known.iter().map(KnownGroup::len).sum::<usize>();
        group_faces(known, faces, self.matching(Generation::Current).grouping_threshold(count))
    }

    /// Lays out embeddings of this engine's pack for search.
    ///
    /// # Errors
    /// When the embeddings do not all have the same length.
    pub fn face_index<'a>(
        &self,
        embeddings: impl IntoIterator<Item = &'a Embedding>,
    ) -> Result<FaceIndex, DimensionError> {
        self.face_index_of(Generation::Current, embeddings)
    }

    /// The same, of embeddings of a generation.
    ///
    /// # Errors
    /// When the embeddings do not all have the same length.
    pub fn face_index_of<'a>(
        &self,
        generation: Generation,
        embeddings: impl IntoIterator<Item = &'a Embedding>,
    ) -> Result<FaceIndex, DimensionError> {
        FaceIndex::build(&self.matching(generation), embeddings)
    }

    /// Begins a search in several indexes of one generation; see [`FaceIndex::begin`].
    ///
    /// # Errors
    /// When the rejected embeddings do not all have the same length.
    pub fn search(
        &self,
        generation: Generation,
        faces: usize,
        selfies: &[Embedding],
        rejected: &[Embedding],
        strictness: Strictness,
    ) -> Result<Search, DimensionError> {
        FaceIndex::begin(&self.matching(generation), faces, selfies, rejected, strictness)
    }

    /// When two embeddings of a generation count as the same person's. Of one that this engine has no recogniser of, none do.
    pub fn matching(&self, generation: Generation) -> Matching {
        let matching = match self {
            Self::Onnx(onnx) => onnx.pack().matching(generation),
            Self::Fake(_) => Some(FakeEngine::matching()),
        };
        matching.unwrap_or_else(|| Matching::new(Vec::new(), 0, 1.0))
    }
}
