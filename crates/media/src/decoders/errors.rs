//! Why a picture could not be read that is not the picture's doing.

use std::io;

/// Why a picture could not be read that is not the picture's doing: the next attempt may succeed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No process, no thread or no memory for one.
    #[error("a decoder cannot be started")]
    Start(#[source] io::Error),
    /// It ended in a way that no picture causes: somebody, or the kernel for want of memory, has ended it.
    #[error("a decoder ended before its answer: {0}")]
    Ended(String),
    /// It said what no decoder says.
    #[error("a decoder's answer is none")]
    Answer,
}
