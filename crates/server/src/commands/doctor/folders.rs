//! The folders that the service writes to: whose they are, and whether they can be written.

use std::fs::OpenOptions;
use std::io::{self, ErrorKind, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use super::finding::Finding;
use crate::settings::Settings;

/// The folders in use, each once, under the name of its check.
pub(super) fn check(settings: &Settings) -> Vec<Finding> {
    let mut folders: Vec<(&'static str, PathBuf)> = vec![("data_folder", settings.data_dir.clone())];
    let of = |url: String, scheme: &str| url.strip_prefix(scheme).map(PathBuf::from);
    if let Some(file) = of(settings.database_url(), "sqlite://") {
        folders.extend(file.parent().map(|folder| ("database_folder", folder.to_owned())));
    }
    folders.extend(of(settings.media_url(), "file://").map(|folder| ("media_folder", folder)));
    folders.extend(of(settings.mail_url(), "outbox://").map(|folder| ("outbox_folder", folder)));
    let mut findings: Vec<Finding> = Vec::new();
    for (number, (name, folder)) in folders.iter().enumerate() {
        if !folders[..number].iter().any(|(_, other)| other == folder) {
            findings.push(one(name, folder));
        }
    }
    findings
}

fn one(name: &'static str, folder: &Path) -> Finding {
    let shown = folder.display();
    let attributes = match std::fs::metadata(folder) {
        Ok(attributes) => attributes,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return Finding::warning(
                name,
                format!("{shown} is not there yet."),
                "The first start makes it; if the service has run before, mount its disk or correct the setting.",
            );
        }
        Err(error) => return unusable(name, folder, &error),
    };
    if !attributes.is_dir() {
        return Finding::failed(name, format!("{shown} is no folder."), "Correct the setting that names it.");
    }
    if let Err(error) = write(folder) {
        return unusable(name, folder, &error);
    }
    let (owner, own) = (attributes.uid(), rustix::process::geteuid().as_raw());
    if owner != own {
        return Finding::warning(
            name,
            format!("{shown} belongs to user {owner}, and this is user {own}."),
            format!(
                "Run this as the user that the service runs as; if that is not {owner}, give it the folder with `chown -R`."
            ),
        );
    }
    if attributes.mode() & 0o007 != 0 {
        return Finding::warning(
            name,
            format!("Every user of this machine can look into {shown}."),
            format!("`chmod -R go= {shown}` leaves it to the service."),
        );
    }
    Finding::ok(name, format!("{shown} can be written, and belongs to this user ({own})."))
}

fn unusable(name: &'static str, folder: &Path, error: &io::Error) -> Finding {
    let cure = match error.kind() {
        ErrorKind::PermissionDenied => {
            "Run this as the user that the service runs as, and give it the folder with `chown -R`."
        }
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "Free some space on its disk.",
        ErrorKind::ReadOnlyFilesystem => {
            "Mount its disk for writing, or let the unit's or container's protection except it."
        }
        _ => "Look at the disk, and at the system's log.",
    };
    Finding::failed(name, format!("{} cannot be written: {error}.", folder.display()), cure)
}

/// Writes a file to stable storage, and removes it.
fn write(folder: &Path) -> io::Result<()> {
    let path = folder.join(format!(".doctor-{}", std::process::id()));
    let mut file = OpenOptions::new().write(true).create_new(true).open(&path)?;
    let written = file.write_all(b"probe").and_then(|()| file.sync_all());
    let removed = std::fs::remove_file(&path);
    written.and(removed)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;
    use crate::commands::doctor::finding::Status;

    #[test]
    fn a_folder_is_written_to_and_left_as_it_was() {
        let parent = tempfile::tempdir().unwrap();
        let folder = parent.path().join("data");
        assert_eq!(one("data_folder", &folder).status, Status::Warning, "it is not there");
        assert!(!folder.exists(), "nothing is made");
        std::fs::create_dir(&folder).unwrap();
        let mode = |mode| std::fs::set_permissions(&folder, PermissionsExt::from_mode(mode)).unwrap();
        mode(0o700);
        assert_eq!(one("data_folder", &folder).status, Status::Ok);
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
        mode(0o755);
        let open = one("data_folder", &folder);
        assert!(open.cure.unwrap().starts_with("`chmod -R go= "));
        let file = parent.path().join("file");
        std::fs::write(&file, "").unwrap();
        assert_eq!(one("data_folder", &file).status, Status::Failed);
        let denied = unusable("data_folder", &folder, &ErrorKind::PermissionDenied.into());
        assert!(denied.cure.unwrap().contains("chown"));
    }

    #[test]
    fn each_folder_is_looked_at_once() {
        let settings = Settings { data_dir: "/no/such/data".into(), ..Settings::default() };
        let names: Vec<_> = check(&settings).into_iter().map(|finding| finding.name).collect();
        assert_eq!(names, ["data_folder", "media_folder", "outbox_folder"]);
        let elsewhere = Settings {
            database_url: Some(String::from("sqlite:///srv/a.db").into()),
            media_url: Some(String::from("s3://bucket").into()),
            mail_url: Some(String::from("smtp://localhost").into()),
            ..settings
        };
        let names: Vec<_> = check(&elsewhere).into_iter().map(|finding| finding.name).collect();
        assert_eq!(names, ["data_folder", "database_folder"]);
    }
}
