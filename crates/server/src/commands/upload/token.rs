//! The API token of `afterglow upload`: from the environment or a file, never from the command line, which `ps` shows to
//! everybody on the machine.

use std::path::Path;

use secrecy::SecretString;

use crate::cli::CliError;

/// Everybody but the owner.
const OTHERS: u32 = 0o077;

/// The token: that of the file, or of the environment.
pub(super) fn read(file: Option<&Path>, variable: Option<SecretString>) -> Result<SecretString, CliError> {
    match (file, variable) {
        (Some(file), _) => from_file(file),
        (None, Some(token)) => Ok(token),
        (None, None) => Err(CliError::new(
            "There is no API token. Make one on the account page, and put it into AFTERGLOW_TOKEN, or into a file that \
             you alone can read (--token-file FILE).",
        )),
    }
}

fn from_file(path: &Path) -> Result<SecretString, CliError> {
    let unreadable = |error: std::io::Error| CliError::context(&path.display().to_string(), &error);
    check_mode(path).map_err(unreadable)??;
    let text = std::fs::read_to_string(path).map_err(unreadable)?;
    let token = text.trim();
    if token.is_empty() {
        return Err(CliError::new(format!("{} is empty: it has to have an API token.", path.display())));
    }
    Ok(SecretString::from(token))
}

fn check_mode(path: &Path) -> std::io::Result<Result<(), CliError>> {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = std::fs::metadata(path)?.permissions().mode();
    let name = path.display();
    Ok(if mode & OTHERS == 0 {
        Ok(())
    } else {
        Err(CliError::new(format!(
            "{name} can be read by others on this machine (mode {:04o}): chmod 600 {name}",
            mode & 0o7777
        )))
    })
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use secrecy::ExposeSecret as _;

    use super::*;

    #[test]
    fn a_token_comes_from_the_environment_or_a_file_of_ones_own() {
        // [UPL172]
        let said = |result: Result<SecretString, CliError>| match result {
            Ok(token) => token.expose_secret().to_owned(),
            Err(error) => error.to_string(),
        };
        let variable = || Some(SecretString::from("afterglow_variable"));
        assert_eq!(said(read(None, variable())), "afterglow_variable");
        assert!(said(read(None, None)).starts_with("There is no API token."));
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("token");
        std::fs::write(&file, "afterglow_file\n").unwrap();
        for (mode, expected) in [
            (0o600, "afterglow_file"),
            (0o400, "afterglow_file"),
            (0o640, "(mode 0640)"),
            (0o604, "chmod 600"),
        ] {
            std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).unwrap();
            let found = said(read(Some(&file), variable()));
            assert!(found.contains(expected), "{mode:o}: {found}");
        }
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).unwrap();
        std::fs::write(&file, " \n").unwrap();
        assert!(said(read(Some(&file), None)).contains("is empty"));
        assert!(said(read(Some(&folder.path().join("none")), None)).contains("No such file"));
    }
}
