//! What an operator chooses about an engine.

use std::num::NonZeroUsize;

/// How many pictures are analysed at the same time. Each takes one processor, and while it runs some 150 MB, for a crowd that is
/// looked at as a whole 300 MB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineOptions {
    /// For [`Engine::faces`]; further callers wait.
    pub index_threads: NonZeroUsize,
    /// For [`Engine::selfie`], reserved for guests however long the queue of photos is.
    pub selfie_threads: NonZeroUsize,
}

impl Default for EngineOptions {
    fn default() -> Self {
        Self { index_threads: NonZeroUsize::MIN, selfie_threads: NonZeroUsize::MIN }
    }
}
