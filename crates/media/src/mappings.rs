//! Files that are looked at without being held in memory.

use std::fs::File;
use std::io;
use std::ops::Deref;
use std::path::Path;

use memmap2::Mmap;

/// The bytes of a file, mapped into memory: their pages are the kernel's, which reads them when they are looked at and
/// takes them back when it needs the memory, so that a file of 100 MB does not take 100 MB of the process.
#[derive(Debug)]
pub struct Mapped(Mmap);

impl Mapped {
    /// Maps a **private** file: one that this program has made and written to its end, and that nobody writes to or
    /// shortens while it is mapped. It may be removed meanwhile.
    ///
    /// # Errors
    /// When the file cannot be opened.
    pub fn private(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        #[allow(unsafe_code, reason = "decoders want slices, and no safe call gives one of a file")]
        // SAFETY: the bytes of a mapping must not change under the slice, nor vanish from under it. The caller vouches
        // that the file is private to this program and complete, as the temporary files of uploads are.
        let map = unsafe { Mmap::map(&file) }?;
        Ok(Self(map))
    }
}

impl Deref for Mapped {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bytes_are_the_files_also_after_it_is_removed() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), b"all of it").unwrap();
        let mapped = Mapped::private(file.path()).unwrap();
        drop(file);
        assert_eq!(&*mapped, b"all of it");
        let empty = tempfile::NamedTempFile::new().unwrap();
        assert!(Mapped::private(empty.path()).unwrap().is_empty());
        assert!(Mapped::private(Path::new("/nowhere")).is_err());
    }
}
