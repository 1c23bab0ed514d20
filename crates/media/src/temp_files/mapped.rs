//! Files as byte slices without holding them in memory.

use std::fs::File;
use std::io;
use std::ops::Deref;
use std::path::Path;

use memmap2::{Mmap, MmapOptions};

/// The bytes of a file, mapped into memory: the kernel loads pages when they are accessed and evicts them under memory
/// pressure, so that a file of 100 MB does not take 100 MB of the process.
#[derive(Debug)]
pub struct MappedFile {
    map: Mmap,
    file: File,
}

impl MappedFile {
    /// Maps a **private** file: one that this process created and completed, and that no one writes to or
    /// truncates while it is mapped. It may be unlinked meanwhile.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let length = usize::try_from(file.metadata()?.len()).map_err(io::Error::other)?;
        Self::of(file, length)
    }

    /// Maps a file that is open, and private as well, with so many bytes.
    pub(crate) fn of(file: File, length: usize) -> io::Result<Self> {
        #[allow(unsafe_code, reason = "decoders want slices, and no safe call gives one of a file")]
        // SAFETY: the bytes of a mapping must not change under the slice, nor vanish from under it. Only the temporary
        // files of this module are mapped, which have random names and no writer any more, and in a decoder the files that
        // the service hands it, which are these or memory that was written before.
        let map = unsafe { MmapOptions::new().len(length).map(&file) }?;
        Ok(Self { map, file })
    }

    /// The file itself.
    pub(crate) const fn file(&self) -> &File {
        &self.file
    }
}

impl Deref for MappedFile {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.map
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mapping_outlives_the_name_of_its_file() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), b"all of it").unwrap();
        let mapped = MappedFile::open(file.path()).unwrap();
        drop(file);
        assert_eq!(&*mapped, b"all of it");
        let empty = tempfile::NamedTempFile::new().unwrap();
        assert!(MappedFile::open(empty.path()).unwrap().is_empty());
        assert!(MappedFile::open(Path::new("/nowhere")).is_err());
    }
}
