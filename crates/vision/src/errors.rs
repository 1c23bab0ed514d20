//! Why an engine does not start, or fails.

use crate::packs::PackError;

/// Why an engine does not start; each is one sentence that says what to do.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The pack cannot be used.
    #[error(transparent)]
    Pack(#[from] PackError),
    /// The inference engine or a network does not load.
    #[error("The face models in {folder} do not load ({reason}): remove the folder and run `make models`.")]
    Load {
        /// The pack's folder.
        folder: String,
        /// What the inference engine said.
        reason: String,
    },
    /// The models load, and give another answer than they must.
    #[error(
        "The face models in {folder} fail their self-test ({reason}): remove the folder and run `make models`; if that does not help, this processor computes them wrongly."
    )]
    SelfTest {
        /// The pack's folder.
        folder: String,
        /// What was wrong.
        reason: String,
    },
}

/// The inference engine failed on a picture.
#[derive(Debug, thiserror::Error)]
#[error("the inference engine failed: {reason}")]
pub struct InferenceError {
    pub(crate) reason: String,
}
