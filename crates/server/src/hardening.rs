//! What the process denies itself and others, from its start on.

use rustix::fs::Mode;
use rustix::process::{DumpableBehavior, Resource, Rlimit, set_dumpable_behavior, setrlimit, umask};

use crate::cli::CliError;

/// Makes every file that this process creates its owner's alone, and lets no crash write its memory, where selfies and
/// embeddings are, to a disk.
pub(crate) fn harden() -> Result<(), CliError> {
    umask(Mode::from_raw_mode(0o077));
    let denied = |error: rustix::io::Errno| CliError::context("Core dumps cannot be switched off", &error);
    setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) }).map_err(denied)?;
    // The limit does not count where dumps go to a program, as with systemd.
    set_dumpable_behavior(DumpableBehavior::NotDumpable).map_err(denied)
}
