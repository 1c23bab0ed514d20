//! The folder of a backup.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufRead as _, BufReader, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use bytes::Bytes;
use domain::Refusal;
use domain::photos::{ContentHash, MediaKey};
use futures::TryStreamExt as _;
use media::stores::{Error, Source, Store};
use serde::{Deserialize, Serialize};

use crate::{Failure, Result};

/// The form of the folder; a later program that changes it writes another number.
const FORMAT: u32 = 1;
const SNAPSHOTS: &str = "snapshots";
/// A snapshot that is being written; its name is given to it when it is whole.
const PARTIAL: &str = ".partial";
const MANIFEST: &str = "manifest.json";
const FILES: &str = "files.jsonl";
const DATABASE: &str = "database.sqlite";

/// A file of the media store, and its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) key: MediaKey,
    pub(super) hash: ContentHash,
    pub(super) size: u64,
}

/// A line of `index.jsonl` and `files.jsonl`.
#[derive(Serialize, Deserialize)]
struct Line {
    key: String,
    blake3: String,
    size: u64,
}

impl From<&Entry> for Line {
    fn from(entry: &Entry) -> Self {
        Self { key: entry.key.as_str().to_owned(), blake3: hex(&entry.hash), size: entry.size }
    }
}

impl Line {
    fn entry(self) -> Option<Entry> {
        let hash = *blake3::Hash::from_hex(self.blake3).ok()?.as_bytes();
        Some(Entry { key: MediaKey::from_trusted(self.key), hash, size: self.size })
    }
}

/// What a snapshot consists of.
#[derive(Serialize, Deserialize)]
struct Manifest {
    format: u32,
    created_at: String,
    /// The version of the program that wrote it; none in those of before it was noted, as the four below.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    program: Option<String>,
    /// The version of the database's schema.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    schema: Option<i64>,
    /// The number of rows of each table.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    rows: BTreeMap<String, u64>,
    /// The number of files, and of all their bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    files: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    bytes: Option<u64>,
    database_blake3: String,
    files_blake3: String,
}

/// What the database of a snapshot has.
pub(super) struct DatabaseContents {
    pub(super) schema: Option<i64>,
    /// The number of rows of each table.
    pub(super) rows: BTreeMap<String, u64>,
}

/// The folder, locked against a second backup while this value lives.
pub(super) struct Folder {
    path: PathBuf,
    objects: Store,
    _lock: Option<File>,
}

impl Folder {
    /// Opens the folder to write to it; makes it when it is missing, readable by its owner alone.
    ///
    /// # Errors
    /// A refusal when another backup is running.
    pub(super) fn create(path: &Path) -> Result<Self> {
        make_private(path)?;
        make_private(&path.join(SNAPSHOTS))?;
        let lock = OpenOptions::new().create(true).truncate(false).write(true).open(path.join("lock"))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let text = format!("Another backup is being written to {}.", path.display());
                return Err(Refusal::Malformed(text).into());
            }
            Err(TryLockError::Error(error)) => return Err(error.into()),
        }
        Self::at(path, Some(lock))
    }

    /// Opens the folder to read it.
    ///
    /// # Errors
    /// A refusal when there is no backup in it.
    pub(super) fn open(path: &Path) -> Result<Self> {
        if !path.join(SNAPSHOTS).is_dir() {
            let text = format!("There is no backup in {}.", path.display());
            return Err(Refusal::Malformed(text).into());
        }
        Self::at(path, None)
    }

    fn at(path: &Path, lock: Option<File>) -> Result<Self> {
        let path = std::path::absolute(path)?;
        let objects = Store::open(&format!("file://{}", path.display()), [])?;
        Ok(Self { path, objects, _lock: lock })
    }

    /// Whether the bytes are there, as far as their number tells.
    pub(super) async fn contains(&self, hash: &ContentHash, size: u64) -> Result<bool> {
        Ok(self.objects.size(&object(hash)).await? == Some(size))
    }

    /// The bytes; none when they are missing, are not those, or lie where the disk has lost them.
    pub(super) async fn read(&self, hash: &ContentHash) -> Result<Option<Bytes>> {
        let read = Error::unless_unreadable(self.objects.read(&object(hash), None).await)?.flatten();
        let Some(read) = read else { return Ok(None) };
        let bytes = Error::unless_unreadable(read.whole().await)?;
        Ok(bytes.filter(|bytes| blake3::hash(bytes).as_bytes() == hash))
    }

    /// Stores bytes, on stable storage when it returns.
    pub(super) async fn add(&self, bytes: Bytes) -> Result<ContentHash> {
        let hash = *blake3::hash(&bytes).as_bytes();
        self.objects.put(&object(&hash), Source::Bytes(bytes)).await?;
        Ok(hash)
    }

    /// Deletes all bytes but these; answers how many files that were.
    pub(super) async fn retain(&self, hashes: &HashSet<ContentHash>) -> Result<usize> {
        let keys: Vec<MediaKey> = self.objects.list("media/").map_ok(|entry| entry.key).try_collect().await?;
        let kept: HashSet<MediaKey> = hashes.iter().map(object).collect();
        let mut deleted = 0;
        for key in keys.iter().filter(|key| !kept.contains(key)) {
            self.objects.delete(key).await?;
            deleted += 1;
        }
        Ok(deleted)
    }

    /// What is known of files that were copied before. A last line that a crash cut off is left out.
    pub(super) fn index(&self) -> Result<HashMap<MediaKey, Entry>> {
        let path = self.path.join("index.jsonl");
        let mut known = HashMap::new();
        if path.exists() {
            for line in BufReader::new(File::open(path)?).lines() {
                let entry = serde_json::from_str(&line?).ok().and_then(Line::entry);
                known.extend(entry.map(|entry| (entry.key.clone(), entry)));
            }
        }
        Ok(known)
    }

    /// Opens the index to append to it.
    pub(super) fn appender(&self) -> Result<Appender> {
        let path = self.path.join("index.jsonl");
        let mut file = OpenOptions::new().create(true).append(true).open(path)?;
        // Ends a line that a crash cut off.
        file.write_all(b"\n")?;
        Ok(Appender(file))
    }

    /// Begins a snapshot; answers the path at which its database is to be written.
    pub(super) fn begin_snapshot(&self) -> Result<PathBuf> {
        let partial = self.partial();
        if partial.exists() {
            fs::remove_dir_all(&partial)?;
        }
        make_private(&partial)?;
        Ok(partial.join(DATABASE))
    }

    /// Completes the snapshot: afterwards it is whole, under its name, on stable storage, and was read again.
    ///
    /// # Errors
    /// A refusal when other bytes are read than were written.
    pub(super) fn finish_snapshot(
        &self,
        name: &str,
        created_at: &str,
        database: DatabaseContents,
        entries: &[Entry],
    ) -> Result<()> {
        let DatabaseContents { schema, rows } = database;
        let partial = self.partial();
        let mut files = Vec::new();
        for entry in entries {
            serde_json::to_writer(&mut files, &Line::from(entry)).map_err(io::Error::from)?;
            files.push(b'\n');
        }
        write_synced(&partial.join(FILES), &files)?;
        let path = partial.join(DATABASE);
        File::open(&path)?.sync_all()?;
        let manifest = Manifest {
            format: FORMAT,
            created_at: created_at.to_owned(),
            program: Some(env!("CARGO_PKG_VERSION").to_owned()),
            schema,
            rows,
            files: Some(entries.len()),
            bytes: Some(entries.iter().map(|entry| entry.size).sum()),
            database_blake3: hex(&hash_file(&path)?),
            files_blake3: hex(blake3::hash(&files).as_bytes()),
        };
        let manifest = serde_json::to_vec_pretty(&manifest).map_err(io::Error::from)?;
        write_synced(&partial.join(MANIFEST), &manifest)?;
        File::open(&partial)?.sync_all()?;
        fs::rename(&partial, self.snapshot(name))?;
        File::open(self.path.join(SNAPSHOTS))?.sync_all()?;
        self.read_snapshot(name).map(drop)
    }

    /// The names of the whole snapshots, oldest first.
    pub(super) fn snapshots(&self) -> Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(self.path.join(SNAPSHOTS))? {
            let name = entry?.file_name().to_string_lossy().into_owned();
            if !name.starts_with('.') {
                names.push(name);
            }
        }
        names.sort();
        Ok(names)
    }

    /// Whether a snapshot is, or may be, of a database with accounts: what it has is not known of one that cannot be read, or
    /// was written before that was noted.
    pub(super) fn may_have_accounts(&self) -> Result<bool> {
        for name in self.snapshots()? {
            let manifest = match fs::read(self.snapshot(&name).join(MANIFEST)) {
                Ok(manifest) => manifest,
                // It is no snapshot.
                Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                    continue;
                }
                Err(error) => return Err(error.into()),
            };
            let manifest: Option<Manifest> = serde_json::from_slice(&manifest).ok();
            let accounts = manifest.and_then(|manifest| manifest.rows.get("users").copied());
            if accounts.is_none_or(|accounts| accounts > 0) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The files of a snapshot, and the path of its database, both as they were written.
    ///
    /// # Errors
    /// A refusal when there is no such snapshot, it is damaged, or a later program wrote it.
    pub(super) fn read_snapshot(&self, name: &str) -> Result<(Vec<Entry>, PathBuf)> {
        let refuse = |text: String| Failure::from(Refusal::Malformed(text));
        let folder = self.snapshot(name);
        let manifest = match fs::read(folder.join(MANIFEST)) {
            Ok(manifest) => manifest,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(refuse(format!("There is no snapshot {name}.")));
            }
            Err(error) => return Err(error.into()),
        };
        let damaged = || refuse(format!("The snapshot {name} is damaged; restore another one."));
        let manifest: Manifest = serde_json::from_slice(&manifest).map_err(|_| damaged())?;
        if manifest.format != FORMAT {
            return Err(refuse(format!(
                "The snapshot {name} was written by a later version of this program."
            )));
        }
        let database = folder.join(DATABASE);
        let files = fs::read(folder.join(FILES))?;
        if hex(blake3::hash(&files).as_bytes()) != manifest.files_blake3
            || hex(&hash_file(&database)?) != manifest.database_blake3
        {
            return Err(damaged());
        }
        let lines = files.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        let entries = lines.map(|line| serde_json::from_slice(line).ok().and_then(Line::entry));
        Ok((entries.collect::<Option<_>>().ok_or_else(damaged)?, database))
    }

    /// Deletes a snapshot; the bytes of its files stay until [`Folder::retain`]. Interrupted, it leaves what the next backup
    /// removes, and no half of a snapshot.
    pub(super) fn delete_snapshot(&self, name: &str) -> Result<()> {
        fs::rename(self.snapshot(name), self.partial())?;
        File::open(self.path.join(SNAPSHOTS))?.sync_all()?;
        Ok(fs::remove_dir_all(self.partial())?)
    }

    fn snapshot(&self, name: &str) -> PathBuf {
        self.path.join(SNAPSHOTS).join(name)
    }

    fn partial(&self) -> PathBuf {
        self.snapshot(PARTIAL)
    }
}

/// The index, open to append to.
pub(super) struct Appender(File);

impl Appender {
    pub(super) fn append(&mut self, entry: &Entry) -> Result<()> {
        let mut line = serde_json::to_vec(&Line::from(entry)).map_err(io::Error::from)?;
        line.push(b'\n');
        Ok(self.0.write_all(&line)?)
    }
}

fn object(hash: &ContentHash) -> MediaKey {
    MediaKey::from_trusted(format!("media/{}", hex(hash)))
}

fn hex(hash: &ContentHash) -> String {
    blake3::Hash::from_bytes(*hash).to_hex().to_string()
}

fn hash_file(path: &Path) -> io::Result<ContentHash> {
    let mut hasher = blake3::Hasher::new();
    io::copy(&mut File::open(path)?, &mut hasher)?;
    Ok(*hasher.finalize().as_bytes())
}

fn write_synced(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Makes a folder that only its owner can read: a backup holds embeddings, addresses and secrets.
fn make_private(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Ok(());
    }
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

#[cfg(test)]
mod tests {
    use domain::{Clock, Timestamp};

    use super::*;

    #[tokio::test]
    async fn a_copy_that_its_disk_has_lost_counts_as_missing_and_is_put_anew() {
        // [SAFE485] [SAFE226]
        let objects = Store::memory(Clock::fixed(Timestamp::from_millis(1)));
        let Store::Memory(disk) = objects.clone() else { unreachable!("it was just made") };
        let folder = Folder { path: PathBuf::new(), objects, _lock: None };
        let bytes = Bytes::from_static(b"bytes");
        let hash = folder.add(bytes.clone()).await.unwrap();
        assert_eq!(folder.read(&hash).await.unwrap(), Some(bytes.clone()));
        disk.lose(&object(&hash));
        assert!(folder.contains(&hash, 5).await.unwrap());
        assert_eq!(folder.read(&hash).await.unwrap(), None);
        folder.add(bytes.clone()).await.unwrap();
        assert_eq!(folder.read(&hash).await.unwrap(), Some(bytes));
        // A disk that is gone is another matter.
        disk.set_broken(true);
        assert!(folder.read(&hash).await.is_err());
    }
}
