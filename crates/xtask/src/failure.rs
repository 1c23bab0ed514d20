//! Why a task could not run; a violated rule is a result, not one of these.

use std::io;
use std::path::PathBuf;

#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    #[error("cannot start `{command}`: {source}")]
    Spawn { command: String, source: io::Error },
    #[error("`{command}` failed: {stderr}")]
    Command { command: String, stderr: String },
    #[error("{}: {source}", path.display())]
    File { path: PathBuf, source: io::Error },
    #[error("{what}: {reason}")]
    Invalid { what: String, reason: String },
}

impl Failure {
    pub(crate) fn invalid(what: impl Into<String>, reason: impl ToString) -> Self {
        Self::Invalid { what: what.into(), reason: reason.to_string() }
    }
}
