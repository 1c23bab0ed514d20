//! What is kept of a SQLite database before its schema is changed. A server has tools of its own for that.

use std::path::{Path, PathBuf};

use crate::operations::{schema, snapshots};
use crate::{Db, Error, Result};

/// The ending of a snapshot that is being written.
const PARTIAL: &str = "partial";

/// What is about to be changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Upgrade {
    /// The file of the database.
    pub file: PathBuf,
    /// The version that its schema has.
    pub from: i64,
    /// The version that it will have.
    pub to: i64,
    /// The most that a snapshot of it takes, in bytes.
    pub bytes: u64,
}

/// The file of a SQLite database.
pub fn file(db: &Db) -> Option<PathBuf> {
    match db {
        Db::Sqlite { readers, .. } => Some(readers.connect_options().get_filename().to_owned()),
        Db::Postgres(_) => None,
    }
}

/// The upgrade that waits for a SQLite database in which somebody has registered; none when there is nothing to be done, or
/// nothing to be lost.
///
/// # Errors
/// When the database cannot be read.
pub async fn pending(db: &Db) -> Result<Option<Upgrade>> {
    let (Db::Sqlite { readers, .. }, Some(file)) = (db, file(db)) else { return Ok(None) };
    let schema = schema::version(db).await?;
    let Some(from) = schema.found.filter(|_| schema.pending > 0 && !schema.is_newer) else { return Ok(None) };
    if snapshots::is_vacant(db).await? {
        return Ok(None);
    }
    let pages: (i64, i64) =
        sqlx::query_as("SELECT page_count, page_size FROM pragma_page_count(), pragma_page_size()")
            .fetch_one(readers)
            .await?;
    let bytes = u64::try_from(pages.0.saturating_mul(pages.1)).unwrap_or_default();
    Ok(Some(Upgrade { file, from, to: schema.known, bytes }))
}

/// Copies the database to a file beside it, which is whole and on stable storage when this returns, under a name that says
/// `at` and the versions.
///
/// # Errors
/// Also when the file cannot be written.
pub async fn keep(db: &Db, upgrade: &Upgrade, at: &str) -> Result<PathBuf> {
    let Upgrade { file, from, to, .. } = upgrade;
    let name = format!("{}{}-schema-{from}-to-{to}", prefix(file), at.replace(':', "-"));
    let path = file.with_file_name(name);
    let partial = path.with_extension(PARTIAL);
    snapshots::write(db, &partial).await?;
    let written = tokio::fs::File::open(&partial).await.map_err(Error::Snapshot)?;
    written.sync_all().await.map_err(Error::Snapshot)?;
    tokio::fs::rename(&partial, &path).await.map_err(Error::Snapshot)?;
    Ok(path)
}

/// The files that [`keep`] has made beside a database's file, oldest first.
///
/// # Errors
/// [`Error::Snapshot`] when the folder cannot be read.
pub async fn kept(file: &Path) -> Result<Vec<PathBuf>> {
    let mut found = beside(file).await?;
    found.retain(|path| !is_partial(path));
    Ok(found)
}

/// The files that a process which was killed in [`keep`] has left beside a database's file, and the one that is being written.
///
/// # Errors
/// [`Error::Snapshot`] when the folder cannot be read.
pub async fn unfinished(file: &Path) -> Result<Vec<PathBuf>> {
    let mut found = beside(file).await?;
    found.retain(|path| is_partial(path));
    Ok(found)
}

fn is_partial(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == PARTIAL)
}

/// The snapshots beside a database's file in the order of their names, which begin with their time.
async fn beside(file: &Path) -> Result<Vec<PathBuf>> {
    let (prefix, mut found) = (prefix(file), Vec::new());
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut entries = tokio::fs::read_dir(folder).await.map_err(Error::Snapshot)?;
    while let Some(entry) = entries.next_entry().await.map_err(Error::Snapshot)? {
        if entry.file_name().to_string_lossy().starts_with(&prefix) {
            found.push(entry.path());
        }
    }
    found.sort();
    Ok(found)
}

fn prefix(file: &Path) -> String {
    let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    format!("{name}.before-")
}
