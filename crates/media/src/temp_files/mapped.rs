//! Files as byte slices without holding them in memory.

use std::fs::File;
use std::io;
use std::ops::Deref;
use std::path::Path;

use memmap2::Mmap;

/// The bytes of a file, mapped into memory: the kernel loads pages when they are accessed and evicts them under memory
/// pressure, so that a file of 100 MB does not take 100 MB of the process.
#[derive(Debug)]
pub struct MappedFile(Mmap);

impl MappedFile {
    /// Maps a **private** file: one that this process created and completed, and that no one writes to or
    /// truncates while it is mapped. It may be unlinked meanwhile.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        #[allow(unsafe_code, reason = "decoders want slices, and no safe call gives one of a file")]
        // SAFETY: the bytes of a mapping must not change under the slice, nor vanish from under it. Only the temporary
        // files of this module are mapped, which have random names and no writer any more.
        let map = unsafe { Mmap::map(&file) }?;
        Ok(Self(map))
    }
}

impl Deref for MappedFile {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
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
