//! Why a chore could not be done at all; a law that is broken is a result, not one of these.

use std::io;
use std::path::PathBuf;

#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    #[error("cannot start `{command}`: {source}")]
    Start { command: String, source: io::Error },
    #[error("`{command}` failed: {stderr}")]
    Command { command: String, stderr: String },
    #[error("{}: {source}", path.display())]
    File { path: PathBuf, source: io::Error },
    #[error("{what}: {why}")]
    Form { what: String, why: String },
}

impl Failure {
    pub(crate) fn form(what: impl Into<String>, why: impl ToString) -> Self {
        Self::Form { what: what.into(), why: why.to_string() }
    }
}
