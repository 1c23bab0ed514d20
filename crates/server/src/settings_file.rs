//! Which file the settings come from.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::cli::CliError;

/// The file in the folder that the command is run in.
const LOCAL: &str = "afterglow.toml";
/// Where a package installs the binary, and the settings that belong to it.
const PACKAGED: (&str, &str) = ("/usr/bin", "/etc/afterglow/afterglow.toml");

/// The file that is named; otherwise the folder's; otherwise, for the binary of a package, the system's.
pub(crate) fn path(named: Option<PathBuf>, folder: &Path, binary: Option<&Path>) -> Option<PathBuf> {
    let (folder_of_packages, system) = PACKAGED;
    let packaged =
        binary.and_then(Path::parent).is_some_and(|parent| parent == Path::new(folder_of_packages));
    named.or_else(|| {
        let local = folder.join(LOCAL);
        if local.exists() { Some(local) } else { packaged.then(|| PathBuf::from(system)) }
    })
}

/// What the file says; nothing where there is none and nobody has named it.
pub(crate) fn read(path: &Path, is_named: bool) -> Result<Option<String>, CliError> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::NotFound && !is_named => Ok(None),
        Err(error) => {
            let what = format!("The settings in {} cannot be read", path.display());
            let text = CliError::context(&what, &error).to_string();
            let hint = match error.kind() {
                ErrorKind::PermissionDenied => {
                    ". Run this as the service's user: sudo -u afterglow afterglow …"
                }
                _ => "",
            };
            Err(CliError::new(text + hint))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_named_wins_then_the_folders_file_then_the_packages() {
        let folder = tempfile::tempdir().unwrap();
        let (installed, built) =
            (Path::new("/usr/bin/afterglow"), Path::new("/home/me/target/debug/afterglow"));
        let system = PathBuf::from("/etc/afterglow/afterglow.toml");
        assert_eq!(path(None, folder.path(), Some(installed)), Some(system));
        assert_eq!(path(None, folder.path(), Some(built)), None, "a build reads no settings of the system");
        assert_eq!(path(None, folder.path(), None), None);
        let local = folder.path().join("afterglow.toml");
        std::fs::write(&local, "").unwrap();
        assert_eq!(path(None, folder.path(), Some(installed)), Some(local.clone()));
        let named = PathBuf::from("/srv/other.toml");
        assert_eq!(path(Some(named.clone()), folder.path(), Some(installed)), Some(named));
    }

    #[test]
    fn a_file_that_is_named_has_to_be_there() {
        let missing = Path::new("/nowhere/afterglow.toml");
        assert_eq!(read(missing, false).unwrap(), None);
        let refused = read(missing, true).unwrap_err().to_string();
        assert!(refused.contains("/nowhere/afterglow.toml"), "{refused}");
    }
}
