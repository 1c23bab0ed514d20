//! What a session sees: the files that it has stored itself, wherever it believes to be.

use std::collections::VecDeque;

use domain::{PhotoId, Timestamp};

/// Files that are remembered; the oldest are forgotten.
const FILES: usize = 1_000;
/// Longest path, in bytes.
const PATH: usize = 1_024;
/// What names end with, behind a dot, until a client renames its file, which it does once the file is whole.
const INTERIM_ENDINGS: [&str; 12] = [
    "crdownload",
    "download",
    "filepart",
    "inprogress",
    "lftp",
    "part",
    "partial",
    "temp",
    "tmp",
    "uploading",
    "writing",
    "xfer",
];
/// What they begin with.
const INTERIM_BEGINNINGS: [&str; 8] =
    [".in.", ".lftp.", ".part.", ".partial.", ".temp.", ".tmp.", ".uploading.", "~"];
const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

#[derive(Default)]
pub(crate) struct Folder {
    /// The names on the way from the root.
    current: Vec<String>,
    files: VecDeque<StoredFile>,
}

pub(crate) struct StoredFile {
    path: String,
    /// The photo that it became; none when its bytes were there before.
    photo: Option<PhotoId>,
    size: u64,
    stored_at: Timestamp,
}

impl Folder {
    /// The path of a name here; none of what cannot be one.
    pub(crate) fn resolve(&self, path: &str) -> Option<String> {
        if path.is_empty() || path.len() > PATH || path.chars().any(char::is_control) {
            return None;
        }
        let mut names = if path.starts_with('/') { Vec::new() } else { self.current.clone() };
        for name in path.split('/') {
            match name {
                "" | "." => {}
                ".." => drop(names.pop()),
                name => names.push(name.to_owned()),
            }
        }
        Some(joined(&names)).filter(|path| path.len() <= PATH)
    }

    /// Believes to be in a folder, which is there once it is named: cameras go where they have made one before.
    pub(crate) fn enter(&mut self, path: &str) -> bool {
        let Some(path) = self.resolve(path) else { return false };
        self.current = path.split('/').filter(|name| !name.is_empty()).map(str::to_owned).collect();
        true
    }

    pub(crate) fn current(&self) -> String {
        joined(&self.current)
    }

    pub(crate) fn add(&mut self, path: String, photo: Option<PhotoId>, size: u64, stored_at: Timestamp) {
        self.push(StoredFile { path, photo, size, stored_at });
    }

    fn push(&mut self, file: StoredFile) {
        self.files.retain(|other| other.path != file.path);
        if self.files.len() >= FILES {
            self.files.pop_front();
        }
        self.files.push_back(file);
    }

    /// Gives a file another path, which no other one has afterwards.
    pub(crate) fn rename(&mut self, from: &str, to: String) {
        if let Some(at) = self.files.iter().position(|file| file.path == from)
            && let Some(file) = self.files.remove(at)
        {
            self.push(StoredFile { path: to, ..file });
        }
    }

    pub(crate) fn find(&self, path: &str) -> Option<&StoredFile> {
        let path = self.resolve(path)?;
        self.files.iter().find(|file| file.path == path)
    }

    /// The files in a folder, or the one of this path.
    pub(crate) fn listed(&self, path: &str) -> impl Iterator<Item = &StoredFile> {
        let path = if path.is_empty() { Some(self.current()) } else { self.resolve(path) };
        self.files.iter().filter(move |file| {
            path.as_deref()
                .is_some_and(|path| file.path == path || parent(&file.path) == path.trim_end_matches('/'))
        })
    }
}

impl StoredFile {
    pub(crate) const fn photo(&self) -> Option<PhotoId> {
        self.photo
    }

    pub(crate) const fn size(&self) -> u64 {
        self.size
    }

    pub(crate) fn name(&self) -> &str {
        name(&self.path)
    }

    /// When it was stored, in the form of RFC 3659.
    pub(crate) fn modified(&self) -> String {
        self.stored_at.to_rfc3339().chars().take(19).filter(char::is_ascii_digit).collect()
    }

    /// Its line in the form that `ls -l` has, which every client reads.
    pub(crate) fn line(&self) -> String {
        let at = self.stored_at.to_rfc3339();
        let part = |from: usize, to: usize| at.get(from..to).unwrap_or_default();
        let month = part(5, 7).parse::<usize>().ok().and_then(|month| MONTHS.get(month.wrapping_sub(1)));
        let month = month.copied().unwrap_or_default();
        let (size, day, time, name) = (self.size, part(8, 10), part(11, 16), self.name());
        format!("-rw-r--r-- 1 camera camera {size:>10} {month} {day} {time} {name}")
    }
}

/// The last part of a path.
pub(crate) fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The name of the photo that is stored under a path: what a client leaves out when it renames its file is left out at once,
/// since a line that is cut before that must not leave the photo with it.
pub(crate) fn photo_name(path: &str) -> &str {
    let whole = name(path);
    let mut rest = whole;
    for beginning in INTERIM_BEGINNINGS {
        if let Some(inner) = rest.strip_prefix(beginning) {
            // ProFTPD writes `.in.NAME.`.
            rest = inner.strip_suffix('.').unwrap_or(inner);
            break;
        }
    }
    if let Some((inner, ending)) = rest.rsplit_once('.')
        && INTERIM_ENDINGS.iter().any(|interim| ending.eq_ignore_ascii_case(interim))
    {
        rest = inner;
    }
    if rest.is_empty() { whole } else { rest }
}

fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(parent, _)| parent)
}

fn joined(names: &[String]) -> String {
    format!("/{}", names.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lead_nowhere_else() {
        // [FTP007]
        let mut folder = Folder::default();
        assert!(folder.enter("DCIM/100CANON"));
        assert_eq!(folder.current(), "/DCIM/100CANON");
        for (path, resolved) in [
            ("IMG_1.JPG", Some("/DCIM/100CANON/IMG_1.JPG")),
            ("../../../../etc/passwd", Some("/etc/passwd")),
            ("/a//./b", Some("/a/b")),
            ("", None),
            ("a\0b", None),
        ] {
            assert_eq!(folder.resolve(path).as_deref(), resolved, "{path}");
        }
        assert_eq!(folder.resolve(&"a".repeat(2_000)), None);
        assert!(folder.enter("..") && folder.enter("/") && folder.enter(".."));
        assert_eq!(folder.current(), "/");
    }

    #[test]
    fn a_session_lists_what_it_has_stored() {
        // [FTP007]
        let mut folder = Folder::default();
        let at = Timestamp::from_millis(1_795_165_200_000);
        folder.add(String::from("/a.jpg"), None, 5, at);
        folder.add(String::from("/sub/b.jpg"), None, 6, at);
        folder.add(String::from("/a.jpg"), None, 7, at);
        let names = |folder: &Folder, path: &str| -> Vec<String> {
            folder.listed(path).map(|file| file.name().to_owned()).collect()
        };
        assert_eq!(names(&folder, ""), ["a.jpg"]);
        assert_eq!(names(&folder, "/sub"), ["b.jpg"]);
        assert_eq!(names(&folder, "sub/b.jpg"), ["b.jpg"]);
        assert!(names(&folder, "/else").is_empty());
        let file = folder.find("a.jpg").unwrap();
        assert_eq!(file.line(), "-rw-r--r-- 1 camera camera          7 Nov 20 09:00 a.jpg");
        assert_eq!((file.size(), file.modified()), (7, String::from("20261120090000")));
        for number in 0..FILES {
            folder.add(format!("/n{number}"), None, 1, at);
        }
        assert!(folder.find("/a.jpg").is_none());
        folder.rename("/n5", String::from("/n6"));
        assert!(folder.find("/n5").is_none());
        assert_eq!(names(&folder, "").len(), FILES - 1, "it takes the place of the other one");
    }

    #[test]
    fn names_lose_what_clients_add_until_a_file_is_whole() {
        for (path, photo) in [
            ("/DCIM/IMG_1.JPG", "IMG_1.JPG"),
            ("/x.JPG.tmp", "x.JPG"),
            ("y.jpg.Part", "y.jpg"),
            ("z.jpg.filepart", "z.jpg"),
            ("z.jpg.lftp", "z.jpg"),
            (".in.IMG_2.JPG", "IMG_2.JPG"),
            (".in.IMG_2.JPG.", "IMG_2.JPG"),
            (".tmp.IMG_3.JPG.part", "IMG_3.JPG"),
            ("~IMG_4.JPG", "IMG_4.JPG"),
            ("/tmp/x.jpg", "x.jpg"),
            ("upload.tmp", "upload"),
            (".tmp", ".tmp"),
            (".in.", ".in."),
            ("~", "~"),
            ("part", "part"),
        ] {
            assert_eq!(photo_name(path), photo, "{path}");
        }
    }
}
