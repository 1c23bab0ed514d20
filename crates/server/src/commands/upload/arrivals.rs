//! What a program writes into a watched folder: a picture counts once it is whole.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::pictures::{Found, Picture, State, find};

/// A file that does not end as a picture does, but that nobody has written to for so long, is shown to the service, which
/// refuses what is incomplete.
const GIVEN_UP_AFTER: Duration = Duration::from_secs(60);

/// The files of a folder that are waited for, and those that were taken.
pub(super) struct Arrivals {
    folder: PathBuf,
    /// For how long a file has to be unchanged.
    settle: Duration,
    waiting: HashMap<PathBuf, Waiting>,
    taken: HashMap<PathBuf, State>,
    /// What was told to be unreadable.
    told: HashSet<PathBuf>,
}

struct Waiting {
    state: State,
    since: Instant,
}

impl Arrivals {
    pub(super) fn of(folder: PathBuf, settle: Duration) -> Self {
        Self { folder, settle, waiting: HashMap::new(), taken: HashMap::new(), told: HashSet::new() }
    }

    /// Looks the whole folder through, and tells what is in it beside pictures: raw data, and what cannot be read, each path of
    /// that once. One that is away for a while, such as that of an unplugged card, is empty.
    pub(super) fn scan(&mut self, now: Instant) -> Found {
        let mut found = find(&self.folder).unwrap_or_default();
        for picture in std::mem::take(&mut found.pictures) {
            self.touch(picture.path, now);
        }
        found.unreadable.retain(|(path, _)| self.told.insert(path.clone()));
        found
    }

    /// How many pictures are waited for.
    pub(super) fn waiting(&self) -> u64 {
        u64::try_from(self.waiting.len()).unwrap_or(u64::MAX)
    }

    fn touch(&mut self, path: PathBuf, now: Instant) {
        match State::of(&path) {
            Some(state) if self.taken.get(&path) != Some(&state) => {
                let waiting = self.waiting.entry(path).or_insert(Waiting { state, since: now });
                if waiting.state != state {
                    *waiting = Waiting { state, since: now };
                }
            }
            _ => {
                self.waiting.remove(&path);
            }
        }
    }

    /// The pictures that are whole by now, in the order of their names.
    pub(super) fn settled(&mut self, now: Instant) -> Vec<Picture> {
        let paths: Vec<PathBuf> = self.waiting.keys().cloned().collect();
        for path in paths {
            self.touch(path, now);
        }
        let mut settled: Vec<Picture> = self
            .waiting
            .iter()
            .filter(|(path, waiting)| is_settled(path, now.duration_since(waiting.since), self.settle))
            .map(|(path, waiting)| Picture { path: path.clone(), state: waiting.state })
            .collect();
        settled.sort_by(|one, other| one.path.cmp(&other.path));
        for picture in &settled {
            self.waiting.remove(&picture.path);
            self.taken.insert(picture.path.clone(), picture.state);
        }
        settled
    }

    /// A picture could not be read as it was found: it is waited for again.
    pub(super) fn give_back(&mut self, path: &Path) {
        self.taken.remove(path);
    }
}

fn is_settled(path: &Path, unchanged: Duration, settle: Duration) -> bool {
    if unchanged < settle {
        return false;
    }
    unchanged >= GIVEN_UP_AFTER.max(settle) || looks_whole(path)
}

fn looks_whole(path: &Path) -> bool {
    std::fs::File::open(path).and_then(|mut file| media::pictures::looks_whole(&mut file)).unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETTLE: Duration = Duration::from_secs(3);

    /// The names of what is whole after so many seconds.
    fn look(arrivals: &mut Arrivals, now: Instant) -> Vec<String> {
        arrivals.scan(now);
        arrivals.settled(now).iter().map(Picture::name).collect()
    }

    #[test]
    fn a_file_is_taken_once_it_is_whole_and_unchanged() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| folder.path().join(name);
        let whole = [&[0xFF, 0xD8, 0xFF, 0xE0][..], &[7; 100], &[0xFF, 0xD9]].concat();
        std::fs::write(file("a.jpg"), &whole[..50]).unwrap();
        let (mut arrivals, start) = (Arrivals::of(folder.path().to_owned(), SETTLE), Instant::now());
        assert_eq!(look(&mut arrivals, start), [""; 0], "it has just come");
        assert_eq!(arrivals.waiting(), 1);
        let mut at = |seconds: u64| look(&mut arrivals, start + Duration::from_secs(seconds));
        assert!(at(4).is_empty(), "half of it is missing");
        std::fs::write(file("a.jpg"), &whole).unwrap();
        assert!(at(5).is_empty(), "it has just changed");
        assert!(at(7).is_empty());
        assert_eq!(at(8), ["a.jpg"]);
        assert!(at(100).is_empty(), "once");

        // An edited version under the same name is another picture.
        std::fs::write(file("a.jpg"), [&whole[..], &whole[..]].concat()).unwrap();
        assert!(at(102).is_empty());
        assert_eq!(at(105), ["a.jpg"]);

        // What never ends as a picture is for the service to judge.
        std::fs::write(file("b.jpg"), &whole[..50]).unwrap();
        assert!(at(200).is_empty());
        assert!(at(259).is_empty());
        assert_eq!(at(260), ["b.jpg"]);

        std::fs::write(file("c.jpg"), &whole).unwrap();
        assert!(at(300).is_empty());
        std::fs::remove_file(file("c.jpg")).unwrap();
        assert!(at(310).is_empty(), "it is gone");

        arrivals.give_back(&file("a.jpg"));
        assert!(look(&mut arrivals, start + Duration::from_secs(320)).is_empty());
        assert_eq!(look(&mut arrivals, start + Duration::from_secs(323)), ["a.jpg"], "once more");
        assert_eq!(arrivals.waiting(), 0);
    }

    #[test]
    fn what_cannot_be_read_is_told_once() {
        // [UPL279]
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("loop.jpg");
        std::os::unix::fs::symlink("loop.jpg", &path).unwrap();
        let (mut arrivals, start) = (Arrivals::of(folder.path().to_owned(), SETTLE), Instant::now());
        let told: Vec<_> = arrivals.scan(start).unreadable.into_iter().map(|(path, _)| path).collect();
        assert_eq!(told, [path]);
        assert!(arrivals.scan(start).unreadable.is_empty());
    }
}
