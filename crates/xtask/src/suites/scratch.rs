//! A folder in memory for what tests write for themselves: on a disk, each database that a test makes waits for it.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::failure::Failure;

const MEMORY: &str = "/dev/shm";
/// So many KiB have to be free in it.
const FREE_KIB: u64 = 6 << 20;

/// Removed when it is dropped.
pub(super) struct Scratch(PathBuf);

impl Scratch {
    /// For a suite; none where there is too little memory for it.
    pub(super) fn new(suite: &str) -> Result<Option<Self>, Failure> {
        if free_kib(Path::new(MEMORY)).is_none_or(|free| free < FREE_KIB) {
            return Ok(None);
        }
        let path = PathBuf::from(format!("{MEMORY}/afterglow-tests-{}-{suite}", std::process::id()));
        let scratch = Self(path.clone());
        // PostgreSQL's server runs as another user.
        fs::create_dir_all(&path)
            .and_then(|()| fs::set_permissions(&path, fs::Permissions::from_mode(0o1777)))
            .map_err(|source| Failure::File { path, source })?;
        Ok(Some(scratch))
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.0) {
            eprintln!("{} remains: {error}", self.0.display());
        }
    }
}

/// What `df` says is available to this user.
fn free_kib(folder: &Path) -> Option<u64> {
    let output = Command::new("df").args(["--output=avail", "-k"]).arg(folder).output().ok()?;
    String::from_utf8(output.stdout).ok()?.lines().nth(1)?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_goes_with_what_is_in_it() {
        assert!(free_kib(Path::new("/")).is_some());
        assert_eq!(free_kib(Path::new("/no/such/folder")), None);
        let Some(scratch) = Scratch::new("scratch").unwrap() else { return };
        let path = scratch.path().to_owned();
        fs::write(path.join("file"), "written").unwrap();
        drop(scratch);
        assert!(!path.exists());
    }
}
