//! Finding, describing and comparing faces.
#![allow(clippy::unwrap_used, reason = "a test fails at what it did not expect")]

mod carried;
mod face_index;
mod odd_pictures;
mod packs;
mod pictures;
mod recognisers;
mod turned;
mod two_looks;

#[path = "../model_packs/mod.rs"]
mod model_packs;
#[path = "../onnx_files/mod.rs"]
mod onnx_files;
#[path = "../samples/mod.rs"]
mod samples;
