//! Files on the local disk that are received in pieces and outlive the process: their bytes, what they are described by,
//! and what became of them, each in a file of its own beside the others.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use domain::{Timestamp, UploadId};
use tokio::io::AsyncWriteExt as _;

use crate::local_disk::{blocking, found, modified};
use crate::temp_files::TempFile;

/// A folder of them, which is made with the first one.
pub struct PartialFiles(PathBuf);

/// What lies beside the bytes of a file.
#[derive(Clone, Copy)]
enum Part {
    Bytes,
    Description,
    Outcome,
}

impl Part {
    const ALL: [Self; 3] = [Self::Bytes, Self::Description, Self::Outcome];

    const fn extension(self) -> &'static str {
        match self {
            Self::Bytes => "part",
            Self::Description => "json",
            Self::Outcome => "done",
        }
    }
}

/// Appends to a file's bytes; nobody else does meanwhile.
pub struct PartialWriter {
    file: tokio::fs::File,
    size: u64,
}

impl PartialFiles {
    /// Those in this folder.
    pub const fn new(folder: PathBuf) -> Self {
        Self(folder)
    }

    fn path(&self, id: UploadId, part: Part) -> PathBuf {
        self.0.join(format!("{id}.{}", part.extension()))
    }

    /// Begins an empty file.
    pub async fn create(&self, id: UploadId, description: Vec<u8>) -> io::Result<()> {
        let folder = self.0.clone();
        let (bytes, path) = (self.path(id, Part::Bytes), self.path(id, Part::Description));
        blocking(move || {
            std::fs::create_dir_all(&folder)?;
            File::create_new(bytes)?;
            write_whole(&folder, &path, &description)
        })
        .await
    }

    /// What a file is described by.
    pub async fn description(&self, id: UploadId) -> io::Result<Option<Vec<u8>>> {
        found(tokio::fs::read(self.path(id, Part::Description)).await)
    }

    /// What became of a file.
    pub async fn outcome(&self, id: UploadId) -> io::Result<Option<Vec<u8>>> {
        found(tokio::fs::read(self.path(id, Part::Outcome)).await)
    }

    /// How many bytes of a file are there.
    pub async fn size(&self, id: UploadId) -> io::Result<Option<u64>> {
        Ok(found(tokio::fs::metadata(self.path(id, Part::Bytes)).await)?.map(|metadata| metadata.len()))
    }

    /// Opens a file to append to its first `size` bytes; what is beyond them goes. None while another process does so.
    pub async fn append_at(&self, id: UploadId, size: u64) -> io::Result<Option<PartialWriter>> {
        let path = self.path(id, Part::Bytes);
        let file = blocking(move || {
            let file = OpenOptions::new().append(true).open(path)?;
            if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
                return Ok(None);
            }
            file.set_len(size)?;
            Ok(Some(file))
        });
        Ok(file.await?.map(|file| PartialWriter { file: tokio::fs::File::from_std(file), size }))
    }

    /// A file that is complete, to be read where it lies.
    pub async fn complete(&self, id: UploadId) -> io::Result<TempFile> {
        TempFile::borrowed(self.path(id, Part::Bytes)).await
    }

    /// Leaves of a file only what became of it.
    pub async fn settle(&self, id: UploadId, outcome: Vec<u8>) -> io::Result<()> {
        let (folder, path) = (self.0.clone(), self.path(id, Part::Outcome));
        blocking(move || write_whole(&folder, &path, &outcome)).await?;
        self.remove_parts(id, &[Part::Description, Part::Bytes]).await.map(|_| ())
    }

    /// Removes a file; whether there was one.
    pub async fn remove(&self, id: UploadId) -> io::Result<bool> {
        self.remove_parts(id, &Part::ALL).await
    }

    async fn remove_parts(&self, id: UploadId, parts: &[Part]) -> io::Result<bool> {
        let mut removed = false;
        for part in parts {
            removed |= found(tokio::fs::remove_file(self.path(id, *part)).await)?.is_some();
        }
        Ok(removed)
    }

    /// The files that are not complete.
    pub async fn unfinished(&self) -> io::Result<Vec<UploadId>> {
        self.having(Part::Description).await
    }

    /// The files of which it is kept what became of them.
    pub async fn settled(&self) -> io::Result<Vec<UploadId>> {
        self.having(Part::Outcome).await
    }

    async fn having(&self, part: Part) -> io::Result<Vec<UploadId>> {
        let paths = self.entries().await?.into_iter();
        Ok(paths.filter(|path| has_extension(path, part)).filter_map(|path| id_of(&path)).collect())
    }

    async fn entries(&self) -> io::Result<Vec<PathBuf>> {
        let Some(mut entries) = found(tokio::fs::read_dir(&self.0).await)? else { return Ok(Vec::new()) };
        let mut paths = Vec::new();
        while let Some(entry) = entries.next_entry().await? {
            paths.push(entry.path());
        }
        Ok(paths)
    }

    /// When something was last written to a file.
    pub async fn written_at(&self, id: UploadId) -> io::Result<Option<Timestamp>> {
        let metadata = found(tokio::fs::metadata(self.path(id, Part::Bytes)).await)?;
        metadata.as_ref().map(modified).transpose()
    }

    /// Removes what was last written to before `before` and is no part of a file that can be continued: what was left by a
    /// process that was killed while it began or removed one. Answers how many.
    pub async fn remove_remains(&self, before: Timestamp) -> io::Result<u64> {
        let mut removed = 0;
        for path in self.entries().await? {
            // What is complete in itself, and what belongs to such.
            let describes = has_extension(&path, Part::Description) || has_extension(&path, Part::Outcome);
            let described = path.with_extension(Part::Description.extension());
            if id_of(&path).is_some() && (describes || tokio::fs::try_exists(&described).await?) {
                continue;
            }
            let Some(metadata) = found(tokio::fs::metadata(&path).await)? else { continue };
            if metadata.is_file() && modified(&metadata)? < before {
                removed += found(tokio::fs::remove_file(&path).await)?.map_or(0, |()| 1);
            }
        }
        Ok(removed)
    }
}

impl PartialWriter {
    /// How many bytes there are.
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// Appends bytes.
    pub async fn write(&mut self, chunk: &[u8]) -> io::Result<()> {
        self.file.write_all(chunk).await?;
        self.size += chunk.len() as u64;
        Ok(())
    }

    /// Appends the bytes of another file.
    pub async fn write_file(&mut self, file: &TempFile) -> io::Result<()> {
        let mut other = tokio::fs::File::open(file.path()).await?;
        self.size += tokio::io::copy(&mut other, &mut self.file).await?;
        Ok(())
    }

    /// Writes what is still in memory. Until then a file that is dropped may grow later.
    pub async fn flush(&mut self) -> io::Result<()> {
        self.file.flush().await
    }
}

/// Tells one run of the machine from another: bytes that were written before it lost its power may be zeros after it. None
/// where it cannot be told.
pub async fn run_of_machine() -> Option<String> {
    let id = tokio::fs::read_to_string("/proc/sys/kernel/random/boot_id").await.ok()?;
    Some(id.trim().to_owned())
}

fn has_extension(path: &Path, part: Part) -> bool {
    path.extension().is_some_and(|extension| extension == part.extension())
}

fn id_of(path: &Path) -> Option<UploadId> {
    path.file_stem()?.to_str()?.parse().ok()
}

/// Writes a file that is there whole or not at all.
fn write_whole(folder: &Path, path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = tempfile::Builder::new().prefix("writing-").tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.persist(path).map(|_| ()).map_err(|error| error.error)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use domain::ids::Id as _;

    use super::*;

    fn id(number: u8) -> UploadId {
        UploadId::from_parts(Timestamp::from_millis(1), [number; 10])
    }

    #[tokio::test]
    async fn a_file_grows_over_several_writers_one_at_a_time() {
        // [UPL158] [UPL163]
        let dir = tempfile::tempdir().unwrap();
        let files = PartialFiles::new(dir.path().join("partial"));
        assert_eq!(files.unfinished().await.unwrap(), []);
        files.create(id(1), b"described".to_vec()).await.unwrap();
        assert!(files.create(id(1), Vec::new()).await.is_err(), "another one is never overwritten");
        let mut writer = files.append_at(id(1), 0).await.unwrap().unwrap();
        writer.write(b"all ").await.unwrap();
        assert!(files.append_at(id(1), 0).await.unwrap().is_none(), "it is being written");
        writer.write(b"of it!").await.unwrap();
        writer.flush().await.unwrap();
        drop(writer);
        assert_eq!(files.size(id(1)).await.unwrap(), Some(10));
        let mut writer = files.append_at(id(1), 9).await.unwrap().unwrap();
        writer.write(b".").await.unwrap();
        writer.flush().await.unwrap();
        assert_eq!(writer.size(), 10);
        drop(writer);
        let file = files.complete(id(1)).await.unwrap();
        assert_eq!(file.checksums().blake3, *blake3::hash(b"all of it.").as_bytes());
        assert_eq!(file.size(), 10);
        drop(file);
        assert_eq!(files.unfinished().await.unwrap(), [id(1)], "it stays where it lies");
        files.settle(id(1), b"taken".to_vec()).await.unwrap();
        assert_eq!(files.unfinished().await.unwrap(), []);
        assert_eq!(files.settled().await.unwrap(), [id(1)]);
        assert_eq!(files.outcome(id(1)).await.unwrap().unwrap(), b"taken");
        assert!(files.remove(id(1)).await.unwrap());
        assert!(!files.remove(id(1)).await.unwrap());
        assert_eq!(std::fs::read_dir(dir.path().join("partial")).unwrap().count(), 0);
    }

    #[tokio::test]
    async fn what_a_killed_process_left_is_removed_and_what_can_go_on_is_not() {
        // [UPL164]
        let dir = tempfile::tempdir().unwrap();
        let files = PartialFiles::new(dir.path().to_owned());
        files.create(id(1), b"described".to_vec()).await.unwrap();
        files.create(id(2), b"described".to_vec()).await.unwrap();
        files.settle(id(2), b"taken".to_vec()).await.unwrap();
        for name in ["writing-1", &format!("{}.part", id(3))] {
            std::fs::write(dir.path().join(name), b"left").unwrap();
        }
        let written = files.written_at(id(1)).await.unwrap().unwrap();
        assert_eq!(files.remove_remains(written.minus(Duration::from_secs(60))).await.unwrap(), 0);
        assert_eq!(files.remove_remains(written.plus(Duration::from_secs(60))).await.unwrap(), 2);
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 3);
    }
}
