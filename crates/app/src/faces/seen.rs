//! Faces of a photo that are about to be stored.

use std::collections::HashSet;

use domain::FaceId;
use domain::faces::{BoundingBox, Embedding};

/// A face as both recognisers of a pack see it.
pub(crate) struct SeenFace {
    pub(crate) id: FaceId,
    pub(crate) bounds: BoundingBox,
    pub(crate) embedding: Embedding,
    /// By the recogniser of the pack before, where somebody is known by it alone, or the face was stored so.
    pub(crate) previous: Option<Embedding>,
}

/// The places of faces in a list that are not stored.
pub(crate) type LeftOut = HashSet<usize>;
