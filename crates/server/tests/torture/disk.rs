//! The data folder of a round as a disk that fails, and that remembers what was written to it: a preloaded library.

use std::fs::File;
use std::io::Write as _;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

use crate::clock::compile_library;

const SOURCE: &str = include_str!("disk_faults.c");

/// What the disk does not do any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DiskFault {
    /// Every change fails with EIO.
    Writes = 1,
    /// Every read fails with EIO.
    Reads = 2,
    /// Every change fails with EROFS, as when the kernel has mounted the file system for reading alone.
    ReadOnly = 4,
    /// Whatever needs room fails with ENOSPC.
    Full = 8,
}

impl DiskFault {
    pub(crate) const ALL: [Self; 4] = [Self::Writes, Self::Reads, Self::ReadOnly, Self::Full];
}

/// The compiled library that counts and logs what the disk is asked for.
pub(crate) fn compile(folder: &Path) -> PathBuf {
    compile_library(SOURCE, folder.join("disk_faults.so"))
}

/// The disk of one round.
pub(crate) struct Disk {
    library: PathBuf,
    folder: PathBuf,
    control_path: PathBuf,
    control: File,
    log: Option<PathBuf>,
}

impl Disk {
    /// Of the data folder in `folder`, which the service makes; with a log of all changes or without one.
    pub(crate) fn new(library: &Path, folder: &Path, is_recorded: bool) -> Self {
        let control_path = folder.join("disk_control");
        let control = File::options().read(true).write(true).create_new(true).open(&control_path).unwrap();
        control.set_len(4096).unwrap();
        let log = is_recorded.then(|| folder.join("disk_log"));
        if let Some(log) = &log {
            File::create_new(log).unwrap();
        }
        Self { library: library.to_owned(), folder: folder.join("data"), control_path, control, log }
    }

    /// The preloaded libraries of a process that shall use this disk, and where they find it.
    pub(crate) fn environment(&self, others: &str) -> Vec<(String, String)> {
        let shown = |path: &Path| path.display().to_string();
        let mut environment = vec![
            (String::from("LD_PRELOAD"), format!("{others}:{}", shown(&self.library))),
            (String::from("DISK_FOLDER"), shown(&self.folder)),
            (String::from("DISK_CONTROL"), shown(&self.control_path)),
        ];
        environment.extend(self.log.iter().map(|log| (String::from("DISK_LOG"), shown(log))));
        environment
    }

    /// Lets it fail from now on; none mends it. In place: the processes have the file mapped.
    pub(crate) fn set(&self, fault: Option<DiskFault>) {
        self.store(0, fault.map_or(0, |fault| fault as i64));
    }

    /// How often something has failed.
    pub(crate) fn struck(&self) -> usize {
        self.load(1).try_into().unwrap_or(usize::MAX)
    }

    /// Kills the process that makes the change of this number, from 1; 0 lets all be made.
    pub(crate) fn kill_at(&self, change: i64) {
        self.store(2, change);
    }

    /// How many changes are left until a process is killed; negative when none was.
    pub(crate) fn left_until_kill(&self) -> i64 {
        self.load(2)
    }

    pub(crate) fn journal(&self) -> Option<Journal> {
        Some(Journal { path: self.log.clone()? })
    }

    fn store(&self, field: u64, value: i64) {
        self.control.write_all_at(&value.to_ne_bytes(), field * 8).unwrap();
    }

    fn load(&self, field: u64) -> i64 {
        let mut bytes = [0; 8];
        self.control.read_exact_at(&mut bytes, field * 8).unwrap();
        i64::from_ne_bytes(bytes)
    }
}

/// The log of a disk's changes, to which photographers add what they are told: whatever stands before that was done before.
#[derive(Clone)]
pub(crate) struct Journal {
    path: PathBuf,
}

/// The kind of a record that is no change.
const TOLD: u32 = 100;

impl Journal {
    /// Adds what a photographer was told, or asks for.
    pub(crate) fn add(&self, told: &Told) {
        let text = told.to_string();
        let mut record = Vec::with_capacity(32 + text.len());
        record.extend(TOLD.to_ne_bytes());
        record.extend(u32::try_from(text.len()).unwrap().to_ne_bytes());
        record.extend([0; 24]);
        record.extend(text.as_bytes());
        let mut file = File::options().append(true).open(&self.path).unwrap();
        // In one piece, so that it comes between two others.
        assert_eq!(file.write(&record).unwrap(), record.len());
    }

    /// All records, in their order.
    pub(crate) fn read(&self) -> Vec<Record> {
        let bytes = std::fs::read(&self.path).unwrap();
        let mut rest = &bytes[..];
        let mut take = |count: usize| {
            let (taken, left) = rest.split_at_checked(count)?;
            rest = left;
            Some(taken)
        };
        let mut records = Vec::new();
        while let Some(head) = take(32) {
            let number = |at: usize| u64::from_ne_bytes(head[at..at + 8].try_into().unwrap());
            let kind = u32::from_ne_bytes(head[..4].try_into().unwrap());
            let first = u32::from_ne_bytes(head[4..8].try_into().unwrap());
            let (file, place, second) = (number(8), number(16), usize::try_from(number(24)).unwrap());
            let first = String::from_utf8(take(first.try_into().unwrap()).unwrap().to_vec()).unwrap();
            let second = take(second).unwrap().to_vec();
            records.push(Record::new(kind, file, place, first, second));
        }
        records
    }
}

/// A change of the disk, or what somebody was told. Files are named by their numbers, folders by their paths.
#[derive(Clone, Debug)]
pub(crate) enum Record {
    Create { file: u64, path: PathBuf },
    Write { file: u64, place: usize, bytes: Vec<u8> },
    Truncate { file: u64, size: usize },
    Sync { file: u64, path: PathBuf },
    MakeFolder { path: PathBuf },
    Rename { from: PathBuf, to: PathBuf },
    Link { from: PathBuf, to: PathBuf },
    Unlink { path: PathBuf },
    SyncFolder { path: PathBuf },
    Told(Told),
}

impl Record {
    fn new(kind: u32, file: u64, place: u64, first: String, second: Vec<u8>) -> Self {
        let place = usize::try_from(place).unwrap();
        let path = PathBuf::from(&first);
        let other = || PathBuf::from(String::from_utf8(second.clone()).unwrap());
        match kind {
            1 => Self::Create { file, path },
            2 => Self::Write { file, place, bytes: second },
            3 => Self::Truncate { file, size: place },
            4 => Self::Sync { file, path },
            5 => Self::MakeFolder { path },
            6 => Self::Rename { from: path, to: other() },
            7 => Self::Link { from: path, to: other() },
            8 => Self::Unlink { path },
            9 => Self::SyncFolder { path },
            TOLD => Self::Told(Told::read(&first)),
            _ => panic!("a record of kind {kind}"),
        }
    }
}

/// What a photographer was told, or asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Told {
    /// The photo of this id and name is uploaded.
    Uploaded { id: String, name: String },
    /// It shall be deleted: nobody is told any more that it is there.
    Deleting { id: String },
    /// The order of this id at the provider is paid.
    Paid { order: String },
}

impl std::fmt::Display for Told {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Uploaded { id, name } => write!(f, "uploaded {id} {name}"),
            Self::Deleting { id } => write!(f, "deleting {id}"),
            Self::Paid { order } => write!(f, "paid {order}"),
        }
    }
}

impl Told {
    fn read(text: &str) -> Self {
        let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
        match &words[..] {
            [what, id, name] if what == "uploaded" => Self::Uploaded { id: id.clone(), name: name.clone() },
            [what, id] if what == "deleting" => Self::Deleting { id: id.clone() },
            [what, order] if what == "paid" => Self::Paid { order: order.clone() },
            _ => panic!("nobody is told {text:?}"),
        }
    }
}
