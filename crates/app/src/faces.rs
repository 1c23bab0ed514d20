//! Making faces searchable, and finding a person by a selfie.

pub(crate) mod admission;
pub mod consents;
pub(crate) mod describing;
pub(crate) mod descriptions;
pub mod evaluations;
pub mod folders;
pub(crate) mod index_cache;
pub mod indexing;
pub(crate) mod matching;
pub mod missed;
pub mod pace;
pub mod people;
pub mod reindexing;
pub mod renewal;
pub(crate) mod sealing;
pub mod search;
pub(crate) mod seen;
pub mod stale_embeddings;
pub(crate) mod templates;
