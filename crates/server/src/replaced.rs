//! Data that a restoration takes the place of: it is moved, never removed.
//!
//! What is to be moved is written down before, and forgotten once the backup is restored: a process that is killed between
//! leaves a journal, by which a start refuses, and by which the next restoration goes on.

use std::fs::File;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use domain::Timestamp;
use serde::{Deserialize, Serialize};

use crate::cli::CliError;
use crate::settings::Settings;

/// What SQLite has beside a database. Left there, a log would be written into the database that comes.
const BESIDE: [&str; 3] = ["", "-wal", "-shm"];
/// The journal, in the data folder.
const JOURNAL: &str = "restoring.json";

/// A restoration that has begun.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Unfinished {
    /// What is moved where. It was all there when the restoration began: what is there under both names is moved, and the
    /// restoration has begun to fill its place.
    moves: Vec<(PathBuf, PathBuf)>,
}

/// Refuses to work with data whose restoration was interrupted.
///
/// # Errors
/// Words with the cure and the way back.
pub(crate) fn check(settings: &Settings) -> Result<(), CliError> {
    let Some(unfinished) = unfinished(settings)? else { return Ok(()) };
    let moved = unfinished.moves.iter().filter(|(_, to)| is_there(to));
    let back: Vec<_> =
        moved.map(|(from, to)| format!("move {} to {}, ", to.display(), from.display())).collect();
    // A log that belongs to the new database would be written into the old one.
    let away = if back.is_empty() {
        ""
    } else {
        "remove what lies in its place by now, and -wal and -shm beside the database, "
    };
    Err(CliError::new(format!(
        "A restoration was interrupted. Run `afterglow restore FOLDER --replace` again, which goes on with it. To go back to the \
         data of before instead, {away}{}remove {}.",
        back.concat(),
        journal(settings).display()
    )))
}

/// The restoration that was interrupted, if one was.
///
/// # Errors
/// When its journal cannot be read.
pub(crate) fn unfinished(settings: &Settings) -> Result<Option<Unfinished>, CliError> {
    let path = journal(settings);
    let failed = |error: &dyn std::error::Error| {
        CliError::context(&format!("{} cannot be read", path.display()), error)
    };
    match std::fs::read(&path) {
        Ok(bytes) => serde_json::from_slice(&bytes).map(Some).map_err(|error| failed(&error)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(failed(&error)),
    }
}

/// Moves the SQLite database with its log, and the media folder, to names beside them, and writes down that a restoration has
/// begun; a line for each that was moved.
///
/// # Errors
/// When the database or the media are not files of this machine, or cannot be moved; then they are as they were.
pub(crate) fn move_aside(settings: &Settings, at: Timestamp) -> Result<Vec<String>, CliError> {
    let unfinished = Unfinished::plan(settings, at)?;
    if unfinished.moves.is_empty() {
        return Ok(Vec::new());
    }
    unfinished.write_down(settings)?;
    match unfinished.go_on() {
        Ok(told) => Ok(told),
        Err(error) => {
            for (from, to) in unfinished.moves.iter().rev().filter(|(_, to)| is_there(to)) {
                // The first failure is the one to be told. With the journal there, the next restoration goes on.
                if std::fs::rename(to, from).is_err() {
                    return Err(error);
                }
            }
            end(settings)?;
            Err(error)
        }
    }
}

/// Forgets the restoration, which is complete.
///
/// # Errors
/// When that cannot be written.
pub(crate) fn end(settings: &Settings) -> Result<(), CliError> {
    let path = journal(settings);
    let removed = match std::fs::remove_file(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        removed => removed,
    };
    removed
        .and_then(|()| sync_folder_of(&path))
        .map_err(|error| CliError::context(&format!("{} cannot be removed", path.display()), &error))
}

impl Unfinished {
    fn plan(settings: &Settings, at: Timestamp) -> Result<Self, CliError> {
        let (database, media) = (settings.database_url(), settings.media_url());
        let (Some(database), Some(media)) =
            (database.strip_prefix("sqlite://"), media.strip_prefix("file://"))
        else {
            return Err(CliError::new(
                "Only a SQLite database and a media folder are moved aside. Make an empty PostgreSQL database or another prefix of \
                 the bucket, name it in the settings, and restore without --replace.",
            ));
        };
        let files = BESIDE.iter().map(|end| PathBuf::from(format!("{database}{end}")));
        let all = std::iter::once(PathBuf::from(media.trim_end_matches('/'))).chain(files);
        let suffix = format!(".replaced-{}", at.to_rfc3339().replace(':', "-"));
        let mut moves = Vec::new();
        for from in all {
            // The next process may have another working directory.
            let from = std::path::absolute(&from).map_err(|error| cannot_move(&from, &error))?;
            let database = std::path::absolute(database).map_err(|error| cannot_move(&from, &error))?;
            let to = target(&from, &database, &suffix);
            if is_there(&to) {
                return Err(cannot_move(&from, &std::io::Error::from(ErrorKind::AlreadyExists)));
            }
            if is_there(&from) {
                moves.push((from, to));
            }
        }
        Ok(Self { moves })
    }

    /// Writes the journal, whole and on stable storage.
    fn write_down(&self, settings: &Settings) -> Result<(), CliError> {
        let path = journal(settings);
        let written = || -> std::io::Result<()> {
            std::fs::create_dir_all(&settings.data_dir)?;
            let unnamed = path.with_extension("writing");
            let mut file = File::create(&unnamed)?;
            file.write_all(&serde_json::to_vec_pretty(self)?)?;
            file.sync_all()?;
            std::fs::rename(&unnamed, &path)?;
            sync_folder_of(&path)
        };
        written().map_err(|error| CliError::context(&format!("{} cannot be written", path.display()), &error))
    }

    /// Moves what is not moved yet; a line for each of it.
    ///
    /// # Errors
    /// When something cannot be moved.
    pub(crate) fn go_on(&self) -> Result<Vec<String>, CliError> {
        let mut told = Vec::new();
        for (from, to) in &self.moves {
            if move_one(from, to).map_err(|error| cannot_move(from, &error))? {
                told.push(format!("Moved {} to {}.", from.display(), to.display()));
            }
        }
        Ok(told)
    }
}

/// Whether it had to be moved.
fn move_one(from: &Path, to: &Path) -> std::io::Result<bool> {
    if is_there(to) {
        return Ok(false);
    }
    std::fs::rename(from, to)?;
    sync_folder_of(to)?;
    Ok(true)
}

fn is_there(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

fn cannot_move(path: &Path, error: &std::io::Error) -> CliError {
    CliError::context(&format!("{} cannot be moved aside", path.display()), error)
}

fn journal(settings: &Settings) -> PathBuf {
    settings.data_dir.join(JOURNAL)
}

fn sync_folder_of(path: &Path) -> std::io::Result<()> {
    path.parent().map_or(Ok(()), |folder| File::open(folder)?.sync_all())
}

/// The log keeps its end, so that SQLite finds it beside the database when that is put back.
fn target(from: &Path, database: &Path, suffix: &str) -> PathBuf {
    let (name, database) = (from.display().to_string(), database.display().to_string());
    match name.strip_prefix(&database) {
        Some(end) => PathBuf::from(format!("{database}{suffix}{end}")),
        None => PathBuf::from(format!("{name}{suffix}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT: Timestamp = Timestamp::from_millis(1_795_165_200_000);

    /// A folder with data, and what it has under its names.
    fn filled() -> (tempfile::TempDir, Settings) {
        let folder = tempfile::tempdir().unwrap();
        for name in ["afterglow.db", "afterglow.db-wal", "afterglow.db-shm"] {
            std::fs::write(folder.path().join(name), name).unwrap();
        }
        std::fs::create_dir(folder.path().join("media")).unwrap();
        std::fs::write(folder.path().join("media/a"), "a").unwrap();
        let settings = Settings { data_dir: folder.path().to_owned(), ..Settings::default() };
        (folder, settings)
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    fn suffix() -> String {
        format!(".replaced-{}", AT.to_rfc3339().replace(':', "-"))
    }

    #[test]
    fn old_data_is_moved_with_its_log_and_put_back_when_that_fails() {
        // [SAFE216] [SAFE254]
        let empty = tempfile::tempdir().unwrap();
        let nothing = Settings { data_dir: empty.path().join("none"), ..Settings::default() };
        assert_eq!(move_aside(&nothing, AT).unwrap(), Vec::<String>::new(), "there is nothing");
        check(&nothing).unwrap();

        // The new name of the second one is too long for a file; that of the first is not.
        let (folder, settings) = filled();
        let long = folder.path().join("d".repeat(240));
        std::fs::write(&long, "rows").unwrap();
        let before = names(folder.path());
        let url = format!("sqlite://{}", long.display());
        let with_long = Settings { database_url: Some(url.into()), ..settings.clone() };
        assert!(move_aside(&with_long, AT).unwrap_err().to_string().contains("cannot be moved aside"));
        assert_eq!(names(folder.path()), before, "all is as it was");
        std::fs::remove_file(long).unwrap();

        assert_eq!(move_aside(&settings, AT).unwrap().len(), 4);
        let suffix = suffix();
        let ends = ["", "-shm", "-wal"].map(|end| format!("afterglow.db{suffix}{end}"));
        let expected = [&ends[..], &[format!("media{suffix}"), String::from(JOURNAL)]].concat();
        assert_eq!(names(folder.path()), expected);
        end(&settings).unwrap();
        end(&settings).unwrap();
        assert_eq!(names(folder.path()), expected[..4]);

        // Nothing takes the place of what was moved before.
        std::fs::write(folder.path().join("afterglow.db"), "new").unwrap();
        assert!(move_aside(&settings, AT).unwrap_err().to_string().contains("cannot be moved aside"));
        let elsewhere = Settings { media_url: Some(String::from("s3://bucket").into()), ..settings };
        assert!(move_aside(&elsewhere, AT).unwrap_err().to_string().contains("without --replace"));
    }

    #[test]
    fn a_kill_at_each_step_leaves_what_the_next_restoration_goes_on_with() {
        // [SAFE302]
        let (_folder, whole) = filled();
        move_aside(&whole, AT).unwrap();
        let expected = names(&whole.data_dir);
        for steps in 0..=4 {
            let (folder, settings) = filled();
            let planned = Unfinished::plan(&settings, AT).unwrap();
            assert_eq!(planned.moves.len(), 4);
            planned.write_down(&settings).unwrap();
            for (from, to) in planned.moves.iter().take(steps) {
                assert!(move_one(from, to).unwrap());
            }
            // Killed here. Nobody serves the half of it, and it is said what belongs where.
            let told = check(&settings).unwrap_err().to_string();
            assert!(told.contains("`afterglow restore FOLDER --replace` again"), "{told}");
            assert_eq!(told.matches(", move /").count(), steps, "{told}");
            let found = unfinished(&settings).unwrap().unwrap();
            assert_eq!(found, planned);
            assert_eq!(found.go_on().unwrap().len(), 4 - steps);
            assert_eq!(names(folder.path()), expected);

            // What the interrupted restoration has put there already is left alone.
            std::fs::write(folder.path().join("afterglow.db"), "new").unwrap();
            assert_eq!(found.go_on().unwrap(), Vec::<String>::new());
            let old = folder.path().join(format!("afterglow.db{}", suffix()));
            assert_eq!(std::fs::read_to_string(old).unwrap(), "afterglow.db");
        }
        let (folder, settings) = filled();
        std::fs::write(folder.path().join(JOURNAL), "{").unwrap();
        assert!(check(&settings).unwrap_err().to_string().contains("cannot be read"));
    }
}
