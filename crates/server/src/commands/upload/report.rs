//! What the command says while it works: a bar on a terminal, lines elsewhere.

use std::collections::{BTreeSet, HashSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use gateway::photo_uploads::Taken;
use indicatif::{ProgressBar, ProgressStyle};

use super::pictures::{Picture, stem};
use crate::cli::print;

/// How often waiting for the service is said again.
const REMIND_AFTER: Duration = Duration::from_secs(30);

/// Most raw data without a picture that are named.
const NAMED_RAWS: usize = 20;

/// How many photos became what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    /// Those that were found in the folder.
    pub(super) found: u64,
    pub(super) uploaded: u64,
    /// Those that have taken the place of another version.
    pub(super) replaced: u64,
    /// Those whose bytes were there before.
    pub(super) there: u64,
    pub(super) failed: u64,
}

impl Tally {
    pub(super) const fn done(self) -> u64 {
        self.uploaded + self.replaced + self.there + self.failed
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { uploaded, replaced, there, failed, .. } = self;
        write!(f, "{uploaded} uploaded, ")?;
        if *replaced > 0 {
            write!(f, "{replaced} replaced, ")?;
        }
        write!(f, "{there} already there, {failed} failed")
    }
}

fn raw_files(number: usize) -> String {
    if number == 1 { String::from("1 RAW file") } else { format!("{number} RAW files") }
}

/// What became of a photo that did not fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Became {
    Uploaded,
    Replaced,
    There,
}

impl Became {
    pub(super) const fn of(taken: &Taken) -> Self {
        match taken {
            Taken { duplicate: true, .. } => Self::There,
            Taken { replaced: true, .. } => Self::Replaced,
            Taken { .. } => Self::Uploaded,
        }
    }
}

/// What the command says.
pub(super) struct Report {
    /// None where nobody sees it move.
    bar: Option<ProgressBar>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    tally: Tally,
    /// How many pictures are in a watched folder that are not whole yet, or have come just now.
    waiting: u64,
    failures: Vec<String>,
    /// The pictures that were found, by the names that their raw data have too.
    stems: HashSet<String>,
    raws: BTreeSet<PathBuf>,
    /// Since when the service is waited for, as it was said last.
    waits_since: Option<Instant>,
}

impl Report {
    pub(super) fn new() -> Self {
        let style = ProgressStyle::with_template(
            "{bar:24} {bytes} of {total_bytes}, {bytes_per_sec}, {eta} left · {msg}",
        );
        let bar = ProgressBar::new(0).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        // It hides itself where standard error is no terminal, or one that cannot move lines.
        Self { bar: (!bar.is_hidden()).then_some(bar), state: Mutex::default() }
    }

    pub(super) fn tally(&self) -> Tally {
        self.state().tally
    }

    /// How many pictures were seen and are not there: those on their way, and those that are waited for.
    pub(super) fn left(&self) -> u64 {
        let state = self.state();
        state.tally.found.saturating_sub(state.tally.done()) + state.waiting
    }

    /// The sum, and what failed and why.
    pub(super) fn sum(&self) -> String {
        let state = self.state();
        let mut sum = format!("{}.\n", state.tally);
        for failure in &state.failures {
            sum.extend(["  ", failure, "\n"]);
        }
        let (developed, alone): (Vec<_>, Vec<_>) =
            state.raws.iter().partition(|raw| state.stems.contains(&stem(raw)));
        if !developed.is_empty() {
            sum.extend([&raw_files(developed.len()), " left out.\n"]);
        }
        if !alone.is_empty() {
            sum.extend([
                &raw_files(alone.len()),
                " left out without a picture of the same name. Export as JPEG:\n",
            ]);
            for raw in alone.iter().take(NAMED_RAWS) {
                sum.push_str(&format!("  {}\n", raw.display()));
            }
            if alone.len() > NAMED_RAWS {
                sum.push_str(&format!("  and {} more\n", alone.len() - NAMED_RAWS));
            }
        }
        sum
    }

    /// These pictures are there to be uploaded.
    pub(super) fn find(&self, pictures: &[Picture]) {
        self.change(|tally| tally.found += u64::try_from(pictures.len()).unwrap_or(u64::MAX));
        self.state().stems.extend(pictures.iter().map(|picture| stem(&picture.path)));
        if let Some(bar) = &self.bar {
            bar.inc_length(pictures.iter().map(|picture| picture.state.size).sum());
        }
    }

    /// So many pictures are waited for.
    pub(super) fn wait_for(&self, pictures: u64) {
        self.state().waiting = pictures;
    }

    /// These are there, and nobody can say what they are: each is a failure.
    pub(super) fn lose(&self, unreadable: &[(PathBuf, io::Error)]) {
        self.change(|tally| tally.found += u64::try_from(unreadable.len()).unwrap_or(u64::MAX));
        for (path, error) in unreadable {
            self.failed(path, &format!("it cannot be read: {error}"));
        }
    }

    /// These raw data are there, and not uploaded.
    pub(super) fn leave_out(&self, raws: Vec<PathBuf>) {
        self.state().raws.extend(raws);
    }

    /// So many bytes have arrived, or need not.
    pub(super) fn advance(&self, bytes: u64) {
        self.state().waits_since = None;
        if let Some(bar) = &self.bar {
            bar.inc(bytes);
        }
    }

    pub(super) fn uploaded(&self, path: &Path, became: Became) {
        let tally = self.change(|tally| match became {
            Became::Uploaded => tally.uploaded += 1,
            Became::Replaced => tally.replaced += 1,
            Became::There => tally.there += 1,
        });
        if self.bar.is_none() {
            let what = match became {
                Became::Uploaded => "uploaded",
                Became::Replaced => "replaced",
                Became::There => "already there",
            };
            self.line(&format!("{}/{} {what}: {}", tally.done(), tally.found, path.display()));
        }
    }

    pub(super) fn there(&self, picture: &Picture) {
        self.advance(picture.state.size);
        self.uploaded(&picture.path, Became::There);
    }

    pub(super) fn failed(&self, path: &Path, why: &str) {
        let tally = self.change(|tally| tally.failed += 1);
        let failure = format!("{}: {why}", path.display());
        self.line(&format!("{}/{} failed: {failure}", tally.done(), tally.found));
        self.state().failures.push(failure);
    }

    /// The picture is waited for again, and counted then.
    pub(super) fn put_back(&self, bytes: u64) {
        self.change(|tally| tally.found = tally.found.saturating_sub(1));
        self.state().waiting += 1;
        if let Some(bar) = &self.bar {
            bar.set_length(bar.length().unwrap_or_default().saturating_sub(bytes));
        }
    }

    /// The service is asked again after a while.
    pub(super) fn waits(&self, why: &str, pause: Duration) {
        let now = Instant::now();
        let mut state = self.state();
        if state.waits_since.is_some_and(|since| now.duration_since(since) < REMIND_AFTER) {
            return;
        }
        state.waits_since = Some(now);
        drop(state);
        self.line(&format!("{why} Another attempt follows in {} s.", pause.as_secs().max(1)));
    }

    pub(super) fn line(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.println(text),
            // What cannot be printed does not keep photos from being uploaded.
            None => {
                let _ = print(&format!("{text}\n"));
            }
        }
    }

    /// Takes the bar away.
    pub(super) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    fn change(&self, change: impl FnOnce(&mut Tally)) -> Tally {
        let mut state = self.state();
        change(&mut state.tally);
        let tally = state.tally;
        drop(state);
        if let Some(bar) = &self.bar {
            bar.set_message(format!("{} of {} photos", tally.done(), tally.found));
        }
        tally
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::super::pictures::State;
    use super::*;

    #[test]
    fn photos_are_counted_by_what_became_of_them() {
        let report = Report::new();
        let state = State { size: 100, changed_at: None };
        let pictures = ["a.jpg", "b.jpg", "c.jpg", "d.jpg"].map(|path| Picture { path: path.into(), state });
        report.find(&pictures);
        report.there(&pictures[0]);
        report.uploaded(&pictures[1].path, Became::Uploaded);
        report.failed(&pictures[2].path, "The image is damaged and cannot be read");
        report.put_back(100);
        let tally = report.tally();
        assert_eq!(tally, Tally { found: 3, uploaded: 1, replaced: 0, there: 1, failed: 1 });
        assert_eq!(tally.done(), 3);
        assert_eq!(report.left(), 1, "what was put back is waited for");
        report.wait_for(0);
        assert_eq!(report.left(), 0);
        assert_eq!(
            report.sum(),
            "1 uploaded, 1 already there, 1 failed.\n  c.jpg: The image is damaged and cannot be read\n"
        );
        report.uploaded(&pictures[3].path, Became::Replaced);
        assert!(report.sum().starts_with("1 uploaded, 1 replaced, 1 already there, 1 failed.\n"));
    }

    #[test]
    fn raw_data_beside_their_pictures_are_counted_and_others_are_named() {
        // [UPL223]
        let report = Report::new();
        let state = State { size: 100, changed_at: None };
        report.find(&["day 1/IMG_1.JPG", "img_2.heic"].map(|path| Picture { path: path.into(), state }));
        report.leave_out(["IMG_1.CR3", "IMG_2.CR3", "IMG_2.CR3"].map(PathBuf::from).into());
        let uploaded = "0 uploaded, 0 already there, 0 failed.\n";
        assert_eq!(report.sum(), format!("{uploaded}2 RAW files left out.\n"));
        report.leave_out(vec![PathBuf::from("IMG_3.CR3")]);
        let alone = "1 RAW file left out without a picture of the same name. Export as JPEG:\n  IMG_3.CR3\n";
        assert_eq!(report.sum(), format!("{uploaded}2 RAW files left out.\n{alone}"));
        report.leave_out((0..30).map(|number| PathBuf::from(format!("x{number:02}.nef"))).collect());
        assert!(report.sum().ends_with("  x18.nef\n  and 11 more\n"), "{}", report.sum());
    }
}
