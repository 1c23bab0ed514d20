//! The wall clock of the processes under test, which a preloaded library offsets.

use std::fs::File;
use std::io::Write as _;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

const SOURCE: &str = include_str!("clock_offset.c");

/// The compiled library.
pub(crate) fn compile(folder: &Path) -> PathBuf {
    compile_library(SOURCE, folder.join("clock_offset.so"))
}

/// Compiles what is preloaded.
pub(crate) fn compile_library(source: &str, library: PathBuf) -> PathBuf {
    let mut compiler = Command::new("cc")
        .args(["-shared", "-fPIC", "-O2", "-x", "c", "-o"])
        .arg(&library)
        .arg("-")
        .stdin(Stdio::piped())
        .spawn()
        .expect("a C compiler is needed: Debian's package `gcc`");
    compiler.stdin.take().unwrap().write_all(source.as_bytes()).unwrap();
    assert!(compiler.wait().unwrap().success(), "{} cannot be compiled", library.display());
    library
}

/// The clock of one round: the machine's own with an offset.
pub(crate) struct OffsetClock {
    library: PathBuf,
    path: PathBuf,
    file: File,
    nanoseconds: i64,
}

impl OffsetClock {
    pub(crate) fn new(library: &Path, folder: &Path) -> Self {
        let path = folder.join("clock_offset");
        let clock =
            Self { library: library.to_owned(), file: File::create(&path).unwrap(), path, nanoseconds: 0 };
        clock.store();
        clock
    }

    /// The environment of a process that shall follow this clock.
    pub(crate) fn environment(&self) -> [(&'static str, &Path); 2] {
        [("LD_PRELOAD", &self.library), ("CLOCK_OFFSET_FILE", &self.path)]
    }

    /// What its processes preload.
    pub(crate) fn library(&self) -> String {
        self.library.display().to_string()
    }

    pub(crate) fn set_back(&mut self, by: Duration) {
        self.nanoseconds -= i64::try_from(by.as_nanos()).unwrap();
        self.store();
    }

    pub(crate) fn advance(&mut self, by: Duration) {
        self.nanoseconds += i64::try_from(by.as_nanos()).unwrap();
        self.store();
    }

    /// In place: the processes have the file mapped.
    fn store(&self) {
        self.file.write_all_at(&self.nanoseconds.to_ne_bytes(), 0).unwrap();
    }
}
