//! Temporary files on the local disk: uploads while they are received, and originals that are too large for memory.
//!
//! Each is removed when its owner is dropped; [`remove_stale`] finds those of a process that was killed.

mod contents;
mod mapped;

use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use domain::Timestamp;
use tokio::fs::File;
use tokio::io::AsyncWriteExt as _;

use crate::checksums::{Checksums, Hasher};
use crate::local_disk::{blocking, found, modified};

pub use contents::{Contents, LoadError};
pub use mapped::MappedFile;

/// How many bytes are read at a time.
const READ_BYTES: usize = 1 << 18;

/// A temporary file that is being written.
pub struct TempFileWriter {
    file: File,
    path: tempfile::TempPath,
    hasher: Hasher,
    size: u64,
}

impl TempFileWriter {
    /// Creates an empty file in the folder `dir`.
    pub async fn create(dir: &Path) -> io::Result<Self> {
        let (file, path) = create(dir, "upload-").await?;
        Ok(Self { file, path, hasher: Hasher::default(), size: 0 })
    }

    /// Bytes written so far.
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// Appends bytes.
    pub async fn write(&mut self, chunk: &[u8]) -> io::Result<()> {
        self.hasher.update(chunk);
        self.size += chunk.len() as u64;
        self.file.write_all(chunk).await
    }

    /// Flushes the file, which is complete.
    pub async fn finish(mut self) -> io::Result<TempFile> {
        self.file.flush().await?;
        Ok(TempFile { path: self.path, checksums: self.hasher.finish(), size: self.size })
    }
}

/// A temporary file that was written to its end; removed when dropped, unless it is borrowed.
pub struct TempFile {
    path: tempfile::TempPath,
    checksums: Checksums,
    size: u64,
}

impl TempFile {
    /// A complete file that lies elsewhere and stays there when this is dropped. Reads all of it.
    pub(crate) async fn borrowed(path: PathBuf) -> io::Result<Self> {
        blocking(move || {
            let mut path = tempfile::TempPath::try_from_path(path)?;
            path.disable_cleanup(true);
            let (mut file, mut hasher, mut size) = (std::fs::File::open(&path)?, Hasher::default(), 0);
            let mut chunk = vec![0; READ_BYTES];
            loop {
                let read = file.read(&mut chunk)?;
                if read == 0 {
                    return Ok(Self { path, checksums: hasher.finish(), size });
                }
                hasher.update(&chunk[..read]);
                size += read as u64;
            }
        })
        .await
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its checksums.
    pub const fn checksums(&self) -> Checksums {
        self.checksums
    }

    /// Its size in bytes.
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// Maps it into memory. Blocks.
    pub fn map(&self) -> io::Result<MappedFile> {
        MappedFile::open(&self.path)
    }
}

/// Removes files from the folder `dir` that were last modified before `before`; answers their number.
pub async fn remove_stale(dir: &Path, before: Timestamp) -> io::Result<u64> {
    let mut removed = 0;
    let mut entries = tokio::fs::read_dir(dir).await?;
    while let Some(entry) = entries.next_entry().await? {
        // A file that is being used may be removed by its owner meanwhile.
        let Some(metadata) = found(entry.metadata().await)? else { continue };
        if metadata.is_file() && modified(&metadata)? < before {
            removed += found(tokio::fs::remove_file(entry.path()).await)?.map_or(0, |()| 1);
        }
    }
    Ok(removed)
}

async fn create(dir: &Path, prefix: &'static str) -> io::Result<(File, tempfile::TempPath)> {
    let dir = dir.to_owned();
    let file = blocking(move || tempfile::Builder::new().prefix(prefix).tempfile_in(dir)).await?;
    let (file, path) = file.into_parts();
    Ok((File::from_std(file), path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_file_is_hashed_while_it_is_written_and_removed_when_dropped() {
        let dir = tempfile::tempdir().unwrap();
        let mut writer = TempFileWriter::create(dir.path()).await.unwrap();
        writer.write(b"all ").await.unwrap();
        writer.write(b"of it").await.unwrap();
        assert_eq!(writer.size(), 9);
        let file = writer.finish().await.unwrap();
        assert_eq!(
            (file.size(), std::fs::read(file.path()).unwrap().as_slice()),
            (9, b"all of it".as_slice())
        );
        assert_eq!(file.checksums().blake3, *blake3::hash(b"all of it").as_bytes());
        assert_eq!(file.checksums().crc32, crc32fast::hash(b"all of it"));
        assert_eq!(&*file.map().unwrap(), b"all of it");
        drop(file);
        drop(TempFileWriter::create(dir.path()).await.unwrap());
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
    }

    #[tokio::test]
    async fn only_stale_files_are_removed() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("folder")).unwrap();
        for name in ["upload-1", "original-2"] {
            std::fs::write(dir.path().join(name), b"left").unwrap();
        }
        let written = modified(&std::fs::metadata(dir.path().join("original-2")).unwrap()).unwrap();
        assert_eq!(
            remove_stale(dir.path(), written.minus(std::time::Duration::from_secs(60))).await.unwrap(),
            0
        );
        assert_eq!(
            remove_stale(dir.path(), written.plus(std::time::Duration::from_secs(60))).await.unwrap(),
            2
        );
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1, "the folder is not ours");
        assert!(remove_stale(&dir.path().join("nowhere"), written).await.is_err());
    }
}
