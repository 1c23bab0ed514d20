//! A picture in, faces and embeddings out; exact search over embeddings.
//!
//! The journey of a picture: [`Engine::faces`] shrinks it to the detector's size, finds the
//! faces, refines five landmarks of each in a second pass, warps each face upright into a
//! small chip, and computes the chip's [`domain::faces::Embedding`]. [`FaceIndex`] has the embeddings
//! of one event and finds those nearest to a selfie's.
//!
//! What the models need to be used rightly stands in the pack (`pack.toml`), so another
//! pack is another folder and no other code. Only this crate knows the inference engine.
//! Everything here blocks; callers bring their own threads.

mod alignment;
mod arithmetic;
mod chips;
mod detections;
mod engines;
mod errors;
pub mod evaluation;
mod face_index;
mod faces;
mod fake;
#[doc(hidden)]
pub mod fuzzing;
mod generations;
mod grouping;
#[doc(hidden)]
pub mod measuring;
mod onnx;
mod options;
mod packs;
mod resampling;

pub use arithmetic::Arithmetic;
pub use engines::Engine;
pub use errors::{InferenceError, OpenError};
pub use face_index::{
    Agreement, Candidate, DimensionError, FaceIndex, Hit, Margins, Matching, Search, Thresholds,
};
pub use faces::{Face, Flaw, Quality, Selfie};
pub use fake::{FakeEngine, PausedCalls};
pub use generations::{Generation, Recognisers};
pub use grouping::{Grouped, KnownGroup, group_faces};
pub use onnx::{NO_TELEMETRY, Onnx};
pub use options::EngineOptions;
pub use packs::{Pack, PackError};
