//! Watches a folder, and passes on what is whole.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};
use tokio::sync::mpsc::{Sender, UnboundedReceiver};

use super::arrivals::Arrivals;
use super::destination::Destination;
use super::pictures::{Found, Picture};

/// How often files that are waited for are looked at.
const TICK: Duration = Duration::from_millis(500);
/// How often the whole folder is looked through without a reason: not every disk of a network tells of changes.
const RESCAN: Duration = Duration::from_secs(15);

/// Passes pictures on until nobody takes them any more. `returned` are those that could not be read as they were found.
pub(super) async fn feed(
    destination: Arc<Destination>,
    folder: PathBuf,
    settle: Duration,
    pictures: Sender<Vec<Picture>>,
    mut returned: UnboundedReceiver<PathBuf>,
) {
    let has_changed = Arc::new(AtomicBool::new(true));
    let watcher = watch(&folder, has_changed.clone());
    if let Err(error) = &watcher {
        let why = format!("The system does not tell of changes in {} ({error}): ", folder.display());
        destination.report.line(&(why + "it is looked through every 15 s."));
    }
    let mut arrivals = Arrivals::of(folder, settle);
    let mut scanned_at = Instant::now();
    let mut ticks = tokio::time::interval(TICK);
    loop {
        ticks.tick().await;
        while let Ok(path) = returned.try_recv() {
            arrivals.give_back(&path);
            has_changed.store(true, Ordering::Relaxed);
        }
        let now = Instant::now();
        let scans = has_changed.swap(false, Ordering::Relaxed) || now.duration_since(scanned_at) >= RESCAN;
        if scans {
            scanned_at = now;
        }
        // A disk of the network can take its time.
        let looked = tokio::task::spawn_blocking(move || {
            let found = if scans { arrivals.scan(now) } else { Found::default() };
            let settled = arrivals.settled(now);
            (arrivals, settled, found)
        });
        let Ok((looked_through, settled, found)) = looked.await else {
            return;
        };
        arrivals = looked_through;
        let report = &destination.report;
        report.lose(&found.unreadable);
        report.leave_out(found.raws);
        destination.names.add(&settled);
        report.find(&settled);
        report.wait_for(arrivals.waiting());
        if settled.is_empty() {
            continue;
        }
        if pictures.send(settled).await.is_err() {
            return;
        }
    }
}

fn watch(folder: &Path, has_changed: Arc<AtomicBool>) -> notify::Result<RecommendedWatcher> {
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<Event>| {
        // Looking through the folder is access too.
        if event.is_ok_and(|event| !matches!(event.kind, EventKind::Access(_))) {
            has_changed.store(true, Ordering::Relaxed);
        }
    })?;
    watcher.watch(folder, RecursiveMode::Recursive)?;
    Ok(watcher)
}
