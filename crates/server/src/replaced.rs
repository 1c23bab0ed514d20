//! Data that a restoration takes the place of: it is moved, never removed.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use domain::Timestamp;

use crate::cli::CliError;
use crate::settings::Settings;

/// What SQLite has beside a database. Left there, a log would be written into the database that comes.
const BESIDE: [&str; 3] = ["", "-wal", "-shm"];

/// Moves the SQLite database with its log, and the media folder, to names beside them; a line for each that was moved.
///
/// # Errors
/// When the database or the media are not files of this machine, or cannot be moved; then they are as they were.
pub(crate) fn move_aside(settings: &Settings, at: Timestamp) -> Result<Vec<String>, CliError> {
    let (database, media) = (settings.database_url(), settings.media_url());
    let (Some(database), Some(media)) = (database.strip_prefix("sqlite://"), media.strip_prefix("file://"))
    else {
        return Err(CliError::new(
            "Only a SQLite database and a media folder are moved aside. Make an empty PostgreSQL database or another prefix of \
             the bucket, name it in the settings, and restore without --replace.",
        ));
    };
    let files = BESIDE.iter().map(|end| PathBuf::from(format!("{database}{end}")));
    let all = std::iter::once(PathBuf::from(media.trim_end_matches('/'))).chain(files);
    let suffix = format!(".replaced-{}", at.to_rfc3339().replace(':', "-"));
    let mut moved: Vec<(PathBuf, PathBuf)> = Vec::new();
    for from in all {
        let to = target(&from, database, &suffix);
        match std::fs::rename(&from, &to) {
            Ok(()) => moved.push((from, to)),
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => {
                for (from, to) in moved.iter().rev() {
                    // The first failure is the one to be told.
                    let _ = std::fs::rename(to, from);
                }
                return Err(CliError::context(&format!("{} cannot be moved aside", from.display()), &error));
            }
        }
    }
    Ok(moved.iter().map(|(from, to)| format!("Moved {} to {}.", from.display(), to.display())).collect())
}

/// The log keeps its end, so that SQLite finds it beside the database when that is put back.
fn target(from: &Path, database: &str, suffix: &str) -> PathBuf {
    let name = from.display().to_string();
    match name.strip_prefix(database) {
        Some(end) => PathBuf::from(format!("{database}{suffix}{end}")),
        None => PathBuf::from(format!("{name}{suffix}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_data_is_moved_with_its_log_and_put_back_when_that_fails() {
        // [SAFE216] [SAFE254]
        let folder = tempfile::tempdir().unwrap();
        let settings = Settings { data_dir: folder.path().to_owned(), ..Settings::default() };
        let at = Timestamp::from_millis(1_795_165_200_000);
        assert_eq!(move_aside(&settings, at).unwrap(), Vec::<String>::new(), "there is nothing");
        for name in ["afterglow.db", "afterglow.db-wal", "afterglow.db-shm"] {
            std::fs::write(folder.path().join(name), name).unwrap();
        }
        std::fs::create_dir(folder.path().join("media")).unwrap();
        std::fs::write(folder.path().join("media/a"), "a").unwrap();
        let names = || {
            let entries = std::fs::read_dir(folder.path()).unwrap();
            let mut names: Vec<_> =
                entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
            names.sort();
            names
        };
        let before = names();

        // A folder that has the log's new name lets the last move but one fail.
        let suffix = format!(".replaced-{}", at.to_rfc3339().replace(':', "-"));
        let obstacle = folder.path().join(format!("afterglow.db{suffix}-wal"));
        std::fs::create_dir(&obstacle).unwrap();
        assert!(move_aside(&settings, at).unwrap_err().to_string().contains("cannot be moved aside"));
        std::fs::remove_dir(&obstacle).unwrap();
        assert_eq!(names(), before, "all is as it was");

        assert_eq!(move_aside(&settings, at).unwrap().len(), 4);
        let ends = ["", "-shm", "-wal"].map(|end| format!("afterglow.db{suffix}{end}"));
        assert_eq!(names(), [&ends[..], &[format!("media{suffix}")]].concat());
        let elsewhere = Settings { media_url: Some(String::from("s3://bucket").into()), ..settings };
        assert!(move_aside(&elsewhere, at).unwrap_err().to_string().contains("without --replace"));
    }
}
